// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/stage_paint.h"

#include "ui/paint/cell_marks.h"
#include "ui/scene/number_text.h"
#include "ui/scene/stage/layout.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"

#include <QFontMetricsF>
#include <QHash>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

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

constexpr double kLargestStep = 40;
constexpr double kLargestRank = 28;
constexpr double kUsualStep = 20;
constexpr double kSmallestStep = 8;
constexpr double kNodeGap = 8;
constexpr int kBetweenEpochs = 12;
constexpr qint64 kFewRanks = 2;
constexpr int kBesideCaption = 8;

/// As many steps as are drawn with cells of a size that is easy to read, fewer pixels to a step where that shows all.
StageAxis stepAxis(qint64 steps, int width) {
  const double all = static_cast<double>(width) / static_cast<double>(std::max<qint64>(steps, 1));
  const double pitch = all >= kSmallestStep ? std::min(all, kLargestStep) : kUsualStep;
  const auto shown = std::min(steps, static_cast<qint64>(width / pitch));
  return {shown, 0, pitch, static_cast<int>(static_cast<double>(shown) * pitch)};
}

/// Nodes stand apart, as on the Stage.
StageAxis ranksOf(qint64 ranks, qint64 ranks_per_node, int height) {
  StageAxis axis{ranks, 0, 1, height, ranks_per_node, kNodeGap};
  axis = axis.fitted(kLargestRank);
  axis.length = std::min(height, static_cast<int>(std::ceil(axis.content())));
  return axis;
}

struct Part {
  std::shared_ptr<const EpochPlan> epoch;
  std::shared_ptr<const StageLayer> layer;
};

/// What a block of rows is, at its left.
struct Caption {
  QString words;
  double middle = 0;  ///< of the block, from its top
};

/// Whether rows are named by node: several that have as many ranks each.
bool namesNodes(const Plan& plan) {
  return plan.spec().world.nodes > 1 && plan.spec().world.ranks_per_node.ofEveryNode().has_value();
}

/// One epoch of several by its number; else nodes, where there are some; else ranks. As many as have a line each.
std::vector<Caption> captionsOf(const Plan& plan, int epochs, int epoch, const StageAxis& ranks) {
  if (epochs > 1) return {{phrase("stage", "epoch %1").arg(epoch), ranks.length / 2.0}};
  const double line = QFontMetricsF(smallFont()).height();
  const bool nodes = namesNodes(plan);
  const qint64 each = nodes ? plan.spec().world.mostRanksOnNode() : 1;
  std::vector<Caption> captions;
  double free_from = -line;
  for (qint64 rank = 0; rank < ranks.count; rank += each) {
    const double top = ranks.pixelOf(static_cast<double>(rank));
    const double bottom = ranks.pixelOf(static_cast<double>(std::min(rank + each, ranks.count) - 1)) + ranks.pitch;
    const double middle = (top + bottom) / 2;
    if (middle - line / 2 < free_from || bottom > ranks.length + 1) continue;
    captions.push_back(
        {nodes ? phrase("stage", "node %1").arg(rank / each) : phrase("stage", "rank %1").arg(rank), middle});
    free_from = middle + line / 2;
  }
  return captions;
}

/// Room for the widest caption of the picture.
int captionWidth(const Plan& plan, int epochs) {
  const QString words = epochs > 1         ? phrase("stage", "epoch %1").arg(epochs - 1)
                        : namesNodes(plan) ? phrase("stage", "node %1").arg(plan.spec().world.nodes - 1)
                                           : phrase("stage", "rank %1").arg(plan.spec().worldSize() - 1);
  return static_cast<int>(std::ceil(QFontMetricsF(smallFont()).horizontalAdvance(words))) + kBesideCaption;
}

