// SPDX-License-Identifier: Apache-2.0
#include "ui/window/session.h"

#include "core/base/process.h"
#include "core/collect/run_folder.h"
#include "tests/support/places.h"
#include "tests/support/temp_folder.h"
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "ui/scene/theme.h"
#include "ui/state/latest_job.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/toast.h"
#include "ui/widgets/design/text_panel.h"
#include "ui/widgets/lens/lens_panel.h"
#include "ui/widgets/run/watch_form.h"
#include "ui/widgets/start/gallery.h"
#include "ui/window/banner.h"
#include "ui/window/bottom_tabs.h"
#include "ui/window/design_page.h"
#include "ui/window/file_commands.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <string>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

QString example(const char* name) {
  return (QString::fromStdString(test::sourceDir()) + "/resources/examples/%1.yaml").arg(name);
}

const std::vector<Edit> kEdit = {{"dataset.size", std::int64_t{77}}};

}  // namespace

class SessionTest : public QObject {
  Q_OBJECT

 private slots:
  void theFirstStartOpensACopyOfTheFirstExample() {
    const QTemporaryDir folder;
    {
      MainWindow window({true, folder.path(), false});
      QVERIFY(window.isFirstStart());
      window.openFirst();
      QCOMPARE(window.workspace().document.spec().name, std::string("distributed-sampler"));
      QVERIFY(window.workspace().document.path().isEmpty());  // saving does not write what was shipped
      window.openFile(example("seed-same"));
    }
    MainWindow window({true, folder.path(), false});
    QVERIFY(!window.isFirstStart());
  }

  void aJobThatOutlivedTheLastWindowIsSaid() {
    const QTemporaryDir folder;
    const auto run = makeRunFolder(runsRoot(), std::string("inet64"));
    QVERIFY(run.has_value());
    test::spill(run->runFile(), "");
    QVERIFY(run->writeProcess(thisProcess()).has_value());
    MainWindow window({true, folder.path(), false});
    window.openFirst();
    QVERIFY(!window.banner()->isHidden());
    QVERIFY2(window.banner()->text().contains("inet64 still runs."), qPrintable(window.banner()->text()));
    std::filesystem::remove_all(run->path);
    MainWindow later({true, folder.path(), false});
    later.openFirst();
    QVERIFY(later.banner()->isHidden());
  }

  void everyExampleSaysWhatItIs() {
    const auto all = examples();
    QVERIFY(all.size() >= 6);
    for (const Example& each : all)
      QVERIFY2(!each.summary.isEmpty() && !each.look_for.isEmpty(), qPrintable(each.name));
  }

  void theNextStartLooksLikeTheLastOne() {
    const QTemporaryDir folder;
    {
      MainWindow window({true, folder.path(), false});
      window.openFile(example("seed-same"));
      window.setThemeChoice(ThemeChoice::Dark);
      window.actions().get("view.reduce_motion")->trigger();
      window.design()->tabs()->show("seeds");
      window.page<LensPage>()->panel()->setShown("megatron", true);
      window.page<LensPage>()->panel()->setShown("fabric", true);
      window.page<LensPage>()->panel()->setShown("fabric", false);
      window.resize(1111, 666);
      window.show();
      window.close();
    }
    MainWindow window({true, folder.path(), false});
    window.openFirst();
    QCOMPARE(window.workspace().document.path(), example("seed-same"));
    QCOMPARE(window.design()->tabs()->current(), QString("seeds"));
    QCOMPARE(window.size(), QSize(1111, 666));
    QVERIFY(window.page<LensPage>()->panel()->isShown("megatron"));
    QVERIFY(!window.page<LensPage>()->panel()->isShown("fabric"));
    QVERIFY(theme().dark);
    QVERIFY(window.actions().get("view.reduce_motion")->isChecked());
    MainWindow fresh({true, folder.path(), true});
    QCOMPARE(fresh.design()->tabs()->current(), QString("overlap"));
    QVERIFY(!fresh.page<LensPage>()->panel()->isShown("megatron"));
    window.setThemeChoice(ThemeChoice::Light);
  }

