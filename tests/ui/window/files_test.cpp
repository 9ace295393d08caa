// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/registry.h"
#include "core/yaml/spec_writer.h"
#include "tests/support/fake_run_file.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/common/toast.h"
#include "ui/widgets/design/field_row.h"
#include "ui/widgets/design/findings_panel.h"
#include "ui/widgets/design/form_panel.h"
#include "ui/widgets/design/text_panel.h"
#include "ui/widgets/run/run_page.h"
#include "ui/window/banner.h"
#include "ui/window/design_page.h"
#include "ui/window/file_commands.h"
#include "ui/window/main_window.h"

#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QDropEvent>
#include <QFile>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <functional>
#include <string>

// clang-format off: moc fails at <concepts> unless Qt comes first
#include "core/base/phrase.h"
// clang-format on

using namespace shardlens;
using namespace shardlens::ui;

namespace {

void write(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(bytes);
}

QByteArray read(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// A spec with 300 000 labels, none of which is the one before it plus one.
void writeLarge(const QString& path) {
  QByteArray bytes = "shardlens: 2\ndataset:\n  size: 300000\n  labels: [";
  for (int i = 0; i < 300'000; ++i) bytes += QByteArray::number(3 * i % 1000) + (i % 10 == 9 ? ",\n    " : ", ");
  write(path, bytes + "]\n");
}

/// Acts as a user who does not wait for what the window begins next: its own end can only come after this.
void whileWaiting(QWidget& window, const std::function<void()>& act) {
  QMetaObject::invokeMethod(&window, act, Qt::QueuedConnection);
}

}  // namespace

/// What the window does with files: opening, saving, dropping, and what others change.
class FilesTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    installFonts();
    applyTheme(Theme::light());
  }

  void aBadFileKeepsTheDocumentAndListsEveryProblem() {
    Fixture f;
    const QTemporaryDir folder;
    write(folder.filePath("bad.yaml"), "shardlens: 2\ndataset: {sise: 4}\nloader: {batch_size: 0}\n");
    const PipelineSpec before = f.spec();
    QVERIFY(!f.window.openFile(folder.filePath("bad.yaml")));
    QCOMPARE(f.spec(), before);
    QCOMPARE(f.window.workspace().document.path(), example("distributed-sampler"));
    QVERIFY(f.window.banner()->isVisible());
    QVERIFY(f.window.banner()->problems().size() >= 2);
    QVERIFY(f.window.banner()->problems()[0].startsWith("2:"));
    QVERIFY(f.window.openFile(example("seed-same")));
    QVERIFY(!f.window.banner()->isVisible());
  }

  void aNewPipelineGivesWhatWasOpenBack() {
    Fixture f;
    const PipelineSpec before = f.spec();
    Document& document = f.window.workspace().document;
    const QString path = document.path();
    f.window.actions().get("file.new")->trigger();
    QCOMPARE(f.spec(), PipelineSpec());
    Toast& toast = Toast::of(f.window);
    QVERIFY2(toast.text().contains("new pipeline"), qPrintable(toast.text()));
    toast.undoButton()->click();
    QCOMPARE(document.path(), path);
    QCOMPARE(f.spec(), before);
    QVERIFY(!document.isModified());
    QVERIFY(document.edit({{"epochs", std::int64_t{7}}}, "epochs").has_value());
    const PipelineSpec edited = f.spec();
    f.window.actions().get("file.new")->trigger();
    toast.undoButton()->click();
    QCOMPARE(document.path(), path);
    QCOMPARE(f.spec(), edited);
    QVERIFY(document.isModified());
  }

  /// One that was made of what a recorded job read.
  void aDesignThatIsInNoFileIsOpenedUnsavedWithItsText() {
    Fixture f;
    PipelineSpec found;
    found.name = "found";
    found.dataset.size = 77;
    const std::string text = "# seen in a job\n" + yaml::writeSpec(found, sampling::catalogue());
    f.window.setPerspective("run");
    emit f.workspace().capture.designMade(found, QString::fromStdString(text), {});
    const Document& document = f.window.workspace().document;
    QCOMPARE(f.spec(), found);
    QVERIFY(document.path().isEmpty() && document.isModified());
    QCOMPARE(f.window.perspective(), QString("design"));
    const QTemporaryDir folder;
    QVERIFY(f.window.files()->saveAs(folder.filePath("found.yaml")));
    QVERIFY(read(folder.filePath("found.yaml")).startsWith("# seen in a job\n"));
  }

