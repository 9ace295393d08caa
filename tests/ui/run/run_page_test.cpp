// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/run_page.h"

#include "core/sampling/registry.h"
#include "core/yaml/spec_writer.h"
#include "tests/support/fake_run_file.h"
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/run/run_recordings.h"
#include "ui/scene/run/in_view.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/run/autopsy_bar.h"
#include "ui/widgets/run/minimap_view.h"
#include "ui/widgets/run/proof_panel.h"
#include "ui/widgets/run/rank_board.h"
#include "ui/widgets/run/recording_list.h"

#include <QAbstractButton>
#include <QAbstractSlider>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

/// The Autopsy perspective as a window of 1280x720 has it.
struct Autopsy {
  Autopsy() {
    page.setMode(RunPage::Mode::Autopsy);
    page.resize(1280, 646);
    page.show();
  }
  Workspace workspace;
  RunPage page{workspace};
};

}  // namespace

class RunPageTest : public QObject {
  Q_OBJECT

  Recordings recordings_;

 private slots:
  void initTestCase() { qputenv("SHARDLENS_RUNS", (recordings_.folder() / "runs").c_str()); }

  void withoutAJobItSaysWhatLaunchWouldDo() {
    Workspace workspace;
    workspace.document.reset(spec(4));
    RunPage page(workspace);
    page.resize(1280, 646);
    page.show();
    QVERIFY(shown<QWidget>(page, "launchPanel") != nullptr);
    auto* copy = page.findChild<QPushButton*>("copyCommand");
    QTest::mouseClick(copy, Qt::LeftButton);
    QCOMPARE(QApplication::clipboard()->text(), "shardlens run spec.yaml --launcher mpirun");
    auto* unsaved = page.findChild<QLabel*>("launchUnsaved");
    QVERIFY(unsaved->isVisible());  // there is no such file yet
    const QString path = QString::fromStdString((recordings_.folder() / "spec.yaml").string());
    const auto save = [&] {
      const Document::Saving saving = workspace.document.saving(path);
      const auto done = saving.write();
      if (done) workspace.document.saved(saving, *done);
      return bool(done);
    };
    QVERIFY(save());
    QVERIFY(!unsaved->isVisible());
    QVERIFY(workspace.document.edit({{"world.nodes", std::int64_t{2}}}, "nodes"));
    QVERIFY(unsaved->isVisible());  // the file has one node
    page.setMode(RunPage::Mode::Autopsy);
    QVERIFY(shown<QWidget>(page, "recordingsPanel") != nullptr);
  }

  void withoutMpirunItSaysSoBeforeLaunching() {
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", "/nowhere");
    Workspace workspace;
    RunPage page(workspace);
    page.show();
    auto* problem = shown<QLabel>(page, "launchProblem");
    qputenv("PATH", path);
    QVERIFY(problem != nullptr);
    QVERIFY(problem->text().contains("mpirun"));
    QVERIFY(!page.findChild<QPushButton*>("launch")->isEnabled());
  }

  void theStragglerIsNamedShownAndSelected() {
    Autopsy shown_page;
    Workspace& workspace = shown_page.workspace;
    RunPage& page = shown_page.page;
    QVERIFY(workspace.runs.open(recordings_.recording(8, 5)).has_value());
    EVENTUALLY_EQUAL(page.findChild<LinkLabel*>("verdictTitle")->plain(), "Everyone waits for rank 5");
    QTest::mouseClick(page.findChild<QPushButton*>("showRank"), Qt::LeftButton);
    QCOMPARE(workspace.selection.current().ranks, std::vector<qint64>{5});
    QVERIFY(page.board()->accessibleDescription().startsWith("rank 5"));
    EVENTUALLY_EQUAL(page.board()->shownRanks().front(), 0);  // there is room for all ranks once the layout has settled
    QTest::keyClick(page.board(), Qt::Key_L);
    QCOMPARE(page.board()->shownRanks().front(), 5);
    QTest::keyClick(page.board(), Qt::Key_L);
    QCOMPARE(page.board()->shownRanks().front(), 0);
  }

