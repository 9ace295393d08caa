// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QFrame>
#include <QPointer>
#include <QVariantAnimation>

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

/// A panel over the whole window, which is dimmed and cannot be used meanwhile: no key and no click reaches it. Tab
/// stays inside. Esc, or a press beside the panel, closes it and changes nothing; the keyboard then is where it was.
/// A closed sheet deletes itself.
class Sheet : public QWidget {
  Q_OBJECT

 public:
  /// Lies over the window of `opener`, as large as `design` in lengths of the drawings, or as the window leaves room.
  Sheet(QSize design, QWidget* opener);

  /// Shows it, fading in but where motion is reduced, and puts the keyboard on `first`.
  void open(QWidget* first);
  void dismiss();
  [[nodiscard]] QFrame* panel() const { return panel_; }

  /// Whether sheets over this window open without motion.
  static void setReducedMotion(QWidget* window, bool reduced);
  [[nodiscard]] static bool isReducedMotion(const QWidget& window);

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  bool focusNextPrevChild(bool next) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  /// The panel has another size, or the window has.
  virtual void panelResized() {}

 private:
  void place();
  void showAt(double progress);

  QSize design_;
  QPointer<QWidget> before_;  ///< had the keyboard
  QFrame* panel_;
  QVariantAnimation opening_;
  double opened_ = 1;
};

}  // namespace shardlens::ui
