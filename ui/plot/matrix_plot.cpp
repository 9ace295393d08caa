// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/matrix_plot.h"

#include "ui/plot/plot_style.h"
#include "ui/scene/tabs/heat.h"
#include "ui/scene/theme.h"

#include <QKeyEvent>
#include <QRegion>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <optional>

namespace shardlens::ui {
namespace {

/// Cells with gaps and rounded corners: for matrices of few rows.
class CellsItem : public QCPAbstractItem {
 public:
  explicit CellsItem(QCustomPlot* plot) : QCPAbstractItem(plot) { setSelectable(false); }
  double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

  const Heat* heat = nullptr;
  HeatColours colours;

 protected:
  void draw(QCPPainter* painter) override;
};

/// Hatching over the cells that hold anything, drawn together in blocks: for matrices of many rows.
class HatchItem : public QCPAbstractItem {
 public:
  explicit HatchItem(QCustomPlot* plot) : QCPAbstractItem(plot) { setSelectable(false); }
  double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

  Heat blocks;       ///< the table with `block` x `block` cells drawn as one
  qint64 block = 1;  ///< rows of a block
  QColor colour;

 protected:
  void draw(QCPPainter* painter) override;
};

/// Hairlines between groups, the rings of the chosen cell and of its mirror image, and the cell cursor.
class MarksItem : public QCPAbstractItem {
 public:
  explicit MarksItem(QCustomPlot* plot) : QCPAbstractItem(plot) {
    setSelectable(false);
    setClipToAxisRect(false);
  }
  double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

  qint64 size = 0;
  qint64 group = 0;
  std::optional<HeatCell> selected;
  std::optional<HeatCell> cursor;

 protected:
  void draw(QCPPainter* painter) override;

