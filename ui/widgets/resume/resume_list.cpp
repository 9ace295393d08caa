// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/resume/resume_list.h"

#include "ui/paint/resume_strip_paint.h"
#include "ui/paint/share_bar_paint.h"
#include "ui/scene/palette.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/column.h"
#include "ui/widgets/common/link_button.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/resume/resume_axis.h"
#include "ui/widgets/resume/way_row.h"
#include "ui/widgets/resume/way_strip.h"

#include <QEvent>
#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace shardlens::ui {
namespace {

/// What the colours of the strips mean.
class Legend : public QWidget {
 public:
  explicit Legend(QWidget* parent = nullptr) : QWidget(parent) { setFixedHeight(px(24)); }

 protected:
  void paintEvent(QPaintEvent* /*event*/) override {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(smallFont());
    const Theme& look = theme();
    double x = px(10);
    x = item(painter, x, duplicateColor(look), phrase("resume", "repeated"));
    const double lost = x;
    x = item(painter, x, neverColor(), phrase("resume", "lost"));
    paintLost(painter, boxAt(lost), 2);
    x = item(painter, x, trainedColor(look), phrase("resume", "trained"));
    item(painter, x, aheadColor(look), phrase("resume", "after the stop"));
  }

 private:
  [[nodiscard]] QRectF boxAt(double x) const {
    const double box = px(11);
    return {x, (height() - box) / 2, box, box};
  }

  double item(QPainter& painter, double x, const QColor& colour, const QString& words) const {
    const double box = boxAt(x).width();
    painter.setPen(QPen(theme().hairline, 1));
    painter.setBrush(colour);
    painter.drawRoundedRect(boxAt(x), 2, 2);
    painter.setPen(theme().muted);
    const double text_width = painter.fontMetrics().horizontalAdvance(words);
    painter.drawText(QRectF(x + box + px(5), 0, text_width + 2, height()), Qt::AlignVCenter, words);
    return x + box + px(5) + text_width + px(14);
  }
};

}  // namespace

ResumeList::ResumeList(QWidget* parent)
    : QWidget(parent),
      fold_(new LinkButton({})),
      axis_(new ResumeAxis),
      column_(new Column({0, 0, px(kGap), 0}, px(2))) {
  fold_->setObjectName("resume:others");
  fold_->hide();
  connect(fold_, &QAbstractButton::clicked, this, [this] { setFolded(!folded_); });
  connect(axis_, &ResumeAxis::stepsWanted, this, &ResumeList::stopWanted);
  scroll_ = thinScroll(column_);
  scroll_->viewport()->installEventFilter(this);
  auto* column = columnIn(this, {}, px(2));
  column->addWidget(axis_);
  column->addWidget(scroll_, 1);
  column->addWidget(new Legend);
}

void ResumeList::setAnswer(const ResumeAnswer& answer) {
  answer_ = answer;
  const std::size_t count = answer.rows.size();
  while (rows_.size() < count) rows_.push_back(addRow());
  for (std::size_t i = 0; i < count; ++i) {
    rows_[i]->setRow(answer.rows[i], stopPlace(answer, answer.point.steps));
  }
  const auto same = std::find_if(answer.rows.begin(), answer.rows.end(),
                                 [&](const ResumeRow& row) { return row.judged.way.id == chosen_id_; });
  showFold();
  choose(same == answer.rows.end() ? 0 : static_cast<int>(same - answer.rows.begin()));
  axis_->setSteps(answer.steps, answer.point.steps);
  alignAxis();
}

/// The rows of the design's framework, the line with the others, and those when it is open.
void ResumeList::showFold() {
  const std::size_t count = answer_.rows.size();
  const std::size_t own = ownRows(answer_);
  std::vector<QWidget*> shown;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    rows_[i]->setVisible(i < count && (i < own || !folded_));
    if (i == own) shown.push_back(fold_);
    shown.push_back(rows_[i]);
  }
  if (own >= rows_.size()) shown.push_back(fold_);
  column_->set(shown);
  fold_->setVisible(own < count);
  fold_->setText((folded_ ? tr("▸ %1") : tr("▾ %1")).arg(othersText(answer_)));
  fold_->setAccessibleName(folded_ ? tr("Show %1").arg(othersText(answer_)) : tr("Hide %1").arg(othersText(answer_)));
}

QAbstractButton* ResumeList::fold() const {
  return fold_;
}

void ResumeList::setFolded(bool folded) {
  if (folded == folded_) return;
  const auto own = static_cast<int>(ownRows(answer_));
  if (folded) {  // what is explained, and what has the keys, can be seen
    for (std::size_t i = ownRows(answer_); i < rows_.size(); ++i) {
      if (rows_[i]->hasFocus()) fold_->setFocus(Qt::OtherFocusReason);
    }
    if (chosen_ >= own) choose(0);
  }
  folded_ = folded;
  showFold();
}

WayRow* ResumeList::addRow() {
  auto* row = new WayRow;
  const auto place = static_cast<int>(rows_.size());
  row->setParent(column_);
  connect(row, &WayRow::chosen, this, [this, place] { choose(place); });
  connect(row, &WayRow::moveWanted, this, [this, place](int by) { moveTo(place + by); });
  connect(row, &WayRow::stepWanted, this, &ResumeList::stepWanted);
  connect(row, &WayRow::endWanted, this, &ResumeList::endWanted);
  connect(row, &WayRow::placeWanted, this, &ResumeList::placeWanted);
  connect(row->strip(), &WayStrip::stopWanted, this, [this](double share) { emit stopWanted(stopAt(answer_, share)); });
  return row;
}

void ResumeList::choose(int row) {
  if (row < 0 || row >= static_cast<int>(answer_.rows.size())) return;
  if (row >= static_cast<int>(ownRows(answer_))) setFolded(false);
  chosen_ = row;
  chosen_id_ = answer_.rows[static_cast<std::size_t>(row)].judged.way.id;
  for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i]->setChosen(static_cast<int>(i) == row);
  emit chosenChanged(row);
}

void ResumeList::moveTo(int row) {
  if (row < 0 || row >= static_cast<int>(answer_.rows.size())) return;
  WayRow* wanted = rows_[static_cast<std::size_t>(row)];
  wanted->setFocus(Qt::TabFocusReason);
  scroll_->ensureWidgetVisible(wanted, 0, px(kGap));
}

void ResumeList::setStop(qint64 steps) {
  for (std::size_t i = 0; i < answer_.rows.size(); ++i) rows_[i]->strip()->setStop(stopPlace(answer_, steps));
  axis_->setSteps(answer_.steps, steps);
  alignAxis();
}

void ResumeList::setOld(bool old) {
  for (WayRow* row : rows_) row->setOld(old);
}

std::vector<WayRow*> ResumeList::rows() const {
  return {rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(answer_.rows.size())};
}

/// The axis stands outside of what scrolls, over the same stretch.
void ResumeList::alignAxis() {
  if (answer_.rows.empty()) return;
  const QMargins inner = rows_.front()->layout()->contentsMargins();
  const int right = scroll_->viewport()->width() - px(kGap) - inner.right();
  axis_->setSpan(inner.left(), right);
}

void ResumeList::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  alignAxis();
}

bool ResumeList::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) alignAxis();
  return QWidget::eventFilter(watched, event);
}

}  // namespace shardlens::ui

#include "moc_resume_list.cpp"
