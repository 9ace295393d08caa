// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Every label and every price of the fixes, in one place. Which fix is proposed is decided in core/audit/fixes.
namespace shardlens::words {

// --- who gets what --------------------------------------------------------------------------------------------------
std::string passRankAndWorldSize();
std::string passDataParallelRankAndSize();
std::string divideStream(std::string_view among_ranks);
std::string divideAmongWorkers(std::string_view among_workers);
std::string divideStream(std::string_view among_ranks, std::string_view among_workers);
/// "Use DistributedSampler" of "torch.DistributedSampler".
std::string useClass(std::string_view type);
std::string divideWhatItDraws();
std::string divideWhatItDrawsByOneGenerator();
/// A sampler that divides inside a loader that accelerator.prepare() divides.
std::string leaveOutInner(std::string_view type);
std::string letSamplerPad();
/// The same fix, which also switches loader.drop_last off.
std::string keepingShortBatches(const std::string& label);

// --- epochs and seeds -----------------------------------------------------------------------------------------------
std::string callSetEpoch();
std::string keepWorkers();
std::string shuffleBySeedAndEpoch(const std::string& field);
std::string shuffleBySeedAndEpochKeepingWorkers(const std::string& field);
std::string useClassThatShuffles(std::string_view type);
/// By the seeds.rule base+rank, or base+data_parallel_rank.
std::string seedRanksApart(const std::string& rule);
/// The order stays that of `field`.
std::string seedRanksApartKeepingOrder(const std::string& rule, const std::string& field);
/// By that rule, or by the same seed.
std::string seedTheScript(const std::string& rule);
std::string drawOneOrder(const std::string& field);
std::string seedRanksAlike();
std::string passNoGenerator();
std::string giveGeneratorToSampler();
std::string setField(const std::string& field, const std::string& value);

// --- tails ----------------------------------------------------------------------------------------------------------
/// What the sampler does with samples that do not divide, and what it then does instead.
std::string keepUnevenTail(const std::string& field);
std::string cutUnevenTail(const std::string& field);
std::string keepShortLastBatch();
/// Of a sampler that makes the batches itself.
std::string keepLastBatches();
std::string dropShortLastBatches();
std::string roundUp(const std::string& field);
std::string cutToShortest(const std::string& field);
std::string cutToWholeBatches();
std::string rewriteInShards(std::int64_t shards);
std::string rewriteInShardsDroppingShortBatches(std::int64_t shards);
std::string resampleShards(std::string_view type);
std::string readWholeStream(std::string_view type);
/// A fix, and what keeps the ranks in step beside it: so many even shards, or 0, and whether short batches are dropped.
std::string keptInStep(const std::string& label, std::int64_t shards, bool drops);

/// Ranks that a condition of the schedule keeps from an operation: a phase of their own for them, or no condition.
std::string callItToo(const std::string& operation, const std::string& phase);
std::string callItAll(const std::string& operation, const std::string& place);

/// Two fixes made together: "Keep the short last batch: loader.drop_last off; use DistributedSampler".
std::string both(const std::string& first, const std::string& second);

// --- what a fix costs -----------------------------------------------------------------------------------------------
/// How many more, in which epochs.
struct More {
  std::int64_t count = 0;  ///< negative: fewer
  std::string when = {};   ///< "per epoch", "in epoch 1"; empty where it goes without saying
};
/// What is different with the fix. Numbers that differ between epochs are told of one epoch, and of the worst.
struct Costs {
  std::vector<More> missing = {};  ///< at most two, as the next ones
  std::vector<More> repeated = {};
  std::vector<More> steps = {};
  std::vector<More> apart = {};  ///< steps between the ranks that have most and fewest; at most one
  std::vector<std::string> new_titles = {};
};
/// For More::when.
std::string perEpoch();
std::string inEpoch(std::int64_t epoch);
/// "in each of epochs 0 and 1 of 90", "in epoch 0 of 90".
std::string inEach(const std::vector<std::int64_t>& epochs, std::int64_t planned);
/// "3 more samples missing in epoch 1, 5 in epoch 2; 12 fewer steps per epoch; ranks up to 2 steps apart in epoch 1;
/// new finding: The last batch is short".
/// Empty when the fix costs nothing.
std::string price(const Costs& costs);

}  // namespace shardlens::words
