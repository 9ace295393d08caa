// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/coverage_plot.h"

#include "ui/plot/plot_style.h"
#include "ui/scene/number_text.h"
#include "ui/scene/theme.h"

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {
constexpr int kBesideAxis = 40;  ///< px: the numbers of the other axis

constexpr double kLowest = 0.015;  ///< of the highest bar: what a bar that is not empty gets at least
constexpr int kCountHeight = 18;   ///< pixels for the number above the highest bar
constexpr int kFewest = 3;         ///< the axis is at least so many bars wide, so that two bars do not fill the plot
}  // namespace

struct CoveragePlot::Parts {
  explicit Parts(QCustomPlot& plot) : seen(plot.addGraph()) {
    plot.addLayer(QStringLiteral("playhead"), plot.layer(QStringLiteral("axes")), QCustomPlot::limAbove);
    layer = plot.layer(QStringLiteral("playhead"));
    layer->setMode(QCPLayer::lmBuffered);
    line = new QCPItemLine(&plot);
    line->setLayer(layer);
    dot = new QCPItemTracer(&plot);
    dot->setLayer(layer);
    dot->setStyle(QCPItemTracer::tsCircle);
    dot->setSize(7);
    dot->setClipToAxisRect(false);
    dot->setVisible(false);
    line->setVisible(false);
    line->start->setTypeY(QCPItemPosition::ptAxisRectRatio);
    line->end->setTypeY(QCPItemPosition::ptAxisRectRatio);
    selected = new QCPItemRect(&plot);
    selected->setLayer(layer);
    selected->setVisible(false);
    selected->topLeft->setTypeY(QCPItemPosition::ptAxisRectRatio);
    selected->bottomRight->setTypeY(QCPItemPosition::ptAxisRectRatio);
    seen->setSelectable(QCP::stNone);
    low_title = new QCPItemText(&plot);
    low_title->setObjectName("lowTitle");
    low_title->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
    low_title->position->setType(QCPItemPosition::ptAxisRectRatio);
    low_title->position->setCoords(0, 0);
    low_title->setPadding({4, 0, 4, 0});
    low_title->setSelectable(false);
  }
  QCPGraph* seen;
  QCPLayer* layer = nullptr;
  QCPItemLine* line = nullptr;
  QCPItemTracer* dot = nullptr;
  QCPItemRect* selected = nullptr;
  QCPItemText* low_title = nullptr;  ///< of the upright axis, where it is too short for one beside it
};

CoveragePlot::CoveragePlot(QWidget* parent) : PlotView(parent), parts_(std::make_unique<Parts>(plot())) {
  setAccessibleName(tr("Distinct samples seen after each step"));
  plot().xAxis->setTicker(countTicker(5));
  plot().yAxis->setTicker(countTicker(3));
  plot().xAxis->grid()->setVisible(false);
  plot().xAxis->setLabelPadding(0);
  plot().axisRect()->setMinimumMargins({0, 8, 10, 0});
  applyTheme();
}

CoveragePlot::~CoveragePlot() = default;

void CoveragePlot::setCurve(CoverageCurve curve) {
  curve_ = std::move(curve);
  QVector<double> steps;
  QVector<double> seen;
  for (const CoverageCurve::Point& point : curve_.points) {
    steps.push_back(static_cast<double>(point.step));
    seen.push_back(static_cast<double>(point.seen));
  }
  parts_->seen->setData(steps, seen, true);
  plot().xAxis->setRange(0, std::max<double>(1, static_cast<double>(curve_.steps)));
  plot().yAxis->setRange(0, std::max<double>(1, static_cast<double>(curve_.dataset_size)) * 1.04);
  relayout();
  plot().replot(QCustomPlot::rpQueuedRefresh);  // the marker comes next and must find these axes
}

void CoveragePlot::setPlayhead(std::optional<double> step) {
  const bool shown = step.has_value() && !curve_.points.empty();
  parts_->line->setVisible(shown);
  parts_->dot->setVisible(shown);
  if (shown) {
    parts_->line->start->setCoords(*step, 0);
    parts_->line->end->setCoords(*step, 1);
    parts_->dot->position->setCoords(*step, curve_.seenAt(*step));
  }
  parts_->layer->replot();
}

