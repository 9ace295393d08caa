// SPDX-License-Identifier: Apache-2.0
// The audit beside a twin that counts the slow and obvious way, over batches as lists of ids.
#include "core/audit/audit.h"
#include "core/audit/ledger.h"
#include "core/audit/overlap.h"
#include "core/audit/run_ledger.h"
#include "core/audit/seed_table.h"
#include "core/random/torch_generator.h"
#include "tests/support/random_seed.h"
#include "tests/support/small_spec.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

using namespace shardlens;

namespace {

const int kPlans = test::rounds(100);

/// What one rank is handed in an epoch.
struct Handed {
  std::vector<std::vector<SampleIndex>> batches;
  std::vector<SampleIndex> samples;
  [[nodiscard]] std::set<SampleIndex> distinct() const { return {samples.begin(), samples.end()}; }
};

Handed handedTo(const Plan& plan, std::int64_t epoch, std::int64_t rank) {
  const auto items = plan.rankEpoch(Epoch{epoch}, Rank{rank});
  REQUIRE(items);
  Handed handed;
  for (Step step{0}; step.value < items->batches(); ++step) {
    handed.batches.push_back(items->batchSamples(step));
    for (std::int64_t k = items->batch(step).first; k < items->batch(step).last; ++k) {
      handed.samples.push_back(items->sample(k));
    }
  }
  return handed;
}

Ledger slowLedger(const Plan& plan, std::int64_t epoch) {
  Ledger out;
  out.epoch = epoch;
  out.dataset_size = plan.spec().dataset.size;
  std::map<SampleIndex, std::int64_t> times;
  for (SampleIndex id = 0; id < out.dataset_size; ++id) times[id] = 0;
  for (std::int64_t rank = 0; rank < plan.worldSize(); ++rank) {
    const Handed handed = handedTo(plan, epoch, rank);
    for (const SampleIndex id : handed.samples) ++times[id];
    out.handed_out += static_cast<std::int64_t>(handed.samples.size());
  }
  out.times_seen.assign(1, 0);
  constexpr std::int64_t kMostTimes = 255;  // this often or more: Ledger::times_seen
  for (const auto& [id, count] : times) {
    const auto shown = static_cast<std::size_t>(std::min<std::int64_t>(count, kMostTimes));
    if (shown >= out.times_seen.size()) out.times_seen.resize(shown + 1, 0);
    ++out.times_seen[shown];
    if (count == 0) out.missing_ids.push_back(id);
    if (count > 1) out.duplicated_ids.push_back(id);
  }
  out.missing = static_cast<std::int64_t>(out.missing_ids.size());
  out.duplicated = static_cast<std::int64_t>(out.duplicated_ids.size());
  out.seen = out.dataset_size - out.missing;
  return out;
}

std::vector<SampleIndex> slowShared(const Handed& a, const Handed& b) {
  std::vector<SampleIndex> out;
  const auto left = a.distinct();
  const auto right = b.distinct();
  std::set_intersection(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(out));
  return out;
}

void checkOverlap(const Overlap& overlap, const std::vector<Handed>& handed) {
  REQUIRE(overlap.size == static_cast<std::int64_t>(handed.size()));
  for (std::size_t row = 0; row < handed.size(); ++row) {
    const auto same = std::find_if(handed.begin(), handed.end(),
                                   [&](const Handed& other) { return other.batches == handed[row].batches; });
    CHECK(overlap.same_as[row] == same - handed.begin());
    for (std::size_t column = 0; column < handed.size(); ++column) {
      CHECK(overlap.at(static_cast<std::int64_t>(row), static_cast<std::int64_t>(column)) ==
            static_cast<std::int64_t>(slowShared(handed[row], handed[column]).size()));
    }
  }
}

}  // namespace

