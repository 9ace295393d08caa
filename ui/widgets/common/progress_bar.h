// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProgressBar>

namespace shardlens::ui {

/// A thin bar without text. Shows a new share with the window's next picture: QProgressBar::setValue() paints at once
/// everything in the window that waits to be painted.
class ProgressBar : public QProgressBar {
 public:
  explicit ProgressBar(QWidget* parent = nullptr);

  /// 0..1.
  void setFraction(double fraction);
};

}  // namespace shardlens::ui
