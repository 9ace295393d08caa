// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace shardlens {

/// The seeds of one rank, or of one worker in it, in one epoch. 64-bit as the framework keeps them.
struct SeedRow {
  std::int64_t epoch = 0;
  std::int64_t rank = 0;
  std::int64_t worker = -1;  ///< -1: the rank's own process
  std::uint64_t seed = 0;    ///< torch.initial_seed() there
  std::uint32_t stream = 0;  ///< the low 32 bits: the part that the torch CPU generator uses
  std::int64_t equal_to =
      -1;  ///< index of the first row of the same kind and epoch with the same stream, -1 = none before
  std::int64_t own_id = -1;  ///< of a rank, the first sample that it reads in the epoch; -1: not looked up
};

/// Ranks of one copy of the model ought to have one stream: such rows count once, and are not equal_to each other.
struct SeedTable {
  std::vector<SeedRow> rows;           ///< epoch-major, then rank, then worker; at most kSeedRows, whole ranks
  std::int64_t first_epoch = 0;        ///< the first that `rows` covers
  std::int64_t epochs = 0;             ///< how many `rows` covers; the last one may be incomplete
  std::int64_t ranks = 0;              ///< ranks whose rows of the first epoch are in `rows`: the counts are about them
  std::int64_t distinct_ranks = 0;     ///< different rank streams in the first epoch
  std::int64_t colliding_ranks = 0;    ///< ranks whose stream another rank of that epoch also has
  std::int64_t distinct_workers = 0;   ///< different worker streams in the first epoch
  std::int64_t colliding_workers = 0;  ///< workers of that epoch whose stream another one also has
  bool truncated = false;
  bool ranks_unknown = false;    ///< it is not known whether or how the script seeds: no rank is in `rows`
  bool workers_unknown = false;  ///< code of the job seeds workers: none is in `rows`
  std::int64_t dataset_size = 0;
  std::string torch;  ///< its release
};
constexpr std::size_t kSeedRows = 100'000;
constexpr std::int64_t kOwnIds = 8;  ///< ranks whose own_id is looked up

/// The table of `epochs` epochs from `first_epoch` on, limited to the plan's epochs and to kSeedRows. If the script
/// never seeds, or it is not known how it seeds, the table has no ranks, and only those workers whose loader has its
/// own generator.
SeedTable seedTable(const Plan& plan, std::int64_t epochs, Epoch first_epoch = Epoch{0});

/// Sets own_id of the first kOwnIds ranks in the first epoch of the table. Draws what they read; fails as
/// Plan::rankEpoch() does.
Result<void> addOwnIds(const Plan& plan, SeedTable& table, const Work& work = {});

/// What torch.randint(0, dataset_size, (4,)) gives right after the seed of this row is set: four ids, or none where the
/// table has no dataset size.
std::vector<std::int64_t> firstIds(const SeedTable& table, const SeedRow& row);

}  // namespace shardlens
