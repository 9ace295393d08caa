// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QPainter;

namespace shardlens::ui {

/// Dims this part, by `share` of the whole (0 to 1).
void paintShade(QPainter& painter, const QRect& part, double share = 1);

/// Dims the window of a dialog's parent while the dialog is shown. Belongs to that window, and goes with the dialog.
class Shade : public QWidget {
  Q_OBJECT

 public:
  explicit Shade(QDialog* dialog);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace shardlens::ui