  void theCommandOfOnesOwnIsThereAgain() {
    const QTemporaryDir folder;
    {
      MainWindow window({true, folder.path(), false});
      window.openFile(example("seed-same"));
      window.show();
      window.setPerspective("run");
      EVENTUALLY(window.findChild<QCheckBox*>("watchCompare")->isVisible());
      QTest::keyClicks(window.findChild<QLineEdit*>("watchCommand"), "torchrun train.py");
      window.findChild<QCheckBox*>("watchCompare")->click();
      QTest::mouseClick(window.findChild<QWidget*>("watchVariables"), Qt::LeftButton);
      window.findChild<QPlainTextEdit*>("watchEnvironment")->insertPlainText("A=1\nB=x, \"y\"");
      window.close();
    }
    MainWindow window({true, folder.path(), false});
    window.openFirst();
    window.show();
    window.setPerspective("run");
    QCOMPARE(window.findChild<QLineEdit*>("watchCommand")->text(), QString("torchrun train.py"));
    auto* environment = window.findChild<QPlainTextEdit*>("watchEnvironment");
    QCOMPARE(environment->toPlainText(), QString("A=1\nB=x, \"y\""));
    QVERIFY(!environment->isVisible());
    EVENTUALLY(window.findChild<QCheckBox*>("watchCompare")->isVisible());
    QVERIFY(window.findChild<QCheckBox*>("watchCompare")->isChecked());
    auto* twin = window.findChild<CommandField*>("watchLine");
    QCOMPARE(twin->command(),
             QString("shardlens run %1 -- A=1 'B=x, \"y\"' torchrun train.py").arg(example("seed-same")));
  }

  void aPastedDesignKeepsTheUnsavedOne() {
    const QTemporaryDir folder;
    MainWindow window({true, folder.path(), false});
    window.openFile(example("seed-same"));
    window.show();
    QVERIFY(window.workspace().document.edit(kEdit, "size"));
    QApplication::clipboard()->setText("torchrun --nproc_per_node=8 train.py --batch-size 4");
    window.actions().get("file.paste")->trigger();
    QCOMPARE(window.workspace().document.spec().loader.batch_size, 4);
    Session second(folder.path());
    const auto kept = second.drafts().kept();
    QCOMPARE(kept.size(), std::size_t{1});
    QCOMPARE(kept[0].of, example("seed-same"));
    QCOMPARE(kept[0].read()->dataset.size, 77);
  }

  void unsavedChangesComeBackAndCanBeTakenBack() {
    const QTemporaryDir folder;
    {
      MainWindow window({true, folder.path(), false});
      window.openFile(example("seed-same"));
      QVERIFY(window.workspace().document.edit(kEdit, "size"));
      window.close();
    }
    MainWindow window({true, folder.path(), false});
    window.openFirst();
    Document& document = window.workspace().document;
    QCOMPARE(document.spec().dataset.size, 77);
    QCOMPARE(document.path(), example("seed-same"));
    QVERIFY(document.isModified());
    QVERIFY(window.banner()->text().contains("restored"));
    document.undoStack().undo();
    QCOMPARE(document.spec().dataset.size, 1024);
    QVERIFY(!document.isModified());
  }

  void whatAScriptDoesNotSayIsNotKnownInTheNextWindowEither() {
    const QTemporaryDir folder;
    const QString script = folder.filePath("train.py");
    test::spill(script.toStdString(),
                "from torch.utils.data import DataLoader\nloader = DataLoader(data, batch_size=24)\n"
                "for batch in loader:\n    pass\n");
    {
      MainWindow window({true, folder.path(), false});
      QVERIFY(window.openFile(script));
      window.close();
    }
    MainWindow window({true, folder.path(), false});
    window.openFirst();
    QVERIFY(window.banner()->text().contains("restored"));
    QCOMPARE(window.workspace().document.spec().loader.batch_size, 24);
    const auto& plans = window.workspace().plans;
    EVENTUALLY(plans.snapshot()->issues.size() == 1);
    QCOMPARE(plans.snapshot()->issues.front().place.field, std::string("dataset.size"));
  }

