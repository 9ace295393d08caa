// SPDX-License-Identifier: Apache-2.0
// A perspective is one row, a tab is one row: what is added to the tables is found everywhere.
#include "tests/support/places.h"
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "ui/widgets/common/fields.h"
#include "ui/widgets/common/style.h"
#include "ui/window/bottom_tabs.h"
#include "ui/window/design_page.h"
#include "ui/window/dialogs.h"
#include "ui/window/header_bar.h"
#include "ui/window/main_window.h"
#include "ui/window/perspectives.h"
#include "ui/window/screenshot.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QProcess>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <algorithm>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

/// The page of a perspective that the program does not have.
class ProbePage : public Page {
  Q_OBJECT

 public:
  explicit ProbePage(Workspace& /*workspace*/, QWidget* parent) : Page(parent) {}

  void enter(const QString& perspective) override { entered = perspective; }
  [[nodiscard]] QString command() const override { return "shardlens probe"; }
  [[nodiscard]] std::vector<ActionInfo> actions() override {
    return {{"probe.poke", "&Poke", [this] { ++pokes; }, keys("Ctrl+Alt+P")}};
  }
  [[nodiscard]] QVariantMap layout() const override { return {{"probe_depth", depth}}; }
  void restoreLayout(const QVariantMap& layout) override { depth = layout.value("probe_depth", 1).toInt(); }

  QString entered;
  int pokes = 0;
  int depth = 1;
};

class ProbeTab : public QWidget {
  Q_OBJECT

 public:
  using QWidget::QWidget;
};

Page* makeProbe(Workspace& workspace, QWidget* parent) {
  return new ProbePage(workspace, parent);
}

Page* makeDesignWithProbeTab(Workspace& workspace, QWidget* parent) {
  std::vector<TabRow> rows = bottomTabs();
  rows.push_back({"probe", "Probe", QKeySequence("Ctrl+Alt+T"), "shardlens probe %1",
                  [](Workspace&, QWidget* holder) -> QWidget* { return new ProbeTab(holder); }});
  return new DesignPage(workspace, parent, rows);
}

std::vector<Perspective> withProbe() {
  std::vector<Perspective> rows = perspectives();
  rows.push_back({.name = "probe",
                  .label = "Probe",
                  .menu = "Pro&be",
                  .key = QKeySequence("Ctrl+9"),
                  .make = makeProbe,
                  .keys_of = "Probe",
                  .page_keys = {{"Look deeper", {"Insert"}}}});
  return rows;
}

std::vector<Perspective> withProbeTab() {
  std::vector<Perspective> rows = perspectives();
  rows.front().make = makeDesignWithProbeTab;
  return rows;
}

void open(MainWindow& window) {
  window.resize(1280, 720);
  window.openFile(QString::fromStdString(test::sourceDir()) + "/resources/examples/distributed-sampler.yaml");
  window.show();
  window.activateWindow();
  QVERIFY(waitUntilReady(window));
}

QMenu* menuOf(const MainWindow& window, const QString& title) {
  for (QAction* action : window.menuBar()->actions()) {
    if (action->text() == title) return action->menu();
  }
  return nullptr;
}

QStringList labelsOf(const QWidget& widget) {
  QStringList texts;
  for (const QLabel* label : widget.findChildren<QLabel*>()) texts += label->text();
  return texts;
}

bool locatorFinds(MainWindow& window, const QString& word, const QString& action) {
  auto* field = window.findChild<QLineEdit*>("locator");
  field->setFocus();
  field->clear();
  QTest::keyClicks(field, word);
  const auto& hits = window.locator()->hits();
  return std::any_of(hits.begin(), hits.end(), [&action](const LocatorHit& hit) {
    return !hit.target.empty() && hit.target.front().id == action;
  });
}

/// What the program says to these arguments, on both channels.
QString studioSays(const QStringList& arguments) {
  QProcess process;
  process.setProcessChannelMode(QProcess::MergedChannels);
  process.start(QString::fromStdString(test::binDir()) + "/shardlens-studio", arguments);
  return process.waitForFinished(60'000) ? QString::fromUtf8(process.readAll()) : QString();
}

}  // namespace

class RowsTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    installFonts();
    applyTheme(Theme::light());
  }

  void aPerspectiveIsShownInHeaderMenusAndLocator() {
    MainWindow window({false, {}, false, withProbe()});
    open(window);
    QCOMPARE(window.findChild<SegmentedControl*>()->labels(),
             (QStringList{"Design", "Lens", "Resume", "Run", "Autopsy", "Probe"}));
    QVERIFY(menuOf(window, "&View")->actions().contains(window.actions().get("view.probe")));
    QVERIFY(menuOf(window, "Pro&be")->actions().contains(window.actions().get("probe.poke")));
    QVERIFY(locatorFinds(window, "probe", "view.probe"));
    QVERIFY(locatorFinds(window, "poke", "probe.poke"));
  }

  void itsKeysWorkAndAreListed() {
    MainWindow window({false, {}, false, withProbe()});
    open(window);
    QTest::keyClick(&window, Qt::Key_9, Qt::ControlModifier);
    auto* page = window.page<ProbePage>();
    QCOMPARE(window.perspective(), QString("probe"));
    QCOMPARE(page->entered, QString("probe"));
    QVERIFY(page->isVisible());
    QCOMPARE(window.findChild<SegmentedControl*>()->current(), 5);
    QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier | Qt::AltModifier);
    QCOMPARE(page->pokes, 1);
    const KeySheet sheet(window.actions(), withProbe());
    for (const char* text : {"Probe", "Poke", "Look deeper", "Ins"}) {
      QVERIFY2(labelsOf(sheet).contains(text), text);
    }
  }

  void tabsWithoutRoomAreInTheMenu() {
    TabStrip strip;
    const QStringList names{"overlap", "coverage", "seeds", "lanes", "waits", "export", "console"};
    for (const QString& name : names) strip.add(name, name, [](QWidget* parent) { return new QWidget(parent); });
    strip.resize(300, 200);
    strip.setVisible(true);
    auto* bar = strip.findChild<QTabBar*>();
    auto* more = strip.findChild<QToolButton*>();
    for (int width = 300; width < 800; width += 20) {
      strip.resize(width, 200);
      for (const QString& name : {QString("console"), QString("lanes"), QString("overlap")}) {
        QVERIFY(strip.show(name));
        QStringList seen;
        for (int i = 0; i < bar->count(); ++i) {
          if (bar->isTabVisible(i)) seen << bar->tabText(i);
          if (bar->isTabVisible(i)) QVERIFY(bar->tabRect(i).right() < strip.width());
        }
        QVERIFY(seen.contains(name));
        for (const QAction* action : more->menu()->actions()) seen << action->text();
        seen.sort();
        QStringList all = names;
        all.sort();
        QCOMPARE(seen, all);
        QCOMPARE(more->isVisible(), !more->menu()->actions().isEmpty());
      }
    }
    strip.resize(300, 200);
    const QString hidden = more->menu()->actions().back()->text();
    more->menu()->actions().back()->trigger();
    QCOMPARE(strip.current(), hidden);
    QVERIFY(bar->isTabVisible(bar->currentIndex()));
    strip.resize(1600, 200);
    QVERIFY(!more->isVisible());
    for (int i = 0; i < bar->count(); ++i) QVERIFY(bar->isTabVisible(i));
  }

  void aTabThatIsNotOfferedHasNoWordUntilItIsShown() {
    TabStrip strip;
    for (const QString& name : {QString("overlap"), QString("reduce"), QString("export")})
      strip.add(name, name, [](QWidget* parent) { return new QWidget(parent); });
    strip.setOffered("reduce", false);
    strip.resize(800, 200);
    strip.setVisible(true);
    auto* bar = strip.findChild<QTabBar*>();
    QVERIFY(bar->isTabVisible(0) && !bar->isTabVisible(1) && bar->isTabVisible(2));
    QVERIFY(strip.show("reduce"));
    QVERIFY(bar->isTabVisible(1));
    QVERIFY(strip.show("export"));
    QVERIFY(!bar->isTabVisible(1));
    strip.resize(60, 200);
    for (const QAction* action : strip.findChild<QToolButton*>()->menu()->actions())
      QVERIFY(action->text() != "reduce");
    strip.resize(800, 200);
    strip.setOffered("reduce", true);
    QVERIFY(bar->isTabVisible(1));
  }

  void itsCommandIsCopied() {
    MainWindow window({false, {}, false, withProbe()});
    window.setPerspective("probe");
    window.actions().get("edit.copy_command")->trigger();
    QCOMPARE(QApplication::clipboard()->text(), QString("shardlens probe"));
    QVERIFY(window.actions().get("view.probe")->toolTip().endsWith("shardlens probe"));
  }

  void aPictureCanBeTakenOfEachPerspective() {
    const QTemporaryDir folder;
    MainWindow window({false, {}, false, withProbe()});
    open(window);
    for (const QString& name : namesOf(withProbe())) {
      window.setPerspective(name);
      QCOMPARE(window.perspective(), name);
      const QString picture = folder.filePath(name + ".png");
      QVERIFY(takeScreenshot(window, picture, {1280, 720}).has_value());
      QCOMPARE(QImage(picture).size(), QSize(1280, 720));
    }
  }

  void aSessionRemembersIt() {
    const QTemporaryDir folder;
    {
      MainWindow window({true, folder.path(), false, withProbe()});
      window.setPerspective("probe");
      window.page<ProbePage>()->depth = 7;
      window.close();
    }
    const MainWindow next({true, folder.path(), false, withProbe()});
    QCOMPARE(next.perspective(), QString("probe"));
    QCOMPARE(next.page<ProbePage>()->depth, 7);
    const MainWindow without({true, folder.path(), false});
    QCOMPARE(without.perspective(), QString("design"));
  }

  void aTabIsShownInStripMenuAndLocator() {
    MainWindow window({false, {}, false, withProbeTab()});
    open(window);
    QVERIFY(window.design()->tabs()->names().contains("probe"));
    QVERIFY(menuOf(window, "&Analyse")->actions().contains(window.actions().get("analyse.probe")));
    QVERIFY(window.actions().get("analyse.probe")->toolTip().contains("shardlens probe "));
    QVERIFY(locatorFinds(window, "probe", "analyse.probe"));
    QTest::keyClick(&window, Qt::Key_T, Qt::ControlModifier | Qt::AltModifier);
    QCOMPARE(window.design()->tabs()->current(), QString("probe"));
    QVERIFY(window.findChild<ProbeTab*>()->isVisible());
  }

  void theProgramTakesTheNamesFromTheRows() {
    const QString help = studioSays({"--help"});
    const QString perspective = studioSays({"--perspective", "nothing"});
    const QString tab = studioSays({"--tab", "nothing"});
    QVERIFY2(help.contains(namesOf(perspectives()).join('|')), qPrintable(help));
    QVERIFY2(help.contains(namesOf(bottomTabs()).join(", ")), qPrintable(help));
    QVERIFY2(perspective.contains(namesOf(perspectives()).join(", ")), qPrintable(perspective));
    QVERIFY2(tab.contains(namesOf(bottomTabs()).join(", ")), qPrintable(tab));
  }
};

SHARDLENS_WINDOW_TEST(RowsTest)
#include "rows_test.moc"
