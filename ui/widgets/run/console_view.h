// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/run/log_model.h"

#include <QWidget>

class QLineEdit;
class QListView;
class QPushButton;

namespace shardlens::ui {

class ChoiceField;

/// The job's command and output. Filters by rank and by text; f follows the newest line; Ctrl+C copies what is
/// selected.
class ConsoleView : public QWidget {
  Q_OBJECT

 public:
  explicit ConsoleView(QWidget* parent = nullptr);
  void setRun(const RunStatePtr& state);
  /// Null when this run's output is filtered away or there is none: what copy() takes.
  [[nodiscard]] QStringList lines() const;
  [[nodiscard]] bool isFollowing() const { return follows_; }
  void setFollowing(bool follows);

 public slots:
  /// The selected lines, or all shown ones, to the clipboard.
  void copy() const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fillRanks(qint64 ranks);
  void applyFilter();
  void scrollToEnd();
  [[nodiscard]] QWidget* head();

  LogModel* model_;
  ChoiceField* rank_;
  QLineEdit* text_;
  QPushButton* follow_;
  QListView* list_;
  bool follows_ = true;
};

}  // namespace shardlens::ui
