// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/torch/order.h"
#include "core/sampling/trl/samplers.h"
#include "core/selftest/replay.h"

namespace shardlens::selftest {
namespace trl_rows {
namespace {

PipelineSpec specOf(const VectorRow& row, std::int64_t size) {
  PipelineSpec spec = rowSpec(row, size, 1);
  spec.sampler.type = "trl." + row.sampler;
  return spec;
}

RowVerdict replayRepeat(const VectorRow& row, Planner& planner) {
  const auto size = row.params.integer("dataset_size");
  const auto shuffle = row.params.flag("shuffle");
  const auto seed = row.params.bits("seed");
  const auto epoch = row.fields.integer("epoch");
  const bool known =
      row.params.onlyHas({"dataset_size", "mini_repeat_count", "batch_size", "repeat_count", "shuffle", "seed"});
  if (!size || !shuffle || !epoch || !known || !(seed || row.params.isNull("seed"))) return unknownParameters();
  PipelineSpec spec = specOf(row, *size);
  spec.sampler.parameters["shuffle"] = *shuffle;
  if (seed) spec.sampler.parameters["seed"] = static_cast<std::int64_t>(*seed);
  for (const char* key : {"mini_repeat_count", "batch_size", "repeat_count"}) {
    const auto number = row.params.integer(key);
    if (!number) return unknownParameters();
    spec.sampler.parameters[key] = *number;
  }
  return judgeItems(row, planner.rankEpoch(spec, Epoch{*epoch}, Rank{0}));
}

/// The n-th list(sampler) without a loader: the sampler's draws are all that the global generator gives.
RowVerdict replayRepeatRandom(const VectorRow& row, Planner& planner) {
  const auto size = row.params.integer("dataset_size");
  const auto repeats = row.params.integer("repeat_count");
  const auto seed = row.params.bits("torch_seed");
  const auto epoch = row.fields.integer("epoch");
  const bool known = row.params.onlyHas({"dataset_size", "repeat_count", "torch_seed"});
  if (!size || !repeats || !seed || !epoch || !known || !planner.allows(*epoch)) return unknownParameters();
  PipelineSpec spec = specOf(row, *size);
  spec.sampler.parameters["repeat_count"] = *repeats;
  planner.judges(spec.sampler.type);
  const sampling::SamplerRule rule = sampling::trlRepeatRandomSampler();
  if (const auto plan = Plan::make(spec); !plan) return compareError(row, plan.error());
  const std::uint64_t before = rule.shared_outputs(spec, Rank{0}) * static_cast<std::uint64_t>(*epoch);
  TorchGenerator global = sampling::generatorAt({*seed, before});
  const Result<OrderPtr> order = sampling::trlRepeatRandomOrder(spec, global, {});
  if (!order) return failed(order.error().text());
  Answer answer = Answer::ofOrder(**order, (*order)->size());
  answer.length = (*order)->size();
  return compare(row, answer);
}

}  // namespace
}  // namespace trl_rows

std::vector<Replay> trlReplays() {
  using namespace trl_rows;
  return {
      {"trl", "RepeatRandomSampler", replayRepeatRandom},
      {"trl", "RepeatSampler", replayRepeat},
  };
}

}  // namespace shardlens::selftest
