// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/common/link_label.h"

namespace shardlens::ui {

/// One line that gives way: cut at its end when there is no room. What is named in it is a link while all of it is
/// seen; a name that is cut through must not lead to another place.
class ElidedLinks : public LinkLabel {
  Q_OBJECT

 public:
  explicit ElidedLinks(QWidget* parent = nullptr);
  /// `context` as in linked().
  void setFull(const QString& text, const Selected& context = {});
  [[nodiscard]] const QString& fullText() const { return full_; }
  [[nodiscard]] QSize minimumSizeHint() const override;
  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void showWhatFits();

  QString full_;
  Selected full_context_;
};

}  // namespace shardlens::ui
