// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/evidence.h"

#include <vector>

namespace shardlens {

/// For whom the others wait, when, and what mending them gains; or that the last rank changes.
void addSlow(const Evidence& evidence, std::vector<Verdict>& verdicts);

/// What went on again: ranks that all others waited for, once and long; times in which no rank made progress.
void addPauses(const Evidence& evidence, std::vector<Verdict>& verdicts);

}  // namespace shardlens
