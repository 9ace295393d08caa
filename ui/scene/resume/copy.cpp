// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/resume/copy.h"

#include "ui/scene/csv.h"
#include "ui/scene/number_text.h"
#include "ui/scene/resume/answer.h"

namespace shardlens::ui {

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

}  // namespace shardlens::ui
