// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/rank_board.h"

#include "ui/paint/run_paint.h"
#include "ui/scene/number_text.h"
#include "ui/scene/run/in_view.h"
#include "ui/scene/run/stalls.h"
#include "ui/scene/run/text.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/run/minimap_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace shardlens::ui {
namespace {

/// A run that is over is seen a little beyond its last moment, so that its end is not at the very edge.
constexpr double kBeyondEnd = 0.06;

QPushButton* linkIn(QWidget* board, const QString& text, const char* name, const QString& tip) {
  auto* button = pushButton(text, "link", board);
  button->setCursor(Qt::PointingHandCursor);
  button->setObjectName(name);
  button->setToolTip(tip);
  return button;
}

QString errorText(const std::optional<double>& error_us) {
  if (!error_us) return phrase("run", "clocks not comparable");
  return *error_us > 0 ? phrase("run", "clock error ± %1").arg(durationText(qRound64(*error_us * 1000)))
                       : phrase("run", "same clock");
}

constexpr double kNotch = 120;

}  // namespace

RankBoard::RankBoard(Columns columns, QWidget* parent)
    : QWidget(parent), columns_(columns), view_(new TimeView(this)), input_(*view_) {
  setObjectName("rankBoard");
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAccessibleName(phrase("run", "Ranks and their timeline"));
  setTips(this, [this](QPoint place) { return tipAt(place); });
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
  if (!place_.ranks.empty()) bringIntoView(place_.ranks.front());
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

BoardShape RankBoard::shape() const {
  return {.ranks = static_cast<qint64>(rows_.size()),
          .has_table = columns_ == Columns::All,
          .has_minimap = minimap_ != nullptr,
          .place_width = place_width_,
          .scale = px(100) / 100.0,
          .node_starts = order_ == RankOrder::ByRank ? node_starts_ : std::vector<qint64>()};
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
  if (!place_.ranks.empty() && place_.ranks.front() < static_cast<qint64>(state_->ranks.size())) {
    const RankRow row = rowOf(place_.ranks.front());
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

QString RankBoard::windowText() const {
  const QString length = phrase("run", "%1 in view").arg(durationText(window().span()));
  if (state_ == nullptr) return phrase("run", "predicted · %1").arg(length);
  const bool is_coarse =
      lanes_.overview != nullptr && lanes_.overview->resolution_ns > 0 && window().begin() < state_->recent.begin_ns;
  QStringList parts = {length, errorText(state_->clock_error_us)};
  if (is_coarse) {
    parts += phrase("run", "older times in blocks of %1").arg(durationText(lanes_.overview->resolution_ns));
  }
  return parts.join(QStringLiteral(" · "));
}

QRectF RankBoard::lanesArea(const BoardLayout& layout) const {
  const double bottom = layout.phase_map.isEmpty() ? layout.legend.top() : layout.phase_map.bottom();
  return {layout.lanes_left, layout.rows.top(), layout.lanes_right - layout.lanes_left, bottom - layout.rows.top()};
}

void RankBoard::paintHead(QPainter& painter, const BoardLayout& layout) const {
  const Theme& colours = theme();
  painter.setFont(headFont());
  painter.setPen(colours.muted);
  painter.drawText(QRectF(layout.name, layout.head.top(), px(60), layout.head.height()), Qt::AlignVCenter,
                   phrase("run", "Ranks"));
  if (minimap_ != nullptr && state_ != nullptr) {
    QRectF row(layout.name, layout.minimap.top(), layout.lanes_left - layout.name - px(8), layout.minimap.height() / 2);
    painter.setFont(smallFont());
    const std::int64_t top = minimap_->map().top_ns;
    if (top > 0) painter.drawText(row, Qt::AlignVCenter | Qt::AlignRight, durationText(top));
    row.translate(0, row.height());
    painter.drawText(row, Qt::AlignVCenter,
                     top > 0 ? phrase("run", "longest step per column") : phrase("run", "no step was measured"));
    if (top > 0) painter.drawText(row, Qt::AlignVCenter | Qt::AlignRight, "0");
  }
  paintColumnNames(painter, layout, columns_ == Columns::All, colours);
  if (layout.phase_map.isEmpty()) return;
  painter.setFont(smallFont());
  painter.setPen(colours.muted);
  const QRectF line(layout.name, layout.rows.bottom(), layout.lanes_left,
                    layout.phase_map.top() - layout.rows.bottom());
  painter.drawText(line, Qt::AlignVCenter, phrase("run", "above: the latest %1").arg(layout.shown));
  painter.drawText(
      line.translated(layout.lanes_left - layout.name, 0), Qt::AlignVCenter,
      phrase("run", "all %1; each row shows its worst value").arg(countOf(static_cast<qint64>(rows_.size()), "rank")));
}

std::vector<TimeTick> RankBoard::namedTicks(std::vector<TimeTick> ticks, const BoardLayout& layout) const {
  if (minimap_ != nullptr || state_ == nullptr) return ticks;  // they stand beside the minimap, or there are none
  const double taken = latest_->geometry().right() + px(8) - layout.lanes_left;
  const QFontMetricsF metrics(smallFont());
  for (TimeTick& tick : ticks) {
    if (tick.x - metrics.horizontalAdvance(tick.text) / 2 < taken) tick.text.clear();
  }
  return ticks;
}

/// Time above, steps below, and their hairs through the lanes.
void RankBoard::paintAxis(QPainter& painter, const BoardLayout& layout) const {
  if (lanes_.recent == nullptr) return;
  const double width = layout.lanes_right - layout.lanes_left;
  painter.setFont(smallFont());
  const QFontMetricsF metrics(painter.font());
  const auto ticks = timeTicks(window(), width, px(90));
  const Lane* first = lanes_.recent->lanes.empty() ? nullptr : &lanes_.recent->lanes.front();
  const auto steps = stepMarks(lanes_.overview.get(), first, window(), width,
                               [&metrics](const QString& words) { return metrics.horizontalAdvance(words); });
  paintTimeGrid(painter, lanesArea(layout), ticks, steps, theme());
  paintSelectedStep(painter, layout);
  const QRectF times(layout.lanes_left, layout.head.top(), width, layout.head.height());
  const bool is_live = state_ != nullptr && window().isFollowing() && state_->status == JobStatus::Running &&
                       window().end() == state_->elapsed_ns;
  const bool in_seconds = window().last() < 60'000'000'000;
  const QString now =
      is_live ? phrase("run", "now %1").arg(momentText(window().end(), 100'000'000, in_seconds)) : QString();
  paintTimeTicks(painter, times, namedTicks(ticks, layout), now, theme());
  paintStepMarks(painter, {layout.lanes_left, layout.columns.top(), width, layout.columns.height()}, steps, theme());
}

void RankBoard::paintSelectedStep(QPainter& painter, const BoardLayout& layout) const {
  QRectF area = lanesArea(layout);
  area.setTop(layout.columns.top());
  const QRectF band = paintSelectedTime(painter, area, window(), selected_time_, theme());
  if (!band.isEmpty()) painter.fillRect(QRectF(band.left(), band.bottom() - 2, band.width(), 2), theme().accent);
}

void RankBoard::paintRankLane(QPainter& painter, const BoardLayout& layout, const QRectF& row, qint64 rank) const {
  if (rank >= static_cast<qint64>(lanes_.ranks())) return;
  const int width = static_cast<int>(layout.lanes_right - layout.lanes_left);
  const QRectF lane(layout.lanes_left, row.center().y() - layout.laneHeight() / 2, width, layout.laneHeight());
  const LaneSource source = lanes_.of(static_cast<std::size_t>(rank));
  paintLane(painter, lane, laneBlocks(source, window().begin(), window().end(), width), theme(), state_ == nullptr);
  if (const auto stall = state_ == nullptr ? std::nullopt : stallOf(*state_, rank)) {
    const PixelRange range{window().pixelOf(stall->from_ns, width), window().pixelOf(stall->to_ns, width)};
    paintStall(painter, lane, range, durationText(stall->to_ns - stall->from_ns), theme());
  }
  const bool is_dead = state_ != nullptr && state_->ranks[static_cast<std::size_t>(rank)].status == RankStatus::Dead;
  if (!is_dead || source.over_ns < window().begin() || source.over_ns > window().end()) return;
  paintDeath(painter, lane, window().pixelOf(source.over_ns, width), theme());
}

void RankBoard::paintRows(QPainter& painter, const BoardLayout& layout) const {
  const Theme& colours = theme();
  painter.save();
  painter.setClipRect(layout.rows.adjusted(0, -1, 0, 1));
  const auto shown = std::min<qint64>(layout.shown, static_cast<qint64>(rows_.size()));
  for (qint64 index = layout.firstRow(scrolled()); index < shown; ++index) {
    const QRectF row = layout.row(index, scrolled());
    if (row.top() > layout.rows.bottom()) break;
    const qint64 rank = rows_[static_cast<std::size_t>(index)];
    const RankRow words = rowOf(rank);
    const bool is_selected = std::find(place_.ranks.begin(), place_.ranks.end(), rank) != place_.ranks.end();
    paintRowBand(painter, row, words.is_culprit, is_selected, colours);
    paintRankRow(painter, layout, row, words, columns_ == Columns::All, colours);
    paintRankLane(painter, layout, row, rank);
  }
  paintNodeLines(painter, layout);
  painter.restore();
}

/// In the gap between two nodes.
void RankBoard::paintNodeLines(QPainter& painter, const BoardLayout& layout) const {
  painter.setRenderHint(QPainter::Antialiasing, false);
  for (const qint64 index : layout.gaps) {
    const double y = std::round(layout.row(index, scrolled()).top() - layout.gap / 2);
    painter.fillRect(QRectF(layout.name, y, layout.lanes_right - layout.name, 1), theme().hairline);
  }
}

void RankBoard::paintMap(QPainter& painter, const BoardLayout& layout) const {
  if (layout.phase_map.isEmpty() || lanes_.recent == nullptr) return;
  const QSize pixels = layout.phase_map.size().toSize();
  paintPhaseMap(painter, layout.phase_map,
                phaseMap(lanes_, window().begin(), window().end(), pixels.width(), pixels.height()), theme());
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

/// The moment that is shown, where the recording goes on after it, and what is being dragged over.
void RankBoard::paintOver(QPainter& painter, const BoardLayout& layout) const {
  const QRectF area = lanesArea(layout);
  painter.setRenderHint(QPainter::Antialiasing, false);
  if (state_ != nullptr && state_->elapsed_ns < window().last() && state_->elapsed_ns > window().begin() &&
      state_->elapsed_ns < window().end()) {
    const double x = area.left() + window().pixelOf(state_->elapsed_ns, area.width());
    painter.fillRect(QRectF(std::round(x) - 1, area.top(), 2, area.height()), theme().accent);
  }
  const auto over = input_.brushed(area);
  if (!over) return;
  input_.paint(painter, area);
  const double from = over->left();
  const double to = over->right();
  const auto length =
      window().momentAt(to - area.left(), area.width()) - window().momentAt(from - area.left(), area.width());
  painter.setFont(smallFont());
  painter.setPen(theme().accent);
  const QRectF words(from + 4, area.top() - layout.columns.height(), px(120), layout.columns.height());
  painter.fillRect(QRectF(words.left() - 4, words.top(),
                          painter.fontMetrics().horizontalAdvance(durationText(length)) + 8, words.height()),
                   theme().window);
  painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, durationText(length));
}

void RankBoard::paintFoot(QPainter& painter, const BoardLayout& layout) const {
  painter.setFont(smallFont());
  // Below the lanes, or below all of the board where they are too short for it.
  const bool fits = laneLegendWidth(QFontMetricsF(painter.font())) <= layout.legend.width();
  const double left = fits ? layout.legend.left() : layout.name;
  const double end = paintLegend(painter, {left, layout.legend.center().y()}, layout.legend.right() - left, theme());
  const QRectF rest(end, layout.legend.top(), layout.lanes_right - end, layout.legend.height());
  const QFontMetricsF metrics(painter.font());
  QString words = phrase("run", "%1 · drag to zoom all panels").arg(windowText());
  if (columns_ == Columns::Few || metrics.horizontalAdvance(words) > rest.width()) words = windowText();
  if (metrics.horizontalAdvance(words) > rest.width()) return;
  painter.setPen(theme().muted);
  painter.drawText(rest, Qt::AlignRight | Qt::AlignVCenter, words);
}

void RankBoard::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const BoardLayout layout = layoutNow();
  if (rows_.empty()) {
    if (state_ == nullptr) return;
    painter.setFont(smallFont());
    painter.setPen(theme().muted);
    painter.drawText(QRectF(layout.name, 0, width() - layout.name, px(24)), Qt::AlignVCenter,
                     isUnderWay(state_->status) ? phrase("run", "No rank has reported yet.")
                                                : phrase("run", "No rank has reported anything."));
    return;
  }
  paintAxis(painter, layout);
  paintHead(painter, layout);
  paintRows(painter, layout);
  paintMap(painter, layout);
  paintOver(painter, layout);
  paintFoot(painter, layout);
}

qint64 RankBoard::rankAt(QPointF place) const {
  const BoardLayout layout = layoutNow();
  if (const qint64 row = layout.rowAt(place.y(), scrolled()); row >= 0 && row < static_cast<qint64>(rows_.size())) {
    return rows_[static_cast<std::size_t>(row)];
  }
  if (!layout.phase_map.contains(place)) return -1;
  const double share = (place.y() - layout.phase_map.top()) / layout.phase_map.height();
  return std::min(static_cast<qint64>(share * static_cast<double>(rows_.size())),
                  static_cast<qint64>(rows_.size()) - 1);
}

std::optional<RankBoard::LanePlace> RankBoard::laneAt(qint64 rank, double x) const {
  const QRectF lanes = lanesArea(layoutNow());
  if (rank < 0 || rank >= static_cast<qint64>(lanes_.ranks()) || x < lanes.left() || x > lanes.right())
    return std::nullopt;
  LanePlace place{lanes_.of(static_cast<std::size_t>(rank)), window().momentAt(x - lanes.left(), lanes.width())};
  if (place.ns <= place.source.over_ns) place.span = spanAt(place.source, place.ns);
  return place;
}

/// The step that a rank was in at that place of its lane; nothing where none is known.
std::optional<Selected> RankBoard::stepAt(QPointF place) const {
  const qint64 rank = rankAt(place);
  const auto lane = laneAt(rank, place.x());
  if (!lane || lane->span == nullptr || lane->span->phase == Phase::Unmeasured || !knowsSteps()) return std::nullopt;
  Selected selected;
  selected.ranks = {rank};
  selected.epoch = lane->span->epoch;
  selected.step = lane->span->step;
  return selected;
}

/// A prediction does; of a run, its records say.
bool RankBoard::knowsSteps() const {
  return state_ == nullptr || state_->hasSteps();
}

QString RankBoard::tipAt(QPointF place) const {
  const qint64 rank = rankAt(place);
  if (rank < 0 || rank >= static_cast<qint64>(lanes_.ranks())) return {};
  const auto lane = laneAt(rank, place.x());
  if (!lane) return state_ == nullptr ? QString() : rankTip(rank);
  if (lane->ns > lane->source.over_ns) return phrase("run", "rank %1 has ended").arg(rank);
  if (lane->span == nullptr) return phrase("run", "rank %1: not measured").arg(rank);
  const Span& span = *lane->span;
  const QString in = phaseLabel(span.phase) + ' ' + durationText(span.end_ns - span.begin_ns);
  if (!knowsSteps()) return phrase("run", "rank %1: %2").arg(QString::number(rank), in);
  return phrase("run", "rank %1 · epoch %2 · step %3\n%4 %5")
      .arg(rank)
      .arg(span.epoch)
      .arg(number(span.step), phaseLabel(span.phase), durationText(span.end_ns - span.begin_ns));
}

QString RankBoard::rankTip(qint64 rank) const {
  const RankState& one = state_->ranks[static_cast<std::size_t>(rank)];
  const RankRow row = rowOf(rank);
  return phrase("run", "rank %1 on %2, process %3\nstep %4, %5 samples/s: %6\n%7, %8 lost")
      .arg(QString::number(rank), text(one.host), QString::number(one.pid), row.step, row.rate, row.now,
           countOf(one.samples, "sample"), countOf(one.dropped, "record"));
}

void RankBoard::wheelEvent(QWheelEvent* event) {
  const QPointF angle = event->angleDelta();
  const bool over_lanes = event->position().x() >= layoutNow().lanes_left;
  if (!over_lanes) {
    if (scroll_->isHidden()) return event->ignore();
    scroll_->setValue(scroll_->value() - static_cast<int>(angle.y() / kNotch * 3 * scroll_->singleStep()));
    return event->accept();
  }
  input_.wheel(*event, lanesArea(layoutNow()));
}

void RankBoard::mousePressEvent(QMouseEvent* event) {
  input_.press(*event);
}

void RankBoard::mouseMoveEvent(QMouseEvent* event) {
  if (input_.move(*event, lanesArea(layoutNow()))) update();
}

void RankBoard::mouseReleaseEvent(QMouseEvent* event) {
  const TimeInput::Released released = input_.release(*event, lanesArea(layoutNow()));
  if (released == TimeInput::Released::Brush) return update();
  if (released != TimeInput::Released::Click) return;
  if (const auto step = stepAt(event->position())) return emit placeClicked(*step);
  if (const qint64 rank = rankAt(event->position()); rank >= 0) emit rankClicked(rank);
}

void RankBoard::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->position().x() < layoutNow().lanes_left) return;
  view_->change([this](TimeWindow& window) { state_ == nullptr ? window.fit() : window.reset(); });
}

