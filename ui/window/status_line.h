// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/common/labels.h"

#include <QTimer>

namespace shardlens::ui {

class ProgressBar;
struct Selected;

/// The bottom line: the plan in numbers, how far long work is and how to stop it, and messages that pass by.
class StatusLine : public QWidget {
  Q_OBJECT

 public:
  explicit StatusLine(QWidget* parent = nullptr);

  /// What `left` names are links.
  void setFacts(const QString& left, const QString& right);
  /// For some seconds in place of the facts.
  void say(const QString& message);
  /// Fraction 0..1 of `what`; negative: nothing is under way.
  void setProgress(double fraction, const QString& what = {});
  [[nodiscard]] QString text() const { return left_->fullText(); }

 signals:
  void cancelClicked();
  /// A rank or a step that the facts name.
  void placeWanted(const shardlens::ui::Selected& place);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void showLeft();

  QString facts_;
  QString message_;
  ElidedLinks* left_;
  QLabel* right_;
  QLabel* what_;
  ProgressBar* bar_;
  QAbstractButton* cancel_;
  QTimer passing_;
};

}  // namespace shardlens::ui
