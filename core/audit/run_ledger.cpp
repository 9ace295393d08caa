// SPDX-License-Identifier: Apache-2.0
#include "core/audit/run_ledger.h"

#include "core/sampling/sampler_rule.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace shardlens {
namespace {

constexpr std::int64_t kMostItems = 10'000'000;  ///< that are drawn beyond the epochs that are drawn anyway

/// The samples of 0 .. size - 1 without a bit.
void listNever(const SeenSamples& ever, std::int64_t size, RunLedger& run) {
  std::int64_t read = 0;
  for (const std::uint64_t word : ever) read += std::popcount(word);
  run.never_read = size - read;
  const auto wanted = std::min<std::size_t>(kShownIds, static_cast<std::size_t>(run.never_read));
  for (SampleIndex id = 0; run.never_read_ids.size() < wanted; ++id) {
    const bool seen = (ever[static_cast<std::size_t>(id / 64)] >> (id % 64) & 1) != 0;
    if (!seen) run.never_read_ids.push_back(id);
  }
}

}  // namespace

Result<RunLedger> runLedger(const Plan& plan, std::span<const Ledger> counted, SeenSamples ever,
                            const EpochRepeats& repeats, bool later_epochs, const Work& work) {
  RunLedger run;
  run.first_epoch = counted.front().epoch;
  std::set<std::int64_t> known;
  for (const Ledger& ledger : counted) known.insert(repeats.firstLike(ledger.epoch));
  std::int64_t left = later_epochs ? kMostItems : 0;
  std::int64_t epoch = run.first_epoch + static_cast<std::int64_t>(counted.size());
  for (; epoch < plan.epochs(); ++epoch) {
    if (known.contains(repeats.firstLike(epoch))) continue;
    left -= std::max<std::int64_t>(counted.front().handed_out, counted.front().dataset_size);
    if (left < 0) break;
    const auto more = ledgerOf(plan, Epoch{epoch}, {work.stop, {}}, &ever);
    if (!more) return more.error();
    known.insert(repeats.firstLike(epoch));
  }
  run.epochs = epoch - run.first_epoch;
  listNever(ever, counted.front().dataset_size, run);
  return run;
}

namespace {

constexpr std::int64_t kMostKeys = 100'000;  ///< (epoch, rank) pairs whose orders are named
constexpr std::int64_t kRanksAtFirst = 64;   ///< whose first batches mostly tell epochs apart

using EpochName = std::vector<std::pair<sampling::OrderKey, std::int64_t>>;

/// The orders that the ranks draw from and how many items they take, by rank. Equal names are equal epochs: apart from
/// epochs that are cut short, a rank's view of its order depends on the spec only, and so do its batches.
EpochName nameOf(const Plan& plan, Epoch epoch) {
  const sampling::SamplerRule& rule = plan.rule();
  const bool counts = rule.shape != nullptr && !rule.same_shapes;  // what is always the same tells no epochs apart
  EpochName name;
  name.reserve(static_cast<std::size_t>(plan.worldSize()));
  for (Rank rank{0}; rank.value < plan.worldSize(); ++rank) {
    const std::int64_t items = counts ? rule.shape(plan.spec(), epoch, rank).count : 0;
    name.emplace_back(rule.key(plan.spec(), epoch, rank), items);
  }
  return name;
}

using Prints = std::vector<std::uint64_t>;

/// The first batches of the first ranks.
Result<Prints> firstBatches(const Plan& plan, Epoch epoch, const Work& work) {
  Prints prints;
  for (Rank rank{0}; rank.value < std::min(plan.worldSize(), kRanksAtFirst); ++rank) {
    const auto items = plan.rankEpoch(epoch, rank, work);
    if (!items) return items.error();
    prints.push_back(items->batches() > 0 ? items->batchFingerprint(Step{0}) : 0);
  }
  return prints;
}

Result<bool> handsOut(const Plan& plan, Epoch epoch, const Work& work) {
  for (Rank rank{0}; rank.value < plan.worldSize(); ++rank) {
    if (work.stopped()) return cancelled();
    const auto items = plan.rankEpoch(epoch, rank, work);
    if (!items) return items.error();
    if (items->handedOut() > 0) return true;
  }
  return false;
}

Result<Prints> allBatches(const Plan& plan, Epoch epoch, const Work& work) {
  Prints prints;
  for (Rank rank{0}; rank.value < plan.worldSize(); ++rank) {
    if (work.stopped()) return cancelled();
    const auto items = plan.rankEpoch(epoch, rank, work);
    if (!items) return items.error();
    prints.push_back(items->fingerprint());
  }
  return prints;
}

/// Epochs that were drawn, told apart by as few batches as it takes.
class DrawnEpochs {
 public:
  explicit DrawnEpochs(const Plan& plan) : plan_(plan) {}