  void aRowIsClickedWhereItIsDrawn() {
    Autopsy shown_page;
    Workspace& workspace = shown_page.workspace;
    RunPage& page = shown_page.page;
    QVERIFY(workspace.runs.open(recordings_.recording(8, -1)).has_value());
    EVENTUALLY_EQUAL(page.board()->shownRanks().size(), std::size_t{8});
    const QRectF row = page.board()->layoutNow().row(3, 0);
    QTest::mouseClick(page.board(), Qt::LeftButton, {}, row.center().toPoint());
    QCOMPARE(workspace.selection.current().ranks, std::vector<qint64>{3});
    QTest::keyClick(page.board(), Qt::Key_Down);
    QCOMPARE(workspace.selection.current().ranks, std::vector<qint64>{4});
  }

  void touchingTheTimelineStopsFollowingUntilResume() {
    const auto path = recordings_.folder() / "live.slrun";
    const Plan plan = Plan::make(spec(4)).value();
    test::FakeRunFile file(path, plan, yaml::writeSpec(spec(4), sampling::catalogue()));
    const std::int64_t first = file.now();
    for (std::int64_t step = 0; step < 10; ++step) file.step(0, step);
    Workspace workspace;
    RunPage page(workspace);
    page.resize(1280, 646);
    page.show();
    QVERIFY(workspace.runs.open(QString::fromStdString(path.string())).has_value());
    RankBoard& board = *page.board();
    EVENTUALLY(workspace.runs.state() != nullptr && workspace.runs.state()->elapsed_ns == file.now() - first);
    EVENTUALLY_EQUAL(board.window().end(), workspace.runs.state()->elapsed_ns);
    const QPointF middle(board.layoutNow().lanes_left + 200, board.layoutNow().row(1, 0).center().y());
    QWheelEvent wheel(middle, board.mapToGlobal(middle), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                      false);
    QApplication::sendEvent(&board, &wheel);
    QVERIFY(!board.window().isFollowing());
    QVERIFY(shown<QPushButton>(page, "latest")->isEnabled());
    const std::int64_t end = board.window().end();
    file.step(0, 10);
    EVENTUALLY_EQUAL(workspace.runs.state()->elapsed_ns, file.now() - first);
    QCOMPARE(board.window().end(), end);
    QTest::mouseClick(page.findChild<QPushButton*>("latest"), Qt::LeftButton);
    QCOMPARE(board.window().end(), workspace.runs.state()->elapsed_ns);
    QVERIFY(!page.findChild<QPushButton*>("latest")->isEnabled());
    QTest::keyClick(&board, Qt::Key_Home);
    file.step(0, 11);
    EVENTUALLY_EQUAL(board.window().last(), file.now() - first);
    QVERIFY2(board.window().isWhole(), "the whole run goes on");
    file.end();
  }

  void draggingOnTheLanesZoomsEveryPanel() {
    Autopsy shown_page;
    Workspace& workspace = shown_page.workspace;
    RunPage& page = shown_page.page;
    QVERIFY(workspace.runs.open(recordings_.recording(4, 1)).has_value());
    RankBoard& board = *page.board();
    EVENTUALLY(workspace.runs.state() && workspace.runs.state()->status == JobStatus::Finished);
    EVENTUALLY_EQUAL(board.shownRanks().size(), std::size_t{4});
    auto* proof = page.findChild<ProofView*>();
    EVENTUALLY_EQUAL(proof->scene().columns, 40);
    QTest::keyClick(&board, Qt::Key_Home);
    QVERIFY(board.window().isWhole());
    const BoardLayout layout = board.layoutNow();
    const double width = layout.lanes_right - layout.lanes_left;
    const int y = static_cast<int>(layout.row(1, 0).center().y());
    const QPoint from(static_cast<int>(layout.lanes_left + width / 4), y);
    const QPoint to(static_cast<int>(layout.lanes_left + width / 2), y);
    QTest::mousePress(&board, Qt::LeftButton, {}, from);
    QTest::mouseMove(&board, (from + to) / 2);
    QTest::mouseMove(&board, to);
    QTest::mouseRelease(&board, Qt::LeftButton, {}, to);
    const std::int64_t all = board.window().last();
    QVERIFY(std::abs(board.window().begin() - all / 4) < all / 100);
    QVERIFY(std::abs(board.window().end() - all / 2) < all / 100);
    EVENTUALLY(proof->scene().columns >= 9 && proof->scene().columns <= 12);
    QVERIFY(proof->scene().first_step >= 9 && proof->scene().first_step <= 10);
    EVENTUALLY(anyLabel(page, "Arrivals, in view: 1"));
    QTest::mouseDClick(&board, Qt::LeftButton, {}, from);
    QVERIFY(board.window().isUsual());
    EVENTUALLY_EQUAL(proof->scene().columns, 40);
  }

