// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/work.h"
#include "core/plan/rank_epoch.h"

#include <cstdint>
#include <span>
#include <vector>

namespace shardlens {

/// Distinct samples out of 0 .. universe - 1, in the smaller of two forms: a bit for each sample of the dataset, or an
/// ascending list of ids. All samples together need neither.
struct SampleSet {
  std::int64_t count = 0;
  bool all = false;
  std::vector<std::uint64_t> bits;
  std::vector<std::uint32_t> ids;

  [[nodiscard]] std::int64_t bytes() const;
};

/// Makes sets of one universe, one after the other, with one shared table of bits.
class SampleSetMaker {
 public:
  explicit SampleSetMaker(std::int64_t universe) : universe_(universe) {}

  /// The distinct samples among the first `items` items.
  Result<SampleSet> of(const RankEpoch& rank_epoch, std::int64_t items, const Work& work);

 private:
  std::int64_t universe_;
  std::vector<std::uint64_t> bits_;  ///< all zero between calls, or empty
};

/// How many samples each two sets share: sets.size() squared, row-major; the diagonal has their own counts.
Result<std::vector<std::int64_t>> sharedCounts(std::span<const SampleSet> sets, std::int64_t universe,
                                               const Work& work);

/// The first `most` samples of both sets, ascending.
std::vector<SampleIndex> firstShared(const SampleSet& a, const SampleSet& b, std::int64_t universe, std::size_t most);

/// Calls visit(id) for every set bit, ascending, until it returns false.
template <class Visit>
void forEachBit(std::span<const std::uint64_t> bits, Visit visit) {
  for (std::size_t word = 0; word < bits.size(); ++word) {
    for (std::uint64_t left = bits[word]; left != 0; left &= left - 1) {
      if (!visit(static_cast<std::int64_t>(word * 64) + __builtin_ctzll(left))) return;
    }
  }
}

}  // namespace shardlens
