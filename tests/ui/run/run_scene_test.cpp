// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/result.h"
#include "tests/support/fake_run_state.h"
#include "tests/support/window_main.h"
#include "ui/scene/run/board_layout.h"
#include "ui/scene/run/lanes.h"
#include "ui/scene/run/proof.h"
#include "ui/scene/run/rank_rows.h"
#include "ui/scene/run/recording_row.h"
#include "ui/scene/run/text.h"
#include "ui/scene/run/time_window.h"
#include "ui/scene/run/wait_rows.h"

#include <QTest>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

constexpr std::int64_t kMs = 1'000'000;

QString plain(QString text) {
  return text.replace(QChar(0x202F), ' ');
}

Lane laneOf(std::initializer_list<Span> spans) {
  return {0, spans};
}

}  // namespace

class RunSceneTest : public QObject {
  Q_OBJECT

 private slots:
  void theVerdictComesFirst() {
    const RunHeadline line = headlineOf(test::fakeRunState());
    QCOMPARE(line.title, "Everyone waits for rank 5");
    QCOMPARE(line.tone, Tone::Warning);
    QCOMPARE(line.rank, 5);
    QCOMPARE(plain(line.cost), "fixing it saves 1.6 min of 5.0 min (31 %)");
  }

  void aHealthyRunIsCalm() {
    const RunHeadline line = headlineOf(test::fakeRunState({.late_rank = -1}));
    QCOMPARE(line.tone, Tone::Fine);
    QCOMPARE(line.title, "All ranks move together");
    QVERIFY(line.cost.isEmpty());
  }

  void moreRanksThanCoresAreSaid() {
    RunState state = test::fakeRunState({.ranks = 4, .late_rank = -1, .cores = 2});
    for (const JobStatus status : {JobStatus::Running, JobStatus::Finished, JobStatus::Stopped}) {
      state.status = status;
      const RunHeadline line = headlineOf(state);
      QVERIFY(plain(line.message).endsWith("4 ranks share 2 cores, so waits include CPU scheduling."));
    }
    QVERIFY(crowdingText(test::fakeRunState()).isEmpty());
  }

  void aDeadRankComesBeforeTheStraggler() {
    const RunState state = test::fakeFailedState();
    QCOMPARE(headlineOf(state).title, "Rank 3 died");
    QCOMPARE(headlineOf(state).tone, Tone::Error);
    QVERIFY(furtherHeadlines(state).empty());  // who was late no longer matters
    QCOMPARE(culpritsOf(state), std::vector<qint64>{3});
  }

