// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/plan/plan.h"

#include <cstdint>
#include <vector>

namespace shardlens {

/// Epoch against epoch, batch by batch: whether the ranks get again what they got before.
struct EpochRepeats {
  std::int64_t first_epoch = 0;
  std::int64_t epochs = 0;  ///< how many were compared, from first_epoch on
  /// [e - first_epoch] = the earliest compared epoch whose every batch of every rank is equal, e itself when new or
  /// when e hands out nothing
  std::vector<std::int64_t> same_as;
  bool has_empty = false;  ///< whether one of them hands out nothing

  /// As same_as; of an epoch that was not compared itself.
  [[nodiscard]] std::int64_t firstLike(std::int64_t epoch) const {
    const std::int64_t at = epoch - first_epoch;
    return at < epochs ? same_as[static_cast<std::size_t>(at)] : epoch;
  }
};

/// Compares `epochs` epochs from `first_epoch` on, fewer where drawing them would take long, but at least two where the
/// plan has them; `epochs` of the result says how many. Epochs whose orders have the same key are equal and need no
/// drawing.
Result<EpochRepeats> epochRepeats(const Plan& plan, std::int64_t epochs, std::int64_t first_epoch = 0,
                                  const Work& work = {});

}  // namespace shardlens
