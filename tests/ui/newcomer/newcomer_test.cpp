// SPDX-License-Identifier: GPL-3.0-or-later
// The tasks of a newcomer in the real window, done with mouse and keyboard alone, on a virtual display where there is
// one (on_a_display); what the window then says is held against the engine.
#include "core/plan/find_sample.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/language/speaking.h"
#include "tests/ui/newcomer/person.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/plot/matrix_plot.h"
#include "ui/scene/design/inspection.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/design/findings_panel.h"
#include "ui/widgets/design/inspector_panel.h"
#include "ui/widgets/design/text_panel.h"
#include "ui/widgets/lens/lens_column_view.h"
#include "ui/widgets/run/job_bar.h"
#include "ui/widgets/run/verdict_banner.h"
#include "ui/widgets/tabs/all_reduce_view.h"
#include "ui/widgets/tabs/export_view.h"
#include "ui/widgets/tabs/overlap_view.h"
#include "ui/window/banner.h"
#include "ui/window/bottom_tabs.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QFontDatabase>
#include <QMessageBox>
#include <QPushButton>
#include <QTabBar>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <vector>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

constexpr int kPatienceMs = 240'000;  ///< a sanitizer on a busy host

std::unique_ptr<test::Person> person;

/// As a person does: click into the field, replace what is there, Enter.
void fillIn(QLineEdit* field, const char* text) {
  person->click(field);
  person->press(*field, Qt::Key_A, Qt::ControlModifier);
  person->type(*field, text);
  person->press(*field, Qt::Key_Return);
}

/// Says yes to a question that this dialog asks before it closes.
void agree(QFileDialog* dialog) {
  constexpr int kLookAgainMs = 20;
  QTimer::singleShot(kLookAgainMs, dialog, [dialog] {
    auto* question = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    question == nullptr ? agree(dialog) : person->click(question->button(QMessageBox::Yes));
  });
}

/// Answers the file dialog that comes with this path, and a question whether to overwrite with yes.
void answerFileDialog(const QString& path) {
  QTimer::singleShot(0, qApp, [path] {
    auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    if (dialog == nullptr) return answerFileDialog(path);
    auto* name = dialog->findChild<QLineEdit*>("fileNameEdit");
    dialog->activateWindow();
    name->setFocus();
    (void)QTest::qWaitFor([dialog] { return dialog->isActiveWindow(); }, kPatienceMs);
    name->setText(path);
    agree(dialog);
    person->press(*name, Qt::Key_Return);
  });
}

/// Presses Tab until the focus is where it is meant to be, or was nowhere near.
void tabTo(QWidget& window, const std::function<bool(const QWidget*)>& is_there) {
  for (int i = 0; i < 20 && !is_there(QApplication::focusWidget()); ++i) person->press(window, Qt::Key_Tab);
}

QAbstractButton* buttonThatSays(const QWidget& window, const char* words) {
  const auto buttons = window.findChildren<QAbstractButton*>();
  const auto found = std::ranges::find_if(
      buttons, [words](const QAbstractButton* one) { return one->isVisible() && one->text() == words; });
  return found == buttons.end() ? nullptr : *found;
}

std::set<SampleIndex> samplesOf(const EpochPlan& epoch, std::size_t rank) {
  std::set<SampleIndex> samples;
  const RankEpoch& of_rank = epoch.ranks[rank];
  for (std::int64_t step = 0; step < of_rank.batches(); ++step) {
    for (const SampleIndex sample : of_rank.batchSamples(Step{step})) samples.insert(sample);
  }
  return samples;
}

}  // namespace

class NewcomerTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    installFonts();
    applyTheme(Theme::light());
    person = std::make_unique<test::Person>();
    QVERIFY2(person->isReal() || QGuiApplication::platformName() != QLatin1String("xcb"), "Debian: libxtst6");
  }
  void cleanupTestCase() { person.reset(); }

  void changesTheWorldSize() {
    Fixture f("distributed-sampler", kPatienceMs);
    fillIn(f.line("world.ranks_per_node"), "4");
    fillIn(f.line("world.nodes"), "2");
    EVENTUALLY(f.isReady());
    QCOMPARE(f.spec().worldSize(), 8);
    QCOMPARE(f.workspace().plans.snapshot()->epoch->ranks.size(), std::size_t{8});
  }

  void findsTheLocalRankBugAndMendsItAndTakesItBack() {
    Fixture f("shard-local-rank", kPatienceMs);
    const PipelineSpec buggy = f.spec();
    FindingsPanel* findings = f.window.design()->findings();
    EVENTUALLY(!findings->cards().empty());
    FindingCard* worst = findings->cards().front();
    QCOMPARE(worst->finding().severity, Severity::Error);
    QVERIFY(worst->fixButton() != nullptr && worst->fixButton()->isVisible());
    person->click(worst->fixButton());
    EVENTUALLY(f.isReady());
    QVERIFY2(!findings->countsText().contains("error"), qPrintable(findings->countsText()));
    const EpochPlan& mended = *f.workspace().plans.snapshot()->epoch;
    QVERIFY(samplesOf(mended, 0) != samplesOf(mended, 4));
    person->press(f.window, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(f.spec(), buggy);
    EVENTUALLY(f.isReady() && findings->countsText().contains("1 error"));
  }

  void asksWhereASampleGoes() {
    Fixture f("distributed-sampler-no-set-epoch", kPatienceMs);
    const SampleIndex sample = f.spec().dataset.size - 3;
    person->press(f.window, Qt::Key_K, Qt::ControlModifier);
    auto* locator = qobject_cast<QLineEdit*>(QApplication::focusWidget());
    QVERIFY(locator != nullptr);
    person->type(*locator, QString("sample %1").arg(sample));
    person->press(*locator, Qt::Key_Return);
    auto* life = f.window.findChild<LifeView*>();
    EVENTUALLY(life->isVisible() && !life->isSearching() && life->model().sample() == sample);
    const auto plan = Plan::make(f.spec());
    for (const LifeRow& row : life->model().lines()) {
      const auto found = findSample(*plan, Epoch{row.epoch}, sample);
      QVERIFY(found);
      QCOMPARE(row.at.has_value(), !found->empty());
      if (row.at) QCOMPARE(row.at->rank, found->front().rank);
      if (row.at) QCOMPARE(row.at->step, found->front().step);
    }
    QVERIFY(life->model().lines().size() >= static_cast<std::size_t>(f.spec().epochs));
  }

  void asksWhichSamplesTwoRanksShare() {
    Fixture f("shard-local-rank", kPatienceMs);
    fillIn(f.line("dataset.size"), "4000");
    EVENTUALLY(f.isReady());
    auto* view = f.window.findChild<OverlapView*>();
    QVERIFY(view != nullptr && view->isVisible());
    MatrixPlot& matrix = view->matrix();
    const QPoint at = matrix.pixelOf({3, 7});
    QWidget* target = matrix.childAt(at);
    person->click(target, target->mapFrom(&matrix, at));
    const EpochPlan& epoch = *f.workspace().plans.snapshot()->epoch;
    const auto of_3 = samplesOf(epoch, 3);
    const auto of_7 = samplesOf(epoch, 7);
    QVERIFY(of_3 == of_7);
    QVERIFY2(view->title().contains("Ranks 3 and 7 share all"), qPrintable(view->title()));
  }

  void asksWhichFrameworkLosesData() {
    Fixture f("distributed-sampler", kPatienceMs);
    person->press(f.window, Qt::Key_2, Qt::ControlModifier);
    EVENTUALLY(f.window.perspective() == "lens");
    const auto columns = [&f] { return f.window.findChildren<LensColumnView*>(); };
    EVENTUALLY(columns().size() >= 3 && std::ranges::none_of(columns(), &LensColumnView::isWaiting));
    QStringList losing;
    for (const LensColumnView* column : columns()) {
      if (column->headline().contains("lost")) losing += column->title() + ": " + column->headline();
    }
    QVERIFY2(losing.size() == 1 && losing[0].contains("Accelerate") && losing[0].contains("8 of 16"),
             qPrintable(losing.join("; ")));
  }

  void savesTheDesignAndSavesItOver() {
    const test::TempFolder folder;
    Fixture f("distributed-sampler", kPatienceMs);
    const QString path = QString::fromStdString((folder / "mine.yaml").string());
    test::spill(folder / "mine.yaml", "of somebody else\n");
    answerFileDialog(path);
    person->press(f.window, Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
    EVENTUALLY(test::slurp(folder / "mine.yaml").find("shardlens: ") != std::string::npos);
    QCOMPARE(f.workspace().document.path(), path);
    f.window.activateWindow();  // the dialog had taken that from it
    EVENTUALLY(QApplication::activeModalWidget() == nullptr && f.window.isActiveWindow());
    fillIn(f.line("loader.batch_size"), "8");
    QCOMPARE(f.spec().loader.batch_size, 8);
    person->press(f.window, Qt::Key_S, Qt::ControlModifier);
    EVENTUALLY(test::slurp(folder / "mine.yaml").find("batch_size: 8") != std::string::npos);
  }

  void exportsAndOverwritesWhatIsThere() {
    const test::TempFolder folder;
    const auto spec = folder / "mine.yaml";
    std::filesystem::copy_file(example("distributed-sampler").toStdString(), spec);
    Fixture f("distributed-sampler", kPatienceMs);
    answerFileDialog(QString::fromStdString(spec.string()));
    person->press(f.window, Qt::Key_O, Qt::ControlModifier);
    EVENTUALLY(f.workspace().document.path() == QString::fromStdString(spec.string()) && f.isReady());
    auto* bar = f.window.design()->tabs()->findChild<QTabBar*>();
    int tab = 0;
    while (tab < bar->count() && bar->tabText(tab) != "Export") ++tab;
    person->click(bar, bar->tabRect(tab).center());
    auto* view = f.window.findChild<ExportView*>();
    EVENTUALLY(view != nullptr && view->isVisible());
    QComboBox* targets = nullptr;
    for (auto* choice : view->findChildren<QComboBox*>()) {
      if (choice->accessibleName() == "Target") targets = choice;
    }
    QVERIFY(targets != nullptr);
    const auto is_script = [&] { return view->text().contains("exec torchrun"); };
    person->click(targets);
    EVENTUALLY(targets->view()->isVisible());
    const QModelIndex torchrun = targets->model()->index(targets->findText("torchrun script"), 0);
    person->click(targets->view()->viewport(), targets->view()->visualRect(torchrun).center());
    EVENTUALLY(is_script());
    const auto scripts = [&folder] {
      std::vector<std::filesystem::path> found;
      for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        if (entry.path().extension() == ".sh") found.push_back(entry.path());
      }
      return found;
    };
    EVENTUALLY(f.isReady() && buttonThatSays(*view, "Save") != nullptr);
    person->click(buttonThatSays(*view, "Save"));
    EVENTUALLY_EQUAL(scripts().size(), std::size_t{1});
    const std::filesystem::path script = scripts().front();
    const std::string written = test::slurp(script);
    QCOMPARE(written, view->text().toStdString());
    test::spill(script, "of somebody else\n");
    person->click(buttonThatSays(*view, "Save"));
    EVENTUALLY(buttonThatSays(*view, "Overwrite") != nullptr);
    QCOMPARE(test::slurp(script), std::string("of somebody else\n"));  // it asks first
    person->click(buttonThatSays(*view, "Overwrite"));
    EVENTUALLY(test::slurp(script) == written);
  }

  void launchesAJobWatchesItAndStopsIt() {
    const test::TempFolder folder;
    qputenv("SHARDLENS_RUNS", (folder / "runs").c_str());
    Fixture f("slow-rank", kPatienceMs);
    RunService& runs = f.workspace().runs;
    f.useBuiltRanks();
    if (!runs.readiness(f.spec())) QSKIP("no mpirun on this machine");
    fillIn(f.line("dataset.size"), "640000");  // it goes on until it is stopped
    EVENTUALLY(f.isReady());
    QAbstractButton* launch = buttonThatSays(f.window, "Launch a stand-in");
    QVERIFY(launch != nullptr);
    person->click(launch);
    if (!runs.isActive()) person->click(f.window.findChild<QPushButton*>("launch"));
    EVENTUALLY(runs.isActive() && f.window.perspective() == "run");
    auto* banner = f.window.findChild<VerdictBanner*>();
    const auto takesSteps = [&runs] {
      const RunStatePtr state = runs.state();
      return state != nullptr && state->ranks.size() == 4 && state->ranks[2].steps_done > 0;
    };
    EVENTUALLY(banner->isVisible() && takesSteps());
    f.window.close();
    QVERIFY(f.window.isVisible() && f.window.banner()->text().contains("still running"));
    auto* bar = f.window.findChild<JobBar*>();
    person->click(bar->findChild<QPushButton*>("stopJob"));
    person->click(bar->findChild<QPushButton*>("stopYes"));
    EVENTUALLY(!runs.isActive() && runs.state() != nullptr && runs.state()->status == JobStatus::Stopped);
    EVENTUALLY(f.window.banner()->isHidden());  // nothing is left to ask
  }

  void opensABrokenFileAndMendsItAsText() {
    const test::TempFolder folder;
    test::spill(folder / "broken.yaml", "shardlens: 2\nname: broken\ndataset: {sise: 40}\nloader: {batch_size: 4}\n");
    Fixture f("distributed-sampler", kPatienceMs);
    answerFileDialog(QString::fromStdString((folder / "broken.yaml").string()));
    person->press(f.window, Qt::Key_O, Qt::ControlModifier);
    TextPanel* text = f.window.design()->text();
    EVENTUALLY(text->isVisible() && !text->problems().isEmpty());
    QVERIFY2(text->problems().join(' ').contains("sise"), qPrintable(text->problems().join('\n')));
    QVERIFY(!text->editor()->marks().empty());
    QCOMPARE(text->editor()->marks().front().first, 3);
    QTextCursor cursor = text->editor()->document()->find("sise");
    text->editor()->setTextCursor(cursor);
    person->type(*text->editor(), "size");
    EVENTUALLY_EQUAL(f.spec().dataset.size, 40);
    EVENTUALLY(text->problems().isEmpty());
  }

  void walksASchedulesHangAndARingByKeyboard_data() {
    QTest::addColumn<QString>("language");
    QTest::addColumn<bool>("is_dark");
    for (const char* language : {"en", "zh_CN"}) {
      QTest::addRow("%s, light", language) << QString(language) << false;
      QTest::addRow("%s, dark", language) << QString(language) << true;
    }
  }

  void walksASchedulesHangAndARingByKeyboard() {
    QFETCH(QString, language);
    QFETCH(bool, is_dark);
    if (language == "zh_CN" && QFontDatabase::families(QFontDatabase::SimplifiedChinese).isEmpty())
      QSKIP("SKIPPED: no font with Chinese characters is installed (Debian: fonts-wqy-microhei)");
    const Speaking speaking(language);
    applyTheme(is_dark ? Theme::darkTheme() : Theme::light());
    mendTheBarrierByKeyboard(language, is_dark);
    if (!QTest::currentTestFailed()) goThroughTheRingByKeyboard();
    applyTheme(Theme::light());
  }

  void triesEmptyTinyAndHugeData() {
    Fixture f("distributed-sampler", kPatienceMs);
    for (const char* size : {"0", "1", "10000000"}) {
      fillIn(f.line("dataset.size"), size);
      QVERIFY2(QTest::qWaitFor([&f] { return f.isReady(); }, kPatienceMs), size);
      const PlanSnapshot& answer = *f.workspace().plans.snapshot();
      QVERIFY2(!answer.issues.empty() || (answer.epoch != nullptr && answer.spec == f.spec()), size);
    }
  }

 private:
  void mendTheBarrierByKeyboard(const QString& language, bool is_dark) {
    Fixture f("barrier-never-reached", kPatienceMs);
    const PipelineSpec hanging = f.spec();
    const FindingsPanel* findings = f.window.design()->findings();
    EVENTUALLY(!findings->cards().empty());
    QCOMPARE(theme().dark, is_dark);
    QCOMPARE(findings->countsText().contains(chineseLetters()), language == "zh_CN");
    const FindingCard* worst = findings->cards().front();
    QCOMPARE(worst->finding().code, std::string("schedule-hangs"));
    QVERIFY(worst->fixButton() != nullptr);
    person->press(f.window, Qt::Key_4, Qt::AltModifier);
    tabTo(f.window, [worst](const QWidget* focus) { return focus == worst->fixButton(); });
    QCOMPARE(QApplication::focusWidget(), worst->fixButton());
    person->press(f.window, Qt::Key_Space);
    EVENTUALLY(f.spec() != hanging && f.isReady());
    QVERIFY(findings->cards().front()->finding().severity != Severity::Error);
    person->press(f.window, Qt::Key_Z, Qt::ControlModifier);
    EVENTUALLY(f.spec() == hanging && f.isReady());
  }

  void goThroughTheRingByKeyboard() {
    Fixture f("all-reduce-ring", kPatienceMs);
    person->press(f.window, Qt::Key_G, Qt::AltModifier);
    auto* tab = f.window.findChild<AllReduceTab*>();
    EVENTUALLY(tab != nullptr && tab->isVisible() && tab->view().isVisible());
    person->press(f.window, Qt::Key_5, Qt::AltModifier);
    tabTo(f.window, [tab](const QWidget* focus) { return focus == &tab->view().rounds(); });
    person->press(f.window, Qt::Key_Right);
    QCOMPARE(tab->view().rounds().done(), std::size_t{1});
    person->press(f.window, Qt::Key_Right);
    QCOMPARE(tab->view().rounds().done(), std::size_t{2});
    QVERIFY2(tab->view().text().contains("[4, 6]"), qPrintable(tab->view().text()));
    person->press(f.window, Qt::Key_Left);
    QCOMPARE(tab->view().rounds().done(), std::size_t{1});
    for (const Qt::Key key : {Qt::Key_6, Qt::Key_7, Qt::Key_8, Qt::Key_9, Qt::Key_W}) {
      person->press(f.window, key, Qt::AltModifier);
      EVENTUALLY(!tab->isVisible() && f.isReady());
    }
    person->press(f.window, Qt::Key_G, Qt::AltModifier);
    EVENTUALLY(tab->isVisible());
    QCOMPARE(tab->view().rounds().done(), std::size_t{1});
  }
};

SHARDLENS_WINDOW_TEST(NewcomerTest)
#include "newcomer_test.moc"
