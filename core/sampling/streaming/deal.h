// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/sampling/order.h"
#include "core/sampling/streaming/partition.h"
#include "core/spec/pipeline_spec.h"

#include <cstdint>

namespace shardlens::sampling {

/// What the spec's DataLoaders deliver from Streaming's tensor: each worker yields its part of it without the holes,
/// and cuts batches of loader.batch_size. `replication` consecutive ranks read the same; the tensor is that of world
/// size / replication ranks, and has the spec's workers.
Result<OrderPtr> dealStreaming(const PipelineSpec& spec, const StreamingWork& tensor, std::int64_t replication,
                               const Work& work);

}  // namespace shardlens::sampling
