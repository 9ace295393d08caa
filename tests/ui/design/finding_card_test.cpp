// SPDX-License-Identifier: Apache-2.0
#include "tests/support/window_main.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/design/findings_panel.h"

#include <QLabel>
#include <QTest>

#include <algorithm>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

/// Unequal batches with so many ways out.
Finding unequal(int fixes) {
  Finding finding;
  finding.code = "unequal-batches";
  finding.title = "Rank 3 runs out first";
  finding.message = "Rank 3 has 25 batches.";
  finding.why = "It never comes.";
  const std::vector<Fix> all = {{"Drop short last batches", {{"loader.drop_last", true}}, {}, "3 more samples missing"},
                                {"Round up", {{"sampler.round_up", true}}, {}}};
  finding.fixes.assign(all.begin(), all.begin() + fixes);
  return finding;
}

}  // namespace

class FindingCardTest : public QObject {
  Q_OBJECT

 private slots:
  void eachFixIsAButtonWithItsPriceBelow() {
    const FindingCard card(unequal(2));
    QCOMPARE(card.fixButtons().size(), 2);
    QCOMPARE(card.fixButtons()[0]->text(), QString("Fix: Drop short last batches"));
    QCOMPARE(card.fixButtons()[1]->text(), QString("Or: Round up"));
    QCOMPARE(card.priceText(0), QString("Effect: 3 more samples missing"));
    QCOMPARE(card.priceText(1), QString());
    QCOMPARE(card.fixButtons()[0]->accessibleDescription(), card.priceText(0));
    QCOMPARE(card.fixButtons()[1]->accessibleName(), card.fixButtons()[1]->text());
    QVERIFY(card.fixButtons()[0]->objectName() != card.fixButtons()[1]->objectName());
  }

  /// The class that a fix names is longer than the card of a small window is wide.
  void aLongNameWrapsInsideTheCard() {
    Finding finding = unequal(1);
    finding.message = "ssl4mis.TwoStreamBatchSampler does not divide samples among ranks.";
    finding.fixes.front().label = "Use DistributedTwoStreamBatchSampler";
    FindingCard card(finding);
    card.resize(170, 400);
    card.show();
    QCoreApplication::processEvents();
    QVERIFY2(card.minimumSizeHint().width() <= 170, qPrintable(QString::number(card.minimumSizeHint().width())));
    const LinkButton& button = *card.fixButtons().front();
    QVERIFY(button.heightForWidth(130) > button.heightForWidth(1000));
    QCOMPARE(button.text(), QString("Fix: Use DistributedTwoStreamBatchSampler"));
  }

  void itsSeverityIsAWord() {
    Finding finding = unequal(1);
    const auto says = [](const FindingCard& card, const QString& word) {
      const auto labels = card.findChildren<QLabel*>();
      return std::ranges::any_of(labels, [&](const QLabel* label) { return label->text() == word; });
    };
    finding.severity = Severity::Error;
    FindingCard card(finding);
    QVERIFY(says(card, "Error"));
    finding.severity = Severity::Info;
    card.setFinding(finding);
    QVERIFY(says(card, "Note"));
    finding.is_proof = true;
    card.setFinding(finding);
    QVERIFY(says(card, "Fine"));
  }

  void theButtonThatIsPressedAppliesItsOwnFix() {
    FindingCard card(unequal(2));
    QStringList wanted;
    connect(&card, &FindingCard::fixWanted, this,
            [&wanted](const Fix& fix) { wanted << QString::fromStdString(fix.edits.front().path); });
    QTest::mouseClick(card.fixButtons()[1], Qt::LeftButton);
    QTest::keyClick(card.fixButtons()[0], Qt::Key_Return);
    QCOMPARE(wanted, QStringList({"sampler.round_up", "loader.drop_last"}));
  }

  void aCardFitsOnlyFindingsWithAsManyFixes() {
    const FindingCard card(unequal(2));
    QVERIFY(card.fits(unequal(2)));
    QVERIFY(!card.fits(unequal(1)));
    QVERIFY(!card.fits(unequal(0)));
    QVERIFY(FindingCard(unequal(0)).fixButton() == nullptr);
  }

  void noFixCanBePressedWhileTheNextPlanIsMade() {
    FindingCard card(unequal(2));
    card.setFixesEnabled(false);
    for (const LinkButton* button : card.fixButtons()) QVERIFY(!button->isEnabled());
    card.setFixesEnabled(true);
    for (const LinkButton* button : card.fixButtons()) QVERIFY(button->isEnabled());
  }
};

SHARDLENS_WINDOW_TEST(FindingCardTest)
#include "finding_card_test.moc"
