// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

namespace shardlens::ui {

/// One of a few words, all in sight. Left and Right move, so does a click.
class SegmentedControl : public QWidget {
  Q_OBJECT

 public:
  explicit SegmentedControl(const QStringList& labels, QWidget* parent = nullptr);

  [[nodiscard]] const QStringList& labels() const { return labels_; }
  [[nodiscard]] int current() const { return current_; }
  /// Other words; the first one is current.
  void setLabels(const QStringList& labels);
  void setCurrent(int index);
  void setHint(int index, const QString& tip);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

 signals:
  void currentChanged(int index);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  [[nodiscard]] QRectF segment(int index) const;
  [[nodiscard]] int indexAt(QPointF place) const;

  QStringList labels_;
  QStringList hints_;
  int current_ = 0;
};

}  // namespace shardlens::ui
