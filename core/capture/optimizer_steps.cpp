// SPDX-License-Identifier: Apache-2.0
#include "core/capture/optimizer_steps.h"

#include "core/capture/loader_spec.h"
#include "core/capture/probe_reader.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace shardlens::capture {
namespace {

using Ends = std::vector<std::int64_t>;

std::int64_t gotIn(const PassFacts& pass) {
  return pass.read() - pass.failures();
}

/// A loop that asks for batches some time before it trains on them has as many more than backward passes at each step,
/// until there are no more. A loop that left out a backward pass never makes up for it.
bool isReadAhead(const PassFacts& pass) {
  const std::int64_t got = gotIn(pass);
  const auto ahead = [](const OptimizerStep& step) { return std::int64_t{step.handed} - step.backwards; };
  const std::int64_t most = ahead(pass.steps.front());
  const OptimizerStep& last = pass.steps.back();
  if (!pass.ended || most < 1 || last.handed != got || last.backwards != got) return false;
  return std::all_of(pass.steps.begin(), pass.steps.end(), [&](const OptimizerStep& step) {
    return step.handed < got ? ahead(step) == most : ahead(step) >= 0 && ahead(step) <= most;
  });
}

/// How many batches of the pass were trained on by the end of each of its steps; nothing where that is not clear. It is
/// where as many backward passes follow on every batch.
std::optional<Ends> endsIn(const PassFacts& pass) {
  Ends ends;
  if (pass.steps.empty()) return ends;
  const bool is_ahead = isReadAhead(pass);
  for (std::size_t i = 0; i < pass.steps.size(); ++i) {
    const OptimizerStep& step = pass.steps[i];
    const bool goes_on = i + 1 < pass.steps.size() && pass.steps[i + 1].handed == step.handed;
    if (!is_ahead && goes_on) continue;  // of several optimizers after one batch
    const std::int64_t end = is_ahead ? step.backwards : step.handed;
    if (ends.empty() || end > ends.back()) ends.push_back(end);
  }
  if (is_ahead) return ends;
  const OptimizerStep& last = pass.steps.back();
  for (std::size_t i = 0; i < pass.steps.size(); ++i) {
    const OptimizerStep& step = pass.steps[i];
    const bool goes_on = i + 1 < pass.steps.size() && pass.steps[i + 1].handed == step.handed;
    const bool is_even = std::uint64_t{step.backwards} * last.handed == std::uint64_t{last.backwards} * step.handed &&
                         step.handed > 0 && step.backwards % step.handed == 0 && step.backwards > 0;
    if (!goes_on && !is_even) return std::nullopt;
  }
  return ends;
}

/// The batches that a rank's loop got, counted over its passes, and the optimizer steps that took them.
class StepsOfRank {
 public:
  StepsOfRank(const JobLoader& job, const RankLoader& rank) : rank_(rank) {
    Ends all;
    is_recorded_ = true;
    for (std::size_t i = 0; i < rank.passes.size(); ++i) {
      const PassFacts& pass = rank.passes[i];
      if (job.purpose == Purpose::Train && !areTrainedOn(pass.read(), pass.backwards)) continue;
      const auto ends = endsIn(pass);
      is_recorded_ = is_recorded_ && ends;
      for (const std::int64_t end : ends.value_or(Ends{})) ends_.push_back(batches_ + end);
      passes_.push_back({i, batches_});
      batches_ += std::max<std::int64_t>(0, gotIn(pass));
    }
    is_recorded_ = is_recorded_ && job.purpose == Purpose::Train && !ends_.empty();
  }

  [[nodiscard]] bool isRecorded() const { return is_recorded_; }
  [[nodiscard]] std::int64_t batches() const { return batches_; }
  [[nodiscard]] std::int64_t recordedSteps() const { return std::ssize(ends_); }

  /// Of the recorded step, or of the one that takes so many batches.
  [[nodiscard]] std::vector<StepBatch> batchesOf(std::int64_t step, std::optional<std::int64_t> per_step) const {
    const auto at = static_cast<std::size_t>(step);
    const std::int64_t first = per_step ? step * *per_step : at == 0 ? 0 : ends_[at - 1];
    const std::int64_t end = per_step ? first + *per_step : ends_[at];
    std::vector<StepBatch> batches;
    for (std::int64_t i = first; i < std::min(end, batches_); ++i) batches.push_back(batchAt(i));
    return batches;
  }

