// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/spec/field_table.h"
#include "tests/core/spec/blend.h"
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/design/form_driver.h"
#include "ui/scene/design/form.h"
#include "ui/widgets/common/fields.h"
#include "ui/widgets/common/refresh.h"
#include "ui/widgets/design/field_row.h"
#include "ui/widgets/design/form_panel.h"

#include <QAbstractButton>
#include <QClipboard>
#include <QGuiApplication>
#include <QSignalSpy>
#include <QTest>

#include <memory>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

/// A form with a list that can be typed.
struct ListForm {
  ListForm() {
    spec.sampler.type = "torch.SubsetRandomSampler";
    workspace.document.reset(spec);
    panel = std::make_unique<FormPanel>(workspace);
    panel->show();
    row = panel->row("sampler.indices");
    line = qobject_cast<QLineEdit*>(row->editor());
  }
  [[nodiscard]] IndexList list() const {
    return std::get<IndexList>(getValue(workspace.document.spec(), row->field()));
  }

  PipelineSpec spec;
  Workspace workspace;
  std::unique_ptr<FormPanel> panel;
  FieldRow* row = nullptr;
  QLineEdit* line = nullptr;
};

}  // namespace

/// Lists in the form: of records, and of numbers that are typed or pasted.
class FormListsTest : public QObject {
  Q_OBJECT

 private slots:
  void recordsAreAddedFilledInRemovedAndUndone() {
    Workspace workspace;
    FormPanel panel(workspace);
    panel.show();
    QVERIFY(panel.focusField("run.delays"));
    const auto add = [&] { qobject_cast<QAbstractButton*>(panel.row("run.delays")->editor())->click(); };
    add();
    add();
    const PipelineSpec& spec = workspace.document.spec();
    QCOMPARE(spec.run.delays.size(), std::size_t{2});
    EVENTUALLY_EQUAL(panel.row("run.delays")->noteText(), "2 entries");
    QCoreApplication::processEvents();
    QCOMPARE(panel.row("run.delays")->width(), panel.row("run.delays[0].ms")->width());
    type(lineOf(panel, "run.delays[1].ms"), "40");
    QCOMPARE(spec.run.delays[1].ms, 40.0);
    QCOMPARE(spec.run.delays[0].ms, 0.0);
    type(lineOf(panel, "run.delays[0].rank"), "9");
    EVENTUALLY(isAnswered(workspace));
    QVERIFY(panel.row("run.delays[0].rank")->remarkText().startsWith("there is no rank 9."));
    panel.findChild<QAbstractButton*>("remove:run.delays[0]")->click();
    QCOMPARE(spec.run.delays, std::vector<PipelineSpec::Run::Delay>({{.rank = 0, .ms = 40}}));
    EVENTUALLY(panel.row("run.delays[1].ms") == nullptr);
    workspace.document.undoStack().undo();
    QCOMPARE(spec.run.delays.size(), std::size_t{2});
    QCOMPARE(lineOf(panel, "run.delays[1].ms")->text(), "40");
    while (workspace.document.undoStack().canUndo()) workspace.document.undoStack().undo();
    EVENTUALLY(panel.row("run.delays[0].ms") == nullptr);
    QCOMPARE(spec, PipelineSpec{});
  }

  void recordsThatASamplerTakesAreRowsOfTheForm() {
    Workspace workspace(test::blends());
    workspace.document.reset(test::blendOf({{"wiki", 0.5, 1}}));
    FormPanel panel(workspace);
    panel.show();
    QCOMPARE(panel.row("sampler.streams")->noteText(), "1 entry");
    QCOMPARE(lineOf(panel, "sampler.streams[0].name")->text(), "wiki");
    qobject_cast<QAbstractButton*>(panel.row("sampler.streams")->editor())->click();
    type(lineOf(panel, "sampler.streams[1].name"), "code");
    type(lineOf(panel, "sampler.streams[1].proportion"), "2");
    QCOMPARE(test::streamsOf(workspace.document.spec()), std::vector<test::Stream>({{"wiki", 0.5, 1}, {"code", 2, 1}}));
    type(lineOf(panel, "sampler.streams[0].repeat"), "0");
    QVERIFY(panel.row("sampler.streams[0].repeat")->remarkText().startsWith("0 is out of range"));
    panel.findChild<QAbstractButton*>("remove:sampler.streams[0]")->click();
    QCOMPARE(test::streamsOf(workspace.document.spec()), std::vector<test::Stream>({{"code", 2, 1}}));
    EVENTUALLY(panel.row("sampler.streams[1].name") == nullptr);
    workspace.document.undoStack().undo();
    QCOMPARE(lineOf(panel, "sampler.streams[1].name")->text(), "code");
    workspace.document.reset(test::blendOf({{"wiki", 101, 1}}));
    EVENTUALLY(isAnswered(workspace));
    QVERIFY(panel.row("sampler.streams[0].proportion")->remarkText().startsWith("101 is out of range"));
  }

