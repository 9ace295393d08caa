// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/stage_paint.h"

#include "ui/paint/cell_marks.h"
#include "ui/scene/number_text.h"
#include "ui/scene/palette.h"
#include "ui/state/phrase.h"

#include <QFontMetricsF>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace shardlens::ui {
namespace {

void paintRankLabels(QPainter& painter, const StageLayout& layout, const StageAxis& ranks, const StageInput& input,
                     const Theme& theme) {
  const QRect& area = layout.labels;
  const QFont name = ranks.pitch >= 18 ? uiFont() : smallFont();
  const double line = QFontMetricsF(name).height();
  QFont medium = name;
  medium.setWeight(QFont::Medium);
  for (const AxisLabel& label : rankLabels(ranks, input.world, line, layout.narrow)) {
    QRectF row(area.left(), area.top() + label.pixel - line / 2, area.width() - 10, line);
    const double side = std::min(12.0, line - 3);
    const double width = side + 6 + QFontMetricsF(medium).horizontalAdvance(label.text);
    if (width <= row.width()) {  // else the number alone
      const QColor colour = rankColor(theme, label.rank, input.world);
      painter.setPen(QPen(edgeOf(theme, colour), 1));
      painter.setBrush(colour);
      const QRectF swatch(row.left() + 0.5, row.center().y() - side / 2, side - 1, side - 1);
      painter.drawRoundedRect(swatch, 3, 3);
      paintNotches(painter, swatch, rankNotches(label.rank, input.world), theme);
      row.setLeft(row.left() + side + 6);
    }
    painter.setFont(medium);
    painter.setPen(theme.text);
    painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, label.text);
    painter.setFont(smallFont());
    painter.setPen(theme.muted);
    constexpr double kBetween = 4;
    const double rest = area.width() - 10 - width - kBetween;
    if (painter.fontMetrics().horizontalAdvance(label.note) > rest) continue;
    painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, label.note);
  }
}

std::vector<AxisLabel> stepNumbers(const StageLayout& layout, const StageAxis& steps) {
  const double digit = QFontMetricsF(smallFont()).horizontalAdvance(QStringLiteral("0"));
  return stepLabels(steps, stepSpacing(steps, digit, layout.narrow));
}

/// Where a step's number stands: around its pixel, inside the axis.
QRectF placeOfNumber(const QRect& area, const AxisLabel& label, const QFont& font) {
  const double width = QFontMetricsF(font).horizontalAdvance(label.text);
  const double left =
      std::clamp(area.left() + label.pixel - width / 2, static_cast<double>(area.left()), area.right() + 1.0 - width);
  return {left, static_cast<double>(area.top()), width + 1, static_cast<double>(area.height())};
}

void paintStepNumbers(QPainter& painter, const StageLayout& layout, const StageAxis& steps, const Theme& theme) {
  painter.setFont(smallFont());
  painter.setPen(theme.muted);
  for (const AxisLabel& label : stepNumbers(layout, steps)) {
    painter.drawText(placeOfNumber(layout.axis, label, painter.font()), Qt::AlignVCenter | Qt::AlignLeft, label.text);
  }
}

QFont boldSmallFont() {
  QFont font = smallFont();
  font.setWeight(QFont::Bold);
  return font;
}

/// The number of a step, if the axis names it.
std::optional<AxisLabel> labelOfStep(const StageLayout& layout, const StageAxis& steps, qint64 step) {
  if (steps.pitch < StageMetrics::kTouching || step < 0 || step >= steps.count) return std::nullopt;
  const QString wanted = number(step);
  for (AxisLabel& label : stepNumbers(layout, steps)) {
    if (label.text == wanted) return std::move(label);
  }
  return std::nullopt;
}

/// What the numbers below the cells are, beside them.
void paintAxisName(QPainter& painter, const StageLayout& layout, const Theme& theme) {
  const QRect beside(layout.labels.left(), layout.axis.top(), layout.labels.width() - 10, layout.axis.height());
  painter.setFont(smallFont());
  painter.setPen(theme.muted);
  painter.drawText(beside, Qt::AlignRight | Qt::AlignVCenter, phrase("stage", "step"));
}

void paintNodeLines(QPainter& painter, const StageLayout& layout, const StageAxis& ranks, qint64 ranks_per_node,
                    const Theme& theme) {
  for (const int pixel : nodeLines(ranks, ranks_per_node)) {
    painter.fillRect(QRect(layout.labels.left(), layout.cells.top() + pixel, layout.labels.width(), 1), theme.hairline);
  }
}

QColor markColour(const OverviewMark& mark, const Theme& theme) {
  if (mark.duplicate) return duplicateColor(theme);
  if (mark.padding) return paddingColor(theme);
  if (mark.differs) return theme.text;
  return mark.ragged ? theme.muted : QColor();
}

