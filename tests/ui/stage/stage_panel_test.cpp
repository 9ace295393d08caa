// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/stage/stage_panel.h"

#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/stage/shown_panel.h"
#include "tests/ui/stage/worlds.h"
#include "ui/scene/stage/scene.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/stage/dataset_strip.h"
#include "ui/widgets/stage/legend_row.h"
#include "ui/widgets/stage/stage_view.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

using namespace shardlens;
using namespace shardlens::ui;

class StagePanelTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    installFonts();
    applyTheme(Theme::light());
  }

  /// Whoever jumps to a batch wants to see it, not the outline of one that is still to come.
  void theBatchThatIsGoneToIsDealt() {
    ShownStage shown(specOf(64, 2, 2));
    QVERIFY(shown.ready());
    shown.workspace.goTo({{1}, 0, 3, {}});
    QCOMPARE(shown.workspace.playback.step(), 3);
    QVERIFY(shown.panel.stage()->selected() == (CellAddress{1, 3}));
    EVENTUALLY(shown.panel.strip()->summary().contains("16 of 64"));  // four steps of both ranks
  }

  void afterAJumpWhatWasDealtIsLeftOfThePlayhead() {
    ShownStage shown(specOf(4000, 2, 2));
    QVERIFY(shown.ready());
    const StageView& stage = *shown.panel.stage();
    for (const qint64 step : {700, 300}) {
      shown.workspace.playback.seek(0, static_cast<double>(step));
      const double before = static_cast<double>(step) - stage.steps().first;
      QVERIFY2(before > stage.steps().shown() * 0.3 && before < stage.steps().shown() * 0.5,
               qPrintable(QString::number(before)));
    }
  }

  /// The Stage of the smallest window explains each mark that is in its cells.
  void theLegendExplainsEachMarkInTheSmallestWindow() {
    PipelineSpec spec = specOf(1'281'167, 8, 32);
    spec.world = {2, 4};
    spec.sampler.parameters["num_replicas"] = std::string("ranks_per_node");
    spec.sampler.parameters["rank"] = std::string("local_rank");
    ShownStage shown(spec);
    shown.panel.resize(470, 340);
    QVERIFY(shown.ready());
    const auto* legend = shown.panel.findChild<LegendRow*>();
    EVENTUALLY(legend->entries().size() >= 3);
    for (std::size_t i = 0; i < 3; ++i) QVERIFY2(!legend->entryOnScreen(i).isEmpty(), qPrintable(QString::number(i)));
  }

  /// Where each sample can be seen its colour says whose it is, until the user wants another.
  void fewSamplesAreColouredByTheirRank() {
    ShownStage few(specOf(16, 2, 2));
    QVERIFY(few.ready());
    QCOMPARE(few.panel.stage()->colour(), StageColour::Rank);
    ShownStage many(specOf(4000, 2, 2));
    QVERIFY(many.ready());
    QCOMPARE(many.panel.stage()->colour(), StageColour::SamplePosition);
    emit many.panel.findChild<ColourButton*>()->colourChosen(StageColour::Worker);
    many.workspace.document.reset(specOf(16, 2, 2));
    QVERIFY(many.ready());
    QCOMPARE(many.panel.stage()->colour(), StageColour::Worker);
  }

  void aPairRingsTheCellsThatItShares() {
    PipelineSpec spec = specOf(64, 4, 2);
    spec.world = {2, 2};
    spec.sampler.parameters["num_replicas"] = std::string("ranks_per_node");
    spec.sampler.parameters["rank"] = std::string("local_rank");
    ShownStage shown(spec);
    QVERIFY(shown.ready());
    StageView& stage = *shown.panel.stage();
    shown.workspace.selection.select({{0, 2}, 0, {}, {}});
    EVENTUALLY_EQUAL(stage.twins().size(), std::size_t{32});  // 16 steps of both
    QCOMPARE(stage.selectedRanks(), (std::vector<qint64>{0, 2}));
    for (const CellAddress& cell : stage.twins()) QVERIFY(cell.rank == 0 || cell.rank == 2);
    shown.workspace.selection.select({{0, 1}, 0, {}, {}});
    EVENTUALLY(stage.twins().empty());
  }

  /// 10 px between the ranks of two nodes: cells, hit tests, names and marks agree on where they are.
  void nodesStandApart() {
    PipelineSpec spec = specOf(640, 8, 2);
    spec.world = {2, 4};
    ShownStage shown(spec);
    QVERIFY(shown.ready());
    StageView& stage = *shown.panel.stage();
    const QRectF above = stage.cellFrame({3, 1});
    const QRectF below = stage.cellFrame({4, 1});
    const double within = stage.cellFrame({3, 1}).top() - stage.cellFrame({2, 1}).bottom();
    QVERIFY2(below.top() - above.bottom() >= within + 9, qPrintable(QString::number(below.top() - above.bottom())));
    for (qint64 rank = 0; rank < 8; ++rank) {
      const QPoint middle = stage.cellFrame({rank, 1}).center().toPoint();
      QVERIFY(stage.cellAt(middle) == (CellAddress{rank, 1}));
      const QPoint name(stage.cellsOnScreen().left() - 60, middle.y());
      QCOMPARE(stage.rankNameAt(name), std::optional(rank));
    }
    const QPoint between(static_cast<int>(above.center().x()), static_cast<int>((above.bottom() + below.top()) / 2));
    QVERIFY(!stage.cellAt(between));
    QVERIFY(stage.cellFrame({7, 1}).bottom() <= stage.cellsOnScreen().bottom() + 1);
    spec.world = {1, 8};
    shown.workspace.document.reset(spec);
    QVERIFY(shown.ready());
    EVENTUALLY(stage.input().world.nodes == 1);
    QCOMPARE(stage.ranks().gapShown(), 0.0);
  }

  void theStripSelectsTheSamplesUnderThePointer() {
    ShownStage shown(specOf(90'000, 4, 16));
    QVERIFY(shown.ready());
    const QPoint place(shown.panel.strip()->width() / 2, 10);
    QTest::mouseClick(shown.panel.strip(), Qt::LeftButton, {}, place);
    const Selected bin = shown.workspace.selection.current();
    QVERIFY(bin.sample && bin.samples > 1);
    QVERIFY(*bin.sample <= 45'000 && 45'000 <= *bin.sample + bin.samples);
    QTest::keyClick(shown.panel.strip(), Qt::Key_Down);
    QCOMPARE(shown.workspace.selection.current().sample, std::optional(*bin.sample + 1));
    QCOMPARE(shown.workspace.selection.current().samples, 1);
  }

  void theBatchesInViewAreCsv() {
    ShownStage shown(specOf(16, 2, 2));
    QVERIFY(shown.ready());
    const StageView& stage = *shown.panel.stage();
    const QStringList lines = stageCsv(stage.input(), stage.steps(), stage.ranks()).split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 9);  // 4 steps of 2 ranks
    const RankEpoch& rank = stage.input().epoch->ranks[1];
    const auto ids = rank.batchSamples(Step{2});
    QVERIFY(lines.contains(QString("0,1,2,-1,%1 %2").arg(ids[0]).arg(ids[1])));
  }

  void showsTheSeedExample() {
    ShownStage shown(PipelineSpec{});
    QVERIFY(shown.ready());
    QCOMPARE(shown.panel.stage()->input().steps, 4);
    QCOMPARE(shown.panel.stage()->input().outline, shown.workspace.plans.snapshot()->outline);  // counted by a worker
    QCOMPARE(shown.panel.strip()->summary(), QStringLiteral("epoch 0 (1st of 2) · 0 of 16 samples seen"));
    shown.workspace.playback.seek(0, 2);
    QCOMPARE(shown.panel.strip()->summary(), QStringLiteral("epoch 0 (1st of 2) · 8 of 16 samples seen"));
  }

  void aClickSelectsTheBatchUnderIt() {
    ShownStage shown(specOf(640, 4, 8));
    QVERIFY(shown.ready());
    shown.click({2, 6});
    const Selected expected{{2}, 0, 6, std::nullopt};
    QCOMPARE(shown.workspace.selection.current(), expected);
    QTest::mouseClick(shown.panel.stage(), Qt::LeftButton, {}, QPoint(20, shown.panel.stage()->height() - 3));
    QCOMPARE(shown.workspace.selection.current(), Selected{});
  }

  void aClickOnARankNameSelectsTheRank() {
    ShownStage shown(specOf(640, 4, 8));
    QVERIFY(shown.ready());
    StageView& stage = *shown.panel.stage();
    const QImage before = stage.grab().toImage();
    const QRect first = stage.cellOnScreen({2, 0});
    const QPoint name(first.left() - 30, first.center().y());
    QCOMPARE(stage.rankNameAt(name).value(), 2);
    QTest::mouseClick(&stage, Qt::LeftButton, {}, name);
    const Selected expected{{2}, 0, std::nullopt, std::nullopt};
    QCOMPARE(shown.workspace.selection.current(), expected);
    QVERIFY(stage.grab().toImage() != before);
  }

  void aChosenPairIsFramed() {
    ShownStage shown(specOf(640, 4, 8));
    QVERIFY(shown.ready());
    StageView& stage = *shown.panel.stage();
    const auto framed = [&stage](qint64 rank) {
      const QRect cell = stage.cellOnScreen({rank, 0});
      return stage.grab().toImage().pixelColor(cell.left() - 20, cell.top() + 1) == theme().accent;
    };
    shown.workspace.selection.select({{0, 3}, 0, std::nullopt, std::nullopt});
    QVERIFY(framed(0) && framed(3));
    QVERIFY(!framed(1) && !framed(2));
    shown.workspace.selection.clear();
    QVERIFY(!framed(0) && !framed(3));
  }

  void aClickIntoAStripOfManySamplesSelectsOneThere() {
    ShownStage shown(specOf(1'000'000, 4, 1000));
    QVERIFY(shown.ready());
    DatasetStrip& strip = *shown.panel.strip();
    QTest::mouseClick(&strip, Qt::LeftButton, {}, QPoint(strip.width() / 2, 5));
    const auto sample = shown.workspace.selection.current().sample;
    QVERIFY(sample.has_value());
    QVERIFY2(*sample > 490'000 && *sample < 510'000, qPrintable(QString::number(*sample)));
  }

  void arrowsMoveTheChosenCellAndElseThePlayhead() {
    ShownStage shown(specOf(640, 4, 8));
    QVERIFY(shown.ready());
    QTest::keyClick(shown.panel.stage(), Qt::Key_Right);
    QCOMPARE(shown.workspace.playback.position(), 1.0);
    shown.click({1, 3});
    QTest::keyClick(shown.panel.stage(), Qt::Key_Right);
    QTest::keyClick(shown.panel.stage(), Qt::Key_Down);
    QCOMPARE(shown.workspace.selection.current().ranks, std::vector<qint64>{2});
    QCOMPARE(shown.workspace.selection.current().step.value(), 4);
    QCOMPARE(shown.workspace.playback.position(), 1.0);
    QTest::keyClick(shown.panel.stage(), Qt::Key_Return);
    QCOMPARE(shown.workspace.playback.position(), 4.0);
    QTest::keyClick(shown.panel.stage(), Qt::Key_Escape);
    QCOMPARE(shown.workspace.selection.current(), Selected{});
  }

  void transportKeysWorkFromTheStage() {
    ShownStage shown(specOf(640, 4, 8));
    QVERIFY(shown.ready());
    Playback& playback = shown.workspace.playback;
    QTest::keyClick(shown.panel.stage(), Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(playback.position(), 10.0);
    QTest::keyClick(shown.panel.stage(), Qt::Key_End);
    QCOMPARE(playback.position(), 20.0);
    QTest::keyClick(shown.panel.stage(), Qt::Key_Home);
    QCOMPARE(playback.position(), 0.0);
    QTest::keyClick(shown.panel.stage(), Qt::Key_Space);
    QVERIFY(playback.isPlaying());
    QTest::keyClick(shown.panel.stage(), Qt::Key_Space);
    QVERIFY(!playback.isPlaying());
    QTest::keyClick(shown.panel.stage(), Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(playback.epoch(), 1);
    QVERIFY(shown.ready(1));
  }

  void aDoubleClickMovesThePlayhead() {
    ShownStage shown(specOf(640, 4, 8));
    QVERIFY(shown.ready());
    QTest::mouseDClick(shown.panel.stage(), Qt::LeftButton, {}, shown.panel.stage()->cellOnScreen({0, 7}).center());
    QCOMPARE(shown.workspace.playback.position(), 7.0);
  }

  void zoomKeysAndFit() {
    ShownStage shown(specOf(80'000, 4, 8));
    QVERIFY(shown.ready());
    StageView* stage = shown.panel.stage();
    const double pitch = stage->steps().pitch;
    QVERIFY(!stage->steps().showsAll());
    QTest::keyClick(stage, Qt::Key_Plus);
    QVERIFY(stage->steps().pitch > pitch);
    QTest::keyClick(stage, Qt::Key_F);
    QVERIFY(stage->steps().showsAll());
    QTest::keyClick(stage, Qt::Key_F);
    QCOMPARE(stage->steps().pitch, pitch);
  }

  void rowsAreZoomedByKeysAndByTheWheel() {
    ShownStage shown(specOf(80'000, 64, 8));
    QVERIFY(shown.ready());
    StageView* stage = shown.panel.stage();
    const double row = stage->ranks().pitch;
    const double step = stage->steps().pitch;
    QTest::keyClick(stage, Qt::Key_W, Qt::ShiftModifier);
    const double larger = stage->ranks().pitch;
    QVERIFY(larger > row);
    const QPointF at = QRectF(stage->cellsOnScreen()).center();
    QWheelEvent back(at, stage->mapToGlobal(at), {}, {-120, 0}, Qt::NoButton, Qt::AltModifier, Qt::NoScrollPhase,
                     false);
    QApplication::sendEvent(stage, &back);
    QVERIFY(stage->ranks().pitch < larger);
    QTest::keyClick(stage, Qt::Key_S, Qt::ShiftModifier);
    QVERIFY(stage->ranks().pitch < larger);
    QCOMPARE(stage->steps().pitch, step);
  }

  void thePageTurnsWithThePlayhead() {
    ShownStage shown(specOf(80'000, 4, 8));
    QVERIFY(shown.ready());
    shown.workspace.playback.play();
    shown.workspace.playback.advance(1000);
    const StageAxis& steps = shown.panel.stage()->steps();
    QVERIFY(steps.first <= 1000 && steps.first + steps.shown() > 1000);
    shown.panel.stage()->panSteps(-900);  // who scrolls away is left alone
    shown.workspace.playback.advance(1);
    QVERIFY(steps.first + steps.shown() < 1000);
    shown.workspace.playback.setSpeed(200);
    QVERIFY(steps.shown() >= 400);
    shown.workspace.playback.pause();
  }

  /// What is not drawn is not named, and what is drawn is.
  void theLegendSaysWhatIsDrawnWhilePausedAndSelected() {
    ShownStage shown(specOf(4096, 4, 32));
    QVERIFY(shown.ready());
    const auto words = [&] { return shown.panel.findChild<LegendRow*>()->accessibleDescription(); };
    QVERIFY(!words().contains("ribbon"));
    shown.workspace.playback.setSpeed(1);
    shown.workspace.playback.play();
    shown.workspace.playback.advance(0.3);
    QVERIFY2(words().contains("ribbon to its rank"), qPrintable(words()));
    shown.workspace.playback.pause();
    EVENTUALLY(shown.panel.isSettled());
    QVERIFY2(!words().contains("ribbon"), qPrintable(words()));
    QVERIFY(words().contains("not dealt yet"));
    QVERIFY(!words().contains("selected"));
    shown.click({1, 0});
    QVERIFY(words().contains("selected"));
    shown.workspace.selection.select({.ranks = {}, .epoch = {}, .step = {}, .sample = 12});
    shown.panel.stage()->toggleFit();
    EVENTUALLY(words().contains("holds sample 12"));
    shown.workspace.selection.clear();
    QVERIFY(!words().contains("selected") && !words().contains("holds"));
  }

  void selectingACellOfAnotherEpochGoesThere() {
    ShownStage shown(specOf(640, 4, 8));
    QVERIFY(shown.ready());
    shown.workspace.selection.select({{1}, 2, 5, std::nullopt});
    QVERIFY(shown.ready(2));
    QCOMPARE(shown.workspace.playback.epoch(), 2);
  }

  void aBrokenSpecKeepsTheLastPictureAndSaysWhy() {
    ShownStage shown(specOf(640, 4, 8));
    QVERIFY(shown.ready());
    PipelineSpec broken = specOf(640, 4, 8);
    broken.loader.batch_size = 0;
    shown.workspace.document.replace(broken, "break it");
    EVENTUALLY(shown.panel.stage()->notice().dims);
    QVERIFY(shown.panel.stage()->notice().text.contains("batch_size"));
    QCOMPARE(shown.panel.stage()->input().ranks(), 4);
    shown.workspace.document.replace(specOf(320, 2, 8), "mend it");
    QVERIFY(shown.ready());
    QCOMPARE(shown.panel.stage()->input().ranks(), 2);
  }

  void anEpochWithoutBatchesSaysSo() {
    PipelineSpec spec = specOf(3, 4, 8);
    spec.loader.drop_last = true;
    ShownStage shown(spec);
    EVENTUALLY_EQUAL(shown.panel.stage()->notice().title, QStringLiteral("No rank has a batch"));
  }

  void oneRankAndOneStep() {
    ShownStage shown(specOf(1, 1, 1));
    QVERIFY(shown.ready());
    shown.click({0, 0});
    QCOMPARE(shown.workspace.selection.current().step.value(), 0);
    QVERIFY(!shown.panel.grab().isNull());
  }

  /// Also at the ends of the strip, where half of it would be cut off, and never over the words above the bars.
  void theMarkOfASampleInTheStripIsWhole() {
    ShownStage shown(specOf(1000, 4, 8));
    QVERIFY(shown.ready());
    DatasetStrip& strip = *shown.panel.strip();
    const QImage plain = strip.grab().toImage();
    for (const qint64 sample : {0, 500, 999}) {
      strip.setHighlighted(sample, 1);
      const QImage marked = strip.grab().toImage();
      const int row = plain.height() / 2;
      QRect changed;
      for (int y = 0; y < plain.height(); ++y) {
        for (int x = 0; x < plain.width(); ++x) {
          if (marked.pixel(x, y) != plain.pixel(x, y)) changed |= QRect(x, y, 1, 1);
        }
      }
      QVERIFY(changed.top() >= 12);
      QVERIFY2(changed.width() >= 7, qPrintable(QString::number(changed.width())));
      for (const int x : {changed.left() + 1, changed.right() - 1}) {
        QCOMPARE(marked.pixelColor(x, row), theme().accent);
      }
    }
  }

  /// A column of the lens is resized when others come beside it, before or after its picture is there.
  void aSizeShowsTheSameStepsHoweverItCame() {
    const QSize wide(1000, 200);
    const QSize small(204, 120);
    const StageInput input = worlds::strided(4, 400, 5);  // 80 steps
    StageView early;
    StageView late;
    for (StageView* view : {&early, &late}) {
      view->setNarrow(true);
      view->show();
    }
    early.resize(wide);
    early.setInput(input);
    QVERIFY(early.steps().showsAll());
    early.resize(small);
    late.resize(small);
    late.setInput(input);
    QVERIFY(!late.steps().showsAll());
    QCOMPARE(early.steps().pitch, late.steps().pitch);
    late.resize(wide);
    QVERIFY(late.steps().showsAll());

    late.zoomSteps(3);
    const double zoomed = late.steps().pitch;
    late.resize(small);
    QCOMPARE(late.steps().pitch, zoomed);
    early.alignTo(late);
    QCOMPARE(early.steps().pitch, zoomed);
  }

  void aStripCellChoosesItsSample() {
    ShownStage shown(PipelineSpec{});
    QVERIFY(shown.ready());
    DatasetStrip* strip = shown.panel.strip();
    QTest::mouseClick(strip, Qt::LeftButton, {}, strip->sampleOnScreen(9).center());
    QCOMPARE(shown.workspace.selection.current().sample.value(), 9);
  }
};

SHARDLENS_WINDOW_TEST(StagePanelTest)
#include "stage_panel_test.moc"
