// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/workspace.h"

#include <QKeySequence>
#include <QString>
#include <QStringList>
#include <QTabBar>
#include <QWidget>

#include <functional>
#include <vector>

class QStackedWidget;
class QToolButton;

namespace shardlens::ui {

/// One tab below the Stage. The strip, the Analyse menu, shortcuts, --tab and sessions are made from these rows.
struct TabRow {
  QString name;   ///< stable: "overlap"; the action that shows it is "analyse.overlap"
  QString label;  ///< on the strip
  QKeySequence key;
  QString twin;  ///< the command line that says the same, with %1 for the spec; empty: there is none
  QWidget* (*make)(Workspace& workspace, QWidget* parent);
  bool (*offered)(const PipelineSpec& spec) = nullptr;  ///< whether the design has something for it; null: always
};

/// In the order of the strip. The first one is shown at the first start.
std::vector<TabRow> bottomTabs();

QStringList namesOf(const std::vector<TabRow>& rows);

/// The bottom tabs: a bar of words and the chosen tab under it. Tabs are made when they are first looked at. Words that
/// have no room are in a menu at the end.
class TabStrip : public QWidget {
  Q_OBJECT

 public:
  using Maker = std::function<QWidget*(QWidget* parent)>;

  explicit TabStrip(QWidget* parent = nullptr);

  /// `name` is stable ("overlap"): --tab, sessions and actions use it.
  void add(const QString& name, const QString& label, Maker make);
  bool show(const QString& name);
  /// A tab that is not offered has no word unless it is the current one; show() still shows it.
  void setOffered(const QString& name, bool offered);
  [[nodiscard]] QString current() const { return names_.value(bar_->currentIndex()); }
  [[nodiscard]] QStringList names() const { return names_; }
  /// The tab of that name, made if need be.
  QWidget* tab(const QString& name);

 signals:
  /// By a double click: more room, or as much as before.
  void roomWanted();

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void choose(int index);
  void bringUp(const QString& name);
  void fit();

  QTabBar* bar_;
  QToolButton* more_;
  QStackedWidget* stack_;
  QStringList names_;
  QStringList withheld_;  ///< not offered
  std::vector<Maker> makers_;
  std::vector<QWidget*> tabs_;
};

}  // namespace shardlens::ui
