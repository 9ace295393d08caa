// SPDX-License-Identifier: Apache-2.0
#include "core/plan/resume_outcome.h"

#include "core/plan/audit.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace shardlens {
namespace {

constexpr std::int64_t kItemsBetweenLooks = 1 << 16;  ///< about a millisecond of random reads

constexpr std::int64_t kAllSteps = std::numeric_limits<std::int64_t>::max();

std::int64_t stepsOf(const EpochPlan& plan) {
  std::int64_t most = 0;
  for (const RankEpoch& rank : plan.ranks) most = std::max(most, rank.batches());
  return most;
}

/// Calls visit(id) for every item of these steps in time, with progress over them.
template <class Visit>
Result<void> inTime(const EpochPlan& plan, Step first, Step last, const Work& work, Visit visit) {
  last.value = std::min(last.value, stepsOf(plan));
  std::int64_t since_look = kItemsBetweenLooks;
  for (Step step = first; step.value < last.value; ++step) {
    for (const RankEpoch& rank : plan.ranks) {
      if (step.value >= rank.batches()) continue;
      if (since_look >= kItemsBetweenLooks) {
        if (work.stopped()) return cancelled();
        work.progress(static_cast<double>(step.value - first.value) / static_cast<double>(last.value - first.value));
        since_look = 0;
      }
      const RankEpoch::Range range = rank.batch(step);
      for (std::int64_t k = range.first; k < range.last; ++k) visit(rank.sample(k));
      since_look += 1 + range.size();
    }
  }
  return {};
}

Result<void> count(const EpochPlan& plan, Step first, Step last, WideTally& tally, std::int64_t& items,
                   const Work& work) {
  return inTime(plan, first, last, work, [&](SampleIndex id) {
    tally.add(id);
    ++items;
  });
}

/// The samples of the resumed run: handed out, and passed over.
struct Resumed {
  EpochPlan plan;
  Step first;
  Step last;
  WideTally after;
  WideTally passed;
};

/// A plan that is long enough for the epoch.
Result<EpochPlan> epochOf(PipelineSpec spec, Epoch epoch, const Work& work) {
  spec.epochs = std::max(spec.epochs, epoch.value + 1);
  const auto plan = Plan::make(std::move(spec));
  if (!plan) return plan.error();
  return plan->epoch(epoch, work);
}

/// What the epoch from its beginning has and the resumed run does not hand out.
Result<void> passOverRest(const Continuation& goes_on, Resumed& resumed, const Work& work) {
  const auto whole = epochOf(*goes_on.whole, goes_on.epoch, work.part(0, 0.5));
  if (!whole) return whole.error();
  std::int64_t items = 0;
  auto counted = count(*whole, Step{0}, Step{kAllSteps}, resumed.passed, items, work.part(0.5, 1));
  if (!counted) return counted;
  for (SampleIndex id = 0; id < resumed.passed.size(); ++id) {
    const int left = resumed.passed[id] - resumed.after[id];
    resumed.passed.set(id, static_cast<std::uint16_t>(std::max(0, left)));
  }
  return {};
}

Result<Resumed> resume(const StoppedEpoch& stopped, const Continuation& goes_on, std::int64_t& items,
                       const Work& work) {
  auto after = WideTally::make(stopped.planned.size());
  if (!after) return after.error();
  auto passed = WideTally::make(stopped.planned.size());
  if (!passed) return passed.error();
  auto plan = epochOf(goes_on.spec, goes_on.epoch, work.part(0, 0.4));
  if (!plan) return plan.error();
  const std::int64_t end = goes_on.counts_on ? stepsOf(*plan) - stopped.point.steps + goes_on.skip : kAllSteps;
  Resumed resumed{*std::move(plan), Step{goes_on.skip}, Step{std::max(goes_on.skip, end)}, *std::move(after),
                  *std::move(passed)};
  auto counted = count(resumed.plan, resumed.first, resumed.last, resumed.after, items, work.part(0.4, 0.7));
  if (!counted) return counted.error();
  std::int64_t skipped = 0;
  counted = goes_on.whole ? passOverRest(goes_on, resumed, work.part(0.7, 1))
                          : count(resumed.plan, Step{0}, resumed.first, resumed.passed, skipped, work.part(0.7, 1));
  if (!counted) return counted.error();
  return resumed;
}

void list(SampleIndex id, std::vector<SampleIndex>& ids) {
  if (ids.size() < kShownIds) ids.push_back(id);
}

/// Items that come again although they were trained on, beyond what the plan repeats.
int repeatsOf(const StoppedEpoch& stopped, const WideTally& after, SampleIndex id) {
  const int trained = stopped.trained[id];
  if (trained == 0) return 0;
  return std::max(0, after[id] - std::max(0, stopped.planned[id] - trained));
}

bool isLost(const StoppedEpoch& stopped, const WideTally& after, SampleIndex id) {
  return stopped.planned[id] > 0 && stopped.trained[id] == 0 && after[id] == 0;
}

void judge(const StoppedEpoch& stopped, const Resumed& resumed, SampleIndex id, ResumeOutcome& outcome) {
  if (const int repeats = repeatsOf(stopped, resumed.after, id); repeats > 0) {
    outcome.repeated += repeats;
    list(id, outcome.repeated_ids);
  }
  if (isLost(stopped, resumed.after, id)) {
    ++outcome.lost;
    list(id, outcome.lost_ids);
  }
  if (stopped.planned[id] == 0 && resumed.after[id] > 0) ++outcome.added;
  const int passed = resumed.passed[id];
  outcome.skipped += passed;
  if (passed > 0 && stopped.trained[id] == 0) {
    outcome.skipped_untrained += passed;
    list(id, outcome.skipped_untrained_ids);
  }
}

Result<void> judgeAll(const StoppedEpoch& stopped, const Resumed& resumed, ResumeOutcome& outcome, const Work& work) {
  for (SampleIndex id = 0; id < stopped.planned.size(); ++id) {
    if (id % kItemsBetweenLooks == 0 && work.stopped()) return cancelled();
    judge(stopped, resumed, id, outcome);
  }
  return {};
}

/// Where each item of the planned epoch lies in the strip.
Result<void> drawStrip(const StoppedEpoch& stopped, const Resumed& resumed, std::int64_t pieces, ResumeOutcome& outcome,
                       const Work& work) {
  const std::int64_t all = stopped.planned_items;
  const std::int64_t count = std::max<std::int64_t>(0, std::min(pieces, all));
  outcome.strip.resize(static_cast<std::size_t>(count));
  if (count == 0) return {};
  std::int64_t at = 0;
  return inTime(stopped.plan, Step{0}, Step{kAllSteps}, work, [&](SampleIndex id) {
    // The product of an item and a count of pieces stays far below 2^63: 2^40 items in 2^20 pieces.
    ResumeSpan& span = outcome.strip[static_cast<std::size_t>(at * count / all)];
    const bool before = at++ < stopped.trained_items;
    ++span.items;
    if (before && repeatsOf(stopped, resumed.after, id) > 0) ++span.repeated;
    if (!before && isLost(stopped, resumed.after, id)) ++span.lost;
  });
}

void showFirst(const StoppedEpoch& stopped, const Resumed& resumed, ResumeOutcome& outcome) {
  for (const RankEpoch& rank : resumed.plan.ranks) {
    if (rank.rank().value >= kResumeRanks) break;
    const std::int64_t end = std::min({resumed.last.value, resumed.first.value + kResumeSteps, rank.batches()});
    for (Step step = resumed.first; step.value < end; ++step) {
      ResumedBatch batch{rank.rank(), step, rank.batchSamples(step), {}};
      for (const SampleIndex id : batch.samples) batch.repeated.push_back(repeatsOf(stopped, resumed.after, id) > 0);
      outcome.first.push_back(std::move(batch));
    }
  }
}

}  // namespace

