// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/lens/lens_panel.h"

#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/lens/shown_lens.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/refresh.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/lens/lens_column_view.h"
#include "ui/widgets/stage/stage_view.h"
#include "ui/widgets/stage/transport_bar.h"

#include <QAbstractButton>
#include <QApplication>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

#include <algorithm>

using namespace shardlens;
using namespace shardlens::ui;

class LensPanelTest : public QObject {
  Q_OBJECT

 private slots:
  /// The sentences of the columns need the room of the sliders where there is little.
  void theSlidersGoWhereThePanelIsLow() {
    ShownLens shown(shuffled());
    QVERIFY(shown.column("as-written") != nullptr);
    const auto* slider = shown.panel.findChild<ThinSlider*>();
    QVERIFY(!slider->isVisible());
    shown.panel.resize(1100, 900);
    EVENTUALLY(slider->isVisible());
  }

  void initTestCase() { applyTheme(Theme::light()); }

  void noColumnInSightIsCut() {
    ShownLens shown(shuffled());
    QVERIFY(shown.column("as-written"));
    const QRect room(QPoint(), shown.panel.size());
    const auto& columns = shown.panel.columns();
    QVERIFY(columns.size() > 4);
    for (const LensColumnView* view : columns) {
      const QRect place(view->mapTo(&shown.panel, QPoint()), view->size());
      const bool in_sight = place.left() + 8 < room.right();
      QVERIFY2(!in_sight || room.contains(place), qPrintable(QString::number(place.right())));
    }
  }

  void lightningDealsWhatNobodyWrote() {
    ShownLens shown(shuffled());
    LensColumnView* written = shown.column("as-written");
    LensColumnView* lightning = shown.column("lightning");
    QVERIFY(written && lightning);
    QCOMPARE(written->stage()->input().steps, 80);    // every rank reads everything
    QCOMPARE(lightning->stage()->input().steps, 20);  // a DistributedSampler divides
    QVERIFY(!written->stage()->input().differences);
    QVERIFY(lightning->stage()->input().differences);
    QCOMPARE(lightning->stage()->input().differences->batches(), 320);
    QVERIFY2(lightning->verdict().contains("differ"), qPrintable(lightning->verdict()));
    QVERIFY2(shown.panel.summary().contains("different batches"), qPrintable(shown.panel.summary()));
  }

  void usingAColumnIsOneUndoableEdit() {
    ShownLens shown(shuffled());
    LensColumnView* lightning = shown.column("lightning");
    QVERIFY(lightning);
    QVERIFY(!shown.column("as-written")->useButton()->isVisible());
    QTest::mouseClick(lightning->useButton(), Qt::LeftButton);
    QCOMPARE(shown.workspace.document.spec().sampler.type, std::string("torch.DistributedSampler"));
    QVERIFY(shown.workspace.document.undoStack().undoText().contains("Lightning"));
    shown.workspace.document.undoStack().undo();
    QCOMPARE(shown.workspace.document.spec(), shuffled());
  }

  void columnsOfAnOlderDesignCannotUndoAnEdit() {
    ShownLens shown(shuffled());
    LensColumnView* lightning = shown.column("lightning");
    QVERIFY(lightning);
    QVERIFY(shown.workspace.document.edit({{"loader.batch_size", std::int64_t{3}}}, "batches of three"));
    QVERIFY(!lightning->useButton()->isEnabled());
    emit lightning->useWanted();
    QCOMPARE(shown.workspace.document.spec().loader.batch_size, std::int64_t{3});
    EVENTUALLY(shown.column("lightning")->useButton()->isEnabled());
  }

  void anEditChangesEveryColumn() {
    ShownLens shown(shuffled());
    QVERIFY(shown.column("lightning"));
    QVERIFY(shown.workspace.document.edit({{"world.ranks_per_node", std::int64_t{2}}}, "two ranks"));
    EVENTUALLY_EQUAL(shown.column("lightning")->stage()->input().ranks(), 2);
    QCOMPARE(shown.column("as-written")->stage()->input().ranks(), 2);
  }

  void columnsScrollAndFollowThePlayheadTogether() {
    PipelineSpec spec = shuffled();
    spec.dataset.size = 4000;
    ShownLens shown(spec);
    StageView* written = shown.column("as-written")->stage();
    StageView* lightning = shown.column("lightning")->stage();
    EVENTUALLY(!written->isComputing() && !lightning->isComputing());
    written->panSteps(50);
    QCOMPARE(written->steps().first, 50.0);
    QCOMPARE(lightning->steps().first, 50.0);
    lightning->zoomSteps(0.5);
    QCOMPARE(written->steps().pitch, lightning->steps().pitch);
  }

