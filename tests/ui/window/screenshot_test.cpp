// SPDX-License-Identifier: GPL-3.0-or-later
// A picture shows the moment that was asked for.
#include "ui/window/screenshot.h"

#include "tests/support/window_main.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/stage/stage_panel.h"
#include "ui/widgets/stage/stage_view.h"

#include <QTemporaryDir>
#include <QTest>

using namespace shardlens;
using namespace shardlens::ui;

class ScreenshotTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    installFonts();
    applyTheme(Theme::light());
  }

  /// Moving by one step plays that step; the picture is taken when it has been played.
  void aWholeStepIsPicturedAtRest_data() {
    QTest::addColumn<QString>("example");
    QTest::addColumn<int>("epoch");
    QTest::newRow("few samples") << "distributed-sampler" << 0;
    QTest::newRow("another epoch") << "distributed-sampler" << 1;
    QTest::newRow("many samples") << "shard-local-rank" << 0;
  }
  void aWholeStepIsPicturedAtRest() {
    QFETCH(const QString, example);
    QFETCH(const int, epoch);
    Fixture f(qPrintable(example));
    QVERIFY(f.settled);
    const QTemporaryDir folder;
    QVERIFY(takeScreenshot(f.window, folder.filePath("a.png"), {1280, 720}, std::pair<qint64, double>(epoch, 1.0))
                .has_value());
    const StagePanel& panel = *f.window.design()->stage();
    QCOMPARE(panel.stage()->input().epochNumber(), epoch);
    QVERIFY(panel.isSettled());
    QVERIFY(panel.overlay()->deal().isEmpty() && panel.overlay()->ribbons().empty());
    QCOMPARE(panel.stage()->stepUnderWay(), 1);
  }

  void theWindowIsNotReadyWhileAStepIsPlayed() {
    Fixture f;
    QVERIFY(f.settled);
    f.workspace().playback.stepBy(1);
    QVERIFY(!f.isReady());
    QVERIFY(QTest::qWaitFor([&f] { return f.isReady(); }, 60'000));
    QVERIFY(f.window.design()->stage()->overlay()->deal().isEmpty());
  }
};

SHARDLENS_WINDOW_TEST(ScreenshotTest)
#include "screenshot_test.moc"