  void aTextWithProblemsComesBackAsItWasTyped() {
    const QTemporaryDir folder;
    const QString typed = "shardlens: 1\ndataset: {size: many}\n";
    {
      MainWindow window({true, folder.path(), false});
      window.openFile(example("seed-same"));
      window.design()->showText(true);
      window.workspace().text.edit(typed);
      window.close();
    }
    {
      MainWindow window({true, folder.path(), false});
      window.openFirst();
      QCOMPARE(window.workspace().document.path(), example("seed-same"));
      QCOMPARE(window.workspace().document.spec().dataset.size, 1024);
      QCOMPARE(window.workspace().text.text(), typed);
      QCOMPARE(window.workspace().text.problems().size(), std::size_t{1});
      QVERIFY(!window.workspace().text.isOutOfStep());
      QVERIFY(!window.design()->text()->isHidden());
      window.openFile(example("batch-sampler"));  // the text is kept for later
      const auto kept = Drafts(folder.filePath("drafts")).kept();
      QCOMPARE(kept.size(), std::size_t{1});
      QCOMPARE(kept[0].of, example("seed-same"));
      QCOMPARE(QString::fromStdString(*kept[0].text()), typed);
      window.close();
    }
    MainWindow window({true, folder.path(), false});
    window.openFirst();
    QCOMPARE(window.workspace().document.path(), example("batch-sampler"));
    QVERIFY(!window.workspace().text.unsound());
  }

