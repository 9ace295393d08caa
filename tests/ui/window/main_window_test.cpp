// SPDX-License-Identifier: Apache-2.0
#include "ui/window/main_window.h"

#include "core/sampling/registry.h"
#include "core/yaml/spec_writer.h"
#include "tests/support/fake_run_file.h"
#include "tests/support/temp_folder.h"
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/scene/number_text.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/design/field_row.h"
#include "ui/widgets/design/findings_panel.h"
#include "ui/widgets/design/form_panel.h"
#include "ui/widgets/design/inspector_panel.h"
#include "ui/widgets/lens/lens_column_view.h"
#include "ui/widgets/run/job_bar.h"
#include "ui/widgets/run/recording_list.h"
#include "ui/widgets/tabs/export_view.h"
#include "ui/window/banner.h"
#include "ui/window/bottom_tabs.h"
#include "ui/window/design_page.h"
#include "ui/window/dialogs.h"
#include "ui/window/header_bar.h"
#include "ui/window/perspectives.h"
#include "ui/window/status_line.h"

#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QScrollArea>
#include <QShortcut>
#include <QTest>

#include <vector>

using namespace shardlens;
using namespace shardlens::ui;

class MainWindowTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    installFonts();
    applyTheme(Theme::light());
  }

  void typingTheWorldSizeChangesSpecAndPicture() {
    Fixture f;
    QVERIFY(f.settled);
    const QImage before = f.window.grab().toImage();
    QLineEdit* ranks = f.line("world.ranks_per_node");
    ranks->setFocus();
    ranks->selectAll();
    QTest::keyClicks(ranks, "4");
    QCOMPARE(f.spec().worldSize(), 4);
    EVENTUALLY(f.isReady());
    QCOMPARE(f.window.workspace().plans.snapshot()->epoch->ranks.size(), std::size_t{4});
    QVERIFY(f.window.status()->text().startsWith("world 4 (1 × 4)"));
    QVERIFY(f.window.grab().toImage() != before);
  }

  void anErrorOfSeveralLinesIsOneInTheStatusLine() {
    Fixture f;
    f.window.status()->say("ValueError: one\ntwo");
    QCOMPARE(f.window.status()->text(), QString("ValueError: one two"));
  }

  void undoAndRedoWalkThroughEveryEdit() {
    Fixture f;
    const PipelineSpec start = f.spec();
    QTest::keyClick(f.line("loader.batch_size"), Qt::Key_Up);
    f.line("world.nodes")->setFocus();
    QTest::keyClick(f.line("world.nodes"), Qt::Key_Up);
    const PipelineSpec end = f.spec();
    QVERIFY(f.window.isWindowModified() || f.window.windowTitle().contains("•"));
    QTest::keyClick(&f.window, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(f.spec().world, start.world);
    QTest::keyClick(&f.window, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(f.spec(), start);
    QVERIFY(!f.window.actions().get("edit.undo")->isEnabled());
    QTest::keyClick(&f.window, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QTest::keyClick(&f.window, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(f.spec(), end);
  }

  void undoWorksWhileAFieldHasTheFocus() {
    Fixture f;
    const PipelineSpec start = f.spec();
    QLineEdit* batch = f.line("loader.batch_size");
    QLineEdit* nodes = f.line("world.nodes");
    batch->setFocus();
    batch->selectAll();
    QTest::keyClicks(batch, "3");
    nodes->setFocus();
    QTest::keyClick(nodes, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(f.spec(), start);
    QTest::keyClick(nodes, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(f.spec().loader.batch_size, 3);
    QTest::keyClicks(nodes, "x");
    QTest::keyClick(nodes, Qt::Key_Z, Qt::ControlModifier);  // what is refused goes first
    QVERIFY(!f.window.design()->form()->row("world.nodes")->isRefused());
    QCOMPARE(f.spec().loader.batch_size, 3);
  }

  void undoAndRedoHaveButtons() {
    Fixture f;
    auto* undo = f.window.findChild<QAbstractButton*>("button:edit.undo");
    auto* redo = f.window.findChild<QAbstractButton*>("button:edit.redo");
    QVERIFY(!undo->isEnabled() && !redo->isEnabled());
    const PipelineSpec start = f.spec();
    QTest::keyClick(f.line("loader.batch_size"), Qt::Key_Up);
    QVERIFY(undo->isEnabled());
    QTest::mouseClick(undo, Qt::LeftButton);
    QCOMPARE(f.spec(), start);
    QTest::mouseClick(redo, Qt::LeftButton);
    QVERIFY(f.spec() != start);
  }

  /// Stop is in the bar of the job, far from Launch: in every perspective and in a small window.
  void aLateClickOnStopDoesNotLaunch() {
    Fixture f;
    auto* header = f.window.findChild<HeaderBar*>();
    auto* launch = f.window.findChild<QWidget*>("button:run.launch");
    QVERIFY(f.window.findChild<QWidget*>("button:run.stop") == nullptr);
    const auto* stop = f.window.findChild<JobBar*>()->findChild<QWidget*>("stopJob");
    QVERIFY(!header->isAncestorOf(stop));
    for (const char* name : {"design", "lens", "resume", "run", "autopsy"}) {
      for (const int width : {960, 1280, 1920}) {
        f.window.setPerspective(name);
        f.window.resize(width, 720);
        header->setJob("● recording · 00:14:22");
        EVENTUALLY(header->rect().contains(launch->geometry()));
        const auto* job = header->findChild<QAbstractButton*>("job");
        const bool is_watched = f.window.perspective() == "run" || f.window.perspective() == "autopsy";
        QCOMPARE(job->isVisible(), !is_watched);
        EVENTUALLY(is_watched || job->width() >= job->sizeHint().width());
        EVENTUALLY(is_watched || !job->geometry().intersects(launch->geometry()));
        header->setJob({});
        EVENTUALLY(launch->isVisible());
      }
    }
  }

  void aFixAppliesAndUndoRestores() {
    Fixture f("shard-local-rank");
    QVERIFY(f.settled);
    const PipelineSpec buggy = f.spec();
    FindingsPanel* findings = f.window.design()->findings();
    QVERIFY(findings->countsText().startsWith("1 error"));
    FindingCard* card = findings->cards().front();
    QTest::mouseClick(card->fixButton(), Qt::LeftButton);
    EVENTUALLY(f.isReady());
    QVERIFY(!findings->countsText().contains("error"));
    f.window.actions().get("edit.undo")->trigger();
    QCOMPARE(f.spec(), buggy);
    EVENTUALLY(f.isReady());
    QVERIFY(findings->countsText().startsWith("1 error"));
  }

  void theFocusStaysAmongTheFindingsAfterAFix() {
    Fixture f("shard-local-rank");
    QVERIFY(f.settled);
    FindingsPanel* findings = f.window.design()->findings();
    QAbstractButton* fix = findings->cards().front()->fixButton();
    fix->setFocus();
    QTest::keyClick(fix, Qt::Key_Space);
    EVENTUALLY(f.isReady() && !findings->countsText().contains("error"));
    QVERIFY(findings->isAncestorOf(QApplication::focusWidget()));
  }

  void aCardLeadsToWhereItsFindingIs() {
    Fixture f("shard-local-rank");
    QVERIFY(f.settled);
    FindingCard* card = f.window.design()->findings()->cards().front();
    card->setFocus();
    QTest::keyClick(card, Qt::Key_Return);
    QVERIFY(!f.window.workspace().selection.current().ranks.empty());
    QVERIFY(!f.window.design()->inspector()->shown().title.isEmpty());
    QVERIFY(card->isChosen());
    f.window.workspace().selection.clear();
    QVERIFY(!card->isChosen());
    f.window.workspace().selection.goBack();
    QVERIFY(card->isChosen());
  }

  void theLocatorGoesToPlacesFieldsAndActions() {
    Fixture f;
    QVERIFY(f.settled);
    QTest::keyClick(&f.window, Qt::Key_K, Qt::ControlModifier);
    auto* field = f.window.findChild<HeaderBar*>()->locatorField();
    QVERIFY(field->hasFocus());
    QCOMPARE(field->hint(), QString("Ctrl+K"));
    QVERIFY(!field->hintPlace().isEmpty() && !field->placeholderText().contains(field->hint()));
    for (const int width : {960, 1280}) {  // the words and the key that leads there are whole, or the words are brief
      f.window.resize(width, 720);
      const auto words = [field] { return field->fontMetrics().horizontalAdvance(field->placeholderText()); };
      EVENTUALLY(!field->hintPlace().isEmpty() && words() < field->hintPlace().left());
    }
    QTest::keyClicks(field, "rank 1 epoch 1 step 2");
    QVERIFY(f.window.locator()->isVisible());
    QTest::keyClick(field, Qt::Key_Return);
    const Selected& selected = f.window.workspace().selection.current();
    QCOMPARE(selected, (Selected{{1}, 1, 2, {}}));
    QCOMPARE(f.window.workspace().playback.epoch(), 1);
    QVERIFY(!f.window.locator()->isVisible());
    field->setFocus();
    QTest::keyClicks(field, "loader.batch");
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(f.line("loader.batch_size")->hasFocus());
    field->setFocus();
    QTest::keyClicks(field, "seeds");
    QTest::keyClick(field, Qt::Key_Escape);
    QVERIFY(field->text().isEmpty());
  }

  void theLocatorGoesToPairsFindingsAndExports() {
    Fixture f("shard-local-rank");
    QVERIFY(f.settled);
    auto* field = f.window.findChild<HeaderBar*>()->locatorField();
    const auto ask = [field](const QString& what) {
      field->setFocus();
      QTest::keyClicks(field, what);
      QTest::keyClick(field, Qt::Key_Return);
    };
    ask("ranks 3 and 7");
    QCOMPARE(f.workspace().selection.current().ranks, (std::vector<qint64>{3, 7}));
    const FindingCard* card = f.window.design()->findings()->cards().front();
    QVERIFY(!card->isChosen());
    ask(text(card->finding().title));
    QVERIFY(card->isChosen());
    ask("slurm");
    QCOMPARE(f.window.design()->tabs()->current(), QString("export"));
    QCOMPARE(f.window.findChild<ExportView*>()->target(), std::string("slurm"));
  }

  void backAndForwardGoThroughWhatWasSelected() {
    Fixture f;
    QVERIFY(f.settled);
    Workspace& workspace = f.workspace();
    QVERIFY(!f.window.actions().get("view.back")->isEnabled());
    workspace.goTo({{1}, 1, 2, {}});
    workspace.goTo({{0}, 0, {}, {}});
    QTest::keyClick(&f.window, Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(workspace.selection.current(), (Selected{{1}, 1, 2, {}}));
    EVENTUALLY_EQUAL(workspace.playback.epoch(), 1);
    QTest::keyClick(&f.window, Qt::Key_Right, Qt::AltModifier);
    QCOMPARE(workspace.selection.current(), (Selected{{0}, 0, {}, {}}));
    QTest::mouseClick(f.window.design()->inspector(), Qt::BackButton);
    QCOMPARE(workspace.selection.current(), (Selected{{1}, 1, 2, {}}));
    QTest::mouseClick(f.window.status(), Qt::ForwardButton);
    QCOMPARE(workspace.selection.current(), (Selected{{0}, 0, {}, {}}));
    f.window.openFile(example("shard-local-rank"));
    QVERIFY(!f.window.actions().get("view.back")->isEnabled());
  }

  void theGalleryListsTheRunsOfThisMachine() {
    const test::TempFolder folder;
    qputenv("SHARDLENS_RUNS", folder.path().c_str());
    PipelineSpec spec;
    spec.name = "listed";
    const auto run = makeRunFolder(folder.path(), spec);
    QVERIFY(run.has_value());
    {
      test::FakeRunFile file(run->runFile(), Plan::make(spec).value(), yaml::writeSpec(spec, sampling::catalogue()));
      file.step(0, 0);
      file.bye();
      file.end();
    }
    Fixture f;
    f.window.openGallery();
    auto* list = f.window.findChild<RecordingList*>("recordingList", Qt::FindChildrenRecursively);
    for (auto* each : f.window.findChildren<RecordingList*>()) {
      if (each->window() != &f.window) list = each;
    }
    QCOMPARE(list->buttons().size(), std::size_t{1});
    EVENTUALLY(list->buttons().front()->row().facts.startsWith("finished"));
    QTest::mouseClick(list->buttons().front(), Qt::LeftButton);
    EVENTUALLY_EQUAL(f.window.perspective(), QString("autopsy"));
    EVENTUALLY(f.workspace().runs.state() != nullptr);
    QCOMPARE(f.workspace().runs.state()->name, std::string("listed"));
    qunsetenv("SHARDLENS_RUNS");
  }

  /// It goes on without the window, and that is the user's choice.
  void quittingWithAJobRunningAsks() {
    const test::TempFolder folder;
    PipelineSpec spec;
    spec.name = "live";
    const Plan plan = Plan::make(spec).value();
    test::FakeRunFile file(folder / "live.slrun", plan, yaml::writeSpec(spec, sampling::catalogue()));
    file.step(0, 0);
    Fixture f;
    QVERIFY(f.window.openFile(QString::fromStdString((folder / "live.slrun").string())));
    EVENTUALLY(f.workspace().runs.isActive() && f.workspace().runs.state() != nullptr);
    QVERIFY(!f.window.close());
    QVERIFY(f.window.isVisible());
    QVERIFY(f.window.banner()->text().startsWith("live (2 ranks, "));
    const auto choice = [&](const QString& text) -> QAbstractButton* {
      for (auto* button : f.window.banner()->findChildren<QAbstractButton*>()) {
        if (button->text() == text && button->isVisible()) return button;
      }
      return nullptr;
    };
    QVERIFY(choice("Stop it") != nullptr);
    QTest::mouseClick(choice("Cancel"), Qt::LeftButton);
    QVERIFY(f.window.isVisible() && f.window.banner()->isHidden());
    QVERIFY(!f.window.close());
    QTest::mouseClick(choice("Keep it running"), Qt::LeftButton);
    QVERIFY(!f.window.isVisible());
    file.end();
  }

  void everythingCanBeReachedByKeys() {
    Fixture f;
    QTest::keyClick(&f.window, Qt::Key_2, Qt::ControlModifier);
    QCOMPARE(f.window.perspective(), QString("lens"));
    QTest::keyClick(&f.window, Qt::Key_3, Qt::ControlModifier);
    QCOMPARE(f.window.perspective(), QString("resume"));
    QTest::keyClick(&f.window, Qt::Key_4, Qt::ControlModifier);
    QCOMPARE(f.window.perspective(), QString("run"));
    QTest::keyClick(&f.window, Qt::Key_5, Qt::ControlModifier);
    QCOMPARE(f.window.perspective(), QString("autopsy"));
    QTest::keyClick(&f.window, Qt::Key_1, Qt::ControlModifier);
    QTest::keyClick(&f.window, Qt::Key_E, Qt::ControlModifier);
    QCOMPARE(f.window.design()->tabs()->current(), QString("export"));
    QTest::keyClick(&f.window, Qt::Key_7, Qt::AltModifier);
    QCOMPARE(f.window.design()->tabs()->current(), QString("coverage"));
    QTest::keyClick(&f.window, Qt::Key_1, Qt::AltModifier);
    QCOMPARE(QApplication::focusWidget(), f.line("dataset.size"));
    QTest::keyClick(&f.window, Qt::Key_W, Qt::AltModifier);
    QCOMPARE(f.window.design()->tabs()->current(), QString("waits"));
    QTest::keyClick(&f.window, Qt::Key_2, Qt::AltModifier);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
    QVERIFY(f.window.workspace().playback.isPlaying());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
    QVERIFY(!f.window.workspace().playback.isPlaying());
  }

  /// Whoever asks for the keys can go on: the sheet is no loop that waits, and is no larger than the window.
  void theKeySheetOpensInsideTheWindowAndEscClosesIt() {
    Fixture f;
    f.window.resize(960, 600);
    f.window.actions().get("help.keys")->trigger();
    auto* sheet = f.window.findChild<KeySheet*>();
    QVERIFY(sheet != nullptr && sheet->isVisible());
    QVERIFY(sheet->width() <= f.window.width() && sheet->height() <= f.window.height());
    const auto* scroll = sheet->findChild<QScrollArea*>();
    QVERIFY(scroll->widget()->minimumSizeHint().width() <= sheet->width());  // scrolls one way only
    QTest::keyClick(sheet, Qt::Key_Escape);
    EVENTUALLY(f.window.findChild<KeySheet*>() == nullptr);
    f.window.actions().get("help.about")->trigger();
    auto* about = f.window.findChild<QMessageBox*>();
    QVERIFY(about != nullptr && about->isVisible());
    about->close();
  }

  void everyPerspectiveAndTabHasAKeyThatIsListed() {
    Fixture f;
    KeySheet sheet(f.window.actions(), perspectives());
    QStringList listed;
    for (const QLabel* label : sheet.findChildren<QLabel*>()) listed += label->text();
    int count = 0;
    for (const QAction* action : f.window.actions().all()) {
      const bool is_tab = action->objectName().startsWith("analyse.");
      if (!is_tab && !namesOf(perspectives()).contains(action->objectName().section('.', 1))) continue;
      ++count;
      QVERIFY2(!action->shortcut().isEmpty(), qPrintable(action->objectName()));
      QVERIFY2(listed.contains(action->shortcut().toString(QKeySequence::NativeText)),
               qPrintable(action->objectName()));
    }
    QCOMPARE(count, 13);
    QVERIFY(listed.contains(QKeySequence("Alt+Left").toString(QKeySequence::NativeText)));
  }

  void everyActionIsInAMenu() {
    Fixture f;
    QList<QAction*> in_menus;
    for (QMenu* menu : f.window.findChildren<QMenu*>()) in_menus += menu->actions();
    for (QAction* action : f.window.actions().all()) {
      QVERIFY2(in_menus.contains(action), qPrintable(action->objectName()));
      QVERIFY(!action->text().isEmpty());
    }
    QCOMPARE(f.window.menuBar()->actions().size(), 7);
  }

  /// A key that two actions in reach of one focus claim does nothing.
  void noTwoActionsInReachOfOneFocusShareAKey() {
    struct Claim {
      QKeySequence key;
      const QObject* by;
      const QWidget* in;
    };
    Fixture f;
    f.window.setPerspective("lens");
    EVENTUALLY(f.window.findChildren<LensColumnView*>().size() > 1);
    for (const Perspective& row : perspectives()) f.window.setPerspective(row.name);
    std::vector<Claim> claims;
    for (const QShortcut* shortcut : f.window.findChildren<QShortcut*>()) {
      if (shortcut->context() == Qt::WindowShortcut) claims.push_back({shortcut->key(), shortcut, &f.window});
    }
    for (const QWidget* widget : QList<QWidget*>{&f.window} + f.window.findChildren<QWidget*>()) {
      for (const QAction* action : widget->actions()) {
        const bool everywhere = action->shortcutContext() == Qt::WindowShortcut;
        for (const QKeySequence& key : action->shortcuts()) {
          claims.push_back({key, action, everywhere ? &f.window : widget});
        }
      }
    }
    QVERIFY(claims.size() > 60);
    for (const Claim& one : claims) {
      for (const Claim& other : claims) {
        const bool meet = one.in == other.in || one.in->isAncestorOf(other.in);
        QVERIFY2(one.by == other.by || one.key != other.key || !meet, qPrintable(one.key.toString()));
      }
    }
  }

  void theKeysOfAColumnOfTheLensAreListed() {
    Fixture f;
    f.window.setPerspective("lens");
    EVENTUALLY(f.window.findChild<LensColumnView*>() != nullptr);
    const KeySheet sheet(f.window.actions(), perspectives());
    QString listed;
    for (const QLabel* label : sheet.findChildren<QLabel*>()) listed += label->text() + "\n";
    for (const QAction* action : f.window.findChild<LensColumnView*>()->actions()) {
      QVERIFY2(listed.contains(action->shortcut().toString(QKeySequence::NativeText)), qPrintable(action->text()));
    }
  }

  void theThemeSwitchesAndBack() {
    Fixture f;
    QTest::keyClick(&f.window, Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(theme().dark);
    QTest::keyClick(&f.window, Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(!theme().dark);
  }

  void theCommandLineOfTheSelectionIsCopied() {
    Fixture f;
    f.window.workspace().selection.select({{1}, 0, 0, {}});
    f.window.actions().get("edit.copy_command")->trigger();
    QCOMPARE(QApplication::clipboard()->text(),
             "shardlens plan " + example("distributed-sampler") + " --epoch 0 --rank 1");
  }

  void theWindowStaysAliveWhileMuchIsPlanned() {
    Fixture f;
    QVERIFY(f.window.workspace().document.edit({{"dataset.size", std::int64_t{30'000'000}}}, "large"));
    int turns = 0;
    QTimer beat;
    connect(&beat, &QTimer::timeout, this, [&turns] { ++turns; });
    beat.start(1);
    EVENTUALLY(turns > 20);
    f.window.workspace().plans.cancel();
    QVERIFY(!f.window.workspace().plans.isBusy());
  }
};

SHARDLENS_WINDOW_TEST(MainWindowTest)
#include "main_window_test.moc"