void paintOverviewMarks(QPainter& painter, const QRect& area, const std::vector<OverviewMark>& marks, bool vertical,
                        const Theme& theme) {
  const int length = vertical ? area.height() : area.width();
  // Marks are bins of the whole axis: fewer than pixels when there are fewer items.
  const double each = static_cast<double>(length) / static_cast<double>(marks.size());
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const QColor colour = markColour(marks[i], theme);
    if (!colour.isValid()) continue;
    const double at = static_cast<double>(i) * each;
    painter.fillRect(vertical ? QRectF(area.left() + 3, area.top() + at, area.width() - 6, std::max(each, 1.0))
                              : QRectF(area.left() + at, area.top() + 3, std::max(each, 1.0), area.height() - 6),
                     colour);
  }
}

void paintOverview(QPainter& painter, const QRect& area, const StageAxis& axis, const std::vector<OverviewMark>* marks,
                   bool vertical, const Theme& theme) {
  if (area.isEmpty()) return;
  const int length = vertical ? area.height() : area.width();
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme.cell_empty);
  painter.drawRoundedRect(area, 3, 3);
  if (marks != nullptr) paintOverviewMarks(painter, area, *marks, vertical, theme);
  const OverviewHandle handle = overviewHandle(axis, length);
  const double size = handle.to - handle.from;
  const QRectF knob = vertical ? QRectF(area.left(), area.top() + handle.from, area.width(), size)
                               : QRectF(area.left() + handle.from, area.top(), size, area.height());
  QColor glass = theme.accent;
  glass.setAlphaF(0.35F);
  painter.setBrush(glass);
  painter.setPen(QPen(theme.accent, 1));
  painter.drawRoundedRect(knob.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
}
}  // namespace

void paintStageChrome(QPainter& painter, const StageLayout& layout, const StageInput& input, const StageAxis& steps,
                      const StageAxis& ranks, const StageLayer* layer, const Theme& theme) {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme.hairline, 1));
  painter.setBrush(theme.panel);
  painter.drawRoundedRect(QRectF(layout.frame).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
  if (!layout.legend.isEmpty()) {
    painter.fillRect(QRect(layout.legend.left(), layout.legend.top() - 1, layout.legend.width(), 1), theme.hairline);
  }
  if (input.isEmpty() || input.steps == 0) return;
  paintNodeLines(painter, layout, ranks, input.blockSize(), theme);
  painter.save();
  constexpr int kBeyond = static_cast<int>(kRankNameBeyond);
  painter.setClipRect(layout.labels.adjusted(0, -kBeyond, 0, kBeyond));
  paintRankLabels(painter, layout, ranks, input, theme);
  painter.restore();
  paintAxisName(painter, layout, theme);
  paintStepNumbers(painter, layout, steps, theme);
  paintOverview(painter, layout.steps_overview, steps, layer ? &layer->steps_marks : nullptr, false, theme);
  paintOverview(painter, layout.ranks_overview, ranks, layer ? &layer->ranks_marks : nullptr, true, theme);
}

void paintStageCells(QPainter& painter, const QRect& cells, const StageLayer& layer, const StageAxis& steps,
                     const StageAxis& ranks, double dealt, bool veiled) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  const LayerKey& key = layer.key;
  const double left = steps.pixelOf(key.steps.first);
  const double top = ranks.pixelOf(key.ranks.first);
  const double right = steps.pixelOf(key.steps.itemAt(key.steps.length));
  const double bottom = ranks.pixelOf(key.ranks.itemAt(key.ranks.length));
  const QRectF target(cells.left() + left, cells.top() + top, right - left, bottom - top);
  const bool in_place = key.steps == steps && key.ranks == ranks;
  const auto draw = [&](const QImage& image, const QRectF& clip) {
    if (clip.isEmpty()) return;
    painter.setClipRect(clip, Qt::IntersectClip);
    in_place ? painter.drawImage(cells.topLeft(), image) : painter.drawImage(target, image);
  };
  const auto split = static_cast<int>(std::lround(std::clamp(dealt, 0.0, static_cast<double>(cells.width()))));
  constexpr double kVeiled = 0.28;
  painter.setOpacity(veiled ? kVeiled : 1);
  painter.save();
  draw(layer.dealt, QRect(cells.left(), cells.top(), split, cells.height()));
  painter.restore();
  draw(layer.undealt, QRect(cells.left() + split, cells.top(), cells.width() - split, cells.height()));
  painter.restore();
}

void paintCellRing(QPainter& painter, const QRect& cells, const StageAxis& steps, const StageAxis& ranks,
                   CellAddress cell, const QColor& colour, double width) {
  const auto x = steps.pixelOf(static_cast<double>(cell.step));
  const auto y = ranks.pixelOf(static_cast<double>(cell.rank));
  if (x + steps.pitch < 0 || x > cells.width() || y + ranks.pitch < 0 || y > cells.height()) return;
  const double gap_x = std::min(cellGap(steps.pitch), 2);
  const double gap_y = cellGap(ranks.pitch);
  QRectF rect(cells.left() + std::round(x) + gap_x / 2, cells.top() + std::round(y) + gap_y / 2,
              std::max(steps.pitch - gap_x, 5.0), std::max(ranks.pitch - gap_y, 5.0));
  if (steps.pitch < 5) rect.translate(steps.pitch / 2 - 2.5, 0);
  if (ranks.pitch < 5) rect.translate(0, ranks.pitch / 2 - 2.5);
  const double radius = std::min(3.0, std::min(rect.width(), rect.height()) / 4);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(colour, width));
  // Half of the ring lies in the gap, so that the cell's own colour and ring stay in sight.
  painter.drawRoundedRect(rect, radius, radius);
}

