// SPDX-License-Identifier: GPL-3.0-or-later
// A field's marks: the dot that resets it, and its name, which is dragged.
#include "ui/widgets/design/field_row.h"

#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/design/form_driver.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/toast.h"

#include <QAbstractButton>
#include <QApplication>
#include <QContextMenuEvent>
#include <QLabel>
#include <QMenu>
#include <QTest>
#include <QTimer>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

struct ShownForm {
  Workspace workspace;
  FormPanel panel{workspace};

  ShownForm() {
    panel.resize(280, 700);
    panel.show();
    if (!QTest::qWaitFor([&] { return isAnswered(workspace); }, 60'000)) qFatal("There is no plan.");
  }
  [[nodiscard]] QAbstractButton* dot(const char* path) const {
    return panel.findChild<QAbstractButton*>(QString("reset:") + path);
  }
  [[nodiscard]] QLabel* name(const char* path) const {
    for (QLabel* label : panel.row(path)->findChildren<QLabel*>()) {
      if (label->buddy() != nullptr) return label;
    }
    return nullptr;
  }
  /// Opens the field's menu and takes its first entry.
  void resetByMenu(const char* path) const {
    QTimer::singleShot(0, [] {
      auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
      if (menu == nullptr) qFatal("There is no menu.");
      menu->setActiveAction(menu->actions().front());
      QTest::keyClick(menu, Qt::Key_Return);
    });
    QContextMenuEvent event(QContextMenuEvent::Keyboard, {}, panel.row(path)->mapToGlobal(QPoint()));
    QCoreApplication::sendEvent(panel.row(path), &event);
  }
  /// Drags the field's name so many pixels to the right, a few at a time.
  void drag(const char* path, int pixels) const {
    QLabel* label = name(path);
    const QPoint from = label->rect().center();
    QTest::mousePress(label, Qt::LeftButton, {}, from);
    for (int i = 1; i <= 4; ++i) {
      QMouseEvent move(QEvent::MouseMove, QPointF(from + QPoint(pixels * i / 4, 0)),
                       QPointF(label->mapToGlobal(from + QPoint(pixels * i / 4, 0))), Qt::NoButton, Qt::LeftButton, {});
      QCoreApplication::sendEvent(label, &move);
    }
    QTest::mouseRelease(label, Qt::LeftButton, {}, from + QPoint(pixels, 0));
  }
};

}  // namespace

class FieldRowTest : public QObject {
  Q_OBJECT

 private slots:
  void theDotOfAChangedValueTakesItBack() {
    ShownForm form;
    QVERIFY(!form.dot("loader.batch_size")->isVisible());
    QVERIFY(form.workspace.document.edit({{"loader.batch_size", std::int64_t{5}}}, "size"));
    EVENTUALLY(form.dot("loader.batch_size")->isVisible());
    EVENTUALLY(form.panel.row("loader.batch_size")->toolTip().contains("Set here, instead of the default (2)."));
    QVERIFY(form.dot("loader.batch_size")->accessibleName().startsWith("Reset loader.batch_size"));
    form.dot("loader.batch_size")->click();
    QCOMPARE(form.workspace.document.spec().loader.batch_size, 2);
    QVERIFY(!form.dot("loader.batch_size")->isVisible());
    EVENTUALLY(form.panel.row("loader.batch_size")->toolTip().contains("This is the default (2)."));
    form.workspace.document.undoStack().undo();
    QCOMPARE(form.workspace.document.spec().loader.batch_size, 5);
  }

  void theMenuResetsAsTheDotDoes() {
    ShownForm form;
    Document& document = form.workspace.document;
    type(lineOf(form.panel, "loader.batch_size"), "64");
    form.resetByMenu("loader.batch_size");
    QCOMPARE(document.spec().loader.batch_size, 2);
    QCOMPARE(lineOf(form.panel, "loader.batch_size")->text(), QString("2"));
    QVERIFY(Toast::of(form.panel).text().contains("loader.batch_size was reset"));
    Toast::of(form.panel).undoButton()->click();
    QCOMPARE(document.spec().loader.batch_size, 64);  // what was typed is a change of its own
  }

  void aResetThatChangesNothingOffersNoUndo() {
    ShownForm form;
    Document& document = form.workspace.document;
    QVERIFY(document.edit({{"loader.batch_size", std::int64_t{5}}}, "size"));
    EVENTUALLY(form.dot("loader.batch_size")->isVisible());
    form.panel.hide();  // it follows later
    document.undoStack().undo();
    QVERIFY(document.edit({{"epochs", std::int64_t{7}}}, "epochs"));
    form.dot("loader.batch_size")->click();
    QCOMPARE(document.spec().loader.batch_size, 2);
    QCOMPARE(Toast::of(form.panel).text(), QString());
  }

  void draggingANameChangesTheNumberWithOneUndo() {
    ShownForm form;
    const int before = form.workspace.document.undoStack().count();
    form.drag("loader.batch_size", 40);
    QCOMPARE(form.workspace.document.spec().loader.batch_size, 12);
    QCOMPARE(lineOf(form.panel, "loader.batch_size")->text(), QString("12"));
    form.drag("loader.batch_size", -400);
    QCOMPARE(form.workspace.document.spec().loader.batch_size, 1);
    QCOMPARE(form.workspace.document.undoStack().count(), before + 2);
    form.workspace.document.undoStack().undo();
    QCOMPARE(form.workspace.document.spec().loader.batch_size, 12);
    form.workspace.document.undoStack().undo();
    QVERIFY(!form.workspace.document.isModified());
  }

  void aPressOnANameChangesNothing() {
    ShownForm form;
    QTest::mouseClick(form.name("loader.batch_size"), Qt::LeftButton);
    QVERIFY(!form.workspace.document.isModified());
  }
};

SHARDLENS_WINDOW_TEST(FieldRowTest)
#include "field_row_test.moc"
