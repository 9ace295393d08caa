// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/transformers/samplers.h"

#include "core/base/phrase.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/python.h"
#include "core/sampling/torch/order.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace shardlens::sampling {
namespace transformers_length_grouped_sampler {
namespace {

const std::string kGrouped = "transformers length grouped";

/// Samples that are sorted together: a quarter of the dataset, at most fifty batches, at least one.
std::int64_t megaBatch(const PipelineSpec& spec) {
  const std::int64_t batch = spec.loader.batch_size;
  const std::int64_t batches = std::min<std::int64_t>(spec.dataset.size / batch / 4, 50);
  return std::max<std::int64_t>(1, batches) * batch;
}

Result<void> checkLengths(const PipelineSpec& spec) {
  if (spec.dataset.size == 0) {
    return raised("IndexError",
                  "argmax(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim "
                  "with the 'dim' argument.",
                  "dataset.size");
  }
  if (static_cast<std::int64_t>(spec.dataset.lengths.size()) == spec.dataset.size) return {};
  return refused(filled(worded("checks", "There are %1 lengths for %2."), std::to_string(spec.dataset.lengths.size()),
                        wordedCount(spec.dataset.size, "sample")),
                 "dataset.lengths", worded("checks", "give the length of every sample, in the order of the dataset"));
}

/// The longest of all comes first, so that a lack of memory shows at once; the first mega-batch gives its own longest.
void putLongestFirst(const PipelineSpec& spec, std::span<std::uint32_t> ids) {
  const std::vector<std::int64_t>& lengths = spec.dataset.lengths;
  const auto mega = static_cast<std::size_t>(megaBatch(spec));
  std::size_t longest = 0;
  for (std::size_t at = mega; at < ids.size(); at += mega) {
    if (lengths[ids[at]] > lengths[ids[longest]]) longest = at;
  }
  std::swap(ids[0], ids[longest]);
}

/// get_length_grouped_indices.
Result<OrderPtr> groupedOrder(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const std::int64_t size = spec.dataset.size;
  TorchGenerator generator = generatorAt({key.seed, key.skip});
  auto drawn = torchPermutation(spec, size, generator, work);
  if (!drawn) return drawn.error();
  const std::span<std::uint32_t> ids = drawn->items();
  const std::vector<std::int64_t>& lengths = spec.dataset.lengths;
  const auto mega = static_cast<std::size_t>(megaBatch(spec));
  for (std::size_t at = 0; at < ids.size(); at += mega) {
    if (work.stopped()) return cancelled();
    const auto part = ids.subspan(at, std::min(mega, ids.size() - at));
    std::ranges::stable_sort(part, [&](std::uint32_t a, std::uint32_t b) { return lengths[a] > lengths[b]; });
  }
  putLongestFirst(spec, ids);
  return Order::of(std::move(*drawn));
}

const char* const kEveryFourth = marked(
    "samplers",
    "Only a quarter of the dataset, or fifty batches, is sorted together: lengths in a batch are similar, not equal.");

namespace alone {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "transformers.LengthGroupedSampler",
      marked("samplers",
             "Permutes the dataset and sorts it by length in sections, with the longest sample first; what the Trainer "
             "uses with group_by_length on one process."),
      {seedField("sampler.seed", 0, INT64_MIN, INT64_MAX,
                 marked("fields", "Seed of the sampler's generator, set once before epoch 0."))},
      {marked("samplers", "Every rank draws the whole dataset: nothing divides it between them."), kEveryFourth},
      {"dataset.lengths"},
  };
  return kInfo;
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  return {kGrouped, static_cast<std::uint64_t>(intParameter(spec, info(), "seed")),
          permutationOutputs(spec, spec.dataset.size) * static_cast<std::uint64_t>(epoch.value)};
}

}  // namespace alone

namespace distributed {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "transformers.DistributedLengthGroupedSampler",
      marked("samplers",
             "LengthGroupedSampler divided among ranks like a DistributedSampler; what the Trainer uses with "
             "group_by_length."),
      {seedField("sampler.seed", 0, INT64_MIN, INT64_MAX,
                 marked("fields", "Seed of the permutation; the epoch is added.")),
       boolField("sampler.drop_last", false,
                 marked("fields", "Cut the tail that does not divide evenly instead of repeating samples.")),
       setEpochField()},
      {marked("samplers",
              "It pads only once: when the ranks need more padding than there are samples, an assertion without a "
              "message fails."),
       marked("samplers",
              "Ranks read every world-size-th sample of a batch of similar lengths: the lengths in one rank's batches "
              "are less similar."),
       kEveryFourth},
      {"dataset.lengths"},
  };
  return kInfo;
}