  /// The earliest drawn epoch with the same batches, this one itself when there is none; nothing when it hands out
  /// nothing.
  Result<std::optional<std::int64_t>> firstLike(std::int64_t epoch, const Work& work) {
    auto first = firstBatches(plan_, Epoch{epoch}, work);
    if (!first) return first.error();
    const auto hands_out = handsOut(plan_, Epoch{epoch}, work);
    if (!hands_out) return hands_out.error();
    if (!*hands_out) return std::optional<std::int64_t>();
    std::vector<std::int64_t>& alike = by_first_[*std::move(first)];
    for (const std::int64_t other : alike) {
      const auto same = areEqual(other, epoch, work);
      if (!same) return same.error();
      if (*same) return std::optional(other);
    }
    alike.push_back(epoch);
    return std::optional(epoch);
  }

 private:
  Result<bool> areEqual(std::int64_t a, std::int64_t b, const Work& work) {
    for (const std::int64_t epoch : {a, b}) {
      if (whole_.contains(epoch)) continue;
      auto prints = allBatches(plan_, Epoch{epoch}, work);
      if (!prints) return prints.error();
      whole_[epoch] = *std::move(prints);
    }
    return whole_[a] == whole_[b];
  }

  const Plan& plan_;
  std::map<Prints, std::vector<std::int64_t>> by_first_;
  std::map<std::int64_t, Prints> whole_;
};

/// What drawing an epoch costs, in items.
std::int64_t itemsOf(const Plan& plan, const EpochName& name) {
  const sampling::SamplerRule& rule = plan.rule();
  std::vector<sampling::OrderKey> keys;
  std::int64_t items = 0;
  for (Rank rank{0}; rule.same_shapes && rank.value < plan.worldSize(); ++rank)
    items += rule.shape(plan.spec(), Epoch{0}, rank).count;
  for (const auto& [key, count] : name) {
    keys.push_back(key);
    items += count;
  }
  std::ranges::sort(keys);
  const auto orders = std::unique(keys.begin(), keys.end()) - keys.begin();
  return std::max(items, orders == 1 ? plan.spec().dataset.size : items);
}

}  // namespace

Result<EpochRepeats> epochRepeats(const Plan& plan, std::int64_t epochs, std::int64_t first_epoch, const Work& work) {
  constexpr std::int64_t kAlways = 2;
  const std::int64_t most =
      std::min({epochs, plan.epochs() - first_epoch, std::max<std::int64_t>(kAlways, kMostKeys / plan.worldSize())});
  EpochRepeats repeats{first_epoch, 0, {}, false};
  std::map<EpochName, std::optional<std::int64_t>> names;
  DrawnEpochs drawn(plan);
  std::int64_t left = kMostItems;
  for (std::int64_t epoch = first_epoch; epoch < first_epoch + most; ++epoch) {
    if (work.stopped()) return cancelled();
    const auto [name, is_new] = names.try_emplace(nameOf(plan, Epoch{epoch}), epoch);
    if (is_new) {
      left -= epoch < first_epoch + kAlways ? 0 : itemsOf(plan, name->first);
      if (left < 0) break;
      const auto first = drawn.firstLike(epoch, {work.stop, {}});
      if (!first) return first.error();
      name->second = *first;
    }
    repeats.same_as.push_back(name->second.value_or(epoch));
    repeats.has_empty = repeats.has_empty || !name->second;
  }
  repeats.epochs = static_cast<std::int64_t>(repeats.same_as.size());
  return repeats;
}

}  // namespace shardlens
