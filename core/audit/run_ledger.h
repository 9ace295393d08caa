// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/ledger.h"
#include "core/base/result.h"
#include "core/base/work.h"
#include "core/plan/plan.h"

#include <cstdint>
#include <span>
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

/// What consecutive epochs read together. It names its scope: epochs first_epoch .. first_epoch + epochs - 1, which
/// were counted, or deal the same batches as a counted one.
struct RunLedger {
  std::int64_t first_epoch = 0;
  std::int64_t epochs = 0;
  std::int64_t never_read = 0;              ///< samples that none of these epochs reads
  std::vector<SampleIndex> never_read_ids;  ///< the first kShownIds, ascending

  bool operator==(const RunLedger&) const = default;
};

/// Continues from `counted`, the ledgers of consecutive epochs, and `ever`, what those read: with `later_epochs` it
/// counts further epochs while that is quick, otherwise only those that deal the same.
Result<RunLedger> runLedger(const Plan& plan, std::span<const Ledger> counted, SeenSamples ever,
                            const EpochRepeats& repeats, bool later_epochs = true, const Work& work = {});

}  // namespace shardlens