  void aHiddenColumnIsNotComputed() {
    ShownLens shown(shuffled());
    QVERIFY(shown.column("lightning"));
    shown.panel.setShown("lightning", false);
    EVENTUALLY(std::none_of(shown.panel.columns().begin(), shown.panel.columns().end(),
                            [](LensColumnView* view) { return view->id() == "lightning"; }));
    QVERIFY(!shown.panel.isShown("lightning"));
    shown.panel.setShown("lightning", true);
    QVERIFY(shown.column("lightning"));
  }

  void knownColumnsAreNotComputedAgain() {
    ShownLens shown(shuffled());
    QVERIFY(shown.column("lightning"));
    const QList<QAction*> actions = shown.panel.findChild<QToolButton*>("lens:frameworks")->menu()->actions();
    const auto usual = std::ranges::find(actions, QString("The usual frameworks"), &QAction::text);
    QVERIFY(usual != actions.end());
    (*usual)->trigger();
    QVERIFY(LatestJob::allIdle());
    QVERIFY(shown.column("lightning")->useButton()->isEnabled());
  }

  void aChosenCellIsChosenInEveryColumn() {
    ShownLens shown(shuffled());
    StageView* written = shown.column("as-written")->stage();
    QVERIFY(written);
    EVENTUALLY(!written->cellOnScreen({1, 2}).isEmpty());
    QTest::mouseClick(written, Qt::LeftButton, {}, written->cellOnScreen({1, 2}).center());
    const Selected& selected = shown.workspace.selection.current();
    QCOMPARE(selected.ranks, std::vector<qint64>{1});
    QCOMPARE(selected.step.value_or(-1), 2);
  }

  /// A sample is marked where each framework puts it.
  void aSelectedSampleIsMarkedInEveryColumn() {
    ShownLens shown(shuffled());
    StageView* written = shown.column("as-written")->stage();
    StageView* other = shown.column("accelerate")->stage();
    EVENTUALLY(!written->cellOnScreen({1, 2}).isEmpty() && !other->input().isEmpty());
    const QImage plain = other->grab().toImage();
    const QImage plain_written = written->grab().toImage();
    // The reference shows its first steps, the other all of them: this one is in sight of both.
    const RankEpoch& rank = written->input().epoch->ranks.front();
    QVERIFY(!other->cellOnScreen({3, 19}).isEmpty());
    shown.workspace.selection.select({{}, {}, {}, rank.sample(rank.batch(Step{0}).first)});
    EVENTUALLY(written->grab().toImage() != plain_written && other->grab().toImage() != plain);
  }

  void theFirstColumnStaysBesideTheOthers() {
    ShownLens shown(shuffled());
    QVERIFY(shown.column("as-written"));
    for (const char* id : {"megatron", "mmengine", "timm", "grain", "fairseq", "detectron2"}) {
      shown.panel.setShown(id, true);
      QVERIFY(shown.column(id));
    }
    LensColumnView* written = shown.column("as-written");
    auto* scroll = shown.panel.findChild<QScrollArea*>("lens:others");
    QVERIFY(scroll && !scroll->isAncestorOf(written));
    QVERIFY(scroll->isAncestorOf(shown.column("timm")));
    EVENTUALLY(scroll->horizontalScrollBar()->maximum() > 0);
    const auto top = [&](LensColumnView* view) { return view->stage()->mapTo(&shown.panel, QPoint(0, 0)).y(); };
    const auto bottom = [&](LensColumnView* view) { return top(view) + view->stage()->height(); };
    for (LensColumnView* view : shown.panel.columns()) {
      EVENTUALLY_EQUAL(top(view), top(written));
      EVENTUALLY_EQUAL(bottom(view), bottom(written));
    }
  }

  void aFewColumnsShareTheWidth() {
    ShownLens shown(shuffled());
    QVERIFY(shown.column("lightning"));
    for (const QString& id : shown.panel.shownIds()) {
      if (id != "lightning") shown.panel.setShown(id.toStdString(), false);
    }
    EVENTUALLY_EQUAL(shown.panel.columns().size(), std::size_t{2});
    EVENTUALLY(std::abs(shown.panel.columns()[0]->width() - shown.panel.columns()[1]->width()) <= 2);
  }

