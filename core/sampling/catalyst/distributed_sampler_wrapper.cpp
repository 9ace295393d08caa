// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/catalyst/distributed_sampler_wrapper.h"

#include "core/sampling/distributed_share.h"
#include "core/sampling/lightning/distributed_sampler_wrapper.h"
#include "core/sampling/python.h"
#include "core/sampling/torch/inner_sampler.h"

#include <algorithm>
#include <string>
#include <utility>

namespace shardlens::sampling {
namespace {

/// Lightning's wrapper deals the same way, but takes a seed and drop_last, too: here they keep their defaults.
SamplerInfo infoOf(SamplerInfo info) {
  info.type = "catalyst.DistributedSamplerWrapper";
  info.summary = "Draws one pass of another sampler on every rank, permutes it with seed 0 + epoch and deals it.";
  info.pitfalls = {
      "A rank that gets one item or none raises TypeError: itemgetter then returns no list.",
      "Its permutation is seeded with the epoch alone: no seed of the script changes it.",
      "Ranks share samples unless the inner sampler draws the same on every rank: seed alike.",
      "It permutes on top of the inner sampler, so a sorted order is lost unless shuffle is off.",
  };
  std::erase_if(info.parameters,
                [](const Field& field) { return field.path == "sampler.seed" || field.path == "sampler.drop_last"; });
  const auto shuffle = std::ranges::find(info.parameters, "sampler.shuffle", &Field::path);
  if (shuffle != info.parameters.end()) shuffle->help = "Permute the positions of the pass anew in every epoch.";
  const auto set_epoch = std::ranges::find(info.parameters, "sampler.set_epoch", &Field::path);
  if (set_epoch != info.parameters.end()) {
    set_epoch->help = "Whether the script calls sampler.set_epoch(epoch); forgotten, every epoch permutes alike.";
  }
  return info;
}

Result<void> checkRank(const PipelineSpec& spec, Rank rank) {
  const std::int64_t count = distributedSamples(InnerSampler(spec).size(), spec.worldSize(), false);
  if (count > 1) return {};
  return raised("TypeError", count == 1 ? "'int' object is not iterable" : "itemgetter expected 1 argument, got 0",
                "dataset.size",
                "rank " + std::to_string(rank.value) + " gets " + (count == 1 ? "one item" : "none") +
                    ": give every rank two or more");
}

}  // namespace

SamplerRule catalystDistributedSamplerWrapper() {
  SamplerRule rule = lightningDistributedSamplerWrapper();
  rule.info = infoOf(std::move(rule.info));
  rule.traits.seed = rule.traits.drop_last = {};
  rule.traits.loader_part = LoaderPart::None;
  rule.check_rank = checkRank;
  return rule;
}

}  // namespace shardlens::sampling
