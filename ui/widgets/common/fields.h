// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLineEdit>
#include <QString>
#include <QStringList>
#include <QWidget>

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

/// A field to search with: a magnifier at its left, where wanted, and at its right the shortcut that leads to it. Both
/// keep their place free of text; the shortcut goes when something is typed, or where there is no room for it.
class SearchField : public QLineEdit {
 public:
  explicit SearchField(QWidget* parent = nullptr);

  /// What the empty field says: `brief` where there is no room for the words and the hint.
  void setWords(const QString& words, const QString& brief);
  void setMagnifier(bool shown);
  /// "Ctrl+K"
  void setHint(const QString& hint);
  [[nodiscard]] QString hint() const { return hint_; }
  /// Where the hint is drawn; empty when it is not.
  [[nodiscard]] QRect hintPlace() const;
  /// Where the magnifier is drawn; empty when there is none.
  [[nodiscard]] QRect magnifierPlace() const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void arrange();

  [[nodiscard]] bool fits(const QString& words) const;

  QString words_;
  QString brief_;
  QString hint_;
  bool magnifier_ = false;
};

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
  void setHint(int index, const QString& tip) { hints_[index] = tip; }
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

 signals:
  void currentChanged(int index);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  [[nodiscard]] QRectF segment(int index) const;
  [[nodiscard]] int indexAt(QPointF place) const;

  QStringList labels_;
  QStringList hints_;
  int current_ = 0;
};

}  // namespace shardlens::ui