std::int64_t countOf(const PipelineSpec& spec) {
  return distributedSamples(spec.dataset.size, spec.worldSize(), boolParameter(spec, info(), "drop_last"));
}

Result<void> check(const PipelineSpec& spec) {
  if (auto lengths = checkLengths(spec); !lengths) return lengths;
  if (countOf(spec) * spec.worldSize() <= 2 * spec.dataset.size) return {};
  return raised("AssertionError", "", "world",
                worded("checks", "there are too few samples to pad every rank's share with"));
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  return {kGrouped, epochSeed(spec, info(), epoch), 0};
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  return distributedShape(spec.dataset.size, spec.worldSize(), rank.value, boolParameter(spec, info(), "drop_last"));
}

}  // namespace distributed
}  // namespace
}  // namespace transformers_length_grouped_sampler

SamplerRule transformersLengthGroupedSampler() {
  using namespace transformers_length_grouped_sampler;
  return {.info = alone::info(),
          .traits = {.seed = "seed"},
          .claims = [](const PipelineSpec&) { return SamplerClaims{}; },
          .check = checkLengths,
          .key = alone::key,
          .order = groupedOrder,
          .slice = wholeOrder,
          .shape = sameShape<datasetSize>};
}

SamplerRule transformersDistributedLengthGroupedSampler() {
  using namespace transformers_length_grouped_sampler;
  return {.info = distributed::info(),
          .traits = {.seed = "seed",
                     .set_epoch = "set_epoch",
                     .drop_last = "drop_last",
                     .loader_part = LoaderPart::Distributed},
          .claims = [](const PipelineSpec&) { return SamplerClaims{.divides = true}; },
          .unread = always<MissingCause::CutBySampler>,
          .check = distributed::check,
          .key = distributed::key,
          .order = groupedOrder,
          .slice = stridedSlice<distributed::shape>,
          .shape = distributed::shape};
}

namespace transformers_distributed_sampler_with_loop {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "transformers.DistributedSamplerWithLoop",
      marked("samplers", "A DistributedSampler whose ranks fill up their last batch with their own first samples."),
      {shuffleField(),
       seedField("sampler.seed", 0, INT64_MIN, INT64_MAX,
                 marked("fields", "Seed of the permutation; the epoch is added.")),
       boolField("sampler.drop_last", false,
                 marked("fields", "Cut the tail that does not divide evenly instead of repeating samples.")),
       setEpochField()},
      {marked("samplers",
              "Every rank repeats samples at the end of its epoch, in addition to DistributedSampler's padding.")},
  };
  return kInfo;
}

/// Which of a rank's own samples come again at its end.
struct Loop {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

Loop loopOf(const PipelineSpec& spec, std::int64_t samples, Rank rank) {
  const std::int64_t batch = spec.loader.batch_size;
  const std::int64_t missing = (batch - samples % batch) % batch;
  // The others had the first sample repeated already, by DistributedSampler.
  const std::int64_t first = rank.value < spec.dataset.size % spec.worldSize() ? 1 : 0;
  return {first, std::clamp<std::int64_t>(samples - first, 0, missing)};
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  const SliceShape share =
      distributedShape(spec.dataset.size, spec.worldSize(), rank.value, boolParameter(spec, info(), "drop_last"));
  const std::int64_t again = loopOf(spec, share.count, rank).count;
  return {share.count + again, share.padding + again};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  auto base = torchOrder(spec, key, work);
  if (!base) return base;
  std::vector<std::int64_t> ids;
  Deal deal;
  const std::int64_t samples =
      distributedSamples(spec.dataset.size, spec.worldSize(), boolParameter(spec, info(), "drop_last"));
  for (std::int64_t place = samples * spec.worldSize(); place < spec.dataset.size; ++place) {
    deal.left_over.push_back((**base)[place]);
  }
  for (Rank rank{0}; rank.value < spec.worldSize(); ++rank) {
    if (work.stopped()) return cancelled();
    const Slice own(*base, rank.value, spec.worldSize(), samples, spec.dataset.size);
    const Loop loop = loopOf(spec, samples, rank);
    deal.shares.push_back({static_cast<std::int64_t>(ids.size()), samples + loop.count,
                           shape(spec, Epoch{0}, rank).padding, 0, 0, loop.count});
    for (std::int64_t k = 0; k < samples; ++k) ids.push_back(own.sample(k));
    for (std::int64_t k = 0; k < loop.count; ++k) ids.push_back(own.sample(loop.first + k));
  }
  return Order::dealt(Order::of(std::move(ids)), std::move(deal));
}

}  // namespace
}  // namespace transformers_distributed_sampler_with_loop

