// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/random/numpy_legacy.h"
#include "core/random/torch_randperm.h"
#include "core/sampling/class_balance.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/numpy_global.h"
#include "core/sampling/python.h"
#include "core/sampling/rules.h"
#include "core/sampling/sampler_rule.h"
#include "core/sampling/script_seed.h"
#include "core/sampling/torch/endless_stream.h"
#include "core/sampling/torch/iterable_dataset.h"
#include "core/sampling/torch/order.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::sampling {
namespace {

/// The parameter aspect_ratios of samplers that keep tall images and wide ones apart, and what it says.
Field mmdetAspectRatiosField() {
  return {.path = "sampler.aspect_ratios",
          .kind = FieldKind::Numbers,
          .fallback = std::string("alternating"),
          .min = 0,
          .max = INT64_MAX,
          .choices = {"alternating"},
          .help = marked("fields",
                         "Width divided by height of each image; those below 1 are tall. alternating makes every "
                         "second image tall.")};
}

/// BadInput unless there is one number for each sample, or none at all.
Result<void> checkMmdetAspectRatios(const PipelineSpec& spec, const SamplerInfo& info) {
  const NumberList ratios = numbersParameter(spec, info, "aspect_ratios");
  if (ratios.empty() || static_cast<std::int64_t>(ratios.size()) == spec.dataset.size) return {};
  return refused(worded("checks", "aspect_ratios needs one number for each sample."), "sampler.aspect_ratios",
                 worded("checks", "give as many as dataset.size, or alternating"));
}

/// Whether an image is as wide as high, or wider; without ratios every second one is.
bool mmdetIsWide(const NumberList& ratios, SampleIndex image) {
  return ratios.empty() ? image % 2 != 0 : ratios[static_cast<std::size_t>(image)] >= 1;
}

std::vector<double> mmdetRatiosOf(const PipelineSpec& spec, const SamplerInfo& info) {
  const Value given = parameter(spec, info, "source_ratio");
  const auto* list = std::get_if<NumberList>(&given);
  if (list == nullptr) return std::vector<double>(shardStarts(spec).size() - 1, 1);
  return {list->begin(), list->end()};
}

Field mmdetRatioField() {
  return {.path = "sampler.source_ratio",
          .kind = FieldKind::Numbers,
          .fallback = std::string("equal"),
          .min = 0,
          .max = INT64_MAX,
          .choices = {"equal"},
          .help = marked("fields", "Shares of the datasets in a batch; what rounding leaves goes to the first one.")};
}

Field mmdetShuffleField() {
  return boolField("sampler.shuffle", true, marked("fields", "Permute each dataset on every lap."));
}

Field mmdetSeedField() {
  return seedField("sampler.seed", 0, INT64_MIN, INT64_MAX,
                   marked("fields",
                          "Seed of each dataset's stream, used once. None draws a seed from the clock and shares it, "
                          "which cannot be predicted."));
}

/// Samples of a batch from each dataset, by source_ratio.
std::vector<std::int64_t> mmdetCounts(const PipelineSpec& spec, const SamplerInfo& info) {
  const std::vector<double> ratios = mmdetRatiosOf(spec, info);
  const double sum = std::accumulate(ratios.begin(), ratios.end(), 0.0);
  const auto batch = static_cast<double>(spec.loader.batch_size);
  std::vector<std::int64_t> counts;
  counts.reserve(ratios.size());
  for (const double ratio : ratios) counts.push_back(static_cast<std::int64_t>(batch * ratio / sum));
  counts.front() = spec.loader.batch_size - std::accumulate(counts.begin() + 1, counts.end(), std::int64_t{0});
  return counts;
}

/// What both classes raise, or would search for without end, when they are made for these datasets.
Result<void> checkMmdetSources(const PipelineSpec& spec, const SamplerInfo& info) {
  const std::vector<std::int64_t> starts = shardStarts(spec);
  const std::vector<double> ratios = mmdetRatiosOf(spec, info);
  const char* const field = "sampler.source_ratio";
  if (ratios.size() + 1 != starts.size()) {
    return refused(worded("checks", "source_ratio needs one number for each entry of dataset.shards."), field,
                   worded("checks", "give as many numbers, or equal"));
  }
  if (std::ranges::none_of(ratios, [](double ratio) { return ratio > 0; }))
    return raised("ZeroDivisionError", "division by zero", field, worded("checks", "give a share above 0"));
  if (std::ranges::adjacent_find(starts) != starts.end()) {
    return refused(worded("checks", "an empty dataset keeps the sampler searching forever."), "dataset.shards",
                   worded("checks", "give each at least one sample"));
  }
  if (std::ranges::any_of(mmdetCounts(spec, info), [](std::int64_t count) { return count == 0; })) {
    return refused(worded("checks", "a dataset has no sample in a batch, which keeps the sampler searching forever."),
                   field, worded("checks", "raise its share, or loader.batch_size"));
  }
  return checkEndless(spec, {true, 0, samplesPerEpoch(spec, info)});
}

/// Laps over a list of samples, one behind the other, from a generator of their own.
class MmdetLaps {
 public:
  MmdetLaps(const PipelineSpec& spec, std::vector<SampleIndex> samples, std::uint64_t seed, bool shuffle)
      : samples_(std::move(samples)),
        rule_(randpermRule(spec, std::ssize(samples_))),
        generator_(seed),
        shuffle_(shuffle),
        places_(samples_.size()) {}

