// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tabs/export_view.h"

#include "core/sampling/registry.h"
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "ui/scene/tabs/export_text.h"
#include "ui/widgets/common/toast.h"

#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

PipelineSpec eightRanks() {
  PipelineSpec spec;
  spec.name = "eight";
  spec.world = {2, 4};
  return spec;
}

std::string exported(const std::string& target, const PipelineSpec& spec) {
  return yaml::exportSpec(*yaml::findTarget(target), spec, sampling::catalogue()).files.front().text;
}

QByteArray contentOf(const QString& path) {
  QFile file(path);
  return file.open(QFile::ReadOnly) ? file.readAll() : QByteArray("(no file)");
}

void put(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  QVERIFY(file.open(QFile::WriteOnly));
  file.write(bytes);
}

void click(const QWidget& view, const QString& text) {
  for (auto* button : view.findChildren<QPushButton*>()) {
    if (button->text() == text && button->isVisible()) return QTest::mouseClick(button, Qt::LeftButton);
  }
  QFAIL(qPrintable("no visible button " + text));
}

}  // namespace

class ExportViewTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

  /// In the smallest window the tab is 470 pixels wide.
  void everythingFitsIntoTheSmallestWindow() {
    ExportView view;
    view.setSpec(eightRanks(), {});
    view.resize(470, 300);
    view.show();
    QVERIFY(view.minimumSizeHint().width() <= 470);
    for (const QPushButton* button : view.findChildren<QPushButton*>()) {
      if (!button->isVisible()) continue;
      const QRect place(button->mapTo(&view, QPoint()), button->size());
      QVERIFY2(view.rect().contains(place) && button->width() >= button->minimumSizeHint().width(),
               qPrintable(button->text()));
    }
  }

  /// The Stage says so too: a spec of valid fields may still have no plan.
  void aSpecWithoutAPlanIsNotCalledValid() {
    ExportView view;
    view.setSpec(eightRanks(), {});
    QVERIFY(view.status().startsWith("The spec is valid"));
    view.setNoPlan("the list is empty");
    QVERIFY2(view.status().startsWith("This spec cannot be planned: the list is empty"), qPrintable(view.status()));
    view.setNoPlan({});
    QVERIFY(view.status().startsWith("The spec is valid"));
  }

  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    view_ = std::make_unique<ExportView>();
    view_->resize(740, 300);
    view_->show();
    view_->setSpec(eightRanks(), folder_->filePath("eight.yaml"));
    view_->setTarget("torchrun");
  }
  void cleanup() { view_.reset(); }

  void nothingIsSavedBeforeTheErrorsAreKnown() {
    const QString path = folder_->filePath("eight.sh");
    view_->setPath(path);
    view_->waitForAuditErrors();
    view_->save();
    QVERIFY(!QFile::exists(path));
    view_->setAuditErrors({"Ranks share samples. Ranks 0 and 4 read the same."});
    view_->save();
    QVERIFY(contentOf(path).contains("Ranks share samples"));
    view_->waitForAuditErrors();
    view_->setAuditErrors({});  // none, and it is known now
    view_->setPath(folder_->filePath("other.sh"));
    view_->save();
    QVERIFY(QFile::exists(folder_->filePath("other.sh")));
  }

  void thePreviewIsWhatTheExporterWrites() {
    for (const yaml::ExportTarget& target : yaml::exportTargets()) {
      view_->setTarget(target.id);
      QCOMPARE(view_->text().toStdString(), exported(target.id, eightRanks()));
    }
    PipelineSpec other = eightRanks();
    other.world.nodes = 1;
    view_->setSpec(other, {});
    view_->setTarget("torchrun");
    QCOMPARE(view_->text().toStdString(), exported("torchrun", other));
  }

  void whatIsNotCarriedIsListed() {
    QVERIFY(!view_->notCarried().isEmpty());
    view_->setTarget("shardlens");
    QVERIFY(view_->notCarried().isEmpty());
  }

  void aSpecWithErrorsSaysSoAndCannotBeSaved() {
    PipelineSpec wrong = eightRanks();
    wrong.loader.batch_size = 0;
    view_->setSpec(wrong, folder_->filePath("eight.yaml"));
    QVERIFY(view_->status().contains("error"));
    QVERIFY(view_->text().contains("batch_size"));
    view_->save();
    QVERIFY(!QFile::exists(folder_->filePath("torchrun.sh")));
  }

  void saveWritesTheFilesBesideTheSpec() {
    QSignalSpy saved(view_.get(), &ExportView::saved);
    click(*view_, "Save");
    QCOMPARE(saved.count(), 1);
    const QString path = folder_->filePath("torchrun.sh");
    QCOMPARE(saved.first().first().toString(), path);
    QCOMPARE(contentOf(path).toStdString(), exported("torchrun", eightRanks()));
    QVERIFY(QFileInfo(path).isExecutable());
    QCOMPARE(QDir(folder_->path()).entryList(QDir::Files), QStringList{"torchrun.sh"});  // no temporary file is left
  }

  void aDifferentFileIsShownBeforeItIsOverwritten() {
    const QString path = folder_->filePath("torchrun.sh");
    put(path, "#!/usr/bin/env bash\necho mine\n");
    click(*view_, "Save");
    QVERIFY(view_->asksToOverwrite());
    QCOMPARE(view_->mode(), ExportView::Diff);
    QVERIFY(view_->text().contains("\n- echo mine\n"));
    QVERIFY(view_->text().contains("\n+ exec torchrun"));
    QCOMPARE(contentOf(path), QByteArray("#!/usr/bin/env bash\necho mine\n"));
    click(*view_, "Keep the file");
    QVERIFY(!view_->asksToOverwrite());
    QCOMPARE(contentOf(path), QByteArray("#!/usr/bin/env bash\necho mine\n"));
    click(*view_, "Save");
    click(*view_, "Overwrite");
    QCOMPARE(contentOf(path).toStdString(), exported("torchrun", eightRanks()));
  }

  void aYamlFileIsMergedAndKeepsWhatElseItSays() {
    view_->setTarget("lightning");
    const QString path = folder_->filePath("lightning.yaml");
    put(path, "# mine\ntrainer:\n  devices: 1  # one\n  precision: 16\nmodel: {width: 3}\n");
    click(*view_, "Save");
    QVERIFY(view_->asksToOverwrite());
    click(*view_, "Merge");
    const QByteArray merged = contentOf(path);
    for (const char* line :
         {"# mine\n", "  devices: 4  # one\n", "  precision: 16\n", "model: {width: 3}\n", "\ndata:"})
      QVERIFY2(merged.contains(line), merged.constData());
    view_->refresh();
    QVERIFY2(view_->status().contains("has all of it"), qPrintable(view_->status()));
    click(*view_, "Save");
    QVERIFY(!view_->asksToOverwrite());
    QCOMPARE(contentOf(path), merged);
  }

  void anEditTakesTheQuestionBack() {
    put(folder_->filePath("torchrun.sh"), "mine\n");
    view_->save();
    QVERIFY(view_->asksToOverwrite());
    view_->setSpec(eightRanks(), folder_->filePath("eight.yaml"));
    QVERIFY(!view_->asksToOverwrite());
    view_->overwrite();  // a late answer
    QCOMPARE(contentOf(folder_->filePath("torchrun.sh")), QByteArray("mine\n"));
  }

  void whatTheAuditCallsErrorsStandsInTheFile() {
    Workspace workspace;
    PipelineSpec frozen;
    frozen.epochs = 3;
    frozen.sampler.parameters["set_epoch"] = false;
    ExportTab tab(workspace);
    tab.show();
    tab.view().setTarget("pytorch");
    workspace.document.reset(frozen);
    workspace.plan();
    EVENTUALLY(tab.view().text().contains("# The audit of this spec found errors"));
    QVERIFY2(tab.view().status().startsWith("The audit finds 1 error · "), qPrintable(tab.view().status()));
    frozen.sampler.parameters["set_epoch"] = true;
    workspace.document.replace(frozen, "mend");
    workspace.plan();
    EVENTUALLY(!tab.view().text().contains("# The audit"));
  }

  void aFolderThatCannotBeWrittenIsSaidAndAskedForAgain() {
    view_->setPath(folder_->filePath("no/such/folder/run.sh"));
    view_->save();
    QVERIFY2(view_->status().contains("no/such/folder"), qPrintable(view_->status()));
    const QString said = Toast::of(*view_).text();
    QVERIFY2(said.startsWith("Not saved: ") && said.contains("no/such/folder"), qPrintable(said));
    bool asked = false;
    QTimer::singleShot(0, view_.get(), [&] {
      auto* dialog = view_->findChild<QFileDialog*>();
      QVERIFY(dialog != nullptr);
      asked = true;
      dialog->reject();
    });
    view_->save();
    QVERIFY(asked);
    const QString path = folder_->filePath("run.sh");
    view_->setPath(path);
    view_->save();
    QVERIFY(QFile::exists(path));
    QCOMPARE(Toast::of(*view_).text(), "Saved " + path);
  }

  void theCommandTwinIsQuotedAndCopied() {
    view_->setPath("/tmp/my jobs/run.sh");
    click(*view_, "Copy command");
    QCOMPARE(
        QApplication::clipboard()->text(),
        QString("shardlens export %1 --to torchrun -o '/tmp/my jobs/run.sh'").arg(folder_->filePath("eight.yaml")));
    QCOMPARE(shellWord("it's"), QString("'it'\\''s'"));
  }

  QLineEdit* field(const QString& name) {
    for (auto* line : view_->findChildren<QLineEdit*>()) {
      if (line->accessibleName() == name && line->isVisible()) return line;
    }
    return nullptr;
  }

  void aTargetShowsTheOptionsThatItHas() {
    view_->setTarget("slurm");
    for (const char* name : {"script", "interpreter", "partition", "account", "time limit", "GPUs per node"})
      QVERIFY2(field(name) != nullptr, name);
    QVERIFY(field("image") == nullptr);
    view_->setTarget("shardlens");
    QVERIFY(field("script") == nullptr);
  }

  void whatAnOptionSaysIsInTheFileAndInTheCommand() {
    view_->setTarget("slurm");
    QSignalSpy changed(view_.get(), &ExportView::optionChanged);
    QTest::keyClicks(field("partition"), "gpu");
    QVERIFY(view_->text().contains("#SBATCH --partition=gpu\n"));
    QVERIFY2(view_->command().contains(" --partition gpu -o "), qPrintable(view_->command()));
    QCOMPARE(changed.last().at(1).toString(), QString("gpu"));
    QTest::keyClicks(field("partition"), " two");  // no part of a name
    QCOMPARE(field("partition")->text(), QString("gpu two"));
    QVERIFY2(view_->status().contains("gpu two"), qPrintable(view_->status()));
    QVERIFY(view_->text().contains("#SBATCH --partition=gpu\n"));
    view_->setTarget("slurm-torchrun");
    QCOMPARE(field("partition")->text(), QString("gpu"));
    QVERIFY(view_->text().contains("#SBATCH --partition=gpu\n"));
    QVERIFY(view_->status().startsWith("The spec is valid"));
  }

  void optionsAreRememberedForTheNextWindow() {
    Workspace workspace;
    {
      ExportTab tab(workspace);
      tab.view().setTarget("slurm");
      emit tab.view().optionChanged("account", "lab");
    }
    const ExportTab tab(workspace);
    QCOMPARE(tab.view().options().account, std::string("lab"));
    emit tab.view().optionChanged("account", {});
  }

  void diffLinesAreMarked() {
    const DiffText diff = diffText("a\nb\nc\n", "a\nB\nc\n");
    QCOMPARE(diff.text, QString("  a\n- b\n+ B\n  c"));
    QCOMPARE(diff.added, 1);
    QCOMPARE(diff.removed, 1);
    QCOMPARE(diff.marks[1], DiffMark::Removed);
    QCOMPARE(diff.marks[2], DiffMark::Added);
  }

 private:
  std::unique_ptr<QTemporaryDir> folder_;
  std::unique_ptr<ExportView> view_;
};

SHARDLENS_WINDOW_TEST(ExportViewTest)
#include "export_view_test.moc"
