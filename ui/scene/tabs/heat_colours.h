// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

namespace shardlens::ui {

/// What the hot cells of a matrix mean, and so which colour they have.
enum class HeatTone { Error, Warning, Note, Padding };

/// The colours of a matrix of shared samples: nothing, the quiet diagonal, the hottest.
struct HeatColours {
  QColor empty;
  QColor diagonal;
  QColor hot;
  bool hatched = false;  ///< hot cells are padding

  /// In the current theme.
  static HeatColours forTone(HeatTone tone);
  /// How much of the hot colour a cell gets. A share under a thousandth is the colour of nothing; from there on, a cell
  /// stands out from an empty one.
  [[nodiscard]] static double strength(float heat);
  [[nodiscard]] QColor of(float heat) const;
};

}  // namespace shardlens::ui
