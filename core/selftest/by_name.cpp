// SPDX-License-Identifier: Apache-2.0
#include "core/selftest/by_name.h"

#include "core/sampling/registry.h"
#include "core/selftest/vector_row.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

namespace shardlens::selftest {
namespace {

/// Where a spec has what rows of many frameworks call so.
std::string pathOf(const std::string& name) {
  static constexpr std::array<std::pair<std::string_view, const char*>, 9> kPaths = {{
      {"dataset_size", "dataset.size"},
      {"labels", "dataset.labels"},
      {"lengths", "dataset.lengths"},
      {"shards", "dataset.shards"},
      {"world_size", "world.ranks_per_node"},
      {"batch_size", "loader.batch_size"},
      {"drop_last", "loader.drop_last"},
      {"num_workers", "loader.num_workers"},
      {"persistent_workers", "loader.persistent_workers"},
  }};
  const auto* const known = std::ranges::find(kPaths, name, &std::pair<std::string_view, const char*>::first);
  return known == kPaths.end() ? name : known->second;
}

std::optional<Value> wholeNumber(const Fields& params, const std::string& key, const Field& field) {
  if (params.isNull(key) && field.kind == FieldKind::IntOrName) return field.choices.front();
  if (const auto number = params.integer(key)) return *number;
  const auto seed = field.is_seed || key.find("seed") != std::string::npos ? params.bits(key) : std::nullopt;
  if (seed) return static_cast<std::int64_t>(*seed);
  const auto name = field.kind == FieldKind::IntOrName ? params.text(key) : std::nullopt;
  return name ? std::optional<Value>(*name) : std::nullopt;
}

/// The row's value for this field of a spec; nothing when it is of another kind.
std::optional<Value> valueOf(const Fields& params, const std::string& key, const Field& field) {
  const auto some = [](const auto& read) { return read ? std::optional<Value>(*read) : std::nullopt; };
  switch (field.kind) {
    case FieldKind::Bool:
      return some(params.flag(key));
    case FieldKind::Float:
      return some(params.number(key));
    case FieldKind::Choice:
    case FieldKind::Text:
      return some(params.text(key));
    case FieldKind::Indices:
      return some(params.integers(key));
    case FieldKind::Numbers:
      if (const auto weights = key == "weights" ? rowWeights(params) : std::nullopt) return weights->value;
      return some(params.numbers(key));
    default:
      return wholeNumber(params, key, field);
  }
}

/// A dataset is as large as what is listed of its samples.
void putSize(PipelineSpec& spec, const std::string& path) {
  if (path == "dataset.labels") spec.dataset.size = std::ssize(spec.dataset.labels.items());
  if (path == "dataset.lengths") spec.dataset.size = std::ssize(spec.dataset.lengths.items());
  if (path == "dataset.shards") spec.dataset.size = spec.dataset.shards.facts().total;
}

bool putValue(const Fields& params, const std::string& key, const std::string& name, PipelineSpec& spec) {
  const Field* field = findField(spec, sampling::catalogue(), "sampler." + name);
  if (field == nullptr) field = findField(spec, sampling::catalogue(), pathOf(name));
  auto value = field == nullptr ? std::nullopt : valueOf(params, key, *field);
  if (!value || checkValue(*field, *value)) return false;
  if (name == "weights") spec.dataset.size = rowWeights(params)->size;
  setValue(spec, *field, *std::move(value));
  putSize(spec, field->path);
  return true;
}

constexpr const char* kShards = "dataset_size num_processes=world_size batch_size drop_last";
constexpr const char* kWebDataset =
    "shards world_size num_workers persistent_workers batch_size drop_last seed with_epoch ";

RowVerdict judgeItemsOrBatches(const VectorRow& row, const Result<RankEpoch>& drawn) {
  return row.params.has("batch_size") ? judgeBatches(row, drawn) : judgeItems(row, drawn);
}

}  // namespace

std::optional<PipelineSpec> specByName(const VectorRow& row, const std::string& type, std::string_view keys) {
  PipelineSpec spec = rowSpec(row, 0, 0);
  spec.framework.torch_mkl = false;
  spec.sampler.type = type;
  std::size_t known = 0;
  std::istringstream words{std::string(keys)};
  for (std::string word; words >> word;) {
    const bool optional = word.back() == '?';
    if (optional) word.pop_back();
    const std::string key = word.substr(0, word.find('='));
    known += row.params.has(key) ? 1 : 0;
    if (!row.params.has(key) && !optional) return std::nullopt;
    if (word.ends_with("=-") || (optional && (!row.params.has(key) || row.params.isNull(key)))) continue;
    if (!putValue(row.params, key, word.substr(word.find('=') + 1), spec)) return std::nullopt;
  }
  // torch refuses workers that persist where there are none, the loaders of these rows do not.
  spec.loader.persistent_workers = spec.loader.persistent_workers && spec.loader.num_workers > 0;
  const bool says_world = spec.worldSize() > 0;
  if (!says_world) spec.world.ranks_per_node = 1;
  const std::int64_t rank = row.fields.integer("rank").value_or(0);
  const bool is_inside = !says_world || (rank >= 0 && rank < spec.worldSize());
  const bool is_epoch_known = row.fields.isNull("epoch") || !row.fields.has("epoch") || row.fields.integer("epoch");
  if (!is_inside || !is_epoch_known || row.fields.find("params")->size() != known) return std::nullopt;
  return spec;
}

std::optional<PipelineSpec> specByName(const VectorRow& row, std::string_view keys) {
  return specByName(row, row.framework + "." + row.sampler, keys);
}

std::vector<Replay> namedReplays() {
  return {
      {"detectron2", "InferenceSampler", nullptr, "size=dataset_size world_size?"},
      {"detectron2", "RandomSubsetTrainingSampler", nullptr,
       "size=dataset_size world_size? subset_ratio shuffle? seed_shuffle? seed_subset? taken=samples_per_epoch?"},
      {"detectron2", "TrainingSampler", nullptr,
       "size=dataset_size world_size? shuffle? seed? taken=samples_per_epoch"},
      {"lightning", "UnrepeatedDistributedSampler", nullptr, "dataset_size world_size shuffle drop_last seed"},
      {"megatron", "MegatronFullValidationSampler", nullptr,
       "total_samples=dataset_size data_parallel_size=world_size micro_batch_size=batch_size? drop_last?",
       judgeBatches},
      {"mmengine", "DefaultSampler", nullptr, "dataset_size world_size shuffle seed round_up"},
      {"monai", "DistributedSampler", nullptr, "dataset_size world_size even_divisible shuffle seed drop_last"},
      {"paddle", "DistributedBatchSampler", nullptr,
       "dataset_size batch_size world_size shuffle drop_last set_epoch_before_first_pass=epoch? iteration=-",
       judgeBatches},
      {"paddle", "RandomSampler", nullptr,
       "dataset_size replacement? num_samples? numpy_global_seed=seeds.base batch_size? drop_last?",
       judgeItemsOrBatches},
      {"paddle", "WeightedRandomSampler", nullptr, "weights num_samples? replacement? numpy_global_seed=seeds.base"},
      {"timm", "OrderedDistributedSampler", nullptr, "dataset_size world_size"},
      {"transformers", "DistributedLengthGroupedSampler", nullptr, "lengths batch_size world_size drop_last seed?"},
      {"transformers", "DistributedSamplerWithLoop", nullptr, std::string(kShards) + " seed?"},
      {"transformers", "IterableDatasetShard", nullptr, kShards, judgeItems, "transformers.ShardSampler"},
      {"transformers", "LengthGroupedSampler", nullptr, "lengths batch_size seed?"},
      {"transformers", "SequentialDistributedSampler", nullptr,
       "dataset_size num_processes=world_size batch_size drop_last=-?"},
      {"transformers", "SequentialDistributedSampler(batch_size=None)", nullptr,
       "dataset_size num_processes=world_size batch_size=- drop_last=-?", judgeItems,
       "transformers.SequentialDistributedSampler"},
      {"transformers", "ShardSampler", nullptr, kShards},
      {"trl", "RepeatSampler", nullptr, "dataset_size mini_repeat_count batch_size repeat_count shuffle seed?"},
      {"webdataset", "ResampledShards.with_epoch", nullptr, std::string(kWebDataset) + "nshards", judgeBatches,
       "webdataset.ResampledShards"},
      {"webdataset", "WebDataset.with_epoch", nullptr,
       std::string(kWebDataset) + "shardshuffle detshuffle shuffle initial shuffle_seed", judgeBatches,
       "webdataset.WebDataset"},
  };
}

}  // namespace shardlens::selftest
