// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/theme.h"

#include <QGuiApplication>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace shardlens::ui {
namespace {

const Theme*& current() {
  static const Theme* active = &Theme::light();
  return active;
}

QFont sized(int pixels, QFont::Weight weight) {
  QFont font = QGuiApplication::font();
  const double scale = font.pixelSize() > 0 ? font.pixelSize() / 13.0 : 1.0;
  font.setPixelSize(std::max(9, static_cast<int>(std::lround(pixels * scale))));
  font.setWeight(weight);
  return font;
}

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

const Theme& Theme::light() {
  static const Theme kLight{false,    0xF4F5F7, 0xFFFFFF, 0xF7F8FA, 0xDDE1E7, 0x1B2430, 0x5D6778,
                            0x667085, 0x2457C5, 0xFFFFFF, 0xC4320A, 0xB54708, 0x157F5B, 0xE9ECF2};
  return kLight;
}

const Theme& Theme::darkTheme() {
  static const Theme kDark{true,     0x14171C, 0x1B1F26, 0x22272F, 0x2C323C, 0xE6E9EE, 0xA3ADBD,
                           0x98A2B3, 0x7AA2F7, 0x10141A, 0xF97066, 0xF0A35E, 0x4CC38A, 0x333A46};
  return kDark;
}

const Theme& theme() {
  return *current();
}

void setTheme(const Theme& theme) {
  current() = &theme;
}

QColor phaseColor(Phase phase) {
  switch (phase) {
    case Phase::Load:
      return QColor::fromRgb(0x66CCEE);
    case Phase::Compute:
      return QColor::fromRgb(0x4477AA);
    case Phase::Wait:
      return mix(phaseAccent(phase), theme().window, 0.45);
    case Phase::Transfer:
      return QColor::fromRgb(0xAA3377);
    case Phase::Unmeasured:
      break;
  }
  return theme().cell_empty;
}

QColor phaseAccent(Phase phase) {
  return phase == Phase::Wait ? QColor::fromRgb(0xE0A100) : phaseColor(phase);
}

QColor phaseEdge(Phase phase) {
  if (phase != Phase::Wait) return phaseColor(phase);
  return theme().dark ? QColor::fromRgb(0xE0A100) : QColor::fromRgb(0xBD8A09);
}

QColor mix(const QColor& over, const QColor& under, double opacity) {
  const auto blend = [opacity](int a, int b) { return static_cast<int>(std::lround(a * opacity + b * (1 - opacity))); };
  return {blend(over.red(), under.red()), blend(over.green(), under.green()), blend(over.blue(), under.blue())};
}

QStringList textFamilies() {
  return {"Inter", "DejaVu Sans", "WenQuanYi Micro Hei"};
}

QFont uiFont() {
  return sized(13, QFont::Normal);
}

QFont smallFont() {
  return sized(11, QFont::Normal);
}

QFont headFont() {
  QFont font = sized(11, QFont::DemiBold);
  font.setCapitalization(QFont::AllUppercase);
  font.setLetterSpacing(QFont::AbsoluteSpacing, 0.4);
  return font;
}

QFont verdictFont() {
  return sized(16, QFont::DemiBold);
}

QFont monoFont() {
  QFont font = sized(12, QFont::Normal);
  font.setFamilies({"DejaVu Sans Mono", "WenQuanYi Micro Hei Mono"});
  font.setStyleHint(QFont::Monospace);  // for where neither is installed
  return font;
}

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
