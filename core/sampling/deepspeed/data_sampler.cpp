// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/deepspeed/curriculum.h"
#include "core/sampling/numpy_arguments.h"
#include "core/sampling/rules.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::sampling {
namespace deepspeed_data_sampler {
namespace {

constexpr std::int64_t kMostSteps = 1'000'000'000;
constexpr std::int64_t kMostDifficulty = 1'000'000'000'000;
/// So many global batches without a whole piece are taken for a search without end.
constexpr std::int64_t kMostBarren = 10'000;

Field metricsField() {
  using K = FieldKind;
  const auto count = [](const char* path, std::int64_t fallback, std::int64_t most, const char* help) {
    return Field{.path = path, .kind = K::Int, .fallback = fallback, .min = 1, .max = most, .help = help};
  };
  const auto choice = [](const char* path, std::vector<std::string> choices, const char* help) {
    const std::string fallback = choices.front();
    return Field{.path = path, .kind = K::Choice, .fallback = fallback, .choices = std::move(choices), .help = help};
  };
  return {.path = "sampler.metrics",
          .kind = K::Records,
          .fallback = RecordList(),
          .help = marked("fields",
                         "Metrics of the curriculum, in the order of the configuration; without one, all samples are "
                         "drawn from the first step on, as with a metric of single_cluster."),
          .items = {
              choice("difficulty_type", {"value", "percentile"},
                     marked("fields", "What difficulties count: values of the metric, or percent of the samples.")),
              choice("clustering_type", {"schedule_based", "single_cluster"},
                     marked("fields", "Whether the difficulty decides which samples are drawn.")),
              count("min_difficulty", 1, kMostDifficulty, marked("fields", "Difficulty at the first step.")),
              count("max_difficulty", 100, kMostDifficulty,
                    marked("fields", "Difficulty at which the schedule ends; 100 for all percent.")),
              choice("schedule_type", {"fixed_linear", "fixed_root", "fixed_discrete"},
                     marked("fields", "How the difficulty rises; fixed_discrete takes it from sampler.stages.")),
              count("total_curriculum_step", 1000, kMostSteps,
                    marked("fields", "Global batch at which the highest difficulty is reached.")),
              count("difficulty_step", 1, kMostDifficulty, marked("fields", "Difficulties are multiples of this.")),
              count("root_degree", 2, 1000, marked("fields", "Degree of the root of fixed_root.")),
          }};
}

Field stagesField() {
  const auto count = [](const char* path, std::int64_t least, const char* help) {
    return Field{.path = path,
                 .kind = FieldKind::Int,
                 .fallback = std::int64_t{least},
                 .min = least,
                 .max = kMostDifficulty,
                 .help = help};
  };
  return {.path = "sampler.stages",
          .kind = FieldKind::Records,
          .fallback = RecordList(),
          .help = marked("fields", "Difficulties of the metrics whose schedule is fixed_discrete, in their order."),
          .items = {count("metric", 0, marked("fields", "Number of the metric, counted from 0.")),
                    count("difficulty", 1, marked("fields", "Difficulty of the stage.")),
                    count("max_step", 0,
                          marked("fields", "Last global batch of the stage; the last stage of a metric has no end."))}};
}

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "deepspeed.DeepSpeedDataSampler",
      marked("samplers",
             "Draws global batches from clusters of samples, to which a curriculum adds harder ones; rank 0 draws for "
             "all."),
      {metricsField(), stagesField(),
       Field{.path = "sampler.metric_values",
             .kind = FieldKind::Numbers,
             .fallback = std::string("position"),
             .min = INT64_MIN,
             .max = INT64_MAX,
             .choices = {"position"},
             .help = marked("fields",
                            "Value of each sample by the first metric, then by the second, and so on; position counts "
                            "the samples from 1 for each of them.")},
       intOrNameField("sampler.num_epochs", "epochs", 1, 1'000'000, "epochs",
                      marked("fields",
                             "Epochs of the configuration, which decide when the sampler ends; epochs is the spec's "
                             "own number.")),
       intField("sampler.gradient_accumulation_steps", 1, 1, 1'000'000, "steps",
                marked("fields", "Steps that a global batch is cut into.")),
       seedField("sampler.seed", 1234, INT64_MIN, INT64_MAX, marked("fields", "Seed of all draws, used once.")),
       boolField("sampler.drop_last", true,
                 marked("fields", "Drop what a global batch holds behind its last whole step."))},
      {marked("samplers",
              "A pass has no epochs: samples are drawn from clusters at random, so some come twice before others come "
              "once."),
       marked(
           "samplers",
           "A cluster that is smaller than what is drawn from it makes a short batch, and with drop_last the sampler "
           "can draw forever without a step (PR 8520)."),
       marked("samplers",
              "It ends when more samples than dataset.size times num_epochs were read, and so reads one step too many "
              "where they divide evenly."),
       marked(
           "samplers",
           "A resumed run draws from the beginning of the random stream again, because the state of its generator is "
           "not saved (DeepSpeed#8405)."),
       marked("samplers", "A minimum difficulty that no sample meets raises ValueError in the first step.")}};
  return kInfo;
}

