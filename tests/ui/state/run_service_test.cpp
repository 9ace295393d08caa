// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/run_service.h"

#include "core/base/file.h"
#include "core/base/process.h"
#include "core/record/pack.h"
#include "core/sampling/registry.h"
#include "core/yaml/spec_writer.h"
#include "tests/support/fake_run_file.h"
#include "tests/support/temp_folder.h"
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "ui/state/recording_library.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTest>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <semaphore>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

PipelineSpec spec() {
  PipelineSpec spec;
  spec.name = "fake";
  spec.dataset.size = 64;
  spec.world.ranks_per_node = 4;
  return spec;  // 4 ranks, 8 steps of 2 samples, 2 epochs
}

std::string yamlOf(const PipelineSpec& spec) {
  return yaml::writeSpec(spec, sampling::catalogue());
}

/// Of this process, zombies included.
bool hasChildren() {
  return waitid(P_ALL, 0, nullptr, WEXITED | WNOHANG | WNOWAIT) == 0;
}

/// What is left of a job, each process with its state and what it waits for in the kernel.
QString processesBelow() {
  QString text;
  for (const ProcessStat& process : descendants(getpid())) {
    const auto wait = readFile("/proc/" + std::to_string(process.id.pid) + "/wchan", 100);
    const auto command = readFile("/proc/" + std::to_string(process.id.pid) + "/cmdline", 4000);
    text += QString("%1 below %2, %3, in %4: %5\n")
                .arg(process.id.pid)
                .arg(process.parent)
                .arg(QChar(process.state))
                .arg(wait ? QString::fromStdString(*wait) : QString())
                .arg(command ? QString::fromStdString(*command).replace(QChar(0), ' ') : QString());
  }
  return text;
}

/// While it lives, this process can make files and write nothing into them.
class NoFileBytes {
 public:
  NoFileBytes() : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit none{0, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &none);
  }
  NoFileBytes(const NoFileBytes&) = delete;
  NoFileBytes& operator=(const NoFileBytes&) = delete;
  ~NoFileBytes() {
    setrlimit(RLIMIT_FSIZE, &before_);
    (void)std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit before_{};
};

}  // namespace

class RunServiceTest : public QObject {
  Q_OBJECT

  test::TempFolder folder_;
  Plan plan_ = Plan::make(spec()).value();

  std::filesystem::path recording(const std::string& name, std::int64_t late = -1, std::int64_t wrong_rank = -1) {
    const auto path = folder_ / name;
    test::FakeRunFile file(path, plan_, yamlOf(spec()));
    for (std::int64_t epoch = 0; epoch < 2; ++epoch) {
      for (std::int64_t step = 0; step < 8; ++step) {
        file.step(epoch, step, late, epoch == 1 && step == 3 ? wrong_rank : -1);
      }
    }
    file.bye();
    file.end();
    return path;
  }

