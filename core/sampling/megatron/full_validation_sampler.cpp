// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/megatron/consumed.h"
#include "core/sampling/megatron/samplers.h"
#include "core/sampling/torch/order.h"

#include <utility>

namespace shardlens::sampling {
namespace megatron_full_validation_sampler {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "megatron.MegatronFullValidationSampler",
      marked("samplers", "Every sample once, in order: one per rank and step, whatever the micro batch."),
      {},
      {marked("samplers",
              "Ranks have uneven numbers of steps when the dataset's size is not a multiple of the data-parallel size: "
              "a collective in the last step hangs."),
       marked("samplers", "The micro batch size of the loader is not used.")},
  };
  return kInfo;
}

OrderKey key(const PipelineSpec& /*spec*/, Epoch /*epoch*/, Rank /*rank*/) {
  return {kSequential, 0, 0};
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  return {stridedSamples(spec.dataset.size, spec.world.dataParallelSize(), spec.world.dataParallelRankOf(rank)), 0};
}

Slice slice(const PipelineSpec& spec, Epoch epoch, Rank rank, OrderPtr order) {
  const std::int64_t size = order->size();
  return {std::move(order), spec.world.dataParallelRankOf(rank), spec.world.dataParallelSize(),
          shape(spec, epoch, rank).count, size};
}

Batching batching(const PipelineSpec& /*spec*/) {
  return Batching::ofSize(1, false);
}

SamplerClaims claims(const PipelineSpec& /*spec*/) {
  return {.divides = true, .evaluates = true};
}

}  // namespace
}  // namespace megatron_full_validation_sampler

SamplerRule megatronFullValidationSampler() {
  using namespace megatron_full_validation_sampler;
  return {.info = info(),
          .traits = {.knows_peers = true},
          .in_order = true,
          .claims = claims,
          .check = checkMegatronDataset,
          .key = key,
          .order = torchOrder,
          .slice = slice,
          .shape = shape,
          .batching = batching};
}

}  // namespace shardlens::sampling
