// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/stage/time_marks.h"

#include <QAbstractSlider>

#include <vector>

namespace shardlens::ui {

/// All epochs as a row of blocks, the shown one in the accent colour, findings as triangles above. A click or a drag
/// goes to an epoch.
class EpochRow : public QAbstractSlider {
  Q_OBJECT

 public:
  explicit EpochRow(QWidget* parent = nullptr);
  void setMarks(std::vector<TimeMark> marks);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  bool event(QEvent* event) override;

 private:
  [[nodiscard]] qint64 epochs() const { return qint64{maximum()} + 1; }
  [[nodiscard]] QString tipAt(double x) const;

  std::vector<TimeMark> marks_;
};

}  // namespace shardlens::ui