  void theMinimapMovesWhatIsInView() {
    Autopsy shown_page;
    Workspace& workspace = shown_page.workspace;
    RunPage& page = shown_page.page;
    QVERIFY(workspace.runs.open(recordings_.recording(4, 1)).has_value());
    RankBoard& board = *page.board();
    EVENTUALLY(workspace.runs.state() && workspace.runs.state()->status == JobStatus::Finished);
    MinimapView& map = *board.minimap();
    EVENTUALLY(!map.map().columns.empty() && map.map().columns.front().step == 0);
    EVENTUALLY(board.window().isWhole());
    QTest::mouseClick(page.findChild<QPushButton*>("latest"), Qt::LeftButton);
    const MinimapFrame before = map.frame();
    QVERIFY(before.left > 100);
    const QPoint at(static_cast<int>((before.left + before.right) / 2), 16);
    QTest::mousePress(&map, Qt::LeftButton, {}, at);
    QTest::mouseMove(&map, at - QPoint(100, 0));
    QTest::mouseRelease(&map, Qt::LeftButton, {}, at - QPoint(100, 0));
    QVERIFY(std::abs(map.frame().left - (before.left - 100)) < 3);
    QVERIFY(!board.window().isFollowing());
    const std::int64_t begin = board.window().begin();
    QTest::keyClick(&map, Qt::Key_Left);
    QVERIFY(board.window().begin() < begin);
    const std::int64_t span = board.window().span();
    QTest::keyClick(&map, Qt::Key_Left, Qt::ShiftModifier);
    QVERIFY(board.window().span() < span);
    QTest::keyClick(&map, Qt::Key_Space);
    QVERIFY(board.window().isWhole());
    QVERIFY(!page.findChild<QPushButton*>("wholeRun")->isEnabled());
    QTest::mouseClick(page.findChild<QPushButton*>("latest"), Qt::LeftButton);
    QVERIFY(board.window().isUsual());
  }

  /// The recording is known as a whole, whatever moment of it is shown.
  void anEarlierMomentKeepsTheWholeRun() {
    Workspace workspace;
    RunPage page(workspace);
    page.setMode(RunPage::Mode::Autopsy);
    page.show();
    QVERIFY(workspace.runs.open(recordings_.recording(4, 1)).has_value());
    EVENTUALLY(workspace.runs.state() && workspace.runs.state()->status == JobStatus::Finished);
    const std::size_t steps = workspace.runs.overview()->steps.size();
    QCOMPARE(steps, std::size_t{40});
    workspace.runs.seek(workspace.runs.duration() / 2);
    EVENTUALLY(workspace.runs.state()->status == JobStatus::Running);
    QCOMPARE(workspace.runs.overview()->steps.size(), steps);
    QVERIFY(page.board()->window().last() > workspace.runs.state()->elapsed_ns);
  }

