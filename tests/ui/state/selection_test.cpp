// SPDX-License-Identifier: Apache-2.0
#include "ui/state/selection.h"

#include "tests/support/window_main.h"
#include "ui/state/workspace.h"

#include <QSignalSpy>
#include <QTest>

using namespace shardlens::ui;

class SelectionTest : public QObject {
  Q_OBJECT

 private slots:
  void aLinkSelectsWhatItWasMadeOf() {
    Selected everything{{3, 7}, 1, 12, 4'711};
    everything.worker = 2;
    everything.seed = 18'446'744'073'709'551'615ULL;
    everything.samples = 20;
    everything.follows_sample = true;
    everything.finding = "ranks-share-samples & more";
    QCOMPARE(selectedBy(linkTo(everything)), everything);
    Selected rank;
    rank.ranks = {3};
    QCOMPARE(linkTo(rank), QString("select:rank=3"));
    QCOMPARE(selectedBy("select:rank=3"), rank);
  }

  void otherTextSelectsNothing() {
    QVERIFY(!selectedBy("https://example.org/?rank=3"));
    QVERIFY(!selectedBy("select:"));
    QVERIFY(!selectedBy("rank=3"));
  }

  void goesBackAndForward() {
    Selection selection;
    QVERIFY(!selection.canGoBack());
    selection.select({{3}, 0, {}, {}});
    selection.select({{}, {}, {}, 4'711});
    QSignalSpy changes(&selection, &Selection::changed);
    selection.goBack();
    QCOMPARE(selection.current(), (Selected{{3}, 0, {}, {}}));
    selection.goBack();
    QCOMPARE(selection.current(), Selected{});
    selection.goBack();
    QCOMPARE(changes.size(), 2);
    selection.goForward();
    selection.goForward();
    QCOMPARE(selection.current(), (Selected{{}, {}, {}, 4'711}));
    QVERIFY(!selection.canGoForward());
  }

  void aRankIsSelectedAtThePlaceThatIs() {
    Selection selection;
    selection.select({{1, 2}, 4, 7, {}});
    selection.selectRank(3);
    QCOMPARE(selection.current(), (Selected{{3}, 4, 7, {}}));
    selection.selectRank(-1);
    QCOMPARE(selection.current(), (Selected{{3}, 4, 7, {}}));
  }

  void whatIsSelectedAfterGoingBackEndsTheWayForward() {
    Selection selection;
    selection.select({{1}, {}, {}, {}});
    selection.select({{2}, {}, {}, {}});
    selection.goBack();
    selection.select({{3}, {}, {}, {}});
    QVERIFY(!selection.canGoForward());
    selection.goBack();
    QCOMPARE(selection.current(), (Selected{{1}, {}, {}, {}}));
  }

  void aWalkFromCellToCellIsOnePlace() {
    Selection selection;
    selection.select({{1}, {}, {}, {}});
    for (qint64 step = 0; step < 5; ++step) selection.select({{2}, 0, step, {}});
    selection.goBack();
    QCOMPARE(selection.current(), (Selected{{1}, {}, {}, {}}));
    selection.goForward();
    QCOMPARE(selection.current(), (Selected{{2}, 0, 4, {}}));
  }

  void keepsNoMoreThanItSays() {
    Selection selection;
    for (qint64 rank = 0; rank < 500; ++rank) selection.select({{rank}, {}, {}, {}});
    std::size_t back = 0;
    for (; selection.canGoBack(); ++back) selection.goBack();
    QCOMPARE(back, Selection::kMostVisited - 1);
    selection.forget();
    QVERIFY(!selection.canGoBack() && !selection.canGoForward());
    QCOMPARE(selection.current(), Selected{});
  }

  void goingToAPlaceMovesThePlayhead() {
    Workspace workspace;
    workspace.playback.setExtent(5, 10);
    workspace.goTo({{1}, 3, 7, {}});
    QCOMPARE(workspace.playback.epoch(), 3);
    QCOMPARE(workspace.playback.step(), 7);
    QCOMPARE(workspace.selection.current(), (Selected{{1}, 3, 7, {}}));
    workspace.goTo({{0}, {}, {}, {}});
    QCOMPARE(workspace.playback.epoch(), 3);
    QCOMPARE(workspace.playback.step(), 7);
    QCOMPARE(workspace.selection.current(), (Selected{{0}, 3, {}, {}}));
  }
};

SHARDLENS_WINDOW_TEST(SelectionTest)
#include "selection_test.moc"
