// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/torch/order.h"
#include "core/sampling/trl/samplers.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

namespace shardlens::sampling {
namespace trl_repeat_random_sampler {
namespace {

constexpr std::int64_t kMostRepeats = 10'000;

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "trl.RepeatRandomSampler",
      marked("samplers",
             "Repeats each sample of a permutation in a row, for GRPO in TRL 0.15; later releases have RepeatSampler."),
      {intField("sampler.repeat_count", 2, 0, kMostRepeats, "",
                marked("fields", "How often each sample comes in a row: the generations of a prompt."))},
      {marked("samplers",
              "It permutes with the global generator: ranks that seed torch apart draw different orders, and anything "
              "else that draws from torch changes them."),
       marked("samplers",
              "Every rank gets the whole list: the Trainer relies on Accelerate to divide its batches among the "
              "ranks.")},
  };
  return kInfo;
}

std::int64_t repeats(const PipelineSpec& spec) {
  return intParameter(spec, info(), "repeat_count");
}

std::uint64_t sharedOutputs(const PipelineSpec& spec, Rank /*rank*/) {
  return torchRandpermOutputs(randpermRule(spec, spec.dataset.size), static_cast<std::uint64_t>(spec.dataset.size));
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  const TorchStream stream = torchSamplerStream(spec, epoch, rank);
  return {info().type, stream.seed, stream.skip};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  TorchGenerator generator = generatorAt({key.seed, key.skip});
  return trlRepeatRandomOrder(spec, generator, work);
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank /*rank*/) {
  return {spec.dataset.size * repeats(spec), 0};
}

SamplerClaims claims(const PipelineSpec& /*spec*/) {
  return {.in_order = RepeatCause::RepeatFactor, .across_shares = RepeatCause::OverlappingRanks};
}

}  // namespace
}  // namespace trl_repeat_random_sampler

Result<OrderPtr> trlRepeatRandomOrder(const PipelineSpec& spec, TorchGenerator& generator, const Work& work) {
  using namespace trl_repeat_random_sampler;
  const std::int64_t size = spec.dataset.size;
  auto pass = torchPermutation(size, randpermRule(spec, size), generator, work.part(0, 0.5));
  if (!pass) return pass.error();
  const auto times = static_cast<std::size_t>(repeats(spec));
  auto ids = LargeArray<std::uint32_t>::make(pass->size() * times, "an order");
  if (!ids) return ids.error();
  const std::span<const std::uint32_t> from = std::as_const(*pass).items();
  const std::span<std::uint32_t> to = ids->items();
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (i % static_cast<std::size_t>(kItemsBetweenLooks) == 0 && work.stopped()) return cancelled();
    to[i] = from[i / times];
  }
  return Order::of(std::move(*ids));
}

SamplerRule trlRepeatRandomSampler() {
  using namespace trl_repeat_random_sampler;
  return {.info = info(),
          .claims = claims,
          .left_out = always<MissingCause::WeightZero>,
          .key = key,
          .order = order,
          .slice = wholeOrder,
          .shape = shape,
          .same_shapes = true,
          .shared_outputs = sharedOutputs};
}

}  // namespace shardlens::sampling
