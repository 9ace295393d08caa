// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/resume/answer.h"

#include "core/sampling/registry.h"
#include "core/spec/validate.h"
#include "ui/scene/number_text.h"
#include "ui/scene/tabs/export_text.h"
#include "ui/state/phrase.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>

namespace shardlens::ui {
namespace {

/// The verdict's first piece begins a line.
QString capitalized(const QString& line) {
  return line.left(1).toUpper() + line.mid(1);
}

ResumeRow rowOf(JudgedWay judged) {
  ResumeRow row;
  const bool exact = judged.verdict == ResumeVerdict::Exact;
  row.tone = exact ? Tone::Fine : toneOf(severityOf(judged));
  for (const Note& part : verdictParts(judged)) {
    const bool first = row.verdict.empty();
    const Tone tone = first && exact ? Tone::Fine : toneOf(part.severity);
    row.verdict.push_back({first ? capitalized(text(part.text)) : text(part.text), tone});
  }
  row.reason = text(reasonText(judged));
  row.judged = std::move(judged);
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
  if (outcome.skipped_untrained == 0) return phrase("resume", "%1, all trained before").arg(all);
  return phrase("resume", "%1, %2 of them never trained").arg(all, number(outcome.skipped_untrained));
}

QString sharedText(qint64 part, qint64 whole, const QString& of) {
  if (whole <= 0 || part <= 0) return number(part);
  return phrase("resume", "%1, %2 of %3").arg(number(part), percent(double(part) / double(whole)), of);
}

double shareOf(std::int64_t part, std::int64_t items) {
  return part <= 0 ? 0 : items <= 0 ? 1 : std::min(1.0, static_cast<double>(part) / static_cast<double>(items));
}

/// Pieces [first, last) as one column.
ResumeStripColumn worstOf(const std::vector<ResumeSpan>& pieces, std::size_t first, std::size_t last) {
  ResumeStripColumn column;
  for (std::size_t i = first; i < last; ++i) {
    column.repeated = std::max(column.repeated, shareOf(pieces[i].repeated, pieces[i].items));
    column.lost = std::max(column.lost, shareOf(pieces[i].lost, pieces[i].items));
  }
  return column;
}

/// The pieces [first, last) over the pixels [from, to).
void addColumns(const std::vector<ResumeSpan>& pieces, std::size_t first, std::size_t last, int from, int to,
                bool trained, std::vector<ResumeStripColumn>& columns) {
  if (last <= first || to <= from) return;
  const std::size_t count = last - first;
  const auto pixels = static_cast<std::size_t>(to - from);
  const std::size_t shown = std::min(count, pixels);
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t begin = first + i * count / shown;
    const std::size_t end = std::max(begin + 1, first + (i + 1) * count / shown);
    ResumeStripColumn column = worstOf(pieces, begin, end);
    column.from = from + static_cast<int>(i * pixels / shown);
    column.to = from + static_cast<int>((i + 1) * pixels / shown);
    column.trained = trained;
    columns.push_back(column);
  }
}

QString summaryOf(std::span<const ResumeRow> rows) {
  const auto count = [&](std::initializer_list<ResumeVerdict> verdicts) {
    return std::count_if(rows.begin(), rows.end(), [&](const ResumeRow& row) {
      return std::find(verdicts.begin(), verdicts.end(), row.judged.verdict) != verdicts.end();
    });
  };
  QStringList parts;
  const auto add = [&parts](auto many, const QString& what) {
    if (many > 0) parts << QStringLiteral("%1 %2").arg(number(many), what);
  };
  add(count({ResumeVerdict::Exact}), phrase("resume", "exact"));
  const auto wrong = count({ResumeVerdict::Differs});
  add(wrong, wrong == 1 ? phrase("resume", "repeats or loses samples") : phrase("resume", "repeat or lose samples"));
  add(count({ResumeVerdict::Raises, ResumeVerdict::Stops}), phrase("resume", "cannot continue"));
  add(count({ResumeVerdict::Over, ResumeVerdict::Unknown, ResumeVerdict::TooLong}),
      phrase("resume", "without an answer"));
  return parts.join(QStringLiteral(" · "));
}

/// "2x4", or "2,1" where nodes differ.
QString worldArgument(const PipelineSpec::World& world) {
  if (const auto every = world.ranks_per_node.ofEveryNode()) return QString("%1x%2").arg(world.nodes).arg(*every);
  QStringList ranks;
  for (const std::int64_t of_node : world.ranks_per_node.list()) ranks << QString::number(of_node);
  return ranks.join(',');
}

}  // namespace

