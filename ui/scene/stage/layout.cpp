// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/stage/layout.h"

#include "core/base/text.h"
#include "ui/scene/number_text.h"
#include "ui/state/phrase.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace shardlens::ui {
namespace {

QString rankText(qint64 rank) {
  return phrase("stage", "rank %1").arg(rank);
}
QString nodeText(qint64 node) {
  return phrase("stage", "node %1").arg(node);
}

std::vector<AxisLabel> everyRank(const StageAxis& ranks, const PipelineSpec::World& world) {
  std::vector<AxisLabel> labels;
  for (int i = 0; i < ranks.bins(); ++i) {
    const qint64 rank = ranks.bin(i).first;
    labels.push_back({ranks.middleOf(rank), rankText(rank), nodeText(world.nodeOf(Rank{rank})), rank});
  }
  return labels;
}

/// Names ranks whose rows are thinner than a line of text: node by node, as many as fit below one another.
class ThinRankLabels {
 public:
  ThinRankLabels(const StageAxis& ranks, qint64 ranks_per_node, double line)
      : ranks_(ranks), per_node_(ranks_per_node), line_(line) {
    const double node_height = static_cast<double>(per_node_) * ranks.pitch + ranks.gapShown();
    constexpr double kAir = 1.25;  // between the names of two nodes
    nodes_apart_ = tickDistance(node_height, line * kAir);
    while (static_cast<double>(apart_) * ranks.pitch < line) apart_ *= 2;
  }

  std::vector<AxisLabel> labels() {
    const qint64 group = nodes_apart_ * per_node_;
    const qint64 seen = std::max<qint64>(0, static_cast<qint64>(std::floor(ranks_.first)));
    for (qint64 node = seen / group * group; node < ranks_.count; node += group) {
      if (topOf(node) >= ranks_.length) break;
      addNode(node, std::min(node + group, ranks_.count));
    }
    addLast();
    return std::move(labels_);
  }

 private:
  /// Where the name of a rank begins: around the middle of its row, or below the line between nodes that touch.
  [[nodiscard]] double topOf(qint64 rank) const {
    const bool touches_line = ranks_.gapShown() <= 0 && per_node_ < ranks_.count;
    return touches_line ? ranks_.pixelOf(static_cast<double>(rank)) : ranks_.middleOf(rank) - line_ / 2;
  }

  /// The first rank, and others of the node as far as they keep clear of the next one.
  void addNode(qint64 first, qint64 end) {
    add(first, first == 0 && ranks_.middleOf(0) >= 0 ? std::max(topOf(first), -kRankNameBeyond) : topOf(first));
    if (nodes_apart_ > 1) return;
    const double clear = end < ranks_.count ? topOf(end) - line_ : ranks_.length;
    for (qint64 rank = first + apart_; rank < end && topOf(rank) <= clear; rank += apart_) add(rank, topOf(rank));
  }

  /// The last rank of all is always named, in the place of one that is too close to it.
  void addLast() {
    const qint64 last = ranks_.count - 1;
    if (last <= 0 || ranks_.middleOf(last) >= ranks_.length) return;
    const double top = std::min(topOf(last), ranks_.length + kRankNameBeyond - line_);
    while (labels_.size() > 1 && topOf(labels_.back().rank) + line_ > top) labels_.pop_back();
    if (labels_.empty() || topOf(labels_.back().rank) + line_ <= top) add(last, top);
  }

  void add(qint64 rank, double top) {
    if (top < -kRankNameBeyond || top + line_ > ranks_.length + kRankNameBeyond) return;
    const bool begins_node = rank % per_node_ == 0 && nodes_apart_ == 1;
    labels_.push_back({top + line_ / 2, rankText(rank), begins_node ? nodeText(rank / per_node_) : QString(), rank});
  }

  const StageAxis& ranks_;
  qint64 per_node_;
  double line_;
  qint64 nodes_apart_ = 1;
  qint64 apart_ = 1;  ///< named ranks of a node
  std::vector<AxisLabel> labels_;
};

constexpr double kChipWidth = 42;
constexpr double kChipHeight = 30;
constexpr double kSmallestChip = 24;
constexpr double kChipGap = 8;

}  // namespace

StageLayout stageLayout(QSize size, bool steps_overview, bool ranks_overview, double rows_height, double scale,
                        bool narrow, bool legend) {
  const auto s = [scale](double length) { return static_cast<int>(std::lround(length * scale)); };
  StageLayout out;
  out.frame = QRect(QPoint(0, 0), size).adjusted(0, s(2), 0, 0);
  QRect inner = out.frame.adjusted(s(12), s(7), -s(10), -s(4));
  if (legend) {
    out.legend = QRect(inner.left(), out.frame.bottom() - s(28), inner.width(), s(28));
    inner.setBottom(out.legend.top() - s(2));
    out.head = QRect(inner.left(), out.frame.top() + s(3), inner.width(), s(24));
    inner.setTop(out.head.bottom() + s(6));
  }
  const int label_width = s(narrow ? 48 : 116);
  out.narrow = narrow;
  const int axis_height = s(22);
  const int overview = s(8);
  const int right = ranks_overview ? overview + s(6) : 0;
  const int below = axis_height + (steps_overview ? overview + s(6) : 0);
  out.cells = inner.adjusted(label_width, 0, -right, -below);
  out.cells.setHeight(std::clamp(static_cast<int>(std::ceil(rows_height)), 1, std::max(out.cells.height(), 1)));
  out.labels = QRect(inner.left(), out.cells.top(), label_width, out.cells.height());
  out.axis = QRect(out.cells.left(), out.cells.bottom() + 1, out.cells.width(), axis_height);
  if (steps_overview) out.steps_overview = QRect(out.cells.left(), out.axis.bottom() + 1, out.cells.width(), overview);
  if (ranks_overview)
    out.ranks_overview = QRect(inner.right() - overview + 1, out.cells.top(), overview, out.cells.height());
  return out;
}