  void columnsAreChosenOneAfterTheOtherInAnOpenMenu() {
    ShownLens shown(shuffled());
    QVERIFY(shown.column("as-written"));
    auto* button = shown.panel.findChild<QToolButton*>("lens:frameworks");
    QMenu* menu = button->menu();
    menu->popup(shown.panel.mapToGlobal(QPoint(0, 0)));
    EVENTUALLY(menu->isVisible());
    const auto entry = [&](const QString& title) {
      const QList<QAction*> actions = menu->actions();
      const auto at = std::find_if(actions.begin(), actions.end(),
                                   [&](QAction* action) { return action->text().trimmed() == title; });
      return at == actions.end() ? nullptr : *at;
    };
    for (const char* title : {"mmengine Runner", "Grain DataLoader"}) {
      QAction* action = entry(title);
      QVERIFY2(action && !action->isChecked(), title);
      QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
      QVERIFY(menu->isVisible());
      EVENTUALLY(entry(title)->isChecked());
    }
    QVERIFY(shown.column("mmengine") && shown.column("grain"));
    entry("The usual frameworks")->trigger();
    EVENTUALLY(!shown.panel.shownIds().contains("grain"));
    entry("All frameworks")->trigger();
    EVENTUALLY_EQUAL(shown.panel.shownIds().size(), std::ranges::count_if(menu->actions(), &QAction::isCheckable));
    QVERIFY(entry("For this design") && entry("For this design")->isSeparator());
    QVERIFY(menu->actions().indexOf(entry("For this design")) <
            menu->actions().indexOf(entry("Lightning 2.6 Trainer")));
    QVERIFY(menu->actions().indexOf(entry("Vision")) < menu->actions().indexOf(entry("mmengine Runner")));
    menu->close();
  }

  void aHeadSaysVerdictSharesAndPrice() {
    PipelineSpec spec = shuffled();
    spec.sampler = {"torch.DistributedSampler", {}};
    ShownLens shown(spec);
    LensColumnView* written = shown.column("as-written");
    LensColumnView* lightning = shown.column("lightning");
    LensColumnView* accelerate = shown.column("accelerate");
    QVERIFY(written && lightning && accelerate);
    QCOMPARE(written->headline(), QString("Reference"));
    QVERIFY2(written->shares().contains("400 samples in 80 batches"), qPrintable(written->shares()));
    QVERIFY2(lightning->headline().endsWith("Same order"), qPrintable(lightning->headline()));
    QVERIFY2(accelerate->headline().contains("of 400 samples lost"), qPrintable(accelerate->headline()));
    QVERIFY2(accelerate->shares().contains(QString::fromUtf8("lost\u00a075")), qPrintable(accelerate->shares()));
    QVERIFY2(accelerate->price().contains("Loses 300 samples"), qPrintable(accelerate->price()));
    const auto& cells = shown.panel.legend()->cells();
    QVERIFY(
        std::any_of(cells.begin(), cells.end(), [](const LegendEntry& one) { return one.mark == LegendMark::Never; }));
    const auto names_selection = [&cells] {
      return std::ranges::count(cells, LegendMark::Selected, &LegendEntry::mark);
    };
    QCOMPARE(names_selection(), 0);
    shown.workspace.selection.select({{1}, 0, 0, std::nullopt});
    QCOMPARE(names_selection(), 1);
  }

  /// What columns are called differs at the ends of their names.
  void namesThatAreCutAreStillToldApart() {
    const auto picture = [](const QString& name) {
      ElidedLabel label(name);
      label.setCut(Qt::ElideMiddle);
      label.resize(150, 20);
      return label.grab().toImage();
    };
    QVERIFY(picture("DataLoader(shuffle=True), without the sampler") !=
            picture("DataLoader(shuffle=True), with the sampler kept"));
  }

  void theWheelScrollsTheColumns() {
    ShownLens shown(shuffled());
    QVERIFY(shown.column("as-written"));
    auto* scroll = shown.panel.findChild<QScrollArea*>("lens:others");
    EVENTUALLY(scroll->horizontalScrollBar()->maximum() > 150);
    StageView* stage = shown.column("lightning")->stage();
    const StageAxis before = stage->steps();
    const auto turn = [&](int angle, Qt::KeyboardModifiers keys) {
      QWheelEvent wheel(QPointF(5, 5), stage->mapToGlobal(QPointF(5, 5)), {}, {0, angle}, {}, keys, Qt::NoScrollPhase,
                        false);
      QApplication::sendEvent(stage, &wheel);
    };
    turn(-120, {});
    QVERIFY(scroll->horizontalScrollBar()->value() > 150);
    QCOMPARE(stage->steps(), before);
    turn(120, {});
    QCOMPARE(scroll->horizontalScrollBar()->value(), 0);
    turn(120, Qt::ControlModifier);  // zooms the steps, as everywhere
    QCOMPARE(scroll->horizontalScrollBar()->value(), 0);
  }

