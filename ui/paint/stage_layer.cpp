// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/stage_layer.h"

#include "ui/paint/cell_marks.h"
#include "ui/paint/hatch.h"
#include "ui/scene/palette.h"
#include "ui/scene/stage/layout.h"

#include <QHash>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace shardlens::ui {
namespace {

/// A cell that is so wide is hatched only as far as it is padded.
constexpr double kWide = 24;

double radiusOf(const QRectF& rect) {
  return std::min(4.0, std::min(rect.width(), rect.height()) / 4);
}

/// Where cells are smaller than this, an edge would be all that is seen of them.
constexpr double kRingBlurs = 10;  ///< smaller cells have a ring of whole pixels
constexpr double kEdgeFrom = 8;
constexpr double kLow = 18;  ///< lower cells have their ids in smaller letters

/// Paints the cells of one grid as they look once they are dealt.
class CellPainter {
 public:
  CellPainter(QPainter& painter, const StageGrid& grid, const StageInput& input, bool by_rank, const Theme& theme)
      : painter_(painter), grid_(grid), input_(input), theme_(theme), by_rank_(by_rank) {
    tiny_ = isTiny(grid);
    painter.setRenderHint(QPainter::Antialiasing, !tiny_);
    painter.setFont(uiFont());
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

  static bool isTiny(const StageGrid& grid) {
    return std::min(grid.steps.pitch, grid.ranks.pitch) < StageMetrics::kTouching;
  }

 private:
  /// Too small for rings and hatching: what is wrong takes the whole cell.
  void tinyCell(const StageCell& cell, const QRectF& rect) {
    if (cell.fill <= 0) {
      if (cell.never) painter_.fillRect(rect, mix(neverColor(), theme_.panel, 0.45));
      return;
    }
    const QColor colour = QColor::fromRgb(cell.colour);
    painter_.fillRect(rect, cell.duplicate ? mix(duplicateColor(theme_), colour, 0.8) : colour);
    if (cell.differs) painter_.fillRect(rect, QBrush(theme_.text, Qt::Dense4Pattern));
    if (cell.padding) painter_.fillRect(rect, paddingColor(theme_));
  }

  void cell(const StageCell& cell, const QRectF& rect) {
    const double radius = radiusOf(rect);
    if (cell.fill <= 0 && cell.never) return paintNever(painter_, rect, radius, theme_);
    if (cell.fill <= 0) return paintNoBatch(painter_, rect, radius, theme_);
    if (!cell.chips.empty()) {
      chips(cell, rect);
    } else {
      filled(cell, rect, radius);
    }
    const double side = std::min(rect.width(), rect.height());
    if (cell.duplicate && side < kRingBlurs) {
      thinRing(rect);
    } else if (cell.duplicate) {
      paintDuplicateRing(painter_, rect, radius, side >= 12 ? 1.6 : 1.0, theme_);
    }
    if (cell.differs) paintDogEar(painter_, rect, std::clamp(side * 0.45, 3.0, 7.0), theme_);
  }

  /// One pixel, whole: smoothed between two, it would leave nothing of the colour of a cell of a few pixels.
  void thinRing(const QRectF& rect) {
    const QRect place(qRound(rect.left()), qRound(rect.top()), qRound(rect.right()) - qRound(rect.left()),
                      qRound(rect.bottom()) - qRound(rect.top()));
    const QColor colour = duplicateColor(theme_);
    painter_.fillRect(QRect(place.left(), place.top(), place.width(), 1), colour);
    painter_.fillRect(QRect(place.left(), place.bottom(), place.width(), 1), colour);
    painter_.fillRect(QRect(place.left(), place.top(), 1, place.height()), colour);
    painter_.fillRect(QRect(place.right(), place.top(), 1, place.height()), colour);
  }

  void filled(const StageCell& cell, const QRectF& rect, double radius) {
    const QColor colour = QColor::fromRgb(cell.colour);
    const QColor edge = std::min(rect.width(), rect.height()) >= kEdgeFrom ? edgeFor(cell.colour) : colour;
    painter_.setPen(Qt::NoPen);
    if (cell.fill < 1) {
      painter_.setBrush(mix(colour, theme_.panel, 0.25));
      painter_.drawRoundedRect(rect, radius, radius);
    }
    QRectF part = rect;
    part.setWidth(std::max(rect.width() * cell.fill, 2.0));
    painter_.setBrush(colour);
    if (edge == colour) {
      painter_.drawRoundedRect(part, radius, radius);
    } else {
      painter_.setPen(QPen(edge, 1));
      painter_.drawRoundedRect(part.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    }
    if (by_rank_ && std::min(rect.width(), rect.height()) >= kEdgeFrom) {
      paintNotches(painter_, part, rankNotches(cell.rank, input_.world), theme_);
    }
    if (cell.padding) hatch(cell, part, radius);
    if (cell.low >= 0 && cell.label.isEmpty()) spread(cell, part);
    if (!cell.label.isEmpty()) label(cell, part);
  }

  /// On the cell's own colour, hatched or not.
  void label(const StageCell& cell, const QRectF& rect) {
    constexpr double kAround = 3;
    const QColor colour = QColor::fromRgb(cell.colour);
    if (rect.height() < kLow) painter_.setFont(smallFont());
    if (cell.padding) {
      const QRectF text = painter_.boundingRect(rect, Qt::AlignCenter, cell.label);
      painter_.setPen(Qt::NoPen);
      painter_.setBrush(colour);
      painter_.drawRoundedRect(text.adjusted(-kAround, 0, kAround, 0) & rect, kAround, kAround);
    }
    painter_.setPen(readableOn(colour));
    painter_.drawText(rect, Qt::AlignCenter, cell.label);
    painter_.setFont(uiFont());
  }

  /// The batch as a frame in its rank's colour, and each of its samples as a chip.
  void chips(const StageCell& cell, const QRectF& rect) {
    const QColor rank = rankColor(theme_, cell.rank, input_.world);
    painter_.setPen(QPen(edgeOf(theme_, rank), 1));
    painter_.setBrush(mix(rank, theme_.panel, 0.15));
    painter_.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    const std::vector<QRectF> places = chipPlaces(rect, std::max<qint64>(cell.places, std::ssize(cell.chips)));
    for (std::size_t i = 0; i < cell.chips.size(); ++i) paintChip(painter_, cell.chips[i], places[i], theme_);
  }

  /// Which part of the dataset the batch comes from, over the cell's width.
  void spread(const StageCell& cell, const QRectF& rect) {
    constexpr double kThick = 2.2;
    constexpr double kShortest = 2;
    const double left = rect.left() + 3;
    const double width = rect.width() - 6;
    const double length = std::max((cell.high - cell.low) * width, kShortest);
    const double from = std::min(left + cell.low * width, left + width - length);
    painter_.setPen(Qt::NoPen);
    painter_.setBrush(markOn(QColor::fromRgb(cell.colour)));
    painter_.drawRoundedRect(QRectF(from, rect.bottom() - 3 - kThick, length, kThick), 1, 1);
  }

  QColor edgeFor(QRgb fill) {
    const auto known = edges_.find(fill);
    if (known != edges_.end()) return QColor::fromRgb(*known);
    return QColor::fromRgb(*edges_.insert(fill, edgeOf(theme_, QColor::fromRgb(fill)).rgb()));
  }

  /// The padded share of a wide cell, at its end; a narrow one as a whole, so that it is seen.
  void hatch(const StageCell& cell, QRectF rect, double radius) {
    QPainterPath clip;
    clip.addRoundedRect(rect, radius, radius);
    if (rect.width() >= kWide) rect.setLeft(rect.right() - std::max(rect.width() * cell.padded, kWide / 3));
    painter_.save();
    painter_.setClipPath(clip);
    painter_.setClipRect(rect, Qt::IntersectClip);
    painter_.fillRect(rect, theme_.panel);
    paintHatch(painter_, rect, paddingColor(theme_));
    painter_.restore();
  }

  QPainter& painter_;
  const StageGrid& grid_;
  const StageInput& input_;
  const Theme& theme_;
  bool by_rank_;  ///< colours say the rank
  bool tiny_ = false;
  QHash<QRgb, QRgb> edges_;
};

/// The same cells before they are dealt: outlines, so that nothing of the future is told.
bool paintUndealt(QPainter& painter, const StageGrid& grid, const Theme& theme, const Work& work) {
  const bool tiny = CellPainter::isTiny(grid);
  const QColor quiet = mix(theme.cell_empty, theme.panel, 0.6);
  painter.setRenderHint(QPainter::Antialiasing, !tiny);
  for (int row = 0; row < grid.rows; ++row) {
    if (work.stopped()) return false;
    for (int column = 0; column < grid.columns; ++column) {
      const bool has_batch = grid.at(row, column).fill > 0;
      const QRectF rect = cellRect(grid.steps.bin(column), grid.ranks.bin(row), grid.steps, grid.ranks);
      if (tiny) {
        if (has_batch) painter.fillRect(rect, quiet);
      } else if (!has_batch) {
        paintNoBatch(painter, rect, radiusOf(rect), theme);
      } else {
        paintNotDealt(painter, rect, radiusOf(rect), theme);
      }
    }
  }
  return true;
}

QImage blank(const StageAxis& steps, const StageAxis& ranks, qreal ratio, const QColor& colour) {
  QImage image(QSize(steps.length, ranks.length) * ratio, QImage::Format_RGB32);
  image.setDevicePixelRatio(ratio);
  image.fill(colour);
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
  layer->dealt = blank(key.steps, key.ranks, key.ratio, theme.panel);
  layer->undealt = layer->dealt;
  QPainter dealt(&layer->dealt);
  QPainter undealt(&layer->undealt);
  if (!CellPainter(dealt, grid, input, key.colour == StageColour::Rank, theme).paint(work) ||
      !paintUndealt(undealt, grid, theme, work))
    return nullptr;
  dealt.end();
  undealt.end();
  layer->steps_marks = overviewMarks(key, input, facts, true, work);
  layer->ranks_marks = overviewMarks(key, input, facts, false, work);
  layer->samples_read = grid.samples_read;
  if (work.stopped()) return nullptr;
  return layer;
}

}  // namespace shardlens::ui
