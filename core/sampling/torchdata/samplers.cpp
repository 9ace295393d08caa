// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/torch/samplers.h"

#include "core/base/phrase.h"
#include "core/random/torch_generator.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/python.h"
#include "core/sampling/rules.h"
#include "core/sampling/script_seed.h"
#include "core/sampling/torch/order.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace shardlens::sampling {
namespace torchdata_samplers {
namespace {

Field yieldedField() {
  return intField(
      "sampler.yielded", 0, 0, kMostToDraw, "samples",
      marked("fields",
             "Samples that each rank had taken when the state was saved: the first epoch continues after them."));
}

std::int64_t yieldedBefore(const PipelineSpec& spec, Epoch epoch) {
  const auto* yielded = spec.sampler.said<std::int64_t>("yielded");
  return epoch.value > 0 || yielded == nullptr ? 0 : *yielded;
}

/// The slice behind its first `count` items.
Slice behind(const Slice& slice, std::int64_t count) {
  const std::int64_t gone = std::min(count, slice.size());
  return {slice.order(), slice.first() + gone * slice.stride(), slice.stride(), slice.size() - gone, slice.addedFrom()};
}

namespace distributed {

const SamplerRule& torchRule() {
  static const SamplerRule kRule = torchDistributedSampler();
  return kRule;
}

const SamplerInfo& info() {
  static const SamplerInfo kInfo = [] {
    SamplerInfo made = {
        "torchdata.StatefulDistributedSampler",
        marked("samplers", "torch.DistributedSampler that continues from a saved state."),
        torchRule().info.parameters,
        {marked("samplers",
                "Up to torchdata 0.11 the state holds only how many samples were taken: without set_epoch after "
                "loading, the rest of another epoch's order follows (pytorch/data#1513)."),
         marked("samplers",
                "Another world size is not supported: the count is per rank, and the strides no longer fit."),
         marked("samplers", "Without set_epoch, the epoch after a resumed one repeats its order.")},
    };
    made.parameters.push_back(yieldedField());
    return made;
  }();
  return kInfo;
}

Slice slice(const PipelineSpec& spec, Epoch epoch, Rank rank, OrderPtr order) {
  return behind(torchRule().slice(spec, epoch, rank, std::move(order)), yieldedBefore(spec, epoch));
}

bool startsAfresh(const PipelineSpec& spec) {
  return yieldedBefore(spec, Epoch{0}) == 0;
}

/// A place within a rank's first `yielded` ones was read before, if a process has its slice at all.
UnreadCause unread(const PipelineSpec& spec, Epoch epoch) {
  const std::int64_t before = yieldedBefore(spec, epoch);
  std::map<std::int64_t, std::vector<bool>> read;  // by the number of slices, of which unequal nodes have several
  for (Rank rank{0}; rank.value < spec.worldSize(); ++rank) {
    const Slice whole = torchRule().slice(spec, epoch, rank, Order::identity(spec.dataset.size));
    std::vector<bool>& slices = read[whole.stride()];
    slices.resize(static_cast<std::size_t>(whole.stride()));
    slices[static_cast<std::size_t>(whole.first())] = true;
  }
  return [=, other = torchRule().unread(spec, epoch)](std::int64_t place) {
    const bool taken = std::ranges::any_of(read, [&](const auto& of) {
      return place / of.first < before && of.second[static_cast<std::size_t>(place % of.first)];
    });
    const MissingCause cause = other(place);
    return taken && cause == MissingCause::RankThatNobodyIs ? MissingCause::HandedOutBefore : cause;
  };
}

}  // namespace distributed

namespace random {

constexpr std::int64_t kChunk = 32;
const std::string kGlobal = "global";

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "torchdata.RandomSampler",
      marked("samplers",
             "torch.RandomSampler with its own generator, which is always seeded and whose state is saved."),
      {replacementField(), numSamplesField(1),
       Field{.path = "sampler.generator_seed",
             .kind = FieldKind::IntOrName,
             .fallback = std::int64_t{1},
             .choices = {kGlobal},
             .help = marked("fields",
                            "Seed of its generator. When the script gives none: 1 in older releases; global, one draw "
                            "of the rank's torch stream when the sampler is made, in newer ones."),
             .is_seed = true},
       yieldedField()},
      {marked("samplers",
              "Every rank draws the whole dataset, and equal seeds give the same order: nothing divides it."),
       marked("samplers",
              "It always draws whole chunks, so its generator ends in a different state than torch.RandomSampler's: "
              "from the second epoch on, the orders differ."),
       marked("samplers", "Older releases seed it with 1 when no generator is given: every run has the same order.")},
  };
  return kInfo;
}

bool replaces(const PipelineSpec& spec) {
  return boolParameter(spec, info(), "replacement");
}

std::int64_t samplesOf(const PipelineSpec& spec) {
  return intParameterOr(spec, info(), "num_samples", spec.dataset.size);
}

/// What is drawn at once: a permutation, or 32 numbers.
std::int64_t chunkOf(const PipelineSpec& spec) {
  return replaces(spec) ? kChunk : spec.dataset.size;
}

TorchRandint randintOf(const PipelineSpec& spec) {
  return {spec.framework.torch, 0, spec.dataset.size};
}

std::uint64_t outputsOfChunk(const PipelineSpec& spec) {
  return replaces(spec) ? kChunk * randintOf(spec).outputs() : permutationOutputs(spec, spec.dataset.size);
}

Result<void> check(const PipelineSpec& spec) {
  if (spec.dataset.size > 0) return {};
  return raised("ValueError", "num_samples should be a positive integer value, but got num_samples=0", "dataset.size");
}

std::uint64_t seedOf(const PipelineSpec& spec, Rank rank) {
  if (const auto seed = intIfGiven(spec, info(), "generator_seed")) return static_cast<std::uint64_t>(*seed);
  TorchGenerator global(scriptSeed(spec, Epoch{0}, rank));
  return static_cast<std::uint64_t>(global.random63());
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  const auto chunks = static_cast<std::uint64_t>(ceilDiv(samplesOf(spec), chunkOf(spec)));
  return {info().type, seedOf(spec, rank), chunks * outputsOfChunk(spec) * static_cast<std::uint64_t>(epoch.value)};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const auto count = static_cast<std::size_t>(samplesOf(spec));
  auto ids = LargeArray<std::uint32_t>::make(count, "an order");
  if (!ids) return ids.error();
  TorchGenerator generator = generatorAt({key.seed, key.skip});
  const TorchRandint randint = randintOf(spec);
  for (std::size_t done = 0; done < count; done += static_cast<std::size_t>(chunkOf(spec))) {
    if (work.stopped()) return cancelled();
    const std::size_t used = std::min(static_cast<std::size_t>(chunkOf(spec)), count - done);
    if (replaces(spec)) {
      for (std::size_t k = 0; k < used; ++k) {
        ids->items()[done + k] = static_cast<std::uint32_t>(randint(generator));
      }
      continue;
    }
    auto lap = torchPermutation(spec, spec.dataset.size, generator, work);
    if (!lap) return lap.error();
    std::copy_n(lap->items().begin(), used, ids->items().begin() + static_cast<std::ptrdiff_t>(done));
  }
  return Order::of(std::move(*ids));
}

Slice slice(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/, OrderPtr order) {
  const std::int64_t count = samplesOf(spec);
  return behind({std::move(order), 0, 1, count, count}, yieldedBefore(spec, epoch));
}

SliceShape shape(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  return {samplesOf(spec) - std::min(samplesOf(spec), yieldedBefore(spec, epoch)), 0};
}

SamplerClaims claims(const PipelineSpec& spec) {
  return {.in_order = replaces(spec) ? RepeatCause::Replacement : RepeatCause::AnotherPass};
}

UnreadCause unread(const PipelineSpec& spec, Epoch epoch) {
  const std::int64_t before = yieldedBefore(spec, epoch);
  return
      [before](std::int64_t place) { return place < before ? MissingCause::HandedOutBefore : MissingCause::NotDrawn; };
}

}  // namespace random
}  // namespace
}  // namespace torchdata_samplers

SamplerRule torchdataStatefulDistributedSampler() {
  using namespace torchdata_samplers;
  SamplerRule rule = torchDistributedSampler();
  rule.info = distributed::info();
  rule.traits.consumed = "yielded";
  rule.unread = distributed::unread;
  rule.reads_evenly = distributed::startsAfresh;
  rule.places = nullptr;
  rule.slice = distributed::slice;
  rule.shape = shapeOfSlice<distributed::slice>;
  rule.same_shapes = false;
  return rule;
}

SamplerRule torchdataRandomSampler() {
  using namespace torchdata_samplers;
  return {.info = random::info(),
          .traits = {.replacement = "replacement",
                     .num_samples = "num_samples",
                     .consumed = "yielded",
                     .knows_peers = true},
          .claims = random::claims,
          .unread = random::unread,
          .left_out = always<MissingCause::NotDrawn>,
          .check = random::check,
          .key = random::key,
          .order = random::order,
          .slice = random::slice,
          .shape = random::shape};
}

}  // namespace shardlens::sampling