  /// The sample at this place of the stream; places ascend from call to call. Not for an empty list.
  SampleIndex at(std::int64_t place) {
    const std::int64_t size = std::ssize(places_);
    for (; lap_ <= place / size; ++lap_) {
      if (shuffle_) {
        (void)torchRandperm(generator_, std::span(places_), {}, rule_);
      } else {
        std::iota(places_.begin(), places_.end(), std::int64_t{0});
      }
    }
    return samples_[static_cast<std::size_t>(places_[static_cast<std::size_t>(place % size)])];
  }

 private:
  std::vector<SampleIndex> samples_;
  TorchRandpermRule rule_;
  TorchGenerator generator_;
  bool shuffle_;
  std::int64_t lap_ = 0;
  std::vector<std::int64_t> places_;
};

}  // namespace

namespace mmdet_aspect_ratio_batch_sampler {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "mmdet.AspectRatioBatchSampler",
      marked(
          "samplers",
          "Makes batches of images that are all tall or all wide, out of DefaultSampler or of the dataset in order."),
      {mmdetAspectRatiosField(),
       choiceField("sampler.inner", "distributed", {"distributed", "sequential"},
                   marked("fields", "The sampler inside: DefaultSampler, or the dataset in order on every rank.")),
       seedField("sampler.inner_seed", 0, INT64_MIN, INT64_MAX,
                 marked("fields", "Seed of the DefaultSampler inside; the epoch is added."))},
      {marked("samplers", "drop_last drops the last batch even when it is full."),
       marked("samplers", "Ranks can get different numbers of batches: a collective in each step then waits forever."),
       marked("samplers", "The last batches of an epoch mix tall and wide images.")}};
  return kInfo;
}

bool isDistributed(const PipelineSpec& spec) {
  return textParameter(spec, info(), "inner") == "distributed";
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  if (!isDistributed(spec)) return {info().type + " in order", 0, 0};
  return {info().type, epochSeed(spec, info(), epoch, "inner_seed"), 0};
}

/// Two buckets, whose batches are handed out when they are full; at the end the tall images that are left stand before
/// the wide ones.
class Buckets {
 public:
  Buckets(std::int64_t batch_size, bool drop_last, Deal& deal, std::vector<std::int64_t>& ids)
      : batch_size_(batch_size), drop_last_(drop_last), deal_(deal), ids_(ids) {}

  struct Item {
    SampleIndex image = 0;
    bool added = false;
  };

  void add(Item item, bool wide) {
    std::vector<Item>& bucket = buckets_[wide ? 1 : 0];
    bucket.push_back(item);
    if (std::ssize(bucket) < batch_size_) return;
    write(bucket);
    deal_.batch_ends.push_back(std::ssize(ids_));
    bucket.clear();
  }

