// SPDX-License-Identifier: Apache-2.0
// Panels of every page are hidden, moved and put back, by menu and by key; a toast says so and takes it back.
#include "ui/widgets/common/arrangement.h"

#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/run/run_recordings.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/panel_menu.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/common/toast.h"
#include "ui/widgets/design/findings_panel.h"
#include "ui/widgets/design/inspector_panel.h"
#include "ui/widgets/run/arrival_panel.h"
#include "ui/widgets/run/console_view.h"
#include "ui/widgets/run/proof_panel.h"
#include "ui/widgets/run/rank_board.h"
#include "ui/widgets/run/run_page.h"
#include "ui/widgets/stage/stage_panel.h"
#include "ui/widgets/stage/stage_view.h"

#include <QApplication>
#include <QMenu>
#include <QStackedWidget>
#include <QTemporaryDir>

#include <memory>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

constexpr Qt::KeyboardModifiers kMoves = Qt::AltModifier | Qt::ShiftModifier;

QStringList wordsOf(const QMenu& menu) {
  QStringList words;
  for (const QAction* action : menu.actions()) words += action->text();
  return words;
}

/// Chooses from the menu of the panel that the widget is in.
void choose(const QWidget& panel, const QString& what) {
  const std::unique_ptr<QMenu> menu(PanelMenu::around(&panel)->make());
  for (QAction* action : menu->actions()) {
    if (action->text() == what) return action->trigger();
  }
  QFAIL(qPrintable(what + " is not in: " + wordsOf(*menu).join(", ")));
}

/// Where its left upper corner is in the window.
QPoint cornerOf(const QWidget& widget) {
  return widget.mapTo(widget.window(), QPoint());
}

/// What stands where: to be compared.
QStringList standing(const Arrangement& page) {
  QStringList out;
  for (const auto& panel : page.panels()) out += (page.isShown(panel.id) ? "" : "-") + panel.id;
  return out;
}

}  // namespace

class ArrangementTest : public QObject {
  Q_OBJECT

  Recordings recordings_;

 private slots:
  void initTestCase() {
    qputenv("SHARDLENS_RUNS", (recordings_.folder() / "runs").c_str());
    installFonts();
    applyTheme(Theme::light());
  }

  void everyPanelOfEveryPageIsHiddenAndComesBack() {
    Fixture f;
    QVERIFY(f.window.openFile(recordings_.recording(4, 2)));
    EVENTUALLY(f.isReady() && f.workspace().runs.state() != nullptr);
    const std::vector<std::pair<QString, QStringList>> pages = {
        {"design", {"form", "-text", "stage", "tabs", "inspector", "findings"}},
        {"lens", {"form", "lens"}},
        {"resume", {"controls", "methods", "details"}},
        {"autopsy", {"ranks", "proof", "loaders", "arrivals", "console", "stall", "findings"}}};
    for (const auto& [perspective, ids] : pages) {
      f.window.setPerspective(perspective);
      EVENTUALLY(f.isReady());
      auto* current = f.window.findChild<QStackedWidget*>()->currentWidget();
      Arrangement& page = *Arrangement::around(current);
      QCOMPARE(standing(page), ids);
      for (const auto& panel : page.panels()) {
        if (!panel.can_hide || !page.isInSight(panel.id)) continue;
        const QString hide = "Hide " + panel.title;
        const auto inside = panel.widget->findChildren<QWidget*>();
        const QWidget* held = PanelMenu::around(panel.widget) != nullptr ? panel.widget : nullptr;
        for (const QWidget* one : inside) {
          if (held == nullptr && one->findChild<PanelMenu*>(QString(), Qt::FindDirectChildrenOnly) != nullptr)
            held = one;
        }
        QVERIFY2(held != nullptr, qPrintable(panel.id));
        choose(*held, hide);
        QVERIFY2(!panel.widget->isVisible(), qPrintable(panel.id));
        QCOMPARE(Toast::of(f.window).text(), "Hidden: " + panel.title);
        Toast::of(f.window).undoButton()->click();
        QVERIFY2(panel.widget->isVisible(), qPrintable(panel.id));
      }
      QVERIFY(page.isUsual());
    }
  }

  void panelsMovePastTheirNeighboursAndAreRestored() {
    Fixture f;
    DesignPage& design = *f.window.design();
    Arrangement& page = *design.panels();
    const int form_at_first = cornerOf(*design.form()).x();
    const int width = design.form()->width();
    choose(*design.form(), "Move right");
    QCOMPARE(Toast::of(f.window).text(), QString("Moved right: Design form"));
    EVENTUALLY(cornerOf(*design.form()).x() > cornerOf(*design.stage()).x());
    EVENTUALLY_EQUAL(design.form()->width(), width);
    choose(*design.inspector(), "Move down");
    EVENTUALLY(cornerOf(*design.inspector()).y() > cornerOf(*design.findings()).y());
    choose(*design.inspector(), "Move left");  // with the whole column: past the form
    QCOMPARE(Toast::of(f.window).text(), QString("Moved left: Findings, Inspector"));
    EVENTUALLY(cornerOf(*design.inspector()).x() < cornerOf(*design.form()).x());
    QCOMPARE(standing(page), QStringList({"-text", "stage", "tabs", "findings", "inspector", "form"}));
    Toast::of(f.window).undoButton()->click();
    QCOMPARE(standing(page), QStringList({"-text", "stage", "tabs", "form", "findings", "inspector"}));
    f.window.actions().get("panel.restore")->trigger();
    QVERIFY(page.isUsual());
    EVENTUALLY_EQUAL(cornerOf(*design.form()).x(), form_at_first);
    Toast::of(f.window).undoButton()->click();
    QCOMPARE(standing(page), QStringList({"-text", "stage", "tabs", "form", "findings", "inspector"}));
    f.window.actions().get("view.reset_layout")->trigger();
    QVERIFY(page.isUsual());
  }