std::int64_t passes(const PipelineSpec& spec) {
  const Value value = parameter(spec, info(), "num_epochs");
  const auto* given = std::get_if<std::int64_t>(&value);
  return given == nullptr ? std::max<std::int64_t>(1, spec.epochs) : *given;
}

RecordList records(const PipelineSpec& spec, const char* key) {
  return std::get<RecordList>(parameter(spec, info(), key));
}

std::int64_t number(const Record& record, const char* key, std::int64_t otherwise) {
  const Value* value = record.find(key);
  return value == nullptr ? otherwise : std::get<std::int64_t>(*value);
}

bool says(const Record& record, const char* key, const char* choice) {
  const Value* value = record.find(key);
  return value != nullptr && *value == Value(std::string(choice));
}

NumberList valuesOf(const PipelineSpec& spec) {
  const Value given = parameter(spec, info(), "metric_values");
  const auto* list = std::get_if<NumberList>(&given);
  return list == nullptr ? NumberList() : *list;
}

std::vector<DeepSpeedMetric::Stage> stagesOf(const PipelineSpec& spec, std::size_t metric) {
  std::vector<DeepSpeedMetric::Stage> stages;
  for (const Record& stage : records(spec, "stages")) {
    if (number(stage, "metric", 0) == static_cast<std::int64_t>(metric))
      stages.push_back({number(stage, "difficulty", 1), number(stage, "max_step", 0)});
  }
  return stages;
}

DeepSpeedMetric metricOf(const PipelineSpec& spec, const Record& given, std::size_t index) {
  DeepSpeedMetric metric;
  metric.clustered = !says(given, "clustering_type", "single_cluster");
  metric.by_percentile = says(given, "difficulty_type", "percentile");
  metric.min_difficulty = number(given, "min_difficulty", 1);
  metric.max_difficulty = number(given, "max_difficulty", 100);
  metric.total_step = number(given, "total_curriculum_step", 1000);
  metric.difficulty_step = number(given, "difficulty_step", 1);
  if (says(given, "schedule_type", "fixed_root")) metric.root_degree = number(given, "root_degree", 2);
  if (says(given, "schedule_type", "fixed_discrete")) metric.stages = stagesOf(spec, index);
  const auto size = static_cast<std::size_t>(spec.dataset.size);
  const NumberList values = valuesOf(spec);
  if (values.empty()) {
    metric.values.resize(size);
    std::iota(metric.values.begin(), metric.values.end(), 1.0);
  } else {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(index * size);
    metric.values.assign(first, first + static_cast<std::ptrdiff_t>(size));
  }
  metric.rising.resize(size);
  std::iota(metric.rising.begin(), metric.rising.end(), std::int64_t{0});
  std::ranges::stable_sort(metric.rising, {},
                           [&](std::int64_t sample) { return metric.values[static_cast<std::size_t>(sample)]; });
  return metric;
}

std::vector<DeepSpeedMetric> metricsOf(const PipelineSpec& spec) {
  std::vector<DeepSpeedMetric> metrics;
  const RecordList given = records(spec, "metrics");
  for (std::size_t i = 0; i < given.size(); ++i) metrics.push_back(metricOf(spec, given[i], i));
  if (metrics.empty()) metrics.emplace_back();
  return metrics;
}

Error refused(std::string message, const char* field, std::string hint) {
  return {ErrorCode::BadInput, std::move(message), {{}, 0, 0, field}, std::move(hint)};
}

Result<void> checkStages(const PipelineSpec& spec) {
  const RecordList metrics = records(spec, "metrics");
  const bool several = std::ranges::count_if(metrics, [](const Record& metric) {
                         return !says(metric, "clustering_type", "single_cluster");
                       }) > 1;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    if (!says(metrics[i], "schedule_type", "fixed_discrete")) continue;
    const std::vector<DeepSpeedMetric::Stage> stages = stagesOf(spec, i);
    if (stages.empty()) {
      return refused(worded("checks", "a metric with fixed_discrete has no stage."), "sampler.stages",
                     worded("checks", "give it stages, or take another schedule"));
    }
    if (several && !std::ranges::is_sorted(stages, {}, &DeepSpeedMetric::Stage::difficulty)) {
      return refused(worded("checks", "with several metrics, difficulties that fall are not modelled."),
                     "sampler.stages", worded("checks", "let difficulties rise"));
    }
  }
  return {};
}

