// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/community/samplers.h"
#include "core/sampling/community/two_stream.h"
#include "core/sampling/monai/samplers.h"
#include "core/sampling/python.h"
#include "core/sampling/registry.h"
#include "core/sampling/torch/order.h"
#include "core/sampling/trl/samplers.h"
#include "core/selftest/by_name.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

namespace shardlens::selftest {
namespace community_rows {
namespace {

RowVerdict replayBalance(const VectorRow& row, Planner& planner) {
  auto spec = specByName(row, "labels mode=- numpy_global_seed=seeds.base");
  const auto name = row.params.text("mode");
  const auto number = row.params.integer("mode");
  if (!spec || !(name || number)) return unknownParameters();
  if (name && name != "downsampling" && name != "upsampling")
    return compareError(row, sampling::raised("AssertionError", ""));
  spec->sampler.parameters = {{"mode", name ? Value(*name) : Value(*number)}};
  return judgeItems(row, planner.rankEpoch(*spec, row));
}

RowVerdict replayMPerClass(const VectorRow& row, Planner& planner) {
  const auto spec = specByName(row, "pytorch_metric_learning.MPerClassSampler",
                               "labels m batch_size length_before_new_iter numpy_global_seed=seeds.base");
  if (!spec) return unknownParameters();
  const auto drawn = planner.rankEpoch(*spec, row);
  if (!drawn) return compareError(row, drawn.error());
  Answer answer = Answer::ofItems(*drawn);
  answer.length = sampling::pmlLength(*spec);
  return compare(row, answer);
}

RowVerdict replayWrapper(const VectorRow& row, Planner& planner) {
  auto spec = specByName(row, "inner=- inner_length=dataset_size inner_seed=generator_seed world_size shuffle");
  if (!spec || row.params.text("inner") != "RandomSampler(generator)") return unknownParameters();
  spec->sampler.parameters["inner"] = std::string("random");
  spec->sampler.parameters["replacement"] = false;
  spec->sampler.parameters["generator"] = std::string("sampler");
  return judgeItems(row, planner.rankEpoch(*spec, row));
}

/// The n-th list(sampler) without a loader: the samplers' draws are all that the generator of this seed gives.
template <class Draw>
RowVerdict judgeDraws(const VectorRow& row, Planner& planner, const PipelineSpec& spec, std::uint64_t seed, Draw draw) {
  const Rank rank{row.fields.integer("rank").value_or(0)};
  const std::int64_t epoch = row.fields.integer("epoch").value_or(0);
  planner.judges(spec.sampler.type);
  if (const auto plan = Plan::make(spec, rank); !plan) return compareError(row, plan.error());
  const auto outputs = sampling::findRule(spec.sampler.type)->shared_outputs(spec, rank);
  TorchGenerator generator = sampling::generatorAt({seed, outputs * static_cast<std::uint64_t>(epoch)});
  const Result<OrderPtr> order = draw(rank, epoch, generator);
  if (!order) return compareError(row, order.error());
  return compare(row, Answer::ofOrder(**order, (*order)->size()));
}

RowVerdict replayRepeatRandom(const VectorRow& row, Planner& planner) {
  const auto spec = specByName(row, "dataset_size repeat_count torch_seed=-");
  const auto seed = row.params.bits("torch_seed");
  if (!spec || !seed || !row.fields.integer("epoch")) return unknownParameters();
  return judgeDraws(row, planner, *spec, *seed, [&](Rank, std::int64_t, TorchGenerator& generator) {
    return sampling::trlRepeatRandomOrder(*spec, generator, {});
  });
}

/// From the sampler's own generator or the global one; a pass that fails draws nothing.
RowVerdict replayWeighted(const VectorRow& row, Planner& planner) {
  const auto spec = specByName(row,
                               "weights dataset_size world_size even_divisible shuffle seed drop_last "
                               "num_samples_per_rank? generator_seed=-? torch_seed=-?");
  const auto seed = row.params.bits(row.params.has("generator_seed") ? "generator_seed" : "torch_seed");
  if (!spec || !seed) return unknownParameters();
  return judgeDraws(row, planner, *spec, *seed, [&](Rank rank, std::int64_t epoch, TorchGenerator& generator) {
    return sampling::monaiWeightedOrder(*spec, rank, epoch, generator, {});
  });
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

RowVerdict replayImbalanced(const VectorRow& row, Planner& planner) {
  auto spec = specByName(row, "imbalanced.ImbalancedDatasetSampler", "labels=- num_samples? torch_global_seed=-?");
  const auto labels = labelsOf(row.params);
  if (!spec || !labels || !row.params.has("num_samples")) return unknownParameters();
  spec->dataset.size = std::ssize(*labels);
  spec->dataset.labels = *labels;
  const std::uint64_t seed = row.params.bits("torch_global_seed").value_or(0);
  return judgeDraws(row, planner, *spec, seed, [&](Rank, std::int64_t, TorchGenerator& generator) {
    return sampling::imbalancedOrder(*spec, generator, {});
  });
}

constexpr const char* kExtra =
    "after each batch one np.random.randint(0,1000) is drawn from the same global stream and appended as the last "
    "element";

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
  auto spec = specByName(row,
                         "primary_indices secondary_indices batch_size=- secondary_batch_size=- "
                         "numpy_global_seed=seeds.base extra=-?");
  const auto size = row.params.integer("batch_size");
  const auto secondary_size = row.params.integer("secondary_batch_size");
  if (!spec || !size || !secondary_size) return unknownParameters();
  const sampling::TwoStreamArguments lists = sampling::twoStreamArguments(*spec);
  for (const auto* list : {lists.primary, lists.secondary}) {
    for (const SampleIndex index : *list) spec->dataset.size = std::max(spec->dataset.size, index + 1);
  }
  spec->loader.batch_size = *size;
  spec->sampler.parameters["secondary_batch_size"] = *secondary_size;
  if (row.params.has("extra")) {
    if (row.params.text("extra") != kExtra) return unsupported("an unknown extra draw");
    return replayInterleaved(row, *spec);
  }
  if (*size < 1 || *secondary_size < 0) {
    return compareError(row, sampling::twoStreamArguments(*spec).check());  // sizes that no spec may hold
  }
  return judgeBatches(row, planner.rankEpoch(*spec, row));
}

RowVerdict replayGetSampler(const VectorRow& row, Planner& planner) {
  auto spec = specByName(row, "dataset_size world_size=- shuffle drop_last seed");
  const std::int64_t world = row.params.integer("world_size").value_or(0);
  const std::int64_t rank = row.fields.integer("rank").value_or(-1);
  if (!spec || world < 1 || rank < 0) return unknownParameters();
  if (rank >= world) return compareError(row, sampling::invalidRank(rank, world));
  spec->world = {1, world};
  return judgeItems(row, planner.rankEpoch(*spec, row));
}

/// {"count": n, "batch_i": "[3i,3i+1,3i+2]"}: how many batches of three consecutive samples. Epochs begin with 1.
RowVerdict replayEpochBatches(const VectorRow& row, Planner& planner) {
  constexpr std::int64_t kBatchSize = 3;
  const nlohmann::json* value = row.params.find("frozen_batches");
  auto spec = specByName(row, "fairseq.EpochBatchIterator",
                         "frozen_batches=- num_shards=world_size seed fix_batches_to_gpus supports_prefetch "
                         "grouped_shuffling shuffle");
  const Fields frozen(value != nullptr && value->is_object() ? *value : nlohmann::json::object());
  const std::int64_t count = frozen.integer("count").value_or(-1);
  const std::int64_t epoch = row.fields.integer("epoch").value_or(1);
  const bool known = frozen.onlyHas({"count", "batch_i"}) && frozen.text("batch_i") == "[3i,3i+1,3i+2]";
  if (!spec || !known || !planner.allows(count) || epoch < 1) return unknownParameters();
  spec->dataset.size = count * kBatchSize;
  spec->loader.batch_size = kBatchSize;
  return judgeBatches(row, planner.rankEpoch(*spec, Epoch{epoch - 1}, Rank{row.fields.integer("rank").value_or(0)}));
}

}  // namespace
}  // namespace community_rows

std::vector<Replay> communityReplays() {
  using namespace community_rows;
  return {
      {"catalyst", "BalanceClassSampler", replayBalance},
      {"catalyst", "DistributedSamplerWrapper", replayWrapper},
      {"pytorch-metric-learning", "MPerClassSampler", replayMPerClass},
      {"composer", "get_sampler", replayGetSampler},
      {"fairseq", "EpochBatchIterator.ordered_batches", replayEpochBatches},
      {"monai", "DistributedWeightedRandomSampler", replayWeighted},
      {"trl", "RepeatRandomSampler", replayRepeatRandom},
      {"imbalanced-dataset-sampler", "ImbalancedDatasetSampler", replayImbalanced},
      {"meanteacher", "TwoStreamBatchSampler", replayTwoStream},
      {"ssl4mis", "TwoStreamBatchSampler", replayTwoStream},
  };
}

}  // namespace shardlens::selftest
