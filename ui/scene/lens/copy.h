// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

namespace shardlens::ui {

struct LensLane;

/// What the columns of the lens say, a paragraph for each: title, sampler, verdict, shares.
QString lensText(const std::vector<LensLane>& lanes);
/// The same as CSV: a row for each column, readings by what becomes of them.
QString lensCsv(const std::vector<LensLane>& lanes);

}  // namespace shardlens::ui
