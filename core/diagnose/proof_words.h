// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/proof.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// Sentences about a run that is compared with its plan. Lists of ranks and epochs need no order.
namespace shardlens::words {

using Numbers = std::vector<std::int64_t>;

/// The verdict of a proof in a few words.
std::string proofTitle(ProofResult result);
std::string runContinues();
std::string otherWorldThanPlanned(std::int64_t of_run, std::int64_t of_plan);

/// The first difference; `how` is one of those below.
std::string differs(std::int64_t rank, std::int64_t epoch, std::int64_t step, const std::string& how);
std::string notPlanned();
std::string skipped();

// What came instead: one sentence each.

/// Epochs of these ranks; no rank means all of them. `never_told`: no batch shows that the sampler was told its epoch.
/// The sentence does not say whether it was: with another seed, one epoch has the order of another one.
std::string gotOrderOf(const Numbers& epochs, const Numbers& ranks, std::int64_t got, bool never_told);
/// The orders of epochs that come later by this many; negative: earlier.
std::string gotOrdersShifted(const Numbers& epochs, const Numbers& ranks, std::int64_t later);
std::string gotOrdersOf(const Numbers& epochs, const Numbers& ranks, const Numbers& got);
/// Why all ranks may get the share of one rank.
enum class SharedBy { Unknown, Argument, Seed };
std::string readShareOf(const Numbers& ranks, std::int64_t got, SharedBy shared_by);
/// Pairs (rank, whose share it read); `more` says that there are others.
std::string readShares(const std::vector<std::pair<std::int64_t, std::int64_t>>& pairs, bool more);
/// By this many batches; negative: behind.
std::string aheadOfPlan(std::int64_t rank, std::int64_t batches, std::int64_t epoch);
std::string epochsCountedOtherwise(std::int64_t later, const std::string& value);

}  // namespace shardlens::words
