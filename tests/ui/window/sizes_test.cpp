// SPDX-License-Identifier: GPL-3.0-or-later
// What is in sight at the sizes of the drawings, in the real window: 960x600, 1280x720 and 1920x1080.
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/run/run_recordings.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/run/rank_board.h"
#include "ui/widgets/run/run_page.h"
#include "ui/widgets/run/waits_tab.h"
#include "ui/widgets/stage/legend_row.h"
#include "ui/widgets/stage/stage_panel.h"
#include "ui/widgets/stage/transport_bar.h"
#include "ui/widgets/tabs/audit_parts.h"
#include "ui/window/bottom_tabs.h"
#include "ui/window/dialogs.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>
#include <QTest>

#include <set>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

constexpr QSize kSmall(960, 600);
constexpr QSize kUsual(1280, 720);
constexpr QSize kLarge(1920, 1080);

struct Sized : Fixture {
  Sized(const char* name, QSize size) : Fixture(name) {
    window.resize(size);
    settle();
  }
  void settle() { settled = waitUntilReady(window); }
  /// The tab, shown; what it is scrolled in is its area.
  QWidget* tab(const QString& name) {
    window.design()->tabs()->show(name);
    settle();
    return window.design()->tabs()->tab(name);
  }
};

QScrollArea& areaOf(const QWidget& tab) {
  return *qobject_cast<QScrollArea*>(tab.parentWidget()->parentWidget());
}

/// How far below the edge of its tab a place in a widget lies; not positive: it is in sight.
int below(const QWidget& tab, const QWidget& widget, double y) {
  return widget.mapTo(&tab, QPoint(0, static_cast<int>(y))).y() - areaOf(tab).viewport()->height();
}

}  // namespace

class SizesTest : public QObject {
  Q_OBJECT

  Recordings recordings_;

 private slots:
  void initTestCase() {
    qputenv("SHARDLENS_RUNS", (recordings_.folder() / "runs").c_str());
    installFonts();
    applyTheme(Theme::light());
  }

  void theWaitsOfFourRanksAreInSight() {
    Sized f("slow-rank", kSmall);
    QVERIFY(f.workspace().runs.open(recordings_.recording(4, 2)).has_value());
    QWidget* tab = f.tab("waits");
    const auto* bars = tab->findChild<WaitBars*>();
    EVENTUALLY_EQUAL(bars->rows().size(), std::size_t{4});
    EVENTUALLY_EQUAL(tab->findChild<LinkLabel*>("waitsHead")->plain(), "Everyone waits for rank 2");
    EVENTUALLY_EQUAL(bars->shownRanks().size(), std::size_t{4});
    EVENTUALLY(f.isReady() && below(*tab, *bars, 4 * 16) <= 0);
    QCOMPARE(areaOf(*tab).horizontalScrollBar()->maximum(), 0);
  }

  void theLanesOfARunHaveTheirLegendAndNoWordsOverTheirButtons() {
    Sized f("slow-rank", kUsual);
    QVERIFY(f.workspace().runs.open(recordings_.recording(4, 2)).has_value());
    QWidget* tab = f.tab("lanes");
    EVENTUALLY(tab->findChild<LinkLabel*>("lanesNote")->plain().startsWith("Measured"));
    auto* board = tab->findChild<RankBoard*>();
    EVENTUALLY_EQUAL(board->shownRanks().size(), std::size_t{4});
    EVENTUALLY(f.isReady() && below(*tab, *board, board->layoutNow().legend.bottom()) <= 0);
    QVERIFY(!board->layoutNow().scrolls());
    const QRect place = board->findChild<QPushButton*>("latest")->geometry();
    for (const int key : {Qt::Key_Home, Qt::Key_W, Qt::Key_A, Qt::Key_W, Qt::Key_D}) {
      QTest::keyClick(board, static_cast<Qt::Key>(key));
      QImage below_it(place.size(), QImage::Format_ARGB32_Premultiplied);
      below_it.fill(Qt::transparent);
      board->render(&below_it, QPoint(), place, QWidget::RenderFlags());  // without the button itself
      std::set<QRgb> colours;
      for (int x = 0; x < below_it.width(); ++x) {
        for (int y = 0; y < below_it.height(); ++y) colours.insert(below_it.pixel(x, y));
      }
      QCOMPARE(colours.size(), std::size_t{1});
    }
  }

