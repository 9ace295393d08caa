// SPDX-License-Identifier: GPL-3.0-or-later
// Real jobs under mpirun, launched by the window's own service and shown by its own panel.
#include "core/base/process.h"
#include "tests/support/temp_folder.h"
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "ui/state/run_service.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/run/rank_board.h"
#include "ui/widgets/run/run_page.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <csignal>
#include <set>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

/// Two ranks, the second one late by its loading; `steps` in each of two epochs.
PipelineSpec job(std::int64_t steps) {
  PipelineSpec spec;
  spec.name = "job";
  spec.dataset.size = 4 * steps;
  spec.run.load_ms = 5;
  spec.run.compute_ms = 5;
  spec.run.gradient_kb = 16;
  spec.run.delays = {{.rank = 1, .ms = 60}};
  return spec;
}

std::vector<ProcessId> processesOf(const RunService& runs) {
  std::vector<ProcessId> all;
  for (const KnownRun& run : runs.activeRuns()) {
    const auto supervisor = RunFolder{run.run_file.parent_path()}.process();
    all.push_back(*supervisor);
    for (const ProcessStat& below : descendants(supervisor->pid)) all.push_back(below.id);
  }
  return all;
}

bool allGone(const std::vector<ProcessId>& processes) {
  return std::none_of(processes.begin(), processes.end(), [](const ProcessId& one) { return isAlive(one); });
}

}  // namespace

class RunJobTest : public QObject {
  Q_OBJECT

  std::unique_ptr<test::TempFolder> folder_;

  static bool hasSteps(const RunService& runs, std::int64_t steps) {
    const RunStatePtr state = runs.state();
    return state && state->ranks.size() == 2 && state->ranks[0].steps_done >= steps &&
           state->ranks[1].steps_done >= steps;
  }

 private slots:
  void init() {
    folder_ = std::make_unique<test::TempFolder>();
    qputenv("SHARDLENS_RUNS", (*folder_ / "runs").c_str());
    if (!RunService().readiness(job(1))) QSKIP("no mpirun on this machine");
  }
  void cleanup() { folder_.reset(); }

  void aJobRunsToItsEndAndItsRecordingSaysTheSame() {
    Workspace workspace;
    workspace.document.reset(job(30));
    RunPage page(workspace);
    page.resize(1280, 646);
    page.show();
    QTest::mouseClick(page.findChild<QPushButton*>("launch"), Qt::LeftButton);
    RunService& runs = workspace.runs;
    QVERIFY(runs.isActive());
    std::set<RankStatus> seen;
    QObject::connect(&runs, &RunService::stateChanged, &page, [&] {
      for (const RankState& rank : runs.state()->ranks) seen.insert(rank.status);
    });
    EVENTUALLY(seen.contains(RankStatus::Loading) && seen.contains(RankStatus::InCollective));
    EVENTUALLY(!runs.isActive());
    const RunStatePtr live = runs.state();
    QCOMPARE(live->status, JobStatus::Finished);
    QVERIFY(!live->verdicts.empty());
    QCOMPARE(page.findChild<LinkLabel*>("verdictTitle")->plain(), "Everyone waits for rank 1");
    for (const RankState& rank : live->ranks) QCOMPARE(rank.matched, 60);

    RunService again;
    QVERIFY(again.open(runs.runFile()).has_value());
    EVENTUALLY(again.state() && again.state()->status == JobStatus::Finished);
    for (std::size_t rank = 0; rank < 2; ++rank) {
      QCOMPARE(again.state()->ranks[rank].matched, live->ranks[rank].matched);
      QCOMPARE(again.state()->ranks[rank].wait_ns, live->ranks[rank].wait_ns);
      QCOMPARE(again.state()->ranks[rank].collectives, live->ranks[rank].collectives);
    }
    QCOMPARE(again.state()->verdicts.front().message, live->verdicts.front().message);
    EVENTUALLY(runs.activeRuns().empty());  // who recorded it may go a little later than the recording ends
  }

  void stopLeavesNoProcessBehind() {
    RunService runs;
    QVERIFY(runs.launch(job(5000)).has_value());
    EVENTUALLY(hasSteps(runs, 3));
    const auto processes = processesOf(runs);
    QVERIFY(processes.size() >= 4);  // supervisor, mpirun, two ranks
    runs.stop();
    QVERIFY(runs.isStopping());
    EVENTUALLY(!runs.isActive());
    QCOMPARE(runs.state()->status, JobStatus::Stopped);
    EVENTUALLY(allGone(processes));
    QVERIFY(!runs.isStopping());
  }

  void aKilledRankIsCalledDead() {
    RunService runs;
    QVERIFY(runs.launch(job(5000)).has_value());
    EVENTUALLY(hasSteps(runs, 3));
    const auto processes = processesOf(runs);
    QSignalSpy failed(&runs, &RunService::failed);
    QCOMPARE(kill(static_cast<pid_t>(runs.state()->ranks[1].pid), SIGKILL), 0);
    EVENTUALLY(!runs.isActive());
    QCOMPARE(runs.state()->status, JobStatus::Failed);
    QCOMPARE(runs.state()->verdicts.front().kind, VerdictKind::Dead);
    QCOMPARE(runs.state()->verdicts.front().rank, 1);
    QCOMPARE(failed.count(), 1);
    EVENTUALLY(allGone(processes));
  }

  void aJobOutlivesItsWindowAndIsTakenUpAgain() {
    QString file;
    std::vector<ProcessId> processes;
    {
      RunService first;
      QVERIFY(first.launch(job(5000)).has_value());
      EVENTUALLY(hasSteps(first, 1));
      file = first.runFile();
      processes = processesOf(first);
    }
    Workspace workspace;
    RunPage page(workspace);
    page.show();
    RunService& second = workspace.runs;
    QCOMPARE(second.activeRuns().size(), std::size_t{1});
    QCOMPARE(second.activeRuns().front().run_file.string(), file.toStdString());
    QVERIFY(second.open(file).has_value());
    EVENTUALLY(hasSteps(second, 3));
    QVERIFY(second.isActive());
    second.stop();
    EVENTUALLY(!second.isActive());
    EVENTUALLY(allGone(processes));
    QVERIFY(!second.isRecording() && second.state()->status == JobStatus::Stopped);
    QVERIFY(!page.findChild<QWidget*>("launchPanel")->isVisible());  // it stays on the run that was stopped
  }

  void aStartThatFailsGivesTheChildsOwnSentence() {
    PipelineSpec spec = job(3);
    spec.sampler.parameters["num_replicas"] = Value(std::int64_t{0});  // what the supervisor refuses
    RunService runs;
    QSignalSpy failed(&runs, &RunService::failed);
    QVERIFY(runs.launch(spec).has_value());
    EVENTUALLY_EQUAL(failed.count(), 1);
    QVERIFY(!runs.isActive());
    QCOMPARE(runs.state()->status, JobStatus::Failed);
    QVERIFY2(runs.state()->failure.find("num_replicas") != std::string::npos, runs.state()->failure.c_str());
    QVERIFY(runs.activeRuns().empty());
  }
};

SHARDLENS_WINDOW_TEST(RunJobTest)
#include "run_job_test.moc"
