// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/ffcv/traversal_order.h"

#include "core/base/phrase.h"
#include "core/random/mt19937.h"
#include "core/random/numpy_permutation.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/numpy_global.h"
#include "core/sampling/python.h"
#include "core/sampling/sample_list.h"
#include "core/sampling/torch/iterable_dataset.h"
#include "core/sampling/torch/order.h"
#include "core/spec/field_table.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::sampling {
namespace ffcv_traversal_order {
namespace {

Field indicesField() {
  return sampleListField(
      marked("fields", "The samples of the file that the loader was given, in its order; an empty list is all."));
}

Field orderSeed() {
  return seedField("sampler.seed", 0, INT64_MIN, INT64_MAX,
                   marked("fields", "Seed of the order; the loader draws one at random if it is given none."));
}

Field distributedField() {
  return boolField(
      "sampler.distributed", true,
      marked("fields", "Whether the loader was made with distributed=True; otherwise each rank reads all."));
}

const char* const kOtherGenerator = marked("samplers",
                                           "With distributed=True, torch's DistributedSampler draws instead of NumPy: "
                                           "one GPU and several have different orders for the same seed.");

std::int64_t countOf(const PipelineSpec& spec) {
  return sampleList(spec).empty() ? spec.dataset.size : sampleCount(spec);
}

/// The ids of the list at these places.
Result<OrderPtr> listed(const PipelineSpec& spec, Result<OrderPtr> places, const Work& work) {
  const IndexList& list = sampleList(spec);
  if (!places || list.empty()) return places;
  return orderOfIds(sampleCount(spec), work,
                    [&](std::int64_t i) { return list[static_cast<std::size_t>((**places)[i])]; });
}

PipelineSpec overList(const PipelineSpec& spec) {
  PipelineSpec part = spec;
  part.dataset.size = countOf(spec);
  return part;
}

bool isDistributed(const PipelineSpec& spec) {
  const bool* distributed = spec.sampler.said<bool>("distributed");
  return distributed == nullptr || *distributed;
}

std::int64_t seedOf(const PipelineSpec& spec) {
  const auto* seed = spec.sampler.said<std::int64_t>("seed");
  return seed == nullptr ? 0 : *seed;
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  if (!isDistributed(spec)) return {countOf(spec), 0};
  return distributedShape(countOf(spec), spec.worldSize(), rank.value, false);
}

Slice slice(const PipelineSpec& spec, Epoch epoch, Rank rank, OrderPtr order) {
  if (!isDistributed(spec)) return wholeOrder(spec, epoch, rank, std::move(order));
  return stridedSlice<shape>(spec, epoch, rank, std::move(order));
}

SamplerClaims claims(const PipelineSpec& spec) {
  return {.divides = isDistributed(spec),
          .in_order = RepeatCause::ListedTwice,
          .across_shares = isDistributed(spec) ? RepeatCause::OverlappingRanks : RepeatCause::ListedTwice};
}

/// Nothing to index by: an empty array of floats.
Result<void> checkSize(const PipelineSpec& spec) {
  if (auto list = checkSampleList(spec); !list) return list;
  if (countOf(spec) > 0) return {};
  return raised("IndexError", "arrays used as indices must be of integer (or boolean) type", "dataset.size",
                worded("checks", "give at least 1 sample"));
}

namespace sequential {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "ffcv.Sequential",
      marked("samplers", "Reads the samples of the file, or of a list, in their order; FFCV's order for evaluation."),
      {indicesField(), distributedField()},
      {marked("samplers", "distributed=True repeats samples so that ranks come out even, which distorts evaluation."),
       marked("samplers", "Before FFCV 0.0.3, a given list of indices was ignored (ffcv#90).")},
  };
  return kInfo;
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  return listed(spec, torchOrder(overList(spec), key, work), work);
}

}  // namespace sequential

