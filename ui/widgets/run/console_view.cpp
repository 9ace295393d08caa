// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/console_view.h"

#include "ui/scene/number_text.h"
#include "ui/scene/run/recorded_text.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/fields.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/panel_menu.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/common/toast.h"

#include <QKeyEvent>
#include <QListView>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QStackedWidget>
#include <QStyledItemDelegate>

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

constexpr int kErrorBar = 3;

/// A line in the fixed font; error output with a bar at its left and the word "err".
class LogDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    painter->save();
    if (option.state & QStyle::State_Selected) {
      painter->fillRect(option.rect, mix(theme().accent, theme().panel, theme().dark ? 0.22 : 0.12));
    }
    const bool is_error = index.data(LogModel::ErrorRole).toBool();
    const bool is_command = index.data(LogModel::CommandRole).toBool();
    if (is_error) {
      painter->fillRect(QRect(option.rect.left(), option.rect.top() + 1, px(kErrorBar), option.rect.height() - 2),
                        theme().warning);
    }
    painter->setFont(monoFont());
    painter->setPen(is_command ? theme().muted : is_error ? theme().warning : theme().text);
    const QRect place = option.rect.adjusted(px(10), 0, 0, 0);
    const QString line = (is_error ? phrase("run", "err %1") : QStringLiteral("%1")).arg(index.data().toString());
    painter->drawText(place, Qt::AlignVCenter | Qt::TextSingleLine,
                      QFontMetrics(monoFont()).elidedText(line, Qt::ElideRight, place.width()));
    painter->restore();
  }
  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
    return {px(100), QFontMetrics(monoFont()).height() + px(4)};
  }
};

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

ConsoleView::ConsoleView(QWidget* parent) : QWidget(parent), model_(new LogModel(this)) {
  setObjectName("console");
  auto* column = columnIn(this, {}, px(6));
  column->addWidget(head());
  list_ = new QListView(this);
  list_->setObjectName("consoleLines");
  list_->setAccessibleName(phrase("run", "Output of the job"));
  list_->setModel(model_);
  list_->setItemDelegate(new LogDelegate(list_));
  list_->setUniformItemSizes(true);
  list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setFrameShape(QFrame::NoFrame);
  list_->installEventFilter(this);
  connect(list_->verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] { setFollowing(false); });
  list_->viewport()->installEventFilter(this);
  const auto choose = [this](const QModelIndex& line) {
    const QVariant rank = line.data(LogModel::RankRole);  // the command has none
    if (rank.isValid() && rank.toLongLong() >= 0) emit rankChosen(rank.toLongLong());
  };
  connect(list_, &QAbstractItemView::clicked, this, choose);
  connect(list_, &QAbstractItemView::activated, this, choose);
  column->addWidget(list_, 1);
  fillRanks(0);
  addPanelMenu(*this,
               {phrase("run", "Console"), [this] { return lines().join('\n') + '\n'; }, [this] { return csv(); }});
}

QWidget* ConsoleView::head() {
  auto* line = new QWidget(this);
  auto* title = textLabel(phrase("run", "Console"), "", line);
  setLook(title, "role", "title");
  rank_ = new ChoiceField(line);
  rank_->setObjectName("consoleRank");
  rank_->setAccessibleName(phrase("run", "Show the output of"));
  rank_->setFixedWidth(px(96));
  text_ = new QLineEdit(line);
  text_->setObjectName("consoleFilter");
  text_->setPlaceholderText(phrase("run", "filter"));
  text_->setAccessibleName(phrase("run", "Show lines that contain"));
  text_->setClearButtonEnabled(true);
  text_->setMinimumWidth(px(60));
  text_->setMaximumWidth(px(200));
  follow_ = new QPushButton(phrase("run", "Follow"), line);
  follow_->setObjectName("consoleFollow");
  follow_->setCheckable(true);
  follow_->setChecked(true);
  follow_->setMinimumWidth(px(52));
  follow_->setToolTip(phrase("run", "Keep the newest line in sight (f)"));
  auto* copy_button = new QPushButton(phrase("run", "Copy"), line);
  copy_button->setObjectName("consoleCopy");
  copy_button->setToolTip(phrase("run", "Copy the selected lines, or all of them"));
  setLook(follow_, "role", "chip");
  setLook(follow_, "state", "on");
  setLook(copy_button, "role", "quiet");
  connect(rank_, &QComboBox::currentIndexChanged, this, &ConsoleView::applyFilter);
  connect(text_, &QLineEdit::textChanged, this, &ConsoleView::applyFilter);
  connect(follow_, &QPushButton::clicked, this, &ConsoleView::setFollowing);
  connect(copy_button, &QPushButton::clicked, this, &ConsoleView::copy);
  auto* row = rowIn(line, {}, px(6));
  row->addWidget(title);
  row->addStretch();
  row->addWidget(rank_);
  row->addWidget(text_, 1);
  addAll(row, {follow_, copy_button});
  return line;
}

