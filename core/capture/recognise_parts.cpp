// SPDX-License-Identifier: Apache-2.0
#include "core/capture/recognise_parts.h"

#include "core/capture/capture_words.h"
#include "core/sampling/torch/inner_sampler.h"

#include <algorithm>
#include <cmath>
#include <utility>

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
  into.spec.epochs = into.epoch_is_set ? last + 1 : static_cast<std::int64_t>(most);
}

void takeDistributed(const SamplersOfRanks& ranks, LoaderSpec& into) {
  take<bool>(ranks, "shuffle", into);
  take<std::int64_t>(ranks, "seed", into);
  take<bool>(ranks, "drop_last", into);
  auto& parameters = into.spec.sampler.parameters;
  if (const auto number = ranks.attribute<std::int64_t>("num_replicas", into))
    parameters["num_replicas"] = replicas(ranks.job, *number);
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
  const auto seed = ranks.common<std::uint64_t>("the seed of sampler.generator", into,
                                                [&](std::size_t i) { return std::optional(of(i)->seed); });
  if (!seed) return std::nullopt;
  if (*seed > kMostSeed) {
    into.problems.push_back(words::seedTooLarge());
    return std::nullopt;
  }
  if (!of(0)->is_fresh.value_or(true)) into.unknown.push_back(words::generatorUsed());
  return static_cast<std::int64_t>(*seed);
}

void takeBatches(const SamplersOfRanks& ranks, LoaderSpec& into) {
  if (const auto size = ranks.attribute<std::int64_t>("batch_size", into)) into.spec.loader.batch_size = *size;
  if (const auto drop = ranks.attribute<bool>("drop_last", into)) into.spec.loader.drop_last = *drop;
}

}  // namespace shardlens::capture
