// SPDX-License-Identifier: GPL-3.0-or-later
// A job that stands still: the card says who is waited for, since when, and what to do; stopping the job asks once.
#include "core/base/result.h"
#include "core/collect/run_replay.h"
#include "tests/support/fake_run_state.h"
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/run/run_recordings.h"
#include "ui/scene/run/lanes.h"
#include "ui/scene/run/rank_rows.h"
#include "ui/scene/run/stalls.h"
#include "ui/scene/run/text.h"
#include "ui/scene/run/time_window.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/run/arrival_panel.h"
#include "ui/widgets/run/autopsy_bar.h"
#include "ui/widgets/run/job_bar.h"
#include "ui/widgets/run/rank_board.h"
#include "ui/widgets/run/run_page.h"
#include "ui/widgets/run/stall_panel.h"
#include "ui/widgets/run/verdict_banner.h"

#include <QAbstractButton>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

/// Rank 2 of 4 has been loading for 12 s, the others wait for it.
RunState stalledState() {
  RunState state = test::fakeRunState({.ranks = 4, .late_rank = 2});
  for (RankState& rank : state.ranks) {
    rank.status = rank.rank == 2 ? RankStatus::Loading : RankStatus::InCollective;
    rank.since_ns = state.elapsed_ns - (rank.rank == 2 ? 12 : 11) * kSecond;
    rank.epoch = 0;
    rank.step = 4812;
  }
  Verdict verdict;
  verdict.kind = VerdictKind::Stalled;
  verdict.rank = 2;
  verdict.title = "Rank 2 makes no progress";
  verdict.next = "Look at what rank 2 reads.";
  verdict.from_ns = state.ranks[2].since_ns;
  verdict.to_ns = state.elapsed_ns;
  state.verdicts.insert(state.verdicts.begin(), verdict);
  return state;
}

QString lineOf(const StallText& said, const QString& head) {
  for (const StallText::Line& line : said.lines) {
    if (line.head == head) return line.text;
  }
  return {};
}

QString timeOf(const StallText& said, const QString& head) {
  for (const StallText::Line& line : said.lines) {
    if (line.head == head) return line.time;
  }
  return {};
}

/// Six steps, and then one in which rank 2 loads for eight seconds, so far.
QString stalledRun(const test::TempFolder& folder) {
  const auto path = folder / "stalled.slrun";
  const Plan plan = Plan::make(spec(4)).value();
  test::FakeRunFile file(path, plan, yaml::writeSpec(spec(4), sampling::catalogue()));
  for (std::int64_t step = 0; step < 6; ++step) file.step(0, step);
  file.pace.late_ms = 8'000;
  file.halfStep(0, 6, 2);
  return QString::fromStdString(path.string());
}

}  // namespace

class StallTest : public QObject {
  Q_OBJECT

  Recordings recordings_;

 private slots:
  void initTestCase() { qputenv("SHARDLENS_RUNS", (recordings_.folder() / "runs").c_str()); }

  void theCardSaysWhoSinceWhenAndWhatToDo() {
    const RunState state = stalledState();
    const auto said = stallText(state);
    QVERIFY(said.has_value());
    QCOMPARE(said->title, QString("Rank 2 makes no progress"));
    QCOMPARE(said->rank, 2);
    QVERIFY2(lineOf(*said, "stalled").startsWith("rank 2"), qPrintable(lineOf(*said, "stalled")));
    QVERIFY2(timeOf(*said, "since").endsWith("12\u202fs ago"), qPrintable(timeOf(*said, "since")));
    QVERIFY2(lineOf(*said, "current phase").contains("epoch 0, step 4"), qPrintable(lineOf(*said, "current phase")));
    QCOMPARE(lineOf(*said, "ranks waiting"), QString("ranks 0, 1 and 3 in all_reduce"));
    QCOMPARE(timeOf(*said, "ranks waiting"), QString("for up to 11\u202fs"));
    QCOMPARE(lineOf(*said, "what to do"), QString("Look at what rank 2 reads."));
    QVERIFY(!stallText(test::fakeRunState()).has_value());
  }

