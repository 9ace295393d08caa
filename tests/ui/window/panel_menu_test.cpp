// SPDX-License-Identifier: Apache-2.0
// Every panel of every page has the same menu: what it shows as text, as CSV where it is a table, and as a picture.
#include "ui/widgets/common/panel_menu.h"

#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/run/run_recordings.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/common/toast.h"
#include "ui/widgets/design/findings_panel.h"
#include "ui/widgets/design/inspector_panel.h"
#include "ui/widgets/design/text_panel.h"
#include "ui/widgets/lens/lens_panel.h"
#include "ui/widgets/resume/resume_list.h"
#include "ui/widgets/resume/resume_page.h"
#include "ui/widgets/resume/way_details.h"
#include "ui/widgets/run/arrival_panel.h"
#include "ui/widgets/run/compare_panel.h"
#include "ui/widgets/run/console_view.h"
#include "ui/widgets/run/launch_panel.h"
#include "ui/widgets/run/loaders_panel.h"
#include "ui/widgets/run/proof_panel.h"
#include "ui/widgets/run/rank_board.h"
#include "ui/widgets/run/run_page.h"
#include "ui/widgets/run/waits_tab.h"
#include "ui/widgets/stage/stage_panel.h"
#include "ui/window/bottom_tabs.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QImage>
#include <QListView>
#include <QMenu>

#include <memory>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

/// What the panel's menu offers, "Copy Seeds as text | Copy Seeds as CSV | ...".
QStringList offersOf(const QWidget& panel) {
  const PanelMenu* menu = PanelMenu::around(&panel);
  if (menu == nullptr) return {};
  const std::unique_ptr<QMenu> made(menu->make());
  QStringList offers;
  for (const QAction* action : made->actions()) {
    if (!action->isSeparator()) offers += action->text();
  }
  return offers;
}

/// Opens the menu as the Menu key does, and chooses from it.
void choose(QWidget& panel, const QString& what) {
  QContextMenuEvent event(QContextMenuEvent::Keyboard, panel.rect().center(), panel.mapToGlobal(panel.rect().center()));
  QApplication::sendEvent(&panel, &event);
  auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
  QVERIFY(menu != nullptr);
  const auto actions = menu->actions();
  const auto wanted =
      std::find_if(actions.begin(), actions.end(), [&](const QAction* action) { return action->text() == what; });
  QVERIFY2(wanted != actions.end(), qPrintable(what));
  (*wanted)->trigger();
  delete menu;
}

}  // namespace

class PanelMenuTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    installFonts();
    applyTheme(Theme::light());
  }

  void everyPanelHasItsMenu() {
    Recordings recordings;
    Fixture f;
    QVERIFY(f.window.openFile(recordings.recording(4, 2)));
    EVENTUALLY(f.workspace().runs.state() != nullptr && !f.workspace().runs.isActive());
    for (const char* name : {"design", "lens", "resume", "run", "autopsy"}) {
      f.window.setPerspective(name);
      EVENTUALLY(f.isReady());
    }
    DesignPage& design = *f.window.design();
    const RunPage& run = *f.window.page<RunPage>();
    const ResumePage& resume = *f.window.page<ResumePage>();
    struct Row {
      QString name;
      const QWidget* panel;
      bool is_table;
    };
    std::vector<Row> rows = {
        {"Design form", design.form(), true},
        {"Design as text", design.text(), false},
        {"Stage", design.stage(), true},
        {"Inspector", design.inspector(), true},
        {"Findings", design.findings(), true},
        {"Lens", f.window.page<LensPage>()->panel(), true},
        {"Design form", f.window.page<LensPage>()->form(), true},
        {"Stop and restart", resume.controls(), false},
        {"Resume methods", resume.list(), true},
        {"Selected method", resume.details(), false},
        {"Launch", run.findChild<LaunchPanel*>(), false},
        {"Recordings", run.findChild<RecordingsPanel*>(), true},
        {"Rank lanes", run.board(), true},
        {"Proof", run.findChild<ProofPanel*>(), true},
        {"What its loaders read", run.findChild<LoadersPanel*>(), false},
        {"Arrivals", run.findChild<ArrivalPanel*>(), true},
        {"Console", run.console(), true},
        {"Comparison", run.comparison(), true},
        {"Overlap", design.tabs()->tab("overlap"), true},
        {"Coverage", design.tabs()->tab("coverage"), true},
        {"Seeds", design.tabs()->tab("seeds"), true},
        {"Rank lanes", design.tabs()->tab("lanes"), true},
        {"Waits", design.tabs()->tab("waits"), true},
        {"All-reduce", design.tabs()->tab("reduce"), false},
        {"Export", design.tabs()->tab("export"), false},
        {"Console", design.tabs()->tab("console")->findChild<ConsoleView*>(), true},
    };
    for (const Row& row : rows) {
      QVERIFY2(row.panel != nullptr, qPrintable(row.name));
      QStringList wanted = {"Copy " + row.name + " as text"};
      if (row.is_table) wanted += "Copy " + row.name + " as CSV";
      const QStringList offers = offersOf(*row.panel);
      QCOMPARE(offers.mid(0, wanted.size()), wanted);
      QVERIFY2(offers.contains("Copy picture of this panel") && offers.contains("Save picture…"), qPrintable(row.name));
      const PanelMenu& menu = *PanelMenu::around(row.panel);
      QVERIFY2(!menu.text().trimmed().isEmpty() || !row.panel->isVisible(), qPrintable(row.name));
      const QString csv = row.is_table ? menu.gives().csv() : QString();
      QVERIFY2(csv.isEmpty() ? !row.is_table || !row.panel->isVisible() : csv.section('\n', 0, 0).contains(','),
               qPrintable(row.name));
    }
    QCOMPARE(std::size_t(8), design.tabRows().size());  // a new tab wants a row above
  }

  void whatTheRunShowsIsCopied() {
    Recordings recordings;
    Fixture f;
    QVERIFY(f.window.openFile(recordings.recording(4, 2)));
    f.window.setPerspective("autopsy");
    EVENTUALLY(f.isReady() && f.workspace().runs.state() != nullptr);
    const QClipboard& clipboard = *QApplication::clipboard();
    RunPage& run = *f.window.page<RunPage>();
    choose(*run.board(), "Copy Rank lanes as CSV");
    QVERIFY2(clipboard.text().startsWith("rank,epoch,step,phase,begin_ms,end_ms\n0,"), qPrintable(clipboard.text()));
    QVERIFY(clipboard.text().contains(",compute,"));
    choose(*run.board(), "Copy Rank lanes as text");
    QVERIFY2(clipboard.text().contains("rank 2"), qPrintable(clipboard.text()));
    choose(*run.findChild<ArrivalPanel*>(), "Copy Arrivals as CSV");
    QVERIFY(clipboard.text().startsWith("rank,collectives,median_ms,p5_ms,p95_ms\n0,"));
    QCOMPARE(clipboard.text().count('\n'), 5);
    choose(*run.console(), "Copy Console as CSV");
    QVERIFY2(clipboard.text().contains("1,stderr,[1] worker restarted\n"), qPrintable(clipboard.text()));
    choose(*run.console(), "Copy picture of this panel");
    QCOMPARE(clipboard.image().size(), run.console()->size());
    QCOMPARE(Toast::of(f.window).text(), QString("Copied the picture of Console"));
  }

  /// The selected lines of a list, before all of the panel; and of panels in one another the one with the focus.
  void ctrlCCopiesWhatHasTheFocus() {
    Recordings recordings;
    Fixture f;
    QVERIFY(f.window.openFile(recordings.recording(4, 2)));
    f.window.setPerspective("autopsy");
    EVENTUALLY(f.isReady() && f.workspace().runs.state() != nullptr);
    const QClipboard& clipboard = *QApplication::clipboard();
    auto* lines = f.window.page<RunPage>()->findChild<QListView*>("consoleLines");
    lines->setFocus();
    lines->setCurrentIndex(lines->model()->index(1, 0));
    QTest::keyClick(lines, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(clipboard.text(), QString("[0] loss 1.832"));
    f.window.actions().get("analyse.waits")->trigger();
    EVENTUALLY(f.isReady());
    auto* bars = f.window.design()->tabs()->findChild<WaitBars*>();
    EVENTUALLY(bars->isVisible());
    bars->setFocus();
    QTest::keyClick(bars, Qt::Key_C, Qt::ControlModifier);
    QVERIFY2(clipboard.text().startsWith("rank,"), qPrintable(clipboard.text()));
  }
};

SHARDLENS_WINDOW_TEST(PanelMenuTest)
#include "panel_menu_test.moc"
