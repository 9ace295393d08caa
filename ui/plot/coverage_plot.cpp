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
}

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

}  // namespace shardlens::ui

#include "moc_coverage_plot.cpp"
