// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// lightning.fabric.utilities.distributed.DistributedSamplerWrapper (@7f0c343): one pass of the inner sampler, its
/// places permuted, padded and dealt as DistributedSampler deals a dataset.
SamplerRule lightningDistributedSamplerWrapper();

/// lightning.pytorch.overrides.distributed.UnrepeatedDistributedSamplerWrapper (@7f0c343): the same without padding,
/// its permutation seeded by the epoch alone; what Trainer.predict puts into a loader on several devices.
SamplerRule lightningUnrepeatedDistributedSamplerWrapper();

}  // namespace shardlens::sampling
