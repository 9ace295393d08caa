// SPDX-License-Identifier: Apache-2.0
#include "core/capture/optimizer_steps.h"

#include "core/capture/loader_spec.h"
#include "core/capture/probe_reader.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <span>
#include <utility>
#include <variant>

namespace shardlens::capture {
namespace {

/// By this batch of a pass, all before it were taken by a step, or their gradients cleared.
struct End {
  std::int64_t batches = 0;
  bool is_step = true;
};
using Ends = std::vector<End>;

std::int64_t gotIn(const PassFacts& pass) {
  return pass.read() - pass.failures();
}

/// The steps of a pass. While something keeps the iterator of a loop that was left, those of later passes are recorded
/// in it, too.
std::span<const OptimizerStep> stepsIn(const PassFacts& pass) {
  std::span<const OptimizerStep> steps = pass.steps;
  const std::int64_t before_last = gotIn(pass) - 1;
  if (pass.ended || before_last < 1 || pass.beside.value_or(0) < 1 || *pass.beside % before_last != 0) return steps;
  const std::int64_t most = *pass.beside / before_last * (before_last + 1);
  while (!steps.empty() && steps.back().handed == before_last + 1 && steps.back().backwards > most)
    steps = steps.first(steps.size() - 1);
  return steps;
}

/// Backward passes on a batch, as the steps of a pass say; 0: they do not.
std::int64_t eachIn(const PassFacts& pass) {
  const std::span<const OptimizerStep> steps = stepsIn(pass);
  return steps.empty() ? 0 : steps.back().backwards / std::max(1U, steps.back().handed);
}

/// A loop that asks for batches some time before it trains on them has as many more than backward passes at each step,
/// until there are no more. A loop that left out a backward pass never makes up for it.
bool isReadAhead(const PassFacts& pass, std::span<const OptimizerStep> steps) {
  const std::int64_t got = gotIn(pass);
  const auto ahead = [](const OptimizerStep& step) { return std::int64_t{step.handed} - step.backwards; };
  const std::int64_t most = ahead(steps.front());
  const OptimizerStep& last = steps.back();
  if (!pass.ended || most < 1 || last.handed != got || last.backwards != got) return false;
  return std::all_of(steps.begin(), steps.end(), [&](const OptimizerStep& step) {
    return step.handed < got ? ahead(step) == most : ahead(step) >= 0 && ahead(step) <= most;
  });
}

/// Where the steps of a pass end; nothing where that is not clear. It is where as many backward passes follow on every
/// batch.
std::optional<Ends> stepEnds(std::span<const OptimizerStep> steps, bool is_ahead) {
  Ends ends;
  ends.reserve(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const OptimizerStep& step = steps[i];
    const bool goes_on = i + 1 < steps.size() && steps[i + 1].handed == step.handed;
    if (!is_ahead && goes_on) continue;  // of several optimizers after one batch
    const OptimizerStep& last = steps.back();
    const bool is_even = std::uint64_t{step.backwards} * last.handed == std::uint64_t{last.backwards} * step.handed &&
                         step.handed > 0 && step.backwards % step.handed == 0 && step.backwards > 0;
    if (!is_ahead && !is_even) return std::nullopt;
    const std::int64_t end = is_ahead ? step.backwards : step.handed;
    if (ends.empty() || end > ends.back().batches) ends.push_back({end});
  }
  return ends;
}

/// Adds where gradients were cleared that no step had taken. Says why where it is not clear of which batches.
std::optional<StepsGap::Reason> addDiscards(const PassFacts& pass, std::span<const OptimizerStep> steps, bool is_ahead,
                                            Ends& ends) {
  const std::int64_t each = is_ahead || steps.empty() ? 1 : eachIn(pass);
  Ends lost;
  auto step = steps.begin();
  for (const OptimizerStep& discard : pass.discards) {
    const std::int64_t end = discard.backwards / each;  // a batch that goes on afterwards is not lost
    if (end > gotIn(pass)) break;                       // of later passes
    while (step != steps.end() && step->backwards < discard.backwards) ++step;
    if (step != steps.end() && step->backwards == discard.backwards) return StepsGap::Reason::Cleared;
    if (!is_ahead && discard.handed != end && discard.handed != end + 1) return StepsGap::Reason::Uneven;
    if (lost.empty() || end > lost.back().batches) lost.push_back({end, false});
  }
  if (lost.empty()) return std::nullopt;
  Ends all;
  std::set_union(ends.begin(), ends.end(), lost.begin(), lost.end(), std::back_inserter(all),  // a step hides a discard
                 [](const End& one, const End& other) { return one.batches < other.batches; });
  ends = std::move(all);
  return std::nullopt;
}

/// Where the steps of a pass end, and what no step took; or why that is not clear.
std::variant<Ends, StepsGap::Reason> endsIn(const PassFacts& pass) {
  const std::span<const OptimizerStep> steps = stepsIn(pass);
  const bool is_ahead = !steps.empty() && isReadAhead(pass, steps);
  auto ends = stepEnds(steps, is_ahead);
  if (!ends) return StepsGap::Reason::Uneven;
  if (const auto why = addDiscards(pass, steps, is_ahead, *ends)) return *why;
  return *std::move(ends);
}

/// Backward passes on the batches of a pass, before the `next` one over its loader, among all passes of its process;
/// nothing where some may be of another one. A pass in between has none where no loader had any until its end.
std::optional<std::int64_t> backwardsOf(const PassFacts& pass, std::int64_t next, const std::vector<PassFacts>& all) {
  // Those that follow after a pass in between has begun are counted for that one, also behind the last batch.
  const bool has_more_beside = pass.ended && pass.beside.value_or(0) > pass.backwards;
  if (pass.newest_beside <= pass.number && !has_more_beside) return pass.backwards;
  const std::int64_t last = std::max(pass.newest_beside, next - 1);
  const bool is_alone = std::ranges::all_of(all, [&pass, last](const PassFacts& other) {
    const bool is_apart = other.number < pass.number ? other.newest_beside < pass.number : other.number > last;
    return is_apart || other.number == pass.number || (other.ended && other.beside == 0);
  });
  return is_alone && pass.ended ? pass.beside : std::nullopt;
}

/// Whether gradients of its batches may have been left when the pass was over. `next` is the pass after it over its
/// loader, or none.
bool mayLeaveGradients(const PassFacts& pass, std::int64_t next, const std::vector<PassFacts>& all) {
  if (!areTrainedOn(pass.read(), pass.backwards)) return false;
  const auto ends = endsIn(pass);
  const Ends* const known = std::get_if<Ends>(&ends);
  if (!known) return true;
  const std::int64_t done = known->empty() ? 0 : known->back().batches;
  return done < gotIn(pass) && backwardsOf(pass, next, all) != std::max<std::int64_t>(1, eachIn(pass)) * done;
}

/// Whether gradients of earlier passes were cleared before the first step of this one took any.
bool clearsFirst(const PassFacts& pass) {
  return !pass.discards.empty() && pass.discards.front().backwards == 0;
}

/// Whether a loop got batches of both passes at once.
bool areBeside(const PassFacts& earlier, const PassFacts& later) {
  return earlier.newest_beside >= later.number;
}

/// Behind the last pass.
constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

using PassPlace = std::vector<PassFacts>::const_iterator;

PassPlace firstFrom(std::int64_t number, const std::vector<PassFacts>& passes) {
  return std::ranges::lower_bound(passes, number, {}, &PassFacts::number);
}

bool has(const std::vector<PassFacts>& own, const PassFacts& pass) {
  return std::ranges::binary_search(own, pass.number, {}, &PassFacts::number);
}

/// Whether the first step of an own pass may have taken gradients of another loader's pass before it.
bool takesOfOther(const PassFacts& pass, const std::vector<PassFacts>& own, const std::vector<PassFacts>& all) {
  if (pass.steps.empty() || clearsFirst(pass)) return false;
  for (PassPlace end = firstFrom(pass.number, all); end != all.begin(); --end) {
    const PassFacts& before = *std::prev(end);
    if (areBeside(before, pass)) continue;
    const bool is_others = areTrainedOn(before.read(), before.backwards) && !has(own, before);
    if (is_others && mayLeaveGradients(before, kNone, all)) return true;
    if (!before.steps.empty() || clearsFirst(before)) return false;
  }
  return false;
}

/// The first pass, before the `next` own one that is trained on, that cleared what an own one left; or, over another
/// loader, that stepped with it.
const PassFacts* firstOther(const PassFacts& pass, std::int64_t next, const std::vector<PassFacts>& own,
                            const std::vector<PassFacts>& all) {
  const auto other = std::find_if(firstFrom(pass.number, all), firstFrom(next, all), [&](const PassFacts& one) {
    if (has(own, one)) return one.number != pass.number && clearsFirst(one);
    return areBeside(pass, one) ? one.steps.size() > pass.steps.size() : !one.steps.empty() || clearsFirst(one);
  });
  return other == firstFrom(next, all) ? nullptr : &*other;
}

/// The batches that a rank's loop got, counted over its passes, and the optimizer steps that took them.
class StepsOfRank {
 public:
  StepsOfRank(const JobLoader& job, const RankLoader& rank, const ProcessFacts& process)
      : rank_(rank), all_passes_(process.passes) {
    const auto told = std::ranges::find_if(rank.passes, [](const PassFacts& pass) { return eachIn(pass) > 0; });
    if (told != rank.passes.end()) usual_each_ = eachIn(*told);
    for (std::size_t i = 0; i < rank.passes.size(); ++i) {
      const PassFacts& pass = rank.passes[i];
      if (job.purpose == Purpose::Train && !areTrainedOn(pass.read(), pass.backwards)) continue;
      const auto ends = endsIn(pass);
      if (const auto* const why = std::get_if<StepsGap::Reason>(&ends)) {
        if (!gap_) gap_ = StepsGap{*why, rank.rank, i};
      } else {
        const Ends& all = std::get<Ends>(ends);
        if (!all.empty()) closeRest(all.front());
        for (const End& end : all) add(end);
        settleRest(pass, i);
      }
      passes_.push_back({i, batches_});
      batches_ += std::max<std::int64_t>(0, gotIn(pass));
      settleOthers(i);
    }
    if (batches_ == 0) gap_.reset();
    if (batches_ > 0 && !gap_ && steps_.empty()) gap_ = StepsGap{StepsGap::Reason::NoSteps, rank.rank, 0};
    // Behind damage, steps may have been lost.
    if (batches_ > 0 && process.damaged_bytes > 0) gap_ = StepsGap{StepsGap::Reason::Damage, rank.rank, 0};
    if (job.purpose != Purpose::Train) gap_ = StepsGap{StepsGap::Reason::NotTrained, rank.rank, 0};
  }

