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

}  // namespace shardlens::ui