std::optional<Part> partOf(const Plan& plan, Epoch number, QSize room, bool dark, qreal ratio, const Work& work) {
  auto drawn = plan.epoch(number, work);
  if (!drawn) return std::nullopt;
  Part part;
  part.epoch = std::make_shared<const EpochPlan>(*std::move(drawn));
  const StageInput input = stageInput(1, plan.spec(), part.epoch);
  const auto facts = EpochFacts::compute(*part.epoch, input.dataset_size, work);
  if (facts == nullptr || input.steps == 0) return std::nullopt;
  LayerKey key;
  key.epoch = part.epoch.get();
  key.facts = facts.get();
  key.steps = stepAxis(input.steps, room.width());
  key.ranks = ranksOf(input.ranks(), input.blockSize(), room.height());
  key.dark = dark;
  key.ratio = ratio;
  part.layer = stageLayer(key, input, facts.get(), work);
  return part.layer ? std::optional(std::move(part)) : std::nullopt;
}

constexpr double kCellRadius = 4;
constexpr double kGlow = 4;
constexpr double kChipRadius = 5;

QColor withAlpha(QColor colour, double alpha) {
  colour.setAlphaF(static_cast<float>(alpha));
  return colour;
}

void paintDashed(QPainter& painter, const QRectF& place, double radius, const QColor& edge, const QColor& fill) {
  QPen pen(edge, 1.4);
  pen.setDashPattern({3, 2});
  painter.setPen(pen);
  painter.setBrush(fill);
  painter.drawRoundedRect(place.adjusted(0.7, 0.7, -0.7, -0.7), radius, radius);
}

void paintLanding(QPainter& painter, const Landing& landing, const Theme& theme) {
  if (landing.glow < 0) {
    return paintDashed(painter, landing.cell, kCellRadius, edgeOf(theme, landing.rank),
                       mix(landing.rank, theme.panel, 0.06));
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(withAlpha(landing.rank, 0.3 * landing.glow), kGlow));
  painter.drawRoundedRect(landing.cell.adjusted(-kGlow / 2, -kGlow / 2, kGlow / 2, kGlow / 2), kCellRadius + 2,
                          kCellRadius + 2);
}

void paintPlaces(QPainter& painter, const Flight& flight, const Theme& theme) {
  const QColor edge = edgeOf(theme, flight.rank);
  if (flight.from.width() >= 8) paintDashed(painter, flight.from, 3, edge, mix(flight.rank, theme.panel, 0.15));
  if (!flight.is_dot) paintDashed(painter, flight.to, kChipRadius, withAlpha(edge, 0.6), Qt::transparent);
}

/// Faint where it began.
void paintTrail(QPainter& painter, const Flight& flight) {
  constexpr double kFaintest = 0.06;
  constexpr double kStrongest = 0.56;
  painter.setBrush(Qt::NoBrush);
  for (std::size_t i = 1; i < flight.trail.size(); ++i) {
    const double way = static_cast<double>(i) / static_cast<double>(flight.trail.size() - 1);
    painter.setPen(QPen(withAlpha(flight.rank, kFaintest + (kStrongest - kFaintest) * way), 1.5));
    painter.drawLine(flight.trail[i - 1], flight.trail[i]);
  }
}

void paintFlight(QPainter& painter, const Flight& flight, const Theme& theme) {
  if (flight.is_dot) {
    painter.setPen(QPen(theme.panel, 0.8));
    painter.setBrush(QColor::fromRgb(flight.chip.colour));
    return painter.drawEllipse(flight.at);
  }
  painter.setPen(Qt::NoPen);
  painter.setBrush(withAlpha(Qt::black, 0.14));
  painter.drawRoundedRect(flight.at.translated(0, 2).adjusted(-2, -1, 2, 2), kChipRadius + 2, kChipRadius + 2);
  painter.setBrush(theme.panel);
  painter.drawRoundedRect(flight.at.adjusted(-1.5, -1.5, 1.5, 1.5), kChipRadius + 1, kChipRadius + 1);
  paintChip(painter, flight.chip, flight.at, theme);
}