  /// A job whose supervisor hangs: it takes notice of SIGKILL alone. Its recording has begun.
  static ProcessId hangingJob(RunService& service) {
    if (!service.watch({"sleep 1000", {}}, {})) return {};
    const auto recorded = [&] { return service.state() != nullptr && !service.state()->host.empty(); };
    if (!QTest::qWaitFor(recorded, 60'000)) return {};
    const auto supervisor = RunFolder{std::filesystem::path(service.runFile().toStdString()).parent_path()}.process();
    return supervisor && kill(supervisor->pid, SIGSTOP) == 0 ? *supervisor : ProcessId();
  }

 private slots:
  void init() { qputenv("SHARDLENS_RUNS", (folder_ / "jobs").c_str()); }
  void cleanup() {
    if (QTest::currentTestFailed()) qWarning().noquote() << processesBelow();
    qunsetenv("SHARDLENS_RUNS");
  }

  void aStoppedJobEndsWhateverIsStartedAndStoppedNext() {
    RunService service(nullptr, std::chrono::milliseconds(300));
    std::vector<ProcessId> jobs;
    for (int i = 0; i < 2; ++i) {
      jobs.push_back(hangingJob(service));
      QVERIFY(jobs.back().pid != 0);
      service.stop();
      QVERIFY(service.isStopping());
      service.close();
    }
    EVENTUALLY(!isAlive(jobs[0]) && !isAlive(jobs[1]));
    EVENTUALLY(!hasChildren());
  }

  void aJobThatIsBeingEndedIsStillSoWhenItIsShownAgain() {
    RunService service(nullptr, std::chrono::minutes(5));
    const ProcessId job = hangingJob(service);
    QVERIFY(job.pid != 0);
    const QString run_file = service.runFile();
    service.stop();
    service.close();
    QVERIFY(!service.isStopping());
    QVERIFY(service.open(run_file).has_value());
    EVENTUALLY(service.isStopping());
    QCOMPARE(kill(job.pid, SIGCONT), 0);  // now it obeys
    EVENTUALLY(!service.isActive());
    QVERIFY(!service.isStopping());
    EVENTUALLY(!isAlive(job));  // its recording ends a little sooner
  }

  void aStoppedJobEndsAlthoughTheWindowDoesFirst() {
    ProcessId job;
    {
      RunService service(nullptr, std::chrono::seconds(1));  // a process that was killed may go as slowly as this
      job = hangingJob(service);
      QVERIFY(job.pid != 0);
      service.stop();
    }
    QVERIFY(!isAlive(job));
    QVERIFY(!hasChildren());
  }

  void turningAwayDoesNotWaitForWhoReads() {
    std::binary_semaphore gate(0);
    std::atomic<bool> was_waited_for = false;
    std::atomic<bool> is_inside = false;
    RunService service;
    // The reader is in the middle of something long; whoever waits for it waits until it gives up, minutes later.
    connect(
        &service, &RunService::delivered, this,
        [&] {
          if (is_inside.exchange(true)) return;
          if (!gate.try_acquire_for(std::chrono::minutes(2))) was_waited_for = true;
        },
        Qt::DirectConnection);
    QVERIFY(service.open(QString::fromStdString(recording("long.slrun").string())).has_value());
    EVENTUALLY(is_inside);
    service.close();
    QVERIFY(!was_waited_for);
    QVERIFY(service.open(QString::fromStdString(recording("next.slrun").string())).has_value());
    EVENTUALLY(service.state() && service.state()->status == JobStatus::Finished);
    QVERIFY(!was_waited_for);
    gate.release();
  }

  void noJobLeavesAZombie() {
    QVERIFY(!hasChildren());
    const std::filesystem::path gate = folder_ / "gate";  // its reader lives until it has had a writer
    QCOMPARE(mkfifo(gate.c_str(), 0600), 0);
    RunService service;
    const auto begun = service.watch({"cat " + QString::fromStdString(gate.string()), {}}, {});
    QVERIFY2(begun.has_value(), begun ? "" : begun.error().text().c_str());
    QVERIFY(hasChildren());
    service.close();  // nobody reads its recording any more
    QVERIFY(hasChildren());
    test::spill(gate, {});
    EVENTUALLY(!hasChildren());
    {
      const NoFileBytes full;
      const auto failed = service.watch({"sleep 1000", {}}, {});
      QVERIFY(!failed);
      QCOMPARE(failed.error().code, ErrorCode::Io);
    }
    QVERIFY(!service.isActive());
    EVENTUALLY(!hasChildren());
  }

  void aProgramThatItsLauncherCannotStartIsSaidSo() {
    PipelineSpec spec;
    spec.run.launcher = "plain";
    spec.run.program = "nccl_rank";
    const auto ready = RunService().readiness(spec);
    QVERIFY(!ready);
    QCOMPARE(ready.error().code, ErrorCode::Usage);
    QVERIFY(ready.error().hint.find("socket_rank") != std::string::npos);
  }

  void aRecordingShowsItsEndState() {
    RunService service;
    QVERIFY(service.state() == nullptr);
    QVERIFY(service.open(QString::fromStdString(recording("done.slrun", 2).string())).has_value());
    EVENTUALLY(service.state() && service.state()->status == JobStatus::Finished);
    QVERIFY(!service.isActive());
    QCOMPARE(service.state()->ranks.size(), std::size_t{4});
    for (const RankState& rank : service.state()->ranks) {
      QCOMPARE(rank.matched, 16);
      QCOMPARE(rank.mismatched, 0);
      QCOMPARE(rank.status, RankStatus::Done);
    }
    QCOMPARE(service.facts()->planned_batches, 64);
    QCOMPARE(service.duration(), service.state()->elapsed_ns);
    QCOMPARE(service.state()->verdicts.front().rank, 2);
  }

  void aRecordingIsOneHoweverLongItIsRead() {
    const auto path = folder_ / "slow_to_read.slrun";
    {
      test::FakeRunFile file(path, plan_, yamlOf(spec()));
      for (std::int64_t step = 0; step < 20'000; ++step) file.step(0, step % 8);
    }  // without an end: its job failed
    RunService service;
    QSignalSpy failed(&service, &RunService::failed);
    QVERIFY(service.open(QString::fromStdString(path.string())).has_value());
    EVENTUALLY(service.state() && service.state()->status == JobStatus::Unknown && !service.isActive());
    QVERIFY(service.isRecording());
    QCOMPARE(failed.count(), 0);
  }

  void aJobThatRanWhenItWasOpenedIsNoRecording() {
    const auto path = folder_ / "joined.slrun";
    test::FakeRunFile file(path, plan_, yamlOf(spec()));
    file.step(0, 0);
    RunService service;
    QVERIFY(service.open(QString::fromStdString(path.string())).has_value());
    EVENTUALLY(service.state() && service.state()->ranks[0].steps_done == 1);
    file.step(0, 1);
    EVENTUALLY_EQUAL(service.state()->ranks[0].steps_done, 2);
    file.end();
    EVENTUALLY(!service.isActive());
    QVERIFY(!service.isRecording());
  }

  void everyBatchIsMarked() {
    RunService service;
    QVERIFY(service.open(QString::fromStdString(recording("marks.slrun", -1, 1).string())).has_value());
    EVENTUALLY(service.state() && service.state()->status == JobStatus::Finished);
    const BatchProof& proof = *service.proof();
    QCOMPARE(proof.ranks, 4);
    QCOMPARE(proof.steps, 16);
    for (qint64 rank = 0; rank < 4; ++rank) {
      for (qint64 step = 0; step < 16; ++step) {
        const bool wrong = rank == 1 && step == 11;
        QCOMPARE(proof.at(rank, step), wrong ? BatchMark::Mismatch : BatchMark::Match);
      }
    }
    QCOMPARE(service.state()->first_difference->step, 3);
  }

  void seekingGoesBothWays() {
    RunService service;
    QVERIFY(service.open(QString::fromStdString(recording("seek.slrun").string())).has_value());
    EVENTUALLY(service.state() && service.state()->status == JobStatus::Finished);
    const qint64 end = service.duration();
    service.seek(end / 2);
    QVERIFY(service.isBehind());
    EVENTUALLY(!service.isBehind());
    QVERIFY(service.state()->elapsed_ns <= end / 2);
    QVERIFY(service.state()->ranks[0].steps_done > 4);
    QVERIFY(service.state()->ranks[0].steps_done < 10);
    QCOMPARE(service.state()->status, JobStatus::Running);
    QCOMPARE(service.duration(), end);
    service.seek(-1);
    EVENTUALLY_EQUAL(service.state()->status, JobStatus::Finished);
    QCOMPARE(service.state()->ranks[0].matched, 16);
    service.seek(-1);
    EVENTUALLY(!service.isBehind());  // though there is nothing else to show
  }

  void aGrowingFileIsFollowedToItsEnd() {
    const auto path = folder_ / "growing.slrun";
    test::FakeRunFile file(path, plan_, yamlOf(spec()));
    file.step(0, 0);
    RunService service;
    QVERIFY(service.open(QString::fromStdString(path.string())).has_value());
    EVENTUALLY(service.state() && service.state()->ranks[0].steps_done == 1);
    QVERIFY(service.isActive());
    file.step(0, 1);
    EVENTUALLY_EQUAL(service.state()->ranks[0].steps_done, 2);
    QSignalSpy active(&service, &RunService::activeChanged);
    file.end();
    EVENTUALLY_EQUAL(active.count(), 1);
    QVERIFY(!service.isActive());
  }

  void aJobThatOthersStartedIsNotStoppedHere() {
    for (const bool ends_job : {true, false}) {
      const auto path = folder_ / (ends_job ? "ours.slrun" : "theirs.slrun");
      auto writer = RecordingWriter::create(path);
      QVERIFY(writer.has_value());
      RunBegin begin;
      begin.job_id = "one";
      begin.ends_job = ends_job;
      writer->add({1, begin});
      QVERIFY(writer->flush().has_value());
      RunService service;
      QVERIFY(service.open(QString::fromStdString(path.string())).has_value());
      EVENTUALLY(service.isActive());
      QCOMPARE(service.canStop(), ends_job);
      if (!ends_job) service.stop();  // which would end this process
      QVERIFY(!service.isStopping());
    }
  }

  void aPausedViewStandsStillWhileTheJobGoesOn() {
    const auto path = folder_ / "paused.slrun";
    test::FakeRunFile file(path, plan_, yamlOf(spec()));
    file.step(0, 0);
    RunService service;
    QVERIFY(service.open(QString::fromStdString(path.string())).has_value());
    EVENTUALLY(service.state() && service.state()->ranks[0].steps_done == 1);
    service.setPaused(true);
    const RunStatePtr shown = service.state();
    const qint64 first = file.now() - service.duration();
    file.step(0, 1);
    // A step may be read in parts: who has come to what is recorded after it has all of it.
    const qint64 after = file.now() + test::FakeRunFile::kMs;
    file.add({after, Tick{}});
    EVENTUALLY_EQUAL(service.duration(), after - first);
    QVERIFY(service.state() == shown);
    service.setPaused(false);
    QCOMPARE(service.state()->ranks[0].steps_done, 2);
    file.end();
  }

  void aRecordingWithoutAnEndIsCalledLost() {
    const auto path = folder_ / "lost.slrun";
    {
      test::FakeRunFile file(path, plan_, yamlOf(spec()));
      file.step(0, 0);
    }
    RunService service;
    QVERIFY(service.open(QString::fromStdString(path.string())).has_value());
    EVENTUALLY(service.state() && service.state()->status == JobStatus::Unknown);
    QVERIFY(!service.isActive());
    QVERIFY(!service.state()->failure.empty());
  }

  void whatIsNoRecordingIsRefused() {
    RunService service;
    test::spill(folder_ / "note.txt", "not a recording");
    QVERIFY(!service.open(QString::fromStdString((folder_ / "note.txt").string())).has_value());
    QVERIFY(!service.open(QString::fromStdString((folder_ / "missing").string())).has_value());
    QVERIFY(service.state() == nullptr);
  }

  void aRecordingIsItsFolderAPackedFileOrASegmentOfIt() {
    const QString folder = QString::fromStdString(recording("paths.slrun").string());
    const QString segment = folder + "/" + QDir(folder).entryList({"*.slseg"}).value(0);
    QVERIFY(QFileInfo::exists(segment));
    QCOMPARE(recordingAt(folder), folder);
    QCOMPARE(recordingAt(folder + "/"), folder);
    QCOMPARE(recordingAt(segment), folder);
    QCOMPARE(recordingAt("/tmp/sent.slrun"), "/tmp/sent.slrun");
    QCOMPARE(recordingAt("/tmp/a.yaml"), "");
    QCOMPARE(recordingAt(""), "");
    const auto packed = folder_ / "packed.slrun";
    QVERIFY(packRecording(folder.toStdString(), packed).has_value());
    // Called otherwise it is still a recording; what is cut off before it says so is not.
    const QString renamed = QString::fromStdString((folder_ / "sent.pack").string());
    QVERIFY(QFile::copy(QString::fromStdString(packed.string()), renamed));
    QCOMPARE(recordingAt(renamed), renamed);
    test::spill(folder_ / "cut.pack", "\x89SLR");
    QCOMPARE(recordingAt(QString::fromStdString((folder_ / "cut.pack").string())), "");
    RunService service;
    QVERIFY(service.open(QString::fromStdString(packed.string())).has_value());
    EVENTUALLY(service.state() && service.state()->status == JobStatus::Finished);
    QVERIFY(!service.isActive());
  }

  void damageAndWhatIsNotUnderstoodAreInTheState() {
    const auto path = recording("damaged.slrun");
    const auto segment = std::filesystem::directory_iterator(path)->path();
    std::string bytes = test::slurp(segment);
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    test::spill(segment, bytes);
    RunService service;
    QVERIFY(service.open(QString::fromStdString(path.string())).has_value());
    EVENTUALLY(service.state() && service.state()->status == JobStatus::Finished);
    QCOMPARE(service.state()->unread.damaged_places, 1);
    QVERIFY(service.state()->unread.damaged_bytes > 0);
  }

  void runsAreListedNewestFirst() {
    const auto root = folder_ / "runs";
    qputenv("SHARDLENS_RUNS", root.c_str());
    const auto first = makeRunFolder(root, spec());
    const auto second = makeRunFolder(root, spec());
    QVERIFY(first && second);
    QVERIFY(first->path != second->path);
    test::spill(first->runFile(), "x");
    test::spill(second->runFile(), "x");
    QVERIFY(first->writeProcess(thisProcess()).has_value());
    QVERIFY(second->writeProcess({getpid(), 1}).has_value());  // the number was given to somebody else since
    RunService service;
    QCOMPARE(service.knownRuns().size(), std::size_t{2});
    QCOMPARE(service.knownRuns().front().name, std::string("fake"));
    QCOMPARE(service.activeRuns().size(), std::size_t{1});
    QCOMPARE(service.activeRuns().front().run_file.string(), first->runFile().string());
    qunsetenv("SHARDLENS_RUNS");
  }

  /// As `shardlens run` does with what it records beside the script.
  void whatIsRecordedElsewhereIsListedToo() {
    const auto root = folder_ / "listed";
    qputenv("SHARDLENS_RUNS", root.c_str());
    const auto path = recording("elsewhere.slrun");
    listRun(root, path, "train");
    RunService service;
    QCOMPARE(service.knownRuns().size(), std::size_t{1});
    QCOMPARE(service.knownRuns().front().run_file.string(), path.string());
    QCOMPARE(service.knownRuns().front().name, std::string("train"));
    QVERIFY(service.knownRuns().front().active);
    listRun(root, root / "own" / "run.slrun", "own");
    std::filesystem::remove_all(path);
    QCOMPARE(service.knownRuns().size(), std::size_t{0});
    const auto later = recording("later.slrun");
    listRun(root, later, "later");
    QCOMPARE(service.knownRuns().size(), std::size_t{1});
    QCOMPARE(std::distance(std::filesystem::directory_iterator(root), {}),
             std::ptrdiff_t{1});              // the other note is gone
    listRun("/proc/nowhere", path, "train");  // says nothing
    qunsetenv("SHARDLENS_RUNS");
  }
};

SHARDLENS_WINDOW_TEST(RunServiceTest)
#include "run_service_test.moc"
