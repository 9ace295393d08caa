// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/stage/axis.h"
#include "ui/scene/stage/stage_input.h"

#include <QString>

namespace shardlens::ui {

/// The batches in view as CSV: epoch, rank, step, worker, and the ids with spaces between. Ends after kMostCsvIds ids;
/// a last line then says how many batches are missing.
QString stageCsv(const StageInput& input, const StageAxis& steps, const StageAxis& ranks);

constexpr qint64 kMostCsvIds = 50'000;

}  // namespace shardlens::ui
