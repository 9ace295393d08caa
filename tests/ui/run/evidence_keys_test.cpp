// SPDX-License-Identifier: GPL-3.0-or-later
// The proof and the arrivals by keyboard and by screen reader: focus, one ring, arrow keys, what a cell says.
#include "core/collect/planned_batches.h"
#include "tests/support/fake_run_state.h"
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/run/run_recordings.h"
#include "ui/plot/arrival_plot.h"
#include "ui/scene/theme.h"
#include "ui/widgets/run/proof_panel.h"
#include "ui/widgets/run/run_page.h"

#include <QAccessible>
#include <QSignalSpy>
#include <QTest>

#include <memory>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

struct Autopsy {
  explicit Autopsy(const QString& recording) {
    page.setMode(RunPage::Mode::Autopsy);
    page.resize(1280, 646);
    page.show();
    page.activateWindow();
    opened = workspace.runs.open(recording).has_value();
  }
  ProofView& proof() { return page.findChild<ProofPanel*>()->view(); }
  /// All of the recording is read, and its 40 steps are shown.
  bool isShown() {
    const RunStatePtr state = workspace.runs.state();
    return state != nullptr && state->status == JobStatus::Finished && proof().isVisible() &&
           proof().scene().columns == 40;
  }
  ArrivalPlot& arrivals() { return *page.findChild<ArrivalPlot*>(); }

  Workspace workspace;
  RunPage page{workspace};
  bool opened = false;
};

/// What a screen reader reads out of the widget with the focus.
QString readOut(QWidget& widget) {
  const QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(&widget);
  return interface == nullptr ? QString() : interface->text(QAccessible::Description);
}

int pixelsOf(const QImage& image, const QColor& colour) {
  int count = 0;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) count += image.pixelColor(x, y) == colour;
  }
  return count;
}

}  // namespace

class EvidenceKeysTest : public QObject {
  Q_OBJECT

  Recordings recordings_;

 private slots:
  void initTestCase() { qputenv("SHARDLENS_RUNS", (recordings_.folder() / "runs").c_str()); }

  void theProofIsWalkedByKeys() {
    Autopsy f(recordings_.recording(4, 2));
    QVERIFY(f.opened);
    EVENTUALLY(f.isShown());
    ProofView& proof = f.proof();
    QVERIFY((proof.focusPolicy() & Qt::TabFocus) != 0);
    const QImage before = proof.grab().toImage();
    proof.setFocus(Qt::TabFocusReason);
    EVENTUALLY(proof.hasFocus());
    QVERIFY(pixelsOf(proof.grab().toImage(), theme().accent) > pixelsOf(before, theme().accent));
    QTest::keyClick(&proof, Qt::Key_Home, Qt::ControlModifier);
    QVERIFY2(readOut(proof).startsWith("rank 0 · epoch 0 · step 0\n"), qPrintable(readOut(proof)));
    QTest::keyClick(&proof, Qt::Key_Down);
    QTest::keyClick(&proof, Qt::Key_Right);
    QTest::keyClick(&proof, Qt::Key_Right);
    QVERIFY2(readOut(proof).startsWith("rank 1 · epoch 0 · step 2\nmatches the plan"), qPrintable(readOut(proof)));
    QTest::keyClick(&proof, Qt::Key_End);
    QVERIFY2(readOut(proof).startsWith("rank 1 · epoch 1 · step 19"), qPrintable(readOut(proof)));
    QTest::keyClick(&proof, Qt::Key_Home);
    QVERIFY2(readOut(proof).startsWith("rank 1 · epoch 0 · step 0"), qPrintable(readOut(proof)));
    QTest::keyClick(&proof, Qt::Key_End, Qt::ControlModifier);
    QVERIFY2(readOut(proof).startsWith("rank 3 · epoch 1 · step 19"), qPrintable(readOut(proof)));
    QTest::keyClick(&proof, Qt::Key_Down);  // there is no more
    QVERIFY2(readOut(proof).startsWith("rank 3 · epoch 1 · step 19"), qPrintable(readOut(proof)));
    QTest::keyClick(&proof, Qt::Key_Home, Qt::ControlModifier);
    QTest::keyClick(&proof, Qt::Key_Down);
    QTest::keyClick(&proof, Qt::Key_Right);
    QTest::keyClick(&proof, Qt::Key_Right);
    QSignalSpy chosen(&proof, &ProofView::placeChosen);
    QTest::keyClick(&proof, Qt::Key_Return);
    QCOMPARE(chosen.size(), 1);
    const Selected& selected = f.workspace.selection.current();
    QCOMPARE(selected.ranks, std::vector<qint64>({1}));
    QCOMPARE(selected.step.value_or(-1), 2);
  }

