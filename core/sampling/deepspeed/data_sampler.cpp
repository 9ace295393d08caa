// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/base/result.h"
#include "core/random/numpy_generator.h"
#include "core/sampling/numpy_global.h"
#include "core/sampling/python.h"
#include "core/sampling/rules.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::sampling {
namespace deepspeed_data_sampler {
namespace {

/// One metric of DeepSpeed's curriculum learning.
struct DeepSpeedMetric {
  bool clustered = false;      ///< curriculum clustering schedule_based instead of single_cluster
  bool by_percentile = false;  ///< difficulties count percent of the samples instead of values
  std::int64_t min_difficulty = 1;
  std::int64_t max_difficulty = 1;
  std::int64_t total_step = 1;
  std::int64_t difficulty_step = 1;
  std::int64_t root_degree = 1;  ///< 1 for fixed_linear
  struct Stage {
    std::int64_t difficulty = 1;
    std::int64_t max_step = 0;  ///< its last step; of the last stage never read
  };
  std::vector<Stage> stages;         ///< of fixed_discrete; empty for the other schedules
  std::vector<double> values;        ///< of each sample
  std::vector<std::int64_t> rising;  ///< the samples by value, and those of one value ascending

  /// What the scheduler says at this step, after `current`.
  [[nodiscard]] std::int64_t difficultyAt(std::int64_t step, std::int64_t current) const;
  /// Samples above one difficulty and up to another; nothing when no sample has such a value.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> between(std::optional<std::int64_t> above,
                                                                 std::int64_t upto) const;
};

/// What rank 0 draws: global batches, one behind the other, from one generator.
class DeepSpeedCurriculum {
 public:
  DeepSpeedCurriculum(std::int64_t samples, std::int64_t global_batch, std::uint64_t seed,
                      std::vector<DeepSpeedMetric> metrics);

  /// The next global batch, which is shorter where a cluster has fewer samples than are drawn from it. What NumPy
  /// raises comes from here.
  Result<std::vector<std::int64_t>> next();

 private:
  struct Cluster {
    std::vector<std::int64_t> samples;
    std::size_t used = 0;
  };

  using Samples = std::optional<std::vector<std::int64_t>>;

  /// Raises the difficulties; whether one changed, and what they were before.
  bool advance(std::vector<std::optional<std::int64_t>>& before);
  [[nodiscard]] Result<Samples> newSamples(const std::vector<std::optional<std::int64_t>>& before) const;
  [[nodiscard]] Result<Samples> commonSamples() const;
  [[nodiscard]] std::vector<std::int64_t> all() const;
  void take(Cluster& cluster, std::size_t count, std::vector<std::int64_t>& batch);

  std::int64_t samples_;
  std::int64_t global_batch_;
  NumpyGenerator generator_;
  std::vector<DeepSpeedMetric> metrics_;
  std::vector<std::int64_t> scheduled_;                    ///< by metric, as its scheduler holds it
  std::vector<std::optional<std::int64_t>> difficulties_;  ///< by metric; none before the first step
  std::int64_t step_ = 0;
  std::vector<Cluster> clusters_;
};

std::int64_t DeepSpeedMetric::difficultyAt(std::int64_t step, std::int64_t current) const {
  if (current >= max_difficulty) return current;
  if (!stages.empty()) {
    const auto stage =
        std::find_if(stages.begin(), stages.end() - 1, [step](const Stage& one) { return step <= one.max_step; });
    return stage->difficulty;
  }
  const double part = static_cast<double>(step) / static_cast<double>(total_step);
  const double risen = std::pow(part, 1.0 / static_cast<double>(root_degree));
  const auto range = static_cast<double>(max_difficulty - min_difficulty);
  const double reached = std::floor(risen * range + static_cast<double>(min_difficulty));
  if (reached >= static_cast<double>(max_difficulty) + static_cast<double>(difficulty_step)) return max_difficulty;
  const auto difficulty = static_cast<std::int64_t>(reached);
  return std::min(difficulty - difficulty % difficulty_step, max_difficulty);
}

std::optional<std::vector<std::int64_t>> DeepSpeedMetric::between(std::optional<std::int64_t> above,
                                                                  std::int64_t upto) const {
  const auto size = std::ssize(rising);
  if (by_percentile) {
    const std::int64_t share = size / max_difficulty;
    const std::int64_t end = upto == max_difficulty ? size : std::min(size, share * upto);
    const std::int64_t first = std::min(end, share * above.value_or(0));
    return std::vector<std::int64_t>(rising.begin() + first, rising.begin() + end);
  }
  const auto value = [this](std::int64_t sample) { return values[static_cast<std::size_t>(sample)]; };
  const auto end = std::ranges::upper_bound(rising, static_cast<double>(upto), {}, value);
  const auto first =
      above ? std::ranges::upper_bound(rising.begin(), end, static_cast<double>(*above), {}, value) : rising.begin();
  if (first == end) return std::nullopt;
  return std::vector<std::int64_t>(first, end);
}

DeepSpeedCurriculum::DeepSpeedCurriculum(std::int64_t samples, std::int64_t global_batch, std::uint64_t seed,
                                         std::vector<DeepSpeedMetric> metrics)
    : samples_(samples),
      global_batch_(global_batch),
      generator_(seed),
      metrics_(std::move(metrics)),
      difficulties_(metrics_.size()) {
  for (const DeepSpeedMetric& metric : metrics_) scheduled_.push_back(metric.min_difficulty);
}

bool DeepSpeedCurriculum::advance(std::vector<std::optional<std::int64_t>>& before) {
  ++step_;
  bool changed = false;
  before = difficulties_;
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    scheduled_[i] = metrics_[i].difficultyAt(step_, scheduled_[i]);
    changed = changed || difficulties_[i] != scheduled_[i];
    difficulties_[i] = scheduled_[i];
  }
  return changed;
}

