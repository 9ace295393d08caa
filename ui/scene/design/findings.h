// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/finding.h"
#include "ui/state/selection.h"

#include <QString>

#include <vector>

namespace shardlens::ui {

/// "2 errors · 1 note · 3 fine"
QString findingCounts(const std::vector<Finding>& findings);
/// All of them, for people.
QString findingsText(const std::vector<Finding>& findings);
/// One line each, for programs.
QString findingsCsv(const std::vector<Finding>& findings);
/// Where the finding is seen, with its code.
Selected placeOf(const Finding& finding);

}  // namespace shardlens::ui
