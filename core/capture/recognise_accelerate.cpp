// SPDX-License-Identifier: Apache-2.0
// What accelerator.prepare() makes of a DataLoader (Accelerate 0.20 to 1.15, data_loader.py).
#include "core/capture/capture_words.h"
#include "core/capture/recognise_parts.h"
#include "core/sampling/accelerate/samplers.h"

#include <algorithm>
#include <array>
#include <utility>

namespace shardlens::capture {
namespace {

/// The seed that each rank's SeedableRandomSampler adds the epoch to: data_seed, or torch's own when it was made.
void seedOfSeedable(const SamplersOfRanks& ranks, LoaderSpec& into) {
  const auto seed_of = [&](std::size_t i) { return ranks.samplers[i]->value<std::int64_t>("initial_seed"); };
  std::size_t torchs_own = 0;
  std::size_t like_first = 0;
  for (std::size_t i = 0; i < ranks.samplers.size(); ++i) {
    const auto torch_seed = static_cast<std::int64_t>(ranks.job.ranks[i].passes.front().torch_seed);
    torchs_own += seed_of(i) == torch_seed ? 1 : 0;
    like_first += seed_of(i) == seed_of(0) ? 1 : 0;
  }
  if (like_first < ranks.samplers.size() && torchs_own == ranks.samplers.size()) return;  // data_seed: none
  take<std::int64_t>(ranks, "initial_seed", into, "data_seed");
}

void seedableRandom(const SamplersOfRanks& ranks, LoaderSpec& into) {
  into.spec.sampler = {"accelerate.BatchSamplerShard", {{"shuffle", true}, {"use_seedable_sampler", true}}};
  seedOfSeedable(ranks, into);
  if (ranks.attribute<bool>("replacement", into) == true)
    into.problems.push_back(words::notModelled("sampler.replacement", "true", "false"));
  if (!isNone(ranks, "_num_samples")) mustBe(ranks, "_num_samples", into.spec.dataset.size, into);
  takeEpochs(ranks, into);
}

/// A RandomSampler that gives each sample once, from a generator that only it draws from.
bool isPlainRandom(const PipelineSpec::Sampler& sampler) {
  const auto is = [&](const char* key, const Value& value) {
    const auto found = sampler.parameters.find(key);
    return found != sampler.parameters.end() && found->second == value;
  };
  return sampler.type == "torch.RandomSampler" && is("replacement", false) &&
         !sampler.parameters.contains("num_samples") && is("generator", std::string("sampler"));
}

/// The script's sampler, which the spec has by now, as that of a prepared loader.
void prepared(const std::string& type, bool splits, LoaderSpec& into) {
  PipelineSpec::Sampler& sampler = into.spec.sampler;
  if (sampler.type == "torch.SequentialSampler") sampler = {"accelerate.BatchSamplerShard", {{"shuffle", false}}};
  if (isPlainRandom(sampler))
    sampler = {"accelerate.BatchSamplerShard",
               {{"shuffle", true}, {"generator_seed", sampler.parameters.at("generator_seed")}}};
  if (sampler.type == "accelerate.BatchSamplerShard") {
    sampler.parameters["split_batches"] = splits;
    return;
  }
  if (!sampling::accelerateShards(sampler.type)) {
    into.problems.push_back(words::unknownSampler(type));
    return;
  }
  if (splits) into.problems.push_back(words::notModelled("sampler.split_batches", "true", "false"));
  sampler.parameters["inner"] = std::exchange(sampler.type, "accelerate.DataLoaderShard");
}

/// What a batch sampler draws from; nothing, with a problem, where that is not known.
std::optional<SamplersOfRanks> recogniseBatches(std::optional<SamplersOfRanks> batches, LoaderSpec& into) {
  if (batches && cutsBatches(batches->type())) {
    takeBatches(*batches, into);
    return recogniseBatches(batches->inside("sampler", into), into);
  }
  if (!batches || recognise(*batches, into)) return batches;
  into.problems.push_back(words::unknownSampler(batches->type()));
  return std::nullopt;
}

void batchSamplerShard(const SamplersOfRanks& ranks, LoaderSpec& into) {
  mustDealToTheJob(ranks, "num_processes", "process_index", into);
  const auto script = recogniseBatches(ranks.inside("batch_sampler", into), into);
  if (!script) return;
  prepared(script->type(), ranks.attribute<bool>("split_batches", into).value_or(false), into);
  take<bool>(ranks, "even_batches", into);
}

/// What skip_first_batches() makes of a prepared loader: its pass is epoch 0 of the rule, whatever epoch its sampler
/// has.
void skipBatches(const SamplersOfRanks& ranks, LoaderSpec& into) {
  const auto whole = recogniseBatches(ranks.inside("batch_sampler", into), into);
  if (!whole) return;
  PipelineSpec::Sampler& sampler = into.spec.sampler;
  if (sampler.type != "accelerate.BatchSamplerShard") {
    into.problems.push_back(words::unknownSampler(ranks.type()));
    return;
  }
  take<std::int64_t>(ranks, "skip_batches", into, "skip_first_batches");
  const std::int64_t epoch = std::exchange(into.epoch_is_set, false) ? into.spec.epochs - 1 : 0;
  into.spec.epochs = 1;
  const auto seed = sampler.parameters.find("data_seed");
  if (seed != sampler.parameters.end()) {
    const auto first = static_cast<std::uint64_t>(std::get<std::int64_t>(seed->second));
    seed->second = static_cast<std::int64_t>(first + static_cast<std::uint64_t>(epoch));
  } else if (epoch > 0) {
    into.problems.push_back(words::notModelled("sampler.epoch", std::to_string(epoch), "0"));
  }
}

}  // namespace

std::span<const KnownClass> classesOfAccelerate() {
  static constexpr std::array kClasses = {
      KnownClass{"accelerate", "BatchSamplerShard", batchSamplerShard, true},
      KnownClass{"accelerate", "SkipBatchSampler", skipBatches, true},
      KnownClass{"accelerate", "SeedableRandomSampler", seedableRandom},
  };
  return kClasses;
}

}  // namespace shardlens::capture
