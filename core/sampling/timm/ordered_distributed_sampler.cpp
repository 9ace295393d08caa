// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/python.h"
#include "core/sampling/rules.h"
#include "core/sampling/torch/order.h"

namespace shardlens::sampling {
namespace timm_ordered_distributed_sampler {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "timm.OrderedDistributedSampler",
      marked("samplers",
             "Gives each rank every world-size-th sample of the dataset in order, padded from the beginning."),
      {},
      {marked("samplers", "Padding repeats the first samples, so validation counts them twice."),
       marked("samplers", "It pads only once: with more than twice as many ranks as samples an assertion fails.")},
  };
  return kInfo;
}

Result<void> check(const PipelineSpec& spec) {
  const std::int64_t size = spec.dataset.size;
  const std::int64_t total = distributedSamples(size, spec.worldSize(), false) * spec.worldSize();
  if (total - size <= size) return {};
  return raised("AssertionError", "", "dataset.size",
                worded("checks", "use no more than twice as many ranks as samples"));
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  return distributedShape(spec.dataset.size, spec.worldSize(), rank.value, false);
}

}  // namespace
}  // namespace timm_ordered_distributed_sampler

SamplerRule timmOrderedDistributedSampler() {
  using namespace timm_ordered_distributed_sampler;
  return {.info = info(),
          .in_order = true,
          .claims = [](const PipelineSpec&) { return SamplerClaims{.divides = true, .evaluates = true}; },
          .check = check,
          .key = sequentialKey,
          .order = torchOrder,
          .reads_evenly = [](const PipelineSpec&) { return true; },
          .slice = stridedSlice<shape>,
          .shape = shape};
}

}  // namespace shardlens::sampling
