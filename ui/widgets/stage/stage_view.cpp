// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/stage/stage_view.h"

#include "ui/scene/stage/flight.h"
#include "ui/scene/theme.h"
#include "ui/widgets/common/picture.h"

#include <QEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPaintEngine>
#include <QPaintEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

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

constexpr double kZoomStep = 1.25;
constexpr int kDragFrom = 4;
/// One notch of a mouse wheel scrolls this many pixels.
constexpr double kNotch = 60;

/// Lengths of the drawings follow the font in use.
double scaleOfType() {
  return px(100) / 100.0;
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
  if (showsFocusRing(*this)) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme().accent, 2));
    painter.drawRoundedRect(QRectF(layout_.frame).adjusted(1, 1, -1, -1), 8, 8);
  }
}

void StageView::resizeEvent(QResizeEvent* /*event*/) {
  layOut();
}

void StageView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) layOut();
  QWidget::changeEvent(event);
}

// What the mouse and the keys do to the Stage.

void StageView::keyPressEvent(QKeyEvent* event) {
  if (!handleViewKey(event) && !handleChoiceKey(event)) QWidget::keyPressEvent(event);
}

bool StageView::handleViewKey(QKeyEvent* event) {
  if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) return false;
  const bool shift = event->modifiers() & Qt::ShiftModifier;
  switch (event->key()) {
    case Qt::Key_W:
    case Qt::Key_S:
      if (shift) {
        zoomRanks(event->key() == Qt::Key_W ? kZoomStep : 1 / kZoomStep);
      } else {
        zoomSteps(event->key() == Qt::Key_W ? kZoomStep : 1 / kZoomStep);
      }
      return true;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      zoomSteps(kZoomStep);
      return true;
    case Qt::Key_Minus:
      zoomSteps(1 / kZoomStep);
      return true;
    case Qt::Key_A:
      panSteps(-steps_.shown() / 8);
      return true;
    case Qt::Key_D:
      panSteps(steps_.shown() / 8);
      return true;
    case Qt::Key_F:
      toggleFit();
      return true;
    default:
      return false;
  }
}

/// Left and Right belong to the playhead until a cell is chosen; Up and Down choose one.
bool StageView::handleChoiceKey(QKeyEvent* event) {
  if ((event->modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier || input_.steps == 0) return false;
  switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
      if (selected_) moveChoice(0, event->key() == Qt::Key_Left ? -1 : 1);
      return selected_.has_value();
    case Qt::Key_Up:
    case Qt::Key_Down:
      moveChoice(event->key() == Qt::Key_Up ? -1 : 1, 0);
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (selected_) emit seekRequested(static_cast<double>(selected_->step));
      return selected_.has_value();
    case Qt::Key_Escape:
      if (selected_) emit choiceCleared();
      return selected_.has_value();
    default:
      return false;
  }
}

void StageView::moveChoice(qint64 ranks, qint64 steps) {
  CellAddress cell{0, std::clamp<qint64>(static_cast<qint64>(position_), 0, input_.steps - 1)};
  if (selected_) {
    cell.rank = std::clamp<qint64>(selected_->rank + ranks, 0, input_.ranks() - 1);
    cell.step = std::clamp<qint64>(selected_->step + steps, 0, input_.steps - 1);
  }
  emit cellChosen(cell);
}

void StageView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return event->ignore();
  pressed_at_ = event->pos();
  pressed_steps_ = steps_;
  pressed_ranks_ = ranks_;
  const int reach = 4;  // an overview is thin: 16 px are aimed at more easily than 8
  if (layout_.steps_overview.adjusted(0, -reach, 0, reach).contains(event->pos()) &&
      !layout_.steps_overview.isEmpty()) {
    drag_ = Drag::StepsOverview;
  } else if (layout_.ranks_overview.adjusted(-reach, 0, reach, 0).contains(event->pos()) &&
             !layout_.ranks_overview.isEmpty()) {
    drag_ = Drag::RanksOverview;
  } else {
    drag_ = Drag::Undecided;
  }
  dragOverview(event->pos());
}

void StageView::dragOverview(QPoint place) {
  if (drag_ == Drag::StepsOverview) {
    const QRect& bar = layout_.steps_overview;
    const double at = (place.x() - bar.left()) / static_cast<double>(bar.width());
    panSteps(at * static_cast<double>(steps_.count) - steps_.shown() / 2 - steps_.first);
  } else if (drag_ == Drag::RanksOverview) {
    const QRect& bar = layout_.ranks_overview;
    const double at = (place.y() - bar.top()) / static_cast<double>(bar.height());
    scrollTo(steps_.first, at * static_cast<double>(ranks_.count) - ranks_.shown() / 2);
  }
}

void StageView::mouseMoveEvent(QMouseEvent* event) {
  dragOverview(event->pos());
  const QPoint moved = event->pos() - pressed_at_;
  if (drag_ == Drag::Undecided && moved.manhattanLength() >= kDragFrom) {
    drag_ = Drag::Pan;
    following_ = false;
    setCursor(Qt::ClosedHandCursor);
  }
  if (drag_ != Drag::Pan) return;
  scrollTo(pressed_steps_.first - moved.x() / steps_.pitch, pressed_ranks_.itemAt(-moved.y()));
}

