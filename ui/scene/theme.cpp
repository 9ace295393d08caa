// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/theme.h"

#include <QGuiApplication>

#include <algorithm>
#include <cmath>

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

}  // namespace shardlens::ui
