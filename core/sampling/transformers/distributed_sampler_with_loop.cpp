// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/torch/order.h"
#include "core/sampling/transformers/samplers.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace shardlens::sampling {
namespace transformers_distributed_sampler_with_loop {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "transformers.DistributedSamplerWithLoop",
      marked("samplers", "A DistributedSampler whose ranks fill up their last batch with their own first samples."),
      {boolField("sampler.shuffle", true, marked("fields", "Permute the dataset in every epoch.")),
       seedField("sampler.seed", 0, INT64_MIN, INT64_MAX,
                 marked("fields", "Seed of the permutation; the epoch is added.")),
       boolField("sampler.drop_last", false,
                 marked("fields", "Cut the tail that does not divide evenly instead of repeating samples.")),
       boolField(
           "sampler.set_epoch", true,
           marked("fields",
                  "Whether the script calls sampler.set_epoch(epoch); if it does not, every epoch repeats epoch 0."))},
      {marked("samplers",
              "Every rank repeats samples at the end of its epoch, in addition to DistributedSampler's padding.")},
  };
  return kInfo;
}

bool isOn(const PipelineSpec& spec, const char* key) {
  return boolParameter(spec, info(), key);
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
  const SliceShape share = distributedShape(spec.dataset.size, spec.worldSize(), rank.value, isOn(spec, "drop_last"));
  const std::int64_t again = loopOf(spec, share.count, rank).count;
  return {share.count + again, share.padding + again};
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  if (!isOn(spec, "shuffle")) return {kSequential, 0, 0};
  const auto seed = static_cast<std::uint64_t>(intParameter(spec, info(), "seed"));
  return {kRandperm, seed + static_cast<std::uint64_t>(isOn(spec, "set_epoch") ? epoch.value : 0), 0};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  auto base = torchOrder(spec, key, work);
  if (!base) return base;
  std::vector<std::int64_t> ids;
  Deal deal;
  const std::int64_t dealt = distributedSamples(spec.dataset.size, spec.worldSize(), isOn(spec, "drop_last"));
  for (std::int64_t place = dealt * spec.worldSize(); place < spec.dataset.size; ++place) {
    deal.left_over.push_back((**base)[place]);
  }
  for (Rank rank{0}; rank.value < spec.worldSize(); ++rank) {
    if (work.stopped()) return cancelled();
    const std::int64_t samples = distributedSamples(spec.dataset.size, spec.worldSize(), isOn(spec, "drop_last"));
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
          .traits = {.shuffle = "shuffle",
                     .seed = "seed",
                     .set_epoch = "set_epoch",
                     .drop_last = "drop_last",
                     .loader_part = LoaderPart::Distributed},
          .claims = [](const PipelineSpec&) { return SamplerClaims{.divides = true}; },
          .unread = always<MissingCause::CutBySampler>,
          .key = key,
          .order = order,
          .shape = shape};
}

}  // namespace shardlens::sampling
