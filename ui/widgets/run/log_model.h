// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/run_service.h"

#include <QAbstractListModel>

#include <vector>

namespace shardlens::ui {

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

}  // namespace shardlens::ui
