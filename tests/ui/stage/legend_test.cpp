// SPDX-License-Identifier: Apache-2.0
// What the legend of the Stage explains: what is drawn and no more.
#include "ui/scene/stage/legend.h"

#include "tests/support/window_main.h"
#include "tests/ui/stage/worlds.h"
#include "ui/paint/legend_paint.h"
#include "ui/scene/stage/flight.h"
#include "ui/scene/stage/strip.h"
#include "ui/scene/theme.h"

#include <QImage>
#include <QPainter>
#include <QTest>

#include <algorithm>

using namespace shardlens;
using namespace shardlens::ui;

class LegendTest : public QObject {
  Q_OBJECT

 private slots:
  void theLegendExplainsWhatIsThereAndNoMore() {
    const auto marks = [](const StageInput& input, const EpochFacts* facts, StageColour colour, bool plays) {
      QStringList texts;
      for (const LegendEntry& entry : stageLegend(input, facts, colour, plays, Theme::light())) texts << entry.text;
      return texts;
    };
    const StageInput plain = worlds::strided(4, 8, 2);
    QCOMPARE(marks(plain, nullptr, StageColour::Rank, false), QStringList({"handed out, by rank"}));
    QVERIFY(marks(plain, nullptr, StageColour::Rank, true).contains("not dealt yet"));
    QVERIFY(marks(plain, nullptr, StageColour::Rank, true).contains("in flight"));
    const StageInput uneven = worlds::ofOrders({{0, 1, 2, 0}, {5, 6}}, 7, 2);
    const auto facts = EpochFacts::compute(*uneven.epoch, 7);
    QCOMPARE(marks(uneven, facts.get(), StageColour::Rank, false),
             QStringList({"handed out, by rank", "read more than once", "no batch"}));
  }

  /// Where the row has no room for all, what stands on half of the Stage is not what goes.
  void whatIsNotDealtYetComesBeforeWhatFlies() {
    const StageInput input = worlds::strided(4, 8, 2);
    const auto entries = stageLegend(input, nullptr, StageColour::SamplePosition, true, Theme::light());
    const auto at = [&](LegendMark mark) { return std::ranges::find(entries, mark, &LegendEntry::mark); };
    QVERIFY(at(LegendMark::Undealt) < at(LegendMark::Spread));
    QVERIFY(at(LegendMark::Undealt) < at(LegendMark::InFlight));
  }

  void marksOfWhatIsSelectedAreNamed() {
    const StageInput input = worlds::strided(4, 8, 2);
    const auto words = [&](const MarkedCells& marked) {
      auto entries = stageLegend(input, nullptr, StageColour::Rank, true, Theme::light());
      addMarkedCells(entries, marked, {4, 0, 30, 60}, {4, 0, 30, 120}, Theme::light());
      QStringList texts;
      for (const LegendEntry& entry : entries) texts << entry.text;
      return texts;
    };
    const std::vector<CellAddress> near{{1, 1}};
    const std::vector<CellAddress> far{{1, 3}};
    const QStringList none = words({});
    QVERIFY(!none.contains("selected"));
    QVERIFY(words({CellAddress{0, 1}, false, {}, {}, {}}).contains("selected"));
    QVERIFY(!words({CellAddress{0, 3}, false, {}, {}, {}}).contains("selected"));  // out of view
    QVERIFY(words({{}, true, {}, {}, {}}).contains("selected"));
    QVERIFY(words({{}, false, near, {}, {}}).contains("shares samples"));
    QCOMPARE(words({{}, false, far, far, {}}), none);
    QVERIFY(words({{}, false, {}, near, 12}).contains("holds sample 12"));
    QVERIFY(words({{}, false, {}, near, {}}).contains("holds the selected samples"));
  }

  void theBarOfABatchIsExplainedWhereItIsDrawn() {
    const StageInput input = worlds::strided(400, 2, 2);
    const auto explains = [&](double step_pitch, double rank_pitch) {
      auto entries = stageLegend(input, nullptr, StageColour::SamplePosition, false, Theme::light());
      placeLegend(entries, input, nullptr, {100, 0, step_pitch, 200}, {2, 0, rank_pitch, 80});
      return std::ranges::find(entries, LegendMark::Spread, &LegendEntry::mark) != entries.end();
    };
    QVERIFY(explains(20, 20));
    QVERIFY(!explains(8, 8));     // too small for a bar
    QVERIFY(!explains(130, 90));  // chips
  }

