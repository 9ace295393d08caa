// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/monai/samplers.h"
#include "core/sampling/torch/order.h"
#include "core/selftest/replay.h"
#include "core/selftest/row_weights.h"

namespace shardlens::selftest {
namespace monai_rows {
namespace {

/// The spec of both classes; nothing when the row lacks a parameter, or its rank is none of its world.
std::optional<PipelineSpec> specOf(const VectorRow& row) {
  const auto size = row.params.integer("dataset_size");
  const auto world = row.params.integer("world_size");
  const auto seed = row.params.bits("seed");
  const std::int64_t rank = row.fields.integer("rank").value_or(-1);
  if (!size || *size < 0 || !world || !seed || rank < 0 || rank >= *world) return std::nullopt;
  PipelineSpec spec = rowSpec(row, *size, *world);
  spec.framework.torch_mkl = false;
  spec.sampler = {"monai." + row.sampler, {{"seed", static_cast<std::int64_t>(*seed)}}};
  for (const char* key : {"even_divisible", "shuffle", "drop_last"}) {
    const auto flag = row.params.flag(key);
    if (!flag) return std::nullopt;
    spec.sampler.parameters[key] = *flag;
  }
  return spec;
}

RowVerdict replayDistributed(const VectorRow& row, Planner& planner) {
  const auto spec = specOf(row);
  const bool known =
      row.params.onlyHas({"dataset_size", "world_size", "even_divisible", "shuffle", "seed", "drop_last"});
  if (!spec || !known) return unknownParameters();
  return judgeItems(row, planner.rankEpoch(*spec, row));
}

/// The first pass of list(sampler) from its own generator or the global one, or the second; a pass that fails draws
/// nothing.
RowVerdict replayWeighted(const VectorRow& row, Planner& planner) {
  auto spec = specOf(row);
  const auto weights = rowWeights(row.params);
  const auto seed = row.params.bits(row.params.has("generator_seed") ? "generator_seed" : "torch_seed");
  const std::int64_t epoch = row.fields.integer("epoch").value_or(0);
  const bool known = row.params.onlyHas({"dataset_size", "world_size", "even_divisible", "shuffle", "seed", "drop_last",
                                         "num_samples_per_rank", "weights", "generator_seed", "torch_seed"});
  if (!spec || !weights || !seed || !known || !planner.allows(epoch)) return unknownParameters();
  spec->sampler.parameters["weights"] = weights->value;
  if (const auto samples = row.params.integer("num_samples_per_rank"))
    spec->sampler.parameters["num_samples_per_rank"] = *samples;
  planner.judges(spec->sampler.type);
  const Rank rank{*row.fields.integer("rank")};
  if (const auto plan = Plan::make(*spec, rank); !plan) return compareError(row, plan.error());
  const std::uint64_t before = sampling::monaiWeightedOutputs(*spec, rank) * static_cast<std::uint64_t>(epoch);
  TorchGenerator generator = sampling::generatorAt({*seed, before});
  const auto order = sampling::monaiWeightedOrder(*spec, rank, epoch, generator, {});
  if (!order) return compareError(row, order.error());
  Answer answer = Answer::ofOrder(**order, (*order)->size());
  answer.length = (*order)->size();
  return compare(row, answer);
}

}  // namespace
}  // namespace monai_rows

std::vector<Replay> monaiReplays() {
  using namespace monai_rows;
  return {
      {"monai", "DistributedSampler", replayDistributed},
      {"monai", "DistributedWeightedRandomSampler", replayWeighted},
  };
}

}  // namespace shardlens::selftest
