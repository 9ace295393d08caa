// SPDX-License-Identifier: GPL-3.0-or-later
// The tasks of a newcomer in the real window, done with mouse and keyboard alone; what the window then says is held
// against the engine. Launching, watching and stopping a job is in ui_whole_window, with a real job.
#include "core/base/heap.h"
#include "core/plan/find_sample.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/plot/matrix_plot.h"
#include "ui/scene/design/life.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/design/finding_card.h"
#include "ui/widgets/design/findings_panel.h"
#include "ui/widgets/design/life_view.h"
#include "ui/widgets/design/spec_editor.h"
#include "ui/widgets/design/text_panel.h"
#include "ui/widgets/lens/lens_column_view.h"
#include "ui/widgets/tabs/overlap_view.h"

#include <QAbstractButton>
#include <QApplication>
#include <QFile>
#include <QFileDialog>
#include <QMessageBox>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <set>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

constexpr int kPatienceMs = 240'000;  ///< a sanitizer on a busy host

/// As a person does: click into the field, replace what is there, Enter.
void fillIn(QLineEdit* field, const char* text) {
  QTest::mouseClick(field, Qt::LeftButton);
  QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(field, text);
  QTest::keyClick(field, Qt::Key_Return);
}

void press(QWidget& window, Qt::Key key, Qt::KeyboardModifiers with = {}) {
  QWidget* focused = QApplication::focusWidget();
  QTest::keyClick(focused != nullptr && window.isAncestorOf(focused) ? focused : &window, key, with);
}

/// Answers the file dialog that comes with this path, and a question whether to overwrite with yes.
void answerFileDialog(const QString& path) {
  QTimer::singleShot(0, qApp, [path] {
    auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    if (dialog == nullptr) return answerFileDialog(path);
    auto* name = dialog->findChild<QLineEdit*>("fileNameEdit");
    name->setText(path);
    QTimer::singleShot(0, dialog, [] {
      if (auto* question = qobject_cast<QMessageBox*>(QApplication::activeModalWidget()))
        QTest::mouseClick(question->button(QMessageBox::Yes), Qt::LeftButton);
    });
    QTest::keyClick(name, Qt::Key_Return);
  });
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
  }

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
    QTest::mouseClick(worst->fixButton(), Qt::LeftButton);
    EVENTUALLY(f.isReady());
    QVERIFY2(!findings->countsText().contains("error"), qPrintable(findings->countsText()));
    const EpochPlan& mended = *f.workspace().plans.snapshot()->epoch;
    QVERIFY(samplesOf(mended, 0) != samplesOf(mended, 4));
    press(f.window, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(f.spec(), buggy);
    EVENTUALLY(f.isReady() && findings->countsText().contains("1 error"));
  }

  void asksWhereASampleGoes() {
    Fixture f("distributed-sampler-no-set-epoch", kPatienceMs);
    const SampleIndex sample = f.spec().dataset.size - 3;
    press(f.window, Qt::Key_K, Qt::ControlModifier);
    auto* locator = qobject_cast<QLineEdit*>(QApplication::focusWidget());
    QVERIFY(locator != nullptr);
    QTest::keyClicks(locator, QString("sample %1").arg(sample));
    QTest::keyClick(locator, Qt::Key_Return);
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
    QTest::mouseClick(target, Qt::LeftButton, {}, target->mapFrom(&matrix, at));
    const EpochPlan& epoch = *f.workspace().plans.snapshot()->epoch;
    const auto of_3 = samplesOf(epoch, 3);
    const auto of_7 = samplesOf(epoch, 7);
    QVERIFY(of_3 == of_7);
    QVERIFY2(view->title().contains("Ranks 3 and 7 share all"), qPrintable(view->title()));
  }

  void asksWhichFrameworkLosesData() {
    Fixture f("distributed-sampler", kPatienceMs);
    press(f.window, Qt::Key_2, Qt::ControlModifier);
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
    press(f.window, Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
    EVENTUALLY(test::slurp(folder / "mine.yaml").find("shardlens: ") != std::string::npos);
    QCOMPARE(f.workspace().document.path(), path);
    f.window.activateWindow();  // the dialog had taken that from it
    EVENTUALLY(QApplication::activeModalWidget() == nullptr && f.window.isActiveWindow());
    fillIn(f.line("loader.batch_size"), "8");
    QCOMPARE(f.spec().loader.batch_size, 8);
    press(f.window, Qt::Key_S, Qt::ControlModifier);
    EVENTUALLY(test::slurp(folder / "mine.yaml").find("batch_size: 8") != std::string::npos);
  }

  void opensABrokenFileAndMendsItAsText() {
    const test::TempFolder folder;
    test::spill(folder / "broken.yaml", "shardlens: 2\nname: broken\ndataset: {sise: 40}\nloader: {batch_size: 4}\n");
    Fixture f("distributed-sampler", kPatienceMs);
    f.window.openFile(QString::fromStdString((folder / "broken.yaml").string()));
    TextPanel* text = f.window.design()->text();
    EVENTUALLY(text->isVisible() && !text->problems().isEmpty());
    QVERIFY2(text->problems().join(' ').contains("sise"), qPrintable(text->problems().join('\n')));
    QVERIFY(!text->editor()->marks().empty());
    QCOMPARE(text->editor()->marks().front().first, 3);
    QTextCursor cursor = text->editor()->document()->find("sise");
    text->editor()->setTextCursor(cursor);
    QTest::keyClicks(text->editor(), "size");
    EVENTUALLY_EQUAL(f.spec().dataset.size, 40);
    EVENTUALLY(text->problems().isEmpty());
  }

  void triesEmptyTinyAndHugeData() {
    Fixture f("distributed-sampler", kPatienceMs);
    // A sanitizer, which deletes for itself, makes the largest one ten times as slow.
    for (const char* size : {"0", "1", deletesInPieces() ? "100000000" : "10000000"}) {
      fillIn(f.line("dataset.size"), size);
      QVERIFY2(QTest::qWaitFor([&f] { return f.isReady(); }, kPatienceMs), size);
      const PlanSnapshot& answer = *f.workspace().plans.snapshot();
      QVERIFY2(!answer.issues.empty() || (answer.epoch != nullptr && answer.spec == f.spec()), size);
    }
  }
};

QTEST_MAIN(NewcomerTest)
#include "newcomer_test.moc"
