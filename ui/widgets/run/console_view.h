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
/// selected; a click on a line chooses the rank that printed it.
class ConsoleView : public QWidget {
  Q_OBJECT

 public:
  explicit ConsoleView(QWidget* parent = nullptr);
  void setRun(const RunStatePtr& state);
  /// Null when this run's output is filtered away or there is none: what copy() takes.
  [[nodiscard]] QStringList lines() const;
  /// All shown lines: who wrote them, where to, and what.
  [[nodiscard]] QString csv() const;
  [[nodiscard]] bool isFollowing() const { return follows_; }
  void setFollowing(bool follows);

 public slots:
  /// The selected lines, or all shown ones, to the clipboard.
  void copy() const;

 signals:
  /// A line that this rank printed was chosen.
  void rankChosen(qint64 rank);

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
