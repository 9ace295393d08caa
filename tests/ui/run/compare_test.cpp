// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs, or a run and its plan, beside each other.
#include "core/base/process.h"
#include "core/collect/run_folder.h"
#include "core/sampling/registry.h"
#include "core/yaml/spec_writer.h"
#include "tests/support/fake_run_file.h"
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/run/run_recordings.h"
#include "ui/scene/run/comparison.h"
#include "ui/scene/run/rank_rows.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/run/autopsy_bar.h"
#include "ui/widgets/run/compare_panel.h"
#include "ui/widgets/run/job_bar.h"
#include "ui/widgets/run/minimap_view.h"
#include "ui/widgets/run/prediction.h"
#include "ui/widgets/run/rank_board.h"
#include "ui/widgets/run/run_page.h"
#include "ui/widgets/run/time_input.h"

#include <QApplication>
#include <QHelpEvent>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>
#include <QWheelEvent>

#include <cstdlib>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

constexpr std::int64_t kMs = 1'000'000;

/// Two ranks, four steps: compute, then one waits for the other.
Overview overviewOf(std::int64_t begin, std::int64_t compute_ms, std::int64_t wait_ms) {
  OverviewBuilder builder(2);
  std::int64_t at = begin;
  for (std::int32_t step = 0; step < 4; ++step) {
    for (std::int64_t rank = 0; rank < 2; ++rank) {
      const std::int64_t computed = at + compute_ms * kMs;
      builder.add(rank, {Phase::Compute, at, computed, 0, step});
      builder.add(rank, {Phase::Wait, computed, computed + wait_ms * kMs, 0, step});
    }
    at += (compute_ms + wait_ms) * kMs;
  }
  return builder.overview();
}

}  // namespace

class CompareTest : public QObject {
  Q_OBJECT

  Recordings recordings_;

 private slots:
  void initTestCase() { qputenv("SHARDLENS_RUNS", (recordings_.folder() / "runs").c_str()); }

  void theSentencesComeFromTheSpans() {
    const ComparedRun slow = comparedRun("before", overviewOf(7 * kMs, 75, 25));
    const ComparedRun fast = comparedRun("after", overviewOf(900 * kMs, 45, 5));
    QCOMPARE(slow.step_ns, 100 * kMs);
    QCOMPARE(slow.wait_share, 0.25);
    QCOMPARE(slow.lanes->lanes.front().spans.front().begin_ns, 0);  // whenever it began
    QCOMPARE(fast.lanes->end_ns, 200 * kMs);
    const ComparisonText text = comparisonText(slow, fast);
    QVERIFY2(text.title.startsWith("A step takes 100") && text.title.endsWith("less"), qPrintable(text.title));
    QVERIFY2(text.title.contains("50"), qPrintable(text.title));
    QVERIFY2(text.waits.contains("25") && text.waits.contains("10"), qPrintable(text.waits));
    QVERIFY(comparisonText(fast, slow).title.endsWith("more"));
    QVERIFY(comparisonText(slow, slow).title.startsWith("A step takes 100"));
  }

  void aRunIsNotSlowerForBeingLonger() {
    const auto ofSteps = [](std::size_t most_kept) {
      OverviewBuilder builder(2, OverviewBuilder::kMostSpans, most_kept);
      std::int64_t at = 0;
      for (std::int32_t step = 0; step < 1000; ++step) {
        const std::int64_t ms = step == 0 ? 5000 : step % 4 == 0 ? 140 : 100;
        for (std::int64_t rank = 0; rank < 2; ++rank) {
          builder.add(rank, {Phase::Compute, at, at + (ms - rank) * kMs, 0, step});
        }
        at += ms * kMs;
      }
      return builder.overview();
    };
    const Overview kept = ofSteps(OverviewBuilder::kMostSteps);
    const ComparedRun each = comparedRun("each step kept", kept);
    const ComparedRun together = comparedRun("kept together", ofSteps(64));
    QVERIFY2(comparisonText(each, together).title.endsWith("in both runs"),
             qPrintable(comparisonText(each, together).title));
    QVERIFY(each.step_ns < 120 * kMs);  // the first step is left out
    QCOMPARE(comparedPlan("predicted", kept.lanes).step_ns, each.step_ns);
  }

  void aRunWithoutStepsSaysSo() {
    const ComparedRun run = comparedRun("a", overviewOf(0, 10, 1));
    QCOMPARE(comparisonText(run, comparedRun("b", Overview{})).title, QString("No step of b was measured"));
  }

