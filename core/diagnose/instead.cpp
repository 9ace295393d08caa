// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/instead.h"

#include "core/base/text.h"
#include "core/diagnose/proof_words.h"
#include "core/sampling/registry.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

namespace shardlens {
namespace {

constexpr std::size_t kMostWrong = 4;     ///< of one rank and epoch
constexpr std::size_t kMostPlaces = 256;  ///< the earliest ones
constexpr std::int64_t kMostEpochs = 32;  ///< whose orders are drawn
constexpr std::int64_t kMostSteps = 100'000;
constexpr std::size_t kMostNamed = 4;
constexpr std::size_t kMostFruitless = 4;  ///< places of which nothing is found; each costs the orders of all epochs

using Wrongs = std::vector<WrongBatches::Wrong>;

class Search {
 public:
  Search(const Plan& plan, const Work& work) : plan_(plan), work_(work) {}

  std::optional<Instead> of(std::int64_t rank, std::int64_t epoch, const Wrongs& wrongs) {
    const std::vector<std::int64_t> epochs = nearEpochs(epoch);
    for (const std::int64_t other : epochs) {
      if (other != epoch && has(rank, other, wrongs)) return answer(rank, epoch, rank, other, wrongs);
    }
    for (const std::int64_t of_epoch : epochs) {
      // A share of another epoch is looked for in the likely epochs alone.
      if (of_epoch != epoch && of_epoch != 0 && of_epoch != epoch - 1) continue;
      for (std::int64_t other = 0; other < plan_.worldSize(); ++other) {
        if (other != rank && has(other, of_epoch, wrongs)) return answer(rank, epoch, other, of_epoch, wrongs);
      }
    }
    return shifted(rank, epoch, wrongs);
  }

 private:
  static Instead answer(std::int64_t rank, std::int64_t epoch, std::int64_t got_rank, std::int64_t got_epoch,
                        const Wrongs& wrongs) {
    return {rank, epoch, got_rank, got_epoch, 0, static_cast<std::int64_t>(wrongs.size())};
  }

  /// The epoch itself, the first one, its neighbours, then the others in order.
  [[nodiscard]] std::vector<std::int64_t> nearEpochs(std::int64_t epoch) const {
    std::vector<std::int64_t> epochs = {epoch, 0, epoch - 1, epoch + 1};
    for (std::int64_t other = 1; other < std::min(plan_.epochs(), kMostEpochs); ++other) epochs.push_back(other);
    std::vector<std::int64_t> wanted;
    for (const std::int64_t one : epochs) {
      const bool is_new = std::find(wanted.begin(), wanted.end(), one) == wanted.end();
      if (is_new && one >= 0 && one < plan_.epochs()) wanted.push_back(one);
    }
    return wanted;
  }

  /// Null when the order cannot be had.
  const RankEpoch* slice(std::int64_t rank, std::int64_t epoch) {
    if (slice_ && slice_->rank().value == rank && slice_->epoch().value == epoch) return &*slice_;
    if (work_.stopped()) return nullptr;
    auto drawn = plan_.rankEpoch(Epoch{epoch}, Rank{rank}, work_);
    if (!drawn) return nullptr;
    slice_ = *std::move(drawn);
    return &*slice_;
  }

  [[nodiscard]] bool has(std::int64_t rank, std::int64_t epoch, const Wrongs& wrongs) {
    const RankEpoch* const of_plan = slice(rank, epoch);
    return of_plan != nullptr && holds(*of_plan, wrongs);
  }

  /// The rank's own batches, all of them so many steps too early or too late.
  std::optional<Instead> shifted(std::int64_t rank, std::int64_t epoch, const Wrongs& wrongs) {
    if (epoch >= plan_.epochs()) return std::nullopt;
    const RankEpoch* const own = slice(rank, epoch);
    if (own == nullptr) return std::nullopt;
    for (std::int64_t step = 0; step < std::min(own->batches(), kMostSteps); ++step) {
      if (own->batchFingerprint(Step{step}) != wrongs.front().fingerprint) continue;
      const std::int64_t later = step - wrongs.front().step;
      if (holds(*own, wrongs, later))
        return Instead{rank, epoch, rank, epoch, later, static_cast<std::int64_t>(wrongs.size())};
    }
    return std::nullopt;
  }

