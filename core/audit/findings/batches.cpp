// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"
#include "core/sampling/registry.h"
#include "core/sampling/sampler_rule.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

namespace shardlens::findings {

using sampling::SamplerTraits;

namespace {

constexpr std::int64_t kMostBatches = 1'000'000;  ///< that are looked at

/// The ranks that have samples, but no whole batch.
words::SmallSlices smallSlicesOf(const Facts& facts, const EpochShape& shape) {
  words::SmallSlices small;
  small.batch = facts.spec().loader.batch_size;
  small.lost = facts.spec().loader.drop_last;
  small.world = facts.worldSize();
  small.is_divided = small.world > 1 && (facts.takes(&SamplerTraits::num_replicas) || facts.traits().deals_to_world);
  for (std::int64_t rank = 0; rank < small.world; ++rank) {
    const std::int64_t samples = shape.ranks[static_cast<std::size_t>(rank)].samples;
    if (samples == 0 || samples >= small.batch) continue;
    small.fewest = small.ranks.empty() ? samples : std::min(small.fewest, samples);
    small.most = std::max(small.most, samples);
    small.ranks.push_back(rank);
  }
  return small;
}

/// Until a batch inside is found, the earliest one is the example.
void add(words::ShortBatches& found, std::int64_t rank, std::int64_t left, std::int64_t step) {
  const bool first = found.ranks.empty();
  if (found.inside == 0 && (first || step < found.first_step)) found.example = {rank, step, left};
  found.fewest = first ? left : std::min(found.fewest, left);
  found.most = std::max(found.most, left);
  found.first_step = first ? step : std::min(found.first_step, step);
  found.last_step = std::max(found.last_step, step);
  ++found.count;
  if (found.ranks.empty() || found.ranks.back() != rank) found.ranks.push_back(rank);
}

/// Of ranks with several batches, where the loader cuts them.
std::optional<words::ShortBatches> shortTails(const Facts& facts) {
  if (facts.spec().loader.drop_last) return std::nullopt;
  words::ShortBatches found;
  found.world = facts.worldSize();
  found.batch = facts.spec().loader.batch_size;
  for (std::int64_t rank = 0; rank < found.world; ++rank) {
    const RankEpochShape& shape = facts.shape().ranks[static_cast<std::size_t>(rank)];
    if (shape.samples % found.batch > 0 && shape.batches > 1)
      add(found, rank, shape.samples % found.batch, shape.batches - 1);
  }
  return found;
}

/// A batch of the judged epoch, where the sampler cuts them.
struct CutBatch {
  std::int64_t rank = 0;
  std::int64_t step = 0;
  std::int64_t size = 0;
  bool is_last = false;  ///< of its rank
};

/// Nothing where they are too many to look at.
std::optional<std::vector<CutBatch>> cutBatches(const Facts& facts) {
  std::vector<CutBatch> batches;
  std::int64_t looked_at = 0;
  for (Rank rank{0}; rank.value < facts.worldSize(); ++rank) {
    const auto items = facts.plan().rankEpoch(facts.epoch(), rank, facts.work());
    looked_at += items ? items->batches() + 1 : kMostBatches;
    if (looked_at > kMostBatches) return std::nullopt;
    for (Step step{0}; step.value < items->batches(); ++step)
      batches.push_back({rank.value, step.value, items->batch(step).size(), step.value + 1 == items->batches()});
  }
  return batches;
}

/// Workers of a stream fill batches of the loader's size; accelerate may cut these for the ranks.
bool fillsLoaderBatches(const Facts& facts) {
  return facts.claims().is_stream && sampling::traitsOf(facts.spec()).loop != sampling::LoopOwner::Accelerate;
}

/// Samples of a full batch; 0 where batches have many sizes. Of recorded batches that are all last ones, only what the
/// loader says tells it.
std::int64_t fullBatch(const Facts& facts, const std::vector<CutBatch>& batches) {
  if (fillsLoaderBatches(facts)) return facts.spec().loader.batch_size;
  std::int64_t inside = 0;
  std::int64_t last = 0;
  for (const CutBatch& batch : batches) {
    if (batch.is_last) {
      last = std::max(last, batch.size);
    } else if (inside > 0 && batch.size != inside) {
      return 0;
    } else {
      inside = batch.size;
    }
  }
  if (inside == 0 && facts.claims().is_recorded) return facts.spec().loader.batch_size;
  return inside > 0 && last > inside ? 0 : std::max(inside, last);
}

/// Where the sampler cuts batches.
std::optional<words::ShortBatches> shortBatches(const Facts& facts) {
  const auto batches = cutBatches(facts);
  if (!batches) return std::nullopt;
  words::ShortBatches found;
  found.world = facts.worldSize();
  found.batch = fullBatch(facts, *batches);
  for (const CutBatch& batch : *batches) {
    if (batch.size == 0 || batch.size >= found.batch) continue;
    if (!batch.is_last && found.inside == 0) found.example = {batch.rank, batch.step, batch.size};
    found.inside += batch.is_last ? 0 : 1;
    add(found, batch.rank, batch.size, batch.step);
  }
  found.batches = static_cast<std::int64_t>(batches->size());
  found.by_workers = facts.spec().loader.num_workers > 1;
  return found;
}

}  // namespace

void batchLargerThanSlice(const Facts& facts, std::vector<Finding>& findings) {
  if (!facts.loaderCutsBatches()) return;
  words::SmallSlices small = smallSlicesOf(facts, facts.shape());
  small.when = facts.epochsLike([&](const EpochShape& shape) {
    const words::SmallSlices there = smallSlicesOf(facts, shape);
    return there.ranks == small.ranks && there.fewest == small.fewest && there.most == small.most;
  });
  if (small.ranks.empty()) return;
  Finding finding = told("batch-larger-than-slice", FindingTopic::Batches,
                         small.lost ? Severity::Error : Severity::Warning, words::batchLargerThanSlice(small));
  finding.amount = static_cast<std::int64_t>(small.ranks.size());
  if (finding.amount < small.world) finding.where.ranks = small.ranks;
  finding.where.example = {small.ranks.front()};
  finding.where.epoch = facts.coverage().epoch;
  finding.where.field = "loader.batch_size";
  findings.push_back(std::move(finding));
}

void shortLastBatch(const Facts& facts, std::vector<Finding>& findings) {
  const auto found = facts.loaderCutsBatches() ? shortTails(facts) : shortBatches(facts);
  if (!found || found->ranks.empty()) return;
  const bool inside = found->inside > 0;
  Finding finding = told(inside ? "short-batches" : "short-last-batch", FindingTopic::Batches, Severity::Info,
                         inside ? words::shortBatches(*found) : words::shortLastBatch(*found));
  const auto ranks = static_cast<std::int64_t>(found->ranks.size());
  if (ranks < found->world) finding.where.ranks = found->ranks;
  finding.where.epoch = facts.coverage().epoch;
  finding.where.step = found->example.step;
  finding.where.example = {found->example.rank};
  finding.where.field = facts.loaderCutsBatches() ? "loader.drop_last" : facts.fieldOf(&SamplerTraits::drop_last);
  findings.push_back(std::move(finding));
}

void restOfAccumulation(const Facts& facts, std::vector<Finding>& findings) {
  const std::int64_t per_step = sampling::batchesPerStep(facts.spec()).value_or(1);
  const Lockstep& steps = facts.lockstep();
  if (facts.evaluates() || steps.fewest != steps.most || steps.most % per_step == 0) return;
  const bool steps_at_end = facts.traits().loop != sampling::LoopOwner::Script;
  const bool none = steps.most < per_step && !steps_at_end;
  Finding finding = told("rest-of-accumulation", FindingTopic::Batches, none ? Severity::Warning : Severity::Info,
                         words::restOfAccumulation(steps.most, per_step, steps_at_end));
  finding.amount = steps.most % per_step;
  finding.where.epoch = facts.coverage().epoch;
  finding.where.field = facts.traits().accumulation.empty() ? "loader.gradient_accumulation_steps"
                                                            : facts.fieldOf(&SamplerTraits::accumulation);
  findings.push_back(std::move(finding));
}

void idleWorkers(const Facts& facts, std::vector<Finding>& findings) {
  const std::int64_t workers = facts.spec().loader.num_workers;
  std::int64_t batches = 0;
  for (const AuditedEpoch& one : facts.epochs()) batches = std::max(batches, one.shape.steps);
  if (batches == 0 || workers == 0) return;
  const LoadingWorkers loaders = facts.loadingWorkers();
  if (workers <= loaders.count) return;
  Finding finding = told("idle-workers", FindingTopic::Batches, Severity::Warning,
                         words::idleWorkers(workers, loaders.count, loaders.named ? 0 : batches));
  finding.where.field = "loader.num_workers";
  findings.push_back(std::move(finding));
}

/// Lists about the samples that the sampler does not say it reads.
void unusedLists(const Facts& facts, std::vector<Finding>& findings) {
  const auto& dataset = facts.spec().dataset;
  const std::array lists = {std::pair("dataset.shards", dataset.shards.empty()),
                            std::pair("dataset.lengths", dataset.lengths.empty()),
                            std::pair("dataset.labels", dataset.labels.empty())};
  const std::vector<std::string>& reads = facts.plan().rule().info.reads;
  std::vector<std::string> unused;
  for (const auto& [field, is_empty] : lists) {
    if (!is_empty && std::ranges::find(reads, field) == reads.end()) unused.emplace_back(field);
  }
  if (unused.empty()) return;
  Finding finding =
      told("unused-list", FindingTopic::Batches, Severity::Info, words::unusedLists(unused, facts.spec().sampler.type));
  finding.where.field = unused.front();
  findings.push_back(std::move(finding));
}

}  // namespace shardlens::findings