 private:
  struct Counted {
    std::size_t index = 0;   ///< of the pass
    std::int64_t first = 0;  ///< of its batches
  };

  [[nodiscard]] StepBatch batchAt(std::int64_t number) const {
    const auto after = std::upper_bound(passes_.begin(), passes_.end(), number,
                                        [](std::int64_t one, const Counted& pass) { return one < pass.first; });
    const Counted& counted = *std::prev(after);
    const PassFacts& pass = rank_.passes[counted.index];
    std::int64_t step = number - counted.first;
    std::vector<std::int64_t> failed = pass.failed.value_or(std::vector<std::int64_t>{});
    std::sort(failed.begin(), failed.end());
    for (const std::int64_t one : failed) step += one <= step ? 1 : 0;
    return {counted.index, pass.epoch, step, StepBatch::Samples::NotRecorded, {}};
  }

  const RankLoader& rank_;
  std::vector<Counted> passes_;
  Ends ends_;
  std::int64_t batches_ = 0;
  bool is_recorded_ = false;
};

/// Why no batch of the rank is known; nothing where they may be.
std::optional<StepBatch::Samples> notKnownOf(const JobLoader& job, const RankLoader& rank) {
  if (isDispatched(job)) return StepBatch::Samples::Dispatched;
  if (rank.loader.is_iterable) return StepBatch::Samples::Stream;
  if (!rank.loader.in_order && rank.loader.num_workers > 1) return StepBatch::Samples::NotInOrder;
  return std::nullopt;
}

Result<void> readSamples(const RecordedJob& job, const JobLoader& loader, const RankLoader& rank,
                         std::vector<StepBatch>& batches) {
  if (const auto why = notKnownOf(loader, rank)) {
    for (StepBatch& batch : batches) batch.known = *why;
    return {};
  }
  const UseBatch use = [&](const BatchFacts& read) {
    for (StepBatch& batch : batches) {
      if (rank.passes[batch.pass].number != read.pass || batch.step != read.step) continue;
      batch.known = read.is_opaque ? StepBatch::Samples::NoNumbers : StepBatch::Samples::Known;
      batch.samples.assign(read.samples.begin(), read.samples.end());
    }
  };
  const UseBatch use_process = batchesFor(loader, rank, use);
  for (const BatchesPlace& place : job.places[rank.process]) {
    const bool is_asked_for = std::any_of(batches.begin(), batches.end(), [&](const StepBatch& batch) {
      return rank.passes[batch.pass].number == place.pass && batch.step >= place.first &&
             batch.step < place.first + place.count;
    });
    if (!is_asked_for) continue;
    if (auto read = readPlace(job.files[rank.process], place, use_process); !read) return read;
  }
  return {};
}

}  // namespace

Result<StepSamples> samplesOfStep(const RecordedJob& job, std::size_t index, std::int64_t step,
                                  std::optional<std::int64_t> rank, std::optional<std::int64_t> per_step,
                                  const Work& work) {
  const JobLoader& loader = job.loaders[index];
  std::vector<StepsOfRank> steps;
  bool is_recorded = true;
  for (const RankLoader& one : loader.ranks) {
    steps.emplace_back(loader, one);
    // Behind damage, steps may have been lost.
    const bool is_whole = job.processes[one.process].damaged_bytes == 0;
    is_recorded = is_recorded && (steps.back().batches() == 0 || (is_whole && steps.back().isRecorded()));
  }
  StepSamples out;
  out.known = is_recorded ? StepsKnown::Recorded : per_step ? StepsKnown::BySpec : StepsKnown::No;
  const std::optional<std::int64_t> each = is_recorded ? std::nullopt : std::optional(per_step.value_or(1));
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const RankLoader& one = loader.ranks[i];
    if (rank && one.rank != *rank) continue;
    if (work.stopped()) return cancelled();
    RankStep& of_rank = out.ranks.emplace_back();
    of_rank.rank = one.rank;
    of_rank.steps = each ? steps[i].batches() / *each : steps[i].recordedSteps();
    if (step < 0 || step >= of_rank.steps) continue;
    of_rank.batches = steps[i].batchesOf(step, each);
    if (auto read = readSamples(job, loader, one, of_rank.batches); !read) return read.error();
  }
  return out;
}

}  // namespace shardlens::capture
