// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/base/result.h"
#include "core/random/torch_multinomial.h"
#include "core/random/torch_randperm.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/python.h"
#include "core/sampling/timm/samplers.h"
#include "core/sampling/torch/order.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace shardlens::sampling {
namespace timm_scheduled_batch_sampler {
namespace {

/// What ScheduledBatchSampler is told about its batches.
struct TimmChoices {
  std::vector<std::int64_t> sizes;
  std::vector<double> weights;  ///< a sum of 1
  std::uint64_t seed = 0;
  bool drop_last = false;
  bool shuffle = true;
  std::int64_t num_batches = 0;  ///< 0: as many as the samples give
  bool progressive = false;
  std::int64_t schedule_epochs = 1;
  double spread = 0;
  double random_mix = 0;
  std::string torch = "2.9";                                      ///< release
  TorchMultinomialPath path = TorchMultinomialPath::Exponential;  ///< of a draw of one

  /// The probability of each choice in an epoch.
  [[nodiscard]] std::vector<double> weightsIn(std::int64_t epoch) const;
  /// num_batches, or what a progressive schedule infers from the number of samples; 0 without either.
  [[nodiscard]] std::int64_t fixedBatches(std::int64_t samples) const;
  /// The batches of an epoch, in their order.
  [[nodiscard]] std::vector<TimmScheduled> schedule(std::int64_t samples, std::int64_t epoch) const;

 private:
  [[nodiscard]] std::vector<TimmScheduled> ofBudget(std::int64_t samples) const;
  [[nodiscard]] std::vector<TimmScheduled> ofNumber(std::int64_t batches, std::int64_t epoch) const;
};

double real(std::int64_t number) {
  return static_cast<double>(number);
}

void normalize(std::vector<double>& weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= sum;
}

/// torch.multinomial(weights, 1): the category with the largest weight / exponential variate.
std::size_t pick(TorchGenerator& generator, std::span<const double> weights, TorchMultinomialPath path) {
  std::uint32_t category = 0;
  if (path == TorchMultinomialPath::ExponentialMkl) {
    (void)torchMultinomial(generator, weights, path, {&category, 1});
    return category;
  }
  double best = -1;
  for (std::uint32_t i = 0; i < weights.size(); ++i) {
    const double share = weights[i] / -std::log1p(-static_cast<double>(generator.random53()) * 0x1p-53);
    if (share > best) std::tie(best, category) = std::pair(share, i);
  }
  return category;
}

/// The first of the possible choices that are nearest to `centre`.
std::size_t nearest(std::span<const double> weights, double centre) {
  std::size_t best = weights.size();
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double distance = std::abs(real(static_cast<std::int64_t>(i)) - centre);
    if (weights[i] > 0 && distance < least) std::tie(best, least) = std::pair(i, distance);
  }
  return best;
}

std::vector<double> TimmChoices::weightsIn(std::int64_t epoch) const {
  if (!progressive || sizes.size() == 1) return weights;
  const double progress = schedule_epochs == 1 ? 1 : std::clamp(real(epoch) / real(schedule_epochs - 1), 0.0, 1.0);
  const double centre = progress * real(static_cast<std::int64_t>(sizes.size()) - 1);
  std::vector<double> distances;
  for (std::size_t i = 0; i < sizes.size(); ++i) distances.push_back(real(static_cast<std::int64_t>(i)) - centre);
  const double least =
      std::abs(*std::ranges::min_element(distances, {}, [](double distance) { return std::abs(distance); }));
  std::vector<double> now(sizes.size());
  for (std::size_t i = 0; i < now.size(); ++i) {
    const double scaled = distances[i] / spread;
    const double near = spread == 0 ? (std::abs(distances[i]) == least ? 1.0 : 0.0) : std::exp(-0.5 * scaled * scaled);
    now[i] = near * weights[i];
  }
  if (std::accumulate(now.begin(), now.end(), 0.0) > 0) {
    normalize(now);
  } else {
    now.assign(now.size(), 0);
    now[nearest(weights, centre)] = 1;
  }
  if (random_mix == 0) return normalize(now), now;
  const auto active = std::ranges::count_if(weights, [](double weight) { return weight > 0; });
  for (std::size_t i = 0; i < now.size(); ++i)
    now[i] = (1 - random_mix) * now[i] + random_mix * (weights[i] > 0 ? 1 / real(active) : 0);
  normalize(now);
  return now;
}

std::int64_t TimmChoices::fixedBatches(std::int64_t samples) const {
  if (num_batches > 0 || !progressive) return num_batches;
  if (std::ranges::count(sizes, sizes.front()) == std::ssize(sizes))
    return samples / sizes.front() + (!drop_last && samples % sizes.front() != 0 ? 1 : 0);
  double sum = 0;
  for (std::int64_t epoch = 0; epoch < schedule_epochs; ++epoch) {
    const std::vector<double> now = weightsIn(epoch);
    double expected = 0;
    for (std::size_t i = 0; i < now.size(); ++i) expected += now[i] * real(sizes[i]);
    sum += expected;
  }
  const double batches = real(samples) / (sum / real(schedule_epochs));
  return static_cast<std::int64_t>(drop_last ? std::floor(batches) : std::ceil(batches));
}

/// Drawn once, for all epochs: choices that still fit, until none does.
std::vector<TimmScheduled> TimmChoices::ofBudget(std::int64_t samples) const {
  TorchGenerator generator(seed);
  std::vector<TimmScheduled> batches;
  for (std::int64_t left = samples;;) {
    std::vector<double> fitting;
    std::vector<std::int64_t> choices;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (weights[i] <= 0 || sizes[i] > left) continue;
      fitting.push_back(weights[i]);
      choices.push_back(static_cast<std::int64_t>(i));
    }
    if (fitting.empty()) {
      if (left > 0 && !drop_last) batches.push_back({static_cast<std::int64_t>(pick(generator, weights, path)), left});
      return batches;
    }
    const std::int64_t choice = choices[pick(generator, fitting, path)];
    batches.push_back({choice, sizes[static_cast<std::size_t>(choice)]});
    left -= batches.back().size;
  }
}