  void whatAJobLeftIsNotSaidToBeConsumedLater() {
    ProofView view;
    view.resize(600, 200);
    const auto saidIn = [&view](JobStatus status) {
      RunState state = test::fakeRunState({.ranks = 2, .late_rank = -1, .steps_done = 3, .planned_steps = 6});
      state.status = status;
      ProofRecorder recorder(2);
      recorder.add(0, 0, true);
      view.setRun(std::make_shared<const RunState>(state), std::make_shared<const BatchProof>(recorder.recent()), {});
      return view.csv();
    };
    QVERIFY2(saidIn(JobStatus::Running).contains("0,0,4,\"not consumed yet\""), qPrintable(view.csv()));
    QVERIFY2(saidIn(JobStatus::Finished).contains("0,0,4,\"planned, and not consumed\""), qPrintable(view.csv()));
    QVERIFY2(saidIn(JobStatus::Unknown).contains("not consumed as far as was recorded"), qPrintable(view.csv()));
    QVERIFY(!view.csv().contains("yet"));
  }

  void theProofHasItsRingWithTheKeysAlone() {
    Autopsy f(recordings_.recording(4, 2));
    EVENTUALLY(f.isShown());
    ProofView& proof = f.proof();
    proof.setFocus(Qt::MouseFocusReason);
    const int without = pixelsOf(proof.grab().toImage(), theme().accent);
    QTest::keyClick(&proof, Qt::Key_Right);
    QVERIFY(pixelsOf(proof.grab().toImage(), theme().accent) > without);
  }

  void theArrivalsAreWalkedByKeys() {
    Autopsy f(recordings_.recording(4, 2));
    EVENTUALLY(f.arrivals().arrivals().size() == 4 && f.arrivals().isVisible());
    ArrivalPlot& plot = f.arrivals();
    QVERIFY((plot.focusPolicy() & Qt::TabFocus) != 0);
    plot.setFocus(Qt::TabFocusReason);
    EVENTUALLY(plot.hasFocus());
    EVENTUALLY(pixelsOf(plot.grab().toImage(), theme().accent) > 100);
    const auto chosen = [&f] { return f.workspace.selection.current().ranks; };
    QTest::keyClick(&plot, Qt::Key_Down);
    QCOMPARE(chosen(), std::vector<qint64>({0}));
    QTest::keyClick(&plot, Qt::Key_Down);
    QCOMPARE(chosen(), std::vector<qint64>({1}));
    QVERIFY2(readOut(plot).startsWith("rank 1 arrives "), qPrintable(readOut(plot)));
    QTest::keyClick(&plot, Qt::Key_End);
    QCOMPARE(chosen(), std::vector<qint64>({3}));
    QTest::keyClick(&plot, Qt::Key_Down);
    QCOMPARE(chosen(), std::vector<qint64>({3}));
    QTest::keyClick(&plot, Qt::Key_Home);
    QCOMPARE(chosen(), std::vector<qint64>({0}));
    QVERIFY2(readOut(plot).startsWith("rank 0 arrives "), qPrintable(readOut(plot)));
    plot.clearFocus();
    EVENTUALLY_EQUAL(pixelsOf(plot.grab().toImage(), theme().accent), 0);
  }
};

SHARDLENS_WINDOW_TEST(EvidenceKeysTest)
#include "evidence_keys_test.moc"
