// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/detectron2/samplers.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/python.h"
#include "core/sampling/torch/order.h"

#include <utility>

namespace shardlens::sampling {
namespace detectron2_inference_sampler {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "detectron2.InferenceSampler",
      marked("samplers",
             "One contiguous block of the dataset per rank, every sample once; the first blocks may be one sample "
             "longer."),
      {},
      {marked("samplers", "Ranks have uneven numbers of samples: a collective in the last step hangs.")},
  };
  return kInfo;
}

Result<void> check(const PipelineSpec& spec) {
  if (spec.dataset.size > 0) return {};
  return raised("AssertionError", "", "dataset.size", worded("checks", "give at least 1 sample"));
}

Run runOf(const PipelineSpec& spec, Rank rank) {
  return evenRun(spec.dataset.size, spec.worldSize(), rank.value);
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  return {runOf(spec, rank).count, 0};
}

Slice slice(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank, OrderPtr order) {
  const Run run = runOf(spec, rank);
  return {std::move(order), run.first, 1, run.count, spec.dataset.size};
}

}  // namespace
}  // namespace detectron2_inference_sampler

SamplerRule detectron2InferenceSampler() {
  using namespace detectron2_inference_sampler;
  return {.info = info(),
          .in_order = true,
          .claims = [](const PipelineSpec&) { return SamplerClaims{.divides = true, .evaluates = true}; },
          .check = check,
          .key = sequentialKey,
          .order = torchOrder,
          .slice = slice,
          .shape = shape};
}

}  // namespace shardlens::sampling
