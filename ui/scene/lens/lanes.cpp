// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/lens/lanes.h"

#include <QStringList>

#include <algorithm>
#include <utility>

namespace shardlens::ui {
namespace {

/// Duplicates are looked for in epochs of up to so many samples: some tenths of a second a column.
constexpr qint64 kMostSamplesWithFacts = 10'000'000;

QString capitalized(const std::string& utf8) {
  const QString text = QString::fromStdString(utf8);
  return text.left(1).toUpper() + text.mid(1);
}

/// The column's picture. False when stopped.
bool draw(LensLane& lane, quint64 generation, const Work& work) {
  if (lane.judged.epoch == nullptr) return true;
  lane.stage = stageInput(generation, *lane.judged.column.spec, lane.judged.epoch);
  lane.stage.differences = lane.judged.differences;
  if (lane.stage.dataset_size > kMostSamplesWithFacts) return true;
  lane.facts = EpochFacts::compute(*lane.stage.epoch, lane.stage.dataset_size, work);
  return lane.facts != nullptr;
}

}  // namespace

QString LensLane::verdict() const {
  return capitalized(verdictText(judged));
}

QString LensLane::detail() const {
  return capitalized(firstDifferenceText(judged));
}

Tone LensLane::tone() const {
  switch (judged.verdict) {
    case LensVerdict::Same:
      return Tone::Fine;
    case LensVerdict::Differs:
      return Tone::Warning;
    case LensVerdict::Raises:
      return Tone::Error;
    default:
      return Tone::Note;
  }
}

std::optional<std::vector<LensLane>> lensLanes(const PipelineSpec& spec, Epoch epoch, quint64 generation,
                                               const std::function<bool(const std::string& id)>& wanted,
                                               const Work& work) {
  auto report = lensReport(spec, {epoch, wanted, true}, work.part(0, 0.7));
  if (!report) return std::nullopt;
  std::vector<LensLane> lanes;
  const auto all = static_cast<double>(report->columns.size());
  for (JudgedColumn& judged : report->columns) {
    const double done = 0.7 + 0.3 * static_cast<double>(lanes.size()) / all;
    LensLane lane{std::move(judged), {}, nullptr};
    if (!draw(lane, generation, work.part(done, done + 0.3 / all)) || work.stopped()) return std::nullopt;
    lanes.push_back(std::move(lane));
  }
  return lanes;
}

QString lensSummary(const std::vector<LensLane>& lanes) {
  const auto count = [&](LensVerdict verdict) {
    return std::count_if(lanes.begin(), lanes.end(),
                         [&](const LensLane& lane) { return lane.judged.verdict == verdict; });
  };
  QStringList parts;
  if (const auto raising = count(LensVerdict::Raises)) parts << QStringLiteral("%1 cannot run").arg(raising);
  if (const auto other = count(LensVerdict::Differs)) parts << QStringLiteral("%1 with different batches").arg(other);
  if (const auto same = count(LensVerdict::Same)) parts << QStringLiteral("%1 with the same batches").arg(same);
  return parts.join(QStringLiteral(" · "));
}

}  // namespace shardlens::ui
