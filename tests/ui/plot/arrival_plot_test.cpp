// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/arrival_plot.h"

#include "tests/support/window_main.h"
#include "ui/plot/plot_style.h"
#include "ui/scene/theme.h"

#include <QApplication>
#include <QImage>
#include <QSet>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace shardlens::ui;

namespace {

std::vector<Arrival> eightRanks() {
  std::vector<Arrival> arrivals;
  for (qint64 rank = 0; rank < 8; ++rank) arrivals.push_back({rank, 200, 1.0 + 0.1 * rank, 0.5, 2.0});
  arrivals[5] = {5, 200, 18.2, 16.0, 20.0};
  return arrivals;
}

int pixelsOf(const QImage& image, const QColor& colour) {
  int count = 0;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) count += image.pixelColor(x, y) == colour;
  }
  return count;
}

QImage shot(ArrivalPlot& plot) {
  for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();  // a palette change queues a repaint of its own
  return plot.grab().toImage();
}

}  // namespace

class ArrivalPlotTest : public QObject {
  Q_OBJECT

 private slots:
  void ticksOfCountsAreWholeAndEquallyFarApart() {
    for (const double last : {1.0, 3.0, 7.0, 15.0, 16.0, 40.0, 390.0, 10'010.0, 1'281'167.0}) {
      QVector<double> ticks;
      QVector<QString> labels;
      countTicker(5)->generate({0, last}, QLocale(), 'g', 6, ticks, nullptr, &labels);
      QVERIFY(ticks.size() >= 2 && ticks.size() <= 9);
      for (qsizetype i = 0; i < ticks.size(); ++i) QCOMPARE(ticks[i], std::round(ticks[i]));
      for (qsizetype i = 2; i < ticks.size(); ++i) QCOMPARE(ticks[i] - ticks[i - 1], ticks[1] - ticks[0]);
      QCOMPARE(QSet<QString>(labels.begin(), labels.end()).size(), labels.size());
    }
  }

  /// One number beside the zero at least, however few fit.
  void aScaleOfTimesHasTwoNumbers() {
    for (const double last : {0.9, 1.4, 3.9, 9.1, 19.0, 75.0}) {
      QVector<double> ticks;
      unitTicker("ms", 1)->generate({-0.01 * last, last}, QLocale(), 'g', 6, ticks, nullptr, nullptr);
      QVERIFY2(std::ranges::count_if(ticks, [last](double tick) { return tick > 0 && tick <= last; }) >= 1,
               qPrintable(QString::number(last)));
    }
  }

  void cleanup() {
    setTheme(Theme::light());
    QApplication::setPalette(QPalette());
  }

  void theHighlightedRankStandsOut() {
    ArrivalPlot plot;
    plot.resize(360, 200);
    plot.show();
    plot.setArrivals(eightRanks());
    QCOMPARE(pixelsOf(shot(plot), theme().warning), 0);
    plot.setHighlights({5});
    QVERIFY(pixelsOf(shot(plot), theme().warning) > 20);
  }

  void aRankWithoutMeasurementsIsNotDrawnAsZero() {
    ArrivalPlot plot;
    plot.resize(360, 200);
    plot.show();
    plot.setArrivals({{0, 200, 10, 8, 12}});
    const int dots = pixelsOf(shot(plot), theme().text);
    QVERIFY(dots > 0);
    plot.setArrivals({{0, 0, 0, 0, 0}});
    QCOMPARE(pixelsOf(shot(plot), theme().text), 0);
    QVERIFY(pixelsOf(shot(plot), theme().faint) > 0);  // the hatching
  }

  void aClickNamesTheRankOfItsRow() {
    ArrivalPlot plot;
    plot.resize(360, 200);
    plot.show();
    plot.setArrivals(eightRanks());
    shot(plot);
    QSignalSpy clicked(&plot, &ArrivalPlot::rankClicked);
    QTest::mouseClick(plot.childAt(200, 24), Qt::LeftButton, {}, {200, 24});
    QCOMPARE(clicked.count(), 1);
    QCOMPARE(clicked.first().first().toLongLong(), 0);
  }

  void theThemeRecoloursIt() {
    ArrivalPlot plot;
    plot.resize(360, 200);
    plot.show();
    plot.setArrivals(eightRanks());
    QVERIFY(pixelsOf(shot(plot), Theme::light().panel) > 1000);
    setTheme(Theme::darkTheme());
    QPalette palette;
    palette.setColor(QPalette::Window, theme().window);
    QApplication::setPalette(palette);
    const QImage dark = shot(plot);
    QVERIFY(pixelsOf(dark, Theme::darkTheme().panel) > 1000);
    QCOMPARE(pixelsOf(dark, Theme::light().panel), 0);
  }
};

SHARDLENS_WINDOW_TEST(ArrivalPlotTest)
#include "arrival_plot_test.moc"