  void labelsColourTheirSamplesAndAreNamed() {
    StageInput input = worlds::ofOrders({{0, 1}, {2, 3}}, 4, 1);
    const auto legendOf = [](const StageInput& shown) {
      return stageLegend(shown, nullptr, StageColour::Label, false, Theme::light()).front();
    };
    QCOMPARE(legendOf(input).text, QString("samples have no labels"));
    input.labels = std::vector<std::int64_t>{7, 7, 2, 7};
    QCOMPARE(legendOf(input).text, QString("label 2, 7"));
    QCOMPARE(legendOf(input).colours.back(), labelColor(Theme::light(), 7));
    const StageGrid grid = stageGrid(input, nullptr, {2, 0, 8, 16}, {2, 0, 8, 16}, StageColour::Label, Theme::light());
    QCOMPARE(grid.at(0, 0).colour, labelColor(Theme::light(), 7).rgb());
    QCOMPARE(grid.at(1, 0).colour, labelColor(Theme::light(), 2).rgb());
  }

  void aMarkOutOfViewHasThePlaceWhereItIs() {
    const StageInput uneven = worlds::ofOrders({{0, 1, 2, 3, 4, 0}, {5, 6, 7}}, 8, 1);
    const auto facts = EpochFacts::compute(*uneven.epoch, 8);
    const auto placeOf = [&](LegendMark mark, const StageAxis& steps) {
      auto entries = stageLegend(uneven, facts.get(), StageColour::Rank, false, Theme::light());
      placeLegend(entries, uneven, facts.get(), steps, {2, 0, 30, 60});
      const auto found = std::ranges::find(entries, mark, &LegendEntry::mark);
      return found == entries.end() ? std::nullopt : found->place;
    };
    const StageAxis all{6, 0, 30, 180};
    const StageAxis middle{6, 1, 30, 60};
    QVERIFY(!placeOf(LegendMark::Ring, all));
    QVERIFY(!placeOf(LegendMark::NoBatch, all));
    QCOMPARE(placeOf(LegendMark::Ring, middle), std::optional(CellAddress{0, 0}));
    QCOMPARE(placeOf(LegendMark::NoBatch, middle), std::optional(CellAddress{1, 3}));
    QVERIFY(!placeOf(LegendMark::Hatch, middle));  // is nowhere: has no entry
  }

  /// Ribbons are explained whenever they are drawn, with how many ranks share one.
  void ribbonsAreExplainedExactly_data() {
    QTest::addColumn<int>("nodes");
    QTest::addColumn<int>("of_node");
    QTest::addColumn<QString>("words");
    QTest::newRow("8") << 1 << 8 << "ribbon to its rank";
    QTest::newRow("64") << 8 << 8 << "ribbon to its rank";
    QTest::newRow("65 nodes of one") << 65 << 1 << "one ribbon for each 2 ranks";
    QTest::newRow("128") << 16 << 8 << "one ribbon for each 8 ranks";
    QTest::newRow("1024") << 128 << 8 << "one ribbon for each 16 ranks";
  }
  void ribbonsAreExplainedExactly() {
    QFETCH(const int, nodes);
    QFETCH(const int, of_node);
    QFETCH(const QString, words);
    StageInput input = worlds::strided(qint64{nodes} * of_node, 256, 32);
    input.world = {nodes, of_node};
    const auto ofDeal = [&](LegendDeal deal) {
      QStringList texts;
      for (const LegendEntry& entry : stageLegend(input, nullptr, StageColour::Rank, true, Theme::light(), deal))
        texts << entry.text;
      return texts;
    };
    QVERIFY2(ofDeal(LegendDeal::Ribbons).contains(words), qPrintable(ofDeal(LegendDeal::Ribbons).join('|')));
    QVERIFY(!ofDeal(LegendDeal::Ribbons).contains("in flight"));
    QVERIFY(!ofDeal(LegendDeal::None).contains(words));
    QVERIFY(ofDeal(LegendDeal::Marks).contains("dealt in this step"));
    // As many ribbons are drawn as that says.
    const RibbonPlaces places{[](SampleIndex) { return 0.0; }, 0, 20,
                              [](CellAddress cell) { return QRectF(10, 30 + 10.0 * cell.rank, 8, 8); }, 2000};
    const auto ribbons = static_cast<qint64>(ribbonsAt(input, Theme::light(), 1.05, 1, places).size());
    QCOMPARE(ribbons, (input.ranks() + ranksOfRibbon(input) - 1) / ranksOfRibbon(input));
  }