  void finish() {
    std::vector<Item> left = buckets_[0];
    left.insert(left.end(), buckets_[1].begin(), buckets_[1].end());
    const auto count = std::ssize(left);
    for (std::ptrdiff_t first = 0; first < count; first += batch_size_) {
      const bool last = first + batch_size_ >= count;
      const std::vector<Item> batch(left.begin() + first, last ? left.end() : left.begin() + first + batch_size_);
      if (last && drop_last_) {
        for (const Item& item : batch) deal_.left_over.push_back(item.image);
        return;
      }
      write(batch);
      deal_.batch_ends.push_back(std::ssize(ids_));
    }
  }

 private:
  void write(const std::vector<Item>& batch) {
    for (const Item& item : batch) {
      if (item.added) deal_.padded.push_back(std::ssize(ids_));
      ids_.push_back(item.image);
    }
  }

  std::int64_t batch_size_;
  bool drop_last_;
  Deal& deal_;
  std::vector<std::int64_t>& ids_;
  std::array<std::vector<Item>, 2> buckets_;
};

/// One share for each rank, or a single one where each reads the whole dataset.
Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const bool divided = isDistributed(spec);
  auto drawn = torchOrder(spec, {divided ? kRandperm : kSequential, key.seed, 0}, work.part(0, 0.5));
  if (!drawn) return drawn;
  const std::int64_t size = spec.dataset.size;
  const std::int64_t ranks = divided ? spec.worldSize() : 1;
  const std::int64_t count = distributedSamples(size, ranks, false);
  const NumberList ratios = numbersParameter(spec, info(), "aspect_ratios");
  std::vector<std::int64_t> ids;
  Deal deal;
  deal.lists_batches = true;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    if (work.stopped()) return cancelled();
    const Slice slice(*drawn, rank, ranks, count, size);
    const auto first = std::ssize(ids);
    const std::size_t first_batch = deal.batch_ends.size();
    Buckets buckets(spec.loader.batch_size, spec.loader.drop_last, deal, ids);
    for (std::int64_t k = 0; k < count; ++k)
      buckets.add({slice.sample(k), slice.isAdded(k)}, mmdetIsWide(ratios, slice.sample(k)));
    buckets.finish();
    deal.shares.push_back({first, std::ssize(ids) - first, 0, first_batch,
                           static_cast<std::int64_t>(deal.batch_ends.size() - first_batch)});
  }
  return Order::dealt(Order::of(std::move(ids)), std::move(deal));
}

}  // namespace
}  // namespace mmdet_aspect_ratio_batch_sampler

SamplerRule mmdetAspectRatioBatchSampler() {
  using namespace mmdet_aspect_ratio_batch_sampler;
  return {.info = info(),
          .claims = [](const PipelineSpec& spec) { return SamplerClaims{.divides = isDistributed(spec)}; },
          .unread = always<MissingCause::CutByLoader>,
          .left_out = always<MissingCause::CutByLoader>,
          .check = [](const PipelineSpec& spec) { return checkMmdetAspectRatios(spec, info()); },
          .key = key,
          .order = order};
}

namespace mmdet_multi_source_sampler {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "mmdet.MultiSourceSampler",
      marked("samplers",
             "Makes each batch of fixed numbers of samples out of several datasets, which are the entries of "
             "dataset.shards; endless."),
      {mmdetRatioField(), mmdetShuffleField(), mmdetSeedField(), samplesPerEpochField()},
      {marked("samplers",
              "All datasets use the same seed: those of equal size are permuted alike, and a batch pairs the same "
              "places in every run."),
       marked("samplers", "A dataset whose share of a batch rounds to nothing keeps the sampler searching forever."),
       marked("samplers", "It saves no position: a resumed run reads the streams from their beginning again.")},
      {"dataset.shards"}};
  return kInfo;
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  const bool shuffle = boolParameter(spec, info(), "shuffle");
  const auto seed = static_cast<std::uint64_t>(intParameter(spec, info(), "seed"));
  return {info().type + (shuffle ? "" : " in order"), shuffle ? seed : 0, static_cast<std::uint64_t>(epoch.value)};
}

