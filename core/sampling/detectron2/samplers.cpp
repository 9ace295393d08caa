// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/detectron2/samplers.h"

#include "core/base/phrase.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/python.h"
#include "core/sampling/torch/endless_stream.h"
#include "core/sampling/torch/order.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

namespace shardlens::sampling {
namespace detectron2_training_sampler {
namespace {

Result<void> checkSize(const PipelineSpec& spec) {
  if (spec.dataset.size > 0) return {};
  return raised("ValueError", "TrainingSampler(size=) expects a positive int. Got 0.", "dataset.size");
}

const char* const kMovingBorder = marked(
    "samplers",
    "The stream has no epochs: when the world size does not divide the dataset, each lap begins on a different rank.");

SamplerClaims claims(const PipelineSpec& /*spec*/) {
  return {.divides = true, .in_order = RepeatCause::AnotherPass};
}

namespace whole {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "detectron2.TrainingSampler",
      marked("samplers", "Hands one endless stream of permutations to the ranks in turn."),
      {boolField("sampler.shuffle", true, marked("fields", "Permute the dataset on every lap.")),
       seedField(
           "sampler.seed", 0, INT64_MIN, INT64_MAX,
           marked("fields",
                  "Seed of the stream, used once. None draws a random seed and shares it, which cannot be predicted.")),
       samplesPerEpochField()},
      {kMovingBorder, marked("samplers", "A resumed run reads the stream from its beginning again.")},
  };
  return kInfo;
}

EndlessStream streamOf(const PipelineSpec& spec) {
  return endlessStream(spec, info());
}

Result<void> check(const PipelineSpec& spec) {
  if (auto size = checkSize(spec); !size) return size;
  return checkEndless(spec, streamOf(spec));
}

}  // namespace whole

namespace subset {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "detectron2.RandomSubsetTrainingSampler",
      marked("samplers", "TrainingSampler over a random part of the dataset, drawn once."),
      {Field{.path = "sampler.subset_ratio",
             .kind = FieldKind::Float,
             .fallback = 1.0,
             .min = 0,
             .max = 1,
             .help = marked("fields", "Share of the dataset that is used.")},
       boolField("sampler.shuffle", true, marked("fields", "Permute the part on every lap.")),
       seedField("sampler.seed_shuffle", 0, INT64_MIN, INT64_MAX, marked("fields", "Seed of the stream.")),
       seedField("sampler.seed_subset", 0, INT64_MIN, INT64_MAX, marked("fields", "Seed of the draw of that part.")),
       samplesPerEpochField()},
      {kMovingBorder, marked("samplers", "Samples outside the part are never seen.")},
  };
  return kInfo;
}

EndlessStream streamOf(const PipelineSpec& spec) {
  return endlessStream(spec, info(), "seed_shuffle");
}

/// The same world over a dataset of the part's size.
PipelineSpec partOf(const PipelineSpec& spec) {
  PipelineSpec part = spec;
  part.dataset.size = static_cast<std::int64_t>(static_cast<double>(spec.dataset.size) *
                                                std::get<double>(parameter(spec, info(), "subset_ratio")));
  return part;
}

Result<void> check(const PipelineSpec& spec) {
  if (auto size = checkSize(spec); !size) return size;
  if (partOf(spec).dataset.size == 0)
    return raised("AssertionError", "", "sampler.subset_ratio",
                  worded("checks", "raise it until at least 1 sample is left"));
  return checkEndless(spec, streamOf(spec));
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  return endlessKey(partOf(spec), streamOf(spec), epoch);
}

/// The dataset permuted: its beginning is the part that is used.
Result<LargeArray<std::uint32_t>> subsetOf(const PipelineSpec& spec, const Work& work) {
  TorchGenerator generator(static_cast<std::uint64_t>(intParameter(spec, info(), "seed_subset")));
  return torchPermutation(spec, spec.dataset.size, generator, work);
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  auto ids = subsetOf(spec, work.part(0, 0.5));
  if (!ids) return ids.error();
  auto places = endlessOrder(partOf(spec), streamOf(spec), key, work.part(0.5, 1));
  if (!places) return places;
  return orderOfIds((*places)->size(), work,
                    [&](std::int64_t k) { return ids->items()[static_cast<std::size_t>((**places)[k])]; });
}

