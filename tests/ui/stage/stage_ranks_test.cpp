// SPDX-License-Identifier: Apache-2.0
// A frame and a change of the view ask the ranks in view, never all of them: with the others gone they show the same.
#include "tests/support/window_main.h"
#include "tests/ui/stage/worlds.h"
#include "ui/scene/stage/flight.h"
#include "ui/scene/stage/legend.h"
#include "ui/scene/theme.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

constexpr qint64 kRanks = 2000;
constexpr qint64 kSeen = 20;
constexpr qint64 kKept = 100;  ///< ranks that stay; a ribbon stands for 32

/// Two thousand ranks on nodes of eight. What is wrong with them is out of view: the last 40 ranks have padding, one
/// reads what another reads, and the last one runs out.
StageInput wideWorld() {
  constexpr qint64 kItems = 8;
  auto epoch = std::make_shared<EpochPlan>();
  const qint64 size = kRanks * kItems - 40;
  const OrderPtr order = Order::identity(size);
  for (qint64 rank = 0; rank < kRanks; ++rank) {
    const qint64 first = rank == 1500 ? 1400 : rank;
    const qint64 items = rank == kRanks - 1 ? kItems - 2 : kItems;
    epoch->ranks.emplace_back(Rank{rank}, Epoch{0}, Slice(order, first, kRanks, items, size),
                              Batching::ofSize(2, false), 0);
  }
  PipelineSpec spec;
  spec.dataset.size = size;
  spec.world = {kRanks / 8, 8};
  return stageInput(1, spec, epoch);
}

/// The same epoch without its ranks out of view, but for those that begin a run of alike ones.
StageInput withoutTheRest(const StageInput& whole) {
  auto epoch = std::make_shared<EpochPlan>(*whole.epoch);
  for (qint64 rank = kKept; rank < whole.ranks(); ++rank) {
    if (std::ranges::binary_search(whole.outline->alike, rank)) continue;
    epoch->ranks[static_cast<std::size_t>(rank)] =
        RankEpoch(Rank{rank}, Epoch{0}, Slice(Order::identity(1), 0, 1, 0, 1), Batching::ofSize(1, false), 0);
  }
  StageInput out = whole;
  out.epoch = epoch;
  out.padding = std::make_shared<const EpochPadding>(epoch);
  return out;
}

QRectF cellOf(CellAddress cell) {
  if (cell.rank >= kSeen) return {};
  return {20.0 * static_cast<double>(cell.step), 40 + 20.0 * static_cast<double>(cell.rank), 18, 18};
}

QRectF sampleAt(SampleIndex sample) {
  return {static_cast<double>(sample), 0, 1, 30};
}

std::vector<LegendEntry> placed(const StageInput& input, const EpochFacts* facts, const StageAxis& steps,
                                const StageAxis& ranks) {
  auto entries = stageLegend(input, facts, StageColour::Rank, true, Theme::light());
  placeLegend(entries, input, facts, steps, ranks);
  return entries;
}

bool hasMark(LegendMark mark, const StageInput& input, const EpochFacts& facts, CellAddress cell) {
  const RankEpoch& rank = input.epoch->ranks[static_cast<std::size_t>(cell.rank)];
  if (mark == LegendMark::NoBatch) return cell.step >= rank.batches();
  if (cell.step >= rank.batches()) return false;
  if (mark == LegendMark::Ring) return facts.duplicateCells(cell.rank, cell.step, cell.step + 1) > 0;
  const RankEpoch::Range range = rank.batch(Step{cell.step});
  for (qint64 k = range.first; k < range.last; ++k) {
    if (rank.isPadding(k)) return true;
  }
  return false;
}

/// Where placeLegend() says the first one is, found by a look at every cell.
std::optional<CellAddress> placeByEveryCell(LegendMark mark, const StageInput& input, const EpochFacts& facts,
                                            const StageAxis& steps, const StageAxis& ranks) {
  std::optional<CellAddress> first;
  for (qint64 rank = 0; rank < input.ranks(); ++rank) {
    for (qint64 step = 0; step < input.steps; ++step) {
      if (!hasMark(mark, input, facts, {rank, step})) continue;
      const bool seen = static_cast<double>(step) + 1 > steps.first && static_cast<double>(rank) + 1 > ranks.first &&
                        static_cast<double>(step) < steps.first + steps.shown() &&
                        static_cast<double>(rank) < ranks.first + ranks.shown();
      if (seen) return std::nullopt;
      if (!first) first = CellAddress{rank, step};
    }
  }
  return first;
}

