// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/detectron2/samplers.h"
#include "core/selftest/replay.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace shardlens::selftest {
namespace detectron2_rows {
namespace {

/// A dataset of `size` in the row's world; nothing when its rank is none of that world.
std::optional<PipelineSpec> specOf(const VectorRow& row, std::optional<std::int64_t> size) {
  const std::int64_t world = row.params.integer("world_size").value_or(1);
  const std::int64_t rank = row.fields.integer("rank").value_or(0);
  if (!size || *size < 0 || rank < 0 || rank >= world) return std::nullopt;
  PipelineSpec spec = rowSpec(row, *size, world);
  spec.sampler.type = "detectron2." + row.sampler;
  for (const char* flag : {"shuffle"}) {
    if (const auto value = row.params.flag(flag)) spec.sampler.parameters[flag] = *value;
  }
  for (const char* seed : {"seed", "seed_shuffle", "seed_subset"}) {
    if (const auto value = row.params.bits(seed)) spec.sampler.parameters[seed] = static_cast<std::int64_t>(*value);
  }
  if (const auto taken = row.params.integer("taken")) spec.sampler.parameters["samples_per_epoch"] = *taken;
  return spec;
}

RowVerdict judgePrefix(const VectorRow& row, Planner& planner, const std::optional<PipelineSpec>& spec, bool known) {
  if (!spec || !known) return unknownParameters();
  const auto drawn = planner.rankEpoch(*spec, Epoch{0}, Rank{row.fields.integer("rank").value_or(0)});
  if (!drawn) return compareError(row, Result<void>(drawn.error()));
  return compare(row, Answer::ofItems(*drawn));
}

RowVerdict replayTraining(const VectorRow& row, Planner& planner) {
  return judgePrefix(row, planner, specOf(row, row.params.integer("size")),
                     row.params.has("taken") && row.params.onlyHas({"size", "world_size", "shuffle", "seed", "taken"}));
}

RowVerdict replaySubset(const VectorRow& row, Planner& planner) {
  auto spec = specOf(row, row.params.integer("size"));
  const auto ratio = row.params.number("subset_ratio");
  const bool known =
      row.params.onlyHas({"size", "world_size", "subset_ratio", "shuffle", "seed_shuffle", "seed_subset", "taken"});
  if (spec && ratio) spec->sampler.parameters["subset_ratio"] = *ratio;
  return judgePrefix(row, planner, spec, ratio && known);
}

RowVerdict replayRepeatFactor(const VectorRow& row, Planner& planner) {
  const nlohmann::json* list = row.params.find("repeat_factors");
  std::vector<double> factors;
  for (const nlohmann::json& factor : list != nullptr && list->is_array() ? *list : nlohmann::json::array()) {
    if (!factor.is_number()) return unknownParameters();
    factors.push_back(factor.get<double>());
  }
  auto spec = specOf(row, static_cast<std::int64_t>(factors.size()));
  const bool known = row.params.onlyHas({"repeat_factors", "world_size", "shuffle", "seed", "taken"});
  if (factors.empty() || *std::max_element(factors.begin(), factors.end()) > 1000)
    return unsupported("no such factors");
  if (spec) spec->sampler.parameters["repeat_factors"] = factors;
  return judgePrefix(row, planner, spec, known);
}

RowVerdict replayFactors(const VectorRow& row, Planner& /*planner*/) {
  const auto categories = row.params.lists("categories_per_image");
  const auto thresh = row.params.number("repeat_thresh");
  const auto root = row.params.flag("sqrt");
  const nlohmann::json* wanted = row.fields.find("values_f32");
  const bool known = row.params.onlyHas({"categories_per_image", "repeat_thresh", "sqrt"});
  if (!categories || !thresh || !root || wanted == nullptr || !wanted->is_array() || !known) {
    return unknownParameters();
  }
  const std::vector<float> got = sampling::repeatFactorsFromCategories(*categories, *thresh, *root);
  if (wanted->size() != got.size()) return failed("values_f32: another number of factors");
  for (std::size_t i = 0; i < got.size(); ++i) {
    const nlohmann::json& value = (*wanted)[i];
    if (!value.is_number() || value.get<float>() != got[i]) return failed("values_f32: [" + std::to_string(i) + "]");
  }
  return passed();
}

RowVerdict replayInference(const VectorRow& row, Planner& planner) {
  return judgePrefix(row, planner, specOf(row, row.params.integer("size")), row.params.onlyHas({"size", "world_size"}));
}

RowVerdict replayGrouped(const VectorRow& row, Planner& planner) {
  auto spec = specOf(row, row.params.integer("size"));
  const auto groups = row.params.integers("group_ids");
  const auto batch_size = row.params.integer("batch_size");
  const auto taken = row.params.integer("taken_batches");
  const auto inner = row.params.text("inner");
  const bool known = row.params.onlyHas({"size", "batch_size", "group_ids", "inner", "taken_batches"});
  const std::string begin = "TrainingSampler(seed=";
  if (!spec || !groups || !batch_size || !taken || !inner || !known || !inner->starts_with(begin)) {
    return unknownParameters();
  }
  const auto distinct = static_cast<std::int64_t>(std::set<std::int64_t>(groups->begin(), groups->end()).size());
  if (*batch_size < 1 || *taken < 1 || !planner.allows(*batch_size) || *taken > 100'000)
    return unsupported("no such batches");
  spec->dataset.labels = *groups;
  spec->loader.batch_size = *batch_size;
  spec->sampler.parameters["seed"] = static_cast<std::int64_t>(std::atoll(inner->c_str() + begin.size()));
  // Enough samples to fill so many batches, whatever waits in the buffers.
  const std::int64_t enough = (*taken + distinct) * *batch_size;
  if (!planner.allows(enough)) return unsupported("too many batches");
  spec->sampler.parameters["samples_per_epoch"] = enough;
  const auto drawn = planner.rankEpoch(*spec, Epoch{0}, Rank{0});
  if (!drawn) return compareError(row, Result<void>(drawn.error()));
  Answer answer;
  answer.batch_sizes.emplace();
  for (Step step{0}; step.value < std::min(*taken, drawn->batches()); ++step) {
    const auto batch = drawn->batchSamples(step);
    answer.indices.insert(answer.indices.end(), batch.begin(), batch.end());
    answer.batch_sizes->push_back(static_cast<std::int64_t>(batch.size()));
  }
  return compare(row, answer);
}

}  // namespace
}  // namespace detectron2_rows

std::vector<Replay> detectron2Replays() {
  using namespace detectron2_rows;
  return {
      {"detectron2", "GroupedBatchSampler", replayGrouped},
      {"detectron2", "InferenceSampler", replayInference},
      {"detectron2", "RandomSubsetTrainingSampler", replaySubset},
      {"detectron2", "RepeatFactorTrainingSampler", replayRepeatFactor},
      {"detectron2", "TrainingSampler", replayTraining},
      {"detectron2", "repeat_factors_from_category_frequency", replayFactors},
  };
}

}  // namespace shardlens::selftest
