// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/stage/axis.h"
#include "ui/scene/stage/cell_colour.h"
#include "ui/scene/stage/epoch_facts.h"
#include "ui/scene/stage/stage_input.h"

#include <QColor>
#include <QString>

#include <optional>
#include <vector>

namespace shardlens::ui {

/// How a thing is drawn, so that the legend can draw it the same way.
enum class LegendMark { Scale, Spread, Fills, Ring, Hatch, DogEar, Never, NoBatch, Undealt, InFlight, Lost };

/// One thing that is drawn, and what it means.
struct LegendEntry {
  LegendMark mark = LegendMark::Fills;
  QString text;
  QString from;  ///< Scale: what its ends are
  QString to;
  std::vector<QColor> colours;            ///< Fills: up to four of them; Scale: from its beginning to its end
  std::optional<CellAddress> place = {};  ///< where the first one is, as none is in view
  bool operator==(const LegendEntry&) const = default;
};

/// What is drawn in this epoch and no more: a mark that no batch has is not explained. `facts` may be null: what only
/// they know is left out until then. `plays`: some batches are outlines, as they are not dealt yet.
std::vector<LegendEntry> stageLegend(const StageInput& input, const EpochFacts* facts, StageColour colour, bool plays,
                                     const Theme& theme);

/// Gives the marks that are in none of the cells in view the place where the first one is, and drops what cells of this
/// size do not show: the bar of a batch that is drawn as chips, or too small for it. Costs a few operations for each
/// rank, and one for each padding item of the ranks.
void placeLegend(std::vector<LegendEntry>& entries, const StageInput& input, const EpochFacts* facts,
                 const StageAxis& steps, const StageAxis& ranks);

}  // namespace shardlens::ui
