// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

#include <cstdint>
#include <vector>

namespace shardlens::sampling {

/// DataLoader of llm.c (`llmc/dataloader.h`, `llmc/rand.h` @f1e2ace), and DistributedDataLoader of its `train_gpt2.py`:
/// each rank reads its rows of every step out of shards. A sample of the plan is a row of T tokens; a shard of n tokens
/// has (n - 1) / T of them, rounded down.
SamplerRule llmcDataLoader();

/// What a rank reads in a step: B rows, one behind the other.
struct LlmcRead {
  std::int64_t shard = 0;
  std::int64_t row = 0;  ///< of the shard: the first one
};

/// A rank's loader, and where it is in the shards.
struct LlmcLoader {
  std::vector<std::int64_t> shard_rows;  ///< each at least of one step
  std::int64_t batch = 1;                ///< rows of a rank in a step
  std::int64_t ranks = 1;
  std::int64_t rank = 0;
  bool shuffle = false;
  bool python = false;     ///< the class of train_gpt2.py
  std::int64_t shard = 0;  ///< where a saved state continues
  std::int64_t step = 0;

  /// The first `steps` batches; `work` may stop it.
  [[nodiscard]] Result<std::vector<LlmcRead>> reads(std::int64_t steps, const Work& work) const;
  /// Steps of one pass over all shards.
  [[nodiscard]] std::int64_t pass() const;
};

}  // namespace shardlens::sampling
