// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/palette.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace shardlens::ui {
namespace {

using Hues = std::array<QRgb, 8>;

constexpr Hues kRanksOnLight = {0x332288, 0xE69F00, 0x44AA99, 0x882255, 0x88CCEE, 0x228833, 0xAA4499, 0xDDCC77};
constexpr Hues kRanksOnDark = {0x7E8EDF, 0xECB740, 0x80CCC4, 0xD17585, 0xB8E7FF, 0x228833, 0xAA4499, 0xF1E29A};
constexpr Hues kWorkers = {0x77AADD, 0xEE8866, 0xEEDD88, 0xFFAABB, 0x99DDFF, 0x44BB99, 0xBBCC33, 0xAAAA00};
constexpr double kSecondTone = 0.58;
constexpr double kLeastContrast = 3;

/// Nine anchors of matplotlib's viridis (public domain data), interpolated linearly.
constexpr std::array<QRgb, 9> kViridis = {0x440154, 0x472D7B, 0x3B528B, 0x2C728E, 0x21918C,
                                          0x28AE80, 0x5EC962, 0xADDC30, 0xFDE725};

QColor hue(const Hues& hues, qint64 index) {
  return QColor::fromRgb(hues[static_cast<std::size_t>(std::max<qint64>(index, 0)) % hues.size()]);
}

QColor viridis(double t) {
  const double place = std::clamp(t, 0.0, 1.0) * (kViridis.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(place), kViridis.size() - 2);
  return mix(QColor::fromRgb(kViridis[low + 1]), QColor::fromRgb(kViridis[low]), place - static_cast<double>(low));
}

double luminance(const QColor& colour) {
  const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

}  // namespace

QColor rankColor(const Theme& theme, qint64 rank, const PipelineSpec::World& world) {
  const Hues& hues = theme.dark ? kRanksOnDark : kRanksOnLight;
  if (world.size() <= static_cast<qint64>(hues.size())) return hue(hues, rank);
  const QColor full = hue(hues, world.nodeOf(Rank{rank}));
  return world.localRankOf(Rank{rank}) % 2 == 0 ? full : mix(full, theme.panel, kSecondTone);
}

int rankNotches(qint64 rank, const PipelineSpec::World& world) {
  constexpr qint64 kMost = 3;
  const auto hues = static_cast<qint64>(kRanksOnLight.size());
  if (world.size() <= hues) return 0;
  return static_cast<int>(std::min<qint64>(world.nodeOf(Rank{rank}) / hues, kMost));
}

QColor workerColor(const Theme& /*theme*/, qint64 worker) {
  return hue(kWorkers, worker);
}

QColor labelColor(const Theme& /*theme*/, qint64 label) {
  return hue(kWorkers, label);
}

QColor positionColor(const Theme& theme, double place) {
  constexpr double kLightEnd = 0.92;
  constexpr double kDarkBegin = 0.16;
  const double t = std::clamp(place, 0.0, 1.0);
  return viridis(theme.dark ? kDarkBegin + (1 - kDarkBegin) * t : kLightEnd * t);
}

QColor edgeOf(const Theme& theme, const QColor& fill) {
  const float by = theme.dark ? 0.01F : -0.01F;
  QColor edge = fill.toHsl();
  while (contrastOf(edge, theme.panel) < kLeastContrast) {
    const float lightness = edge.lightnessF() + by;
    if (lightness < 0 || lightness > 1) break;
    edge.setHslF(edge.hslHueF(), edge.hslSaturationF(), lightness);
  }
  return edge.toRgb();
}

QColor duplicateColor(const Theme& theme) {
  return QColor::fromRgb(theme.dark ? 0xFF8066 : 0xCC3311);
}

QColor paddingColor(const Theme& /*theme*/) {
  return QColor::fromRgb(0x7C8798);
}

QColor neverColor() {
  return QColor::fromRgb(0xD55E00);
}

QColor undealtColor(const Theme& theme) {
  return QColor::fromRgb(theme.dark ? 0x3A424F : 0xC3CAD5);
}

double contrastOf(const QColor& one, const QColor& other) {
  const double a = luminance(one);
  const double b = luminance(other);
  return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

QColor markOn(const QColor& background) {
  return contrastOf(Qt::white, background) >= kLeastContrast ? Qt::white : Qt::black;
}

QColor readableOn(const QColor& background) {
  const QColor black(Qt::black);
  const QColor white(Qt::white);
  return contrastOf(black, background) > contrastOf(white, background) ? black : white;
}

}  // namespace shardlens::ui
