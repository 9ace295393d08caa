// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/run/run_recordings.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/run/console_view.h"
#include "ui/widgets/run/lanes_tab.h"
#include "ui/widgets/run/prediction.h"
#include "ui/widgets/run/proof_panel.h"
#include "ui/widgets/run/rank_board.h"
#include "ui/widgets/run/run_page.h"
#include "ui/widgets/run/waits_tab.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QSignalSpy>
#include <QTest>

using namespace shardlens;
using namespace shardlens::ui;

/// How often a widget was hidden.
class HideCount : public QObject {
 public:
  explicit HideCount(QWidget& watched) { watched.installEventFilter(this); }
  bool eventFilter(QObject* /*watched*/, QEvent* event) override {
    if (event->type() == QEvent::Hide) ++count;
    return false;
  }
  int count = 0;
};

class RunTabsTest : public QObject {
  Q_OBJECT

  Recordings recordings_;

 private slots:
  void theConsoleFiltersByRankAndText() {
    Workspace workspace;
    ConsoleTab tab(workspace);
    tab.resize(800, 300);
    tab.show();
    QVERIFY(workspace.runs.open(recordings_.recording(4, -1)).has_value());
    auto* console = tab.findChild<ConsoleView*>("console");
    EVENTUALLY_EQUAL(console->lines().size(), 3);
    QVERIFY(console->lines().front().startsWith("$ mpirun"));
    tab.findChild<QComboBox*>("consoleRank")->setCurrentIndex(4);
    QCOMPARE(console->lines().last(), "[1] worker restarted");
    QCOMPARE(console->lines().size(), 2);
    tab.findChild<QComboBox*>("consoleRank")->setCurrentIndex(0);
    tab.findChild<QLineEdit*>("consoleFilter")->setText("LOSS");
    QCOMPARE(console->lines().last(), "[0] loss 1.832");
    console->copy();
    QVERIFY(QApplication::clipboard()->text().endsWith("[0] loss 1.832"));
    QTest::keyClick(tab.findChild<QWidget*>("consoleLines"), Qt::Key_F);
    QVERIFY(!console->isFollowing());
  }

  void newLinesAreAddedWithoutLosingTheSelection() {
    LogModel model;
    RunState state;
    state.command = "mpirun";
    for (int i = 0; i < 5; ++i) state.log.push({0, false, "line " + std::to_string(i)});
    model.setRun(std::make_shared<const RunState>(state));
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    const QPersistentModelIndex kept = model.index(4, 0);
    QCOMPARE(kept.data().toString(), "[0] line 3");
    state.log.popFront();
    state.log.push({2, false, "line 5"});
    model.setRun(std::make_shared<const RunState>(state));
    QCOMPARE(reset.count(), 0);
    QCOMPARE(model.rowCount(), 6);
    QCOMPARE(kept.data().toString(), "[0] line 3");
    QCOMPARE(model.index(5, 0).data().toString(), "[2] line 5");
  }

  void withoutAJobLanesAndWaitsArePredicted() {
    Workspace workspace;
    PipelineSpec slow = spec(4);
    slow.run.delays = {{.rank = 2, .ms = 20}};
    workspace.document.reset(slow);
    LanesTab lanes(workspace);
    WaitsTab waits(workspace);
    for (QWidget* tab : {static_cast<QWidget*>(&lanes), static_cast<QWidget*>(&waits)}) {
      tab->resize(900, 300);
      tab->show();
    }
    EVENTUALLY(lanes.findChild<LinkLabel*>("lanesNote")->plain().startsWith("Predicted for the open design"));
    QVERIFY(!lanes.findChild<LinkLabel*>("predictedNote")->isVisible());
    const auto* board = lanes.findChild<RankBoard*>();
    EVENTUALLY_EQUAL(board->shownRanks().size(), std::size_t{4});
    lanes.resize(800, 180);  // rows get lower, and none goes out of sight
    EVENTUALLY(isSettled() && board->mapTo(&lanes, QPoint(0, board->height())).y() <= lanes.height());
    QVERIFY(!board->layoutNow().scrolls());
    EVENTUALLY_EQUAL(waits.findChild<LinkLabel*>("waitsHead")->plain(), "Predicted waits");
  }

