// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/rank_board.h"

#include "ui/scene/run/board_copy.h"
#include "ui/scene/run/in_view.h"
#include "ui/scene/run/stalls.h"
#include "ui/scene/run/text.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/run/minimap_view.h"
#include "ui/widgets/run/time_view.h"

#include <QPushButton>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace shardlens::ui {
namespace {

/// A run that is over is seen a little beyond its last moment, so that its end is not at the very edge.
constexpr double kBeyondEnd = 0.06;

QPushButton* linkIn(QWidget* board, const QString& text, const char* name, const QString& tip) {
  auto* button = new QPushButton(text, board);
  setLook(button, "role", "link");
  button->setCursor(Qt::PointingHandCursor);
  button->setObjectName(name);
  button->setToolTip(tip);
  return button;
}

}  // namespace

RankBoard::RankBoard(Columns columns, QWidget* parent)
    : QWidget(parent), columns_(columns), view_(new TimeView(this)), input_(*view_) {
  setObjectName("rankBoard");
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAccessibleName(phrase("run", "Ranks and their timeline"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  if (columns == Columns::All) minimap_ = new MinimapView(*view_, this);
  scroll_ = new QScrollBar(Qt::Vertical, this);
  scroll_->hide();
  connect(scroll_, &QScrollBar::valueChanged, this, [this] { update(); });
  addButtons();
  connect(view_, &TimeView::changed, this, &RankBoard::windowChanged);
  windowChanged();
}

void RankBoard::addButtons() {
  sort_ = linkIn(this, phrase("run", "sorted by rank"), "sort", phrase("run", "Sort by rank, or the latest first (L)"));
  setLook(sort_, "tone", "muted");
  connect(sort_, &QPushButton::clicked, this,
          [this] { setOrder(order_ == RankOrder::ByRank ? RankOrder::ByLateness : RankOrder::ByRank); });
  whole_ = linkIn(this, phrase("run", "Whole run"), "wholeRun", phrase("run", "Show all of the run (Home)"));
  latest_ =
      linkIn(this, phrase("run", "Latest"), "latest", phrase("run", "Back to the latest steps, and follow them (0)"));
  connect(whole_, &QPushButton::clicked, this, [this] { view_->change([](TimeWindow& window) { window.fit(); }); });
  connect(latest_, &QPushButton::clicked, this, [this] { view_->change([](TimeWindow& window) { window.reset(); }); });
}

const TimeWindow& RankBoard::window() const {
  return view_->window();
}

void RankBoard::setRun(const RunStatePtr& state, std::shared_ptr<const Overview> overview, qint64 ranks_per_node) {
  if (state == nullptr) return;
  if (state_ == nullptr) forget();  // a prediction was shown, or nothing
  state_ = state;
  ranks_per_node_ = ranks_per_node;
  lanes_ = lanesOf(state, std::move(overview));
  takeRun();
  node_starts_ = nodeStarts(*state_, ranks_per_node_);
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

/// How long the run is by now, and what of it is in view.
void RankBoard::takeRun() {
  const std::int64_t known = lanes_.overview != nullptr ? lanes_.overview->lanes.end_ns : 0;
  view_->change([&](TimeWindow& window) {
    const bool is_live = isUnderWay(state_->status);
    const std::int64_t shown = std::max(stallLength(*state_), sinceFirstDeath(*state_, lanes_));
    const std::int64_t usual = usualSpan(state_->recent, shown);
    if (window.isFollowing()) window.setUsualSpan(is_live ? usual : std::min(usual, state_->elapsed_ns));
    const auto margin = std::llround(kBeyondEnd * static_cast<double>(window.span()));
    window.setExtent(0, std::max(state_->elapsed_ns, known), latestMoment(*state_, lanes_, margin));
  });
  if (place_.step && !selected_time_) findStep();
  if (minimap_ == nullptr) return;
  minimap_->setRun(lanes_.overview, stallsOf(*state_, lanes_.overview.get()));
  const bool is_earlier = state_->elapsed_ns < known;
  minimap_->setMoment(is_earlier ? std::optional(state_->elapsed_ns) : std::nullopt);
}

void RankBoard::setPrediction(std::shared_ptr<const Timeline> timeline, qint64 ranks_per_node) {
  forget();
  ranks_per_node_ = ranks_per_node;
  place_width_ = px(24);
  lanes_.recent = std::move(timeline);
  if (lanes_.recent == nullptr) return;
  rows_.resize(lanes_.ranks());
  std::iota(rows_.begin(), rows_.end(), 0);
  node_starts_ = nodeStarts(static_cast<qint64>(rows_.size()), ranks_per_node_);
  view_->change([this](TimeWindow& window) {
    window.setExtent(lanes_.recent->begin_ns, lanes_.recent->end_ns);
    window.fit();
  });
  arrange();
}

void RankBoard::forget() {
  state_.reset();
  lanes_ = {};
  rows_.clear();
  node_starts_.clear();
  place_width_ = 0;
  selected_time_.reset();
  if (minimap_ != nullptr) minimap_->setRun({}, {});
  view_->change([](TimeWindow& window) { window = TimeWindow(); });
  arrange();
}

void RankBoard::windowChanged() {
  latest_->setEnabled(state_ != nullptr && !window().isUsual());
  whole_->setEnabled(state_ != nullptr && !window().isWhole());
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
  sort_->setText(order_ == RankOrder::ByRank ? phrase("run", "sorted by rank") : phrase("run", "latest first"));
  sort_->setEnabled(!has_map);
}

void RankBoard::setOrder(RankOrder order) {
  order_ = order;
  order_chosen_ = true;
  sort_->setText(order == RankOrder::ByRank ? phrase("run", "sorted by rank") : phrase("run", "latest first"));
  if (state_ != nullptr) sortRows();
  arrange();
}

std::vector<qint64> RankBoard::shownRanks() const {
  const auto shown = std::min(rows_.size(), static_cast<std::size_t>(layoutNow().shown));
  return {rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(shown)};
}

void RankBoard::setSelected(const Selected& place) {
  if (place == place_) return;
  place_ = place;
  selected_ = place.ranks;
  if (!selected_.empty()) bringIntoView(selected_.front());
  findStep();
  if (selected_time_ && (selected_time_->second <= window().begin() || selected_time_->first >= window().end())) {
    const std::int64_t middle = (selected_time_->first + selected_time_->second) / 2;
    const std::int64_t half = std::max(window().span(), selected_time_->second - selected_time_->first) / 2;
    view_->change([&](TimeWindow& window) { window.show(middle - half, middle + half); });
  }
  describe();
  update();
}

/// When the selected step ran. A step without an epoch is of the first one.
void RankBoard::findStep() {
  selected_time_.reset();
  if (!place_.step || state_ == nullptr || lanes_.overview == nullptr) return;
  selected_time_ = timeOfStep(*lanes_.overview, place_.epoch.value_or(0), *place_.step);
}

void RankBoard::bringIntoView(qint64 rank) {
  const auto found = std::find(rows_.begin(), rows_.end(), rank);
  const BoardLayout layout = layoutNow();
  if (found == rows_.end() || scroll_->isHidden()) return;
  const auto top = static_cast<int>(layout.row(found - rows_.begin(), 0).top() - layout.rows.top());
  const int lowest = top + static_cast<int>(std::ceil(layout.pitch - layout.rows.height()));
  scroll_->setValue(std::clamp(scroll_->value(), lowest, top));
}

void RankBoard::follow() {
  view_->change([](TimeWindow& window) { window.follow(); });
}

BoardShape RankBoard::shape() const {
  return {.ranks = static_cast<qint64>(rows_.size()),
          .has_table = columns_ == Columns::All,
          .has_minimap = minimap_ != nullptr,
          .place_width = place_width_,
          .scale = px(100) / 100.0,
          .node_starts = order_ == RankOrder::ByRank ? node_starts_ : std::vector<qint64>()};
}

BoardLayout RankBoard::layoutNow() const {
  return boardLayout(size(), shape());
}

QSize RankBoard::sizeHint() const {
  return {px(1000), boardHeight(shape())};
}

int RankBoard::largestHeight() const {
  return boardHeight(shape(), true);
}

QSize RankBoard::minimumSizeHint() const {
  return {px(columns_ == Columns::All ? 560 : 400), px(columns_ == Columns::All ? 150 : 124)};
}

void RankBoard::arrange() {
  if (const int wanted = sizeHint().height(); wanted != wanted_height_) {
    wanted_height_ = wanted;
    updateGeometry();
  }
  const BoardLayout layout = layoutNow();
  const int hidden = std::max(0, static_cast<int>(std::lround(layout.content - layout.rows.height())));
  scroll_->setVisible(hidden > 0);
  scroll_->setRange(0, hidden);
  scroll_->setPageStep(static_cast<int>(layout.rows.height()));
  scroll_->setSingleStep(static_cast<int>(layout.pitch));
  scroll_->setGeometry(width() - px(10), static_cast<int>(layout.rows.top()), px(8),
                       static_cast<int>(layout.rows.height()));
  const QRect head = layout.head.toRect();
  const bool has_map = minimap_ != nullptr;
  const bool has_ranks = !rows_.empty();
  sort_->setVisible(columns_ == Columns::All && has_ranks);
  const int room = static_cast<int>(layout.lanes_left) - px(10) - px(64);
  sort_->setGeometry(px(64), head.top(), std::min(sort_->sizeHint().width() + px(24), room), head.height());
  // Beside the minimap; without one, where the words about the order would be.
  int left = has_map ? static_cast<int>(layout.name) - px(3) : px(64);
  for (QPushButton* button : {whole_, latest_}) {
    const int width = button->sizeHint().width();
    button->setGeometry(left, has_map ? -px(3) : head.top(), width, has_map ? px(20) : head.height());
    button->setVisible(state_ != nullptr && has_ranks);
    left += width + px(10);
  }
  if (has_map) {
    minimap_->setGeometry(layout.minimap.toRect());
    minimap_->setVisible(has_ranks);
  }
  update();
}

void RankBoard::describe() {
  if (state_ == nullptr) return;
  QString said = headlineOf(*state_).title;
  if (!selected_.empty() && selected_.front() < static_cast<qint64>(state_->ranks.size())) {
    const RankRow row = rowOf(selected_.front());
    said = phrase("run", "rank %1, %2, step %3, %4").arg(row.name, row.place, row.step, row.now);
  }
  if (said != accessibleDescription()) setAccessibleDescription(said);
}

RankRow RankBoard::rowOf(qint64 rank) const {
  if (state_ != nullptr) return rankRow(*state_, rank, ranks_per_node_);
  RankRow row;
  row.rank = rank;
  row.name = QString::number(rank);
  if (ranks_per_node_ > 0) row.place = QString("n%1").arg(rank / ranks_per_node_);
  row.now = phrase("run", "predicted");
  return row;
}

QString RankBoard::asText() const {
  std::vector<RankRow> shown;
  for (const qint64 rank : shownRanks()) shown.push_back(rowOf(rank));
  return windowText() + '\n' + rowsText(shown);
}

QString RankBoard::csv() const {
  return lanesCsv(lanes_, rows_, window().begin(), window().end());
}

double RankBoard::scrolled() const {
  return scroll_->isHidden() ? 0 : scroll_->value();
}

}  // namespace shardlens::ui

#include "moc_rank_board.cpp"
