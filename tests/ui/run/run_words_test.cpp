// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/result.h"
#include "tests/support/fake_run_state.h"
#include "tests/support/window_main.h"
#include "ui/scene/run/recording_row.h"
#include "ui/scene/run/stalls.h"
#include "ui/scene/run/text.h"

#include <QTest>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

constexpr std::int64_t kMs = 1'000'000;

QString plain(QString text) {
  return text.replace(QChar(0x202F), ' ');
}

}  // namespace
class RunWordsTest : public QObject {
  Q_OBJECT

 private slots:
  void aRunOfTheListIsSaidInWords() {
    const QDateTime now(QDate(2026, 3, 12), QTime(19, 0));
    const std::int64_t start = QDateTime(QDate(2026, 3, 12), QTime(18, 51)).toSecsSinceEpoch();
    RecordingFacts facts;
    facts.name = "slow-rank";
    facts.started_unix_ns = start * 1'000'000'000;
    facts.elapsed_ns = 5'300 * kMs;
    facts.ranks = 4;
    facts.outcome = JobStatus::Finished;
    facts.verdict = "Everyone waits for rank 2";
    facts.planned = 160;
    facts.matched = 160;
    const RecordingRow row = recordingRow("folder", {}, facts, {}, now);
    QCOMPARE(row.mark, RunMark::Finished);
    QCOMPARE(row.name, "slow-rank");
    QCOMPARE(row.when, "18:51");
    QCOMPARE(plain(row.facts), "finished, 5.3 s · 4 ranks · Everyone waits for rank 2 · all batches proven");
    facts.outcome = JobStatus::Failed;
    facts.matched = 40;
    QVERIFY(plain(recordingRow({}, {}, facts, {}, now.addDays(2)).facts).endsWith("25 % of the batches proven"));
    QCOMPARE(recordingRow({}, {}, facts, {}, now.addDays(2)).when, "Thu 18:51");
    QCOMPARE(recordingRow({}, {}, facts, {}, now.addYears(1)).when, "12 Mar 2026");
    facts.mismatched = 1;
    QVERIFY(recordingRow({}, {}, facts, {}, now).facts.endsWith("1 batch differs"));
  }

  void ownCommandsTellRunsApart() {
    const QDateTime now(QDate(2026, 3, 12), QTime(19, 0));
    RecordingFacts facts;
    facts.name = "train";
    facts.command = "shardlens run --run-file job.slrun -- torchrun --nproc_per_node=2 train.py --lr 0.1";
    QCOMPARE(recordingRow("folder", {}, facts, {}, now).name, "torchrun --nproc_per_node=2 train.py --lr 0.1");
    facts.ranks = 0;
    QVERIFY(!recordingRow("folder", {}, facts, {}, now).facts.contains("rank"));
    facts.command = "shardlens run slow-rank.yaml --launcher mpirun";
    QCOMPARE(recordingRow("folder", {}, facts, {}, now).name, "train");
  }

  void theCardOfAStallNamesWhatRanksWaitIn() {
    RunState state = test::fakeRunState({.ranks = 4, .late_rank = 2});
    for (RankState& rank : state.ranks) {
      rank.status = rank.rank == 2 ? RankStatus::Loading : RankStatus::InCollective;
      if (rank.rank != 2) rank.operation = Operation{.op = SL_OP_ALLREDUCE};
    }
    Verdict verdict;
    verdict.kind = VerdictKind::Stalled;
    verdict.rank = 2;
    state.verdicts.insert(state.verdicts.begin(), verdict);
    const auto waiting = [&state] {
      const auto said = stallText(state);
      for (const StallText::Line& line : said->lines) {
        if (line.head == "ranks waiting") return line.text;
      }
      return QString();
    };
    QCOMPARE(waiting(), QString("ranks 0, 1 and 3 in all_reduce"));
    state.ranks[3].operation = Operation{.op = SL_OP_BARRIER};
    QCOMPARE(waiting(), QString("ranks 0 and 1 in all_reduce\nrank 3 in barrier"));
  }

  void aShareStandsBesideWhatItIsOf() {
    RunState state = test::fakeRunState();
    Verdict starved;
    starved.kind = VerdictKind::Starved;
    starved.title = "All ranks wait for their data";
    starved.gain_s = 4;
    starved.cost = 0.7;
    state.verdicts = {starved};
    QCOMPARE(plain(headlineOf(state).cost), "fixing it saves up to 4.0 s");
    starved.kind = VerdictKind::Straggler;
    state.verdicts = {starved};
    QCOMPARE(plain(headlineOf(state).cost), "fixing it saves 4.0 s of 5.7 s (70 %)");
  }