void RankBoard::selectByKey(int direction) {
  if (rows_.empty()) return;
  const auto shown = static_cast<qint64>(shownRanks().size());
  const auto found = std::find(rows_.begin(), rows_.end(), place_.ranks.empty() ? -1 : place_.ranks.front());
  qint64 index = found == rows_.end() ? (direction > 0 ? 0 : shown - 1) : found - rows_.begin() + direction;
  index = std::clamp<qint64>(index, 0, shown - 1);
  bringIntoView(rows_[static_cast<std::size_t>(index)]);
  emit rankClicked(rows_[static_cast<std::size_t>(index)]);
}

void RankBoard::keyPressEvent(QKeyEvent* event) {
  if (input_.key(*event)) return update();
  switch (event->key()) {
    case Qt::Key_0:
      return view_->change([](TimeWindow& window) { window.reset(); });
    case Qt::Key_R:
    case Qt::Key_End:
      return follow();
    case Qt::Key_L:
      return setOrder(order_ == RankOrder::ByRank ? RankOrder::ByLateness : RankOrder::ByRank);
    case Qt::Key_Up:
      return selectByKey(-1);
    case Qt::Key_Down:
      return selectByKey(1);
    default:
      QWidget::keyPressEvent(event);
  }
}

void RankBoard::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (state_ != nullptr && !order_chosen_) {
    const RankOrder before = order_;
    chooseOrder();
    if (order_ != before) sortRows();
  }
  arrange();
}

void RankBoard::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) arrange();
}

}  // namespace shardlens::ui

#include "moc_rank_board.cpp"
