// SPDX-License-Identifier: Apache-2.0
#include "tests/support/window_main.h"
#include "tests/ui/stage/worlds.h"
#include "ui/paint/stage_paint.h"
#include "ui/scene/lens/lanes.h"
#include "ui/scene/stage/layout.h"
#include "ui/scene/stage/legend.h"
#include "ui/scene/tabs/heat.h"
#include "ui/scene/theme.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <stop_token>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

StageGrid gridOf(const StageInput& input, const EpochFacts* facts, const StageAxis& steps, const StageAxis& ranks,
                 StageColour colour = StageColour::SamplePosition) {
  return stageGrid(input, facts, steps, ranks, colour, Theme::light());
}

qint64 count(const StageGrid& grid, bool StageCell::*mark) {
  return std::count_if(grid.cells.begin(), grid.cells.end(), [mark](const StageCell& cell) { return cell.*mark; });
}

}  // namespace

class StageSceneTest : public QObject {
  Q_OBJECT

 private slots:
  /// One padded batch among a million stays in sight at every zoom.
  void theWorstOfABinWins_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("height");
    for (const int width : {1, 7, 100, 1200}) {
      for (const int height : {1, 5, 64, 400}) QTest::addRow("%dx%d", width, height) << width << height;
    }
  }
  void theWorstOfABinWins() {
    QFETCH(int, width);
    QFETCH(int, height);
    static const StageInput input = worlds::strided(64, 16'000, 1, 1);
    const StageAxis steps{input.steps, 0, width / static_cast<double>(input.steps), width};
    const StageAxis ranks{64, 0, height / 64.0, height};
    const StageGrid grid = gridOf(input, nullptr, steps, ranks);
    QCOMPARE(count(grid, &StageCell::padding), 1);
    QVERIFY(grid.at(grid.rows - 1, grid.columns - 1).padding);
  }

  void oneDuplicateAmongManyStaysInSight() {
    std::vector<std::int64_t> first(50'000);
    std::vector<std::int64_t> second(50'000);
    std::iota(first.begin(), first.end(), 0);
    std::iota(second.begin(), second.end(), 50'000);
    second[31'337] = 4711;
    const StageInput input = worlds::ofOrders({first, second}, 100'000, 1);
    const auto facts = EpochFacts::compute(*input.epoch, input.dataset_size);
    QCOMPARE(facts->duplicateCells(0, 0, 50'000), 1);
    QCOMPARE(facts->duplicateCells(0, 4711, 4712), 1);
    QCOMPARE(facts->duplicateCells(1, 31'337, 31'338), 1);
    QCOMPARE(facts->duplicateCells(1, 0, 31'337), 0);
    QCOMPARE(facts->duplicateCells(1, 31'338, 50'000), 0);
    const StageGrid grid = gridOf(input, facts.get(), {50'000, 0, 0.01, 500}, {2, 0, 20, 40});
    QCOMPARE(count(grid, &StageCell::duplicate), 2);
    QVERIFY(grid.at(0, 47).duplicate);
    QVERIFY(grid.at(1, 313).duplicate);
  }

  /// One batch in 50 000 that is not the other plan's: a bin of a hundred steps shows it.
  void oneDifferenceAmongManyStaysInSight() {
    std::vector<std::int64_t> ids(50'000);
    std::iota(ids.begin(), ids.end(), 0);
    const StageInput reference = worlds::ofOrders({ids, ids}, 50'000, 1);
    std::vector<std::int64_t> other = ids;
    other[31'337] = 4711;
    StageInput input = worlds::ofOrders({ids, other}, 50'000, 1);
    input.differences = BatchDifferences::compute(*input.epoch, *reference.epoch);
    QCOMPARE(input.differences->batches(), 100'000);
    QCOMPARE(input.differences->differing(), 1);
    QCOMPARE(input.differences->first()->rank.value, 1);
    QCOMPARE(input.differences->first()->step.value, 31'337);
    const StageGrid grid = gridOf(input, nullptr, {50'000, 0, 0.01, 500}, {2, 0, 20, 40});
    QCOMPARE(count(grid, &StageCell::differs), 1);
    QVERIFY(grid.at(1, 313).differs);
  }

  void batchesThatOnlyOnePlanHasDiffer() {
    const StageInput reference = worlds::strided(2, 6, 2);
    const StageInput shorter = worlds::strided(2, 6, 3);
    const auto differences = BatchDifferences::compute(*shorter.epoch, *reference.epoch);
    QCOMPARE(differences->batches(), 6);
    QCOMPARE(differences->differing(), 6);
    const auto same = BatchDifferences::compute(*reference.epoch, *reference.epoch);
    QCOMPARE(same->differing(), 0);
    QVERIFY(!same->first());
  }

  /// Batches of any size, listed by the sampler itself, an empty one among them.
  void listedBatchesAreDrawnByTheirSize() {
    Deal deal;
    deal.shares = {{0, 6, 0, 0, 3}, {6, 4, 1, 3, 2}};
    deal.lists_batches = true;
    deal.batch_ends = {4, 4, 6, 9, 10};
    const OrderPtr order = Order::dealt(Order::identity(10), deal);
    auto epoch = std::make_shared<EpochPlan>();
    for (qint64 rank = 0; rank < 2; ++rank) {
      epoch->ranks.emplace_back(Rank{rank}, Epoch{0}, Slice::ofDeal(order, Rank{rank}),
                                Batching::listed(order->deal(), Rank{rank}), 0);
    }
    PipelineSpec spec;
    spec.dataset.size = 10;
    const StageInput input = stageInput(1, spec, epoch);
    QCOMPARE(input.steps, 3);
    const StageGrid grid = gridOf(input, nullptr, {3, 0, 22, 66}, {2, 0, 20, 40});
    QCOMPARE(grid.at(0, 0).fill, 1.0F);
    QVERIFY(grid.at(0, 1).fill > 0 && grid.at(0, 1).fill < 0.1F);
    QCOMPARE(grid.at(0, 2).fill, 0.5F);
    QCOMPARE(grid.at(1, 2).fill, 0.0F);
    QVERIFY(grid.at(1, 1).padding && !grid.at(1, 0).padding);
    QCOMPARE(input.padding->of(1).steps, std::vector<qint64>{1});
  }

  /// Two nodes with the same slices: every batch of every rank is a duplicate, also of the ranks that are not the
  /// first.
  void ranksWithTheSameSliceAreAllDuplicates() {
    auto epoch = std::make_shared<EpochPlan>();
    const OrderPtr order = Order::identity(12);
    for (qint64 rank = 0; rank < 4; ++rank) {
      epoch->ranks.emplace_back(Rank{rank}, Epoch{0}, Slice(order, rank % 2, 2, 6, 12), Batching::ofSize(2, false), 0);
    }
    const auto facts = EpochFacts::compute(*epoch, 12);
    for (qint64 rank = 0; rank < 4; ++rank) QCOMPARE(facts->duplicateCells(rank, 0, 3), 3);
    QCOMPARE(facts->seen(1), 4);
    QCOMPARE(facts->seen(3), 12);
  }

  /// A frame, with its legend and its tips, costs what it draws: padding is looked for once in a plan.
  void paddingIsListedOnceForEachRank() {
    const StageInput input = worlds::strided(64, 1000, 2, 40);
    const auto facts = EpochFacts::compute(*input.epoch, input.dataset_size);
    StageAxis steps{input.steps, 0, 22, 400};
    const StageAxis ranks{64, 0, 20, 1280};
    for (int frame = 0; frame < 50; ++frame) {
      steps.first = frame;
      const StageGrid grid = gridOf(input, facts.get(), steps, ranks, StageColour::Padding);
      auto entries = stageLegend(input, facts.get(), StageColour::Padding, true, Theme::light());
      placeLegend(entries, input, facts.get(), steps, ranks);
      QVERIFY(!cellTip(input, facts.get(), {63, input.steps - 1}).isEmpty());
    }
    QCOMPARE(input.padding->listed(), 64);
  }

  void paddingIsNoDuplicate() {
    const StageInput input = worlds::strided(4, 5, 2, 3);
    const auto facts = EpochFacts::compute(*input.epoch, input.dataset_size);
    for (qint64 rank = 0; rank < 4; ++rank) QCOMPARE(facts->duplicateCells(rank, 0, 3), 0);
    const StageGrid grid = gridOf(input, facts.get(), {3, 0, 22, 66}, {4, 0, 20, 80});
    QCOMPARE(count(grid, &StageCell::padding), 3);
    QVERIFY(!grid.at(0, 2).padding);
    QVERIFY(grid.at(1, 2).padding);
  }

  void theLastShortBatchIsPartlyFilledAndNobodysIsHollow() {
    const StageInput input = worlds::ofOrders({{0, 1, 2, 3, 4}, {5, 6}}, 7, 2);
    const StageGrid grid = gridOf(input, nullptr, {3, 0, 22, 66}, {2, 0, 20, 40});
    QCOMPARE(grid.at(0, 1).fill, 1.0F);
    QCOMPARE(grid.at(0, 2).fill, 0.5F);
    QCOMPARE(grid.at(1, 0).fill, 1.0F);
    QCOMPARE(grid.at(1, 1).fill, 0.0F);
    QCOMPARE(raggedNote(input), QStringLiteral("rank 1 runs out after 1 step"));
    QCOMPARE(raggedNote(worlds::strided(4, 8, 2)), QString());
  }

  /// The same picture of a dataset a thousand times as large looks at as many cells and reads no more ids.
  void thePriceOfAPictureDependsOnPixelsOnly() {
    const StageAxis ranks{8, 0, 30, 240};
    const auto price = [&ranks](qint64 items) {
      const StageInput input = worlds::strided(8, items, 4);
      const StageAxis steps{input.steps, 0, 600.0 / static_cast<double>(input.steps), 600};
      const StageGrid grid = gridOf(input, nullptr, steps, ranks);
      return std::pair(grid.cells.size(), grid.samples_read);
    };
    const auto small = price(40'000);
    QCOMPARE(small.first, std::size_t{600 * 8});
    QVERIFY(small.second <= 600 * 8 * 4);  // a batch of four samples is looked at as a whole
    QCOMPARE(price(40'000'000), small);
  }

  void cellsShowTheirSamplesAsFarAsThereIsRoom() {
    const StageInput input = worlds::strided(2, 4, 2);
    const StageGrid wide = gridOf(input, nullptr, {2, 0, 100, 200}, {2, 0, 40, 80});
    const std::vector<StageChip>& chips = wide.at(1, 1).chips;
    QCOMPARE(chips.size(), std::size_t{2});
    QCOMPARE(chips[0].sample, 5);
    QCOMPARE(chips[1].sample, 7);
    QCOMPARE(QColor(chips[1].colour), positionColor(Theme::light(), 1));
    const StageGrid low = gridOf(input, nullptr, {2, 0, 100, 200}, {2, 0, 24, 48});
    QVERIFY(low.at(1, 1).chips.empty());
    QCOMPARE(low.at(1, 1).label, QStringLiteral("5  7"));
    const StageGrid narrow = gridOf(input, nullptr, {2, 0, 20, 40}, {2, 0, 40, 80});
    QVERIFY(narrow.at(1, 1).chips.empty() && narrow.at(1, 1).label.isEmpty());
  }

  void aBatchsColourStandsForAllOfIt() {
    const StageInput input = worlds::ofOrders({{0, 99, 49, 50}, {90, 91, 92, 93}}, 100, 4);
    const StageGrid grid = gridOf(input, nullptr, {1, 0, 30, 30}, {2, 0, 30, 60});
    QCOMPARE(QColor(grid.at(0, 0).colour), positionColor(Theme::light(), std::round(255 * 0.5) / 255));
    QCOMPARE(grid.at(0, 0).low, 0.0F);
    QCOMPARE(grid.at(0, 0).high, 1.0F);
    QVERIFY(grid.at(1, 0).low > 0.9F && grid.at(1, 0).high < 0.95F);
  }

  void everyFillHasAnEdgeThatCanBeTold() {
    for (const Theme& theme : {Theme::light(), Theme::darkTheme()}) {
      for (qint64 rank = 0; rank < 96; ++rank) {
        const qint64 nodes = rank < 8 ? 1 : 12;
        const QColor fill = rankColor(theme, rank, {nodes, 8});
        QVERIFY(contrastOf(edgeOf(theme, fill), theme.panel) >= 2.95);
        QVERIFY(contrastOf(readableOn(fill), fill) >= 4.5);
      }
      for (int i = 0; i <= 10; ++i) {
        QVERIFY(contrastOf(edgeOf(theme, positionColor(theme, i / 10.0)), theme.panel) >= 2.95);
      }
    }
  }

  /// What is repeated, padding or lost has one colour everywhere, which can be told from what it is drawn on.
  void everyMarkHasOneColourThatCanBeTold() {
    const Theme& before = theme();
    for (const Theme* look : {&Theme::light(), &Theme::darkTheme()}) {
      setTheme(*look);
      for (const QColor& mark : {duplicateColor(*look), paddingColor(*look), neverColor()}) {
        QVERIFY(contrastOf(mark, look->panel) >= 3);
        QVERIFY(contrastOf(mark, look->window) >= 3);
      }
      QVERIFY(contrastOf(duplicateColor(*look), look->cell_empty) >= 3);
      QVERIFY(contrastOf(paddingColor(*look), look->cell_empty) >= 3);
      QVERIFY(contrastOf(neverColor(), mix(neverColor(), look->panel, 0.12)) >= 3);  // the cross on its cell
      QCOMPARE(shareColor(*look, ShareKind::Repeated), duplicateColor(*look));
      QCOMPARE(shareColor(*look, ShareKind::Lost), neverColor());
      for (const ShareKind kind : {ShareKind::Same, ShareKind::Moved, ShareKind::Fewer, ShareKind::Added}) {
        QVERIFY(contrastOf(edgeOf(*look, shareColor(*look, kind)), look->panel) >= 2.95);
      }
      QCOMPARE(HeatColours::forTone(HeatTone::Error).hot, duplicateColor(*look));
      QCOMPARE(HeatColours::forTone(HeatTone::Padding).hot, paddingColor(*look));
    }
    setTheme(before);
    const StageInput input = worlds::ofOrders({{0, 1}, {2, 0}}, 3, 1);
    const auto facts = EpochFacts::compute(*input.epoch, 3);
    const auto colourOf = [&](const StageInput& shown, StageColour mode, qint64 rank, qint64 step) {
      const StageGrid grid = gridOf(shown, facts.get(), {2, 0, 8, 16}, {2, 0, 8, 16}, mode);
      return QColor(grid.at(static_cast<int>(rank), static_cast<int>(step)).colour);
    };
    QCOMPARE(colourOf(input, StageColour::Duplicates, 0, 0), duplicateColor(Theme::light()));
    QCOMPARE(colourOf(input, StageColour::Duplicates, 0, 1), Theme::light().cell_empty);
    const StageInput padded = worlds::strided(2, 2, 1, 1);
    QCOMPARE(colourOf(padded, StageColour::Padding, 1, 1), paddingColor(Theme::light()));
  }

  /// Colours of nodes repeat after eight of them: a notch tells them apart.
  void repeatedHuesHaveANotch() {
    QCOMPARE(rankNotches(7, {8, 1}), 0);  // a hue each
    QCOMPARE(rankNotches(63, {8, 8}), 0);
    QCOMPARE(rankNotches(64, {9, 8}), 1);
    QCOMPARE(rankNotches(8, {9, 1}), 1);
    QCOMPARE(rankNotches(128, {128, 8}), 2);
    QCOMPARE(rankNotches(1023, {128, 8}), 3);
    StageInput input = worlds::strided(9, 2, 1);
    input.world = {9, 1};
    LayerKey key;
    key.epoch = input.epoch.get();
    key.steps = {2, 0, 20, 40};
    key.ranks = {9, 0, 20, 180};
    key.ratio = 1;
    key.colour = StageColour::Rank;
    const QImage image = stageLayer(key, input, nullptr)->dealt;
    const auto top = [&image](int rank) { return image.pixelColor(10, rank * 20 + 3); };
    QCOMPARE(top(0), rankColor(Theme::light(), 0, {9, 1}));
    QCOMPARE(image.pixelColor(10, 170), top(0));
    QCOMPARE(top(8), Theme::light().panel);
  }

  /// Rows of 9 px, and of 6: the colour of the batch is still the most of it.
  void theRingOfASmallCellLeavesItsColour() {
    const StageInput input = worlds::ofOrders({{0, 1, 0, 1}, {2, 3, 2, 3}}, 4, 2);
    const auto facts = EpochFacts::compute(*input.epoch, 4);
    for (const double row : {6.0, 6.4, 8.75}) {
      LayerKey key;
      key.epoch = input.epoch.get();
      key.facts = facts.get();
      key.steps = {2, 0, 21.6, 43};
      key.ranks = {2, 0, row, static_cast<int>(2 * row) + 1};
      key.ratio = 1;
      key.colour = StageColour::Rank;
      const QImage image = stageLayer(key, input, facts.get())->dealt;
      int kept = 0;
      int ring = 0;
      for (int y = 0; y < image.height(); ++y) {
        kept += image.pixelColor(10, y) == rankColor(Theme::light(), y < row ? 0 : 1, {1, 2});
        ring += image.pixelColor(10, y) == duplicateColor(Theme::light());
      }
      QCOMPARE(ring, 4);
      QVERIFY2(kept >= 2 * (static_cast<int>(row) - 4), qPrintable(QString("%1 of %2").arg(kept).arg(row)));
    }
  }

  void theTipNamesTheBatch() {
    const StageInput input = worlds::strided(2, 40, 20, 1);
    const QString tip = cellTip(input, nullptr, {1, 1});
    QVERIFY2(tip.startsWith("rank 1 · epoch 0 · step 1\n20 samples"), qPrintable(tip));
    QVERIFY2(tip.contains("41, 43, 45, 47, 49, 51, 53, 55, 57, 59, 61, 63, …"), qPrintable(tip));
    QVERIFY2(tip.contains("1 padding item"), qPrintable(tip));
  }

  void samplesAreFoundWhereverTheyGo() {
    const StageInput padded = worlds::strided(4, 5, 2, 3);  // sample 0 comes again as padding of rank 1
    QCOMPARE(findCells(*padded.epoch, {0}), (std::vector<CellAddress>{{0, 0}, {1, 2}}));
    const StageInput own = worlds::ofOrders({{0, 1, 2, 3}, {3, 4, 5, 0}}, 6, 2);
    QCOMPARE(findCells(*own.epoch, {0, 4}), (std::vector<CellAddress>{{0, 0}, {1, 0}, {1, 1}}));
    QVERIFY(findCells(*own.epoch, {99}).empty());
  }

  void stoppedWorkGivesNothing() {
    std::stop_source source;
    source.request_stop();
    const Work work{source.get_token(), {}};
    const StageInput input = worlds::strided(8, 100'000, 4);
    QVERIFY(EpochFacts::compute(*input.epoch, input.dataset_size, work) == nullptr);
    QVERIFY(stageGrid(input, nullptr, {100, 0, 5, 500}, {8, 0, 20, 160}, StageColour::Rank, Theme::light(), work)
                .cells.empty());
  }

  void everyColourOfTextCanBeRead() {
    const auto luminance = [](const QColor& colour) {
      const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
      return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
    };
    const auto contrast = [&luminance](const QColor& a, const QColor& b) {
      const auto [low, high] = std::minmax({luminance(a), luminance(b)});
      return (high + 0.05) / (low + 0.05);
    };
    for (const Theme* theme : {&Theme::light(), &Theme::darkTheme()}) {
      for (const QColor& ground : {theme->window, theme->panel}) {
        QVERIFY(contrast(theme->text, ground) >= 4.5);
        QVERIFY(contrast(theme->muted, ground) >= 4.5);
      }
    }
  }
};

SHARDLENS_WINDOW_TEST(StageSceneTest)
#include "stage_scene_test.moc"
