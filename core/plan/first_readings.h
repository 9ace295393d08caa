// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/work.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace shardlens {

class RankEpoch;

/// Items that a sampler adds so that slices or batches come out even, and that are nevertheless the first reading of
/// their sample in the epoch: no batch holds the sample's own place, which is cut or belongs to no rank. Such an item
/// repeats nothing, so it is no padding. Of several added items with the sample, the one with the earliest step, and
/// then the lowest rank, is the first.
class FirstReadings {
 public:
  using Draw = std::function<Result<RankEpoch>(Rank rank)>;

  /// Counted from the batches of all ranks: `draw` gives each of them, once or twice. `dataset_size`: samples.
  static Result<FirstReadings> of(std::int64_t ranks, std::int64_t dataset_size, const Draw& draw,
                                  const Work& work = {});

  /// The rank's items, ascending; never null.
  [[nodiscard]] std::shared_ptr<const std::vector<std::int64_t>> of(Rank rank) const;
  /// Of all ranks that have any.
  [[nodiscard]] const std::map<Rank, std::shared_ptr<const std::vector<std::int64_t>>>& byRank() const {
    return by_rank_;
  }

 private:
  std::map<Rank, std::shared_ptr<const std::vector<std::int64_t>>> by_rank_;
};

}  // namespace shardlens
