// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/resume/way_row.h"

#include "ui/paint/strip_paint.h"
#include "ui/scene/number_text.h"
#include "ui/scene/theme.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/link_label.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

constexpr qint64 kBigStep = 10;

LinkLabel* wrapped(const char* tone) {
  return new LinkLabel(tone, "text", nullptr);
}

constexpr int kBar = 16;
constexpr int kBeyond = 4;  // room for the ends of the stop

}  // namespace

WayRow::WayRow(QWidget* parent)
    : QWidget(parent),
      verdict_(textLabel({})),
      title_(new ElidedLabel),
      rule_(wrapped("muted")),
      reason_(wrapped("")),
      strip_(new WayStrip) {
  setFocusPolicy(Qt::StrongFocus);
  setLook(verdict_, "role", "title");
  verdict_->setTextFormat(Qt::RichText);
  verdict_->setWordWrap(true);
  verdict_->setObjectName("wayVerdict");
  for (LinkLabel* label : {rule_, reason_}) connect(label, &LinkLabel::followed, this, &WayRow::placeWanted);
  auto* column = columnIn(this, {px(10), px(7), px(10), px(5)}, px(2));
  column->addWidget(verdict_);
  title_->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  for (QWidget* part : {static_cast<QWidget*>(title_), static_cast<QWidget*>(rule_), static_cast<QWidget*>(reason_),
                        static_cast<QWidget*>(strip_)}) {
    column->addWidget(part);
  }
}

void WayRow::setRow(const ResumeRow& row, double stop) {
  const ResumeWay& way = row.judged.way;
  id_ = way.id;
  setObjectName("way:" + text(id_));
  title_->setFullText(text(way.title));
  rule_->setPlain(text(way.rule));
  reason_->setPlain(row.reason);
  reason_->setVisible(!row.reason.isEmpty());
  setLook(reason_, "tone", row.tone == Tone::Error ? "error" : "");
  parts_ = row.verdict;
  setAccessibleName(text(way.title));
  setAccessibleDescription(row.verdictText());
  const bool known = row.judged.outcome && row.reason.isEmpty();
  strip_->setPieces(known ? row.judged.outcome->strip : std::vector<ResumeSpan>{}, stopShare(row, row.judged.at));
  strip_->setStop(stop);
  strip_->setVisible(row.tone != Tone::Error || known);
  setOld(row.old);
}

/// The parts in their colours, which another theme changes.
void WayRow::showVerdict() {
  QString html;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const VerdictPart& part = parts_[i];
    const QColor colour = old_ ? theme().faint : part.tone == Tone::Note ? theme().muted : toneColor(part.tone);
    const QString comma = i + 1 < parts_.size() ? QStringLiteral(", ") : QString();
    html +=
        QString("<span style=\"color:%1\">%2</span>").arg(colour.name(), QString(part.text + comma).toHtmlEscaped());
  }
  if (html != verdict_->text()) verdict_->setText(html);
}

void WayRow::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) showVerdict();
}

void WayRow::setOld(bool old) {
  old_ = old;
  showVerdict();
}

void WayRow::setChosen(bool chosen) {
  if (chosen == chosen_) return;
  chosen_ = chosen;
  update();
}

void WayRow::paintEvent(QPaintEvent* /*event*/) {
  if (!chosen_ && !focus_ring_) return;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme& look = theme();
  const QRectF area = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
  painter.setPen(focus_ring_ ? QPen(look.accent, 1) : QPen(Qt::NoPen));
  painter.setBrush(chosen_ ? QBrush(look.dark ? look.field : look.panel) : QBrush(Qt::NoBrush));
  painter.drawRoundedRect(area, px(6), px(6));
  if (!chosen_) return;
  painter.setPen(Qt::NoPen);
  painter.setBrush(look.accent);
  painter.drawRoundedRect(QRectF(0, px(8), px(3), height() - px(16)), 1.5, 1.5);
}

void WayRow::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) emit chosen();
}

void WayRow::keyPressEvent(QKeyEvent* event) {
  const bool shift = (event->modifiers() & Qt::ShiftModifier) != 0;
  const qint64 size = shift ? kBigStep : 1;
  switch (event->key()) {
    case Qt::Key_Up:
      return emit moveWanted(-1);
    case Qt::Key_Down:
      return emit moveWanted(1);
    case Qt::Key_Left:
      return emit stepWanted(-size);
    case Qt::Key_Right:
      return emit stepWanted(size);
    case Qt::Key_Home:
      return emit endWanted(false);
    case Qt::Key_End:
      return emit endWanted(true);
    default:
      QWidget::keyPressEvent(event);
  }
}

void WayRow::focusInEvent(QFocusEvent* event) {
  focus_ring_ = showsFocusRing(*this) && event->reason() != Qt::OtherFocusReason;
  if (event->reason() != Qt::ActiveWindowFocusReason) emit chosen();
  update();
}

void WayRow::focusOutEvent(QFocusEvent* /*event*/) {
  focus_ring_ = false;
  update();
}

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

#include "moc_way_row.cpp"