/// What a rank takes in this epoch, behind what it took before.
Result<void> take(const PipelineSpec& spec, const OrderKey& key, std::int64_t rank, std::vector<std::int64_t>& ids,
                  const Work& work) {
  const std::vector<std::int64_t> starts = shardStarts(spec);
  const std::vector<std::int64_t> counts = mmdetCounts(spec, info());
  std::vector<MmdetLaps> sources;
  std::vector<std::int64_t> place(counts.size(), rank);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    std::vector<SampleIndex> samples(static_cast<std::size_t>(starts[i + 1] - starts[i]));
    std::iota(samples.begin(), samples.end(), starts[i]);
    sources.emplace_back(spec, std::move(samples), key.seed, key.recipe == info().type);
  }
  const std::int64_t each = samplesPerEpoch(spec, info());
  const std::int64_t before = static_cast<std::int64_t>(key.skip) * each;
  std::int64_t taken = 0;
  for (std::size_t source = 0; taken < before + each; source = (source + 1) % counts.size()) {
    if (work.stopped()) return cancelled();
    for (std::int64_t i = 0; i < counts[source]; ++i, ++taken) {
      const SampleIndex sample = sources[source].at(std::exchange(place[source], place[source] + spec.worldSize()));
      if (taken >= before && taken < before + each) ids.push_back(sample);
    }
  }
  return {};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  std::vector<std::int64_t> ids;
  Deal deal;
  for (std::int64_t rank = 0; rank < spec.worldSize(); ++rank) {
    const auto first = std::ssize(ids);
    if (auto done = take(spec, key, rank, ids, work); !done) return done.error();
    deal.shares.push_back({first, std::ssize(ids) - first});
  }
  return Order::dealt(Order::of(std::move(ids)), std::move(deal));
}

SamplerClaims claims(const PipelineSpec& /*spec*/) {
  return {.divides = true, .in_order = RepeatCause::AnotherPass, .across_shares = RepeatCause::AnotherPass};
}

}  // namespace
}  // namespace mmdet_multi_source_sampler

SamplerRule mmdetMultiSourceSampler() {
  using namespace mmdet_multi_source_sampler;
  return {.info = info(),
          .traits = {.shuffle = "shuffle", .seed = "seed", .per_epoch = "samples_per_epoch"},
          .claims = claims,
          .left_out = always<MissingCause::NotDrawn>,
          .check = [](const PipelineSpec& spec) { return checkMmdetSources(spec, info()); },
          .key = key,
          .order = order,
          .shape = shapeOfEpoch<info>};
}

namespace mmdet_group_multi_source_sampler {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "mmdet.GroupMultiSourceSampler",
      marked("samplers",
             "Makes each batch of fixed numbers of tall or of wide images out of one or two datasets, which are the "
             "entries of dataset.shards; endless."),
      {mmdetRatioField(), mmdetShuffleField(), mmdetSeedField(), mmdetAspectRatiosField(), samplesPerEpochField()},
      {marked("samplers",
              "Each rank draws by NumPy's global stream whether its next batch is tall or wide: ranks that seed NumPy "
              "apart work on images of different shapes in the same step."),
       marked("samplers",
              "Everything else in the process that draws from NumPy's global stream changes the groups that follow; "
              "the plan assumes that nothing does."),
       marked("samplers", "It saves no position: a resumed run reads the streams from their beginning again.")},
      {"dataset.shards"}};
  return kInfo;
}

constexpr std::size_t kGroups = 2;  // tall images, and wide ones

