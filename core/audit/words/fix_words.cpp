// SPDX-License-Identifier: Apache-2.0
#include "core/audit/words/fix_words.h"

#include "core/base/text.h"

namespace shardlens::words {
namespace {

std::string classOf(std::string_view type) {
  return std::string(type.substr(type.find('.') + 1));
}

/// "12 more steps per epoch", "3 fewer steps in epoch 1".
std::string steps(const Costs& costs) {
  const std::int64_t more = costs.more_steps;
  return (more > 0 ? counted(more, "more step") : counted(-more, "fewer step")) +
         (costs.steps_epoch ? " in epoch " + grouped(*costs.steps_epoch) : " per epoch");
}

const char* const kOwnSeeds = "Give each rank its own seed: base+rank";
const char* const kDivideDraws = "Divide what it draws: DistributedSamplerWrapper";

}  // namespace

std::string passRankAndWorldSize() {
  return "Pass rank and world_size to the sampler";
}

std::string divideStream(std::string_view among_ranks) {
  return "Divide the stream among the ranks: " + std::string(among_ranks);
}

std::string divideAmongWorkers(std::string_view among_workers) {
  return "Divide each rank's part among its workers: " + std::string(among_workers);
}

std::string divideStream(std::string_view among_ranks, std::string_view among_workers) {
  return "Divide the stream among ranks and workers: " + std::string(among_ranks) + ", " + std::string(among_workers);
}

std::string useClass(std::string_view type) {
  return "Use " + classOf(type);
}

std::string divideWhatItDraws() {
  return kDivideDraws;
}

std::string divideWhatItDrawsByOneGenerator() {
  return std::string(kDivideDraws) + ", with one generator for all ranks";
}

std::string leaveOutInner(std::string_view type) {
  return "Remove " + classOf(type) + ": accelerator.prepare() divides already";
}

std::string letSamplerPad() {
  return "Let the sampler pad: turn sampler.drop_last off";
}

std::string keepingShortBatches(const std::string& label) {
  return label + ", keep short batches";
}

std::string callSetEpoch() {
  return "Call set_epoch(epoch) in every epoch";
}

std::string keepWorkers() {
  return "Keep the workers: loader.persistent_workers";
}

std::string shuffleBySeedAndEpoch(const std::string& field) {
  return "Shuffle by seed + epoch: " + field;
}

std::string shuffleBySeedAndEpochKeepingWorkers(const std::string& field) {
  return shuffleBySeedAndEpoch(field) + ", and keep the workers";
}

std::string useClassThatShuffles(std::string_view type) {
  return "Shuffle in every epoch: use " + classOf(type);
}

std::string seedRanksApart() {
  return kOwnSeeds;
}

std::string seedRanksApartKeepingOrder(const std::string& field) {
  return std::string(kOwnSeeds) + "; keep the order by " + field;
}

std::string seedTheScript(bool by_rank) {
  return by_rank ? "Seed with 0 + rank" : "Seed with 0";
}

std::string drawOneOrder(const std::string& field) {
  return "Draw one order for all ranks: " + field;
}

std::string seedRanksAlike() {
  return "Give all ranks the same seed";
}

std::string passNoGenerator() {
  return "Pass no generator to the loader";
}

std::string giveGeneratorToSampler() {
  return "Give the generator only to the sampler";
}

std::string setField(const std::string& field, const std::string& value) {
  return "Set " + field + " to " + value;
}

std::string keepUnevenTail(const std::string& field) {
  return "Keep the uneven tail: " + field + " off";
}

std::string cutUnevenTail(const std::string& field) {
  return "Cut the uneven tail: " + field;
}

std::string keepShortLastBatch() {
  return "Keep the short last batch: loader.drop_last off";
}

std::string dropShortLastBatches() {
  return "Drop short last batches: loader.drop_last";
}

std::string roundUp(const std::string& field) {
  return "Round up, so that all ranks get the same number: " + field;
}

std::string cutToShortest(const std::string& field) {
  return "Cut every rank to the shortest: " + field;
}

std::string cutToWholeBatches() {
  return "Cut every rank to whole batches: sampler and loader drop_last";
}

std::string rewriteInShards(std::int64_t shards) {
  return "Rewrite the dataset in " + grouped(shards) + " even shards";
}

std::string rewriteInShardsDroppingShortBatches(std::int64_t shards) {
  return rewriteInShards(shards) + "; drop short last batches";
}

std::string resampleShards(std::string_view type) {
  return "Draw shards instead of dividing them: " + classOf(type);
}

std::string price(const Costs& costs) {
  std::vector<std::string> parts;
  if (costs.more_missing > 0) parts.push_back(counted(costs.more_missing, "more sample") + " missing");
  if (costs.more_repeated > 0) parts.push_back(counted(costs.more_repeated, "more item") + " repeated");
  if (costs.more_steps != 0) parts.push_back(steps(costs));
  for (const std::string& title : costs.new_titles) parts.push_back("new finding: " + title);
  return join(parts, "; ");
}

}  // namespace shardlens::words
