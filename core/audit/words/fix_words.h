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
std::string seedRanksApart();
/// The order stays that of `field`.
std::string seedRanksApartKeepingOrder(const std::string& field);
std::string seedTheScript(bool by_rank);
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
std::string dropShortLastBatches();
std::string roundUp(const std::string& field);
std::string cutToShortest(const std::string& field);
std::string cutToWholeBatches();
std::string rewriteInShards(std::int64_t shards);
std::string rewriteInShardsDroppingShortBatches(std::int64_t shards);
std::string resampleShards(std::string_view type);

// --- what a fix costs -----------------------------------------------------------------------------------------------
/// What is different with the fix; what did not change is 0.
struct Costs {
  std::int64_t more_missing = 0;
  std::int64_t more_repeated = 0;
  std::int64_t more_steps = 0;              ///< negative: fewer
  std::optional<std::int64_t> steps_epoch;  ///< the epoch that takes them; nothing when each audited one does
  std::vector<std::string> new_titles = {};
};
/// "3 more samples missing; 12 fewer steps per epoch; new finding: The last batch is short". Empty when the fix costs
/// nothing.
std::string price(const Costs& costs);

}  // namespace shardlens::words