  const Plan& plan_;
  const Work& work_;
  std::optional<RankEpoch> slice_;
};

void keep(WrongBatches::Places& places, const WrongBatches::Place& place, const WrongBatches::Wrong& batch) {
  if (places.size() == kMostPlaces && place > std::prev(places.end())->first) return;
  const auto [kept, is_new] = places.try_emplace(place);
  if (kept->second.size() < kMostWrong) kept->second.push_back(batch);
  if (is_new && places.size() > kMostPlaces) places.erase(std::prev(places.end()));
}

// --- what it means --------------------------------------------------------------------------------------------------

words::Numbers numbersOf(const std::set<std::int64_t>& numbers) {
  return {numbers.begin(), numbers.end()};
}

/// Whether the sampler has to be told its epoch, and no batch shows that one of these ranks told it.
bool neverTold(const Plan& plan, const WrongBatches& wrong, const std::set<std::int64_t>& ranks) {
  const auto& right = wrong.rightPlaces();
  return !sampling::traitsOf(plan.spec()).set_epoch.empty() &&
         std::none_of(ranks.begin(), ranks.end(), [&wrong](std::int64_t rank) { return wrong.wasTold(rank); }) &&
         std::none_of(right.begin(), right.end(),
                      [&ranks](const auto& one) { return one.first.first > 0 && ranks.contains(one.first.second); });
}

/// Why one rank's share may come to all: a sampler divides by the rank that it is told, or draws by the rank's seed.
words::SharedBy sharedBy(const Plan& plan) {
  return sampling::traitsOf(plan.spec()).rank.empty() ? words::SharedBy::Seed : words::SharedBy::Argument;
}

/// Epochs that got the order of another one, all ranks or some.
std::string epochsText(const Plan& plan, const WrongBatches& wrong, const std::vector<Instead>& found) {
  std::set<std::int64_t> epochs;
  std::set<std::int64_t> ranks;
  std::set<std::int64_t> got;
  std::set<std::int64_t> later;
  for (const Instead& one : found) {
    epochs.insert(one.epoch);
    ranks.insert(one.rank);
    got.insert(one.got_epoch);
    later.insert(one.got_epoch - one.epoch);
  }
  const bool is_all = static_cast<std::int64_t>(ranks.size()) == plan.worldSize();
  const words::Numbers whose = is_all ? words::Numbers() : numbersOf(ranks);
  const words::Numbers when = numbersOf(epochs);
  if (got.size() == 1)
    return words::gotOrderOf(when, whose, *got.begin(), *got.begin() == 0 && neverTold(plan, wrong, ranks));
  return later.size() == 1 ? words::gotOrdersShifted(when, whose, *later.begin())
                           : words::gotOrdersOf(when, whose, numbersOf(got));
}

/// Ranks that read the share of another one.
std::string sharesText(const Plan& plan, const std::vector<Instead>& found) {
  std::set<std::pair<std::int64_t, std::int64_t>> pairs;
  std::set<std::int64_t> got;
  std::set<std::int64_t> ranks;
  for (const Instead& one : found) {
    pairs.insert({one.rank, one.got_rank});
    got.insert(one.got_rank);
    ranks.insert(one.rank);
  }
  if (got.size() == 1 && ranks.size() == pairs.size()) {
    const bool is_all = static_cast<std::int64_t>(ranks.size()) == plan.worldSize() - 1 && ranks.size() > 1;
    return words::readShareOf(numbersOf(ranks), *got.begin(), is_all ? sharedBy(plan) : words::SharedBy::Unknown);
  }
  const auto end = std::next(pairs.begin(), static_cast<std::ptrdiff_t>(std::min(pairs.size(), kMostNamed)));
  return words::readShares({pairs.begin(), end}, pairs.size() > kMostNamed);
}

}  // namespace

void WrongBatches::add(std::int64_t rank, std::int64_t epoch, std::int64_t step, std::uint64_t fingerprint) {
  keep(places_, {epoch, rank}, {step, fingerprint});
}

void WrongBatches::addRight(std::int64_t rank, std::int64_t epoch, std::int64_t step, std::uint64_t fingerprint) {
  keep(right_, {epoch, rank}, {step, fingerprint});
}

bool holds(const RankEpoch& slice, const std::vector<WrongBatches::Wrong>& batches, std::int64_t later) {
  return std::all_of(batches.begin(), batches.end(), [&slice, later](const WrongBatches::Wrong& batch) {
    const std::int64_t there = batch.step + later;
    return there >= 0 && there < slice.batches() && slice.batchFingerprint(Step{there}) == batch.fingerprint;
  });
}

std::vector<Instead> findInstead(const Plan& plan, const WrongBatches& wrong, const Work& work) {
  Search search(plan, work);
  std::vector<Instead> found;
  std::size_t fruitless = 0;
  for (const auto& [place, wrongs] : wrong.places()) {
    if (work.stopped() || fruitless == kMostFruitless) break;
    if (auto one = search.of(place.second, place.first, wrongs)) {
      found.push_back(*one);
    } else {
      ++fruitless;
    }
  }
  return found;
}

std::string insteadText(const Plan& plan, const WrongBatches& wrong, const std::vector<Instead>& found) {
  std::vector<Instead> epochs;
  std::vector<Instead> shares;
  std::vector<std::string> sentences;
  for (const Instead& one : found) {
    const bool is_own = one.rank == one.got_rank;
    if (is_own && one.epoch != one.got_epoch) {
      epochs.push_back(one);
    } else if (!is_own && one.epoch == one.got_epoch) {
      shares.push_back(one);
    } else if (sentences.size() < kMostNamed) {
      sentences.push_back(is_own ? words::aheadOfPlan(one.rank, one.later, one.epoch)
                                 : words::readShareOfEpoch(one.rank, one.epoch, one.got_rank, one.got_epoch));
    }
  }
  if (!shares.empty()) sentences.insert(sentences.begin(), sharesText(plan, shares));
  if (!epochs.empty()) sentences.insert(sentences.begin(), epochsText(plan, wrong, epochs));
  return join(sentences, " ");
}

}  // namespace shardlens