  void anotherRecordingStandsBesideTheOneInView() {
    Workspace workspace;
    RunPage page(workspace);
    page.setMode(RunPage::Mode::Autopsy);
    page.resize(1280, 646);
    page.show();
    QVERIFY(workspace.runs.open(recordings_.recording(4, 2)));
    EVENTUALLY(workspace.runs.overview() != nullptr && !workspace.runs.isActive());
    auto* bar = page.findChild<AutopsyBar*>();
    emit bar->compareWanted(recordings_.recording(2, -1));
    ComparePanel& panel = *page.comparison();
    EVENTUALLY(panel.title().startsWith("A step"));
    QVERIFY(panel.isVisible());
    QVERIFY(!panel.waits().isEmpty());
    CompareLanes& lanes = *panel.lanes();
    for (const std::size_t run : {0, 1}) {
      const auto steps = lanes.stepsAt(run);
      QVERIFY(!steps.empty());
      QCOMPARE(steps.front().text, QString("step 0"));
    }
    const QImage at_first = lanes.grab().toImage();
    QTest::keyClick(&lanes, Qt::Key_Home);
    QVERIFY(lanes.window().isWhole());
    QVERIFY(lanes.grab().toImage() != at_first);
    QTest::mouseClick(page.findChild<LinkButton*>("compare:close"), Qt::LeftButton);
    QVERIFY(!panel.isVisible() && bar->isVisible());
    QVERIFY(panel.other().state() == nullptr && panel.other().runFile().isEmpty());  // it is followed no more
    QCOMPARE(panel.lanes()->window().last(), 1);
  }

  /// Stop stays where it was, whatever is looked at.
  void aRunningJobKeepsItsBar() {
    const auto live = makeRunFolder(recordings_.folder() / "runs", spec(4));
    QVERIFY(live.has_value());
    test::FakeRunFile file(live->runFile(), Plan::make(spec(4)).value(),
                           yaml::writeSpec(spec(4), sampling::catalogue()));
    file.pace.compute_ms = 1000;  // longer than the other one
    for (std::int64_t step = 0; step < 5; ++step) file.step(0, step);
    QVERIFY(live->writeProcess(thisProcess()).has_value());
    Workspace workspace;
    RunPage page(workspace);
    page.setMode(RunPage::Mode::Autopsy);
    page.resize(1280, 646);
    page.show();
    QVERIFY(workspace.runs.open(QString::fromStdString(live->runFile().string())));
    EVENTUALLY(workspace.runs.overview() != nullptr && workspace.runs.isActive());
    emit page.findChild<AutopsyBar*>()->compareWanted(recordings_.recording(2, -1));
    ComparePanel& panel = *page.comparison();
    EVENTUALLY(isSettled() && panel.isVisible() && panel.title().startsWith("A step"));
    const auto* bar = page.findChild<JobBar*>();
    QVERIFY(bar->isVisible());
    QVERIFY(bar->mapTo(&page, QPoint(0, bar->height())).y() <= panel.mapTo(&page, QPoint()).y());
    QTest::keyClick(panel.lanes(), Qt::Key_Home);
    const std::int64_t before = panel.lanes()->window().last();
    for (std::int64_t step = 5; step < 9; ++step) file.step(0, step);
    file.end();
    EVENTUALLY(panel.lanes()->window().last() > before);
    QVERIFY2(panel.lanes()->window().isWhole(), "the whole of both grows");
  }

  /// Also where the recording has no plan of its own, or another one.
  void theOpenDesignStandsBesideTheRun() {
    Workspace workspace;
    PipelineSpec other;
    other.dataset.size = 64;
    other.world = {1, 2};
    other.run.compute_ms = 5;
    workspace.document.reset(other);
    RunPage page(workspace);
    page.setMode(RunPage::Mode::Autopsy);
    page.resize(1280, 646);
    page.show();
    QVERIFY(workspace.runs.open(recordings_.recording(4, 2)));
    EVENTUALLY(workspace.runs.overview() != nullptr && !workspace.runs.isActive());
    emit page.findChild<AutopsyBar*>()->compareDesignWanted();
    EVENTUALLY(page.comparison()->title().contains("the open design, predicted") ||
               page.comparison()->title().startsWith("A step takes"));
    const CompareLanes& lanes = *page.comparison()->lanes();
    QCOMPARE(lanes.runs()[0].lanes->lanes.size(), std::size_t{4});
    QCOMPARE(lanes.runs()[1].lanes->lanes.size(), std::size_t{2});
  }