std::vector<std::int64_t> DeepSpeedCurriculum::all() const {
  std::vector<std::int64_t> samples(static_cast<std::size_t>(samples_));
  std::iota(samples.begin(), samples.end(), std::int64_t{0});
  return samples;
}

/// Of several clustered metrics: the samples that are easy enough by each of them, less those of earlier clusters.
/// A first metric without such samples is passed over; a later one cannot be intersected.
Result<DeepSpeedCurriculum::Samples> DeepSpeedCurriculum::commonSamples() const {
  Samples common;
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    Samples own = metrics_[i].clustered ? metrics_[i].between(std::nullopt, *difficulties_[i]) : Samples(all());
    if (!common) {
      common = std::move(own);
      continue;
    }
    if (!own) {
      return raised("TypeError", "'<' not supported between instances of 'NoneType' and 'int'", "sampler.metrics",
                    worded("checks", "raise min_difficulty until each metric has samples that are easy enough"));
    }
    std::ranges::sort(*common);
    std::ranges::sort(*own);
    std::vector<std::int64_t> both;
    std::ranges::set_intersection(*common, *own, std::back_inserter(both));
    common = std::move(both);
  }
  std::vector<bool> known(static_cast<std::size_t>(samples_));
  for (const Cluster& cluster : clusters_) {
    for (const std::int64_t sample : cluster.samples) known[static_cast<std::size_t>(sample)] = true;
  }
  if (common) std::erase_if(*common, [&](std::int64_t sample) { return known[static_cast<std::size_t>(sample)]; });
  return common;
}

Result<DeepSpeedCurriculum::Samples> DeepSpeedCurriculum::newSamples(
    const std::vector<std::optional<std::int64_t>>& before) const {
  if (std::ranges::count_if(metrics_, &DeepSpeedMetric::clustered) > 1) return commonSamples();
  Samples added = clusters_.empty() ? Samples(all()) : std::nullopt;
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    if (metrics_[i].clustered) added = metrics_[i].between(before[i], *difficulties_[i]);
  }
  return added;
}

/// What is left of the cluster, and when that is too little the beginning of a new permutation of it, once.
void DeepSpeedCurriculum::take(Cluster& cluster, std::size_t count, std::vector<std::int64_t>& batch) {
  const std::size_t size = cluster.samples.size();
  const std::size_t left = std::min(count, size - std::min(size, cluster.used));
  const auto first = cluster.samples.begin() + static_cast<std::ptrdiff_t>(std::min(size, cluster.used));
  batch.insert(batch.end(), first, first + static_cast<std::ptrdiff_t>(left));
  cluster.used += count;
  if (left == count) return;
  generator_.shuffle(std::span(cluster.samples));
  cluster.used = count - left;
  const auto more = static_cast<std::ptrdiff_t>(std::min(size, cluster.used));
  batch.insert(batch.end(), cluster.samples.begin(), cluster.samples.begin() + more);
}

Result<std::vector<std::int64_t>> DeepSpeedCurriculum::next() {
  std::vector<std::optional<std::int64_t>> before;
  if (advance(before)) {
    auto added = newSamples(before);
    if (!added) return added.error();
    if (*added && !(*added)->empty()) {
      generator_.shuffle(std::span(**added));
      clusters_.push_back({std::move(**added), 0});
    }
  }
  if (clusters_.empty()) {
    return raised("ValueError", "a must be a positive integer unless no samples are taken", "sampler.metrics",
                  worded("checks", "no sample is easy enough for the first step: raise min_difficulty"));
  }
  double held = 0;
  for (const Cluster& cluster : clusters_) held += static_cast<double>(cluster.samples.size());
  std::vector<double> shares;
  for (const Cluster& cluster : clusters_) shares.push_back(static_cast<double>(cluster.samples.size()) / held);
  std::vector<std::size_t> counts(clusters_.size());
  for (const std::int64_t drawn : generator_.choiceByWeight(shares, static_cast<std::size_t>(global_batch_)))
    ++counts[static_cast<std::size_t>(drawn)];
  std::vector<std::int64_t> batch;
  for (std::size_t i = 0; i < clusters_.size(); ++i) take(clusters_[i], counts[i], batch);
  generator_.shuffle(std::span(batch));
  return batch;
}

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
              "It ends when more samples than dataset.size times num_epochs were read, so it reads one step too many "
              "if they divide evenly."),
       marked(
           "samplers",
           "A resumed run draws from the beginning of the random stream again, because the state of its generator is "
           "not saved (DeepSpeed#8405)."),
       marked("samplers", "A minimum difficulty that no sample meets raises ValueError in the first step.")}};
  return kInfo;
}

std::int64_t passes(const PipelineSpec& spec) {
  return intParameterOr(spec, info(), "num_epochs", std::max<std::int64_t>(1, spec.epochs));
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
  const NumberList values = numbersParameter(spec, info(), "metric_values");
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
  const std::size_t values = numbersParameter(spec, info(), "metric_values").size();
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
                            "DeepSpeedDataSampler keeps drawing without a step: 10 000 global batches in a row hold "
                            "fewer samples than a step takes, and drop_last drops them."),
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
          .traits = {.seed = "seed", .drop_last = "drop_last", .accumulation = "gradient_accumulation_steps"},
          .claims = claims,
          .left_out = always<MissingCause::NotDrawn>,
          .check = check,
          .key = key,
          .order = order};
}

}  // namespace shardlens::sampling
