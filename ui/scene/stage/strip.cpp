// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/stage/strip.h"

#include "core/base/text.h"
#include "ui/scene/number_text.h"
#include "ui/state/phrase.h"

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

qint64 columnCount(const StageInput& input, int width) {
  // Bars of 3 px where a column is more than one sample: thinner ones are noise.
  constexpr int kBar = 3;
  return input.dataset_size * kBar <= width ? input.dataset_size : std::min<qint64>(input.dataset_size, width / kBar);
}

StripColumn place(const StageInput& input, qint64 column, qint64 columns, int width) {
  StripColumn out;
  out.from = static_cast<int>(column * width / columns);
  out.to = static_cast<int>((column + 1) * width / columns);
  out.first = column * input.dataset_size / columns;
  out.last = (column + 1) * input.dataset_size / columns;
  return out;
}

/// Puts the parts under a column together: shares are averaged, marks stay visible, the last taker gives the colour.
void read(StripColumn& column, const EpochFacts& facts, qint64 first_part, qint64 last_part, qint64 steps_done) {
  for (qint64 index = first_part; index < last_part; ++index) {
    const EpochFacts::Part part = facts.part(index, steps_done);
    column.share += static_cast<float>(part.share / static_cast<double>(last_part - first_part));
    column.duplicate |= part.duplicate;
    column.padding |= part.padding;
    if (part.rank >= 0) column.rank = part.rank;
  }
}

/// "1st", "2nd", "11th".
QString ordinal(qint64 place) {
  const qint64 last = place % 100 >= 11 && place % 100 <= 13 ? 0 : place % 10;
  const QString form = last == 1   ? phrase("stage", "%1st")
                       : last == 2 ? phrase("stage", "%1nd")
                       : last == 3 ? phrase("stage", "%1rd")
                                   : phrase("stage", "%1th");
  return form.arg(number(place));
}

/// Blocks are never narrower than this, in pixels.
constexpr double kLeastBlock = 3;

}  // namespace

std::vector<StripColumn> stripColumns(const StageInput& input, const EpochFacts* facts, qint64 steps_done, int width) {
  std::vector<StripColumn> columns;
  const qint64 count = columnCount(input, width);
  columns.reserve(std::max<qint64>(count, 0));
  for (qint64 i = 0; i < count; ++i) {
    StripColumn column = place(input, i, count, width);
    if (facts != nullptr) {
      const qint64 first = i * facts->parts() / count;
      const qint64 last = std::max(first + 1, (i + 1) * facts->parts() / count);
      read(column, *facts, first, last, steps_done);
    }
    columns.push_back(column);
  }
  return columns;
}

double stripTop(const std::vector<StripColumn>& columns) {
  if (columns.empty() || columns.front().last - columns.front().first <= 1) return 1;
  float most = 0;
  for (const StripColumn& column : columns) most = std::max(most, column.share);
  for (const double top : {0.008, 0.02, 0.05, 0.1, 0.2, 0.5}) {
    if (most <= top) return top;
  }
  return 1;
}

QString stripScale(const std::vector<StripColumn>& columns, double top) {
  constexpr qint64 kSmall = 100;  // below, one sample more or less matters
  if (columns.empty()) return {};
  qint64 low = columns.front().last - columns.front().first;
  qint64 high = low;
  for (const StripColumn& column : columns) {
    low = std::min<qint64>(low, column.last - column.first);
    high = std::max<qint64>(high, column.last - column.first);
  }
  if (high <= 1) return {};
  const QString bar = low == high     ? phrase("stage", "one bar: %1").arg(countOf(low, "sample"))
                      : high < kSmall ? phrase("stage", "one bar: %1 or %2").arg(number(low), countOf(high, "sample"))
                                      : phrase("stage", "one bar: about %1").arg(countOf(high, "sample"));
  return bar + " · " + phrase("stage", "full height: %1 % of them handed out").arg(top * 100);
}

StripColumn stripColumnOf(const StageInput& input, SampleIndex sample, int width) {
  const qint64 count = columnCount(input, width);
  if (count <= 0 || sample < 0 || sample >= input.dataset_size) return {};
  return place(input, ((sample + 1) * count - 1) / input.dataset_size, count, width);
}

QString stripText(const StageInput& input, const EpochFacts* facts, qint64 steps_done) {
  QString out = phrase("stage", "epoch %1 (%2 of %3)")
                    .arg(number(input.epochNumber()), ordinal(input.epochNumber() + 1), number(input.epochs));
  if (input.dataset_size > EpochFacts::kMostSamples) {
    return out + " · " +
           phrase("stage", "coverage is not counted above %1 samples").arg(number(EpochFacts::kMostSamples));
  }
  if (facts == nullptr) return out;
  const QString seen =
      facts->seenIsExact() ? phrase("stage", "%1 of %2 samples seen") : phrase("stage", "about %1 of %2 samples seen");
  return out + " · " + seen.arg(number(facts->seen(steps_done)), number(input.dataset_size));
}

std::vector<TimeMark> timeMarks(const AuditReport& report) {
  std::vector<const Finding*> placed;
  for (const Finding& finding : report.findings) {
    if (!finding.is_proof && (finding.where.epoch || finding.where.step)) placed.push_back(&finding);
  }
  std::ranges::stable_sort(placed, std::greater(), &Finding::severity);
  std::vector<TimeMark> marks;
  marks.reserve(placed.size());
  for (const Finding* finding : placed) {
    marks.push_back({finding->where.epoch.value_or(0), finding->where.step, toneOf(finding->severity),
                     QString::fromStdString(finding->title)});
  }
  return marks;
}

double epochPitch(qint64 epochs, double width, double side) {
  return std::min(width / static_cast<double>(std::max<qint64>(epochs, 1)), side + 1);
}

std::vector<EpochBlock> epochBlocks(qint64 epochs, double width, double side) {
  std::vector<EpochBlock> blocks;
  if (epochs <= 0 || width <= 0) return blocks;
  const double pitch = epochPitch(epochs, width, side);
  qint64 each = 1;
  while (pitch * static_cast<double>(each) < kLeastBlock && each < epochs) each *= 10;
  for (qint64 first = 0; first < epochs; first += each) {
    const qint64 last = std::min(first + each, epochs);
    const double from = std::round(static_cast<double>(first) * pitch);
    const double to = std::round(static_cast<double>(last) * pitch);
    blocks.push_back({first, last, from, std::max(to - 1, from + 1), first / each % 10 == 0});
  }
  return blocks;
}

qint64 epochAt(qint64 epochs, double width, double side, double pixel) {
  const double pitch = epochPitch(epochs, std::max(width, 1.0), side);
  return std::clamp<qint64>(static_cast<qint64>(std::max(pixel, 0.0) / pitch), 0, std::max<qint64>(epochs - 1, 0));
}

}  // namespace shardlens::ui