  void aRankAndItsStepAreMarkedInBothRuns() {
    TimeView view;
    CompareLanes lanes(view);
    lanes.resize(900, 320);
    lanes.setRuns(comparedRun("before", overviewOf(0, 75, 25)), comparedRun("after", overviewOf(0, 45, 5)));
    lanes.show();
    QSignalSpy clicked(&lanes, &CompareLanes::placeClicked);
    const QRectF lane = lanes.laneAt(1, 1);
    QTest::mouseClick(&lanes, Qt::LeftButton, {}, QPointF(lane.left() + 4, lane.center().y()).toPoint());
    QCOMPARE(clicked.count(), 1);
    const auto place = clicked.front().front().value<Selected>();
    QCOMPARE(place.ranks, std::vector<qint64>{1});
    QVERIFY(place.epoch == 0 && place.step == 0);
    const QImage plain = lanes.grab().toImage();
    lanes.setSelected(place);
    const QImage marked = lanes.grab().toImage();
    for (const std::size_t run : {0U, 1U}) {
      const QPoint in_step(static_cast<int>(lanes.laneAt(run, 1).left()) + 6,
                           static_cast<int>(lanes.laneAt(run, 1).bottom()) + 1);
      const QPoint at_name(1, static_cast<int>(lanes.laneAt(run, 1).center().y()));
      QVERIFY(marked.pixelColor(in_step) != plain.pixelColor(in_step));
      QVERIFY(marked.pixelColor(at_name) != plain.pixelColor(at_name));
    }
    lanes.setOnly({1});
    QVERIFY(lanes.laneAt(1, 0).top() < lane.top());
    QTest::mouseClick(&lanes, Qt::LeftButton, {}, QPointF(10, lanes.laneAt(1, 0).center().y()).toPoint());
    QCOMPARE(clicked.back().front().value<Selected>().ranks, std::vector<qint64>{1});
  }

  void aStepOfAPredictionIsFoundInItsLanes() {
    const ComparedRun plan = comparedPlan("predicted", overviewOf(0, 75, 25).lanes);
    QCOMPARE(timeOfStep(plan, 0, 2), std::optional(std::pair(200 * kMs, 300 * kMs)));
    QVERIFY(!timeOfStep(plan, 1, 2));
  }

  void thePlanStandsBesideTheRun() {
    Workspace workspace;
    RunPage page(workspace);
    page.setMode(RunPage::Mode::Autopsy);
    page.resize(1280, 646);
    page.show();
    QVERIFY(workspace.runs.open(recordings_.recording(4, 2)));
    EVENTUALLY(workspace.runs.overview() != nullptr && workspace.runs.facts() != nullptr && !workspace.runs.isActive());
    emit page.findChild<AutopsyBar*>()->comparePlanWanted();
    EVENTUALLY(page.comparison()->title().contains("its plan, predicted") ||
               page.comparison()->title().startsWith("A step takes"));
  }

  void nodesStandApart() {
    Timeline timeline;
    for (std::int64_t rank = 0; rank < 8; ++rank) timeline.lanes.push_back({rank, {{Phase::Compute, 0, 1000, 0, 0}}});
    TimeView view;
    CompareLanes lanes(view);
    lanes.resize(900, 600);
    lanes.setRuns(comparedPlan("a", timeline, nodeStarts(8, 4)), comparedPlan("b", timeline));
    const auto apart = [&lanes](std::size_t run, std::size_t row) {
      return lanes.laneAt(run, row).top() - lanes.laneAt(run, row - 1).top();
    };
    QVERIFY(apart(0, 4) > apart(0, 3) + 4);
    QCOMPARE(apart(1, 4), apart(1, 3));
  }

  void aRecordingWithoutAPlanIsNotComparedWithAnother() {
    const auto path = recordings_.folder() / "no-plan.slrun";
    test::FakeRunFile file(path, Plan::make(spec(2)).value(), "shardlens: 2\ndataset: {sise: 64}\n");
    for (std::int64_t step = 0; step < 5; ++step) file.step(0, step);
    file.end();
    Workspace workspace;
    ComparePanel panel(workspace);
    QVERIFY(workspace.runs.open(QString::fromStdString(path.string())));
    EVENTUALLY(workspace.runs.overview() != nullptr && workspace.runs.facts() != nullptr && !workspace.runs.isActive());
    panel.compareWith(recordings_.recording(2, -1));
    EVENTUALLY(panel.title().startsWith("A step"));
    panel.compareWithPlan();
    QCOMPARE(panel.title(), QString("The recording has no plan to compare it with"));
    QVERIFY(panel.waits().contains("sise"));
    QCOMPARE(panel.lanes()->window().last(), 1);  // nothing of the comparison before is left
  }

