// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"
#include "core/audit/loading_workers.h"

#include <algorithm>
#include <optional>
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
  for (std::int64_t rank = 0; rank < small.world; ++rank) {
    const std::int64_t samples = shape.ranks[static_cast<std::size_t>(rank)].samples;
    if (samples == 0 || samples >= small.batch) continue;
    small.fewest = small.ranks.empty() ? samples : std::min(small.fewest, samples);
    small.most = std::max(small.most, samples);
    small.ranks.push_back(rank);
  }
  return small;
}

void add(words::ShortBatches& found, std::int64_t rank, std::int64_t left, std::int64_t step) {
  const bool first = found.ranks.empty();
  found.fewest = first ? left : std::min(found.fewest, left);
  found.most = std::max(found.most, left);
  found.first_step = first ? step : std::min(found.first_step, step);
  found.last_step = std::max(found.last_step, step);
  found.ranks.push_back(rank);
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

/// Where the sampler cuts batches: nothing unless all but the last ones have one size.
std::optional<words::ShortBatches> shortBatches(const Facts& facts) {
  words::ShortBatches found;
  found.world = facts.worldSize();
  std::vector<std::pair<std::int64_t, std::int64_t>> last(static_cast<std::size_t>(found.world));  // size and step
  std::int64_t looked_at = 0;
  for (Rank rank{0}; rank.value < found.world; ++rank) {
    const auto items = facts.plan().rankEpoch(facts.epoch(), rank, facts.work());
    looked_at += items ? items->batches() + 1 : kMostBatches;
    if (looked_at > kMostBatches) return std::nullopt;
    for (Step step{0}; step.value < items->batches(); ++step) {
      const std::int64_t size = items->batch(step).size();
      if (step.value + 1 == items->batches()) {
        last[static_cast<std::size_t>(rank.value)] = {size, step.value};
      } else if (found.batch == 0) {
        found.batch = size;
      } else if (size != found.batch) {
        return std::nullopt;
      }
    }
  }
  const std::int64_t longest = std::ranges::max(last).first;
  if (found.batch > 0 && longest > found.batch) return std::nullopt;
  found.batch = std::max(found.batch, longest);
  for (std::int64_t rank = 0; rank < found.world; ++rank) {
    const auto [size, step] = last[static_cast<std::size_t>(rank)];
    if (size > 0 && size < found.batch) add(found, rank, size, step);
  }
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
  if (finding.amount < small.world && finding.amount <= static_cast<std::int64_t>(kShownIds))
    finding.where.ranks = small.ranks;
  finding.where.epoch = facts.coverage().epoch;
  finding.where.field = "loader.batch_size";
  findings.push_back(std::move(finding));
}

void shortLastBatch(const Facts& facts, std::vector<Finding>& findings) {
  const auto found = facts.loaderCutsBatches() ? shortTails(facts) : shortBatches(facts);
  if (!found || found->ranks.empty()) return;
  Finding finding = told("short-last-batch", FindingTopic::Batches, Severity::Info, words::shortLastBatch(*found));
  const auto ranks = static_cast<std::int64_t>(found->ranks.size());
  if (ranks < found->world && ranks <= static_cast<std::int64_t>(kShownIds)) finding.where.ranks = found->ranks;
  finding.where.epoch = facts.coverage().epoch;
  finding.where.step = found->first_step;
  finding.where.field = facts.loaderCutsBatches() ? "loader.drop_last" : facts.fieldOf(&SamplerTraits::drop_last);
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
