// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lens/lens.h"

#include <string>

namespace shardlens::lenses {

/// Whether the design reads an iterable dataset: its loader has no sampler.
bool isStream(const std::string& type);

/// What Accelerate deals from an iterable dataset, in a script and in the Trainer of Transformers alike.
void dealStream(LensColumn& column, const PipelineSpec& spec);

}  // namespace shardlens::lenses
