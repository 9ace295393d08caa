// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/torch/order.h"
#include "core/sampling/torch/samplers.h"

namespace shardlens::sampling {
namespace torch_sequential_sampler {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "torch.SequentialSampler",
      marked("samplers",
             "The dataset in its own order, all of it on every rank; what a DataLoader uses with shuffle=False."),
      {},
      {marked("samplers", "Every rank reads the whole dataset: nothing divides it between them."),
       marked("samplers",
              "Lightning replaces it with a DistributedSampler, and shuffles in training (pytorch-lightning#21131).")},
  };
  return kInfo;
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank /*rank*/) {
  return {spec.dataset.size, 0};
}

Slice slice(const PipelineSpec& spec, Epoch /*epoch*/, Rank /*rank*/, OrderPtr order) {
  return {std::move(order), 0, 1, spec.dataset.size, spec.dataset.size};
}

}  // namespace
}  // namespace torch_sequential_sampler

SamplerRule torchSequentialSampler() {
  using namespace torch_sequential_sampler;
  return {.info = info(),
          .traits = {.knows_peers = true, .loader_part = LoaderPart::Sequential},
          .in_order = true,
          .claims = [](const PipelineSpec&) { return SamplerClaims{}; },
          .key = sequentialKey,
          .order = torchOrder,
          .reads_evenly = [](const PipelineSpec&) { return true; },
          .slice = slice,
          .shape = shape,
          .same_shapes = true};
}

}  // namespace shardlens::sampling
