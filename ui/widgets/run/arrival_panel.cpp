// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/arrival_panel.h"

#include "core/diagnose/run_state.h"
#include "ui/plot/arrival_plot.h"
#include "ui/scene/number_text.h"
#include "ui/scene/run/rank_rows.h"
#include "ui/scene/run/text.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"

#include <QVBoxLayout>

#include <algorithm>

namespace shardlens::ui {
namespace {

constexpr int kRowPixels = 9;  ///< smaller ones run into each other
constexpr std::size_t kFewestRows = 8;

std::vector<ui::Arrival> rowsOf(const RunState& state, std::size_t most) {
  const bool many = state.arrivals.size() > most;
  std::vector<ui::Arrival> rows;
  for (const qint64 rank : rankOrder(state, many ? RankOrder::ByLateness : RankOrder::ByRank)) {
    if (rank >= static_cast<qint64>(state.arrivals.size()) || rows.size() == most) continue;
    const shardlens::Arrival& one = state.arrivals[static_cast<std::size_t>(rank)];
    rows.push_back({one.rank, one.collectives, one.median_ms, one.p05_ms, one.p95_ms});
  }
  return rows;
}

}  // namespace

ArrivalPanel::ArrivalPanel(QWidget* parent) : QWidget(parent) {
  head_ = textLabel("Arrival in collectives", "", this);
  setLook(head_, "role", "title");
  note_ = new ElidedLabel({}, this);
  setLook(note_, "tone", "muted");
  plot_ = new ArrivalPlot(this);
  plot_->setAccessibleName("Arrival of each rank in the last collectives");
  connect(plot_, &ArrivalPlot::rankClicked, this, &ArrivalPanel::rankClicked);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(px(4));
  column->addWidget(head_);
  column->addWidget(note_);
  column->addWidget(plot_, 100);
  column->addStretch(1);
}

void ArrivalPanel::setRun(const RunState& state) {
  std::int64_t window = 0;
  for (const shardlens::Arrival& one : state.arrivals) window = std::max(window, one.collectives);
  head_->setText(window > 0 ? QString("Arrival in collectives, last %1").arg(number(window))
                            : QString("Arrival in collectives"));
  const auto most = std::max(kFewestRows, static_cast<std::size_t>(plot_->height() / px(kRowPixels)));
  const bool many = state.arrivals.size() > most;
  const QString what = many ? QString("the %1 latest").arg(most) : QString("time after the first rank");
  const QString note = what + "; dot = median, bar = 5 to 95\u202f%";
  note_->setFullText(window > 0 ? note : QString("No collective has completed yet"));
  constexpr int kTallestRow = 30;
  constexpr int kAxis = 44;
  plot_->setMaximumHeight(
      px(kAxis + kTallestRow * static_cast<int>(std::clamp<std::size_t>(state.arrivals.size(), 2, 100))));
  plot_->setArrivals(rowsOf(state, most));
  plot_->setHighlights(culpritsOf(state));
}

}  // namespace shardlens::ui
