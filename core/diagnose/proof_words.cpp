// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/proof_words.h"

#include "core/base/text.h"

#include <set>

namespace shardlens::words {
namespace {

/// "Ranks 0 to 3", each number once.
std::string numbered(const Numbers& numbers, const char* one, const char* more) {
  const std::set<std::int64_t> all(numbers.begin(), numbers.end());
  return (all.size() == 1 ? one : more) + listed({all.begin(), all.end()});
}

std::string rankNamed(std::int64_t rank) {
  return "rank " + std::to_string(rank);
}

/// "Epochs 1, 2 on rank 3"
std::string epochsOf(const Numbers& epochs, const Numbers& ranks) {
  return numbered(epochs, "Epoch ", "Epochs ") + (ranks.empty() ? "" : " on " + numbered(ranks, "rank ", "ranks "));
}

/// "1 epoch later", "2 epochs earlier"
std::string shifted(std::int64_t later) {
  return counted(later < 0 ? -later : later, "epoch") + (later < 0 ? " earlier" : " later");
}

std::string countOfBatches(std::int64_t count) {
  return grouped(count) + (count == 1 ? " batch" : " batches");
}

}  // namespace

std::string batchesNotReported(std::int64_t missing, std::int64_t planned, const std::string& why) {
  return grouped(missing) + " of " + grouped(planned) + " planned" + (planned == 1 ? " batch" : " batches") +
         (missing == 1 ? " was" : " were") + " not reported: " + why + ".";
}

std::string commandReportsNone() {
  return "the job's command does not report batches";
}

std::string ranksNotMeasured(const Numbers& ranks) {
  return numbered(ranks, "rank ", "ranks ") + (ranks.size() == 1 ? " was" : " were") + " not measured";
}

std::string endedBeforeThePlan() {
  return "the run ended before its plan did";
}

std::string recordingEndsBefore() {
  return "the recording ends before them, and whether the run continued is not known";
}

std::string runContinues() {
  return "the run still continues";
}

std::string andRecordsLost() {
  return ", and records were lost";
}

std::string batchesLost(std::int64_t missing, std::int64_t planned) {
  return (missing == 1 ? "The record of " : "The records of ") + grouped(missing) + " of " + grouped(planned) +
         " planned" + (planned == 1 ? " batch" : " batches") + (missing == 1 ? " was" : " were") + " lost.";
}

std::string onlyStandIn() {
  return "The ranks ran ShardLens's stand-in program, which takes its batches from the plan: this proves the launch, "
         "the order and the delivery, but nothing about your script.";
}

std::string otherWorld(std::int64_t of_run, std::int64_t of_plan) {
  return "The run has a world of " + counted(of_run, "rank") + ", the plan of " + counted(of_plan, "rank") + ".";
}

std::string recordsLost(std::int64_t rank) {
  return "Records of " + rankNamed(rank) + " were lost: its ring was full, or the recorder's disk was too slow.";
}

std::string recordsHaveGap(std::int64_t rank) {
  return "Records of " + rankNamed(rank) + " are missing: the numbers of its operations have a gap.";
}

std::string noBatchReported(const Numbers& ranks) {
  return numbered(ranks, "Rank ", "Ranks ") + " reported no batch and " + (ranks.size() == 1 ? "was" : "were") +
         " not measured.";
}

std::string differs(std::int64_t rank, std::int64_t epoch, std::int64_t step, const std::string& how) {
  return "Rank " + std::to_string(rank) + ", epoch " + std::to_string(epoch) + ", step " + std::to_string(step) + " " +
         how + ".";
}

std::string notPlanned() {
  return "is not in the plan";
}

std::string otherSamples(const std::string& reported, const std::string& planned) {
  return "has other samples than planned (" + reported + " instead of " + planned + ")";
}

std::string otherCount(std::uint64_t reported, std::int64_t planned) {
  return "was reported with " + counted(static_cast<std::int64_t>(reported), "sample") + ", the plan has " +
         grouped(planned);
}

std::string repeated() {
  return "was repeated, or came after a later one";
}

std::string skipped() {
  return "was skipped";
}

std::string neverConsumed() {
  return "was never consumed, although the job ended well";
}

std::string notInWorld(std::int64_t of_run) {
  return "was never consumed: the run had a world of " + counted(of_run, "rank");
}

std::string gotOrderOf(const Numbers& epochs, const Numbers& ranks, std::int64_t got, bool never_told) {
  return epochsOf(epochs, ranks) + " got the order of epoch " + std::to_string(got) +
         (never_told ? ": set_epoch was not called." : ".");
}

std::string gotOrdersShifted(const Numbers& epochs, const Numbers& ranks, std::int64_t later) {
  return epochsOf(epochs, ranks) + " got the orders of " + shifted(later) + ".";
}

std::string gotOrdersOf(const Numbers& epochs, const Numbers& ranks, const Numbers& got) {
  return epochsOf(epochs, ranks) + " got the orders of other epochs: " + listed(got) + ".";
}

std::string readShareOf(const Numbers& ranks, std::int64_t got, SharedBy shared_by) {
  const std::string whose = rankNamed(got);
  return numbered(ranks, "Rank ", "Ranks ") + " read the share of " + whose +
         (shared_by == SharedBy::Argument ? ": every rank acted as " + whose + "."
          : shared_by == SharedBy::Seed   ? ": all ranks drew with the seed of " + whose + "."
                                          : ".");
}

std::string readShares(const std::vector<std::pair<std::int64_t, std::int64_t>>& pairs, bool more) {
  std::vector<std::string> parts;
  parts.reserve(pairs.size());
  for (const auto& [rank, other] : pairs) {
    parts.push_back((parts.empty() ? "Rank " + std::to_string(rank) : rankNamed(rank)) + " read the share of " +
                    rankNamed(other));
  }
  return join(parts, ", ") + (more ? ", and so on." : ".");
}

std::string readShareOfEpoch(std::int64_t rank, std::int64_t epoch, std::int64_t got_rank, std::int64_t got_epoch) {
  return "In epoch " + std::to_string(epoch) + ", " + rankNamed(rank) + " read the share that " + rankNamed(got_rank) +
         " has in epoch " + std::to_string(got_epoch) + ".";
}

std::string aheadOfPlan(std::int64_t rank, std::int64_t batches, std::int64_t epoch) {
  return "Rank " + std::to_string(rank) + " is " + countOfBatches(batches < 0 ? -batches : batches) +
         (batches > 0 ? " ahead of" : " behind") + " the plan in epoch " + std::to_string(epoch) + ".";
}

std::string matchesWith(const std::vector<std::string>& values) {
  return "All compared batches match the plan with " + join(values, ", ") + ".";
}

std::string epochsCountedOtherwise(std::int64_t later, const std::string& value) {
  return "Each epoch got the order of " + shifted(later) +
         ": set_epoch was called with another number, or the job has " + value + ".";
}

std::string valueInstead(const std::string& path, const std::string& other, const std::string& planned) {
  return path + " " + other + " instead of " + planned;
}

}  // namespace shardlens::words
