// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/megatron/samplers.h"
#include "core/sampling/olmo_core/fsl_data_loader.h"
#include "core/selftest/by_name.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::selftest {

namespace language_models_rows {
namespace {

/// Metrics of a row become records, their stages and values lists; false when one of them lacks something.
struct Curriculum {
  std::vector<Record> metrics;
  std::vector<Record> stages;
  std::vector<std::optional<std::vector<std::int64_t>>> own_values;  ///< by metric; a single_cluster needs none

  bool add(const nlohmann::json& given, std::int64_t size);
  /// Zeros where a metric has none; an empty list where no metric has any.
  [[nodiscard]] NumberList values(std::int64_t size) const;
};

void put(Record& record, const Fields& from, const char* key) {
  if (const auto number = from.integer(key)) record.set(key, *number);
  if (const auto text = from.text(key)) record.set(key, *text);
}

bool Curriculum::add(const nlohmann::json& given, std::int64_t size) {
  const Fields fields(given);
  const nlohmann::json* config = fields.find("schedule_config");
  if (config == nullptr || !config->is_object()) return false;
  const Fields schedule(*config);
  const auto number = static_cast<std::int64_t>(metrics.size());
  Record& metric = metrics.emplace_back();
  for (const char* key : {"difficulty_type", "clustering_type", "min_difficulty", "max_difficulty", "schedule_type"})
    put(metric, fields, key);
  for (const char* key : {"total_curriculum_step", "difficulty_step", "root_degree"}) put(metric, schedule, key);
  const auto difficulties = schedule.integers("difficulty").value_or(std::vector<std::int64_t>());
  const auto ends = schedule.integers("max_step").value_or(std::vector<std::int64_t>());
  for (std::size_t i = 0; i < difficulties.size(); ++i) {
    Record& stage = stages.emplace_back();
    stage.set("metric", number);
    stage.set("difficulty", difficulties[i]);
    stage.set("max_step", i < ends.size() ? ends[i] : std::int64_t{0});
  }
  own_values.push_back(fields.integers("metric_values"));
  return !own_values.back() || std::ssize(*own_values.back()) == size;
}

NumberList Curriculum::values(std::int64_t size) const {
  std::vector<double> all;
  if (std::ranges::none_of(own_values, [](const auto& own) { return own.has_value(); })) return all;
  for (const auto& own : own_values) {
    if (own) all.insert(all.end(), own->begin(), own->end());
    if (!own) all.insert(all.end(), static_cast<std::size_t>(size), 0.0);
  }
  return all;
}

std::optional<PipelineSpec> deepspeedSpec(const VectorRow& row) {
  auto spec = specByName(row,
                         "dataset_size num_epochs=epochs micro_batch_size=batch_size data_parallel_size=world_size "
                         "gradient_accumulation_steps seed drop_last metrics=- taken=-");
  const nlohmann::json* metrics = row.params.find("metrics");
  if (!spec || metrics == nullptr || !metrics->is_object()) return std::nullopt;
  Curriculum curriculum;
  for (const nlohmann::json& metric : *metrics) {
    if (!metric.is_object() || !curriculum.add(metric, spec->dataset.size)) return std::nullopt;
  }
  NumberList values = curriculum.values(spec->dataset.size);
  spec->sampler.parameters["metrics"] = RecordList(std::move(curriculum.metrics));
  spec->sampler.parameters["stages"] = RecordList(std::move(curriculum.stages));
  if (!values.empty()) spec->sampler.parameters["metric_values"] = std::move(values);
  return spec;
}

/// The first `taken` steps of a rank, from as many epochs of the plan as hold them.
Result<Answer> replayedSteps(const PipelineSpec& spec, Rank rank, std::int64_t taken, Planner& planner) {
  Answer answer;
  answer.batch_sizes.emplace();
  for (Epoch epoch{0}; epoch.value < spec.epochs && std::ssize(*answer.batch_sizes) < taken; ++epoch) {
    const auto drawn = planner.rankEpoch(spec, epoch, rank);
    if (!drawn) return drawn.error();
    for (Step step{0}; step.value < drawn->batches() && std::ssize(*answer.batch_sizes) < taken; ++step)
      answer.add(drawn->batchSamples(step));
  }
  answer.length = spec.dataset.size * spec.epochs;
  return answer;
}

/// The class counts a step as consumed when it is asked for the next one.
RowVerdict replayDeepspeed(const VectorRow& row, Planner& planner) {
  const auto spec = deepspeedSpec(row);
  const auto taken = row.params.integer("taken");
  const auto rank = row.fields.integer("rank");
  if (!spec || !taken || !planner.allows(spec->worldSize()) || !rank || *rank < 0 || *rank >= spec->worldSize())
    return unknownParameters();
  const auto answer = replayedSteps(*spec, Rank{*rank}, *taken, planner);
  if (!answer) return compareError(row, answer.error());
  if (RowVerdict verdict = compare(row, *answer); verdict.outcome != Outcome::Passed) return verdict;
  std::int64_t consumed = 0;
  for (Rank each{0}; each.value < spec->worldSize(); ++each) {
    const auto own = replayedSteps(*spec, each, *taken, planner);
    if (!own) return compareError(row, own.error());
    const bool paused = std::ssize(*own->batch_sizes) == *taken;
    consumed += std::ssize(own->indices) - (paused && *taken > 0 ? own->batch_sizes->back() : 0);
  }
  if (consumed == row.fields.integer("consumed_after")) return passed();
  return failed("consumed_after: " + std::to_string(consumed));
}

std::string shuffleOf(const std::string& sampler) {
  if (sampler == "NoShuffle") return "none";
  return sampler == "FullShuffle" ? "full" : "window";
}

/// The spec of a row; nothing when the row lacks a parameter or its world has no whole nodes.
std::optional<PipelineSpec> litdataSpec(const VectorRow& row) {
  auto spec = specByName(row, "litdata.StreamingDataset",
                         "chunk_sizes=shards world_size num_nodes=world.nodes num_workers batch_size seed drop_last "
                         "window? roi=-? node_shard_fits?");
  const std::int64_t world = row.params.integer("world_size").value_or(0);
  if (!spec || world % spec->world.nodes != 0) return std::nullopt;
  spec->world.ranks_per_node = world / spec->world.nodes;
  spec->sampler.parameters["shuffle"] = shuffleOf(row.sampler);
  if (const auto roi = row.params.lists("roi"); roi && !roi->empty()) {
    std::vector<double> flat;
    for (const auto& pair : *roi) flat.insert(flat.end(), pair.begin(), pair.end());
    spec->sampler.parameters["roi"] = NumberList(std::move(flat));
  }
  return spec;
}

/// What one worker of the rank delivers; `length` is that of all of them.
RowVerdict replayShuffle(const VectorRow& row, Planner& planner) {
  const auto spec = litdataSpec(row);
  const auto epoch = row.fields.integer("epoch");
  const auto worker = row.fields.integer("worker");
  if (!spec || !epoch || *epoch < 1) return unknownParameters();
  const Rank rank{row.fields.integer("rank").value_or(0)};
  const auto drawn = planner.rankEpoch(*spec, Epoch{*epoch - 1}, rank);
  if (!drawn) return compareError(row, drawn.error());
  if (!worker) return unknownParameters();
  Answer answer = Answer::ofWorker(*drawn, *worker);
  answer.length = drawn->size();
  return compare(row, answer);
}

/// Shards in tokens become shards in rows of T; nothing when the row lacks a parameter.
std::optional<PipelineSpec> llmcSpec(const VectorRow& row) {
  auto spec = specByName(row, "llmc.DataLoader",
                         "shard_tokens=- B=batch_size T=- world_size shuffle? steps=steps_per_epoch resume=-?");
  const auto tokens = row.params.integers("shard_tokens");
  const auto length = row.params.integer("T");
  if (!spec || !tokens || tokens->empty() || !length || *length < 1) return std::nullopt;
  std::vector<std::int64_t> rows;
  for (const std::int64_t count : *tokens) {
    rows.push_back(std::max<std::int64_t>(0, count - 1) / *length);
    spec->dataset.size += rows.back();
  }
  spec->dataset.shards = std::move(rows);
  spec->sampler.parameters["loader"] = std::string(row.sampler.starts_with("DataLoader") ? "c" : "python");
  if (const nlohmann::json* resume = row.params.find("resume"); resume != nullptr && resume->is_object()) {
    const Fields state(*resume);
    spec->sampler.parameters["current_shard"] = state.integer("shard").value_or(-1);
    spec->sampler.parameters["current_sample"] = state.integer("sample").value_or(-1);
  }
  return spec;
}

/// One epoch of the plan is all the row's steps; of each the first row is compared, as shard and token.
RowVerdict replayLlmc(const VectorRow& row, Planner& planner) {
  const auto spec = llmcSpec(row);
  const auto wanted = row.fields.integers("shards");
  if (!spec || !wanted) return unknownParameters();
  const auto drawn = planner.rankEpoch(*spec, Epoch{0}, Rank{row.fields.integer("rank").value_or(0)});
  if (!drawn) return compareError(row, drawn.error());
  Answer answer;
  std::vector<std::int64_t> shards;
  for (Step step{0}; step.value < drawn->batches(); ++step) {
    std::int64_t first = drawn->batchSamples(step).front();
    std::int64_t shard = 0;
    for (; first >= spec->dataset.shards[static_cast<std::size_t>(shard)]; ++shard)
      first -= spec->dataset.shards[static_cast<std::size_t>(shard)];
    shards.push_back(shard);
    answer.indices.push_back(first * *row.params.integer("T"));
  }
  RowVerdict verdict = judged("shards", difference(shards, *wanted));
  return verdict.outcome == Outcome::Passed ? compare(row, answer) : verdict;
}

/// Calls for one file after the other draw from one stream: each is a plan of its own, begun where the last call ended.
RowVerdict replayGetBatch(const VectorRow& row, Planner& planner) {
  const auto block = row.params.integer("block_size");
  const auto batch = row.params.integer("batch_size");
  const auto seed = row.params.bits("torch_seed");
  const nlohmann::json* splits = row.params.find("splits");
  const bool known =
      row.params.onlyHas({"train_tokens", "val_tokens", "block_size", "batch_size", "torch_seed", "splits"});
  if (!block || !batch || !seed || splits == nullptr || !splits->is_array() || !known) return unknownParameters();
  Answer answer;
  for (const nlohmann::json& split : *splits) {
    if (!split.is_string()) return unknownParameters();
    const auto tokens = row.params.integer(split.get<std::string>() + "_tokens");
    if (!tokens) return unknownParameters();
    PipelineSpec spec = rowSpec(row, *tokens, 1, *batch);
    spec.seeds.base = static_cast<std::int64_t>(*seed);
    const auto before = static_cast<std::int64_t>(answer.indices.size());
    spec.sampler = {"nanogpt.get_batch",
                    {{"block_size", *block}, {"batches_per_epoch", std::int64_t{1}}, {"outputs_before", before}}};
    const auto drawn = planner.rankEpoch(spec, Epoch{0}, Rank{0});
    if (!drawn) return compareError(row, drawn.error());
    answer.add(Answer::ofItems(*drawn).indices);
  }
  return compare(row, answer);
}

/// A state that was loaded into a loader of another batch size counts the tokens that were read.
RowVerdict replayOlmo(const VectorRow& row, Planner& planner) {
  auto spec =
      specByName(row,
                 "dataset_size sequence_length global_batch_size world_size shuffle seed chunk_size num_workers "
                 "batches_processed resumed_with_global_batch_size=-?");
  const auto epoch = row.fields.integer("epoch");
  const std::int64_t before = row.params.integer("global_batch_size").value_or(0);
  const std::int64_t now = row.params.integer("resumed_with_global_batch_size").value_or(before);
  if (!spec || !epoch || now < 1) return unknownParameters();
  auto& parameters = spec->sampler.parameters;
  parameters["epoch"] = *epoch;
  parameters["global_batch_size"] = now;
  parameters["batches_processed"] = *row.params.integer("batches_processed") * before / now;
  const auto drawn = planner.rankEpoch(*spec, Epoch{0}, Rank{row.fields.integer("rank").value_or(0)});
  if (!drawn) return compareError(row, drawn.error());
  Answer answer = Answer::ofBatches(*drawn);
  answer.length = sampling::olmoTotalBatches(*spec);
  return compare(row, answer);
}

constexpr const char* kKeys =
    "total_samples=dataset_size data_parallel_size=world_size micro_batch_size=batch_size? consumed_samples? "
    "drop_last? "
    "global_batch_size? data_sharding? iteration=-?";

/// __len__ counts samples.
RowVerdict replayMegatron(const VectorRow& row, Planner& planner) {
  const auto spec = specByName(row, kKeys);
  if (!spec) return unknownParameters();
  const auto drawn = planner.rankEpoch(*spec, row);
  if (!drawn) return compareError(row, drawn.error());
  Answer answer = Answer::ofBatches(*drawn);
  answer.length = spec->dataset.size;
  return compare(row, answer);
}

/// Also the epoch it seeds itself with, and the consumed_samples that the next pass begins with.
RowVerdict replayRandom(const VectorRow& row, Planner& planner) {
  RowVerdict verdict = replayMegatron(row, planner);
  const auto wanted = row.fields.integer("consumed_after");
  if (verdict.outcome != Outcome::Passed || !wanted) return verdict;
  const auto spec = specByName(row, kKeys);
  const std::int64_t passes = row.params.integer("iteration").value_or(0) + 1;
  const Rank rank{row.fields.integer("rank").value_or(0)};
  std::int64_t consumed = row.params.integer("consumed_samples").value_or(0);
  const std::int64_t step = spec->loader.batch_size * spec->worldSize();
  std::int64_t began = consumed;
  for (Epoch pass{0}; pass.value < passes; ++pass) {
    const auto drawn = planner.rankEpoch(*spec, pass, rank);
    if (!drawn) return failed(drawn.error().text());
    began = consumed;
    consumed += drawn->batches() * step;
  }
  const std::int64_t epoch = began / (spec->dataset.size - spec->dataset.size % step);
  if (epoch != row.fields.integer("epoch")) return failed("epoch: " + std::to_string(epoch));
  return consumed == *wanted ? passed() : failed("consumed_after: " + std::to_string(consumed));
}

/// -1 of a padded batch stands for no sample, and is in no plan.
void padBatches(Answer& answer, std::int64_t size) {
  std::vector<std::int64_t> padded;
  std::size_t at = 0;
  for (std::int64_t& batch : *answer.batch_sizes) {
    for (std::int64_t i = 0; i < size; ++i) padded.push_back(i < batch ? answer.indices[at++] : -1);
    batch = size;
  }
  answer.indices = std::move(padded);
}

RowVerdict replayBridgeBatches(const VectorRow& row, Planner& planner) {
  auto spec = specByName(row,
                         "total_samples=dataset_size data_parallel_size=- micro_batch_size=batch_size? "
                         "consumed_samples? drop_last global_batch_size iteration=-? shuffle seed? "
                         "pad_samples_to_global_batch_size torch_seed=seeds.base?");
  const std::int64_t world = row.params.integer("data_parallel_size").value_or(0);
  const std::int64_t rank = row.fields.integer("rank").value_or(-1);
  if (!spec || world < 1 || rank < 0) return unknownParameters();
  if (rank >= world) return compareError(row, sampling::megatronRankTooLarge(rank, world));
  spec->world = {1, world};
  const Epoch pass{row.params.integer("iteration").value_or(0)};
  const auto drawn = planner.rankEpoch(*spec, pass, Rank{rank});
  if (!drawn) return compareError(row, drawn.error());
  Answer answer = Answer::ofBatches(*drawn);
  const bool pads = row.params.flag("pad_samples_to_global_batch_size") == true;
  if (pads && row.params.flag("drop_last") == false)
    padBatches(answer, row.params.integer("global_batch_size").value_or(0) / world);
  answer.length = sampling::megatronBridgeLength(*spec, pass);
  RowVerdict verdict = compare(row, answer);
  const auto wanted = row.fields.integer("consumed_after");
  if (verdict.outcome != Outcome::Passed || !wanted) return verdict;
  const std::int64_t consumed = sampling::megatronBridgeConsumed(*spec, Epoch{pass.value + 1});
  return consumed == *wanted ? passed() : failed("consumed_after: " + std::to_string(consumed));
}

}  // namespace
}  // namespace language_models_rows

std::vector<Replay> languageModelReplays() {
  using namespace language_models_rows;
  return {
      {"deepspeed", "DeepSpeedDataSampler", replayDeepspeed},
      {"litdata", "FullShuffle", replayShuffle},
      {"litdata", "NoShuffle", replayShuffle},
      {"litdata", "WindowShuffle", replayShuffle},
      {"llm.c", "DataLoader (C)", replayLlmc},
      {"llm.c", "DistributedDataLoader (Python)", replayLlmc},
      {"nanogpt", "get_batch", replayGetBatch},
      {"olmo_core", "NumpyFSLDataLoader", replayOlmo},
      {"megatron", "HybridCPMegatronPretrainingSampler", replayMegatron},
      {"megatron", "MegatronPretrainingRandomSampler", replayRandom},
      {"megatron", "MegatronPretrainingSampler", replayMegatron},
      {"megatron_bridge", "MegatronPretrainingBatchSampler", replayBridgeBatches},
      {"megatron_bridge", "MegatronPretrainingRandomSampler", replayRandom},
      {"megatron_bridge", "MegatronPretrainingSampler", replayMegatron},
  };
}

}  // namespace shardlens::selftest
