// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/capture/job_loaders.h"
#include "core/capture/loader_spec.h"
#include "core/spec/value.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens::capture {

/// The greatest seed that a spec holds.
constexpr std::uint64_t kMostSeed = std::uint64_t{std::numeric_limits<std::int64_t>::max()};

/// The sampler of each rank of a loader, all of one class.
struct SamplersOfRanks {
  const JobLoader& job;
  std::vector<const SamplerFacts*> samplers;  ///< by place in job.ranks

  /// The value that `get` gives for every rank; without one, a problem of `into` says which ranks differ in `what`.
  template <class T>
  std::optional<T> common(const std::string& what, LoaderSpec& into,
                          const std::function<std::optional<T>(std::size_t)>& get) const {
    std::optional<T> first = get(0);
    for (std::size_t i = 0; i < samplers.size(); ++i) {
      const std::optional<T> value = get(i);
      if (!value) {
        into.problems.push_back(notSeen(what, job.ranks[i].rank));
        return std::nullopt;
      }
      if (*value != *first) {
        into.problems.push_back(differs(what, job.ranks[0].rank, job.ranks[i].rank));
        return std::nullopt;
      }
    }
    return first;
  }
  /// The class of the samplers.
  [[nodiscard]] const std::string& type() const { return samplers.front()->type; }
  /// The samplers that they have under this name, all of one class; without them, a problem of `into` says why.
  std::optional<SamplersOfRanks> inside(const std::string& name, LoaderSpec& into) const;
  /// Likewise for an attribute of the sampler.
  template <class T>
  std::optional<T> attribute(const std::string& name, LoaderSpec& into) const {
    return common<T>("sampler." + name, into, [&](std::size_t i) { return samplers[i]->template value<T>(name); });
  }

 private:
  static std::string notSeen(const std::string& what, std::int64_t rank);
  static std::string differs(const std::string& what, std::int64_t rank, std::int64_t other);
};

/// Puts the sampler into the spec. False when its class is not known.
bool recognise(const SamplersOfRanks& ranks, LoaderSpec& into);

/// Whether a class of this name is known as a batch sampler that puts its own batches together, and not as one that
/// cuts them out of a sampler's samples as torch's BatchSampler does.
bool makesBatches(const std::string& type);

/// Whether it is torch's BatchSampler, or torchdata's copy of it.
bool cutsBatches(const std::string& type);

/// A class that is known, and how its attributes become a spec.
struct KnownClass {
  std::string_view package;  ///< that its module is in, since releases move classes between modules; empty: any
  std::string_view name;
  void (*recognise)(const SamplersOfRanks&, LoaderSpec&);
  bool makes_batches = false;  ///< see makesBatches()
};

/// The classes of Accelerate, and those of other frameworks than torch.
std::span<const KnownClass> classesOfAccelerate();
std::span<const KnownClass> classesOfFrameworks();

/// An attribute that is a parameter of the rule; of the same name, unless another one is given.
template <class T>
void take(const SamplersOfRanks& ranks, const std::string& name, LoaderSpec& into, const std::string& parameter = {}) {
  if (const auto value = ranks.attribute<T>(name, into))
    into.spec.sampler.parameters[parameter.empty() ? name : parameter] = *value;
}

/// Whether the first rank's attribute is None, or there is none.
bool isNone(const SamplersOfRanks& ranks, const std::string& name);

/// A problem where an attribute, which no parameter says, is not what the rule has in its place.
void mustBe(const SamplersOfRanks& ranks, const std::string& name, std::int64_t modelled, LoaderSpec& into);

/// Likewise where the sampler was given another number of shares, or another rank, than the job has.
void mustDealToTheJob(const SamplersOfRanks& ranks, const std::string& number, const std::string& rank,
                      LoaderSpec& into);

/// What torch's DistributedSampler says of itself, num_replicas and rank as they were passed.
void takeDistributed(const SamplersOfRanks& ranks, LoaderSpec& into);

/// Whether set_epoch was called, which is a parameter of the rule, and which epochs were read.
void takeSetEpoch(const SamplersOfRanks& ranks, LoaderSpec& into);

/// For a rule whose epoch is always the sampler's attribute: which epochs were read.
void takeEpochs(const SamplersOfRanks& ranks, LoaderSpec& into);

/// For a rule that takes what another sampler gives: the sampler under this name, as `inner` and by its parameters.
void takeInner(const SamplersOfRanks& ranks, const std::string& name, LoaderSpec& into);

/// The list of that name, the same on all ranks.
std::optional<std::vector<double>> numbers(const SamplersOfRanks& ranks, const std::string& name, LoaderSpec& into);
std::optional<IndexList> wholeNumbers(const SamplersOfRanks& ranks, const std::string& name, LoaderSpec& into);

/// The seed of the generator that the sampler has, the same on all ranks; nothing where it has none.
std::optional<std::int64_t> generatorSeed(const SamplersOfRanks& ranks, LoaderSpec& into);

/// "base+rank" or "base+local_rank", where the ranks have different seeds that follow from one base so; the spec gets
/// that base. Nothing where it has another one, on which more depends, or where `seed_of` lacks a rank's seed.
std::optional<Value> seedByRank(const SamplersOfRanks& ranks, LoaderSpec& into,
                                const std::function<std::optional<std::uint64_t>(std::size_t)>& seed_of);

/// batch_size and drop_last of a batch sampler that cuts its batches out of a sampler's samples.
void takeBatches(const SamplersOfRanks& ranks, LoaderSpec& into);

}  // namespace shardlens::capture
