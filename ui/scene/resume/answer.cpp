// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/resume/answer.h"

#include "core/sampling/registry.h"
#include "core/spec/validate.h"
#include "ui/scene/tabs/export_text.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <utility>

namespace shardlens::ui {
namespace {

QString text(const std::string& utf8) {
  return QString::fromStdString(utf8);
}

/// The choice inside the plan.
ResumePoint pointOf(const ResumeChoice& choice, const Plan& plan) {
  const qint64 last = plan.epochs() - 1;
  const Epoch epoch{std::clamp<qint64>(choice.epoch.value_or(1), 0, last)};
  const qint64 steps = plan.steps(epoch);
  return {epoch, std::clamp<qint64>(choice.steps.value_or(steps / 2), 0, steps),
          choice.world.value_or(plan.spec().world)};
}

/// Steps of the interrupted epoch of each way's own run. Ways of one run stand together, so the last one is kept.
class StepCounter {
 public:
  StepCounter(const PipelineSpec& spec, Epoch epoch, qint64 steps) : spec_(spec), epoch_(epoch), steps_(steps) {}

  qint64 operator()(const PipelineSpec& spec) {
    if (spec == spec_) return steps_;
    const auto plan = Plan::make(spec);
    spec_ = spec;
    steps_ = plan && epoch_.value < plan->epochs() ? plan->steps(epoch_) : 0;
    return steps_;
  }

