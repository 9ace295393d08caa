// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/stage_layer.h"

#include "ui/paint/strip_paint.h"
#include "ui/scene/stage/layout.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace shardlens::ui {
namespace {

/// How much of a cell's colour is left before its step is dealt.
constexpr double kFuture = 0.28;

/// A cell that is so wide is hatched only as far as it is padded.
constexpr double kWide = 24;

/// Paints the cells of one grid.
class CellPainter {
 public:
  CellPainter(QPainter& painter, const StageGrid& grid, const Theme& theme)
      : painter_(painter), grid_(grid), theme_(theme) {
    tiny_ = std::min(grid.steps.pitch, grid.ranks.pitch) < StageMetrics::kTouching;
    painter.setRenderHint(QPainter::Antialiasing, !tiny_);
  }

  bool paint(const Work& work) {
    for (int row = 0; row < grid_.rows; ++row) {
      if (work.stopped()) return false;
      const StageAxis::Bin ranks = grid_.ranks.bin(row);
      for (int column = 0; column < grid_.columns; ++column) {
        const QRectF rect = cellRect(grid_.steps.bin(column), ranks, grid_.steps, grid_.ranks);
        tiny_ ? tinyCell(grid_.at(row, column), rect) : cell(grid_.at(row, column), rect);
      }
    }
    return true;
  }

 private:
  /// Too small for rings and hatching: what is wrong takes the whole cell.
  void tinyCell(const StageCell& cell, const QRectF& rect) {
    if (cell.fill <= 0) return;
    const QColor colour = QColor::fromRgb(cell.colour);
    painter_.fillRect(rect, cell.duplicate ? mix(theme_.error, colour, 0.8) : colour);
    if (cell.differs) painter_.fillRect(rect, QBrush(theme_.accent, Qt::Dense4Pattern));
    if (!cell.padding) return;
    painter_.fillRect(rect, theme_.cell_empty);
    painter_.fillRect(rect, QBrush(theme_.text, Qt::Dense4Pattern));
  }

  void cell(const StageCell& cell, const QRectF& rect) {
    const double radius = std::min(3.0, std::min(rect.width(), rect.height()) / 4);
    painter_.setPen(Qt::NoPen);
    if (cell.fill <= 0) return hollow(rect, radius);
    const QColor colour = QColor::fromRgb(cell.colour);
    if (cell.fill < 1) {
      painter_.setBrush(mix(colour, theme_.panel, 0.25));
      painter_.drawRoundedRect(rect, radius, radius);
    }
    painter_.setBrush(colour);
    QRectF filled = rect;
    filled.setWidth(std::max(rect.width() * cell.fill, 2.0));
    painter_.drawRoundedRect(filled, radius, radius);
    if (cell.padding) hatch(cell, filled, radius);
    if (cell.duplicate) ring(rect, radius);
    if (cell.differs) corner(rect);
  }

  /// "Another batch than the plan beside it": the upper right corner folded, in the accent.
  void corner(const QRectF& rect) {
    const double side = std::clamp(std::min(rect.width(), rect.height()) * 0.45, 3.0, 9.0);
    QPainterPath fold(rect.topRight());
    fold.lineTo(rect.right() - side, rect.top());
    fold.lineTo(rect.right(), rect.top() + side);
    fold.closeSubpath();
    painter_.setPen(QPen(theme_.panel, 1));
    painter_.setBrush(theme_.accent);
    painter_.drawPath(fold);
  }

  /// "No batch here": an outline, so that the ragged edge is seen and not mistaken for the end of the epoch.
  void hollow(const QRectF& rect, double radius) {
    painter_.setBrush(Qt::NoBrush);
    painter_.setPen(QPen(mix(theme_.muted, theme_.panel, 0.45), 1, Qt::DotLine));
    painter_.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
  }

  /// The padded share of a wide cell, at its end; a narrow one as a whole, so that it is seen.
  void hatch(const StageCell& cell, QRectF rect, double radius) {
    QPainterPath clip;
    clip.addRoundedRect(rect, radius, radius);
    if (rect.width() >= kWide) rect.setLeft(rect.right() - std::max(rect.width() * cell.padded, kWide / 3));
    painter_.save();
    painter_.setClipPath(clip);
    painter_.setClipRect(rect, Qt::IntersectClip);
    // Under ids the ground stays as it is and the lines step back: the ids must be readable.
    const QColor colour = QColor::fromRgb(cell.colour);
    if (cell.ids.isEmpty()) painter_.fillRect(rect, mix(colour, theme_.cell_empty, 0.35));
    painter_.setPen(
        QPen(cell.ids.isEmpty() ? mix(theme_.text, theme_.cell_empty, 0.9) : mix(readableOn(colour), colour, 0.3), 1));
    constexpr int kLineEvery = 4;
    const int lines = static_cast<int>((rect.width() + rect.height()) / kLineEvery) + 1;
    for (int line = 0; line < lines; ++line) {
      const double x = rect.left() - rect.height() + 2 + line * kLineEvery;
      painter_.drawLine(QPointF(x, rect.bottom()), QPointF(x + rect.height(), rect.top()));
    }
    painter_.restore();
  }

