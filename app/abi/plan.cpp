// SPDX-License-Identifier: Apache-2.0
// Plans for C: open, ask for fields, seeds and shapes; what one rank reads in one epoch; whether a plan is sound, where
// each check stops at the first epoch that is not.
#include "app/abi/border.h"
#include "app/abi/shared_order.h"
#include "core/audit/audit.h"
#include "core/audit/ledger.h"
#include "core/audit/overlap.h"
#include "core/base/text.h"
#include "core/plan/diff.h"
#include "core/plan/rank_epoch.h"
#include "core/sampling/order.h"
#include "core/sampling/registry.h"
#include "core/sampling/sampler_rule.h"
#include "core/sampling/script_seed.h"
#include "core/spec/field_table.h"
#include "core/spec/pipeline_spec.h"
#include "core/yaml/spec_file.h"
#include "core/yaml/spec_writer.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

using namespace shardlens;

namespace {

std::int32_t open(yaml::ReadSpec read, shardlens_plan** out) noexcept {
  if (!read.issues.empty()) return abi::failed(read.issues);
  return abi::status([&]() -> Result<void> {
    auto plan = Plan::make(read.spec);
    if (!plan) return read.placed(plan.error());
    *out = std::make_unique<shardlens_plan>(*std::move(plan), std::move(read)).release();
    return {};
  });
}

Error noSeeds(const PipelineSpec& spec) {
  return {ErrorCode::Unsupported,
          neverSeeds(spec) ? "the spec says that the script never seeds."
                           : "the spec says that it is not known how the script seeds.",
          {{}, 0, 0, "seeds.rule"},
          "say how the script seeds: seeds: {base: 0, rule: same}"};
}

}  // namespace

Error shardlens_plan::placed(Error error) const {
  return error.place.field.empty() ? error : read.placed(std::move(error));
}

Result<void> shardlens_plan::checkEpoch(std::int64_t epoch) const {
  if (epoch >= 0 && epoch < plan.epochs()) return {};
  return abi::wrongArgument("there is no epoch " + std::to_string(epoch) + " in the plan: it has epochs 0 to " +
                                std::to_string(plan.epochs() - 1) + ".",
                            "set `epochs` in the spec to as many as the job trains");
}

Result<void> shardlens_plan::checkRank(std::int64_t rank) const {
  if (rank >= 0 && rank < plan.worldSize()) return {};
  return abi::wrongArgument("there is no rank " + std::to_string(rank) + " in the plan: it has ranks 0 to " +
                            std::to_string(plan.worldSize() - 1) + ".");
}

Result<std::shared_ptr<const abi::SharedOrder>> shardlens_plan::sharedOrder(Epoch epoch, Rank rank) const {
  auto found = abi::SharedOrder::of(plan, epoch, rank);
  if (!found || *found == nullptr) return found;
  const MutexLock lock(mutex_);
  newest_ = *found;
  return found;
}

int32_t shardlens_plan_read(const char* path, shardlens_plan** out) {
  yaml::ReadSpec read;
  const std::int32_t done = abi::status([&]() -> Result<void> {
    read = yaml::readSpecFile(path, sampling::catalogue()).read;
    return {};
  });
  return done == SHARDLENS_OK ? open(std::move(read), out) : done;
}

int32_t shardlens_plan_parse(const char* text, const char* name, shardlens_plan** out) {
  yaml::ReadSpec read;
  const std::int32_t done = abi::status([&]() -> Result<void> {
    read = yaml::readSpec(text, sampling::catalogue(), name);
    return {};
  });
  return done == SHARDLENS_OK ? open(std::move(read), out) : done;
}

void shardlens_plan_close(shardlens_plan* plan) {
  const std::unique_ptr<shardlens_plan> owned(plan);
}

int64_t shardlens_plan_world_size(const shardlens_plan* plan) {
  return plan->plan.worldSize();
}

int64_t shardlens_plan_epochs(const shardlens_plan* plan) {
  return plan->plan.epochs();
}

int32_t shardlens_plan_text(const shardlens_plan* plan, const char** out) {
  return abi::status([&]() -> Result<void> {
    *out = abi::lent(yaml::writeSpec(plan->plan.spec(), sampling::catalogue()));
    return {};
  });
}

int32_t shardlens_plan_order_text(const shardlens_plan* plan, const char** out) {
  return abi::status([&]() -> Result<void> {
    *out = abi::lent(abi::orderText(plan->plan.spec()));
    return {};
  });
}

int32_t shardlens_plan_value(const shardlens_plan* plan, const char* path, const char** out) {
  return abi::status([&]() -> Result<void> {
    const Field* field = findField(plan->plan.spec(), sampling::catalogue(), path);
    if (field == nullptr)
      return abi::wrongArgument("a spec of " + plan->plan.spec().sampler.type + " has no field '" + path + "'.");
    *out = abi::lent(valueText(getValue(plan->plan.spec(), *field)));
    return {};
  });
}

int32_t shardlens_plan_differences(const shardlens_plan* plan, const char* text, const char** out) {
  return abi::status([&]() -> Result<void> {
    const yaml::ReadSpec other = yaml::readSpec(text, sampling::catalogue());
    if (!other.issues.empty()) return other.issues.front();
    std::string paths;
    for (const std::string& path : planDifferences(plan->plan.spec(), other.spec)) paths += path + "\n";
    *out = abi::lent(std::move(paths));
    return {};
  });
}