std::vector<TimmScheduled> TimmChoices::ofNumber(std::int64_t batches, std::int64_t epoch) const {
  TorchGenerator generator(seed + 2 * static_cast<std::uint64_t>(epoch));
  const std::vector<double> now = weightsIn(epoch);
  std::vector<TimmScheduled> drawn;
  for (std::int64_t i = 0; i < batches; ++i) {
    const std::size_t choice = pick(generator, now, path);
    drawn.push_back({static_cast<std::int64_t>(choice), sizes[choice]});
  }
  return drawn;
}

std::vector<TimmScheduled> TimmChoices::schedule(std::int64_t samples, std::int64_t epoch) const {
  const std::int64_t number = fixedBatches(samples);
  std::vector<TimmScheduled> batches = number > 0 ? ofNumber(number, epoch) : ofBudget(samples);
  if (!shuffle || batches.size() < 2) return batches;
  std::vector<std::int64_t> places(batches.size());
  TorchGenerator generator(seed + 2 * static_cast<std::uint64_t>(epoch) + 1);
  (void)torchRandperm(generator, std::span(places), {}, torchRandpermRule(torch, places.size()));
  std::vector<TimmScheduled> ordered;
  for (const std::int64_t place : places) ordered.push_back(batches[static_cast<std::size_t>(place)]);
  return ordered;
}

constexpr std::int64_t kMostBatch = 1'000'000;
constexpr std::int64_t kMostBatches = 10'000'000;
constexpr std::int64_t kMostEpochs = 100'000;

Field realField(const char* path, double fallback, std::int64_t max, const char* help) {
  return Field{.path = path, .kind = FieldKind::Float, .fallback = fallback, .min = 0, .max = max, .help = help};
}

std::vector<Field> fields() {
  return {
      Field{.path = "sampler.batch_sizes",
            .kind = FieldKind::Indices,
            .fallback = IndexList({2, 1}),
            .min = 1,
            .max = kMostBatch,
            .unit = "samples",
            .help = marked("fields", "Batch size of each choice of resolution or transforms.")},
      Field{.path = "sampler.choice_weights",
            .kind = FieldKind::Numbers,
            .fallback = std::string("equal"),
            .choices = {"equal"},
            .help = marked("fields", "How likely each choice is; one number for each of batch_sizes.")},
      seedField("sampler.seed", 0, INT64_MIN, INT64_MAX, marked("fields", "Seed of the schedule of batches.")),
      boolField("sampler.drop_last", true,
                marked("fields", "Leave out the samples that fill none of the batch sizes.")),
      boolField("sampler.shuffle_schedule", true,
                marked("fields", "Permute the batches of the schedule in every epoch.")),
      intOrNameField("sampler.num_batches", "none", 1, kMostBatches, "batches",
                     marked("fields",
                            "Batches in an epoch, for which the samples are read again and again; none takes each "
                            "sample once, or what a progressive schedule infers.")),
      choiceField("sampler.choice_schedule", "constant", {"constant", "progressive"},
                  marked("fields", "Whether the choices move from the first to the last in the course of training.")),
      intOrNameField("sampler.schedule_epochs", "epochs", 1, kMostEpochs, "epochs",
                     marked("fields",
                            "Epochs over which a progressive schedule moves; epochs is the spec's own "
                            "number.")),
      realField("sampler.schedule_spread", 0.65, 1'000'000,
                marked("fields", "Width of a progressive schedule, in choices; 0 takes the nearest one only.")),
      realField("sampler.schedule_random_mix", 0.1, 1,
                marked("fields", "Share of a progressive schedule that is drawn evenly from all choices.")),
      choiceField("sampler.inner", "distributed", {"distributed", "sequential"},
                  marked("fields", "The sampler inside: torch's DistributedSampler, or the dataset in order.")),
      seedField("sampler.inner_seed", 0, INT64_MIN, INT64_MAX,
                marked("fields", "Seed of the DistributedSampler inside; the epoch is added.")),
      boolField("sampler.set_epoch", true,
                marked("fields",
                       "Whether the script calls set_epoch(epoch), which also tells the sampler inside; if it does "
                       "not, every epoch repeats epoch 0.")),
  };
}

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "timm.ScheduledBatchSampler",
      marked("samplers",
             "Makes batches of several sizes out of another sampler, by a schedule that is the same on every rank."),
      fields(),
      {marked("samplers",
              "Without num_batches the numbers of batches of each size are drawn once: every epoch has the same ones, "
              "in another order."),
       marked("samplers",
              "Seed s in epoch e shuffles the schedule as seed s + 2 does in epoch e - 1, so a sweep over seeds sees "
              "shifted copies."),
       marked("samplers",
              "With num_batches the sampler inside is started again in the same epoch, with the same order: samples "
              "are repeated while others wait for the next epoch.")},
      {"framework.torch_mkl"}};
  return kInfo;
}

