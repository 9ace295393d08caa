// SPDX-License-Identifier: GPL-3.0-or-later
// What a recording says, in the language of the window.
#include "core/collect/collect_words.h"
#include "core/diagnose/run_state.h"
#include "core/launch/launch_words.h"
#include "core/record/record_words.h"
#include "tests/support/temp_folder.h"
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/language/speaking.h"
#include "tests/ui/run/run_recordings.h"
#include "ui/scene/run/recorded_text.h"
#include "ui/scene/run/text.h"
#include "ui/state/job_capture.h"
#include "ui/state/workspace.h"

#include <QSignalSpy>
#include <QTest>

#include <string>
#include <vector>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

/// Each sentence that a supervisor records.
std::vector<std::string> recordedSentences() {
  return {words::userStopped(),
          words::signalPassedOn("SIGTERM"),
          words::terminalClosed(),
          words::launcherStopped({"mpirun"}),
          words::launcherStopped({"train", true}),
          words::launcherContinues({"mpirun"}),
          words::processesLeft(),
          words::ringOfAnotherFormat(),
          words::ringCutShort(),
          words::tooMuchOutput(),
          words::noProbe(),
          words::probeNotNamed(),
          words::noMpiProbe(),
          words::mpiProbeNotNamed(),
          words::noNcclProbe(),
          words::ncclProbeNotNamed(),
          words::otherNcclPlugin("other.so"),
          words::ranksStartedAgain(),
          words::ranksOfOtherWorld(1, 2),
          words::ranksOfOtherWorld(2, 1),
          words::ranksOfOtherWorld(3, 2),
          words::ranksShareCores(8, 2),
          words::ranksShareCores(8, 1),
          words::ranksShareCores(1, 2),
          words::nodesEmulated(2),
          words::programInPlaceOf("bash", "socket_rank", "mpi_rank"),
          words::leftOutOfRecording(12, 3),
          words::leftOutOfRecording(12, 0),
          words::leftOutOfRecording(0, 3),
          words::launcherAskedToEnd({"mpirun"}),
          words::launcherAskedToEnd({"train", true}),
          words::launcherKilled({"mpirun"}, "SIGKILL"),
          words::launcherKilled({"train", true}, "SIGKILL"),
          words::commandKilled({"train", true}, "SIGKILL"),
          words::askedToStop("SIGTERM"),
          words::noRankHeard({"mpirun"}, 1),
          words::noRankHeard({"mpirun"}, 4),
          words::noRankHeard({"train", true}, 1),
          words::noRankHeard({"train", true}, 4),
          words::ranksEndedUnsaid({3}),
          words::ranksEndedUnsaid({3, 4}),
          words::processEnded(77, 1),
          words::processesEndedUnsaid(1),
          words::processesEndedUnsaid(3),
          words::rankFailed(3, 1, ""),
          words::launcherFailed({"mpirun"}, 1, ""),
          words::launcherFailed({"train", true}, 1, ""),
          words::launcherFailed({"train", true}, 1, "out of memory"),
          words::rankFailed(3, 1, "out of memory")};
}

/// Sentences that recordings of earlier versions hold.
std::vector<std::string> formerSentences() {
  return {
      "The command started ranks again. Steps and waits are recorded of the first start alone, what loaders read of "
      "every start.",
      "The processes are not one world of 2 ranks: the first says that its world has 1 rank. Only its world is shown "
      "and recorded.",
      "The processes are not one world of 1 rank: the first says that its world has 2 ranks. Only its world is shown "
      "and recorded.",
      "The processes are not one world of 3 ranks: the first says that its world has 2 ranks. Only its world is "
      "shown and recorded."};
}

}  // namespace

class RecordedTest : public QObject {
  Q_OBJECT

 private slots:
  /// A recording holds English; the window says the supervisor's sentences in its own language. Were one of them worded
  /// anew in core, it would be found here.
  void whatTheSupervisorRecordedIsInTheLanguageOfTheWindow() {
    std::vector<std::string> said = recordedSentences();
    for (const std::string& former : formerSentences()) said.push_back(former);
    for (const std::string& text : said)
      QCOMPARE(recordedText({LogLine::kOwn, false, text}), QString::fromStdString(text));
    const Speaking chinese("zh_CN");
    for (const std::string& text : said) {
      const QString shown = recordedText({LogLine::kOwn, false, text});
      QVERIFY2(shown.contains(chineseLetters()) && !shown.contains('%'), qPrintable(shown));
    }
    for (const char* hint : {"", " (the torchrun of Debian 12 has to be started with -r 1 -t 1)"}) {
      const std::string failed =
          words::launcherFailed({"torchrun"}, 1, std::string("the last exception in its output is KeyError: 3") + hint);
      const QString shown = recordedText({LogLine::kOwn, false, failed});
      QVERIFY2(shown.contains("KeyError: 3") && !shown.contains("exception in") && !shown.contains("has to be"),
               qPrintable(shown));
      RunState state;
      state.verdicts = {{VerdictKind::Dead, -1, {}, failed, {}, {}}};
      QVERIFY(headlineOf(state).message.contains(shown));
    }
    QCOMPARE(recordedText({3, false, "Rank 3 ended with code 1."}), QString("Rank 3 ended with code 1."));
    QVERIFY(recordedText({3, true, words::ringCutShort()}).contains(chineseLetters()));
    QVERIFY(recordedText({LogLine::kOwn, false, words::rankFailed(3, 1, "%1 is bad")}).contains("%1 is bad"));
  }

  /// What was captured of a loader is said in the window's language; the file that is made of it is English.
  void whatALoaderReadIsInTheLanguageOfTheWindow() {
    const test::TempFolder folder;
    test::ProbeText text(0, 1, 1);
    text.loader(0, 0, 1);
    for (const std::int64_t pass : {0, 1}) {
      text.pass(pass, 0, 0, 0);
      text.batches(pass, 0, {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}});
      text.news(pass, 5, 5);
    }
    text.end();
    const Speaking chinese("zh_CN");
    Workspace workspace;
    JobCapture capture(workspace.runs);
    QVERIFY(workspace.runs.open(recordingOfCommand(folder / "read", {text})).has_value());
    EVENTUALLY((capture.refresh(), capture.found() != nullptr));
    const capture::CapturedLoader& loader = capture.found()->loaders.front();
    QCOMPARE(loader.findings.front().text,
             std::string("从未调用 set_epoch：全部 2 个 epoch 的顺序都与 epoch 0 相同。请在每个 epoch 之前调用 "
                         "sampler.set_epoch(epoch)。"));
    QSignalSpy made(&capture, &JobCapture::designMade);
    capture.makeDesign(loader.job.name);
    EVENTUALLY(made.count() == 1);
    const QString design = made[0][1].toString();
    QVERIFY2(design.contains("# set_epoch was never called: all 2 epochs have the order of epoch 0."),
             qPrintable(design));
    QVERIFY2(!design.contains(chineseLetters()), qPrintable(design));
  }
};

SHARDLENS_WINDOW_TEST(RecordedTest)
#include "recorded_test.moc"