/// The images of each group of each dataset, by dataset.
std::vector<std::array<std::vector<SampleIndex>, kGroups>> groupsOf(const PipelineSpec& spec) {
  const std::vector<std::int64_t> starts = shardStarts(spec);
  const NumberList ratios = numbersParameter(spec, info(), "aspect_ratios");
  std::vector<std::array<std::vector<SampleIndex>, kGroups>> groups(starts.size() - 1);
  for (std::size_t source = 0; source < groups.size(); ++source) {
    for (SampleIndex image = starts[source]; image < starts[source + 1]; ++image)
      groups[source][mmdetIsWide(ratios, image) ? 1 : 0].push_back(image);
  }
  return groups;
}

Result<void> check(const PipelineSpec& spec) {
  if (auto ratios = checkMmdetAspectRatios(spec, info()); !ratios) return ratios;
  if (auto sources = checkMmdetSources(spec, info()); !sources) return sources;
  const auto groups = groupsOf(spec);
  if (groups.size() > 2) {
    return raised("IndexError", "list index out of range", "dataset.shards",
                  worded("checks", "the class takes one dataset or two"));
  }
  for (std::size_t group = 0; groups.size() == 2 && group < kGroups; ++group) {
    if (groups[0][group].empty() == groups[1][group].empty()) continue;
    return refused(
        worded("checks",
               "one dataset has no tall or no wide image and the other has: the first batch of them keeps the "
               "sampler searching forever."),
        "sampler.aspect_ratios", worded("checks", "give both datasets images of both groups"));
  }
  return {};
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  const std::string numpy = " " + std::to_string(spec.seeds.base) + " " + spec.seeds.rule;
  const auto seed = static_cast<std::uint64_t>(intParameter(spec, info(), "seed"));
  return {info().type + numpy, seed, static_cast<std::uint64_t>(epoch.value)};
}

/// A rank's streams, one for each group of each dataset, and NumPy's global stream, which picks the group of a batch.
class Reader {
 public:
  Reader(const PipelineSpec& spec, const OrderKey& key, Rank rank) : spec_(spec), rank_(rank) {
    const bool shuffle = boolParameter(spec, info(), "shuffle");
    std::array<std::size_t, kGroups> sizes = {};
    for (auto& source : groupsOf(spec)) {
      for (std::size_t group = 0; group < kGroups; ++group) {
        sizes[group] += source[group].size();
        laps_[group].push_back({MmdetLaps(spec, std::move(source[group]), key.seed, shuffle), rank.value});
      }
    }
    for (const std::size_t size : sizes)
      shares_.push_back(static_cast<double>(size) / static_cast<double>(spec.dataset.size));
  }

  /// Appends to `ids` the next batch, which begins in this epoch.
  void batch(std::int64_t epoch, std::vector<std::int64_t>& ids) {
    if (epoch_ < 0 || (seedsEachEpoch(spec_) && epoch_ != epoch))
      numpy_ = NumpyLegacy(static_cast<std::uint32_t>(scriptSeed(spec_, Epoch{epoch}, rank_)));
    epoch_ = epoch;
    const auto group = static_cast<std::size_t>(numpy_.choice(shares_, 1, true).front());
    const std::vector<std::int64_t> counts = mmdetCounts(spec_, info());
    for (std::size_t source = 0; source < counts.size(); ++source) {
      Lane& lane = laps_[group][source];
      for (std::int64_t i = 0; i < counts[source]; ++i)
        ids.push_back(lane.laps.at(std::exchange(lane.place, lane.place + spec_.worldSize())));
    }
  }

 private:
  struct Lane {
    MmdetLaps laps;
    std::int64_t place = 0;
  };

  const PipelineSpec& spec_;
  Rank rank_;
  std::array<std::vector<Lane>, kGroups> laps_;
  std::vector<double> shares_;
  NumpyLegacy numpy_{0};
  std::int64_t epoch_ = -1;
};

