// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/run/call_list.h"

#include <QWidget>

namespace shardlens::ui {

/// Calls that had not returned, below each other: function and line, and below the job's own ones what stands there.
/// The tool tip of a call names its file with its folder.
class CallsView : public QWidget {
  Q_OBJECT

 public:
  explicit CallsView(QWidget* parent = nullptr);
  void setCalls(const CallList& calls);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  [[nodiscard]] int heightOf(const CallList::Row& row) const;
  void paintRow(QPainter& painter, const CallList::Row& row, const QRect& area) const;

  std::vector<CallList::Row> rows_;
};

}  // namespace shardlens::ui
