// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/arrangement.h"

#include "ui/widgets/common/toast.h"

#include <QApplication>
#include <QMenu>
#include <QSplitter>

#include <algorithm>
#include <limits>
#include <map>

namespace shardlens::ui {
namespace {

bool isIn(const QWidget* holder, const QWidget* widget) {
  return holder == widget || holder->isAncestorOf(widget);
}

void focusInto(QWidget* panel) {
  if (panel->focusProxy() != nullptr || panel->focusPolicy() != Qt::NoFocus)
    return panel->setFocus(Qt::OtherFocusReason);
  for (QWidget* child : panel->findChildren<QWidget*>()) {
    if ((child->focusPolicy() & Qt::TabFocus) != 0 && child->isVisible()) return child->setFocus(Qt::OtherFocusReason);
  }
}

}  // namespace

Arrangement::Arrangement(QWidget* page, QString name, std::function<void()> usual_sizes)
    : QObject(page), page_(page), name_(std::move(name)), usual_sizes_(std::move(usual_sizes)) {}

void Arrangement::addSplitter(QSplitter* splitter) {
  splitters_.push_back(splitter);
  connect(splitter, &QSplitter::splitterMoved, this, [this, splitter] { by_hand_.insert(splitter); });
}

void Arrangement::addPanel(const QString& id, const QString& title, QWidget* widget, Hiding hiding) {
  panels_.push_back({id, title, widget, hiding == Hiding::Allowed});
}

void Arrangement::settle(std::set<QString> hidden_at_first) {
  usually_hidden_ = hidden_ = std::move(hidden_at_first);
  usual_order_ = order();
  apply();
  usual_sizes_();
}

Arrangement* Arrangement::around(const QWidget* widget) {
  for (; widget != nullptr; widget = widget->parentWidget()) {
    if (auto* found = widget->findChild<Arrangement*>(QString(), Qt::FindDirectChildrenOnly)) return found;
  }
  return nullptr;
}

const Arrangement::Panel* Arrangement::find(const QString& id) const {
  const auto found = std::ranges::find_if(panels_, [&id](const Panel& one) { return one.id == id; });
  return found == panels_.end() ? nullptr : &*found;
}

std::vector<Arrangement::Panel> Arrangement::panels() const {
  std::vector<Panel> standing;
  for (const QString& id : order()) standing.push_back(*find(id));
  return standing;
}

QString Arrangement::idOf(const QWidget* widget) const {
  if (widget == nullptr) return {};
  const auto found = std::ranges::find_if(
      panels_, [widget](const Panel& one) { return isIn(one.widget, widget) || isIn(widget, one.widget); });
  return found == panels_.end() ? QString() : found->id;
}

bool Arrangement::isInSight(const QString& id) const {
  const Panel* panel = find(id);
  return panel != nullptr && panel->available && isShown(id);
}

QSplitter* Arrangement::splitterAround(const QWidget* widget) const {
  for (QWidget* holder = widget->parentWidget(); holder != nullptr; holder = holder->parentWidget()) {
    const auto found = std::find(splitters_.begin(), splitters_.end(), holder);
    if (found != splitters_.end()) return *found;
  }
  return nullptr;
}

/// The places of the panel in the splitters around it, the outermost first.
std::vector<int> Arrangement::pathOf(const QWidget* widget) const {
  std::vector<int> path;
  for (const QSplitter* splitter = splitterAround(widget); splitter != nullptr; splitter = splitterAround(splitter)) {
    int place = 0;
    while (place < splitter->count() && !isIn(splitter->widget(place), widget)) ++place;
    path.insert(path.begin(), place);
  }
  return path;
}

QStringList Arrangement::order() const {
  std::vector<Panel> sorted = panels_;
  std::ranges::stable_sort(sorted,
                           [this](const Panel& a, const Panel& b) { return pathOf(a.widget) < pathOf(b.widget); });
  QStringList ids;
  for (const Panel& panel : sorted) ids += panel.id;
  return ids;
}

QStringList Arrangement::titlesIn(const QWidget* widget) const {
  QStringList titles;
  for (const Panel& panel : panels()) {
    if (isIn(widget, panel.widget) && isInSight(panel.id)) titles += panel.title;
  }
  return titles;
}

Arrangement::Step Arrangement::stepOf(const QString& id, Direction direction) const {
  const Panel* panel = find(id);
  if (panel == nullptr || !isInSight(id)) return {};
  const bool across = direction == Direction::Left || direction == Direction::Right;
  const int by = direction == Direction::Left || direction == Direction::Up ? -1 : 1;
  QWidget* child = panel->widget;
  for (QSplitter* splitter = splitterAround(child); splitter != nullptr; splitter = splitterAround(splitter)) {
    while (child->parentWidget() != splitter) child = child->parentWidget();
    if ((splitter->orientation() == Qt::Horizontal) != across) continue;
    for (int to = splitter->indexOf(child) + by; to >= 0 && to < splitter->count(); to += by) {
      if (!splitter->widget(to)->isHidden()) return {splitter, child, to};
    }
  }
  return {};
}

bool Arrangement::canMove(const QString& id, Direction direction) const {
  return stepOf(id, direction).splitter != nullptr;
}

bool Arrangement::isUsual() const {
  return hidden_ == usually_hidden_ && order() == usual_order_ && by_hand_.empty();
}

void Arrangement::doAndSay(const QString& text, const std::function<void()>& change) {
  const QVariantMap before = layout();
  change();
  Toast::sayWithUndo(*page_, text, [this, before] { restoreLayout(before); });
}

void Arrangement::hidePanels(const QStringList& ids) {
  QStringList titles;
  for (const QString& id : ids) {
    if (isInSight(id) && find(id)->can_hide) titles += find(id)->title;
  }
  if (titles.isEmpty()) return;
  doAndSay(tr("Hidden: %1").arg(titles.join(QStringLiteral(", "))), [this, &ids] {
    for (const QString& id : ids) setShown(id, false);
  });
}

void Arrangement::movePanel(const QString& id, Direction direction) {
  const Step step = stepOf(id, direction);
  if (step.splitter == nullptr) return;
  const QString said = direction == Direction::Left    ? tr("Moved left: %1")
                       : direction == Direction::Right ? tr("Moved right: %1")
                       : direction == Direction::Up    ? tr("Moved up: %1")
                                                       : tr("Moved down: %1");
  doAndSay(said.arg(titlesIn(step.child).join(QStringLiteral(", "))), [this, &step] {
    std::map<const QWidget*, int> sizes;
    const QList<int> now = step.splitter->sizes();
    for (int i = 0; i < step.splitter->count(); ++i) sizes[step.splitter->widget(i)] = now[i];
    step.splitter->insertWidget(step.to, step.child);
    QList<int> moved;
    for (int i = 0; i < step.splitter->count(); ++i) moved += sizes[step.splitter->widget(i)];
    step.splitter->setSizes(moved);
    chainFocus();
    emit changed();
  });
}

void Arrangement::restorePanels() {
  if (!isUsual()) doAndSay(tr("The panels are back in their places"), [this] { reset(); });
}

void Arrangement::setShown(const QString& id, bool shown) {
  const Panel* panel = find(id);
  if (panel == nullptr || shown == isShown(id) || (!shown && !panel->can_hide)) return;
  shown ? static_cast<void>(hidden_.erase(id)) : static_cast<void>(hidden_.insert(id));
  apply();
  if (!isByHand()) usual_sizes_();
  emit changed();
}

void Arrangement::setAvailable(const QString& id, bool available) {
  for (Panel& panel : panels_) {
    if (panel.id != id || panel.available == available) continue;
    panel.available = available;
    apply();
    if (!isByHand()) usual_sizes_();
    emit changed();
  }
}

void Arrangement::reset() {
  hidden_ = usually_hidden_;
  by_hand_.clear();
  setOrder(usual_order_);
  apply();
  usual_sizes_();
  emit changed();
}

/// A row or column is there while a panel in it is. Whoever had the focus in what goes gets it where something stays.
void Arrangement::apply() {
  const QWidget* focused = QApplication::focusWidget();
  const bool had_focus = focused != nullptr && isIn(page_, focused) && !idOf(focused).isEmpty();
  for (QSplitter* splitter : splitters_) {
    for (int i = 0; i < splitter->count(); ++i) {
      QWidget* child = splitter->widget(i);
      const bool seen = std::ranges::any_of(
          panels_, [&](const Panel& panel) { return isIn(child, panel.widget) && isInSight(panel.id); });
      if (child->isHidden() == seen) child->setVisible(seen);
    }
  }
  if (!had_focus || isInSight(idOf(focused))) return;
  const auto stays = std::ranges::find_if(panels_, [](const Panel& panel) { return !panel.can_hide; });
  if (stays != panels_.end()) focusInto(stays->widget);
}

/// Panels that the list does not know come last.
void Arrangement::setOrder(const QStringList& ids) {
  if (ids == order()) return;
  for (QSplitter* splitter : splitters_) {
    std::vector<std::pair<qsizetype, QWidget*>> children;
    for (int i = 0; i < splitter->count(); ++i) {
      auto first = std::numeric_limits<qsizetype>::max();
      for (const Panel& panel : panels_) {
        const qsizetype place = ids.indexOf(panel.id);
        if (place >= 0 && isIn(splitter->widget(i), panel.widget)) first = std::min(first, place);
      }
      children.emplace_back(first, splitter->widget(i));
    }
    std::ranges::stable_sort(children, [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < children.size(); ++i) splitter->insertWidget(static_cast<int>(i), children[i].second);
  }
  chainFocus();
}

/// Tab goes through the panels as they stand, and in each of them as before.
void Arrangement::chainFocus() {
  std::map<QString, std::vector<QWidget*>> inside;
  for (QWidget* widget = page_->nextInFocusChain(); widget != page_; widget = widget->nextInFocusChain()) {
    const bool takes_focus = (widget->focusPolicy() & Qt::TabFocus) != 0 && widget->focusProxy() == nullptr;
    if (takes_focus && page_->isAncestorOf(widget)) inside[idOf(widget)].push_back(widget);
  }
  QWidget* last = nullptr;
  for (const QString& id : order()) {
    for (QWidget* widget : inside[id]) {
      if (last != nullptr) QWidget::setTabOrder(last, widget);
      last = widget;
    }
  }
}

void Arrangement::giveSizes(QSplitter& splitter, std::initializer_list<std::pair<const QWidget*, int>> sizes) {
  QList<int> given = splitter.sizes();
  for (const auto& [widget, size] : sizes) {
    for (int i = 0; i < splitter.count(); ++i) {
      if (splitter.widget(i) == widget) given[i] = size;
    }
  }
  if (given != splitter.sizes()) splitter.setSizes(given);
}

/// The panels as they stand, a "-" before those that are hidden; and the sizes that the user chose.
QVariantMap Arrangement::layout() const {
  QStringList standing;
  for (const QString& id : order()) standing += isShown(id) ? id : '-' + id;
  QVariantList sizes;
  for (const QSplitter* splitter : splitters_) sizes += isByHand(splitter) ? splitter->saveState() : QByteArray();
  return {{name_ + "_panels", standing}, {name_ + "_sizes", sizes}};
}

void Arrangement::restoreLayout(const QVariantMap& layout) {
  const QStringList standing = layout[name_ + "_panels"].toStringList();
  hidden_ = standing.isEmpty() ? usually_hidden_ : std::set<QString>();
  QStringList ids;
  for (const QString& entry : standing) {
    const QString id = entry.startsWith('-') ? entry.mid(1) : entry;
    const Panel* panel = find(id);
    if (panel == nullptr) continue;
    ids += id;
    if (id != entry && panel->can_hide) hidden_.insert(id);
  }
  setOrder(standing.isEmpty() ? usual_order_ : ids);
  by_hand_.clear();
  apply();
  usual_sizes_();
  const QVariantList sizes = layout[name_ + "_sizes"].toList();
  for (std::size_t i = 0; i < splitters_.size(); ++i) {
    const QByteArray state = sizes.value(static_cast<qsizetype>(i)).toByteArray();
    if (!state.isEmpty() && splitters_[i]->restoreState(state)) by_hand_.insert(splitters_[i]);
  }
  emit changed();
}

void fillPanelPlaces(QMenu& menu, Arrangement& page, const QString& id) {
  using Direction = Arrangement::Direction;
  const auto panels = page.panels();
  const auto panel = std::ranges::find_if(panels, [&id](const auto& one) { return one.id == id; });
  if (panel == panels.end() || panels.size() < 2) return;
  menu.addSeparator();
  if (panel->can_hide) {
    menu.addAction(Arrangement::tr("Hide %1").arg(panel->title), &page, [&page, id] { page.hidePanels({id}); });
  }
  const std::pair<Direction, QString> ways[] = {{Direction::Left, Arrangement::tr("Move left")},
                                                {Direction::Right, Arrangement::tr("Move right")},
                                                {Direction::Up, Arrangement::tr("Move up")},
                                                {Direction::Down, Arrangement::tr("Move down")}};
  for (const auto& [direction, words] : ways) {
    if (!page.canMove(id, direction)) continue;
    menu.addAction(words, &page, [&page, id, to = direction] { page.movePanel(id, to); });
  }
  menu.addAction(Arrangement::tr("Restore panels"), &page, [&page] { page.restorePanels(); })
      ->setEnabled(!page.isUsual());
}

void fillPanelRows(QMenu& menu, Arrangement& page) {
  for (const Arrangement::Panel& panel : page.panels()) {
    if (!panel.available) continue;
    QAction* row = menu.addAction(panel.title, &page, [&page, id = panel.id] {
      page.isInSight(id) ? page.hidePanels({id}) : page.setShown(id, true);
    });
    row->setCheckable(true);
    row->setChecked(page.isShown(panel.id));
    row->setEnabled(panel.can_hide);
  }
}

}  // namespace shardlens::ui

#include "moc_arrangement.cpp"