namespace random {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "ffcv.Random",
      marked("samplers", "Permutes the samples of the file, or of a list, with seed + epoch."),
      {indicesField(), orderSeed(), distributedField()},
      {kOtherGenerator, marked("samplers", "Without a seed each process draws one of its own: ranks then overlap.")},
  };
  return kInfo;
}

const std::string kNumpy = "ffcv numpy";

Result<void> check(const PipelineSpec& spec) {
  if (auto size = checkSize(spec); !size) return size;
  return isDistributed(spec) ? Result<void>() : checkNumpySeed(seedOf(spec), "sampler.seed");
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  const auto seed = static_cast<std::uint64_t>(seedOf(spec)) + static_cast<std::uint64_t>(epoch.value);
  return {isDistributed(spec) ? kRandperm : kNumpy, seed, 0};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  if (key.recipe != kNumpy) return listed(spec, torchOrder(overList(spec), key, work), work);
  auto places = LargeArray<std::uint32_t>::make(static_cast<std::size_t>(countOf(spec)), "an order");
  if (!places) return places.error();
  NumpyGenerator generator(key.seed);
  if (auto done = numpyPermutation(generator, places->items(), work); !done) return done.error();
  return listed(spec, Order::of(std::move(*places)), work);
}

}  // namespace random

namespace quasi {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "ffcv.QuasiRandom",
      marked("samplers",
             "Draws samples at random from as many pages of the file as two batches have samples; a page is an entry "
             "of dataset.shards."),
      {indicesField(), orderSeed(),
       boolField("sampler.asked_at_start", true,
                 marked("fields",
                        "Whether the loader asked for epoch 0 when it was made, as FFCV's does: that call shuffles the "
                        "pages once."))},
      {marked("samplers",
              "Each call shuffles the stored pages in place: the order of an epoch depends on all calls before, and a "
              "run resumed by setting next_epoch gets another one."),
       marked("samplers", "It refuses distributed=True (ffcv#92): every rank reads the whole file."),
       marked("samplers", "If the file is sorted by class, a batch holds few classes (ffcv#304).")},
      {"dataset.shards"}};
  return kInfo;
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  return {info().type, static_cast<std::uint64_t>(seedOf(spec)), static_cast<std::uint64_t>(epoch.value)};
}

/// The listed samples of each page.
std::vector<std::vector<std::int64_t>> pagesOf(const PipelineSpec& spec) {
  const std::vector<std::int64_t> starts = shardStarts(spec);
  const IndexList& list = sampleList(spec);
  std::vector<bool> used(static_cast<std::size_t>(spec.dataset.size), list.empty());
  for (const std::int64_t item : list) used[static_cast<std::size_t>(item)] = true;
  std::vector<std::vector<std::int64_t>> pages;
  for (std::size_t page = 0; page + 1 < starts.size(); ++page) {
    pages.emplace_back();
    for (std::int64_t id = starts[page]; id < starts[page + 1]; ++id) {
      if (used[static_cast<std::size_t>(id)]) pages.back().push_back(id);
    }
  }
  return pages;
}

/// The loader asks for epoch 0 when it is made, and then for each epoch.
Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const auto seed = static_cast<std::int64_t>(key.seed);
  FfcvPages pages = ffcvPages(spec);
  if (boolParameter(spec, info(), "asked_at_start")) pages.call(seed, 0);
  for (std::uint64_t epoch = 0; epoch < key.skip; ++epoch) {
    if (work.stopped()) return cancelled();
    work.progress(static_cast<double>(epoch) / static_cast<double>(key.skip + 1));
    pages.call(seed, static_cast<std::int64_t>(epoch));
  }
  return Order::of(pages.call(seed, static_cast<std::int64_t>(key.skip)));
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank /*rank*/) {
  std::int64_t count = 0;
  for (const auto& page : pagesOf(spec)) count += std::ssize(page);
  return {count, 0};
}

}  // namespace quasi
}  // namespace
}  // namespace ffcv_traversal_order

