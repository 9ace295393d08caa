// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/note.h"
#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/work.h"
#include "core/plan/plan.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace shardlens {

/// A square table of shared distinct samples: rank x rank in one epoch, or epoch x epoch of one rank. Counts what
/// is in batches; what loader.drop_last throws away is not shared.
struct Overlap {
  std::int64_t size = 0;
  std::vector<std::int64_t> shared;  ///< size * size, row-major; the diagonal is the row's own distinct samples
  std::vector<std::int64_t>
      same_as;  ///< [row] = the first row with item for item the same batches, the row itself when new
  /// [rank] = the copy of the model that it divides with others, who must read the same; empty: each has one to itself.
  std::vector<std::int64_t> copies = {};
  [[nodiscard]] std::int64_t at(std::int64_t row, std::int64_t column) const {
    return shared[static_cast<std::size_t>(row * size + column)];
  }
  /// Whether ranks a and b divide one copy of the model.
  [[nodiscard]] bool arePeers(std::int64_t a, std::int64_t b) const {
    return !copies.empty() && copies[static_cast<std::size_t>(a)] == copies[static_cast<std::size_t>(b)];
  }
};

/// At most this many ranks are compared with each other.
constexpr std::int64_t kOverlapRanks = 1024;

/// Compares rank with rank in one epoch. `is_complete`: the epoch is known to read every sample, which saves a pass
/// over its order. Exact for the first kOverlapRanks ranks, or for fewer when their samples would not fit into 1 GB.
/// All three stop with Cancelled within 50 ms when `work` says so.
Result<Overlap> rankOverlap(const Plan& plan, Epoch epoch, bool is_complete = false, const Work& work = {});
/// One rank's epochs against each other, epochs first .. first + count - 1: how much of its slice the rank reads again.
Result<Overlap> epochOverlap(const Plan& plan, Rank rank, Epoch first, std::int64_t count, const Work& work = {});
/// The ids that both ranks get in the epoch, ascending; at most `most`.
Result<std::vector<SampleIndex>> sharedSamples(const Plan& plan, Epoch epoch, Rank a, Rank b,
                                               std::size_t most = kShownIds, const Work& work = {});

}  // namespace shardlens
