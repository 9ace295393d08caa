// SPDX-License-Identifier: GPL-3.0-or-later
// What the user chooses in the Lens: which columns, where they stand, what their Stages answer.
#include "ui/state/workspace.h"
#include "ui/widgets/common/choice_menu.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/lens/lens_column_view.h"
#include "ui/widgets/lens/lens_columns.h"
#include "ui/widgets/lens/lens_legend.h"
#include "ui/widgets/lens/lens_panel.h"
#include "ui/widgets/stage/stage_view.h"
#include "ui/widgets/stage/transport_bar.h"

#include <QAbstractButton>
#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace shardlens::ui {

void LensPanel::build() {
  setLook(this, "surface", "window");
  setAttribute(Qt::WA_StyledBackground);
  setAccessibleName(tr("Framework lens"));
  setFocusPolicy(Qt::StrongFocus);
  summary_ = new ElidedLabel;
  setLook(summary_, "tone", "muted");
  columns_ = new LensColumns;
  legend_ = new LensLegend;
  auto* foot = new QVBoxLayout;
  foot->setContentsMargins(px(kMargin), 0, px(kMargin), px(10));
  foot->setSpacing(px(4));
  foot->addWidget(legend_);
  transport_ = new TransportBar(workspace_.playback);
  foot->addWidget(transport_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, px(10), 0, 0);
  column->setSpacing(px(6));
  column->addWidget(headRow());
  column->addWidget(columns_, 1);
  column->addLayout(foot);
}

QToolButton* LensPanel::menuButton(const QString& name) {
  auto* button = new QToolButton;
  button->setPopupMode(QToolButton::InstantPopup);
  button->setFocusPolicy(Qt::TabFocus);
  button->setAccessibleName(name);
  setLook(button, "role", "field");
  button->setMenu(new ChoiceMenu(button));
  return button;
}

QWidget* LensPanel::headRow() {
  order_button_ = menuButton(tr("Order of the columns"));
  order_button_->setObjectName("lens:order");
  choose_ = menuButton(tr("Frameworks shown"));
  choose_->setObjectName("lens:frameworks");
  choose_->setText(tr("frameworks ▾"));
  makeOrderMenu();
  title_ = textLabel(tr("The same design in each framework"));
  setLook(title_, "role", "title");
  auto* holder = new QWidget;
  auto* row = new QHBoxLayout(holder);
  row->setContentsMargins(px(kMargin), 0, px(kMargin), 0);
  row->setSpacing(px(kGap));
  row->addWidget(title_);
  row->addWidget(summary_, 1);
  row->addWidget(order_button_);
  row->addWidget(choose_);
  return holder;
}

void LensPanel::makeOrderMenu() {
  QMenu* menu = order_button_->menu();
  for (const auto& [by, words] : {std::pair(LensOrder::By::List, tr("As listed")),
                                  {LensOrder::By::Similarity, tr("By similarity")},
                                  {LensOrder::By::Hand, tr("By hand")}}) {
    QAction* action = menu->addAction(words);
    action->setCheckable(true);
    connect(action, &QAction::triggered, this, [this, by = by] { setOrder(by); });
    orders_.emplace(by, action);
  }
  setOrder(LensOrder::By::List);
}

void LensPanel::setOrder(LensOrder::By by) {
  order_.setBy(by);
  for (const auto& [one, action] : orders_) action->setChecked(one == by);
  orders_[LensOrder::By::Hand]->setEnabled(!order_.byHand().empty());
  order_button_->setText(tr("%1 ▾").arg(orders_[by]->text()));
  showColumns();
}

void LensPanel::setPinned(const std::string& id, bool pinned) {
  order_.setPinned(id, pinned);
  showColumns();
}

void LensPanel::moveColumn(const std::string& id, int by) {
  if (!order_.move(shownLanes(), id, by)) return;
  setOrder(LensOrder::By::Hand);
  columns_->reveal(*viewOf(id));
}

/// The column takes the place that the mouse is over.
void LensPanel::drag(const LensColumnView& view, QPoint global) {
  const int to = columns_->placeAt(global);
  const auto at = std::find(columns().begin(), columns().end(), &view) - columns().begin();
  if (to >= 0 && to != at) moveColumn(view.id(), to - static_cast<int>(at));
}

QVariantMap LensPanel::choice() const {
  const auto strings = [](const auto& ids) {
    QStringList out;
    for (const std::string& id : ids) out << QString::fromStdString(id);
    return out;
  };
  return {{"lens", strings(chosen_)},
          {"lens_pinned", strings(order_.pinned())},
          {"lens_places", strings(order_.byHand())},
          {"lens_order", static_cast<int>(order_.by())}};
}