template <class T>
T named(const PipelineSpec& spec, const char* key, T otherwise) {
  const Value value = parameter(spec, info(), key);
  const T* given = std::get_if<T>(&value);
  return given == nullptr ? otherwise : *given;
}

bool isDistributed(const PipelineSpec& spec) {
  return named<std::string>(spec, "inner", "") == "distributed";
}

/// Of the sampler inside, on each rank.
std::int64_t samplesOf(const PipelineSpec& spec) {
  return isDistributed(spec) ? distributedSamples(spec.dataset.size, spec.worldSize(), false) : spec.dataset.size;
}

TimmChoices choicesOf(const PipelineSpec& spec) {
  TimmChoices choices;
  const auto sizes = named<IndexList>(spec, "batch_sizes", {});
  const auto weights = named<NumberList>(spec, "choice_weights", {});
  choices.sizes.assign(sizes.begin(), sizes.end());
  choices.weights.assign(weights.begin(), weights.end());
  if (weights.empty()) choices.weights.assign(choices.sizes.size(), 1);
  const double sum = std::accumulate(choices.weights.begin(), choices.weights.end(), 0.0);
  for (double& weight : choices.weights) weight /= sum;
  choices.seed = static_cast<std::uint64_t>(intParameter(spec, info(), "seed"));
  choices.drop_last = boolParameter(spec, info(), "drop_last");
  choices.shuffle = boolParameter(spec, info(), "shuffle_schedule");
  choices.num_batches = named<std::int64_t>(spec, "num_batches", 0);
  choices.progressive = named<std::string>(spec, "choice_schedule", "") == "progressive";
  choices.schedule_epochs = named<std::int64_t>(spec, "schedule_epochs", std::max<std::int64_t>(1, spec.epochs));
  choices.spread = named<double>(spec, "schedule_spread", 0);
  choices.random_mix = named<double>(spec, "schedule_random_mix", 0);
  choices.torch = spec.framework.torch;
  choices.path = torchMultinomialPath(spec.framework.torch, 1, false, spec.framework.torch_mkl);
  return choices;
}

Error refused(const char* message, const char* field, std::string hint) {
  return raised("ValueError", message, field, std::move(hint));
}

Result<void> checkWeights(const NumberList& weights, std::size_t choices) {
  const char* const field = "sampler.choice_weights";
  if (weights.empty()) return {};
  if (weights.size() != choices) {
    return refused("choice_weights and batch_sizes must have the same length.", field,
                   worded("checks", "give one weight for each of sampler.batch_sizes"));
  }
  if (std::ranges::any_of(weights, [](double weight) { return !std::isfinite(weight) || weight < 0; })) {
    return refused("choice_weights must contain finite, non-negative values.", field,
                   worded("checks", "give weights of 0 or more"));
  }
  if (std::ranges::any_of(weights, [](double weight) { return weight > 0; })) return {};
  return refused("choice_weights must have a positive sum.", field, worded("checks", "give a weight above 0"));
}