FfcvPages ffcvPages(const PipelineSpec& spec) {
  return {ffcv_traversal_order::quasi::pagesOf(spec), spec.loader.batch_size};
}

SamplerRule ffcvSequential() {
  using namespace ffcv_traversal_order;
  return {.info = sequential::info(),
          .traits = {.indices = "indices"},
          .in_order = true,
          .claims = claims,
          .left_out = always<MissingCause::NotAmongIndices>,
          .check = checkSize,
          .key = sequentialKey,
          .order = sequential::order,
          .slice = slice,
          .shape = shape,
          .same_shapes = true};
}

SamplerRule ffcvRandom() {
  using namespace ffcv_traversal_order;
  return {.info = random::info(),
          .traits = {.seed = "seed", .indices = "indices"},
          .claims = claims,
          .left_out = always<MissingCause::NotAmongIndices>,
          .check = random::check,
          .key = random::key,
          .order = random::order,
          .slice = slice,
          .shape = shape,
          .same_shapes = true};
}

SamplerRule ffcvQuasiRandom() {
  using namespace ffcv_traversal_order;
  return {.info = quasi::info(),
          .traits = {.seed = "seed", .indices = "indices"},
          .claims = [](const PipelineSpec&) { return SamplerClaims{}; },
          .left_out = always<MissingCause::NotAmongIndices>,
          .check = checkSize,
          .key = quasi::key,
          .order = quasi::order,
          .slice = wholeOrder,
          .shape = quasi::shape,
          .same_shapes = true};
}

namespace {

/// A whole number up to `most` by numba's `random`: the highest bits of an output, drawn again while too large.
std::uint32_t byHighBits(Mt19937& engine, std::uint32_t most) {
  const int bits = std::bit_width(most + 1);
  std::uint32_t value = 0;
  do value = engine.next() >> (32 - bits);
  while (value > most);
  return value;
}

/// The same by numba's `np.random`: the lowest bits.
std::uint32_t byLowBits(Mt19937& engine, std::uint32_t most) {
  if (most == 0) return 0;
  const std::uint32_t mask = (std::uint32_t{1} << std::bit_width(most)) - 1;
  std::uint32_t value = 0;
  do value = engine.next() & mask;
  while (value > most);
  return value;
}

template <class T, class Draw>
void shuffle(std::vector<T>& items, Draw draw) {
  for (std::size_t i = items.size(); i-- > 1;) std::swap(items[i], items[draw(static_cast<std::uint32_t>(i))]);
}

}  // namespace

std::vector<std::int64_t> FfcvPages::call(std::int64_t seed, std::int64_t epoch) {
  const auto mixed =
      static_cast<std::uint32_t>(static_cast<std::uint64_t>(seed) * 912300 + static_cast<std::uint64_t>(epoch));
  Mt19937 of_random(mixed);
  Mt19937 of_numpy(mixed);
  std::size_t left = 0;
  for (auto& page : pages_) {
    shuffle(page, [&](std::uint32_t most) { return byHighBits(of_random, most); });
    left += page.size();
  }
  std::vector<std::size_t> order(pages_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  shuffle(order, [&](std::uint32_t most) { return byLowBits(of_numpy, most); });
  struct Open {
    std::size_t page = 0;
    std::size_t next = 0;
  };
  std::vector<Open> open;
  std::vector<std::int64_t> samples;
  for (std::size_t next_page = 0; left > 0; --left) {
    while (std::ssize(open) < slots_ && next_page < order.size()) {
      const std::size_t page = order[next_page++];
      if (!pages_[page].empty()) open.push_back({page, 0});
    }
    const std::size_t slot = byLowBits(of_numpy, static_cast<std::uint32_t>(open.size() - 1));
    Open& taken = open[slot];
    samples.push_back(pages_[taken.page][taken.next++]);
    if (taken.next == pages_[taken.page].size()) open.erase(open.begin() + static_cast<std::ptrdiff_t>(slot));
  }
  return samples;
}

}  // namespace shardlens::sampling