/// What all ranks take in this epoch; a batch that an epoch begins may reach into the next one.
Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const std::int64_t each = samplesPerEpoch(spec, info());
  const std::int64_t before = static_cast<std::int64_t>(key.skip) * each;
  std::vector<std::int64_t> ids;
  Deal deal;
  for (Rank rank{0}; rank.value < spec.worldSize(); ++rank) {
    if (auto seed = checkNumpyRankSeed(spec, rank); !seed) return seed.error();
    Reader reader(spec, key, rank);
    std::vector<std::int64_t> batch;
    deal.shares.push_back({std::ssize(ids), each});
    for (std::int64_t taken = 0; taken < before + each; taken += std::ssize(batch)) {
      if (work.stopped()) return cancelled();
      batch.clear();
      reader.batch(taken / each, batch);
      for (std::int64_t i = 0; i < std::ssize(batch); ++i) {
        if (taken + i >= before && taken + i < before + each) ids.push_back(batch[static_cast<std::size_t>(i)]);
      }
    }
  }
  return Order::dealt(Order::of(std::move(ids)), std::move(deal));
}

SamplerClaims claims(const PipelineSpec& /*spec*/) {
  // The group of a batch comes from NumPy's global stream: only with equal seeds do all ranks of a step take the same.
  return {.divides = true,
          .needs_equal_seeds = true,
          .in_order = RepeatCause::AnotherPass,
          .across_shares = RepeatCause::AnotherPass};
}

}  // namespace
}  // namespace mmdet_group_multi_source_sampler

SamplerRule mmdetGroupMultiSourceSampler() {
  using namespace mmdet_group_multi_source_sampler;
  return {.info = info(),
          .traits = {.shuffle = "shuffle", .seed = "seed", .per_epoch = "samples_per_epoch", .draws_from_numpy = true},
          .claims = claims,
          .left_out = always<MissingCause::NotDrawn>,
          .check = check,
          .key = key,
          .order = order,
          .shape = shapeOfEpoch<info>,
          .check_rank = checkNumpyRankSeed};
}

namespace mmdet_class_aware_sampler {
namespace {

constexpr std::int64_t kMostOfClass = 1'000'000;

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "mmdet.ClassAwareSampler",
      marked("samplers",
             "Goes round the classes in random order and takes the next images of each, so that rare classes are seen "
             "as often as common ones."),
      {seedField("sampler.seed", 0, INT64_MIN, INT64_MAX,
                 marked("fields",
                        "Seed of the permutations; the epoch is added. None draws a seed from the clock and shares it, "
                        "which cannot be predicted.")),
       intField("sampler.num_sample_class", 1, 1, kMostOfClass, "samples",
                marked("fields", "Images of a class that are taken before the next class.")),
       Field{.path = "sampler.categories",
             .kind = FieldKind::Numbers,
             .fallback = std::string("labels"),
             .min = -1,
             .max = INT64_MAX,
             .choices = {"labels"},
             .help = marked("fields",
                            "Classes of each image, image after image, with -1 behind those of each; labels means one "
                            "class an image, as dataset.labels says.")}},
      {marked("samplers", "Images of rare classes are repeated, and images of common ones left out, in every epoch."),
       marked("samplers", "Images without an object are never read."),
       marked("samplers",
              "Each rank gets a contiguous part of the round, so a class that comes late in the order comes on the "
              "last ranks.")},
      {"dataset.labels"}};
  return kInfo;
}

/// The images of each class, ascending, by class.
using ImagesOfClass = std::map<std::int64_t, std::vector<std::uint32_t>>;

ImagesOfClass imagesOf(const PipelineSpec& spec) {
  ImagesOfClass images;
  const NumberList categories = numbersParameter(spec, info(), "categories");
  if (categories.empty()) {
    for (std::size_t image = 0; image < spec.dataset.labels.size(); ++image)
      images[spec.dataset.labels[image]].push_back(static_cast<std::uint32_t>(image));
    return images;
  }
  std::set<std::int64_t> classes;
  std::uint32_t image = 0;
  for (const double item : categories) {
    if (item >= 0) {
      classes.insert(static_cast<std::int64_t>(item));
      continue;
    }
    for (const std::int64_t one : classes) images[one].push_back(image);
    classes.clear();
    ++image;
  }
  return images;
}