void StageView::mouseReleaseEvent(QMouseEvent* event) {
  const bool click = drag_ == Drag::Undecided && event->button() == Qt::LeftButton;
  drag_ = Drag::None;
  unsetCursor();
  if (!click) return;
  if (const auto cell = cellAt(event->pos())) {
    emit cellChosen(*cell);
  } else if (const auto rank = rankNameAt(event->pos())) {
    emit rankChosen(*rank);
  } else if (layout_.axis.contains(event->pos())) {
    following_ = true;
    emit seekRequested(steps_.itemAt(event->pos().x() - layout_.cells.left()));
  } else {
    emit choiceCleared();
  }
}

void StageView::mouseDoubleClickEvent(QMouseEvent* event) {
  const auto cell = cellAt(event->pos());
  if (!cell || event->button() != Qt::LeftButton) return;
  following_ = true;
  emit seekRequested(static_cast<double>(cell->step));
}

void StageView::wheelEvent(QWheelEvent* event) {
  const QPointF pixels = event->pixelDelta();
  const double across = pixels.isNull() ? event->angleDelta().x() / 120.0 * kNotch : pixels.x();
  const double down = pixels.isNull() ? event->angleDelta().y() / 120.0 * kNotch : pixels.y();
  const QPointF place = event->position() - layout_.cells.topLeft();
  const bool shift = event->modifiers() & Qt::ShiftModifier;
  const bool alt = event->modifiers() & Qt::AltModifier;  // some platforms turn it sideways
  if (alt || event->modifiers() & Qt::ControlModifier) {
    const double factor = std::pow(kZoomStep, (down + across) / kNotch);
    return alt || shift ? zoomRanks(factor, place.y()) : zoomSteps(factor, place.x());
  }
  // The wheel scrolls the ranks where there are more than fit; sideways, with Shift, or else it scrolls the steps.
  const bool rows = !shift && !ranks_.showsAll();
  if (!rows || across != 0) panSteps(-(across + (rows ? 0 : down)) / steps_.pitch);
  if (rows && down != 0) scrollTo(steps_.first, ranks_.itemAt(-down));
}

bool StageView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto cell = cellAt(help->pos());
  const QString tip = cell ? cellTip(input_, facts_.get(), *cell) : QString();
  tip.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), tip, this, cellOnScreen(*cell));
  return true;
}

// Which steps and ranks the Stage has in view, and at which size: layout, zoom, scrolling, pages.

double StageView::largestStepPitch() const {
  return StageMetrics::kLargestStepPitch * scaleOfType();
}

double StageView::largestRowPitch() const {
  const bool few = input_.ranks() <= StageMetrics::kFewRanks;
  return (few ? StageMetrics::kLargestRowOfFew : StageMetrics::kLargestRow) * scaleOfType();
}

double StageView::defaultRowPitch() const {
  const bool overview = input_.steps > 0 && !steps_.showsAll();
  const auto layout = stageLayout(size(), overview, false, size().height(), scaleOfType(), narrow_, legend_ != nullptr);
  StageAxis all = ranks_;
  all.length = layout.cells.height();
  const double fitting = input_.ranks() > 0 ? all.pitchOfAll() : 1;
  return std::clamp(fitting, StageMetrics::kSmallestRow * scaleOfType(), largestRowPitch());
}

void StageView::resetAxes() {
  ranks_ = {input_.ranks(), 0, largestRowPitch(), layout_.cells.height()};
  steps_ = {input_.steps, 0, defaultStepPitch(), layout_.cells.width()};
  steps_by_hand_ = false;
}

double StageView::defaultStepPitch() const {
  return StageMetrics::kDefaultStepPitch * scaleOfType();
}

/// Few steps fill the width rather than leave most of it empty. Beside other views the whole epoch is what is compared,
/// as long as its cells can be told apart.
bool StageView::fitsByItself() const {
  constexpr double kLeastPitch = 5.5;
  const double pitch = narrow_ ? std::min(kLeastPitch, defaultStepPitch()) : defaultStepPitch();
  return input_.steps > 0 && static_cast<double>(input_.steps) * pitch <= steps_.length + 0.5;
}