  void ring(const QRectF& rect, double radius) {
    const double width = rect.width() >= 12 && rect.height() >= 12 ? 1.5 : 1.0;
    painter_.setBrush(Qt::NoBrush);
    painter_.setPen(QPen(theme_.error, width));
    painter_.drawRoundedRect(rect.adjusted(width / 2, width / 2, -width / 2, -width / 2), radius, radius);
  }

  QPainter& painter_;
  const StageGrid& grid_;
  const Theme& theme_;
  bool tiny_ = false;
};

/// Writes the ids into cells that carry them, readable on the bright and on the dimmed picture.
void paintIds(QImage& image, const StageGrid& grid, const Theme& theme, bool dimmed) {
  const auto has_ids = [](const StageCell& cell) { return !cell.ids.isEmpty(); };
  if (std::none_of(grid.cells.begin(), grid.cells.end(), has_ids)) return;
  QPainter painter(&image);
  painter.setFont(uiFont());
  for (int row = 0; row < grid.rows; ++row) {
    for (int column = 0; column < grid.columns; ++column) {
      const StageCell& cell = grid.at(row, column);
      QRectF rect = cellRect(grid.steps.bin(column), grid.ranks.bin(row), grid.steps, grid.ranks);
      rect.setWidth(rect.width() * cell.fill);
      const QColor ground = QColor::fromRgb(cell.colour);
      painter.setPen(dimmed ? mix(theme.text, mix(ground, theme.panel, kFuture), 0.85) : readableOn(ground));
      painter.drawText(rect, Qt::AlignCenter, cell.ids);
    }
  }
}

QImage blank(const StageAxis& steps, const StageAxis& ranks, qreal ratio, const QColor& colour) {
  QImage image(QSize(steps.length, ranks.length) * ratio, QImage::Format_RGB32);
  image.setDevicePixelRatio(ratio);
  image.fill(colour);
  return image;
}

QImage dimmedImage(const QImage& bright, const QColor& panel) {
  QImage image = bright;
  QPainter painter(&image);
  QColor veil = panel;
  veil.setAlphaF(1 - kFuture);
  painter.fillRect(QRectF(QPointF(0, 0), image.deviceIndependentSize()), veil);
  return image;
}

std::vector<OverviewMark> marksOf(const StageGrid& grid) {
  std::vector<OverviewMark> marks;
  for (const StageCell& cell : grid.cells) marks.push_back({cell.padding, cell.duplicate, cell.differs, cell.fill < 1});
  return marks;
}

/// The whole of one axis in `length` pixels against everything of the other in one bin.
StageAxis wholeAxis(const StageAxis& axis, int length) {
  return {axis.count, 0, static_cast<double>(length) / static_cast<double>(std::max<qint64>(axis.count, 1)), length};
}

std::vector<OverviewMark> overviewMarks(const LayerKey& key, const StageInput& input, const EpochFacts* facts,
                                        bool of_steps, const Work& work) {
  const int length = of_steps ? key.steps_overview : key.ranks_overview;
  if (length <= 0) return {};
  const StageAxis steps = wholeAxis(key.steps, of_steps ? length : 1);
  const StageAxis ranks = wholeAxis(key.ranks, of_steps ? 1 : length);
  return marksOf(stageGrid(input, facts, steps, ranks, StageColour::Rank, Theme::light(), work));
}

}  // namespace

QRectF cellRect(const StageAxis::Bin& steps, const StageAxis::Bin& ranks, const StageAxis& steps_axis,
                const StageAxis& ranks_axis) {
  const int gap_x = std::min(cellGap(steps_axis.pitch), 2);
  const int gap_y = cellGap(ranks_axis.pitch);
  return {steps.from + gap_x / 2.0, ranks.from + gap_y / 2.0,
          std::max(1.0, static_cast<double>(steps.to - steps.from - gap_x)),
          std::max(1.0, static_cast<double>(ranks.to - ranks.from - gap_y))};
}

qint64 layerCost(const LayerKey& key) {
  return static_cast<qint64>(key.steps.bins()) * key.ranks.bins() +
         (key.steps_overview > 0 ? key.ranks.count * std::min<qint64>(key.steps_overview, key.steps.count) : 0);
}

std::shared_ptr<const StageLayer> stageLayer(const LayerKey& key, const StageInput& input, const EpochFacts* facts,
                                             const Work& work) {
  const Theme& theme = key.dark ? Theme::darkTheme() : Theme::light();
  const StageGrid grid = stageGrid(input, facts, key.steps, key.ranks, key.colour, theme, work);
  auto layer = std::make_shared<StageLayer>();
  layer->key = key;
  layer->bright = blank(key.steps, key.ranks, key.ratio, theme.panel);
  {
    QPainter painter(&layer->bright);
    if (!CellPainter(painter, grid, theme).paint(work)) return nullptr;
  }
  layer->dimmed = dimmedImage(layer->bright, theme.panel);
  paintIds(layer->bright, grid, theme, false);
  paintIds(layer->dimmed, grid, theme, true);
  layer->steps_marks = overviewMarks(key, input, facts, true, work);
  layer->ranks_marks = overviewMarks(key, input, facts, false, work);
  layer->cells_computed = std::ssize(grid.cells);
  layer->samples_read = grid.samples_read;
  if (work.stopped()) return nullptr;
  return layer;
}

}  // namespace shardlens::ui