double stepSpacing(const StageAxis& steps, double digit, bool narrow) {
  constexpr double kGenerous = 12;
  constexpr double kBetween = 2;
  const auto digits = static_cast<double>(number(std::max<qint64>(steps.count - 1, 0)).size());
  return digit * (narrow ? std::min(digits + kBetween, kGenerous) : kGenerous);
}

std::vector<AxisLabel> stepLabels(const StageAxis& steps, double spacing) {
  std::vector<AxisLabel> labels;
  if (steps.count <= 0) return labels;
  const qint64 distance = tickDistance(steps.pitch, spacing);
  const double middle = steps.pitch >= StageMetrics::kTouching ? 0.5 : 0;
  const qint64 start = static_cast<qint64>(std::ceil(steps.first / static_cast<double>(distance))) * distance;
  for (qint64 step = start; step < steps.count; step += distance) {
    const double pixel = steps.pixelOf(static_cast<double>(step) + middle);
    if (pixel > steps.length) break;
    labels.push_back({pixel, number(step), {}, -1});
  }
  return labels;
}

std::vector<AxisLabel> rankLabels(const StageAxis& ranks, const PipelineSpec::World& world, double line, bool narrow) {
  const qint64 block = world.ranks_per_node.ofEveryNode().value_or(world.size());
  std::vector<AxisLabel> labels =
      ranks.pitch >= line ? everyRank(ranks, world) : ThinRankLabels(ranks, block, line).labels();
  for (AxisLabel& label : labels) {
    if (narrow) label = {label.pixel, label.text.section(' ', -1), {}, label.rank};
  }
  return labels;
}

std::vector<int> nodeLines(const StageAxis& ranks, qint64 ranks_per_node) {
  std::vector<int> lines;
  if (static_cast<double>(ranks_per_node) * ranks.pitch < 3 * StageMetrics::kTouching) return lines;
  const qint64 first_node = static_cast<qint64>(std::floor(ranks.first)) / ranks_per_node + 1;
  for (qint64 rank = first_node * ranks_per_node; rank < ranks.count; rank += ranks_per_node) {
    const double pixel = ranks.pixelOf(static_cast<double>(rank)) - ranks.gapShown() / 2;
    if (pixel >= ranks.length) break;
    if (pixel < 0) continue;
    lines.push_back(static_cast<int>(std::lround(pixel)));
  }
  return lines;
}

OverviewHandle overviewHandle(const StageAxis& axis, int length) {
  if (axis.count <= 0) return {};
  const double size = std::max(length * axis.length / axis.content(), 14.0);
  const double free = axis.content() - axis.length;
  const double from = free > 0 ? -axis.pixelOf(0) / free * (length - size) : 0;
  return {from, std::min(from + size, static_cast<double>(length))};
}

bool CellRoom::chips(qint64 samples, SampleIndex largest) const {
  if (samples <= 0 || height < 34) return false;
  const double number = 8 + 7.5 * static_cast<double>(QString::number(largest).size());
  const double chip = std::max(kSmallestChip, number) + kChipGap / 2;
  return width - 12 >= static_cast<double>(samples) * chip - kChipGap / 2;
}

bool CellRoom::ids(qint64 samples, SampleIndex largest) const {
  constexpr double kDigit = 7.5;
  constexpr qint64 kFewest = 4;  // fewer of many mean nothing
  if (samples <= 0 || width < 44 || height < 16) return false;
  const auto digits = static_cast<double>(QString::number(largest).size());
  const auto shown = static_cast<double>(std::min(samples, kFewest));
  return width - 8 >= (shown * (digits + 2) - 2) * kDigit;
}

std::vector<QRectF> chipPlaces(const QRectF& cell, qint64 samples) {
  std::vector<QRectF> places;
  if (samples <= 0) return places;
  const auto count = static_cast<double>(samples);
  const double gap = cell.width() - 8 >= count * (kChipWidth + kChipGap) ? kChipGap : kChipGap / 2;
  const double width = std::min(kChipWidth, (cell.width() - 8 + gap) / count - gap);
  const double height = std::min(kChipHeight, cell.height() - 8);
  const double left = cell.center().x() - (count * (width + gap) - gap) / 2;
  for (qint64 i = 0; i < samples; ++i) {
    places.emplace_back(left + static_cast<double>(i) * (width + gap), cell.center().y() - height / 2, width, height);
  }
  return places;
}

int cellGap(double pitch) {
  if (pitch < StageMetrics::kTouching) return 0;
  if (pitch < 10) return 1;
  return pitch < 24 ? 2 : static_cast<int>(std::lround(pitch / 6));
}

}  // namespace shardlens::ui
