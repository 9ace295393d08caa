// SPDX-License-Identifier: Apache-2.0
#include "core/resume/report.h"

#include "core/audit/sample_counts.h"
#include "core/base/large_array.h"
#include "core/base/phrase.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace shardlens {
namespace {

constexpr std::int64_t kIdsBetweenLooks = 1 << 16;  ///< about a millisecond of random reads

constexpr std::int64_t kAllSteps = std::numeric_limits<std::int64_t>::max();

/// Calls visit(id) for every sample of a dataset of this size.
template <class Visit>
Result<void> bySample(std::int64_t size, const Work& work, Visit visit) {
  for (SampleIndex id = 0; id < size; ++id) {
    if (id % kIdsBetweenLooks == 0 && work.stopped()) return cancelled();
    visit(id);
  }
  return {};
}

/// Ids on their way to visit(id), some hundred at a time: what a tally has of all of them is asked for before the first
/// is visited.
template <class SomeTally, class Visit>
class Visits {
 public:
  Visits(const SomeTally& tally, Visit& visit) : tally_(tally), visit_(visit) {}

  void add(SampleIndex id) {
    tally_.expect(id);
    ids_[count_++] = id;
    if (count_ == ids_.size()) visitAll();
  }
  void visitAll() {
    for (std::size_t i = 0; i < count_; ++i) visit_(ids_[i]);
    count_ = 0;
  }

