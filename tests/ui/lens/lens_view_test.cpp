// SPDX-License-Identifier: GPL-3.0-or-later
// What of the lens is in sight: the playhead, notes, and every entry of the legend.
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/lens/shown_lens.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/lens/lens_column_view.h"
#include "ui/widgets/lens/lens_panel.h"
#include "ui/widgets/stage/stage_view.h"

#include <QApplication>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>
#include <QWheelEvent>
#include <QtTest/qtestspontaneevent.h>

#include <algorithm>
#include <cstddef>
#include <set>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

/// The part of the notes that has words, in pixels of `area`.
QRect placeOfNotes(const LensColumnView& column, const QWidget& area) {
  const QWidget& notes = *column.notes();
  return {notes.mapTo(&area, QPoint()), QSize(notes.width(), notes.minimumHeight())};
}

std::ptrdiff_t shownNotes(const LensColumnView& column) {
  const auto labels = column.notes()->findChildren<LinkLabel*>();
  return std::ranges::count(labels, false, &QWidget::isHidden);
}

/// As if a mouse did: what a widget ignores goes to those around it.
void turnWheel(QWidget& widget, int angle) {
  QWheelEvent wheel(QPointF(5, 5), widget.mapToGlobal(QPointF(5, 5)), {}, {0, angle}, {}, {}, Qt::NoScrollPhase, false);
  QSpontaneKeyEvent::setSpontaneous(&wheel);
  qApp->notify(&widget, &wheel);
}

}  // namespace

class LensViewTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { applyTheme(Theme::light()); }

  /// The playhead went on while the lens was out of sight.
  void thePlayheadIsInSightWhenTheLensIsEntered() {
    PipelineSpec spec = shuffled();
    spec.dataset.size = 40'000;
    ShownLens shown(spec);
    StageView* written = shown.column("as-written")->stage();
    StageView* lightning = shown.column("lightning")->stage();
    shown.panel.hide();
    shown.workspace.playback.seek(0, 1494);
    shown.panel.show();
    for (const StageView* stage : {written, lightning}) {
      EVENTUALLY(stage->steps().first <= 1494 && stage->steps().first + stage->steps().shown() >= 1494);
    }
    written->panSteps(-1400);  // whoever scrolls away stays there
    const double first = written->steps().first;
    shown.workspace.playback.setSpeed(1);
    shown.workspace.playback.play();
    shown.workspace.playback.advance(0.5);
    QCOMPARE(written->steps().first, first);
  }

  void titlesAreWhole() {
    ShownLens shown(shuffled());
    QVERIFY(shown.column("as-written") != nullptr);
    const auto columns = shown.panel.columns();
    QVERIFY(columns.size() > 1);
    for (const LensColumnView* column : columns) {
      const auto* title = column->findChild<QLabel*>("lens:title");
      QVERIFY2(title->text().remove(QChar(0x200b)) == column->title(), qPrintable(title->text()));
      EVENTUALLY(title->height() >= title->heightForWidth(title->width()) &&
                 title->width() >= title->minimumSizeHint().width());
    }
  }

  /// In a low window too, with everything that there is to say.
  void notesAreWholeWithoutAScrollBarOfTheirOwn() {
    ShownLens shown(shuffled());
    QVERIFY(shown.column("accelerate") != nullptr);
    shown.panel.resize(1100, 420);
    const auto is_whole = [](const LensColumnView& column) {
      const auto labels = column.findChildren<LinkLabel*>();
      return std::ranges::all_of(labels, [&column](const LinkLabel* label) {
        const QRect place(label->mapTo(&column, QPoint()), label->size());
        return label->isHidden() || label->plain().isEmpty() ||
               (label->height() >= label->heightForWidth(label->width()) && column.rect().contains(place));
      });
    };
    int unfolded = 0;
    for (const LensColumnView* column : shown.panel.columns()) {
      QVERIFY(column->findChildren<QScrollArea*>().isEmpty());
      EVENTUALLY(is_whole(*column));
      const auto before = shownNotes(*column);
      auto* details = column->findChild<LinkButton*>("lens:details");
      if (details->isHidden()) continue;
      details->click();
      ++unfolded;
      EVENTUALLY(shownNotes(*column) > before && is_whole(*column));
    }
    QVERIFY(unfolded > 0);
  }

  void detailsUnfoldIntoSight() {
    ShownLens shown(shuffled());
    QVERIFY(shown.column("accelerate") != nullptr);
    shown.panel.resize(1100, 300);
    const auto* lens = shown.panel.findChild<LensColumns*>();
    const auto* rows = lens->findChild<QScrollArea*>(QString(), Qt::FindDirectChildrenOnly);
    const auto* across = lens->findChild<QScrollBar*>(QString(), Qt::FindDirectChildrenOnly);
    EVENTUALLY(isSettled());
    const int high = rows->viewport()->height();
    for (const LensColumnView* column : shown.panel.columns()) {
      auto* details = column->findChild<LinkButton*>("lens:details");
      if (details->isHidden()) continue;
      rows->verticalScrollBar()->setValue(0);
      details->click();
      EVENTUALLY(isSettled());
      const QRect notes = placeOfNotes(*column, *rows->viewport());
      QVERIFY2(notes.top() == 0 || (notes.top() > 0 && notes.bottom() < high), qPrintable(column->title()));
    }
    rows->verticalScrollBar()->setValue(rows->verticalScrollBar()->maximum());
    for (const LensColumnView* column : shown.panel.columns()) {
      QVERIFY2(placeOfNotes(*column, *rows->viewport()).bottom() < high, qPrintable(column->title()));
    }
    QVERIFY(across->isVisible() && lens->rect().contains(across->geometry()));
  }

  /// First sideways, a column a notch, over a picture as over the bar; at the end of the columns down.
  void theWheelGoesOnDownAtTheEndOfTheColumns() {
    ShownLens shown(shuffled());
    QVERIFY(shown.column("accelerate") != nullptr);
    shown.panel.resize(1100, 300);
    const auto* lens = shown.panel.findChild<LensColumns*>();
    const QScrollBar* down = lens->findChild<QScrollArea*>(QString(), Qt::FindDirectChildrenOnly)->verticalScrollBar();
    auto* across = lens->findChild<QScrollBar*>(QString(), Qt::FindDirectChildrenOnly);
    EVENTUALLY(isSettled() && down->maximum() > 0 && across->maximum() > 0);
    StageView& stage = *shown.panel.columns().front()->stage();
    turnWheel(stage, -120);
    const int notch = across->value();
    QVERIFY(notch > 0 && down->value() == 0);
    across->setValue(0);
    turnWheel(*across, -120);
    QCOMPARE(across->value(), notch);
    across->setValue(across->maximum());
    const StageAxis before = stage.steps();
    turnWheel(stage, -120);
    QVERIFY(down->value() > 0);
    QCOMPARE(stage.steps(), before);
  }

  void aTitleIsDroppedOnColumnsThatAreScrolledDown() {
    ShownLens shown(shuffled());
    QVERIFY(shown.column("accelerate") != nullptr);
    shown.panel.resize(1100, 300);
    const auto* lens = shown.panel.findChild<LensColumns*>();
    QScrollBar* down = lens->findChild<QScrollArea*>(QString(), Qt::FindDirectChildrenOnly)->verticalScrollBar();
    EVENTUALLY(isSettled() && down->maximum() > 0);
    down->setValue(down->maximum());
    const LensColumnView* second = shown.panel.columns()[1];
    QCOMPARE(lens->placeAt(second->mapToGlobal(second->rect().center())), 1);
  }

  void noEntryOfTheLegendIsLeftOut() {
    std::vector<LegendEntry> cells;
    for (const char* words :
         {"read more than once", "padding", "another batch in this place", "batch that never comes"})
      cells.push_back({LegendMark::Never, words, {}, {}, {}});
    const std::vector<LegendEntry> bar(3, {LegendMark::Lost, "in other steps", {}, {}, {}});
    LensLegend legend;
    legend.show();  // one that is hidden is not laid out
    legend.setEntries(cells, bar);
    std::set<int> heights;
    for (int width = 1600; width > 300; --width) {
      legend.resize(width, legend.height());
      QVERIFY2(legend.shownEntries() == cells.size() + bar.size(), qPrintable(QString::number(width)));
      heights.insert(legend.height());
    }
    QVERIFY(heights.size() > 2);
  }
};

SHARDLENS_WINDOW_TEST(LensViewTest)
#include "lens_view_test.moc"