 private:
  void drawGroups(QCPPainter* painter) const;
  void drawRing(QCPPainter* painter, HeatCell cell, const QPen& pen) const;
};

constexpr double kGap = 2;
constexpr double kRadius = 2;
constexpr double kSmallestRing = 9;

/// Antialiasing without the half pixel by which QCPPainter moves everything along with it.
void smoothOnPixels(QCPPainter* painter) {
  painter->setAntialiasing(false);
  painter->setRenderHint(QPainter::Antialiasing);
}

QRect pixelsOf(const QRectF& rect) {
  return {rect.topLeft().toPoint(), rect.bottomRight().toPoint() - QPoint(1, 1)};
}

/// Lines so close that even the smallest cell has a part of one.
void drawHatch(QCPPainter* painter, const QRegion& region, const QColor& colour) {
  constexpr int kPitch = 4;
  if (region.isEmpty()) return;
  painter->save();
  painter->setAntialiasing(false);
  painter->setClipRegion(region, Qt::IntersectClip);
  painter->setPen(QPen(colour, 1));
  const QRect all = region.boundingRect();
  const int first = (all.left() + all.top()) / kPitch * kPitch;
  for (int sum = first; sum <= all.right() + all.bottom(); sum += kPitch) {
    painter->drawLine(QPoint(sum - all.bottom(), all.bottom()), QPoint(sum - all.top(), all.top()));
  }
  painter->restore();
}

/// The pixels of a cell, gap included.
QRectF cellRect(const QCustomPlot& plot, HeatCell cell) {
  const auto x = [&plot](qint64 column) { return plot.xAxis->coordToPixel(static_cast<double>(column) - 0.5); };
  const auto y = [&plot](qint64 row) { return plot.yAxis->coordToPixel(static_cast<double>(row) - 0.5); };
  return {QPointF(x(cell.column), y(cell.row)), QPointF(x(cell.column + 1), y(cell.row + 1))};
}

void CellsItem::draw(QCPPainter* painter) {
  if (heat == nullptr) return;
  smoothOnPixels(painter);
  painter->setPen(Qt::NoPen);
  QRegion hatched;
  for (qint64 row = 0; row < heat->size; ++row) {
    for (qint64 column = 0; column < heat->size; ++column) {
      const float value = heat->at(row, column);
      const QRectF rect = cellRect(*mParentPlot, {row, column}).adjusted(kGap / 2, kGap / 2, -kGap / 2, -kGap / 2);
      const bool padding = colours.hatched && value > 0;
      painter->setBrush(row == column ? colours.diagonal : padding ? colours.empty : colours.of(value));
      painter->drawRoundedRect(rect, kRadius, kRadius);
      if (padding && row != column) hatched += pixelsOf(rect);
    }
  }
  drawHatch(painter, hatched, colours.hot);
}

void HatchItem::draw(QCPPainter* painter) {
  QRegion region;
  for (qint64 row = 0; row < blocks.size; ++row) {
    for (qint64 column = 0; column < blocks.size; ++column) {
      if (blocks.at(row, column) <= 0) continue;
      const QRectF from = cellRect(*mParentPlot, {row * block, column * block});
      const QRectF to = cellRect(*mParentPlot, {(row + 1) * block - 1, (column + 1) * block - 1});
      region += pixelsOf(from.united(to));
    }
  }
  drawHatch(painter, region, colour);
}

void MarksItem::draw(QCPPainter* painter) {
  painter->setBrush(Qt::NoBrush);
  drawGroups(painter);
  if (selected) {
    drawRing(painter, {selected->column, selected->row}, QPen(theme().muted, 1));
    drawRing(painter, *selected, QPen(theme().text, 2));
  }
  if (cursor) drawRing(painter, *cursor, QPen(theme().accent, 2));
}

void MarksItem::drawGroups(QCPPainter* painter) const {
  if (group <= 0) return;
  constexpr double kOverhang = 4;
  constexpr double kClosest = 16;
  const QRectF all = cellRect(*mParentPlot, {0, 0}).united(cellRect(*mParentPlot, {size - 1, size - 1}));
  if (all.width() * static_cast<double>(group) < kClosest * static_cast<double>(size)) return;  // would be all lines
  painter->setAntialiasing(false);
  painter->setPen(QPen(mix(theme().faint, theme().panel, 0.6), 1));
  for (qint64 row = group; row < size; row += group) {
    const QPointF at = cellRect(*mParentPlot, {row, row}).topLeft();
    painter->drawLine(QPointF(all.left() - kOverhang, at.y()), QPointF(all.right(), at.y()));
    painter->drawLine(QPointF(at.x(), all.top()), QPointF(at.x(), all.bottom() + kOverhang));
  }
}

void MarksItem::drawRing(QCPPainter* painter, HeatCell cell, const QPen& pen) const {
  QRectF rect = cellRect(*mParentPlot, cell);
  const double more = std::max(0.0, kSmallestRing - rect.width()) / 2;
  rect.adjust(-more, -more, more, more);
  smoothOnPixels(painter);
  painter->setPen(pen);
  painter->drawRoundedRect(rect, kRadius + 1, kRadius + 1);
}

constexpr double kSmallestSpot = 3;  ///< pixels a side below which cells are drawn together
constexpr int kTop = 8;              ///< room for half a label and for rings
constexpr int kTitleGap = 4;         ///< between the title of the rows and their numbers

int labelWidth(qint64 size) {
  const QFontMetrics metrics(smallFont());
  return metrics.horizontalAdvance(QString::number(std::max<qint64>(size - 1, 0))) + 14;
}

/// Of an axis' title.
int titleHeight() {
  return QFontMetrics(smallFont()).height();
}

int labelHeight() {
  return QFontMetrics(smallFont()).height() + 8;
}

}  // namespace

struct MatrixPlot::Parts {
  explicit Parts(QCustomPlot& plot)
      : map(new QCPColorMap(plot.xAxis, plot.yAxis)),
        cells(new CellsItem(&plot)),
        hatch(new HatchItem(&plot)),
        marks(new MarksItem(&plot)) {
    map->setInterpolate(false);
    map->setTightBoundary(false);
    map->setAntialiased(false);
    map->setSelectable(QCP::stNone);
    cells->setLayer(QStringLiteral("main"));
    hatch->setLayer(QStringLiteral("main"));
    marks->setLayer(QStringLiteral("overlay"));
  }
  QCPColorMap* map;
  CellsItem* cells;
  HatchItem* hatch;
  MarksItem* marks;
  HeatColours colours;
};

MatrixPlot::MatrixPlot(QWidget* parent) : PlotView(parent), parts_(std::make_unique<Parts>(plot())) {
  setFocusPolicy(Qt::StrongFocus);
  plot().axisRect()->setAutoMargins(QCP::msNone);
  plot().yAxis->setRangeReversed(true);
  for (QCPAxis* axis : {plot().xAxis, plot().yAxis}) {
    axis->grid()->setVisible(false);
    axis->setLabelPadding(0);
  }
  plot().yAxis->setLabelPadding(kTitleGap);
  parts_->cells->heat = &heat_;
  applyTheme();
}

MatrixPlot::~MatrixPlot() = default;

void MatrixPlot::setTitles(const QString& items) {
  for (QCPAxis* axis : {plot().xAxis, plot().yAxis}) axis->setLabel(items);
  replotSoon();
}

void MatrixPlot::setHeat(Heat heat, HeatTone tone, qint64 group) {
  const bool other_size = heat.size != heat_.size;
  heat_ = std::move(heat);
  tone_ = tone;
  group_ = group;
  if (other_size) {
    selected_.reset();
    cursor_ = {};
  }
  plot().xAxis->setRange(-0.5, std::max<double>(1, static_cast<double>(heat_.size)) - 0.5);
  plot().yAxis->setRange(plot().xAxis->range());
  parts_->marks->size = heat_.size;
  parts_->marks->group = group_;
  applyTheme();
  showMarks();
}

void MatrixPlot::setSelected(std::optional<HeatCell> cell) {
  if (cell && (cell->row >= heat_.size || cell->column >= heat_.size)) cell.reset();
  selected_ = cell;
  if (cell) cursor_ = *cell;
  showMarks();
}

QPoint MatrixPlot::pixelOf(HeatCell cell) const {
  return plot().mapTo(this, cellRect(plot(), cell).center().toPoint());
}

int MatrixPlot::widthFor(int height) const {
  return height - labelHeight() - kTop + labelWidth(heat_.size) + kTitleGap + 8;  // both axes have a title
}

void MatrixPlot::restyle() {
  for (QCPAxis* axis : {plot().xAxis, plot().yAxis}) {
    axis->setBasePen(Qt::NoPen);
    axis->setTickLabelColor(theme().muted);
  }
  parts_->colours = HeatColours::forTone(tone_);
  parts_->cells->colours = parts_->colours;
  parts_->hatch->colour = parts_->colours.hot;
  QCPColorGradient gradient;
  gradient.clearColorStops();
  gradient.setColorStopAt(0, parts_->colours.empty);
  gradient.setColorStopAt(1, parts_->colours.hot);
  parts_->map->setGradient(gradient);
}

void MatrixPlot::relayout() {
  const int left = labelWidth(heat_.size) + kTitleGap + titleHeight();
  const int bottom = labelHeight() + titleHeight();
  const bool apart = heat_.size <= kGapRanks;
  int side = std::max(16, std::min(width() - left - kTop, height() - bottom - kTop));
  if (apart && heat_.size > 0) side -= side % static_cast<int>(heat_.size);  // the same whole pixels for every cell
  plot().axisRect()->setMargins({left, kTop, std::max(0, width() - left - side), std::max(0, height() - kTop - side)});
  const double spots = std::max(1.0, std::floor(side / kSmallestSpot));
  block_ = apart ? 1 : static_cast<qint64>(std::ceil(static_cast<double>(heat_.size) / spots));
  const auto number = [](qint64 row) { return QString::number(row); };
  plot().yAxis->setTicker(rowTicker(heat_.size, side, 1.5 * QFontMetrics(smallFont()).height(), number));
  plot().xAxis->setTicker(rowTicker(heat_.size, side, labelWidth(heat_.size), number));
  parts_->cells->setVisible(apart);
  parts_->map->setVisible(!apart);
  parts_->hatch->setVisible(!apart && parts_->colours.hatched);
  if (!apart) fillMap();
}

void MatrixPlot::fillMap() {
  const Heat shown = maxDecimated(heat_, block_);
  const int size = static_cast<int>(shown.size);
  // Keys are the middles of blocks; the map may reach over the last row, where the axis cuts it off.
  const double first = static_cast<double>(block_) / 2 - 0.5;
  const double last = first + static_cast<double>((shown.size - 1) * block_);
  QCPColorMapData& spots = *parts_->map->data();
  spots.setSize(size, size);
  spots.setRange({first, last}, {first, last});
  for (int row = 0; row < size; ++row) {
    for (int column = 0; column < size; ++column) {
      const float heat = parts_->colours.hatched ? 0 : shown.at(row, column);
      spots.setCell(column, row, HeatColours::strength(heat));
    }
  }
  parts_->hatch->block = block_;
  parts_->hatch->blocks = parts_->colours.hatched ? shown : Heat();
  parts_->map->setDataRange({0, 1});
}

void MatrixPlot::showMarks() {
  parts_->marks->selected = selected_;
  parts_->marks->cursor = hasFocus() && heat_.size > 0 ? std::optional(cursor_) : std::nullopt;
  if (sentence_ && heat_.size > 0) setAccessibleDescription(sentence_(cursor_));
  replotSoon();
}

std::optional<HeatCell> MatrixPlot::cellAt(QPointF pixel) const {
  const auto column = std::lround(plot().xAxis->pixelToCoord(pixel.x()));
  const auto row = std::lround(plot().yAxis->pixelToCoord(pixel.y()));
  if (row < 0 || column < 0 || row >= heat_.size || column >= heat_.size) return std::nullopt;
  return hottestInBlock(heat_, {row, column}, block_);
}

QString MatrixPlot::hover(QPointF pixel) {
  const auto cell = cellAt(pixel);
  return cell && sentence_ ? sentence_(*cell) : QString();
}

void MatrixPlot::click(QPointF pixel) {
  const auto cell = cellAt(pixel);
  if (!cell) return;
  setSelected(cell);
  emit chosen(cell->row, cell->column);
}

void MatrixPlot::moveCursor(qint64 rows, qint64 columns) {
  if (heat_.size == 0) return;
  cursor_.row = std::clamp<qint64>(cursor_.row + rows, 0, heat_.size - 1);
  cursor_.column = std::clamp<qint64>(cursor_.column + columns, 0, heat_.size - 1);
  showMarks();
  if (sentence_) QToolTip::showText(mapToGlobal(pixelOf(cursor_) + QPoint(8, 8)), sentence_(cursor_), this);
}

void MatrixPlot::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
      return moveCursor(0, -1);
    case Qt::Key_Right:
      return moveCursor(0, 1);
    case Qt::Key_Up:
      return moveCursor(-1, 0);
    case Qt::Key_Down:
      return moveCursor(1, 0);
    case Qt::Key_Home:
      return moveCursor(-heat_.size, -heat_.size);
    case Qt::Key_End:
      return moveCursor(heat_.size, heat_.size);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (heat_.size == 0) break;
      setSelected(cursor_);
      emit chosen(cursor_.row, cursor_.column);
      return;
    default:
      break;
  }
  PlotView::keyPressEvent(event);
}

void MatrixPlot::focusInEvent(QFocusEvent* event) {
  PlotView::focusInEvent(event);
  showMarks();
}

void MatrixPlot::focusOutEvent(QFocusEvent* event) {
  PlotView::focusOutEvent(event);
  showMarks();
}

}  // namespace shardlens::ui

#include "moc_matrix_plot.cpp"
