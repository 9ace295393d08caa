// SPDX-License-Identifier: Apache-2.0
#include "core/resume/report.h"

#include "core/base/large_array.h"
#include "core/base/phrase.h"
#include "core/base/text.h"

#include <algorithm>
#include <utility>

namespace shardlens {
namespace {

/// Trouble of the question, not of a way. (What this machine cannot hold of one way, it may of the others.)
bool endsAll(const Error& error) {
  return error.code == ErrorCode::Cancelled || error.code == ErrorCode::Usage;
}

ResumeVerdict verdictOnError(const ResumeWay& way) {
  if (way.refuses) return ResumeVerdict::Stops;
  if (way.error->code == ErrorCode::Environment) return ResumeVerdict::TooLong;
  return way.error->code == ErrorCode::Unsupported ? ResumeVerdict::Unknown : ResumeVerdict::Stops;
}

/// What follows is wrong, whatever the interrupted epoch gets.
bool hasError(const ResumeWay& way) {
  return std::ranges::any_of(way.notes, [](const Note& note) { return note.severity == Severity::Error; });
}

/// `is_counted`: judged.steps is known.
ResumeVerdict verdictOn(const JudgedWay& judged, bool is_counted, std::int64_t planned_steps) {
  const std::optional<Error>& error = judged.way.error;
  if (error && !error->raised.empty()) return ResumeVerdict::Raises;
  if (is_counted && judged.steps < planned_steps && judged.steps <= judged.at) return ResumeVerdict::Over;
  if (error) return verdictOnError(judged.way);
  const bool is_exact = judged.outcome->isExact() && judged.left_out == 0 && !hasError(judged.way);
  return is_exact ? ResumeVerdict::Exact : ResumeVerdict::Differs;
}

std::string ownEpochText(std::int64_t left_out, std::int64_t samples) {
  return filled(worded("resume", "Counted against its own epoch, which leaves out %1 of %2."), grouped(left_out),
                wordedCount(samples, "sample"));
}

/// Ways with one stopped run in common are judged against one copy of its epoch.
class Judge {
 public:
  /// `planned_steps`: of the epoch as `design` itself deals it.
  Judge(const PipelineSpec& design, ResumePoint point, std::int64_t planned_steps, const ResumeShown& shown)
      : design_(design), point_(point), planned_steps_(planned_steps), shown_(shown) {}

  /// The way judged, or the error of the question.
  Result<JudgedWay> operator()(ResumeWay way, const Work& work) {
    auto judged = withOutcome(std::move(way), work);
    if (!judged) return judged;
    judged->at = point_.steps;
    const auto steps = interruptedSteps(judged->way.stopped, work);
    if (!steps && (endsAll(steps.error()) || !judged->way.error)) {
      judged = failed(*judged, steps.error());
      if (!judged) return judged;
    }
    judged->steps = steps ? *steps : 0;
    // What would go wrong from here on does not where nothing is left.
    const bool is_last = point_.epoch.value + 1 >= judged->way.stopped.epochs;
    if (is_last && judged->outcome && judged->outcome->steps == 0 && judged->outcome->isExact())
      std::erase_if(judged->way.notes, [](const Note& note) { return note.severity == Severity::Error; });
    judged->verdict = verdictOn(*judged, steps.has_value(), planned_steps_);
    const bool counts = judged->verdict == ResumeVerdict::Exact || judged->verdict == ResumeVerdict::Differs;
    if (counts && judged->left_out > 0)
      judged->way.notes.push_back({Severity::Warning, ownEpochText(judged->left_out, stopped_->planned.size())});
    return judged;
  }

 private:
  Result<JudgedWay> withOutcome(ResumeWay way, const Work& work) {
    JudgedWay judged;
    judged.way = std::move(way);
    if (!judged.way.goes_on) return judged;
    if (auto ready = prepare(judged.way.stopped, work.part(0, 0.4)); !ready) return failed(judged, ready.error());
    judged.trained = stopped_->trained_items;
    judged.planned = stopped_->planned_items;
    judged.left_out = leftOut(work);
    auto outcome = resumeOutcome(*stopped_, *judged.way.goes_on, shown_, plans_, work.part(0.4, 1));
    if (!outcome) return failed(judged, outcome.error());
    judged.outcome = *std::move(outcome);
    return judged;
  }

