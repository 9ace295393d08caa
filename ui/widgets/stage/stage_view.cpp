// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/stage/stage_view.h"

#include "ui/paint/stage_paint.h"
#include "ui/scene/palette.h"
#include "ui/scene/stage/motion.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/picture.h"

#include <QEvent>
#include <QPaintEngine>
#include <QPaintEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace shardlens::ui {
namespace {

/// Up to so many cells a layer is computed at once (a few ms); above, on another thread.
constexpr qint64 kCellsAtOnce = 2500;
constexpr int kNameHeight = 16;

/// With the ranks that it looks through beyond its cells: those below one pixel each, and all of them for an overview.
qint64 costOf(const LayerKey& key) {
  const bool thin = key.ranks.pitch < 1;
  const qint64 looks = thin ? key.steps.bins() : key.ranks_overview > 0 ? 1 : 0;
  return layerCost(key) + key.ranks.count * looks;
}

/// The same picture, further on.
bool isScrolled(const LayerKey& from, LayerKey to) {
  to.steps.first = from.steps.first;
  to.ranks.first = from.ranks.first;
  return from == to;
}

}  // namespace

StageView::StageView(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setAccessibleName(tr("Stage: ranks by steps"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

StageView::~StageView() = default;

QSize StageView::minimumSizeHint() const {
  return {px(narrow_ ? 150 : 320), px(120)};
}

void StageView::setInput(const StageInput& input) {
  const bool same_size = input.ranks() == input_.ranks() && input.steps == input_.steps;
  if (input.epoch != input_.epoch) {
    facts_.reset();
    twins_.clear();
    highlighted_.clear();
  }
  input_ = input;
  if (!same_size) {
    rows_by_hand_ = false;
    resetAxes();
  }
  layOut();
}

LayerKey StageView::key() const {
  return {input_.generation,
          input_.epoch.get(),
          facts_.get(),
          input_.differences.get(),
          steps_,
          ranks_,
          colour_,
          theme().dark,
          devicePixelRatioF(),
          std::max(layout_.steps_overview.width(), 0),
          std::max(layout_.ranks_overview.height(), 0)};
}

void StageView::refreshLayer() {
  const LayerKey wanted = key();
  if (input_.isEmpty() || input_.steps == 0 || layout_.cells.isEmpty()) {
    job_.cancel();
    layer_.reset();
    return;
  }
  if (layer_ && layer_->key == wanted) return;
  const auto take = [this](std::shared_ptr<const StageLayer> layer) {
    layer_ = std::move(layer);
    backdrop_stale_ = true;
    update();
  };
  if (job_.isBusy() && isScrolled(computed_, wanted)) return;  // one a frame would never come to its end
  if (costOf(wanted) <= kCellsAtOnce) {
    job_.cancel();
    return take(stageLayer(wanted, input_, facts_.get()));
  }
  // Another plan is another picture: nothing of the old one may be taken for it.
  if (layer_ && layer_->key.epoch != wanted.epoch && layer_->key.steps.count != wanted.steps.count) layer_.reset();
  computed_ = wanted;
  job_.start(
      [wanted, input = input_, facts = facts_](const Work& work) -> std::optional<std::shared_ptr<const StageLayer>> {
        auto layer = stageLayer(wanted, input, facts.get(), work);
        if (layer == nullptr) return std::nullopt;
        return layer;
      },
      [this, take](std::shared_ptr<const StageLayer> layer) {
        computed_ = {};
        take(std::move(layer));
        refreshLayer();
      });
}

void StageView::setNarrow(bool narrow) {
  narrow_ = narrow;
  layOut();
}

void StageView::setFacts(std::shared_ptr<const EpochFacts> facts) {
  facts_ = std::move(facts);
  refreshLayer();
}

void StageView::setColour(StageColour colour) {
  colour_ = colour;
  refreshLayer();
}

void StageView::setEdges(QWidget* head, QWidget* legend) {
  head_ = head;
  legend_ = legend;
  for (QWidget* edge : {head, legend}) {
    edge->setParent(this);
    edge->show();
  }
  layOut();
}

/// What moves with the playhead: its line, and the cells from it on that may have been dealt.
QRect StageView::playheadRect() const {
  const int x = layout_.cells.left() + static_cast<int>(std::lround(linePixel()));
  const int dealt = layout_.cells.left() + static_cast<int>(std::ceil(dealtPixel()));
  const QRect line(x - 8, layout_.frame.top(), 17, layout_.frame.height());
  return line.united(QRect(QPoint(std::min(x, dealt), layout_.cells.top()), QPoint(dealt, layout_.cells.bottom())));
}

/// Cells become visible when their batch is there, not while a line sweeps over them.
double StageView::dealtPixel() const {
  if (at_rest_ || narrow_) return layout_.cells.width();
  if (steps_.pitch < StageMetrics::kTouching) return steps_.pixelOf(position_);
  return steps_.pixelOf(static_cast<double>(stepsLanded(position_)));
}

/// The line of now stands at the step under way: it does not sweep over what is being dealt.
double StageView::linePixel() const {
  constexpr double kWide = 3 * StageMetrics::kTouching;
  return steps_.pixelOf(steps_.pitch >= kWide ? std::floor(position_) : position_);
}

qint64 StageView::stepUnderWay() const {
  return at_rest_ ? -1 : static_cast<qint64>(std::floor(position_));
}

void StageView::setPlayhead(double position, bool playing, qint64 landed_ranks) {
  const bool at_rest = position == 0 && !playing;
  if (position == position_ && at_rest == at_rest_ && landed_ranks == landed_ranks_) return;
  const QRect before = playheadRect();
  const QRect number_before = numberOfStep(layout_, steps_, stepUnderWay());
  const bool ranks_land = std::exchange(landed_ranks_, landed_ranks) != landed_ranks;
  position_ = position;
  at_rest_ = at_rest;
  if (following_ || !playing) followPlayhead();
  const int step_under_way = ranks_land ? static_cast<int>(std::ceil(steps_.pitch)) + 2 : 0;
  update(before.united(playheadRect()).adjusted(0, 0, step_under_way, 0));
  const QRect number_now = numberOfStep(layout_, steps_, stepUnderWay());
  if (number_now == number_before) return;
  update(number_before);
  update(number_now);
}

/// The picture of the cells: on paper one as fine as the paper, else the one that is kept.
std::shared_ptr<const StageLayer> StageView::layerFor(const QPainter& painter) const {
  if (layer_ == nullptr || !isForPrint(painter, *this)) return layer_;
  LayerKey wanted = key();
  const bool has_pixels = painter.paintEngine()->type() != QPaintEngine::SVG;
  wanted.ratio = has_pixels ? painter.paintEngine()->paintDevice()->devicePixelRatioF() : kPrintScale;
  return stageLayer(wanted, input_, facts_.get());
}

/// The batches of the step under way that have come already.
void StageView::paintLandedRanks(QPainter& painter, const StageLayer& layer) {
  if (at_rest_ || narrow_ || landed_ranks_ == 0 || steps_.pitch < StageMetrics::kTouching) return;
  const double left = layout_.cells.left() + dealtPixel();
  const double bottom = layout_.cells.top() + ranks_.pixelOf(static_cast<double>(landed_ranks_));
  const QRectF come(QPointF(left, layout_.cells.top()), QPointF(left + steps_.pitch, bottom));
  painter.save();
  painter.setClipRect(come.toRect(), Qt::IntersectClip);
  paintStageCells(painter, layout_.cells, layer, steps_, ranks_, layout_.cells.width(), notice_.dims);
  painter.restore();
}

void StageView::setSelected(std::optional<CellAddress> cell) {
  if (cell == selected_) return;
  selected_ = cell;
  twins_.clear();
  if (cell) {
    setAxes(steps_.revealing(cell->step, largestStepPitch()), ranks_.revealing(cell->rank, largestRowPitch()));
    setAccessibleDescription(cellTip(input_, facts_.get(), *cell));
  }
  update();
}

void StageView::setSelectedRanks(std::vector<qint64> ranks) {
  if (ranks == selected_ranks_) return;
  selected_ranks_ = std::move(ranks);
  if (!selected_ranks_.empty()) {
    setAxes(steps_, ranks_.revealing(selected_ranks_.front(), largestRowPitch()));
  }
  update();
}

void StageView::setTwins(std::vector<CellAddress> cells) {
  twins_ = std::move(cells);
  update();
}

void StageView::setHighlighted(std::vector<CellAddress> cells) {
  highlighted_ = std::move(cells);
  update();
}

void StageView::setNotice(const StageNotice& notice) {
  if (notice == notice_) return;
  notice_ = notice;
  update();
}

std::optional<CellAddress> StageView::cellAt(QPoint place) const {
  if (input_.isEmpty() || !layout_.cells.contains(place)) return std::nullopt;
  const auto step = steps_.hit(place.x() - layout_.cells.left() + 0.5);
  const auto rank = ranks_.hit(place.y() - layout_.cells.top() + 0.5);
  if (!step || !rank) return std::nullopt;
  return CellAddress{*rank, *step};
}

std::optional<qint64> StageView::rankNameAt(QPoint place) const {
  if (input_.isEmpty() || !layout_.labels.contains(place)) return std::nullopt;
  return ranks_.hit(place.y() - layout_.cells.top() + 0.5);
}

QRect StageView::cellOnScreen(CellAddress cell) const {
  const QRectF rect(layout_.cells.left() + steps_.pixelOf(static_cast<double>(cell.step)),
                    layout_.cells.top() + ranks_.pixelOf(static_cast<double>(cell.rank)), steps_.pitch, ranks_.pitch);
  const QRect pixels = rect.toAlignedRect();
  return layout_.cells.intersects(pixels) ? pixels : QRect();
}

QRectF StageView::cellFrame(CellAddress cell) const {
  const QRect pixels = cellOnScreen(cell);
  if (pixels.isEmpty()) return {};
  const double gap_x = std::min(cellGap(steps_.pitch), 2) / 2.0;
  const double gap_y = cellGap(ranks_.pitch) / 2.0;
  return QRectF(pixels).adjusted(gap_x, gap_y, -gap_x, -gap_y);
}

void StageView::paintBackdrop() {
  const qreal ratio = devicePixelRatioF();
  if (backdrop_.size() != size() * ratio) backdrop_ = QPixmap(size() * ratio);
  backdrop_.setDevicePixelRatio(ratio);
  backdrop_.fill(theme().window);
  QPainter painter(&backdrop_);
  paintStageChrome(painter, layout_, input_, steps_, ranks_, layer_.get(), theme());
  backdrop_stale_ = false;
}

void StageView::paintMarks(QPainter& painter) {
  painter.save();
  painter.setClipRect(layout_.cells.adjusted(-1, -1, 1, 1), Qt::IntersectClip);
  for (const int line : nodeLines(ranks_, input_.blockSize())) {
    painter.fillRect(QRect(layout_.cells.left(), layout_.cells.top() + line, layout_.cells.width(), 1),
                     theme().hairline);
  }
  paintMarkedCells(painter, layout_.cells, steps_, ranks_, twins_, duplicateColor(theme()), 3);
  paintMarkedCells(painter, layout_.cells, steps_, ranks_, highlighted_, theme().text, 2);
  if (selected_) paintCellRing(painter, layout_.cells, steps_, ranks_, *selected_, theme().accent, 3);
  painter.restore();
}

void StageView::paintSelectedRanks(QPainter& painter) {
  painter.save();
  painter.setClipRect(layout_.labels.united(layout_.cells), Qt::IntersectClip);
  painter.setPen(QPen(theme().accent, 2));
  painter.setBrush(Qt::NoBrush);
  for (const qint64 rank : selected_ranks_) {
    const double top = layout_.cells.top() + ranks_.pixelOf(static_cast<double>(rank));
    // Names are higher than thin rows: there the frame keeps to the cells.
    const int left = ranks_.pitch >= px(kNameHeight) ? layout_.labels.left() : layout_.cells.left() - px(6);
    const QRectF row(left, top, layout_.cells.right() - left, std::max(ranks_.pitch, 4.0));
    painter.drawRect(row.adjusted(1, 1, -1, -1));
  }
  painter.restore();
}

void StageView::paintEvent(QPaintEvent* event) {
  QPainter painter(this);
  painter.setClipRegion(event->region());
  if (isForPrint(painter, *this)) {
    painter.fillRect(rect(), theme().window);
    paintStageChrome(painter, layout_, input_, steps_, ranks_, layer_.get(), theme());
  } else {
    if (backdrop_stale_) paintBackdrop();
    painter.drawPixmap(0, 0, backdrop_);
  }
  if (const auto layer = layerFor(painter)) {
    paintStageCells(painter, layout_.cells, *layer, steps_, ranks_, dealtPixel(), notice_.dims);
    paintLandedRanks(painter, *layer);
    paintMarks(painter);
    paintSelectedRanks(painter);
    if (!notice_.dims) {
      paintStepUnderWay(painter, layout_, steps_, stepUnderWay(), theme());
      paintPlayhead(painter, layout_, linePixel(), theme());
    }
  }
  if (!notice_.title.isEmpty()) {
    paintStageNotice(painter, layout_.frame, notice_.title, notice_.text, notice_.progress, theme());
  } else if (notice_.progress >= 0) {
    paintThinProgress(painter, layout_.frame, notice_.progress, theme());
  }
  if (focus_ring_) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme().accent, 2));
    painter.drawRoundedRect(QRectF(layout_.frame).adjusted(1, 1, -1, -1), 8, 8);
  }
}

void StageView::resizeEvent(QResizeEvent* /*event*/) {
  if (steps_.length <= 1) resetAxes();
  layOut();
}

void StageView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) layOut();
  QWidget::changeEvent(event);
}

}  // namespace shardlens::ui

#include "moc_stage_view.cpp"
