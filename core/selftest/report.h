// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/selftest/vectors.h"

#include <string>

namespace shardlens::selftest {

/// Failing rows, a table by framework and sampler, and "N passed, M failed, K unsupported" as the last line.
std::string textReport(const Summary& summary);

/// {"passed", "failed", "unsupported", "samplers": [...], "failures": [{"file", "line", "difference"}]}
std::string jsonReport(const Summary& summary);

}  // namespace shardlens::selftest
