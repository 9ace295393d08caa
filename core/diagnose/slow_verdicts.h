// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/evidence.h"

#include <vector>

namespace shardlens {

/// Which ranks the others wait for, when, and what fixing them gains; or that the last rank changes.
void addSlow(const Evidence& evidence, std::vector<Verdict>& verdicts);

/// Delays that ended: ranks that all others waited for, once and long; times in which no rank made progress.
void addPauses(const Evidence& evidence, std::vector<Verdict>& verdicts);

}  // namespace shardlens
