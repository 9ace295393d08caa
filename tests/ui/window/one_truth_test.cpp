// SPDX-License-Identifier: GPL-3.0-or-later
// What the window says in several places is the same in all of them, and no louder than it deserves.
#include "tests/support/temp_folder.h"
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/design/findings_panel.h"
#include "ui/widgets/design/inspector_panel.h"
#include "ui/widgets/tabs/coverage_view.h"
#include "ui/widgets/tabs/export_view.h"
#include "ui/window/bottom_tabs.h"
#include "ui/window/design_page.h"
#include "ui/window/status_line.h"

#include <QAction>
#include <QApplication>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QTest>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

constexpr int kPatienceMs = 60'000;

/// The number in the group of the first match; -1 without one.
qint64 numberIn(QString text, const QString& pattern) {
  static const QRegularExpression kSpaces("[\\x{202f}\\x{2009}]");
  const auto match = QRegularExpression(pattern).match(text.remove(kSpaces));
  return match.hasMatch() ? match.captured(1).toLongLong() : -1;
}

const FindingCard* paddingCard(const MainWindow& window) {
  for (const FindingCard* card : window.findChildren<FindingCard*>()) {
    if (QString::fromStdString(card->finding().title).contains("padding")) return card;
  }
  return nullptr;
}

/// A window whose plan has `samples` on two ranks, of which as many as one are padding.
struct Padded {
  explicit Padded(std::int64_t samples) : f("distributed-sampler", kPatienceMs) {
    PipelineSpec spec = f.spec();
    spec.dataset.size = samples;
    spec.epochs = 5;
    f.workspace().document.replace(spec, "padded");
    f.window.design()->tabs()->show("coverage");
  }
  bool isReady() {
    return QTest::qWaitFor([&] { return f.isReady() && paddingCard(f.window) != nullptr; }, kPatienceMs);
  }

  Fixture f;
};

/// The pixels that differ, as one rectangle.
QRect differenceOf(const QImage& before, const QImage& after) {
  QRect all;
  for (int y = 0; y < before.height(); ++y) {
    for (int x = 0; x < before.width(); ++x) {
      if (before.pixel(x, y) != after.pixel(x, y)) all |= QRect(x, y, 1, 1);
    }
  }
  return all;
}

}  // namespace

class OneTruthTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    installFonts();
    applyTheme(Theme::light());
  }

  void paddingIsTheSameNumberEverywhereAndInEveryEpoch_data() {
    QTest::addColumn<qint64>("samples");
    QTest::newRow("few, audited in every epoch") << qint64{7};
    QTest::newRow("many, audited in the first epoch") << qint64{1'281'167};
  }

  void paddingIsTheSameNumberEverywhereAndInEveryEpoch() {
    QFETCH(const qint64, samples);
    Padded shown(samples);
    for (const qint64 epoch : {0, 4}) {
      shown.f.workspace().playback.seek(epoch, 0);
      QVERIFY(shown.isReady());
      const MainWindow& window = shown.f.window;
      const auto* coverage = window.findChild<CoverageView*>();
      EVENTUALLY(shown.f.isReady() && coverage->epoch() == epoch);
      const qint64 said = numberIn(QString::fromStdString(paddingCard(window)->finding().title), "^(\\d+) ");
      QCOMPARE(said, 1);
      QCOMPARE(numberIn(window.status()->text(), "padded (\\d+)"), said);
      QCOMPARE(numberIn(coverage->facts(), "(\\d+) padding"), said);
    }
  }

  /// One sample of thousands is a note: no amber in any of the places that name it.
  void aLittlePaddingIsNoWarning() {
    Padded shown(8001);
    QVERIFY(shown.isReady());
    QCOMPARE(paddingCard(shown.f.window)->finding().severity, Severity::Info);
    for (const QLabel* label : shown.f.window.findChildren<QLabel*>()) {
      if (!label->isVisible() || !label->text().contains("padd")) continue;
      QVERIFY2(label->property("tone") != "warning" && label->property("tone") != "error", qPrintable(label->text()));
    }
  }

  void tipsNameTheFileThatIsOpen() {
    const test::TempFolder folder;
    const QString path = QString::fromStdString((folder / "mine.yaml").string());
    QVERIFY(QFile::copy(example("distributed-sampler"), path));
    Fixture f;
    QVERIFY(f.window.openFile(path));
    for (const char* action : {"run.launch", "analyse.export"}) {
      const QString tip = f.window.actions().get(action)->toolTip();
      QVERIFY2(tip.contains("mine.yaml") && !tip.contains(" spec.yaml"), qPrintable(tip));
    }
    for (const auto* button : f.window.findChildren<QPushButton*>())
      QVERIFY2(!button->toolTip().contains(" spec.yaml"), qPrintable(button->toolTip()));
  }

  /// Launch runs what is here; the command below it, what was saved.
  void theLaunchPageSaysThatTheCommandReadsTheSavedFile() {
    const test::TempFolder folder;
    const QString path = QString::fromStdString((folder / "mine.yaml").string());
    QVERIFY(QFile::copy(example("distributed-sampler"), path));
    Fixture f;
    f.window.setPerspective("run");
    auto* note = f.window.findChild<QLabel*>("launchUnsaved");
    QVERIFY(note != nullptr);
    QVERIFY(f.window.openFile(path));
    EVENTUALLY(!note->isVisible());
    PipelineSpec spec = f.spec();
    spec.dataset.size = 32;
    f.workspace().document.replace(spec, "more");
    EVENTUALLY(note->isVisible());
    f.workspace().document.undoStack().undo();
    EVENTUALLY(!note->isVisible());
  }

  void exportDoesNotCallValidWhatCannotBePlanned() {
    Fixture f;
    f.window.design()->tabs()->show("export");
    PipelineSpec spec = f.spec();
    spec.sampler = {"meanteacher.TwoStreamBatchSampler", {}};  // both lists are empty
    f.workspace().document.replace(spec, "two streams");
    const auto* view = f.window.findChild<ExportView*>();
    EVENTUALLY(f.isReady() && view->status().startsWith("This spec cannot be planned"));
    f.workspace().document.undoStack().undo();
    EVENTUALLY(f.isReady() && !view->status().startsWith("This spec cannot be planned"));
  }

  /// What has the focus is marked, and nothing else is: the picture changes only where it was and where it is.
  void oneThingHasAFocusRing() {
    Fixture f;
    QVERIFY(f.settled);
    QTest::keyClick(&f.window, Qt::Key_2, Qt::AltModifier);
    const auto placeOf = [&f](const QWidget* widget) {
      return QRect(widget->mapTo(&f.window, QPoint()), widget->size()).adjusted(-4, -4, 4, 4);
    };
    for (int stops = 0; stops < 12; ++stops) {
      const QWidget* from = QApplication::focusWidget();
      QVERIFY(from != nullptr);
      const QImage before = f.window.grab().toImage();
      QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
      const QWidget* to = QApplication::focusWidget();
      if (to == from) continue;
      const QImage after = f.window.grab().toImage();
      QImage rest = before;
      for (const QWidget* widget : {from, to}) {
        const QRect place = placeOf(widget) & rest.rect();
        for (int y = place.top(); y <= place.bottom(); ++y) {
          for (int x = place.left(); x <= place.right(); ++x) rest.setPixel(x, y, after.pixel(x, y));
        }
      }
      const QRect elsewhere = differenceOf(rest, after);
      QVERIFY2(elsewhere.isEmpty(), qPrintable(QString("%1 at %2,%3 %4x%5")
                                                   .arg(to->metaObject()->className())
                                                   .arg(elsewhere.x())
                                                   .arg(elsewhere.y())
                                                   .arg(elsewhere.width())
                                                   .arg(elsewhere.height())));
    }
  }
};

SHARDLENS_WINDOW_TEST(OneTruthTest)
#include "one_truth_test.moc"
