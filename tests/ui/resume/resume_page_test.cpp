// SPDX-License-Identifier: Apache-2.0
// The Resume perspective in the real window: choose a stop by keys, fields and the strip, and see the rows change.
#include "ui/widgets/resume/resume_page.h"

#include "tests/support/places.h"
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "ui/widgets/common/fields.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/resume/resume_list.h"
#include "ui/widgets/resume/way_details.h"
#include "ui/widgets/stage/transport_bar.h"
#include "ui/window/main_window.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

PipelineSpec shuffled() {
  PipelineSpec spec;
  spec.dataset.size = 640;
  spec.world = {1, 4};
  spec.loader.batch_size = 4;
  spec.epochs = 3;
  spec.sampler = {"torch.DistributedSampler", {}};
  return spec;
}

/// The real window with the perspective open and its rows there.
struct Fixture {
  explicit Fixture(const PipelineSpec& spec = shuffled()) {
    window.resize(1280, 720);
    window.workspace().document.reset(spec);
    window.show();
    window.activateWindow();
    settle();
    QTest::keyClick(&window, Qt::Key_3, Qt::ControlModifier);
    settle();
  }
  void settle() { settled = waitUntilReady(window); }
  ResumePage& page() { return *window.page<ResumePage>(); }
  WayRow* row(const std::string& id) {
    for (WayRow* one : page().list()->rows()) {
      if (one->id() == id) return one;
    }
    return nullptr;
  }

  MainWindow window{{false, {}, false}};
  bool settled = false;
};

void type(NumberRow* row, const QString& text) {
  row->field()->setFocus();
  row->field()->selectAll();
  QTest::keyClicks(row->field(), text);
}

}  // namespace

class ResumePageTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    installFonts();
    applyTheme(Theme::light());
  }

  void itOpensInTheMiddleOfAnEpoch() {
    Fixture f;
    QVERIFY(f.settled);
    QCOMPARE(f.window.perspective(), QString("resume"));
    QCOMPARE(f.page().answer().point, (ResumePoint{Epoch{1}, 20, {1, 4}}));
    QVERIFY2(f.page().title().contains("after 20 steps of epoch 1"), qPrintable(f.page().title()));
    QVERIFY2(f.page().controls()->sentence().contains("320 of 640 samples"),
             qPrintable(f.page().controls()->sentence()));
    QVERIFY(f.row("skip-batches")->verdict().startsWith("Exact"));
    QVERIFY(f.row("restart-epoch")->verdict().startsWith("320 repeated"));
  }

  void typingAStepChangesTheRows() {
    Fixture f;
    QVERIFY(f.settled);
    type(f.page().controls()->steps(), "10");
    f.settle();
    QCOMPARE(f.page().answer().point.steps, 10);
    QCOMPARE(f.row("restart-epoch")->verdict(), QString("160 repeated, 0 lost"));
    QVERIFY(f.page().command().endsWith("--at 10 --epoch 1 --world 1x4"));
    QCOMPARE(f.window.workspace().document.spec(), shuffled());
  }

  void aStepBehindTheEndIsRefusedWithWords() {
    Fixture f;
    type(f.page().controls()->steps(), "4100");
    f.settle();
    QCOMPARE(f.page().answer().point.steps, 40);
    QVERIFY(f.page().controls()->steps()->note().contains("0 to 40"));
    f.page().controls()->epoch()->field()->setFocus();
    QCOMPARE(f.page().controls()->steps()->field()->text(), QString("40"));
    QVERIFY(f.page().controls()->steps()->note().contains("of 40"));
  }

  void anotherWorldGoesOnWithOtherRanks() {
    Fixture f;
    type(f.page().controls()->ranks(), "2");
    f.settle();
    QVERIFY(f.row("skip-batches") && f.row("skip-samples"));
    QVERIFY(f.row("skip-batches")->verdict().contains("160 repeated"));
    QVERIFY(f.row("skip-samples")->verdict().startsWith("Exact"));
    QVERIFY2(f.page().title().contains("2 ranks"), qPrintable(f.page().title()));
    QCOMPARE(f.window.workspace().document.spec().world, (PipelineSpec::World{1, 4}));
  }

  void anotherBatchSizeIsSaidAndTakenBack() {
    Fixture f;
    const qint64 before = f.window.workspace().document.spec().loader.batch_size;
    type(f.page().controls()->batchSize(), QString::number(2 * before));
    f.settle();
    QVERIFY2(f.page().command().endsWith(QStringLiteral(" --batch-size %1").arg(2 * before)),
             qPrintable(f.page().command()));
    QVERIFY2(f.page().title().contains(QStringLiteral("batch_size %1").arg(2 * before)), qPrintable(f.page().title()));
    QVERIFY(f.page().controls()->batchSize()->note().contains(QString::number(before)));
    QVERIFY(!f.row("skip-batches")->verdict().startsWith("Exact"));
    QVERIFY(f.row("skip-samples")->verdict().startsWith("Exact"));
    QCOMPARE(f.window.workspace().document.spec().loader.batch_size, before);
    type(f.page().controls()->batchSize(), QString::number(before));
    f.settle();
    QVERIFY(!f.page().command().contains("--batch-size"));
    QVERIFY(f.row("skip-batches")->verdict().startsWith("Exact"));
  }

  /// Nodes of different sizes are shown, and stay until other ones are asked for.
  void unequalNodesStayAsTheyAre() {
    Fixture f;
    QVERIFY(f.window.workspace().document.edit({{"world.ranks_per_node", IndexList{2, 1}}}, "nodes"));
    f.settle();
    QVERIFY(f.page().controls()->ranks()->note().contains("2 + 1"));
    QVERIFY2(f.page().command().contains("--world 2,1"), qPrintable(f.page().command()));
    type(f.page().controls()->ranks(), "1");
    f.settle();
    QVERIFY(!f.page().controls()->ranks()->note().contains("+"));
    QVERIFY2(f.page().command().contains("--world 2x1"), qPrintable(f.page().command()));
  }

  void draggingOnAStripMovesTheStopAndTheNewestWins() {
    Fixture f;
    QVERIFY(f.settled);
    WayStrip* strip = f.row("restart-epoch")->strip();
    const auto at = [strip](double share) {
      return QPoint(static_cast<int>(share * strip->width()), strip->height() / 2);
    };
    QTest::mousePress(strip, Qt::LeftButton, {}, at(0.75));
    QCOMPARE(f.page().controls()->steps()->value(), 30);  // at once, before there is an answer
    QCOMPARE(f.row("skip-batches")->strip()->stop(), 0.75);
    QTest::mouseMove(strip, at(0.4));
    QMouseEvent drag(QEvent::MouseMove, at(0.25), strip->mapToGlobal(at(0.25)), Qt::NoButton, Qt::LeftButton,
                     Qt::NoModifier);
    QApplication::sendEvent(strip, &drag);
    QTest::mouseRelease(strip, Qt::LeftButton, {}, at(0.25));
    f.settle();
    QCOMPARE(f.page().answer().point.steps, 10);
    QCOMPARE(f.row("restart-epoch")->verdict(), QString("160 repeated, 0 lost"));
    QVERIFY(f.row("restart-epoch")->isChosen());
  }

  void theSliderGoesToBothEnds() {
    Fixture f;
    f.page().list()->axis()->slider()->setValue(0);
    f.settle();
    QCOMPARE(f.page().answer().point.steps, 0);
    QVERIFY(f.row("restart-epoch")->verdict().startsWith("Exact"));
    f.page().list()->axis()->slider()->setValue(40);
    f.settle();
    QCOMPARE(f.page().answer().point.steps, 40);
    QCOMPARE(f.row("restart-epoch")->verdict(), QString("640 repeated, 0 lost"));
  }

  void otherFrameworksAreFoldedUnderOneLine() {
    Fixture f;
    QVERIFY(f.settled);
    ResumeList* list = f.page().list();
    QVERIFY(list->isFolded() && list->fold()->isVisible());
    QVERIFY2(list->fold()->text().contains("other frameworks"), qPrintable(list->fold()->text()));
    QVERIFY(f.row("restart-epoch")->isVisible());
    QVERIFY(f.row("lightning") && !f.row("lightning")->isVisible());
    list->fold()->click();
    QVERIFY(f.row("lightning")->isVisible());
    QTest::mouseClick(f.row("lightning"), Qt::LeftButton, {}, {20, 10});
    QVERIFY(f.row("lightning")->isChosen());
    list->fold()->click();
    QVERIFY(!f.row("lightning")->isVisible());
    QVERIFY(list->rows().front()->isChosen());  // what is explained can be seen
  }

  void oneMarkOfTheStopStandsAboveAllSeams() {
    PipelineSpec uneven = shuffled();
    uneven.dataset.size = 650;  // the last step is short: shares of samples and of steps differ
    Fixture f(uneven);
    QVERIFY(f.settled);
    f.page().list()->setFolded(false);
    type(f.page().controls()->steps(), "40");
    f.settle();
    ResumeAxis* axis = f.page().list()->axis();
    const double mark = axis->slider()->mapTo(&f.window, QPointF(axis->slider()->pixelOf(40), 0)).x();
    for (WayRow* row : f.page().list()->rows()) {
      if (!row->strip()->isVisible() || !row->strip()->isKnown()) continue;
      const double seam = row->strip()->mapTo(&f.window, QPointF(row->strip()->stop() * row->strip()->width(), 0)).x();
      QVERIFY2(std::abs(seam - mark) <= 1.5, qPrintable(QString::number(seam - mark)));
    }
  }

  void theTitleIsNotCut() {
    Fixture f;
    f.window.resize(960, 600);
    f.settle();
    LinkLabel* title = nullptr;
    for (LinkLabel* label : f.page().findChildren<LinkLabel*>()) {
      if (label->plain() == f.page().title()) title = label;
    }
    QVERIFY(title != nullptr);
    EVENTUALLY(title->height() >= title->heightForWidth(title->width()));
  }

  void everythingCanBeDoneByKeys() {
    Fixture f;
    QVERIFY(f.settled);
    WayRow* first = f.page().list()->rows().front();
    first->setFocus(Qt::TabFocusReason);
    QTest::keyClick(first, Qt::Key_Down);
    WayRow* second = f.page().list()->rows()[1];
    QVERIFY(second->hasFocus() && second->isChosen() && !first->isChosen());
    QTest::keyClick(second, Qt::Key_Right);
    QTest::keyClick(second, Qt::Key_Right, Qt::ShiftModifier);
    f.settle();
    QCOMPARE(f.page().answer().point.steps, 31);
    QTest::keyClick(second, Qt::Key_Home);
    f.settle();
    QCOMPARE(f.page().answer().point.steps, 0);
    QVERIFY(second->isChosen());
  }

  void theChosenWayIsExplained() {
    Fixture f;
    QTest::mouseClick(f.row("forgotten-set-epoch"), Qt::LeftButton, {}, {20, 10});
    const QString text = f.page().details()->text();
    for (const char* part : {"Script that forgets set_epoch", "REPEATED", "epoch 0", "and "}) {
      QVERIFY2(text.contains(QLatin1String(part), Qt::CaseInsensitive), part);
    }
  }

  /// The ids that are lost or repeated, and those of the first batches, lead to their samples.
  void samplesOfAMethodAreLinks() {
    Fixture f;
    QTest::mouseClick(f.row("forgotten-set-epoch"), Qt::LeftButton, {}, {20, 10});
    int lists = 0;
    for (LinkLabel* label : f.page().details()->findChildren<LinkLabel*>()) lists += label->text().count("sample=") > 3;
    QVERIFY(lists > 0);
    auto* lines = f.page().details()->findChild<BatchLines*>();
    QSignalSpy chosen(lines, &BatchLines::sampleChosen);
    const QImage plain = lines->grab().toImage();
    for (int x = 0; x < lines->width() && chosen.isEmpty(); x += 3) {
      QTest::mouseClick(lines, Qt::LeftButton, {}, QPoint(x, 32));
    }
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(f.window.workspace().selection.current().sample.value_or(-1), chosen.front().front().toLongLong());
    QVERIFY(lines->grab().toImage() != plain);
  }

  void theTitleLeadsToItsEpoch() {
    Fixture f;
    bool has_link = false;
    for (const LinkLabel* label : f.page().findChildren<LinkLabel*>()) {
      has_link |= label->plain() == f.page().title() && label->text().contains("epoch=");
    }
    QVERIFY(has_link);
  }

  void aSpecWithErrorsSaysSoAndKeepsTheLastRows() {
    Fixture f;
    QVERIFY(f.settled);
    const std::size_t rows = f.page().list()->rows().size();
    PipelineSpec broken = shuffled();
    broken.sampler.type = "torch.NoSampler";
    f.window.workspace().document.replace(broken, "break it");
    f.settle();
    QVERIFY2(f.page().message().contains("no sampler"), qPrintable(f.page().message()));
    QCOMPARE(f.page().list()->rows().size(), rows);
    f.window.workspace().document.undoStack().undo();
    f.settle();
    QVERIFY(f.page().message().trimmed().isEmpty());
  }

  void aSpecWithErrorsFromTheStartHasNoRows() {
    PipelineSpec broken = shuffled();
    broken.sampler.type = "torch.NoSampler";
    Fixture f(broken);
    QVERIFY(f.page().list()->rows().empty());
    QVERIFY2(f.page().message().contains("The spec has errors"), qPrintable(f.page().message()));
  }

  void muchCanBeStopped() {
    PipelineSpec much = shuffled();
    much.dataset.size = 30'000'000;
    much.world = {128, 8};
    Fixture f;
    QVERIFY(f.settled);
    f.window.workspace().document.replace(much, "much");
    QVERIFY(!f.window.isReady());
    f.page().cancel();
    f.window.workspace().plans.cancel();
    QVERIFY(LatestJob::allIdle());
    QCOMPARE(f.page().answer().steps, 40);
  }

  void theCommandIsCopied() {
    Fixture f;
    f.page().controls()->copyCommand();
    QCOMPARE(QApplication::clipboard()->text(), f.page().command());
    f.window.actions().get("edit.copy_command")->trigger();
    QCOMPARE(QApplication::clipboard()->text(), QString("shardlens resume spec.yaml --at 20 --epoch 1 --world 1x4"));
  }

  void anotherFileForgetsTheChoice() {
    Fixture f;
    type(f.page().controls()->steps(), "10");
    f.settle();
    QVERIFY(
        f.window.openFile(QString::fromStdString(test::sourceDir()) + "/resources/examples/distributed-sampler.yaml"));
    f.settle();
    QCOMPARE(f.page().answer().point, (ResumePoint{Epoch{1}, 2, {1, 2}}));
    QVERIFY(f.page().command().contains("distributed-sampler.yaml"));
  }

  void theStopIsWhereThePlayheadWasLeft() {
    Fixture f;
    f.window.workspace().playback.seek(2, 7);
    f.settle();
    QCOMPARE(f.page().answer().point, (ResumePoint{Epoch{2}, 7, {1, 4}}));
  }
};

SHARDLENS_WINDOW_TEST(ResumePageTest)
#include "resume_page_test.moc"
