// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/lens/lens_legend.h"

#include "ui/paint/legend_paint.h"
#include "ui/scene/theme.h"
#include "ui/widgets/common/metrics.h"

#include <QFontMetrics>
#include <QPainter>
#include <QStringList>

#include <cmath>
#include <utility>

namespace shardlens::ui {
namespace {

constexpr int kLine = 24;
constexpr int kBetweenGroups = 24;

/// "Cells" and "Bar", above each other at one place.
int headWidth() {
  const QFontMetrics metrics(smallFont());
  return std::max(metrics.horizontalAdvance(LensLegend::tr("Cells")),
                  metrics.horizontalAdvance(LensLegend::tr("Bar"))) +
         px(12);
}

void paintGroup(QPainter& painter, const QRect& line, const QString& head, const std::vector<LegendEntry>& entries) {
  if (entries.empty()) return;
  painter.setFont(smallFont());
  painter.setPen(theme().muted);
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, head);
  paintLegend(painter, line.adjusted(headWidth(), 0, 0, 0), entries, theme());
}

}  // namespace

LensLegend::LensLegend(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Legend"));
  setFixedHeight(px(kLine));
}

void LensLegend::setEntries(std::vector<LegendEntry> cells, std::vector<LegendEntry> bar) {
  if (cells == cells_ && bar == bar_) return;
  cells_ = std::move(cells);
  bar_ = std::move(bar);
  QStringList words;
  for (const auto* entries : {&cells_, &bar_}) {
    for (const LegendEntry& entry : *entries)
      words << (entry.text.isEmpty() ? entry.from + " – " + entry.to : entry.text);
  }
  setAccessibleDescription(words.join(QStringLiteral(", ")));
  fitHeight();
  update();
}

bool LensLegend::fitsOneLine() const {
  return 2 * headWidth() + leastLegendWidth(cells_) + leastLegendWidth(bar_) + px(kBetweenGroups) <= width();
}

void LensLegend::fitHeight() {
  const bool two = !cells_.empty() && !bar_.empty() && !fitsOneLine();
  setFixedHeight(px(two ? 2 * kLine : kLine));
}

void LensLegend::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitHeight();
}

void LensLegend::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  const QRect line(0, 0, width(), px(kLine));
  if (!fitsOneLine()) {
    paintGroup(painter, line, tr("Cells"), cells_);
    return paintGroup(painter, cells_.empty() ? line : line.translated(0, px(kLine)), tr("Bar"), bar_);
  }
  const bool spacious = 2 * headWidth() + legendWidth(cells_) + legendWidth(bar_) + px(kBetweenGroups) <= width();
  const double bar = spacious ? legendWidth(bar_) : leastLegendWidth(bar_);
  const int wide = headWidth() + static_cast<int>(std::ceil(bar)) + 2;
  paintGroup(painter, QRect(0, 0, width() - wide - px(kBetweenGroups), px(kLine)), tr("Cells"), cells_);
  paintGroup(painter, QRect(width() - wide, 0, wide, px(kLine)), tr("Bar"), bar_);
}

}  // namespace shardlens::ui
