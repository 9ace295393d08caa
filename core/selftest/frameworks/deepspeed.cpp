// SPDX-License-Identifier: Apache-2.0
#include "core/selftest/replay.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::selftest {
namespace deepspeed_rows {
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

std::optional<PipelineSpec> specOf(const VectorRow& row) {
  const auto size = row.params.integer("dataset_size");
  const auto epochs = row.params.integer("num_epochs");
  const auto micro = row.params.integer("micro_batch_size");
  const auto ranks = row.params.integer("data_parallel_size");
  const auto steps = row.params.integer("gradient_accumulation_steps");
  const auto seed = row.params.bits("seed");
  const auto drop_last = row.params.flag("drop_last");
  const nlohmann::json* metrics = row.params.find("metrics");
  const bool known = row.params.onlyHas({"dataset_size", "num_epochs", "micro_batch_size", "data_parallel_size",
                                         "gradient_accumulation_steps", "seed", "drop_last", "metrics", "taken"});
  if (!size || *size < 0 || !epochs || !micro || !ranks || !steps || !seed || !drop_last || metrics == nullptr ||
      !metrics->is_object() || !known)
    return std::nullopt;
  Curriculum curriculum;
  for (const nlohmann::json& metric : *metrics) {
    if (!metric.is_object() || !curriculum.add(metric, *size)) return std::nullopt;
  }
  NumberList values = curriculum.values(*size);
  PipelineSpec spec;
  spec.dataset.size = *size;
  spec.world = {1, *ranks};
  spec.loader.batch_size = *micro;
  spec.epochs = *epochs;
  spec.sampler = {"deepspeed.DeepSpeedDataSampler",
                  {{"metrics", RecordList(std::move(curriculum.metrics))},
                   {"stages", RecordList(std::move(curriculum.stages))},
                   {"gradient_accumulation_steps", *steps},
                   {"seed", static_cast<std::int64_t>(*seed)},
                   {"drop_last", *drop_last}}};
  if (!values.empty()) spec.sampler.parameters["metric_values"] = std::move(values);
  return spec;
}

/// The first `taken` steps of a rank, from as many epochs of the plan as hold them.
Result<Answer> replayedSteps(const PipelineSpec& spec, Rank rank, std::int64_t taken, Planner& planner) {
  Answer answer;
  answer.batch_sizes.emplace();
  for (Epoch epoch{0}; epoch.value < spec.epochs && std::ssize(*answer.batch_sizes) < taken; ++epoch) {
    const auto drawn = planner.rankEpoch(spec, epoch, rank);
    if (!drawn) return drawn.error();
    for (Step step{0}; step.value < drawn->batches() && std::ssize(*answer.batch_sizes) < taken; ++step) {
      const auto samples = drawn->batchSamples(step);
      answer.indices.insert(answer.indices.end(), samples.begin(), samples.end());
      answer.batch_sizes->push_back(std::ssize(samples));
    }
  }
  answer.length = spec.dataset.size * spec.epochs;
  return answer;
}

/// The class counts a step as consumed when it is asked for the next one.
RowVerdict replaySampler(const VectorRow& row, Planner& planner) {
  const auto spec = specOf(row);
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

}  // namespace
}  // namespace deepspeed_rows

std::vector<Replay> deepspeedReplays() {
  using namespace deepspeed_rows;
  return {{"deepspeed", "DeepSpeedDataSampler", replaySampler}};
}

}  // namespace shardlens::selftest