  void aBrokenFileThatWasEditedComesBackAndStaysBroken() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("broken.yaml");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("dataset: {size: ");
    file.close();
    const QString typed = "shardlens: 1\ndataset: {sise: 5}\n";
    {
      MainWindow window({true, folder.path(), false});
      QVERIFY(!window.openFile(path));
      QVERIFY(!window.workspace().text.unsound());  // the file itself has it
      window.workspace().text.edit(typed);
      window.close();
    }
    MainWindow window({true, folder.path(), false});
    window.openFirst(path);
    QCOMPARE(window.workspace().text.brokenFile(), path);
    QCOMPARE(window.workspace().text.text(), typed);
    window.workspace().text.edit("shardlens: 1\ndataset: {size: 5}\n");
    window.workspace().text.readNow();
    EVENTUALLY_EQUAL(window.workspace().document.path(), path);
    QCOMPARE(window.workspace().document.spec().dataset.size, 5);
  }

  void workOfACrashComesBackToo() {
    const QTemporaryDir folder;
    const QTemporaryDir after_crash;
    MainWindow window({true, folder.path(), false});
    QVERIFY(window.workspace().document.edit(kEdit, "size"));
    const QString draft = folder.filePath("drafts/current.yaml");
    EVENTUALLY(QFile::exists(draft));  // written by itself, without closing
    QVERIFY(QDir().mkpath(after_crash.filePath("drafts")));
    QVERIFY(QFile::copy(draft, after_crash.filePath("drafts/current.yaml")));
    MainWindow next({true, after_crash.path(), false});
    next.openFirst();
    QCOMPARE(next.workspace().document.spec().dataset.size, 77);
    QVERIFY(next.workspace().document.path().isEmpty());
  }

  void changesThatGoOnAreWrittenMeanwhile() {
    const QTemporaryDir folder;
    MainWindow window({true, folder.path(), false});
    std::int64_t size = 100;
    const auto changes_and_is_kept = [&] {
      const std::vector<Edit> edit = {{"dataset.size", ++size}};
      return window.workspace().document.edit(edit, "size") && QFile::exists(folder.filePath("drafts/current.yaml"));
    };
    EVENTUALLY(changes_and_is_kept());
  }

  void openingAnotherFileKeepsTheUnsavedOne() {
    const QTemporaryDir folder;
    MainWindow window({true, folder.path(), false});
    window.openFile(example("seed-same"));
    QVERIFY(window.workspace().document.edit(kEdit, "size"));
    window.openFile(example("batch-sampler"));
    Session second(folder.path());  // another window sees the draft
    const auto kept = second.drafts().kept();
    QCOMPARE(kept.size(), std::size_t{1});
    QCOMPARE(kept[0].of, example("seed-same"));
    QCOMPARE(kept[0].read()->dataset.size, 77);
  }

  void whatCannotBeKeptIsNotReplaced() {
    const QTemporaryDir folder;
    MainWindow window({true, folder.path(), false});
    window.show();
    Document& document = window.workspace().document;
    QVERIFY(document.edit(kEdit, "size"));
    window.actions().get("file.new")->trigger();
    Toast& toast = Toast::of(window);
    QVERIFY2(toast.text().contains("Kept drafts"), qPrintable(toast.text()));
    QVERIFY(document.edit({{"epochs", std::int64_t{9}}}, "epochs"));
    const PipelineSpec unsaved = document.spec();
    const QString drafts = folder.filePath("drafts");
    EVENTUALLY(LatestJob::allIdle());
    QVERIFY(QDir(drafts).removeRecursively());
    QFile in_the_way(drafts);
    QVERIFY(in_the_way.open(QIODevice::WriteOnly));
    toast.undoButton()->click();
    QCOMPARE(document.spec(), unsaved);
    QVERIFY(window.banner()->isVisible());  // why
  }

  void aNewPipelineGivesATypedTextBack() {
    const QTemporaryDir folder;
    MainWindow window({true, folder.path(), false});
    window.show();
    window.openFile(example("seed-same"));
    window.design()->showText(true);
    const QString typed = "shardlens: 1\ndataset: {size: many}\n";
    window.workspace().text.edit(typed);
    window.actions().get("file.new")->trigger();
    Toast& toast = Toast::of(window);
    QVERIFY2(toast.text().contains("seed-same.yaml were kept: File > Kept drafts"), qPrintable(toast.text()));
    toast.undoButton()->click();
    QCOMPARE(window.workspace().document.path(), example("seed-same"));
    QCOMPARE(window.workspace().text.text(), typed);
    QCOMPARE(window.workspace().text.problems().size(), std::size_t{1});
  }

  void aFileNamedAtTheStartComesWithItsUnsavedChanges() {
    const QTemporaryDir folder;
    const auto leave = [&] {
      MainWindow window({true, folder.path(), false});
      window.openFirst(example("seed-same"));
      QVERIFY(window.workspace().document.edit(kEdit, "size"));
      window.close();
    };
    leave();
    {
      MainWindow window({true, folder.path(), false});
      QVERIFY(window.openFirst(example("seed-same")));
      QCOMPARE(window.workspace().document.spec().dataset.size, 77);
    }
    MainWindow other({true, folder.path(), false});
    QVERIFY(other.openFirst(example("batch-sampler")));
    QCOMPARE(other.workspace().document.path(), example("batch-sampler"));
    QCOMPARE(Drafts(folder.filePath("drafts")).kept().size(), std::size_t{1});
  }

  void twoWindowsKeepTheirDraftsApart() {
    const QTemporaryDir folder;
    Drafts first(folder.path());
    Drafts second(folder.path());
    PipelineSpec spec;
    spec.dataset.size = 1;
    first.own()->put(spec, "");
    spec.dataset.size = 2;
    second.own()->put(spec, "");
    QCOMPARE(first.left()->read()->dataset.size, 1);
    QVERIFY(!second.left());
    first.own()->drop();
    QVERIFY(!first.left());
    QCOMPARE(first.kept().size(), std::size_t{1});
  }

  void savingEndsTheDraft() {
    const QTemporaryDir folder;
    MainWindow window({true, folder.path(), false});
    QVERIFY(window.workspace().document.edit(kEdit, "size"));
    window.files()->keepUnsaved();
    QVERIFY(QFile::exists(folder.filePath("drafts/current.yaml")));
    QVERIFY(window.files()->saveAs(folder.filePath("a.yaml")));
    EVENTUALLY(!QFile::exists(folder.filePath("drafts/current.yaml")));
  }
};

SHARDLENS_WINDOW_TEST(SessionTest)
#include "session_test.moc"
