// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/rank_board.h"

#include "ui/paint/lane_paint.h"
#include "ui/paint/rank_row_paint.h"
#include "ui/scene/number_text.h"
#include "ui/scene/run/text.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"

#include <QHelpEvent>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace shardlens::ui {
namespace {

QString clockText(const std::optional<double>& error_us) {
  if (!error_us) return "clocks not comparable";
  return *error_us > 0 ? QString("clock error ± %1").arg(durationText(qRound64(*error_us * 1000)))
                       : QString("same clock");
}

}  // namespace

RankBoard::RankBoard(Columns columns, QWidget* parent) : QWidget(parent), columns_(columns) {
  setObjectName("rankBoard");
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAccessibleName("Ranks and their timeline");
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  scroll_ = new QScrollBar(Qt::Vertical, this);
  scroll_->hide();
  connect(scroll_, &QScrollBar::valueChanged, this, [this] { update(); });
  follow_ = new QPushButton("Follow", this);
  follow_->setObjectName("follow");
  follow_->setToolTip("Follow the job again (R)");
  follow_->hide();
  connect(follow_, &QPushButton::clicked, this, &RankBoard::follow);
  sort_ = new QPushButton("sorted by rank", this);
  setLook(sort_, "role", "link");
  setLook(sort_, "tone", "muted");
  sort_->setCursor(Qt::PointingHandCursor);
  sort_->setObjectName("sort");
  sort_->setToolTip("Sort by rank, or the latest first (L)");
  sort_->setVisible(columns == Columns::All);
  connect(sort_, &QPushButton::clicked, this,
          [this] { setOrder(order_ == RankOrder::ByRank ? RankOrder::ByLateness : RankOrder::ByRank); });
}

void RankBoard::setRun(const RunStatePtr& state, qint64 ranks_per_node) {
  if (state == nullptr) return;
  if (state_ == nullptr) forget();  // a prediction was shown, or nothing
  state_ = state;
  ranks_per_node_ = ranks_per_node;
  takeTimeline(std::shared_ptr<const Timeline>(state, &state->recent));
  if (rows_.size() != state_->ranks.size()) sortRows();
  const RankOrder before = order_;
  chooseOrder();
  if (order_ == RankOrder::ByLateness || order_ != before) sortRows();
  if (place_width_ == 0 && !rows_.empty()) {
    for (const qint64 rank : rows_) {
      place_width_ = std::max<double>(place_width_, fontMetrics().horizontalAdvance(rowOf(rank).place));
    }
  }
  arrange();
  describe();
}

void RankBoard::setPrediction(std::shared_ptr<const Timeline> timeline, qint64 ranks_per_node) {
  forget();
  ranks_per_node_ = ranks_per_node;
  place_width_ = px(24);
  newest_ = shown_ = std::move(timeline);
  if (shown_ == nullptr) return;
  rows_.resize(shown_->lanes.size());
  std::iota(rows_.begin(), rows_.end(), 0);
  window_.setExtent(shown_->begin_ns, shown_->end_ns);
  window_.fit();
  follow_->hide();
  arrange();
}

void RankBoard::forget() {
  state_.reset();
  newest_.reset();
  shown_.reset();
  rows_.clear();
  place_width_ = 0;
  window_ = TimeWindow();
  follow_->hide();
  arrange();
}

void RankBoard::takeTimeline(std::shared_ptr<const Timeline> timeline) {
  newest_ = std::move(timeline);
  if (shown_ == nullptr || window_.isFollowing()) {
    shown_ = newest_;
    window_.setUsualSpan(usualSpan(*shown_));
    window_.setExtent(shown_->begin_ns, shown_->end_ns);
  }
  update();
}

void RankBoard::sortRows() {
  rows_ = rankOrder(*state_, order_);
}

void RankBoard::chooseOrder() {
  const BoardLayout layout = layoutNow();
  const bool has_map = !layout.phase_map.isEmpty();
  if (!has_map && order_chosen_) return;
  order_ = has_map || layout.scrolls() ? RankOrder::ByLateness : RankOrder::ByRank;
  sort_->setText(order_ == RankOrder::ByRank ? "sorted by rank" : "latest first");
  sort_->setEnabled(!has_map);
}

void RankBoard::setOrder(RankOrder order) {
  order_ = order;
  order_chosen_ = true;
  sort_->setText(order == RankOrder::ByRank ? "sorted by rank" : "latest first");
  if (state_ != nullptr) sortRows();
  arrange();
}

