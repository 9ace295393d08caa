// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/job_capture.h"

#include "tests/support/temp_folder.h"
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/run/run_recordings.h"

#include <QTest>

#include <map>
#include <optional>
#include <utility>

using namespace shardlens;
using namespace shardlens::ui;

class JobCaptureTest : public QObject {
  Q_OBJECT

 private slots:
  /// A look at the first two batches, and then one epoch twice: no rule gives these passes as epochs, and the proof has
  /// a column for each.
  void eachRecordedPassIsAnEpochOfTheProof() {
    const test::TempFolder folder;
    test::ProbeText text(0, 1, 1);
    text.loader(0, 0, 1, false);
    text.pass(0, 0, 0, 0);
    text.batches(0, 0, {{0, 1}, {2, 3}});
    for (std::int64_t pass = 1; pass < 3; ++pass) {
      text.pass(pass, 0, 1, pass);
      text.batches(pass, 0, {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}});
      text.news(pass, 5, 5);
    }
    text.end();
    RunService runs;
    JobCapture capture(runs);
    QVERIFY(runs.open(recordingOfCommand(folder / "again", {text})).has_value());
    EVENTUALLY((capture.refresh(), capture.audit() != nullptr));
    QVERIFY(capture.isRecorded());
    const std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> each = {{{0, 0}, 0}, {{0, 1}, 1}, {{0, 2}, 2}};
    QVERIFY(capture.audit()->grid_epochs == each);
    Selected second;
    second.epoch = 1;
    QCOMPARE(capture.audit()->inGrid(second).epoch, std::optional<qint64>(1));
  }
};

SHARDLENS_WINDOW_TEST(JobCaptureTest)
#include "job_capture_test.moc"