/// From its tick down into the knot.
void paintHairs(QPainter& painter, const Ribbon& ribbon) {
  constexpr double kHairOpacity = 0.42;
  QPen pen(withAlpha(ribbon.colour, kHairOpacity * ribbon.opacity), 1);
  pen.setCosmetic(true);  // wider ones are filled polygons: many times the cost
  painter.setPen(pen);
  painter.setBrush(Qt::NoBrush);
  QPainterPath hairs;
  for (const QPointF& tick : ribbon.ticks) {
    const QPointF from = tick + QPointF(0, 3);
    const QPointF to = from + (ribbon.knot - from) * ribbon.hairs;
    hairs.moveTo(from);
    hairs.cubicTo({from.x(), to.y()}, {to.x(), from.y()}, to);
  }
  painter.drawPath(hairs);
  for (const QPointF& tick : ribbon.ticks) painter.fillRect(QRectF(tick.x() - 1, tick.y(), 2, 3), ribbon.colour);
}

/// Straight parts are filled rectangles: a stroke of this width costs many times as much.
void paintPath(QPainter& painter, const Ribbon& ribbon, const QColor& colour) {
  const double half = ribbon.width / 2;
  painter.setPen(QPen(colour, ribbon.width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  std::vector<QPointF> corner;
  const auto bend = [&] {
    if (corner.size() > 1) painter.drawPolyline(corner.data(), static_cast<int>(corner.size()));
    corner.clear();
  };
  for (std::size_t i = 1; i < ribbon.path.size(); ++i) {
    const QRectF along = QRectF(ribbon.path[i - 1], ribbon.path[i]).normalized();
    const bool is_straight = std::min(along.width(), along.height()) < 0.01 && along.width() + along.height() > half;
    if (is_straight) {
      bend();
      const bool is_upright = along.height() > along.width();
      painter.fillRect(is_upright ? along.adjusted(-half, 0, half, 0) : along.adjusted(0, -half, 0, half), colour);
    } else {
      if (corner.empty()) corner.push_back(ribbon.path[i - 1]);
      corner.push_back(ribbon.path[i]);
    }
  }
  bend();
}

void paintRibbon(QPainter& painter, const Ribbon& ribbon, const Theme& theme) {
  constexpr double kRibbonGlow = 3;
  constexpr double kSmallCell = 12;
  painter.setBrush(Qt::NoBrush);
  const bool is_small = std::min(ribbon.cell.width(), ribbon.cell.height()) < kSmallCell;
  if (ribbon.glow > 0) {
    painter.setPen(QPen(mix(ribbon.colour, theme.panel, 0.38 * ribbon.glow), kRibbonGlow));
    painter.drawRoundedRect(ribbon.cell.adjusted(-1.5, -1.5, 1.5, 1.5), kCellRadius + 1, kCellRadius + 1);
  } else if (ribbon.opacity == 1) {
    QPen outline(edgeOf(theme, ribbon.colour), is_small ? 1 : 1.2);
    if (!is_small) outline.setDashPattern({3, 2});
    outline.setCosmetic(is_small);
    painter.setPen(outline);
    painter.drawRoundedRect(ribbon.cell.adjusted(0.6, 0.6, -0.6, -0.6), is_small ? 0 : kCellRadius,
                            is_small ? 0 : kCellRadius);
  }
  paintPath(painter, ribbon, mix(ribbon.colour, theme.panel, ribbon.opacity));
}

/// A place of the strip: framed where it is wide enough, else a tick below it.
void paintSource(QPainter& painter, const QRectF& place, const DealMark& mark, const Theme& theme) {
  constexpr double kFramed = 8;
  const QColor edge = edgeOf(theme, mark.rank);
  if (place.width() < kFramed) {
    return painter.fillRect(QRectF(place.center().x() - 1.5, place.bottom() + 2, 3, 4), edge);
  }
  constexpr double kGap = 2;  // between two places
  const QRectF cell = place.adjusted(0, 0, -kGap, 0);
  if (!mark.has_come) return paintDashed(painter, cell, 3, edge, mix(mark.rank, theme.panel, 0.15));
  // What has come may have the colour of its rank: a line of the panel inside the frame sets it off.
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(edge, 2));
  painter.drawRoundedRect(cell.adjusted(1, 1, -1, -1), 3, 3);
  painter.setPen(QPen(theme.panel, 2));
  painter.drawRoundedRect(cell.adjusted(3, 3, -3, -3), 2, 2);
}

void paintMarkedCell(QPainter& painter, const DealMark& mark, const Theme& theme) {
  constexpr double kSmallCell = 12;
  const QColor edge = edgeOf(theme, mark.rank);
  const bool is_small = std::min(mark.cell.width(), mark.cell.height()) < kSmallCell;
  const double radius = is_small ? 1 : kCellRadius;
  if (!mark.has_come && !is_small) {
    return paintDashed(painter, mark.cell, radius, edge, mix(mark.rank, theme.panel, 0.06));
  }
  const double out = is_small ? 0 : 1;  // into the gap, so that the batch's own ring stays in sight
  painter.setPen(QPen(edge, is_small ? 1.4 : 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(mark.cell.adjusted(-out, -out, out, out), radius, radius);
}

constexpr double kStrongest = 0.7;

/// As much of the way as is drawn: it leaves the strip and comes to its place upright.
QPainterPath wayOf(const TurnLine& line) {
  const QPointF way = line.to - line.from;
  // The first part of a cubic curve is a cubic curve, too (de Casteljau).
  const double t = line.drawn;
  const auto mid = [t](QPointF one, QPointF other) { return one + (other - one) * t; };
  const QPointF first = line.from + QPointF(0, way.y() / 2);
  const QPointF second = line.to - QPointF(0, way.y() / 2);
  const QPointF a = mid(line.from, first);
  const QPointF b = mid(first, second);
  const QPointF c = mid(second, line.to);
  QPainterPath path(line.from);
  path.cubicTo(a, mid(a, b), mid(mid(a, b), mid(b, c)));
  return path;
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

std::optional<PlanPicture> planPicture(const Plan& plan, QSize size, bool dark, qreal ratio, const Work& work) {
  const qint64 ranks = plan.spec().worldSize();
  const int epochs = ranks <= kFewRanks && plan.epochs() > 1 ? 2 : 1;
  const int beside = captionWidth(plan, epochs);
  const QSize room(size.width() - beside, (size.height() - (epochs - 1) * kBetweenEpochs) / epochs);
  std::vector<Part> parts;
  int height = (epochs - 1) * kBetweenEpochs;
  for (int i = 0; i < epochs; ++i) {
    auto part = partOf(plan, Epoch{i}, room, dark, ratio, work);
    if (!part) return std::nullopt;
    height += part->layer->key.ranks.length;
    parts.push_back(*std::move(part));
  }
  const Theme& look = dark ? Theme::darkTheme() : Theme::light();
  const auto drawn = [&](QImage StageLayer::*image) {
    QImage picture(size * ratio, QImage::Format_RGB32);
    picture.setDevicePixelRatio(ratio);
    picture.fill(look.panel);
    QPainter painter(&picture);
    int top = (size.height() - height) / 2;
    painter.setFont(smallFont());
    painter.setPen(look.muted);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Part& part = parts[i];
      const int left = (size.width() - beside - part.layer->key.steps.length) / 2;
      for (const Caption& caption : captionsOf(plan, epochs, static_cast<int>(i), part.layer->key.ranks)) {
        painter.drawText(QRectF(left, top + caption.middle - 10, beside, 20), Qt::AlignLeft | Qt::AlignVCenter,
                         caption.words);
      }
      painter.drawImage(QPoint(left + beside, top), (*part.layer).*image);
      top += part.layer->key.ranks.length + kBetweenEpochs;
    }
    return picture;
  };
  return PlanPicture{drawn(&StageLayer::dealt), drawn(&StageLayer::undealt)};
}

void paintRibbons(QPainter& painter, const std::vector<Ribbon>& ribbons, const Theme& theme) {
  painter.setRenderHint(QPainter::Antialiasing);
  for (const Ribbon& ribbon : ribbons) paintHairs(painter, ribbon);
  for (const Ribbon& ribbon : ribbons) paintRibbon(painter, ribbon, theme);
}

QRegion regionOf(const std::vector<Ribbon>& ribbons) {
  QRectF all;
  for (const Ribbon& ribbon : ribbons) {
    all = all.united(ribbon.cell).united(QRectF(ribbon.knot, QSizeF(1, 1)));
    for (const QPointF& tick : ribbon.ticks) all = all.united(QRectF(tick, QSizeF(1, 1)));
    for (const QPointF& point : ribbon.path) all = all.united(QRectF(point, QSizeF(1, 1)));
  }
  return ribbons.empty() ? QRegion() : QRegion(all.adjusted(-8, -8, 8, 8).toAlignedRect());
}

void paintMarks(QPainter& painter, const std::vector<DealMark>& marks, const Theme& theme) {
  painter.setRenderHint(QPainter::Antialiasing);
  for (const DealMark& mark : marks) {
    for (const QRectF& place : mark.sources) paintSource(painter, place, mark, theme);
    paintMarkedCell(painter, mark, theme);
  }
}

QRegion regionOf(const std::vector<DealMark>& marks) {
  QRectF places;
  QRectF cells;
  for (const DealMark& mark : marks) {
    cells = cells.united(mark.cell);
    for (const QRectF& place : mark.sources) places = places.united(place);
  }
  if (marks.empty()) return {};
  return QRegion(places.adjusted(-3, -3, 3, 8).toAlignedRect()) + cells.adjusted(-3, -3, 3, 3).toAlignedRect();
}

void paintDeal(QPainter& painter, const DealFrame& deal, const Theme& theme) {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(uiFont());
  for (const Landing& landing : deal.landings) paintLanding(painter, landing, theme);
  for (const Flight& flight : deal.flights) paintPlaces(painter, flight, theme);
  for (const Flight& flight : deal.flights) paintTrail(painter, flight);
  for (const Flight& flight : deal.flights) paintFlight(painter, flight, theme);
}

QRegion regionOf(const DealFrame& deal) {
  QRegion region;
  const auto add = [&region](const QRectF& rect) { region += rect.adjusted(-7, -7, 7, 7).toAlignedRect(); };
  for (const Landing& landing : deal.landings) add(landing.cell);
  for (const Flight& flight : deal.flights) {
    add(flight.from);
    add(flight.at);
    for (std::size_t i = 4; i < flight.trail.size(); i += 4) {
      add(QRectF(flight.trail[i - 4], flight.trail[i]).normalized());
    }
  }
  return region;
}

void paintTurn(QPainter& painter, const EpochTurn& turn) {
  if (turn.isEmpty()) return;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  for (const TurnLine& line : turn.lines) {
    QColor colour = line.colour;
    colour.setAlphaF(static_cast<float>(kStrongest * turn.opacity));
    QPen pen(colour, 1);
    pen.setCosmetic(true);  // wider ones are filled polygons: many times the cost
    painter.setPen(pen);
    painter.drawPath(wayOf(line));
  }
}

QRegion regionOf(const EpochTurn& turn) {
  QRectF all;
  for (const TurnLine& line : turn.lines) all |= QRectF(line.from, line.to).normalized().adjusted(-2, -1, 2, 1);
  return turn.isEmpty() ? QRegion() : QRegion(all.toAlignedRect());
}

}  // namespace shardlens::ui
