// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/run/wait_rows.h"

#include <QWidget>

namespace shardlens::ui {

/// A bar for each rank: how long it waits in a step, and how often it was the last. Rows shrink to what there is room
/// for; then the rows that matter most are shown. Where no rank waits, it says so instead.
class WaitBars : public QWidget {
  Q_OBJECT

 public:
  explicit WaitBars(QWidget* parent = nullptr);
  void setRows(std::vector<WaitRow> rows, bool is_predicted);
  /// Marks their rows; the first of them is always among the shown ones. Up and Down go on from it.
  void setSelected(std::vector<qint64> ranks);
  /// Shows the rows of these ranks alone; none: all.
  void setOnly(std::vector<qint64> ranks);
  [[nodiscard]] const std::vector<qint64>& only() const { return only_; }
  /// The rows on the screen, from the top.
  [[nodiscard]] std::vector<qint64> shownRanks() const;
  [[nodiscard]] const std::vector<WaitRow>& rows() const { return rows_; }
  [[nodiscard]] QSize minimumSizeHint() const override;

 signals:
  void rankClicked(qint64 rank);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  [[nodiscard]] double pitch() const;
  [[nodiscard]] std::vector<WaitRow> shown() const;
  /// What all rows have in common: the longest bar, and the room that the words take.
  struct Scale {
    double most_ns = 0;
    double words = 0;
  };
  void paintRow(QPainter& painter, const QRectF& place, const WaitRow& row, const Scale& scale) const;

  std::vector<WaitRow> rows_;
  bool is_predicted_ = false;
  std::vector<qint64> selected_;
  std::vector<qint64> only_;
  bool focus_ring_ = false;
};

}  // namespace shardlens::ui