  void keysMoveAndHideThePanelWithTheFocus() {
    Fixture f;
    QVERIFY(f.window.openFile(recordings_.recording(4, 2)));
    f.window.setPerspective("autopsy");
    EVENTUALLY(f.isReady() && f.workspace().runs.state() != nullptr);
    const RunPage& run = *f.window.page<RunPage>();
    auto* console = run.console()->findChild<QWidget*>("consoleLines");
    const auto* proof = run.findChild<ProofPanel*>();
    console->setFocus();
    const int lanes = run.board()->height();
    QTest::keyClick(console, Qt::Key_Left, kMoves);
    QTest::keyClick(console, Qt::Key_Left, kMoves);
    EVENTUALLY(cornerOf(*run.console()).x() < cornerOf(*proof).x());
    QTest::keyClick(console, Qt::Key_Up, kMoves);  // proof and arrivals come along
    EVENTUALLY(cornerOf(*run.console()).y() < cornerOf(*run.board()).y());
    QVERIFY(cornerOf(*proof).y() < cornerOf(*run.board()).y());
    QVERIFY(console->hasFocus());
    QTest::keyClick(console, Qt::Key_H, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(!run.console()->isVisible());
    QVERIFY(QApplication::focusWidget() != nullptr && QApplication::focusWidget()->isVisible());
    QTest::keyClick(&f.window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(run.console()->isVisible());
    EVENTUALLY(cornerOf(*run.console()).y() > cornerOf(*run.board()).y());
    EVENTUALLY_EQUAL(run.board()->height(), lanes);
  }

  void theViewMenuListsThePanelsOfThePageInView() {
    Fixture f;
    f.window.setPerspective("resume");
    QMenu* panels = nullptr;
    for (auto* menu : f.window.findChildren<QMenu*>()) {
      if (menu->title() == "&Panels") panels = menu;
    }
    QVERIFY(panels != nullptr);
    emit panels->aboutToShow();
    QCOMPARE(wordsOf(*panels).mid(0, 3), QStringList({"Stop and restart", "Resume methods", "Selected method"}));
    QVERIFY(!panels->actions()[1]->isEnabled());
    auto* details = Arrangement::around(f.window.findChild<QStackedWidget*>()->currentWidget())->panels()[2].widget;
    panels->actions()[2]->trigger();
    QVERIFY(!details->isVisible());
    emit panels->aboutToShow();
    QVERIFY(!panels->actions()[2]->isChecked());
    panels->actions()[2]->trigger();
    QVERIFY(details->isVisible());
  }

  void tabGoesThroughThePanelsAsTheyStand() {
    Fixture f;
    const DesignPage& design = *f.window.design();
    const auto panelAfterForm = [&] {
      const QWidget* widget = f.line("dataset.size");
      while (design.panels()->idOf(widget) == "form") widget = widget->nextInFocusChain();
      while (design.panels()->idOf(widget).isEmpty() || (widget->focusPolicy() & Qt::TabFocus) == 0 ||
             !widget->isVisible())
        widget = widget->nextInFocusChain();
      return design.panels()->idOf(widget);
    };
    QCOMPARE(panelAfterForm(), QString("stage"));
    design.panels()->movePanel("form", Arrangement::Direction::Right);
    QCOMPARE(panelAfterForm(), QString("inspector"));
  }

  void placesAreRememberedInTheNextSession() {
    const QTemporaryDir folder;
    QStringList left;
    {
      MainWindow window({true, folder.path(), false});
      window.resize(1280, 720);
      window.show();
      Arrangement& page = *window.design()->panels();
      page.movePanel("form", Arrangement::Direction::Right);
      page.movePanel("tabs", Arrangement::Direction::Up);
      page.hidePanels({"inspector"});
      left = standing(page);
      window.close();
    }
    QCOMPARE(left, QStringList({"-text", "tabs", "stage", "form", "-inspector", "findings"}));
    MainWindow window({true, folder.path(), false});
    window.show();
    QCOMPARE(standing(*window.design()->panels()), left);
    QVERIFY(!window.design()->inspector()->isVisible() && window.design()->findings()->isVisible());
  }
};

SHARDLENS_WINDOW_TEST(ArrangementTest)
#include "arrangement_test.moc"