QString ResumeRow::verdictText() const {
  QStringList parts;
  for (const VerdictPart& part : verdict) parts << part.text;
  return parts.join(phrase("resume", ", "));
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
  const auto stop = stopOf(*plan, choice, work);
  if (work.stopped()) return std::nullopt;
  if (!stop) {
    answer.problems = {stop.error()};
    return answer;
  }
  answer.point = stop->point;
  answer.epochs = plan->epochs();
  answer.steps = stop->steps;
  if (so_far) so_far(answer);
  const auto add = [&](const JudgedWay& judged) {
    answer.rows.push_back(rowOf(judged));
    countTrained(answer, spec);
    if (so_far) so_far(answer);
  };
  const auto report = resumeReport(spec, answer.point, {kResumePieces}, work, add, stop->steps);
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
  std::stable_partition(part.rows.begin(), part.rows.end(),
                        [](const ResumeRow& row) { return row.judged.way.of_design; });
  return part;
}

QString trainedText(const ResumeAnswer& answer) {
  if (answer.planned == 0) return {};
  return phrase("resume", "%1 of %2 trained, %3")
      .arg(number(answer.trained), countOf(answer.planned, "sample"),
           percent(double(answer.trained) / double(answer.planned)));
}

QString resumeSummary(const ResumeAnswer& answer) {
  return summaryOf(answer.rows);
}

std::size_t ownRows(const ResumeAnswer& answer) {
  const auto own = std::count_if(answer.rows.begin(), answer.rows.end(),
                                 [](const ResumeRow& row) { return row.judged.way.of_design; });
  return own == 0 ? answer.rows.size() : static_cast<std::size_t>(own);
}

QString othersText(const ResumeAnswer& answer) {
  const std::span<const ResumeRow> others = std::span(answer.rows).subspan(ownRows(answer));
  if (others.empty()) return {};
  return phrase("resume", "%1 of other frameworks: %2").arg(countOf(std::ssize(others), "method"), summaryOf(others));
}

std::vector<Inspection::Fact> resumeFacts(const ResumeRow& row) {
  std::vector<Inspection::Fact> facts;
  if (!row.judged.outcome || !row.reason.isEmpty()) return facts;
  const ResumeOutcome& outcome = *row.judged.outcome;
  const qint64 rest = row.judged.planned - row.judged.trained;
  facts.push_back({phrase("resume", "remaining"),
                   countOf(outcome.steps, "step") + phrase("resume", ", ") + countOf(outcome.items, "sample")});
  if (outcome.skipped > 0) facts.push_back({phrase("resume", "skipped"), skippedText(outcome)});
  facts.push_back({phrase("resume", "repeated"),
                   sharedText(outcome.repeated, row.judged.trained, phrase("resume", "what was trained"))});
  facts.push_back({phrase("resume", "lost"), sharedText(outcome.lost, rest, phrase("resume", "the rest"))});
  if (outcome.missed > outcome.lost)
    facts.push_back(
        {phrase("resume", "missed"), phrase("resume", "%1 of the planned readings").arg(number(outcome.missed))});
  if (outcome.added > 0) {
    facts.push_back({phrase("resume", "added"),
                     phrase("resume", "%1 that the epoch would not have had").arg(countOf(outcome.added, "sample"))});
  }
  return facts;
}

