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

std::string runContinues() {
  return worded("proof", "the run is still in progress");
}

std::string otherWorldThanPlanned(std::int64_t of_run, std::int64_t of_plan) {
  return filled(worded("proof", "The run has a world of %1, the plan of %2."), wordedCount(of_run, "rank"),
                wordedCount(of_plan, "rank"));
}

std::string differs(std::int64_t rank, std::int64_t epoch, std::int64_t step, const std::string& how) {
  return filled(worded("proof", "Rank %1, epoch %2, step %3 %4."), std::to_string(rank), std::to_string(epoch),
                std::to_string(step), how);
}

std::string notPlanned() {
  return worded("proof", "is not in the plan");
}

std::string skipped() {
  return worded("proof", "was skipped");
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

std::string aheadOfPlan(std::int64_t rank, std::int64_t batches, std::int64_t epoch) {
  const std::string count = wordedCount(batches < 0 ? -batches : batches, "batch");
  return filled(batches > 0 ? worded("proof", "Rank %1 is %2 ahead of the plan in epoch %3.")
                            : worded("proof", "Rank %1 is %2 behind the plan in epoch %3."),
                std::to_string(rank), count, std::to_string(epoch));
}

std::string epochsCountedOtherwise(std::int64_t later, const std::string& value) {
  return filled(
      worded("proof", "Each epoch got the order of %1: set_epoch was called with another number, or the job has %2."),
      shifted(later), value);
}

}  // namespace shardlens::words
