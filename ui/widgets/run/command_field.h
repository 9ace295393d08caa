// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QPushButton;

namespace shardlens::ui {

class ElidedLabel;

/// A line that shows a command and copies it.
class CommandField : public QWidget {
  Q_OBJECT

 public:
  explicit CommandField(QWidget* parent = nullptr);
  void setCommand(const QString& command);
  [[nodiscard]] const QString& command() const;
  [[nodiscard]] QPushButton* copyButton() const { return copy_; }

 private:
  ElidedLabel* command_;
  QPushButton* copy_;
};

}  // namespace shardlens::ui
