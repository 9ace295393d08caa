// SPDX-License-Identifier: GPL-3.0-or-later
// A command of the user's: typed, run and watched by the window; what its loaders read becomes a design.
#include "core/record/recording_writer.h"
#include "core/sampling/registry.h"
#include "core/yaml/spec_reader.h"
#include "tests/core/capture/probe_text.h"
#include "tests/support/temp_folder.h"
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "ui/widgets/run/console_view.h"
#include "ui/widgets/run/launch_panel.h"
#include "ui/widgets/run/loaders_panel.h"
#include "ui/widgets/run/run_page.h"

#include <QAbstractButton>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

QStringList labelsIn(const QWidget& panel) {
  QStringList texts;
  for (const QLabel* label : panel.findChildren<QLabel*>()) {
    if (label->isVisible()) texts.push_back(label->text());
  }
  return texts;
}

bool printed(const RunState& state, const std::string& text) {
  bool found = false;
  for (std::size_t i = 0; i < state.log.size(); ++i) found = found || state.log[i].text == text;
  return found;
}

}  // namespace

class OwnCommandTest : public QObject {
  Q_OBJECT

  test::TempFolder folder_;

  /// The recording of a command whose loader read this order in batches of two.
  QString recordingOf(const std::string& name, const std::vector<std::vector<SampleIndex>>& batches) {
    const auto path = folder_ / name;
    auto writer = RecordingWriter::create(path);
    RunBegin begin;
    begin.name = "train";
    begin.command = "shardlens run -- python3 train.py";
    begin.host = "h";
    begin.reports = false;
    writer->add({1, begin});
    writer->add({2, RunEnd{}});
    (void)writer->flush();
    test::ProbeText text(0, 1, 1);
    text.loaderWith(0, R"({"class":"torch.utils.data.sampler.SequentialSampler"})");
    text.pass(0, 0, 0, 0);
    text.batches(0, 0, batches);
    text.news(0, 5, 5);
    text.end();
    test::spill(path / "h-1.slprobe", text.bytes());
    return QString::fromStdString(path.string());
  }

 private slots:
  void initTestCase() { qputenv("SHARDLENS_RUNS", (folder_ / "runs").c_str()); }

  void whatIsTypedRunsInItsFolderAndIsWatched() {
    Workspace workspace;
    workspace.document.showMended({{{}, {}}, {}, nullptr}, QString::fromStdString((folder_ / "design.yaml").string()));
    RunPage page(workspace);
    page.setMode(RunPage::Mode::Run);
    page.resize(1280, 640);
    page.show();
    auto* typed = page.findChild<QLineEdit*>("watchCommand");
    QVERIFY(typed != nullptr && typed->isVisible());
    typed->setText("pwd; echo 'two words' && exit 3");
    QTest::keyClick(typed, Qt::Key_Return);
    QVERIFY(workspace.runs.state() != nullptr);
    EVENTUALLY_EQUAL(workspace.runs.state()->status, JobStatus::Failed);
    EVENTUALLY(!workspace.runs.isActive());
    EVENTUALLY(printed(*workspace.runs.state(), std::filesystem::canonical(folder_ / ".").string()));
    EVENTUALLY(printed(*workspace.runs.state(), "two words"));
    const RunState& state = *workspace.runs.state();
    QVERIFY(state.command.text().find("-- /bin/sh -c 'pwd; echo") != std::string::npos);
  }

  void aLineThatIsNoCommandIsSaidSoAndNothingRuns() {
    Workspace workspace;
    RunPage page(workspace);
    page.setMode(RunPage::Mode::Run);
    page.show();
    page.findChild<QLineEdit*>("watchCommand")->setText("python3 'train.py");
    page.findChild<QPushButton*>("watchRun")->click();
    auto* problem = page.findChild<QLabel*>("watchProblem");
    QVERIFY(problem->isVisible());
    QCOMPARE(problem->text(),
             QString("The command is not complete: a quote is not closed, or it ends with a backslash. (complete it)"));
    QVERIFY(workspace.runs.state() == nullptr);
  }

  void whatALoaderReadCanBecomeTheDesign() {
    Workspace workspace;
    RunPage page(workspace);
    page.setMode(RunPage::Mode::Autopsy);
    page.resize(1280, 640);
    page.show();
    QVERIFY(workspace.runs.open(recordingOf("whole", {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}})).has_value());
    auto* panel = page.findChild<LoadersPanel*>("loadersPanel");
    EVENTUALLY(panel->isVisible() && panel->findChild<QAbstractButton*>("makeDesign") != nullptr);
    EVENTUALLY(labelsIn(*panel).contains("torch.SequentialSampler"));
    EVENTUALLY(labelsIn(*panel).contains("All 5 batches of epoch 0 on rank 0 are as planned."));
    QSignalSpy wanted(&page, &Page::designWanted);
    panel->findChild<QAbstractButton*>("makeDesign")->click();
    QCOMPARE(wanted.count(), 1);
    const auto read = yaml::readSpec(wanted[0][1].toString().toStdString(), sampling::catalogue());
    QVERIFY(read.issues.empty());
    QCOMPARE(read.spec.sampler.type, std::string("torch.SequentialSampler"));
    QCOMPARE(read.spec.dataset.size, 10);
  }

  void anOrderThatNoDesignGivesIsNotCalledPlanned() {
    Workspace workspace;
    RunPage page(workspace);
    page.setMode(RunPage::Mode::Autopsy);
    page.resize(1280, 640);
    page.show();
    QVERIFY(workspace.runs.open(recordingOf("other", {{0, 1}, {2, 3}, {5, 4}, {6, 7}, {8, 9}})).has_value());
    auto* panel = page.findChild<LoadersPanel*>("loadersPanel");
    EVENTUALLY(labelsIn(*panel).join("\n").contains("5 batches on rank 0 are recorded."));
    const QString said = labelsIn(*panel).join("\n");
    QVERIFY2(!said.contains("All 5 batches"), qPrintable(said));
    QVERIFY2(said.contains("whose rule does not give what was read. 4 of 5 batches"), qPrintable(said));
  }
};

SHARDLENS_WINDOW_TEST(OwnCommandTest)
#include "own_command_test.moc"
