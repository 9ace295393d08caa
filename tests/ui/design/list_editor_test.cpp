// SPDX-License-Identifier: GPL-3.0-or-later
// The editor of a list as a person uses it, and the mark of lists that were made up.
#include "ui/widgets/design/list_editor.h"

#include "core/spec/field_table.h"
#include "tests/support/temp_folder.h"
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/design/form_driver.h"
#include "ui/scene/number_text.h"

#include <QAbstractButton>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QListWidget>
#include <QPushButton>
#include <QTest>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

constexpr const char* kFirst = "sampler.primary_indices";

/// A form whose sampler was just chosen, with the editor of its first list.
struct OpenEditor {
  Workspace workspace;
  QWidget window;
  FormPanel* panel;
  ListEditor* editor = nullptr;

  OpenEditor() : panel(new FormPanel(workspace, &window)) {
    window.resize(960, 600);
    panel->setGeometry(0, 0, 280, 600);
    window.show();
    if (!QTest::qWaitForWindowActive(&window, 60'000)) qFatal("The window does not become active.");
    auto* type = qobject_cast<QComboBox*>(panel->row("sampler.type")->editor());
    const int index = type->findData("ssl4mis.TwoStreamBatchSampler");
    type->setCurrentIndex(index);
    emit type->activated(index);
    if (!QTest::qWaitFor([&] { return panel->row(kFirst) != nullptr && isAnswered(workspace); }, 60'000))
      qFatal("The sampler's fields do not come.");
    panel->row(kFirst)->listLink()->click();
    editor = window.findChild<ListEditor*>();
  }
  [[nodiscard]] IndexList list() const {
    const PipelineSpec& spec = workspace.document.spec();
    return std::get<IndexList>(getValue(spec, panel->row(kFirst)->field()));
  }
  void paste(const QString& text) const {
    QGuiApplication::clipboard()->setText(text);
    editor->text()->setFocus();
    editor->text()->selectAll();
    QTest::keySequence(editor->text(), QKeySequence::Paste);
  }
};

}  // namespace

class ListEditorTest : public QObject {
  Q_OBJECT

 private slots:
  void aListThatWasMadeUpSaysSoUntilTheUserGivesOne() {
    OpenEditor opened;
    FieldRow* row = opened.panel->row(kFirst);
    QCOMPARE(row->noteText(), QString("made up: the first half of the dataset"));
    QCOMPARE(row->listLink()->text(), QString("use my own…"));
    opened.paste("1, 3, 5, 7");
    EVENTUALLY(opened.editor->answer().value.has_value() && opened.editor->answer().count.startsWith("4"));
    opened.editor->useButton()->click();
    QCOMPARE(opened.list(), (IndexList{1, 3, 5, 7}));
    EVENTUALLY_EQUAL(row->listLink()->text(), QString("edit the list…"));
    EVENTUALLY(row->noteText().isEmpty());
    opened.workspace.document.undoStack().undo();
    EVENTUALLY(row->noteText().startsWith("made up"));
  }

  void aListThatIsMissingCanBeMadeUpFromTheForm() {
    Workspace workspace;
    PipelineSpec spec;
    spec.sampler.type = "meanteacher.TwoStreamBatchSampler";
    workspace.document.reset(spec);
    FormPanel panel(workspace);
    panel.resize(280, 700);
    panel.show();
    FieldRow* row = panel.row(kFirst);
    EVENTUALLY(row->exampleLink()->isVisible());
    QVERIFY(row->remarkText().startsWith("AssertionError: "));  // raised without a word
    QVERIFY(row->remarkText().contains("the list is empty"));
    row->exampleLink()->click();
    EVENTUALLY(isAnswered(workspace) && workspace.plans.snapshot()->epoch != nullptr);
    QCOMPARE(row->noteText(), QString("made up: the first half of the dataset"));
    QVERIFY(!row->exampleLink()->isVisible());
    workspace.document.undoStack().undo();
    EVENTUALLY(row->exampleLink()->isVisible());
    QCOMPARE(workspace.document.spec(), spec);
  }

  void whatIsWrongIsSaidWithItsLineAndTheListIsNotTaken() {
    OpenEditor opened;
    opened.paste("0..3\nfour\n99");
    EVENTUALLY_EQUAL(opened.editor->faults()->count(), 2);
    QVERIFY(opened.editor->faults()->item(0)->text().startsWith("line 2:"));
    QVERIFY(!opened.editor->useButton()->isEnabled());
    QCOMPARE(opened.editor->text()->extraSelections().size(), 2);
    opened.editor->faults()->setCurrentRow(1);
    QCOMPARE(opened.editor->text()->textCursor().blockNumber(), 2);
    opened.paste("0..3");
    EVENTUALLY(opened.editor->useButton()->isEnabled());
    QCOMPARE(opened.editor->countText(), QString("4 items, from 0 to 3"));
  }

  void escapeChangesNothing() {
    OpenEditor opened;
    const IndexList before = opened.list();
    opened.paste("5");
    QTest::keyClick(opened.editor->text(), Qt::Key_Escape);
    EVENTUALLY(opened.window.findChild<ListEditor*>() == nullptr);
    QVERIFY(opened.list().isSharedWith(before));
  }

  void aColumnOfATableIsChosen() {
    const test::TempFolder folder;
    test::spill(folder / "ids.csv", "id,other\n1,8\n2,9\n");
    OpenEditor opened;
    opened.editor->readFromFile(QString::fromStdString((folder / "ids.csv").string()));
    EVENTUALLY_EQUAL(opened.editor->columns()->count(), 2);
    QVERIFY(!opened.editor->text()->isEnabled());
    opened.editor->columns()->setCurrentIndex(1);
    emit opened.editor->columns()->activated(1);
    EVENTUALLY_EQUAL(opened.editor->countText(), QString("2 items, from 8 to 9"));
    opened.editor->useButton()->click();
    QCOMPARE(opened.list(), (IndexList{8, 9}));
  }

  /// The text is not put into the editor, which would stand still.
  void aLongPastedTextIsReadWhole() {
    OpenEditor opened;
    QString text;
    for (int i = 0; i < 100'000; ++i) text += QString::number(i % 16) + "\n";
    opened.paste(text);
    QVERIFY(!opened.editor->text()->isEnabled());
    EVENTUALLY_EQUAL(opened.editor->answer().count, countOf(100'000, "item") + ", from 0 to 15");
    QCOMPARE(opened.editor->text()->toPlainText(), QString("0..7"));
  }

  void readingALongListCanBeLeft() {
    OpenEditor opened;
    QString text;
    for (int i = 0; i < 3'000'000; ++i) text += "1\n";
    opened.paste(text);
    QVERIFY(opened.editor->isReading());
    opened.editor->dismiss();
    EVENTUALLY(opened.window.findChild<ListEditor*>() == nullptr);
    QCOMPARE(opened.list().size(), std::size_t{8});
  }
};

SHARDLENS_WINDOW_TEST(ListEditorTest)
#include "list_editor_test.moc"