  void columnsArePinnedMovedAndHiddenByKeys() {
    ShownLens shown(shuffled());
    LensColumnView* third = shown.column("accelerate");
    QVERIFY(third);
    const QStringList before = shown.panel.shownIds();
    shown.panel.activateWindow();
    third->stage()->setFocus();
    EVENTUALLY(third->stage()->hasFocus());
    QTest::keyClick(third->stage(), Qt::Key_Left, Qt::ControlModifier | Qt::ShiftModifier);
    EVENTUALLY_EQUAL(shown.panel.shownIds().indexOf("accelerate"), before.indexOf("accelerate") - 1);
    QTest::keyClick(third->stage(), Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
    EVENTUALLY_EQUAL(shown.panel.shownIds().front(), QString("accelerate"));
    auto* scroll = shown.panel.findChild<QScrollArea*>("lens:others");
    QVERIFY(!scroll->isAncestorOf(third));
    const QVariantMap choice = shown.panel.choice();
    QTest::keyClick(third->stage(), Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
    EVENTUALLY(!shown.panel.shownIds().contains("accelerate"));
    shown.panel.setChoice(choice);
    EVENTUALLY_EQUAL(shown.panel.shownIds().front(), QString("accelerate"));
  }

  void aDraggedTitleTakesTheColumnAlong() {
    ShownLens shown(shuffled());
    QVERIFY(shown.column("as-written"));
    LensColumnView* first = shown.panel.columns()[1];
    LensColumnView* second = shown.panel.columns()[2];
    const std::string id = first->id();
    emit first->dragged(second->mapToGlobal(second->rect().center()));
    QCOMPARE(shown.panel.columns()[2]->id(), id);
    EVENTUALLY(shown.panel.columns()[1]->x() < shown.panel.columns()[2]->x());
  }

  void aColumnIsStoppedAndComputedAgain() {
    PipelineSpec spec = shuffled();
    spec.dataset.size = 20'000'000;
    spec.sampler = {"torch.DistributedSampler", {}};
    ShownLens shown(spec);
    EVENTUALLY(shown.panel.columns().size() > 3);  // names and places before any order
    LensColumnView* last = shown.panel.columns().back();
    QVERIFY(last->isWaiting());
    EVENTUALLY(last->stopButton()->isVisible());
    QTest::mouseClick(last->stopButton(), Qt::LeftButton);
    const std::string id = last->id();
    last = shown.column(id);
    QVERIFY(last);
    QCOMPARE(last->headline(), QString("Stopped"));
    QVERIFY(!last->useButton()->isEnabled());
    QVERIFY(!shown.column("lightning")->isWaiting());
    QTest::mouseClick(last->stopButton(), Qt::LeftButton);
    last = shown.column(id);
    QVERIFY(last->headline() != QString("Stopped"));
  }

  void oneMoreColumnLeavesTheOthersAsTheyAre() {
    ShownLens shown(shuffled());
    const auto epochOf = [](const LensColumnView* view) { return view->stage()->input().epoch; };
    const auto lightning = epochOf(shown.column("lightning"));
    const auto written = epochOf(shown.column("as-written"));
    QVERIFY(lightning && written);
    QVERIFY(!shown.panel.isShown("timm"));
    shown.panel.setShown("timm", true);
    LensColumnView* timm = shown.column("timm");
    QVERIFY(timm);
    EVENTUALLY(!timm->isWaiting());
    QVERIFY(epochOf(shown.column("lightning")) == lightning);
    QVERIFY(epochOf(shown.column("as-written")) == written);
  }

  void aColumnThatHasARemedyOffersTheMendedDesign() {
    PipelineSpec spec = shuffled();
    spec.sampler = {"torch.DistributedSampler", {}};
    ShownLens shown(spec);
    LensColumnView* accelerate = shown.column("accelerate");
    QVERIFY(accelerate && accelerate->mendButton()->isVisible());
    QVERIFY(!shown.column("as-written")->mendButton()->isVisible());
    QTest::mouseClick(accelerate->mendButton(), Qt::LeftButton);
    QVERIFY(shown.workspace.document.spec() != spec);
    QUndoStack& undo = shown.workspace.document.undoStack();
    QVERIFY(undo.canUndo());
    undo.undo();
    QCOMPARE(shown.workspace.document.spec(), spec);
  }

  void aSpecWithProblemsSaysSo() {
    PipelineSpec spec = shuffled();
    spec.sampler.type = "torch.NoSampler";
    ShownLens shown(spec);
    LensColumnView* written = shown.column("as-written");
    QVERIFY(written);
    QVERIFY(written->stage()->input().isEmpty());
    QVERIFY2(written->stage()->notice().text.contains("no sampler"), qPrintable(written->stage()->notice().text));
  }
};

SHARDLENS_WINDOW_TEST(LensPanelTest)
#include "lens_panel_test.moc"
