// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/lane_paint.h"

#include "ui/paint/hatch.h"
#include "ui/state/phrase.h"

#include <QFontMetricsF>
#include <QImage>

#include <algorithm>
#include <array>

namespace shardlens::ui {
namespace {

constexpr double kGap = 1.5;
constexpr double kSpanRadius = 3;
constexpr double kTouching = 4;  ///< px: narrower blocks have neither gap nor rounded corners
constexpr double kDimmed = 0.5;
constexpr double kLegendBox = 12;  ///< of the legend
constexpr double kLegendGap = 20;
constexpr double kLegendToText = 6;

constexpr std::array<Phase, 5> kLegend = {Phase::Load, Phase::Compute, Phase::Wait, Phase::Transfer, Phase::Unmeasured};

QColor colourOf(Phase phase, const Theme& theme, bool is_dim) {
  const QColor colour = phaseColor(phase);
  return is_dim ? mix(colour, theme.window, kDimmed) : colour;
}

void paintUnmeasured(QPainter& painter, const QRectF& rect, const Theme& theme, double radius) {
  painter.setPen(Qt::NoPen);
  painter.setBrush(mix(theme.cell_empty, theme.window, 0.6));
  painter.drawRoundedRect(rect, radius, radius);
  paintHatch(painter, rect, mix(theme.faint, theme.window, 0.55), radius);
}

QRgb phaseMapColour(std::uint8_t cell, const Theme& theme) {
  if (cell == PhaseMap::kNothing) return theme.window.rgb();
  const auto phase = static_cast<Phase>(cell);
  return phase == Phase::Unmeasured ? mix(theme.faint, theme.window, 0.55).rgb() : phaseColor(phase).rgb();
}

}  // namespace

void paintLane(QPainter& painter, const QRectF& area, const std::vector<LaneBlock>& blocks, const Theme& theme,
               bool is_dim) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  for (const LaneBlock& block : blocks) {
    const double width = block.x1 - block.x0;
    const bool wide = width >= kTouching;
    const double radius = wide ? std::min(kSpanRadius, (width - kGap) / 3) : 0;
    const QRectF rect(area.left() + block.x0, area.top(), wide ? width - kGap : width, area.height());
    if (block.phase == Phase::Unmeasured) {
      paintUnmeasured(painter, rect, theme, radius);
    } else if (wide) {
      const QColor edge = is_dim ? mix(phaseEdge(block.phase), theme.window, kDimmed) : phaseEdge(block.phase);
      painter.setPen(QPen(edge, 1));
      painter.setBrush(colourOf(block.phase, theme, is_dim));
      painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
      painter.setPen(Qt::NoPen);
    } else {
      painter.fillRect(rect, colourOf(block.phase, theme, is_dim));
    }
  }
  painter.restore();
}

void paintPhaseMap(QPainter& painter, const QRectF& area, const PhaseMap& scene, const Theme& theme) {
  std::array<QRgb, 256> colours{};
  for (std::size_t cell = 0; cell < colours.size(); ++cell) {
    const bool known = cell < kLegend.size() || cell == PhaseMap::kNothing;
    colours[cell] = phaseMapColour(known ? static_cast<std::uint8_t>(cell) : PhaseMap::kNothing, theme);
  }
  QImage image(scene.width, scene.height, QImage::Format_RGB32);
  for (int y = 0; y < scene.height; ++y) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
    const std::uint8_t* cells = scene.cells.data() + static_cast<std::ptrdiff_t>(y) * scene.width;
    for (int x = 0; x < scene.width; ++x) line[x] = colours[cells[x]];
  }
  painter.drawImage(area, image);
}

double laneLegendWidth(const QFontMetricsF& metrics) {
  double width = 0;
  for (const Phase phase : kLegend)
    width += kLegendBox + kLegendToText + metrics.horizontalAdvance(phaseLabel(phase)) + kLegendGap;
  return width - kLegendGap;
}

double paintLegend(QPainter& painter, QPointF at, double width, const Theme& theme) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const QFontMetricsF metrics(painter.font());
  double x = at.x();
  for (const Phase phase : kLegend) {
    const QString name = phaseLabel(phase);
    const double needed = kLegendBox + kLegendToText + metrics.horizontalAdvance(name);
    if (x + needed > at.x() + width) break;
    const QRectF box(x, at.y() - kLegendBox / 2, kLegendBox, kLegendBox);
    if (phase == Phase::Unmeasured) {
      paintUnmeasured(painter, box, theme, kSpanRadius);
    } else {
      painter.setPen(phaseEdge(phase));
      painter.setBrush(phaseColor(phase));
      painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), kSpanRadius, kSpanRadius);
    }
    painter.setPen(theme.muted);
    painter.drawText(QPointF(x + kLegendBox + kLegendToText, at.y() + metrics.capHeight() / 2), name);
    x += needed + kLegendGap;
  }
  painter.restore();
  return x;
}

QString phaseLabel(Phase phase) {
  switch (phase) {
    case Phase::Load:
      return phrase("run", "data wait");
    case Phase::Compute:
      return phrase("run", "compute");
    case Phase::Wait:
      return phrase("run", "waiting for others");
    case Phase::Transfer:
      return phrase("run", "transfer");
    case Phase::Unmeasured:
      break;
  }
  return phrase("run", "not measured");
}

}  // namespace shardlens::ui