Result<void> check(const PipelineSpec& spec) {
  if (auto seed = checkNumpySeed(intParameter(spec, info(), "seed"), "sampler.seed"); !seed) return seed;
  const std::size_t values = valuesOf(spec).size();
  const std::size_t wanted = records(spec, "metrics").size() * static_cast<std::size_t>(spec.dataset.size);
  if (values != 0 && wanted != 0 && values != wanted) {
    return refused(worded("checks", "metric_values needs one number for each sample and metric."),
                   "sampler.metric_values",
                   worded("checks", "give dataset.size numbers for each of sampler.metrics, or position"));
  }
  return checkStages(spec);
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  return {info().type, static_cast<std::uint64_t>(intParameter(spec, info(), "seed")),
          static_cast<std::uint64_t>(epoch.value)};
}

/// Half of a whole number to the even neighbour, as Python rounds.
std::int64_t rounded(std::int64_t dividend, std::int64_t divisor) {
  const std::int64_t whole = dividend / divisor;
  const std::int64_t twice = dividend % divisor * 2;
  return twice > divisor || (twice == divisor && whole % 2 != 0) ? whole + 1 : whole;
}

/// What all ranks together take in a step.
using Piece = std::vector<std::int64_t>;

/// The steps of an epoch of the plan: those that begin when so many whole passes over the dataset were read, and in
/// the last epoch also the one behind them.
Result<std::vector<Piece>> piecesOf(const PipelineSpec& spec, std::int64_t epoch, const Work& work) {
  const std::int64_t step_size = spec.loader.batch_size * spec.worldSize();
  const std::int64_t steps = intParameter(spec, info(), "gradient_accumulation_steps");
  const std::int64_t total = spec.dataset.size * passes(spec);
  const std::int64_t first = epoch * spec.dataset.size;
  const std::int64_t end = epoch + 1 < passes(spec) ? first + spec.dataset.size : total + 1;
  const bool drop_last = boolParameter(spec, info(), "drop_last");
  DeepSpeedCurriculum curriculum(spec.dataset.size, step_size * steps,
                                 static_cast<std::uint64_t>(intParameter(spec, info(), "seed")), metricsOf(spec));
  std::vector<Piece> pieces;
  if (epoch >= passes(spec)) return pieces;
  std::int64_t barren = 0;
  for (std::int64_t consumed = 0; consumed < end;) {
    if (work.stopped()) return cancelled();
    work.progress(static_cast<double>(consumed) / static_cast<double>(end));
    auto batch = curriculum.next();
    if (!batch) return batch.error();
    if (++barren > kMostBarren) {
      return refused(worded("checks",
                            "DeepSpeedDataSampler draws on without a step: 10 000 global batches in a row hold fewer "
                            "samples than a step takes, and drop_last drops them."),
                     "sampler.drop_last", worded("checks", "switch it off, or lower loader.batch_size"));
    }
    for (std::int64_t at = 0; at < std::ssize(*batch) && consumed < end; at += step_size) {
      const std::int64_t count = std::min(step_size, std::ssize(*batch) - at);
      if (count < step_size && drop_last) break;
      if (consumed >= first) pieces.emplace_back(batch->begin() + at, batch->begin() + at + count);
      consumed += count;
      barren = 0;
    }
  }
  return pieces;
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const auto pieces = piecesOf(spec, static_cast<std::int64_t>(key.skip), work);
  if (!pieces) return pieces.error();
  const std::int64_t ranks = spec.worldSize();
  std::vector<std::int64_t> ids;
  Deal deal;
  deal.lists_batches = true;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    deal.shares.push_back({std::ssize(ids), 0, 0, deal.batch_ends.size(), std::ssize(*pieces)});
    for (const Piece& piece : *pieces) {
      const std::int64_t size = std::ssize(piece);
      ids.insert(ids.end(), piece.begin() + rounded(rank * size, ranks),
                 piece.begin() + rounded((rank + 1) * size, ranks));
      deal.batch_ends.push_back(std::ssize(ids));
    }
    deal.shares.back().count = std::ssize(ids) - deal.shares.back().first;
  }
  return Order::dealt(Order::of(std::move(ids)), std::move(deal));
}

SamplerClaims claims(const PipelineSpec& spec) {
  return {.divides = true,
          .has_empty_batches = !boolParameter(spec, info(), "drop_last"),
          .in_order = RepeatCause::Replacement,
          .across_shares = RepeatCause::Replacement};
}

}  // namespace
}  // namespace deepspeed_data_sampler

SamplerRule deepSpeedDataSampler() {
  using namespace deepspeed_data_sampler;
  return {.info = info(),
          .traits = {.seed = "seed", .drop_last = "drop_last"},
          .claims = claims,
          .left_out = always<MissingCause::NotDrawn>,
          .check = check,
          .key = key,
          .order = order};
}

}  // namespace shardlens::sampling
