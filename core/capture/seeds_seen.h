// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/capture/job_loaders.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shardlens::capture {

/// A seed whose generator is in a recorded state after so many 32-bit outputs.
struct FoundSeed {
  std::int64_t seed = 0;
  std::int64_t drawn = 0;
};

/// numpy.random.seed(seed), or random.seed(seed) of Python.
enum class GeneratorKind { Numpy, Random };

/// The first of `seeds` that leads to this state within a few thousand outputs; none: another seed, or drawn from for
/// longer.
std::optional<FoundSeed> seedOf(GeneratorKind kind, const GeneratorState& state,
                                const std::vector<std::int64_t>& seeds);

/// Whether a RandomSampler drew its seed for this pass from torch's global generator as that is right after torch_seed
/// was set: as its first number, or after the base_seed of the workers.
bool drewAfterSeed(const PassFacts& pass);

/// What is known of the generators of NumPy and random when the ranks' first passes began, and of their workers; one
/// sentence each. Seeds are looked for among those that the recording shows, usual ones and small ones.
std::vector<std::string> seedsText(const JobLoader& job, const std::vector<ProcessFacts>& processes);

/// What repeats although it looks random, for data that is changed at random while it is loaded: ranks, or passes, that
/// begin with the same generators. Only what was compared.
std::vector<RunFinding> seedFindings(const JobLoader& job, const std::vector<ProcessFacts>& processes);

}  // namespace shardlens::capture