void paintMarkedCells(QPainter& painter, const QRect& cells, const StageAxis& steps, const StageAxis& ranks,
                      const std::vector<CellAddress>& marked, const QColor& colour, double width) {
  constexpr double kApart = 4;
  const auto stride = std::max<qint64>(1, static_cast<qint64>(std::ceil(kApart / steps.pitch)));
  const auto first_step = static_cast<qint64>(std::floor(steps.first));
  const auto last_step = static_cast<qint64>(std::ceil(steps.first + steps.shown()));
  const auto last_rank = static_cast<qint64>(std::ceil(ranks.first + ranks.shown()));
  const auto from = [&marked](auto begin, CellAddress cell) { return std::lower_bound(begin, marked.end(), cell); };
  auto at = from(marked.begin(), {static_cast<qint64>(std::floor(ranks.first)), first_step});
  while (at != marked.end() && at->rank < last_rank) {
    const CellAddress cell = *at;
    if (cell.step < first_step) {
      at = from(at, {cell.rank, first_step});
    } else if (cell.step >= last_step) {
      at = from(at, {cell.rank + 1, first_step});
    } else {
      paintCellRing(painter, cells, steps, ranks, cell, colour, width);
      at = from(at, {cell.rank, cell.step + stride});
    }
  }
}

QRect numberOfStep(const StageLayout& layout, const StageAxis& steps, qint64 step) {
  const auto label = labelOfStep(layout, steps, step);
  if (!label) return {};
  return placeOfNumber(layout.axis, *label, boldSmallFont()).toAlignedRect().adjusted(-1, 0, 1, 0);
}

void paintStepUnderWay(QPainter& painter, const StageLayout& layout, const StageAxis& steps, qint64 step,
                       const Theme& theme) {
  const auto label = labelOfStep(layout, steps, step);
  if (!label) return;
  const QRectF place = placeOfNumber(layout.axis, *label, boldSmallFont());
  painter.fillRect(place.adjusted(-1, 1, 1, -1), theme.panel);
  painter.setFont(boldSmallFont());
  painter.setPen(theme.text);
  painter.drawText(place, Qt::AlignVCenter | Qt::AlignLeft, label->text);
}

void paintPlayhead(QPainter& painter, const StageLayout& layout, double pixel, const Theme& theme) {
  if (pixel < -0.5 || pixel > layout.cells.width() + 0.5) return;
  const double x = layout.cells.left() + pixel;
  const double top = layout.frame.top();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(QRectF(x - 1, top + 1, 2, layout.cells.bottom() + 4 - top), theme.accent);
  QPainterPath triangle(QPointF(x - 6, top));
  triangle.lineTo(x + 6, top);
  triangle.lineTo(x, top + 7);
  triangle.closeSubpath();
  painter.fillPath(triangle, theme.accent);
}

void paintStageNotice(QPainter& painter, const QRect& area, const QString& title, const QString& text, double progress,
                      const Theme& theme) {
  QFont bold = uiFont();
  bold.setWeight(QFont::DemiBold);
  const QFontMetrics title_metrics(bold);
  const QFontMetrics text_metrics(uiFont());
  const int width = std::min(area.width() - 40, 520);
  const QRect bounds = text_metrics.boundingRect(QRect(0, 0, width, 400), Qt::AlignHCenter | Qt::TextWordWrap, text);
  const int height = title_metrics.height() + 6 + bounds.height() + (progress >= 0 ? 20 : 0);
  QRect block(area.center().x() - width / 2, area.center().y() - height / 2, width, height);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme.hairline, 1));
  painter.setBrush(theme.panel);
  painter.drawRoundedRect(QRectF(block).adjusted(-15.5, -11.5, 15.5, 11.5), 8, 8);
  painter.setFont(bold);
  painter.setPen(theme.text);
  painter.drawText(block, Qt::AlignHCenter | Qt::AlignTop, title);
  block.setTop(block.top() + title_metrics.height() + 6);
  painter.setFont(uiFont());
  painter.setPen(theme.muted);
  painter.drawText(block, Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, text);
  if (progress < 0) return;
  const QRectF bar(block.center().x() - 100, block.bottom() - 6, 200, 3);
  painter.fillRect(bar, theme.hairline);
  painter.fillRect(QRectF(bar.left(), bar.top(), bar.width() * std::clamp(progress, 0.0, 1.0), bar.height()),
                   theme.accent);
}

void paintThinProgress(QPainter& painter, const QRect& frame, double progress, const Theme& theme) {
  const QRectF bar(frame.left() + 8, frame.bottom() - 1, (frame.width() - 16) * std::clamp(progress, 0.0, 1.0), 2);
  painter.fillRect(bar, theme.accent);
}

}  // namespace shardlens::ui
