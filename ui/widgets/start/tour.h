// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>

#include <functional>
#include <vector>

class QFrame;
class QLabel;
class QPushButton;

namespace shardlens::ui {

/// One stop of a tour: a part of the window, and what it is for.
struct TourStop {
  QString title;
  QString text;
  std::function<QWidget*()> show;  ///< brings the part into view and gives it
};

/// A walk over a window: everything but one part is dimmed, and a card beside it says what it is for. The part can be
/// used meanwhile. Enter and Right go on, Left goes back, Esc ends it; Space is left to the window. Deletes itself at
/// its end.
class Tour : public QWidget {
  Q_OBJECT

 public:
  Tour(std::vector<TourStop> stops, QWidget* window);

  void begin();
  [[nodiscard]] std::size_t current() const { return current_; }
  /// What is not dimmed, in this widget's coordinates.
  [[nodiscard]] QRect spot() const { return spot_; }
  [[nodiscard]] QFrame* card() const { return card_; }

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  bool focusNextPrevChild(bool /*next*/) override { return true; }
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void build();
  void goTo(std::size_t stop);
  void next() { current_ + 1 < stops_.size() ? goTo(current_ + 1) : end(); }
  void end();
  void place();
  [[nodiscard]] QRect placeOfCard(const QSize& size) const;

  std::vector<TourStop> stops_;
  std::size_t current_ = 0;
  QRect spot_;
  QPointer<QWidget> part_;
  QPointer<QWidget> before_;  ///< had the keyboard
  QFrame* card_;
  QLabel* title_;
  QLabel* text_;
  QLabel* count_;
  QPushButton* skip_;
  QPushButton* next_;
};

}  // namespace shardlens::ui
