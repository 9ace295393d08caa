// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/proof.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// All sentences about a run that is compared with its plan, in one place. Lists of ranks and epochs need no order.
namespace shardlens::words {

using Numbers = std::vector<std::int64_t>;

/// The verdict of a proof in a few words.
std::string proofTitle(ProofResult result);

// --- what is not proven
/// `why` is one of those below.
std::string batchesNotReported(std::int64_t missing, std::int64_t planned, const std::string& why);
std::string commandReportsNone();
std::string ranksNotMeasured(const Numbers& ranks);
std::string ranksDidNotRead(const Numbers& ranks);
std::string beganAtEpoch(std::int64_t epoch);
std::string endedBeforeThePlan();
std::string recordingEndsBefore();
std::string runContinues();
/// What is added to one of these when records were lost, too.
std::string andRecordsLost();
/// The whole sentence where that is the only reason.
std::string batchesLost(std::int64_t missing, std::int64_t planned);

// --- notes of a proof
std::string onlyStandIn();
std::string otherWorldThanPlanned(std::int64_t of_run, std::int64_t of_plan);
std::string recordsLost(std::int64_t rank);
std::string recordsHaveGap(std::int64_t rank);
std::string noBatchReported(const Numbers& ranks);

// --- the first difference; `how` is one of those below
std::string differs(std::int64_t rank, std::int64_t epoch, std::int64_t step, const std::string& how);
std::string notPlanned();
/// Fingerprints, as people read them.
std::string otherSamples(const std::string& reported, const std::string& planned);
std::string otherOrder();
std::string otherCount(std::uint64_t reported, std::int64_t planned);
std::string repeated();
std::string skipped();
std::string neverConsumed();
std::string notInWorld(std::int64_t of_run);

// --- what came instead: one sentence each
/// Epochs of these ranks; no rank means all of them. `never_told`: no batch shows that the sampler was told its epoch.
/// The sentence does not say whether it was: with another seed, one epoch has the order of another one.
std::string gotOrderOf(const Numbers& epochs, const Numbers& ranks, std::int64_t got, bool never_told);
/// What a rank read in an epoch, if nothing else explains it.
std::string readInOtherOrder(std::int64_t rank, std::int64_t epoch);
/// The orders of epochs that come later by this many; negative: earlier.
std::string gotOrdersShifted(const Numbers& epochs, const Numbers& ranks, std::int64_t later);
std::string gotOrdersOf(const Numbers& epochs, const Numbers& ranks, const Numbers& got);
/// Why all ranks may get the share of one rank.
enum class SharedBy { Unknown, Argument, Seed };
std::string readShareOf(const Numbers& ranks, std::int64_t got, SharedBy shared_by);
/// Pairs (rank, whose share it read); `more` says that there are others.
std::string readShares(const std::vector<std::pair<std::int64_t, std::int64_t>>& pairs, bool more);
std::string readShareOfEpoch(std::int64_t rank, std::int64_t epoch, std::int64_t got_rank, std::int64_t got_epoch);
/// By this many batches; negative: behind.
std::string aheadOfPlan(std::int64_t rank, std::int64_t batches, std::int64_t epoch);
/// Each is valueInstead().
std::string matchesWith(const std::vector<std::string>& values);
std::string epochsCountedOtherwise(std::int64_t later, const std::string& value);
/// "sampler.seed 7 instead of 0"
std::string valueInstead(const std::string& path, const std::string& other, const std::string& planned);

}  // namespace shardlens::words
