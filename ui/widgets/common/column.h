// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

namespace shardlens::ui {

/// Widgets under each other, each with exactly the height that its words need at this width, without gaps for hidden
/// ones; for the content of a scroll area. (A box layout in a scroll area squeezes wrapped text to one line.)
class Column : public QWidget {
  Q_OBJECT

 public:
  Column(QMargins margins, int gap, QWidget* parent = nullptr);

  /// Takes the widget over, at the end.
  void add(QWidget* widget);
  /// Shows these and no others, in this order; takes them over, and hides and deletes those that it had beside them.
  void set(const std::vector<QWidget*>& widgets);
  /// Hides and deletes all widgets.
  void clear() { set({}); }

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void arrange();

  QMargins margins_;
  int gap_;
  std::vector<QWidget*> widgets_;
};

}  // namespace shardlens::ui
