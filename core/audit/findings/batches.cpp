// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"
#include "core/base/text.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

namespace shardlens::findings {
namespace {

/// The fewest samples of any rank that has some; 0 when no rank has.
std::int64_t smallestSlice(const Facts& facts) {
  std::int64_t smallest = std::numeric_limits<std::int64_t>::max();
  for (const RankEpochShape& rank : facts.shape().ranks) {
    if (rank.samples > 0) smallest = std::min(smallest, rank.samples);
  }
  return smallest == std::numeric_limits<std::int64_t>::max() ? 0 : smallest;
}

/// Workers that load a batch, where the order itself says which one loads which: of the rank with most of them. Nothing
/// where batch i goes to worker i mod num_workers.
std::optional<std::int64_t> namedWorkers(const Plan& plan, Epoch epoch, const Work& work) {
  std::size_t most = 0;
  for (Rank rank{0}; rank.value < plan.worldSize(); ++rank) {
    const auto rank_epoch = plan.rankEpoch(epoch, rank, work);
    if (!rank_epoch) return std::nullopt;
    const auto& deal = rank_epoch->slice().order()->deal();
    if (deal == nullptr || deal->batch_workers.empty()) return std::nullopt;
    const Deal::Share& share = deal->shareOf(rank);
    const auto first = deal->batch_workers.begin() + static_cast<std::ptrdiff_t>(share.first_batch);
    most = std::max(most, std::set<std::int32_t>(first, first + share.batches).size());
    if (deal->shares.size() == 1) break;
  }
  return static_cast<std::int64_t>(most);
}

std::int64_t loadingWorkers(const Plan& plan, const EpochShape& shape, const Work& work) {
  const std::int64_t workers = std::min(plan.spec().loader.num_workers, shape.steps);
  return namedWorkers(plan, shape.epoch, work).value_or(workers);
}

/// Some samplers fill up to batches themselves: with another batch size they hand out other samples.
bool sharesStay(const EpochShape& before, const EpochShape& after) {
  return std::ranges::equal(before.ranks, after.ranks, {}, &RankEpochShape::samples, &RankEpochShape::samples);
}

}  // namespace

void batchLargerThanSlice(const Facts& facts, std::vector<Finding>& findings) {
  if (!facts.loaderCutsBatches()) return;
  const std::int64_t samples = smallestSlice(facts);
  const std::int64_t batch = facts.spec().loader.batch_size;
  if (samples == 0 || samples >= batch) return;
  const bool lost = facts.spec().loader.drop_last;
  Finding finding;
  finding.code = "batch-larger-than-slice";
  finding.topic = FindingTopic::Batches;
  finding.severity = lost ? Severity::Error : Severity::Warning;
  finding.title = lost ? "The loader drops the only batch" : "The batch is never full";
  finding.message = "A rank has " + counted(samples, "sample") + " an epoch, and batch_size is " + grouped(batch) +
                    (lost ? ": the short batch is dropped and no step is made." : ".");
  finding.why = "batch_size is per rank: the dataset is divided among the ranks first.";
  finding.fix = offered(facts, {"Set batch_size to " + grouped(samples), {{"loader.batch_size", samples}}},
                        [&](const Plan&, const EpochShape& shape) { return sharesStay(facts.shape(), shape); });
  finding.where.epoch = facts.coverage().epoch;
  finding.where.field = "loader.batch_size";
  findings.push_back(std::move(finding));
}

void shortLastBatch(const Facts& facts, std::vector<Finding>& findings) {
  if (!facts.loaderCutsBatches()) return;
  const RankEpochShape& shape = facts.shape().ranks.front();
  const std::int64_t batch = facts.spec().loader.batch_size;
  const std::int64_t left = shape.samples % batch;
  if (facts.spec().loader.drop_last || left == 0 || shape.batches < 2) return;
  Finding finding;
  finding.code = "short-last-batch";
  finding.topic = FindingTopic::Batches;
  finding.title = "The last batch is short";
  finding.message = std::string(facts.worldSize() == 1 ? "It has " : "On rank 0 it has ") + grouped(left) + " of " +
                    counted(batch, "sample") + ", in step " + grouped(shape.batches - 1) + ".";
  finding.why = "The mean over a short batch gives each of its samples more weight.";
  finding.fix = offered(facts, {"Drop the short last batch: loader.drop_last", {{"loader.drop_last", true}}});
  finding.where.epoch = facts.coverage().epoch;
  finding.where.step = shape.batches - 1;
  finding.where.field = "loader.drop_last";
  findings.push_back(std::move(finding));
}

void idleWorkers(const Facts& facts, std::vector<Finding>& findings) {
  const std::int64_t workers = facts.spec().loader.num_workers;
  const std::int64_t batches = facts.report().lockstep.most;
  if (batches == 0 || workers == 0) return;
  const auto named = namedWorkers(facts.plan(), facts.firstEpoch(), facts.work());
  const std::int64_t loading = named.value_or(std::min(workers, batches));
  if (workers <= loading) return;
  Finding finding;
  finding.code = "idle-workers";
  finding.topic = FindingTopic::Batches;
  finding.severity = Severity::Warning;
  finding.title = grouped(workers - loading) + " of " + counted(workers, "worker") + " never load a batch";
  finding.message = named ? "No rank has more than " + counted(loading, "worker") +
                                " with anything to read: the dataset divides its shards or samples among them itself."
                          : "Each rank has at most " + countedBatches(batches) +
                                " an epoch, and batch i goes to worker i mod " + grouped(workers) + ".";
  finding.why = "Every worker is a process with its own copy of the dataset object.";
  finding.fix = offered(facts, {"Set num_workers to " + grouped(loading), {{"loader.num_workers", loading}}},
                        [&](const Plan& mended, const EpochShape& shape) {
                          return loadingWorkers(mended, shape, facts.work()) == loading;
                        });
  finding.where.field = "loader.num_workers";
  findings.push_back(std::move(finding));
}

}  // namespace shardlens::findings
