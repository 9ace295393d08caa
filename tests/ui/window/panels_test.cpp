// SPDX-License-Identifier: Apache-2.0
// Panels that can be hidden, toasts that say what was done, and what fits into the usual window.
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/run/run_recordings.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/plot/matrix_plot.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/sheet.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/common/toast.h"
#include "ui/widgets/design/findings_panel.h"
#include "ui/widgets/design/inspector_panel.h"
#include "ui/widgets/design/text_panel.h"
#include "ui/widgets/run/rank_board.h"
#include "ui/widgets/run/run_page.h"
#include "ui/widgets/stage/legend_row.h"
#include "ui/widgets/stage/stage_panel.h"
#include "ui/widgets/stage/stage_view.h"
#include "ui/widgets/stage/transport_bar.h"
#include "ui/widgets/start/gallery.h"
#include "ui/widgets/start/tour.h"
#include "ui/widgets/tabs/overlap_view.h"
#include "ui/window/banner.h"
#include "ui/window/bottom_tabs.h"
#include "ui/window/status_line.h"

#include <QApplication>
#include <QClipboard>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QTemporaryDir>
#include <QVBoxLayout>

using namespace shardlens;
using namespace shardlens::ui;

class PanelsTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    installFonts();
    applyTheme(Theme::light());
  }

  void panelsAreHiddenAndComeBackByKeys() {
    Fixture f;
    DesignPage& design = *f.window.design();
    const int stage = design.stage()->width();
    QTest::keyClick(&f.window, Qt::Key_B, Qt::ControlModifier);
    QVERIFY(!design.form()->isVisible());
    QVERIFY(!f.window.actions().get("view.form")->isChecked());
    QTest::keyClick(&f.window, Qt::Key_B, Qt::ControlModifier | Qt::AltModifier);
    QVERIFY(!design.findings()->isVisible() && !design.inspector()->isVisible());
    QTest::keyClick(&f.window, Qt::Key_J, Qt::ControlModifier);
    QVERIFY(!design.tabs()->isVisible());
    EVENTUALLY(design.stage()->width() > stage + 400);
    QTest::keyClick(&f.window, Qt::Key_1, Qt::AltModifier);  // whoever goes there wants to see it
    QVERIFY(design.form()->isVisible());
    f.window.actions().get("analyse.seeds")->trigger();
    QVERIFY(design.tabs()->isVisible());
    f.window.actions().get("view.reset_layout")->trigger();
    QVERIFY(design.findings()->isVisible());
    QVERIFY(f.window.actions().get("view.side")->isChecked());
    EVENTUALLY_EQUAL(design.stage()->width(), stage);
  }

  void theBottomTabsBecomeLargeAndSmallAgain() {
    Fixture f("shard-local-rank");
    EVENTUALLY(f.isReady());
    TabStrip& tabs = *f.window.design()->tabs();
    auto* bar = tabs.findChild<QTabBar*>();
    const int usual = tabs.height();
    const QPoint first = bar->tabRect(0).center();
    QTest::mouseDClick(bar, Qt::LeftButton, {}, first);
    EVENTUALLY(tabs.height() > usual + 60);
    QVERIFY(f.window.design()->stage()->stage()->height() > 0);
    QTest::mouseDClick(bar, Qt::LeftButton, {}, first);
    EVENTUALLY_EQUAL(tabs.height(), usual);
    f.window.actions().get("design.large_tabs")->trigger();
    EVENTUALLY(tabs.height() > usual + 60);
    f.window.actions().get("view.reset_layout")->trigger();
    EVENTUALLY_EQUAL(tabs.height(), usual);
  }

  /// The text takes the place of the form; what is found in it stays in sight.
  void whoeverGoesToTheFormBehindTheTextSeesIt() {
    Fixture f;
    DesignPage& design = *f.window.design();
    const QAction* form = f.window.actions().get("view.form");
    const auto hide = [&] {
      design.showText(true);
      QVERIFY(!design.form()->isVisible() && !form->isChecked());
      QVERIFY(design.findings()->isVisible() && design.inspector()->isVisible());
    };
    hide();
    QTest::keyClick(&f.window, Qt::Key_1, Qt::AltModifier);
    QVERIFY(design.form()->isVisible() && !design.text()->isVisible() && form->isChecked());
    hide();
    f.window.actions().get("view.form")->trigger();
    QVERIFY(design.form()->isVisible() && !design.text()->isVisible() && form->isChecked());
  }

  void theTextIsThereAgainInTheNextSession() {
    const QTemporaryDir folder;
    {
      MainWindow window({true, folder.path(), false});
      window.resize(1280, 720);
      window.show();
      window.design()->showText(true);
      window.close();
    }
    MainWindow window({true, folder.path(), false});
    window.show();
    QVERIFY(window.design()->text()->isVisible() && !window.design()->form()->isVisible());
    window.design()->showText(false);
    QVERIFY(window.design()->form()->isVisible());
  }

  void hiddenPanelsStayHiddenInTheNextSession() {
    const QTemporaryDir folder;
    {
      MainWindow window({true, folder.path(), false});
      window.show();
      window.actions().get("view.form")->trigger();
      window.actions().get("view.tabs")->trigger();
      window.close();
    }
    MainWindow window({true, folder.path(), false});
    window.show();
    QVERIFY(!window.design()->form()->isVisible() && !window.design()->tabs()->isVisible());
    QVERIFY(window.design()->findings()->isVisible());
    QVERIFY(!window.actions().get("view.form")->isChecked() && window.actions().get("view.side")->isChecked());
  }

  void coverageNeedsNoScrolling() {
    Fixture f("evaluation-padding");
    f.window.design()->tabs()->show("coverage");
    EVENTUALLY(f.isReady());
    auto* room = qobject_cast<QScrollArea*>(f.window.design()->tabs()->tab("coverage")->parentWidget()->parentWidget());
    QVERIFY(room != nullptr);
    EVENTUALLY_EQUAL(room->verticalScrollBar()->maximum(), 0);
  }

  void aMarkOutOfViewIsALinkToWhereItIs() {
    Fixture f("shard-local-rank");
    EVENTUALLY(f.isReady());
    StagePanel& panel = *f.window.design()->stage();
    LegendRow& legend = *panel.legend();
    const auto& entries = legend.entries();
    const auto padding = std::ranges::find(entries, LegendMark::Hatch, &LegendEntry::mark);
    QVERIFY(padding != entries.end() && padding->place);
    const CellAddress place = *padding->place;
    const QRect link = legend.entryOnScreen(static_cast<std::size_t>(padding - entries.begin()));
    QTest::mouseClick(&legend, Qt::LeftButton, {}, link.center());
    QCOMPARE(panel.stage()->selected(), std::optional(place));
    QVERIFY(!panel.stage()->cellOnScreen(place).isEmpty());
    EVENTUALLY(!std::ranges::find(legend.entries(), LegendMark::Hatch, &LegendEntry::mark)->place);
  }

  void aRecordingIsToldOfInRunAndThePlanWhereItIsLaunched() {
    Recordings recordings;
    Fixture f;
    QVERIFY(f.window.openFile(recordings.recording(4, 2)));
    EVENTUALLY(f.workspace().runs.state() != nullptr && !f.workspace().runs.isActive());
    f.window.setPerspective("run");
    QVERIFY(f.window.page<RunPage>()->board()->isVisible());
    QVERIFY(!f.window.status()->text().startsWith("world 2"));
    QVERIFY(f.window.page<RunPage>()->command().startsWith("shardlens replay "));
    f.window.actions().get("run.watch")->trigger();
    QVERIFY(!f.window.page<RunPage>()->board()->isVisible());
    QVERIFY2(f.window.status()->text().startsWith("world 2 (1 × 2)"), qPrintable(f.window.status()->text()));
  }

  void aFixIsToldOfAndCanBeTakenBackThere() {
    Fixture f("shard-local-rank");
    EVENTUALLY(f.isReady());
    const PipelineSpec before = f.spec();
    QWidget* focused = QApplication::focusWidget();
    const auto cards = f.window.design()->findings()->findChildren<FindingCard*>();
    const auto fixable = std::ranges::find_if(cards, [](const FindingCard* card) { return card->finding().fix(); });
    QVERIFY(fixable != cards.end());
    const Fix fix = *(*fixable)->finding().fix();
    emit(*fixable)->fixWanted(fix);
    QVERIFY(f.spec() != before);
    Toast& toast = Toast::of(f.window);
    QVERIFY2(toast.text().startsWith("Fix applied: "), qPrintable(toast.text()));
    QCOMPARE(QApplication::focusWidget(), focused);
    QCOMPARE(toast.accessibleName(), toast.text());
    QCOMPARE(toast.timer().interval(), 4000);
    QVERIFY(toast.timer().isActive());
    QTest::mouseClick(toast.undoButton(), Qt::LeftButton);
    QCOMPARE(f.spec(), before);
    QVERIFY(toast.isHidden());
  }

  void aToastTakesBackNothingThatCameLater() {
    Fixture f;
    Document& document = f.workspace().document;
    QVERIFY(document.edit({{"dataset.size", std::int64_t{40}}}, "size"));
    Toast::sayDone(f.window, document.undoStack(), "done");
    QVERIFY(!Toast::of(f.window).isHidden());
    document.endTyping();
    QVERIFY(document.edit({{"loader.batch_size", std::int64_t{4}}}, "batch"));
    QVERIFY(Toast::of(f.window).isHidden());
  }

  /// Escape is "no" to a question, wherever the focus is; a message without a choice stays.
  void escapeCancelsWhatABannerAsks() {
    QWidget window;
    auto* column = new QVBoxLayout(&window);
    auto* banner = new Banner(&window);
    auto* elsewhere = new QLineEdit(&window);
    column->addWidget(banner);
    column->addWidget(elsewhere);
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window, 60'000));
    elsewhere->setFocus();
    bool done = false;
    banner->show("A job runs.", "warning", {{"Stop it and quit", [&done] { done = true; }}});
    QTest::keyClick(elsewhere, Qt::Key_Escape);
    QVERIFY(!banner->isVisible() && !done);
    banner->show("The file cannot be read.", "error");
    QTest::keyClick(elsewhere, Qt::Key_Escape);
    QVERIFY(banner->isVisible());
  }

  void theTourIsWalkedByKeysAndShowsRealParts() {
    Fixture f;
    f.window.actions().get("view.tabs")->trigger();  // it brings hidden parts back
    QWidget* before = QApplication::focusWidget();
    f.window.actions().get("help.tour")->trigger();
    auto* tour = f.window.findChild<Tour*>();
    QVERIFY(tour != nullptr && tour->hasFocus());
    const DesignPage& design = *f.window.design();
    const std::vector<QWidget*> parts = {design.form(), design.stage()->stage(), design.stage()->transport(),
                                         design.findings(), design.tabs()};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      QCOMPARE(tour->current(), i);
      QVERIFY(tour->spot().contains(QRect(parts[i]->mapTo(&f.window, QPoint()), parts[i]->size())));
      QVERIFY(f.window.rect().contains(tour->card()->geometry()));
      QVERIFY(!tour->mask().contains(tour->spot().center()) ||
              tour->card()->geometry().contains(tour->spot().center()));
      if (i == 2) {
        QTest::keyClick(tour, Qt::Key_Left);
        QCOMPARE(tour->current(), i - 1);
        QTest::keyClick(tour, Qt::Key_Right);
        QTest::keyClick(tour, Qt::Key_Space);  // does what the tour says here
        QVERIFY(f.workspace().playback.isPlaying());
        QTest::keyClick(tour, Qt::Key_Space);
      }
      QTest::keyClick(tour, Qt::Key_Return);
    }
    EVENTUALLY(f.window.findChild<Tour*>() == nullptr);
    QCOMPARE(QApplication::focusWidget(), before);
  }

  /// On the screen, where the Stage and the matrix of the Overlap are painted only when they are asked to.
  void theTourLeavesNoShadeOnItsPart() {
    Fixture f("shard-local-rank");
    f.window.design()->tabs()->show("overlap");
    EVENTUALLY(f.isReady());
    f.window.actions().get("help.tour")->trigger();
    auto* tour = f.window.findChild<Tour*>();
    const auto brightShare = [&](QWidget& part) {
      const QImage seen = f.window.screen()->grabWindow(f.window.winId()).toImage();
      const QImage whole = part.grab().toImage();
      int same = 0, all = 0;
      for (int x = 1; x < part.width(); x += part.width() / 8) {
        for (int y = 1; y < part.height(); y += part.height() / 8) {
          const QPoint at = part.mapTo(&f.window, QPoint(x, y));
          if (tour->card()->geometry().contains(at)) continue;
          ++all;
          same += seen.pixel(at) == whole.pixel(x, y) ? 1 : 0;
        }
      }
      return all == 0 ? 0.0 : double(same) / all;
    };
    QWidget& stage = *f.window.design()->stage()->stage();
    QWidget& matrix = f.window.findChild<OverlapView*>()->matrix();
    QVERIFY(matrix.isVisible());
    EVENTUALLY(brightShare(stage) < 0.2);
    QTest::keyClick(tour, Qt::Key_Return);
    EVENTUALLY(brightShare(stage) > 0.8);
    for (int stop = 2; stop < 5; ++stop) QTest::keyClick(tour, Qt::Key_Return);
    EVENTUALLY(brightShare(matrix) > 0.8);
    QTest::keyClick(tour, Qt::Key_Escape);
  }

  void theTourComesOnceByItself() {
    const QTemporaryDir folder;
    MainWindow window({true, folder.path(), false});
    QVERIFY(window.isFirstStart());
    window.openFirst();
    window.show();
    window.welcome();
    window.findChild<Gallery*>()->reject();
    auto* tour = window.findChild<Tour*>();
    QVERIFY(tour != nullptr);
    QTest::keyClick(tour, Qt::Key_Escape);
    EVENTUALLY(window.findChild<Tour*>() == nullptr);
    EVENTUALLY(window.findChild<Gallery*>() == nullptr);
    window.welcome();
    window.findChild<Gallery*>()->reject();
    QVERIFY(window.findChild<Tour*>() == nullptr);
  }

  void anExamplePlaysItsFirstEpochAndThenPointsAtItsFinding() {
    Fixture f;
    Playback& playback = f.workspace().playback;
    QSignalSpy played(&playback, &Playback::playingChanged);
    f.window.actions().get("file.examples")->trigger();
    emit f.window.findChild<Gallery*>()->chosen(example("shard-local-rank"));
    f.window.findChild<Gallery*>()->accept();
    EVENTUALLY(f.isReady() && !played.isEmpty());
    QVERIFY(static_cast<double>(playback.steps()) / playback.speed() <= 15.5);
    if (playback.isPlaying()) {  // a slow machine may be through by now
      playback.advance(static_cast<double>(playback.steps()) - playback.position() - 0.5);
      QVERIFY(!playback.isPlaying() || !f.workspace().selection.current().finding);
      playback.advance(1);
    }
    QVERIFY(!playback.isPlaying());
    EVENTUALLY(f.isReady() && f.workspace().selection.current().finding.has_value());
    const auto& cards = f.window.design()->findings()->cards();
    QVERIFY(!cards.empty() && cards.front()->isChosen());
    QCOMPARE(cards.front()->finding().severity, Severity::Error);
  }

  /// From the gallery and from the menu, also where a run that is over is in view.
  void aJobOfOnesOwnCanBeWatchedFromTheStart() {
    Fixture f;
    f.window.actions().get("file.examples")->trigger();
    auto* gallery = f.window.findChild<Gallery*>();
    auto* card = gallery->findChild<Card*>("start.run.watch");
    QVERIFY(card != nullptr && card->isVisible());
    QTest::mouseClick(card, Qt::LeftButton);
    EVENTUALLY(f.window.findChild<Gallery*>() == nullptr);
    QCOMPARE(f.window.perspective(), QString("run"));
    auto* typed = f.window.findChild<QLineEdit*>("watchCommand");
    QVERIFY(typed != nullptr && typed->isVisible());
    QVERIFY(f.window.focusWidget() == typed);
    f.window.setPerspective("design");
    f.window.actions().get("run.watch")->trigger();
    QVERIFY(typed->isVisible());
    QVERIFY(f.window.focusWidget() == typed);
  }

  void withoutMotionAToastComesAndGoesAtOnce() {
    Fixture f;
    f.window.actions().get("view.reduce_motion")->trigger();
    copyText(f.window, "shardlens plan spec.yaml");
    Toast& toast = Toast::of(f.window);
    QCOMPARE(QApplication::clipboard()->text(), QString("shardlens plan spec.yaml"));
    QCOMPARE(toast.text(), QString("Copied: shardlens plan spec.yaml"));
    QVERIFY(toast.graphicsEffect() == nullptr && !toast.undoButton()->isVisible());
    QVERIFY(f.window.rect().contains(toast.geometry()));
    toast.timer().start(0);
    EVENTUALLY(toast.isHidden());
  }
};

SHARDLENS_WINDOW_TEST(PanelsTest)
#include "panels_test.moc"
