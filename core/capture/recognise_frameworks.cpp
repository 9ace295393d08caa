// SPDX-License-Identifier: Apache-2.0
// Samplers of Transformers, timm, Lightning, Catalyst, Megatron-LM, Megatron-Bridge, torchdata and MMEngine, and the
// one of two streams that many projects have a copy of. Attributes are those of the releases that core/sampling names.
#include "core/base/phrase.h"
#include "core/capture/capture_words.h"
#include "core/capture/recognise.h"
#include "core/sampling/accelerate/samplers.h"
#include "core/sampling/timm/samplers.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace shardlens::capture {
namespace {

void takeLengths(const SamplersOfRanks& ranks, LoaderSpec& into) {
  if (auto lengths = wholeNumbers(ranks, "lengths", into)) into.spec.dataset.lengths = *std::move(lengths);
}

void lengthGrouped(const SamplersOfRanks& ranks, LoaderSpec& into) {
  into.spec.sampler.type = "transformers.LengthGroupedSampler";
  takeLengths(ranks, into);
  mustBe(ranks, "batch_size", into.spec.loader.batch_size, into);
  if (const auto seed = generatorSeed(ranks, into)) {
    into.spec.sampler.parameters["seed"] = *seed;
  } else {
    into.problems.push_back(words::stateNotKnown(into.spec.sampler.type));
  }
}

void distributedLengthGrouped(const SamplersOfRanks& ranks, LoaderSpec& into) {
  into.spec.sampler.type = "transformers.DistributedLengthGroupedSampler";
  takeLengths(ranks, into);
  mustBe(ranks, "batch_size", into.spec.loader.batch_size, into);
  mustDealToTheJob(ranks, "num_replicas", "rank", into);
  take<std::int64_t>(ranks, "seed", into);
  take<bool>(ranks, "drop_last", into);
  takeSetEpoch(ranks, into);
}

void distributedWithLoop(const SamplersOfRanks& ranks, LoaderSpec& into) {
  into.spec.sampler.type = "transformers.DistributedSamplerWithLoop";
  mustBe(ranks, "batch_size", into.spec.loader.batch_size, into);
  mustDealToTheJob(ranks, "num_replicas", "rank", into);
  take<bool>(ranks, "shuffle", into);
  take<std::int64_t>(ranks, "seed", into);
  take<bool>(ranks, "drop_last", into);
  takeSetEpoch(ranks, into);
}

void shardSampler(const SamplersOfRanks& ranks, LoaderSpec& into) {
  into.spec.sampler.type = "transformers.ShardSampler";
  mustBe(ranks, "batch_size", into.spec.loader.batch_size, into);
  mustDealToTheJob(ranks, "num_processes", "process_index", into);
  take<bool>(ranks, "drop_last", into);
}

void sequentialDistributed(const SamplersOfRanks& ranks, LoaderSpec& into) {
  into.spec.sampler.type = "transformers.SequentialDistributedSampler";
  mustDealToTheJob(ranks, "num_replicas", "rank", into);
  if (!isNone(ranks, "batch_size")) take<std::int64_t>(ranks, "batch_size", into);
}

void orderedDistributed(const SamplersOfRanks& ranks, LoaderSpec& into) {
  into.spec.sampler.type = "timm.OrderedDistributedSampler";
  mustDealToTheJob(ranks, "num_replicas", "rank", into);
}

/// A parameter that scripts also give as a whole number.
void takeReal(const SamplersOfRanks& ranks, const std::string& name, LoaderSpec& into) {
  if (!ranks.samplers.front()->value<std::int64_t>(name)) return take<double>(ranks, name, into);
  if (const auto whole = ranks.attribute<std::int64_t>(name, into))
    into.spec.sampler.parameters[name] = static_cast<double>(*whole);
}

/// It keeps how many samples it selects, and neither selected_round nor selected_ratio: what is usual, if that gives as
/// many.
void selectedSamples(const SamplersOfRanks& ranks, LoaderSpec& into) {
  const auto selected = ranks.attribute<std::int64_t>("num_selected_samples", into);
  if (!selected) return;
  const std::int64_t usual = sampling::timmRepeatAugLength(into.spec);
  if (*selected == usual) return;
  into.spec.sampler.parameters["selected_round"] = std::int64_t{0};
  if (*selected == sampling::timmRepeatAugLength(into.spec)) return;
  into.problems.push_back(
      words::notModelled("sampler.num_selected_samples", std::to_string(*selected), std::to_string(usual)));
}

void repeatAug(const SamplersOfRanks& ranks, LoaderSpec& into) {
  into.spec.sampler.type = "timm.RepeatAugSampler";
  mustDealToTheJob(ranks, "num_replicas", "rank", into);
  take<bool>(ranks, "shuffle", into);
  takeReal(ranks, "num_repeats", into);
  selectedSamples(ranks, into);
  takeEpochs(ranks, into);
}

/// The rule has the dataset in order inside, or a DistributedSampler with all but its seed as torch makes it.
void insideScheduled(const SamplersOfRanks& ranks, LoaderSpec& into) {
  const auto inner = ranks.inside("sampler", into);
  if (!inner) return;
  const bool is_distributed = inner->type() == "torch.utils.data.distributed.DistributedSampler";
  into.spec.sampler.parameters["inner"] = std::string(is_distributed ? "distributed" : "sequential");
  if (!is_distributed) {
    if (inner->type() != "torch.utils.data.sampler.SequentialSampler")
      into.problems.push_back(
          words::notModelled("sampler.sampler", inner->type(), "DistributedSampler / SequentialSampler"));
    return;
  }
  mustDealToTheJob(*inner, "num_replicas", "rank", into);
  take<std::int64_t>(*inner, "seed", into, "inner_seed");
  if (inner->attribute<bool>("shuffle", into) == false)
    into.problems.push_back(words::notModelled("sampler.sampler.shuffle", "false", "true"));
  if (inner->attribute<bool>("drop_last", into) == true)
    into.problems.push_back(words::notModelled("sampler.sampler.drop_last", "true", "false"));
}

/// Its items are pairs of an index and a choice, of which the probe records the indices.
void scheduledBatches(const SamplersOfRanks& ranks, LoaderSpec& into) {
  into.spec.sampler.type = "timm.ScheduledBatchSampler";
  auto& parameters = into.spec.sampler.parameters;
  if (auto sizes = wholeNumbers(ranks, "batch_sizes", into); sizes && !sizes->empty()) {
    into.spec.loader.batch_size = *std::ranges::max_element(*sizes);
    parameters["batch_sizes"] = *std::move(sizes);
  }
  if (auto weights = numbers(ranks, "choice_weights", into)) {
    const bool are_equal = std::ranges::adjacent_find(*weights, std::ranges::not_equal_to()) == weights->end();
    if (!are_equal) parameters["choice_weights"] = NumberList(*std::move(weights));
  }
  for (const char* name : {"drop_last", "shuffle_schedule"}) take<bool>(ranks, name, into);
  for (const char* name : {"schedule_spread", "schedule_random_mix"}) takeReal(ranks, name, into);
  for (const char* name : {"num_batches", "schedule_epochs"}) {
    if (!isNone(ranks, name)) take<std::int64_t>(ranks, name, into);
  }
  take<std::int64_t>(ranks, "seed", into);
  take<std::string>(ranks, "choice_schedule", into);
  insideScheduled(ranks, into);
  takeSetEpoch(ranks, into);
}

/// What Lightning's own samplers say.
void takeLightnings(const SamplersOfRanks& ranks, const std::string& type, LoaderSpec& into) {
  into.spec.sampler.type = "lightning." + type;
  mustDealToTheJob(ranks, "num_replicas", "rank", into);
  take<bool>(ranks, "shuffle", into);
  takeSetEpoch(ranks, into);
}

void lightningWrapper(const SamplersOfRanks& ranks, LoaderSpec& into) {
  takeInner(ranks, "dataset", into);
  takeLightnings(ranks, "DistributedSamplerWrapper", into);
  take<std::int64_t>(ranks, "seed", into);
  take<bool>(ranks, "drop_last", into);
}

void lightningUnrepeated(const SamplersOfRanks& ranks, LoaderSpec& into) {
  takeLightnings(ranks, "UnrepeatedDistributedSampler", into);
}

void lightningUnrepeatedWrapper(const SamplersOfRanks& ranks, LoaderSpec& into) {
  takeInner(ranks, "dataset", into);
  takeLightnings(ranks, "UnrepeatedDistributedSamplerWrapper", into);
}

void catalystWrapper(const SamplersOfRanks& ranks, LoaderSpec& into) {
  takeInner(ranks, "sampler", into);
  into.spec.sampler.type = "catalyst.DistributedSamplerWrapper";
  mustDealToTheJob(ranks, "num_replicas", "rank", into);
  take<bool>(ranks, "shuffle", into);
  takeSetEpoch(ranks, into);
}

/// What every batch sampler of Megatron says: micro_batch_size is the loader's batch size.
void megatronShares(const SamplersOfRanks& ranks, LoaderSpec& into) {
  const auto micro = ranks.attribute<std::int64_t>("micro_batch_size", into);
  if (!micro) return;
  into.spec.loader.batch_size = *micro;
  mustBe(ranks, "total_samples", into.spec.dataset.size, into);
  for (std::size_t i = 0; i < ranks.samplers.size(); ++i) {
    if (ranks.samplers[i]->value<std::int64_t>("data_parallel_rank") == ranks.job.ranks[i].rank) continue;
    into.problems.push_back(words::ranksOfAnother());
    return;
  }
}

/// And those that begin where a checkpoint ended. Which of the two projects has the class, its module says.
void megatronConsuming(const SamplersOfRanks& ranks, const std::string& name, LoaderSpec& into) {
  const bool is_bridge = ranks.type().starts_with("megatron.bridge.");
  into.spec.sampler.type = (is_bridge ? "megatron_bridge." : "megatron.") + name;
  megatronShares(ranks, into);
  mustBe(ranks, "micro_batch_times_data_parallel_size", into.spec.loader.batch_size * ranks.job.world_size, into);
  take<std::int64_t>(ranks, "consumed_samples", into);
}

void megatronPretraining(const SamplersOfRanks& ranks, LoaderSpec& into) {
  megatronConsuming(ranks, "MegatronPretrainingSampler", into);
  take<bool>(ranks, "drop_last", into);
}

void megatronHybrid(const SamplersOfRanks& ranks, LoaderSpec& into) {
  megatronConsuming(ranks, "HybridCPMegatronPretrainingSampler", into);
  take<bool>(ranks, "drop_last", into);
  take<std::int64_t>(ranks, "global_batch_size", into);
}

void megatronRandom(const SamplersOfRanks& ranks, LoaderSpec& into) {
  megatronConsuming(ranks, "MegatronPretrainingRandomSampler", into);
  take<bool>(ranks, "data_sharding", into);
}

void megatronFullValidation(const SamplersOfRanks& ranks, LoaderSpec& into) {
  into.spec.sampler.type = "megatron.MegatronFullValidationSampler";
  megatronShares(ranks, into);
  mustBe(ranks, "data_parallel_size", ranks.job.world_size, into);
}

void megatronBatches(const SamplersOfRanks& ranks, LoaderSpec& into) {
  megatronConsuming(ranks, "MegatronPretrainingBatchSampler", into);
  for (const char* name : {"drop_last", "pad_samples_to_global_batch_size", "shuffle"}) take<bool>(ranks, name, into);
  take<std::int64_t>(ranks, "seed", into);
  take<std::int64_t>(ranks, "_global_batch_size", into, "global_batch_size");
}

/// A state that was loaded counts the samples of the first pass that were taken before.
void statefulDistributed(const SamplersOfRanks& ranks, LoaderSpec& into) {
  into.spec.sampler.type = "torchdata.StatefulDistributedSampler";
  takeDistributed(ranks, into);
  if (isNone(ranks, "next_yielded")) return;
  take<std::int64_t>(ranks, "next_yielded", into, "yielded");
  const std::int64_t epoch = ranks.job.ranks.front().passes.front().epoch.value_or(0);
  if (epoch != 0)
    into.problems.push_back(
        words::notModelled(worded("capture", "The epoch of the saved state"), std::to_string(epoch), "0"));
}

void statefulRandom(const SamplersOfRanks& ranks, LoaderSpec& into) {
  into.spec.sampler.type = "torchdata.RandomSampler";
  take<bool>(ranks, "replacement", into);
  if (!isNone(ranks, "_num_samples")) take<std::int64_t>(ranks, "_num_samples", into, "num_samples");
  if (const auto seed = generatorSeed(ranks, into)) into.spec.sampler.parameters["generator_seed"] = *seed;
}

void mmengineDefault(const SamplersOfRanks& ranks, LoaderSpec& into) {
  into.spec.sampler.type = "mmengine.DefaultSampler";
  mustDealToTheJob(ranks, "world_size", "rank", into);
  take<bool>(ranks, "shuffle", into);
  take<std::int64_t>(ranks, "seed", into);
  take<bool>(ranks, "round_up", into);
  takeEpochs(ranks, into);
}

/// The algorithm is one in mean-teacher and in SSL4MIS, where most copies come from.
void twoStream(const SamplersOfRanks& ranks, LoaderSpec& into) {
  const bool is_first = ranks.type().starts_with("mean_teacher.");
  into.spec.sampler.type = is_first ? "meanteacher.TwoStreamBatchSampler" : "ssl4mis.TwoStreamBatchSampler";
  for (const char* name : {"primary_indices", "secondary_indices"}) {
    if (auto indices = wholeNumbers(ranks, name, into)) into.spec.sampler.parameters[name] = *std::move(indices);
  }
  take<std::int64_t>(ranks, "secondary_batch_size", into);
  const auto primary = ranks.attribute<std::int64_t>("primary_batch_size", into);
  const auto secondary = ranks.samplers.front()->value<std::int64_t>("secondary_batch_size");
  if (primary && secondary) into.spec.loader.batch_size = *primary + *secondary;
}

// What accelerator.prepare() makes of a DataLoader (Accelerate 0.20 to 1.15, data_loader.py).

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

std::span<const KnownClass> classesOfFrameworks() {
  static constexpr std::array kClasses = {
      KnownClass{"transformers", "LengthGroupedSampler", lengthGrouped},
      KnownClass{"transformers", "DistributedLengthGroupedSampler", distributedLengthGrouped},
      KnownClass{"transformers", "DistributedSamplerWithLoop", distributedWithLoop},
      KnownClass{"transformers", "ShardSampler", shardSampler},
      KnownClass{"transformers", "SequentialDistributedSampler", sequentialDistributed},
      KnownClass{"timm", "OrderedDistributedSampler", orderedDistributed},
      KnownClass{"timm", "RepeatAugSampler", repeatAug},
      KnownClass{"timm", "ScheduledBatchSampler", scheduledBatches, true},
      KnownClass{"lightning", "DistributedSamplerWrapper", lightningWrapper},
      KnownClass{"lightning_fabric", "DistributedSamplerWrapper", lightningWrapper},
      KnownClass{"pytorch_lightning", "DistributedSamplerWrapper", lightningWrapper},
      KnownClass{"lightning", "UnrepeatedDistributedSampler", lightningUnrepeated},
      KnownClass{"pytorch_lightning", "UnrepeatedDistributedSampler", lightningUnrepeated},
      KnownClass{"lightning", "UnrepeatedDistributedSamplerWrapper", lightningUnrepeatedWrapper},
      KnownClass{"pytorch_lightning", "UnrepeatedDistributedSamplerWrapper", lightningUnrepeatedWrapper},
      KnownClass{"catalyst", "DistributedSamplerWrapper", catalystWrapper},
      KnownClass{"megatron", "MegatronPretrainingSampler", megatronPretraining, true},
      KnownClass{"megatron", "HybridCPMegatronPretrainingSampler", megatronHybrid, true},
      KnownClass{"megatron", "MegatronPretrainingRandomSampler", megatronRandom, true},
      KnownClass{"megatron", "MegatronFullValidationSampler", megatronFullValidation, true},
      KnownClass{"megatron.bridge", "MegatronPretrainingBatchSampler", megatronBatches, true},
      KnownClass{"torchdata", "StatefulDistributedSampler", statefulDistributed},
      KnownClass{"torchdata", "RandomSampler", statefulRandom},
      KnownClass{"mmengine", "DefaultSampler", mmengineDefault},
      KnownClass{"", "TwoStreamBatchSampler", twoStream, true},
  };
  return kClasses;
}

std::span<const KnownClass> classesOfAccelerate() {
  static constexpr std::array kClasses = {
      KnownClass{"accelerate", "BatchSamplerShard", batchSamplerShard, true},
      KnownClass{"accelerate", "SkipBatchSampler", skipBatches, true},
      KnownClass{"accelerate", "SeedableRandomSampler", seedableRandom},
  };
  return kClasses;
}

}  // namespace shardlens::capture