  /// Steps of the interrupted epoch of a run. Ways of one run stand together, so the last answer is kept.
  Result<std::int64_t> interruptedSteps(const PipelineSpec& spec, const Work& work) {
    if (stopped_ && spec_ == spec) return stopped_->plan.steps();
    if (counted_ && *counted_ == spec) return steps_;
    const auto plan = Plan::make(spec);
    counted_ = spec;
    if (!plan) {
      steps_ = plan.error();
    } else if (point_.epoch.value >= plan->epochs()) {
      steps_ = 0;  // it has no such epoch
    } else {
      steps_ = plan->steps(point_.epoch, Work{work.stop, {}});
    }
    return steps_;
  }

  Result<void> prepare(const PipelineSpec& spec, const Work& work) {
    if (stopped_ && spec_ == spec) return {};
    stopped_.reset();
    auto epoch = stoppedEpoch(spec, point_, plans_, work);
    if (!epoch) return epoch.error();
    stopped_ = *std::move(epoch);
    spec_ = spec;
    return {};
  }

  /// Samples that stopped_ never has, and the design's own epoch has; 0 where that one cannot be counted.
  std::int64_t leftOut(const Work& work) {
    if (!read_by_design_) {
      read_by_design_.emplace();
      const auto keep = [this](const StoppedEpoch& own) {
        for (SampleIndex id = 0; id < own.planned.size(); ++id) read_by_design_->push_back(own.planned[id] > 0);
      };
      if (spec_ == design_) {
        keep(*stopped_);
      } else if (const auto own = stoppedEpoch(design_, point_, plans_, Work{work.stop, {}})) {
        keep(*own);
      }
    }
    const auto all = std::min<std::int64_t>(std::ssize(*read_by_design_), stopped_->planned.size());
    std::int64_t left_out = 0;
    for (SampleIndex id = 0; id < all; ++id)
      left_out += stopped_->planned[id] == 0 && (*read_by_design_)[static_cast<std::size_t>(id)] ? 1 : 0;
    return left_out;
  }

  static Result<JudgedWay> failed(JudgedWay& judged, Error error) {
    if (endsAll(error)) return error;
    judged.way.goes_on.reset();
    judged.way.error = std::move(error);
    return std::move(judged);
  }

