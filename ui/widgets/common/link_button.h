// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace shardlens::ui {

/// A button that looks like a link; its text wraps when there is no room in one line.
class LinkButton : public QAbstractButton {
  Q_OBJECT

 public:
  explicit LinkButton(const QString& text, const char* tone = "", QWidget* parent = nullptr);
  /// Other words, also for screen readers.
  void setWords(const QString& text);
  /// What it offers now; with no words there is nothing to offer, and it is hidden.
  void offer(const QString& text);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;
  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] int heightForWidth(int width) const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  [[nodiscard]] QFont shownFont() const;
  bool muted_;
};

}  // namespace shardlens::ui
