// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/page.h"

#include "ui/widgets/common/arrangement.h"

#include <QRegularExpression>

#include <cassert>

namespace shardlens::ui {

Page::~Page() = default;

QVariantMap Page::layout() const {
  const Arrangement* panels = Arrangement::around(this);
  return panels != nullptr ? panels->layout() : QVariantMap();
}

void Page::restoreLayout(const QVariantMap& layout) {
  if (Arrangement* panels = Arrangement::around(this)) panels->restoreLayout(layout);
}

void Page::resetLayout() {
  if (Arrangement* panels = Arrangement::around(this)) panels->reset();
}

QList<QKeySequence> keys(const char* sequence) {
  return {QKeySequence(QString(sequence))};
}

Actions::Actions(QWidget* window) : QObject(window), window_(window) {}

QAction* Actions::add(ActionInfo info) {
  assert(by_id_.count(info.id) == 0 && "action ids are unique");
  auto* action = new QAction(info.text, this);
  action->setObjectName(info.id);
  action->setShortcuts(info.keys);
  action->setShortcutContext(Qt::WindowShortcut);
  connect(action, &QAction::triggered, this, [run = std::move(info.run)] { run(); });
  window_->addAction(action);
  by_id_[info.id] = {action, info.tip.isEmpty() ? plainText(*action) : info.tip, std::move(info.twin)};
  order_.push_back(action);
  showTip(by_id_[info.id]);
  return action;
}

void Actions::showTip(const Entry& entry) {
  const QKeySequence keys = entry.action->shortcut();
  QString tip = entry.tip;
  if (!keys.isEmpty()) tip += " (" + keys.toString(QKeySequence::NativeText) + ")";
  const QString twin = entry.twin ? entry.twin() : QString();
  entry.action->setToolTip(twin.isEmpty() ? tip : tip + "\n" + twin);
}

void Actions::refreshTips() {
  for (const auto& [id, entry] : by_id_) showTip(entry);
}

QAction* Actions::get(const QString& id) const {
  const auto found = by_id_.find(id);
  assert(found != by_id_.end() && "there is no such action");
  return found->second.action;
}

QString Actions::twin(const QString& id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() || !found->second.twin ? QString() : found->second.twin();
}

QString Actions::plainText(const QAction& action) {
  // A key in brackets, which Chinese menus have, is no part of the words.
  static const QRegularExpression kKey("\\s*\\(&.\\)");
  return QString(action.text()).remove(kKey).remove('&');
}

}  // namespace shardlens::ui

#include "moc_page.cpp"
