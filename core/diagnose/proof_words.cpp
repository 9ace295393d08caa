// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/proof_words.h"

#include "core/base/phrase.h"
#include "core/base/text.h"

#include <set>

namespace shardlens::words {
namespace {

std::set<std::int64_t> distinct(const Numbers& numbers) {
  return {numbers.begin(), numbers.end()};
}

/// "0 to 3"
std::string runsOf(const Numbers& numbers) {
  const std::set<std::int64_t> all = distinct(numbers);
  return listed({all.begin(), all.end()});
}

bool isOne(const Numbers& numbers) {
  return distinct(numbers).size() == 1;
}

/// "Epochs 1 and 2 on rank 3"
std::string epochsOf(const Numbers& epochs, const Numbers& ranks) {
  const std::string which = runsOf(epochs);
  const std::string who = runsOf(ranks);
  if (ranks.empty()) {
    return isOne(epochs) ? filled(worded("proof", "Epoch %1"), which) : filled(worded("proof", "Epochs %1"), which);
  }
  if (isOne(epochs)) {
    return isOne(ranks) ? filled(worded("proof", "Epoch %1 on rank %2"), which, who)
                        : filled(worded("proof", "Epoch %1 on ranks %2"), which, who);
  }
  return isOne(ranks) ? filled(worded("proof", "Epochs %1 on rank %2"), which, who)
                      : filled(worded("proof", "Epochs %1 on ranks %2"), which, who);
}

/// "1 epoch later", "2 epochs earlier"
std::string shifted(std::int64_t later) {
  return later < 0 ? filled(worded("proof", "%1 earlier"), wordedCount(-later, "epoch"))
                   : filled(worded("proof", "%1 later"), wordedCount(later, "epoch"));
}

}  // namespace

std::string proofTitle(ProofResult result) {
  switch (result) {
    case ProofResult::Match:
      return worded("proof", "Every planned batch was read and matches the plan");
    case ProofResult::Mismatch:
      return worded("proof", "The job did not read what its spec plans");
    case ProofResult::Incomplete:
      break;
  }
  return worded("proof", "Not every planned batch could be compared");
}

std::string batchesNotReported(std::int64_t missing, std::int64_t planned, const std::string& why) {
  if (planned == 1) return filled(worded("proof", "The only planned batch was not reported: %1."), why);
  return missing == 1 ? filled(worded("proof", "1 of %1 planned batches was not reported: %2."), grouped(planned), why)
                      : filled(worded("proof", "%1 of %2 planned batches were not reported: %3."), grouped(missing),
                               grouped(planned), why);
}

std::string commandReportsNone() {
  return worded("proof", "the job's command does not report batches");
}

std::string ranksNotMeasured(const Numbers& ranks) {
  return isOne(ranks) ? filled(worded("proof", "rank %1 was not measured"), runsOf(ranks))
                      : filled(worded("proof", "ranks %1 were not measured"), runsOf(ranks));
}

std::string ranksDidNotRead(const Numbers& ranks) {
  return isOne(ranks)
             ? filled(worded("proof", "the recording does not show that rank %1 read this loader"), runsOf(ranks))
             : filled(worded("proof", "the recording does not show that ranks %1 read this loader"), runsOf(ranks));
}

std::string beganAtEpoch(std::int64_t epoch) {
  return filled(worded("proof", "the run began at epoch %1"), std::to_string(epoch));
}

std::string endedBeforeThePlan() {
  return worded("proof", "the run ended before its plan did");
}

std::string recordingEndsBefore() {
  return worded("proof", "the recording ends before them, and it is not known whether the run continued");
}

std::string runContinues() {
  return worded("proof", "the run is still in progress");
}

std::string andRecordsLost() {
  return worded("proof", ", and records were lost");
}

std::string batchesLost(std::int64_t missing, std::int64_t planned) {
  if (planned == 1) return worded("proof", "The record of the only planned batch was lost.");
  return missing == 1 ? filled(worded("proof", "The record of 1 of %1 planned batches was lost."), grouped(planned))
                      : filled(worded("proof", "The records of %1 of %2 planned batches were lost."), grouped(missing),
                               grouped(planned));
}

std::string onlyStandIn() {
  return worded("proof",
                "The ranks ran ShardLens's stand-in program, which takes its batches from the plan: this proves the "
                "launch, the order and the delivery, but nothing about your script.");
}

std::string otherWorldThanPlanned(std::int64_t of_run, std::int64_t of_plan) {
  return filled(worded("proof", "The run has a world of %1, the plan of %2."), wordedCount(of_run, "rank"),
                wordedCount(of_plan, "rank"));
}

std::string recordsLost(std::int64_t rank) {
  return filled(worded("proof",
                       "Records of rank %1 were lost: its ring was full or cut short, the recorder's disk was too "
                       "slow, or its threads got in each other's way."),
                std::to_string(rank));
}

std::string recordsHaveGap(std::int64_t rank) {
  return filled(worded("proof", "Records of rank %1 are missing: the numbers of its operations have a gap."),
                std::to_string(rank));
}

std::string noBatchReported(const Numbers& ranks) {
  return isOne(ranks) ? filled(worded("proof", "Rank %1 reported no batch and was not measured."), runsOf(ranks))
                      : filled(worded("proof", "Ranks %1 reported no batch and were not measured."), runsOf(ranks));
}

std::string differs(std::int64_t rank, std::int64_t epoch, std::int64_t step, const std::string& how) {
  return filled(worded("proof", "Rank %1, epoch %2, step %3 %4."), std::to_string(rank), std::to_string(epoch),
                std::to_string(step), how);
}

std::string notPlanned() {
  return worded("proof", "is not in the plan");
}

std::string otherSamples(const std::string& reported, const std::string& planned) {
  return filled(worded("proof", "has other samples than planned (%1 instead of %2)"), reported, planned);
}

std::string otherOrder() {
  return worded("proof", "has the planned samples in another order");
}

std::string readInOtherOrder(std::int64_t rank, std::int64_t epoch) {
  return filled(worded("proof", "In epoch %1, rank %2 read its planned samples in another order."),
                std::to_string(epoch), std::to_string(rank));
}

std::string otherCount(std::uint64_t reported, std::int64_t planned) {
  return filled(worded("proof", "was reported with %1, the plan has %2"),
                wordedCount(static_cast<std::int64_t>(reported), "sample"), grouped(planned));
}

std::string repeated() {
  return worded("proof", "was repeated, or came after a later one");
}

std::string skipped() {
  return worded("proof", "was skipped");
}

std::string neverConsumed() {
  return worded("proof", "was never consumed, although the job ended without an error");
}

std::string notInWorld(std::int64_t of_run) {
  return filled(worded("proof", "was never consumed: the run had a world of %1"), wordedCount(of_run, "rank"));
}

std::string gotOrderOf(const Numbers& epochs, const Numbers& ranks, std::int64_t got, bool never_told) {
  const std::string which = epochsOf(epochs, ranks);
  return never_told ? filled(worded("proof",
                                    "%1 got the order of epoch %2. The order stays until set_epoch is called with "
                                    "another number."),
                             which, std::to_string(got))
                    : filled(worded("proof", "%1 got the order of epoch %2."), which, std::to_string(got));
}

std::string gotOrdersShifted(const Numbers& epochs, const Numbers& ranks, std::int64_t later) {
  return filled(worded("proof", "%1 got the orders of %2."), epochsOf(epochs, ranks), shifted(later));
}

std::string gotOrdersOf(const Numbers& epochs, const Numbers& ranks, const Numbers& got) {
  return filled(worded("proof", "%1 got the orders of other epochs: %2."), epochsOf(epochs, ranks), listed(got));
}

std::string readShareOf(const Numbers& ranks, std::int64_t got, SharedBy shared_by) {
  const std::string whose = std::to_string(got);
  const std::string read = isOne(ranks)
                               ? filled(worded("proof", "Rank %1 read the share of rank %2"), runsOf(ranks), whose)
                               : filled(worded("proof", "Ranks %1 read the share of rank %2"), runsOf(ranks), whose);
  switch (shared_by) {
    case SharedBy::Argument:
      return filled(worded("proof", "%1: every rank acted as rank %2."), read, whose);
    case SharedBy::Seed:
      return filled(worded("proof", "%1: all ranks drew with the seed of rank %2."), read, whose);
    case SharedBy::Unknown:
      break;
  }
  return filled(worded("proof", "%1."), read);
}

std::string readShares(const std::vector<std::pair<std::int64_t, std::int64_t>>& pairs, bool more) {
  std::vector<std::string> parts;
  parts.reserve(pairs.size());
  for (const auto& [rank, other] : pairs) {
    parts.push_back(filled(parts.empty() ? worded("proof", "Rank %1 read the share of rank %2")
                                         : worded("proof", "rank %1 read the share of rank %2"),
                           std::to_string(rank), std::to_string(other)));
  }
  const std::string all = join(parts, worded("proof", ", "));
  return more ? filled(worded("proof", "%1, and so on."), all) : filled(worded("proof", "%1."), all);
}

std::string readShareOfEpoch(std::int64_t rank, std::int64_t epoch, std::int64_t got_rank, std::int64_t got_epoch) {
  return filled(worded("proof", "In epoch %1, rank %2 read the share that rank %3 has in epoch %4."),
                std::to_string(epoch), std::to_string(rank), std::to_string(got_rank), std::to_string(got_epoch));
}

std::string aheadOfPlan(std::int64_t rank, std::int64_t batches, std::int64_t epoch) {
  const std::string count = wordedCount(batches < 0 ? -batches : batches, "batch");
  return filled(batches > 0 ? worded("proof", "Rank %1 is %2 ahead of the plan in epoch %3.")
                            : worded("proof", "Rank %1 is %2 behind the plan in epoch %3."),
                std::to_string(rank), count, std::to_string(epoch));
}

std::string matchesWith(const std::vector<std::string>& values) {
  return filled(worded("proof", "All compared batches match the plan with %1."), join(values, worded("proof", ", ")));
}

std::string epochsCountedOtherwise(std::int64_t later, const std::string& value) {
  return filled(
      worded("proof", "Each epoch got the order of %1: set_epoch was called with another number, or the job has %2."),
      shifted(later), value);
}

std::string valueInstead(const std::string& path, const std::string& other, const std::string& planned) {
  return filled(worded("proof", "%1 %2 instead of %3"), path, other, planned);
}

}  // namespace shardlens::words
