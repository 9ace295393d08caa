// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tabs/coverage_view.h"

#include "core/plan/plan.h"
#include "core/spec/pipeline_spec.h"
#include "tests/support/window_main.h"
#include "ui/plot/coverage_plot.h"
#include "ui/scene/tabs/coverage_text.h"
#include "ui/widgets/tabs/audit_parts.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QLabel>
#include <QSignalSpy>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QTest>
#include <qcustomplot.h>

#include <memory>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

Ledger whole(std::int64_t epoch) {
  Ledger coverage;
  coverage.epoch = epoch;
  coverage.dataset_size = 16;
  coverage.handed_out = 16;
  coverage.seen = 16;
  coverage.times_seen = {0, 16};
  return coverage;
}

Ledger broken(std::int64_t epoch) {
  Ledger coverage = whole(epoch);
  coverage.seen = 14;
  coverage.missing = 2;
  coverage.missing_ids = {3, 9};
  coverage.duplicated = 1;
  coverage.duplicated_ids = {7};
  coverage.repeats[RepeatCause::Replacement] = 2;
  coverage.times_seen = {2, 13, 0, 1};
  return coverage;
}

Plan planOf(std::int64_t size, std::int64_t ranks) {
  PipelineSpec spec;
  spec.dataset.size = size;
  spec.world.ranks_per_node = ranks;
  auto plan = Plan::make(spec);
  Q_ASSERT(plan);
  return *plan;
}

}  // namespace

class CoverageViewTest : public QObject {
  Q_OBJECT

 private slots:
  /// What stands above the plots in the smallest window and in a large one.
  void theCaptionsFitAboveTheirPlots() {
    CoverageView view;
    AuditReport report;
    report.coverage = {broken(0)};
    view.setReport(std::make_shared<const AuditReport>(report));
    view.show();
    for (const int width : {470, 1200}) {
      view.resize(width, 180);
      QCoreApplication::sendPostedEvents();
      int captions = 0;
      for (const QLabel* label : view.findChildren<QLabel*>()) {
        if (label->property("tone") != "muted" || label->toolTip().isEmpty() || !label->toolTip().contains("seen") ||
            label->sizePolicy().horizontalPolicy() != QSizePolicy::Ignored)
          continue;
        ++captions;
        QVERIFY2(label->fontMetrics().horizontalAdvance(label->text()) <= label->width(), qPrintable(label->text()));
      }
      QCOMPARE(captions, 2);
    }
  }

