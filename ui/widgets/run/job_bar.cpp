// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/job_bar.h"

#include "ui/scene/run/text.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/labels.h"

#include <QKeyEvent>
#include <QPushButton>

namespace shardlens::ui {
namespace {

QPushButton* buttonIn(QWidget* bar, const QString& text, const char* name, const char* role) {
  auto* button = pushButton(text, role, bar);
  button->setObjectName(name);
  return button;
}

}  // namespace

JobBar::JobBar(RunService& runs, QWidget* parent) : QWidget(parent), runs_(runs) {
  setObjectName("jobBar");
  setFixedHeight(px(41));
  stop_ = buttonIn(this, phrase("run", "Stop job"), "stopJob", "danger");
  time_ = textLabel({}, "", this);
  command_ = new ElidedLabel({}, this);
  command_->setFont(monoFont());
  setLook(command_, "tone", "muted");
  question_ = textLabel(phrase("run", "Stop every process of this job? Its recording is kept."), "", this);
  question_->setObjectName("stopQuestion");
  yes_ = buttonIn(this, phrase("run", "Stop it"), "stopYes", "danger");
  no_ = buttonIn(this, phrase("run", "Keep it running"), "stopNo", "quiet");
  pause_ = buttonIn(this, phrase("run", "Pause view"), "pauseView", "");
  pause_->setToolTip(phrase("run", "The job continues and is recorded; only the view is paused"));
  connect(stop_, &QPushButton::clicked, this, [this] { setAsking(true); });
  connect(no_, &QPushButton::clicked, this, [this] { setAsking(false); });
  connect(yes_, &QPushButton::clicked, this, [this] {
    setAsking(false);
    runs_.stop();
  });
  connect(pause_, &QPushButton::clicked, this, [this] { runs_.setPaused(!runs_.isPaused()); });
  auto* row = rowIn(this, {px(kMargin), 0, px(kMargin), 1}, px(10));
  addAll(row, {stop_, question_, yes_, no_, time_});
  row->addWidget(command_, 1);
  row->addStretch();  // while it asks
  row->addWidget(pause_);
  connect(&runs_, &RunService::activeChanged, this, [this] { setAsking(false); });
  connect(&runs_, &RunService::stoppingChanged, this, &JobBar::refresh);
  connect(&runs_, &RunService::pausedChanged, this, &JobBar::refresh);
  setAsking(false);
}

void JobBar::refresh() {
  const RunStatePtr state = runs_.state();
  const QString time = state == nullptr ? phrase("run", "starting") : recordingText(*state, true);
  time_->setText(runs_.isPaused() ? phrase("run", "● view paused") : "● " + time);
  setLook(time_, "tone", runs_.isPaused() ? "muted" : "fine");
  command_->setFullText(state == nullptr ? QString() : "$ " + QString::fromStdString(state->command.text()));
  stop_->setText(runs_.isStopping() ? phrase("run", "Stopping…") : phrase("run", "Stop job"));
  const bool is_from_elsewhere = runs_.isActive() && !runs_.canStop();
  stop_->setEnabled(!is_from_elsewhere && !runs_.isStopping());
  stop_->setToolTip(is_from_elsewhere ? phrase("run", "This job was not started here: whoever started it can stop it.")
                                      : phrase("run", "Stop every process of the job (Ctrl+.)"));
  pause_->setText(runs_.isPaused() ? phrase("run", "Follow") : phrase("run", "Pause view"));
}

void JobBar::setAsking(bool asking) {
  asks_ = asking;
  const bool had_focus = yes_->hasFocus() || no_->hasFocus();
  for (QWidget* part : std::initializer_list<QWidget*>{question_, yes_, no_}) part->setVisible(asking);
  for (QWidget* part : std::initializer_list<QWidget*>{stop_, time_, command_}) part->setVisible(!asking);
  if (asking) no_->setFocus(Qt::OtherFocusReason);  // Enter alone stops nothing
  if (!asking && had_focus) stop_->setFocus(Qt::OtherFocusReason);
  refresh();
}

void JobBar::askToStop() {
  if (!runs_.canStop() || runs_.isStopping()) return;
  asks_ ? yes_->click() : setAsking(true);
}

void JobBar::keyPressEvent(QKeyEvent* event) {
  if (asks_ && event->key() == Qt::Key_Escape) return setAsking(false);
  QWidget::keyPressEvent(event);
}

}  // namespace shardlens::ui

#include "moc_job_bar.cpp"
