// SPDX-License-Identifier: Apache-2.0
#include "ui/scene/stage/strip.h"

#include "tests/support/window_main.h"
#include "tests/ui/stage/worlds.h"
#include "ui/scene/stage/flight.h"
#include "ui/scene/theme.h"

#include <QTest>

using namespace shardlens;
using namespace shardlens::ui;

class StripTest : public QObject {
  Q_OBJECT

 private slots:
  void coverageGrowsWithThePlayhead() {
    const StageInput input = worlds::strided(2, 8, 2);  // 16 samples, 4 steps
    const auto facts = EpochFacts::compute(*input.epoch, input.dataset_size);
    QCOMPARE(facts->seen(0), 0);
    QCOMPARE(facts->seen(1), 4);
    QCOMPARE(facts->seen(4), 16);
    QCOMPARE(stripText(input, facts.get(), 1), QStringLiteral("epoch 0 (1st of 2) · 4 of 16 samples seen"));
    const auto columns = stripColumns(input, facts.get(), 1, 160);
    QCOMPARE(columns.size(), std::size_t{16});
    for (int i = 0; i < 16; ++i) {
      QCOMPARE(columns[i].share > 0, i < 4);
      QCOMPARE(columns[i].rank, i < 4 ? i % 2 : -1);
    }
  }

  /// Between the moments that are kept, a part is seen exactly from its first sample on and its share only grows.
  void coverageOfManySamplesIsMonotone() {
    const StageInput input = worlds::strided(8, 50'000, 4);  // 400 000 samples, 12 500 steps
    const auto facts = EpochFacts::compute(*input.epoch, input.dataset_size);
    QCOMPARE(facts->seen(1), 32);
    QCOMPARE(facts->seen(12'500), 400'000);
    QVERIFY(facts->part(0, 1).share > 0);
    QCOMPARE(facts->part(facts->parts() - 1, 12'000).share, 0.0);
    double last = 0;
    for (qint64 steps = 0; steps <= 30; ++steps) {
      QVERIFY(facts->part(0, steps).share >= last);
      last = facts->part(0, steps).share;
    }
    for (qint64 part = 0; part < facts->parts(); ++part) QCOMPARE(facts->part(part, 12'500).share, 1.0);
  }

  void samplesFlyFromTheStripToTheirCell() {
    const StageInput input = worlds::strided(2, 8, 2);
    const FlightPlaces places{
        [](SampleIndex sample) { return QRectF(static_cast<int>(sample) * 20, 0, 20, 20); },
        [](CellAddress cell) { return QRectF(100, 100 + static_cast<int>(cell.rank) * 60, 120, 50); },
        CellRoom(124, 54)};
    const auto deal = [&](double position, double speed) {
      return dealAt(input, nullptr, StageColour::Rank, Theme::light(), position, speed, places);
    };
    QVERIFY(deal(1.0, 4).isEmpty());  // a step done
    const DealFrame start = deal(1.0001, 4);
    QCOMPARE(start.flights.size(), std::size_t{4});
    QCOMPARE(start.landings.size(), std::size_t{2});
    QCOMPARE(start.flights[0].chip.sample, 4);  // the first of rank 0's batch 1
    QVERIFY(QLineF(start.flights[0].at.center(), QPointF(90, 10)).length() < 1);
    QVERIFY(QLineF(deal(1.1, 4).flights[0].at.center(), QPointF(90, 4)).length() < 1);  // lifted
    for (const Flight& flight : deal(1.0 + kLandsAt - 1e-6, 4).flights) {
      QVERIFY(QLineF(flight.at.center(), flight.to.center()).length() < 1);
      QVERIFY(QRectF(100, 100, 120, 110).contains(flight.to));
    }
    QVERIFY(deal(1.61, 4).flights.empty());
    QVERIFY(deal(1.61, 4).landings.front().glow > 0);
    QVERIFY(deal(1.0 + kLandsAt + 0.17, 1).isEmpty());  // the glow is gone
    QVERIFY(deal(1.3, 1000).isEmpty());
  }

  /// Whether samples have numbers is asked of the same room as for the numbers in their cells: the pitch, which is
  /// larger than what is painted.
  void samplesFlyWithTheirNumbersWhereTheyLandWithThem() {
    const StageInput input = worlds::strided(2, 8, 2);
    const auto fliesAsDots = [&](double pitch) {
      const FlightPlaces places{
          [](SampleIndex sample) { return QRectF(static_cast<int>(sample) * 20, 0, 20, 34); },
          [&](CellAddress cell) { return QRectF(100, 100 + pitch * static_cast<double>(cell.rank), 118, pitch - 5); },
          CellRoom(120, pitch)};
      const DealFrame deal = dealAt(input, nullptr, StageColour::Rank, Theme::light(), 1.3, 4, places);
      return deal.flights.front().is_dot;
    };
    for (const double pitch : {30.0, 33.0, 34.0, 36.0, 44.0}) {
      const StageGrid grid =
          stageGrid(input, nullptr, {4, 0, 120, 480}, {2, 0, pitch, 90}, StageColour::Rank, Theme::light());
      QCOMPARE(fliesAsDots(pitch), grid.at(0, 1).chips.empty());
    }
  }

  /// Above the bars the strip says what they stand for.
  void dotsStartAtTheFootOfTheStrip() {
    const StageInput input = worlds::strided(2, 8, 2);
    const FlightPlaces places{[](SampleIndex sample) { return QRectF(static_cast<int>(sample) * 3, 0, 3, 34); },
                              [](CellAddress) { return QRectF(100, 100, 120, 50); }, CellRoom(124, 54)};
    for (const Flight& flight : dealAt(input, nullptr, StageColour::Rank, Theme::light(), 1.001, 4, places).flights) {
      QVERIFY(flight.is_dot);
      QVERIFY(flight.at.top() > 24);
    }
  }

  void aStepHasLandedAtThreeFifths() {
    QCOMPARE(stepsLanded(0), 0);
    QCOMPARE(stepsLanded(2.59), 2);
    QCOMPARE(stepsLanded(2.61), 3);
    QCOMPARE(stepsLanded(4), 4);
  }
};

SHARDLENS_WINDOW_TEST(StripTest)
#include "strip_test.moc"
