// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/stage/epoch_row.h"

#include "ui/paint/time_paint.h"
#include "ui/scene/theme.h"
#include "ui/widgets/common/metrics.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

namespace shardlens::ui {
namespace {

constexpr int kMarks = 6;
constexpr int kBlocks = 7;

}  // namespace

EpochRow::EpochRow(QWidget* parent) : QAbstractSlider(parent) {
  setOrientation(Qt::Horizontal);
  setAccessibleName(tr("Epochs"));
  setFocusPolicy(Qt::NoFocus);  // the field beside it takes numbers, Ctrl+Left and Ctrl+Right go from epoch to epoch
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void EpochRow::setMarks(std::vector<TimeMark> marks) {
  if (marks == marks_) return;
  marks_ = std::move(marks);
  update();
}

QSize EpochRow::sizeHint() const {
  return {px(200), px(kMarks) + px(kBlocks) + 2};
}

QSize EpochRow::minimumSizeHint() const {
  return {px(60), sizeHint().height()};
}

void EpochRow::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  const QRectF row(0, px(kMarks) + 1, width(), px(kBlocks));
  paintEpochs(painter, row, epochs(), sliderPosition(), theme());
  const double pitch = epochPitch(epochs(), row.width(), row.height());
  for (const TimeMark& mark : marks_) {
    if (mark.epoch >= epochs()) continue;
    paintTimeMark(painter, {(static_cast<double>(mark.epoch) + 0.5) * pitch, row.top() - 1}, mark.tone, theme());
  }
}

void EpochRow::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return event->ignore();
  setSliderDown(true);
  setSliderPosition(static_cast<int>(epochAt(epochs(), width(), px(kBlocks), event->position().x())));
  update();
}

void EpochRow::mouseMoveEvent(QMouseEvent* event) {
  if (!isSliderDown()) return;
  setSliderPosition(static_cast<int>(epochAt(epochs(), width(), px(kBlocks), event->position().x())));
  update();
}

void EpochRow::mouseReleaseEvent(QMouseEvent* /*event*/) {
  setSliderDown(false);
}

QString EpochRow::tipAt(double x) const {
  const qint64 epoch = epochAt(epochs(), width(), px(kBlocks), x);
  QStringList lines{tr("epoch %1").arg(number(epoch))};
  for (const TimeMark& mark : marks_) {
    if (mark.epoch == epoch) lines << mark.title;
  }
  return lines.join('\n');
}

bool EpochRow::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QAbstractSlider::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  QToolTip::showText(help->globalPos(), tipAt(help->pos().x()), this);
  return true;
}

}  // namespace shardlens::ui

#include "moc_epoch_row.cpp"
