// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/tabs/heat_colours.h"

#include "ui/scene/palette.h"
#include "ui/scene/theme.h"

namespace shardlens::ui {
namespace {

constexpr double kFaintest = 0.12;  ///< how much of the hot colour the smallest share gets that is shown
constexpr float kNegligible = 0.001F;

QColor hotColour(HeatTone tone) {
  switch (tone) {
    case HeatTone::Error:
      return duplicateColor(theme());
    case HeatTone::Warning:
      return theme().warning;
    case HeatTone::Padding:
      return paddingColor(theme());
    case HeatTone::Note:
      break;
  }
  return theme().muted;
}

}  // namespace

HeatColours HeatColours::forTone(HeatTone tone) {
  return {theme().cell_empty, theme().field, hotColour(tone), tone == HeatTone::Padding};
}

double HeatColours::strength(float heat) {
  return heat >= kNegligible ? kFaintest + (1 - kFaintest) * heat : 0;
}

QColor HeatColours::of(float heat) const {
  return mix(hot, empty, strength(heat));
}

}  // namespace shardlens::ui