/// A few ranks of uneven lengths, with repeated samples and padding here and there.
StageInput unevenWorld(std::mt19937& random) {
  auto epoch = std::make_shared<EpochPlan>();
  const OrderPtr order = Order::identity(40);
  const auto ranks = static_cast<qint64>(3 + random() % 6);
  for (qint64 rank = 0; rank < ranks; ++rank) {
    const auto first = static_cast<qint64>(random() % 30);
    const auto items = static_cast<qint64>(3 + random() % 8);
    const auto added_from = first + static_cast<qint64>(random() % 16);
    epoch->ranks.emplace_back(Rank{rank}, Epoch{0}, Slice(order, first, 1, items, added_from),
                              Batching::ofSize(2, false), 0);
  }
  PipelineSpec spec;
  spec.dataset.size = 40;
  spec.world = {1, ranks};
  return stageInput(1, spec, epoch);
}

}  // namespace

class StageRanksTest : public QObject {
  Q_OBJECT

 private slots:
  void theLegendAsksTheRanksInView() {
    const StageInput whole = wideWorld();
    const auto facts = EpochFacts::compute(*whole.epoch, whole.dataset_size);
    const StageInput rest = withoutTheRest(whole);
    const StageAxis steps{whole.steps, 0, 20, 80};
    const StageAxis ranks{kRanks, 0, 20, static_cast<int>(20 * kSeen)};
    const auto entries = placed(rest, facts.get(), steps, ranks);
    QVERIFY(entries == placed(whole, facts.get(), steps, ranks));
    const auto placeOf = [&](LegendMark mark) {
      const auto found = std::ranges::find(entries, mark, &LegendEntry::mark);
      return found == entries.end() ? std::nullopt : found->place;
    };
    QCOMPARE(placeOf(LegendMark::Ring), std::optional(CellAddress{1400, 0}));
    QCOMPARE(placeOf(LegendMark::Hatch), std::optional(CellAddress{1960, 3}));
    QCOMPARE(placeOf(LegendMark::NoBatch), std::optional(CellAddress{kRanks - 1, 3}));
    QCOMPARE(placeOf(LegendMark::Notch), std::optional(CellAddress{64, 0}));
    QCOMPARE(whole.padding->listed() + rest.padding->listed(), 0);
  }

  void whatFliesAsksTheRanksInView() {
    const StageInput whole = wideWorld();
    const StageInput rest = withoutTheRest(whole);
    for (const double position : {0.05, 1.3, 3.5, 3.59}) {
      QVERIFY(samplesInFlight(whole, position, 1) > 0);
      QCOMPARE(samplesInFlight(rest, position, 1), samplesInFlight(whole, position, 1));
    }
    QCOMPARE(samplesInFlight(whole, 3.01, 1), 2 * (kRanks - 1));
    const FlightPlaces places{sampleAt, cellOf, CellRoom(20, 20), {0, kSeen + 1}};
    const auto marks = dealMarks(rest, Theme::light(), 1, true, places);
    QCOMPARE(std::ssize(marks), kSeen);
    QVERIFY(marks == dealMarks(whole, Theme::light(), 1, true, {sampleAt, cellOf, CellRoom(20, 20)}));
  }

  void ribbonsAskTheRanksInView() {
    const StageInput whole = wideWorld();
    const StageInput rest = withoutTheRest(whole);
    RibbonPlaces places{[](SampleIndex sample) { return static_cast<double>(sample); }, 30, 36, cellOf, 4000};
    const auto all = ribbonsAt(whole, Theme::light(), 1.2, 1, places);
    places.ranks = {0, kSeen + 1};
    const auto seen = ribbonsAt(rest, Theme::light(), 1.2, 1, places);
    QCOMPARE(seen.size(), std::size_t{1});
    QCOMPARE(all.size(), seen.size());
    QVERIFY(all[0].ticks == seen[0].ticks && all[0].path == seen[0].path && all[0].cell == seen[0].cell);
    QCOMPARE(all[0].width, seen[0].width);
  }

  void singleSamplesAskTheRanksInView() {
    const StageInput whole = worlds::strided(500, 2, 1);
    const StageInput rest = withoutTheRest(whole);
    const auto deal = [](const StageInput& input, const RanksInView& ranks) {
      return dealAt(input, nullptr, StageColour::Rank, Theme::light(), 1.3, 1,
                    {sampleAt, cellOf, CellRoom(20, 20), ranks});
    };
    const DealFrame all = deal(whole, {});
    const DealFrame seen = deal(rest, {0, kSeen + 1});
    QCOMPARE(std::ssize(seen.flights), kSeen);
    QCOMPARE(seen.landings.size(), all.landings.size());
    QVERIFY(std::ranges::equal(seen.flights, all.flights, {}, &Flight::at, &Flight::at));
  }