 private:
  const SomeTally& tally_;
  Visit& visit_;
  std::array<SampleIndex, 256> ids_{};
  std::size_t count_ = 0;
};

/// Calls visit(id), which looks id up in the tally, for every item of these steps in time, with progress over them.
template <class SomeTally, class Visit>
Result<void> inTime(const EpochPlan& plan, Step first, Step last, const SomeTally& tally, const Work& work,
                    Visit visit) {
  last.value = std::min(last.value, plan.steps());
  Visits<SomeTally, Visit> visits(tally, visit);
  std::int64_t since_look = kIdsBetweenLooks;
  for (Step step = first; step.value < last.value; ++step) {
    for (const RankEpoch& rank : plan.ranks) {
      if (step.value >= rank.batches()) continue;
      if (since_look >= kIdsBetweenLooks) {
        if (work.stopped()) return cancelled();
        work.progress(static_cast<double>(step.value - first.value) / static_cast<double>(last.value - first.value));
        since_look = 0;
      }
      const RankEpoch::Range range = rank.batch(step);
      for (std::int64_t k = range.first; k < range.last; ++k) visits.add(rank.sample(k));
      since_look += 1 + range.size();
    }
  }
  visits.visitAll();
  return {};
}

Result<void> count(const EpochPlan& plan, Step first, Step last, SampleCounts& tally, std::int64_t& items,
                   const Work& work) {
  return inTime(plan, first, last, tally, work, [&](SampleIndex id) {
    tally.add(id);
    ++items;
  });
}

/// The samples of the resumed run: handed out, and passed over.
struct Resumed {
  EpochPlan plan;
  Step first;
  Step last;
  SampleCounts after;
  SampleCounts passed;
};

/// What the epoch from its beginning has and the resumed run does not hand out.
Result<void> passOverRest(const Continuation& goes_on, Resumed& resumed, EpochPlans& plans, const Work& work) {
  const auto whole = plans.get(*goes_on.whole, goes_on.epoch, work.part(0, 0.5));
  if (!whole) return whole.error();
  std::int64_t items = 0;
  auto counted = count(*whole, Step{0}, Step{kAllSteps}, resumed.passed, items, work.part(0.5, 1));
  if (!counted) return counted;
  return bySample(resumed.passed.size(), work, [&](SampleIndex id) {
    resumed.passed.set(id, std::max<std::int64_t>(0, resumed.passed[id] - resumed.after[id]));
  });
}

Result<Resumed> resume(const StoppedEpoch& stopped, const Continuation& goes_on, std::int64_t& items, EpochPlans& plans,
                       const Work& work) {
  auto after = SampleCounts::make(stopped.planned.size());
  if (!after) return after.error();
  auto passed = SampleCounts::make(stopped.planned.size());
  if (!passed) return passed.error();
  auto plan = plans.get(goes_on.spec, goes_on.epoch, work.part(0, 0.4));
  if (!plan) return plan.error();
  const std::int64_t end = goes_on.counts_on ? plan->steps() - stopped.point.steps + goes_on.skip : kAllSteps;
  Resumed resumed{*std::move(plan), Step{goes_on.skip}, Step{std::max(goes_on.skip, end)}, *std::move(after),
                  *std::move(passed)};
  auto counted = count(resumed.plan, resumed.first, resumed.last, resumed.after, items, work.part(0.4, 0.7));
  if (!counted) return counted.error();
  std::int64_t skipped = 0;
  counted = goes_on.whole ? passOverRest(goes_on, resumed, plans, work.part(0.7, 1))
                          : count(resumed.plan, Step{0}, resumed.first, resumed.passed, skipped, work.part(0.7, 1));
  if (!counted) return counted.error();
  return resumed;
}

void list(SampleIndex id, std::vector<SampleIndex>& ids) {
  if (ids.size() < kShownIds) ids.push_back(id);
}

/// Items that come again although they were trained on, beyond what the plan repeats.
std::int64_t repeatsOf(const StoppedEpoch& stopped, const SampleCounts& after, SampleIndex id) {
  const std::int64_t trained = stopped.trained[id];
  if (trained == 0) return 0;
  return std::max<std::int64_t>(0, after[id] - std::max<std::int64_t>(0, stopped.planned[id] - trained));
}

/// Items of a sample that was not trained on and comes more often than the epoch would have had it.
std::int64_t surplusOf(const StoppedEpoch& stopped, const SampleCounts& after, SampleIndex id) {
  const std::int64_t planned = stopped.planned[id];
  return planned > 0 && stopped.trained[id] == 0 ? std::max<std::int64_t>(0, after[id] - planned) : 0;
}

/// Items of a sample that the epoch would have had and that never come.
std::int64_t missedOf(const StoppedEpoch& stopped, const SampleCounts& after, SampleIndex id) {
  return std::max<std::int64_t>(0, stopped.planned[id] - stopped.trained[id] - after[id]);
}

bool isLost(const StoppedEpoch& stopped, const SampleCounts& after, SampleIndex id) {
  return stopped.planned[id] > 0 && stopped.trained[id] == 0 && after[id] == 0;
}

void judge(const StoppedEpoch& stopped, const Resumed& resumed, SampleIndex id, ResumeOutcome& outcome) {
  if (const std::int64_t repeats = repeatsOf(stopped, resumed.after, id); repeats > 0) {
    outcome.repeated += repeats;
    list(id, outcome.repeated_ids);
  }
  outcome.surplus += surplusOf(stopped, resumed.after, id);
  outcome.missed += missedOf(stopped, resumed.after, id);
  if (isLost(stopped, resumed.after, id)) {
    ++outcome.lost;
    list(id, outcome.lost_ids);
  }
  if (stopped.planned[id] == 0 && resumed.after[id] > 0) ++outcome.added;
  const std::int64_t passed = resumed.passed[id];
  outcome.skipped += passed;
  if (passed > 0 && stopped.trained[id] == 0) {
    outcome.skipped_untrained += passed;
    list(id, outcome.skipped_untrained_ids);
  }
}

/// What the strip shows of a sample.
enum Mark : std::uint8_t { kUnmarked = 0, kRepeated = 1, kLost = 2 };

Result<Tally> judgeAll(const StoppedEpoch& stopped, const Resumed& resumed, ResumeOutcome& outcome, const Work& work) {
  auto marks = Tally::make(stopped.planned.size());
  if (!marks) return marks;
  const auto judged = bySample(stopped.planned.size(), work, [&](SampleIndex id) {
    judge(stopped, resumed, id, outcome);
    if (repeatsOf(stopped, resumed.after, id) > 0) marks->set(id, kRepeated);
    if (isLost(stopped, resumed.after, id)) marks->set(id, kLost);
  });
  if (!judged) return judged.error();
  return marks;
}

/// The planned epoch's items in time, cut into pieces.
class Strip {
 public:
  Strip(std::int64_t items, std::int64_t pieces)
      : items_(items), spans_(static_cast<std::size_t>(std::max<std::int64_t>(0, std::min(pieces, items)))) {
    const auto count = static_cast<std::int64_t>(spans_.size());
    for (std::int64_t piece = 0; piece < count; ++piece)
      spans_[static_cast<std::size_t>(piece)].items = end(piece) - end(piece - 1);
    next_ = count > 0 ? end(0) : 0;
  }

