// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/accelerate/order.h"

#include "core/base/phrase.h"
#include "core/sampling/python.h"
#include "core/sampling/script_seed.h"
#include "core/sampling/torch/arguments.h"
#include "core/sampling/torch/order.h"

#include <limits>

namespace shardlens::sampling {
namespace {

constexpr std::uint64_t kSeedOutputs = 2;  // a 63-bit seed
const std::string kOverflow = "accelerate seed overflow";

template <class T>
T parameterOr(const PipelineSpec& spec, const char* key, T fallback) {
  const auto found = spec.sampler.parameters.find(key);
  if (found == spec.sampler.parameters.end()) return fallback;
  const T* value = std::get_if<T>(&found->second);
  return value == nullptr ? fallback : *value;
}

bool shuffles(const PipelineSpec& spec) {
  return parameterOr(spec, "shuffle", true);
}

bool isSeedable(const PipelineSpec& spec) {
  return parameterOr(spec, "use_seedable_sampler", false);
}

/// The number that a seed is given as, where its name is not.
std::optional<std::int64_t> seedGiven(const PipelineSpec& spec, const char* key) {
  const auto found = spec.sampler.parameters.find(key);
  if (found == spec.sampler.parameters.end()) return std::nullopt;
  const auto* seed = std::get_if<std::int64_t>(&found->second);
  return seed == nullptr ? std::nullopt : std::optional(*seed);
}

/// RandomSampler with a generator draws one more permutation than it hands out, every time.
std::uint64_t outputsOfPass(const PipelineSpec& spec) {
  const auto size = static_cast<std::uint64_t>(spec.dataset.size);
  return 2 * torchRandpermOutputs(randpermRule(spec, spec.dataset.size), size);
}

/// prepare() gives a RandomSampler without a generator one that is seeded by one draw of the global stream; in each
/// epoch every process takes over the state of rank 0's.
OrderKey preparedGenerator(const PipelineSpec& spec, Epoch epoch) {
  TorchGenerator global(scriptSeed(spec, Epoch{0}, Rank{0}));
  const auto given = seedGiven(spec, "generator_seed");
  const std::uint64_t seed = static_cast<std::uint64_t>(given ? *given : global.random63());
  return {kRandperm, seed, outputsOfPass(spec) * static_cast<std::uint64_t>(epoch.value)};
}

/// Whether the sampler draws from a generator of its own.
bool hasGenerator(const PipelineSpec& spec) {
  return spec.worldSize() > 1 || seedGiven(spec, "generator_seed");
}

}  // namespace

std::vector<Field> accelerateOrderFields() {
  return {
      boolField("sampler.shuffle", true,
                marked("fields", "DataLoader(shuffle=...): a RandomSampler, or the dataset in order.")),
      boolField(
          "sampler.use_seedable_sampler", false,
          marked("fields", "DataLoaderConfiguration(use_seedable_sampler=...): reseed the sampler with the epoch.")),
      seedOrNameField("sampler.data_seed", "none", INT64_MIN, INT64_MAX,
                      marked("fields",
                             "DataLoaderConfiguration(data_seed=...), used with use_seedable_sampler; none means the "
                             "rank's torch.manual_seed.")),
      seedOrNameField(
          "sampler.generator_seed", "none", INT64_MIN, INT64_MAX,
          marked("fields",
                 "Seed of the RandomSampler's generator, used without use_seedable_sampler; none means that "
                 "the script gives it none, and prepare() one that rank 0's torch.manual_seed decides.")),
  };
}

Result<std::uint64_t> accelerateSeedableSeed(std::optional<std::int64_t> data_seed, std::uint64_t initial_seed,
                                             std::int64_t epoch, std::string_view torch) {
  if (data_seed) return static_cast<std::uint64_t>(*data_seed) + static_cast<std::uint64_t>(epoch);
  const auto added = static_cast<std::uint64_t>(epoch);
  if (initial_seed <= std::numeric_limits<std::uint64_t>::max() - added) return initial_seed + added;
  return seedOverflow(
      torch, "seeds.base",
      worded("checks", "torch keeps negative seeds modulo 2^64; give a seed of 0 or more, or data_seed"));
}

OrderKey accelerateOrderKey(const PipelineSpec& spec, Epoch epoch, Rank rank, std::int64_t iteration) {
  if (!shuffles(spec)) return {kSequential, 0, 0};
  if (isSeedable(spec)) {
    const auto seed = accelerateSeedableSeed(seedGiven(spec, "data_seed"), scriptSeed(spec, Epoch{0}, rank), iteration,
                                             spec.framework.torch);
    return seed ? OrderKey{kRandperm, *seed, 0} : OrderKey{kOverflow, 0, 0};
  }
  if (hasGenerator(spec)) return preparedGenerator(spec, epoch);
  TorchGenerator global = generatorAt(torchSamplerStream(spec, epoch, Rank{0}));
  return {kRandperm, static_cast<std::uint64_t>(global.random63()), 0};
}

Result<OrderPtr> accelerateOrder(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  if (key.recipe != kOverflow) return torchOrder(spec, key, work);
  return accelerateSeedableSeed({}, std::numeric_limits<std::uint64_t>::max(), 1, spec.framework.torch).error();
}

Result<void> accelerateUnevenSplit(const PipelineSpec& spec, const std::string& user) {
  return raised(
      "ValueError",
      "To use " + user + " in `split_batches` mode, the batch size (" + std::to_string(spec.loader.batch_size) +
          ") needs to be a round multiple of the number of processes (" + std::to_string(spec.worldSize()) + ").",
      "loader.batch_size", worded("checks", "with split_batches, batch_size is the total over all processes"));
}

std::uint64_t accelerateSharedOutputs(const PipelineSpec& spec) {
  return shuffles(spec) && !isSeedable(spec) && !hasGenerator(spec) ? kSeedOutputs : 0;
}

}  // namespace shardlens::sampling
