// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/arrival_panel.h"

#include "core/diagnose/run_state.h"
#include "ui/scene/number_text.h"
#include "ui/scene/run/in_view.h"
#include "ui/scene/run/rank_rows.h"
#include "ui/scene/run/text.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/panel_menu.h"
#include "ui/widgets/common/style.h"

#include <algorithm>
#include <numeric>

namespace shardlens::ui {
namespace {

constexpr int kRowPixels = 9;  ///< smaller ones run into each other
constexpr std::size_t kFewestRows = 8;

/// Those of the ranks that usually come after half of all ranks.
std::vector<qint64> lateOf(const std::vector<shardlens::Arrival>& arrivals, std::vector<qint64> ranks) {
  std::vector<double> medians(arrivals.size());
  std::transform(arrivals.begin(), arrivals.end(), medians.begin(),
                 [](const shardlens::Arrival& one) { return one.median_ms; });
  std::sort(medians.begin(), medians.end());
  std::erase_if(ranks, [&](qint64 rank) {
    const auto found =
        std::ranges::find_if(arrivals, [rank](const shardlens::Arrival& one) { return one.rank == rank; });
    return found == arrivals.end() || found->median_ms <= medians[(medians.size() - 1) / 2];
  });
  return ranks;
}

std::vector<qint64> latestFirst(const std::vector<shardlens::Arrival>& arrivals) {
  std::vector<qint64> ranks(arrivals.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  std::ranges::stable_sort(ranks, [&](qint64 a, qint64 b) {
    return arrivals[static_cast<std::size_t>(a)].median_ms > arrivals[static_cast<std::size_t>(b)].median_ms;
  });
  return ranks;
}

/// The first `most` in this order; all of them by rank where there is room.
std::vector<ui::Arrival> rowsOf(const std::vector<shardlens::Arrival>& arrivals, const std::vector<qint64>& order,
                                std::size_t most) {
  std::vector<ui::Arrival> rows;
  for (const qint64 rank : order) {
    if (rank >= static_cast<qint64>(arrivals.size()) || rows.size() == most) continue;
    const shardlens::Arrival& one = arrivals[static_cast<std::size_t>(rank)];
    rows.push_back({one.rank, one.collectives, one.median_ms, one.p05_ms, one.p95_ms});
  }
  return rows;
}

}  // namespace

ArrivalPanel::ArrivalPanel(QWidget* parent) : QWidget(parent) {
  head_ = new ElidedLabel(phrase("run", "Arrivals"), this);
  setLook(head_, "role", "title");
  note_ = textLabel({}, "muted", this);
  note_->setWordWrap(true);
  plot_ = new ArrivalPlot(this);
  plot_->setAccessibleName(phrase("run", "Arrival of each rank in the last collectives"));
  connect(plot_, &ArrivalPlot::rankClicked, this, &ArrivalPanel::rankClicked);
  auto* column = columnIn(this, {}, px(4));
  addAll(column, {head_, note_});
  column->addWidget(plot_, 100);
  column->addStretch(1);
  addPanelMenu(*this, {phrase("run", "Arrivals"), [this] { return asText(); }, [this] { return csv(); }});
}

QString ArrivalPanel::asText() const {
  QString out = head_->fullText() + '\n' + note_->text() + '\n';
  for (const ui::Arrival& arrival : plot_->arrivals()) out += ArrivalPlot::sentence(arrival) + '\n';
  return out;
}

QString ArrivalPanel::csv() const {
  QString out = csvLine({"rank", "collectives", "median_ms", "p5_ms", "p95_ms"});
  for (const ui::Arrival& arrival : plot_->arrivals()) {
    QStringList cells = {QString::number(arrival.rank), QString::number(arrival.measured)};
    for (const double ms : {arrival.median_ms, arrival.p5_ms, arrival.p95_ms})
      cells += arrival.measured > 0 ? QString::number(ms, 'f', 3) : QString();
    out += csvLine(cells);
  }
  return out;
}

void ArrivalPanel::setRun(const RunState& state) {
  job_.cancel();
  in_view_.reset();
  showArrivals(state, state.arrivals, phrase("run", "Arrivals, last %1"));
}

void ArrivalPanel::setInView(const RunStatePtr& state, const RunLanes& lanes, const TimeWindow& window) {
  const std::pair part(window.begin(), window.end());
  if (in_view_ == part) return;
  in_view_ = part;
  job_.start(
      [lanes, part](const Work& work) -> std::optional<std::optional<std::vector<shardlens::Arrival>>> {
        auto found = arrivalsIn(lanes, part.first, part.second, work);
        if (work.stopped()) return std::nullopt;
        return found;
      },
      [this, state](const std::optional<std::vector<shardlens::Arrival>>& found) {
        showArrivals(*state, found ? *found : state->arrivals,
                     found ? phrase("run", "Arrivals, in view: %1") : phrase("run", "Arrivals, last %1"));
      });
}

void ArrivalPanel::showArrivals(const RunState& state, const std::vector<shardlens::Arrival>& arrivals,
                                const QString& which) {
  std::int64_t count = 0;
  for (const shardlens::Arrival& one : arrivals) count = std::max(count, one.collectives);
  head_->setFullText(count > 0 ? which.arg(number(count)) : phrase("run", "Arrivals"));
  const auto most = std::max(kFewestRows, static_cast<std::size_t>(plot_->height() / px(kRowPixels)));
  const QString key = phrase("run", "dot: median · bar: 5 to 95 %");
  const QString what = arrivals.size() > most ? phrase("run", "the %1 latest; %2").arg(most).arg(key) : key;
  note_->setText(count > 0                  ? what
                 : in_view_                 ? phrase("run", "No collective has completed in this time")
                 : isUnderWay(state.status) ? phrase("run", "No collective has completed yet")
                                            : phrase("run", "No collective was recorded"));
  constexpr int kTallestRow = 96;
  constexpr int kAxis = 58;
  plot_->setMaximumHeight(px(kAxis + kTallestRow * static_cast<int>(std::clamp<std::size_t>(arrivals.size(), 2, 100))));
  const bool many = arrivals.size() > most;
  const bool is_own = &arrivals == &state.arrivals;
  plot_->setArrivals(rowsOf(
      arrivals,
      many && !is_own ? latestFirst(arrivals) : rankOrder(state, many ? RankOrder::ByLateness : RankOrder::ByRank),
      most));
  plot_->setHighlights(lateOf(arrivals, culpritsOf(state)));
}

}  // namespace shardlens::ui

#include "moc_arrival_panel.cpp"