  void theCardShowsWhereTheCodeIs() {
    RunState state = stalledState();
    RankStack own{
        .rank = 2, .taken_ns = state.elapsed_ns - kSecond / 2, .pid = 4812, .owed_by = 3, .owed_by_pid = 4900};
    own.frames = {{"<module>", "/home/me/train.py", 88, "for images, labels in loader:", true},
                  {"__next__", "/usr/lib/python3/dist-packages/torch/utils/data/dataloader.py", 628, "", false},
                  {"_next_data", "/usr/lib/python3/dist-packages/torch/utils/data/dataloader.py", 1316, "", false},
                  {"_get_data", "/usr/lib/python3/dist-packages/torch/utils/data/dataloader.py", 1282, "", false},
                  {"get", "/usr/lib/python3.11/queue.py", 180, "", false}};
    RankStack worker{.rank = 2, .taken_ns = own.taken_ns, .pid = 4900, .worker = 3, .sample = 40771};
    worker.frames = {
        {"_worker_loop", "/usr/lib/python3/dist-packages/torch/utils/data/_utils/worker.py", 308, "", false},
        {"Images.__getitem__", "/home/me/data.py", 41, "img = Image.open(path)", true}};
    state.ranks[2].stacks = std::make_shared<const std::vector<RankStack>>(std::vector<RankStack>{own, worker});
    const auto said = stallText(state);
    QCOMPARE(said->calls.size(), 2U);
    QCOMPARE(said->calls[0].rows.size(), 5U);
    QCOMPARE(said->calls[0].head, QString("calls that have not returned"));
    QCOMPARE(said->calls[0].note, QString("process 4812, 500\u202fms ago"));
    QCOMPARE(said->calls[1].head, QString("worker 3, which reads sample 40771"));
    std::vector<QString> shown;
    for (const CallList::Row& row : said->calls[0].shortened()) shown.push_back(row.function);
    QCOMPARE(shown, (std::vector<QString>{"<module>", "_next_data", "_get_data", "get"}));
    QCOMPARE(said->calls[1].shortened().size(), 1U);
    QCOMPARE(said->calls[1].shortened()[0].place, QString("data.py:41"));

    StallPanel panel;
    panel.setText(*said);
    panel.resize(288, 640);
    panel.show();
    QCOMPARE(panel.findChildren<CallsView*>().size(), 2);
    QVERIFY2(panel.asText().contains("img = Image.open(path)"), qPrintable(panel.asText()));
    QSignalSpy went(&panel, &StallPanel::placeWanted);
    const QRegularExpression link("href=\"([^\"]*sample=40771[^\"]*)\"");
    for (LinkLabel* label : panel.findChildren<LinkLabel*>()) {
      if (const auto found = link.match(label->text()); found.hasMatch()) emit label->linkActivated(found.captured(1));
    }
    QCOMPARE(went.size(), 1);
    QCOMPARE(went[0][0].value<Selected>().sample, std::optional<qint64>(40771));
    state.ranks[2].stacks.reset();
    panel.setText(*stallText(state));
    EVENTUALLY(panel.findChildren<CallsView*>().isEmpty());
  }

  /// A link keeps the focus while times go on: its label is not written again.
  void timesAreBesideTheLinks() {
    const RunState state = stalledState();
    RunState later = state;
    later.elapsed_ns += 5 * kSecond;
    const auto before = stallText(state), after = stallText(later);
    for (std::size_t i = 0; i < before->lines.size(); ++i) QCOMPARE(before->lines[i].text, after->lines[i].text);
    QVERIFY(timeOf(*before, "since") != timeOf(*after, "since"));
  }

  void withoutAnEndNoLengthIsSaid() {
    RunState state = stalledState();
    state.status = JobStatus::Unknown;
    const auto said = stallText(state);
    QCOMPARE(lineOf(*said, "ranks waiting"), QString("ranks 0, 1 and 3 in all_reduce"));
    QVERIFY(timeOf(*said, "ranks waiting").isEmpty());
    QVERIFY(timeOf(*said, "since").isEmpty());
  }

  void theStallIsFramedAndItsBeginningIsInView() {
    RunState state = stalledState();
    QVERIFY(stallOf(state, 2).has_value());
    QCOMPARE(stallOf(state, 2)->from_ns, state.ranks[2].since_ns);
    QVERIFY(!stallOf(state, 0).has_value());
    QCOMPARE(stallLength(state), 12 * kSecond);
    QVERIFY(usualSpan(state.recent, 12 * kSecond) > 13 * kSecond);
    QCOMPARE(usualSpan(state.recent, kSecond / 100), usualSpan(state.recent));
    QVERIFY(!stallOf(test::fakeRunState(), 2).has_value());
    QCOMPARE(stallLength(test::fakeRunState()), 0);
  }