int32_t shardlens_plan_loader_cuts_batches(const shardlens_plan* plan, int32_t* out) {
  return abi::status([&]() -> Result<void> {
    // An order that can be shared lists no batches: whether it is one is known without an order of this process alone.
    const auto shared = plan->sharedOrder(Epoch{0}, Rank{0});
    if (!shared) return plan->placed(shared.error());
    const auto cuts = *shared != nullptr ? Result<bool>(plan->plan.rule().batching == sampling::loaderBatching)
                                         : plan->plan.loaderCutsBatches();
    if (!cuts) return plan->placed(cuts.error());
    *out = *cuts ? 1 : 0;
    return {};
  });
}

int32_t shardlens_plan_shape(const shardlens_plan* plan, int64_t epoch, int64_t rank, int64_t* steps,
                             int64_t* samples) {
  return abi::status([&]() -> Result<void> {
    if (auto there = plan->checkEpoch(epoch); !there) return there;
    if (auto there = plan->checkRank(rank); !there) return there;
    const auto shape = plan->plan.shape(Epoch{epoch}, Rank{rank});
    if (!shape) return plan->placed(shape.error());
    *steps = shape->batches;
    *samples = shape->samples;
    return {};
  });
}

int32_t shardlens_plan_seed(const shardlens_plan* plan, int64_t epoch, int64_t rank, uint64_t* out) {
  return abi::status([&]() -> Result<void> {
    if (auto there = plan->checkRank(rank); !there) return there;
    if (!isSeeded(plan->plan.spec())) return noSeeds(plan->plan.spec());
    *out = sampling::scriptSeed(plan->plan.spec(), Epoch{epoch}, Rank{rank});
    return {};
  });
}

int32_t shardlens_plan_seeds_each_epoch(const shardlens_plan* plan) {
  return sampling::seedsEachEpoch(plan->plan.spec()) ? 1 : 0;
}

// NOLINTNEXTLINE(readability-identifier-naming): what the C header calls it.
struct shardlens_share {
  RankEpoch epoch;                                ///< of the order, or of its places where the order is shared
  std::shared_ptr<const abi::SharedOrder> order;  ///< null: `epoch` has the ids

  [[nodiscard]] SampleIndex id(std::int64_t item) const {
    const std::int64_t found = epoch.sample(item);
    return order == nullptr ? found : order->ids()[static_cast<std::size_t>(found)];
  }
  [[nodiscard]] std::uint64_t fingerprint() const;
};

std::uint64_t shardlens_share::fingerprint() const {
  std::vector<SampleIndex> batches;
  std::vector<SampleIndex> ids;
  for (Step step{0}; step.value < epoch.batches(); ++step) {
    const RankEpoch::Range items = epoch.batch(step);
    ids.clear();
    for (std::int64_t k = items.first; k < items.last; ++k) ids.push_back(id(k));
    batches.push_back(static_cast<SampleIndex>(fingerprintOf(ids)));
  }
  return fingerprintOf(batches);  // as RankEpoch::fingerprint()
}

namespace {

Result<shardlens_share> drawn(const shardlens_plan& plan, Epoch epoch, Rank rank) {
  auto shared = plan.sharedOrder(epoch, rank);
  if (!shared) return plan.placed(shared.error());
  if (*shared != nullptr) {
    const auto places = Order::identity(static_cast<std::int64_t>((*shared)->ids().size()));
    return shardlens_share{plan.plan.rankEpochOver(places, epoch, rank), *std::move(shared)};
  }
  auto own = plan.plan.rankEpoch(epoch, rank);
  if (!own) return plan.placed(own.error());
  return shardlens_share{*std::move(own), nullptr};
}

}  // namespace

int32_t shardlens_share_open(const shardlens_plan* plan, int64_t epoch, int64_t rank, shardlens_share** out) {
  return abi::status([&]() -> Result<void> {
    if (auto there = plan->checkEpoch(epoch); !there) return there;
    if (auto there = plan->checkRank(rank); !there) return there;
    auto share = drawn(*plan, Epoch{epoch}, Rank{rank});
    if (!share) return share.error();
    *out = std::make_unique<shardlens_share>(*std::move(share)).release();
    return {};
  });
}

void shardlens_share_close(shardlens_share* share) {
  const std::unique_ptr<shardlens_share> owned(share);
}

int64_t shardlens_share_size(const shardlens_share* share) {
  return share->epoch.size();
}

int64_t shardlens_share_steps(const shardlens_share* share) {
  return share->epoch.batches();
}

int32_t shardlens_share_batch(const shardlens_share* share, int64_t step, int64_t* first, int64_t* last) {
  return abi::status([&]() -> Result<void> {
    if (step < 0 || step >= share->epoch.batches())
      return abi::wrongArgument("this rank has no step " + std::to_string(step) + " in this epoch.");
    const RankEpoch::Range items = share->epoch.batch(Step{step});
    *first = items.first;
    *last = items.last;
    return {};
  });
}

int32_t shardlens_share_ids(const shardlens_share* share, int64_t first, int64_t last, int64_t* ids) {
  return abi::status([&]() -> Result<void> {
    if (first < 0 || last < first || last > share->epoch.size())
      return abi::wrongArgument("items outside the share: it has " + std::to_string(share->epoch.size()) + ".");
    for (std::int64_t k = first; k < last; ++k) ids[k - first] = share->id(k);
    return {};
  });
}

uint64_t shardlens_share_fingerprint(const shardlens_share* share) {
  return share->fingerprint();
}

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
