// SPDX-License-Identifier: Apache-2.0
// Over the end of an epoch, and in pictures for print.
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/stage/shown_panel.h"
#include "ui/widgets/common/picture.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/stage/stage_panel.h"

#include <QVariantAnimation>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

/// Squares of `side` pixels that are not all of one colour.
int mixedSquares(const QImage& image, const QRect& area, int side) {
  int mixed = 0;
  for (int y = area.top(); y + side <= area.bottom(); y += side) {
    for (int x = area.left(); x + side <= area.right(); x += side) {
      bool same = true;
      for (int i = 0; i < side * side; ++i) same &= image.pixel(x + i % side, y + i / side) == image.pixel(x, y);
      mixed += same ? 0 : 1;
    }
  }
  return mixed;
}

}  // namespace

class StageTurnTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    installFonts();
    applyTheme(Theme::light());
  }

  void overTheEndOfAnEpochTheStripEmptiesAndTheNewOrderIsSeen() {
    ShownStage shown(specOf(64, 2, 2));
    QVERIFY(shown.ready());
    Playback& playback = shown.workspace.playback;
    auto* turn = shown.panel.findChild<QVariantAnimation*>("turn");
    turn->setDuration(3'600'000);  // it is moved on by hand
    playback.setSpeed(4);
    playback.seek(0, static_cast<double>(playback.steps()) - 0.01);
    playback.play();
    playback.advance(0.02);
    QCOMPARE(playback.epoch(), 1);
    QVERIFY(shown.panel.strip()->keepsFull());
    EVENTUALLY_EQUAL(turn->state(), QAbstractAnimation::Running);
    turn->setCurrentTime(turn->duration() / 2);
    QVERIFY(!shown.panel.overlay()->turn().isEmpty());
    QVERIFY(playback.position() < 1);  // nothing is dealt meanwhile
    QVERIFY(shown.panel.overlay()->deal().isEmpty());
    turn->setCurrentTime(turn->duration());
    QVERIFY(!shown.panel.strip()->keepsFull());
    QVERIFY(shown.panel.overlay()->turn().isEmpty());
    EVENTUALLY(playback.position() > 1);
  }

  void withoutMotionAnEpochEndsAtOnce() {
    ShownStage shown(specOf(64, 2, 2));
    QVERIFY(shown.ready());
    shown.panel.setReducedMotion(true);
    Playback& playback = shown.workspace.playback;
    playback.seek(0, static_cast<double>(playback.steps()) - 0.01);
    playback.play();
    playback.advance(0.02);
    QVERIFY(!shown.panel.strip()->keepsFull());
    EVENTUALLY(playback.position() > 1);
    QVERIFY(shown.panel.overlay()->turn().isEmpty());
  }

  void cellsInAPictureForPrintHaveItsPixels() {
    ShownStage shown(specOf(64, 2, 2));
    QVERIFY(shown.ready());
    const QImage image = pictureOf(*shown.panel.stage(), 3).toImage();
    const QRect cell = shown.panel.stage()->cellOnScreen({0, 0});
    QVERIFY(mixedSquares(image, {cell.topLeft() * 3, cell.size() * 3}, 3) > 20);
  }
};

SHARDLENS_WINDOW_TEST(StageTurnTest)
#include "stage_turn_test.moc"