  /// Both show the run, and the lanes beside it what the plan predicts, and each says which it is.
  void tabsShowARecording() {
    Workspace workspace;
    workspace.document.reset(spec(4));
    WaitsTab waits(workspace);
    LanesTab lanes(workspace);
    for (QWidget* tab : {static_cast<QWidget*>(&waits), static_cast<QWidget*>(&lanes)}) {
      tab->resize(900, 300);
      tab->show();
    }
    QVERIFY(workspace.runs.open(recordings_.recording(4, 1)).has_value());
    EVENTUALLY_EQUAL(waits.findChild<LinkLabel*>("waitsHead")->plain(), "Everyone waits for rank 1");
    // The lanes may show a part of the run: these numbers do not follow them.
    QVERIFY(waits.findChild<ElidedLinks*>("arrivalOrder")->fullText().startsWith("Of the whole run"));
    const auto* note = lanes.findChild<LinkLabel*>("lanesNote");
    EVENTUALLY_EQUAL(note->plain(), QString("Measured: Everyone waits for rank 1"));
    PipelineSpec longer = spec(4);
    longer.epochs = 3;
    workspace.document.reset(longer);
    const auto* predicted = lanes.findChild<LinkLabel*>("predictedNote");
    EVENTUALLY(predicted->isVisible() && predicted->plain().startsWith("Predicted for the open design"));
    const auto boards = lanes.findChildren<RankBoard*>();
    QCOMPARE(boards.size(), 2);
    EVENTUALLY(boards[0]->shownRanks().size() == 4 && boards[1]->shownRanks().size() == 4);
    const auto placeOf = [&](const RankBoard* board) { return board->mapTo(&lanes, QPoint()); };
    EVENTUALLY(placeOf(boards[1]).x() >= placeOf(boards[0]).x() + boards[0]->width());
    lanes.resize(400, 300);  // there they are below each other
    EVENTUALLY(placeOf(boards[1]).y() >= placeOf(boards[0]).y() + boards[0]->height());
  }

  void ofADesignWithOtherRanksTheyArePredicted() {
    Workspace workspace;
    workspace.document.reset(spec(4));
    WaitsTab waits(workspace);
    LanesTab lanes(workspace);
    waits.show();
    lanes.show();
    QVERIFY(workspace.runs.open(recordings_.recording(4, 1)).has_value());
    const auto* head = waits.findChild<LinkLabel*>("waitsHead");
    const auto* note = lanes.findChild<LinkLabel*>("lanesNote");
    EVENTUALLY_EQUAL(head->plain(), "Everyone waits for rank 1");
    workspace.document.reset(spec(2));
    EVENTUALLY_EQUAL(head->plain(), "Predicted waits");
    EVENTUALLY(note->plain().startsWith("Predicted for the open design"));
    EVENTUALLY_EQUAL(lanes.findChildren<RankBoard*>().front()->shownRanks().size(), std::size_t{2});
    workspace.document.reset(spec(4));
    EVENTUALLY_EQUAL(head->plain(), "Everyone waits for rank 1");
    EVENTUALLY(note->plain().startsWith("Measured"));
  }

  void theHeadlineLeadsToItsRank() {
    Workspace workspace;
    workspace.document.reset(spec(4));
    WaitsTab waits(workspace);
    LanesTab lanes(workspace);
    waits.show();
    lanes.show();
    QVERIFY(workspace.runs.open(recordings_.recording(4, 1)).has_value());
    for (LinkLabel* label : {waits.findChild<LinkLabel*>("waitsHead"), lanes.findChild<LinkLabel*>("lanesNote")}) {
      workspace.selection.clear();
      EVENTUALLY(label->text().contains("href"));
      emit label->linkActivated(linkTo({{1}, {}, {}, {}}));
      QCOMPARE(workspace.selection.current().ranks, std::vector<qint64>{1});
    }
  }

