// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;

namespace shardlens::ui {

class NumberField;

/// A whole number of a range under its label, with what follows from it below. Numbers beyond the range are brought to
/// its nearest end, and the note says so.
class NumberRow : public QWidget {
  Q_OBJECT

 public:
  explicit NumberRow(const QString& label, QWidget* parent = nullptr);

  void setRange(qint64 least, qint64 most);
  /// Leaves alone what the user is typing when it means the same.
  void setValue(qint64 value);
  [[nodiscard]] qint64 value() const { return value_; }
  void setNote(const QString& text);
  [[nodiscard]] QString note() const;
  [[nodiscard]] NumberField* field() const { return field_; }

 signals:
  /// The user typed or stepped to another number.
  void changed(qint64 value);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void take(const QString& text);
  [[nodiscard]] QString stepped(const QString& text, qint64 steps) const;
  void showNote();

  NumberField* field_;
  QLabel* note_;
  QString plain_note_;
  QString refusal_;
  qint64 least_ = 0;
  qint64 most_ = 0;
  qint64 value_ = 0;
};

}  // namespace shardlens::ui
