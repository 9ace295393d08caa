// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QtGlobal>

#include <cstddef>
#include <vector>

namespace shardlens::ui {

/// A square table of shares in 0..1: how hot each cell of a matrix is. The diagonal is 0, it says nothing.
struct Heat {
  qint64 size = 0;
  std::vector<float> cells;  ///< size * size, row-major

  [[nodiscard]] float at(qint64 row, qint64 column) const {
    return cells[static_cast<std::size_t>(row * size + column)];
  }
};

/// A place in such a table.
struct HeatCell {
  qint64 row = 0;
  qint64 column = 0;
  bool operator==(const HeatCell&) const = default;
};

/// The table with `factor` x `factor` cells drawn as one that has their largest value, so that one hot cell among a
/// million stays in sight. The last row and column may stand for fewer.
Heat maxDecimated(const Heat& heat, qint64 factor);

/// The hottest cell of the `factor` x `factor` block that holds `cell`; `cell` itself when the whole block is cold.
HeatCell hottestInBlock(const Heat& heat, HeatCell cell, qint64 factor);

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
