// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/times_seen_plot.h"

#include "ui/plot/plot_style.h"
#include "ui/scene/palette.h"
#include "ui/scene/theme.h"

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {
constexpr double kLowest = 0.015;  ///< of the highest bar: what a bar that is not empty gets at least
constexpr int kCountHeight = 18;   ///< pixels for the number above the highest bar
constexpr int kFewest = 3;         ///< the axis is at least so many bars wide, so that two bars do not fill the plot
}  // namespace

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

#include "moc_times_seen_plot.cpp"
