// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/console_tab.h"

#include "ui/state/phrase.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/run/console_view.h"

#include <QStackedWidget>
#include <QVBoxLayout>

namespace shardlens::ui {

ConsoleTab::ConsoleTab(Workspace& workspace, QWidget* parent)
    : QWidget(parent), workspace_(workspace), refresh_(this, [this] { showRun(); }) {
  setLook(this, "surface", "panel");
  setAttribute(Qt::WA_StyledBackground);
  states_ = new QStackedWidget(this);
  console_ = new ConsoleView(states_);
  states_->addWidget(new EmptyState(
      phrase("run", "No output yet"),
      phrase("run", "Launch a stand-in, or watch your own job: the output of its ranks appears here."), states_));
  states_->addWidget(console_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(px(kMargin), px(10), px(kMargin), px(10));
  column->addWidget(states_);
  connect(&workspace_.runs, &RunService::stateChanged, &refresh_, &Refresh::want);
  refresh_.want();
}

void ConsoleTab::showRun() {
  const RunStatePtr state = workspace_.runs.state();
  states_->setCurrentIndex(state == nullptr ? 0 : 1);
  if (state != nullptr) console_->setRun(state);
}

}  // namespace shardlens::ui

#include "moc_console_tab.cpp"
