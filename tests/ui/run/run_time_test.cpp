// SPDX-License-Identifier: GPL-3.0-or-later
// The time of a run: what of it is in view, its axis, its minimap, and what the panels make of the part in view.
#include "core/collect/run_replay.h"
#include "tests/support/fake_run_state.h"
#include "tests/support/window_main.h"
#include "ui/scene/run/in_view.h"
#include "ui/scene/run/lanes.h"
#include "ui/scene/run/proof.h"
#include "ui/scene/run/time_window.h"

#include <QTest>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kSecond = 1000 * kMs;

QString plain(QString text) {
  return text.replace(QChar(0x202F), ' ');
}

TimeWindow windowOf(std::int64_t last, std::int64_t from, std::int64_t to) {
  TimeWindow window;
  window.setExtent(0, last);
  window.show(from, to);
  return window;
}

/// Two ranks; steps of 100 ms, rank 1 loads 20 ms longer and rank 0 waits for it; step `stall` takes `stall_ms` more.
Overview overviewOf(int steps, int stall = -1, std::int64_t stall_ms = 0) {
  OverviewBuilder builder(2);
  std::int64_t at = 0;
  for (int step = 0; step < steps; ++step) {
    const std::int64_t more = step == stall ? stall_ms * kMs : 0;
    const std::int32_t epoch = step < steps / 2 ? 0 : 1;
    const std::int32_t number = step < steps / 2 ? step : step - steps / 2;
    builder.add(0, {Phase::Load, at, at + 10 * kMs, epoch, number});
    builder.add(0, {Phase::Compute, at + 10 * kMs, at + 70 * kMs, epoch, number});
    builder.add(0, {Phase::Wait, at + 70 * kMs, at + 90 * kMs + more, epoch, number});
    builder.add(0, {Phase::Transfer, at + 90 * kMs + more, at + 100 * kMs + more, epoch, number});
    builder.add(1, {Phase::Load, at, at + 30 * kMs + more, epoch, number});
    builder.add(1, {Phase::Compute, at + 30 * kMs + more, at + 90 * kMs + more, epoch, number});
    builder.add(1, {Phase::Transfer, at + 90 * kMs + more, at + 100 * kMs + more, epoch, number});
    at += 100 * kMs + more;
  }
  return builder.overview();
}

RunLanes lanesFrom(const Overview& overview) {
  RunLanes lanes;
  lanes.overview = std::make_shared<const Overview>(overview);
  Timeline empty;
  empty.lanes = {{0, {}}, {1, {}}};
  lanes.recent = std::make_shared<const Timeline>(empty);
  return lanes;
}

double wide(const QString& words) {
  return 6.0 * static_cast<double>(words.size());
}

QStringList wordsOf(const std::vector<StepMark>& marks) {
  QStringList words;
  for (const StepMark& mark : marks) {
    if (!mark.text.isEmpty()) words += mark.text;
  }
  return words;
}

RunFacts twoEpochs(std::int64_t steps_each) {
  RunFacts facts;
  facts.epoch_starts = {0, steps_each, 2 * steps_each};
  return facts;
}

}  // namespace

class RunTimeTest : public QObject {
  Q_OBJECT

 private slots:
  void whatIsDraggedOverIsInView() {
    TimeWindow window;
    window.setUsualSpan(400 * kMs);
    window.setExtent(0, 10 * kSecond);
    QVERIFY(window.isUsual());
    window.show(3 * kSecond, 2 * kSecond);  // dragged from right to left
    QCOMPARE(window.begin(), 2 * kSecond);
    QCOMPARE(window.end(), 3 * kSecond);
    QVERIFY(!window.isFollowing());
    window.setExtent(0, 20 * kSecond);
    QCOMPARE(window.end(), 3 * kSecond);
    window.show(19 * kSecond, 40 * kSecond);
    QCOMPARE(window.end(), 20 * kSecond);
    window.show(5 * kSecond, 5 * kSecond);
    QVERIFY(window.span() > 0);
    window.fit();
    QVERIFY(window.isWhole());
    window.reset();
    QCOMPARE(window.span(), 400 * kMs);
    QCOMPARE(window.end(), 20 * kSecond);
    QVERIFY(window.isUsual());
  }

