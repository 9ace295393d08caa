// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tabs/overlap_view.h"

#include "tests/support/window_main.h"
#include "tests/ui/tabs/reports.h"
#include "ui/plot/matrix_plot.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/tabs/audit_parts.h"

#include <QApplication>
#include <QClipboard>
#include <QLayout>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <qcustomplot.h>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

QPushButton* button(const QWidget& parent, const QString& text) {
  for (auto* candidate : parent.findChildren<QPushButton*>()) {
    if (candidate->text() == text && candidate->isVisibleTo(&parent)) return candidate;
  }
  return nullptr;
}

void clickCell(const OverlapView& view, HeatCell cell) {
  MatrixPlot& matrix = view.matrix();
  const QPoint at = matrix.pixelOf(cell);
  QWidget* target = matrix.childAt(at);
  QVERIFY(target != nullptr);
  QTest::mouseClick(target, Qt::LeftButton, {}, target->mapFrom(&matrix, at));
}

struct Shown {
  explicit Shown(std::shared_ptr<AuditReport> report, qint64 world, qint64 per_node) {
    view.resize(740, 300);
    view.show();
    view.setReport(std::move(report), world, per_node);
    QCoreApplication::processEvents();
  }
  OverlapView view;
};

}  // namespace

class OverlapViewTest : public QObject {
  Q_OBJECT

 private slots:
  void withoutAChoiceItSaysTheWorstPair() {
    const Shown shown(sharedSlices(), 8, 4);
    QCOMPARE(shown.view.title(), QString("4 of 28 pairs share samples"));
    QVERIFY(shown.view.reason().contains(QString::fromUtf8("ranks 0 and 4 share all 320\u202f292 samples")));
  }

  void pairsThatShareNoMoreThanPaddingAreCountedApart() {
    auto report = sharedSlices();  // 2 items are padding
    report->ranks.shared[3] = report->ranks.shared[24] = 2;
    const Shown shown(report, 8, 4);
    QCOMPARE(shown.view.title(), QString("4 of 28 pairs share samples"));
    QVERIFY2(shown.view.reason().contains("1 more pair shares at most 2 samples"), qPrintable(shown.view.reason()));
  }

