// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/detectron2_samplers.h"
#include "core/sampling/torch_arguments.h"
#include "core/sampling/torch_order.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace shardlens::sampling {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "detectron2.InferenceSampler",
      "One contiguous block of the dataset for each rank, every sample once, the first ranks one longer.",
      {},
      {"Ranks have uneven numbers of samples: a collective in the last step hangs."},
  };
  return kInfo;
}

Result<void> check(const PipelineSpec& spec) {
  if (spec.dataset.size > 0) return {};
  return raised("AssertionError", "", "dataset.size");
}

OrderKey key(const PipelineSpec& /*spec*/, Epoch /*epoch*/, Rank /*rank*/) {
  return {kSequential, 0, 0};
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  const std::int64_t ranks = spec.worldSize();
  return {spec.dataset.size / ranks + (rank.value < spec.dataset.size % ranks ? 1 : 0), 0};
}

Slice slice(const PipelineSpec& spec, Epoch epoch, Rank rank, OrderPtr order) {
  const std::int64_t ranks = spec.worldSize();
  const std::int64_t first = spec.dataset.size / ranks * rank.value + std::min(rank.value, spec.dataset.size % ranks);
  const std::int64_t count = shape(spec, epoch, rank).count;
  const std::int64_t unit = std::max<std::int64_t>(1, count);
  return {std::move(order), first, unit, count, spec.dataset.size, unit};
}

}  // namespace

SamplerRule detectron2InferenceSampler() {
  return {.info = info(), .check = check, .key = key, .order = torchOrder, .slice = slice, .shape = shape};
}

}  // namespace shardlens::sampling