  void theRunInViewMayBeReadLast() {
    Workspace workspace;
    ComparePanel panel(workspace);
    panel.compareWith(recordings_.recording(2, -1));
    EVENTUALLY(panel.other().overview() != nullptr && !panel.other().isActive());
    QVERIFY(panel.title().startsWith("Reading"));
    QVERIFY(workspace.runs.open(recordings_.recording(4, 2)));
    EVENTUALLY(panel.title().startsWith("A step"));
  }

  void aNameMayLookLikeAPlaceInASentence() {
    ComparedRun run = comparedRun("lr%2", overviewOf(0, 10, 10));
    TimeView view;
    CompareLanes lanes(view);
    lanes.resize(800, 400);
    lanes.setRuns(run, run);
    lanes.show();
    QString tip;
    for (int y = 0; y < lanes.height() && tip.isEmpty(); y += 4) {
      QHelpEvent help(QEvent::ToolTip, {lanes.lanesLeft() + 2, y}, lanes.mapToGlobal(QPoint(lanes.lanesLeft() + 2, y)));
      QApplication::sendEvent(&lanes, &help);
      tip = QToolTip::text();
    }
    QVERIFY2(tip.startsWith("lr%2, rank 0, epoch 0, step 0"), qPrintable(tip));
  }

  void thePlanHasAsManyStepsAsTheRun() {
    PipelineSpec spec;
    spec.dataset.size = 64;
    spec.world = {1, 2};
    spec.loader.batch_size = 2;
    spec.sampler.type = "torch.DistributedSampler";
    spec.epochs = 2;
    const auto plan = Plan::make(spec);
    QVERIFY(plan.has_value());
    const auto lanes = predictedRun(*plan, Epoch{0}, Step{10}, 12, {});
    QVERIFY(lanes.has_value());
    QCOMPARE(lanes->lanes.size(), std::size_t{2});
    const auto& spans = lanes->lanes[1].spans;
    QCOMPARE(spans.front().step, 10);
    QCOMPARE(spans.back().epoch, 1);
    QCOMPARE(spans.back().step, 5);  // 6 steps of epoch 0, then 6 of epoch 1
    for (std::size_t i = 1; i < spans.size(); ++i) QVERIFY(spans[i].begin_ns >= spans[i - 1].end_ns);
    QCOMPARE(lanes->end_ns, spans.back().end_ns);
    spec.schedule = {{.what = "ddp"}};
    const auto scheduled = predictedRun(*Plan::make(spec), Epoch{0}, Step{10}, 12, {});
    QVERIFY(scheduled.has_value());
    QCOMPARE(scheduled->lanes[1].spans.front().step, 10);
    QCOMPARE(scheduled->lanes[1].spans.back().epoch, 1);
    QCOMPARE(scheduled->lanes[1].spans.back().step, 5);
    spec.schedule = {{.what = "ddp"}, {.what = "barrier", .at = "end", .condition = "rank == 0"}};
    const auto refused = predictedRun(*Plan::make(spec), Epoch{0}, Step{10}, 12, {});
    QVERIFY(!refused);
    QCOMPARE(refused.error().message, std::string("The schedule of this plan hangs: no run of it ends."));
  }

  void aPlanWhoseStepsTakeNoTimeIsNotCompared() {
    PipelineSpec spec;
    spec.dataset.size = 64;
    spec.world = {1, 2};
    spec.sampler.type = "torch.DistributedSampler";
    spec.schedule = {{.what = "barrier"}};
    const auto instant = predictedRun(*Plan::make(spec), Epoch{0}, Step{0}, 12, {});
    QVERIFY(!instant);
    QCOMPARE(instant.error().message, std::string("No phase takes time, so there is nothing to predict."));
    spec.schedule = {{.what = "barrier", .at = "start"}};
    const auto without_steps = predictedRun(*Plan::make(spec), Epoch{0}, Step{0}, 12, {});
    QVERIFY(!without_steps);
    QCOMPARE(without_steps.error().message,
             std::string("The schedule has no phase in a step, so no step is predicted."));
  }

