// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/sampling/streaming/shuffle.h"

#include <cstdint>
#include <limits>
#include <optional>

namespace shardlens::sampling {

/// Streaming's -1: a place without a sample.
constexpr std::uint32_t kNoSample = std::numeric_limits<std::uint32_t>::max();

/// Set in an id that repeats a sample only so that canonical nodes, nodes and ranks come out even.
constexpr std::uint32_t kRepeated = std::uint32_t{1} << 31;
/// All ids are below it.
constexpr std::int64_t kMostStreamingSamples = kRepeated - 1;

/// The sample of an id that is not kNoSample.
constexpr std::uint32_t streamingSample(std::uint32_t id) {
  return id & ~kRepeated;
}

/// An epoch as Streaming's tensor (nodes, ranks, workers, batches, batch), but in the order of training: batch of the
/// worker, worker, node, rank, place in the batch.
struct StreamingWork {
  std::int64_t nodes = 1;
  std::int64_t ranks = 1;    ///< per node
  std::int64_t workers = 1;  ///< per rank
  std::int64_t batch = 1;    ///< samples per rank
  StreamingIds ids;          ///< kNoSample in a hole; kRepeated may be set in the others

  [[nodiscard]] std::int64_t globalBatch() const { return nodes * ranks * batch; }
  /// Batches per worker.
  [[nodiscard]] std::int64_t batches() const {
    return static_cast<std::int64_t>(ids.size()) / (globalBatch() * workers);
  }
};

/// All counts are at least 1, except `samples` and `drop_first`, which are at least 0.
struct StreamingPartition {
  bool relaxed = true;
  std::int64_t samples = 0;
  std::int64_t canonical_nodes = 1;
  std::int64_t nodes = 1;
  std::int64_t ranks = 1;
  std::int64_t workers = 1;
  std::int64_t batch = 1;
  std::int64_t drop_first = 0;
  std::optional<std::int64_t> initial_nodes;
};

/// get_partitions: deals 0..samples-1 to nodes, ranks, workers and batches. Raises what Streaming raises; the field is
/// empty where `samples` is to blame. Source:
/// streaming/base/partition (mosaicml-streaming 0.13).
Result<StreamingWork> streamingPartition(const StreamingPartition& arguments, const Work& work);

}  // namespace shardlens::sampling