/// As wide as what the step adds, and never too narrow to be seen.
void CoveragePlot::setSelected(std::optional<qint64> step) {
  const bool shown = step && !curve_.points.empty() && *step >= 0 && *step < curve_.steps;
  parts_->selected->setVisible(shown);
  if (shown) {
    const double least = 3 * static_cast<double>(curve_.steps) / std::max(1, plot().axisRect()->width());
    const double middle = static_cast<double>(*step) + 0.5;
    const double half = std::max(1.0, least) / 2;
    parts_->selected->topLeft->setCoords(middle - half, 0);
    parts_->selected->bottomRight->setCoords(middle + half, 1);
  }
  parts_->layer->replot();
}

void CoveragePlot::restyle() {
  parts_->seen->setPen(QPen(theme().accent, 1.5));
  QColor area = theme().accent;
  area.setAlphaF(0.14F);
  parts_->seen->setBrush(area);
  parts_->line->setPen(QPen(theme().accent, 1));
  QColor band = theme().accent;
  band.setAlphaF(0.28F);
  parts_->selected->setPen(QPen(theme().accent, 1, Qt::DashLine));
  parts_->selected->setBrush(band);
  parts_->low_title->setFont(smallFont());
  parts_->low_title->setColor(theme().muted);
  parts_->dot->setPen(QPen(theme().panel, 1.5));
  parts_->dot->setBrush(theme().accent);
  plot().yAxis->setBasePen(Qt::NoPen);
}

void CoveragePlot::relayout() {
  plot().xAxis->setLabel(height() >= kLeastForTitle ? tr("step") : QString());
  const bool is_high = height() >= kLeastForTitles;
  plot().yAxis->setLabel(is_high ? tr("samples seen") : QString());
  parts_->low_title->setText(tr("samples seen"));
  const QFontMetrics metrics(smallFont());
  const int room = width() - kBesideAxis / 2 - metrics.horizontalAdvance(number(curve_.dataset_size));
  parts_->low_title->setVisible(!is_high && metrics.horizontalAdvance(tr("samples seen")) <= room);
  // As many numbers as stand beside each other.
  const int widest = QFontMetrics(smallFont()).horizontalAdvance(number(curve_.steps) + QStringLiteral("00"));
  plot().xAxis->setTicker(countTicker(std::clamp((width() - kBesideAxis) / std::max(1, widest), 1, 5)));
}

QString CoveragePlot::hover(QPointF pixel) {
  if (curve_.points.empty() || !plot().axisRect()->rect().contains(pixel.toPoint())) return {};
  const auto step = std::clamp<qint64>(std::llround(plot().xAxis->pixelToCoord(pixel.x())), 0, curve_.steps);
  const double seen = curve_.seenAt(static_cast<double>(step));
  const double share = curve_.dataset_size > 0 ? seen / static_cast<double>(curve_.dataset_size) : 0;
  return tr("after %1: %2 seen (%3)").arg(countOf(step, "step"), countOf(std::llround(seen), "sample"), percent(share));
}

void CoveragePlot::click(QPointF pixel) {
  if (curve_.points.empty() || curve_.steps == 0 || !plot().axisRect()->rect().contains(pixel.toPoint())) return;
  const auto step = static_cast<qint64>(std::floor(plot().xAxis->pixelToCoord(pixel.x())));
  emit stepChosen(std::clamp<qint64>(step, 0, curve_.steps - 1));
}

struct TimesSeenPlot::Parts {
  explicit Parts(QCustomPlot& plot)
      : usual(new QCPBars(plot.xAxis, plot.yAxis)),
        never(new QCPBars(plot.xAxis, plot.yAxis)),
        often(new QCPBars(plot.xAxis, plot.yAxis)) {
    for (QCPBars* bars : {usual, never, often}) {
      bars->setWidth(0.56);
      bars->setPen(Qt::NoPen);
      bars->setSelectable(QCP::stNone);
    }
  }
  [[nodiscard]] QCPBars* barsOf(const TimesSeen& bar) const {
    return bar.times == 0 ? never : bar.times == 1 ? usual : often;
  }
  QCPBars* usual;
  QCPBars* never;
  QCPBars* often;
  std::vector<QCPItemText*> counts;
};

