// SPDX-License-Identifier: Apache-2.0
#include "ui/state/playback.h"

#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"

#include <QSignalSpy>
#include <QTest>
#include <QTimer>

using shardlens::ui::Playback;

class PlaybackTest : public QObject {
  Q_OBJECT

 private slots:
  void advancesIntoTheNextEpoch() {
    Playback playback;
    playback.setExtent(3, 10);
    const QSignalSpy epochs(&playback, &Playback::epochChanged);
    playback.seek(0, 9.5);
    playback.advance(1.0);
    QCOMPARE(playback.epoch(), 1);
    QCOMPARE(playback.position(), 0.5);
    QCOMPARE(epochs.count(), 1);
    playback.advance(15.0);
    QCOMPARE(playback.epoch(), 2);
    QCOMPARE(playback.position(), 5.5);
  }

  void loopsAfterTheLastEpoch() {
    Playback playback;
    playback.setExtent(2, 4);
    playback.seek(1, 3.0);
    playback.advance(2.0);
    QCOMPARE(playback.epoch(), 0);
    QCOMPARE(playback.position(), 1.0);
  }

  void stopsAtTheEndWithoutLoop() {
    Playback playback;
    playback.setExtent(2, 4);
    playback.setLoops(false);
    playback.seek(1, 3.0);
    playback.play();
    playback.advance(2.0);
    QCOMPARE(playback.epoch(), 1);
    QCOMPARE(playback.position(), 4.0);
    QCOMPARE(playback.step(), 3);
    QVERIFY(!playback.isPlaying());
    playback.play();  // from the end it starts over
    QCOMPARE(playback.epoch(), 0);
    QCOMPARE(playback.position(), 0.0);
  }

  void stepsCrossEpochsBothWays() {
    Playback playback;
    playback.setExtent(3, 4);
    playback.seek(1, 0.0);
    playback.stepBy(-1);
    QCOMPARE(playback.epoch(), 0);
    QCOMPARE(playback.position(), 3.0);
    playback.stepBy(1);  // the last step of an epoch is seen before the next epoch begins
    QCOMPARE(playback.epoch(), 0);
    QCOMPARE(playback.position(), 4.0);
    playback.stepBy(1);
    QCOMPARE(playback.epoch(), 1);
    QCOMPARE(playback.position(), 0.0);
    playback.stepBy(100);
    QCOMPARE(playback.epoch(), 2);
    QCOMPARE(playback.position(), 4.0);
    playback.stepBy(-100);
    QCOMPARE(playback.epoch(), 0);
    QCOMPARE(playback.position(), 0.0);
  }

  void steppingFromTheMiddleOfAStepFinishesOrUndoesIt() {
    Playback playback;
    playback.setExtent(1, 10);
    playback.seek(0, 4.4);
    playback.stepBy(1);
    QCOMPARE(playback.position(), 5.0);
    playback.seek(0, 4.4);
    playback.stepBy(-1);
    QCOMPARE(playback.position(), 4.0);
  }

  void steppingPauses() {
    Playback playback;
    playback.setExtent(1, 10);
    playback.play();
    playback.stepBy(1);
    QVERIFY(!playback.isPlaying());
  }

  void aSmallerExtentKeepsThePlayheadInside() {
    Playback playback;
    playback.setExtent(5, 100);
    playback.seek(4, 80.0);
    playback.setExtent(2, 10);
    QCOMPARE(playback.epoch(), 1);
    QCOMPARE(playback.position(), 10.0);
    QCOMPARE(playback.step(), 9);
  }

  void anEpochWithoutStepsDoesNotPlay() {
    Playback playback;
    playback.setExtent(2, 0);
    playback.play();
    playback.advance(1.0);
    QVERIFY(!playback.isPlaying());
    QCOMPARE(playback.step(), 0);
    playback.stepBy(1);
    QCOMPARE(playback.position(), 0.0);
  }

  void heldItStandsStillWhilePlaying() {
    Playback playback;
    playback.setExtent(1, 1000000);
    playback.setSpeed(1000);
    playback.setHeld(true);
    playback.play();
    bool is_later = false;  // than the first frame, whose timer is shorter
    QTimer::singleShot(100, Qt::PreciseTimer, &playback, [&is_later] { is_later = true; });
    EVENTUALLY(is_later);
    QCOMPARE(playback.position(), 0.0);
    playback.setHeld(false);
    EVENTUALLY(playback.position() > 0.0);
  }
};

SHARDLENS_WINDOW_TEST(PlaybackTest)
#include "playback_test.moc"