  /// Nothing where the recorded steps say which batches they took, or there are no batches.
  [[nodiscard]] const std::optional<StepsGap>& gap() const { return gap_; }
  [[nodiscard]] std::int64_t batches() const { return batches_; }
  [[nodiscard]] std::int64_t recordedSteps() const { return std::ssize(steps_); }
  [[nodiscard]] std::int64_t discarded() const { return discarded_; }

  /// Of the recorded step, or of the one that takes so many batches.
  [[nodiscard]] std::vector<StepBatch> batchesOf(std::int64_t step, std::optional<std::int64_t> per_step) const {
    const Range range = per_step ? Range{step * *per_step, (step + 1) * *per_step} : steps_[std::size_t(step)];
    std::vector<StepBatch> batches;
    for (std::int64_t i = range.first; i < std::min(range.end, batches_); ++i) batches.push_back(batchAt(i));
    return batches;
  }

 private:
  struct Counted {
    std::size_t index = 0;   ///< of the pass
    std::int64_t first = 0;  ///< of its batches
  };
  struct Range {
    std::int64_t first = 0, end = 0;
  };

  /// In the pass that is about to be counted.
  void add(const End& end) {
    const Range range{taken_, batches_ + end.batches};
    if (end.is_step) steps_.push_back(range);
    if (!end.is_step) discarded_ += range.end - range.first;
    taken_ = range.end;
  }

