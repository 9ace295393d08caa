// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/workspace.h"
#include "ui/widgets/common/refresh.h"

#include <QAbstractListModel>
#include <QWidget>

#include <vector>

class QLineEdit;
class QListView;
class QPushButton;
class QStackedWidget;

namespace shardlens::ui {

class ChoiceField;

/// Which lines of a job's output to show.
struct LogFilter {
  static constexpr qint64 kAll = -3;
  static constexpr qint64 kOwn = LogLine::kOwn;
  static constexpr qint64 kLauncher = LogLine::kLauncher;
  qint64 rank = kAll;
  QString text;  ///< lines that contain it, whatever the case

  bool operator==(const LogFilter&) const = default;
};

/// The command of a run and its last lines, filtered.
class LogModel : public QAbstractListModel {
  Q_OBJECT

 public:
  enum Role { RankRole = Qt::UserRole, ErrorRole, CommandRole };
  using QAbstractListModel::QAbstractListModel;

  void setRun(const RunStatePtr& state);
  void setFilter(const LogFilter& filter);
  [[nodiscard]] const LogFilter& filter() const { return filter_; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  /// DisplayRole is the line as it is copied: "[5] loader: worker 1 restarted".
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

 private:
  void rebuild();
  void dropFront(std::size_t gone);
  void append(std::size_t first);
  [[nodiscard]] bool passes(const LogLine& line) const;

  RunStatePtr state_;
  LogFilter filter_;
  std::vector<std::size_t> rows_;  ///< indices of log lines; the command stands before them
};

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

/// The output of the job as a tab; without one, how to get it.
class ConsoleTab : public QWidget {
  Q_OBJECT

 public:
  explicit ConsoleTab(Workspace& workspace, QWidget* parent = nullptr);

 private:
  Workspace& workspace_;
  QStackedWidget* states_;
  ConsoleView* console_;
  Refresh refresh_;
};

}  // namespace shardlens::ui
