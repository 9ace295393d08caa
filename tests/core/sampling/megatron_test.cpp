// SPDX-License-Identifier: Apache-2.0
// Where the cyclic sampler of Megatron-LM begins each pass: by the count that every rank keeps for itself.
#include "core/sampling/megatron/samplers.h"

#include <doctest/doctest.h>

#include <cstdint>

using namespace shardlens;
using namespace shardlens::sampling;

namespace {

PipelineSpec cyclic(std::int64_t size, std::int64_t ranks, std::int64_t batch, std::int64_t consumed) {
  PipelineSpec spec;
  spec.dataset.size = size;
  spec.world = {1, ranks};
  spec.loader.batch_size = batch;
  spec.epochs = 50;
  spec.sampler = {"megatron.MegatronPretrainingRandomSampler",
                  {{"data_sharding", false}, {"consumed_samples", consumed}}};
  return spec;
}

/// The rank's consumed_samples at the beginning of the epoch, told from its order and its first place.
std::int64_t consumedAt(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  const SamplerRule rule = megatronPretrainingRandomSampler();
  const std::int64_t step = spec.loader.batch_size * spec.worldSize();
  const std::int64_t active = spec.dataset.size / step * step;
  const Slice slice = rule.slice(spec, epoch, rank, Order::identity(spec.dataset.size));
  return static_cast<std::int64_t>(rule.key(spec, epoch, rank).seed) * active + slice.first() - rank.value;
}

}  // namespace

TEST_CASE("each pass begins where the rank's own count of consumed samples stands after the one before") {
  const SamplerRule rule = megatronPretrainingRandomSampler();
  for (const PipelineSpec& spec : {cyclic(11, 2, 1, 0), cyclic(3, 2, 1, 0), cyclic(16, 2, 2, 4), cyclic(29, 3, 2, 6),
                                   cyclic(23, 4, 1, 12), cyclic(7, 2, 3, 6)}) {
    CAPTURE(spec.dataset.size);
    for (Rank rank{0}; rank.value < spec.worldSize(); ++rank) {
      CAPTURE(rank.value);
      for (Epoch epoch{0}; epoch.value + 1 < spec.epochs; ++epoch) {
        CAPTURE(epoch.value);
        const std::int64_t batches = rule.shape(spec, epoch, rank).count / spec.loader.batch_size;
        const std::int64_t read = batches * spec.loader.batch_size * spec.worldSize();
        CHECK(consumedAt(spec, Epoch{epoch.value + 1}, rank) == consumedAt(spec, epoch, rank) + read);
      }
    }
  }
  CHECK(rule.key(cyclic(3, 2, 1, 0), Epoch{40}, Rank{0}).seed == 80);
  CHECK(rule.key(cyclic(3, 2, 1, 0), Epoch{40}, Rank{1}).seed == 40);
}
