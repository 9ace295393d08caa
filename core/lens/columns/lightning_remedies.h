// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lens/columns/columns.h"

#include <vector>

namespace shardlens::lenses {

/// The column of the Trainer only.
LensColumn lightningTrainer(const PipelineSpec& spec);

/// What people do when the Trainer changes an order or refuses a loader, each with the order that it would give; none
/// when the Trainer deals what was written.
std::vector<LensColumn> lightningRemedies(const PipelineSpec& spec, const LensColumn& trainer);

}  // namespace shardlens::lenses
