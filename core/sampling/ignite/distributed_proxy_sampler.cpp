// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/ignite/distributed_proxy_sampler.h"

#include "core/base/phrase.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/script_seed.h"
#include "core/sampling/torch/inner_sampler.h"
#include "core/sampling/torch/loader_seeds.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::sampling {
namespace ignite_distributed_proxy_sampler {
namespace {

/// The script made the sampler before it was wrapped, so no loader can have given it a generator.
std::vector<Field> fields() {
  std::vector<Field> fields = {
      boolField("sampler.set_epoch", true,
                marked("fields",
                       "Whether the script calls sampler.set_epoch(epoch); if it does not, every epoch is drawn with "
                       "torch.manual_seed(0)."))};
  for (Field& field : innerSamplerFields()) {
    if (field.path == "sampler.generator") {
      field = choiceField("sampler.generator", "none", {"none", "sampler"},
                          marked("fields", "Whether the sampler inside was given a torch.Generator of its own."));
    }
    fields.push_back(withoutRankSeeds(std::move(field)));
  }
  return fields;
}

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "ignite.DistributedProxySampler",
      marked("samplers",
             "Draws another sampler's passes with torch.manual_seed(epoch) on every rank and divides them among the "
             "ranks; what Ignite's auto_dataloader puts around a sampler."),
      fields(),
      {
          marked("samplers",
                 "It seeds torch's global generator with the epoch on every rank: whatever else draws from torch, such "
                 "as dropout, then draws the same on all ranks and in every run."),
          marked("samplers", "No seed of the script changes the order."),
          marked("samplers",
                 "What it adds so that ranks come out even is the beginning of a second pass, not a repetition of the "
                 "first: a shuffled pass that does not divide evenly costs a second draw."),
          marked("samplers",
                 "A sampler with a generator of its own is not seeded again: its order depends on the passes made "
                 "before, and a restart begins with the first one."),
      },
      {"framework.torch_mkl"},
      innerSamplerVariants()};
  return kInfo;
}

bool hasOwnGenerator(const PipelineSpec& spec) {
  return torchGeneratorUse(spec) == TorchGeneratorUse::Sampler;
}

/// Items of all ranks together.
std::int64_t totalOf(const PipelineSpec& spec) {
  return distributedSamples(InnerSampler(spec).size(), spec.worldSize(), false) * spec.worldSize();
}

/// How many times the sampler inside is iterated for them.
std::int64_t passesOf(const PipelineSpec& spec) {
  const std::int64_t size = InnerSampler(spec).size();
  return size == 0 ? 0 : distributedSamples(totalOf(spec), size, false);
}

const std::string kOwn = "ignite own generator";
const std::string kSeeded = "ignite manual_seed";
const std::string kFixed = "ignite fixed";

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  const InnerSampler inner(spec);
  if (inner.sharedOutputs() > 0) return {kSeeded, static_cast<std::uint64_t>(givenEpoch(spec, epoch).value), 0};
  const OrderKey first = inner.key(Epoch{0}, Rank{0});
  // An own generator goes on; a list, or the dataset in order, draws nothing.
  const bool goes_on = hasOwnGenerator(spec) && inner.key(Epoch{1}, Rank{0}) != first;
  return goes_on ? OrderKey{kOwn, first.seed, static_cast<std::uint64_t>(epoch.value)} : OrderKey{kFixed, 0, 0};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const auto told = static_cast<std::int64_t>(key.recipe == kSeeded ? key.seed : 0);
  return igniteProxyOrder(spec, told, static_cast<std::int64_t>(key.skip), work);
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  return distributedShape(InnerSampler(spec).size(), spec.worldSize(), rank.value, false);
}

Slice slice(const PipelineSpec& spec, Epoch epoch, Rank rank, OrderPtr order) {
  return {std::move(order), rank.value, spec.worldSize(), shape(spec, epoch, rank).count, InnerSampler(spec).size()};
}

/// After the first epoch the global stream is where the passes of the epoch before left it.
TorchStream loaderStream(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  if (epoch.value == 0 || seedsEachEpoch(spec)) return {scriptSeed(spec, epoch, rank), 0};
  const auto passes = static_cast<std::uint64_t>(passesOf(spec));
  return {static_cast<std::uint64_t>(givenEpoch(spec, Epoch{epoch.value - 1}).value),
          passes * InnerSampler(spec).sharedOutputs()};
}

SamplerClaims claims(const PipelineSpec& spec) {
  return {.divides = true, .in_order = InnerSampler(spec).claims().in_order};
}

LeftOutCause leftOut(const PipelineSpec& spec, Epoch epoch) {
  return InnerSampler(spec).leftOut(epoch);
}

}  // namespace
}  // namespace ignite_distributed_proxy_sampler

Result<OrderPtr> igniteProxyOrder(const PipelineSpec& spec, std::int64_t told, std::int64_t earlier, const Work& work) {
  using namespace ignite_distributed_proxy_sampler;
  const InnerSampler inner(spec);
  const auto total = static_cast<std::size_t>(totalOf(spec));
  const std::int64_t passes = passesOf(spec);
  auto ids = LargeArray<std::uint32_t>::make(total, "an order");
  if (!ids) return ids.error();
  std::size_t filled = 0;
  for (std::int64_t pass = 0; pass < passes; ++pass) {
    const auto drawn = static_cast<std::uint64_t>(pass) * inner.sharedOutputs();
    const OrderKey key = hasOwnGenerator(spec) ? inner.key(Epoch{earlier * passes + pass}, Rank{0})
                                               : inner.keyAt({static_cast<std::uint64_t>(told), drawn});
    const double share = static_cast<double>(pass) / static_cast<double>(passes);
    const auto items = inner.order(key, work.part(share, share + 1.0 / static_cast<double>(passes)));
    if (!items) return items;
    const auto taken = std::min(static_cast<std::size_t>(inner.size()), total - filled);
    for (std::size_t i = 0; i < taken; ++i) {
      if (i % static_cast<std::size_t>(kItemsBetweenLooks) == 0 && work.stopped()) return cancelled();
      ids->items()[filled++] = static_cast<std::uint32_t>((**items)[static_cast<std::int64_t>(i)]);
    }
  }
  return Order::of(std::move(*ids));
}

SamplerRule igniteDistributedProxySampler() {
  using namespace ignite_distributed_proxy_sampler;
  SamplerTraits traits = innerSamplerTraits();
  traits.shuffle = {};
  traits.seed = {};
  traits.loader_part = LoaderPart::Distributed;
  return {.info = info(),
          .traits = traits,
          .claims = claims,
          .unread = always<MissingCause::CutBySampler>,
          .left_out = leftOut,
          .check = [](const PipelineSpec& spec) { return InnerSampler(spec).check(); },
          .key = key,
          .order = order,
          .slice = slice,
          .shape = shape,
          .same_shapes = true,
          .loader_stream = loaderStream};
}

}  // namespace shardlens::sampling
