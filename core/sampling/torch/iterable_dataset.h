// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

#include <cstdint>
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

}  // namespace shardlens::sampling
