// SPDX-License-Identifier: Apache-2.0
// The ledger beside a twin with plain maps, over random specs of all samplers, the same in each run;
// SHARDLENS_TEST_SEED=SEED draws others.
#include "core/audit/ledger.h"

#include "core/audit/run_ledger.h"
#include "core/sampling/registry.h"
#include "tests/support/random_seed.h"
#include "tests/support/small_spec.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

using namespace shardlens;

namespace {

/// A place of an order: of which order, where; and, where an order is dealt, in whose share.
struct Place {
  sampling::OrderKey order;
  std::int64_t share = 0;
  std::int64_t position = 0;
  auto operator<=>(const Place&) const = default;
};

struct Reading {
  SampleIndex sample = 0;
  bool padding = false;
  bool filled = false;
  std::int64_t readers = 0;
};

/// What the ranks of an epoch are handed, place by place, and what they have without handing it out.
struct Account {
  std::int64_t handed_out = 0;
  std::map<std::vector<Place>, std::int64_t> alike;  ///< ranks by the places that they read, those that are not added
  std::map<Place, Reading> places;
  std::set<SampleIndex> cut_by_loader;
};

Account accountOf(const Plan& plan, Epoch epoch) {
  const sampling::SamplerRule& rule = *sampling::findRule(plan.spec().sampler.type);
  Account account;
  for (Rank rank{0}; rank.value < plan.worldSize(); ++rank) {
    const auto items = plan.rankEpoch(epoch, rank);
    REQUIRE(items);
    const auto& deal = items->slice().order()->deal();
    const std::int64_t filled = deal == nullptr ? 0 : deal->shareOf(rank).filled;
    std::set<std::int64_t> in_batches;
    for (Step step{0}; step.value < items->batches(); ++step) {
      for (std::int64_t k = items->batch(step).first; k < items->batch(step).last; ++k) in_batches.insert(k);
    }
    account.handed_out += static_cast<std::int64_t>(in_batches.size());
    std::vector<Place> own;
    for (std::int64_t k = 0; k < items->size(); ++k) {
      if (!in_batches.contains(k)) {
        account.cut_by_loader.insert(items->sample(k));
        continue;
      }
      const Place place{rule.key(plan.spec(), epoch, rank), deal == nullptr ? 0 : items->slice().first(),
                        items->position(k)};
      if (!items->slice().isAdded(k)) own.push_back(place);
      Reading& reading = account.places[place];
      reading = {items->sample(k), items->slice().isAdded(k), k >= items->size() - filled, reading.readers + 1};
    }
    ++account.alike[own];
  }
  return account;
}

using Repeats = CountByCause<RepeatCause, kRepeatCauses>;

Repeats repeatsOf(const Plan& plan, const Account& account) {
  const sampling::SamplerClaims claims = sampling::claimsOf(plan.spec());
  Repeats repeats;
  std::map<SampleIndex, std::vector<bool>> padded;
  std::set<std::tuple<sampling::OrderKey, std::int64_t, SampleIndex>> in_shares;
  std::set<std::pair<sampling::OrderKey, SampleIndex>> in_orders;
  std::set<SampleIndex> plain;
  std::int64_t places = 0;
  for (const auto& [place, reading] : account.places) {
    if (reading.padding) {
      auto& filled = padded[reading.sample];
      filled.insert(filled.end(), static_cast<std::size_t>(reading.readers), reading.filled);
      continue;
    }
    repeats[claims.same_place] += reading.readers - 1;
    ++places;
    in_shares.emplace(place.order, place.share, reading.sample);
    in_orders.emplace(place.order, reading.sample);
    plain.insert(reading.sample);
  }
  const auto sizeOf = [](const auto& set) { return static_cast<std::int64_t>(set.size()); };
  repeats[claims.in_order] += places - sizeOf(in_shares);
  repeats[claims.across_shares] += sizeOf(in_shares) - sizeOf(in_orders);
  repeats[RepeatCause::OverlappingRanks] += sizeOf(in_orders) - sizeOf(plain);
  if (claims.in_order == RepeatCause::DuplicatingWorkers) {
    // Workers duplicate on each rank, also on those that read what another rank reads.
    for (const auto& [own, ranks] : account.alike) {
      std::set<SampleIndex> distinct;
      for (const Place& place : own) distinct.insert(account.places.at(place).sample);
      const std::int64_t again = (ranks - 1) * (static_cast<std::int64_t>(own.size()) - sizeOf(distinct));
      repeats[claims.same_place] -= again;
      repeats[claims.in_order] += again;
    }
  }
  for (auto& [sample, filled] : padded) {
    std::sort(filled.begin(), filled.end());
    if (!plain.contains(sample)) filled.erase(filled.begin());  // its own place is cut: this is its first reading
    for (const bool fills : filled) ++repeats[fills ? RepeatCause::BatchFilling : claims.padding];
  }
  return repeats;
}

/// Never read in all epochs of the plan, which are few and short enough to be counted.
void checkRun(const Plan& plan) {
  SeenSamples ever;
  const auto first = ledgerOf(plan, Epoch{0}, {}, &ever);
  const auto repeats = epochRepeats(plan, plan.epochs());
  REQUIRE(first);
  REQUIRE(repeats);
  const auto run = runLedger(plan, {&*first, 1}, ever, *repeats);
  REQUIRE(run);
  std::set<SampleIndex> read;
  for (Epoch epoch{0}; epoch.value < plan.epochs(); ++epoch) {
    for (const auto& [place, reading] : accountOf(plan, epoch).places) read.insert(reading.sample);
  }
  CHECK(run->epochs == plan.epochs());
  CHECK(run->never_read == plan.spec().dataset.size - static_cast<std::int64_t>(read.size()));
  CHECK(static_cast<std::int64_t>(run->never_read_ids.size()) == run->never_read);
  for (const SampleIndex id : run->never_read_ids) CHECK(!read.contains(id));
}

/// How many items are marked as padding: by an epoch that is drawn as a whole, and by one that is drawn rank by rank.
void checkMarks(const Plan& plan, Epoch epoch, std::int64_t padding) {
  const auto whole = plan.epoch(epoch);
  const auto first = plan.firstReadings(epoch);
  REQUIRE(whole);
  REQUIRE(first);
  std::int64_t marked = 0;
  for (const RankEpoch& of_whole : whole->ranks) {
    const auto alone = plan.rankEpoch(epoch, of_whole.rank());
    REQUIRE(alone);
    const RankEpoch told = alone->withFirst(first->of(of_whole.rank()));
    CHECK(told.padding() == of_whole.padding());
    std::vector<std::int64_t> listed;
    for (std::int64_t k = 0; k < of_whole.handedOut(); ++k) {
      if (of_whole.isPadding(k)) listed.push_back(k);
    }
    CHECK(listed == of_whole.padding());
    marked += static_cast<std::int64_t>(listed.size());
  }
  CHECK(marked == padding);
}

void checkLedger(const Plan& plan, Epoch epoch) {
  const auto ledger = ledgerOf(plan, epoch);
  REQUIRE(ledger);
  const Account account = accountOf(plan, epoch);
  std::set<SampleIndex> seen;
  for (const auto& [place, reading] : account.places) seen.insert(reading.sample);
  CHECK(ledger->handed_out == account.handed_out);
  CHECK(ledger->seen == static_cast<std::int64_t>(seen.size()));
  CHECK(ledger->handed_out == ledger->seen + ledger->repeats.total());
  CHECK(ledger->dataset_size == ledger->seen + ledger->missing_by.total());
  CHECK(ledger->missing == ledger->missing_by.total());
  CHECK(ledger->repeats == repeatsOf(plan, account));
  checkMarks(plan, epoch, ledger->padding());
  std::int64_t cut = 0;
  for (const SampleIndex sample : account.cut_by_loader) cut += seen.contains(sample) ? 0 : 1;
  CHECK(ledger->missing_by[MissingCause::CutByLoader] >= cut);  // some samplers leave out themselves what it cuts
  CHECK(ledger->repeats[RepeatCause::NotExplained] == 0);
  CHECK(ledger->missing_by[MissingCause::NotExplained] == 0);
}

}  // namespace