  [[nodiscard]] bool empty() const { return spans_.empty(); }
  /// The piece of the next item.
  ResumeSpan& next() {
    while (at_ >= next_) next_ = end(++piece_);
    ++at_;
    return spans_[static_cast<std::size_t>(piece_)];
  }
  [[nodiscard]] std::vector<ResumeSpan> take() && { return std::move(spans_); }

 private:
  /// Where the piece ends. 2^32 items in 2^20 pieces stay far below 2^63.
  [[nodiscard]] std::int64_t end(std::int64_t piece) const {
    const auto count = static_cast<std::int64_t>(spans_.size());
    return ((piece + 1) * items_ + count - 1) / count;
  }

  std::int64_t items_;
  std::vector<ResumeSpan> spans_;
  std::int64_t at_ = 0;
  std::int64_t piece_ = 0;
  std::int64_t next_ = 0;
};

Result<void> drawStrip(const StoppedEpoch& stopped, const Tally& marks, std::int64_t pieces, ResumeOutcome& outcome,
                       const Work& work) {
  Strip strip(stopped.planned_items, pieces);
  if (!strip.empty() && !outcome.isExact()) {
    std::int64_t at = 0;
    auto drawn = inTime(stopped.plan, Step{0}, Step{kAllSteps}, marks, work, [&](SampleIndex id) {
      ResumeSpan& span = strip.next();
      const bool before = at++ < stopped.trained_items;
      if (before && marks[id] == kRepeated) ++span.repeated;
      if (!before && marks[id] == kLost) ++span.lost;
    });
    if (!drawn) return drawn;
  }
  outcome.strip = std::move(strip).take();
  return {};
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

Result<EpochPlan> EpochPlans::get(PipelineSpec spec, Epoch epoch, const Work& work) {
  constexpr std::size_t kMost = 2;
  spec.epochs = std::max(spec.epochs, epoch.value + 1);
  const auto known =
      std::ranges::find_if(known_, [&](const Known& one) { return one.spec == spec && one.plan.epoch == epoch; });
  if (known != known_.end()) {
    std::rotate(known_.begin(), known, known + 1);
    return known_.front().plan;
  }
  // Before the new one is drawn: two orders at most are held besides the caller's.
  if (known_.size() == kMost) known_.pop_back();
  const auto plan = Plan::make(spec);
  if (!plan) return plan.error();
  auto drawn = plan->epoch(epoch, work);
  if (drawn) known_.push_front({std::move(spec), *drawn});
  return drawn;
}

Result<StoppedEpoch> stoppedEpoch(const PipelineSpec& stopped, const ResumePoint& point, EpochPlans& plans,
                                  const Work& work) {
  auto trained = SampleCounts::make(stopped.dataset.size);
  if (!trained) return trained.error();
  auto planned = SampleCounts::make(stopped.dataset.size);
  if (!planned) return planned.error();
  auto plan = plans.get(stopped, point.epoch, work.part(0, 0.5));
  if (!plan) return plan.error();
  StoppedEpoch epoch{point, *std::move(plan), *std::move(trained), *std::move(planned), 0, 0};
  const Step stop{point.steps};
  auto counted = count(epoch.plan, Step{0}, stop, epoch.trained, epoch.trained_items, work.part(0.5, 0.7));
  if (!counted) return counted.error();
  counted = bySample(epoch.planned.size(), work, [&](SampleIndex id) { epoch.planned.set(id, epoch.trained[id]); });
  if (!counted) return counted.error();
  epoch.planned_items = epoch.trained_items;
  counted = count(epoch.plan, stop, Step{kAllSteps}, epoch.planned, epoch.planned_items, work.part(0.7, 1));
  if (!counted) return counted.error();
  return epoch;
}

Result<ResumeOutcome> resumeOutcome(const StoppedEpoch& stopped, const Continuation& goes_on, const ResumeShown& shown,
                                    EpochPlans& plans, const Work& work) {
  ResumeOutcome outcome;
  const auto resumed = resume(stopped, goes_on, outcome.items, plans, work.part(0, 0.6));
  if (!resumed) return resumed.error();
  outcome.steps = std::max<std::int64_t>(0, std::min(resumed->last.value, resumed->plan.steps()) - goes_on.skip);
  const auto marks = judgeAll(stopped, *resumed, outcome, work.part(0.6, 0.7));
  if (!marks) return marks.error();
  if (auto drawn = drawStrip(stopped, *marks, shown.pieces, outcome, work.part(0.7, 1)); !drawn) return drawn.error();
  if (shown.first_batches) showFirst(stopped, *resumed, outcome);
  return outcome;
}

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
