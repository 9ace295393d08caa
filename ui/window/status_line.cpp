// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/status_line.h"

#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/state_pane.h"
#include "ui/widgets/common/style.h"

#include <QPainter>

namespace shardlens::ui {
StatusLine::StatusLine(QWidget* parent) : QWidget(parent) {
  setFixedHeight(px(27));
  left_ = new ElidedLinks(this);
  right_ = textLabel({}, "muted", this);
  what_ = textLabel({}, "muted", this);
  for (QLabel* label : {static_cast<QLabel*>(left_), right_, what_}) {
    setLook(label, "tone", "muted");
    setLook(label, "role", "text");
  }
  bar_ = new ProgressBar(this);
  bar_->setFixedWidth(px(120));
  bar_->setAccessibleName(phrase("window", "Progress"));
  cancel_ = new LinkButton(phrase("window", "cancel"), "", this);
  auto* line = rowIn(this, {px(kMargin), 1, px(kMargin), 0}, px(kGap));
  line->addWidget(left_, 1);
  addAll(line, {what_, bar_, cancel_, right_});
  connect(left_, &LinkLabel::followed, this, &StatusLine::placeWanted);
  connect(cancel_, &QAbstractButton::clicked, this, &StatusLine::cancelClicked);
  passing_.setSingleShot(true);
  connect(&passing_, &QTimer::timeout, this, [this] {
    message_.clear();
    showLeft();
  });
  setProgress(-1);
}

void StatusLine::setFacts(const QString& left, const QString& right) {
  facts_ = left;
  right_->setText(right);
  showLeft();
}

void StatusLine::say(const QString& message) {
  message_ = message;
  passing_.start(8000);
  showLeft();
}

void StatusLine::setProgress(double fraction, const QString& what) {
  const bool busy = fraction >= 0;
  bar_->setFraction(fraction);
  what_->setText(what);
  for (QWidget* widget : std::initializer_list<QWidget*>{bar_, what_, cancel_}) widget->setVisible(busy);
}

void StatusLine::showLeft() {
  QString line = message_.isEmpty() ? facts_ : message_;
  left_->setFull(line.replace(QLatin1Char('\n'), QLatin1Char(' ')));  // an exception's text may have several lines
}

void StatusLine::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), theme().panel);
  painter.fillRect(QRect(0, 0, width(), 1), theme().hairline);
}

}  // namespace shardlens::ui

#include "moc_status_line.cpp"
