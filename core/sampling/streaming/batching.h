// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/streaming/partition.h"
#include "core/sampling/streaming/sampling.h"

#include <string>
#include <vector>

namespace shardlens::sampling {

/// A StreamingDataset and the world it runs in, by Streaming's own names. Numbers are at least 1 unless stated.
struct StreamingEpoch {
  std::vector<StreamingStream> streams;
  std::string batching_method = "random";  ///< random | stratified | per_stream | device_per_stream
  bool shuffle = true;
  StreamingShuffle shuffle_algo = StreamingShuffle::Py1e;
  std::int64_t shuffle_seed = 9176;  ///< at least 0
  std::int64_t shuffle_block_size = 1 << 18;
  std::int64_t num_canonical_nodes = 1;
  bool relaxed = true;            ///< partition_algo
  bool balanced = true;           ///< sampling_method
  bool epoch_seed_change = true;  ///< Streaming sets shuffle and balanced
  std::int64_t sampling_granularity = 1;
  std::int64_t epoch_size = 0;  ///< 0 = not given
  std::optional<std::int64_t> initial_physical_nodes;
  std::int64_t epoch = 0;
  std::int64_t sample_in_epoch = 0;
  std::int64_t nodes = 1, ranks = 1, workers = 1, batch = 1;
};

/// generate_work: the whole epoch, in the order of training. Raises what Streaming raises; the field is empty where it
/// is what says how many samples of which stream are drawn. Source: streaming/base/batching and
/// StreamingDataset.resample_streams (mosaicml-streaming 0.13).
Result<StreamingWork> streamingWork(const StreamingEpoch& epoch, const StreamingWeights& weights, const Work& work);

}  // namespace shardlens::sampling
