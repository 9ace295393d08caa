// SPDX-License-Identifier: GPL-3.0-or-later
// Items against pixels: bins, zoom, groups that stand apart, and the numbers of the axis.
#include "tests/support/window_main.h"
#include "ui/scene/stage/layout.h"
#include "ui/scene/stage/scene.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

using namespace shardlens::ui;

class StageAxisTest : public QObject {
  Q_OBJECT

 private slots:
  void binsLeaveNoItemOut_data() {
    QTest::addColumn<qint64>("items");
    QTest::addColumn<double>("pitch");
    QTest::newRow("one a pixel") << qint64{1000} << 1.0;
    QTest::newRow("many a pixel") << qint64{100'000} << 0.00731;
    QTest::newRow("not quite two") << qint64{999} << 0.51;
    QTest::newRow("wide") << qint64{7} << 31.4;
  }
  void binsLeaveNoItemOut() {
    QFETCH(qint64, items);
    QFETCH(double, pitch);
    const StageAxis axis{items, 0, pitch, static_cast<int>(std::ceil(static_cast<double>(items) * pitch))};
    qint64 next = 0;
    for (int i = 0; i < axis.bins(); ++i) {
      QCOMPARE(axis.bin(i).first, next);
      QVERIFY(axis.bin(i).last > next);
      next = axis.bin(i).last;
    }
    QCOMPARE(next, items);
  }

  void binsStayTheSameWhileScrolling() {
    StageAxis axis{100'000, 0, 0.0123, 400};
    std::vector<qint64> starts;
    for (int i = 0; i < axis.bins(); ++i) starts.push_back(axis.bin(i).first);
    axis.first = 5000.7;
    for (int i = 0; i < 300; ++i) QVERIFY(std::binary_search(starts.begin(), starts.end(), axis.bin(i).first));
  }

  void zoomingKeepsTheItemUnderThePointer() {
    const StageAxis axis{1000, 100, 10, 500};
    const StageAxis closer = axis.zoomed(2, 123, 40);
    QCOMPARE(closer.pitch, 20.0);
    QVERIFY(std::abs(closer.itemAt(123) - axis.itemAt(123)) < 1e-9);
    QVERIFY(axis.zoomed(1e-9, 123, 40).showsAll());
    QCOMPARE(axis.zoomed(1e9, 123, 40).pitch, 40.0);
  }

  void aPixelHitsTheItemDrawnThere() {
    const StageAxis axis{50, 3.5, 22, 400};
    for (int i = 0; i < axis.bins(); ++i) {
      const StageAxis::Bin bin = axis.bin(i);
      const int middle = (bin.from + bin.to) / 2;
      if (middle < 0 || middle >= axis.length) continue;
      QCOMPARE(axis.hit(middle).value(), bin.first);
    }
    QVERIFY(!axis.hit(-1));
    QVERIFY(!(StageAxis{3, 0, 22, 400}.hit(70)));
  }

  /// Pixels and items are each other's inverse through every gap, and bins leave none of the gaps coloured.
  void groupsStandApart() {
    const StageAxis axis{.count = 20, .first = 1.25, .pitch = 22, .length = 300, .group = 4, .gap = 10};
    for (double pixel = 0; pixel < 300; pixel += 0.7) {
      QVERIFY(std::abs(axis.pixelOf(axis.itemAt(pixel)) - pixel) < 1e-9);
    }
    QCOMPARE(axis.pixelOf(4) - axis.pixelOf(3), 32.0);
    QCOMPARE(axis.pixelOf(3) - axis.pixelOf(2), 22.0);
    QCOMPARE(axis.content(), 20 * 22 + 4 * 10.0);
    QCOMPARE(axis.bin(2).first, qint64{3});
    QCOMPARE(axis.bin(3).from - axis.bin(2).to, 10);
    QVERIFY(!axis.hit(axis.pixelOf(4) - 5));
    QCOMPARE(axis.hit(axis.pixelOf(4) + 1), std::optional<qint64>(4));
    QCOMPARE(axis.hit(axis.pixelOf(4) - 11), std::optional<qint64>(3));
  }

  /// Whatever the pitch, an item begins at the pixel where it begins, and not at the end of the one before.
  void anItemIsAtItsOwnPixel() {
    for (int i = 1; i < 400; ++i) {
      const StageAxis axis{.count = 64, .first = 0, .pitch = 6 + i / 12.7, .length = 8000, .group = 8, .gap = 10};
      for (qint64 item = 0; item < axis.count; ++item) {
        QCOMPARE(axis.hit(axis.pixelOf(static_cast<double>(item))), std::optional<qint64>(item));
        StageAxis from_here = axis;
        from_here.first = axis.itemAt(axis.pixelOf(static_cast<double>(item)));
        QCOMPARE(from_here.bin(0).first, item);
      }
    }
  }

  void noNodeLineStandsAboveTheCells() {
    StageAxis axis{.count = 64, .first = 0, .pitch = 22, .length = 300, .group = 8, .gap = 10};
    for (int i = 0; i < 500; ++i) {
      axis.first = i * 0.1;
      const std::vector<int> lines = nodeLines(axis, 8);
      QVERIFY(!lines.empty());
      QVERIFY(lines.front() >= 0);
      QVERIFY(lines.back() <= axis.length);
    }
  }

  /// Rows that are thinner than a line of text are named as far as names fit, each once, from the first to the last.
  void thinRowsAreNamedAsFarAsNamesFit_data() {
    QTest::addColumn<int>("ranks");
    QTest::addColumn<int>("of_node");
    QTest::addColumn<double>("pitch");
    QTest::addColumn<int>("fewest");
    QTest::newRow("16 on one node") << 16 << 16 << 12.0 << 8;
    QTest::newRow("64 on one node") << 64 << 64 << 6.0 << 16;
    QTest::newRow("2 nodes of 16") << 32 << 16 << 9.0 << 15;
    QTest::newRow("8 nodes of 8, touching") << 64 << 8 << 6.0 << 16;
    QTest::newRow("128 nodes of 8") << 1024 << 8 << 6.0 << 256;
    QTest::newRow("1024 on one node, a pixel each") << 1024 << 1024 << 1.0 << 60;
    QTest::newRow("64 nodes of one") << 64 << 1 << 6.0 << 16;
    QTest::newRow("17") << 17 << 17 << 13.0 << 9;
  }
  void thinRowsAreNamedAsFarAsNamesFit() {
    QFETCH(const int, ranks);
    QFETCH(const int, of_node);
    QFETCH(const double, pitch);
    QFETCH(const int, fewest);
    constexpr double kLine = 14;
    StageAxis axis{.count = ranks, .first = 0, .pitch = pitch, .length = 1, .group = of_node < ranks ? of_node : 0};
    axis.gap = axis.group > 0 ? 10 : 0;
    axis.length = static_cast<int>(std::ceil(axis.content()));
    const std::vector<AxisLabel> labels = rankLabels(axis, {axis.count / of_node, of_node}, kLine);
    QVERIFY2(static_cast<int>(labels.size()) >= fewest, qPrintable(QString::number(labels.size())));
    QCOMPARE(labels.front().rank, 0);
    QCOMPARE(labels.back().rank, ranks - 1);
    QVERIFY(labels.back().pixel <= axis.length);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      QCOMPARE(labels[i].text, QString("rank %1").arg(labels[i].rank));
      QVERIFY(std::abs(labels[i].pixel - axis.middleOf(labels[i].rank)) <= kLine);
      if (i > 0) QVERIFY(labels[i].pixel - labels[i - 1].pixel >= kLine - 1e-6);
    }
  }

  void namesFollowTheRowsThatAreInView() {
    const StageAxis axis{.count = 64, .first = 20, .pitch = 7, .length = 140};
    const std::vector<AxisLabel> labels = rankLabels(axis, {1, 64}, 14);
    QCOMPARE(labels.front().rank, 20);
    QVERIFY(labels.back().rank >= 36 && labels.back().rank < 40);
    for (const AxisLabel& label : labels) {  // whole names
      QVERIFY(label.pixel - 7 >= -kRankNameBeyond && label.pixel + 7 <= axis.length + kRankNameBeyond);
    }
  }

  void ranksOfUnequalNodesNameTheirNode() {
    const StageAxis axis{.count = 4, .first = 0, .pitch = 30, .length = 120};
    const std::vector<AxisLabel> labels = rankLabels(axis, {2, shardlens::RanksPerNode({3, 1})}, 14);
    QCOMPARE(labels.size(), std::size_t{4});
    QCOMPARE(labels[2].note, QString("node 0"));
    QCOMPARE(labels[3].note, QString("node 1"));
  }

  /// Narrow views number every second step where there is room for it.
  void narrowViewsNumberMoreSteps() {
    const StageAxis steps{.count = 8, .first = 0, .pitch = 18, .length = 144};
    const double digit = 7;
    QCOMPARE(stepLabels(steps, stepSpacing(steps, digit, true)).size(), std::size_t{4});
    const StageAxis wide{.count = 8, .first = 0, .pitch = 24, .length = 192};
    QCOMPARE(stepLabels(wide, stepSpacing(wide, digit, true)).size(), std::size_t{8});
    QVERIFY(stepSpacing(steps, digit, false) > 70);
    const StageAxis long_one{.count = 100'000, .first = 0, .pitch = 18, .length = 144};
    QVERIFY(stepSpacing(long_one, digit, true) > 6 * digit);
  }

  void groupedItemsFitAndScrollToTheirEnd() {
    const StageAxis axis{.count = 20, .first = 0, .pitch = 22, .length = 300, .group = 4, .gap = 10};
    const StageAxis all = axis.fitted(44);
    QCOMPARE(all.pitch, (300 - 4 * 10) / 20.0);
    QVERIFY(all.showsAll());
    const StageAxis last = axis.revealing(19, 44);
    QVERIFY(std::abs(last.pixelOf(19) + 22 - 300) < 1e-9);
    const StageAxis closer = axis.zoomed(1.5, 130, 44);
    QVERIFY(std::abs(closer.itemAt(130) - axis.itemAt(130)) < 1e-9);
    StageAxis thin = axis;  // too many to spend pixels on gaps
    thin.length = 100;
    QCOMPARE(thin.fitted(44).pitch, 5.0);
    QCOMPARE(thin.fitted(44).gapShown(), 0.0);
  }
};

SHARDLENS_WINDOW_TEST(StageAxisTest)
#include "stage_axis_test.moc"