void StageView::layOut() {
  // The ranks of one node stand together, apart from those of the next.
  const bool apart = input_.blockSize() > 1 && input_.ranks() > input_.blockSize();
  ranks_.group = apart ? input_.blockSize() : 0;
  ranks_.gap = apart ? std::round(StageMetrics::kNodeGap * scaleOfType()) : 0;
  // Whether an overview is needed depends on the room, which depends on the overviews: two rounds settle it.
  bool steps_overview = false;
  bool ranks_overview = false;
  for (int round = 0; round < 2; ++round) {
    layout_ = stageLayout(size(), steps_overview, ranks_overview, size().height(), scaleOfType(), narrow_,
                          legend_ != nullptr);
    steps_.length = std::max(layout_.cells.width(), 1);
    ranks_.length = std::max(layout_.cells.height(), 1);
    if (!rows_by_hand_) ranks_.pitch = defaultRowPitch();
    if (!steps_by_hand_) {
      steps_fit_ = fitsByItself();
      steps_.pitch = defaultStepPitch();
    }
    steps_ = steps_fit_ ? steps_.fitted(largestStepPitch()) : steps_.clamped(largestStepPitch());
    ranks_ = ranks_.clamped(largestRowPitch());
    steps_overview = input_.steps > 0 && !steps_.showsAll();
    ranks_overview = input_.ranks() > 0 && !ranks_.showsAll();
  }
  layout_ =
      stageLayout(size(), steps_overview, ranks_overview, ranks_.content(), scaleOfType(), narrow_, legend_ != nullptr);
  steps_.length = std::max(layout_.cells.width(), 1);
  ranks_.length = std::max(layout_.cells.height(), 1);
  if (legend_ != nullptr) {
    head_->setGeometry(layout_.head);
    legend_->setGeometry(layout_.legend);
  }
  backdrop_stale_ = true;
  refreshLayer();
  update();
  emit viewChanged();
}

void StageView::setAxes(const StageAxis& steps, const StageAxis& ranks) {
  if (steps == steps_ && ranks == ranks_) return;
  steps_ = steps;
  ranks_ = ranks;
  layOut();
}

void StageView::scrollTo(double first_step, double first_rank) {
  StageAxis steps = steps_;
  StageAxis ranks = ranks_;
  steps.first = first_step;
  ranks.first = first_rank;
  setAxes(steps.clamped(largestStepPitch()), ranks.clamped(largestRowPitch()));
}

void StageView::alignTo(const StageView& other) {
  following_ = other.following_;
  const bool was_by_hand = std::exchange(steps_by_hand_, other.steps_by_hand_);
  StageAxis steps = steps_;
  if (steps_by_hand_) {
    steps_fit_ = other.steps_fit_;
    steps.pitch = other.steps_.pitch;
  }
  // A view of all steps has no place to scroll to.
  if (!other.steps_fit_) steps.first = other.steps_.first;
  StageAxis ranks = ranks_;
  ranks.first = other.ranks_.first;
  ranks.pitch = other.ranks_.pitch;
  rows_by_hand_ = other.rows_by_hand_;
  setAxes(steps_fit_ ? steps.fitted(largestStepPitch()) : steps.clamped(largestStepPitch()),
          ranks.clamped(largestRowPitch()));
  if (was_by_hand && !steps_by_hand_) layOut();
}

void StageView::follow(double steps_per_second) {
  following_ = true;
  constexpr double kSecondsOfAPage = 2;
  const double wanted = steps_per_second * kSecondsOfAPage;
  if (input_.steps == 0 || steps_.showsAll() || steps_.shown() >= wanted) return;
  StageAxis steps = steps_;
  steps.pitch = steps.length / wanted;
  steps.first = std::floor(position_);
  steps_by_hand_ = true;
  setAxes(steps.clamped(largestStepPitch()), ranks_);
}

void StageView::revealPlayhead() {
  following_ = true;
  followPlayhead();
}

void StageView::followPlayhead() {
  if (drag_ != Drag::None || steps_.showsAll()) return;
  const double last = steps_.first + steps_.shown();
  constexpr double kPlayheadAt = 0.4;
  if (!at_rest_ && steps_.pitch >= 3 * StageMetrics::kTouching) {
    // Free space ahead, where what is dealt can be seen coming: the steps scroll below a playhead that stays.
    const double first = std::floor(position_) - std::floor(steps_.shown() * kPlayheadAt);
    if (first > steps_.first || position_ < steps_.first) scrollTo(first, ranks_.first);
    return;
  }
  if (position_ >= steps_.first && position_ < last - 0.25) return;
  // Turning the page keeps one step of the old one in sight; going back shows what came before.
  const bool on = position_ >= last - 0.25;
  scrollTo(std::floor(position_) - (on ? 1 : steps_.shown() / 4), ranks_.first);
}

void StageView::zoomSteps(double factor, std::optional<double> pixel) {
  const StageAxis steps = steps_.zoomed(factor, pixel.value_or(layout_.cells.width() / 2.0), largestStepPitch());
  steps_by_hand_ = true;
  steps_fit_ = steps.showsAll();
  setAxes(steps, ranks_);
}

void StageView::zoomRanks(double factor, std::optional<double> pixel) {
  rows_by_hand_ = true;
  setAxes(steps_, ranks_.zoomed(factor, pixel.value_or(layout_.cells.height() / 2.0), largestRowPitch()));
}

void StageView::panSteps(double items) {
  following_ = false;
  scrollTo(steps_.first + items, ranks_.first);
}

void StageView::toggleFit() {
  const bool all = steps_.showsAll() && ranks_.showsAll();
  following_ = true;
  rows_by_hand_ = !all;
  steps_by_hand_ = !all;
  steps_fit_ = !all;
  if (!all) return setAxes(steps_.fitted(largestStepPitch()), ranks_.fitted(largestRowPitch()));
  resetAxes();
  layOut();
}

}  // namespace shardlens::ui

#include "moc_stage_view.cpp"