  const PipelineSpec& design_;
  ResumePoint point_;
  std::int64_t planned_steps_;
  ResumeShown shown_;
  EpochPlans plans_;
  PipelineSpec spec_;
  std::optional<StoppedEpoch> stopped_;
  std::optional<std::vector<bool>> read_by_design_;  ///< by sample
  std::optional<PipelineSpec> counted_;              ///< the run that steps_ is about
  Result<std::int64_t> steps_ = 0;
};

std::string missedText(std::int64_t missed) {
  return missed == 1 ? worded("resume", "1 planned read never happens")
                     : filled(worded("resume", "%1 planned reads never happen"), grouped(missed));
}

/// `is_right`: nothing is wrong with the epoch itself, nor with what follows.
std::vector<Note> outcomeParts(const ResumeOutcome& outcome, bool is_right) {
  std::vector<Note> parts;
  if (outcome.isExact() && !is_right) {
    parts.push_back({Severity::Info, worded("resume", "nothing of this epoch is repeated or lost")});
  } else if (outcome.isExact()) {
    parts.push_back({Severity::Info, worded("resume", "exact: nothing repeated, nothing lost")});
  } else {
    parts.push_back({outcome.repeated > 0 ? Severity::Error : Severity::Info,
                     filled(worded("resume", "%1 repeated"), grouped(outcome.repeated))});
    parts.push_back({outcome.lost > 0 ? Severity::Warning : Severity::Info,
                     filled(worded("resume", "%1 lost"), grouped(outcome.lost))});
  }
  if (outcome.missed > outcome.lost) parts.push_back({Severity::Warning, missedText(outcome.missed)});
  if (outcome.surplus > 0)
    parts.push_back(
        {Severity::Warning, filled(worded("resume", "%1 more often than planned"), grouped(outcome.surplus))});
  if (outcome.added > 0)
    parts.push_back({Severity::Info, filled(worded("resume", "%1 added"), grouped(outcome.added))});
  return parts;
}

/// Memory is promised array by array, and missed only where it is written: so it is asked for as a whole.
Result<void> checkRoom(std::int64_t samples) {
  constexpr std::size_t kBytesOfSample = 9 + 4;  // four counts of two bytes, a mark, and an order
  const std::size_t bytes = static_cast<std::size_t>(samples) * kBytesOfSample;
  if (isAvailable(static_cast<double>(bytes))) return {};
  return detail::noMemoryFor(bytes, "the counts of samples");
}

}  // namespace

Result<std::vector<JudgedWay>> resumeReport(const PipelineSpec& spec, const ResumePoint& point,
                                            const ResumeShown& shown, const Work& work,
                                            const std::function<void(const JudgedWay&)>& on_way,
                                            std::optional<std::int64_t> counted) {
  const auto steps = checkResumePoint(spec, point, counted);
  if (!steps) return steps.error();
  if (auto room = checkRoom(spec.dataset.size); !room) return room.error();
  std::vector<ResumeWay> ways = resumeWays(spec, point, work);
  if (work.stopped()) return cancelled();
  const auto count = static_cast<double>(ways.size());
  Judge judge(spec, point, *steps, shown);
  std::vector<JudgedWay> report;
  for (ResumeWay& way : ways) {
    const auto done = static_cast<double>(report.size());
    auto judged = judge(std::move(way), work.part(done / count, (done + 1) / count));
    if (!judged) return judged.error();
    report.push_back(*std::move(judged));
    if (on_way) on_way(report.back());
  }
  return report;
}

std::string_view resumeVerdictName(ResumeVerdict verdict) {
  switch (verdict) {
    case ResumeVerdict::Exact:
      return "exact";
    case ResumeVerdict::Differs:
      return "differs";
    case ResumeVerdict::Over:
      return "over";
    case ResumeVerdict::Raises:
      return "raises";
    case ResumeVerdict::Stops:
      return "stops";
    case ResumeVerdict::Unknown:
      return "unknown";
    case ResumeVerdict::TooLong:
      break;
  }
  return "too long";
}

Severity severityOf(const JudgedWay& judged) {
  if (judged.verdict == ResumeVerdict::Raises || judged.verdict == ResumeVerdict::Stops) return Severity::Error;
  if (judged.verdict != ResumeVerdict::Differs) return Severity::Info;
  return judged.outcome->repeated > 0 || hasError(judged.way) ? Severity::Error : Severity::Warning;
}

std::vector<Note> verdictParts(const JudgedWay& judged) {
  const auto one = [&](std::string text) { return std::vector<Note>{{severityOf(judged), std::move(text)}}; };
  switch (judged.verdict) {
    case ResumeVerdict::Exact:
    case ResumeVerdict::Differs:
      return outcomeParts(*judged.outcome, judged.verdict == ResumeVerdict::Exact);
    case ResumeVerdict::Over:
      return one(filled(worded("resume", "the epoch was over after %1"), wordedCount(judged.steps, "step")));
    case ResumeVerdict::Raises:
      return one(filled(worded("resume", "raises %1"), judged.way.error->raised));
    case ResumeVerdict::Stops:
      return one(worded("resume", "cannot continue"));
    case ResumeVerdict::Unknown:
      return one(worded("resume", "not modelled"));
    case ResumeVerdict::TooLong:
      break;
  }
  return one(worded("resume", "too much for this machine"));
}

std::string verdictText(const JudgedWay& judged) {
  std::vector<std::string> parts;
  for (Note& part : verdictParts(judged)) parts.push_back(std::move(part.text));
  return join(parts, ", ");
}

std::string reasonText(const JudgedWay& judged) {
  if (judged.verdict == ResumeVerdict::Over) {
    return filled(worded("resume", "With this method the epoch has %1: stop earlier to see what this method does."),
                  wordedCount(judged.steps, "step"));
  }
  if (!judged.way.error) return {};
  const Error& error = *judged.way.error;
  return error.hint.empty() ? error.message : filled(worded("resume", "%1 (%2)"), error.message, error.hint);
}

}  // namespace shardlens
