// SPDX-License-Identifier: Apache-2.0
#include "core/capture/seed_words.h"

#include "core/base/text.h"
#include "core/capture/word_parts.h"

#include <algorithm>
#include <cstddef>

namespace shardlens::words {
namespace {

using capture::FoundSeed;
using capture::GeneratorKind;

std::string generatorName(GeneratorKind kind) {
  return kind == GeneratorKind::Numpy ? "NumPy's global generator" : "Python's random";
}

std::string drawnText(const FoundSeed& found) {
  return found.drawn == 0 ? "nothing drawn" : counted(found.drawn, "32-bit output") + " drawn";
}

/// What follows where a function of the job may change it.
std::string unlessInit(const std::string& function) {
  return function.empty() ? " There is no worker_init_fn."
                          : " Unless worker_init_fn " + function + " seeds them apart.";
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
      texts.push_back("seed " + std::to_string(state.seed->seed) + " on " + ranksText(state.ranks) + ", " +
                      drawnText(*state.seed));
    } else if (texts.size() == kMost) {
      texts.emplace_back("and so on");
    }
  }
  std::sort(unknown.begin(), unknown.end());
  if (!unknown.empty()) {
    const std::string equal = unknown.size() == 1  ? ""
                              : states.size() == 1 ? ", and their states are equal"
                              : is_shared          ? ", and some of their states are equal"
                                                   : ", and their states differ";
    texts.push_back((unknown.size() == 1 ? "the seed of " : "the seeds of ") + ranksText(unknown) +
                    (unknown.size() == 1 ? " is" : " are") + " not among the " + grouped(tried) + " that were tried" +
                    equal);
  }
  return generatorName(kind) + " when pass 0 began: " + join(texts, "; ") + ".";
}

std::string workerInit(const std::string& function) {
  return function.empty() ? "The loader has no worker_init_fn." : "The loader's worker_init_fn is " + function + ".";
}

std::string ranksSeededAlike(GeneratorKind kind, const std::vector<std::int64_t>& ranks) {
  return generatorName(kind) + " has the same state on " + ranksText(ranks) +
         " when pass 0 begins, and num_workers is 0: the random numbers that their datasets draw from it, as for " +
         "augmentations, begin alike on these ranks. Give augmentations a generator of their own, seeded with the "
         "rank; a "
         "sampler "
         "that shuffles with this one needs the common seed.";
}

std::string workersSeededAlike(const std::vector<std::int64_t>& ranks, std::uint64_t base_seed, bool numpy_too,
                               const std::string& worker_init_fn) {
  return "In pass 0, worker w has the same seed on " + ranksText(ranks) + ", base_seed " + std::to_string(base_seed) +
         " + w: the random numbers that a dataset draws there from torch" +
         (numpy_too ? ", random or NumPy" : " or random") + ", as for augmentations, begin alike on these ranks." +
         unlessInit(worker_init_fn);
}

std::string passesSeededAlike(std::int64_t rank, std::int64_t pass, std::uint64_t base_seed,
                              const std::string& worker_init_fn) {
  return "The workers of rank " + std::to_string(rank) + " have the same seeds in passes " + std::to_string(pass - 1) +
         " and " + std::to_string(pass) + ", base_seed " + std::to_string(base_seed) +
         " + w: the random numbers that the dataset draws there begin alike in both." + unlessInit(worker_init_fn);
}

std::string workersInheritNumpy(const std::string& torch, std::int64_t workers,
                                const std::vector<std::int64_t>& alike) {
  std::string text = "torch " + torch + " does not seed NumPy in workers, and there is no worker_init_fn: ";
  text += workers == 1 ? "the worker of a rank begins" : "all " + grouped(workers) + " workers of a rank begin";
  text += " with the state that NumPy's global generator has in the rank";
  if (!alike.empty()) text += ", which is the same on " + ranksText(alike);
  return text + ". What the dataset draws from it, such as augmentations, repeats.";
}

}  // namespace shardlens::words
