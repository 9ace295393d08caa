// SPDX-License-Identifier: Apache-2.0
#include "core/capture/recognise.h"

#include "core/base/phrase.h"
#include "core/capture/capture_words.h"

#include <algorithm>
#include <array>

namespace shardlens::capture {
namespace {

void distributed(const SamplersOfRanks& ranks, LoaderSpec& into) {
  into.spec.sampler.type = "torch.DistributedSampler";
  takeDistributed(ranks, into);
}

/// The generator that the ranks gave, if they gave one.
void generator(const SamplersOfRanks& ranks, LoaderSpec& into) {
  const auto own = seedByRank(ranks, into, [&](std::size_t i) -> std::optional<std::uint64_t> {
    const auto found = ranks.samplers[i]->generators.find("generator");
    if (found == ranks.samplers[i]->generators.end() || !found->second.is_fresh.value_or(true)) return std::nullopt;
    return found->second.seed;
  });
  const auto same = own ? std::nullopt : generatorSeed(ranks, into);
  if (!own && !same) return;
  const bool is_loaders = ranks.job.ranks[0].loader.shares_generator;
  into.spec.sampler.parameters["generator"] = std::string(is_loaders ? "loader" : "sampler");
  into.spec.sampler.parameters["generator_seed"] = own ? *own : Value(*same);
}

void random(const SamplersOfRanks& ranks, LoaderSpec& into) {
  into.spec.sampler.type = "torch.RandomSampler";
  take<bool>(ranks, "replacement", into);
  if (!isNone(ranks, "_num_samples")) take<std::int64_t>(ranks, "_num_samples", into, "num_samples");
  generator(ranks, into);
}

void sequential(const SamplersOfRanks& /*ranks*/, LoaderSpec& into) {
  into.spec.sampler.type = "torch.SequentialSampler";
}

void subset(const SamplersOfRanks& ranks, LoaderSpec& into) {
  into.spec.sampler.type = "torch.SubsetRandomSampler";
  if (auto indices = wholeNumbers(ranks, "indices", into))
    into.spec.sampler.parameters["indices"] = *std::move(indices);
  generator(ranks, into);
}

void weighted(const SamplersOfRanks& ranks, LoaderSpec& into) {
  into.spec.sampler.type = "torch.WeightedRandomSampler";
  if (auto weights = numbers(ranks, "weights", into))
    into.spec.sampler.parameters["weights"] = NumberList(*std::move(weights));
  take<bool>(ranks, "replacement", into);
  if (!isNone(ranks, "num_samples")) take<std::int64_t>(ranks, "num_samples", into);
  generator(ranks, into);
}

/// The class keeps no even_divisible: without it, its total is the dataset's own number.
void monaiDistributed(const SamplersOfRanks& ranks, LoaderSpec& into) {
  into.spec.sampler.type = "monai.DistributedSampler";
  mustDealToTheJob(ranks, "num_replicas", "rank", into);
  take<bool>(ranks, "shuffle", into);
  take<std::int64_t>(ranks, "seed", into);
  take<bool>(ranks, "drop_last", into);
  takeSetEpoch(ranks, into);
  if (const auto total = ranks.attribute<std::int64_t>("total_size", into))
    into.spec.sampler.parameters["even_divisible"] = *total % ranks.job.world_size == 0;
}

void trlRepeat(const SamplersOfRanks& ranks, LoaderSpec& into) {
  into.spec.sampler.type = "trl.RepeatSampler";
  for (const char* name : {"mini_repeat_count", "batch_size", "repeat_count"}) take<std::int64_t>(ranks, name, into);
  take<bool>(ranks, "shuffle", into);
  if (!isNone(ranks, "seed")) take<std::int64_t>(ranks, "seed", into);
}

/// With a generator of its own, it is a RepeatSampler that always shuffles: first without chunks, later with them.
void trlRepeatRandom(const SamplersOfRanks& ranks, LoaderSpec& into) {
  const bool has_own = ranks.samplers.front()->generators.contains("generator");
  const bool has_chunks = !isNone(ranks, "mini_repeat_count");
  into.spec.sampler.type = has_own ? "trl.RepeatSampler" : "trl.RepeatRandomSampler";
  take<std::int64_t>(ranks, "repeat_count", into, has_own && !has_chunks ? "mini_repeat_count" : "repeat_count");
  if (!has_own) return;
  if (has_chunks) {
    for (const char* name : {"mini_repeat_count", "batch_size"}) take<std::int64_t>(ranks, name, into);
  }
  if (!isNone(ranks, "seed")) take<std::int64_t>(ranks, "seed", into);
}

void igniteProxy(const SamplersOfRanks& ranks, LoaderSpec& into) {
  takeInner(ranks, "sampler", into);
  into.spec.sampler.type = "ignite.DistributedProxySampler";
  takeSetEpoch(ranks, into);
}

constexpr std::array kKnown = {
    KnownClass{"ignite", "DistributedProxySampler", igniteProxy},
    KnownClass{"monai", "DistributedSampler", monaiDistributed},
    KnownClass{"torch", "DistributedSampler", distributed},
    KnownClass{"torch", "RandomSampler", random},
    KnownClass{"torch", "SequentialSampler", sequential},
    KnownClass{"torch", "SubsetRandomSampler", subset},
    KnownClass{"torch", "WeightedRandomSampler", weighted},
    KnownClass{"trl", "RepeatRandomSampler", trlRepeatRandom},
    KnownClass{"trl", "RepeatSampler", trlRepeat},
};

bool isOf(const KnownClass& known, std::string_view type) {
  const std::size_t dot = type.rfind('.');
  if (dot == std::string_view::npos || type.substr(dot + 1) != known.name) return false;
  return known.package.empty() || type.starts_with(std::string(known.package) + ".");
}

const KnownClass* knownClass(const std::string& type) {
  for (const std::span<const KnownClass> classes :
       {std::span<const KnownClass>(kKnown), classesOfAccelerate(), classesOfFrameworks()}) {
    const auto found = std::ranges::find_if(classes, [&](const KnownClass& one) { return isOf(one, type); });
    if (found != classes.end()) return &*found;
  }
  return nullptr;
}

}  // namespace

std::string SamplersOfRanks::notSeen(const std::string& what, std::int64_t rank) {
  return words::notSeen(what, rank);
}

std::string SamplersOfRanks::differs(const std::string& what, std::int64_t rank, std::int64_t other) {
  return words::ranksDiffer(what, rank, other);
}

std::optional<SamplersOfRanks> SamplersOfRanks::inside(const std::string& name, LoaderSpec& into) const {
  SamplersOfRanks found{job, {}};
  for (std::size_t i = 0; i < samplers.size(); ++i) {
    const auto one = samplers[i]->samplers.find(name);
    if (one == samplers[i]->samplers.end()) {
      into.problems.push_back(words::notSeen("sampler." + name, job.ranks[i].rank));
      return std::nullopt;
    }
    if (!found.samplers.empty() && one->second.type != found.type()) {
      into.problems.push_back(words::ranksDiffer(filled(worded("capture", "the class of %1"), "sampler." + name),
                                                 job.ranks[0].rank, job.ranks[i].rank));
      return std::nullopt;
    }
    found.samplers.push_back(&one->second);
  }
  return found;
}

bool recognise(const SamplersOfRanks& ranks, LoaderSpec& into) {
  const KnownClass* const known = knownClass(ranks.type());
  if (known == nullptr) return false;
  known->recognise(ranks, into);
  return true;
}

bool makesBatches(const std::string& type) {
  const KnownClass* const known = knownClass(type);
  return known != nullptr && known->makes_batches;
}

bool cutsBatches(const std::string& type) {
  return type == "torch.utils.data.sampler.BatchSampler" ||
         type == "torchdata.stateful_dataloader.sampler.BatchSampler";
}

}  // namespace shardlens::capture