  void seedsHaveRowsInSight() {
    Sized f("seed-same", kSmall);
    QWidget* tab = f.tab("seeds");
    const auto* table = tab->findChild<QTableView*>();
    EVENTUALLY(table->model()->rowCount() > 2);
    EVENTUALLY(table->viewport()->height() >= 2 * table->rowHeight(0));
    EVENTUALLY(below(*tab, *table->viewport(), 2 * table->rowHeight(0)) <= 0);
  }

  void theCountOfSeedsIsWholeOrNotThere() {
    for (const QSize size : {kSmall, kUsual, QSize(1400, 800), kLarge}) {
      Sized f("seed-same", size);
      QWidget* tab = f.tab("seeds");
      EVENTUALLY(f.isReady() && tab->findChild<QTableView*>()->model()->rowCount() > 2);
      for (const QLabel* label : tab->findChildren<QLabel*>()) {
        if (!label->isVisible() || label->wordWrap()) continue;
        QVERIFY2(label->width() >= label->sizeHint().width(), qPrintable(label->text()));
      }
    }
  }

  void nothingOfCoverageIsElided() {
    Sized f("evaluation-padding", kSmall);
    QWidget* tab = f.tab("coverage");
    EVENTUALLY(tab->findChild<IdList*>() != nullptr);
    for (const auto* label : tab->findChildren<ElidedLabel*>()) {
      EVENTUALLY(f.isReady() && !label->fullText().isEmpty());
      QVERIFY2(label->width() >= label->sizeHint().width(), qPrintable(label->fullText()));
    }
    for (const auto* choice : tab->findChildren<QComboBox*>()) {
      if (!choice->isVisible()) continue;
      const int words = choice->fontMetrics().horizontalAdvance(choice->currentText());
      QVERIFY2(words + 30 <= choice->width(), qPrintable(choice->currentText()));
    }
  }

  void theDetailsOfAColumnAreInSight() {
    for (const QSize size : {kSmall, kUsual}) {
      Sized f("distributed-sampler", size);
      f.window.setPerspective("lens");
      EVENTUALLY(f.window.findChildren<LinkButton*>("lens:details").size() > 3);
      EVENTUALLY(f.isReady());
      int seen = 0;
      for (const auto* details : f.window.findChildren<LinkButton*>("lens:details")) {
        if (!details->isVisible() || details->visibleRegion().isEmpty()) continue;
        ++seen;
        QCOMPARE(details->visibleRegion().boundingRect().height(), details->height());
      }
      QVERIFY(seen >= 2);
    }
  }

  void theLegendSaysWhatTheBarsOfCellsAre() {
    for (const QSize size : {kSmall, kUsual, kLarge}) {
      Sized f("slow-rank", size);
      const auto* legend = f.window.design()->stage()->findChild<LegendRow*>();
      EVENTUALLY(legend->accessibleDescription().contains("mean, 5"));
    }
  }

  void theSmallestTransportStepsBothWays() {
    Sized f("slow-rank", kSmall);
    const auto* bar = f.window.design()->stage()->findChild<TransportBar*>();
    QStringList hidden;
    for (const auto* button : bar->findChildren<TransportButton*>()) {
      if (!button->isVisible()) hidden << button->accessibleName();
    }
    QVERIFY2(hidden.isEmpty(), qPrintable(hidden.join(", ")));
  }