  void repeatedHuesAreExplained() {
    StageInput input = worlds::strided(72, 4, 2);
    const auto notch = [&] {
      auto entries = stageLegend(input, nullptr, StageColour::Rank, false, Theme::light());
      placeLegend(entries, input, nullptr, {2, 0, 30, 60}, {72, 0, 10, 100});
      const auto found = std::ranges::find(entries, LegendMark::Notch, &LegendEntry::mark);
      return found == entries.end() ? std::optional<LegendEntry>() : *found;
    };
    input.world = {8, 9};
    QVERIFY(!notch());
    input.world = {9, 8};
    QVERIFY(notch());
    QCOMPARE(notch()->place, std::optional(CellAddress{64, 0}));  // out of view: a link
  }

  /// Where hues stand for nodes, the colours of the legend are those of nodes.
  void coloursOfManyRanksAreThoseOfNodes() {
    StageInput input = worlds::strided(16, 4, 2);
    input.world = {2, 8};
    const LegendEntry entry = stageLegend(input, nullptr, StageColour::Rank, false, Theme::light()).front();
    QCOMPARE(entry.text, QString("handed out, by node"));
    input.world = {1, 16};
    QCOMPARE(stageLegend(input, nullptr, StageColour::Rank, false, Theme::light()).front().colours.size(),
             std::size_t{2});
    QCOMPARE(entry.colours,
             (std::vector<QColor>{rankColor(Theme::light(), 0, {2, 8}), rankColor(Theme::light(), 8, {2, 8})}));
  }

  void everyMarkIsPainted() {
    const std::vector<QColor> rank = {rankColor(Theme::light(), 0, {1, 8})};
    for (int mark = 0; mark <= static_cast<int>(LegendMark::Lost); ++mark) {
      LegendEntry entry{static_cast<LegendMark>(mark), {}, {}, {}, rank};
      if (entry.mark == LegendMark::Scale) entry.colours.push_back(Qt::yellow);
      QImage image(80, 28, QImage::Format_RGB32);
      image.fill(Theme::light().panel);
      const QImage before = image;
      QPainter painter(&image);
      paintLegend(painter, image.rect(), {entry}, Theme::light());
      painter.end();
      QVERIFY2(image != before, qPrintable(QString::number(mark)));
    }
  }

  /// The strip says what a bar and its height stand for wherever a bar is more than one sample, also when it is full.
  void theStripSaysWhatABarStandsFor() {
    const auto scale = [](qint64 samples, qint64 steps_done, int width) {
      const StageInput input = worlds::strided(2, samples / 2, 2);
      const auto facts = EpochFacts::compute(*input.epoch, input.dataset_size);
      const auto columns = stripColumns(input, facts.get(), steps_done, width);
      return stripScale(columns, stripTop(columns));
    };
    const QString full = QString::fromUtf8(" · full height: 100 % of them handed out");
    QCOMPARE(scale(16, 1, 160), QString());
    QCOMPARE(scale(200, 50, 600), QString());
    QCOMPARE(scale(400, 100, 600), "one bar: 2 samples" + full);
    QCOMPARE(scale(500, 125, 600), "one bar: 2 or 3 samples" + full);
    QCOMPARE(scale(400, 0, 600), QString::fromUtf8("one bar: 2 samples · full height: 0.8 % of them handed out"));
    QVERIFY(scale(100'000, 25'000, 600).startsWith("one bar: 500 samples"));
    QVERIFY(scale(100'100, 25'025, 600).startsWith("one bar: about 501 samples"));
  }
};

SHARDLENS_WINDOW_TEST(LegendTest)
#include "legend_test.moc"
