// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/stage/dataset_strip.h"

#include "core/base/text.h"
#include "ui/paint/strip_paint.h"
#include "ui/scene/number_text.h"
#include "ui/scene/stage/flight.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/style.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace shardlens::ui {
namespace {

constexpr int kBar = 34;
constexpr int kScaleLine = 12;  ///< above the bars, where the top of their scale is said
constexpr int kFoot = 6;

QString columnTip(const StripColumn& column) {
  const QString tip = column.last - column.first == 1
                          ? phrase("stage", "sample %1").arg(number(column.first))
                          : phrase("stage", "samples %1 to %2").arg(number(column.first), number(column.last - 1));
  QStringList lines = {tip};
  if (column.share <= 0) {
    lines += phrase("stage", "not seen yet");
    return lines.join('\n');
  }
  lines += column.share >= 1
               ? phrase("stage", "seen, last by rank %1").arg(column.rank)
               : phrase("stage", "%1 % seen, last by rank %2").arg(column.share * 100, 0, 'f', 1).arg(column.rank);
  if (column.duplicate) lines += phrase("stage", "handed out more than once");
  if (column.padding) lines += phrase("stage", "used as padding");
  return lines.join('\n');
}

}  // namespace

DatasetStrip::DatasetStrip(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Dataset: samples seen"));
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setMouseTracking(true);
  setCursor(Qt::PointingHandCursor);
  setTips(this, [this](QPoint place) {
    const auto column = columnAt(place.x());
    return column ? columnTip(*column) : QString();
  });
}

QSize DatasetStrip::sizeHint() const {
  return {px(200), px(kBar) + kFoot};
}

QRect DatasetStrip::bar() const {
  return {0, 0, width(), px(kBar)};
}

void DatasetStrip::setInput(const StageInput& input) {
  if (input.epoch != input_.epoch) facts_.reset();
  if (input.dataset_size != input_.dataset_size) kept_.clear();
  input_ = input;
  refresh();
}

void DatasetStrip::setFacts(std::shared_ptr<const EpochFacts> facts) {
  facts_ = std::move(facts);
  refresh();
}

void DatasetStrip::setPlayhead(double position) {
  const qint64 dealt = stepsLanded(position);
  if (dealt == dealt_) return;
  dealt_ = dealt;
  refresh();
}

void DatasetStrip::setHighlighted(std::optional<SampleIndex> sample, qint64 count) {
  highlighted_ = sample;
  highlighted_count_ = count;
  update();
}

void DatasetStrip::setColour(StageColour colour) {
  colour_ = colour;
  update();
}

void DatasetStrip::keepFull() {
  if (input_.isEmpty() || input_.dataset_size == 0) return;
  kept_ = stripColumns(input_, facts_.get(), input_.steps, width());
  emptied_ = 0;
  update();
}

void DatasetStrip::setEmptied(double share) {
  if (kept_.empty()) return;
  emptied_ = share;
  if (share >= 1) kept_.clear();
  update();
}

void DatasetStrip::refresh() {
  update();
  const QString text = input_.isEmpty() ? QString() : stripText(input_, facts_.get(), dealt_);
  if (text == summary_) return;
  summary_ = text;
  setAccessibleDescription(text);
  emit summaryChanged(text);
}

QRect DatasetStrip::sampleOnScreen(SampleIndex sample) const {
  const StripColumn column = stripColumnOf(input_, sample, width());
  return {column.from, 0, std::max(column.to - column.from, 1), bar().height()};
}

std::optional<StripColumn> DatasetStrip::columnAt(int x) const {
  for (const StripColumn& column : stripColumns(input_, facts_.get(), dealt_, width())) {
    if (x >= column.from && x < column.to) return column;
  }
  return std::nullopt;
}

void DatasetStrip::paintColumns(QPainter& painter) {
  const std::vector<StripColumn> columns = stripColumns(input_, facts_.get(), dealt_, width());
  const double top = stripTop(columns);
  const QString scale = stripScale(columns, top);
  const QRect area = scale.isEmpty() ? bar() : bar().adjusted(0, px(kScaleLine), 0, 0);
  paintStrip(painter, area, columns, top, input_, colour_, theme());
  if (!kept_.empty()) {
    painter.save();
    painter.setClipRect(QRectF(emptied_ * width(), 0, width(), height()), Qt::IntersectClip);
    painter.fillRect(QRect(0, area.top(), width(), height()), theme().window);
    paintStrip(painter, area, kept_, stripTop(kept_), input_, colour_, theme());
    painter.restore();
  }
  if (!scale.isEmpty()) paintScale(painter, scale);
}

/// What a bar stands for, above the bars; the line that the highest may reach runs beside the words.
void DatasetStrip::paintScale(QPainter& painter, const QString& words) {
  painter.setFont(smallFont());
  const int left = px(4);
  const QRect line(left, 0, width() - left, px(kScaleLine));
  painter.setPen(theme().muted);
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, words);
  painter.setPen(QPen(mix(theme().muted, theme().cell_empty, 0.5), 1, Qt::DashLine));
  const int beside = left + painter.fontMetrics().horizontalAdvance(words) + px(6);
  painter.drawLine(beside, px(kScaleLine) - 1, width(), px(kScaleLine) - 1);
}

/// Around the bars of these samples: whole at both ends of the strip, and clear of the words above the bars.
QRectF DatasetStrip::markOf(SampleIndex first, SampleIndex last) const {
  constexpr double kLeast = 6;
  const QRect bars = sampleOnScreen(first).united(sampleOnScreen(last));
  const bool has_words = !stripScale(stripColumns(input_, nullptr, 0, width()), 1).isEmpty();
  const double wide = std::max<double>(bars.width() - 2, kLeast);
  const double left = std::clamp(QRectF(bars).center().x() - wide / 2, 1.0, std::max(1.0, width() - 1 - wide));
  const double top = has_words ? px(kScaleLine) + 1 : 1;
  return {left, top, wide, bar().height() - 1 - top};
}

void DatasetStrip::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  if (input_.isEmpty() || input_.dataset_size == 0) return painter.fillRect(bar(), theme().cell_empty);
  paintColumns(painter);
  painter.setBrush(Qt::NoBrush);
  painter.setRenderHint(QPainter::Antialiasing);
  if (highlighted_ && *highlighted_ < input_.dataset_size) {
    const SampleIndex last = std::min(*highlighted_ + highlighted_count_, input_.dataset_size) - 1;
    painter.setPen(QPen(theme().accent, 2));
    painter.drawRoundedRect(markOf(*highlighted_, last), 2, 2);
  }
  if (showsFocusRing(*this)) {
    painter.setPen(QPen(theme().accent, 1));
    painter.drawRoundedRect(QRectF(bar()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
  }
}

void DatasetStrip::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return event->ignore();
  if (const auto column = columnAt(event->pos().x())) emit samplesChosen(column->first, column->last - column->first);
}

void DatasetStrip::keyPressEvent(QKeyEvent* event) {
  const bool plain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
  const int by = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
  if (!plain || by == 0 || input_.dataset_size == 0) return QWidget::keyPressEvent(event);
  const SampleIndex from = highlighted_.value_or(by > 0 ? -1 : input_.dataset_size);
  emit samplesChosen(std::clamp<SampleIndex>(from + by, 0, input_.dataset_size - 1), 1);
}

}  // namespace shardlens::ui

#include "moc_dataset_strip.cpp"
