// SPDX-License-Identifier: GPL-3.0-or-later
// The rounds of an all_reduce: what is shown of them, and the tab on a real workspace.
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "ui/widgets/common/fields.h"
#include "ui/widgets/common/state_pane.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/stage/transport_bar.h"
#include "ui/widgets/tabs/all_reduce_view.h"

#include <QApplication>
#include <QHelpEvent>
#include <QImage>
#include <QTest>
#include <QToolTip>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

schedule::AllReduce callOf(std::vector<std::vector<double>> given, schedule::Reduction reduction) {
  schedule::AllReduce call;
  for (std::size_t rank = 0; rank < given.size(); ++rank) call.ranks.push_back(Rank{static_cast<std::int64_t>(rank)});
  call.given = std::move(given);
  call.reduction = reduction;
  return call;
}

schedule::AllReduce withoutValues(std::int64_t ranks, std::int64_t bytes) {
  schedule::AllReduce call;
  for (Rank rank{0}; rank.value < ranks; ++rank) call.ranks.push_back(rank);
  call.bytes = bytes;
  return call;
}

QStringList valuesAt(const ReduceRounds& rounds, std::size_t done) {
  QStringList values;
  for (const ReduceRow& row : rounds.rows[done]) values += row.values;
  return values;
}

QStringList sentIn(const ReduceRounds& rounds, std::size_t round) {
  QStringList sent;
  for (const ReduceArrow& arrow : rounds.arrows[round])
    sent += QString("%1>%2 %3").arg(arrow.from).arg(arrow.to).arg(arrow.label);
  return sent;
}

}  // namespace

class AllReduceTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    installFonts();
    applyTheme(Theme::light());
  }

  void twoRanksHaveTheSumAfterTwoRounds() {
    const AllReduceScene scene = allReduceScene(callOf({{1, 2}, {3, 4}}, schedule::Reduction::Sum));
    QCOMPARE(scene.title, QString("all_reduce (sum) · ranks 0 and 1 · [1, 2] + [3, 4] = [4, 6]"));
    QCOMPARE(scene.sentences,
             QStringList("A binomial tree would take 2 rounds, the ring 2; the two ranks that exchange "
                         "most exchange 16 bytes in the tree, 16 in the ring, both ways together."));
    QCOMPARE(scene.ranks, (QStringList{"0", "1"}));
    QCOMPARE(scene.rounds(), std::size_t{2});
    const ReduceRounds& ring = scene.drawn[0];
    QCOMPARE(ring.phases, (QStringList{"reduce-scatter", "all-gather"}));
    QCOMPARE(sentIn(ring, 0), (QStringList{"0>1 chunk 0: [1]", "1>0 chunk 1: [4]"}));
    QCOMPARE(sentIn(ring, 1), (QStringList{"0>1 chunk 1: [6]", "1>0 chunk 0: [4]"}));
    QCOMPARE(valuesAt(ring, 0), (QStringList{"[1, 2]", "[3, 4]"}));
    QCOMPARE(valuesAt(ring, 1), (QStringList{"[1, 6]", "[4, 4]"}));
    QCOMPARE(valuesAt(ring, 2), (QStringList{"[4, 6]", "[4, 6]"}));
    QCOMPARE(ring.rows[1][0].chunks[1].text, QString("6"));
    QCOMPARE(ring.rows[1][0].chunks[1].share, 1.0);
    QCOMPARE(ring.rows[1][0].chunks[0].share, 0.5);
    const ReduceRounds& tree = scene.drawn[1];
    QCOMPARE(tree.phases, (QStringList{"reduce", "broadcast"}));
    QCOMPARE(sentIn(tree, 0), QStringList("1>0 [3, 4]"));
    QCOMPARE(sentIn(tree, 1), QStringList("0>1 [4, 6]"));
    QCOMPARE(valuesAt(tree, 2), (QStringList{"[4, 6]", "[4, 6]"}));
    QCOMPARE(reduceHead(ring, 0), QString("Ring · round 1 of 2: reduce-scatter"));
    QCOMPARE(reduceHead(ring, 2), QString("Ring · done after 2 rounds"));
  }

  void aMeanIsDividedBeforeItIsGatheredAndWholeNumbersHaveANote() {
    schedule::AllReduce call = callOf({{1, 2}, {3, 4}}, schedule::Reduction::Avg);
    const AllReduceScene scene = allReduceScene(call);
    QVERIFY(scene.title.endsWith("[1, 2], [3, 4] → [2, 3]"));
    QVERIFY(scene.tip.endsWith("\n[1, 2]\n[3, 4]\n→ [2, 3]"));
    QCOMPARE(scene.drawn[0].phases, (QStringList{"reduce-scatter", "all-gather, each sum divided by 2"}));
    QCOMPARE(scene.drawn[1].phases, (QStringList{"reduce", "broadcast, each sum divided by 2"}));
    QCOMPARE(sentIn(scene.drawn[0], 1), (QStringList{"0>1 chunk 1: [3]", "1>0 chunk 0: [2]"}));
    for (const ReduceRounds& rounds : scene.drawn) QCOMPARE(valuesAt(rounds, 2), (QStringList{"[2, 3]", "[2, 3]"}));
    QCOMPARE(scene.sentences.size(), 2);
    QVERIFY(scene.sentences[1].contains("`tensor = tensor / n`, where n is the number of ranks of the group"));
    call.are_whole = false;
    QCOMPARE(allReduceScene(call).sentences.size(), 1);
    QVERIFY(allReduceScene(callOf({{1, 2}}, schedule::Reduction::Sum)).sentences.isEmpty());
  }

  void fiveRanksWithoutValuesSendNumberedChunks() {
    const AllReduceScene scene = allReduceScene(withoutValues(5, 1'000'000));
    QCOMPARE(scene.title, QString::fromUtf8("all_reduce (sum) · ranks 0 to 4 · 1\u202f000\u202f000 bytes"));
    QCOMPARE(scene.rounds(), std::size_t{8});
    const ReduceRounds& ring = scene.drawn[0];
    QCOMPARE(sentIn(ring, 0), (QStringList{"0>1 chunk 0", "1>2 chunk 1", "2>3 chunk 2", "3>4 chunk 3", "4>0 chunk 4"}));
    QCOMPARE(ring.rows[4][0].chunks[1].share, 1.0);
    const ReduceRounds& tree = scene.drawn[1];
    QCOMPARE(tree.rounds(), std::size_t{6});
    QCOMPARE(sentIn(tree, 0), (QStringList{"1>0 all chunks", "3>2 all chunks"}));
    for (const ReduceRounds& rounds : scene.drawn) {
      for (const ReduceRow& row : rounds.rows.back()) {
        QVERIFY(row.values.isEmpty());
        for (const ReduceChunk& chunk : row.chunks) QCOMPARE(chunk.share, 1.0);
      }
    }
    QCOMPARE(reduceWords(scene, tree, 8), QString("Tree · done after 6 rounds"));
  }

  void moreRanksThanAreDrawnHaveTheNumbersAlone() {
    QCOMPARE(allReduceScene(withoutValues(16, 4000)).drawn.size(), std::size_t{2});
    const AllReduceScene scene = allReduceScene(withoutValues(1024, 4096));
    QVERIFY(scene.drawn.empty());
    QVERIFY(scene.sentences[0].startsWith("A binomial tree would take 20 rounds"));
    QVERIFY(scene.sentences[0].contains("8\u202f192 bytes in the tree, 8\u202f184 in the ring"));
    QCOMPARE(scene.sentences[1], QString("The rounds are drawn for groups of up to 16 ranks."));
    const schedule::AllReduce given = callOf(std::vector<std::vector<double>>(17, {1, 2}), schedule::Reduction::Sum);
    QCOMPARE(allReduceScene(given).title, QString("all_reduce (sum) · ranks 0 to 16"));
  }

  void theCallThatIsShownStaysWhenTheScheduleIsEdited() {
    schedule::AllReduce first = withoutValues(2, 1000);
    schedule::AllReduce second = callOf({{1, 2}, {3, 4}}, schedule::Reduction::Sum);
    second.line = 1;
    AllReduceView view;
    view.setCalls({first, second});
    auto* choice = view.findChild<QComboBox*>("allReduces");
    choice->setCurrentIndex(0);
    QTest::keyClick(&view.rounds(), Qt::Key_Right);
    second.given[0][0] = 5;
    view.setCalls({first, second});
    QCOMPARE(choice->currentIndex(), 0);
    QCOMPARE(view.rounds().done(), std::size_t{1});
    first.bytes = 2000;
    view.setCalls({first, second});
    QCOMPARE(choice->currentIndex(), 0);
    QCOMPARE(view.rounds().done(), std::size_t{0});
    view.setCalls({second});
    QVERIFY(view.text().contains("[5, 2]"));
  }

  void aTipHasTheValuesOfTheRowUnderTheMouse() {
    AllReduceView view;
    view.setCalls({callOf({{1, 2}, {3, 4}}, schedule::Reduction::Sum)});
    view.resize(680, 300);
    view.show();
    RoundsView& rounds = view.rounds();
    const auto tip = [&rounds](QPoint place) {
      QHelpEvent help(QEvent::ToolTip, place, rounds.mapToGlobal(place));
      QApplication::sendEvent(&rounds, &help);
      return QToolTip::text();
    };
    const QPoint second(20, rounds.heightForWidth(680) * 5 / 12);  // the ring's: two areas of a head and two rows
    QVERIFY2(tip(second).startsWith("rank 1 has [3, 4]\nafter this round: [4, 4]\n"), qPrintable(tip(second)));
    QVERIFY(tip({20, 2}).startsWith("The more ranks"));
    QTest::keyClick(&rounds, Qt::Key_End);
    QVERIFY2(tip(second).startsWith("rank 1 has [4, 6]\nThe more ranks"), qPrintable(tip(second)));
  }

  void aScheduleWithDdpHasOneToo() {
    PipelineSpec spec;
    QVERIFY(!hasAllReduce(spec));
    spec.schedule = {{.what = "barrier"}};
    QVERIFY(!hasAllReduce(spec));
    spec.schedule.push_back({.what = "ddp"});
    QVERIFY(hasAllReduce(spec));
  }

  void theTabFollowsTheDesign() {
    Workspace workspace;
    AllReduceTab tab(workspace);
    tab.resize(680, 200);
    tab.show();
    PipelineSpec spec;
    spec.dataset.size = 64;
    spec.world = {1, 5};
    workspace.document.reset(spec);
    workspace.plan();
    EVENTUALLY(isSettled() && tab.pane().message().startsWith("No all_reduce to follow"));
    spec.schedule = {{.what = "all_reduce", .kb = 1},
                     {.what = "all_reduce", .values = "[[1, 2], [3, 4], [5, 6], [7, 8], [9, 10]]"}};
    workspace.document.reset(spec);
    workspace.plan();
    EVENTUALLY(isSettled() && tab.pane().showsContent());
    auto* choice = tab.findChild<QComboBox*>("allReduces");
    QCOMPARE(choice->count(), 2);
    QCOMPARE(choice->currentIndex(), 1);
    RoundsView& rounds = tab.view().rounds();
    for (int round = 0; round < 3; ++round)
      QTest::mouseClick(tab.findChildren<TransportButton*>().back(), Qt::LeftButton);
    QCOMPARE(rounds.done(), std::size_t{3});
    QTest::keyClick(&rounds, Qt::Key_End);
    QCOMPARE(rounds.accessibleDescription().count("rank 4 has [25, 30]"), 2);
    spec.dataset.size = 65;
    workspace.document.reset(spec);
    workspace.plan();
    EVENTUALLY(isSettled() && workspace.plans.snapshot()->spec == spec);
    QCOMPARE(rounds.done(), std::size_t{8});
    choice->setCurrentIndex(0);
    QCOMPARE(rounds.done(), std::size_t{0});
    QVERIFY(rounds.accessibleDescription().contains("rank 0 sends chunk 0 to rank 1"));
    for (const int width : {1000, 300}) {
      rounds.resize(width, rounds.heightForWidth(width));
      QVERIFY(!rounds.grab().toImage().isNull());
    }
    QVERIFY(rounds.heightForWidth(300) > rounds.heightForWidth(1000));
  }
};

SHARDLENS_WINDOW_TEST(AllReduceTest)
#include "all_reduce_test.moc"
