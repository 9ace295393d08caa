// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/torch/generator_parameter.h"

#include "core/base/phrase.h"
#include "core/sampling/script_seed.h"

#include <string>

namespace shardlens::sampling {
namespace {

std::uint64_t generatorSeed(const PipelineSpec& spec, Rank rank) {
  const auto found = spec.sampler.parameters.find("generator_seed");
  const auto seed = found == spec.sampler.parameters.end() ? std::nullopt : seedOfRank(spec, found->second, rank);
  return static_cast<std::uint64_t>(seed.value_or(0));
}

}  // namespace

Field torchGeneratorField() {
  return choiceField("sampler.generator", "none", {"none", "sampler", "loader"},
                     marked("fields",
                            "What gets a torch.Generator: nothing (none), the sampler, or the DataLoader, which passes "
                            "it to the sampler."));
}

Field torchGeneratorSeedField() {
  return rankSeedField("sampler.generator_seed", std::int64_t{0}, INT64_MIN, INT64_MAX,
                       marked("fields", "Seed of that generator, set once before epoch 0."));
}

TorchGeneratorUse torchGeneratorUse(const PipelineSpec& spec) {
  const auto found = spec.sampler.parameters.find("generator");
  if (found == spec.sampler.parameters.end()) return TorchGeneratorUse::None;
  if (found->second == Value(std::string("sampler"))) return TorchGeneratorUse::Sampler;
  return found->second == Value(std::string("loader")) ? TorchGeneratorUse::Loader : TorchGeneratorUse::None;
}

std::optional<std::uint64_t> loaderGeneratorSeed(const PipelineSpec& spec, Rank rank) {
  if (torchGeneratorUse(spec) == TorchGeneratorUse::Loader) return generatorSeed(spec, rank);
  const auto* const seed = std::get_if<std::int64_t>(&spec.loader.generator_seed);
  return seed == nullptr ? std::nullopt : std::optional(static_cast<std::uint64_t>(*seed));
}

TorchStream torchGeneratorStream(const PipelineSpec& spec, Epoch epoch, Rank rank, std::uint64_t outputs) {
  if (torchGeneratorUse(spec) != TorchGeneratorUse::Sampler) return torchSamplerStream(spec, epoch, rank);
  return {generatorSeed(spec, rank), outputs * static_cast<std::uint64_t>(epoch.value)};
}

}  // namespace shardlens::sampling
