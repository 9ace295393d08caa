// SPDX-License-Identifier: Apache-2.0
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/stage/shown_panel.h"
#include "tests/ui/stage/worlds.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/stage/dataset_strip.h"
#include "ui/widgets/stage/stage_panel.h"
#include "ui/widgets/stage/stage_view.h"
#include "ui/widgets/stage/transport_bar.h"

#include <QElapsedTimer>
#include <QTest>

#include <cmath>
#include <utility>
#include <vector>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

class PaintCounter : public QObject {
 public:
  explicit PaintCounter(QWidget* widget) { widget->installEventFilter(this); }
  bool eventFilter(QObject* object, QEvent* event) override {
    if (event->type() == QEvent::Paint) ++paints;
    return QObject::eventFilter(object, event);
  }
  int paints = 0;
};

}  // namespace

/// The deal as it plays: what moves, and what it costs.
class StagePlayTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    installFonts();
    applyTheme(Theme::light());
  }

  /// Playing changes one number: no cell is computed again, and a dataset a thousand times as large costs no more.
  void playingComputesNoCells() {
    ShownStage shown(specOf(80'000, 8, 4));
    QVERIFY(shown.ready());
    shown.panel.stage()->toggleFit();
    QVERIFY(shown.ready());
    const StageLayer* layer = shown.panel.stage()->layer();
    PaintCounter counter(shown.panel.stage());
    for (int frame = 0; frame < 20; ++frame) {
      const int before = counter.paints;
      shown.workspace.playback.advance(50);
      EVENTUALLY(counter.paints > before);
    }
    QCOMPARE(shown.panel.stage()->layer(), layer);
  }

  /// An example plays as soon as it is open, at a speed at which nothing could be seen of single steps.
  void whatPlaysFastIsSeenFromFurtherAway() {
    ShownStage shown(specOf(64, 8, 4));
    QVERIFY(shown.ready());
    shown.workspace.playback.setSpeed(600);
    shown.workspace.playback.play();
    shown.workspace.document.reset(specOf(320'000, 8, 4));
    EVENTUALLY_EQUAL(shown.panel.stage()->input().steps, 10'000);
    EVENTUALLY(shown.panel.stage()->steps().shown() > 1'000);
  }

  /// A picture that is overtaken in each frame is worth more than none.
  void theCellsComeWhileTheStepsScroll() {
    ShownStage shown(specOf(320'000, 8, 4));
    StageView& stage = *shown.panel.stage();
    QVERIFY(shown.ready());
    stage.panSteps(5'000);
    const auto is_in_view = [&] { return std::abs(stage.layer()->key.steps.first - stage.steps().first) < 10; };
    QElapsedTimer clock;
    for (clock.start(); !is_in_view() && clock.elapsed() < 60'000; QTest::qWait(0)) stage.panSteps(0.001);
    QVERIFY(is_in_view());
  }

  void samplesFlyUnlessMotionIsReduced() {
    ShownStage shown(PipelineSpec{});
    QVERIFY(shown.ready());
    shown.workspace.playback.play();
    shown.workspace.playback.seek(0, 1.3);
    QCOMPARE(shown.panel.overlay()->deal().flights.size(), std::size_t{4});
    QVERIFY(shown.panel.overlay()->marks().empty());
    shown.panel.setReducedMotion(true);
    QVERIFY(shown.panel.overlay()->deal().isEmpty());
  }

  /// The same is seen without motion: the places that samples leave, and the batches that they become.
  void withReducedMotionWhatWouldFlyIsMarked() {
    ShownStage shown(PipelineSpec{});
    QVERIFY(shown.ready());
    shown.panel.setReducedMotion(true);
    const std::vector<DealMark>& marks = shown.panel.overlay()->marks();
    QVERIFY(marks.empty());
    shown.workspace.playback.play();
    shown.workspace.playback.seek(0, 1.2);
    QCOMPARE(marks.size(), std::size_t{2});
    const StagePanel& panel = shown.panel;
    const QPoint strip_at = panel.strip()->mapTo(&panel, QPoint());
    const QPoint stage_at = panel.stage()->mapTo(&panel, QPoint());
    for (qint64 rank = 0; rank < 2; ++rank) {
      const DealMark& mark = marks[static_cast<std::size_t>(rank)];
      QVERIFY(!mark.has_come);
      QCOMPARE(mark.cell, panel.stage()->cellFrame({rank, 1}).translated(stage_at));
      std::vector<QRectF> sources;
      for (const SampleIndex sample : panel.stage()->input().epoch->ranks[rank].batchSamples(Step{1}))
        sources.push_back(QRectF(panel.strip()->sampleOnScreen(sample)).translated(strip_at));
      QCOMPARE(mark.sources, sources);
    }
    const auto picture = [&shown] {
      return shown.panel.grab(QRect(0, 0, shown.panel.width(), shown.panel.transport()->y())).toImage();
    };
    const QImage before = picture();
    shown.workspace.playback.seek(0, 1.5);
    QVERIFY(picture() == before);  // nothing moves
    shown.workspace.playback.seek(0, 1.7);
    QVERIFY(marks.size() == 2 && marks.front().has_come);
    QVERIFY(picture() != before);
    for (const DealMark& mark : marks) {  // set off from a fill of the same colour
      const QRectF& place = mark.sources.front();
      QCOMPARE(picture().pixelColor(QPointF(place.left() + 2.5, place.center().y()).toPoint()), theme().panel);
    }
    if (qEnvironmentVariableIsSet("SHARDLENS_SHOTS")) picture().save(qEnvironmentVariable("SHARDLENS_SHOTS"));
    shown.workspace.playback.setSpeed(100);  // flicker that no eye follows
    shown.workspace.playback.seek(0, 2.2);
    QVERIFY(marks.empty());
  }

  void withReducedMotionAStepByHandIsMarkedUntilTheNext() {
    ShownStage shown(specOf(100'000, 8, 32));
    QVERIFY(shown.ready());
    shown.panel.setReducedMotion(true);
    const std::vector<DealMark>& marks = shown.panel.overlay()->marks();
    for (const qint64 step : {0, 1}) {
      QTest::keyClick(shown.panel.stage(), Qt::Key_Right);
      QVERIFY(shown.panel.isSettled());
      QCOMPARE(marks.size(), std::size_t{8});
      QVERIFY(marks.front().has_come && marks.front().sources.size() == 32);
      QCOMPARE(marks.front().cell.center(), QPointF(shown.panel.stage()->mapTo(&shown.panel, QPoint())) +
                                                shown.panel.stage()->cellFrame({0, step}).center());
    }
    if (qEnvironmentVariableIsSet("SHARDLENS_SHOTS")) shown.panel.grab().save(qEnvironmentVariable("SHARDLENS_SHOTS"));
    shown.workspace.playback.seek(0, 9);
    QVERIFY(marks.empty());
  }

  /// How many samples are in the air stands beside what was handed out, and goes as they land.
  void theSamplesInFlightAreCounted() {
    ShownStage few(PipelineSpec{});
    QVERIFY(few.ready());
    const auto* words = few.panel.findChild<ElidedLabel*>("inFlight");
    QCOMPARE(words->fullText(), QString());
    few.workspace.playback.play();
    few.workspace.playback.seek(0, 1.3);
    QCOMPARE(words->fullText(), QString("4 in flight ·"));
    const QWidget* row = words->parentWidget();
    const int gap = row->childAt(row->width() - 2, row->height() / 2)->x() - words->geometry().right() - 1;
    QVERIFY(gap <= words->fontMetrics().horizontalAdvance(' '));  // one space before what was handed out
    few.workspace.playback.seek(0, 1.7);
    QCOMPARE(words->fullText(), QString());
    ShownStage many(specOf(100'000, 8, 32));
    QVERIFY(many.ready());
    words = many.panel.findChild<ElidedLabel*>("inFlight");
    many.workspace.playback.play();
    many.workspace.playback.seek(0, 5.02);
    QCOMPARE(words->fullText(), QString("256 in flight ·"));
    many.workspace.playback.seek(0, 5.45);  // some ranks have their batch
    QVERIFY(words->fullText().section(' ', 0, 0).toInt() < 256);
  }

  /// The axis says by weight which step is being dealt.
  void theNumberOfTheStepUnderWayIsBold() {
    ShownStage shown(PipelineSpec{});
    QVERIFY(shown.ready());
    StageView& stage = *shown.panel.stage();
    const auto ink = [&](qint64 step) {
      const QRect cell = stage.cellOnScreen({1, step});
      const QRect number(cell.center().x() - 8, stage.cellsOnScreen().bottom() + 4, 16, 14);
      const QImage image = stage.grab(number).toImage().convertToFormat(QImage::Format_Grayscale8);
      qint64 dark = 0;
      for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) dark += 255 - qGray(image.pixel(x, y));
      }
      return dark;
    };
    const qint64 plain = ink(2);
    QVERIFY(plain > 0);
    QCOMPARE(stage.stepUnderWay(), -1);
    shown.workspace.playback.seek(0, 2.7);
    QCOMPARE(stage.stepUnderWay(), 2);
    QVERIFY2(ink(2) > plain * 12 / 10, qPrintable(QString("%1 %2").arg(ink(2)).arg(plain)));
    shown.workspace.playback.seek(0, 3.7);
    QCOMPARE(ink(2), plain);
  }

  void manySamplesComeAsRibbonsOneRankAfterAnother() {
    ShownStage shown(specOf(100'000, 8, 32));
    QVERIFY(shown.ready());
    shown.workspace.playback.play();
    shown.workspace.playback.seek(0, 5.02);
    QCOMPARE(shown.panel.overlay()->ribbons().size(), std::size_t{8});
    QVERIFY(shown.panel.overlay()->deal().isEmpty());
    shown.workspace.playback.seek(0, 5.45);
    const std::vector<Ribbon>& ribbons = shown.panel.overlay()->ribbons();
    QVERIFY(ribbons.front().opacity < 1);  // landed, fading
    QVERIFY(ribbons.back().opacity == 1);  // on its way
    if (qEnvironmentVariableIsSet("SHARDLENS_SHOTS")) shown.panel.grab().save(qEnvironmentVariable("SHARDLENS_SHOTS"));
  }

  void tooFastForTheEyeRibbonsStandAndCellsLightUp() {
    ShownStage shown(specOf(100'000, 8, 32));
    QVERIFY(shown.ready());
    shown.workspace.playback.setSpeed(30);
    shown.workspace.playback.play();
    shown.workspace.playback.seek(0, 5.3);
    const std::vector<Ribbon> ribbons = shown.panel.overlay()->ribbons();
    QCOMPARE(ribbons.size(), std::size_t{8});
    for (const Ribbon& ribbon : ribbons) {
      QVERIFY(ribbon.ticks.empty());
      QVERIFY(ribbon.opacity < 0.5);
      QCOMPARE(ribbon.path.back(), QPointF(ribbon.cell.right(), ribbon.cell.center().y()));
    }
    shown.workspace.playback.setSpeed(100);
    shown.workspace.playback.seek(0, 6.3);
    QVERIFY(shown.panel.overlay()->ribbons().empty());
  }

  void aPausedFlightLandsOrGoesBack() {
    ShownStage shown(PipelineSpec{});
    QVERIFY(shown.ready());
    Playback& playback = shown.workspace.playback;
    for (const auto& [paused, rests] : {std::pair{1.3, 1 + kLandsAt}, {1.05, 1.0}, {1.7, 1.7}}) {
      playback.play();
      playback.seek(0, paused);
      playback.pause();
      QCOMPARE(playback.position(), rests);
      EVENTUALLY(shown.panel.overlay()->deal().flights.empty());
    }
  }

  /// Many samples come as ribbons step by step, too, and at any speed of playing.
  void oneStepByHandComesAsRibbons() {
    ShownStage shown(specOf(100'000, 8, 32));
    QVERIFY(shown.ready());
    shown.workspace.playback.seek(0, 5);
    for (const double speed : {4.0, 100.0}) {
      shown.workspace.playback.setSpeed(speed);
      const double from = shown.workspace.playback.position();
      QTest::keyClick(shown.panel.stage(), Qt::Key_Right);
      shown.panel.findChild<StepGlide*>()->setCurrentTime(StepGlide::kStepMs / 5);
      QCOMPARE(shown.panel.overlay()->ribbons().size(), std::size_t{8});
      QCOMPARE(shown.panel.stage()->stepUnderWay(), static_cast<qint64>(from));
      EVENTUALLY(shown.panel.isSettled());
      QVERIFY(shown.panel.overlay()->ribbons().empty());
      QCOMPARE(shown.panel.stage()->stepUnderWay(), static_cast<qint64>(from) + 1);
    }
    shown.workspace.playback.seek(1, 6);  // another epoch is no step of this one
    QVERIFY(shown.panel.isSettled());
  }

  void fewSamplesFlyStepByStepHoweverFastItPlays() {
    ShownStage shown(PipelineSpec{});
    QVERIFY(shown.ready());
    shown.workspace.playback.setSpeed(100);
    QTest::keyClick(shown.panel.stage(), Qt::Key_Right);
    shown.panel.findChild<StepGlide*>()->setCurrentTime(StepGlide::kStepMs / 5);
    QCOMPARE(shown.panel.overlay()->deal().flights.size(), std::size_t{4});
  }

  void pausedRibbonsLandOrGoBack() {
    ShownStage shown(specOf(100'000, 8, 32));
    QVERIFY(shown.ready());
    shown.workspace.playback.play();
    shown.workspace.playback.seek(0, 5.3);
    shown.workspace.playback.pause();
    QCOMPARE(shown.workspace.playback.position(), 5 + kLandsAt);
    QVERIFY(!shown.panel.isSettled());
    QVERIFY(!shown.panel.overlay()->ribbons().empty());
    EVENTUALLY(shown.panel.isSettled());
    QVERIFY(shown.panel.overlay()->ribbons().empty());
  }

  void oneStepByHandIsDealtBeforeTheEyes() {
    ShownStage shown(PipelineSpec{});
    QVERIFY(shown.ready());
    shown.workspace.playback.stepBy(1);
    shown.panel.findChild<StepGlide*>()->setCurrentTime(StepGlide::kStepMs / 5);
    QVERIFY(!shown.panel.overlay()->deal().flights.empty());
    EVENTUALLY(shown.panel.overlay()->deal().isEmpty());
    QCOMPARE(shown.workspace.playback.position(), 1.0);
    QCOMPARE(shown.panel.strip()->summary(), QStringLiteral("epoch 0 (1st of 2) · 4 of 16 samples seen"));
  }
};

SHARDLENS_WINDOW_TEST(StagePlayTest)
#include "stage_play_test.moc"
