// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QKeySequence>
#include <QObject>
#include <QString>

#include <functional>
#include <map>
#include <vector>

namespace shardlens::ui {

/// What one action is. `id` is stable: menus, the locator, tests and scripts name it.
struct ActionInfo {
  QString id;    ///< "file.save"
  QString text;  ///< "Save"; & marks the mnemonic in menus
  std::function<void()> run;
  QList<QKeySequence> keys = {};
  QString tip = {};
  std::function<QString()> twin = {};  ///< the command line that does the same without a window; empty: there is none
};

/// "Ctrl+N" as the only shortcut of an action.
QList<QKeySequence> keys(const char* sequence);

/// Every action of the window, by id. They live in the window's widget so that their shortcuts work everywhere in it.
class Actions : public QObject {
  Q_OBJECT

 public:
  explicit Actions(QWidget* window);

  QAction* add(ActionInfo info);
  /// Asserts that there is one.
  [[nodiscard]] QAction* get(const QString& id) const;
  [[nodiscard]] const std::vector<QAction*>& all() const { return order_; }
  /// The command line of the action, empty when it has none.
  [[nodiscard]] QString twin(const QString& id) const;
  /// Command lines changed: tool tips show them.
  void refreshTips();
  /// "Save", without the mark of the mnemonic.
  [[nodiscard]] static QString plainText(const QAction& action);

 private:
  struct Entry {
    QAction* action = nullptr;
    QString tip;
    std::function<QString()> twin;
  };
  static void showTip(const Entry& entry);

  QWidget* window_;
  std::map<QString, Entry> by_id_;
  std::vector<QAction*> order_;
};

}  // namespace shardlens::ui
