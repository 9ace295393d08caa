// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/run/recording_row.h"

#include "ui/scene/number_text.h"
#include "ui/scene/run/text.h"
#include "ui/state/phrase.h"

#include <QLocale>

namespace shardlens::ui {
namespace {

constexpr std::int64_t kNsPerUnixSecond = 1'000'000'000;

RunMark markOf(const std::optional<JobStatus>& outcome) {
  if (!outcome) return RunMark::Unknown;
  switch (*outcome) {
    case JobStatus::Starting:
    case JobStatus::Running:
      return RunMark::Running;
    case JobStatus::Finished:
      return RunMark::Finished;
    case JobStatus::Failed:
      return RunMark::Failed;
    case JobStatus::Stopped:
      return RunMark::Stopped;
    case JobStatus::Unknown:
      break;
  }
  return RunMark::Unknown;
}

QString outcomeText(const RecordingFacts& facts) {
  const QString length = facts.elapsed_ns ? durationText(*facts.elapsed_ns) : phrase("run", "duration not known");
  switch (markOf(facts.outcome)) {
    case RunMark::Running:
      return phrase("run", "running for %1").arg(length);
    case RunMark::Finished:
      return phrase("run", "finished, %1").arg(length);
    case RunMark::Failed:
      return phrase("run", "failed after %1").arg(length);
    case RunMark::Stopped:
      return phrase("run", "stopped after %1").arg(length);
    case RunMark::Unknown:
      break;
  }
  return phrase("run", "no end recorded: outcome not known, %1").arg(length);
}

/// The user's own command tells runs of one script apart; a stand-in is called by its design.
QString nameOf(const RecordingFacts& facts, const QString& fallback) {
  const std::size_t own = facts.command.find(" -- ");
  if (own != std::string::npos) return text(facts.command.substr(own + 4));
  return facts.name.empty() ? fallback : text(facts.name);
}

QString proofText(const RecordingFacts& facts) {
  if (!facts.planned) return phrase("run", "no plan to compare with");
  if (facts.matched + facts.mismatched == 0) return phrase("run", "no batch compared");
  if (facts.mismatched > 0) {
    return facts.mismatched == 1 ? phrase("run", "1 batch differs")
                                 : phrase("run", "%1 batches differ").arg(number(facts.mismatched));
  }
  if (facts.matched >= *facts.planned) return phrase("run", "all batches proven");
  return phrase("run", "%1 of the batches proven")
      .arg(percent(static_cast<double>(facts.matched) / static_cast<double>(*facts.planned)));
}

}  // namespace

QString whenText(std::optional<std::int64_t> started_s, const QDateTime& now) {
  if (!started_s || *started_s <= 0) return phrase("run", "time not known");
  const QDateTime started = QDateTime::fromSecsSinceEpoch(*started_s);
  const QLocale english(QLocale::English);
  const qint64 days = started.date().daysTo(now.date());
  if (days == 0) return english.toString(started, "HH:mm");
  constexpr qint64 kWeek = 7;
  if (days > 0 && days < kWeek) return english.toString(started, phrase("run", "ddd HH:mm"));
  return english.toString(started, phrase("run", "d MMM yyyy"));
}

RecordingRow recordingRow(const QString& fallback_name, std::optional<std::int64_t> started_s,
                          const std::optional<RecordingFacts>& facts, const QString& problem, const QDateTime& now) {
  if (!facts)
    return {RunMark::Unknown, fallback_name, whenText(started_s, now),
            phrase("run", "cannot be read: %1").arg(problem)};
  RecordingRow row;
  row.mark = markOf(facts->outcome);
  row.name = nameOf(*facts, fallback_name);
  const auto began = facts->started_unix_ns ? std::optional(*facts->started_unix_ns / kNsPerUnixSecond) : started_s;
  row.when = whenText(began, now);
  if (!facts->ranks) {
    row.facts = facts->is_damaged ? phrase("run", "damaged: what it recorded is not known")
                                  : phrase("run", "empty: it ends before the job began");
    return row;
  }
  QStringList said = {outcomeText(*facts)};
  if (*facts->ranks > 0) said += countOf(*facts->ranks, "rank");
  if (!facts->verdict.empty()) said += text(facts->verdict);
  said += proofText(*facts);
  if (facts->is_damaged) said += phrase("run", "damaged in places");
  row.facts = said.join(" · ");
  return row;
}

RecordingRow recordingRowBeingRead(const QString& name, std::optional<std::int64_t> started_s, bool is_running,
                                   const QDateTime& now) {
  return {is_running ? RunMark::Running : RunMark::Unknown, name, whenText(started_s, now), phrase("run", "reading…")};
}

}  // namespace shardlens::ui