Slice slice(const PipelineSpec& spec, Epoch epoch, Rank rank, OrderPtr order) {
  return endlessSlice(partOf(spec), streamOf(spec), epoch, rank, std::move(order));
}

/// Its part of the dataset is drawn once more: only what lies in it can be drawn.
LeftOutCause leftOut(const PipelineSpec& spec, Epoch /*epoch*/) {
  const auto ids = subsetOf(spec, {});
  if (!ids) return always(MissingCause::NotExplained);
  auto inside = std::make_shared<std::vector<bool>>(static_cast<std::size_t>(spec.dataset.size));
  const auto part = ids->items().first(static_cast<std::size_t>(partOf(spec).dataset.size));
  for (const std::uint32_t id : part) (*inside)[id] = true;
  return [inside = std::move(inside)](SampleIndex sample) {
    return (*inside)[static_cast<std::size_t>(sample)] ? MissingCause::NotDrawn : MissingCause::OutsideSubset;
  };
}

}  // namespace subset
}  // namespace
}  // namespace detectron2_training_sampler

SamplerRule detectron2TrainingSampler() {
  using namespace detectron2_training_sampler;
  return endlessRule<whole::streamOf>(
      {.info = whole::info(),
       .traits = {.shuffle = "shuffle", .seed = "seed", .per_epoch = "samples_per_epoch"},
       .claims = claims,
       .unread = always<MissingCause::NotDrawn>,
       .left_out = always<MissingCause::NotDrawn>,
       .check = whole::check});
}

SamplerRule detectron2RandomSubsetTrainingSampler() {
  using namespace detectron2_training_sampler;
  return {.info = subset::info(),
          .traits = {.shuffle = "shuffle", .per_epoch = "samples_per_epoch"},
          .claims = claims,
          .unread = always<MissingCause::NotDrawn>,
          .left_out = subset::leftOut,
          .check = subset::check,
          .key = subset::key,
          .order = subset::order,
          .slice = subset::slice,
          .shape = shapeOfEpoch<subset::info>};
}

namespace detectron2_repeat_factor_sampler {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "detectron2.RepeatFactorTrainingSampler",
      marked("samplers",
             "TrainingSampler that repeats each sample as often as its factor says, rounding the fraction up at random "
             "on every lap."),
      {Field{.path = "sampler.repeat_factors",
             .kind = FieldKind::Numbers,
             .fallback = std::string("ones"),
             .min = 0,
             .max = 1'000'000,
             .choices = {"ones"},
             .help = marked("fields",
                            "How often each sample occurs in a lap; kept in single precision. ones is the same as "
                            "TrainingSampler.")},
       boolField("sampler.shuffle", true, marked("fields", "Permute each lap.")),
       seedField("sampler.seed", 0, INT64_MIN, INT64_MAX, marked("fields", "Seed of the stream, used once.")),
       samplesPerEpochField()},
      {marked("samplers", "Laps differ in length, so each lap begins on a different rank."),
       marked("samplers", "A sample with a factor below 1 is left out of some laps.")},
  };
  return kInfo;
}

/// Factors as torch holds them: a whole part, and the chance of one more.
struct Factors {
  std::vector<float> whole;
  std::vector<float> chance;
};

Factors factorsOf(const PipelineSpec& spec) {
  const auto size = static_cast<std::size_t>(spec.dataset.size);
  Factors factors{std::vector<float>(size, 1), std::vector<float>(size, 0)};
  const auto* list = spec.sampler.said<NumberList>("repeat_factors");
  for (std::size_t i = 0; list != nullptr && i < std::min(size, list->size()); ++i) {
    const auto factor = static_cast<float>((*list)[i]);
    factors.whole[i] = std::trunc(factor);
    factors.chance[i] = factor - factors.whole[i];
  }
  return factors;
}

