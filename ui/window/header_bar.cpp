// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/header_bar.h"

#include "ui/scene/theme.h"
#include "ui/widgets/common/actions.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/segmented.h"
#include "ui/widgets/common/style.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace shardlens::ui {
namespace {

constexpr int kHeight = 48;

/// Three lines, drawn: the door to the menus.
class MenuButton : public QToolButton {
 public:
  using QToolButton::QToolButton;

 protected:
  void paintEvent(QPaintEvent* event) override {
    QToolButton::paintEvent(event);
    QPainter painter(this);
    painter.setPen(QPen(theme().muted, px(1) + 0.5));
    const int half = px(7);
    for (int line = -1; line <= 1; ++line) {
      const double y = height() / 2.0 + line * px(4);
      painter.drawLine(QPointF(width() / 2.0 - half, y), QPointF(width() / 2.0 + half, y));
    }
  }
};

QPushButton* buttonFor(QAction& action, const QString& text, const char* role, QWidget* parent) {
  auto* button = new QPushButton(text, parent);
  setLook(button, "role", role);
  button->setObjectName("button:" + action.objectName());
  const auto follow = [button, &action] {
    button->setToolTip(action.toolTip());
    button->setEnabled(action.isEnabled());
  };
  QObject::connect(button, &QPushButton::clicked, &action, &QAction::trigger);
  QObject::connect(&action, &QAction::changed, button, follow);
  follow();
  return button;
}

}  // namespace

HeaderBar::HeaderBar(const Actions& actions, const std::vector<Perspective>& rows, QWidget* parent) : QWidget(parent) {
  setFixedHeight(px(kHeight));
  auto* left = new QHBoxLayout;
  auto* right = new QHBoxLayout;
  buildLeft(*left);
  buildPerspectives(actions, rows);
  buildRight(*right, actions);
  auto* line = new QHBoxLayout(this);
  line->setContentsMargins(px(8), 0, px(kMargin), 1);
  line->addLayout(left, 1);
  line->addWidget(perspectives_);
  line->addLayout(right, 1);
}

void HeaderBar::buildPerspectives(const Actions& actions, const std::vector<Perspective>& rows) {
  QStringList labels;
  for (const Perspective& row : rows) labels += row.label;
  perspectives_ = new SegmentedControl(labels, this);
  for (int i = 0; i < labels.size(); ++i) {
    const QAction* action = actions.get("view." + rows[static_cast<std::size_t>(i)].name);
    const auto hint = [this, i, action] { perspectives_->setHint(i, action->toolTip()); };
    connect(action, &QAction::changed, this, hint);
    hint();
  }
  connect(perspectives_, &SegmentedControl::currentChanged, this, &HeaderBar::perspectiveChosen);
}

void HeaderBar::buildLeft(QHBoxLayout& line) {
  menu_ = new MenuButton(this);
  menu_->setFixedSize(px(32), px(32));
  menu_->setAccessibleName("Menu");
  menu_->setToolTip("Menu (F10)");
  menu_->setPopupMode(QToolButton::InstantPopup);
  auto* name = textLabel("ShardLens", "", this);
  setLook(name, "role", "title");
  file_ = new ElidedLabel({}, this);
  setLook(file_, "tone", "muted");
  dot_ = textLabel("●", "accent", this);
  setLook(dot_, "role", "dot");
  dot_->setToolTip("There are changes that are not saved.");
  dot_->setAccessibleName("modified");
  line.setSpacing(px(kGap));
  line.addWidget(menu_);
  line.addWidget(name);
  line.addSpacing(px(4));
  line.addWidget(file_);
  line.addWidget(dot_);
  line.addStretch(1);
}

void HeaderBar::buildRight(QHBoxLayout& line, const Actions& actions) {
  job_ = textLabel({}, "error", this);
  job_->setObjectName("job");
  locator_ = new QLineEdit(this);
  locator_->setObjectName("locator");
  locator_->setPlaceholderText("Find sample, rank  Ctrl+K");
  locator_->setAccessibleName("Locator");
  locator_->setMinimumWidth(px(120));
  locator_->setMaximumWidth(px(230));
  export_ = buttonFor(*actions.get("analyse.export"), "Export", "", this);
  pause_ = buttonFor(*actions.get("run.pause"), "Pause view", "", this);
  launch_ = buttonFor(*actions.get("run.launch"), "Launch", "primary", this);
  stop_ = buttonFor(*actions.get("run.stop"), "Stop job", "danger", this);
  for (QPushButton* button : {launch_, stop_}) button->setMinimumWidth(px(112));
  line.setSpacing(px(10));
  line.addStretch(0);
  line.addStretch(1);
  line.addWidget(job_);
  line.addWidget(locator_, 4);
  line.addWidget(export_);
  line.addWidget(pause_);
  line.addWidget(launch_);
  line.addWidget(stop_);
  arrange();
}

void HeaderBar::setDocument(const QString& name, const QString& path, bool modified) {
  file_->setFullText(name);
  file_->setToolTip(path);
  dot_->setVisible(modified);
}

void HeaderBar::setPerspective(int index) {
  perspectives_->setCurrent(index);
}

void HeaderBar::setJob(const QString& text, bool stopping, bool paused) {
  job_->setText(text);
  stop_->setText(stopping ? "Stopping …" : "Stop job");
  pause_->setText(paused ? "Follow" : "Pause view");
  arrange();
}

void HeaderBar::setWatching(bool watching) {
  watching_ = watching;
  arrange();
}

void HeaderBar::arrange() {
  const bool job = !job_->text().isEmpty();
  job_->setVisible(job);
  launch_->setVisible(!job);
  stop_->setVisible(job);
  pause_->setVisible(job && watching_);
  locator_->setVisible(!(job && watching_));
  export_->setVisible(!watching_);
}

void HeaderBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), theme().panel);
  painter.fillRect(QRect(0, height() - 1, width(), 1), theme().hairline);
}

}  // namespace shardlens::ui