  void aStepThatIsNamedComesIntoView() {
    Autopsy shown_page;
    Workspace& workspace = shown_page.workspace;
    RunPage& page = shown_page.page;
    QVERIFY(workspace.runs.open(recordings_.recording(4, 1)).has_value());
    EVENTUALLY(workspace.runs.state() && workspace.runs.state()->status == JobStatus::Finished);
    const RankBoard& board = *page.board();
    EVENTUALLY(board.window().isWhole());
    QTest::mouseClick(page.findChild<QPushButton*>("latest"), Qt::LeftButton);
    QVERIFY(board.window().begin() > 0);
    const QImage plain = page.grab().toImage();
    workspace.selection.select({{1}, 0, 2, {}});
    const auto time = timeOfStep(*workspace.runs.overview(), 0, 2);
    QVERIFY(time && board.window().begin() <= time->first && board.window().end() >= time->second);
    QVERIFY(page.grab().toImage() != plain);
    QVERIFY(page.findChild<LinkLabel*>("verdictTitle")->text().contains("select:rank"));
  }

  void aWrongBatchIsRedAndNamed() {
    Autopsy shown_page;
    Workspace& workspace = shown_page.workspace;
    RunPage& page = shown_page.page;
    workspace.document.reset(spec(4));
    QVERIFY(workspace.runs.open(recordings_.recording(4, -1, 2)).has_value());
    auto* proof = page.findChild<ProofPanel*>();
    EVENTUALLY(proof->verdictText().endsWith("first: rank 2, epoch 1, step 4"));
    EVENTUALLY(isSettled());  // the view has as many cells as have room
    const ProofScene scene = page.findChild<ProofView*>("proofView")->scene();
    QCOMPARE(std::count(scene.cells.begin(), scene.cells.end(), ProofCell::Mismatch), 1);
    EVENTUALLY(page.findChild<AutopsyBar*>()->verifyText().startsWith("verify: mismatch"));
  }

  void aProofWithTheRecordingsOwnSpecSaysSoBesideAnotherDocument() {
    Workspace workspace;
    RunPage page(workspace);
    page.setMode(RunPage::Mode::Autopsy);
    page.show();
    workspace.document.reset(spec(4));
    QVERIFY(workspace.runs.open(recordings_.recording(4, 1)).has_value());
    auto* bar = page.findChild<AutopsyBar*>("autopsyBar");
    EVENTUALLY_EQUAL(bar->verifyText(), QString("verify: match · all 160 planned batches"));
    PipelineSpec other = spec(4);
    other.loader.batch_size = 4;
    other.run.load_ms = 77;
    workspace.document.replace(other, "other");
    EVENTUALLY_EQUAL(
        bar->verifyText(),
        QString("verify: match · all 160 planned batches (compared with the recording's own spec; the open "
                "spec differs in loader.batch_size)"));
    workspace.document.undoStack().undo();
    EVENTUALLY_EQUAL(bar->verifyText(), QString("verify: match · all 160 planned batches"));
  }

  void aRecordingIsPlayedAndDragged() {
    Autopsy shown_page;
    Workspace& workspace = shown_page.workspace;
    RunPage& page = shown_page.page;
    workspace.document.reset(spec(4));
    QVERIFY(workspace.runs.open(recordings_.recording(4, 1)).has_value());
    auto* bar = page.findChild<AutopsyBar*>("autopsyBar");
    EVENTUALLY(bar->verifyText().startsWith("verify: match"));
    auto* slider = page.findChild<QAbstractSlider*>("autopsySlider");
    slider->setValue(slider->maximum() / 2);
    EVENTUALLY(workspace.runs.state()->status == JobStatus::Running);
    QVERIFY(workspace.runs.state()->elapsed_ns <= workspace.runs.duration() / 2);
    bar->setPlaying(true);
    const qint64 before = workspace.runs.position();
    EVENTUALLY(workspace.runs.position() > before || workspace.runs.position() < 0);
    EVENTUALLY(!bar->isPlaying());
    EVENTUALLY_EQUAL(workspace.runs.state()->status, JobStatus::Finished);
  }

