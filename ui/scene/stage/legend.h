// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/stage/scene.h"
#include "ui/scene/stage/stage_input.h"

#include <QColor>
#include <QString>

#include <optional>
#include <span>
#include <vector>

namespace shardlens::ui {

/// How a thing is drawn, so that the legend can draw it the same way.
enum class LegendMark {
  Scale,
  Spread,
  Fills,
  Ring,
  Hatch,
  DogEar,
  Never,
  NoBatch,
  Ribbon,
  InFlight,
  InStep,
  Undealt,
  Notch,
  Lost,
  Selected,
  SharesSamples,
  HasSample
};

/// How the samples of a step are seen to come to their ranks: not at all, one by one, as ribbons, or marked where
/// motion is reduced.
enum class LegendDeal { None, Flights, Ribbons, Marks };

/// One thing that is drawn, and what it means.
struct LegendEntry {
  LegendMark mark = LegendMark::Fills;
  QString text;
  QString from;  ///< Scale: what its ends are
  QString to;
  std::vector<QColor> colours;            ///< Fills: up to four of them; Scale: from its beginning to its end; else one
  std::optional<CellAddress> place = {};  ///< where the first one is, as none is in view
  bool operator==(const LegendEntry&) const = default;
};

/// What is drawn in this epoch and no more: a mark that no batch has is not explained. `facts` may be null: what only
/// they know is left out until then. `plays`: some batches are outlines, as they are not dealt yet, and are dealt as
/// `deal` says.
std::vector<LegendEntry> stageLegend(const StageInput& input, const EpochFacts* facts, StageColour colour, bool plays,
                                     const Theme& theme, LegendDeal deal = LegendDeal::Flights);

/// Which cells are marked because of what is selected; sorted by rank and step.
struct MarkedCells {
  std::optional<CellAddress> selected;
  bool ranks = false;  ///< rows are framed
  std::span<const CellAddress> sharing;
  std::span<const CellAddress> holding;
  std::optional<SampleIndex> sample;  ///< the one that they hold, where it is one
};

/// Names those of these marks that are in view, behind the marks of cells.
void addMarkedCells(std::vector<LegendEntry>& entries, const MarkedCells& marked, const StageAxis& steps,
                    const StageAxis& ranks, const Theme& theme);

/// Gives the marks that are in none of the cells in view the place where the first one is, and drops what cells of this
/// size do not show: the bar of a batch that is drawn as chips, or too small for it. Asks no ranks but those in view
/// that have a mark; where batches differ from another plan's, every rank until one does.
void placeLegend(std::vector<LegendEntry>& entries, const StageInput& input, const EpochFacts* facts,
                 const StageAxis& steps, const StageAxis& ranks);

}  // namespace shardlens::ui
