// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/torch/loader_seeds.h"

#include "core/base/phrase.h"
#include "core/random/numpy_generator.h"
#include "core/random/torch_generator.h"
#include "core/sampling/registry.h"
#include "core/sampling/script_seed.h"

#include <algorithm>
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
  const auto* given = spec.sampler.said<std::string>("generator");
  if (given == nullptr) return TorchGeneratorUse::None;
  if (*given == "sampler") return TorchGeneratorUse::Sampler;
  return *given == "loader" ? TorchGeneratorUse::Loader : TorchGeneratorUse::None;
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

namespace {

constexpr std::uint64_t kBaseSeedOutputs = 2;

/// Persistent workers are made once, so base_seed is drawn in the first epoch only.
bool drawsBaseSeed(const PipelineSpec& spec, Epoch epoch) {
  return !spec.loader.persistent_workers || epoch.value == 0;
}

std::uint64_t samplerOutputs(const PipelineSpec& spec, Rank rank) {
  const SamplerRule* rule = findRule(spec.sampler.type);
  return rule == nullptr ? 0 : rule->shared_outputs(spec, rank);
}

std::uint64_t epochsBefore(Epoch epoch) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, epoch.value));
}

/// What was drawn for base_seed in all epochs before this one.
std::uint64_t baseSeedsBefore(const PipelineSpec& spec, Epoch epoch) {
  const std::uint64_t epochs = epochsBefore(epoch);
  return (spec.loader.persistent_workers ? std::min<std::uint64_t>(1, epochs) : epochs) * kBaseSeedOutputs;
}

/// What the sampler drew in all epochs before this one.
std::uint64_t ordersBefore(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  return epochsBefore(epoch) * samplerOutputs(spec, rank);
}

/// The loader draws base_seed from a generator that its sampler does not draw from.
bool drawsApart(const PipelineSpec& spec) {
  return loaderGeneratorSeed(spec, Rank{0}) && torchGeneratorUse(spec) != TorchGeneratorUse::Loader;
}

}  // namespace

TorchStream torchLoaderStream(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  const SamplerRule* rule = findRule(spec.sampler.type);
  if (rule != nullptr && rule->loader_stream != nullptr) return rule->loader_stream(spec, epoch, rank);
  const std::uint64_t before = baseSeedsBefore(spec, epoch);
  if (drawsApart(spec)) return {*loaderGeneratorSeed(spec, rank), before};
  const std::uint64_t drawn = before + ordersBefore(spec, epoch, rank);
  if (const auto seed = loaderGeneratorSeed(spec, rank)) return {*seed, drawn};
  if (seedsEachEpoch(spec)) return {scriptSeed(spec, epoch, rank), 0};
  return {scriptSeed(spec, epoch, rank), drawn};
}

TorchStream torchSamplerStream(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  if (drawsApart(spec))
    return {scriptSeed(spec, epoch, rank), seedsEachEpoch(spec) ? 0 : ordersBefore(spec, epoch, rank)};
  TorchStream stream = torchLoaderStream(spec, epoch, rank);
  if (drawsBaseSeed(spec, epoch)) stream.skip += kBaseSeedOutputs;
  return stream;
}

std::uint64_t torchBaseSeed(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  const TorchStream stream = torchLoaderStream(spec, drawsBaseSeed(spec, epoch) ? epoch : Epoch{0}, rank);
  TorchGenerator generator(stream.seed);
  generator.skip(stream.skip);
  return static_cast<std::uint64_t>(generator.random63());
}

std::array<std::uint32_t, 4> torchWorkerNumpyWords(std::uint64_t base_seed, std::int64_t worker) {
  const std::array<std::uint32_t, 4> entropy = {static_cast<std::uint32_t>(worker),
                                                static_cast<std::uint32_t>(base_seed),
                                                static_cast<std::uint32_t>(base_seed >> 32), 0};
  const std::vector<std::uint32_t> words = NumpySeedSequence(entropy).generateState(4);
  return {words[0], words[1], words[2], words[3]};
}

}  // namespace shardlens::sampling
