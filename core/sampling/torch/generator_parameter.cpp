// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/torch/generator_parameter.h"

#include "core/base/phrase.h"

#include <string>

namespace shardlens::sampling {
namespace {

template <class T>
T parameterOr(const PipelineSpec& spec, const char* key, T fallback) {
  const auto found = spec.sampler.parameters.find(key);
  if (found == spec.sampler.parameters.end()) return fallback;
  const T* value = std::get_if<T>(&found->second);
  return value == nullptr ? fallback : *value;
}

std::uint64_t generatorSeed(const PipelineSpec& spec) {
  return static_cast<std::uint64_t>(parameterOr<std::int64_t>(spec, "generator_seed", 0));
}

}  // namespace

Field torchGeneratorField() {
  return choiceField("sampler.generator", "none", {"none", "sampler", "loader"},
                     marked("fields",
                            "What gets a torch.Generator: nothing (none), the sampler, or the DataLoader, which passes "
                            "it to the sampler."));
}

Field torchGeneratorSeedField() {
  return seedField("sampler.generator_seed", 0, INT64_MIN, INT64_MAX,
                   marked("fields", "Seed of that generator, set once before epoch 0."));
}

TorchGeneratorUse torchGeneratorUse(const PipelineSpec& spec) {
  const auto use = parameterOr<std::string>(spec, "generator", "none");
  if (use == "sampler") return TorchGeneratorUse::Sampler;
  return use == "loader" ? TorchGeneratorUse::Loader : TorchGeneratorUse::None;
}

std::optional<std::uint64_t> loaderGeneratorSeed(const PipelineSpec& spec) {
  if (torchGeneratorUse(spec) == TorchGeneratorUse::Loader) return generatorSeed(spec);
  const auto* const seed = std::get_if<std::int64_t>(&spec.loader.generator_seed);
  return seed == nullptr ? std::nullopt : std::optional(static_cast<std::uint64_t>(*seed));
}

TorchStream torchGeneratorStream(const PipelineSpec& spec, Epoch epoch, Rank rank, std::uint64_t outputs) {
  if (torchGeneratorUse(spec) != TorchGeneratorUse::Sampler) return torchSamplerStream(spec, epoch, rank);
  return {generatorSeed(spec), outputs * static_cast<std::uint64_t>(epoch.value)};
}

}  // namespace shardlens::sampling
