// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QTimer>
#include <QVariantAnimation>
#include <QWidget>

#include <functional>

class QUndoStack;

namespace shardlens::ui {

class LinkButton;

/// A sentence at the foot of a window that says what was just done, with the way back where there is one. It takes no
/// focus and no room, is read out by screen readers, and goes after four seconds; not while the mouse or the focus is
/// on it. A newer one takes its place.
class Toast : public QWidget {
  Q_OBJECT

 public:
  static constexpr int kShownMs = 4000;

  /// The one of the window that `from` is in, made when it is first wanted.
  static Toast& of(const QWidget& from);
  /// Says it in the window of `from`.
  static void say(const QWidget& from, const QString& text) { of(from).tell(text, nullptr); }
  /// Says what the newest command of the stack did, with "Undo", which is gone once the stack has moved on.
  static void sayDone(const QWidget& from, QUndoStack& stack, const QString& text);

  /// Says it with "Undo", which calls `undo`.
  static void sayWithUndo(const QWidget& from, const QString& text, std::function<void()> undo);

  [[nodiscard]] QString text() const { return isHidden() ? QString() : words_->text(); }
  [[nodiscard]] LinkButton* undoButton() const { return undo_; }
  /// Seconds do not pass by themselves in tests.
  [[nodiscard]] QTimer& timer() { return timer_; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  explicit Toast(QWidget* window);
  void tell(const QString& text, std::function<void()> undo);
  void place();
  void slide(bool in);

  QLabel* words_;
  LinkButton* undo_;
  std::function<void()> undo_it_;
  QMetaObject::Connection watched_;  ///< of the stack whose command can be undone
  QTimer timer_;
  QVariantAnimation sliding_;
  double risen_ = 0;  ///< 0: below the window's edge; 1: where it is read
};

/// Puts the text on the clipboard and says so in the window of `from`.
void copyText(const QWidget& from, const QString& text);

}  // namespace shardlens::ui
