// SPDX-License-Identifier: Apache-2.0
#include "core/audit/words/fix_words.h"

#include "core/audit/words/finding_words.h"
#include "core/base/phrase.h"
#include "core/base/text.h"

#include <cstdlib>

namespace shardlens::words {
namespace {

std::string classOf(std::string_view type) {
  return std::string(type.substr(type.find('.') + 1));
}

/// With a space before it, unless it is empty.
std::string behind(const std::string& text) {
  return text.empty() ? text : " " + text;
}

/// "3 more samples missing in epoch 1, 5 in epoch 2": the first with `told`, which has its place.
std::string listOf(const std::vector<More>& changes, std::string_view told) {
  std::vector<std::string> parts;
  parts.reserve(changes.size());
  for (const More& more : changes) {
    parts.push_back((parts.empty() ? std::string(told) : grouped(more.count)) + behind(more.when));
  }
  return join(parts, ", ");
}

/// "12 more steps per epoch", "3 fewer steps in epoch 1, 4 fewer in epoch 2".
std::string steps(const std::vector<More>& changes) {
  std::vector<std::string> parts;
  for (const More& more : changes) {
    const std::int64_t count = std::abs(more.count);
    const std::string told =
        !parts.empty()
            ? filled(more.count > 0 ? worded("fixes", "%1 more") : worded("fixes", "%1 fewer"), grouped(count))
        : more.count > 0 ? wordedCount(count, "more step")
                         : wordedCount(count, "fewer step");
    parts.push_back(told + behind(more.when));
  }
  return join(parts, ", ");
}

}  // namespace

std::string passRankAndWorldSize() {
  return worded("fixes", "Pass rank and world_size to the sampler");
}

std::string passDataParallelRankAndSize() {
  return worded("fixes", "Pass the data-parallel rank and size to the sampler");
}

std::string divideStream(std::string_view among_ranks) {
  return filled(worded("fixes", "Divide the stream among the ranks: %1"), std::string(among_ranks));
}

std::string divideAmongWorkers(std::string_view among_workers) {
  return filled(worded("fixes", "Divide each rank's part among its workers: %1"), std::string(among_workers));
}

std::string divideStream(std::string_view among_ranks, std::string_view among_workers) {
  return filled(worded("fixes", "Divide the stream among ranks and workers: %1, %2"), std::string(among_ranks),
                std::string(among_workers));
}

std::string useClass(std::string_view type) {
  return filled(worded("fixes", "Use %1"), classOf(type));
}

std::string divideWhatItDraws() {
  return worded("fixes", "Divide what it draws: DistributedSamplerWrapper");
}

std::string divideWhatItDrawsByOneGenerator() {
  return worded("fixes", "Divide what it draws: DistributedSamplerWrapper, with one generator for all ranks");
}

std::string leaveOutInner(std::string_view type) {
  return filled(worded("fixes", "Remove %1: accelerator.prepare() divides already"), classOf(type));
}

std::string letSamplerPad() {
  return worded("fixes", "Let the sampler pad: turn sampler.drop_last off");
}

std::string keepingShortBatches(const std::string& label) {
  return filled(worded("fixes", "%1, keep short batches"), label);
}

std::string callSetEpoch() {
  return worded("fixes", "Call set_epoch(epoch) in every epoch");
}

std::string keepWorkers() {
  return worded("fixes", "Keep the workers: loader.persistent_workers");
}

std::string shuffleBySeedAndEpoch(const std::string& field) {
  return filled(worded("fixes", "Shuffle by seed + epoch: %1"), field);
}

std::string shuffleBySeedAndEpochKeepingWorkers(const std::string& field) {
  return filled(worded("fixes", "%1, and keep the workers"), shuffleBySeedAndEpoch(field));
}

std::string useClassThatShuffles(std::string_view type) {
  return filled(worded("fixes", "Shuffle in every epoch: use %1"), classOf(type));
}

std::string seedRanksApart(const std::string& rule) {
  return rule == "base+rank" ? worded("fixes", "Give each rank its own seed: base+rank")
                             : worded("fixes", "Give each data-parallel rank its own seed: base+data_parallel_rank");
}

std::string seedRanksApartKeepingOrder(const std::string& rule, const std::string& field) {
  return filled(worded("fixes", "%1; keep the order by %2"), seedRanksApart(rule), field);
}

std::string seedTheScript(const std::string& rule) {
  return rule == "same"        ? worded("fixes", "Seed with 0")
         : rule == "base+rank" ? worded("fixes", "Seed with 0 + rank")
                               : worded("fixes", "Seed with 0 + data_parallel_rank");
}

std::string drawOneOrder(const std::string& field) {
  return filled(worded("fixes", "Draw one order for all ranks: %1"), field);
}

std::string seedRanksAlike() {
  return worded("fixes", "Give all ranks the same seed");
}

std::string passNoGenerator() {
  return worded("fixes", "Pass no generator to the loader");
}

std::string giveGeneratorToSampler() {
  return worded("fixes", "Give the generator only to the sampler");
}

std::string setField(const std::string& field, const std::string& value) {
  return filled(worded("fixes", "Set %1 to %2"), field, value);
}

std::string keepUnevenTail(const std::string& field) {
  return filled(worded("fixes", "Keep the uneven tail: %1 off"), field);
}

std::string cutUnevenTail(const std::string& field) {
  return filled(worded("fixes", "Cut the uneven tail: %1"), field);
}

std::string keepLastBatches() {
  return worded("fixes", "Keep the last batches: loader.drop_last off");
}

std::string keepShortLastBatch() {
  return worded("fixes", "Keep the short last batch: loader.drop_last off");
}

std::string dropShortLastBatches() {
  return worded("fixes", "Drop short last batches: loader.drop_last");
}

std::string roundUp(const std::string& field) {
  return filled(worded("fixes", "Round up, so that all ranks get the same number: %1"), field);
}

std::string cutToShortest(const std::string& field) {
  return filled(worded("fixes", "Cut every rank to the shortest: %1"), field);
}

std::string cutToWholeBatches() {
  return worded("fixes", "Cut every rank to whole batches: sampler and loader drop_last");
}

std::string rewriteInShards(std::int64_t shards) {
  return filled(worded("fixes", "Rewrite the dataset in %1 even shards"), grouped(shards));
}

std::string rewriteInShardsDroppingShortBatches(std::int64_t shards) {
  return filled(worded("fixes", "%1; drop short last batches"), rewriteInShards(shards));
}

std::string resampleShards(std::string_view type) {
  return filled(worded("fixes", "Draw shards instead of dividing them: %1"), classOf(type));
}

std::string readWholeStream(std::string_view type) {
  return filled(worded("fixes", "Let every process read the whole stream and keep its part of each global batch: %1"),
                classOf(type));
}

std::string keptInStep(const std::string& label, std::int64_t shards, bool drops) {
  const std::string written =
      shards > 0 ? filled(worded("fixes", "%1; rewrite the dataset in %2 even shards"), label, grouped(shards)) : label;
  return drops ? filled(worded("fixes", "%1; drop short last batches"), written) : written;
}

std::string callItToo(const std::string& operation, const std::string& phase) {
  return filled(worded("fixes", "Let the other ranks call %1, too: %2"), operation, phase);
}

std::string callItAll(const std::string& operation, const std::string& place) {
  return filled(worded("fixes", "Let every rank call %1 in %2"), operation, place);
}

std::string both(const std::string& first, const std::string& second) {
  return filled(worded("fixes", "%1; %2"), first, uncapital(second));
}

std::string perEpoch() {
  return worded("fixes", "per epoch");
}

std::string inEpoch(std::int64_t epoch) {
  return filled(worded("fixes", "in epoch %1"), grouped(epoch));
}

std::string inEach(const std::vector<std::int64_t>& epochs, std::int64_t planned) {
  const bool is_part = epochs.size() > 1 && static_cast<std::int64_t>(epochs.size()) < planned;
  if (!is_part) return epochsText(epochs, planned);
  return filled(worded("fixes", "in each of %1 of %2"), listedEpochs(epochs), grouped(planned));
}

std::string price(const Costs& costs) {
  std::vector<std::string> parts;
  if (!costs.missing.empty()) {
    parts.push_back(listOf(
        costs.missing, filled(worded("fixes", "%1 missing"), wordedCount(costs.missing.front().count, "more sample"))));
  }
  if (!costs.repeated.empty()) {
    parts.push_back(listOf(costs.repeated, filled(worded("fixes", "%1 repeated"),
                                                  wordedCount(costs.repeated.front().count, "more item"))));
  }
  if (!costs.steps.empty()) parts.push_back(steps(costs.steps));
  for (const More& apart : costs.apart) {
    parts.push_back(filled(worded("fixes", "ranks up to %1 apart %2"), wordedCount(apart.count, "step"), apart.when));
  }
  for (const std::string& title : costs.new_titles) parts.push_back(filled(worded("fixes", "new finding: %1"), title));
  return join(parts, "; ");
}

}  // namespace shardlens::words
