// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tabs/coverage_view.h"

#include "core/spec/pipeline_spec.h"
#include "ui/scene/tabs/coverage_text.h"
#include "ui/widgets/tabs/id_list.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>

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
    QCOMPARE(view.progress(), QString("after step 2: 8 of 16 seen"));
    view.setPlayhead(1, 2.7);
    QCOMPARE(view.progress(), QString("samples seen, by step"));
  }
};

QTEST_MAIN(CoverageViewTest)
#include "coverage_view_test.moc"
