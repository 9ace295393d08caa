// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/python.h"
#include "core/sampling/torch/order.h"
#include "core/sampling/transformers/samplers.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cstdint>
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
  return Error{ErrorCode::BadInput,
               filled(worded("checks", "There are %1 lengths for %2."), std::to_string(spec.dataset.lengths.size()),
                      wordedCount(spec.dataset.size, "sample")),
               {{}, 0, 0, "dataset.lengths"},
               worded("checks", "give the length of every sample, in the order of the dataset")};
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
  auto drawn = torchPermutation(size, randpermRule(spec, size), generator, work);
  if (!drawn) return drawn.error();
  const std::span<std::uint32_t> ids = drawn->items();
  const std::vector<std::int64_t>& lengths = spec.dataset.lengths;
  const auto mega = static_cast<std::size_t>(megaBatch(spec));
  for (std::size_t at = 0; at < ids.size(); at += mega) {
    if (work.stopped()) return cancelled();
    const auto part = ids.subspan(at, std::min(mega, ids.size() - at));
    std::stable_sort(part.begin(), part.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return lengths[a] > lengths[b]; });
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
  const auto size = static_cast<std::uint64_t>(spec.dataset.size);
  const std::uint64_t outputs = torchRandpermOutputs(randpermRule(spec, spec.dataset.size), size);
  return {kGrouped, static_cast<std::uint64_t>(intParameter(spec, info(), "seed")),
          outputs * static_cast<std::uint64_t>(epoch.value)};
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank /*rank*/) {
  return {spec.dataset.size, 0};
}

Slice slice(const PipelineSpec& spec, Epoch /*epoch*/, Rank /*rank*/, OrderPtr order) {
  return {std::move(order), 0, 1, spec.dataset.size, spec.dataset.size};
}

SamplerClaims claims(const PipelineSpec& /*spec*/) {
  return {};
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
       boolField(
           "sampler.set_epoch", true,
           marked("fields",
                  "Whether the script calls sampler.set_epoch(epoch); if it does not, every epoch repeats epoch 0."))},
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
  const auto seed = static_cast<std::uint64_t>(intParameter(spec, info(), "seed"));
  const bool called = boolParameter(spec, info(), "set_epoch");
  return {kGrouped, seed + static_cast<std::uint64_t>(called ? epoch.value : 0), 0};
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  return distributedShape(spec.dataset.size, spec.worldSize(), rank.value, boolParameter(spec, info(), "drop_last"));
}

Slice slice(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank, OrderPtr order) {
  const std::int64_t size = order->size();
  return {std::move(order), rank.value, spec.worldSize(), countOf(spec), size};
}

SamplerClaims claims(const PipelineSpec& /*spec*/) {
  return {.divides = true};
}

}  // namespace distributed
}  // namespace
}  // namespace transformers_length_grouped_sampler

SamplerRule transformersLengthGroupedSampler() {
  using namespace transformers_length_grouped_sampler;
  return {.info = alone::info(),
          .traits = {.seed = "seed"},
          .claims = alone::claims,
          .check = checkLengths,
          .key = alone::key,
          .order = groupedOrder,
          .slice = alone::slice,
          .shape = alone::shape};
}

SamplerRule transformersDistributedLengthGroupedSampler() {
  using namespace transformers_length_grouped_sampler;
  return {.info = distributed::info(),
          .traits = {.seed = "seed",
                     .set_epoch = "set_epoch",
                     .drop_last = "drop_last",
                     .loader_part = LoaderPart::Distributed},
          .claims = distributed::claims,
          .unread = always<MissingCause::CutBySampler>,
          .check = distributed::check,
          .key = distributed::key,
          .order = groupedOrder,
          .slice = distributed::slice,
          .shape = distributed::shape};
}

}  // namespace shardlens::sampling