 private:
  PipelineSpec spec_;
  Epoch epoch_;
  qint64 steps_;
};

void say(ResumeRow& row, Tone tone, const QString& verdict) {
  row.tone = tone;
  row.verdict.push_back({verdict, tone});
}

void sayError(ResumeRow& row, const Error& error) {
  row.reason = text(error.message);
  if (!error.hint.empty()) row.reason += QStringLiteral(" (%1)").arg(text(error.hint));
  if (!error.raised.empty()) return say(row, Tone::Error, QStringLiteral("Raises ") + text(error.raised));
  if (error.code == ErrorCode::Environment) return say(row, Tone::Note, QStringLiteral("Too much for this machine"));
  if (error.message.starts_with("not predictable")) return say(row, Tone::Note, QStringLiteral("Nobody can tell"));
  say(row, Tone::Error, QStringLiteral("Does not go on"));
}

void sayOutcome(ResumeRow& row, const ResumeOutcome& outcome) {
  if (outcome.isExact()) {
    say(row, Tone::Fine, QStringLiteral("Exact: nothing repeated, nothing lost"));
  } else {
    row.tone = outcome.repeated > 0 ? Tone::Error : Tone::Warning;
    row.verdict.push_back({number(outcome.repeated) + " repeated", outcome.repeated > 0 ? Tone::Error : Tone::Note});
    row.verdict.push_back({number(outcome.lost) + " lost", outcome.lost > 0 ? Tone::Warning : Tone::Note});
  }
  if (outcome.added > 0) row.verdict.push_back({number(outcome.added) + " added", Tone::Note});
}

/// `steps` of the way's own epoch, `planned` of the spec's.
ResumeRow rowOf(JudgedWay judged, qint64 steps, const ResumePoint& point, qint64 planned) {
  ResumeRow row;
  row.judged = std::move(judged);
  row.steps = steps;
  row.at = point.steps;
  const std::optional<Error>& error = row.judged.way.error;
  const bool over = steps < planned && steps <= point.steps;
  if (error && (!over || !error->raised.empty())) {
    sayError(row, *error);
  } else if (over) {
    say(row, Tone::Note, QStringLiteral("The epoch was over after %1").arg(countOf(steps, "step")));
    row.reason = QStringLiteral("Dealt this way the epoch has %1: stop earlier to see what this way does.")
                     .arg(countOf(steps, "step"));
  } else if (row.judged.outcome) {
    sayOutcome(row, *row.judged.outcome);
  }
  return row;
}

/// How much was trained: as the spec's own way says, else the first that knows.
void countTrained(ResumeAnswer& answer, const PipelineSpec& spec) {
  const auto knows = [](const ResumeRow& row) { return row.judged.outcome.has_value(); };
  auto row = std::find_if(answer.rows.begin(), answer.rows.end(),
                          [&](const ResumeRow& one) { return knows(one) && one.judged.way.stopped == spec; });
  if (row == answer.rows.end()) row = std::find_if(answer.rows.begin(), answer.rows.end(), knows);
  if (row == answer.rows.end()) return;
  answer.trained = row->judged.trained;
  answer.planned = row->judged.planned;
}

QString skippedText(const ResumeOutcome& outcome) {
  const QString all = countOf(outcome.skipped, "sample");
  if (outcome.skipped_untrained == 0) return all + QStringLiteral(", all trained before");
  return all + QStringLiteral(", %1 of them never trained").arg(number(outcome.skipped_untrained));
}

QString sharedText(qint64 part, qint64 whole, const char* of) {
  if (whole <= 0 || part <= 0) return number(part);
  return QStringLiteral("%1, %2 of %3").arg(number(part), percent(double(part) / double(whole)), of);
}

}  // namespace

QString ResumeRow::verdictText() const {
  QStringList parts;
  for (const VerdictPart& part : verdict) parts << part.text;
  return parts.join(QStringLiteral(", "));
}

std::optional<ResumeAnswer> resumeAnswer(const PipelineSpec& spec, const ResumeChoice& choice, const Work& work,
                                         const std::function<void(const ResumeAnswer&)>& so_far) {
  ResumeAnswer answer;
  answer.problems = validate(spec, sampling::catalogue());
  if (!answer.problems.empty()) return answer;
  const auto plan = Plan::make(spec);
  if (!plan) {
    answer.problems = {plan.error()};
    return answer;
  }
  answer.point = pointOf(choice, *plan);
  answer.epochs = plan->epochs();
  answer.steps = plan->steps(answer.point.epoch);
  StepCounter steps(plan->spec(), answer.point.epoch, answer.steps);
  if (so_far) so_far(answer);
  const auto add = [&](const JudgedWay& judged) {
    answer.rows.push_back(rowOf(judged, steps(judged.way.stopped), answer.point, answer.steps));
    countTrained(answer, spec);
    if (so_far) so_far(answer);
  };
  const auto report = resumeReport(spec, answer.point, kResumePieces, work, add);
  if (work.stopped()) return std::nullopt;
  if (!report) answer.problems = {report.error()};
  return answer;
}

ResumeAnswer filledUp(ResumeAnswer part, const ResumeAnswer& older) {
  for (const ResumeRow& row : older.rows) {
    const auto same = [&row](const ResumeRow& one) { return one.judged.way.id == row.judged.way.id; };
    if (std::any_of(part.rows.begin(), part.rows.end(), same)) continue;
    part.rows.push_back(row);
    part.rows.back().old = true;
  }
  return part;
}

QString trainedText(const ResumeAnswer& answer) {
  if (answer.planned == 0) return {};
  return QStringLiteral("%1 of %2 trained, %3")
      .arg(number(answer.trained), countOf(answer.planned, "sample"),
           percent(double(answer.trained) / double(answer.planned)));
}

QString resumeSummary(const ResumeAnswer& answer) {
  const auto count = [&](auto is) { return std::count_if(answer.rows.begin(), answer.rows.end(), is); };
  const auto judged = [](const ResumeRow& row) { return row.reason.isEmpty(); };
  QStringList parts;
  const auto add = [&parts](auto many, const QString& what) {
    if (many > 0) parts << QStringLiteral("%1 %2").arg(number(many), what);
  };
  add(count([](const ResumeRow& row) { return row.tone == Tone::Fine; }), QStringLiteral("exact"));
  const auto wrong = count([&](const ResumeRow& row) { return judged(row) && row.tone != Tone::Fine; });
  add(wrong, wrong == 1 ? QStringLiteral("repeats or loses") : QStringLiteral("repeat or lose"));
  const auto stopping = count([&](const ResumeRow& row) { return !judged(row) && row.tone == Tone::Error; });
  add(stopping, stopping == 1 ? QStringLiteral("does not go on") : QStringLiteral("do not go on"));
  add(count([&](const ResumeRow& row) { return !judged(row) && row.tone == Tone::Note; }),
      QStringLiteral("without an answer"));
  return parts.join(QStringLiteral(" · "));
}

std::vector<Inspection::Fact> resumeFacts(const ResumeRow& row) {
  std::vector<Inspection::Fact> facts;
  if (!row.judged.outcome || !row.reason.isEmpty()) return facts;
  const ResumeOutcome& outcome = *row.judged.outcome;
  const qint64 rest = row.judged.planned - row.judged.trained;
  facts.push_back({QStringLiteral("left"),
                   QStringLiteral("%1, %2").arg(countOf(outcome.steps, "step"), countOf(outcome.items, "sample"))});
  if (outcome.skipped > 0) facts.push_back({QStringLiteral("passed over"), skippedText(outcome)});
  facts.push_back({QStringLiteral("repeated"), sharedText(outcome.repeated, row.judged.trained, "what was trained")});
  facts.push_back({QStringLiteral("lost"), sharedText(outcome.lost, rest, "the rest")});
  if (outcome.added > 0) {
    facts.push_back({QStringLiteral("added"),
                     QStringLiteral("%1 that the epoch would have dropped").arg(countOf(outcome.added, "sample"))});
  }
  return facts;
}

QString unbroken(QString text) {
  constexpr QChar kThin(0x2009);
  constexpr QChar kThinAndFirm(0x202F);
  return text.replace(kThin, kThinAndFirm);
}

QString idsText(const std::vector<SampleIndex>& ids, qint64 all, std::size_t most) {
  const std::size_t shown = std::min(ids.size(), most);
  QStringList parts;
  for (std::size_t i = 0; i < shown; ++i) parts << QString::number(ids[i]);
  const qint64 more = all - static_cast<qint64>(shown);
  const QString list = parts.join(QStringLiteral(", "));
  return more > 0 ? QStringLiteral("%1 and %2 more").arg(list, number(more)) : list;
}

QString resumeCommand(const QString& spec_path, const ResumePoint& point) {
  return QStringLiteral("shardlens resume %1 --at %2 --epoch %3 --world %4x%5")
      .arg(spec_path.isEmpty() ? QStringLiteral("spec.yaml") : shellWord(spec_path))
      .arg(point.steps)
      .arg(point.epoch.value)
      .arg(point.world.nodes)
      .arg(point.world.ranks_per_node);
}

double stopShare(const ResumeRow& row, qint64 steps) {
  const JudgedWay& judged = row.judged;
  if (judged.planned > 0 && steps == row.at) return double(judged.trained) / double(judged.planned);
  if (row.steps == 0) return 0;
  return std::clamp(double(steps) / double(row.steps), 0.0, 1.0);
}

qint64 stepsAt(const ResumeRow& row, double share) {
  const JudgedWay& judged = row.judged;
  const double inside = std::clamp(share, 0.0, 1.0);
  // Before the epoch's short end all steps take equally many samples, and the answer says how many.
  const bool measured = row.at > 0 && judged.trained > 0 && judged.trained < judged.planned;
  const double steps =
      measured ? inside * double(judged.planned) * double(row.at) / double(judged.trained) : inside * double(row.steps);
  return std::min<qint64>(std::llround(steps), row.steps);
}

}  // namespace shardlens::ui