  /// What is left of earlier passes, before the first end of the one that is about to be counted: where gradients are
  /// cleared before its first batch, no step takes it.
  void closeRest(const End& first) {
    if (!first.is_step && first.batches == 0 && untrained_)
      discarded_ -= *untrained_;
    else if (!gap_)
      gap_ = unclear_rest_;
    unclear_rest_.reset();
    untrained_ = 0;
  }

  /// Of the batches after the last step of the pass that is about to be counted: a step of a later pass takes those
  /// with a backward pass. Where some had one and others none, such a step is not known.
  void settleRest(const PassFacts& pass, std::size_t index) {
    const std::int64_t got = gotIn(pass);
    const std::int64_t done = std::max<std::int64_t>(0, taken_ - batches_);
    if (done >= got) return;
    const std::int64_t own = eachIn(pass);
    const std::int64_t each = own > 0 ? own : usual_each_;
    const std::int64_t backwards = backwardsOf(pass, nextNumber(index), all_passes_).value_or(-1);
    if (backwards == each * got) return;
    if (backwards == each * done) {
      taken_ = batches_ + got;
      return;
    }
    unclear_rest_ = StepsGap{StepsGap::Reason::Uneven, rank_.rank, index};
    if (backwards < 0 || backwards % each != 0 || backwards > each * got) untrained_.reset();
    if (untrained_) *untrained_ += got - backwards / each;
  }

