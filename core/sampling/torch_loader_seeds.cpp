// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/torch_loader_seeds.h"

#include "core/random/torch_generator.h"

namespace shardlens::sampling {
namespace {

constexpr std::uint64_t kBaseSeedOutputs = 2;

/// RandomSampler draws a 63-bit seed for a generator of its own; SubsetRandomSampler permutes with the global one.
std::uint64_t samplerOutputs(const PipelineSpec& spec) {
  if (spec.sampler.type == "torch.RandomSampler") return 2;
  if (spec.sampler.type != "torch.SubsetRandomSampler") return 0;
  const auto found = spec.sampler.parameters.find("indices");
  const auto* indices = found == spec.sampler.parameters.end() ? nullptr : std::get_if<IndexList>(&found->second);
  return indices == nullptr || indices->empty() ? 0 : indices->size() - 1;
}

}  // namespace

bool seedsEachEpoch(const PipelineSpec& spec) {
  return spec.seeds.rule == "base+rank+epoch";
}

std::uint64_t torchRankSeed(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  auto seed = static_cast<std::uint64_t>(spec.seeds.base);
  const std::string& rule = spec.seeds.rule;
  if (rule == "base+rank" || rule == "base+rank+epoch") seed += static_cast<std::uint64_t>(rank.value);
  if (rule == "base+local_rank") seed += static_cast<std::uint64_t>(spec.localRankOf(rank));
  if (seedsEachEpoch(spec)) seed += static_cast<std::uint64_t>(epoch.value);
  return seed;
}

std::uint64_t torchOutputsPerEpoch(const PipelineSpec& spec) {
  return kBaseSeedOutputs + samplerOutputs(spec);
}

std::uint64_t torchBaseSeed(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  TorchGenerator generator(torchRankSeed(spec, epoch, rank));
  if (!seedsEachEpoch(spec)) generator.skip(torchOutputsPerEpoch(spec) * static_cast<std::uint64_t>(epoch.value));
  return static_cast<std::uint64_t>(generator.random63());
}

}  // namespace shardlens::sampling
