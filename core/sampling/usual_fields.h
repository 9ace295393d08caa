// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/field.h"

#include <cstdint>

/// Parameters that samplers of several frameworks take, and describe in the same words.
namespace shardlens::sampling {

/// The most samples that a sampler may be asked for.
constexpr std::int64_t kMostToDraw = 4'000'000'000;

/// `shuffle`: whether each epoch permutes the dataset.
Field shuffleField(bool fallback = true);
/// `drop_last` of a sampler that pads otherwise.
Field dropTailField();
/// `set_epoch`: whether the script tells the sampler its epoch.
Field setEpochField();
/// `replacement`, off by default.
Field replacementField();
/// `num_samples` of an epoch; none means as many as the dataset has.
Field numSamplesField(std::int64_t least = -kMostToDraw);

}  // namespace shardlens::sampling