  void aListIsReadInTheBackgroundAndTheNewestTextWins() {
    ListForm form;
    const QSignalSpy changes(&form.workspace.document, &Document::specChanged);
    type(form.line, "0..9999999");
    QVERIFY(form.row->isReading());
    QVERIFY(form.list().empty());
    QTest::keyClick(form.line, Qt::Key_Backspace);
    EVENTUALLY(!form.row->isReading());
    QCOMPARE(form.list().size(), std::size_t{1'000'000});
    QCOMPARE(changes.count(), 1);
    QCOMPARE(form.line->text(), "0..999999");
    type(form.line, "0..99, x");
    EVENTUALLY(form.row->isRefused());
    QVERIFY(form.row->remarkText().startsWith("'x' is not a whole number"));
    QVERIFY(form.list().empty());
    QCOMPARE(form.line->text(), "0..99, x");
  }

  void escapeStopsAListThatIsBeingRead() {
    ListForm form;
    type(form.line, "0..99999999");
    QTest::keyClick(form.line, Qt::Key_Escape);
    QVERIFY(!form.row->isReading());
    QCOMPARE(form.line->text(), QString());
    QVERIFY(!form.workspace.document.isModified());
    const QSignalSpy changes(&form.workspace.document, &Document::specChanged);
    type(form.line, "0..9");
    EVENTUALLY(!form.row->isReading());
    QCOMPARE(form.list().size(), std::size_t{10});
    QCOMPARE(changes.count(), 1);  // nothing came of the first list
  }

  void enterWhileAListIsReadCountsForTheWholeList() {
    ListForm form;
    const QSignalSpy left(form.row, &FieldRow::left);
    type(form.line, "0..2999999, 7");
    QTest::keyClick(form.line, Qt::Key_Return);
    QCOMPARE(left.count(), 0);
    EVENTUALLY_EQUAL(left.count(), 1);
    QCOMPARE(form.list().size(), std::size_t{3'000'001});
    QCOMPARE(form.line->text(), fieldText(form.row->field(), form.list()));
    QTest::keyClick(form.line, Qt::Key_Escape);
    QCOMPARE(form.list().size(), std::size_t{3'000'001});
  }

  void typingTheSameListOnceMoreChangesNothing() {
    ListForm form;
    type(form.line, "0..99");
    EVENTUALLY_EQUAL(form.list().size(), std::size_t{100});
    const std::int64_t* items = form.list().items().data();
    type(form.line, "0..98, 99");
    EVENTUALLY(!form.row->isReading());
    QTest::keyClick(form.line, Qt::Key_Return);
    QVERIFY(form.list().items().data() == items);
  }

  /// A line holds 32 767 characters, and would cut the list there.
  void aLongListIsPastedWhole() {
    ListForm form;
    QString text;
    for (int i = 0; i < 50'000; ++i) text += QString::number(2 * i) + (i % 10 == 9 ? "\n" : ", ");
    QGuiApplication::clipboard()->setText(text);
    form.line->setFocus();
    QTest::keySequence(form.line, QKeySequence::Paste);
    EVENTUALLY_EQUAL(form.list().size(), std::size_t{50'000});
    QCOMPARE(form.list().back(), 99'998);
    EVENTUALLY_EQUAL(form.line->text(), fieldText(form.row->field(), form.list()));
    QGuiApplication::clipboard()->setText(text + "end");
    form.line->selectAll();
    QTest::keySequence(form.line, QKeySequence::Paste);
    EVENTUALLY(form.row->isRefused());
    QVERIFY(form.row->remarkText().contains("'end'"));
    QCOMPARE(form.list().size(), std::size_t{50'000});
    QGuiApplication::clipboard()->setText("3, 4");
    form.line->selectAll();
    QTest::keySequence(form.line, QKeySequence::Paste);
    EVENTUALLY_EQUAL(form.list(), (IndexList{3, 4}));
  }
};

SHARDLENS_WINDOW_TEST(FormListsTest)
#include "form_lists_test.moc"
