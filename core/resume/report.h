// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/note.h"
#include "core/audit/sample_counts.h"
#include "core/base/result.h"
#include "core/base/work.h"
#include "core/plan/plan.h"
#include "core/resume/resume.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens {

/// The epoch that a run is stopped in: what it trained on, and what it would have trained on. Orders its samples in
/// time: by step, then rank, then place in the batch.
struct StoppedEpoch {
  ResumePoint point;
  EpochPlan plan;
  SampleCounts trained;  ///< before the stop
  SampleCounts planned;  ///< in the whole epoch, if it had not been stopped
  std::int64_t trained_items = 0;
  std::int64_t planned_items = 0;
};

/// The epochs asked for last, so that ways that read the same one draw it once.
class EpochPlans {
 public:
  /// The epoch of a plan that is long enough for it. Fails like Plan::make and Plan::epoch.
  Result<EpochPlan> get(PipelineSpec spec, Epoch epoch, const Work& work);

 private:
  struct Known {
    PipelineSpec spec;
    EpochPlan plan;
  };
  std::deque<Known> known_;  ///< the last one asked for in front
};

/// Fails like EpochPlans::get.
Result<StoppedEpoch> stoppedEpoch(const PipelineSpec& stopped, const ResumePoint& point, EpochPlans& plans,
                                  const Work& work = {});

/// A piece of the planned epoch in time. Samples before the stop can be repeated, samples after it lost.
struct ResumeSpan {
  std::int64_t items = 0;
  std::int64_t repeated = 0;
  std::int64_t lost = 0;

  bool operator==(const ResumeSpan&) const = default;
};

/// A batch of the resumed run.
struct ResumedBatch {
  Rank rank;
  Step step;  ///< of the plan that continues
  std::vector<SampleIndex> samples;
  std::vector<bool> repeated;  ///< by sample: one of those that ResumeOutcome::repeated counts
};

/// The result of one way to continue.
struct ResumeOutcome {
  std::int64_t steps = 0;     ///< that are left, on the rank with the most
  std::int64_t items = 0;     ///< handed out in them, over all ranks
  std::int64_t repeated = 0;  ///< of these: trained on before the stop, beyond what the plan repeats itself
  std::int64_t surplus = 0;   ///< of these: not trained on before, and handed out more often than the epoch has them
  std::int64_t lost = 0;      ///< samples that the epoch would have had and that never come
  std::int64_t missed = 0;    ///< items that the epoch would have had and that never come, those of lost samples too
  std::int64_t added = 0;     ///< samples that come although the epoch would not have had them
  std::int64_t skipped = 0;   ///< items that are passed over without training, over all ranks
  std::int64_t skipped_untrained = 0;  ///< of these: samples not trained on before the stop
  std::vector<SampleIndex> repeated_ids, lost_ids, skipped_untrained_ids;  ///< the first kShownIds, ascending
  std::vector<ResumeSpan> strip;  ///< the planned epoch in pieces of equal length, except for rounding
  /// If asked for: of the first kResumeRanks ranks, the first kResumeSteps steps; rank by rank.
  std::vector<ResumedBatch> first;

  /// Whether every sample comes as often as in the epoch that was not stopped.
  [[nodiscard]] bool isExact() const { return repeated == 0 && surplus == 0 && missed == 0 && added == 0; }
};

constexpr std::int64_t kResumeRanks = 8;
constexpr std::int64_t kResumeSteps = 4;

/// What is asked for beside the counts.
struct ResumeShown {
  std::int64_t pieces = 0;    ///< the most that the strip may have; an epoch with fewer samples has one for each
  bool first_batches = true;  ///< large batches take more memory than all the rest
};

Result<ResumeOutcome> resumeOutcome(const StoppedEpoch& stopped, const Continuation& goes_on, const ResumeShown& shown,
                                    EpochPlans& plans, const Work& work = {});

/// The verdict on a way to continue.
enum class ResumeVerdict {
  Exact,  ///< each sample comes as often as planned, the epoch has all that the design's has, and nothing that follows
          ///< is wrong
  Differs,  ///< samples come more often, less often or not at all
  Over,     ///< dealt this way, the epoch was over before the stop
  Raises,   ///< the framework raises
  Stops,    ///< it does not continue
  Unknown,  ///< the outcome is unknown
  TooLong,  ///< this machine cannot hold the epoch
};

/// "exact", "differs", ...: stable.
std::string_view resumeVerdictName(ResumeVerdict verdict);

/// A way to continue, with its result.
struct JudgedWay {
  ResumeWay way;
  ResumeVerdict verdict = ResumeVerdict::Unknown;
  std::int64_t at = 0;                   ///< the stop, in steps
  std::int64_t steps = 0;                ///< of the interrupted epoch, as this way's run deals it; 0: not known
  std::int64_t trained = 0;              ///< items before the stop, over all ranks
  std::int64_t planned = 0;              ///< items of the whole epoch
  std::int64_t left_out = 0;             ///< samples that this epoch lacks and the design's own epoch has
  std::optional<ResumeOutcome> outcome;  ///< none for a way that raises, or that cannot be predicted
};

/// Every way of resumeWays() judged. What a framework raises becomes its way's error, and so does what this machine
/// cannot hold (Environment); Usage and Cancelled fail the whole report. Large epochs take seconds per way: `on_way`
/// gets each one as soon as it is known. `counted`: the steps of the interrupted epoch, where they are known.
Result<std::vector<JudgedWay>> resumeReport(const PipelineSpec& spec, const ResumePoint& point,
                                            const ResumeShown& shown, const Work& work = {},
                                            const std::function<void(const JudgedWay&)>& on_way = {},
                                            std::optional<std::int64_t> counted = {});

/// How bad the verdict is: Info for the exact ones and for those without an answer.
Severity severityOf(const JudgedWay& judged);
/// The verdict piece by piece: "8 repeated" (Error), "0 lost" (Info).
std::vector<Note> verdictParts(const JudgedWay& judged);
/// The same in one line: "8 repeated, 0 lost", "raises ValueError".
std::string verdictText(const JudgedWay& judged);
/// Why there is no outcome: what the framework raises and what to do about it, or why the outcome is unknown. Empty
/// where the outcome counts.
std::string reasonText(const JudgedWay& judged);

}  // namespace shardlens