void LensPanel::setChoice(const QVariantMap& choice) {
  chosen_.clear();
  for (const QString& id : choice["lens"].toStringList()) chosen_.insert(id.toStdString());
  for (const QString& id : choice["lens_pinned"].toStringList()) order_.setPinned(id.toStdString(), true);
  std::vector<std::string> places;
  for (const QString& id : choice["lens_places"].toStringList()) places.push_back(id.toStdString());
  order_.setByHand(std::move(places));
  const int by = choice["lens_order"].toInt();
  const bool known = by >= 0 && by <= static_cast<int>(LensOrder::By::Hand);
  setOrder(known ? static_cast<LensOrder::By>(by) : LensOrder::By::List);
  computeSoon();
}

LensColumnView* LensPanel::addColumn() {
  auto* view = new LensColumnView(this);
  connect(view, &LensColumnView::useWanted, this, [this, view] { use(view->id()); });
  connect(view, &LensColumnView::mendWanted, this, [this, view] {
    if (const LensLane* mend = mendOf(view->id())) use(mend->id());
  });
  connect(view, &LensColumnView::stopWanted, this, [this, view] { stop(*view); });
  connect(view, &LensColumnView::againWanted, this, [this, view] { computeToo({view->id()}); });
  connect(view, &LensColumnView::pinWanted, this, [this, view](bool on) { setPinned(view->id(), on); });
  connect(view, &LensColumnView::moveWanted, this, [this, view](int by) { moveColumn(view->id(), by); });
  connect(view, &LensColumnView::hideWanted, this, [this, view] { setShown(view->id(), false); });
  connect(view, &LensColumnView::placeWanted, this, [this](const Selected& place) { workspace_.goTo(place); });
  connect(view, &LensColumnView::dragged, this, [this, view](QPoint global) { drag(*view, global); });
  wireStage(view);
  return view;
}

/// Without the reference there is nothing to compare the others with.
void LensPanel::stop(const LensColumnView& view) {
  if (!stops_) return;
  for (const LensLane& lane : lanes_) {
    if (lane.id() == view.id() || view.id() == lanes_.front().id()) stops_->stop(lane.id());
  }
}

void LensPanel::wireStage(LensColumnView* view) {
  connect(view->stage(), &StageView::viewChanged, this, [this, view] { alignTo(*view); });
  connect(view->stage(), &StageView::cellChosen, this, [this, view](CellAddress cell) {
    workspace_.selection.select({{cell.rank}, view->stage()->input().epochNumber(), cell.step, std::nullopt});
  });
  connect(view->stage(), &StageView::rankChosen, this, [this, view](qint64 rank) {
    workspace_.selection.select({{rank}, view->stage()->input().epochNumber(), std::nullopt, std::nullopt});
  });
  connect(view->stage(), &StageView::choiceCleared, this, [this] { workspace_.selection.clear(); });
  connect(view->stage(), &StageView::seekRequested, this,
          [this](double position) { workspace_.playback.seek(workspace_.playback.epoch(), position); });
}

/// The entries stay as they are while the same columns can be chosen: the menu may be open.
void LensPanel::fillMenu() {
  std::vector<std::pair<std::string, std::string>> offered;
  for (const LensLane& lane : lanes_) offered.emplace_back(lane.id(), lane.judged.column.family);
  if (offered != offered_) addChoices();
  offered_ = std::move(offered);
  for (const auto& [id, action] : choices_) action->setChecked(isShown(id));
}

void LensPanel::addChoices() {
  QMenu* menu = choose_->menu();
  menu->clear();
  choices_.clear();
  connect(menu->addAction(tr("All frameworks")), &QAction::triggered, this, [this] { showAll(true); });
  connect(menu->addAction(tr("The usual frameworks")), &QAction::triggered, this, [this] { showAll(false); });
  std::string family;
  for (const LensLane& lane : lanes_) {
    if (&lane == &lanes_.front()) continue;
    if (lane.judged.column.family != family) {
      family = lane.judged.column.family;
      menu->addSection(QString::fromStdString(family));
    }
    const QString title = QString::fromStdString(lane.judged.column.title);
    QAction* action = menu->addAction(lane.judged.column.remedy_of.empty() ? title : QStringLiteral("    ") + title);
    action->setCheckable(true);
    connect(action, &QAction::triggered, this, [this, id = lane.id()](bool on) { setShown(id, on); });
    choices_.emplace(lane.id(), action);
  }
}

void LensPanel::showAll(bool all) {
  chosen_.clear();
  for (const LensLane& lane : lanes_) {
    if (all && !isUsualColumn(lane.id())) chosen_.insert(lane.id());
  }
  std::set<std::string> unknown;
  for (const LensLane& lane : lanes_) {
    const bool is_known = lane.state == LaneState::Done && lane.judged.verdict != LensVerdict::NotAsked;
    if (isShown(lane.id()) && !is_known) unknown.insert(lane.id());
  }
  computeToo(unknown);
}

}  // namespace shardlens::ui
