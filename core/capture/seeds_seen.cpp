// SPDX-License-Identifier: Apache-2.0
#include "core/capture/seeds_seen.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/capture/loader_spec.h"
#include "core/capture/rule_search.h"
#include "core/random/mt19937.h"
#include "core/random/torch_generator.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <utility>

/// What is said about the seeds of a job.
namespace shardlens::words {
namespace {

using capture::GeneratorKind;

struct StateOfRanks {
  std::vector<std::int64_t> ranks;
  std::optional<capture::FoundSeed> seed;
};

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

/// "NumPy's global generator when pass 0 began: seed 7 on ranks 0 to 3, nothing drawn."
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
  std::ranges::sort(unknown);
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

/// A torch that does not seed NumPy in workers; `alike` are ranks that have the same state of it.
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

}  // namespace
}  // namespace shardlens::words

namespace shardlens::capture {
namespace {

constexpr std::int64_t kWords = Mt19937::kWords;
constexpr std::int64_t kBlocks = 4;  ///< of 624 outputs, after which a seed is not looked for
constexpr std::int64_t kSmallSeeds = 1000;
constexpr std::size_t kMostStates = 256;  ///< whose seeds are looked for

using StateOf = std::optional<GeneratorState> PassFacts::*;

bool isUsable(const GeneratorState& state) {
  return state.next.size() >= 4 && state.place >= 0 && state.place <= kWords;
}

RunFinding ofSeeds(std::string code, std::string title, std::string text) {
  return {std::move(code), std::move(title), std::move(text), true};
}

/// The generator right after seeding; none for a seed that the function refuses.
std::optional<Mt19937> seeded(GeneratorKind kind, std::int64_t seed) {
  constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
  if (kind == GeneratorKind::Numpy) {
    if (seed < 0 || seed > kMost) return std::nullopt;
    return Mt19937(static_cast<std::uint32_t>(seed));
  }
  const auto number = seed < 0 ? 0 - static_cast<std::uint64_t>(seed) : static_cast<std::uint64_t>(seed);
  const std::array words = {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32U)};
  return Mt19937::byArray(std::span(words).first(words[1] == 0 ? 1 : 2));
}

bool gives(Mt19937 generator, const GeneratorState& state) {
  return std::ranges::all_of(state.next, [&generator](std::uint32_t output) { return generator.next() == output; });
}

std::vector<std::int64_t> generatorSeeds(const JobLoader& job, const std::vector<ProcessFacts>& processes) {
  std::vector<std::int64_t> seeds = seedsSeen(job);
  for (const RankLoader& rank : job.ranks) {
    const auto& environment = processes[rank.process].environment;
    const auto said = environment.find("PL_GLOBAL_SEED");
    std::int64_t seed = 0;
    if (said == environment.end()) continue;
    const char* const end = said->second.data() + said->second.size();
    const auto read = std::from_chars(said->second.data(), end, seed);
    if (read.ec == std::errc() && read.ptr == end) seeds.push_back(seed);
  }
  for (const std::int64_t usual : {1234, 1337, 2020, 2021, 2022, 2023, 2024, 2025, 2026, 3407, 12345, 123456})
    seeds.push_back(usual);
  for (std::int64_t seed = 0; seed < kSmallSeeds; ++seed) seeds.push_back(seed);
  std::set<std::int64_t> known;
  std::erase_if(seeds, [&known](std::int64_t seed) { return !known.insert(seed).second; });
  return seeds;
}

/// Ranks whose generator was in the same state when this pass of theirs began.
using Groups = std::vector<std::pair<GeneratorState, std::vector<std::int64_t>>>;

Groups groupsOf(const JobLoader& job, StateOf state_of, std::size_t pass) {
  std::map<std::pair<std::vector<std::uint32_t>, std::int64_t>, std::vector<std::int64_t>> by_state;
  for (const RankLoader& rank : job.ranks) {
    if (pass >= rank.passes.size()) continue;
    const auto& state = rank.passes[pass].*state_of;
    if (state && isUsable(*state)) by_state[{state->next, state->place}].push_back(rank.rank);
  }
  Groups groups;
  groups.reserve(by_state.size());
  for (auto& [key, ranks] : by_state) groups.emplace_back(GeneratorState{key.first, key.second}, std::move(ranks));
  std::ranges::sort(groups, [](const auto& a, const auto& b) { return a.second.front() < b.second.front(); });
  return groups;
}

/// Ranks that begin this pass alike, at least two.
std::vector<std::int64_t> alikeIn(const Groups& groups) {
  for (const auto& [state, ranks] : groups) {
    if (ranks.size() > 1) return ranks;
  }
  return {};
}

/// Since torch 1.9 a worker seeds NumPy, too.
bool seedsNumpyInWorkers(const std::string& version) {
  return releaseOf(version) >= std::pair(1, 9);
}

std::vector<std::int64_t> ranksOfBaseSeed(const JobLoader& job, std::uint64_t& seed) {
  std::map<std::uint64_t, std::vector<std::int64_t>> by_seed;
  for (const RankLoader& rank : job.ranks) {
    if (rank.passes.front().base_seed) by_seed[*rank.passes.front().base_seed].push_back(rank.rank);
  }
  for (const auto& [base, ranks] : by_seed) {
    if (ranks.size() < 2) continue;
    seed = base;
    return ranks;
  }
  return {};
}

/// The worker_init_fn of the first rank that has one; empty: none has.
std::string workerInitOf(const JobLoader& job) {
  const auto has_one = [](const RankLoader& rank) { return !rank.loader.worker_init_fn.empty(); };
  const auto found = std::ranges::find_if(job.ranks, has_one);
  return found == job.ranks.end() ? std::string() : found->loader.worker_init_fn;
}

void workersOfRanks(const JobLoader& job, const std::string& torch, std::vector<RunFinding>& findings) {
  std::uint64_t seed = 0;
  const std::vector<std::int64_t> ranks = ranksOfBaseSeed(job, seed);
  const std::string function = workerInitOf(job);
  const bool adds_rank = job.ranks.front().loader.hasLightningsInit();
  if (!ranks.empty() && !adds_rank)
    findings.push_back(ofSeeds("run-worker-seeds-alike",
                               worded("capture", "Workers of several ranks draw the same random numbers"),
                               words::workersSeededAlike(ranks, seed, seedsNumpyInWorkers(torch), function)));
  for (const RankLoader& rank : job.ranks) {
    if (rank.loader.persistent_workers) continue;  // they are seeded once, and draw on in later passes
    for (std::size_t i = 1; i < rank.passes.size(); ++i) {
      const auto& base = rank.passes[i].base_seed;
      if (!base || base != rank.passes[i - 1].base_seed) continue;
      findings.push_back(ofSeeds("run-pass-seeds-alike",
                                 worded("capture", "Workers draw the same random numbers in two passes"),
                                 words::passesSeededAlike(rank.rank, static_cast<std::int64_t>(i), *base, function)));
      return;
    }
  }
}

}  // namespace

