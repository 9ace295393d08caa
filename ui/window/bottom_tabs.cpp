// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/bottom_tabs.h"

#include "ui/state/phrase.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/run/console_view.h"
#include "ui/widgets/run/lanes_tab.h"
#include "ui/widgets/run/waits_tab.h"
#include "ui/widgets/tabs/all_reduce_view.h"
#include "ui/widgets/tabs/coverage_view.h"
#include "ui/widgets/tabs/export_view.h"
#include "ui/widgets/tabs/overlap_view.h"
#include "ui/widgets/tabs/seeds_view.h"

#include <QEvent>
#include <QMenu>
#include <QStackedWidget>
#include <QToolButton>

namespace shardlens::ui {
namespace {

template <class Tab>
QWidget* make(Workspace& workspace, QWidget* parent) {
  return new Tab(workspace, parent);
}

QKeySequence key(const char* keys) {
  return QKeySequence(QString(keys));
}

/// What is made late would be the last that Tab reaches; it is to come where it is seen.
void reachAfter(QWidget* before, const QWidget& made) {
  for (QWidget* child : made.findChildren<QWidget*>()) {
    if ((child->focusPolicy() & Qt::TabFocus) == 0 || child->window() != before->window()) continue;
    QWidget::setTabOrder(before, child);
    before = child;
  }
}

}  // namespace

std::vector<TabRow> bottomTabs() {
  return {
      {"overlap", phrase("window", "Overlap"), key("Alt+6"), "shardlens audit %1", make<OverlapTab>},
      {"coverage", phrase("window", "Coverage"), key("Alt+7"), "shardlens audit %1", make<CoverageTab>},
      {"seeds", phrase("window", "Seeds"), key("Alt+8"), "shardlens audit %1", make<SeedsTab>},
      {"lanes", phrase("window", "Rank lanes"), key("Alt+9"), "shardlens audit %1", make<LanesTab>},
      {"waits", phrase("window", "Waits"), key("Alt+W"), "shardlens audit %1", make<WaitsTab>},
      {"reduce", phrase("window", "All-reduce"), key("Alt+G"), {}, make<AllReduceTab>, hasAllReduce},
      {"export", phrase("window", "Export"), key("Ctrl+E"), "shardlens export %1 --to lightning", make<ExportTab>},
      {"console", phrase("window", "Console"), key("Alt+0"), {}, make<ConsoleTab>},
  };
}

QStringList namesOf(const std::vector<TabRow>& rows) {
  QStringList names;
  for (const TabRow& row : rows) names += row.name;
  return names;
}

TabStrip::TabStrip(QWidget* parent)
    : QWidget(parent), bar_(new QTabBar(this)), more_(new QToolButton(this)), stack_(new QStackedWidget(this)) {
  setSurface(this, "panel");
  bar_->setDrawBase(false);
  bar_->setExpanding(false);
  bar_->setElideMode(Qt::ElideNone);
  bar_->setUsesScrollButtons(false);
  bar_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  more_->setText(tr("more ▾"));
  more_->setPopupMode(QToolButton::InstantPopup);
  more_->setFocusPolicy(Qt::TabFocus);
  more_->setAccessibleName(tr("More tabs"));
  more_->setMenu(new QMenu(more_));
  stack_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // a wide tab must not push the side panels
  auto* line = rowIn(nullptr, {px(4), 0, 0, 0});
  line->addWidget(bar_, 1);
  line->addWidget(more_);
  auto* column = columnIn(this, {}, 0);
  column->addLayout(line);
  column->addWidget(hairline(Qt::Horizontal, this));
  column->addWidget(stack_, 1);
  bar_->setToolTip(tr("Double-click for more room, and again for less"));
  connect(bar_, &QTabBar::currentChanged, this, &TabStrip::choose);
  connect(bar_, &QTabBar::tabBarDoubleClicked, this, &TabStrip::roomWanted);
}

void TabStrip::add(const QString& name, const QString& label, Maker make) {
  names_ += name;
  makers_.push_back(std::move(make));
  tabs_.push_back(nullptr);
  bar_->addTab(label);
}

QWidget* TabStrip::tab(const QString& name) {
  const auto index = static_cast<std::size_t>(names_.indexOf(name));
  if (tabs_[index] == nullptr) {
    auto* room = new QScrollArea(stack_);  // a small window scrolls a tab instead of squeezing the Stage
    room->setFrameShape(QFrame::NoFrame);
    room->setWidgetResizable(true);
    room->setFocusPolicy(Qt::NoFocus);
    tabs_[index] = makers_[index](room);
    room->setWidget(tabs_[index]);
    room->viewport()->setAutoFillBackground(false);
    tabs_[index]->setAutoFillBackground(false);
    stack_->addWidget(room);
    reachAfter(more_, *room);
  }
  return tabs_[index];
}

void TabStrip::bringUp(const QString& name) {
  tab(name);
  for (int i = 0; i < stack_->count(); ++i) {
    if (static_cast<QScrollArea*>(stack_->widget(i))->widget() == tab(name)) stack_->setCurrentIndex(i);
  }
}

bool TabStrip::show(const QString& name) {
  if (!names_.contains(name)) return false;
  bar_->setCurrentIndex(static_cast<int>(names_.indexOf(name)));
  choose(bar_->currentIndex());
  return true;
}

void TabStrip::setOffered(const QString& name, bool offered) {
  if (offered == !withheld_.contains(name)) return;
  if (offered) {
    withheld_.removeAll(name);
  } else {
    withheld_ += name;
  }
  if (isVisible()) fit();
}

void TabStrip::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  bringUp(current());
  fit();
}

/// The chosen tab stays in the bar; of the others, the last ones go first.
void TabStrip::fit() {
  const int tabs = bar_->count();
  for (int i = 0; i < tabs; ++i) {
    // QTabBar believes that its places are right again once a tab is told what it is already.
    const bool offered = i == bar_->currentIndex() || !withheld_.contains(names_[i]);
    if (bar_->isTabVisible(i) != offered) bar_->setTabVisible(i, offered);
  }
  int total = 0;
  for (int i = 0; i < tabs; ++i) total += bar_->isTabVisible(i) ? bar_->tabRect(i).width() : 0;
  const int room = width() - px(4);
  for (QAction* action : more_->menu()->actions()) {
    more_->menu()->removeAction(action);
    action->deleteLater();  // this may be what it was triggered for
  }
  QList<QAction*> actions;
  for (int i = tabs - 1; i > 0 && total > room - (actions.isEmpty() ? 0 : more_->sizeHint().width()); --i) {
    if (i == bar_->currentIndex() || !bar_->isTabVisible(i)) continue;
    total -= bar_->tabRect(i).width();
    auto* action = new QAction(bar_->tabText(i), more_->menu());
    connect(action, &QAction::triggered, this, [this, i] { show(names_[i]); });
    actions.prepend(action);
    bar_->setTabVisible(i, false);
  }
  more_->menu()->addActions(actions);
  more_->setVisible(!actions.isEmpty());
}

void TabStrip::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

void TabStrip::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) fit();
}

void TabStrip::choose(int index) {
  if (index < 0 || index >= static_cast<int>(makers_.size())) return;
  if (isVisible()) bringUp(names_[index]);  // else showEvent() does, when there is a size
  if (!bar_->isTabVisible(index) || !withheld_.isEmpty()) fit();
}

}  // namespace shardlens::ui

#include "moc_bottom_tabs.cpp"
