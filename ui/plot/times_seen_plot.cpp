// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/times_seen_plot.h"

#include "ui/plot/plot_style.h"
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
  auto names = QSharedPointer<QCPAxisTickerText>::create();
  for (std::size_t i = 0; i < bars_.size(); ++i) {
    const TimesSeen& bar = bars_[i];
    const auto x = static_cast<double>(i);
    const double height = bar.samples > 0 ? std::max(static_cast<double>(bar.samples), kLowest * highest) : 0;
    parts_->barsOf(bar)->addData(x, height);
    names->addTick(x, bar.label);
    auto* text = new QCPItemText(&plot());
    text->setText(number(bar.samples));
    text->setPositionAlignment(Qt::AlignHCenter | Qt::AlignBottom);
    text->position->setCoords(x, height);
    text->setPadding({0, 0, 0, 3});
    text->setClipToAxisRect(false);
    parts_->counts.push_back(text);
  }
  plot().xAxis->setTicker(names);
  plot().xAxis->setRange(-0.5, std::max(kFewest, static_cast<int>(bars_.size())) - 0.5);
  plot().yAxis->setRange(0, highest);
  applyTheme();
}

void TimesSeenPlot::restyle() {
  parts_->usual->setBrush(mix(theme().accent, theme().panel, 0.55));
  parts_->never->setBrush(theme().warning);
  parts_->often->setBrush(padding_ ? QBrush(theme().muted, Qt::BDiagPattern) : QBrush(theme().error));
  for (QCPItemText* text : parts_->counts) {
    text->setFont(smallFont());
    text->setColor(theme().text);
  }
}

void TimesSeenPlot::relayout() {
  plot().xAxis->setLabel(height() >= kLeastForTitles ? tr("times seen") : QString());
}

QString TimesSeenPlot::hover(QPointF pixel) {
  const auto index = std::lround(plot().xAxis->pixelToCoord(pixel.x()));
  if (index < 0 || index >= static_cast<qint64>(bars_.size())) return {};
  const TimesSeen& bar = bars_[static_cast<std::size_t>(index)];
  return tr("%1: %2").arg(bar.label, countOf(bar.samples, "sample"));
}

}  // namespace shardlens::ui
