// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/stage/epoch_facts.h"
#include "ui/scene/stage/stage_input.h"
#include "ui/state/selection.h"

#include <optional>
#include <vector>

namespace shardlens::ui {

/// The batch that is selected, where this epoch has it.
std::optional<CellAddress> selectedCell(const Selected& selected, const StageInput& input);
/// The ranks that are selected without a step: one by its name, several by what they share.
std::vector<qint64> selectedRanks(const Selected& selected, const StageInput& input);
/// The samples whose cells are marked; none when there are too many to tell apart.
std::vector<SampleIndex> selectedSamples(const Selected& selected, qint64 dataset_size);

/// The batches of ranks `a` and `b` that hold a sample which both of them get in this epoch, sorted by rank and step.
/// One pass over the items of each; for a worker. Empty when stopped, when there is no such rank, and when both are
/// one.
std::vector<CellAddress> sharedCells(const EpochPlan& epoch, qint64 dataset_size, qint64 a, qint64 b,
                                     const Work& work = {});

}  // namespace shardlens::ui
