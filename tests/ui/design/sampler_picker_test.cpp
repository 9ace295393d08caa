// SPDX-License-Identifier: GPL-3.0-or-later
// The picker of samplers as a person uses it: by keyboard and by mouse, over the form.
#include "ui/widgets/design/sampler_picker.h"

#include "core/sampling/registry.h"
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/design/form_driver.h"
#include "ui/widgets/common/fields.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/design/list_editor.h"
#include "ui/widgets/stage/stage_view.h"

#include <QLineEdit>
#include <QPushButton>
#include <QShortcut>
#include <QSignalSpy>
#include <QTest>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

/// A window with the form, and its picker opened.
struct OpenPicker {
  Workspace workspace;
  QWidget window;
  FormPanel* panel;
  SamplerPicker* picker = nullptr;

  explicit OpenPicker(QSize size = {1280, 720}) : panel(new FormPanel(workspace, &window)) {
    window.resize(size);
    panel->setGeometry(0, 0, 280, size.height());
    window.show();
    if (!QTest::qWaitForWindowActive(&window, 60'000)) qFatal("The window does not become active.");
    static_cast<ChoiceField*>(panel->row("sampler.type")->editor())->showPopup();
    picker = window.findChild<SamplerPicker*>();
  }

  [[nodiscard]] bool isFull() const { return picker->rows()->count() > 48; }
  [[nodiscard]] std::string inUse() const { return workspace.document.spec().sampler.type; }
};

}  // namespace

class SamplerPickerTest : public QObject {
  Q_OBJECT

 private slots:
  void itOpensOnTheSamplerInUseWithTheKeyboardInTheSearch() {
    OpenPicker opened;
    QVERIFY(opened.picker != nullptr);
    QVERIFY(opened.picker->search()->hasFocus());
    QVERIFY(!opened.picker->search()->magnifierPlace().isEmpty());
    EVENTUALLY(opened.isFull());
    QCOMPARE(opened.picker->rows()->chosen(), opened.inUse());
    EVENTUALLY_EQUAL(opened.picker->preview()->shown().type, opened.inUse());
    const auto* deals = opened.picker->findChild<ElidedLabel*>("howItDeals");
    QVERIFY2(deals->fullText().startsWith("How it deals: From one order"), qPrintable(deals->fullText()));
    QVERIFY(!opened.picker->preview()->stage().input().isEmpty());
  }

  void typingFiltersAndEnterTakesWithOneUndo() {
    OpenPicker opened;
    EVENTUALLY(opened.isFull());
    const PipelineSpec before = opened.workspace.document.spec();
    QTest::keyClicks(opened.picker->search(), "ssl4mis");
    QCOMPARE(opened.picker->rows()->count(), 1);
    QTest::keyClick(opened.picker->search(), Qt::Key_Return);
    QCOMPARE(opened.inUse(), std::string("ssl4mis.TwoStreamBatchSampler"));
    EVENTUALLY(opened.window.findChild<SamplerPicker*>() == nullptr);
    EVENTUALLY(isAnswered(opened.workspace));
    QVERIFY(opened.workspace.plans.snapshot()->epoch != nullptr);
    opened.workspace.document.undoStack().undo();
    QCOMPARE(opened.workspace.document.spec(), before);
  }

  void theArrowKeysChooseAndThePreviewFollows() {
    OpenPicker opened;
    EVENTUALLY(opened.isFull());
    const std::string first = opened.picker->rows()->chosen();
    QTest::keyClick(opened.picker->search(), Qt::Key_Down);
    const std::string second = opened.picker->rows()->chosen();
    QVERIFY(first != second && !second.empty());
    EVENTUALLY_EQUAL(opened.picker->preview()->shown().type, second);
    QTest::keyClick(opened.picker->search(), Qt::Key_Up);
    QCOMPARE(opened.picker->rows()->chosen(), first);
    for (int i = 0; i < 60; ++i) QTest::keyClick(opened.picker->search(), Qt::Key_PageDown);
    QTest::keyClick(opened.picker->search(), Qt::Key_Down);
    QVERIFY(!opened.picker->rows()->chosen().empty());
  }