void ConsoleView::fillRanks(qint64 ranks) {
  if (rank_->count() == ranks + 3) return;
  const QSignalBlocker quiet(rank_);
  rank_->clear();
  rank_->addItem(phrase("run", "all ranks"), LogFilter::kAll);
  rank_->addItem(phrase("run", "launcher"), LogFilter::kLauncher);
  rank_->addItem("ShardLens", LogFilter::kOwn);
  for (qint64 rank = 0; rank < ranks; ++rank) rank_->addItem(phrase("run", "rank %1").arg(rank), rank);
}

void ConsoleView::setRun(const RunStatePtr& state) {
  if (state != nullptr) fillRanks(static_cast<qint64>(state->ranks.size()));
  model_->setRun(state);
  if (follows_) scrollToEnd();
}

void ConsoleView::applyFilter() {
  model_->setFilter({rank_->currentData().toLongLong(), text_->text()});
  if (follows_) scrollToEnd();
}

void ConsoleView::setFollowing(bool follows) {
  follows_ = follows;
  follow_->setChecked(follows);
  setLook(follow_, "state", follows ? "on" : "");
  if (follows) scrollToEnd();
}

void ConsoleView::scrollToEnd() {
  list_->scrollToBottom();
}

QStringList ConsoleView::lines() const {
  QStringList shown;
  for (int row = 0; row < model_->rowCount(); ++row) shown += model_->index(row, 0).data().toString();
  return shown;
}

QString ConsoleView::csv() const {
  QString out = csvLine({"rank", "stream", "line"});
  for (int row = 0; row < model_->rowCount(); ++row) {
    const QModelIndex index = model_->index(row, 0);
    const QVariant rank = index.data(LogModel::RankRole);
    const bool is_rank = rank.isValid() && rank.toLongLong() >= 0;
    const bool is_command = index.data(LogModel::CommandRole).toBool();
    const bool is_error = index.data(LogModel::ErrorRole).toBool();
    out += csvLine({is_rank ? rank.toString() : QString(),
                    is_command ? "command"
                    : is_error ? "stderr"
                               : "stdout",
                    index.data().toString()});
  }
  return out;
}

void ConsoleView::copy() const {
  QModelIndexList chosen = list_->selectionModel()->selectedIndexes();
  std::sort(chosen.begin(), chosen.end());
  QStringList taken;
  for (const QModelIndex& index : chosen) taken += index.data().toString();
  copyText(*this, (taken.isEmpty() ? lines() : taken).join('\n'));
}

bool ConsoleView::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Wheel) setFollowing(false);
  if (watched == list_ && event->type() == QEvent::ShortcutOverride &&
      static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
    event->accept();  // the selected lines, before all of the panel
    return true;
  }
  if (watched != list_ || event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  auto* key = static_cast<QKeyEvent*>(event);
  if (key->matches(QKeySequence::Copy)) return (copy(), true);
  if (key->key() == Qt::Key_F && key->modifiers() == Qt::NoModifier) return (setFollowing(!follows_), true);
  return QWidget::eventFilter(watched, event);
}

ConsoleTab::ConsoleTab(Workspace& workspace, QWidget* parent)
    : QWidget(parent), workspace_(workspace), refresh_(this, [this] {
        const RunStatePtr state = workspace_.runs.state();
        states_->setCurrentIndex(state == nullptr ? 0 : 1);
        if (state != nullptr) console_->setRun(state);
      }) {
  setSurface(this, "panel");
  states_ = new QStackedWidget(this);
  console_ = new ConsoleView(states_);
  states_->addWidget(emptyState(
      phrase("run", "No output yet"),
      phrase("run", "Launch a stand-in, or watch your own job: the output of its ranks appears here."), states_));
  states_->addWidget(console_);
  columnIn(this, {px(kMargin), px(10), px(kMargin), px(10)})->addWidget(states_);
  connect(&workspace_.runs, &RunService::stateChanged, &refresh_, &Refresh::want);
  refresh_.want();
}

}  // namespace shardlens::ui

#include "moc_console_view.cpp"
