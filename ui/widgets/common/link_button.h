// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>

namespace shardlens::ui {

/// A button that looks like a link and gives way when there is no room: cut at the right, whole in its tool tip.
class LinkButton : public QPushButton {
  Q_OBJECT

 public:
  explicit LinkButton(const QString& text, const char* tone = "", QWidget* parent = nullptr);
  [[nodiscard]] const QString& fullText() const { return full_; }
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QString full_;
};

}  // namespace shardlens::ui
