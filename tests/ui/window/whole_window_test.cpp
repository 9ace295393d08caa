// SPDX-License-Identifier: GPL-3.0-or-later
// A person's path through the real window: play, click an overlap, launch a real job, stop it.
#include "core/base/process.h"
#include "tests/support/places.h"
#include "tests/support/temp_folder.h"
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/plot/matrix_plot.h"
#include "ui/scene/number_text.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/run/job_bar.h"
#include "ui/widgets/stage/stage_panel.h"
#include "ui/widgets/stage/stage_view.h"
#include "ui/widgets/stage/transport_bar.h"
#include "ui/widgets/tabs/all_reduce_view.h"
#include "ui/widgets/tabs/overlap_view.h"
#include "ui/window/design_page.h"
#include "ui/window/header_bar.h"
#include "ui/window/main_window.h"

#include <QAction>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QTabBar>
#include <QTest>

#include <algorithm>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

constexpr int kPatienceMs = 60'000;

std::vector<ProcessId> processesOf(const RunService& runs) {
  std::vector<ProcessId> all;
  for (const KnownRun& run : runs.activeRuns()) {
    const auto supervisor = RunFolder{run.run_file.parent_path()}.process();
    if (!supervisor) continue;
    all.push_back(*supervisor);
    for (const ProcessStat& below : descendants(supervisor->pid)) all.push_back(below.id);
  }
  return all;
}

bool allGone(const std::vector<ProcessId>& processes) {
  return std::none_of(processes.begin(), processes.end(), [](const ProcessId& one) { return isAlive(one); });
}

}  // namespace

class WholeWindowTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    installFonts();
    applyTheme(Theme::light());
  }

  void spacePlaysEpochAfterEpochAndPauses() {
    Fixture f("distributed-sampler", kPatienceMs);
    QVERIFY(f.settled);
    Playback& playback = f.workspace().playback;
    playback.setSpeed(64);
    f.window.design()->stage()->stage()->setFocus();
    QTest::keyClick(f.window.design()->stage()->stage(), Qt::Key_Space);
    QVERIFY(playback.isPlaying());
    EVENTUALLY_EQUAL(playback.epoch(), 1);
    EVENTUALLY_EQUAL(f.workspace().plans.snapshot()->epoch->epoch, Epoch{1});
    QTest::keyClick(f.window.design()->stage()->stage(), Qt::Key_Space);
    QVERIFY(!playback.isPlaying());
  }

  void aClickIntoTheOverlapSelectsBothRanks() {
    Fixture f("shard-local-rank", kPatienceMs);
    QVERIFY(f.settled);
    f.window.actions().get("analyse.overlap")->trigger();
    auto* view = f.window.findChild<OverlapView*>();
    QVERIFY(view != nullptr && view->isVisible());
    MatrixPlot& matrix = view->matrix();
    const QPoint at = matrix.pixelOf({2, 6});
    QWidget* target = matrix.childAt(at);
    QVERIFY(target != nullptr);
    QTest::mouseClick(target, Qt::LeftButton, {}, target->mapFrom(&matrix, at));
    QCOMPARE(f.workspace().selection.current().ranks, (std::vector<qint64>{2, 6}));
    QVERIFY2(view->title().contains("Ranks 2 and 6 share all"), qPrintable(view->title()));
  }

  void theArrowsGoThroughTheRoundsOfAnAllReduce() {
    Fixture f("all-reduce-ring", kPatienceMs);
    QVERIFY(f.settled);
    const auto* bar = f.window.design()->tabs()->findChild<QTabBar*>();
    const int place = static_cast<int>(f.window.design()->tabs()->names().indexOf("reduce"));
    QVERIFY(bar->isTabVisible(place));
    f.window.actions().get("analyse.reduce")->trigger();
    EVENTUALLY(f.isReady());
    RoundsView& rounds = f.window.findChild<AllReduceView*>()->rounds();
    QVERIFY(rounds.isVisible());
    QVERIFY(rounds.accessibleDescription().contains("rank 1 sends chunk 1: [4] to rank 0"));
    rounds.setFocus();
    QTest::keyClick(&rounds, Qt::Key_Right);
    QCOMPARE(rounds.done(), std::size_t{1});
    QVERIFY(rounds.accessibleDescription().contains("rank 0 sends chunk 1: [6] to rank 1"));
    QTest::keyClick(&rounds, Qt::Key_Right);
    QTest::keyClick(&rounds, Qt::Key_Right);
    QCOMPARE(rounds.done(), std::size_t{2});
    for (const char* rank : {"rank 0 has [4, 6]", "rank 1 has [4, 6]"})
      QCOMPARE(rounds.accessibleDescription().count(rank), 2);  // by the ring and by the tree
    QTest::keyClick(&rounds, Qt::Key_Left);
    QCOMPARE(rounds.done(), std::size_t{1});
    f.window.setFocus();
    const auto buttons = f.window.findChild<AllReduceView*>()->findChildren<TransportButton*>();
    QTest::mouseClick(buttons.front(), Qt::LeftButton);
    QCOMPARE(rounds.done(), std::size_t{0});
    QVERIFY(f.window.focusWidget() != nullptr);
    QTest::keyClick(f.window.focusWidget(), Qt::Key_Right);
    QCOMPARE(rounds.done(), std::size_t{1});
    QTest::keyClick(buttons.front(), Qt::Key_Right);
    QCOMPARE(rounds.done(), std::size_t{2});
    f.window.actions().get("analyse.overlap")->trigger();
    PipelineSpec without = f.spec();
    without.schedule.clear();
    f.workspace().document.reset(without);
    QVERIFY(!bar->isTabVisible(place));
  }

  void theHeaderLeadsToTheRunningJob() {
    Fixture f;
    f.window.findChild<HeaderBar*>()->setJob("● recording · 00:14:22");
    QTest::mouseClick(f.window.findChild<QAbstractButton*>("job"), Qt::LeftButton);
    QCOMPARE(f.window.perspective(), QString("run"));
  }

  void moreRanksThanCoresAreAskedAboutFirst() {
    const test::TempFolder folder;
    qputenv("SHARDLENS_RUNS", (folder / "runs").c_str());
    Fixture f("distributed-sampler", kPatienceMs);
    RunService& runs = f.workspace().runs;
    f.useBuiltRanks();
    QVERIFY(f.workspace().document.edit({{"world.ranks_per_node", usableCores() + 1}}, "ranks"));
    if (!runs.readiness(f.spec())) QSKIP("no mpirun on this machine");
    f.window.setPerspective("autopsy");
    QTest::mouseClick(f.window.findChild<QPushButton*>("button:run.launch"), Qt::LeftButton);
    QVERIFY(!runs.isActive());
    QCOMPARE(f.window.perspective(), QString("run"));
    auto* start = f.window.findChild<QPushButton*>("launch");
    auto* question = f.window.findChild<QLabel*>("launchQuestion");
    QVERIFY(start->isVisible() && question != nullptr && question->isVisible());
    for (const QString& said : {start->text(), question->text()}) {
      for (const QString& number : {countOf(usableCores() + 1, "rank"), countOf(usableCores(), "core")})
        QVERIFY2(said.contains(number), qPrintable(said));
    }
    f.window.actions().get("run.launch")->trigger();  // asked once more, it is no answer
    QVERIFY(!runs.isActive());
    f.window.setPerspective("design");
    f.window.setPerspective("run");
    QVERIFY(!question->isVisible());
    QVERIFY(f.workspace().document.edit({{"world.ranks_per_node", std::int64_t{1}}}, "ranks"));
    EVENTUALLY(start->text() == "Launch a stand-in");
    f.window.actions().get("run.launch")->trigger();
    QVERIFY(runs.isActive());
    runs.stop();
    EVENTUALLY(!runs.isActive());
  }

  void launchShowsTheRanksAndStopLeavesNoProcess() {
    const test::TempFolder folder;
    qputenv("SHARDLENS_RUNS", (folder / "runs").c_str());
    Fixture f("slow-rank", kPatienceMs);
    QVERIFY(f.settled);
    RunService& runs = f.workspace().runs;
    f.useBuiltRanks();
    if (!runs.readiness(f.workspace().document.spec())) QSKIP("no mpirun on this machine");
    // It goes on until it is stopped.
    QVERIFY(f.workspace().document.edit({{"dataset.size", std::int64_t{640'000}}}, "size"));
    EVENTUALLY(f.isReady());
    f.window.actions().get("run.launch")->trigger();
    if (!runs.isActive()) QTest::mouseClick(f.window.findChild<QPushButton*>("launch"), Qt::LeftButton);
    QVERIFY(runs.isActive());
    EVENTUALLY(runs.state() != nullptr);
    QVERIFY2(!f.window.windowTitle().contains("recorded"), qPrintable(f.window.windowTitle()));
    QCOMPARE(f.window.perspective(), QString("run"));
    QVERIFY(f.window.actions().get("run.stop")->isEnabled());
    QVERIFY(!f.window.actions().get("run.launch")->isEnabled());
    const auto moved = [&] {
      const RunStatePtr state = runs.state();
      return state && state->ranks.size() == 4 &&
             std::all_of(state->ranks.begin(), state->ranks.end(),
                         [](const RankState& rank) { return rank.steps_done > 1; });
    };
    EVENTUALLY(moved());
    const std::vector<ProcessId> processes = processesOf(runs);
    QVERIFY2(processes.size() >= 6, "the recorder, mpirun and four ranks");
    for (const char* page : {"run", "design"}) {
      f.window.setPerspective(page);
      QTest::keyClick(&f.window, Qt::Key_Escape);
      QVERIFY2(!runs.isStopping() && runs.isActive(), "Esc leaves the job alone");
    }
    QTest::keyClick(&f.window, Qt::Key_Period, Qt::ControlModifier);
    QVERIFY(!runs.isStopping());  // it asks, in the bar of the job
    QCOMPARE(f.window.perspective(), QString("run"));
    auto* bar = f.window.findChild<JobBar*>();
    QVERIFY(bar->isVisible() && bar->asks());
    QTest::keyClick(f.window.focusWidget(), Qt::Key_Escape);
    QVERIFY(!bar->asks() && !runs.isStopping());
    QTest::mouseClick(bar->findChild<QPushButton*>("stopJob"), Qt::LeftButton);
    QVERIFY(bar->asks() && !runs.isStopping());
    QTest::keyClick(&f.window, Qt::Key_Period, Qt::ControlModifier);
    QVERIFY(runs.isStopping());
    EVENTUALLY(!runs.isActive());
    EVENTUALLY(allGone(processes));
    QCOMPARE(runs.state()->status, JobStatus::Stopped);
    QVERIFY(!f.window.actions().get("run.stop")->isEnabled());
  }
};

SHARDLENS_WINDOW_TEST(WholeWindowTest)
#include "whole_window_test.moc"
