// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/random/numpy_generator.h"
#include "core/sampling/streaming/shuffle.h"
#include "core/sampling/streaming/spans.h"

namespace shardlens::sampling {

/// py1e: shuffles each span, moves each sample by a uniform shift of up to half a block, and sorts by the new places.
/// `rng` is the epoch's generator after it has permuted the spans of every node. Draws and sorts in two threads.
Result<StreamingIds> streamingShufflePy1e(StreamingNodeSpans& nodes, const StreamingShuffleArguments& arguments,
                                          NumpyGenerator& rng, std::int64_t samples, const Work& work);

}  // namespace shardlens::sampling
