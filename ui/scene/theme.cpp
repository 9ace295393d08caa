// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/theme.h"

#include <QFontDatabase>
#include <QGuiApplication>

#include <algorithm>
#include <array>
#include <cmath>

namespace shardlens::ui {
namespace {

const Theme*& current() {
  static const Theme* active = &Theme::light();
  return active;
}

constexpr std::array<QRgb, 8> kTolBright = {0x4477AA, 0xEE6677, 0x228833, 0xCCBB44,
                                            0x66CCEE, 0xAA3377, 0xBBBBBB, 0xEE8866};

/// Nine anchors of matplotlib's viridis (public domain data), interpolated linearly.
constexpr std::array<QRgb, 9> kViridis = {0x440154, 0x472D7B, 0x3B528B, 0x2C728E, 0x21918C,
                                          0x28AE80, 0x5EC962, 0xADDC30, 0xFDE725};

QFont sized(int pixels, QFont::Weight weight) {
  QFont font = QGuiApplication::font();
  const double scale = font.pixelSize() > 0 ? font.pixelSize() / 13.0 : 1.0;
  font.setPixelSize(std::max(9, static_cast<int>(std::lround(pixels * scale))));
  font.setWeight(weight);
  return font;
}

}  // namespace

const Theme& Theme::light() {
  static const Theme kLight{false,    0xF4F5F7, 0xFFFFFF, 0xF7F8FA, 0xDDE1E7, 0x1B2430, 0x667085,
                            0x98A2B3, 0x2457C5, 0xFFFFFF, 0xC4320A, 0xB54708, 0x157F5B, 0xE9ECF2};
  return kLight;
}

const Theme& Theme::darkTheme() {
  static const Theme kDark{true,     0x14171C, 0x1B1F26, 0x22272F, 0x2C323C, 0xE6E9EE, 0x98A2B3,
                           0x667085, 0x7AA2F7, 0x10141A, 0xF97066, 0xF0A35E, 0x4CC38A, 0x333A46};
  return kDark;
}

const Theme& theme() {
  return *current();
}

void setTheme(const Theme& theme) {
  current() = &theme;
}

QColor viridis(double t) {
  const double place = std::clamp(t, 0.0, 1.0) * (kViridis.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(place), kViridis.size() - 2);
  return mix(QColor::fromRgb(kViridis[low + 1]), QColor::fromRgb(kViridis[low]), place - static_cast<double>(low));
}

QColor rankColor(qint64 rank, qint64 nodes, qint64 ranks_per_node) {
  if (nodes * ranks_per_node <= static_cast<qint64>(kTolBright.size())) return QColor::fromRgb(kTolBright[rank]);
  const qint64 node = rank / ranks_per_node;
  const double local = ranks_per_node > 1 ? static_cast<double>(rank % ranks_per_node) / (ranks_per_node - 1) : 0.5;
  constexpr double kGoldenTurn = 0.61803398875;
  const double hue = std::fmod(0.6 + static_cast<double>(node) * kGoldenTurn, 1.0);
  return QColor::fromHslF(static_cast<float>(hue), 0.5F, static_cast<float>(0.38 + 0.3 * local));
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

QColor lossColor() {
  return theme().dark ? QColor::fromRgb(0xF2B84B) : QColor::fromRgb(0xE9A008);
}

QColor mix(const QColor& over, const QColor& under, double opacity) {
  const auto blend = [opacity](int a, int b) { return static_cast<int>(std::lround(a * opacity + b * (1 - opacity))); };
  return {blend(over.red(), under.red()), blend(over.green(), under.green()), blend(over.blue(), under.blue())};
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
  QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  font.setPixelSize(sized(12, QFont::Normal).pixelSize());
  return font;
}

}  // namespace shardlens::ui
