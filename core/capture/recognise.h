// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/capture/job_loaders.h"
#include "core/capture/loader_spec.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
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

}  // namespace shardlens::capture