  void aBadFileIsMendedAsTextBesideTheFindings() {
    Fixture f;
    const QTemporaryDir folder;
    const QString path = folder.filePath("bad.yaml");
    write(path, "# mine\nshardlens: 2\nname: mended\ndataset: {sise: 64}\n");
    f.window.setPerspective("lens");
    QVERIFY(!f.window.openFile(path));
    QCOMPARE(f.window.perspective(), QString("design"));
    TextPanel* panel = f.window.design()->text();
    QVERIFY(panel->isVisible() && f.window.design()->findings()->isVisible());
    QCOMPARE(panel->problems().size(), 1);
    QCOMPARE(panel->editor()->marks(), (std::vector<std::pair<int, int>>{{4, 11}}));
    panel->editor()->moveCursor(QTextCursor::Start);
    QVERIFY(panel->editor()->find("sise"));
    QTest::keyClicks(panel->editor(), "size");
    EVENTUALLY_EQUAL(f.window.workspace().document.path(), path);
    QCOMPARE(f.spec().dataset.size, std::int64_t{64});
    QVERIFY(f.window.workspace().document.isModified());
    QVERIFY(!f.window.banner()->isVisible());
    QVERIFY(f.window.files()->save());
    QVERIFY(!f.window.workspace().document.isModified());
    QCOMPARE(read(path), QByteArray("# mine\nshardlens: 2\nname: mended\ndataset: {size: 64}\n"));
  }

  void theTextIsSwitchedOnAndOff() {
    Fixture f;
    f.window.actions().get("design.text")->trigger();
    TextPanel* panel = f.window.design()->text();
    QVERIFY(panel->isVisible());
    EVENTUALLY(panel->editor()->toPlainText().contains("shardlens"));
    QTest::keyClick(f.line("loader.batch_size"), Qt::Key_Up);
    EVENTUALLY(panel->editor()->toPlainText().contains(QString("batch_size: %1").arg(f.spec().loader.batch_size)));
    f.window.actions().get("design.text")->trigger();
    QVERIFY(!panel->isVisible());
  }

  void saveAsAndReopenKeepsEverything() {
    Fixture f;
    const QTemporaryDir folder;
    const QString path = folder.filePath("mine.yaml");
    QTest::keyClick(f.line("loader.batch_size"), Qt::Key_Up);
    const PipelineSpec saved = f.spec();
    QVERIFY(f.window.files()->saveAs(path));
    QVERIFY(!f.window.workspace().document.isModified());
    QVERIFY(f.window.windowTitle().startsWith("mine.yaml"));
    QVERIFY(f.window.openFile(example("seed-same")));
    QVERIFY(f.window.openFile(path));
    QCOMPARE(f.spec(), saved);
  }

