// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/resume/way_strip.h"

#include "ui/paint/strip_paint.h"
#include "ui/widgets/common/metrics.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

constexpr int kBar = 16;
constexpr int kBeyond = 4;  // room for the ends of the stop

}  // namespace

WayStrip::WayStrip(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setCursor(Qt::SizeHorCursor);
}

QSize WayStrip::sizeHint() const {
  return {px(240), px(kBar) + 2 * kBeyond};
}

QSize WayStrip::minimumSizeHint() const {
  return {px(80), sizeHint().height()};
}

QRectF WayStrip::bar() const {
  return {0, double(kBeyond), double(width()), double(px(kBar))};
}

void WayStrip::setPieces(std::vector<ResumeSpan> pieces, double stop_share) {
  pieces_ = std::move(pieces);
  split_ = stop_share;
  setCursor(isKnown() ? Qt::SizeHorCursor : Qt::ArrowCursor);
  update();
}

void WayStrip::setStop(double place) {
  stop_ = place;
  update();
}

void WayStrip::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  if (!isKnown()) return paintUnknownStrip(painter, bar(), theme());
  const double scale = devicePixelRatioF();
  const int pixels = static_cast<int>(std::lround(width() * scale));
  const auto at = static_cast<int>(std::lround(stop_ * pixels));
  const ResumeStripScene scene = resumeStripScene(pieces_, split_, at, pixels);
  paintResumeStrip(painter, bar(), scene, scale, theme());
  if (scene.seam >= 0) paintSeam(painter, bar(), scene.seam / scale, theme());
}

void WayStrip::ask(double x) {
  if (isKnown() && width() > 0) emit stopWanted(std::clamp(x / width(), 0.0, 1.0));
}

void WayStrip::mousePressEvent(QMouseEvent* event) {
  event->ignore();  // the row is chosen too
  if (event->button() == Qt::LeftButton) ask(event->position().x());
}

void WayStrip::mouseMoveEvent(QMouseEvent* event) {
  if ((event->buttons() & Qt::LeftButton) != 0) ask(event->position().x());
}

QString WayStrip::tipAt(double share) const {
  if (!isKnown()) return {};
  const bool before = share < stop_;
  const double within =
      before ? split_ * share / stop_ : split_ + (1 - split_) * (share - stop_) / std::max(1 - stop_, 1e-9);
  const auto at = static_cast<std::size_t>(std::clamp(within, 0.0, 1.0) * static_cast<double>(pieces_.size()));
  const ResumeSpan& piece = pieces_[std::min(at, pieces_.size() - 1)];
  QString tip = before ? tr("trained before the stop") : tr("after the stop");
  tip += tr(": %1").arg(countOf(piece.items, "sample"));
  if (piece.repeated > 0) tip += tr("\n%1 of them repeated").arg(number(piece.repeated));
  if (piece.lost > 0) tip += tr("\n%1 of them lost").arg(number(piece.lost));
  return tip;
}

bool WayStrip::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  QToolTip::showText(help->globalPos(), tipAt(help->pos().x() / double(std::max(width(), 1))), this);
  return true;
}

}  // namespace shardlens::ui

#include "moc_way_strip.cpp"