SamplerRule transformersDistributedSamplerWithLoop() {
  using namespace transformers_distributed_sampler_with_loop;
  return {.info = info(),
          .traits = kDistributedTraits,
          .claims = [](const PipelineSpec&) { return SamplerClaims{.divides = true}; },
          .unread = always<MissingCause::CutBySampler>,
          .key = seededKey<info>,
          .order = order,
          .shape = shape};
}

namespace transformers_evaluation_samplers {
namespace {

SamplerClaims claimsOf(RepeatCause padding) {
  return {.divides = true, .evaluates = true, .padding = padding};
}

namespace shard {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "transformers.ShardSampler",
      marked("samplers",
             "Gives each process whole batches in turn, in the order of the dataset; the Trainer's evaluation."),
      {boolField("sampler.drop_last", false,
                 marked("fields", "Leave out the samples that do not fill a batch on every process."))},
      {marked("samplers",
              "The end is filled up with the first samples: metrics count them twice unless they are cut off "
              "(transformers gathers and truncates).")},
  };
  return kInfo;
}

Slice slice(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank, OrderPtr order) {
  const std::int64_t batch = spec.loader.batch_size;
  const std::int64_t together = batch * spec.worldSize();
  const std::int64_t size = spec.dataset.size;
  const bool drop_last = boolParameter(spec, info(), "drop_last");
  const std::int64_t rounds = drop_last ? size / together : ceilDiv(size, together);
  return {std::move(order), rank.value * batch, together, rounds * batch, size, batch};
}

}  // namespace shard

namespace sequential {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "transformers.SequentialDistributedSampler",
      marked("samplers",
             "One contiguous block of the dataset per rank, the last one filled up with the first samples."),
      {intOrNameField(
          "sampler.batch_size", "none", 1, INT32_MAX, "samples",
          marked("fields", "Make each block a multiple of this; none fills up only to a multiple of the world size."))},
      {marked("samplers", "It pads only once: a dataset smaller than its padding fails an assertion."),
       marked("samplers", "Contiguous blocks of a sorted dataset give the ranks very different amounts of work.")},
  };
  return kInfo;
}

std::int64_t blockOf(const PipelineSpec& spec) {
  const std::int64_t unit = intParameterOr(spec, info(), "batch_size", 1);
  return ceilDiv(spec.dataset.size, unit * spec.worldSize()) * unit;
}

Result<void> check(const PipelineSpec& spec) {
  const std::int64_t total = blockOf(spec) * spec.worldSize();
  if (total <= 2 * spec.dataset.size) return {};
  return raised("AssertionError",
                "Indices length " + std::to_string(2 * spec.dataset.size) + " and total size " + std::to_string(total) +
                    " mismatched",
                "dataset.size", worded("checks", "there are too few samples to fill every rank's block"));
}

Slice slice(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank, OrderPtr order) {
  const std::int64_t block = blockOf(spec);
  const std::int64_t unit = std::max<std::int64_t>(1, block);
  return {std::move(order), rank.value * block, unit, block, spec.dataset.size, unit};
}

}  // namespace sequential
}  // namespace
}  // namespace transformers_evaluation_samplers

SamplerRule transformersShardSampler() {
  using namespace transformers_evaluation_samplers;
  return {.info = shard::info(),
          .traits = {.drop_last = "drop_last"},
          .in_order = true,
          .claims = [](const PipelineSpec&) { return claimsOf(RepeatCause::BatchFilling); },
          .unread = always<MissingCause::CutBySampler>,
          .key = sequentialKey,
          .order = torchOrder,
          .slice = shard::slice,
          .shape = shapeOfSlice<shard::slice>};
}

SamplerRule transformersSequentialDistributedSampler() {
  using namespace transformers_evaluation_samplers;
  return {.info = sequential::info(),
          .in_order = true,
          .claims = [](const PipelineSpec&) { return claimsOf(RepeatCause::SamplerPadding); },
          .check = sequential::check,
          .key = sequentialKey,
          .order = torchOrder,
          .slice = sequential::slice,
          .shape = shapeOfSlice<sequential::slice>};
}

}  // namespace shardlens::sampling