  /// The turns of the event loop between two clicks are what the user sees of a window that answers.
  void theWindowAnswersWhileALargeFileIsOpenedAndSaved() {
    Fixture f;
    const QTemporaryDir folder;
    const QString path = folder.filePath("large.yaml");
    writeLarge(path);
    QTimer turns;
    int count = 0;
    connect(&turns, &QTimer::timeout, this, [&] { ++count; });
    turns.start(0);
    QVERIFY(f.window.openFile(path));
    QVERIFY(count > 0);
    QCOMPARE(f.spec().dataset.labels.size(), std::size_t{300'000});
    QVERIFY(f.window.workspace().document.edit({{"dataset.size", std::int64_t{300'001}}}, "size"));
    count = 0;
    QVERIFY(f.window.files()->save());
    QVERIFY(count > 0);
    QVERIFY(!f.window.workspace().document.isModified());
  }

  void ofTwoFilesThatAreOpenedTheNewerOneWins() {
    Fixture f;
    const QTemporaryDir folder;
    writeLarge(folder.filePath("large.yaml"));
    whileWaiting(f.window, [&] { QVERIFY(f.window.openFile(example("seed-same"))); });
    QVERIFY(!f.window.openFile(folder.filePath("large.yaml")));
    QCOMPARE(f.window.workspace().document.path(), example("seed-same"));
    EVENTUALLY(f.isReady());
    QCOMPARE(f.window.workspace().document.path(), example("seed-same"));
  }

  void whatIsBeingSavedIsNotOvertaken() {
    Fixture f;
    const QTemporaryDir folder;
    const QString path = folder.filePath("large.yaml");
    writeLarge(path);
    QVERIFY(f.window.openFile(path));
    QVERIFY(f.window.workspace().document.edit({{"dataset.size", std::int64_t{300'001}}}, "size"));
    bool refused = false;
    whileWaiting(f.window, [&] {
      refused = !f.window.openFile(example("seed-same")) && !f.window.files()->save();
      QVERIFY(f.window.workspace().document.edit({{"dataset.size", std::int64_t{300'002}}}, "size"));
    });
    QVERIFY(f.window.files()->save());
    QVERIFY(refused);
    QCOMPARE(f.window.workspace().document.path(), path);
    QVERIFY(f.window.workspace().document.isModified());
  }

  void aFileOfAJobIsImportedIntoADesignOfItsOwn() {
    const QTemporaryDir folder;
    const QString job = folder.filePath("job.sbatch");
    write(job, "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=4\nsrun python train.py --batch-size 8\n");
    Fixture f;
    QVERIFY(f.window.openFile(job));
    const Document& document = f.window.workspace().document;
    QCOMPARE(document.spec().world, (PipelineSpec::World{2, 4}));
    QCOMPARE(document.spec().loader.batch_size, std::int64_t{8});
    QVERIFY(document.path().isEmpty() && document.isModified());
    const auto* banner = f.window.findChild<Banner*>();
    QVERIFY2(banner->text().contains("was imported (read: 2, assumed: "), qPrintable(banner->text()));
    QVERIFY(document.text() != nullptr && document.text()->find("#SBATCH --nodes") != std::string::npos);
    QCOMPARE(read(job).left(11), QByteArray("#!/bin/bash"));
  }

  void aScriptWithoutALoaderIsNoDesign() {
    const QTemporaryDir folder;
    const QString script = folder.filePath("empty.py");
    Fixture f;
    const Document& document = f.window.workspace().document;
    const QString before = document.path();
    write(script, "shardlens: 2\ndataset: {size: 3}\n");  // annotations of names
    QVERIFY(!f.window.openFile(script));
    QCOMPARE(document.path(), before);
    write(script, "");
    QVERIFY(!f.window.openFile(script));
    QCOMPARE(document.path(), before);
    QVERIFY(!document.isModified());
    const auto* banner = f.window.findChild<Banner*>();
    QVERIFY2(banner->text().contains("empty.py was not imported."), qPrintable(banner->text()));
    QVERIFY2(banner->problems().join('\n').contains("no loader and no number of ranks in empty.py"),
             qPrintable(banner->problems().join('\n')));
  }

  void whatWasCopiedBecomesADesign_data() {
    QTest::addColumn<QString>("copied");
    QTest::addColumn<qint64>("ranks");
    QTest::addColumn<qint64>("batch_size");
    QTest::addColumn<QString>("note");
    QTest::newRow("script")
        << "import torch\n\nloader = torch.utils.data.DataLoader(data, batch_size=16)\n# torchrun a.py\n"
        << qint64{1} << qint64{16} << "clipboard:3: ";
    QTest::newRow("batch script")
        << "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=4\nsrun python train.py "
           "--batch-size 8\n"
        << qint64{8} << qint64{8} << "clipboard: #SBATCH --nodes";
    QTest::newRow("sbatch") << "sbatch -N 2 --ntasks-per-node=4 --wrap=\"srun python train.py --batch-size 8\""
                            << qint64{8} << qint64{8} << "clipboard: sbatch --nodes";
    QTest::newRow("torchrun") << "torchrun --nproc_per_node=2 train.py --batch-size 4" << qint64{2} << qint64{4}
                              << "(clipboard: torchrun --nproc_per_node";
    QTest::newRow("accelerate") << "accelerate launch --num_processes 8 --num_machines=2 train.py --batch-size 4\n"
                                << qint64{8} << qint64{4} << "clipboard";
    QTest::newRow("config") << "model_name_or_path: m\nper_device_train_batch_size: 3\nseed: 5\n"
                            << qint64{1} << qint64{3} << "clipboard: per_device_train_batch_size";
    QTest::newRow("spec") << "# mine\nshardlens: 2\ndataset: {size: 12}\nworld: {nodes: 1, ranks_per_node: 3}\n"
                             "loader: {batch_size: 2}\n"
                          << qint64{3} << qint64{2} << "# mine\nshardlens: 2";
  }
  void whatWasCopiedBecomesADesign() {
    QFETCH(QString, copied);
    QFETCH(qint64, ranks);
    QFETCH(qint64, batch_size);
    QFETCH(QString, note);
    Fixture f;
    f.window.setPerspective("run");
    QApplication::clipboard()->setText(copied);
    QTest::keyClick(&f.window, Qt::Key_V, Qt::ControlModifier);
    const Document& document = f.window.workspace().document;
    QVERIFY2(document.path().isEmpty() && document.isModified(), qPrintable(f.window.banner()->text()));
    if (ranks > 1) QCOMPARE(document.spec().worldSize(), ranks);
    QCOMPARE(document.spec().loader.batch_size, batch_size);
    QVERIFY(document.text() != nullptr);
    QVERIFY2(document.text()->find(note.toStdString()) != std::string::npos, document.text()->c_str());
    QCOMPARE(f.window.perspective(), QString("design"));
    if (copied.contains("shardlens:")) {
      QVERIFY(!f.window.banner()->isVisible());
      return;
    }
    QVERIFY2(f.window.banner()->text().startsWith("The text in the clipboard is no spec; what it says of the data "
                                                  "pipeline was imported (read: "),
             qPrintable(f.window.banner()->text()));
  }

  void whatIsNoDesignIsSaidAndChangesNothing_data() {
    QTest::addColumn<QString>("copied");
    QTest::addColumn<QString>("said");
    QTest::addColumn<QString>("problem");
    QTest::newRow("words") << "hello"
                           << "The text in the clipboard was not imported."
                           << "clipboard has nothing that can be imported.";
    QTest::newRow("nothing") << " \n"
                             << "There is no text in the clipboard."
                             << "";
    QTest::newRow("wrong spec") << "shardlens: 2\ndataset: {size: many}\n"
                                << "The spec in the clipboard was not opened."
                                << "2:17";
    QTest::newRow("cut spec") << "shardlens: 2\ndataset: {size: 3\n"
                              << "The spec in the clipboard was not opened."
                              << "a { is never closed";
    QTest::newRow("cut script") << "import torch\nloader = DataLoader(data,\n"
                                << "The text in the clipboard was not imported."
                                << "Python cannot read this script";
  }
  void whatIsNoDesignIsSaidAndChangesNothing() {
    QFETCH(QString, copied);
    QFETCH(QString, said);
    QFETCH(QString, problem);
    Fixture f;
    f.window.setPerspective("run");
    QApplication::clipboard()->setText(copied);
    f.window.actions().get("file.paste")->trigger();
    QVERIFY(f.window.banner()->isVisible());
    QVERIFY2(f.window.banner()->text().startsWith(said), qPrintable(f.window.banner()->text()));
    const QString problems = f.window.banner()->problems().join("\n");
    QVERIFY2(problems.contains(problem), qPrintable(problems));
    QCOMPARE(f.window.workspace().document.path(), example("distributed-sampler"));
    QVERIFY(!f.window.workspace().document.isModified());
    QCOMPARE(f.window.perspective(), QString("run"));
  }

  void inATextFieldPastingIsTheFields() {
    Fixture f;
    QApplication::clipboard()->setText("torchrun --nproc_per_node=2 train.py");
    f.window.actions().get("run.watch")->trigger();
    auto* typed = f.window.findChild<QLineEdit*>("watchCommand");
    QTest::keyClick(typed, Qt::Key_V, Qt::ControlModifier);
    QCOMPARE(typed->text(), QString("torchrun --nproc_per_node=2 train.py"));
    auto* environment = f.window.findChild<QPlainTextEdit*>("watchEnvironment");
    QTest::mouseClick(f.window.findChild<QWidget*>("watchVariables"), Qt::LeftButton);
    QTest::keyClick(environment, Qt::Key_V, Qt::ControlModifier);
    QCOMPARE(environment->toPlainText(), typed->text());
    QCOMPARE(f.window.workspace().document.path(), example("distributed-sampler"));
    QVERIFY(!f.window.workspace().document.isModified());
  }

  void aCopiedFileIsOpened() {
    Fixture f;
    auto* copied = new QMimeData;
    copied->setUrls({QUrl::fromLocalFile(example("seed-same"))});
    QApplication::clipboard()->setMimeData(copied);
    f.window.actions().get("file.paste")->trigger();
    QCOMPARE(f.window.workspace().document.path(), example("seed-same"));
  }

  void aFileCanBeDropped() {
    Fixture f;
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(example("seed-same"))});
    QDragEnterEvent enter({5, 5}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&f.window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop({5, 5}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&f.window, &drop);
    QCOMPARE(f.window.workspace().document.path(), example("seed-same"));
    QMimeData other;
    other.setUrls({QUrl::fromLocalFile("/tmp/picture.png")});
    QDragEnterEvent refused({5, 5}, Qt::CopyAction, &other, Qt::LeftButton, Qt::NoModifier);
    refused.ignore();
    QApplication::sendEvent(&f.window, &refused);
    QVERIFY(!refused.isAccepted());
  }

  void aChangeOnDiskIsOfferedAndReloadTakesIt() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("a.yaml");
    Fixture f;
    QVERIFY(f.window.files()->saveAs(path));
    write(path, "shardlens: 2\ndataset: {size: 4}\n");
    EVENTUALLY(f.window.banner()->isVisible());
    const auto buttons = f.window.banner()->findChildren<QAbstractButton*>();
    const auto reload = std::find_if(buttons.begin(), buttons.end(), [](auto* one) { return one->text() == "Reload"; });
    QVERIFY(reload != buttons.end());
    QTest::mouseClick(*reload, Qt::LeftButton);  // which makes another banner, without these buttons
    EVENTUALLY(f.spec().dataset.size == 4);
  }

  void theDealIsSavedAsAPage() {
    const QTemporaryDir folder;
    Fixture f;
    f.window.workspace().playback.seek(1, 0);
    const QString path = folder.filePath("film.html");
    QVERIFY(f.window.pages()->saveFilm(path));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray page = file.readAll();
    QVERIFY(page.startsWith("<!DOCTYPE html>") && page.contains("distributed-sampler"));
    QVERIFY(!f.window.pages()->saveFilm(folder.filePath("no/such/folder/film.html")));
    QVERIFY(f.window.banner()->text().contains("no/such/folder"));
  }

  void theRunInViewIsSavedAsAPageAndTheWindowAsAPicture() {
    const test::TempFolder folder;
    const auto in = [&folder](const char* name) { return QString::fromStdString((folder / name).string()); };
    Fixture f;
    QVERIFY(!f.window.pages()->saveReport(in("report.html")));
    QVERIFY(f.window.banner()->text().contains("no run"));
    const auto plan = Plan::make(f.spec());
    test::FakeRunFile run(folder / "run.slrun", *plan, yaml::writeSpec(f.spec(), sampling::catalogue()));
    for (std::int64_t step = 0; step < *plan->steps(Epoch{0}); ++step) run.step(0, step);
    run.bye();
    run.end();
    QVERIFY(f.window.workspace().runs.open(in("run.slrun")));
    f.window.setPerspective("autopsy");
    EVENTUALLY(f.window.windowTitle().contains(", recorded"));  // not the design that stands beside it
    f.window.setPerspective("design");
    EVENTUALLY(f.window.windowTitle().startsWith("distributed-sampler"));
    QVERIFY(f.window.pages()->saveReport(in("report.html")));
    QVERIFY(test::slurp(folder / "report.html").find("What each rank did") != std::string::npos);
    QVERIFY(f.window.pages()->savePicture(in("window.svg")));
    QVERIFY(test::slurp(folder / "window.svg").find("<svg") != std::string::npos);
    setTranslation([](const char*, const char* text) { return "\u2603" + std::string(text); });
    QVERIFY(f.window.pages()->saveReport(in("english.html")));
    QVERIFY(test::slurp(folder / "english.html").find("\u2603") == std::string::npos);
    QVERIFY(QDir(in("run.slrun")).removeRecursively());
    QVERIFY(!f.window.pages()->saveReport(in("none.html")));
    setTranslation(nullptr);
    QVERIFY2(f.window.banner()->text().contains(QChar(0x2603)),
             qPrintable(f.window.banner()->text()));  // for the window
    QVERIFY(!f.window.pages()->savePicture(in("window.txt")));
    QVERIFY(f.window.banner()->text().contains("window.txt"));
  }
};

SHARDLENS_WINDOW_TEST(FilesTest)
#include "files_test.moc"