  /// In a recording that was cut in a standstill the ranks are still in what they began.
  void theViewOfACutRecordingEndsWithItsStandstill() {
    RunState state = stalledState();
    state.status = JobStatus::Unknown;
    const RunLanes lanes = lanesOf(std::make_shared<const RunState>(state), nullptr);
    QCOMPARE(latestMoment(state, lanes, kSecond), state.elapsed_ns);
  }

  void whileFollowingTheViewDoesNotBeginBeforeTheRun() {
    TimeWindow window;
    window.setUsualSpan(2 * kSecond);
    window.setExtent(0, 10 * kSecond, kSecond / 2);
    QCOMPARE(window.begin(), 0);
    QCOMPARE(window.end(), 2 * kSecond);
    window.setExtent(0, 10 * kSecond, 9 * kSecond);
    QCOMPARE(window.end(), 9 * kSecond);
  }

  void ofAJobWithoutSpecNoNodesAreMadeUp() {
    RunState state = test::fakeRunState();
    RunFacts facts;
    facts.spec.world.ranks_per_node = 2;
    state.spec_yaml = std::string("name: x");
    QCOMPARE(emulatedNodeSize(state, &facts), 2);
    QCOMPARE(emulatedNodeSize(state, nullptr), 0);
    state.spec_yaml = std::string();
    QCOMPARE(emulatedNodeSize(state, &facts), 0);
    QCOMPARE(rankRow(state, 3, emulatedNodeSize(state, &facts)).place, text(state.ranks[3].host));
  }

  void wordsChangeInPlace() {
    StallPanel panel;
    panel.setText(*stallText(stalledState()));
    panel.resize(288, 500);
    panel.show();
    const auto labels = panel.findChildren<LinkLabel*>();
    RunState later = stalledState();
    later.elapsed_ns += 5 * kSecond;
    panel.setText(*stallText(later));
    QCOMPARE(panel.findChildren<LinkLabel*>(), labels);
    QVERIFY2(panel.asText().contains("17\u202fs ago"), qPrintable(panel.asText()));
  }

  void theCardComesWithTheStallAndStaysClosed() {
    Workspace workspace;
    RunPage page(workspace);
    page.setMode(RunPage::Mode::Autopsy);
    page.resize(1280, 646);
    page.show();
    QVERIFY(workspace.runs.open(stalledRun(recordings_.folder())).has_value());
    auto* card = page.findChild<StallPanel*>();
    EVENTUALLY(card->isVisible());
    QVERIFY2(card->asText().contains("rank 2"), qPrintable(card->asText()));
    EVENTUALLY(isSettled() && card->width() >= 240 && card->width() <= 320);
    const QRect board(page.board()->mapTo(&page, QPoint()), page.board()->size());
    QVERIFY(!QRect(card->mapTo(&page, QPoint()), card->size()).intersects(board));
    page.resize(960, 526);  // the page of the smallest window
    QCOMPARE(page.width(), 960);
    const auto* arrivals = page.findChild<ArrivalPanel*>();
    QVERIFY2(arrivals->isHidden(), "there is no room for it beside the card");
    const auto* bar = page.findChild<AutopsyBar*>();
    for (const QWidget* part : bar->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
      if (!part->isVisible()) continue;
      QVERIFY2(bar->rect().contains(part->geometry()), qPrintable(part->objectName()));
      const bool has_words = qobject_cast<const QLabel*>(part) != nullptr && part->objectName() != "verify";
      if (has_words) QVERIFY2(part->width() >= part->sizeHint().width(), qPrintable(part->metaObject()->className()));
    }
    QTest::mouseClick(card->findChild<LinkButton*>("stallClose"), Qt::LeftButton);
    QVERIFY(!card->isVisible() && !arrivals->isHidden());
    emit workspace.runs.stateChanged();
    QVERIFY(!card->isVisible());
  }

  void aFurtherVerdictDoesNotRepeatItsTitle() {
    VerdictBanner banner;
    RunHeadline lost;
    lost.title = "The recording has no end";
    lost.message = "The recording has no end. What follows is not known.";
    lost.says_title_first = true;
    RunHeadline slow;
    slow.title = "Rank 3 is slow";
    slow.message = "It loads for long.";
    banner.setHeadlines(slow, {lost, slow});
    QVERIFY(anyLabel(banner, "Also: The recording has no end. What"));
    QVERIFY(anyLabel(banner, "Also: Rank 3 is slow. It loads"));
  }