  /// The smallest window, the usual one, one of 4K; with letters of 100 and of 140 %.
  void theTransportIsWholeAtEverySizeAndFont() {
    const QFont usual = QApplication::font();
    for (const int percent : {100, 140}) {
      QFont font = usual;
      font.setPixelSize(qRound(usual.pixelSize() * percent / 100.0));
      QApplication::setFont(font);
      applyTheme(Theme::light());
      for (const QSize size : {kSmall, kUsual, QSize(3840, 2160)}) {
        Sized f("shard-local-rank", size);
        const StagePanel& stage = *f.window.design()->stage();
        const auto* bar = stage.findChild<TransportBar*>();
        const QString where = QString("%1 % at %2: ").arg(percent).arg(f.window.width());
        QVERIFY(stage.rect().contains(QRect(bar->mapTo(&stage, QPoint()), bar->size())));
        for (const QWidget* part : bar->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
          if (!part->isVisible()) continue;
          const QRect seen = part->visibleRegion().boundingRect();
          QVERIFY2(seen == part->rect(), qPrintable(where + part->accessibleName()));
        }
        for (const auto* button : bar->findChildren<TransportButton*>()) {
          using Sign = TransportButton::Sign;
          const bool gives_way = button->sign() == Sign::ToStart || button->sign() == Sign::ToEnd;
          const bool has_room = size != kSmall && percent == 100;
          QVERIFY2(button->isVisible() || (gives_way && !has_room), qPrintable(where + button->accessibleName()));
        }
      }
    }
    QApplication::setFont(usual);
    applyTheme(Theme::light());
  }

  void aWideFormHasWholeNames() {
    Sized f("slow-rank", kLarge);
    for (const char* path : {"loader.persistent_workers", "sampler.type"}) {
      const FieldRow* row = f.window.design()->form()->row(path);
      const auto* name = row->findChild<QLabel*>();
      QVERIFY2(name->heightForWidth(name->width()) < 2 * name->fontMetrics().height(), path);
      const auto* choice = qobject_cast<const QComboBox*>(row->editor());
      const int words = choice->fontMetrics().horizontalAdvance(choice->currentText());
      QVERIFY2(words + 30 <= choice->width(), path);
    }
  }

  void aTallWindowGivesItsHeightToTheLanes() {
    for (const std::int64_t ranks : {2, 4}) {
      Sized f("slow-rank", kLarge);
      QVERIFY(f.workspace().runs.open(recordings_.recording(ranks, 1)).has_value());
      f.window.setPerspective("autopsy");
      auto* board = f.window.findChild<RunPage*>()->board();
      EVENTUALLY_EQUAL(board->shownRanks().size(), static_cast<std::size_t>(ranks));
      EVENTUALLY(f.isReady() && board->layoutNow().pitch > (ranks == 2 ? 100 : 60));
      QVERIFY(board->layoutNow().laneHeight() > (ranks == 2 ? 60 : 36));
      f.window.resize(kUsual);
      EVENTUALLY(board->layoutNow().pitch <= 30);
    }
  }

  void theKeysFitIntoTheUsualWindow() {
    Sized f("slow-rank", kUsual);
    f.window.actions().get("help.keys")->trigger();
    const auto* sheet = f.window.findChild<KeySheet*>();
    const auto* scroll = sheet->findChild<QScrollArea*>();
    EVENTUALLY(f.isReady() && scroll->isVisible());
    QCOMPARE(scroll->verticalScrollBar()->maximum(), 0);
    QCOMPARE(scroll->horizontalScrollBar()->maximum(), 0);
  }

  void noButtonOfAMessageHasAnIcon() {
    Sized f("slow-rank", kUsual);
    f.window.actions().get("help.about")->trigger();
    const auto* about = f.window.findChild<QMessageBox*>();
    QVERIFY(about != nullptr && !about->buttons().isEmpty());
    for (const QAbstractButton* button : about->buttons()) QVERIFY(button->icon().isNull());
  }
};

SHARDLENS_WINDOW_TEST(SizesTest)
#include "sizes_test.moc"