  void theStatusLineHasTheNumbers() {
    RunState state = test::fakeRunState();
    for (RankState& rank : state.ranks) rank.samples_per_s = 1206;
    state.elapsed_ns = 4812 * 100 * kMs;
    const RunFacts facts{{}, 80'080, {0, 10'010}, {}};
    QCOMPARE(plain(runStatusText(state, &facts)),
             "8 of 8 ranks · epoch 0 · step 4 812 of 10 010 · 9 648 samples/s · ETA 8.7 min");
    QCOMPARE(plain(droppedText(state)), "0 records lost");
    state.unread = {4120, 2, 3, 4};
    QCOMPARE(plain(droppedText(state)), "0 records lost · 4 120 bytes damaged · 7 unknown messages");
  }

  void ranksThatAreGoneAreNotCounted() {
    RunState state = test::fakeRunState();
    state.ranks[3].status = RankStatus::Dead;
    QVERIFY(plain(runStatusText(state, nullptr)).startsWith("7 of 8 ranks"));
    QVERIFY(plain(runStatusText(test::fakeFinishedState(), nullptr)).startsWith("8 ranks"));
  }

  void whoWasLateIsStillSaidAfterTheEnd() {
    const RunHeadline line = headlineOf(test::fakeFinishedState());
    QCOMPARE(line.title, "Everyone waits for rank 5");
    QVERIFY(line.message.startsWith("Finished in"));
  }

  void whatWasNotUnderstoodIsSaidOfARunThatIsOver() {
    RunState state = test::fakeFinishedState();
    QVERIFY(!headlineOf(state).message.contains("does not know"));
    state.unread.unknown_frames = 1;
    QVERIFY(headlineOf(state).message.endsWith(
        " 1 message in this recording has a type that this version does not know, and is not shown."));
    state.unread.unknown_records = 2;
    const QString several =
        " 3 messages in this recording have types that this version does not know, and are not shown.";
    QVERIFY(headlineOf(state).message.endsWith(several));
    state.verdicts.clear();
    QVERIFY(headlineOf(state).message.endsWith(several));
    state.status = JobStatus::Running;
    QVERIFY(!headlineOf(state).message.contains("does not know"));
  }

  void durationsHaveTwoFigures() {
    QCOMPARE(plain(durationText(0)), "0 s");
    QCOMPARE(plain(durationText(320)), "320 ns");
    QCOMPARE(plain(durationText(18'200'000)), "18 ms");
    QCOMPARE(plain(durationText(1'440'000'000)), "1.4 s");
    QCOMPARE(plain(durationText(900'000'000'000)), "15 min");
    QCOMPARE(clockText(862'000'000'000), "00:14:22");
  }

  void rowsSayWhatARankDoes() {
    const RunState state = test::fakeRunState();
    const RankRow waiting = rankRow(state, 0, 4);
    QVERIFY(plain(waiting.now).startsWith("waiting · all_reduce"));
    QCOMPARE(waiting.now_briefly.back(), QString("waiting"));
    QCOMPARE(plain(waiting.now_briefly.front()), "waiting " + plain(waiting.now).section(' ', -2));
    QCOMPARE(waiting.place, "n0");
    QVERIFY(waiting.wait_share > 0.2 && waiting.wait_share < 0.4);
    const RankRow late = rankRow(state, 5, 4);
    QCOMPARE(late.place, "n1");
    QVERIFY(late.is_culprit);
    QVERIFY(late.wait_share < 0.05);
  }

  void whatARankOfAnUnknownEndDidIsNotNow() {
    RunState state = test::fakeRunState();
    state.status = JobStatus::Unknown;
    state.ranks[0].status = RankStatus::Computing;
    QCOMPARE(rankRow(state, 0, 4).now, "computing at the end");
    state.ranks[0].status = RankStatus::Done;
    QCOMPARE(rankRow(state, 0, 4).now, "done");
  }

  void hostsAreNamedWhenThereAreSeveral() {
    RunState state = test::fakeRunState();
    state.ranks[7].host = "node-b";
    QCOMPARE(rankRow(state, 7, 4).place, "node-b");
  }

  void aRankNobodyHeardOfIsNotZero() {
    RunState state = test::fakeRunState();
    state.ranks[2] = RankState{};
    state.ranks[2].rank = 2;
    const RankRow row = rankRow(state, 2, 4);
    QCOMPARE(row.tone, NowTone::Unmeasured);
    QVERIFY(row.wait_share < 0);
    QCOMPARE(row.step, "–");
  }

  void theLatestComesFirst() {
    const RunState state = test::fakeRunState();
    QCOMPARE(rankOrder(state, RankOrder::ByRank).front(), 0);
    QCOMPARE(rankOrder(state, RankOrder::ByLateness).front(), 5);
    QCOMPARE(rankOrder(test::fakeFailedState(), RankOrder::ByLateness).front(), 3);
  }

  void blocksLieWhereTheSpansAre() {
    const Lane lane = laneOf({{Phase::Load, 0, 10 * kMs, 0, 0}, {Phase::Compute, 20 * kMs, 40 * kMs, 0, 0}});
    const auto blocks = laneBlocks(lane, 0, 50 * kMs, 100);
    QCOMPARE(blocks.size(), std::size_t{4});
    QCOMPARE(blocks[0].phase, Phase::Load);
    QCOMPARE(blocks[0].x1, 20.0);
    QCOMPARE(blocks[1].phase, Phase::Unmeasured);
    QCOMPARE(blocks[2].x0, 40.0);
    QCOMPARE(blocks[3].phase, Phase::Unmeasured);
    QCOMPARE(blocks[3].x1, 100.0);
  }

  void nothingIsDrawnBeforeTheJobBegan() {
    const auto blocks = laneBlocks(laneOf({{Phase::Load, 0, 10 * kMs, 0, 0}}), -10 * kMs, 10 * kMs, 100);
    QCOMPARE(blocks.size(), std::size_t{1});
    QCOMPARE(blocks[0].x0, 50.0);
  }

  void smallSpansCostPixelsOnly() {
    Lane lane;
    for (int i = 0; i < 100'000; ++i) {
      lane.spans.push_back({i % 10 == 0 ? Phase::Load : Phase::Compute, i * 1000, (i + 1) * 1000, 0, i});
    }
    const auto blocks = laneBlocks(lane, 0, 100'000'000, 200);
    QVERIFY(blocks.size() <= 200);
    QCOMPARE(blocks.front().phase, Phase::Compute);
  }

  void oneLateRankAmongAThousandStaysVisible() {
    const auto timeline = std::make_shared<Timeline>();
    for (int rank = 0; rank < 1024; ++rank) {
      timeline->lanes.push_back({rank, {{rank == 517 ? Phase::Load : Phase::Wait, 0, 100 * kMs, 0, 0}}});
    }
    const PhaseMap scene = phaseMap({timeline, nullptr, {}}, 0, 100 * kMs, 50, 100);
    const auto late = std::count(scene.cells.begin(), scene.cells.end(), static_cast<std::uint8_t>(Phase::Load));
    QVERIFY(late >= 50 && late <= 100);
    QCOMPARE(scene.cells[static_cast<std::size_t>(517 * 100 / 1024) * 50], static_cast<std::uint8_t>(Phase::Load));
  }

  void theWindowFollowsUntilItIsTouched() {
    TimeWindow window;
    window.setUsualSpan(400 * kMs);
    window.setExtent(0, 1000 * kMs);
    QCOMPARE(window.end(), 1000 * kMs);
    QCOMPARE(window.span(), 400 * kMs);
    window.pan(-0.5);
    QVERIFY(!window.isFollowing());
    const std::int64_t end = window.end();
    window.setExtent(0, 2000 * kMs);
    QCOMPARE(window.end(), end);
    window.follow();
    QCOMPARE(window.end(), 2000 * kMs);
  }

  void zoomKeepsTheMomentUnderThePointer() {
    TimeWindow window;
    window.setUsualSpan(400 * kMs);
    window.setExtent(0, 1000 * kMs);
    window.zoom(0.5, 0.25);
    QCOMPARE(window.begin() + window.span() / 4, 700 * kMs);
    for (int i = 0; i < 100; ++i) window.zoom(0.5, 0.5);
    QVERIFY(window.span() > 0);
    for (int i = 0; i < 100; ++i) window.zoom(2, 0.5);
    QCOMPARE(window.begin(), 0);
    QCOMPARE(window.end(), 1000 * kMs);
  }

  void aFewStepsAreUsual() {
    const std::int64_t span = usualSpan(test::fakeRunState().recent);
    QVERIFY(span >= 200 * kMs && span <= 600 * kMs);
    QCOMPARE(usualSpan(Timeline{}), 1000 * kMs);
  }

  void rowsShrinkThenScrollThenTurnToAMapOfPhases() {
    const QSize size(1248, 340);
    QVERIFY(!boardLayout(size, {.ranks = 8}).scrolls());
    QVERIFY(boardHeight({.ranks = 4}, true) > boardHeight({.ranks = 4}) + 4 * 80);  // what a tall window makes use of
    QVERIFY(boardLayout(size, {.ranks = 8}).pitch > 20);
    QVERIFY(boardLayout(size, {.ranks = 64}).scrolls());
    const BoardLayout many = boardLayout(size, {.ranks = 1024});
    QVERIFY(many.phase_map.height() > 50);
    QVERIFY(!many.scrolls());
    QVERIFY(many.shown >= 3);
  }

  /// 8 px between nodes; a height that is in a gap is no row's.
  void nodesStandApart() {
    const QSize size(1248, 340);
    const BoardLayout layout = boardLayout(size, {.ranks = 8, .node_starts = nodeStarts(8, 4)});
    QCOMPARE(layout.row(4, 0).top() - layout.row(3, 0).bottom(), 8.0);
    QCOMPARE(layout.row(3, 0).top(), layout.row(2, 0).bottom());
    QVERIFY(!layout.scrolls());
    for (qint64 row = 0; row < 8; ++row) {
      QCOMPARE(layout.rowAt(layout.row(row, 0).center().y(), 0), row);
    }
    QCOMPARE(layout.rowAt(layout.row(4, 0).top() - 4, 0), qint64{-1});
    QCOMPARE(boardHeight({.ranks = 8, .node_starts = {4}}), boardHeight({.ranks = 8}) + 8);
  }

  /// Rows that fit do not scroll for the sake of gaps; rows that scroll anyway have them.
  void gapsNeverMakeRowsScroll() {
    for (int height = 150; height < 700; height += 7) {
      const QSize size(1248, height);
      const BoardLayout apart = boardLayout(size, {.ranks = 16, .node_starts = nodeStarts(16, 2)});
      QCOMPARE(apart.scrolls(), boardLayout(size, {.ranks = 16}).scrolls());
      const double scrolled = apart.content - apart.rows.height();
      if (!apart.scrolls()) continue;
      QVERIFY(std::abs(apart.row(15, scrolled).bottom() - apart.rows.bottom()) < 0.01);
      const qint64 first = apart.firstRow(scrolled);
      QVERIFY(apart.row(first, scrolled).bottom() > apart.rows.top());
      QVERIFY(first == 0 || apart.row(first - 1, scrolled).bottom() <= apart.rows.top());
    }
  }

  void anotherNodeBeginsWhereTheHostChanges() {
    RunState state = test::fakeRunState({.ranks = 6});
    for (std::size_t rank = 0; rank < 6; ++rank) state.ranks[rank].host = rank < 4 ? "a" : "b";
    QCOMPARE(nodeStarts(state, 2), (std::vector<qint64>{4}));
    for (RankState& rank : state.ranks) rank.host = "a";
    QCOMPARE(nodeStarts(state, 2), (std::vector<qint64>{2, 4}));
    QVERIFY(nodeStarts(state, 1).empty());
    for (std::size_t rank = 0; rank < 6; ++rank) state.ranks[rank].host = std::string(rank + 1, 'h');
    QVERIFY(nodeStarts(state, 0).empty());  // a node for each rank
  }

  void everyCellOfTheProofIsHonest() {
    RunState state = test::fakeRunState({.ranks = 2, .late_rank = -1, .steps_done = 3, .planned_steps = 6});
    ProofRecorder recorder(2);
    recorder.add(0, 0, true);
    recorder.add(1, 0, true);
    recorder.add(0, 1, false);
    recorder.add(1, 1, true);
    recorder.add(0, 2, true);  // rank 1's record of step 2 was lost
    const ProofScene scene = proofScene(state, recorder.recent(), {400, 100});
    QCOMPARE(scene.columns, 6);
    QCOMPARE(scene.at(0, 0), ProofCell::Match);
    QCOMPARE(scene.at(0, 1), ProofCell::Mismatch);
    QCOMPARE(scene.at(1, 2), ProofCell::Unchecked);
    QCOMPARE(scene.at(0, 3), ProofCell::Ahead);
  }

  void aHighProofOfFewRanksHasLargerCells() {
    const RunState few = test::fakeRunState({.ranks = 2, .late_rank = -1, .steps_done = 3, .planned_steps = 6});
    const RunState many = test::fakeRunState({.ranks = 64, .late_rank = -1, .steps_done = 3, .planned_steps = 6});
    const auto pitch = [](const RunState& state, int height, double scale = 1) {
      const ProofRecorder recorder(static_cast<qint64>(state.ranks.size()));
      return proofScene(state, recorder.recent(), {400, height}, {}, scale).column_pitch;
    };
    QVERIFY(pitch(few, 360) > 1.5 * pitch(few, 160));
    QCOMPARE(pitch(many, 360), pitch(few, 160));
    QCOMPARE(pitch(few, 360, 2), pitch(few, 160));  // no higher than usual in such type
  }

  void oneWrongBatchAmongAThousandRanksStaysVisible() {
    const RunState state =
        test::fakeRunState({.ranks = 1024, .late_rank = -1, .steps_done = 20, .planned_steps = 40, .recent_ms = 70});
    ProofRecorder recorder(1024);
    for (qint64 step = 0; step < 20; ++step) {
      for (qint64 rank = 0; rank < 1024; ++rank) recorder.add(rank, step, rank != 700 || step != 4);
    }
    const ProofScene scene = proofScene(state, recorder.recent(), {400, 120});
    QVERIFY(scene.rows < 1024);
    QCOMPARE(std::count(scene.cells.begin(), scene.cells.end(), ProofCell::Mismatch), 1);
    QCOMPARE(scene.at(scene.rowOf(700, 1024), 4), ProofCell::Mismatch);
  }

  void oldStepsAreForgottenNotMixedUp() {
    ProofRecorder recorder(1);
    recorder.add(0, 3, false);
    recorder.add(0, 3 + ProofRecorder::kWindow, true);
    recorder.add(0, 3, true);  // too late to be looked at
    const BatchProof proof = recorder.recent();
    QCOMPARE(proof.steps, ProofRecorder::kWindow);
    QCOMPARE(proof.at(0, proof.steps - 1), BatchMark::Match);
    QCOMPARE(std::count(proof.marks.begin(), proof.marks.end(), BatchMark::Mismatch), 0);
  }

  void theProofIsASentence() {
    RunState state = test::fakeRunState();
    QCOMPARE(plain(proofVerdict(state, nullptr).text), "38 496 of 38 496 batches match the plan");
    state.planned_batches = 40'000;
    QCOMPARE(plain(proofVerdict(state, nullptr).text), "38 496 of 40 000 planned batches compared: all match the plan");
    state.status = JobStatus::Finished;
    state.verdicts.clear();
    QVERIFY(plain(headlineOf(state).message).contains("38 496 of 40 000 planned batches were reported; 38 496 match"));
    state.ranks[2].mismatched = 2;
    state.first_difference = FirstDifference{2, 1, 3};
    const ProofVerdict wrong = proofVerdict(state, nullptr);
    QCOMPARE(wrong.tone, Tone::Error);
    QVERIFY(plain(wrong.text).endsWith("first: rank 2, epoch 1, step 3"));
  }

  void whatSlowRanksOweIsSaid() {
    RunState state = test::fakeRunState();
    QCOMPARE(plain(owedText(state)),
             "The others waited 10 min for it · fixing it would save 1.6 min · 0 s to 5.0 min of the run");
    QVERIFY(waitRows(state)[5].gain.isEmpty());
    Verdict& verdict = state.verdicts.front();
    verdict.ranks = {4, 5};
    verdict.gain_alone_s = {0, 0.8};
    QVERIFY(plain(owedText(state)).contains("for them · fixing all of them would save"));
    const auto rows = waitRows(state);
    QVERIFY(rows[4].is_culprit && rows[5].is_culprit && !rows[6].is_culprit);
    QVERIFY(plain(rows[5].words()).endsWith(" · last in 188 of 200 · fixing it alone saves 800 ms"));
    state.verdicts.clear();
    QVERIFY(owedText(state).isEmpty());
  }

  void ranksThatWaitForEachOtherDoNotMoveTogether() {
    RunState state = test::fakeRunState({.late_rank = -1});
    for (RankState& rank : state.ranks) rank.wait_ns = rank.compute_ns;
    const RunHeadline line = headlineOf(state);
    QCOMPARE(line.tone, Tone::Note);
    QCOMPARE(line.title, "No single rank is clearly slow");
    QVERIFY(plain(line.message).startsWith("The ranks spend 4"));
    for (auto& arrival : state.arrivals) arrival.collectives = 0;
    QCOMPARE(headlineOf(state).title, "The job is running");
  }

  void arrivalsOfTheLastCollectiveAreInOrder() {
    Timeline timeline;
    for (int rank = 0; rank < 3; ++rank) {
      const std::int64_t came = (3 - rank) * 10 * kMs;  // rank 2 first, rank 0 last
      Lane lane{rank, {{Phase::Compute, 0, came, 0, 0}}};
      if (came < 30 * kMs) lane.spans.push_back({Phase::Wait, came, 30 * kMs, 0, 0});
      lane.spans.push_back({Phase::Transfer, 30 * kMs, 35 * kMs, 0, 0});
      timeline.lanes.push_back(lane);
    }
    const auto arrivals = lastArrivals(timeline);
    QCOMPARE(arrivals.size(), std::size_t{3});
    QCOMPARE(arrivals.front().rank, 2);
    QCOMPARE(arrivals.back().late_ns, 20 * kMs);
    QCOMPARE(plain(arrivalOrderText(arrivals)), "2, 1, 0 (+20 ms)");
    QVERIFY(lastArrivals(Timeline{}).empty());
  }

  void waitsNameWhoWasLast() {
    const auto rows = waitRows(test::fakeRunState());
    QCOMPARE(rows[5].last, "last in 188 of 200");
    QVERIFY(rows[5].is_culprit);
    QVERIFY(rows[0].wait_ns > 10 * double(kMs));
  }
};

SHARDLENS_WINDOW_TEST(RunSceneTest)
#include "run_scene_test.moc"
