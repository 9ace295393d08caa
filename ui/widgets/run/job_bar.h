// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/theme.h"
#include "ui/state/run_service.h"
#include "ui/widgets/common/style.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace shardlens::ui {

class ElidedLabel;

/// The line above a job that runs: stop it, how long it has run, the command as it was typed, pause the view. Stopping
/// asks once, in the place of the command.
class JobBar : public QWidget {
  Q_OBJECT

 public:
  explicit JobBar(RunService& runs, QWidget* parent = nullptr);
  /// What the job says now.
  void refresh();
  /// Asks whether to stop; asked again, it is the answer.
  void askToStop();
  [[nodiscard]] bool asks() const { return asks_; }

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* /*event*/) override { paintBar(*this, theme().panel); }

 private:
  void setAsking(bool asking);

  RunService& runs_;
  QPushButton* stop_;
  QLabel* time_;
  ElidedLabel* command_;
  QLabel* question_;
  QPushButton* yes_;
  QPushButton* no_;
  QPushButton* pause_;
  bool asks_ = false;
};

}  // namespace shardlens::ui