TEST_CASE("coverage counts what a map counts") {
  test::SmallSpecs specs(1);
  for (int i = 0; i < kPlans; ++i) {
    const Plan plan = specs.next();
    CAPTURE(test::describe(plan.spec()));
    for (std::int64_t epoch = 0; epoch < plan.epochs(); ++epoch) {
      auto fast = ledgerOf(plan, Epoch{epoch});
      REQUIRE(fast);
      const Ledger slow = slowLedger(plan, epoch);
      CHECK(fast->handed_out == fast->seen + fast->repeats.total());
      CHECK(fast->dataset_size == fast->seen + fast->missing_by.total());
      fast->repeats = {};  // causes have a twin of their own: ledger_test.cpp
      fast->missing_by = {};
      fast->missing_ids_by = {};
      fast->padding_ids = {};
      CHECK(*fast == slow);
    }
  }
}

TEST_CASE("rank overlap counts what sets count, and lists the shared ids") {
  test::SmallSpecs specs(2);
  for (int i = 0; i < kPlans; ++i) {
    const Plan plan = specs.next();
    CAPTURE(test::describe(plan.spec()));
    std::vector<Handed> handed;
    for (std::int64_t rank = 0; rank < plan.worldSize(); ++rank) handed.push_back(handedTo(plan, 0, rank));
    const auto overlap = rankOverlap(plan, Epoch{0});
    REQUIRE(overlap);
    checkOverlap(*overlap, handed);
    const auto a = specs.below(plan.worldSize());
    const auto b = specs.below(plan.worldSize());
    const auto ids = sharedSamples(plan, Epoch{0}, Rank{a}, Rank{b});
    REQUIRE(ids);
    CHECK(*ids == slowShared(handed[static_cast<std::size_t>(a)], handed[static_cast<std::size_t>(b)]));
  }
}

TEST_CASE("epoch overlap and repeats see what comparing batches sees") {
  test::SmallSpecs specs(3);
  for (int i = 0; i < kPlans; ++i) {
    const Plan plan = specs.next();
    CAPTURE(test::describe(plan.spec()));
    std::vector<Handed> of_rank;
    std::vector<std::vector<std::vector<std::vector<SampleIndex>>>> whole;
    const Rank rank{specs.below(plan.worldSize())};
    for (std::int64_t epoch = 0; epoch < plan.epochs(); ++epoch) {
      of_rank.push_back(handedTo(plan, epoch, rank.value));
      whole.emplace_back();
      for (std::int64_t other = 0; other < plan.worldSize(); ++other)
        whole.back().push_back(handedTo(plan, epoch, other).batches);
    }
    const auto overlap = epochOverlap(plan, rank, Epoch{0}, plan.epochs());
    REQUIRE(overlap);
    checkOverlap(*overlap, of_rank);
    const auto repeats = epochRepeats(plan, plan.epochs());
    REQUIRE(repeats);
    REQUIRE(repeats->epochs == plan.epochs());
    bool has_empty = false;
    for (std::size_t epoch = 0; epoch < whole.size(); ++epoch) {
      const bool is_empty = std::ranges::all_of(whole[epoch], [](const auto& batches) {
        return std::ranges::all_of(batches, [](const auto& batch) { return batch.empty(); });
      });
      has_empty = has_empty || is_empty;
      const auto first = is_empty ? whole.begin() + static_cast<std::ptrdiff_t>(epoch)
                                  : std::find(whole.begin(), whole.end(), whole[epoch]);
      CHECK(repeats->same_as[epoch] == first - whole.begin());
    }
    CHECK(repeats->has_empty == has_empty);
  }
}

TEST_CASE("lockstep agrees with the lengths of the batch lists") {
  test::SmallSpecs specs(4);
  for (int i = 0; i < kPlans; ++i) {
    const Plan plan = specs.next();
    CAPTURE(test::describe(plan.spec()));
    const Lockstep steps = lockstep(*plan.epochShape(Epoch{0}));
    std::vector<std::int64_t> batches;
    for (std::int64_t rank = 0; rank < plan.worldSize(); ++rank) {
      batches.push_back(static_cast<std::int64_t>(handedTo(plan, 0, rank).batches.size()));
    }
    CHECK(steps.batches == batches);
    CHECK(steps.fewest == *std::min_element(batches.begin(), batches.end()));
    CHECK(steps.most == *std::max_element(batches.begin(), batches.end()));
    for (const std::int64_t rank : steps.first_out) CHECK(batches[static_cast<std::size_t>(rank)] == steps.fewest);
    CHECK(steps.first_out.empty() == (steps.fewest == steps.most));
  }
}

