// SPDX-License-Identifier: Apache-2.0
// Seeds of NumPy and random, from what their generators give next.
#include "core/capture/seeds_seen.h"
#include "core/random/mt19937.h"
#include "core/random/python_random.h"
#include "tests/core/capture/captured.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace shardlens;
using capture::GeneratorKind;
using capture::GeneratorState;
using capture::JobLoader;
using capture::PassFacts;
using capture::ProcessFacts;
using capture::RankLoader;

namespace {

/// NumPy's generator after that many outputs; its state has none left right after seeding.
GeneratorState numpyState(std::uint32_t seed, std::int64_t drawn) {
  Mt19937 generator(seed);
  generator.skip(static_cast<std::uint64_t>(drawn));
  GeneratorState state;
  for (int i = 0; i < 4; ++i) state.next.push_back(generator.next());
  state.place = drawn == 0 ? 624 : (drawn - 1) % 624 + 1;
  return state;
}

GeneratorState randomState(std::int64_t seed) {
  PythonRandom random(seed);
  GeneratorState state;
  for (int i = 0; i < 4; ++i) state.next.push_back(static_cast<std::uint32_t>(random.getrandbits(32)));
  state.place = 624;
  return state;
}

struct Job {
  JobLoader loader;
  std::vector<ProcessFacts> processes;
};

/// Ranks that begin with these states of NumPy.
Job jobOf(const std::vector<GeneratorState>& states, std::int64_t workers = 0) {
  Job job;
  for (std::size_t i = 0; i < states.size(); ++i) {
    RankLoader rank;
    rank.rank = static_cast<std::int64_t>(i);
    rank.process = i;
    rank.loader.num_workers = workers;
    rank.passes.resize(1);
    rank.passes[0].numpy = states[i];
    job.loader.ranks.push_back(rank);
    job.processes.emplace_back();
    job.processes.back().torch = "2.6.0";
  }
  job.loader.world_size = static_cast<std::int64_t>(states.size());
  return job;
}

std::vector<std::string> findingsOf(const Job& job) {
  return test::textsOf(capture::seedFindings(job.loader, job.processes));
}

bool has(const std::vector<std::string>& sentences, const std::string& text) {
  return std::any_of(sentences.begin(), sentences.end(),
                     [&](const std::string& one) { return one.find(text) != std::string::npos; });
}

}  // namespace

TEST_CASE("the seed of a state is found among those that are tried, whatever was drawn since") {
  for (const std::int64_t drawn : {0, 1, 5, 623, 624, 625, 2000}) {
    const auto found = capture::seedOf(GeneratorKind::Numpy, numpyState(4711, drawn), {3, 4711});
    REQUIRE(found);
    CHECK(found->seed == 4711);
    CHECK(found->drawn == drawn);
  }
  CHECK_FALSE(capture::seedOf(GeneratorKind::Numpy, numpyState(4711, 1), {3, 4710}));
  CHECK_FALSE(capture::seedOf(GeneratorKind::Numpy, numpyState(4711, 100'000), {4711}));
  CHECK_FALSE(capture::seedOf(GeneratorKind::Numpy, GeneratorState{}, {0}));
  for (const std::int64_t seed : {std::int64_t{0}, std::int64_t{-42}, std::int64_t{1} << 40}) {
    const auto found = capture::seedOf(GeneratorKind::Random, randomState(seed), {7, seed});
    REQUIRE(found);
    CHECK(found->seed == seed);
  }
}

TEST_CASE("ranks that load their samples themselves with one state of NumPy are named") {
  const Job same = jobOf({numpyState(7, 3), numpyState(7, 3), numpyState(8, 3)});
  CHECK(has(
      capture::seedsText(same.loader, same.processes),
      "NumPy's global generator when pass 0 began: seed 7 on ranks 0 and 1, 3 32-bit outputs drawn; seed 8 on rank 2"));
  CHECK(has(findingsOf(same), "NumPy's global generator has the same state on ranks 0 and 1 when pass 0 begins"));
  const Job apart = jobOf({numpyState(7, 3), numpyState(8, 3)});
  CHECK(capture::seedFindings(apart.loader, apart.processes).empty());
  Job dispatched = same;  // only rank 0 loads
  for (RankLoader& rank : dispatched.loader.ranks) rank.loader.dispatcher.emplace();
  CHECK(findingsOf(dispatched).empty());
}

TEST_CASE("a seed that is not found is not guessed") {
  const Job job = jobOf({numpyState(987'654'321, 0), numpyState(987'654'321, 0)});
  const auto said = capture::seedsText(job.loader, job.processes);
  REQUIRE(said.size() == 1);
  CHECK(said[0].find(": the seeds of ranks 0 and 1 are not among the 1") != std::string::npos);
  CHECK(said[0].find(" that were tried, and their states are equal.") != std::string::npos);
}

TEST_CASE("workers that are seeded alike are named, and a worker_init_fn is not judged") {
  Job job = jobOf({numpyState(7, 0), numpyState(7, 0)}, 2);
  for (RankLoader& rank : job.loader.ranks) rank.passes[0].base_seed = 123;
  const auto plain = findingsOf(job);
  REQUIRE(plain.size() == 1);
  CHECK(plain[0].find("In pass 0, worker w has the same seed on ranks 0 and 1, base_seed 123 + w") == 0);
  CHECK(plain[0].find("there from torch, random or NumPy, as for") != std::string::npos);
  for (RankLoader& rank : job.loader.ranks) rank.loader.worker_init_fn = "train.seed_worker";
  CHECK(has(findingsOf(job), "Unless worker_init_fn train.seed_worker seeds them apart."));
  job.loader.ranks.front().loader.worker_init_fn.clear();
  CHECK_FALSE(has(findingsOf(job), "There is no worker_init_fn."));
  job.loader.ranks[1].passes[0].base_seed = 124;
  CHECK(capture::seedFindings(job.loader, job.processes).empty());
}

TEST_CASE("Lightning's worker_init_fn adds the rank, so one base_seed makes no equal workers") {
  Job job = jobOf({numpyState(7, 0), numpyState(7, 0)}, 2);
  for (RankLoader& rank : job.loader.ranks) {
    rank.passes[0].base_seed = 123;
    rank.loader.worker_init_fn = "lightning.fabric.utilities.seed.pl_worker_init_function";
  }
  CHECK(findingsOf(job).empty());
}

TEST_CASE("workers that live on draw on, and are not said to repeat") {
  Job job = jobOf({numpyState(7, 0), numpyState(8, 0)}, 2);
  std::uint64_t base = 5;
  for (RankLoader& rank : job.loader.ranks) {
    rank.passes[0].base_seed = base++;
    rank.passes.push_back(rank.passes[0]);
  }
  CHECK(has(findingsOf(job), "have the same seeds in passes 0 and 1"));
  for (RankLoader& rank : job.loader.ranks) rank.loader.persistent_workers = true;
  CHECK(capture::seedFindings(job.loader, job.processes).empty());
}

TEST_CASE("a torch that leaves NumPy alone in workers is named, where the job has NumPy and no worker_init_fn") {
  Job job = jobOf({numpyState(7, 0), numpyState(8, 0)}, 2);
  for (ProcessFacts& process : job.processes) process.torch = "1.8.1";
  CHECK(has(findingsOf(job), "torch 1.8.1 does not seed NumPy in workers"));
  for (RankLoader& rank : job.loader.ranks) rank.passes[0].numpy.reset();
  CHECK(capture::seedFindings(job.loader, job.processes).empty());
}