TEST_CASE("the ledger of random specs of all samplers balances and explains everything") {
  const std::uint64_t seed = test::randomSeed();
  CAPTURE(seed);
  test::SmallSpecs specs(seed, true);
  for (int round = 0; round < test::rounds(1); ++round) {
    for (const sampling::SamplerRule& rule : sampling::rules()) {
      const Plan plan = specs.next(&rule);
      CAPTURE(test::describe(plan.spec()));
      for (Epoch epoch{0}; epoch.value < plan.epochs(); ++epoch) checkLedger(plan, epoch);
      checkRun(plan);
    }
  }
}

TEST_CASE("an order that repeats samples is told from one that does not, whatever its ids add up to") {
  // Found by Wagner's algorithm: the sums of 64 bits over the ids as SplitMix64 scrambles them are equal.
  constexpr std::array<std::int64_t, 8> kMissing = {25724, 67657, 72047, 86094, 86721, 118176, 123218, 128195};
  constexpr std::array<std::int64_t, 8> kRepeated = {26827, 29274, 37678, 59628, 74084, 99463, 113661, 118510};
  std::vector<std::int64_t> ids(131'072);
  std::iota(ids.begin(), ids.end(), std::int64_t{0});
  for (std::size_t i = 0; i < kMissing.size(); ++i) ids[static_cast<std::size_t>(kMissing[i])] = kRepeated[i];
  PipelineSpec spec;
  spec.dataset.size = static_cast<std::int64_t>(ids.size());
  spec.world = {1, 1};
  spec.seeds = {0, "same"};
  spec.sampler = {"torch.SubsetRandomSampler", {{"indices", IndexList(std::move(ids))}}};
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  const auto ledger = ledgerOf(*plan, Epoch{0});
  REQUIRE(ledger);
  CHECK(ledger->seen == spec.dataset.size - 8);
  CHECK(ledger->repeats.total() == 8);
  CHECK(std::ranges::equal(ledger->missing_ids, kMissing));
}

TEST_CASE("the ledger balances and explains everything on nodes with different numbers of ranks") {
  const std::uint64_t seed = test::randomSeed();
  CAPTURE(seed);
  test::SmallSpecs specs(seed, true);
  specs.drawUnequalNodes();
  for (const sampling::SamplerRule& rule : sampling::rules()) {
    if (rule.traits.num_replicas.empty()) continue;
    for (int round = 0; round < test::rounds(20); ++round) {
      const Plan plan = specs.next(&rule);
      CAPTURE(test::describe(plan.spec()));
      for (Epoch epoch{0}; epoch.value < plan.epochs(); ++epoch) checkLedger(plan, epoch);
    }
  }
}

TEST_CASE("every cause has a name of its own") {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kRepeatCauses; ++i) names.insert(causeName(static_cast<RepeatCause>(i)));
  CHECK(names.size() == kRepeatCauses);
  names.clear();
  for (std::size_t i = 0; i < kMissingCauses; ++i) names.insert(causeName(static_cast<MissingCause>(i)));
  CHECK(names.size() == kMissingCauses);
}

TEST_CASE("lists of ids stop at a thousand, counts do not") {
  PipelineSpec spec;
  spec.dataset.size = 10'000;
  spec.world = {1, 2};
  spec.sampler.parameters["num_replicas"] = std::int64_t{4};
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  const auto ledger = ledgerOf(*plan, Epoch{0});
  REQUIRE(ledger);
  CHECK(ledger->missing == 5000);
  REQUIRE(ledger->missing_ids.size() == kShownIds);
  CHECK(std::is_sorted(ledger->missing_ids.begin(), ledger->missing_ids.end()));
}