  void escapeChangesNothingAndGivesTheKeyboardBack() {
    OpenPicker opened;
    QWidget* field = opened.panel->row("sampler.type")->editor();
    opened.picker->dismiss();
    EVENTUALLY(opened.window.findChild<SamplerPicker*>() == nullptr);
    field->setFocus();
    QTest::keyClick(field, Qt::Key_Space);
    auto* again = opened.window.findChild<SamplerPicker*>();
    QVERIFY(again != nullptr);
    EVENTUALLY(again->rows()->count() > 48);
    QTest::keyClick(again->search(), Qt::Key_Down);
    QTest::keyClick(again->search(), Qt::Key_Escape);
    EVENTUALLY(opened.window.findChild<SamplerPicker*>() == nullptr);
    QCOMPARE(opened.inUse(), std::string("torch.DistributedSampler"));
    QVERIFY(!opened.workspace.document.isModified());
    QVERIFY(field->hasFocus());
  }

  void noKeyReachesTheWindowBelow() {
    OpenPicker opened;
    QShortcut space(QKeySequence(Qt::Key_Space), &opened.window);
    QShortcut play(QKeySequence("F5"), &opened.window);
    const QSignalSpy spaces(&space, &QShortcut::activated);
    const QSignalSpy plays(&play, &QShortcut::activated);
    opened.picker->frameworks()->setFocus();
    QTest::keyClick(opened.picker->frameworks(), Qt::Key_F5);
    QTest::keyClick(opened.picker->frameworks(), Qt::Key_Space);
    QCOMPARE(spaces.count() + plays.count(), 0);
    for (int i = 0; i < 12; ++i) {
      QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
      QVERIFY(opened.picker->isAncestorOf(QApplication::focusWidget()));
    }
  }

  void aFrameworkAndAFilterLeaveTheirSamplers() {
    OpenPicker opened;
    EVENTUALLY(opened.isFull());
    opened.picker->frameworks()->setCurrentRow(1);
    QVERIFY(opened.picker->rows()->count() < 12);
    QCOMPARE(opened.picker->rows()->item(0)->text(), QString("PYTORCH"));
    opened.picker->frameworks()->setCurrentRow(0);
    QTest::keyClicks(opened.picker->search(), "nothing of this kind");
    QCOMPARE(opened.picker->rows()->count(), 0);
    QTest::keyClick(opened.picker->search(), Qt::Key_Return);
    QVERIFY(opened.picker->isVisible());
    QCOMPARE(opened.picker->preview()->stage().notice().title, QString("No sampler matches these words"));
  }

  void itFitsIntoASmallWindowAndFollowsItsSize() {
    OpenPicker opened({960, 600});
    EVENTUALLY(opened.isFull());
    QVERIFY(opened.window.rect().contains(opened.picker->panel()->geometry()));
    opened.window.resize(720, 480);
    EVENTUALLY(opened.window.rect().contains(opened.picker->panel()->geometry()));
    QVERIFY(opened.picker->rows()->viewport()->height() > 90);
  }

  void itOpensOnce() {
    OpenPicker opened;
    opened.panel->pickSampler();
    QCOMPARE(opened.window.findChildren<SamplerPicker*>().size(), 1);
  }

  void aPressBesideThePanelClosesIt() {
    OpenPicker opened;
    QTest::mouseClick(opened.picker, Qt::LeftButton, {}, {4, 4});
    EVENTUALLY(opened.window.findChild<SamplerPicker*>() == nullptr);
    QVERIFY(!opened.workspace.document.isModified());
  }

  void whoHasListsOfTheirOwnIsLedToThem() {
    OpenPicker opened;
    EVENTUALLY(opened.isFull());
    QTest::keyClicks(opened.picker->search(), "ssl4mis");
    EVENTUALLY(!opened.picker->preview()->shown().made_up.isEmpty());
    const auto* legend = opened.picker->preview()->findChild<QWidget*>("previewLegend");
    QVERIFY(legend->height() > 0 && !legend->accessibleName().isEmpty());
    emit opened.picker->preview()->ownListsWanted();
    QCOMPARE(opened.inUse(), std::string("ssl4mis.TwoStreamBatchSampler"));
    EVENTUALLY(opened.window.findChild<ListEditor*>() != nullptr);
    auto* editor = opened.window.findChild<ListEditor*>();
    QVERIFY(editor->text()->hasFocus());
    QCOMPARE(editor->text()->toPlainText(), QString("0..7"));
    editor->dismiss();
    QVERIFY(opened.panel->row("sampler.primary_indices")->editor()->hasFocus());
  }
};

SHARDLENS_WINDOW_TEST(SamplerPickerTest)
#include "sampler_picker_test.moc"
