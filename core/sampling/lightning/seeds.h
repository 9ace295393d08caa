// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace shardlens::sampling {

/// The four 64-bit words that Lightning 2.6 makes from a worker's place: base_seed, worker and global rank shifted into
/// one number (from worker or rank 65536 on they overlap), mixed by MurmurHash3's finaliser, then a linear congruential
/// generator. Source: lightning/fabric/utilities/seed.py @7f0c343, _generate_seed_sequence. Older releases had no
/// mixing.
std::array<std::uint64_t, 4> lightningSeedSequence(std::uint64_t base_seed, std::uint64_t worker, std::uint64_t rank);

/// What pl_worker_init_function seeds inside a DataLoader worker after seed_everything(..., workers=True).
struct LightningWorkerSeeds {
  std::uint64_t torch = 0;            ///< torch.manual_seed
  std::vector<std::uint32_t> python;  ///< random.seed, low word first
  std::vector<std::uint32_t> numpy;   ///< np.random.seed, four words
};
LightningWorkerSeeds lightningWorkerSeeds(std::uint64_t base_seed, std::uint64_t worker, std::uint64_t rank);

/// What a script hands to seed_everything: None, a number, or text.
using LightningSeed = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

/// The seed that lightning.seed_everything(seed) sets and stores in PL_GLOBAL_SEED, or its exception. None takes what
/// PL_GLOBAL_SEED held before, and 0 without it.
Result<std::int64_t> lightningSeedEverything(const LightningSeed& seed, const std::optional<std::string>& global_seed);

}  // namespace shardlens::sampling
