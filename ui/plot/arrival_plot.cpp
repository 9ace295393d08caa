// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/arrival_plot.h"

#include "ui/plot/plot_style.h"
#include "ui/scene/theme.h"

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

/// One look of rows: the dots and their bars. QCPGraph sorts by key, so the points come in the order of the medians.
struct Series {
  explicit Series(QCustomPlot& plot) : dots(plot.addGraph()), bars(new QCPErrorBars(plot.xAxis, plot.yAxis)) {
    dots->setLineStyle(QCPGraph::lsNone);
    bars->setErrorType(QCPErrorBars::etKeyError);
    bars->setDataPlottable(dots);
    bars->setWhiskerWidth(0);
    bars->setSymbolGap(0);
    bars->setLayer(QStringLiteral("main"));
    dots->setLayer(QStringLiteral("axes"));
  }

  void style(const QColor& bar, const QColor& dot) const {
    bars->setPen(QPen(bar, 4, Qt::SolidLine, Qt::FlatCap));
    dots->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, dot, dot, 7));
  }

  void fill(std::vector<std::pair<double, Arrival>> rows) const {
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& a, const auto& b) { return a.second.median_ms < b.second.median_ms; });
    QVector<double> keys;
    QVector<double> values;
    QVector<double> minus;
    QVector<double> plus;
    for (const auto& [row, arrival] : rows) {
      keys.push_back(arrival.median_ms);
      values.push_back(row);
      minus.push_back(std::max(0.0, arrival.median_ms - arrival.p5_ms));
      plus.push_back(std::max(0.0, arrival.p95_ms - arrival.median_ms));
    }
    dots->setData(keys, values, true);
    bars->setData(minus, plus);
  }

  QCPGraph* dots;
  QCPErrorBars* bars;
};

QString sentence(const Arrival& arrival) {
  if (arrival.measured == 0) return ArrivalPlot::tr("rank %1: not measured").arg(arrival.rank);
  const auto ms = [](double value) { return QString::number(value, 'f', value < 10 ? 2 : 1); };
  return ArrivalPlot::tr("rank %1 arrives %2 ms after the first (5 to 95 %: %3 to %4 ms)")
      .arg(QString::number(arrival.rank), ms(arrival.median_ms), ms(arrival.p5_ms), ms(arrival.p95_ms));
}

}  // namespace

struct ArrivalPlot::Parts {
  explicit Parts(QCustomPlot& plot) : usual(plot), late(plot) {}
  Series usual;
  Series late;
  std::vector<QCPItemRect*> unmeasured;
  std::vector<QCPItemRect*> bands;
};

ArrivalPlot::ArrivalPlot(QWidget* parent) : PlotView(parent), parts_(std::make_unique<Parts>(plot())) {
  setAccessibleName(tr("Arrival in the collective, by rank"));
  plot().yAxis->setRangeReversed(true);
  plot().yAxis->grid()->setVisible(false);
  plot().xAxis->setTicker(unitTicker(tr("ms"), 3));
  plot().xAxis->setLabel(tr("after the first rank of each collective"));
  plot().yAxis->setLabel(tr("rank"));
  fill();
  applyTheme();
}

ArrivalPlot::~ArrivalPlot() = default;

void ArrivalPlot::setArrivals(const std::vector<Arrival>& arrivals) {
  arrivals_ = arrivals;
  fill();
  relayout();
  replotSoon();
}

void ArrivalPlot::setHighlights(std::vector<qint64> ranks) {
  if (highlights_ == ranks) return;
  highlights_ = std::move(ranks);
  fill();
  replotSoon();
}

void ArrivalPlot::setSelected(std::vector<qint64> ranks) {
  if (selected_ == ranks) return;
  selected_ = std::move(ranks);
  showSelected();
  replotSoon();
}

