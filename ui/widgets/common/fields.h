// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLineEdit>

#include <functional>
#include <optional>

namespace shardlens::ui {

/// The whole number that such a text means, as a spec would read it; nothing when it means none.
std::optional<qint64> wholeNumber(const QString& text);

/// A number as text: "1e6" and "1 281 167" are fine to type; arrow keys, the wheel (with focus) and the two small
/// arrows at the right step by one, with Page Up and Page Down or Shift by ten.
class NumberField : public QLineEdit {
  Q_OBJECT

 public:
  /// What the text becomes after so many steps; empty: the text is no number, nothing happens.
  using Stepper = std::function<QString(const QString& text, qint64 steps)>;

  explicit NumberField(QWidget* parent = nullptr);
  /// Shown faintly behind the number where there is room.
  void setUnit(const QString& unit);
  void setStepper(Stepper stepper) { stepper_ = std::move(stepper); }

 signals:
  /// The user stepped; the text is already the new one. Typing comes as textEdited().
  void stepped(const QString& text);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  void step(qint64 steps);
  void paintUnit(QPainter& painter);
  [[nodiscard]] QRect arrows() const;

  Stepper stepper_;
  QString unit_;
};

/// A list as text. A line holds some ten thousand characters: a longer text that is pasted does not come into the line,
/// which would cut it, but as a whole to whoever asked for it.
class ListField : public QLineEdit {
  Q_OBJECT

 public:
  using QLineEdit::QLineEdit;

 signals:
  /// What the line would say if it had the room.
  void pastedLong(const QString& text);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  void pasteText();
};

/// A closed or editable choice in the look of a field; the wheel does nothing without focus.
class ChoiceField : public QComboBox {
  Q_OBJECT

 public:
  explicit ChoiceField(QWidget* parent = nullptr);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;
  /// `open` is called instead of showing the list.
  void setPopup(std::function<void()> open) { popup_ = std::move(open); }
  /// As wide as its longest line, however narrow the field is.
  void showPopup() override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  std::function<void()> popup_;
};

}  // namespace shardlens::ui