TEST_CASE("rules that say so give each rank as many items in every epoch") {
  test::SmallSpecs specs(11, true);
  for (int i = 0; i < kPlans; ++i) {
    const Plan plan = specs.next();
    if (!sampling::findRule(plan.spec().sampler.type)->same_shapes) continue;
    CAPTURE(test::describe(plan.spec()));
    for (Rank rank{0}; rank.value < plan.worldSize(); ++rank) {
      const auto first = plan.rankEpoch(Epoch{0}, rank);
      const auto last = plan.rankEpoch(Epoch{plan.epochs() - 1}, rank);
      REQUIRE((first && last));
      CHECK(first->size() == last->size());
      CHECK(first->batches() == last->batches());
    }
  }
}

TEST_CASE("the seed table agrees with drawing base seeds one by one") {
  test::SmallSpecs specs(5);
  for (int i = 0; i < kPlans; ++i) {
    const Plan plan = specs.next();
    const PipelineSpec& spec = plan.spec();
    if (spec.sampler.type != "torch.DistributedSampler") continue;  // draws nothing from the global generator
    CAPTURE(test::describe(spec));
    const SeedTable table = seedTable(plan, plan.epochs());
    if (spec.seeds.rule == "unseeded") {
      CHECK(table.rows.empty());
      continue;
    }
    REQUIRE(table.rows.size() ==
            static_cast<std::size_t>(plan.epochs() * plan.worldSize() * (1 + spec.loader.num_workers)));
    std::size_t row = 0;
    std::multiset<std::uint32_t> ranks;
    std::multiset<std::uint32_t> workers;
    for (std::int64_t epoch = 0; epoch < plan.epochs(); ++epoch) {
      for (std::int64_t rank = 0; rank < plan.worldSize(); ++rank) {
        const std::int64_t added = spec.seeds.rule == "base+rank"         ? rank
                                   : spec.seeds.rule == "base+local_rank" ? spec.localRankOf(Rank{rank})
                                   : spec.seeds.rule == "same"            ? 0
                                                                          : rank + epoch;
        const auto seed = static_cast<std::uint64_t>(spec.seeds.base + added);
        TorchGenerator generator(seed);
        const std::int64_t draws = spec.seeds.rule == "base+rank+epoch" ? 1 : epoch + 1;
        std::uint64_t base = 0;
        for (std::int64_t draw = 0; draw < draws; ++draw) base = static_cast<std::uint64_t>(generator.random63());
        CHECK(table.rows[row].seed == seed);
        if (epoch == 0) ranks.insert(table.rows[row].stream);
        ++row;
        for (std::int64_t worker = 0; worker < spec.loader.num_workers; ++worker, ++row) {
          CHECK(table.rows[row].worker == worker);
          CHECK(table.rows[row].seed == base + static_cast<std::uint64_t>(worker));
          if (epoch == 0) workers.insert(table.rows[row].stream);
        }
      }
    }
    const auto colliding = [](const std::multiset<std::uint32_t>& streams) {
      return std::count_if(streams.begin(), streams.end(),
                           [&](std::uint32_t stream) { return streams.count(stream) > 1; });
    };
    CHECK(table.colliding_ranks == colliding(ranks));
    CHECK(table.colliding_workers == colliding(workers));
    CHECK(table.distinct_ranks ==
          static_cast<std::int64_t>(std::set<std::uint32_t>(ranks.begin(), ranks.end()).size()));
    CHECK(table.distinct_workers ==
          static_cast<std::int64_t>(std::set<std::uint32_t>(workers.begin(), workers.end()).size()));
  }
}
