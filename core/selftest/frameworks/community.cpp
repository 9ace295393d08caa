// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/community/imbalanced_dataset_sampler.h"
#include "core/sampling/community/pml_m_per_class_sampler.h"
#include "core/sampling/community/two_stream.h"
#include "core/sampling/python.h"
#include "core/sampling/torch/order.h"
#include "core/selftest/replay.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

namespace shardlens::selftest {
namespace community_rows {
namespace {

std::int64_t epochOf(const VectorRow& row) {
  return row.fields.integer("epoch").value_or(0);
}

/// The spec of one process that seeds NumPy's global stream once.
std::optional<PipelineSpec> labelledSpec(const VectorRow& row, const char* type, const Planner& planner) {
  const auto labels = row.params.integers("labels");
  const auto seed = row.params.integer("numpy_global_seed");
  if (!labels || !seed || !planner.allows(epochOf(row))) return std::nullopt;
  PipelineSpec spec;
  spec.dataset.labels = *labels;
  spec.dataset.size = static_cast<std::int64_t>(labels->size());
  spec.world = {1, 1};
  spec.loader.batch_size = 1;
  spec.seeds.base = *seed;
  spec.epochs = epochOf(row) + 1;
  spec.sampler.type = type;
  return spec;
}

RowVerdict judgeBalance(const VectorRow& row, const Result<RankEpoch>& rank_epoch, std::optional<std::int64_t> length) {
  if (!rank_epoch) return compareError(row, Result<void>(rank_epoch.error()));
  Answer answer = Answer::ofItems(*rank_epoch);
  if (length) answer.length = length;
  return compare(row, answer);
}

RowVerdict replayBalance(const VectorRow& row, Planner& planner) {
  auto spec = labelledSpec(row, "catalyst.BalanceClassSampler", planner);
  const auto name = row.params.text("mode");
  const auto number = row.params.integer("mode");
  const bool known = row.params.onlyHas({"labels", "mode", "numpy_global_seed"});
  if (!spec || !known || !(name || number)) return unknownParameters();
  if (name && name != "downsampling" && name != "upsampling") {
    return compareError(row, sampling::raised("AssertionError", ""));
  }
  spec->sampler.parameters = {{"mode", name ? Value(*name) : Value(*number)}};
  return judgeBalance(row, planner.rankEpoch(*spec, Epoch{spec->epochs - 1}, Rank{0}), {});
}

RowVerdict replayMPerClass(const VectorRow& row, Planner& planner) {
  auto spec = labelledSpec(row, "pytorch_metric_learning.MPerClassSampler", planner);
  const auto m = row.params.integer("m");
  const auto length = row.params.integer("length_before_new_iter");
  const auto batch_size = row.params.integer("batch_size");
  const bool known = row.params.onlyHas({"labels", "m", "batch_size", "length_before_new_iter", "numpy_global_seed"});
  if (!spec || !m || !length || !known || !(batch_size || row.params.isNull("batch_size"))) {
    return unknownParameters();
  }
  spec->sampler.parameters = {{"m", *m},
                              {"length_before_new_iter", *length},
                              {"batch_size", batch_size ? Value(*batch_size) : Value(std::string("none"))}};
  const auto rank_epoch = planner.rankEpoch(*spec, Epoch{spec->epochs - 1}, Rank{0});
  return judgeBalance(row, rank_epoch, rank_epoch ? std::optional(sampling::pmlLength(*spec)) : std::nullopt);
}

RowVerdict replayWrapper(const VectorRow& row, Planner& planner) {
  const auto world = row.params.integer("world_size");
  const auto length = row.params.integer("inner_length");
  const auto seed = row.params.bits("inner_seed");
  const auto shuffle = row.params.flag("shuffle");
  const auto rank = row.fields.integer("rank");
  const bool known = row.params.onlyHas({"inner", "inner_length", "inner_seed", "world_size", "shuffle"}) &&
                     row.params.text("inner") == "RandomSampler(generator)";
  if (!world || !length || !seed || !shuffle || !rank || *rank < 0 || *rank >= *world || !known ||
      !planner.allows(epochOf(row))) {
    return unknownParameters();
  }
  PipelineSpec spec;
  spec.dataset.size = *length;
  spec.world = {1, *world};
  spec.framework.torch = torchReleaseIn(row.version);
  spec.epochs = epochOf(row) + 1;
  spec.sampler = {"catalyst.DistributedSamplerWrapper",
                  {{"shuffle", *shuffle},
                   {"inner", std::string("random")},
                   {"replacement", false},
                   {"generator", std::string("sampler")},
                   {"generator_seed", static_cast<std::int64_t>(*seed)}}};
  return judgeBalance(row, planner.rankEpoch(spec, Epoch{spec.epochs - 1}, Rank{*rank}), {});
}

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

constexpr const char* kExtra =
    "after each batch one np.random.randint(0,1000) is drawn from the same global stream and appended as the last "
    "element";

std::optional<PipelineSpec> specOf(const VectorRow& row) {
  const auto primary = row.params.integers("primary_indices");
  const auto secondary = row.params.integers("secondary_indices");
  const auto batch_size = row.params.integer("batch_size");
  const auto secondary_batch_size = row.params.integer("secondary_batch_size");
  const auto seed = row.params.integer("numpy_global_seed");
  if (!primary || !secondary || !batch_size || !secondary_batch_size || !seed) return std::nullopt;
  PipelineSpec spec;
  spec.world = {1, 1};
  for (const auto* list : {&*primary, &*secondary}) {
    for (const SampleIndex index : *list) spec.dataset.size = std::max(spec.dataset.size, index + 1);
  }
  spec.loader.batch_size = *batch_size;
  spec.seeds.base = *seed;
  spec.epochs = row.fields.integer("epoch").value_or(0) + 1;
  spec.sampler = {row.framework + "." + row.sampler,
                  {{"primary_indices", *primary},
                   {"secondary_indices", *secondary},
                   {"secondary_batch_size", *secondary_batch_size}}};
  return spec;
}

/// Batches of an epoch with another draw from the same stream behind each.
RowVerdict replayInterleaved(const VectorRow& row, const PipelineSpec& spec) {
  const sampling::TwoStreamArguments arguments = sampling::twoStreamArguments(spec);
  if (auto made = arguments.check(); !made) return compareError(row, made);
  NumpyLegacy numpy(static_cast<std::uint32_t>(spec.seeds.base));
  auto stream = sampling::TwoStream::start(arguments, numpy, {});
  if (!stream) return failed(stream.error().text());
  Answer answer;
  answer.batch_sizes.emplace();
  std::vector<std::uint32_t> batch(static_cast<std::size_t>(spec.loader.batch_size));
  for (auto more = stream->next(numpy, batch, {}); more && *more; more = stream->next(numpy, batch, {})) {
    answer.indices.insert(answer.indices.end(), batch.begin(), batch.end());
    answer.indices.push_back(static_cast<std::int64_t>(numpy.bounded(999)));
    answer.batch_sizes->push_back(spec.loader.batch_size + 1);
  }
  return compare(row, answer);
}

RowVerdict replayTwoStream(const VectorRow& row, Planner& planner) {
  const auto spec = specOf(row);
  const bool known = row.params.onlyHas(
      {"primary_indices", "secondary_indices", "batch_size", "secondary_batch_size", "numpy_global_seed", "extra"});
  if (!spec || !known) return unknownParameters();
  if (row.params.has("extra")) {
    if (row.params.text("extra") != kExtra) return unsupported("an unknown extra draw");
    return replayInterleaved(row, *spec);
  }
  if (*row.params.integer("batch_size") < 1 || *row.params.integer("secondary_batch_size") < 0) {
    return compareError(row, sampling::twoStreamArguments(*spec).check());  // sizes that no spec may hold
  }
  return judgeBatches(row, planner.rankEpoch(*spec, Epoch{spec->epochs - 1}, Rank{0}));
}

}  // namespace
}  // namespace community_rows

std::vector<Replay> communityReplays() {
  using namespace community_rows;
  return {
      {"catalyst", "BalanceClassSampler", replayBalance},
      {"catalyst", "DistributedSamplerWrapper", replayWrapper},
      {"pytorch-metric-learning", "MPerClassSampler", replayMPerClass},
      {"imbalanced-dataset-sampler", "ImbalancedDatasetSampler", replayImbalanced},
      {"meanteacher", "TwoStreamBatchSampler", replayTwoStream},
      {"ssl4mis", "TwoStreamBatchSampler", replayTwoStream},
  };
}

}  // namespace shardlens::selftest
