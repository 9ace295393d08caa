// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/matrix_plot.h"

#include "tests/support/window_main.h"
#include "ui/scene/theme.h"

#include <QApplication>
#include <QImage>
#include <QTest>

#include <algorithm>

using namespace shardlens::ui;

namespace {

Heat oneHotCell(qint64 size, HeatCell cell) {
  Heat heat{size, std::vector<float>(static_cast<std::size_t>(size * size))};
  heat.cells[static_cast<std::size_t>(cell.row * size + cell.column)] = 1;
  return heat;
}

QImage shot(MatrixPlot& plot) {
  for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();  // a palette change queues a repaint of its own
  return plot.grab().toImage();
}

int pixelsOf(const QImage& image, const QColor& colour) {
  int count = 0;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) count += image.pixelColor(x, y) == colour;
  }
  return count;
}

}  // namespace

class MatrixPlotTest : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() {
    setTheme(Theme::light());
    QApplication::setPalette(QPalette());
  }

  void aSingleHotCellOfAMillionStaysVisible_data() {
    QTest::addColumn<int>("row");
    QTest::addColumn<int>("column");
    QTest::addColumn<int>("side");
    for (const int side : {220, 301, 470}) {
      QTest::addRow("middle %d", side) << 511 << 342 << side;
      QTest::addRow("last corner %d", side) << 1023 << 0 << side;
      QTest::addRow("edge %d", side) << 1 << 1022 << side;
    }
  }
  void aSingleHotCellOfAMillionStaysVisible() {
    QFETCH(int, row);
    QFETCH(int, column);
    QFETCH(int, side);
    MatrixPlot plot;
    plot.resize(side + 40, side);
    plot.show();
    plot.setHeat(oneHotCell(1024, {row, column}), HeatTone::Error, 8);
    const QImage image = shot(plot);
    QVERIFY(pixelsOf(image, duplicateColor(theme())) >= 2);
    QCOMPARE(
        pixelsOf(image.copy(QRect(plot.pixelOf({row, column}) - QPoint(5, 5), QSize(11, 11))), duplicateColor(theme())),
        pixelsOf(image, duplicateColor(theme())));
  }

  /// Padding is hatched, however little it is and however many ranks share the picture.
  void paddingIsHatchedHoweverManyRanksThereAre_data() {
    QTest::addColumn<int>("ranks");
    for (const int ranks : {8, 32, 33, 64, 1024}) QTest::addRow("%d", ranks) << ranks;
  }
  void paddingIsHatchedHoweverManyRanksThereAre() {
    QFETCH(const int, ranks);
    MatrixPlot plot;
    plot.resize(260, 220);
    plot.show();
    Heat heat = oneHotCell(ranks, {1, ranks - 2});
    for (float& cell : heat.cells) cell *= 5e-5F;
    plot.setHeat(heat, HeatTone::Padding, 8);
    const QImage image = shot(plot);
    const QPoint at = plot.pixelOf({1, ranks - 2});
    const QColor hatch = paddingColor(theme());
    const int half = std::max(5, 110 / ranks);
    QVERIFY(pixelsOf(image, hatch) > 0);
    QCOMPARE(pixelsOf(image.copy(QRect(at - QPoint(half, half), QSize(2 * half + 1, 2 * half + 1))), hatch),
             pixelsOf(image, hatch));
    plot.setHeat(oneHotCell(ranks, {1, ranks - 2}), HeatTone::Error, 8);
    QCOMPARE(pixelsOf(shot(plot), hatch), 0);
  }

  void pointingNearAHotCellMeansThatCell() {
    MatrixPlot plot;
    plot.resize(340, 300);
    plot.show();
    plot.setHeat(oneHotCell(1024, {511, 342}), HeatTone::Error, 8);
    shot(plot);
    qint64 row = -1;
    qint64 column = -1;
    connect(&plot, &MatrixPlot::chosen, this, [&](qint64 r, qint64 c) { row = r, column = c; });
    const QPoint at = plot.pixelOf({511, 342});
    QTest::mouseClick(plot.childAt(at), Qt::LeftButton, {}, at);
    QCOMPARE(row, 511);
    QCOMPARE(column, 342);
  }

  void fewRanksAreCellsWithGaps() {
    MatrixPlot plot;
    plot.resize(340, 300);
    plot.show();
    plot.setHeat(oneHotCell(8, {2, 6}), HeatTone::Error, 0);
    const QImage image = shot(plot);
    QCOMPARE(image.pixelColor(plot.pixelOf({2, 6})), duplicateColor(theme()));
    QCOMPARE(image.pixelColor(plot.pixelOf({6, 2})), theme().cell_empty);
    QCOMPARE(image.pixelColor(plot.pixelOf({3, 3})), theme().field);  // the diagonal says nothing
    const QRect between(plot.pixelOf({5, 1}), plot.pixelOf({5, 2}));
    QCOMPARE(pixelsOf(image.copy(between), theme().panel), 2);
  }

  void aSmallShareDiffersFromNoneButANegligibleOneDoesNot() {
    MatrixPlot plot;
    plot.resize(340, 300);
    plot.show();
    Heat heat = oneHotCell(8, {2, 6});
    heat.cells[1] = 0.002F;
    heat.cells[3] = 0.0005F;
    plot.setHeat(heat, HeatTone::Error, 0);
    const QImage picture = shot(plot);
    const QColor small = picture.pixelColor(plot.pixelOf({0, 1}));
    const QColor none = picture.pixelColor(plot.pixelOf({0, 2}));
    QVERIFY(small.red() - small.blue() > none.red() - none.blue() + 15);
    QCOMPARE(picture.pixelColor(plot.pixelOf({0, 3})), none);
  }

  void theThemeRecoloursIt() {
    MatrixPlot plot;
    plot.resize(340, 300);
    plot.show();
    plot.setHeat(oneHotCell(64, {2, 6}), HeatTone::Error, 0);
    QVERIFY(pixelsOf(shot(plot), Theme::light().cell_empty) > 1000);
    setTheme(Theme::darkTheme());
    QPalette palette;
    palette.setColor(QPalette::Window, theme().window);
    QApplication::setPalette(palette);
    const QImage dark = shot(plot);
    QVERIFY(pixelsOf(dark, Theme::darkTheme().cell_empty) > 1000);
    QVERIFY(pixelsOf(dark, duplicateColor(Theme::darkTheme())) > 0);
    QCOMPARE(pixelsOf(dark, Theme::light().cell_empty), 0);
  }
};

SHARDLENS_WINDOW_TEST(MatrixPlotTest)
#include "matrix_plot_test.moc"
