// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/capture/capture_words.h"
#include "core/capture/recognise.h"
#include "core/sampling/torch/inner_sampler.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <utility>

namespace shardlens::capture {
namespace {

/// The first of these names whose number every rank passed, as World::numberNamed() counts them; data-parallel ones
/// only where the spec has groups.
std::optional<Value> nameOfPassed(const SamplersOfRanks& ranks, const PipelineSpec::World& world,
                                  const std::string& attribute, std::initializer_list<const char*> names) {
  for (const std::string name : names) {
    bool is_it = name.starts_with("data_parallel") ? world.groups.any() : name != "node" || world.nodes > 1;
    for (std::size_t i = 0; is_it && i < ranks.samplers.size(); ++i) {
      const RankLoader& rank = ranks.job.ranks[i];
      const std::int64_t number = name == "local_rank" ? rank.local_rank : world.numberNamed(name, Rank{rank.rank});
      is_it = ranks.samplers[i]->value<std::int64_t>(attribute) == number;
    }
    if (is_it) return Value(name);
  }
  return std::nullopt;
}

/// "data_parallel_rank", "rank", "local_rank", "node" or a number: what every rank passed.
std::optional<Value> whatRanksPass(const SamplersOfRanks& ranks, LoaderSpec& into) {
  if (auto name = nameOfPassed(ranks, into.spec.world, "rank", {"data_parallel_rank", "rank", "local_rank", "node"}))
    return name;
  const auto first = ranks.samplers.front()->value<std::int64_t>("rank");
  bool is_constant = true;
  for (const SamplerFacts* const sampler : ranks.samplers) {
    const auto passed = sampler->value<std::int64_t>("rank");
    if (!passed) return std::nullopt;
    is_constant = is_constant && passed == first;
  }
  if (is_constant) return Value(*first);
  into.problems.push_back(worded(
      "capture",
      "The value that ranks pass as the sampler's rank is neither rank, local_rank, node nor one common number."));
  return std::nullopt;
}

std::int64_t lastEpoch(const JobLoader& job) {
  std::int64_t last = 0;
  for (const RankLoader& rank : job.ranks) {
    for (const PassFacts& pass : rank.passes) last = std::max(last, pass.epoch.value_or(0));
  }
  return last;
}

}  // namespace

bool isNone(const SamplersOfRanks& ranks, const std::string& name) {
  const auto& values = ranks.samplers.front()->values;
  const auto found = values.find(name);
  return found == values.end() || std::holds_alternative<std::monostate>(found->second);
}

void mustBe(const SamplersOfRanks& ranks, const std::string& name, std::int64_t modelled, LoaderSpec& into) {
  const auto value = ranks.attribute<std::int64_t>(name, into);
  if (value && *value != modelled)
    into.problems.push_back(words::notModelled("sampler." + name, std::to_string(*value), std::to_string(modelled)));
}

void mustDealToTheJob(const SamplersOfRanks& ranks, const std::string& number, const std::string& rank,
                      LoaderSpec& into) {
  for (std::size_t i = 0; i < ranks.samplers.size(); ++i) {
    const RankLoader& own = ranks.job.ranks[i];
    const auto of = ranks.samplers[i]->value<std::int64_t>(number);
    const auto passed = ranks.samplers[i]->value<std::int64_t>(rank);
    if (of == ranks.job.world_size && passed == own.rank) continue;
    into.problems.push_back(of && passed ? words::ranksOfAnother()
                                         : words::notSeen("sampler." + (of ? rank : number), own.rank));
    return;
  }
}

void takeEpochs(const SamplersOfRanks& ranks, LoaderSpec& into) {
  into.epoch_is_set = true;
  into.spec.epochs = lastEpoch(ranks.job) + 1;
}

void takeSetEpoch(const SamplersOfRanks& ranks, LoaderSpec& into) {
  std::int64_t calls = 0;
  std::size_t most = 1;
  for (const RankLoader& rank : ranks.job.ranks) {
    most = std::max(most, rank.passes.size());
    for (const PassFacts& pass : rank.passes) calls = std::max(calls, pass.set_epoch_calls);
  }
  const std::int64_t last = lastEpoch(ranks.job);
  into.epoch_is_set = last > 0 || (calls > 0 && most == 1);
  into.spec.sampler.parameters["set_epoch"] = into.epoch_is_set;
  if (!into.epoch_is_set) into.order.emplace(ranks.job, static_cast<std::int64_t>(most));
  into.spec.epochs = into.epoch_is_set ? last + 1 : into.order->end();
}

void takeDistributed(const SamplersOfRanks& ranks, LoaderSpec& into) {
  take<bool>(ranks, "shuffle", into);
  auto& parameters = into.spec.sampler.parameters;
  const auto own = seedByRank(ranks, into, [&](std::size_t i) -> std::optional<std::uint64_t> {
    const auto seed = ranks.samplers[i]->value<std::int64_t>("seed");
    return seed ? std::optional(static_cast<std::uint64_t>(*seed)) : std::nullopt;
  });
  if (own) parameters["seed"] = *own;
  if (!own) take<std::int64_t>(ranks, "seed", into);
  take<bool>(ranks, "drop_last", into);
  if (auto name = nameOfPassed(ranks, into.spec.world, "num_replicas",
                               {"data_parallel_size", "world_size", "ranks_per_node", "nodes", kNodesTimesRanks}))
    parameters["num_replicas"] = *std::move(name);
  else if (const auto number = ranks.attribute<std::int64_t>("num_replicas", into))
    parameters["num_replicas"] = *number;
  if (auto rank = whatRanksPass(ranks, into)) parameters["rank"] = *std::move(rank);
  takeSetEpoch(ranks, into);
}

void takeInner(const SamplersOfRanks& ranks, const std::string& name, LoaderSpec& into) {
  const auto inside = ranks.inside(name, into);
  if (!inside) return;
  auto& sampler = into.spec.sampler;
  const std::string inner = recognise(*inside, into) ? sampling::innerNameOf(sampler.type) : std::string();
  if (inner.empty()) into.problems.push_back(words::unknownSampler(inside->type()));
  sampler.parameters["inner"] = inner;
  if (sampler.parameters.contains("generator")) sampler.parameters["generator"] = std::string("sampler");
}

std::optional<std::vector<double>> numbers(const SamplersOfRanks& ranks, const std::string& name, LoaderSpec& into) {
  return ranks.common<std::vector<double>>("sampler." + name, into,
                                           [&](std::size_t i) -> std::optional<std::vector<double>> {
                                             const auto found = ranks.samplers[i]->lists.find(name);
                                             if (found == ranks.samplers[i]->lists.end()) return std::nullopt;
                                             return found->second;
                                           });
}

std::optional<IndexList> wholeNumbers(const SamplersOfRanks& ranks, const std::string& name, LoaderSpec& into) {
  const auto found = numbers(ranks, name, into);
  if (!found) return std::nullopt;
  std::vector<std::int64_t> whole;
  whole.reserve(found->size());
  for (const double number : *found) whole.push_back(std::llround(number));
  return IndexList(std::move(whole));
}

std::optional<std::int64_t> generatorSeed(const SamplersOfRanks& ranks, LoaderSpec& into) {
  const auto of = [&](std::size_t i) -> const GeneratorFacts* {
    const auto found = ranks.samplers[i]->generators.find("generator");
    return found == ranks.samplers[i]->generators.end() ? nullptr : &found->second;
  };
  const auto has =
      ranks.common<bool>("sampler.generator", into, [&](std::size_t i) { return std::optional(of(i) != nullptr); });
  if (!has || !*has) return std::nullopt;
  const auto seed = ranks.common<std::uint64_t>(filled(worded("capture", "the seed of %1"), "sampler.generator"), into,
                                                [&](std::size_t i) { return std::optional(of(i)->seed); });
  if (!seed) return std::nullopt;
  if (*seed > kMostSeed) {
    into.problems.push_back(worded("capture", "The generator's seed is above 2^63 - 1, which a spec cannot hold."));
    return std::nullopt;
  }
  if (!of(0)->is_fresh.value_or(true))
    into.unknown.push_back(
        worded("capture", "Something had drawn from the sampler's generator before the first pass."));
  return static_cast<std::int64_t>(*seed);
}

std::optional<Value> seedByRank(const SamplersOfRanks& ranks, LoaderSpec& into,
                                const std::function<std::optional<std::uint64_t>(std::size_t)>& seed_of) {
  const auto first = seed_of(0);
  if (!first || ranks.samplers.size() < 2 || seed_of(1) == first) return std::nullopt;
  PipelineSpec::Seeds& seeds = into.spec.seeds;
  const bool is_free = seeds.rule == "unseeded" || seeds.rule == "unknown";  // no other order depends on the base
  for (const bool by_local_rank : {false, true}) {
    const auto added = [&](std::size_t i) {
      const RankLoader& rank = ranks.job.ranks[i];
      return static_cast<std::uint64_t>(by_local_rank ? rank.local_rank : rank.rank);
    };
    const std::uint64_t base = *first - added(0);
    bool holds = base <= kMostSeed && (is_free || static_cast<std::uint64_t>(seeds.base) == base);
    for (std::size_t i = 0; i < ranks.samplers.size(); ++i) holds = holds && seed_of(i) == base + added(i);
    if (!holds) continue;
    seeds.base = static_cast<std::int64_t>(base);
    return Value(std::string(by_local_rank ? "base+local_rank" : "base+rank"));
  }
  return std::nullopt;
}

void takeBatches(const SamplersOfRanks& ranks, LoaderSpec& into) {
  if (const auto size = ranks.attribute<std::int64_t>("batch_size", into)) into.spec.loader.batch_size = *size;
  if (const auto drop = ranks.attribute<bool>("drop_last", into)) into.spec.loader.drop_last = *drop;
}

}  // namespace shardlens::capture