std::vector<qint64> RankBoard::shownRanks() const {
  const auto shown = std::min(rows_.size(), static_cast<std::size_t>(layoutNow().shown));
  return {rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(shown)};
}

void RankBoard::setSelectedRanks(std::vector<qint64> ranks) {
  if (ranks == selected_) return;
  selected_ = std::move(ranks);
  if (!selected_.empty()) bringIntoView(selected_.front());
  describe();
  update();
}

void RankBoard::bringIntoView(qint64 rank) {
  const auto found = std::find(rows_.begin(), rows_.end(), rank);
  const BoardLayout layout = layoutNow();
  if (found == rows_.end() || scroll_->isHidden()) return;
  const auto top = static_cast<int>(static_cast<double>(found - rows_.begin()) * layout.pitch);
  const int lowest = top + static_cast<int>(std::ceil(layout.pitch - layout.rows.height()));
  scroll_->setValue(std::clamp(scroll_->value(), lowest, top));
}

void RankBoard::changeWindow(const std::function<void(TimeWindow&)>& change) {
  change(window_);
  follow_->setVisible(state_ != nullptr && !window_.isFollowing());
  arrange();
}

void RankBoard::follow() {
  changeWindow([this](TimeWindow& window) {
    window.follow();
    if (newest_ != nullptr) window.setExtent(newest_->begin_ns, newest_->end_ns);
  });
  if (newest_ != nullptr) takeTimeline(newest_);
}

BoardShape RankBoard::shape() const {
  return {static_cast<qint64>(rows_.size()), columns_ == Columns::All, place_width_, px(100) / 100.0};
}

BoardLayout RankBoard::layoutNow() const {
  return boardLayout(size(), shape());
}

QSize RankBoard::sizeHint() const {
  return {px(1000), boardHeight(shape())};
}

QSize RankBoard::minimumSizeHint() const {
  return {px(560), px(150)};
}

void RankBoard::arrange() {
  const BoardLayout layout = layoutNow();
  const int hidden = std::max(0, static_cast<int>(std::lround(layout.content - layout.rows.height())));
  scroll_->setVisible(hidden > 0);
  scroll_->setRange(0, hidden);
  scroll_->setPageStep(static_cast<int>(layout.rows.height()));
  scroll_->setSingleStep(static_cast<int>(layout.pitch));
  scroll_->setGeometry(width() - px(10), static_cast<int>(layout.rows.top()), px(8),
                       static_cast<int>(layout.rows.height()));
  const QSize button = follow_->sizeHint();
  follow_->setGeometry(static_cast<int>(layout.lanes_right) - button.width(), -1, button.width(), px(24));
  sort_->setGeometry(px(64), 0, sort_->sizeHint().width() + px(24), px(22));
  update();
}

void RankBoard::describe() {
  if (state_ == nullptr) return;
  QString said = headlineOf(*state_).title;
  if (!selected_.empty() && selected_.front() < static_cast<qint64>(state_->ranks.size())) {
    const RankRow row = rowOf(selected_.front());
    said = QString("rank %1, %2, step %3, %4").arg(row.name, row.place, row.step, row.now);
  }
  if (said != accessibleDescription()) setAccessibleDescription(said);
}

RankRow RankBoard::rowOf(qint64 rank) const {
  if (state_ != nullptr) return rankRow(*state_, rank, ranks_per_node_);
  RankRow row;
  row.rank = rank;
  row.name = QString::number(rank);
  if (ranks_per_node_ > 0) row.place = QString("n%1").arg(rank / ranks_per_node_);
  row.now = "predicted";
  return row;
}

double RankBoard::scrolled() const {
  return scroll_->isHidden() ? 0 : scroll_->value();
}

QString RankBoard::windowText() const {
  if (state_ == nullptr) return "predicted · " + durationText(window_.span());
  const QString clock = clockText(state_->clock_error_us);
  if (window_.isFollowing()) return QString("last %1 · %2").arg(durationText(window_.span()), clock);
  const auto seconds = [](std::int64_t ns) { return QString::number(static_cast<double>(ns) / 1e9, 'f', 3); };
  return QString("%1 … %2 s · %3 · %4")
      .arg(seconds(window_.begin()), seconds(window_.end()), durationText(window_.span()), clock);
}