  void theWholeRunGrowsWithTheRun() {
    TimeWindow window;
    window.setUsualSpan(400 * kMs);
    window.setExtent(0, 10 * kSecond);
    window.fit();
    QVERIFY(window.isFollowing());
    window.setExtent(0, 20 * kSecond, 19 * kSecond);
    QVERIFY(window.isWhole());
    QCOMPARE(window.begin(), 0);
    QCOMPARE(window.end(), 20 * kSecond);
    window.pan(-0.5);  // there is nothing beside it
    window.setExtent(0, 30 * kSecond);
    QVERIFY(window.isWhole());
    window.zoom(0.5, 0);
    QVERIFY(!window.isFollowing());
    window.setExtent(0, 40 * kSecond);
    QCOMPARE(window.end(), 15 * kSecond);
    window.fit();
    window.follow();  // of the length in view
    window.setExtent(0, 50 * kSecond);
    QCOMPARE(window.begin(), 10 * kSecond);
  }

  void theLatestMayBeBeforeTheEnd() {
    TimeWindow window;
    window.setUsualSpan(400 * kMs);
    window.setExtent(0, 10 * kSecond, 4 * kSecond);
    QCOMPARE(window.end(), 4 * kSecond);
    window.fit();
    QCOMPARE(window.end(), 10 * kSecond);
    window.reset();
    QCOMPARE(window.end(), 4 * kSecond);
  }

