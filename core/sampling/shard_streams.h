// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/sampling/order.h"
#include "core/spec/pipeline_spec.h"

#include <cstdint>
#include <vector>

namespace shardlens::sampling {

/// Where the samples of each stored piece begin, and behind the last one where they end; one piece when dataset.shards
/// is empty.
IndexList shardStarts(const PipelineSpec& spec);

/// The samples of these shards, one shard behind the other.
IndexList samplesOf(const IndexList& starts, const IndexList& shards);

/// What each rank's workers yield, worker by worker, dealt as a DataLoader delivers an iterable dataset.
Result<OrderPtr> dealStreams(const PipelineSpec& spec, const std::vector<std::vector<IndexList>>& ranks,
                             const Work& work);

}  // namespace shardlens::sampling