  void theNameOfALaterEpochIsWhole() {
    CoverageView view;
    AuditReport report;
    report.coverage = {broken(0), broken(89'999)};
    view.setReport(std::make_shared<const AuditReport>(report));
    view.resize(700, 180);
    view.show();
    const QComboBox* epochs = nullptr;
    for (const auto* choice : view.findChildren<QComboBox*>()) {
      if (choice->accessibleName() == "Epoch") epochs = choice;
    }
    QVERIFY(epochs != nullptr && epochs->count() == 2);
    QStyleOptionComboBox option;
    option.initFrom(epochs);
    const QRect text =
        epochs->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, epochs);
    const int wanted = epochs->fontMetrics().horizontalAdvance(epochs->itemText(1));
    QVERIFY2(text.width() >= wanted, qPrintable(QString("%1 of %2").arg(text.width()).arg(wanted)));
  }

  /// At every size of the window: numbers that touch cannot be read, and what has no number is not named.
  void whatIsWrittenAtTheAxesStandsApart() {
    CoverageView view;
    AuditReport report;
    report.coverage = {broken(0)};
    report.coverage.front().times_seen = {2, 13, 4, 3, 1};
    view.setReport(std::make_shared<const AuditReport>(report));
    view.setCurve(0, {{{0, 0}, {10'010, 1'281'167}}, 1'281'167, 10'010});
    view.show();
    for (const int width : {438, 560, 674, 1200}) {
      view.resize(width, 183);
      QCoreApplication::sendPostedEvents();
      for (PlotView* shown : {static_cast<PlotView*>(view.findChild<CoveragePlot*>()),
                              static_cast<PlotView*>(view.findChild<TimesSeenPlot*>())}) {
        auto* plot = shown->findChild<QCustomPlot*>();
        plot->replot();
        QVector<double> ticks;
        QVector<QString> labels;
        QCPAxis& axis = *plot->xAxis;
        axis.ticker()->generate(axis.range(), QLocale::c(), 'g', 6, ticks, nullptr, &labels);
        const QFontMetrics metrics(axis.tickLabelFont());
        double free_from = 0;
        for (qsizetype i = 0; i < ticks.size(); ++i) {
          if (!axis.range().contains(ticks[i])) continue;
          const double half = metrics.horizontalAdvance(labels[i]) / 2.0;
          const double at = axis.coordToPixel(ticks[i]);
          QVERIFY2(at - half >= free_from - 1, qPrintable(QString("%1 at %2").arg(labels[i]).arg(width)));
          QVERIFY2(at + half <= shown->width() + 1, qPrintable(QString("%1 at %2").arg(labels[i]).arg(width)));
          free_from = at + half + 3;
        }
      }
    }
    view.resize(674, 183);  // in a window of 1280 x 720
    QCoreApplication::sendPostedEvents();
    QCOMPARE(view.findChild<CoveragePlot*>()->findChild<QCustomPlot*>()->xAxis->label(), QString("step"));
  }

  /// A bar leads to its ids, a place in the curve to its step.
  void thePlotsAnswerToClicks() {
    CoverageView view;
    AuditReport report;
    report.coverage = {broken(0)};
    view.setReport(std::make_shared<const AuditReport>(report));
    const auto curve = coverageCurve(planOf(16, 2), Epoch{0}, 100);
    QVERIFY(curve.has_value());
    view.setCurve(0, *curve);
    view.resize(1200, 300);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view, 60'000));
    QSignalSpy wanted(&view, &CoverageView::placeWanted);
    auto* plot = view.findChild<CoveragePlot*>()->findChild<QCustomPlot*>();
    const QRect area = plot->axisRect()->rect();
    QTest::mouseClick(plot, Qt::LeftButton, {}, area.center());
    QCOMPARE(wanted.count(), 1);
    const auto place = wanted.front().front().value<Selected>();
    QVERIFY(place.epoch == 0 && place.step.has_value());
    QCOMPARE(*place.step, qint64(plot->xAxis->pixelToCoord(area.center().x())));
    auto* lists = view.findChildren<QComboBox*>().back();
    auto* bars = view.findChild<TimesSeenPlot*>()->findChild<QCustomPlot*>();
    const int y = bars->axisRect()->rect().bottom() - 2;
    QTest::mouseClick(bars, Qt::LeftButton, {}, QPoint(int(bars->xAxis->coordToPixel(2)), y));  // "3 times"
    QCOMPARE(lists->currentIndex(), int(CoverageView::Duplicated));
    QTest::mouseClick(bars, Qt::LeftButton, {}, QPoint(int(bars->xAxis->coordToPixel(0)), y));  // "never"
    QCOMPARE(lists->currentIndex(), int(CoverageView::Missing));
  }

  void theVerdictNamesWhatIsWrong() {
    QCOMPARE(coverageVerdict(whole(0)).title, QString("Every sample is seen once"));
    QCOMPARE(coverageVerdict(whole(0)).tone, Tone::Fine);
    QCOMPARE(coverageVerdict(broken(0)).title, QString("2 samples are never seen, 1 sample is seen more than once"));
    QCOMPARE(coverageVerdict(broken(0)).tone, Tone::Error);
    Ledger padded = whole(0);
    padded.duplicated = 1;
    padded.duplicated_ids = {5};
    padded.repeats[RepeatCause::SamplerPadding] = 1;
    padded.padding_ids = {5};
    QCOMPARE(coverageVerdict(padded).title, QString("1 sample is repeated as padding"));
    QCOMPARE(coverageVerdict(padded).tone, Tone::Note);
  }

  void theHistogramKeepsEverySample() {
    const auto bars = timesSeen(broken(0));
    QCOMPARE(bars.size(), std::size_t{3});
    QCOMPARE(bars[0].label, QString("never"));
    QCOMPARE(bars[0].samples, 2);
    QCOMPARE(bars[2].label, QString("3 times"));
    Ledger many;
    many.times_seen.assign(40, 1);
    qint64 sum = 0;
    for (const TimesSeen& bar : timesSeen(many, 5)) sum += bar.samples;
    QCOMPARE(sum, 40);
    QCOMPARE(timesSeen(many, 5).back().label, QString("4+ times"));
  }

  void theCurveCountsDistinctSamples() {
    const auto curve = coverageCurve(planOf(16, 2), Epoch{0});
    QVERIFY(curve);
    QCOMPARE(curve->steps, 4);
    QCOMPARE(curve->points.front().seen, 0);
    QCOMPARE(curve->seenAt(1), 4.0);  // two ranks, two samples each
    QCOMPARE(curve->seenAt(1.5), 6.0);
    QCOMPARE(curve->points.back().seen, 16);
  }

  void paddingAddsNothingToTheCurve() {
    const auto curve = coverageCurve(planOf(17, 2), Epoch{0});
    QVERIFY(curve);
    QCOMPARE(curve->points.back().seen, 17);
    QCOMPARE(curve->points.back().step, 5);
  }

  void aStoppedWalkIsCancelled() {
    std::stop_source stop;
    stop.request_stop();
    const auto curve = coverageCurve(planOf(1000, 2), Epoch{0}, 400, Work{stop.get_token(), {}});
    QVERIFY(!curve);
    QCOMPARE(curve.error().code, ErrorCode::Cancelled);
  }

  void choosingAnEpochAsksForItsCurveAndShowsItsIds() {
    auto report = std::make_shared<AuditReport>();
    report->coverage = {whole(0), broken(1)};
    CoverageView view;
    view.resize(740, 300);
    view.show();
    QSignalSpy wanted(&view, &CoverageView::curveWanted);
    view.setReport(report);
    QCOMPARE(wanted.takeFirst().first().toLongLong(), 0);
    QCOMPARE(view.title(), QString("Every sample is seen once"));
    view.setEpoch(1);
    QCOMPARE(wanted.takeFirst().first().toLongLong(), 1);
    view.setList(CoverageView::Missing);
    QCOMPARE(view.ids().text(), QString("3, 9"));
    view.setList(CoverageView::Duplicated);
    QCOMPARE(view.ids().text(), QString("7"));
    view.setEpoch(5);  // not audited
    QCOMPARE(view.epoch(), std::optional<qint64>(1));
  }

  void thePlayheadReadsTheCurve() {
    auto report = std::make_shared<AuditReport>();
    report->coverage = {whole(0), whole(1)};
    CoverageView view;
    view.setReport(report);
    view.setCurve(0, *coverageCurve(planOf(16, 2), Epoch{0}));
    view.setPlayhead(0, 2.7);
    QCOMPARE(view.progress(), QString("after 3 steps: 12 of 16 seen"));  // step 2 has landed
    view.setPlayhead(0, 2.3);
    QCOMPARE(view.progress(), QString("after 2 steps: 8 of 16 seen"));
    view.setPlayhead(0, 4);
    QCOMPARE(view.progress(), QString("after 4 steps: 16 of 16 seen"));
    view.setPlayhead(1, 2.7);
    QCOMPARE(view.progress(), QString("samples seen, by step"));
  }
};

SHARDLENS_WINDOW_TEST(CoverageViewTest)
#include "coverage_view_test.moc"