void ArrivalPlot::showSelected() {
  for (QCPItemRect* band : parts_->bands) plot().removeItem(band);
  parts_->bands.clear();
  for (std::size_t row = 0; row < arrivals_.size(); ++row) {
    if (std::find(selected_.begin(), selected_.end(), arrivals_[row].rank) == selected_.end()) continue;
    auto* band = new QCPItemRect(&plot());
    band->setLayer(QStringLiteral("grid"));
    band->topLeft->setTypeX(QCPItemPosition::ptAxisRectRatio);
    band->bottomRight->setTypeX(QCPItemPosition::ptAxisRectRatio);
    band->topLeft->setTypeY(QCPItemPosition::ptPlotCoords);
    band->bottomRight->setTypeY(QCPItemPosition::ptPlotCoords);
    band->topLeft->setCoords(0, static_cast<double>(row) - 0.48);
    band->bottomRight->setCoords(1, static_cast<double>(row) + 0.48);
    band->setPen(QPen(mix(theme().accent, theme().panel, 0.6), 1));
    band->setBrush(mix(theme().accent, theme().panel, 0.12));
    parts_->bands.push_back(band);
  }
}

void ArrivalPlot::fill() {
  std::vector<std::pair<double, Arrival>> usual;
  std::vector<std::pair<double, Arrival>> late;
  for (QCPItemRect* rect : parts_->unmeasured) plot().removeItem(rect);
  parts_->unmeasured.clear();
  double longest = 0;
  for (std::size_t row = 0; row < arrivals_.size(); ++row) {
    const Arrival& arrival = arrivals_[row];
    const auto y = static_cast<double>(row);
    if (arrival.measured == 0) {
      auto* rect = new QCPItemRect(&plot());
      rect->topLeft->setTypeY(QCPItemPosition::ptPlotCoords);
      rect->topLeft->setTypeX(QCPItemPosition::ptAxisRectRatio);
      rect->bottomRight->setTypeX(QCPItemPosition::ptAxisRectRatio);
      rect->topLeft->setCoords(0, y - 0.3);
      rect->bottomRight->setCoords(1, y + 0.3);
      rect->setPen(Qt::NoPen);
      rect->setBrush(QBrush(theme().faint, Qt::BDiagPattern));
      parts_->unmeasured.push_back(rect);
      continue;
    }
    longest = std::max(longest, arrival.p95_ms);
    (std::find(highlights_.begin(), highlights_.end(), arrival.rank) != highlights_.end() ? late : usual)
        .emplace_back(y, arrival);
  }
  parts_->usual.fill(std::move(usual));
  parts_->late.fill(std::move(late));
  showSelected();
  plot().xAxis->setRange(-0.01 * longest, longest > 0 ? longest * 1.08 : 1);
  plot().yAxis->setRange(-0.5, std::max<double>(1, static_cast<double>(arrivals_.size())) - 0.5);
}

void ArrivalPlot::restyle() {
  parts_->usual.style(theme().faint, theme().text);
  parts_->late.style(theme().warning, theme().text);
  for (QCPItemRect* rect : parts_->unmeasured) rect->setBrush(QBrush(theme().faint, Qt::BDiagPattern));
  showSelected();
  plot().yAxis->setBasePen(Qt::NoPen);
}

void ArrivalPlot::relayout() {
  constexpr double kPitch = 15;
  plot().yAxis->setTicker(rowTicker(static_cast<qint64>(arrivals_.size()), height() - 40, kPitch, [this](qint64 row) {
    return QString::number(arrivals_[static_cast<std::size_t>(row)].rank);
  }));
}

const Arrival* ArrivalPlot::rowAt(QPointF pixel) const {
  if (!plot().axisRect()->rect().contains(pixel.toPoint())) return nullptr;
  const auto row = std::lround(plot().yAxis->pixelToCoord(pixel.y()));
  if (row < 0 || row >= static_cast<qint64>(arrivals_.size())) return nullptr;
  return &arrivals_[static_cast<std::size_t>(row)];
}

QString ArrivalPlot::hover(QPointF pixel) {
  const Arrival* arrival = rowAt(pixel);
  return arrival ? sentence(*arrival) : QString();
}

void ArrivalPlot::click(QPointF pixel) {
  if (const Arrival* arrival = rowAt(pixel)) emit rankClicked(arrival->rank);
}

}  // namespace shardlens::ui
