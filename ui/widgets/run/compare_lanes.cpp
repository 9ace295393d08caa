// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/compare_lanes.h"

#include "ui/paint/lane_paint.h"
#include "ui/paint/run_axis_paint.h"
#include "ui/scene/run/lanes.h"
#include "ui/scene/run/text.h"
#include "ui/scene/run/time_axis.h"
#include "ui/scene/theme.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/picture.h"
#include "ui/widgets/run/time_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

constexpr int kAxisHeight = 24;
constexpr int kHeadHeight = 24;
constexpr int kNameWidth = 84;
constexpr int kBetween = 10;
constexpr double kLaneHeight = 15;
constexpr double kLanePitch = 23;
constexpr double kLeastPitch = 7;  ///< thinner lanes are drawn as one map
constexpr double kApart = 110;
constexpr double kStepsAtFirst = 8;  ///< in view at first

double lanesIn(const ComparedRun& run) {
  return run.lanes == nullptr ? 0 : static_cast<double>(run.lanes->lanes.size());
}

}  // namespace

CompareLanes::CompareLanes(TimeView& view, QWidget* parent) : QWidget(parent), view_(view), input_(view) {
  connect(&view_, &TimeView::changed, this, qOverload<>(&QWidget::update));
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Lanes of both runs on one axis"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

QSize CompareLanes::minimumSizeHint() const {
  return {px(320), px(180)};
}

QSize CompareLanes::sizeHint() const {
  return {px(800), px(420)};
}

void CompareLanes::setRuns(ComparedRun first, ComparedRun second) {
  runs_ = {std::move(first), std::move(second)};
  picture_ = {};
  std::int64_t end = 1;
  std::int64_t step = 0;
  for (const ComparedRun& run : runs_) {
    if (run.lanes != nullptr) end = std::max(end, run.lanes->end_ns);
    step = std::max(step, run.step_ns);
  }
  input_.drop();
  view_.change([&](TimeWindow& window) {
    window = {};
    window.setExtent(0, end, std::nullopt);
    window.fit();
    if (step > 0) window.show(0, std::llround(kStepsAtFirst * static_cast<double>(step)));
  });
  update();
}

const TimeWindow& CompareLanes::window() const {
  return view_.window();
}

int CompareLanes::lanesLeft() const {
  return px(kNameWidth);
}

QRectF CompareLanes::axis() const {
  return {static_cast<double>(px(kNameWidth)), 0.0, std::max(1.0, static_cast<double>(width() - px(kNameWidth))),
          static_cast<double>(px(kAxisHeight))};
}

/// Lanes are equally high in both, so that they can be compared; the height is shared by how many each has.
std::array<CompareLanes::Place, 2> CompareLanes::places() const {
  const double fixed = px(kAxisHeight) + 2 * px(kHeadHeight) + px(kBetween);
  const double rows = std::max(1.0, lanesIn(runs_[0]) + lanesIn(runs_[1]));
  const double pitch = std::min(kLanePitch * px(100) / 100.0, (height() - fixed) / rows);
  std::array<Place, 2> places;
  double top = px(kAxisHeight);
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[i].head = {0.0, top, static_cast<double>(width()), static_cast<double>(px(kHeadHeight))};
    places[i].lanes = {axis().left(), top + px(kHeadHeight), axis().width(), pitch * lanesIn(runs_[i])};
    top = places[i].lanes.bottom() + px(kBetween);
  }
  return places;
}

void CompareLanes::paintRun(QPainter& painter, const ComparedRun& run, const Place& place) const {
  QFont bold = uiFont();
  bold.setWeight(QFont::DemiBold);
  painter.setFont(bold);
  painter.setPen(theme().text);
  const QRectF head = place.head.adjusted(px(6), 0, -px(6), 0);
  painter.drawText(head, Qt::AlignLeft | Qt::AlignVCenter,
                   QFontMetricsF(bold).elidedText(run.name, Qt::ElideMiddle, head.width()));
  if (run.lanes == nullptr || run.lanes->lanes.empty()) return;
  const auto rows = static_cast<double>(run.lanes->lanes.size());
  const double pitch = place.lanes.height() / rows;
  if (pitch < kLeastPitch) {
    RunLanes lanes;
    lanes.recent = run.lanes;
    const auto map = phaseMap(lanes, window().begin(), window().end(), static_cast<int>(place.lanes.width()),
                              std::max(1, static_cast<int>(place.lanes.height())));
    return paintPhaseMap(painter, place.lanes, map, theme());
  }
  painter.setFont(smallFont());
  for (std::size_t i = 0; i < run.lanes->lanes.size(); ++i) {
    const Lane& lane = run.lanes->lanes[i];
    const double top = place.lanes.top() + static_cast<double>(i) * pitch;
    const double high = std::min(kLaneHeight, pitch - 2);
    painter.setPen(theme().muted);
    if (pitch >= 12) {
      painter.drawText(QRectF(0, top, place.lanes.left() - px(8), pitch), Qt::AlignRight | Qt::AlignVCenter,
                       tr("rank %1").arg(lane.rank));
    }
    const QRectF area(place.lanes.left(), top + (pitch - high) / 2, place.lanes.width(), high);
    LaneSource source;
    source.recent = &lane;
    source.over_ns = run.lanes->end_ns;  // it has ended there; the other one may go on
    paintLane(painter, area,
              laneBlocks(source, window().begin(), window().end(), static_cast<int>(std::max(1.0, area.width()))),
              theme(), false);
  }
}

