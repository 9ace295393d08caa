// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/arrival_plot.h"

#include "ui/plot/plot_style.h"
#include "ui/scene/number_text.h"
#include "ui/scene/theme.h"

#include <QFontMetrics>
#include <QKeyEvent>

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
  setFocusPolicy(Qt::StrongFocus);
  plot().yAxis->setRangeReversed(true);
  plot().yAxis->grid()->setVisible(false);
  plot().yAxis->setLabel(tr("rank"));
  fill();
  applyTheme();
}

ArrivalPlot::~ArrivalPlot() = default;

QString ArrivalPlot::sentence(const Arrival& arrival) {
  if (arrival.measured == 0) return tr("rank %1: not measured").arg(arrival.rank);
  const auto ms = [](double value) { return durationText(std::llround(value * 1e6)); };
  return tr("rank %1 arrives %2 after the first (5 to 95 %: %3 to %4)")
      .arg(QString::number(arrival.rank), ms(arrival.median_ms), ms(arrival.p5_ms), ms(arrival.p95_ms));
}

void ArrivalPlot::setArrivals(const std::vector<Arrival>& arrivals) {
  arrivals_ = arrivals;
  describe();
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
  describe();
  showSelected();
  replotSoon();
}

void ArrivalPlot::showSelected() {
  for (QCPItemRect* band : parts_->bands) plot().removeItem(band);
  parts_->bands.clear();
  for (std::size_t row = 0; row < arrivals_.size(); ++row) {
    if (std::find(selected_.begin(), selected_.end(), arrivals_[row].rank) == selected_.end()) continue;
    const auto y = static_cast<double>(row);
    addBand(y, y, QPen(mix(theme().accent, theme().panel, 0.6), 1), mix(theme().accent, theme().panel, 0.12));
  }
  showRing();
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
  plot().xAxis->setVisible(std::ranges::any_of(arrivals_, [](const Arrival& one) { return one.measured > 0; }));
  plot().yAxis->setVisible(!arrivals_.empty());
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
  constexpr int kNarrow = 220;  // more than two times run into each other
  const QFontMetrics metrics(smallFont());
  const int room = std::max(0, plot().axisRect()->width());
  const QStringList titles = {tr("after the first rank of each collective"), tr("after the first rank"), tr("late by")};
  const auto fits = [&](const QString& title) { return metrics.horizontalAdvance(title) <= room; };
  const auto title = std::find_if(titles.begin(), titles.end(), fits);
  plot().xAxis->setLabel(title != titles.end() ? *title : metrics.elidedText(titles.back(), Qt::ElideRight, room));
  plot().xAxis->setTicker(unitTicker(tr("ms"), width() < kNarrow ? 1 : 3));
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

std::ptrdiff_t ArrivalPlot::selectedRow() const {
  const auto at = std::find_if(arrivals_.begin(), arrivals_.end(), [this](const Arrival& one) {
    return !selected_.empty() && one.rank == selected_.front();
  });
  return at == arrivals_.end() ? -1 : at - arrivals_.begin();
}

void ArrivalPlot::keyPressEvent(QKeyEvent* event) {
  const auto last = static_cast<std::ptrdiff_t>(arrivals_.size()) - 1;
  const std::ptrdiff_t row = selectedRow();
  std::ptrdiff_t next = 0;
  switch (event->key()) {
    case Qt::Key_Up:
      next = row - 1;
      break;
    case Qt::Key_Down:
      next = row + 1;
      break;
    case Qt::Key_Home:
      break;
    case Qt::Key_End:
      next = last;
      break;
    default:
      return PlotView::keyPressEvent(event);
  }
  if (last < 0) return;
  setFocusRing(true);
  emit rankClicked(arrivals_[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(next, 0, last))].rank);
}

void ArrivalPlot::describe() {
  const std::ptrdiff_t row = selectedRow();
  const QString words = row < 0 ? QString() : sentence(arrivals_[static_cast<std::size_t>(row)]);
  if (words != accessibleDescription()) setAccessibleDescription(words);
}

void ArrivalPlot::setFocusRing(bool shown) {
  if (shown == focus_ring_) return;
  focus_ring_ = shown;
  showSelected();
  replotSoon();
}

/// Around the row of the selected rank, else around all rows.
void ArrivalPlot::showRing() {
  if (!focus_ring_ || arrivals_.empty()) return;
  const std::ptrdiff_t row = selectedRow();
  const auto first = static_cast<double>(std::max<std::ptrdiff_t>(0, row));
  const auto last = row < 0 ? static_cast<double>(arrivals_.size() - 1) : first;
  addBand(first, last, QPen(theme().accent, 2), Qt::NoBrush);
}

void ArrivalPlot::addBand(double first, double last, const QPen& pen, const QBrush& brush) {
  auto* band = new QCPItemRect(&plot());
  band->setLayer(QStringLiteral("grid"));
  band->topLeft->setTypeX(QCPItemPosition::ptAxisRectRatio);
  band->bottomRight->setTypeX(QCPItemPosition::ptAxisRectRatio);
  band->topLeft->setTypeY(QCPItemPosition::ptPlotCoords);
  band->bottomRight->setTypeY(QCPItemPosition::ptPlotCoords);
  band->topLeft->setCoords(0, first - 0.48);
  band->bottomRight->setCoords(1, last + 0.48);
  band->setPen(pen);
  band->setBrush(brush);
  parts_->bands.push_back(band);
}

void ArrivalPlot::focusInEvent(QFocusEvent* event) {
  setFocusRing(event->reason() != Qt::MouseFocusReason && event->reason() != Qt::ActiveWindowFocusReason);
}

void ArrivalPlot::click(QPointF pixel) {
  if (const Arrival* arrival = rowAt(pixel)) emit rankClicked(arrival->rank);
}

}  // namespace shardlens::ui

#include "moc_arrival_plot.cpp"
