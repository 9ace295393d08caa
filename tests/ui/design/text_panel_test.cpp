// SPDX-License-Identifier: Apache-2.0
// The text beside the form: problems marked where they are, and links to them.
#include "ui/widgets/design/text_panel.h"

#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/style.h"

#include <QApplication>
#include <QTest>
#include <QTextBlock>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

/// The panel in a window of its own, with the text of a small design.
struct Shown {
  Shown() {
    panel.resize(420, 600);
    panel.show();
    panel.activateWindow();
  }
  /// Types another number of epochs over the one that is there; the line it stands in.
  int typeEpochs(const QString& epochs) {
    SpecEditor* editor = panel.editor();
    editor->moveCursor(QTextCursor::Start);
    if (!editor->find("epochs: 2")) return 0;
    QTest::keyClicks(editor, "epochs: " + epochs);
    return editor->textCursor().blockNumber() + 1;
  }
  [[nodiscard]] bool hasText() const { return panel.editor()->toPlainText().contains("shardlens: 2"); }

  Workspace workspace;
  TextPanel panel{workspace};
};

}  // namespace

class TextPanelTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    installFonts();
    applyTheme(Theme::light());
  }

  void typingIntoTheTextChangesTheDesign() {
    Shown shown;
    EVENTUALLY(shown.hasText());
    QVERIFY2(shown.panel.state().startsWith("The text matches the form"), qPrintable(shown.panel.state()));
    QVERIFY(shown.typeEpochs("7") > 0);
    EVENTUALLY_EQUAL(shown.workspace.document.spec().epochs, std::int64_t{7});
    QVERIFY(shown.panel.problems().isEmpty());
  }

  void aProblemIsUnderlinedAndListedWithItsLine() {
    Shown shown;
    EVENTUALLY(shown.hasText());
    SpecEditor* editor = shown.panel.editor();
    const int line = shown.typeEpochs("many");
    EVENTUALLY_EQUAL(shown.panel.problems().size(), 1);
    QVERIFY2(shown.panel.problems().front().startsWith(QString("Line %1: ").arg(line)),
             qPrintable(shown.panel.problems().front()));
    QCOMPARE(editor->marks(), (std::vector<std::pair<int, int>>{{line, 9}}));
    QVERIFY(shown.panel.state().startsWith("1 problem"));
    for (int i = 0; i < 4; ++i) QTest::keyClick(editor, Qt::Key_Backspace);
    QTest::keyClicks(editor, "3");
    EVENTUALLY(shown.panel.problems().isEmpty());
    QVERIFY(editor->marks().empty());
    QCOMPARE(shown.workspace.document.spec().epochs, std::int64_t{3});
  }

  void aProblemLeadsToItsPlace() {
    Shown shown;
    EVENTUALLY(shown.hasText());
    SpecEditor* editor = shown.panel.editor();
    const int line = shown.typeEpochs("many");
    EVENTUALLY_EQUAL(shown.panel.problems().size(), 1);
    editor->moveCursor(QTextCursor::Start);
    LinkButton* problem = nullptr;
    for (LinkButton* link : shown.panel.findChildren<LinkButton*>()) {
      if (link->isVisible() && link->text() == shown.panel.problems().front()) problem = link;
    }
    QVERIFY(problem != nullptr);
    problem->click();
    QCOMPARE(editor->textCursor().blockNumber(), line - 1);
    QCOMPARE(editor->textCursor().positionInBlock(), 8);
  }

  void anEditOfTheFormLeavesTheCursorWhereItIs() {
    Shown shown;
    EVENTUALLY(shown.hasText());
    SpecEditor* editor = shown.panel.editor();
    QTextCursor cursor = editor->textCursor();
    cursor.setPosition(5);
    editor->setTextCursor(cursor);
    QVERIFY(shown.workspace.document.edit({{"epochs", std::int64_t{9}}}, "nine epochs"));
    EVENTUALLY(editor->toPlainText().contains("epochs: 9"));
    QCOMPARE(editor->textCursor().position(), 5);
  }

  void nothingIsComputedWhileItIsHidden() {
    Shown shown;
    EVENTUALLY(shown.hasText());
    shown.panel.hide();
    QVERIFY(shown.workspace.document.edit({{"epochs", std::int64_t{9}}}, "nine epochs"));
    QVERIFY(!shown.panel.editor()->toPlainText().contains("epochs: 9"));
    shown.panel.show();
    EVENTUALLY(shown.panel.editor()->toPlainText().contains("epochs: 9"));
  }
};

SHARDLENS_WINDOW_TEST(TextPanelTest)
#include "text_panel_test.moc"
