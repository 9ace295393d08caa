// SPDX-License-Identifier: GPL-3.0-or-later
// What a recording says, in the language of the window.
#include "core/collect/collect_words.h"
#include "core/launch/launch_words.h"
#include "core/record/record_words.h"
#include "tests/support/window_main.h"
#include "tests/ui/language/speaking.h"
#include "ui/scene/run/recorded_text.h"

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

}  // namespace

class RecordedTest : public QObject {
  Q_OBJECT

 private slots:
  /// A recording holds English; the window says the supervisor's sentences in its own language. Were one of them worded
  /// anew in core, it would be found here.
  void whatTheSupervisorRecordedIsInTheLanguageOfTheWindow() {
    const std::vector<std::string> said = recordedSentences();
    for (const std::string& text : said)
      QCOMPARE(recordedText({LogLine::kOwn, false, text}), QString::fromStdString(text));
    const Speaking chinese("zh_CN");
    for (const std::string& text : said) {
      const QString shown = recordedText({LogLine::kOwn, false, text});
      QVERIFY2(shown.contains(chineseLetters()) && !shown.contains('%'), qPrintable(shown));
    }
    QCOMPARE(recordedText({3, false, "Rank 3 ended with code 1."}), QString("Rank 3 ended with code 1."));
    QVERIFY(recordedText({3, true, words::ringCutShort()}).contains(chineseLetters()));
    QVERIFY(recordedText({LogLine::kOwn, false, words::rankFailed(3, 1, "%1 is bad")}).contains("%1 is bad"));
  }
};

SHARDLENS_WINDOW_TEST(RecordedTest)
#include "recorded_test.moc"
