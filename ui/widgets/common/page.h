// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QKeySequence>
#include <QObject>
#include <QString>
#include <QVariantMap>
#include <QWidget>

#include <functional>
#include <map>
#include <vector>

namespace shardlens::ui {

struct Workspace;

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

/// What a perspective shows between the header and the status line. The window knows no more of a page than this.
class Page : public QWidget {
  Q_OBJECT

 public:
  using QWidget::QWidget;
  ~Page() override;

  /// The user goes to the perspective of this name. Perspectives may share a page.
  virtual void enter(const QString& /*perspective*/) { setFocus(); }
  /// The command line that shows the same without a window.
  [[nodiscard]] virtual QString command() const = 0;
  /// What can be done with the page, in the order of its menu. The window asks once. An action without an id is a
  /// separator.
  [[nodiscard]] virtual std::vector<ActionInfo> actions() { return {}; }
  /// What a session remembers of the page: where its panels stand, and what the page adds. Every key is there, whatever
  /// its value. Keys of all pages are different.
  [[nodiscard]] virtual QVariantMap layout() const;
  /// Takes what layout() gave to an earlier session. Keys that the session does not have are missing.
  virtual void restoreLayout(const QVariantMap& layout);
  /// Back to the panels, in the places and sizes, of the first start.
  virtual void resetLayout();

 signals:
  /// Another perspective shows what comes of the user's action.
  void perspectiveWanted(const QString& name);
  /// The user chose a file to open.
  void fileWanted(const QString& path);
  /// What the user asked for was not done; the text says why.
  void failed(const QString& text);
};

/// Makes a page of a window.
using PageMaker = Page* (*)(Workspace& workspace, QWidget* parent);

}  // namespace shardlens::ui
