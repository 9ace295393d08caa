// SPDX-License-Identifier: Apache-2.0
#include "core/capture/recognise.h"

#include "core/capture/capture_words.h"
#include "core/sampling/torch/inner_sampler.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace shardlens::capture {
namespace {

/// "rank", "local_rank", "node" or a number: what every rank passed.
std::optional<Value> whatRanksPass(const SamplersOfRanks& ranks, LoaderSpec& into) {
  const std::int64_t per_node = ranks.job.world_size / ranks.job.nodes;
  bool is_rank = true;
  bool is_local = true;
  bool is_node = true;
  bool is_constant = true;
  std::optional<std::int64_t> first;
  for (std::size_t i = 0; i < ranks.samplers.size(); ++i) {
    const RankLoader& rank = ranks.job.ranks[i];
    const auto passed = ranks.samplers[i]->value<std::int64_t>("rank");
    if (!passed) return std::nullopt;
    if (!first) first = passed;
    is_rank = is_rank && *passed == rank.rank;
    is_local = is_local && *passed == rank.local_rank;
    is_node = is_node && *passed == rank.rank / per_node;
    is_constant = is_constant && *passed == *first;
  }
  if (is_rank) return Value(std::string("rank"));
  if (is_local) return Value(std::string("local_rank"));
  if (is_node && ranks.job.nodes > 1) return Value(std::string("node"));
  if (is_constant) return Value(*first);
  into.problems.push_back(words::ranksPassOther());
  return std::nullopt;
}

Value replicas(const JobLoader& job, std::int64_t number) {
  if (number == job.world_size) return std::string("world_size");
  if (number == job.world_size / job.nodes) return std::string("ranks_per_node");
  if (number == job.nodes) return std::string("nodes");
  return number;
}

/// Whether sampler.epoch was set, and which epochs of the spec were read.
void epochsOfDistributed(const SamplersOfRanks& ranks, LoaderSpec& into) {
  bool always_zero = true;
  std::int64_t calls = 0;
  std::int64_t last = 0;
  std::size_t most = 1;
  for (const RankLoader& rank : ranks.job.ranks) {
    most = std::max(most, rank.passes.size());
    for (const PassFacts& pass : rank.passes) {
      always_zero = always_zero && pass.epoch.value_or(0) == 0;
      calls = std::max(calls, pass.set_epoch_calls);
      last = std::max(last, pass.epoch.value_or(0));
    }
  }
  into.epoch_is_set = calls > 0 && !(always_zero && most > 1);
  if (!always_zero) into.epoch_is_set = true;
  into.spec.sampler.parameters["set_epoch"] = into.epoch_is_set;
  into.spec.epochs = into.epoch_is_set ? last + 1 : static_cast<std::int64_t>(most);
}

void distributed(const SamplersOfRanks& ranks, LoaderSpec& into) {
  into.spec.sampler.type = "torch.DistributedSampler";
  auto& parameters = into.spec.sampler.parameters;
  if (const auto shuffle = ranks.attribute<bool>("shuffle", into)) parameters["shuffle"] = *shuffle;
  if (const auto seed = ranks.attribute<std::int64_t>("seed", into)) parameters["seed"] = *seed;
  if (const auto drop = ranks.attribute<bool>("drop_last", into)) parameters["drop_last"] = *drop;
  if (const auto number = ranks.attribute<std::int64_t>("num_replicas", into))
    parameters["num_replicas"] = replicas(ranks.job, *number);
  if (auto rank = whatRanksPass(ranks, into)) parameters["rank"] = *std::move(rank);
  epochsOfDistributed(ranks, into);
}

/// The generator that the ranks gave, if they gave one.
void generator(const SamplersOfRanks& ranks, LoaderSpec& into) {
  const auto of = [&](std::size_t i) -> const GeneratorFacts* {
    const auto found = ranks.samplers[i]->generators.find("generator");
    return found == ranks.samplers[i]->generators.end() ? nullptr : &found->second;
  };
  const auto has =
      ranks.common<bool>("sampler.generator", into, [&](std::size_t i) { return std::optional(of(i) != nullptr); });
  if (!has || !*has) return;
  const auto seed = ranks.common<std::uint64_t>("the seed of sampler.generator", into,
                                                [&](std::size_t i) { return std::optional(of(i)->seed); });
  if (!seed) return;
  if (*seed > kMostSeed) {
    into.problems.push_back(words::seedTooLarge());
    return;
  }
  if (!of(0)->is_fresh.value_or(true)) into.unknown.push_back(words::generatorUsed());
  const bool is_loaders = ranks.job.ranks[0].loader.shares_generator;
  into.spec.sampler.parameters["generator"] = std::string(is_loaders ? "loader" : "sampler");
  into.spec.sampler.parameters["generator_seed"] = static_cast<std::int64_t>(*seed);
}

void numSamples(const SamplersOfRanks& ranks, const char* name, LoaderSpec& into) {
  const auto& first = ranks.samplers.front()->values;
  const auto found = first.find(name);
  const bool is_given = found != first.end() && std::holds_alternative<std::int64_t>(found->second);
  if (!is_given) return;
  if (const auto count = ranks.attribute<std::int64_t>(name, into))
    into.spec.sampler.parameters["num_samples"] = *count;
}

void random(const SamplersOfRanks& ranks, LoaderSpec& into) {
  into.spec.sampler.type = "torch.RandomSampler";
  if (const auto again = ranks.attribute<bool>("replacement", into))
    into.spec.sampler.parameters["replacement"] = *again;
  numSamples(ranks, "_num_samples", into);
  generator(ranks, into);
}

void sequential(const SamplersOfRanks& /*ranks*/, LoaderSpec& into) {
  into.spec.sampler.type = "torch.SequentialSampler";
}

/// The list of that name, the same on all ranks.
std::optional<std::vector<double>> list(const SamplersOfRanks& ranks, const std::string& name, LoaderSpec& into) {
  return ranks.common<std::vector<double>>("sampler." + name, into,
                                           [&](std::size_t i) -> std::optional<std::vector<double>> {
                                             const auto found = ranks.samplers[i]->lists.find(name);
                                             if (found == ranks.samplers[i]->lists.end()) return std::nullopt;
                                             return found->second;
                                           });
}

void subset(const SamplersOfRanks& ranks, LoaderSpec& into) {
  into.spec.sampler.type = "torch.SubsetRandomSampler";
  if (const auto indices = list(ranks, "indices", into)) {
    std::vector<std::int64_t> ids;
    ids.reserve(indices->size());
    for (const double index : *indices) ids.push_back(std::llround(index));
    into.spec.sampler.parameters["indices"] = IndexList(std::move(ids));
  }
  generator(ranks, into);
}

void weighted(const SamplersOfRanks& ranks, LoaderSpec& into) {
  into.spec.sampler.type = "torch.WeightedRandomSampler";
  if (auto weights = list(ranks, "weights", into))
    into.spec.sampler.parameters["weights"] = NumberList(*std::move(weights));
  if (const auto again = ranks.attribute<bool>("replacement", into))
    into.spec.sampler.parameters["replacement"] = *again;
  numSamples(ranks, "num_samples", into);
  generator(ranks, into);
}

/// What torch's class says of itself, for a class that deals to the job's own ranks alone.
void dealtToTheJob(const SamplersOfRanks& ranks, LoaderSpec& into) {
  distributed(ranks, into);
  auto& parameters = into.spec.sampler.parameters;
  const auto is = [&](const char* key, const char* usual) {
    const auto found = parameters.find(key);
    return found == parameters.end() || found->second == Value(std::string(usual));
  };
  if (!is("num_replicas", "world_size") || !is("rank", "rank")) into.problems.push_back(words::ranksOfAnother());
  parameters.erase("num_replicas");
  parameters.erase("rank");
}

/// The class keeps no even_divisible: without it, its total is the dataset's own number.
void monaiDistributed(const SamplersOfRanks& ranks, LoaderSpec& into) {
  dealtToTheJob(ranks, into);
  into.spec.sampler.type = "monai.DistributedSampler";
  if (const auto total = ranks.attribute<std::int64_t>("total_size", into))
    into.spec.sampler.parameters["even_divisible"] = *total % ranks.job.world_size == 0;
}

void trlRepeat(const SamplersOfRanks& ranks, LoaderSpec& into) {
  into.spec.sampler.type = "trl.RepeatSampler";
  auto& parameters = into.spec.sampler.parameters;
  for (const char* name : {"mini_repeat_count", "batch_size", "repeat_count"}) {
    if (const auto count = ranks.attribute<std::int64_t>(name, into)) parameters[name] = *count;
  }
  if (const auto shuffle = ranks.attribute<bool>("shuffle", into)) parameters["shuffle"] = *shuffle;
  const auto& values = ranks.samplers.front()->values;
  const auto seed = values.find("seed");
  const bool is_none = seed != values.end() && std::holds_alternative<std::monostate>(seed->second);
  if (is_none) return;
  if (const auto given = ranks.attribute<std::int64_t>("seed", into)) parameters["seed"] = *given;
}

/// The sampler inside is recognised as if it stood alone; false when nothing here knows it.
bool innerOf(const SamplersOfRanks& ranks, LoaderSpec& into) {
  SamplersOfRanks inside{ranks.job, {}};
  for (const SamplerFacts* sampler : ranks.samplers) {
    const auto found = sampler->samplers.find("sampler");
    if (found == sampler->samplers.end()) return false;
    inside.samplers.push_back(&found->second);
  }
  return recognise(inside, into);
}

void igniteProxy(const SamplersOfRanks& ranks, LoaderSpec& into) {
  if (!innerOf(ranks, into)) {
    into.problems.push_back(words::unknownSampler(ranks.samplers.front()->type));
    return;
  }
  auto& sampler = into.spec.sampler;
  const std::string inner = sampling::innerNameOf(sampler.type);
  if (inner.empty()) into.problems.push_back(words::unknownSampler(sampler.type));
  sampler.type = "ignite.DistributedProxySampler";
  sampler.parameters["inner"] = inner;
  if (sampler.parameters.contains("generator")) sampler.parameters["generator"] = std::string("sampler");
  epochsOfDistributed(ranks, into);
}

struct Known {
  std::string_view type;
  void (*recognise)(const SamplersOfRanks&, LoaderSpec&);
};

constexpr std::array kKnown = {
    Known{"ignite.distributed.auto.DistributedProxySampler", igniteProxy},
    Known{"monai.data.samplers.DistributedSampler", monaiDistributed},
    Known{"torch.utils.data.distributed.DistributedSampler", distributed},
    Known{"torch.utils.data.sampler.RandomSampler", random},
    Known{"torch.utils.data.sampler.SequentialSampler", sequential},
    Known{"torch.utils.data.sampler.SubsetRandomSampler", subset},
    Known{"torch.utils.data.sampler.WeightedRandomSampler", weighted},
    Known{"trl.trainer.grpo_trainer.RepeatSampler", trlRepeat},
    Known{"trl.trainer.utils.RepeatSampler", trlRepeat},
};

}  // namespace

std::string SamplersOfRanks::notSeen(const std::string& what, std::int64_t rank) {
  return words::notSeen(what, rank);
}

std::string SamplersOfRanks::differs(const std::string& what, std::int64_t rank, std::int64_t other) {
  return words::ranksDiffer(what, rank, other);
}

bool recognise(const SamplersOfRanks& ranks, LoaderSpec& into) {
  const std::string& type = ranks.samplers.front()->type;
  const auto known = std::find_if(kKnown.begin(), kKnown.end(), [&](const Known& one) { return one.type == type; });
  if (known == kKnown.end()) return false;
  known->recognise(ranks, into);
  return true;
}

}  // namespace shardlens::capture