void RankBoard::paintHead(QPainter& painter, const BoardLayout& layout) const {
  const Theme& colours = theme();
  painter.setFont(headFont());
  painter.setPen(colours.muted);
  const bool has_map = !layout.phase_map.isEmpty();
  painter.drawText(QRectF(layout.name, layout.head.top(), px(60), layout.head.height()), Qt::AlignVCenter, "Ranks");
  painter.drawText(QRectF(layout.lanes_left, layout.head.top(), px(120), layout.head.height()), Qt::AlignVCenter,
                   "Timeline");
  painter.setFont(smallFont());
  const double right = layout.lanes_right - (follow_->isHidden() ? 0 : follow_->width() + px(10));
  painter.drawText(QRectF(layout.lanes_left, layout.head.top(), right - layout.lanes_left, layout.head.height()),
                   Qt::AlignVCenter | Qt::AlignRight, windowText());
  paintColumnNames(painter, layout, columns_ == Columns::All, colours);
  if (has_map) {
    const QRectF line(layout.name, layout.rows.bottom(), layout.lanes_left,
                      layout.phase_map.top() - layout.rows.bottom());
    painter.setPen(colours.muted);
    painter.drawText(line, Qt::AlignVCenter, QString("above: the latest %1").arg(layout.shown));
    painter.drawText(
        line.translated(layout.lanes_left - layout.name, 0), Qt::AlignVCenter,
        QString("all %1; each row shows its worst value").arg(countOf(static_cast<qint64>(rows_.size()), "rank")));
  }
}

void RankBoard::paintRows(QPainter& painter, const BoardLayout& layout) const {
  const Theme& colours = theme();
  const int width = static_cast<int>(layout.lanes_right - layout.lanes_left);
  painter.save();
  painter.setClipRect(layout.rows.adjusted(0, -1, 0, 1));
  const auto shown = std::min<qint64>(layout.shown, static_cast<qint64>(rows_.size()));
  const auto first = std::max<qint64>(0, static_cast<qint64>(scrolled() / layout.pitch));
  for (qint64 index = first; index < shown; ++index) {
    const QRectF row = layout.row(index, scrolled());
    if (row.top() > layout.rows.bottom()) break;
    const qint64 rank = rows_[static_cast<std::size_t>(index)];
    const RankRow words = rowOf(rank);
    const bool is_selected = std::find(selected_.begin(), selected_.end(), rank) != selected_.end();
    paintRowBand(painter, row, words.is_culprit, is_selected, colours);
    paintRankRow(painter, layout, row, words, columns_ == Columns::All, colours);
    if (shown_ == nullptr || rank >= static_cast<qint64>(shown_->lanes.size())) continue;
    const QRectF lane(layout.lanes_left, row.center().y() - layout.laneHeight() / 2, width, layout.laneHeight());
    const auto blocks =
        laneBlocks(shown_->lanes[static_cast<std::size_t>(rank)], window_.begin(), window_.end(), width);
    paintLane(painter, lane, blocks, colours, state_ == nullptr);
  }
  painter.restore();
}

void RankBoard::paintMap(QPainter& painter, const BoardLayout& layout) const {
  if (layout.phase_map.isEmpty() || shown_ == nullptr) return;
  const QSize pixels = layout.phase_map.size().toSize();
  paintPhaseMap(painter, layout.phase_map,
                phaseMap(*shown_, window_.begin(), window_.end(), pixels.width(), pixels.height()), theme());
  painter.setFont(smallFont());
  painter.setPen(theme().muted);
  const auto ranks = static_cast<qint64>(rows_.size());
  constexpr int kMarks = 4;
  for (int mark = 0; mark <= kMarks; ++mark) {
    const double y = layout.phase_map.top() + layout.phase_map.height() * mark / kMarks;
    const QRectF place(0, y - px(8), layout.lanes_left - px(8), px(16));
    painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter, number(std::min(ranks - 1, ranks * mark / kMarks)));
  }
}

void RankBoard::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const BoardLayout layout = layoutNow();
  paintHead(painter, layout);
  paintRows(painter, layout);
  paintMap(painter, layout);
  painter.setFont(smallFont());
  paintLegend(painter, {layout.legend.left(), layout.legend.center().y()}, layout.legend.width(), theme());
}

}  // namespace shardlens::ui
