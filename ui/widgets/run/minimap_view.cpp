// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/minimap_view.h"

#include "ui/paint/run_paint.h"
#include "ui/scene/number_text.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/style.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

constexpr double kMove = 0.5;  ///< of the window, for each key
constexpr double kSize = 0.2;
constexpr double kWheel = 1.25;

}  // namespace

MinimapView::MinimapView(TimeView& view, QWidget* parent) : QWidget(parent), view_(view) {
  setObjectName("minimap");
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAccessibleName(phrase("run", "The whole run; the frame is the part in view"));
  setTips(this, [this](QPoint place) { return tipAt(place.x()); });
  connect(&view_, &TimeView::changed, this, qOverload<>(&QWidget::update));
}

void MinimapView::setRun(std::shared_ptr<const Overview> overview, std::vector<Stall> stalls) {
  overview_ = std::move(overview);
  stalls_ = std::move(stalls);
  update();
}

void MinimapView::setMoment(std::optional<std::int64_t> ns) {
  if (ns == moment_) return;
  moment_ = ns;
  update();
}

/// Made anew only when the run has grown by a column or the widget has another width: a frame costs the columns alone.
const Minimap& MinimapView::map() {
  const std::int64_t end = view_.window().last();
  const std::int64_t grown = (end - mapped_end_) * width() / Minimap::kColumn;
  const bool is_as_long = grown >= 0 && grown <= mapped_end_;
  if (overview_ == mapped_ && is_as_long && width() == mapped_width_ && stalls_ == mapped_stalls_) return map_;
  map_ = overview_ == nullptr ? Minimap() : minimapOf(*overview_, end, stalls_, width());
  mapped_ = overview_;
  mapped_end_ = end;
  mapped_width_ = width();
  mapped_stalls_ = stalls_;
  setAccessibleDescription(map_.columns.empty() ? QString()
                           : map_.top_ns == 0   ? phrase("run", "no step was measured; %1").arg(durationText(end))
                                                : phrase("run", "the longest step of each column, up to %1 high; %2")
                                                    .arg(durationText(map_.top_ns), durationText(end)));
  return map_;
}

MinimapFrame MinimapView::frame() const {
  return minimapFrame(view_.window(), width());
}

void MinimapView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setFont(smallFont());
  const QRectF area = QRectF(rect()).adjusted(0, 2, 0, -2);
  paintMinimap(painter, area, map(), theme());
  if (moment_ && view_.window().last() > 0) {
    const double x = static_cast<double>(*moment_) / static_cast<double>(view_.window().last()) * width();
    painter.fillRect(QRectF(std::round(x) - 1, area.top(), 2, area.height()), theme().text);
  }
  paintMinimapFrame(painter, area, frame(), theme());
  if (!hasFocus()) return;
  painter.setPen(QPen(theme().accent, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void MinimapView::showCursor(MinimapGrip grip) {
  const bool is_edge = grip == MinimapGrip::Left || grip == MinimapGrip::Right;
  setCursor(is_edge ? Qt::SizeHorCursor : grip == MinimapGrip::Body ? Qt::OpenHandCursor : Qt::PointingHandCursor);
}

void MinimapView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const double x = event->position().x();
  MinimapGrip grip = gripAt(frame(), x);
  if (grip == MinimapGrip::None) {
    const MinimapFrame at = frame();
    view_.change([&](TimeWindow& window) {
      window = dragged(window, MinimapGrip::Body, x - (at.left + at.right) / 2, width());
    });
    grip = MinimapGrip::Body;
  }
  drag_ = {grip, x, view_.window()};
}

void MinimapView::mouseMoveEvent(QMouseEvent* event) {
  if (!drag_) return showCursor(gripAt(frame(), event->position().x()));
  view_.change([&](TimeWindow& window) {
    window = dragged(drag_->before, drag_->grip, event->position().x() - drag_->from, width());
  });
}

void MinimapView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) drag_.reset();
}

void MinimapView::mouseDoubleClickEvent(QMouseEvent*) {
  view_.change([](TimeWindow& window) { window.reset(); });
}

void MinimapView::wheelEvent(QWheelEvent* event) {
  constexpr double kNotch = 120;
  const TimeWindow& now = view_.window();
  const double at = event->position().x() / std::max(1, width()) * static_cast<double>(now.last());
  const double place = std::clamp((at - static_cast<double>(now.begin())) / static_cast<double>(now.span()), 0.0, 1.0);
  view_.change([&](TimeWindow& window) { window.zoom(std::pow(kWheel, -event->angleDelta().y() / kNotch), place); });
  event->accept();
}

void MinimapView::keyPressEvent(QKeyEvent* event) {
  const bool sizes = (event->modifiers() & Qt::ShiftModifier) != 0;
  const int direction = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
  const auto change = [this](const std::function<void(TimeWindow&)>& what) { view_.change(what); };
  if (direction != 0 && sizes) {
    return change([direction](TimeWindow& window) {
      window.show(window.begin(), window.end() + std::llround(direction * kSize * static_cast<double>(window.span())));
    });
  }
  if (direction != 0) return change([direction](TimeWindow& window) { window.pan(direction * kMove); });
  switch (event->key()) {
    case Qt::Key_Home:
      return change([](TimeWindow& window) { window.show(window.first(), window.first() + window.span()); });
    case Qt::Key_End:
      return change([](TimeWindow& window) { window.follow(); });
    case Qt::Key_Space:
      return change([](TimeWindow& window) { window.fit(); });
    default:
      QWidget::keyPressEvent(event);
  }
}

QString MinimapView::tipAt(double x) {
  const auto column = static_cast<std::size_t>(std::max(0.0, x) / Minimap::kColumn);
  if (column >= map().columns.size() || map_.columns[column].step < 0) return {};
  const StepTime& one = overview_->steps[static_cast<std::size_t>(map_.columns[column].step)];
  const QString which = one.steps == 1
                            ? phrase("run", "step %1").arg(number(one.step))
                            : phrase("run", "steps %1 to %2").arg(number(one.step), number(one.step + one.steps - 1));
  QStringList lines = {phrase("run", "epoch %1 · %2").arg(number(one.epoch), which),
                       phrase("run", "%1 on the slowest rank; the ranks compute %2 of it on average")
                           .arg(durationText(one.longest_ns), durationText(one.compute_ns))};
  if (map_.columns[column].stalled) lines += phrase("run", "no rank made progress for a while");
  return lines.join('\n');
}

}  // namespace shardlens::ui

#include "moc_minimap_view.cpp"