  void aLineOfTheConsoleLeadsToItsRank() {
    ConsoleView console;
    RunState state;
    state.ranks.resize(2);
    state.log.push({1, false, "worker restarted"});
    console.setRun(std::make_shared<const RunState>(state));
    console.resize(600, 200);
    console.show();
    QSignalSpy chosen(&console, &ConsoleView::rankChosen);
    auto* list = console.findChild<QListView*>("consoleLines");
    const QModelIndex line = list->model()->index(list->model()->rowCount() - 1, 0);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(line).center());
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen.front().front().toLongLong(), 1);
  }

  /// A click in a lane selects the step there, one on its name the rank.
  void aLaneLeadsToItsStep() {
    Workspace workspace;
    workspace.document.reset(spec(4));
    LanesTab lanes(workspace);
    lanes.resize(900, 300);
    lanes.show();
    auto* board = lanes.findChild<RankBoard*>();
    EVENTUALLY_EQUAL(board->shownRanks().size(), std::size_t{4});
    const BoardLayout layout = board->layoutNow();
    const QPointF lane(layout.lanes_left + 0.3 * (layout.lanes_right - layout.lanes_left),
                       layout.row(2, 0).center().y());
    QTest::mouseClick(board, Qt::LeftButton, {}, lane.toPoint());
    const Selected& selected = workspace.selection.current();
    QCOMPARE(selected.ranks, std::vector<qint64>{2});
    QVERIFY(selected.epoch == 0 && selected.step.has_value());
    const QPointF name(layout.lanes_left / 2, layout.row(3, 0).center().y());
    QTest::mouseClick(board, Qt::LeftButton, {}, name.toPoint());
    QCOMPARE(workspace.selection.current().ranks, std::vector<qint64>{3});
  }

  void waitsMarkWhatIsSelectedAndShowItAlone() {
    Workspace workspace;
    PipelineSpec slow = spec(4);
    slow.run.delays = {{.rank = 2, .ms = 20}};
    workspace.document.reset(slow);
    WaitsTab waits(workspace);
    waits.resize(900, 300);
    waits.show();
    auto* bars = waits.findChild<WaitBars*>();
    EVENTUALLY_EQUAL(bars->shownRanks().size(), std::size_t{4});
    const QImage plain = bars->grab().toImage();
    workspace.selection.select({{2, 3}, {}, {}, {}});
    QVERIFY(bars->grab().toImage() != plain);
    auto* only = waits.findChild<LinkButton*>("onlyRanks");
    QCOMPARE(only->text(), QString("only ranks 2 and 3"));
    QTest::mouseClick(only, Qt::LeftButton);
    QCOMPARE(bars->shownRanks(), (std::vector<qint64>{2, 3}));
    QCOMPARE(only->text(), QString("all ranks"));
    QTest::mouseClick(only, Qt::LeftButton);
    QCOMPARE(bars->shownRanks().size(), std::size_t{4});
    workspace.selection.select({{1}, {}, {}, {}});
    QTest::keyClick(bars, Qt::Key_Down);
    QCOMPARE(workspace.selection.current().ranks, std::vector<qint64>{2});
  }

  void aRecordingIsHeldAgainstItsSchedule() {
    Workspace workspace;
    workspace.document.reset(spec(4));
    WaitsTab waits(workspace);
    waits.resize(900, 400);
    waits.show();
    const auto* phases = waits.findChild<LinkLabel*>("phaseTimes");
    QVERIFY(phases->isHidden());
    const QString recording = recordings_.recording(4, 2, -1, {{.what = "ddp"}});
    QVERIFY(workspace.runs.open(recording).has_value());
    EVENTUALLY(!phases->isHidden());
    QVERIFY2(phases->plain().contains("\nschedule[0] load: "), qPrintable(phases->plain()));
    QVERIFY2(phases->plain().contains("Rank 2 takes "), qPrintable(phases->plain()));
    QVERIFY(workspace.runs.open(recording).has_value());  // it may have grown
    QVERIFY(phases->isHidden() && phases->plain().isEmpty());
    EVENTUALLY(!phases->isHidden());
    QVERIFY(workspace.runs.open(recordings_.recording(4, 2)).has_value());
    EVENTUALLY(phases->isHidden());
  }

  void whoNeverComesIsInSightWhereRowsDoNotFit() {
    WaitBars bars(nullptr);
    bars.resize(400, 120);
    schedule::Hang hang;
    for (std::int64_t rank = 0; rank < 63; ++rank) hang.waiting.push_back(Rank{rank});
    hang.calls.resize(hang.waiting.size());
    hang.absent = {{.rank = Rank{63}, .waits_in = {}}};
    bars.setRows(waitRows(schedule::Schedule(*Plan::make(spec(64))), hang), true);
    QVERIFY(bars.shownRanks().size() < 64);
    QCOMPARE(bars.shownRanks().front(), qint64{63});
  }

  void rowsOfAHangNameTheGroup() {
    PipelineSpec hangs = spec(4);
    hangs.schedule = {{.what = "barrier", .at = "start", .condition = "rank != 3", .ranks = "[[0, 2], [1, 3]]"}};
    const auto plan = Plan::make(hangs);
    QVERIFY(plan.has_value());
    const auto hang = schedule::hangOf(*plan);
    QVERIFY(hang && *hang);
    const auto rows = waitRows(schedule::Schedule(*plan), **hang);
    QCOMPARE(rows[1].wait, QString("stuck in barrier in group [1, 3] at the start (schedule[0])"));
    QVERIFY2(waitsCsv(rows).startsWith("rank,wait_ns,share,last_share\n0,,,0\n1,inf,1,0\n"),
             qPrintable(waitsCsv(rows)));
  }

  void rowsOfAHangNameWhatEachRankCalls() {
    PipelineSpec hangs = spec(4);
    hangs.schedule = {{.what = "barrier", .at = "start", .condition = "rank == 1"},
                      {.what = "barrier", .at = "end", .condition = "rank in [2, 3]"}};
    const auto plan = Plan::make(hangs);
    QVERIFY(plan.has_value());
    const auto hang = schedule::hangOf(*plan);
    QVERIFY(hang && *hang);
    const auto rows = waitRows(schedule::Schedule(*plan), **hang);
    QCOMPARE(rows[1].wait, QString("stuck in barrier at the start (schedule[0])"));
    QCOMPARE(rows[2].wait, QString("stuck in barrier at the end (schedule[1])"));
  }

  /// Bars without a length would say nothing.
  void whereNoRankWaitsThisIsSaid() {
    Workspace workspace;
    workspace.document.reset(spec(4));
    WaitsTab waits(workspace);
    waits.resize(900, 300);
    waits.show();
    auto* bars = waits.findChild<WaitBars*>();
    EVENTUALLY_EQUAL(bars->accessibleDescription(), "No rank waits for another.");
    QVERIFY(bars->shownRanks().empty());
    QCOMPARE(bars->rows().size(), std::size_t{4});  // for CSV
  }

  void wherePhasesTakeNoTimeNothingIsPredicted() {
    PipelineSpec instant = spec(2);
    instant.schedule = {{.what = "barrier"}};
    const auto plan = Plan::make(instant);
    QVERIFY(plan.has_value());
    const auto shape = plan->epochShape(Epoch{0});
    QVERIFY(shape && shape->steps > 0);
    const auto lanes = predictedLanes(*plan, *shape, 0, {});
    QVERIFY(!lanes);
    QCOMPARE(lanes.error().message, std::string("No phase takes time, so there is nothing to predict."));
  }

  /// Who waits in what, as the finding about it says: no view calls that fine.
  void whereAScheduleHangsNoTabPredictsThatItGoesOn() {
    Workspace workspace;
    PipelineSpec hangs = spec(4);
    hangs.schedule = {{.what = "barrier", .at = "start", .condition = "rank != 0"}, {.what = "ddp"}};
    workspace.document.reset(hangs);
    WaitsTab waits(workspace);
    waits.resize(900, 300);
    waits.show();
    auto* bars = waits.findChild<WaitBars*>();
    const auto* head = waits.findChild<LinkLabel*>("waitsHead");
    EVENTUALLY_EQUAL(head->plain(), "The schedule hangs at the start");
    const auto* said = waits.findChild<LinkLabel*>("waitsOwed");
    QVERIFY2(said->plain().startsWith("Ranks 1 to 3 wait in barrier at the start"), qPrintable(said->plain()));
    QVERIFY(bars->accessibleDescription().isEmpty());
    QCOMPARE(bars->shownRanks().size(), std::size_t{4});
    QCOMPARE(bars->rows()[1].wait, QString("stuck in barrier at the start (schedule[0])"));
    QVERIFY(bars->rows()[0].is_culprit && bars->rows()[0].wait.startsWith("stuck in all_reduce"));
    LanesTab lanes(workspace);
    lanes.resize(900, 300);
    lanes.show();
    EVENTUALLY(lanes.findChild<LinkLabel*>("lanesNote")->plain().startsWith("The schedule of the open design hangs"));
    EVENTUALLY(isSettled());
    HideCount hides(*waits.findChild<LinkLabel*>("waitsOwed"));
    emit workspace.runs.stateChanged();  // of a job with other ranks
    EVENTUALLY(isSettled());
    QCOMPARE(hides.count, 0);
    QVERIFY(lanes.findChild<RankBoard*>()->shownRanks().empty());
    PipelineSpec passes = hangs;
    passes.schedule.front().condition = "always";
    workspace.document.replace(passes, "all");
    EVENTUALLY_EQUAL(head->plain(), "Predicted waits");
    QVERIFY(said->isHidden());
    const QString from = waits.findChild<ElidedLinks*>("arrivalOrder")->fullText();
    QVERIFY2(from.startsWith("Estimated from the schedule"), qPrintable(from));
    EVENTUALLY(lanes.findChild<LinkLabel*>("lanesNote")->plain().contains("from its schedule"));
    QCOMPARE(lanes.findChild<RankBoard*>()->shownRanks().size(), std::size_t{4});
  }

  void whereNothingCanBePredictedBothTabsSayWhy() {
    Workspace workspace;
    workspace.document.reset(spec(4));
    LanesTab lanes(workspace);
    WaitsTab waits(workspace);
    for (QWidget* tab : {static_cast<QWidget*>(&lanes), static_cast<QWidget*>(&waits)}) {
      tab->resize(900, 300);
      tab->show();
    }
    const auto* note = lanes.findChild<LinkLabel*>("lanesNote");
    EVENTUALLY(note->plain().startsWith("Predicted for the open design"));
    PipelineSpec large = spec(1000);
    large.schedule.assign(1000, {.what = "barrier", .condition = "epoch == 7"});
    workspace.document.replace(large, "large");
    EVENTUALLY(note->plain().startsWith("The steps are too many to be predicted"));
    QVERIFY(lanes.findChild<RankBoard*>()->shownRanks().empty());
    EVENTUALLY_EQUAL(waits.findChild<LinkLabel*>("waitsHead")->plain(), "The waits cannot be predicted");
    QVERIFY(waits.findChild<LinkLabel*>("waitsOwed")->plain().startsWith("The steps are too many"));
  }

  void theProofMarksWhatIsSelectedAndSelects() {
    Workspace workspace;
    RunPage page(workspace);
    page.setMode(RunPage::Mode::Autopsy);
    page.resize(1280, 646);
    page.show();
    workspace.document.reset(spec(4));
    QVERIFY(workspace.runs.open(recordings_.recording(4, 1)).has_value());
    auto* proof = page.findChild<ProofView*>();
    EVENTUALLY(isSettled() && proof->isVisible() && proof->scene().columns == 40);
    const QImage plain = proof->grab().toImage();
    QTest::mouseClick(proof, Qt::LeftButton, {}, proof->scene().rect(2, 1).center().toPoint());
    const Selected& selected = workspace.selection.current();
    QCOMPARE(selected.ranks, std::vector<qint64>{2});
    QCOMPARE(globalStepOf(selected, workspace.runs.facts().get()), std::optional(proof->scene().first_step + 1));
    QCOMPARE(proof->selected(), selected);
    QVERIFY(proof->grab().toImage() != plain);
  }
};

SHARDLENS_WINDOW_TEST(RunTabsTest)
#include "run_tabs_test.moc"
