// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/log_model.h"

#include "ui/scene/run/recorded_text.h"
#include "ui/state/phrase.h"

#include <algorithm>
#include <utility>

namespace shardlens::ui {
namespace {

/// How many lines at the front of `before` are gone in `after`, which otherwise goes on where `before` ends.
std::size_t linesGone(const RecentLines& before, const RecentLines& after) {
  for (std::size_t gone = 0; gone < before.size(); ++gone) {
    const std::size_t kept = before.size() - gone;
    std::size_t same = 0;
    while (same < std::min(kept, after.size()) && before.shares(gone + same, after, same)) ++same;
    if (same == kept) return gone;
  }
  return before.size();
}

QString lineText(const LogLine& line) {
  const QString text = recordedText(line);
  return line.rank < 0 ? text : QString("[%1] %2").arg(line.rank).arg(text);
}

}  // namespace

void LogModel::setRun(const RunStatePtr& state) {
  const RunStatePtr before = std::exchange(state_, state);
  if (before == nullptr || state == nullptr || before->command != state->command) return rebuild();
  const std::size_t gone = linesGone(before->log, state->log);
  if (gone > 0 && gone == before->log.size()) return rebuild();
  dropFront(gone);
  append(before->log.size() - gone);
}

/// The first `gone` lines of the log are no longer there.
void LogModel::dropFront(std::size_t gone) {
  if (gone == 0) return;
  const auto kept = std::lower_bound(rows_.begin(), rows_.end(), gone);
  const auto rows = static_cast<int>(kept - rows_.begin());
  if (rows > 0) beginRemoveRows({}, 1, rows);
  rows_.erase(rows_.begin(), kept);
  for (std::size_t& row : rows_) row -= gone;
  if (rows > 0) endRemoveRows();
}

/// Lines from `first` on are new.
void LogModel::append(std::size_t first) {
  std::vector<std::size_t> fresh;
  for (std::size_t i = first; i < state_->log.size(); ++i) {
    if (passes(state_->log[i])) fresh.push_back(i);
  }
  if (fresh.empty()) return;
  const int row = rowCount();
  beginInsertRows({}, row, row + static_cast<int>(fresh.size()) - 1);
  rows_.insert(rows_.end(), fresh.begin(), fresh.end());
  endInsertRows();
}

void LogModel::setFilter(const LogFilter& filter) {
  if (filter == filter_) return;
  filter_ = filter;
  rebuild();
}

bool LogModel::passes(const LogLine& line) const {
  const bool right_rank = filter_.rank == LogFilter::kAll || filter_.rank == line.rank;
  return right_rank && (filter_.text.isEmpty() || lineText(line).contains(filter_.text, Qt::CaseInsensitive));
}

void LogModel::rebuild() {
  beginResetModel();
  rows_.clear();
  if (state_ != nullptr) {
    for (std::size_t i = 0; i < state_->log.size(); ++i) {
      if (passes(state_->log[i])) rows_.push_back(i);
    }
  }
  endResetModel();
}

int LogModel::rowCount(const QModelIndex& parent) const {
  if (parent.isValid() || state_ == nullptr) return 0;
  return static_cast<int>(rows_.size()) + 1;
}

QVariant LogModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || state_ == nullptr) return {};
  if (index.row() == 0) {
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole)
      return "$ " + QString::fromStdString(state_->command.text());
    return role == CommandRole ? QVariant(true) : QVariant();
  }
  const LogLine& line = state_->log[rows_[static_cast<std::size_t>(index.row() - 1)]];
  switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
      return lineText(line);
    case Qt::AccessibleTextRole:
      return line.is_error ? phrase("run", "error output: %1").arg(lineText(line)) : lineText(line);
    case RankRole:
      return static_cast<qint64>(line.rank);
    case ErrorRole:
      return line.is_error;
    default:
      return {};
  }
}

}  // namespace shardlens::ui

#include "moc_log_model.cpp"