Result<void> check(const PipelineSpec& spec) {
  if (samplesOf(spec) == 0) {
    return refused("ScheduledBatchSampler requires a non-empty sampler.", "dataset.size",
                   worded("checks", "give at least 1 sample"));
  }
  const std::size_t choices = named<IndexList>(spec, "batch_sizes", {}).size();
  if (choices == 0) {
    return refused("batch_sizes must contain at least one value.", "sampler.batch_sizes",
                   worded("checks", "give a batch size"));
  }
  const bool progressive = named<std::string>(spec, "choice_schedule", "") == "progressive";
  if (progressive && choices < 2) {
    return refused("A progressive schedule requires at least two choices.", "sampler.batch_sizes",
                   worded("checks", "give two batch sizes or more"));
  }
  if (auto weights = checkWeights(named<NumberList>(spec, "choice_weights", {}), choices); !weights) return weights;
  const TimmChoices given = choicesOf(spec);
  const std::int64_t samples = samplesOf(spec);
  const auto fits = [&](std::size_t i) { return given.weights[i] > 0 && given.sizes[i] <= samples; };
  bool any = given.num_batches > 0 || !given.drop_last;
  for (std::size_t i = 0; !given.progressive && i < choices; ++i) any = any || fits(i);
  if (given.progressive) any = given.fixedBatches(samples) > 0;
  if (any) return {};
  return refused("No full scheduled batch fits the sampler; reduce the batch sizes.", "sampler.batch_sizes",
                 worded("checks", "take smaller ones, or switch sampler.drop_last off"));
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  const std::string seeds = std::to_string(intParameter(spec, info(), "seed")) + " " +
                            std::to_string(intParameter(spec, info(), "inner_seed"));
  return {info().type + " " + seeds, static_cast<std::uint64_t>(givenEpoch(spec, epoch).value), 0};
}

/// What the sampler inside yields on a rank in the epoch that it was told.
Result<Slice> innerSlice(const PipelineSpec& spec, std::int64_t told, Rank rank, const Work& work) {
  // Added as torch adds them: modulo 2^64.
  const auto seed =
      static_cast<std::uint64_t>(intParameter(spec, info(), "inner_seed")) + static_cast<std::uint64_t>(told);
  const bool divided = isDistributed(spec);
  auto order = torchOrder(spec, {divided ? kRandperm : kSequential, seed, 0}, work);
  if (!order) return order.error();
  const std::int64_t size = spec.dataset.size;
  return divided ? Slice(std::move(*order), rank.value, spec.worldSize(), samplesOf(spec), size)
                 : Slice(std::move(*order), 0, 1, size, size);
}

/// One share for each rank, or a single one for all where each reads the whole dataset.
Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const auto told = static_cast<std::int64_t>(key.seed);
  const std::vector<TimmScheduled> batches = timmSchedule(spec, told);
  const auto whole = innerSlice(spec, told, Rank{0}, work.part(0, 0.5));
  if (!whole) return whole.error();
  const std::int64_t samples = samplesOf(spec);
  std::vector<std::int64_t> ids;
  Deal deal;
  deal.lists_batches = true;
  const std::int64_t shares = isDistributed(spec) ? spec.worldSize() : 1;
  for (Rank rank{0}; rank.value < shares; ++rank) {
    if (work.stopped()) return cancelled();
    const Slice slice(whole->order(), isDistributed(spec) ? rank.value : 0, whole->stride(), samples,
                      spec.dataset.size);
    const auto first = static_cast<std::int64_t>(ids.size());
    deal.shares.push_back({first, 0, 0, deal.batch_ends.size(), std::ssize(batches)});
    std::int64_t next = 0;
    for (const TimmScheduled& batch : batches) {
      for (std::int64_t i = 0; i < batch.size; ++i, ++next) {
        if (next < samples && slice.isAdded(next)) deal.padded.push_back(std::ssize(ids));
        ids.push_back(slice.sample(next % samples));
      }
      deal.batch_ends.push_back(std::ssize(ids));
    }
    deal.shares.back().count = std::ssize(ids) - first;
  }
  return Order::dealt(Order::of(std::move(ids)), std::move(deal));
}

SamplerClaims claims(const PipelineSpec& spec) {
  return {.divides = isDistributed(spec), .in_order = RepeatCause::AnotherPass};
}

LeftOutCause leftOut(const PipelineSpec& spec, Epoch /*epoch*/) {
  const TimmChoices choices = choicesOf(spec);
  return always(choices.fixedBatches(samplesOf(spec)) > 0 ? MissingCause::NotDrawn : MissingCause::CutBySampler);
}

}  // namespace
}  // namespace timm_scheduled_batch_sampler

std::vector<TimmScheduled> timmSchedule(const PipelineSpec& spec, std::int64_t told) {
  using namespace timm_scheduled_batch_sampler;
  return choicesOf(spec).schedule(samplesOf(spec), told);
}

SamplerRule timmScheduledBatchSampler() {
  using namespace timm_scheduled_batch_sampler;
  return {.info = info(),
          .traits = {.seed = "seed", .set_epoch = "set_epoch", .drop_last = "drop_last"},
          .claims = claims,
          .left_out = leftOut,
          .check = check,
          .key = key,
          .order = order};
}

}  // namespace shardlens::sampling
