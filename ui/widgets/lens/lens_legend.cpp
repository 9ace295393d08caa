// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/lens/lens_legend.h"

#include "ui/paint/legend_paint.h"
#include "ui/scene/theme.h"
#include "ui/widgets/common/metrics.h"

#include <QFontMetrics>
#include <QPainter>
#include <QStringList>

#include <algorithm>
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
  arrange();
  update();
}

/// Both groups side by side, when none of their entries would be left out; else below each other, each on as many lines
/// as it takes.
void LensLegend::arrange() {
  groups_.clear();
  const double bar_width = legendWidth(bar_);
  const double cells_width = legendWidth(cells_);
  const bool spacious = 2 * headWidth() + cells_width + bar_width + px(kBetweenGroups) + 4 <= width();
  const int wide = headWidth() + static_cast<int>(std::ceil(spacious ? bar_width : leastLegendWidth(bar_))) + 2;
  const QRect left(0, 0, width() - wide - px(kBetweenGroups), px(kLine));
  const QRect right(width() - wide, 0, wide, px(kLine));
  if (!cells_.empty() && !bar_.empty() && fits(left, cells_) && fits(right, bar_)) {
    groups_ = {{left, true, cells_}, {right, false, bar_}};
  } else {
    addLines(true, cells_);
    placeBar();
  }
  const int lines = groups_.empty() ? 1 : groups_.back().place.top() / px(kLine) + 1;
  setFixedHeight(lines * px(kLine));
}

/// On a line of its own, or at the right of a line that the cells' entries began.
void LensLegend::placeBar() {
  if (groups_.size() < 2) return addLines(false, bar_);
  const QRect begun = groups_.back().place;
  const int used = headWidth() + static_cast<int>(std::ceil(legendWidth(groups_.back().entries))) + px(kBetweenGroups);
  const QRect rest = begun.adjusted(used, 0, 0, 0);
  fits(rest, bar_) ? groups_.push_back({rest, false, bar_}) : addLines(false, bar_);
}

bool LensLegend::fits(const QRect& line, const std::vector<LegendEntry>& entries) {
  return legendPlaces(line.adjusted(headWidth(), 0, 0, 0), entries).size() == entries.size();
}

void LensLegend::addLines(bool of_cells, const std::vector<LegendEntry>& entries) {
  std::vector<LegendEntry> line;
  const auto place = [this] { return QRect(0, static_cast<int>(groups_.size()) * px(kLine), width(), px(kLine)); };
  for (const LegendEntry& entry : entries) {
    line.push_back(entry);
    if (line.size() == 1 || fits(place(), line)) continue;
    line.pop_back();
    groups_.push_back({place(), of_cells, std::exchange(line, {entry})});
  }
  if (!line.empty()) groups_.push_back({place(), of_cells, std::move(line)});
}

std::size_t LensLegend::shownEntries() const {
  std::size_t shown = 0;
  for (const Group& group : groups_) {
    shown += legendPlaces(group.place.adjusted(headWidth(), 0, 0, 0), group.entries).size();
  }
  return shown;
}

void LensLegend::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

void LensLegend::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  bool named = false;
  for (const Group& group : groups_) {
    const QString cells = std::exchange(named, true) ? QString() : tr("Cells");
    paintGroup(painter, group.place, group.of_cells ? cells : tr("Bar"), group.entries);
  }
}

}  // namespace shardlens::ui

#include "moc_lens_legend.cpp"
