// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/capture/seeds_seen.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What is said about the seeds of a job.
namespace shardlens::words {

struct StateOfRanks {
  std::vector<std::int64_t> ranks;
  std::optional<capture::FoundSeed> seed;
};

/// "NumPy's global generator when pass 0 began: seed 7 on ranks 0 to 3, nothing drawn."
std::string generatorStates(capture::GeneratorKind kind, const std::vector<StateOfRanks>& states, std::int64_t tried);
std::string workerInit(const std::string& function);

std::string ranksSeededAlike(capture::GeneratorKind kind, const std::vector<std::int64_t>& ranks);
std::string workersSeededAlike(const std::vector<std::int64_t>& ranks, std::uint64_t base_seed, bool numpy_too,
                               const std::string& worker_init_fn);
std::string passesSeededAlike(std::int64_t rank, std::int64_t pass, std::uint64_t base_seed,
                              const std::string& worker_init_fn);
/// A torch that does not seed NumPy in workers; `alike` are ranks that have the same state of it.
std::string workersInheritNumpy(const std::string& torch, std::int64_t workers, const std::vector<std::int64_t>& alike);

}  // namespace shardlens::words
