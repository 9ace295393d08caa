// SPDX-License-Identifier: GPL-3.0-or-later
// What of a run is in sight in a small window.
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/run/run_recordings.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/run/proof_panel.h"
#include "ui/widgets/run/rank_board.h"
#include "ui/widgets/run/run_page.h"
#include "ui/widgets/run/time_input.h"
#include "ui/widgets/run/verdict_banner.h"

#include <QScrollArea>
#include <QScrollBar>
#include <QTest>

using namespace shardlens;
using namespace shardlens::ui;

class RunSizesTest : public QObject {
  Q_OBJECT

  Recordings recordings_;

 private slots:
  void initTestCase() {
    qputenv("SHARDLENS_RUNS", (recordings_.folder() / "runs").c_str());
    installFonts();
    applyTheme(Theme::light());
  }

  /// In the smallest window all of 8 ranks are in sight: what is beside them gives way.
  void aLowWindowShowsEightRanks() {
    Workspace workspace;
    RunPage page(workspace);
    page.setMode(RunPage::Mode::Autopsy);
    page.resize(960, 526);
    page.show();
    QVERIFY(workspace.runs.open(recordings_.recording(8, 5)).has_value());
    EVENTUALLY_EQUAL(page.findChild<LinkLabel*>("verdictTitle")->plain(), "Everyone waits for rank 5");
    RankBoard& board = *page.board();
    EVENTUALLY_EQUAL(board.shownRanks().size(), std::size_t{8});
    EVENTUALLY(isSettled() && !board.layoutNow().scrolls());
    const auto* message = page.findChild<LinkLabel*>("verdictMessage");
    auto* details = page.findChild<LinkButton*>("verdictDetails");
    QVERIFY(details->isVisible());
    const QString brief = message->plain();
    QTest::mouseClick(details, Qt::LeftButton);
    QVERIFY(message->plain().size() > brief.size());
  }

  void noWordOfAVerdictIsCut_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("of 1280x720") << QSize(1280, 646);
    QTest::newRow("of 960x600") << QSize(960, 526);
  }
  /// At first, and with its details: all of it stands there, or is there to be scrolled to.
  void noWordOfAVerdictIsCut() {
    QFETCH(QSize, size);
    const auto path = recordings_.folder() / ("hang" + std::to_string(size.width()) + ".slrun");
    const Plan plan = Plan::make(spec(2)).value();
    test::FakeRunFile file(path, plan, yaml::writeSpec(spec(2), sampling::catalogue()));
    for (std::int64_t step = 0; step < 6; ++step) file.step(0, step);
    file.pace.late_ms = 8'000;
    file.halfStep(0, 6, 1);
    Workspace workspace;
    RunPage page(workspace);
    page.setMode(RunPage::Mode::Autopsy);
    page.resize(size);
    page.show();
    QVERIFY(workspace.runs.open(QString::fromStdString(path.string())).has_value());
    auto* banner = page.findChild<VerdictBanner*>("verdict");
    auto* area = page.findChild<QScrollArea*>("verdictArea");
    EVENTUALLY_EQUAL(page.findChild<LinkLabel*>("verdictTitle")->plain(), "Rank 1 makes no progress");
    const auto is_whole = [&] {
      for (const QLabel* label : banner->findChildren<QLabel*>()) {
        if (!label->isVisible() || label->wordWrap() == false) continue;
        const int wanted = label->heightForWidth(label->width());
        if (label->height() < wanted || !banner->rect().contains(label->geometry())) return false;
      }
      const int hidden = banner->height() - area->viewport()->height();
      return hidden <= 0 || area->verticalScrollBar()->maximum() >= hidden;
    };
    EVENTUALLY(is_whole());
    RunHeadline headline = banner->headline();
    headline.message += QString(
                            " Its loader worker 0, which has the batch that it waits for, reads sample 336 in "
                            "main.<locals>.slow() at train.py:31.")
                            .repeated(6);
    banner->setHeadlines(headline, {headline, headline});
    QTest::mouseClick(page.findChild<LinkButton*>("verdictDetails"), Qt::LeftButton);
    EVENTUALLY(isSettled() && is_whole());
    QVERIFY(page.board()->height() >= page.board()->minimumSizeHint().height());
  }

  /// In the smallest window too: the lines of the proof's verdict are whole, and what has no room is scrolled to.
  void noLineOfTheProofIsCut() {
    test::ProbeText text(0, 1, 1);
    text.loaderWith(0, R"({"class":"torch.utils.data.sampler.SequentialSampler"})");
    text.pass(0, 0, 0, 0);
    text.batches(0, 0, {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}});
    text.news(0, 5, 5);
    text.end();
    Workspace workspace;
    RunPage page(workspace);
    page.setMode(RunPage::Mode::Autopsy);
    page.resize(960, 526);
    page.show();
    QVERIFY(workspace.runs.open(recordingOfCommand(recordings_.folder() / "own.slrun", {text})).has_value());
    EVENTUALLY(workspace.capture.canCompare() && isSettled());
    PipelineSpec other = spec(1);
    other.dataset.size = 10;
    workspace.document.reset(other);
    workspace.capture.compareWithDesign(other);
    auto* verdict = page.findChild<LinkLabel*>("proofVerdict");
    EVENTUALLY(isSettled() && verdict->plain().contains(" instead of "));
    EVENTUALLY(verdict->height() >= verdict->heightForWidth(verdict->width()));
    QVERIFY(verdict->height() > 2 * verdict->fontMetrics().height());
    const auto& view = page.findChild<ProofPanel*>()->view();
    QVERIFY(view.height() >= view.minimumSizeHint().height());
  }

  /// Where it stands still, the standstill is in view.
  void aRecordingIsSeenAsAWhole() {
    Workspace workspace;
    RunPage page(workspace);
    page.setMode(RunPage::Mode::Autopsy);
    page.resize(1280, 646);
    page.show();
    QVERIFY(workspace.runs.open(recordings_.recording(4, 1)).has_value());
    EVENTUALLY(page.board()->window().isWhole() && page.board()->window().last() > 1'000'000'000);
    page.board()->view().change([](TimeWindow& window) { window.reset(); });
    emit workspace.runs.stateChanged();
    QVERIFY2(!page.board()->window().isWhole(), "what the user chose stays");
  }
};

SHARDLENS_WINDOW_TEST(RunSizesTest)
#include "run_sizes_test.moc"
