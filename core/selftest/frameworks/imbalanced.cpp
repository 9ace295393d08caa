// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/community/imbalanced_dataset_sampler.h"
#include "core/sampling/torch/order.h"
#include "core/selftest/replay.h"

#include <nlohmann/json.hpp>

#include <map>
#include <optional>
#include <string>

namespace shardlens::selftest {
namespace imbalanced_rows {
namespace {

/// Classes by number, or by name: what they are called plays no part.
std::optional<std::vector<std::int64_t>> labelsOf(const Fields& params) {
  if (auto numbers = params.integers("labels")) return numbers;
  const nlohmann::json* names = params.find("labels");
  if (names == nullptr || !names->is_array()) return std::nullopt;
  std::map<std::string, std::int64_t> numbers;
  std::vector<std::int64_t> labels;
  for (const nlohmann::json& name : *names) {
    if (!name.is_string()) return std::nullopt;
    labels.push_back(
        numbers.try_emplace(name.get<std::string>(), static_cast<std::int64_t>(numbers.size())).first->second);
  }
  return labels;
}

/// The n-th list(sampler) without a loader: the samplers' draws are all that the global generator gives.
RowVerdict replayImbalanced(const VectorRow& row, Planner& planner) {
  const auto labels = labelsOf(row.params);
  const auto seed = row.params.bits("torch_global_seed");
  const auto samples = row.params.integer("num_samples");
  const std::int64_t epoch = row.fields.integer("epoch").value_or(0);
  const bool known = row.params.onlyHas({"labels", "num_samples", "torch_global_seed"});
  if (!labels || !known || (!samples && !row.params.isNull("num_samples"))) return unknownParameters();
  if (!planner.allows(epoch)) return unsupported("too many epochs");
  PipelineSpec spec;
  spec.dataset.size = static_cast<std::int64_t>(labels->size());
  spec.dataset.labels = *labels;
  spec.framework.torch = torchReleaseIn(row.version);
  spec.framework.torch_mkl = false;
  spec.sampler = {"imbalanced.ImbalancedDatasetSampler", {}};
  if (samples) spec.sampler.parameters["num_samples"] = *samples;
  planner.judges(spec.sampler.type);
  const Result<Plan> plan = Plan::make(spec);
  if (!plan) return compareError(row, plan.error());
  const std::uint64_t before = sampling::imbalancedOutputs(spec) * static_cast<std::uint64_t>(epoch);
  TorchGenerator generator = sampling::generatorAt({seed.value_or(0), before});
  const Result<OrderPtr> order = sampling::imbalancedOrder(spec, generator, {});
  if (!order) return failed(order.error().text());
  return compare(row, Answer::ofOrder(**order, (*order)->size()));
}

}  // namespace
}  // namespace imbalanced_rows

std::vector<Replay> imbalancedReplays() {
  using namespace imbalanced_rows;
  return {
      {"imbalanced-dataset-sampler", "ImbalancedDatasetSampler", replayImbalanced},
  };
}

}  // namespace shardlens::selftest
