// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/run/rank_rows.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace shardlens::ui {

struct RunLanes;

/// The table of ranks, a line for each: "rank 3 on n1: waiting · all_reduce 12 ms; step 4; 31 % waiting".
QString rowsText(const std::vector<RankRow>& rows);

/// What the lanes of these ranks show between two moments, a row of CSV for each piece of work. Ends after kMostPieces
/// rows; the last line says so.
QString lanesCsv(const RunLanes& lanes, const std::vector<qint64>& ranks, std::int64_t begin_ns, std::int64_t end_ns);
constexpr int kMostPieces = 50'000;

}  // namespace shardlens::ui
