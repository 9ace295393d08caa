// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// The samplers of StatefulDataLoader (torchdata 088e434, stateful_dataloader/sampler.py).
SamplerRule torchdataStatefulDistributedSampler();
SamplerRule torchdataRandomSampler();

}  // namespace shardlens::sampling