  void theTurnOfAnEpochAsksTheRanksOfItsLines() {
    const StageInput whole = wideWorld();
    const TurnPlaces places{[](SampleIndex sample) { return static_cast<double>(sample) / 20; }, 30, 60, 0, 800};
    const EpochTurn all = turnAt(whole, Theme::light(), 0.6, places);
    const EpochTurn seen = turnAt(withoutTheRest(whole), Theme::light(), 0.6, places);
    QVERIFY(!all.lines.empty());
    QCOMPARE(seen.lines.size(), all.lines.size());
  }

  /// Whatever the view, the place of a mark is the one that a look at every cell finds.
  void marksHaveTheirPlaceInEveryView() {
    std::mt19937 random(7);
    int links = 0;
    for (int world = 0; world < 60; ++world) {
      const StageInput input = unevenWorld(random);
      const auto facts = EpochFacts::compute(*input.epoch, input.dataset_size);
      for (int view = 0; view < 40; ++view) {
        const StageAxis steps{input.steps, static_cast<double>(random() % input.steps), 20,
                              static_cast<int>(10 + random() % 60)};
        const StageAxis ranks{input.ranks(), static_cast<double>(random() % input.ranks()), 20,
                              static_cast<int>(10 + random() % 60)};
        for (const LegendEntry& entry : placed(input, facts.get(), steps, ranks)) {
          const bool known =
              entry.mark == LegendMark::Ring || entry.mark == LegendMark::Hatch || entry.mark == LegendMark::NoBatch;
          if (!known) continue;
          QCOMPARE(entry.place, placeByEveryCell(entry.mark, input, *facts, steps, ranks));
          links += entry.place ? 1 : 0;
        }
      }
    }
    QVERIFY(links > 100);
  }

  void theOutlineCountsWhatTheRanksSay() {
    std::mt19937 random(11);
    for (int world = 0; world < 60; ++world) {
      const StageInput input = unevenWorld(random);
      const EpochOutline& outline = *input.outline;
      qint64 items = 0;
      qint64 fewest = input.steps;
      for (const RankEpoch& rank : input.epoch->ranks) {
        items += rank.size();
        fewest = std::min<qint64>(fewest, rank.batches());
      }
      QCOMPARE(outline.items, items);
      QCOMPARE(outline.fewest_steps, fewest);
      QCOMPARE(input.isRagged(), !raggedNote(input).isEmpty());
      for (qint64 step = 0; step < input.steps; ++step) {
        qint64 samples = 0;
        for (qint64 rank = input.ranks() - 1; rank >= 0; --rank) {
          const RankEpoch& one = input.epoch->ranks[static_cast<std::size_t>(rank)];
          samples += step < one.batches() ? one.batch(Step{step}).size() : 0;
          QCOMPARE(input.samplesOf(step, rank, input.ranks()), samples);
        }
      }
    }
  }

  /// Batches of any size: no two ranks are taken for alike.
  void listedBatchesAreCountedRankByRank() {
    Deal deal;
    deal.shares = {{0, 6, 0, 0, 3}, {6, 6, 0, 3, 3}};
    deal.lists_batches = true;
    deal.batch_ends = {4, 5, 6, 10, 10, 12};
    const OrderPtr order = Order::dealt(Order::identity(12), deal);
    auto epoch = std::make_shared<EpochPlan>();
    for (qint64 rank = 0; rank < 2; ++rank) {
      epoch->ranks.emplace_back(Rank{rank}, Epoch{0}, Slice::ofDeal(order, Rank{rank}),
                                Batching::listed(order->deal(), Rank{rank}), 0);
    }
    const auto outline = EpochOutline::of(*epoch);
    QCOMPARE(outline->samplesOf(*epoch, Step{0}, 0, 2), 8);
    QCOMPARE(outline->samplesOf(*epoch, Step{1}, 0, 2), 1);
    QCOMPARE(outline->samplesOf(*epoch, Step{2}, 0, 2), 3);
    QCOMPARE(outline->samplesOf(*epoch, Step{2}, 1, 2), 2);
  }
};

SHARDLENS_WINDOW_TEST(StageRanksTest)
#include "stage_ranks_test.moc"
