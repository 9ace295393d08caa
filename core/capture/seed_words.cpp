// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/capture/seeds_seen.h"

#include <algorithm>
#include <cstddef>

namespace shardlens::words {
namespace {

using capture::GeneratorKind;

std::string generatorName(GeneratorKind kind) {
  return kind == GeneratorKind::Numpy ? worded("capture", "NumPy's global generator")
                                      : worded("capture", "Python's random");
}

std::string seedText(const StateOfRanks& state) {
  const std::string seed = std::to_string(state.seed->seed);
  const std::string ranks = listedRanks(state.ranks);
  return state.seed->drawn == 0 ? filled(worded("capture", "seed %1 on %2, nothing drawn"), seed, ranks)
                                : filled(worded("capture", "seed %1 on %2, %3 drawn"), seed, ranks,
                                         wordedCount(state.seed->drawn, "32-bit output"));
}

/// `states` are all of them, and `is_shared` whether several ranks have one whose seed is unknown.
std::string unknownText(const std::vector<std::int64_t>& ranks, std::size_t states, bool is_shared,
                        std::int64_t tried) {
  const std::string text =
      ranks.size() == 1 ? worded("capture", "the seed of %1 is not among the %2 that were tried")
      : states == 1
          ? worded("capture", "the seeds of %1 are not among the %2 that were tried, and their states are equal")
      : is_shared ? worded("capture",
                           "the seeds of %1 are not among the %2 that were tried, and some of their states are equal")
                  : worded("capture", "the seeds of %1 are not among the %2 that were tried, and their states differ");
  return filled(text, listedRanks(ranks), grouped(tried));
}

/// What follows where a function of the job may change it.
std::string unlessInit(const std::string& function) {
  return function.empty() ? worded("capture", " There is no worker_init_fn.")
                          : filled(worded("capture", " Unless worker_init_fn %1 seeds them apart."), function);
}

}  // namespace

std::string generatorStates(GeneratorKind kind, const std::vector<StateOfRanks>& states, std::int64_t tried) {
  constexpr std::size_t kMost = 8;
  std::vector<std::string> texts;
  std::vector<std::int64_t> unknown;
  bool is_shared = false;
  for (const StateOfRanks& state : states) {
    if (!state.seed) {
      unknown.insert(unknown.end(), state.ranks.begin(), state.ranks.end());
      is_shared = is_shared || state.ranks.size() > 1;
    } else if (texts.size() < kMost) {
      texts.push_back(seedText(state));
    } else if (texts.size() == kMost) {
      texts.push_back(worded("capture", "and so on"));
    }
  }
  std::sort(unknown.begin(), unknown.end());
  if (!unknown.empty()) texts.push_back(unknownText(unknown, states.size(), is_shared, tried));
  return filled(worded("capture", "%1 when pass 0 began: %2."), generatorName(kind),
                join(texts, worded("capture", "; ")));
}

std::string workerInit(const std::string& function) {
  return function.empty() ? worded("capture", "The loader has no worker_init_fn.")
                          : filled(worded("capture", "The loader's worker_init_fn is %1."), function);
}

std::string ranksSeededAlike(GeneratorKind kind, const std::vector<std::int64_t>& ranks) {
  return filled(worded("capture",
                       "%1 has the same state on %2 when pass 0 begins, and num_workers is 0: the random numbers that "
                       "their datasets draw from it, as for augmentations, begin alike on these ranks. Give "
                       "augmentations a generator of their own, seeded with the rank; a sampler that shuffles with "
                       "this one needs the common seed."),
                generatorName(kind), listedRanks(ranks));
}

std::string workersSeededAlike(const std::vector<std::int64_t>& ranks, std::uint64_t base_seed, bool numpy_too,
                               const std::string& worker_init_fn) {
  return filled(numpy_too
                    ? worded("capture",
                             "In pass 0, worker w has the same seed on %1, base_seed %2 + w: the random numbers that a "
                             "dataset draws there from torch, random or NumPy, as for augmentations, begin alike on "
                             "these ranks.")
                    : worded("capture",
                             "In pass 0, worker w has the same seed on %1, base_seed %2 + w: the random numbers that a "
                             "dataset draws there from torch or random, as for augmentations, begin alike on these "
                             "ranks."),
                listedRanks(ranks), std::to_string(base_seed)) +
         unlessInit(worker_init_fn);
}

std::string passesSeededAlike(std::int64_t rank, std::int64_t pass, std::uint64_t base_seed,
                              const std::string& worker_init_fn) {
  return filled(worded("capture",
                       "The workers of rank %1 have the same seeds in passes %2 and %3, base_seed %4 + w: the random "
                       "numbers that the dataset draws there begin alike in both."),
                std::to_string(rank), std::to_string(pass - 1), std::to_string(pass), std::to_string(base_seed)) +
         unlessInit(worker_init_fn);
}

std::string workersInheritNumpy(const std::string& torch, std::int64_t workers,
                                const std::vector<std::int64_t>& alike) {
  const std::string who =
      workers == 1 ? worded("capture",
                            "the worker of a rank begins with the state that NumPy's global generator has in the rank")
                   : filled(worded("capture",
                                   "all %1 workers of a rank begin with the state that NumPy's global generator has in "
                                   "the rank"),
                            grouped(workers));
  const std::string state =
      alike.empty() ? who : filled(worded("capture", "%1, which is the same on %2"), who, listedRanks(alike));
  return filled(worded("capture",
                       "torch %1 does not seed NumPy in workers, and there is no worker_init_fn: %2. What the dataset "
                       "draws from it, such as augmentations, repeats."),
                torch, state);
}

}  // namespace shardlens::words