Result<void> check(const PipelineSpec& spec) {
  const auto* list = spec.sampler.said<NumberList>("repeat_factors");
  const char* const field = "sampler.repeat_factors";
  if (list != nullptr && static_cast<std::int64_t>(list->size()) != spec.dataset.size) {
    return refused(filled(worded("checks", "There are %1 factors for %2."), std::to_string(list->size()),
                          wordedCount(spec.dataset.size, "sample")),
                   field, worded("checks", "give one for each sample"));
  }
  const Factors factors = factorsOf(spec);
  const bool draws_always = std::ranges::any_of(factors.whole, [](float part) { return part > 0; });
  const bool draws_often = std::ranges::any_of(factors.chance, [](float part) { return part > 1e-3F; });
  if (!draws_always && !draws_often)
    return refused(list != nullptr && std::ranges::none_of(*list, [](double factor) { return factor > 0; })
                       ? worded("checks", "Every factor is 0: the sampler would search forever.")
                       : worded("checks", "No factor is above 0.001: the sampler would search too long."),
                   field, worded("checks", "raise a factor to 1"));
  return checkEndless(spec, {true, 0, samplesPerEpoch(spec, info())});
}

std::int64_t stretch(const PipelineSpec& spec) {
  return samplesPerEpoch(spec, info()) * spec.worldSize();
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  return {info().type, static_cast<std::uint64_t>(intParameter(spec, info(), "seed")),
          static_cast<std::uint64_t>(epoch.value * stretch(spec))};
}

/// One lap: every sample as often as the dice say, then permuted.
Result<std::vector<std::uint32_t>> lapOf(const PipelineSpec& spec, const Factors& factors, TorchGenerator& generator,
                                         const Work& work) {
  constexpr float kUnit = 1.0F / 16777216.0F;
  std::vector<std::uint32_t> ids;
  for (std::size_t i = 0; i < factors.whole.size(); ++i) {
    const float dice = static_cast<float>(generator.random24()) * kUnit;
    const float times = factors.whole[i] + (dice < factors.chance[i] ? 1.0F : 0.0F);
    ids.insert(ids.end(), static_cast<std::size_t>(times), static_cast<std::uint32_t>(i));
  }
  if (!boolParameter(spec, info(), "shuffle")) return ids;
  const auto count = static_cast<std::int64_t>(ids.size());
  auto places = torchPermutation(spec, count, generator, work);
  if (!places) return places.error();
  std::vector<std::uint32_t> lap;
  lap.reserve(ids.size());
  for (const std::uint32_t place : places->items()) lap.push_back(ids[place]);
  return lap;
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const Factors factors = factorsOf(spec);
  TorchGenerator generator(key.seed);
  std::int64_t skip = static_cast<std::int64_t>(key.skip);
  const std::int64_t count = stretch(spec);
  std::vector<std::uint32_t> out;
  out.reserve(static_cast<std::size_t>(count));
  while (static_cast<std::int64_t>(out.size()) < count) {
    if (work.stopped()) return cancelled();
    const auto lap = lapOf(spec, factors, generator, {work.stop, {}});
    if (!lap) return lap.error();
    const auto size = static_cast<std::int64_t>(lap->size());
    const std::int64_t from = std::min(skip, size);
    skip -= from;
    const std::int64_t taken = std::min(size - from, count - static_cast<std::int64_t>(out.size()));
    out.insert(out.end(), lap->begin() + from, lap->begin() + from + taken);
    work.progress(static_cast<double>(out.size()) / static_cast<double>(count));
  }
  return Order::of(std::move(out));
}

Slice slice(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank, OrderPtr order) {
  return {std::move(order), rank.value, spec.worldSize(), samplesPerEpoch(spec, info()),
          std::numeric_limits<std::int64_t>::max()};
}

SamplerClaims claims(const PipelineSpec& spec) {
  const Factors factors = factorsOf(spec);
  const bool repeats = std::ranges::any_of(factors.whole, [](float whole) { return whole > 1; }) ||
                       std::ranges::any_of(factors.chance, [](float chance) { return chance > 0; });
  return {.divides = true, .in_order = repeats ? RepeatCause::RepeatFactor : RepeatCause::AnotherPass};
}

LeftOutCause leftOut(const PipelineSpec& spec, Epoch /*epoch*/) {
  return [factors = factorsOf(spec)](SampleIndex sample) {
    const auto i = static_cast<std::size_t>(sample);
    return factors.whole[i] + factors.chance[i] > 0 ? MissingCause::NotDrawn : MissingCause::WeightZero;
  };
}

}  // namespace
}  // namespace detectron2_repeat_factor_sampler