QString idsText(const std::vector<SampleIndex>& ids, qint64 all, std::size_t most) {
  const std::size_t shown = std::min(ids.size(), most);
  QStringList parts;
  for (std::size_t i = 0; i < shown; ++i) parts << QString::number(ids[i]);
  const qint64 more = all - static_cast<qint64>(shown);
  const QString list = parts.join(QStringLiteral(", "));
  return more > 0 ? phrase("resume", "%1 and %2 more").arg(list, number(more)) : list;
}

QString resumeCommand(const QString& spec_path, const ResumePoint& point) {
  const QString command = QStringLiteral("shardlens resume %1 --at %2 --epoch %3 --world %4")
                              .arg(spec_path.isEmpty() ? QStringLiteral("spec.yaml") : shellWord(spec_path))
                              .arg(point.steps)
                              .arg(point.epoch.value)
                              .arg(worldArgument(point.world));
  return point.batch_size ? command + QStringLiteral(" --batch-size %1").arg(*point.batch_size) : command;
}

double stopShare(const ResumeRow& row, qint64 steps) {
  const JudgedWay& judged = row.judged;
  if (judged.planned > 0 && steps == judged.at) return double(judged.trained) / double(judged.planned);
  if (judged.steps == 0) return 0;
  return std::clamp(double(steps) / double(judged.steps), 0.0, 1.0);
}

double stopPlace(const ResumeAnswer& answer, qint64 steps) {
  return answer.steps == 0 ? 0 : std::clamp(double(steps) / double(answer.steps), 0.0, 1.0);
}

qint64 stopAt(const ResumeAnswer& answer, double place) {
  return std::llround(std::clamp(place, 0.0, 1.0) * double(answer.steps));
}

QString resumeText(const ResumeAnswer& answer) {
  QString out = trainedText(answer) + '\n' + resumeSummary(answer) + '\n';
  for (const ResumeRow& row : answer.rows) {
    out += text(row.judged.way.title) + ": " + row.verdictText() + '\n';
    if (!row.reason.isEmpty()) out += "  " + row.reason + '\n';
  }
  return out;
}

QString resumeCsv(const ResumeAnswer& answer) {
  QString out = csvLine({"method", "title", "verdict", "repeated", "lost", "skipped", "steps_left"});
  for (const ResumeRow& row : answer.rows) {
    QStringList cells = {text(row.judged.way.id), text(row.judged.way.title),
                         text(std::string(resumeVerdictName(row.judged.verdict)))};
    if (const auto& outcome = row.judged.outcome) {
      for (const std::int64_t count : {outcome->repeated, outcome->lost, outcome->skipped, outcome->steps})
        cells += QString::number(count);
    } else {
      cells += {QString(), QString(), QString(), QString()};
    }
    out += csvLine(cells);
  }
  return out;
}

ResumeStripScene resumeStripScene(const std::vector<ResumeSpan>& pieces, double stop_share, int stop_pixel, int width) {
  constexpr int kHalfGap = 2;
  constexpr int kLeast = 8;  // pixels for two runs and the seam between them
  ResumeStripScene scene;
  if (pieces.empty() || width <= 0) return scene;
  const std::size_t count = pieces.size();
  const double share = std::clamp(stop_share, 0.0, 1.0);
  const auto before = static_cast<std::size_t>(std::lround(share * static_cast<double>(count)));
  if (before == 0 || before >= count || width < kLeast) {
    addColumns(pieces, 0, count, 0, width, share > 0.5, scene.columns);
    return scene;
  }
  scene.seam = std::clamp(stop_pixel, kHalfGap + 1, width - kHalfGap - 1);
  addColumns(pieces, 0, before, 0, scene.seam - kHalfGap, true, scene.columns);
  addColumns(pieces, before, count, scene.seam + kHalfGap, width, false, scene.columns);
  return scene;
}

int filledPixels(double share, int height) {
  if (share <= 0 || height <= 0) return 0;
  if (share >= 1) return height;
  return std::clamp(static_cast<int>(std::lround(share * height)), 1, std::max(1, height - 1));
}

}  // namespace shardlens::ui
