// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/note.h"
#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/work.h"
#include "core/plan/plan.h"
#include "core/sampling/claims.h"

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace shardlens {

/// How many have each cause.
template <class Cause, std::size_t kCauses>
struct CountByCause {
  std::array<std::int64_t, kCauses> counts{};

  [[nodiscard]] std::int64_t& operator[](Cause cause) { return counts[static_cast<std::size_t>(cause)]; }
  [[nodiscard]] std::int64_t operator[](Cause cause) const { return counts[static_cast<std::size_t>(cause)]; }
  [[nodiscard]] std::int64_t total() const { return std::accumulate(counts.begin(), counts.end(), std::int64_t{0}); }
  bool operator==(const CountByCause&) const = default;
};

using RepeatCounts = CountByCause<RepeatCause, kRepeatCauses>;
using MissingCounts = CountByCause<MissingCause, kMissingCauses>;
/// Some causes, by their number.
using MissingCauseSet = std::bitset<kMissingCauses>;
using RepeatCauseSet = std::bitset<kRepeatCauses>;

/// Where every item and every sample of one epoch went, over all ranks, counted from the batches. What ranks of one
/// copy of the model read alike counts once:
///   handed_out   = seen (first readings) + repeats.total()
///   dataset_size = seen + missing_by.total()
struct Ledger {
  std::int64_t epoch = 0;
  std::int64_t dataset_size = 0;
  std::int64_t handed_out = 0;  ///< items in batches
  std::int64_t seen = 0;        ///< distinct samples in batches
  std::int64_t missing = 0;     ///< samples in no batch
  std::int64_t duplicated = 0;  ///< distinct samples handed out more than once

  /// Items that are not the first reading of their sample. What the sampler only adds is padding or filling, whichever
  /// rank reads it; every other place of an order is counted once, and its further readers under their own cause. What
  /// the workers of a rank read twice is counted on each rank, before ranks are compared.
  RepeatCounts repeats;
  /// Samples in no batch. If several causes apply to a sample, the one nearest to a batch counts: first, that the
  /// loader threw it away.
  MissingCounts missing_by;

  /// [k] = number of samples handed out k times, k up to the most; [255] counts "255 times or more".
  std::vector<std::int64_t> times_seen;
  std::vector<SampleIndex> missing_ids;                                 ///< the first kShownIds, ascending
  std::array<std::vector<SampleIndex>, kMissingCauses> missing_ids_by;  ///< likewise, of each cause
  std::vector<SampleIndex> duplicated_ids;                              ///< likewise
  std::vector<SampleIndex> padding_ids;                                 ///< likewise; repeated as padding or filling

  /// Items that repeat a sample only so that slices or batches come out even.
  [[nodiscard]] std::int64_t padding() const {
    return repeats[RepeatCause::SamplerPadding] + repeats[RepeatCause::BatchFilling];
  }
  /// Samples that are lost because something does not divide evenly.
  [[nodiscard]] std::int64_t dropped() const {
    return missing_by[MissingCause::CutBySampler] + missing_by[MissingCause::CutByLoader];
  }

  /// How many samples are missing for one of these causes, and the first kShownIds of them, ascending.
  [[nodiscard]] std::int64_t missingFor(const MissingCauseSet& causes) const;
  [[nodiscard]] std::vector<SampleIndex> missingIdsFor(const MissingCauseSet& causes) const;

  bool operator==(const Ledger&) const = default;
};

/// One bit for each sample that some counted epoch read.
using SeenSamples = std::vector<std::uint64_t>;

/// Counts one epoch of the plan; sets the bits of what it reads in `ever`, if that is given. Cancelled within 50 ms
/// when `work` says so; Environment when memory does not suffice.
Result<Ledger> ledgerOf(const Plan& plan, Epoch epoch, const Work& work = {}, SeenSamples* ever = nullptr);

/// One part for each cause that has a count, in the order of the causes: "3 000 read by several workers".
std::vector<std::string> repeatsText(const Ledger& ledger);
/// "28 cut by the loader".
std::vector<std::string> missingText(const Ledger& ledger);

}  // namespace shardlens
