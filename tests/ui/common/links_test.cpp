// SPDX-License-Identifier: Apache-2.0
#include "ui/scene/links.h"

#include "core/diagnose/verdict_words.h"
#include "tests/support/window_main.h"
#include "ui/scene/number_text.h"
#include "ui/scene/theme.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/style.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QTextDocument>
#include <QVBoxLayout>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

/// The links of a text as "words>link".
QStringList linksIn(const QString& text, const Selected& context = {}) {
  static const QRegularExpression kLink("<a href=\"([^\"]*)\"[^>]*>([^<]*)</a>");
  QStringList links;
  for (auto found = kLink.globalMatch(linked(text, context)); found.hasNext();) {
    const auto link = found.next();
    links += link.captured(2) + ">" + link.captured(1).replace("&amp;", "&");
  }
  return links;
}

}  // namespace

class LinksTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    installFonts();
    applyTheme(Theme::light());
  }

  void aNounStaysBesideItsNumber() {
    QCOMPARE(unbroken("2 562 samples"), QString("2 562\u00a0samples"));
    QCOMPARE(unbroken("2 562 个样本"), QString("2 562\u00a0个\u2060样\u2060本"));
    QCOMPARE(unbroken("rank 6, step 36"), QString("rank 6, step 36"));
    QCOMPARE(unbroken("占内存 192 B"), QString("占内存 192\u00a0B"));
  }

  void whatIsNamedByNumberIsALink() {
    QCOMPARE(linksIn("Rank 3 waits"), QStringList{"Rank 3>select:rank=3"});
    QCOMPARE(linksIn("in epoch 87."), QStringList{"epoch 87>select:epoch=87"});
    QCOMPARE(linksIn("sample " + number(1'281'166) + " is missing"),
             QStringList{"sample 1\u00a0281\u00a0166>select:sample=1281166"});  // as HTML keeps it together
    QCOMPARE(linksIn("seed 18446744073709551615"),
             QStringList{"seed 18446744073709551615>select:seed=18446744073709551615"});
  }

  /// In a narrow panel a class name wraps; what can be copied is never changed.
  void longNamesMayBreakBetweenTheirParts() {
    const QString seam(QChar(0x200b));
    QCOMPARE(breakable("Use DistributedTwoStreamBatchSampler"),
             QString("Use Distributed%1Two%1Stream%1Batch%1Sampler").arg(seam));
    QCOMPARE(breakable("ssl4mis.TwoStreamBatchSampler"), QString("ssl4mis.%1Two%1Stream%1Batch%1Sampler").arg(seam));
    QCOMPARE(breakable("set DistributedSampler.seed"), QString("set Distributed%1Sampler.%1seed").arg(seam));
    QCOMPARE(breakable("rank 3, step 17 and no long word"), QString("rank 3, step 17 and no long word"));
    LinkLabel label("", "", nullptr);
    label.setPlain("fingerprint ab.DistributedTwoStreamBatchSampler of rank 3");
    QVERIFY(label.text().contains(seam) && !label.plain().contains(seam));
    label.setSelectable();
    QVERIFY(!label.text().contains(seam));
  }

  /// As core writes it, so that neither changes alone.
  void aCommandIsCopied() {
    for (const std::string pid : {"4812", "PID"}) {
      const QString command = QString::fromStdString(words::debuggerCommand(pid));
      const QString text = "Rank 3 hangs: " + command + ". MPI_Init waits.";
      QCOMPARE(linksIn(text), (QStringList{"Rank 3>select:rank=3", command + ">copy:" + command}));
      QVERIFY(linked(text).contains(monoFont().family()));
    }
    const QString quoted = "Rank 3 failed (`shardlens at RUN --step 4` says what it read).";
    QCOMPARE(linksIn(quoted),
             (QStringList{"Rank 3>select:rank=3", "shardlens at RUN --step 4>copy:shardlens at RUN --step 4"}));
    QVERIFY(!linked(quoted).contains('`'));
    QVERIFY(linked("`epoch` must not be negative.").contains('`'));  // a framework's own words
    QVERIFY(!copiedBy("select:rank=3"));
    QCOMPARE(commandsApart("See: gdb -p 7 -batch -ex bt"), QString("See:\ngdb -p 7 -batch -ex bt"));
    QCOMPARE(commandsApart("Look at rank 3."), QString("Look at rank 3."));
    LinkLabel label("", "", nullptr);
    label.setPlain("See " + QString::fromStdString(words::debuggerCommand("7")));
    QSignalSpy followed(&label, &LinkLabel::followed);
    emit label.linkActivated("copy:gdb -p 7 -batch -ex bt");
    QCOMPARE(QGuiApplication::clipboard()->text(), QString("gdb -p 7 -batch -ex bt"));
    QCOMPARE(followed.count(), 0);
  }

  void twoRanksAreAPairAndMoreAreEachTheirOwn() {
    QCOMPARE(linksIn("Ranks 2 and 6 share all 16 samples"), QStringList{"Ranks 2 and 6>select:rank=2,6"});
    QCOMPARE(linksIn("ranks 0, 1 and 2"), (QStringList{"ranks 0>select:rank=0", "1>select:rank=1", "2>select:rank=2"}));
    QCOMPARE(linksIn("Pairs 0-4, 11-15 share"), (QStringList{"0-4>select:rank=0,4", "11-15>select:rank=11,15"}));
    QCOMPARE(linksIn("samples 4 to 9"), QStringList{"samples 4 to 9>select:sample=4&samples=6"});
  }

  void aChineseSentenceHasTheSameLinks() {
    QCOMPARE(linksIn("样本 4 至 9"), QStringList{"样本 4 至 9>select:sample=4&samples=6"});
    QCOMPARE(linksIn("rank 2 和 6 共享 16 个样本"), QStringList{"rank 2 和 6>select:rank=2,6"});
    QCOMPARE(linksIn("第一处：rank 1，epoch 0，step 7"),
             QStringList{"rank 1，epoch 0，step 7>select:rank=1&epoch=0&step=7"});
    QCOMPARE(linksIn("rank 对 0-4, 11-15 共享"), (QStringList{"0-4>select:rank=0,4", "11-15>select:rank=11,15"}));
    QCOMPARE(linksIn("种子 5"), QStringList{"种子 5>select:seed=5"});
  }

  void aPlaceInPiecesIsOneLink() {
    QCOMPARE(linksIn("rank 1, epoch 0 step 7"), QStringList{"rank 1, epoch 0 step 7>select:rank=1&epoch=0&step=7"});
    QCOMPARE(linksIn("epoch 1 of 90, sample 4"), (QStringList{"epoch 1>select:epoch=1", "sample 4>select:sample=4"}));
    QCOMPARE(linksIn("rank 2 worker 1"), QStringList{"rank 2 worker 1>select:rank=2&worker=1"});
  }

  void theContextCompletesWhatIsNamedAlone() {
    const Selected context{{4}, 3, {}, {}};
    QCOMPARE(linksIn("at step 7", context), QStringList{"step 7>select:epoch=3&step=7"});
    QCOMPARE(linksIn("worker 1", context), QStringList{"worker 1>select:rank=4&epoch=3&worker=1"});
    QVERIFY(linksIn("worker 1").isEmpty());
  }

  void aListOfSamplesIsALinkForEach() {
    const QString html = linkedSamples("3, 9, 12 and 40 more");
    QCOMPARE(html.count("href"), 3);
    for (const char* id : {"3", "9", "12"}) QVERIFY2(html.contains(QString(">%1</a>").arg(id)), id);
  }

  void otherNumbersAreText() {
    for (const char* text :
         {"8 ranks", "2 epochs", "rank", "step 3.5", "prank 3", "node 0, local rank 2", "<b>no names</b>"}) {
      QCOMPARE(linked(text), QString(text));
    }
  }

  void theTextStaysTheSame() {
    const QString text = "a < b & rank 3,\nepoch 2";
    QTextDocument document;
    document.setHtml(linked(text));
    QCOMPARE(document.toPlainText(), text);
  }

  void aClickFollowsTheLinkAndNothingElse() {
    Card card(Tone::Note);
    card.setClickable(true);
    auto* label = new LinkLabel("", "text", &card);
    label->setPlain("rank 3");
    card.column()->addWidget(label);
    card.resize(300, 80);
    card.show();
    QSignalSpy followed(label, &LinkLabel::followed);
    QSignalSpy activated(&card, &Card::activated);
    QTest::mouseMove(label, QPoint(10, label->height() / 2));
    QTest::mouseClick(label, Qt::LeftButton, {}, QPoint(10, label->height() / 2));
    QCOMPARE(followed.size(), 1);
    QCOMPARE(followed[0][0].value<Selected>(), (Selected{{3}, {}, {}, {}}));
    QCOMPARE(activated.size(), 0);
    QTest::mouseClick(label, Qt::LeftButton, {}, QPoint(label->width() - 2, label->height() / 2));
    QCOMPARE(followed.size(), 1);
    QCOMPARE(activated.size(), 1);
  }

  void aLinkIsReachedAndFollowedByKeys() {
    LinkLabel label;
    label.setPlain("see rank 3 and rank 5");
    label.show();
    label.activateWindow();
    QSignalSpy followed(&label, &LinkLabel::followed);
    label.setFocus(Qt::TabFocusReason);
    QTest::keyClick(&label, Qt::Key_Tab);
    QTest::keyClick(&label, Qt::Key_Return);
    QCOMPARE(followed.size(), 1);
    label.setPlain("no names");
    QCOMPARE(label.focusPolicy(), Qt::NoFocus);
    QCOMPARE(label.text(), QString("no names"));
  }
};

SHARDLENS_WINDOW_TEST(LinksTest)
#include "links_test.moc"