  void ticksAreRoundAndApart() {
    const auto ticks = timeTicks(windowOf(20 * kSecond, 4200 * kMs, 4700 * kMs), 500, 90);
    QCOMPARE(plain(ticks.front().text), "4.2 s");
    QCOMPARE(plain(ticks[1].text), "4.3 s");
    QCOMPARE(ticks[1].x, 100.0);
    const auto fine = timeTicks(windowOf(20 * kSecond, 4200 * kMs, 4200 * kMs + 400'000), 500, 90);
    QCOMPARE(plain(fine[1].text), "4.2001 s");
    const auto minutes = timeTicks(windowOf(3600 * kSecond, 862 * kSecond, 864 * kSecond), 500, 90);
    QCOMPARE(minutes[1].text, "14:22.5");
    const auto hours = timeTicks(windowOf(20'000 * kSecond, 0, 20'000 * kSecond), 500, 90);
    QCOMPARE(hours[1].text, "1:00:00");
    for (const auto* each : {&ticks, &fine, &minutes, &hours}) {
      for (std::size_t i = 1; i < each->size(); ++i) QVERIFY((*each)[i].x - (*each)[i - 1].x >= 90);
    }
  }

  void stepsAreNamedWhereThereIsRoom() {
    const Overview overview = overviewOf(40);
    const auto each = stepMarks(&overview, nullptr, windowOf(4 * kSecond, 500 * kMs, 1000 * kMs), 500, wide);
    QCOMPARE(each.size(), std::size_t{5});
    QCOMPARE(each[0].text, "step 5");
    QVERIFY(each[0].is_one);
    QCOMPARE(each[0].x, 0.0);
    QCOMPARE(each[0].until, 100.0);
    const auto cut = stepMarks(&overview, nullptr, windowOf(4 * kSecond, 510 * kMs, 1010 * kMs), 500, wide);
    QCOMPARE(cut[0].x, -10.0);  // the one that has begun before
    const auto all = stepMarks(&overview, nullptr, windowOf(4 * kSecond, 0, 4 * kSecond), 500, wide);
    QCOMPARE(wordsOf(all),
             QStringList({"step 0", "step 5", "step 10", "step 15", "epoch 1", "step 5", "step 10", "step 15"}));
  }

  /// Step 20 is the one before it, and has no room beside it.
  void anEpochIsNamedRatherThanTheStepBeforeIt() {
    const Overview overview = overviewOf(42);
    const auto all = stepMarks(&overview, nullptr, windowOf(4200 * kMs, 0, 4200 * kMs), 500, wide);
    QCOMPARE(wordsOf(all),
             QStringList({"step 0", "step 5", "step 10", "step 15", "epoch 1", "step 5", "step 10", "step 15"}));
    const auto cut = stepMarks(&overview, nullptr, windowOf(4200 * kMs, 975 * kMs, 2125 * kMs), 500, wide);
    QCOMPARE(wordsOf(cut).back(), "step 20");  // the words of the epoch would run out of the axis
  }

  void wordsThatWouldRunOutOfTheAxisAreLeftOut() {
    const Overview overview = overviewOf(42);
    for (std::int64_t end = 2000; end <= 4200; end += 10) {
      const auto marks = stepMarks(&overview, nullptr, windowOf(4200 * kMs, 0, end * kMs), 500, wide);
      QVERIFY(wordsOf(marks).size() >= 4);
      for (const StepMark& mark : marks) QVERIFY(mark.text.isEmpty() || mark.x + wide(mark.text) <= 500);
    }
  }

  void theLastStepsComeFromTheLane() {
    const RunState state = test::fakeRunState();
    const auto marks = stepMarks(nullptr, &state.recent.lanes[0],
                                 windowOf(state.elapsed_ns, state.recent.begin_ns, state.elapsed_ns), 4000, wide);
    QVERIFY(marks.size() > 30);
    QCOMPARE(marks[1].step, marks[0].step + 1);
  }

  void theWorstStepOfAColumnIsSeen() {
    const Overview overview = overviewOf(2000, 1234, 700);
    const std::int64_t end = overview.lanes.end_ns;
    const Minimap map = minimapOf(overview, end, {}, 400);
    QCOMPARE(map.columns.size(), std::size_t{200});
    QCOMPARE(map.top_ns, 100 * kMs);  // the 99th percentile
    const auto worst = static_cast<std::size_t>(1234 * 100 * kMs * 200 / end);
    QCOMPARE(overview.steps[static_cast<std::size_t>(map.columns[worst].step)].longest_ns, 800 * kMs);
    QCOMPARE(map.columns[worst].all, 1.0F);
    QVERIFY(std::abs(map.columns[0].compute - 0.6F) < 0.01F);
    QVERIFY(!map.columns[0].stalled);
    QCOMPARE(map.epochs.size(), std::size_t{2});
    const Minimap stalled = minimapOf(overview, end, {{end / 2, end / 2 + kSecond}}, 400);
    QVERIFY(stalled.columns[100].stalled);
    QVERIFY(!stalled.columns[50].stalled);
  }

  void withoutAMeasuredStepNoHeightIsSaid() {
    const Minimap map = minimapOf(Overview(), kSecond, {{0, kSecond / 2}}, 400);
    QCOMPARE(map.top_ns, std::int64_t{0});
    QVERIFY(map.columns[0].stalled);
  }

  void aJobThatStandsStillIsRedSinceARankLastWentOn() {
    RunState state = test::fakeRunState();
    QVERIFY(stallsOf(state, nullptr).empty());
    Verdict stalled;
    stalled.kind = VerdictKind::Stalled;
    state.verdicts.insert(state.verdicts.begin(), stalled);
    std::int64_t last = 0;
    for (const RankState& rank : state.ranks) last = std::max(last, rank.since_ns);
    state.elapsed_ns += 10 * kSecond;
    QCOMPARE(stallsOf(state, nullptr), (std::vector<Stall>{{last, state.elapsed_ns}}));
    state.status = JobStatus::Stopped;  // it was ended then: what it did last is what the recording has
    const Overview overview = overviewOf(10);
    QCOMPARE(stallsOf(state, &overview), (std::vector<Stall>{{kSecond, state.elapsed_ns}}));
    state.verdicts.front().kind = VerdictKind::Paused;
    state.verdicts.front().from_ns = kSecond;
    state.verdicts.front().to_ns = 5 * kSecond;
    QCOMPARE(stallsOf(state, nullptr), (std::vector<Stall>{{kSecond, 5 * kSecond}}));
  }

  void theFrameCanAlwaysBeTakenHoldOf() {
    const TimeWindow window = windowOf(3600 * kSecond, 1800 * kSecond, 1800 * kSecond + 400 * kMs);
    const MinimapFrame frame = minimapFrame(window, 700);
    QVERIFY(frame.right - frame.left >= MinimapFrame::kLeast);
    QVERIFY(frame.left < 350 && frame.right > 350);
    QCOMPARE(gripAt(frame, 350), MinimapGrip::Body);
    QCOMPARE(gripAt(frame, frame.left), MinimapGrip::Left);
    QCOMPARE(gripAt(frame, frame.right + 1), MinimapGrip::Right);
    QCOMPARE(gripAt(frame, 20), MinimapGrip::None);
    const MinimapFrame last = minimapFrame(windowOf(3600 * kSecond, 3599 * kSecond, 3600 * kSecond), 700);
    QCOMPARE(last.right, 700.0);
  }

  void theFrameIsMovedAndSized() {
    const TimeWindow window = windowOf(100 * kSecond, 40 * kSecond, 60 * kSecond);
    const TimeWindow moved = dragged(window, MinimapGrip::Body, 70, 700);
    QCOMPARE(moved.begin(), 50 * kSecond);
    QCOMPARE(moved.span(), window.span());
    QCOMPARE(dragged(window, MinimapGrip::Left, 70, 700).begin(), 50 * kSecond);
    QCOMPARE(dragged(window, MinimapGrip::Left, 70, 700).end(), 60 * kSecond);
    QCOMPARE(dragged(window, MinimapGrip::Right, 70, 700).end(), 70 * kSecond);
    const TimeWindow far = dragged(window, MinimapGrip::Body, 7000, 700);  // stops at the end with its length
    QCOMPARE(far.end(), 100 * kSecond);
    QCOMPARE(far.span(), window.span());
  }

  void oldTimesComeFromTheWholeRunAndNewOnesFromTheLastSeconds() {
    Lane whole{0, {{Phase::Compute, 0, 100 * kMs, 0, 0}}};
    Lane recent{0, {{Phase::Load, 60 * kMs, 100 * kMs, 0, 0}}};
    const auto blocks = laneBlocks(LaneSource{&recent, &whole}, 0, 100 * kMs, 100);
    QCOMPARE(blocks.size(), std::size_t{2});
    QCOMPARE(blocks[0].phase, Phase::Compute);
    QCOMPARE(blocks[0].x1, 60.0);
    QCOMPARE(blocks[1].phase, Phase::Load);
    QCOMPARE(blocks[1].x1, 100.0);
    QCOMPARE(spanAt(LaneSource{&recent, &whole}, 30 * kMs)->phase, Phase::Compute);
    QCOMPARE(spanAt(LaneSource{&recent, &whole}, 80 * kMs)->phase, Phase::Load);
    const auto over = laneBlocks(LaneSource{&recent, &whole, 80 * kMs}, 0, 200 * kMs, 200);
    QCOMPARE(over.back().x1, 80.0);  // neither hatched nor anything else after the rank's end
  }

  void afterADeathTheViewEndsThere() {
    RunState state = test::fakeFailedState();
    const std::int64_t death = state.elapsed_ns;
    state.ranks[3].since_ns = death;
    state.elapsed_ns += 30 * kSecond;  // what it took to end the job
    const auto shared = std::make_shared<const RunState>(state);
    const RunLanes lanes = lanesOf(shared, nullptr);
    QCOMPARE(lanes.over_ns[3], death);
    QCOMPARE(latestMoment(state, lanes, 20 * kMs), death + 20 * kMs);
    const RunState running = test::fakeRunState();
    QCOMPARE(latestMoment(running, lanesOf(std::make_shared<const RunState>(running), nullptr), 20 * kMs),
             running.elapsed_ns);
  }

  void whatTheOthersWaitAfterADeathDoesNotMoveTheView() {
    RunState state = test::fakeFailedState();
    const std::int64_t death = state.elapsed_ns;
    state.ranks[3].since_ns = death;
    state.elapsed_ns += 30 * kSecond;
    for (RankState& rank : state.ranks) {
      if (rank.status != RankStatus::Dead) rank.status = RankStatus::Ended;
    }
    for (Lane& lane : state.recent.lanes) {
      if (lane.rank != 3) lane.spans.push_back({Phase::Wait, death - kSecond, death + 20 * kSecond, 0, 4});
    }
    const auto shared = std::make_shared<const RunState>(state);
    QCOMPARE(latestMoment(state, lanesOf(shared, nullptr), 20 * kMs), death + 20 * kMs);
  }

  /// Another rank may work on for longer than a few steps take.
  void aDeathIsInViewWhenTheViewEndsLater() {
    RunState state = test::fakeFailedState();
    const std::int64_t death = state.elapsed_ns;
    state.ranks[3].since_ns = death;
    state.elapsed_ns += 5 * kSecond;
    for (Lane& lane : state.recent.lanes) {
      if (lane.rank == 0) lane.spans.push_back({Phase::Compute, death, death + 5 * kSecond, 0, 4});
    }
    for (RankState& rank : state.ranks) {
      if (rank.status != RankStatus::Dead) rank.status = RankStatus::Ended;
    }
    state.recent.end_ns = state.elapsed_ns;
    const RunLanes lanes = lanesOf(std::make_shared<const RunState>(state), nullptr);
    QCOMPARE(sinceFirstDeath(state, lanes), 5 * kSecond);
    QVERIFY(usualSpan(state.recent, sinceFirstDeath(state, lanes)) > 5 * kSecond);
    state.ranks[0].since_ns = death;
    state.elapsed_ns += 300 * kSecond;
    state.recent.lanes[0].spans.back().end_ns += 300 * kSecond;
    QCOMPARE(sinceFirstDeath(state, lanesOf(std::make_shared<const RunState>(state), nullptr)), 60 * kSecond);
    const RunState running = test::fakeRunState();
    QCOMPARE(sinceFirstDeath(running, lanesOf(std::make_shared<const RunState>(running), nullptr)), 0);
  }

  void theStepsInViewAreThoseOfTheProof() {
    const Overview overview = overviewOf(40);
    const RunFacts facts = twoEpochs(20);
    const auto range = stepsIn(overview, windowOf(4 * kSecond, 2150 * kMs, 2350 * kMs), &facts);
    QCOMPARE(range->first, 21);
    QCOMPARE(range->last, 23);
    QCOMPARE(timeOfStep(overview, 1, 3)->first, 2300 * kMs);
    QCOMPARE(timeOfStep(overview, 1, 3)->second, 2400 * kMs);
    QVERIFY(!timeOfStep(overview, 2, 0));
    RunState state = test::fakeRunState({.ranks = 2, .late_rank = -1, .steps_done = 40, .planned_steps = 40});
    ProofRecorder recorder(2);
    for (qint64 step = 0; step < 40; ++step) {
      for (qint64 rank = 0; rank < 2; ++rank) recorder.add(rank, step, step != 22 || rank != 1);
    }
    const ProofScene scene = proofScene(state, recorder.recent(), {400, 100}, range);
    QCOMPARE(scene.columns, 3);
    QCOMPARE(scene.at(1, 1), ProofCell::Mismatch);
    QCOMPARE(scene.columnOf(22), 1);
    QCOMPARE(scene.columnOf(24), -1);
    const auto ticks = proofTicks(scene, &facts, 5);
    QCOMPARE(ticks.front().text, "1");  // counted in its epoch
  }

  /// In a width that has room for them when they are narrower than usual.
  void theProofOfAShortJobBeginsWithItsFirstEpoch() {
    const RunState state = test::fakeRunState({.ranks = 2, .late_rank = -1, .steps_done = 20, .planned_steps = 20});
    const RunFacts facts = twoEpochs(10);
    const ProofScene scene = proofScene(state, ProofRecorder(2).recent(), {110, 100});
    QCOMPARE(scene.first_step, 0);
    QCOMPARE(scene.columns, 20);
    auto ticks = proofTicks(scene, &facts, 54);
    QCOMPARE(ticks.size(), std::size_t{2});
    QCOMPARE(ticks[0].text, "epoch 0");
    QCOMPARE(ticks[1].text, "epoch 1");
    ticks = proofTicks(scene, &facts, 60);
    QCOMPARE(ticks.size(), std::size_t{1});  // one less rather than the first
    QCOMPARE(ticks[0].text, "epoch 0");
  }

  void manyStepsShareAColumnAndTheWorstOfThemShows() {
    constexpr qint64 kSteps = 250;
    RunState state = test::fakeRunState({.ranks = 1, .late_rank = -1, .steps_done = kSteps, .planned_steps = kSteps});
    ProofRecorder recorder(1);
    for (qint64 step = 0; step < kSteps; ++step) recorder.add(0, step, step != 101);
    const ProofScene scene = proofScene(state, recorder.recent(), {90, 40}, StepRange{0, kSteps - 1});
    QVERIFY(scene.stride > 1);
    QCOMPARE(scene.at(0, scene.columnOf(101)), ProofCell::Mismatch);
    QCOMPARE(std::count(scene.cells.begin(), scene.cells.end(), ProofCell::Mismatch), 1);
  }

  void whatIsNoLongerKeptIsNotCalledLost() {
    constexpr qint64 kSteps = 2 * ProofRecorder::kWindow;
    RunState state = test::fakeRunState({.ranks = 1, .late_rank = -1, .steps_done = kSteps, .planned_steps = kSteps});
    ProofRecorder recorder(1);
    for (qint64 step = 0; step < kSteps; ++step) recorder.add(0, step, true);
    const ProofScene scene = proofScene(state, recorder.recent(), {400, 40}, StepRange{0, 9});
    QCOMPARE(scene.at(0, 0), ProofCell::NotKept);
  }

  void arrivalsAreThoseInView() {
    const RunLanes lanes = lanesFrom(overviewOf(40, 30, 500));
    const auto few = arrivalsIn(lanes, 500 * kMs, 1000 * kMs, {});
    QCOMPARE((*few)[0].collectives, 5);
    QCOMPARE((*few)[0].median_ms, 0.0);
    QCOMPARE((*few)[1].median_ms, 20.0);
    QCOMPARE((*few)[1].last_in, 5);
    const auto stalled = arrivalsIn(lanes, 3000 * kMs, 3700 * kMs, {});
    QCOMPARE((*stalled)[1].p95_ms, 520.0);
  }

  void arrivalsThatAreNotKnownAreNotMadeUp() {
    OverviewBuilder builder(1, 50);
    for (int step = 0; step < 200; ++step) {
      builder.add(0, {Phase::Compute, step * kMs, step * kMs + kMs, 0, step});
    }
    QVERIFY(builder.overview().resolution_ns > 0);
    QVERIFY(!arrivalsIn(lanesFrom(builder.overview()), 0, 10 * kMs, {}));
  }
};

SHARDLENS_WINDOW_TEST(RunTimeTest)
#include "run_time_test.moc"
