// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/sampling/order.h"
#include "core/sampling/sampler_rule.h"
#include "core/spec/pipeline_spec.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace shardlens::sampling {

/// What one DataLoader worker's copy of an iterable dataset yields: first, first + step, ..., `count` samples below
/// 2^32.
struct WorkerStream {
  std::int64_t first = 0;
  std::int64_t step = 1;
  std::int64_t count = 0;
};

/// How a rank's DataLoader (torch/utils/data/dataloader.py, 1.13 to 2.9) delivers an iterable dataset: each worker cuts
/// batches of its own, drop_last drops each worker's short one, and the workers take turns until they have no more.
/// Dropped samples come after the rank's last batch. No workers: the first stream, read in the rank itself.
struct IterableLoader {
  std::int64_t batch_size = 1;
  bool drop_last = false;
  bool workers = false;  ///< false: there is one stream per rank, and no worker process

  /// The samples of all ranks, dealt; `ranks` are the streams of each rank's workers. Cancelled, or Environment when
  /// memory does not suffice.
  Result<OrderPtr> deal(std::span<const std::vector<WorkerStream>> ranks, const Work& work) const;
};

/// A DataLoader over a torch.utils.data.IterableDataset, which divides its samples between ranks and workers itself, or
/// forgets to.
SamplerRule torchIterableDataset();

/// Where the samples of each stored piece begin, and finally where the last one ends; one piece when dataset.shards
/// is empty.
std::vector<std::int64_t> shardStarts(const PipelineSpec& spec);

/// The samples of these shards, one shard after the other.
std::vector<std::int64_t> samplesOf(const std::vector<std::int64_t>& starts, const std::vector<std::int64_t>& shards);

/// What each rank's workers yield, worker by worker, dealt as a DataLoader delivers an iterable dataset.
Result<OrderPtr> dealStreams(const PipelineSpec& spec, const std::vector<std::vector<std::vector<std::int64_t>>>& ranks,
                             const Work& work);

/// Environment when streams of this many samples, and the order made of them, do not fit in memory.
Result<void> checkRoomForStreams(std::int64_t samples);

/// What reads streams: `workers` workers of each rank, or one reader in the rank itself.
struct StreamReaders {
  std::int64_t ranks = 1;
  std::int64_t workers = 1;
  std::int64_t most = 0;  ///< the most samples that a stream has
};

/// The same, asking for one stream after the other. Environment when the next one might not fit in memory.
Result<OrderPtr> dealStreams(
    const PipelineSpec& spec, const StreamReaders& readers,
    const std::function<Result<std::vector<std::int64_t>>(Rank rank, std::int64_t worker)>& read, const Work& work);

}  // namespace shardlens::sampling
