// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>

class QWidget;

namespace shardlens::ui {

/// Brings one widget up to date: only while it can be seen, and in a later turn of the event loop, so that one plan
/// that changes everything does not keep the window from the user until all of it is on the screen. The refreshes of
/// the program wait in one queue; a turn makes as many as fit into a few milliseconds.
class Refresh : public QObject {
  Q_OBJECT

 public:
  /// `make` lets `widget` show what is so now; called on the GUI thread. Ends with `widget`.
  Refresh(QWidget* widget, std::function<void()> make);
  ~Refresh() override;

  /// What the widget shows is no longer so. A hidden one remembers it until it is shown.
  void want();
  /// Makes up at once for what was wanted; nothing otherwise.
  void now();

  /// Nothing waits that could be seen: what is on the screen is up to date. For the GUI thread.
  [[nodiscard]] static bool allDone();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* widget_;
  std::function<void()> make_;
  bool stale_ = false;
};

}  // namespace shardlens::ui
