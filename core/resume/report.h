// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/note.h"
#include "core/base/result.h"
#include "core/base/work.h"
#include "core/resume/outcome.h"
#include "core/resume/resume.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens {

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