void CompareLanes::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  if (isForPrint(painter, *this)) {
    paintRuns(painter);
  } else {
    const QSize pixels = size() * devicePixelRatioF();
    if (picture_.size() != pixels || !(pictured_ == window())) {
      picture_ = QPixmap(pixels);
      picture_.setDevicePixelRatio(devicePixelRatioF());
      pictured_ = window();
      QPainter picture(&picture_);
      paintRuns(picture);
    }
    painter.drawPixmap(0, 0, picture_);
  }
  input_.paint(painter, lanesArea());
  if (!hasFocus()) return;
  painter.setPen(QPen(theme().accent, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

/// All but what follows the mouse and the focus.
void CompareLanes::paintRuns(QPainter& painter) const {
  painter.fillRect(rect(), theme().panel);
  painter.setFont(smallFont());
  const std::vector<TimeTick> ticks = timeTicks(window(), axis().width(), kApart);
  const std::array<Place, 2> shown = places();
  QRectF grid = shown[0].lanes.united(shown[1].lanes);
  grid.setTop(axis().bottom());
  paintTimeGrid(painter, grid, ticks, {}, theme());
  paintTimeTicks(painter, axis(), ticks, {}, theme());
  for (std::size_t i = 0; i < shown.size(); ++i) paintRun(painter, runs_[i], shown[i]);
}

QRectF CompareLanes::lanesArea() const {
  QRectF area = places()[0].lanes.united(places()[1].lanes);
  area.setTop(axis().bottom());
  area.setLeft(axis().left());
  area.setRight(axis().right());
  return area;
}

void CompareLanes::wheelEvent(QWheelEvent* event) {
  input_.wheel(*event, lanesArea());
}

void CompareLanes::mousePressEvent(QMouseEvent* event) {
  input_.press(*event);
  update();
}

void CompareLanes::mouseMoveEvent(QMouseEvent* event) {
  if (input_.move(*event, lanesArea())) update();
}

void CompareLanes::mouseReleaseEvent(QMouseEvent* event) {
  input_.release(*event, lanesArea());
  update();
}

void CompareLanes::mouseDoubleClickEvent(QMouseEvent* /*event*/) {
  view_.change([](TimeWindow& window) { window.fit(); });
}

void CompareLanes::keyPressEvent(QKeyEvent* event) {
  input_.key(*event) ? update() : QWidget::keyPressEvent(event);
}

QString CompareLanes::tipAt(QPointF at) const {
  const std::array<Place, 2> shown = places();
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const QRectF& area = shown[i].lanes;
    if (!area.contains(at) || runs_[i].lanes == nullptr || runs_[i].lanes->lanes.empty()) continue;
    const auto& lanes = runs_[i].lanes->lanes;
    const auto row =
        static_cast<std::size_t>((at.y() - area.top()) / area.height() * static_cast<double>(lanes.size()));
    const Lane& lane = lanes[std::min(row, lanes.size() - 1)];
    const Span* span = spanAt(lane, window().momentAt(at.x() - area.left(), area.width()));
    const QString rank = QString::number(lane.rank);
    if (span == nullptr) return tr("%1, rank %2").arg(runs_[i].name, rank);
    return tr("%1, rank %2, epoch %3, step %4\n%5: %6")
        .arg(runs_[i].name, rank, QString::number(span->epoch), QString::number(span->step), phaseLabel(span->phase),
             durationText(span->end_ns - span->begin_ns));
  }
  return {};
}

/// Another theme or another font.
void CompareLanes::changeEvent(QEvent* event) {
  picture_ = {};
  QWidget::changeEvent(event);
}

bool CompareLanes::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  QToolTip::showText(help->globalPos(), tipAt(help->pos()), this);
  return true;
}

}  // namespace shardlens::ui