  void whatIsDraggedOverIsInViewOnBothPanels() {
    Workspace workspace;
    RunPage page(workspace);
    page.setMode(RunPage::Mode::Autopsy);
    page.resize(1280, 646);
    page.show();
    QVERIFY(workspace.runs.open(recordings_.recording(4, 2)));
    EVENTUALLY(workspace.runs.overview() != nullptr && !workspace.runs.isActive());
    auto* board = page.findChild<RankBoard*>();
    EVENTUALLY(board->lanes().recent != nullptr);
    const std::int64_t whole = board->window().last();
    board->view().change([&](TimeWindow& window) { window.show(whole / 4, whole / 2); });
    const TimeWindow on_board = board->window();
    emit page.findChild<AutopsyBar*>()->compareWanted(recordings_.recording(2, -1));
    ComparePanel& panel = *page.comparison();
    EVENTUALLY(panel.title().startsWith("A step"));
    CompareLanes& lanes = *panel.lanes();
    QVERIFY(std::abs(lanes.window().span() - on_board.span()) < kMs);
    QVERIFY(!panel.minimap()->map().columns.empty());
    const MinimapFrame frame = panel.minimap()->frame();
    const int middle = lanes.height() / 2;
    const int left = lanes.lanesLeft();
    const int width = lanes.width() - left;
    QTest::mousePress(&lanes, Qt::LeftButton, {}, {left + width / 4, middle});
    QTest::mouseMove(&lanes, {left + width / 2, middle});
    QTest::mouseRelease(&lanes, Qt::LeftButton, {}, {left + width / 2, middle});
    const std::int64_t brushed = lanes.window().span();
    QVERIFY2(std::abs(brushed - on_board.span() / 4) < kMs, qPrintable(QString::number(brushed)));
    QVERIFY(panel.minimap()->frame().left > frame.left);
    QTest::mouseClick(page.findChild<LinkButton*>("compare:close"), Qt::LeftButton);
    QCOMPARE(board->window().span(), brushed);
    QVERIFY(board->window().begin() > on_board.begin());
  }

  /// The board and the comparison answer alike: a notch zooms by the same factor, with Shift it moves.
  void theWheelDoesTheSameOnBothPanels() {
    Workspace workspace;
    RunPage page(workspace);
    page.setMode(RunPage::Mode::Autopsy);
    page.resize(1280, 646);
    page.show();
    QVERIFY(workspace.runs.open(recordings_.recording(4, 2)));
    EVENTUALLY(workspace.runs.overview() != nullptr && !workspace.runs.isActive());
    RankBoard& board = *page.board();
    EVENTUALLY(board.lanes().recent != nullptr);
    const std::int64_t whole = board.window().last();
    board.view().change([&](TimeWindow& window) { window.show(whole / 4, whole / 2); });
    const auto turn = [](QWidget& widget, QPointF at, Qt::KeyboardModifiers keys) {
      QWheelEvent wheel(at, widget.mapToGlobal(at), {}, {0, 120}, Qt::NoButton, keys, Qt::NoScrollPhase, false);
      QApplication::sendEvent(&widget, &wheel);
    };
    const TimeWindow before = board.window();
    const QPointF on_board(board.layoutNow().lanes_left + 200, board.layoutNow().row(1, 0).center().y());
    turn(board, on_board, Qt::NoModifier);
    const double zoomed = static_cast<double>(board.window().span()) / static_cast<double>(before.span());
    board.view().change([&](TimeWindow& window) { window.show(whole / 4, whole / 2); });
    emit page.findChild<AutopsyBar*>()->compareWanted(recordings_.recording(2, -1));
    EVENTUALLY(page.comparison()->title().startsWith("A step"));
    CompareLanes& lanes = *page.comparison()->lanes();
    const TimeWindow beside = lanes.window();
    const QPointF on_lanes(lanes.lanesLeft() + 200, lanes.height() / 2.0);
    turn(lanes, on_lanes, Qt::ShiftModifier);
    QCOMPARE(lanes.window().span(), beside.span());
    QVERIFY(lanes.window().begin() < beside.begin());
    turn(lanes, on_lanes, Qt::NoModifier);
    const double also = static_cast<double>(lanes.window().span()) / static_cast<double>(beside.span());
    QVERIFY2(std::abs(zoomed - also) < 0.01 && zoomed < 0.9, qPrintable(QString("%1 %2").arg(zoomed).arg(also)));
  }

  void aFileThatIsNoRecordingIsSaid() {
    Workspace workspace;
    ComparePanel panel(workspace);
    panel.compareWith("/nowhere/a.slrun");
    QVERIFY(!panel.title().startsWith("Reading"));
  }
};

SHARDLENS_WINDOW_TEST(CompareTest)
#include "compare_test.moc"
