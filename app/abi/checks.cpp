// SPDX-License-Identifier: Apache-2.0
// Whether a plan is sound, for C: each check stops at the first epoch that is not.
#include "app/abi/border.h"
#include "core/audit/audit.h"
#include "core/audit/ledger.h"
#include "core/audit/overlap.h"
#include "core/base/text.h"

#include <algorithm>
#include <functional>
#include <vector>

using namespace shardlens;

namespace {

/// The fault of one epoch as a sentence; empty where there is none.
using Check = std::function<Result<std::string>(const Plan& plan, Epoch epoch)>;

std::int32_t firstFault(const shardlens_plan* plan, std::int64_t first, std::int64_t count, const Check& check,
                        const char** out) {
  return abi::status([&]() -> Result<void> {
    *out = abi::lent({});
    for (std::int64_t epoch = first; epoch < first + count; ++epoch) {
      if (auto there = plan->checkEpoch(epoch); !there) return there;
      const auto fault = check(plan->plan, Epoch{epoch});
      if (!fault) return plan->placed(fault.error());
      if (fault->empty()) continue;
      *out = abi::lent(*fault);
      return {};
    }
    return {};
  });
}

std::string idsText(const std::vector<SampleIndex>& ids) {
  constexpr std::size_t kMost = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(ids.size(), kMost); ++i) text += (i == 0 ? "" : ", ") + std::to_string(ids[i]);
  return ids.size() > kMost ? text + ", ..." : text;
}

std::string inEpoch(Epoch epoch) {
  return "epoch " + std::to_string(epoch.value) + ": ";
}

/// The rank that reads a sample first, and the items of an epoch that another rank reads, too.
class Readers {
 public:
  Readers(std::int64_t samples, bool counts_padding)
      : first_(static_cast<std::size_t>(samples), kNoRank), counts_padding_(counts_padding) {}

  void add(const RankEpoch& rank) {
    for (std::int64_t k = 0; k < rank.size(); ++k) {
      if (!rank.stepOf(k) || (!counts_padding_ && rank.isPadding(k))) continue;
      std::int32_t& reader = first_[static_cast<std::size_t>(rank.sample(k))];
      const auto own = static_cast<std::int32_t>(rank.rank().value);
      if (reader == kNoRank) reader = own;
      if (reader == own) continue;
      if (shared_.empty()) pair_ = {reader, own};
      if (pair_ == std::pair(reader, own)) shared_.push_back(rank.sample(k));
      ++items_;
    }
  }

  [[nodiscard]] std::string text(Epoch epoch) {
    if (items_ == 0) return {};
    std::sort(shared_.begin(), shared_.end());
    return inEpoch(epoch) + "ranks " + std::to_string(pair_.first) + " and " + std::to_string(pair_.second) +
           " read the same " + counted(static_cast<std::int64_t>(shared_.size()), "sample") + " (" + idsText(shared_) +
           "); over all ranks " + counted(items_, "reading") + " of a sample that another rank reads, too.";
  }

 private:
  static constexpr std::int32_t kNoRank = -1;
  std::vector<std::int32_t> first_;
  bool counts_padding_;
  std::pair<std::int32_t, std::int32_t> pair_;
  std::vector<SampleIndex> shared_;  ///< of pair_
  std::int64_t items_ = 0;
};

Result<std::string> overlapOf(const Plan& plan, Epoch epoch, bool counts_padding) {
  const auto first = plan.firstReadings(epoch);
  if (!first) return first.error();
  Readers readers(plan.spec().dataset.size, counts_padding);
  for (Rank rank{0}; rank.value < plan.worldSize(); ++rank) {
    const auto drawn = plan.rankEpoch(epoch, rank);
    if (!drawn) return drawn.error();
    readers.add(drawn->withFirst(first->of(rank)));
  }
  return readers.text(epoch);
}

Result<std::string> missingOf(const Plan& plan, Epoch epoch) {
  const auto ledger = ledgerOf(plan, epoch);
  if (!ledger) return ledger.error();
  if (ledger->missing == 0) return std::string();
  return inEpoch(epoch) + counted(ledger->missing, "sample") + " of " + grouped(ledger->dataset_size) +
         " reach no rank: " + idsText(ledger->missing_ids) + ".";
}

Result<std::string> unequalStepsOf(const Plan& plan, Epoch epoch) {
  const auto shape = plan.epochShape(epoch);
  if (!shape) return shape.error();
  const Lockstep steps = lockstep(*shape);
  if (steps.fewest == steps.most) return std::string();
  return inEpoch(epoch) + (steps.first_out.size() == 1 ? "rank " : "ranks ") + ranges(steps.first_out) +
         (steps.first_out.size() == 1 ? " has " : " have ") + counted(steps.fewest, "step") + ", others " +
         grouped(steps.most) + ": who has more waits for the others in its next collective.";
}

}  // namespace

int32_t shardlens_check_overlap(const shardlens_plan* plan, int64_t first, int64_t count, int32_t padding,
                                const char** out) {
  const auto check = [padding](const Plan& of, Epoch epoch) { return overlapOf(of, epoch, padding != 0); };
  return firstFault(plan, first, count, check, out);
}

int32_t shardlens_check_coverage(const shardlens_plan* plan, int64_t first, int64_t count, const char** out) {
  return firstFault(plan, first, count, missingOf, out);
}

int32_t shardlens_check_steps(const shardlens_plan* plan, int64_t first, int64_t count, const char** out) {
  return firstFault(plan, first, count, unequalStepsOf, out);
}
