// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/banner.h"

#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/link_button.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QScrollArea>
#include <QShortcut>
#include <QVBoxLayout>

#include <algorithm>

namespace shardlens::ui {
namespace {

constexpr int kProblemRows = 6;

void clear(QLayout& layout) {
  while (QLayoutItem* item = layout.takeAt(0)) {
    if (item->widget() != nullptr) item->widget()->deleteLater();
    delete item;
  }
}

QString placeOf(const Error& issue) {
  if (issue.place.line == 0) return QString::fromStdString(issue.place.field);
  const QString at = QString("%1:%2").arg(issue.place.line).arg(issue.place.column);
  return issue.place.field.empty() ? at : at + "  " + QString::fromStdString(issue.place.field);
}

}  // namespace

Banner::Banner(QWidget* parent) : QWidget(parent) {
  setObjectName("banner");
  text_ = textLabel({}, "", this);
  text_->setWordWrap(true);
  buttons_ = new QHBoxLayout;
  buttons_->setSpacing(px(kGap));
  problem_area_ = new QWidget;
  problems_ = columnIn(problem_area_, {}, px(2));
  auto* first = new QHBoxLayout;
  first->addWidget(text_, 1);
  first->addLayout(buttons_);
  auto* column = columnIn(this, {px(kMargin), px(6), px(kMargin), px(7)}, px(4));
  column->addLayout(first);
  column->addWidget(thinScroll(problem_area_, this));
  cancels_ = new QShortcut(Qt::Key_Escape, this);  // wherever the focus is
  connect(cancels_, &QShortcut::activated, this, &QWidget::hide);
  hide();
}

void Banner::show(const QString& text, const char* tone, const std::vector<Choice>& choices) {
  clear(*problems_);
  problem_texts_.clear();
  problem_area_->parentWidget()->parentWidget()->hide();
  clear(*buttons_);
  text_->setText(text);
  setLook(text_, "tone", tone);
  for (const Choice& choice : choices) addButton(choice.text, choice.run);
  addButton("✕", {});
  cancels_->setEnabled(!choices.empty());
  setVisible(true);
}

void Banner::showProblems(const QString& text, const Issues& issues, bool listed) {
  show(text, "error");
  for (const Error& issue : issues) {
    const QString hint = issue.hint.empty() ? QString() : "  " + QString::fromStdString(issue.hint);
    const QString line = placeOf(issue) + "  " + QString::fromStdString(issue.message) + hint;
    QLabel* label = textLabel(line, "muted", problem_area_);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    problems_->addWidget(label);
    problem_texts_ += line;
  }
  QWidget* area = problem_area_->parentWidget()->parentWidget();
  area->setFixedHeight(px(20) * std::min<int>(kProblemRows, static_cast<int>(issues.size())) + px(4));
  area->setVisible(!listed);
}

void Banner::addButton(const QString& text, const std::function<void()>& run) {
  auto* button = new LinkButton(text, run ? "" : "muted", this);
  if (!run) button->setAccessibleName(phrase("window", "Close"));
  connect(button, &QAbstractButton::clicked, this, [this, run] {
    hide();
    if (run) run();
  });
  buttons_->addWidget(button);
}

QString Banner::text() const {
  return text_->text();
}

QStringList Banner::problems() const {
  return problem_texts_;
}

void Banner::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), theme().field);
  painter.fillRect(QRect(0, height() - 1, width(), 1), theme().hairline);
}

}  // namespace shardlens::ui

#include "moc_banner.cpp"
