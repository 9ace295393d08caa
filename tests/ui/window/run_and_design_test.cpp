// SPDX-License-Identifier: GPL-3.0-or-later
// A recording and a design in one window: what is of the one is not taken for the other.
#include "core/capture/capture.h"
#include "tests/support/events.h"
#include "tests/support/temp_folder.h"
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/run/run_recordings.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/design/findings_panel.h"
#include "ui/widgets/run/run_page.h"
#include "ui/widgets/run/stall_panel.h"
#include "ui/widgets/run/verdict_banner.h"
#include "ui/widgets/tabs/export_view.h"
#include "ui/window/banner.h"

#include <QFileDialog>
#include <QTemporaryDir>
#include <QTest>

using namespace shardlens;
using namespace shardlens::ui;

class RunAndDesignTest : public QObject {
  Q_OBJECT

  Recordings recordings_;

  static void write(const QString& path, const QByteArray& text) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
  }

  static LinkButton* linkIn(const QWidget& window, const char* name) { return window.findChild<LinkButton*>(name); }

 private slots:
  void initTestCase() {
    qputenv("SHARDLENS_RUNS", (recordings_.folder() / "runs").c_str());
    installFonts();
    applyTheme(Theme::light());
  }

  void aDesignSaysThatItIsNotOfTheRecording() {
    Fixture f;
    const auto* notice = f.window.findChild<DesignNotice*>("designNotice");
    QVERIFY(!notice->isVisible());
    const QString file = recordings_.recording(4, 1);
    QVERIFY(f.window.openFile(file));
    EVENTUALLY(f.workspace().runs.facts() != nullptr && f.isReady());
    QVERIFY(!notice->isVisible());
    for (const char* page : {"design", "lens", "resume"}) {
      f.window.setPerspective(page);
      QVERIFY2(notice->isVisible(), page);
      QVERIFY(anyLabel(*notice, "This is not the design of the recording run"));
    }
    QTest::mouseClick(linkIn(f.window, "showRun"), Qt::LeftButton);
    QCOMPARE(f.window.perspective(), QString("autopsy"));
    f.window.setPerspective("design");
    QTest::mouseClick(linkIn(f.window, "openItsDesign"), Qt::LeftButton);
    QCOMPARE(f.spec(), spec(4));
    QVERIFY(!notice->isVisible());
    QVERIFY(f.workspace().document.edit({{"epochs", std::int64_t{3}}}, "epochs"));
    QVERIFY2(!notice->isVisible(), "it was made of the recording");
    QVERIFY(f.window.openFile(example("seed-same")));
    QVERIFY(notice->isVisible());
  }

  /// Of a job without a design: what its loader read is planned, and said to be recorded until it is edited.
  void whatAJobReadIsShownAsItWasRecorded() {
    test::ProbeText text(0, 1, 1);
    text.loaderWith(0, R"({"class":"torch.utils.data.sampler.SequentialSampler"})");
    text.pass(0, 0, 0, 0);
    text.batches(0, 0, {{0, 1}, {2, 3}, {5, 4}, {6, 7}, {8, 9}});
    text.news(0, 5, 5);
    text.end();
    Fixture f;
    QVERIFY(f.window.openFile(recordingOfCommand(recordings_.folder() / "own.slrun", {text})));
    f.window.setPerspective("design");
    const auto* notice = f.window.findChild<DesignNotice*>("designNotice");
    auto* open = linkIn(f.window, "openItsDesign");
    EVENTUALLY(open->isVisible() && f.isReady());
    QCOMPARE(open->text(), QString("Open what it read"));
    QTest::mouseClick(open, Qt::LeftButton);
    EVENTUALLY(f.spec().sampler.type == "recorded.Batches" && f.isReady());
    const auto read = f.workspace().plans.snapshot()->plan->rankEpoch(Epoch{0}, Rank{0});
    QCOMPARE(read->batchSamples(Step{2}), (std::vector<SampleIndex>{5, 4}));
    const QString said = "own.slrun: what its loader train handed out, as it was recorded; epochs are passes.";
    QVERIFY(notice->isVisible() && anyLabel(*notice, said));
    QVERIFY(!open->isVisible());
    QVERIFY(f.workspace().document.edit({{"name", std::string("mine")}}, "name"));
    QVERIFY(!notice->isVisible());
    f.workspace().document.undoStack().undo();
    QVERIFY(notice->isVisible());
    QVERIFY(f.window.openFile(example("seed-same")));
    QVERIFY(notice->isVisible() && !anyLabel(*notice, said));
  }

  /// As `shardlens capture` writes it: nothing says that it is another design.
  void aDesignThatPlansWhatWasReadIsSaidToDoThat() {
    test::ProbeText text(0, 1, 1);
    text.loaderWith(0, R"({"class":"torch.utils.data.sampler.SequentialSampler"})");
    text.pass(0, 0, 0, 0);
    text.batches(0, 0, {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}});
    text.news(0, 5, 5);
    text.end();
    const QString recording = recordingOfCommand(recordings_.folder() / "read.slrun", {text});
    const auto found = capture::capture(recording.toStdString());
    QVERIFY(found && found->loaders.front().yaml && found->loaders.front().isProven());
    const QTemporaryDir folder;
    write(folder.filePath("read.yaml"), QByteArray::fromStdString(*found->loaders.front().yaml));
    Fixture f;
    QVERIFY(f.window.openFile(folder.filePath("read.yaml")));
    QVERIFY(f.window.openFile(recording));
    f.window.setPerspective("design");
    const auto* notice = f.window.findChild<DesignNotice*>("designNotice");
    EVENTUALLY(f.isReady() && notice->isVisible());
    QVERIFY(anyLabel(*notice, "This design plans every recorded batch of the loader train in the recording read"));
    QVERIFY(!linkIn(f.window, "openItsDesign")->isVisible());
    QVERIFY(f.workspace().document.edit({{"loader.batch_size", std::int64_t{5}}}, "batch"));
    QVERIFY(anyLabel(*notice, "This is not the design of the recording read"));
  }

  /// Nobody has made a design: that of the recording is shown.
  void aRecordingThatWasOpenedAloneBringsItsDesign() {
    MainWindow window({false, {}, false});
    window.resize(1280, 720);
    window.show();
    QVERIFY(window.openFirst(recordings_.recording(4, 1)));
    EVENTUALLY(window.workspace().runs.facts() != nullptr);
    window.setPerspective("lens");
    EVENTUALLY(window.workspace().document.spec() == spec(4));
    QCOMPARE(window.perspective(), QString("lens"));
    QVERIFY(!window.findChild<DesignNotice*>("designNotice")->isVisible());
    QVERIFY2(!window.workspace().document.isModified(), "nobody made it");
  }

  void aNewPipelineDoesNotGiveWayToTheRecording() {
    Fixture f;
    QVERIFY(f.window.openFile(recordings_.recording(4, 1)));
    EVENTUALLY(f.workspace().runs.facts() != nullptr && f.isReady());
    f.window.setPerspective("design");
    QTest::mouseClick(linkIn(f.window, "openItsDesign"), Qt::LeftButton);
    QCOMPARE(f.spec(), spec(4));
    QVERIFY(f.workspace().document.isModified());
    f.window.actions().get("file.new")->trigger();
    QCOMPARE(f.spec(), PipelineSpec());
    f.window.setPerspective("lens");
    EVENTUALLY(f.isReady());
    QCOMPARE(f.spec(), PipelineSpec());
    QVERIFY(f.window.findChild<DesignNotice*>("designNotice")->isVisible());
  }

  /// Making it takes time, in which the user may open another one.
  void aDesignThatNobodyAskedForTakesThePlaceOfNone() {
    Fixture f;
    PipelineSpec made;
    made.name = "made";
    const auto bring = [&](bool unasked) { emit f.workspace().capture.designMade(made, "name: made\n", {}, unasked); };
    bring(true);
    QCOMPARE(f.workspace().document.path(), example("distributed-sampler"));
    bring(false);
    QCOMPARE(f.spec(), made);
  }

  /// Of a command of the user's that hung until it was stopped: who, and at which line.
  void whatHungInAnOwnJobIsSaid() {
    const auto path = recordings_.folder() / "hung.slrun";
    {
      auto writer = RecordingWriter::create(path);
      Event begun = test::begin(0);
      std::get<RunBegin>(begun.what).reports = false;
      std::get<RunBegin>(begun.what).planned_steps = 0;
      writer->add(begun);
      for (const std::int64_t rank : {0, 1}) {
        writer->add(test::record(1, rank, SL_HELLO, {0, 0, 0, 0, 500 + static_cast<std::uint64_t>(rank), 2}));
        writer->add(test::record(2, rank, SL_STEP_BEGIN));
        writer->add(test::record(10, rank, SL_STEP_END));
      }
      writer->add(test::record(20, 1, SL_PHASE_BEGIN, {SL_PHASE_LOAD, 0, 1}));
      writer->add(test::record(20, 0, SL_COLL_ENTER, {SL_OP_ALLREDUCE, 0, 1, 0, 0, sl_operation(1, SL_NO_PEER)}));
      RankStack stack{.rank = 1, .taken_ns = test::at(14'000), .pid = 501};
      stack.frames = {{"main", "/home/me/train.py", 88, "time.sleep(3600)", true}};
      writer->add({test::at(14'000), stack});
      writer->add({test::at(30'000), Tick{}});
      writer->add({test::at(30'000), RunStopping{true, {}}});
      writer->add({test::at(30'500), RunEnd{JobStatus::Stopped, 4, {}}});
      QVERIFY(writer->flush().has_value());
    }
    Fixture f;
    QVERIFY(f.window.openFile(QString::fromStdString(path.string())));
    QCOMPARE(f.window.perspective(), QString("autopsy"));
    const auto* card = f.window.findChild<StallPanel*>();
    EVENTUALLY(f.isReady() && card->isVisible());
    QVERIFY2(card->asText().contains("Rank 1 makes no progress"), qPrintable(card->asText()));
    QVERIFY2(card->asText().contains("train.py:88"), qPrintable(card->asText()));
    QVERIFY(f.window.findChild<VerdictBanner*>("verdict")->asText().contains("Rank 1 makes no progress"));
  }

  /// A picture is of the moment that was asked for.
  void aMomentThatWasAskedForIsWaitedFor() {
    Fixture f;
    QVERIFY(f.window.openFile(recordings_.recording(4, 1)));
    EVENTUALLY(f.isReady());
    RunService& runs = f.workspace().runs;
    runs.seek(runs.duration() / 2);
    QVERIFY(!f.window.isReady());
    EVENTUALLY(f.window.isReady());
    QVERIFY(runs.state()->elapsed_ns <= runs.duration() / 2);
  }

  void whatIsSelectedInOneJobIsNotSelectedInTheNext() {
    Fixture f;
    QVERIFY(f.window.openFile(recordings_.recording(4, 1)));
    EVENTUALLY(f.isReady());
    f.workspace().selection.select({{3}, 1, 7, {}});
    QVERIFY(f.window.openFile(recordings_.recording(2, 1)));
    QCOMPARE(f.workspace().selection.current(), Selected{});
  }

  void anotherDesignHasNoTargetYet() {
    Fixture f;
    f.window.actions().get("analyse.export")->trigger();
    auto* view = f.window.findChild<ExportView*>();
    const std::string first = view->target();
    view->setTarget("slurm");
    QVERIFY(view->target() != first);
    QVERIFY(f.window.openFile(example("seed-same")));
    QCOMPARE(view->target(), first);
  }

  void noSamplesAreMadeUpForAScript() {
    const QTemporaryDir folder;
    const QString script = folder.filePath("train.py");
    write(script,
          "import torch\nfrom torch.utils.data import DataLoader, DistributedSampler\n"
          "loader = DataLoader(data, batch_size=24, sampler=DistributedSampler(data, 2, rank))\n"
          "for epoch in range(3):\n    for batch in loader:\n        pass\n");
    Fixture f;
    QVERIFY(f.window.openFile(script));
    EVENTUALLY(f.isReady());
    QVERIFY2(f.window.banner()->text().contains("How many samples there are is not known"),
             qPrintable(f.window.banner()->text()));
    QCOMPARE(f.spec().loader.batch_size, std::int64_t{24});
    QVERIFY(f.workspace().plans.snapshot()->audit == nullptr);
    const auto cards = f.window.design()->findings()->findChildren<FindingCard*>();
    QCOMPARE(cards.size(), 1);
    QCOMPARE(cards.front()->finding().where.field, std::string("dataset.size"));
    QVERIFY(f.workspace().document.text()->find("placeholder") == std::string::npos);
    for (LinkButton* link : f.window.banner()->findChildren<LinkButton*>()) {
      if (link->accessibleName() == "Type it" || link->text() == "Type it") link->click();
    }
    QVERIFY(f.line("dataset.size")->hasFocus());
    QVERIFY(f.workspace().document.edit({{"dataset.size", std::int64_t{1000}}}, "size"));
    EVENTUALLY(f.isReady() && f.workspace().plans.snapshot()->audit != nullptr);
    f.workspace().document.undoStack().undo();
    EVENTUALLY(f.isReady() && f.workspace().plans.snapshot()->audit == nullptr);
    QVERIFY(f.window.openFile(example("seed-same")));
    EVENTUALLY(f.isReady() && f.workspace().plans.snapshot()->audit != nullptr);
  }

  void openListsAllThatCanBeOpened() {
    Fixture f;
    QString filter;
    QTimer::singleShot(0, &f.window, [&] {
      auto* dialog = f.window.findChild<QFileDialog*>();
      QVERIFY(dialog != nullptr);
      filter = dialog->nameFilters().value(0);
      dialog->reject();
    });
    f.window.actions().get("file.open")->trigger();
    for (const char* kind : {"*.yaml", "*.py", "*.sbatch", "*.json", "*.slrun", "*.slseg"})
      QVERIFY2(filter.contains(kind), qPrintable(filter));
    bool takes_folders = false;
    const QString run = recordings_.recording(2, 1);
    QTimer::singleShot(0, &f.window, [&] {
      auto* dialog = f.window.findChild<QFileDialog*>();
      QVERIFY(dialog != nullptr);
      takes_folders = dialog->fileMode() == QFileDialog::Directory;
      dialog->reject();
    });
    f.window.actions().get("file.open_recording")->trigger();
    QVERIFY(takes_folders);
    const QStringList inside = QDir(run).entryList(QDir::Files);
    QVERIFY(!inside.isEmpty());
    QVERIFY(f.window.openFile(run + "/" + inside.front()));
    QCOMPARE(f.workspace().runs.runFile(), run);
  }

  void theThemeInUseIsTicked() {
    Fixture f;
    f.window.setThemeChoice(ThemeChoice::Dark);
    QVERIFY(f.window.actions().get("view.theme.dark")->isChecked());
    f.window.setThemeChoice(ThemeChoice::Light);
    QVERIFY(f.window.actions().get("view.theme.light")->isChecked());
    QVERIFY(!f.window.actions().get("view.theme.dark")->isChecked());
  }
};

SHARDLENS_WINDOW_TEST(RunAndDesignTest)
#include "run_and_design_test.moc"