/// Permutations of the items, one behind the other, of a generator that others draw from, too.
template <class T>
class Cycle {
 public:
  Cycle(std::vector<T> items, const PipelineSpec& spec, TorchGenerator& generator)
      : items_(std::move(items)), rule_(randpermRule(spec, std::ssize(items_))), generator_(&generator) {
    permute();
  }
  T next() {
    if (next_ == places_.size()) permute();
    return items_[static_cast<std::size_t>(places_[next_++])];
  }

 private:
  void permute() {
    places_.resize(items_.size());
    (void)torchRandperm(*generator_, std::span(places_), {}, rule_);
    next_ = 0;
  }

  std::vector<T> items_;
  std::vector<std::int64_t> places_;
  std::size_t next_ = 0;
  TorchRandpermRule rule_;
  TorchGenerator* generator_;
};

std::int64_t samplesOf(const PipelineSpec& spec) {
  return distributedSamples(spec.dataset.size, spec.worldSize(), false);
}

Result<void> checkCategories(const PipelineSpec& spec) {
  const NumberList categories = numbersParameter(spec, info(), "categories");
  if (categories.empty()) return checkLabels(spec);
  const auto whole = [](double item) { return item >= -1 && std::floor(item) == item; };
  const bool good = std::ranges::all_of(categories, whole) && categories.back() == -1 &&
                    std::ranges::count(categories, -1.0) == spec.dataset.size;
  if (good) return {};
  return refused(worded("checks", "categories needs the classes of each image, with -1 behind those of each."),
                 "sampler.categories", worded("checks", "write one -1 for each sample of the dataset"));
}

Result<void> check(const PipelineSpec& spec) {
  if (auto categories = checkCategories(spec); !categories) return categories;
  if (!imagesOf(spec).empty()) return {};
  return raised("ZeroDivisionError", "float division by zero", "dataset.size",
                worded("checks", "give an image with a class"));
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  return {info().type, epochSeed(spec, info(), epoch), 0};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  TorchGenerator generator(key.seed);
  std::vector<std::int64_t> names;
  ImagesOfClass images = imagesOf(spec);
  for (const auto& [name, own] : images) names.push_back(name);
  Cycle<std::int64_t> classes(std::move(names), spec, generator);
  std::map<std::int64_t, Cycle<std::uint32_t>> cycles;
  for (auto& [name, own] : images) cycles.try_emplace(name, std::move(own), spec, generator);
  const std::int64_t each = intParameter(spec, info(), "num_sample_class");
  Cycle<std::uint32_t>* cycle = nullptr;
  return orderOfIds(samplesOf(spec) * spec.worldSize(), work, [&](std::int64_t i) {
    if (i % each == 0) cycle = &cycles.at(classes.next());
    return cycle->next();
  });
}

Slice slice(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank, OrderPtr order) {
  const std::int64_t size = order->size();
  return {std::move(order), rank.value * samplesOf(spec), 1, samplesOf(spec), size};
}

/// Only an image with a class can be drawn.
LeftOutCause leftOut(const PipelineSpec& spec, Epoch /*epoch*/) {
  auto classed = std::make_shared<std::vector<bool>>(static_cast<std::size_t>(spec.dataset.size));
  for (const auto& [name, images] : imagesOf(spec)) {
    for (const std::uint32_t image : images) (*classed)[image] = true;
  }
  return [classed = std::move(classed)](SampleIndex sample) {
    return (*classed)[static_cast<std::size_t>(sample)] ? MissingCause::NotDrawn : MissingCause::OutsideSubset;
  };
}

}  // namespace
}  // namespace mmdet_class_aware_sampler

SamplerRule mmdetClassAwareSampler() {
  using namespace mmdet_class_aware_sampler;
  return {.info = info(),
          .traits = {.seed = "seed"},
          .claims =
              [](const PipelineSpec&) { return SamplerClaims{.divides = true, .in_order = RepeatCause::ClassBalance}; },
          .unread = always<MissingCause::NotDrawn>,
          .left_out = leftOut,
          .check = check,
          .key = key,
          .order = order,
          .slice = slice,
          .shape = sameShape<samplesOf>,
          .same_shapes = true};
}

}  // namespace shardlens::sampling