  /// Of the next pass over the loader.
  [[nodiscard]] std::int64_t nextNumber(std::size_t index) const {
    return index + 1 < rank_.passes.size() ? rank_.passes[index + 1].number : kNone;
  }

  /// Of what the steps of other loaders have to do with a pass that was counted.
  void settleOthers(std::size_t index) {
    const PassFacts& pass = rank_.passes[index];
    const auto next = std::find_if(rank_.passes.begin() + std::ptrdiff_t(index) + 1, rank_.passes.end(),
                                   [](const PassFacts& one) { return areTrainedOn(one.read(), one.backwards); });
    const std::int64_t end = next == rank_.passes.end() ? kNone : next->number;
    const bool is_mixed = takesOfOther(pass, rank_.passes, all_passes_);
    const PassFacts* const other = taken_ < batches_ ? firstOther(pass, end, rank_.passes, all_passes_) : nullptr;
    if (other && clearsFirst(*other)) {
      closeRest({0, false});
      add({0, false});
    }
    const bool is_taken = other && !clearsFirst(*other) && mayLeaveGradients(pass, nextNumber(index), all_passes_);
    if (!gap_ && (is_mixed || is_taken)) gap_ = StepsGap{StepsGap::Reason::Carried, rank_.rank, index};
  }

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
  const std::vector<PassFacts>& all_passes_;  ///< of its process
  std::vector<Counted> passes_;
  std::vector<Range> steps_;
  std::int64_t usual_each_ = 1;  ///< backward passes on a batch, of the first pass that says so
  std::optional<StepsGap> gap_;
  std::optional<StepsGap> unclear_rest_;
  std::optional<std::int64_t> untrained_ = 0;  ///< batches of that rest without a backward pass; none: not known
  std::int64_t batches_ = 0;
  std::int64_t taken_ = 0;  ///< of them, by a step or none
  std::int64_t discarded_ = 0;
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
  StepSamples out;
  for (const RankLoader& one : loader.ranks) {
    steps.emplace_back(loader, one, job.processes[one.process]);
    if (!out.gap) out.gap = steps.back().gap();
  }
  const bool is_recorded = !out.gap;
  out.known = is_recorded ? StepsKnown::Recorded : per_step ? StepsKnown::BySpec : StepsKnown::No;
  const std::optional<std::int64_t> each = is_recorded ? std::nullopt : std::optional(per_step.value_or(1));
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const RankLoader& one = loader.ranks[i];
    if (rank && one.rank != *rank) continue;
    if (work.stopped()) return cancelled();
    RankStep& of_rank = out.ranks.emplace_back();
    of_rank.rank = one.rank;
    of_rank.steps = each ? steps[i].batches() / *each : steps[i].recordedSteps();
    of_rank.discarded = is_recorded ? steps[i].discarded() : 0;
    if (step < 0 || step >= of_rank.steps) continue;
    of_rank.batches = steps[i].batchesOf(step, each);
    if (auto read = readSamples(job, loader, one, of_rank.batches); !read) return read.error();
  }
  return out;
}

}  // namespace shardlens::capture
