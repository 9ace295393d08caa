// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/plan/rank_epoch.h"
#include "core/selftest/vector_row.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shardlens::selftest {

enum class Outcome { Passed, Failed, Unsupported };

/// The outcome of one row; `why` names the first difference, or what is unknown.
struct RowVerdict {
  Outcome outcome = Outcome::Passed;
  std::string why;
};

RowVerdict passed();
RowVerdict failed(std::string why);
RowVerdict unsupported(std::string why);
/// A row with parameters that its replay does not know, or lacks one that it needs.
RowVerdict unknownParameters();
/// Passed when there is no difference, otherwise failed with "<what>: <difference>".
RowVerdict judged(const std::string& what, const std::string& difference);

/// The engine's side of a row that yields samples.
struct Answer {
  std::vector<std::int64_t> indices;
  std::optional<std::vector<std::int64_t>> batch_sizes;  ///< when the class yields batches
  std::optional<std::int64_t> length;                    ///< len() of the object

  /// All items that the sampler yields, and the batches that the loader makes of them.
  static Answer ofItems(const RankEpoch& rank_epoch);
  static Answer ofBatches(const RankEpoch& rank_epoch);
  /// What one DataLoader worker delivers; -1 is the rank itself.
  static Answer ofWorker(const RankEpoch& rank_epoch, std::int64_t worker);
  /// Adds a batch behind the others.
  void add(const std::vector<SampleIndex>& batch);
  /// The first `count` samples of an order, as list() of the sampler gives them.
  static Answer ofOrder(const Order& order, std::int64_t count);
};

/// Compares the answer with indices, batches, length and digests of the row, whichever it has. A row that has none of
/// them is unsupported: nothing would be judged.
RowVerdict compare(const VectorRow& row, const Answer& answer);

/// Compares what the engine raised, if anything, with the row's exception.
RowVerdict compareError(const VectorRow& row, const Result<void>& result);

/// Compares what a rank draws, and how many items or batches that is as len(), or what is raised.
RowVerdict judgeItems(const VectorRow& row, const Result<RankEpoch>& drawn);
RowVerdict judgeBatches(const VectorRow& row, const Result<RankEpoch>& drawn);

/// "16 numbers: [3] is 7, not 9" for the first difference; empty when both are equal.
std::string difference(const std::vector<std::int64_t>& got, const std::vector<std::int64_t>& wanted);
std::string difference(const std::vector<std::uint64_t>& got, const std::vector<std::uint64_t>& wanted);

}  // namespace shardlens::selftest