  void beforeTheFirstRankNoneIsCounted() {
    RunState state;
    state.status = JobStatus::Starting;
    QCOMPARE(headlineOf(state).title, "Starting");
    QCOMPARE(runStatusText(state, nullptr), "no rank yet");
    state.world_size = 2;
    QCOMPARE(headlineOf(state).title, "Starting 2 ranks");
  }

  void whatARecordingDoesNotSayIsNotKnown() {
    const QDateTime now(QDate(2026, 3, 12), QTime(19, 0));
    RecordingFacts facts;
    facts.name = "cut";
    facts.ranks = 2;
    facts.is_damaged = true;
    const RecordingRow row = recordingRow("folder", {}, facts, {}, now);
    QCOMPARE(row.mark, RunMark::Unknown);
    QCOMPARE(row.when, "time not known");
    QCOMPARE(row.facts,
             "no end recorded: outcome not known, duration not known · 2 ranks · no plan to compare with · "
             "damaged in places");
    QCOMPARE(recordingRow("folder", {}, RecordingFacts(), {}, now).facts, "empty: it ends before the job began");
    const RecordingRow refused = recordingRow("folder", {}, std::nullopt, "It is no recording.", now);
    QCOMPARE(refused.name, "folder");
    QCOMPARE(refused.facts, "cannot be read: It is no recording.");
  }

  /// A job that ended well, and read the wrong samples, is not shown as all well.
  void whatLoadersReadComesBeforeAGoodEnd() {
    capture::Capture loaders;
    loaders.loaders.emplace_back();
    loaders.loaders[0].job.name = "train";
    const RunHeadline fine{Tone::Fine, "Finished", {}, {}, {}, -1};
    const RunHeadline slow{Tone::Warning, "Everyone waits", {}, {}, {}, 1};
    QCOMPARE(withLoaders(fine, {}, loaders), std::vector<RunHeadline>{fine});
    loaders.loaders[0].findings = {
        {"run-epochs-repeat", "Every epoch has the same order", "set_epoch was never called."}};
    auto lines = withLoaders(fine, {}, loaders);
    QCOMPARE(lines.size(), std::size_t{2});
    QCOMPARE(lines[0].title, "Every epoch has the same order");
    QCOMPARE(lines[0].tone, Tone::Warning);
    QVERIFY(lines[1].title == "Finished" && lines[1].tone == Tone::Note);
    lines = withLoaders(slow, {fine}, loaders);
    QCOMPARE(lines.size(), std::size_t{3});
    QVERIFY(lines[0] == slow && lines[1].message == "set_epoch was never called." && lines[2] == fine);
    loaders.loaders.emplace_back();
    QCOMPARE(withLoaders(fine, {}, loaders)[0].title, "train: Every epoch has the same order");
  }

  void launchingIsExplainedBefore() {
    PipelineSpec spec;
    spec.world = {2, 4};
    spec.run.delays = {{.rank = 5, .ms = 20}};
    const LaunchFacts facts = launchFacts(spec, 2, {});
    QCOMPARE(plain(facts.lines[0].value), "8 × mpi_rank · 2 nodes × 4, all on this machine");
    QVERIFY(facts.lines[1].is_warning);
    QCOMPARE(plain(facts.lines[3].value), "rank 5, 20 ms more loading in every step");
    spec.run.delays = {{.rank = 5, .ms = 20, .phase = "compute", .from_step = 40}};
    QCOMPARE(plain(launchFacts(spec, 2, {}).lines[3].value), "rank 5, 20 ms more computing from step 40");
    spec.run.delays[0].until_step = 60;
    QCOMPARE(plain(launchFacts(spec, 2, {}).lines[3].value), "rank 5, 20 ms more computing in steps 40 to 59");
    spec.run.delays.push_back({.rank = 6, .ms = 1});
    QCOMPARE(plain(launchFacts(spec, 2, {}).lines[3].value), "5 and 6 (run.delays)");
    QCOMPARE(plain(launchFacts({}, 2, {}).lines[3].value), "none");
    QVERIFY(facts.lines[4].value.contains("your script does not run"));
    for (const char* launcher : {"plain", "torchrun", "srun"}) {
      spec.run.launcher = launcher;
      QVERIFY2(plain(launchFacts(spec, 2, {}).lines[0].value).startsWith("8 × socket_rank"), launcher);
    }
    QVERIFY(facts.problem.isEmpty());
  }

  void whatIsMissingIsSaidBefore() {
    const Error missing{ErrorCode::Environment, "There is no program named mpirun on this machine.", {}, "install it"};
    const LaunchFacts facts = launchFacts({}, 2, missing);
    QVERIFY(facts.problem.contains("mpirun"));
    QCOMPARE(facts.hint, "install it");
  }
};

SHARDLENS_WINDOW_TEST(RunWordsTest)
#include "run_words_test.moc"
