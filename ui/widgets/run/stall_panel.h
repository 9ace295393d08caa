// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/run/stalls.h"
#include "ui/state/selection.h"
#include "ui/widgets/common/style.h"

#include <QWidget>

#include <vector>

namespace shardlens::ui {

class Column;
class LinkLabel;

/// Calls that had not returned, below each other: function and line, and below the job's own ones what stands there.
/// The tool tip of a call names its file with its folder.
class CallsView : public QWidget {
  Q_OBJECT

 public:
  explicit CallsView(QWidget* parent = nullptr);
  void setCalls(const CallList& calls);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return {px(120), sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  [[nodiscard]] int heightOf(const CallList::Row& row) const;
  void paintRow(QPainter& painter, const CallList::Row& row, const QRect& area) const;

  std::vector<CallList::Row> rows_;
};

/// The card beside the ranks of a job that stands still: who is waited for, since when, and what to do.
class StallPanel : public QWidget {
  Q_OBJECT

 public:
  explicit StallPanel(QWidget* parent = nullptr);
  void setText(const StallText& said);
  /// All that it says.
  [[nodiscard]] QString asText() const;

 signals:
  /// A rank or step that it names.
  void placeWanted(const shardlens::ui::Selected& place);
  void closeWanted();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void build();
  void addHead(const QString& head);
  void addLine(const QString& head);
  void addCalls();

  StallText said_;
  LinkLabel* title_;
  Column* column_;
  struct CallsShown {
    LinkLabel* head;
    LinkLabel* note;
    CallsView* view;
  };
  std::vector<CallsShown> calls_;
  std::vector<LinkLabel*> words_;  ///< of the lines, then of what else is wrong
  std::vector<LinkLabel*> times_;  ///< of the lines, hidden where they have none
};

}  // namespace shardlens::ui