  void aClickChoosesBothRanksAndSaysWhatTheyShare() {
    Shown shown(sharedSlices(), 8, 4);
    QSignalSpy chosen(&shown.view, &OverlapView::pairChosen);
    clickCell(shown.view, {2, 6});
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen.first().at(0).toLongLong(), 2);
    QCOMPARE(chosen.first().at(1).toLongLong(), 6);
    QCOMPARE(shown.view.title(), QString::fromUtf8("Ranks 2 and 6 share all 320\u202f292 samples"));
    QVERIFY(shown.view.reason().contains("local_rank"));
  }

  void aLongFixTakesSeveralLinesWhereThereIsNoRoom() {
    FixOffer offer;
    Fix fix;
    fix.label = "Pass rank and world_size to the sampler, and let every node read its own part of the dataset";
    offer.setFix(fix);
    offer.resize(offer.sizeHint());
    offer.show();
    auto* at_length = offer.findChild<QPushButton*>();
    QVERIFY(!at_length->text().contains('\n'));
    QVERIFY2(offer.minimumSizeHint().width() < 200, qPrintable(QString::number(offer.minimumSizeHint().width())));
    offer.resize(220, offer.layout()->totalHeightForWidth(220));
    QCoreApplication::processEvents();
    QVERIFY(at_length->text().contains('\n'));
    QVERIFY(at_length->width() <= 220);
    QVERIFY(at_length->height() >= at_length->heightForWidth(at_length->width()));
    QCOMPARE(at_length->accessibleName(), QString::fromStdString(fix.label));
  }

  void aNarrowViewLeavesTheSentenceRoom() {
    Shown shown(sharedSlices(), 8, 4);
    shown.view.resize(450, 300);
    QCoreApplication::processEvents();
    const auto* title = shown.view.findChild<LinkLabel*>();
    QVERIFY2(title->width() > 180, qPrintable(QString::number(title->width())));
    const QRect place(title->mapTo(&shown.view, QPoint()), title->size());
    QVERIFY(!shown.view.matrix().geometry().intersects(place));
  }

  /// The width of the view in the smallest window.
  void theScaleIsThereInTheSmallestWindow() {
    Shown shown(sharedSlices(), 8, 4);
    shown.view.resize(466, 160);
    QCoreApplication::processEvents();
    const auto* scale = shown.view.findChild<HeatScale*>();
    QVERIFY(scale->isVisible());
    QVERIFY(!scale->geometry().intersects(shown.view.matrix().geometry()));
    QVERIFY(shown.view.findChild<LinkLabel*>()->width() > 150);
  }

  void aSecondClickAtAPlaceHitsTheSamePair() {
    for (const QSize size : {QSize(466, 160), QSize(560, 180), QSize(640, 200), QSize(740, 300)}) {
      auto report = sharedSlices();
      report->findings.front().why += " The ranks of both nodes then read the same slices, and half of the dataset.";
      report->findings.front().fixes.front().label = "Pass rank and world_size to the sampler of every node";
      Shown shown(report, 8, 4);
      shown.view.resize(size);
      QCoreApplication::processEvents();
      const QRect before = shown.view.matrix().geometry();
      const QPoint cell = shown.view.matrix().pixelOf({3, 7});
      for (const HeatCell chosen : {HeatCell{3, 7}, HeatCell{1, 2}, HeatCell{0, 4}}) {
        clickCell(shown.view, chosen);
        shown.view.setSharedIds({chosen.row, chosen.column}, std::vector<SampleIndex>(20, 1'000'000));
        QCoreApplication::processEvents();
        QCOMPARE(shown.view.matrix().geometry(), before);
        QCOMPARE(shown.view.matrix().pixelOf({3, 7}), cell);
      }
      if (QPushButton* ids = button(shown.view, "Show the shared ids")) QTest::mouseClick(ids, Qt::LeftButton);
      QCoreApplication::processEvents();
      QCOMPARE(shown.view.matrix().geometry(), before);
    }
  }

  void arrowsAndEnterChooseToo() {
    Shown shown(sharedSlices(), 8, 4);
    shown.view.matrix().setFocus();
    for (int i = 0; i < 2; ++i) QTest::keyClick(&shown.view.matrix(), Qt::Key_Down);
    for (int i = 0; i < 3; ++i) QTest::keyClick(&shown.view.matrix(), Qt::Key_Right);
    QCOMPARE(shown.view.matrix().cursor(), (HeatCell{2, 3}));
    QSignalSpy chosen(&shown.view, &OverlapView::pairChosen);
    QTest::keyClick(&shown.view.matrix(), Qt::Key_Return);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(shown.view.title(), QString("Ranks 2 and 3 share no sample"));
  }

  void theFixButtonOffersTheFindingsFix() {
    Shown shown(sharedSlices(), 8, 4);
    clickCell(shown.view, {2, 6});
    QList<Fix> wanted;
    connect(&shown.view, &OverlapView::fixWanted, this, [&wanted](const Fix& fix) { wanted << fix; });
    QPushButton* fix = button(shown.view, "Use rank, world_size");
    QVERIFY(fix != nullptr);
    QTest::mouseClick(fix, Qt::LeftButton);
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(wanted.first().edits.front().path, std::string("sampler.rank"));
  }

  void theSharedIdsAreListedAndCopied() {
    Shown shown(sharedSlices(), 8, 4);
    clickCell(shown.view, {2, 6});
    QSignalSpy wanted(&shown.view, &OverlapView::sharedIdsWanted);
    QTest::mouseClick(button(shown.view, "Show the shared ids"), Qt::LeftButton);
    QCOMPARE(wanted.count(), 1);
    shown.view.setSharedIds({2, 6}, {5, 17, 40});
    QCOMPARE(shown.view.ids().text(), QString("5, 17, 40"));
    QCOMPARE(shown.view.ids().caption(), QString::fromUtf8("320\u202f292 ids shared, the first 3"));
    QTest::mouseClick(button(shown.view, "Copy"), Qt::LeftButton);
    QCOMPARE(QApplication::clipboard()->text(), QString("5, 17, 40"));
    shown.view.setSharedIds({0, 4}, {1});  // late answer for another pair
    QCOMPARE(shown.view.ids().text(), QString("5, 17, 40"));
  }

  void paddingAloneIsNoAlarm() {
    const Shown shown(oneShared(3, 3), 2, 2);
    QCOMPARE(shown.view.title(), QString("1 shared sample: padding"));
    const Shown real(oneShared(3, 5), 2, 2);
    QCOMPARE(real.view.title(), QString::fromUtf8("Ranks 0 and 1 share 1 sample (25\u202f%)"));
  }

  void aScaleStandsBesideWhatIsGraded() {
    Shown shown(sharedSlices(), 8, 4);
    auto* scale = shown.view.findChild<HeatScale*>();
    QVERIFY(scale->isVisible());
    shown.view.setMode(OverlapView::Epochs);
    QVERIFY(!scale->isVisible());
    const Shown padding(oneShared(3, 3), 2, 2);
    QVERIFY(!padding.view.findChild<HeatScale*>()->isVisible());
    shown.view.setMode(OverlapView::Ranks);
    shown.view.resize(360, 200);
    QVERIFY(!scale->isVisible());
  }

  void sharedIdsTellPaddingFromOverlap() {
    auto report = oneShared(3, 5);
    report->coverage.front().duplicated = 2;  // another sample is read twice by one rank
    Shown shown(report, 2, 2);
    QSignalSpy wanted(&shown.view, &OverlapView::sharedIdsWanted);
    clickCell(shown.view, {0, 1});
    QCOMPARE(wanted.count(), 1);
    QVERIFY(!shown.view.title().contains("padding"));
    shown.view.setSharedIds({0, 1}, {3});
    QCOMPARE(shown.view.title(), QString("1 shared sample: padding"));
  }

  void ranksWithoutSamplesAreNotSaidToBeApart() {
    auto report = std::make_shared<AuditReport>();
    report->ranks = {2, {0, 0, 0, 0}, {0, 0}};
    const Shown shown(report, 2, 1);
    QCOMPARE(shown.view.title(), QString("No rank has a sample: nothing to compare"));
  }

  /// As of a job with more ranks than are compared.
  void whatLaterRanksShareIsNotSaidToBeApart() {
    auto report = sharedSlices();
    report->ranks = {2, {4, 0, 0, 4}, {0, 1}};
    const Shown shown(report, 8, 4);
    QCOMPARE(shown.view.title(), QString("No two of the first 2 ranks share a sample"));
    QVERIFY2(shown.view.reason().contains(
                 QString::fromUtf8("Read more than once, counted over all 8 ranks: 1\u202f281\u202f167 samples.")),
             qPrintable(shown.view.reason()));
    QCOMPARE(rankOverview(*report, 8).tone, Tone::Error);
    QCOMPARE(rankOverview(*report, 2).tone, Tone::Fine);
    auto padded = oneShared(3, 3);
    padded->ranks.shared = {4, 0, 0, 4};
    QCOMPARE(rankOverview(*padded, 4).tone, Tone::Note);
    padded->coverage.front().duplicated = 0;
    QCOMPARE(rankOverview(*padded, 4).title, QString("No two ranks share a sample"));
    QVERIFY(rankOverview(*padded, 4).reasons.last().contains("Counted over all 4 ranks"));
    auto some = sharedSlices();
    QVERIFY(rankOverview(*some, 16).reasons.join(' ').contains("the first 8 of 16 ranks"));
  }

  /// Ranks 0 and 1, and 2 and 3, divide one copy of the model each.
  void ranksOfOneCopyOfTheModelMayShareTheirSamples() {
    auto report = std::make_shared<AuditReport>();
    report->ranks = {4, {8, 8, 0, 0, 8, 8, 0, 0, 0, 0, 8, 8, 0, 0, 8, 8}, {0, 0, 2, 2}, {0, 0, 1, 1}};
    report->coverage = {Ledger()};
    report->repeats = {0, 1, {0}};
    QCOMPARE(rankOverview(*report, 4).title, QString("Only ranks of one copy of the model share samples"));
    QCOMPARE(rankOverview(*report, 4).tone, Tone::Fine);
    QCOMPARE(rankVerdict(*report, 0, 1, false).tone, Tone::Fine);
    QCOMPARE(rankTone(*report), Tone::Note);
    report->ranks.shared = {4, 0, 0, 0, 0, 4, 0, 0, 0, 0, 4, 0, 0, 0, 0, 4};
    Finding finding;
    finding.topic = FindingTopic::Ranks;
    finding.severity = Severity::Error;
    finding.title = "Ranks of one copy of the model read different samples";
    finding.is_of_peers = true;
    report->findings = {finding};
    QCOMPARE(rankOverview(*report, 4).title, QString::fromStdString(finding.title));
    QCOMPARE(rankOverview(*report, 4).tone, Tone::Error);
    QCOMPARE(rankVerdict(*report, 0, 1, false).tone, Tone::Error);
    QCOMPARE(rankVerdict(*report, 0, 2, false).tone, Tone::Fine);
  }

  void oneRankHasNothingToOverlap() {
    auto report = std::make_shared<AuditReport>();
    report->ranks = {1, {16}, {0}};
    const Shown shown(report, 1, 1);
    QCOMPARE(shown.view.title(), QString("One rank: nothing to compare"));
  }

  void epochsWithOneOrderAreLinked() {
    Shown shown(sharedSlices(), 8, 4);
    shown.view.setMode(OverlapView::Epochs);
    QCoreApplication::processEvents();
    QCOMPARE(shown.view.title(), QString("2 orders in 3 epochs"));
    const auto* plot = shown.view.matrix().findChild<QCustomPlot*>();
    QCOMPARE(plot->xAxis->label(), QString("epoch"));
    shown.view.setMode(OverlapView::Ranks);
    QCOMPARE(plot->yAxis->label(), QString("rank"));
    shown.view.setMode(OverlapView::Epochs);
    clickCell(shown.view, {0, 2});
    QCOMPARE(shown.view.title(), QString("Epochs 0 and 2 have the same order"));
    clickCell(shown.view, {0, 1});
    QCOMPARE(shown.view.title(), QString("Epochs 0 and 1 have different orders"));
  }
};

SHARDLENS_WINDOW_TEST(OverlapViewTest)
#include "overlap_view_test.moc"
