// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/stage/epoch_facts.h"

namespace shardlens::ui {

/// The batches of ranks `a` and `b` that hold a sample which both of them get in this epoch, sorted by rank and step.
/// One pass over the items of each; for a worker. Empty when stopped, when there is no such rank, and when both are
/// one.
std::vector<CellAddress> sharedCells(const EpochPlan& epoch, qint64 dataset_size, qint64 a, qint64 b,
                                     const Work& work = {});

}  // namespace shardlens::ui