  /// What is known of each comes as it is read; what a damaged file does not say is not made up.
  void recordingsAreListedWithWhatTheySay() {
    const PipelineSpec one = spec(4);
    const auto root = recordings_.folder() / "listed";
    qputenv("SHARDLENS_RUNS", root.c_str());
    const auto good = makeRunFolder(root, one);
    const auto bad = makeRunFolder(root, one);
    QVERIFY(good && bad);
    std::filesystem::rename(recordings_.recording(4, 1).toStdString(), good->runFile());
    test::spill(bad->runFile(), "no recording at all");
    Workspace workspace;
    RunPage page(workspace);
    page.setMode(RunPage::Mode::Autopsy);
    page.resize(960, 560);
    page.show();
    auto* list = page.findChild<RecordingList*>("recordingList");
    QCOMPARE(list->buttons().size(), std::size_t{2});
    const auto row_of = [&](const RunFolder& folder) {
      const auto known = workspace.runs.knownRuns();
      for (std::size_t i = 0; i < known.size(); ++i) {
        if (known[i].run_file == folder.runFile()) return list->buttons()[i]->row();
      }
      return RecordingRow();
    };
    EVENTUALLY(row_of(*good).facts.startsWith("finished, "));
    QVERIFY(row_of(*good).facts.endsWith("4 ranks · Everyone waits for rank 1 · all batches proven"));
    QCOMPARE(row_of(*good).mark, RunMark::Finished);
    EVENTUALLY(row_of(*bad).facts.startsWith("cannot be read: "));
    QCOMPARE(row_of(*bad).mark, RunMark::Unknown);
    EVENTUALLY(std::filesystem::exists(root / "recordings.json"));
    QSignalSpy wanted(&page, &RunPage::fileWanted);
    QTest::keyClick(list->buttons().front(), Qt::Key_Return);
    QCOMPARE(wanted.count(), 1);
    // The list is a page of its own beside an open run, with the way back.
    QVERIFY(workspace.runs.open(QString::fromStdString(good->runFile().string())).has_value());
    EVENTUALLY(workspace.runs.state() != nullptr && page.board()->isVisible());
    emit page.findChild<AutopsyBar*>()->openWanted();
    QVERIFY(shown<QWidget>(page, "recordingsPanel") != nullptr);
    QTest::mouseClick(page.findChild<LinkButton*>("backToRun"), Qt::LeftButton);
    QVERIFY(page.board()->isVisible());
    qputenv("SHARDLENS_RUNS", (recordings_.folder() / "runs").c_str());
  }

  void runningJobsStandOnTopAndCanBeReturnedTo() {
    const auto root = recordings_.folder() / "running";
    qputenv("SHARDLENS_RUNS", root.c_str());
    const auto live = makeRunFolder(root, spec(4));
    const auto over = makeRunFolder(root, spec(4));
    QVERIFY(live && over);
    std::filesystem::rename(recordings_.recording(4, -1).toStdString(), over->runFile());
    test::FakeRunFile file(live->runFile(), Plan::make(spec(4)).value(),
                           yaml::writeSpec(spec(4), sampling::catalogue()));
    file.step(0, 0);
    QVERIFY(live->writeProcess(thisProcess()).has_value());
    Workspace workspace;
    RunPage page(workspace);
    page.setMode(RunPage::Mode::Autopsy);
    page.resize(960, 560);
    page.show();
    auto* list = page.findChild<RecordingList*>("recordingList");
    QCOMPARE(list->buttons().size(), std::size_t{2});
    QCOMPARE(list->buttons().front()->offer(), QString("Watch"));
    QVERIFY(list->buttons().back()->offer().isEmpty());
    EVENTUALLY(list->buttons().front()->row().facts.startsWith("running for "));
    QVERIFY(workspace.runs.open(QString::fromStdString(live->runFile().string())).has_value());
    EVENTUALLY(workspace.runs.isActive() && page.board()->isVisible());
    emit page.findChild<AutopsyBar*>()->openWanted();
    QCOMPARE(list->buttons().front()->offer(), QString("Return to it"));
    QTest::mouseClick(list->buttons().front(), Qt::LeftButton);
    QVERIFY(page.board()->isVisible());
    file.end();
    qputenv("SHARDLENS_RUNS", (recordings_.folder() / "runs").c_str());
  }
};

SHARDLENS_WINDOW_TEST(RunPageTest)
#include "run_page_test.moc"