  /// Whole sentences, until all of them are wanted; a low banner has one line for them.
  void aFurtherVerdictIsNotCutWithinASentence() {
    VerdictBanner banner;
    RunHeadline slow;
    slow.title = "Rank 3 is slow";
    slow.message = "It loads for long. " + QString("Its storage is shared by three jobs. ").repeated(5) + "The end.";
    banner.setHeadlines(slow, {slow});
    banner.resize(400, 300);
    banner.show();
    const auto line = [&banner] {
      for (const LinkLabel* label : banner.findChildren<LinkLabel*>()) {
        if (label->isVisible() && label->plain().startsWith("Also: ")) return label->plain();
      }
      return QString();
    };
    EVENTUALLY(line().endsWith("Its storage is shared by three jobs."));
    QVERIFY2(line().size() > 100, qPrintable(line()));
    auto* details = banner.findChild<QAbstractButton*>("verdictDetails");
    QTest::mouseClick(details, Qt::LeftButton);
    EVENTUALLY(line().endsWith("The end."));
    QTest::mouseClick(details, Qt::LeftButton);
    banner.setCompact(true);
    EVENTUALLY(line().endsWith(QChar(0x2026)));
  }

  void aLongVerdictIsBriefUntilItsDetailsAreWanted() {
    VerdictBanner banner;
    RunHeadline headline;
    headline.title = "Everyone waits for rank 2";
    headline.message = "Rank 2 comes last in 40 of 40 collectives. It loads for 61.1 ms, the others for 9.1 ms. " +
                       QString("The storage of its host is shared by three jobs. ").repeated(4) + "This is the end.";
    banner.setHeadlines(headline, {});
    banner.resize(1000, 100);
    banner.show();
    const auto* message = banner.findChild<LinkLabel*>("verdictMessage");
    auto* details = banner.findChild<QAbstractButton*>("verdictDetails");
    QVERIFY(message->text().contains("61.1 ms") && !message->text().contains("This is the end."));
    QVERIFY(details->isVisible());
    QTest::mouseClick(details, Qt::LeftButton);
    QVERIFY(message->text().contains("This is the end."));
    QTest::mouseClick(details, Qt::LeftButton);
    headline.next = QString("Give every rank the same number of batches. ").repeated(6);
    banner.setHeadlines(headline, {});
    QVERIFY2(message->text().contains("This is the end."), "beside words that are as high, nothing is cut");
    headline.next.clear();
    headline.title = "Everyone waits for rank 3";
    headline.message = "Rank 3 comes last.";
    banner.setHeadlines(headline, {});
    QVERIFY(!details->isVisible());
    headline.cost = "fixing it saves 1.6 min (31 %)";
    headline.gain = "1.6 min";
    for (const char* said : {"Rank 3 comes last. Fixing it would save 1.6 min of 5.0 min (31 %).",
                             "rank 3 最后到达。修复它可从 5.0 min 中节省 1.6 min（31 %）。"}) {
      headline.message = QString::fromUtf8(said);
      banner.setHeadlines(headline, {});
      QVERIFY2(!message->plain().contains("1.6 min"), "it stands beside the title");
    }
  }

  void stoppingAsksOnce() {
    Workspace workspace;
    JobBar bar(workspace.runs);
    bar.resize(960, bar.height());
    bar.show();
    auto* stop = bar.findChild<QPushButton*>("stopJob");
    auto* question = bar.findChild<QLabel*>("stopQuestion");
    QVERIFY(stop->isVisible() && !question->isVisible());
    QTest::mouseClick(stop, Qt::LeftButton);
    QVERIFY(bar.asks() && question->isVisible() && !stop->isVisible());
    for (const QWidget* part : bar.findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
      if (part->isVisible()) QVERIFY2(bar.rect().contains(part->geometry()), qPrintable(part->objectName()));
    }
    QTest::mouseClick(bar.findChild<QPushButton*>("stopNo"), Qt::LeftButton);
    QVERIFY(!bar.asks() && stop->isVisible());
    QTest::mouseClick(stop, Qt::LeftButton);
    QTest::keyClick(bar.findChild<QPushButton*>("stopNo"), Qt::Key_Escape);
    QVERIFY(!bar.asks());
    bar.askToStop();  // there is no job
    QVERIFY(!bar.asks());
  }
};

SHARDLENS_WINDOW_TEST(StallTest)
#include "stall_test.moc"
