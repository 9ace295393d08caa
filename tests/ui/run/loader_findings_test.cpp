// SPDX-License-Identifier: GPL-3.0-or-later
// What is found in what a job's loaders read, beside the recording: the same as `shardlens audit` says.
#include "tests/support/places.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/run/run_recordings.h"
#include "ui/widgets/design/findings_panel.h"
#include "ui/widgets/run/loaders_panel.h"
#include "ui/widgets/run/proof_panel.h"
#include "ui/widgets/run/run_page.h"

#include <QAbstractButton>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QTest>

#include <algorithm>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

using Batches = std::vector<std::vector<SampleIndex>>;
const Batches kAll = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}};
const std::string kSequential = R"({"class":"torch.utils.data.sampler.SequentialSampler"})";

QJsonObject audited(const QString& recording, const std::string& more = {}) {
  const auto audit = test::runShell(test::binDir() + "/shardlens audit " + recording.toStdString() + more +
                                    " --format json 2>/dev/null");
  return QJsonDocument::fromJson(QByteArray::fromStdString(audit.out)).object();
}

/// Code, title and message of each.
QStringList findingsOf(const QJsonObject& audit) {
  QStringList said;
  for (const QJsonValue one : audit["findings"].toArray())
    said += one["code"].toString() + '|' + one["title"].toString() + '|' + one["message"].toString();
  return said;
}

QStringList findingsOf(const LoaderFindings& panel) {
  QStringList said;
  for (const FindingCard* card : panel.cards()) {
    const Finding& one = card->finding();
    said += QString::fromStdString(one.code + '|' + one.title + '|' + one.message);
  }
  return said;
}

QStringList labelsOf(const QWidget& panel) {
  QStringList texts;
  for (const QLabel* label : panel.findChildren<QLabel*>()) {
    if (label->isVisible()) texts += label->text();
  }
  return texts;
}

/// The Autopsy perspective as a window of 1280x720 has it.
struct Opened {
  explicit Opened(const QString& recording) {
    page.setMode(RunPage::Mode::Autopsy);
    page.resize(1280, 646);
    page.show();
    is_open = workspace.runs.open(recording).has_value();
    findings = page.findChild<LoaderFindings*>("loaderFindings");
    proof = page.findChild<ProofPanel*>();
  }
  Workspace workspace;
  RunPage page{workspace};
  bool is_open = false;
  LoaderFindings* findings = nullptr;
  ProofPanel* proof = nullptr;
};

}  // namespace

class LoaderFindingsTest : public QObject {
  Q_OBJECT

  test::TempFolder folder_;

  /// Both ranks gave their sampler rank 0.
  QString sameOnBothRanks() {
    std::vector<test::ProbeText> processes;
    for (int rank = 0; rank < 2; ++rank) {
      test::ProbeText& text = processes.emplace_back(rank, 2, 2);
      text.loader(0, 0, 2, false);
      text.pass(0, 0, 0, 1);
      text.batches(0, 0, {{0, 2}, {4, 6}, {8}});
      text.news(0, 3, 3);
      text.end();
    }
    return recordingOfCommand(folder_ / "same", processes);
  }

 private slots:
  void initTestCase() { qputenv("SHARDLENS_RUNS", (folder_ / "runs").c_str()); }

  void theFindingsAreThoseOfTheCommandLine() {
    const QString recording = sameOnBothRanks();
    const QJsonObject audit = audited(recording);
    const QStringList expected = findingsOf(audit);
    QVERIFY(!expected.isEmpty());
    QCOMPARE(audit["findings"].toArray().first()["severity"].toString(), QString("error"));
    Opened opened(recording);
    QVERIFY(opened.is_open);
    EVENTUALLY_EQUAL(findingsOf(*opened.findings), expected);
    QVERIFY(opened.findings->isVisible());
    for (const FindingCard* card : opened.findings->cards())
      QVERIFY2(card->fixButton() == nullptr, "what ran cannot be mended");
    const auto said = [&] { return labelsOf(*opened.page.findChild<QWidget*>("loadersPanel")).join('\n'); };
    EVENTUALLY(
        said().contains("Pass 0: 6 batches with 10 items on ranks 0 and 1: 5 samples, 5 of them on several ranks."));
    QVERIFY2(said().contains("Not in any recorded batch: 5 of 10 samples."), qPrintable(said()));
  }