TimesSeenPlot::TimesSeenPlot(QWidget* parent) : PlotView(parent), parts_(std::make_unique<Parts>(plot())) {
  setAccessibleName(tr("How often a sample is seen"));
  plot().yAxis->setVisible(false);
  plot().xAxis->grid()->setVisible(false);
  plot().axisRect()->setAutoMargins(QCP::msBottom);
  plot().axisRect()->setMargins({0, kCountHeight, 0, 0});
  applyTheme();
}

TimesSeenPlot::~TimesSeenPlot() = default;

void TimesSeenPlot::setBars(const std::vector<TimesSeen>& bars, bool repeats_are_padding) {
  bars_ = bars;
  padding_ = repeats_are_padding;
  for (QCPItemText* text : parts_->counts) plot().removeItem(text);
  parts_->counts.clear();
  for (QCPBars* series : {parts_->usual, parts_->never, parts_->often}) series->data()->clear();
  double highest = 1;
  for (const TimesSeen& bar : bars_) highest = std::max(highest, static_cast<double>(bar.samples));
  for (std::size_t i = 0; i < bars_.size(); ++i) {
    const TimesSeen& bar = bars_[i];
    const auto x = static_cast<double>(i);
    const double height = bar.samples > 0 ? std::max(static_cast<double>(bar.samples), kLowest * highest) : 0;
    parts_->barsOf(bar)->addData(x, height);
    auto* text = new QCPItemText(&plot());
    text->setText(number(bar.samples));
    text->setPositionAlignment(Qt::AlignHCenter | Qt::AlignBottom);
    text->position->setCoords(x, height);
    text->setPadding({0, 0, 0, 3});
    text->setClipToAxisRect(false);
    parts_->counts.push_back(text);
  }
  plot().xAxis->setRange(-0.5, std::max(kFewest, static_cast<int>(bars_.size())) - 0.5);
  plot().yAxis->setRange(0, highest);
  applyTheme();
}

void TimesSeenPlot::restyle() {
  parts_->usual->setBrush(mix(theme().accent, theme().panel, 0.55));
  parts_->never->setBrush(neverColor());
  parts_->often->setBrush(padding_ ? QBrush(paddingColor(theme()), Qt::BDiagPattern) : duplicateColor(theme()));
  for (QCPItemText* text : parts_->counts) {
    text->setFont(smallFont());
    text->setColor(theme().text);
  }
}

/// "never", "once", "3 times"; numbers alone where these would touch or be cut.
void TimesSeenPlot::nameBars() {
  const QFontMetrics metrics(smallFont());
  int widest = 0;
  for (const TimesSeen& bar : bars_) widest = std::max(widest, metrics.horizontalAdvance(bar.label));
  const double pitch = width() / std::max(1.0, plot().xAxis->range().size());
  const bool fits = widest + 4 <= pitch;
  auto names = QSharedPointer<QCPAxisTickerText>::create();
  for (std::size_t i = 0; i < bars_.size(); ++i) {
    const TimesSeen& bar = bars_[i];
    const QString brief = number(bar.times) + (bar.label.contains('+') ? QStringLiteral("+") : QString());
    names->addTick(static_cast<double>(i), fits ? bar.label : brief);
  }
  plot().xAxis->setTicker(names);
}

void TimesSeenPlot::relayout() {
  nameBars();
  plot().xAxis->setLabel(height() >= kLeastForTitles ? tr("times seen") : QString());
}

const TimesSeen* TimesSeenPlot::barAt(QPointF pixel) const {
  const auto index = std::lround(plot().xAxis->pixelToCoord(pixel.x()));
  return index < 0 || index >= static_cast<qint64>(bars_.size()) ? nullptr : &bars_[static_cast<std::size_t>(index)];
}

QString TimesSeenPlot::hover(QPointF pixel) {
  const TimesSeen* bar = barAt(pixel);
  return bar == nullptr ? QString() : tr("%1: %2").arg(bar->label, countOf(bar->samples, "sample"));
}

void TimesSeenPlot::click(QPointF pixel) {
  if (const TimesSeen* bar = barAt(pixel); bar != nullptr && bar->samples > 0) emit timesChosen(bar->times);
}

}  // namespace shardlens::ui

#include "moc_coverage_plot.cpp"
