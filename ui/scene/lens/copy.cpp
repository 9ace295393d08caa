// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/lens/copy.h"

#include "core/lens/head.h"
#include "ui/scene/csv.h"
#include "ui/scene/lens/lanes.h"
#include "ui/scene/number_text.h"

#include <array>

namespace shardlens::ui {

QString lensText(const std::vector<LensLane>& lanes) {
  QString out = lensSummary(lanes) + '\n';
  for (const LensLane& lane : lanes) {
    out += '\n' + text(lane.judged.column.title) + '\n';
    for (const QString& line :
         {text(lane.judged.column.sampler), lane.headline(), lane.shares(), lane.verdict(), lane.detail()}) {
      if (!line.isEmpty()) out += "  " + line + '\n';
    }
  }
  return out;
}

QString lensCsv(const std::vector<LensLane>& lanes) {
  QString out = csvLine({"column", "title", "sampler", "verdict", "batches", "items", "same", "moved",
                         "read_less_often", "lost", "repeated", "added"});
  for (const LensLane& lane : lanes) {
    const JudgedColumn& judged = lane.judged;
    std::array<std::int64_t, 6> readings{};
    for (const LensShare& share : sharesOf(judged)) readings[static_cast<std::size_t>(share.kind)] = share.readings;
    QStringList cells = {text(judged.column.id),          text(judged.column.title),
                         text(judged.column.sampler),     text(std::string(lensVerdictName(judged.verdict))),
                         QString::number(judged.batches), QString::number(judged.items)};
    for (const std::int64_t count : readings) cells += judged.samples ? QString::number(count) : QString();
    out += csvLine(cells);
  }
  return out;
}

}  // namespace shardlens::ui