  void ofARecordingWithoutLoadersThereAreNone() {
    Recordings recordings;
    Opened opened(recordings.recording(2, -1));
    EVENTUALLY(opened.is_open && opened.workspace.runs.state() != nullptr && isSettled());
    QVERIFY(!opened.findings->isVisible());
  }

  void whatCannotBeJudgedIsSaid() {
    test::ProbeText text(0, 2, 2);
    text.loaderOf(0, R"({"class":"D","is_iterable":false,"length":4})");
    text.pass(0, 0, 0, 0);
    text.batches(0, 0, {{0, 1}, {2, 3}});
    text.news(0, 2, 0);
    text.end();
    const QString recording = recordingOfCommand(folder_ / "one-of-two", {text});
    const QString why = audited(recording)["recorded"].toObject()["not_judged"].toString();
    QVERIFY(!why.isEmpty());
    Opened opened(recording);
    EVENTUALLY(labelsOf(*opened.findings).join('\n').contains("Not judged: " + why));
    QVERIFY(opened.findings->cards().empty());
  }

  void theyFollowTheLoaderThatIsChosen() {
    test::ProbeText text(0, 1, 1);
    text.loaderWith(0, kSequential);
    text.pass(0, 0, 0, 0);
    text.batches(0, 0, kAll);
    text.news(0, 5, 5);
    text.loaderWith(1, kSequential, "train.py:20");
    text.pass(1, 1, 0, 0);
    text.batches(1, 0, kAll);
    text.news(1, test::ProbeText::News{5, 3, 0, 0, true});
    text.end();
    const QString recording = recordingOfCommand(folder_ / "several", {text});
    const QStringList of_train = findingsOf(audited(recording));
    const QStringList of_other = findingsOf(audited(recording, " --loader loader"));
    QVERIFY(!of_other.isEmpty() && of_train != of_other);
    Opened opened(recording);
    EVENTUALLY_EQUAL(findingsOf(*opened.findings), of_train);
    QVERIFY(labelsOf(*opened.findings).contains("What the loader train read"));
    EVENTUALLY(isSettled());  // one that is still being read takes no choice
    opened.page.findChild<QAbstractButton*>("showBatches")->click();
    EVENTUALLY_EQUAL(findingsOf(*opened.findings), of_other);
    QVERIFY(labelsOf(*opened.findings).contains("What the loader loader read"));
  }

  /// The job began with epoch 2 and left it: judged is its first pass, and the proof has that in its third epoch.
  void aFindingSelectsItsBatchesInTheProof() {
    test::ProbeText text(0, 1, 1);
    text.loader(0, 0, 1, false);
    text.pass(0, 0, 2, 1);
    text.batches(0, 0, kAll);
    text.news(0, test::ProbeText::News{5, 3, 3, 2, true});
    text.end();
    Opened opened(recordingOfCommand(folder_ / "later", {text}));
    EVENTUALLY(isSettled() && !opened.findings->cards().empty());
    const auto& cards = opened.findings->cards();
    const auto card = std::find_if(cards.begin(), cards.end(),
                                   [](const FindingCard* one) { return one->finding().where.epoch.has_value(); });
    QVERIFY(card != cards.end());
    QCOMPARE(*(*card)->finding().where.epoch, 0);
    QTest::keyClick(*card, Qt::Key_Return);
    const Selected& selected = opened.workspace.selection.current();
    QCOMPARE(selected.epoch, std::optional<qint64>(2));
    QCOMPARE(selected.finding, QString::fromStdString((*card)->finding().code));
    QVERIFY((*card)->isChosen());
    QCOMPARE(opened.proof->view().selected().epoch, std::optional<qint64>(2));
  }
};

SHARDLENS_WINDOW_TEST(LoaderFindingsTest)
#include "loader_findings_test.moc"