Result<StoppedEpoch> stoppedEpoch(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  auto trained = WideTally::make(stopped.dataset.size);
  if (!trained) return trained.error();
  auto planned = WideTally::make(stopped.dataset.size);
  if (!planned) return planned.error();
  auto plan = epochOf(stopped, point.epoch, work.part(0, 0.5));
  if (!plan) return plan.error();
  StoppedEpoch epoch{point, *std::move(plan), *std::move(trained), *std::move(planned), 0, 0};
  const Step stop{point.steps};
  auto counted = count(epoch.plan, Step{0}, stop, epoch.trained, epoch.trained_items, work.part(0.5, 0.7));
  if (!counted) return counted.error();
  counted = count(epoch.plan, Step{0}, Step{kAllSteps}, epoch.planned, epoch.planned_items, work.part(0.7, 1));
  if (!counted) return counted.error();
  return epoch;
}

Result<ResumeOutcome> resumeOutcome(const StoppedEpoch& stopped, const Continuation& goes_on, std::int64_t pieces,
                                    const Work& work) {
  ResumeOutcome outcome;
  const auto resumed = resume(stopped, goes_on, outcome.items, work.part(0, 0.6));
  if (!resumed) return resumed.error();
  outcome.steps = std::max<std::int64_t>(0, std::min(resumed->last.value, stepsOf(resumed->plan)) - goes_on.skip);
  if (auto judged = judgeAll(stopped, *resumed, outcome, work.part(0.6, 0.7)); !judged) return judged.error();
  if (auto drawn = drawStrip(stopped, *resumed, pieces, outcome, work.part(0.7, 1)); !drawn) return drawn.error();
  const auto whole_pieces = static_cast<std::int64_t>(outcome.strip.size());
  if (stopped.planned_items > 0) outcome.strip_stop = stopped.trained_items * whole_pieces / stopped.planned_items;
  showFirst(stopped, *resumed, outcome);
  return outcome;
}

}  // namespace shardlens