std::vector<float> repeatFactorsFromCategories(const std::vector<std::vector<std::int64_t>>& categories_per_image,
                                               double repeat_thresh, bool square_root) {
  using namespace detectron2_repeat_factor_sampler;
  std::map<std::int64_t, std::int64_t> images;
  for (const auto& categories : categories_per_image) {
    for (const std::int64_t category : std::set<std::int64_t>(categories.begin(), categories.end())) ++images[category];
  }
  const auto total = static_cast<double>(categories_per_image.size());
  const auto factor_of = [&](std::int64_t category) {
    const double ratio = repeat_thresh / (static_cast<double>(images[category]) / total);
    return std::max(1.0, square_root ? std::sqrt(ratio) : ratio);
  };
  std::vector<float> factors;
  for (const auto& categories : categories_per_image) {
    double most = 1;
    for (const std::int64_t category : categories) most = std::max(most, factor_of(category));
    factors.push_back(static_cast<float>(most));
  }
  return factors;
}

SamplerRule detectron2RepeatFactorTrainingSampler() {
  using namespace detectron2_repeat_factor_sampler;
  return {.info = info(),
          .traits = {.shuffle = "shuffle", .seed = "seed", .per_epoch = "samples_per_epoch"},
          .claims = claims,
          .left_out = leftOut,
          .check = check,
          .key = key,
          .order = order,
          .slice = slice,
          .shape = shapeOfEpoch<info>};
}

namespace detectron2_inference_sampler {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "detectron2.InferenceSampler",
      marked("samplers",
             "One contiguous block of the dataset per rank, every sample once; the first blocks may be one sample "
             "longer."),
      {},
      {marked("samplers", "Ranks have uneven numbers of samples: a collective in the last step hangs.")},
  };
  return kInfo;
}

Result<void> check(const PipelineSpec& spec) {
  if (spec.dataset.size > 0) return {};
  return raised("AssertionError", "", "dataset.size", worded("checks", "give at least 1 sample"));
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  return {evenRun(spec.dataset.size, spec.worldSize(), rank.value).count, 0};
}

Slice slice(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank, OrderPtr order) {
  const Run run = evenRun(spec.dataset.size, spec.worldSize(), rank.value);
  return {std::move(order), run.first, 1, run.count, spec.dataset.size};
}

}  // namespace
}  // namespace detectron2_inference_sampler

SamplerRule detectron2InferenceSampler() {
  using namespace detectron2_inference_sampler;
  return {.info = info(),
          .in_order = true,
          .claims = [](const PipelineSpec&) { return SamplerClaims{.divides = true, .evaluates = true}; },
          .check = check,
          .key = sequentialKey,
          .order = torchOrder,
          .slice = slice,
          .shape = shape};
}

namespace detectron2_grouped_batch_sampler {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "detectron2.GroupedBatchSampler",
      marked(
          "samplers",
          "Batches of samples of one group (wide or tall images), in the order in which a TrainingSampler fills them."),
      {boolField("sampler.shuffle", true, marked("fields", "Whether the TrainingSampler inside permutes.")),
       seedField("sampler.seed", 0, INT64_MIN, INT64_MAX, marked("fields", "Seed of the TrainingSampler inside.")),
       samplesPerEpochField()},
      {marked("samplers", "Samples that do not fill a batch wait in a buffer of their group, even across epochs."),
       marked("samplers",
              "Ranks fill batches at different times: their numbers of batches in an epoch of the plan differ.")},
      {"dataset.labels"},
  };
  return kInfo;
}

EndlessStream streamOf(const PipelineSpec& spec) {
  return endlessStream(spec, info());
}

Result<void> check(const PipelineSpec& spec) {
  if (spec.dataset.size == 0) {
    return raised("ValueError", "TrainingSampler(size=) expects a positive int. Got 0.", "dataset.size");
  }
  if (static_cast<std::int64_t>(spec.dataset.labels.size()) != spec.dataset.size) {
    return refused(filled(worded("checks", "There are %1 groups for %2."), std::to_string(spec.dataset.labels.size()),
                          wordedCount(spec.dataset.size, "sample")),
                   "dataset.labels", worded("checks", "give the group of every sample"));
  }
  return checkEndless(spec, streamOf(spec));
}

