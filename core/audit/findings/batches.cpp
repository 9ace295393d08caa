// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"
#include "core/audit/loading_workers.h"

#include <algorithm>

namespace shardlens::findings {

namespace {

/// The ranks that have samples, but no whole batch.
words::SmallSlices smallSlicesOf(const Facts& facts, const EpochShape& shape) {
  words::SmallSlices small;
  small.batch = facts.spec().loader.batch_size;
  small.lost = facts.spec().loader.drop_last;
  small.world = facts.worldSize();
  for (std::int64_t rank = 0; rank < small.world; ++rank) {
    const std::int64_t samples = shape.ranks[static_cast<std::size_t>(rank)].samples;
    if (samples == 0 || samples >= small.batch) continue;
    small.fewest = small.ranks.empty() ? samples : std::min(small.fewest, samples);
    small.most = std::max(small.most, samples);
    small.ranks.push_back(rank);
  }
  return small;
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
  if (finding.amount < small.world && finding.amount <= static_cast<std::int64_t>(kShownIds))
    finding.where.ranks = small.ranks;
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
  Finding finding = told("short-last-batch", FindingTopic::Batches, Severity::Info,
                         words::shortLastBatch(facts.worldSize(), left, batch, shape.batches - 1));
  finding.where.epoch = facts.coverage().epoch;
  finding.where.step = shape.batches - 1;
  finding.where.field = "loader.drop_last";
  findings.push_back(std::move(finding));
}

void idleWorkers(const Facts& facts, std::vector<Finding>& findings) {
  const std::int64_t workers = facts.spec().loader.num_workers;
  const std::int64_t batches = facts.lockstep().most;
  if (batches == 0 || workers == 0) return;
  const LoadingWorkers loaders = loadingWorkers(facts.plan(), facts.shape(), facts.work());
  if (workers <= loaders.count) return;
  Finding finding = told("idle-workers", FindingTopic::Batches, Severity::Warning,
                         words::idleWorkers(workers, loaders.count, loaders.named ? 0 : batches));
  finding.where.field = "loader.num_workers";
  findings.push_back(std::move(finding));
}

}  // namespace shardlens::findings
