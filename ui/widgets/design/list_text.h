// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

namespace shardlens::ui {

/// The text of a list. One that is too long to edit without delay is not put into it when it is pasted or dropped, but
/// handed over whole.
class ListText : public QPlainTextEdit {
  Q_OBJECT

 public:
  explicit ListText(QWidget* parent = nullptr);
  /// Underlines these lines, counted from 0.
  void markLines(const std::vector<int>& lines);

 signals:
  void pastedLong(const QString& text);

 protected:
  void insertFromMimeData(const QMimeData* source) override;
};

}  // namespace shardlens::ui