/// The epoch's number: what waits in the buffers comes from all epochs before.
OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  return {info().type, streamOf(spec).seed, static_cast<std::uint64_t>(epoch.value)};
}

/// The buffers of one rank.
class Buffers {
 public:
  explicit Buffers(const PipelineSpec& spec)
      : labels_(spec.dataset.labels), batch_size_(static_cast<std::size_t>(spec.loader.batch_size)) {}

  /// The batch that this sample fills; null when it fills none. Taken over by the next call.
  std::vector<std::int64_t>* push(SampleIndex sample) {
    if (full_ != nullptr) full_->clear();
    full_ = nullptr;
    auto& buffer = groups_[labels_[static_cast<std::size_t>(sample)]];
    buffer.push_back(sample);
    if (buffer.size() == batch_size_) full_ = &buffer;
    return full_;
  }

  /// Adds the samples that fill no batch yet.
  void addWaiting(std::vector<std::int64_t>& samples) const {
    for (const auto& [label, buffer] : groups_) {
      if (&buffer != full_) samples.insert(samples.end(), buffer.begin(), buffer.end());
    }
  }

 private:
  const std::vector<std::int64_t>& labels_;
  std::size_t batch_size_;
  std::map<std::int64_t, std::vector<std::int64_t>> groups_;
  std::vector<std::int64_t>* full_ = nullptr;
};

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const EndlessStream stream = streamOf(spec);
  const auto last = static_cast<std::int64_t>(key.skip);
  std::vector<Buffers> buffers(static_cast<std::size_t>(spec.worldSize()), Buffers(spec));
  std::vector<std::vector<std::int64_t>> ids(buffers.size());
  std::vector<std::vector<std::int64_t>> ends(buffers.size());
  for (Epoch epoch{0}; epoch.value <= last; ++epoch) {
    auto drawn = endlessOrder(spec, stream, endlessKey(spec, stream, epoch), {work.stop, {}});
    if (!drawn) return drawn;
    work.progress(static_cast<double>(epoch.value) / static_cast<double>(last + 1));
    for (Rank rank{0}; rank.value < spec.worldSize(); ++rank) {
      if (work.stopped()) return cancelled();
      const auto r = static_cast<std::size_t>(rank.value);
      const Slice slice = endlessSlice(spec, stream, epoch, rank, *drawn);
      for (std::int64_t k = 0; k < slice.size(); ++k) {
        const auto* batch = buffers[r].push(slice.sample(k));
        if (batch == nullptr || epoch.value < last) continue;
        ids[r].insert(ids[r].end(), batch->begin(), batch->end());
        ends[r].push_back(static_cast<std::int64_t>(ids[r].size()));
      }
    }
  }
  Deal deal;
  deal.lists_batches = true;
  std::vector<std::int64_t> all;
  for (std::size_t r = 0; r < ids.size(); ++r) {
    deal.shares.push_back({static_cast<std::int64_t>(all.size()), static_cast<std::int64_t>(ids[r].size()), 0,
                           deal.batch_ends.size(), static_cast<std::int64_t>(ends[r].size())});
    for (const std::int64_t end : ends[r]) deal.batch_ends.push_back(deal.shares.back().first + end);
    all.insert(all.end(), ids[r].begin(), ids[r].end());
    buffers[r].addWaiting(deal.left_over);
  }
  return Order::dealt(Order::of(std::move(all)), std::move(deal));
}

SamplerClaims claims(const PipelineSpec& /*spec*/) {
  return {.divides = true, .in_order = RepeatCause::AnotherPass, .across_shares = RepeatCause::AnotherPass};
}

}  // namespace
}  // namespace detectron2_grouped_batch_sampler

SamplerRule detectron2GroupedBatchSampler() {
  using namespace detectron2_grouped_batch_sampler;
  return {.info = info(),
          .traits = {.shuffle = "shuffle", .seed = "seed", .per_epoch = "samples_per_epoch"},
          .claims = claims,
          .unread = always<MissingCause::WaitingInBuffer>,
          .left_out = always<MissingCause::NotDrawn>,
          .check = check,
          .key = key,
          .order = order};
}

}  // namespace shardlens::sampling