std::optional<FoundSeed> seedOf(GeneratorKind kind, const GeneratorState& state,
                                const std::vector<std::int64_t>& seeds) {
  if (!isUsable(state)) return std::nullopt;
  const std::int64_t first = state.place == kWords ? 0 : state.place;  // a state that is used up may be a fresh one
  for (const std::int64_t seed : seeds) {
    const auto fresh = seeded(kind, seed);
    for (std::int64_t drawn = first; fresh && drawn < kBlocks * kWords; drawn += kWords) {
      Mt19937 generator = *fresh;
      generator.skip(static_cast<std::uint64_t>(drawn));
      if (gives(generator, state)) return FoundSeed{seed, drawn};
    }
  }
  return std::nullopt;
}

bool drewAfterSeed(const PassFacts& pass) {
  TorchGenerator generator(pass.torch_seed);
  const auto first = static_cast<std::uint64_t>(generator.random63());
  const auto second = static_cast<std::uint64_t>(generator.random63());
  return pass.order_seed == first || (pass.order_seed == second && pass.base_seed.value_or(first) == first);
}

std::vector<std::string> seedsText(const JobLoader& job, const std::vector<ProcessFacts>& processes) {
  std::vector<std::string> texts;
  const std::vector<std::int64_t> seeds = generatorSeeds(job, processes);
  for (const auto& [kind, state_of] :
       {std::pair(GeneratorKind::Numpy, &PassFacts::numpy), std::pair(GeneratorKind::Random, &PassFacts::random)}) {
    const Groups groups = groupsOf(job, state_of, 0);
    if (groups.empty()) continue;
    std::vector<words::StateOfRanks> states;
    for (const auto& [state, ranks] : groups) {
      if (states.size() >= kMostStates) break;
      states.push_back({ranks, seedOf(kind, state, seeds)});
    }
    texts.push_back(words::generatorStates(kind, states, static_cast<std::int64_t>(seeds.size())));
  }
  if (job.ranks.front().loader.num_workers > 0) texts.push_back(words::workerInit(workerInitOf(job)));
  return texts;
}

std::vector<RunFinding> seedFindings(const JobLoader& job, const std::vector<ProcessFacts>& processes) {
  std::vector<RunFinding> findings;
  if (isDispatched(job)) return findings;  // what the datasets of the other ranks draw reaches nobody
  const LoaderFacts& loader = job.ranks.front().loader;
  const std::string& torch = processes[job.ranks.front().process].torch;
  const std::vector<std::int64_t> numpy = alikeIn(groupsOf(job, &PassFacts::numpy, 0));
  const std::vector<std::int64_t> random = alikeIn(groupsOf(job, &PassFacts::random, 0));
  if (loader.num_workers == 0) {
    const std::string title = worded("capture", "Ranks draw the same random numbers");
    if (!numpy.empty())
      findings.push_back(ofSeeds("run-numpy-alike", title, words::ranksSeededAlike(GeneratorKind::Numpy, numpy)));
    if (!random.empty())
      findings.push_back(ofSeeds("run-random-alike", title, words::ranksSeededAlike(GeneratorKind::Random, random)));
    return findings;
  }
  if (!seedsNumpyInWorkers(torch) && workerInitOf(job).empty() && !groupsOf(job, &PassFacts::numpy, 0).empty())
    findings.push_back(ofSeeds("run-numpy-inherited",
                               worded("capture", "Workers draw the same random numbers from NumPy"),
                               words::workersInheritNumpy(torch, loader.num_workers, numpy)));
  workersOfRanks(job, torch, findings);
  return findings;
}

}  // namespace shardlens::capture
