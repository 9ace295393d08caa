// SPDX-License-Identifier: GPL-3.0-or-later
// A command of the user's: typed, run and watched by the window; what its loaders read becomes a design.
#include "core/sampling/registry.h"
#include "core/yaml/spec_reader.h"
#include "tests/support/temp_folder.h"
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/run/run_recordings.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/run/console_view.h"
#include "ui/widgets/run/launch_panel.h"
#include "ui/widgets/run/loaders_panel.h"
#include "ui/widgets/run/proof_panel.h"
#include "ui/widgets/run/run_page.h"
#include "ui/widgets/run/verdict_banner.h"
#include "ui/widgets/run/watch_form.h"

#include <QAbstractButton>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <cstdlib>

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

/// Ten samples in their order, on one rank.
PipelineSpec inOrder() {
  PipelineSpec spec;
  spec.name = "in-order";
  spec.dataset.size = 10;
  spec.world = {1, 1};
  spec.loader.batch_size = 2;
  spec.sampler = {"torch.SequentialSampler", {}};
  spec.epochs = 1;
  return spec;
}

QString twinOf(const RunPage& page) {
  return page.findChild<CommandField*>("watchLine")->command();
}

}  // namespace

class OwnCommandTest : public QObject {
  Q_OBJECT

  test::TempFolder folder_;

  /// The recording of a command whose loader read this order in batches of two.
  QString recordingOf(const std::string& name, const std::vector<std::vector<SampleIndex>>& batches,
                      const std::string& design = {}) {
    test::ProbeText text(0, 1, 1);
    text.loaderWith(0, R"({"class":"torch.utils.data.sampler.SequentialSampler"})");
    text.pass(0, 0, 0, 0);
    text.batches(0, 0, batches);
    text.news(0, 5, 5);
    text.end();
    return recordingOfCommand(folder_ / name, {text}, design);
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

  void theCommandGetsItsEnvironmentAndNothingElseDoes() {
    Workspace workspace;
    RunPage page(workspace);
    page.setMode(RunPage::Mode::Run);
    page.resize(1280, 640);
    page.show();
    auto* environment = page.findChild<QPlainTextEdit*>("watchEnvironment");
    auto* link = page.findChild<LinkButton*>("watchVariables");
    QVERIFY(environment->isHidden());
    EVENTUALLY(link->height() > 0);  // the layout of a new page comes with its first turn of the event loop
    QTest::mouseClick(link, Qt::LeftButton);
    QVERIFY(environment->isVisible() && page.focusWidget() == environment);
    environment->insertPlainText("# of this test\nOWN_A=\"x y\"\nOWN_B=no");
    QCOMPARE(link->text(), QString("with 2 environment variables"));
    auto* typed = page.findChild<QLineEdit*>("watchCommand");
    typed->setText("OWN_B=2 printenv OWN_A OWN_B");
    QCOMPARE(twinOf(page), QString("shardlens run -- 'OWN_A=x y' OWN_B=2 printenv OWN_A OWN_B"));
    typed->setFocus();
    QCOMPARE(page.command(), twinOf(page));
    page.findChild<QPushButton*>("copyCommand")->setFocus();
    QVERIFY2(page.command().startsWith("shardlens run spec.yaml"), qPrintable(page.command()));
    QTest::keyClick(typed, Qt::Key_Return);
    EVENTUALLY_EQUAL(workspace.runs.state()->status, JobStatus::Finished);
    EVENTUALLY(printed(*workspace.runs.state(), "x y") && printed(*workspace.runs.state(), "2"));
    EVENTUALLY(!workspace.runs.isActive());
    QVERIFY(std::getenv("OWN_A") == nullptr);
    QVERIFY2(page.command().endsWith(" -- 'OWN_A=x y' OWN_B=2 printenv OWN_A OWN_B"), qPrintable(page.command()));
    QCOMPARE(workspace.runs.state()->name, std::string("printenv"));
  }

  void aLineThatSetsNoVariableIsSaidInPlaceAndNothingRuns() {
    Workspace workspace;
    RunPage page(workspace);
    page.setMode(RunPage::Mode::Run);
    page.show();
    auto* environment = page.findChild<QPlainTextEdit*>("watchEnvironment");
    auto* link = page.findChild<LinkButton*>("watchVariables");
    EVENTUALLY(link->height() > 0);
    QTest::mouseClick(link, Qt::LeftButton);
    environment->insertPlainText("A=1\nexport B=2");
    auto* problem = page.findChild<QLabel*>("watchEnvironmentProblem");
    QVERIFY(problem->isHidden());  // somebody types
    page.findChild<QLineEdit*>("watchCommand")->setText("true");
    QTest::mouseClick(link, Qt::LeftButton);
    QVERIFY(environment->isVisible());
    page.findChild<QPushButton*>("watchRun")->click();
    QVERIFY(problem->isVisible());
    QCOMPARE(problem->text(), QString("Line 2 of the environment sets no variable: export B=2 (write NAME=value, one a "
                                      "line and without export, such as NCCL_DEBUG=INFO)"));
    QVERIFY(workspace.runs.state() == nullptr);
    QVERIFY(!page.findChild<QWidget*>("watchLine")->isVisible());
    environment->setPlainText("A=1\nB=2");
    QVERIFY(problem->isHidden());
  }

  void whatACommandReadsIsComparedWithTheOpenDesign_data() {
    QTest::addColumn<bool>("differs");
    QTest::newRow("as designed") << false;
    QTest::newRow("swapped") << true;
  }
  void whatACommandReadsIsComparedWithTheOpenDesign() {
    QFETCH(bool, differs);
    const std::vector<SampleIndex> last = differs ? std::vector<SampleIndex>{9, 8} : std::vector<SampleIndex>{8, 9};
    const QString read = recordingOf(differs ? "read-other" : "read", {{0, 1}, {2, 3}, {4, 5}, {6, 7}, last});
    Workspace workspace;
    workspace.document.reset(inOrder());
    RunPage page(workspace);
    page.setMode(RunPage::Mode::Run);
    page.resize(1280, 640);
    page.show();
    auto* compare = page.findChild<QCheckBox*>("watchCompare");
    EVENTUALLY(compare->isVisible());
    QVERIFY(!compare->isChecked());
    page.findChild<QLineEdit*>("watchCommand")->setText("cp " + read + "/h-0.slprobe $SHARDLENS_PROBE");
    QVERIFY2(twinOf(page).startsWith("shardlens run -- /bin/sh -c 'cp "), qPrintable(twinOf(page)));
    compare->click();
    QVERIFY2(twinOf(page).startsWith("shardlens run spec.yaml -- /bin/sh -c 'cp "), qPrintable(twinOf(page)));
    QVERIFY(page.findChild<QLabel*>("watchCompared")->isVisible());  // the design is in no file
    page.findChild<QPushButton*>("watchRun")->click();
    EVENTUALLY(!workspace.runs.isActive());
    auto* proof = page.findChild<ProofPanel*>();
    EVENTUALLY(proof->verdictText().startsWith(differs
                                                   ? "Rank 0, epoch 0, step 4 has the planned samples in another order"
                                                   : "All 5 batches of epoch 0 on rank 0 are as designed."));
    const auto folder = std::filesystem::path(workspace.runs.runFile().toStdString()).parent_path();
    const auto kept = yaml::readSpec(test::slurp(folder / "spec.yaml"), sampling::catalogue());
    QVERIFY(kept.issues.empty() && kept.spec == workspace.document.spec());
    QCOMPARE(workspace.runs.state()->name, std::string("in-order"));
    QVERIFY(page.command().startsWith("shardlens run " + QString::fromStdString((folder / "spec.yaml").string())));
  }

  void onlyAValidDesignCanBeComparedWith() {
    Workspace workspace;
    workspace.document.reset(inOrder());
    RunPage page(workspace);
    page.setMode(RunPage::Mode::Run);
    page.show();
    auto* compare = page.findChild<QCheckBox*>("watchCompare");
    EVENTUALLY(compare->isVisible());
    compare->click();
    page.findChild<QLineEdit*>("watchCommand")->setText("true");
    QCOMPARE(twinOf(page), QString("shardlens run spec.yaml -- true"));
    PipelineSpec invalid = inOrder();
    invalid.dataset.size = -1;
    workspace.document.replace(invalid, "size");
    EVENTUALLY(compare->isHidden());
    QCOMPARE(twinOf(page), QString("shardlens run -- true"));
    workspace.document.undoStack().undo();
    EVENTUALLY(compare->isVisible());
    QVERIFY(compare->isChecked());
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
    EVENTUALLY(
        labelsIn(*panel).contains("All 5 batches of epoch 0 on rank 0 are as torch.SequentialSampler computes them."));
    QSignalSpy wanted(&workspace.capture, &JobCapture::designMade);
    panel->findChild<QAbstractButton*>("makeDesign")->click();
    EVENTUALLY_EQUAL(wanted.count(), 1);
    const auto read = yaml::readSpec(wanted[0][1].toString().toStdString(), sampling::catalogue());
    QVERIFY(read.issues.empty());
    QCOMPARE(read.spec.sampler.type, std::string("torch.SequentialSampler"));
    QCOMPARE(read.spec.dataset.size, 10);
    QCOMPARE(wanted[0][2].toString(),
             QString("whole: the spec captured from its loader train, which plans all 5 recorded batches."));
  }

  void theVerdictAndTheProofSayWhatCaptureSays() {
    Workspace workspace;
    RunPage page(workspace);
    page.setMode(RunPage::Mode::Autopsy);
    page.resize(1280, 640);
    page.show();
    QVERIFY(workspace.runs.open(recordingOf("said", {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}})).has_value());
    const QString said = "All 5 batches of epoch 0 on rank 0 are as torch.SequentialSampler computes them.";
    auto* banner = page.findChild<VerdictBanner*>("verdict");
    EVENTUALLY(banner->asText().contains(said));
    QVERIFY2(banner->asText().contains("1 rank took"), qPrintable(banner->asText()));
    auto* proof = page.findChild<ProofPanel*>();
    EVENTUALLY(proof->isVisible() && proof->verdictText() == said);
    EVENTUALLY_EQUAL(proof->view().scene().columns, 5);  // as many as have room: it has just come into sight
    const ProofScene grid = proof->view().scene();
    QCOMPARE(grid.rows, 1);
    for (int column = 0; column < 5; ++column) QCOMPARE(grid.at(0, column), ProofCell::Match);
    QCOMPARE(workspace.runs.state()->ranks.size(), std::size_t{1});
  }

  void ofSeveralLoadersEachOneIsShownWhenItIsChosen() {
    Workspace workspace;
    RunPage page(workspace);
    page.setMode(RunPage::Mode::Autopsy);
    page.resize(1280, 640);
    page.show();
    test::ProbeText text(0, 1, 1);
    text.loaderWith(0, R"({"class":"torch.utils.data.sampler.SequentialSampler"})");
    text.pass(0, 0, 0, 0);
    text.batches(0, 0, {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}});
    text.news(0, 5, 5);
    text.loaderWith(1, R"({"class":"torch.utils.data.sampler.SequentialSampler"})", "train.py:20");
    text.pass(1, 1, 0, 0);
    text.batches(1, 0, {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}});
    text.news(1, 5, 0);
    text.end();
    QVERIFY(workspace.runs.open(recordingOfCommand(folder_ / "several", {text})).has_value());
    auto* proof = page.findChild<ProofPanel*>();
    EVENTUALLY(isSettled() &&
               proof->verdictText() ==
                   "train: All 5 batches of epoch 0 on rank 0 are as torch.SequentialSampler computes them.");
    auto* panel = page.findChild<LoadersPanel*>("loadersPanel");
    auto* show = panel->findChild<QAbstractButton*>("showBatches");
    QVERIFY(show != nullptr);
    show->click();
    EVENTUALLY(proof->verdictText().startsWith("val: All 5 batches"));
    EVENTUALLY_EQUAL(proof->view().scene().columns, 5);
  }

  void whatDiffersFromTheDesignIsSaidFirst_data() {
    QTest::addColumn<bool>("differs");
    QTest::newRow("as designed") << false;
    QTest::newRow("swapped") << true;
  }
  void whatDiffersFromTheDesignIsSaidFirst() {
    QFETCH(bool, differs);
    const std::string design =
        "shardlens: 2\ndataset: {size: 10}\nworld: {nodes: 1, ranks_per_node: 1}\nloader: {batch_size: 2}\n"
        "sampler: {type: torch.SequentialSampler}\nepochs: 1\n";
    Workspace workspace;
    RunPage page(workspace);
    page.setMode(RunPage::Mode::Autopsy);
    page.resize(1280, 640);
    page.show();
    const std::vector<SampleIndex> last = differs ? std::vector<SampleIndex>{9, 8} : std::vector<SampleIndex>{8, 9};
    const QString recording =
        recordingOf(differs ? "differs" : "designed", {{0, 1}, {2, 3}, {4, 5}, {6, 7}, last}, design);
    QVERIFY(workspace.runs.open(recording).has_value());
    auto* banner = page.findChild<VerdictBanner*>("verdict");
    auto* proof = page.findChild<ProofPanel*>();
    const QString right = "All 5 batches of epoch 0 on rank 0 are as designed.";
    const QString wrong = "Rank 0, epoch 0, step 4 has the planned samples in another order";
    EVENTUALLY(isSettled() && proof->verdictText().startsWith(differs ? wrong : right));
    QCOMPARE(banner->headline().tone, differs ? Tone::Error : Tone::Fine);
    QCOMPARE(banner->headline().title, differs ? "The job did not read what its spec plans" : "Finished");
    QVERIFY2(banner->asText().contains(differs ? wrong : right), qPrintable(banner->asText()));
    QVERIFY2(!banner->asText().contains("reported no batches"), qPrintable(banner->asText()));
    QCOMPARE(proof->view().scene().at(0, 3), ProofCell::Match);
    QCOMPARE(proof->view().scene().at(0, 4), differs ? ProofCell::Mismatch : ProofCell::Match);
    auto* panel = page.findChild<LoadersPanel*>("loadersPanel");
    EVENTUALLY(panel->isVisible() && panel->findChild<QAbstractButton*>("makeDesign") != nullptr);
  }

  /// As `shardlens verify DESIGN RUN` does, for a recording that has no design; an edit of the design is followed.
  void whatWasReadIsComparedWithTheOpenDesign() {
    Workspace workspace;
    workspace.document.reset(inOrder());
    RunPage page(workspace);
    page.setMode(RunPage::Mode::Autopsy);
    page.resize(1280, 640);
    page.show();
    QVERIFY(workspace.runs.open(recordingOf("verified", {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}})).has_value());
    EVENTUALLY(workspace.capture.canCompare() && isSettled());
    QMenu* menu = page.findChild<QToolButton*>("autopsyCompare")->menu();
    const auto choose = [menu] {
      emit menu->aboutToShow();
      for (QAction* action : menu->actions()) {
        if (action->text() == "The open design, batch by batch") return action->trigger();
      }
      QFAIL("it is not in the menu");
    };
    choose();
    auto* proof = page.findChild<ProofPanel*>();
    EVENTUALLY_EQUAL(proof->verdictText(),
                     QString("Compared with the open design: All 5 batches of epoch 0 on rank 0 are as designed."));
    QCOMPARE(page.command(), "shardlens verify spec.yaml " + workspace.runs.runFile());
    PipelineSpec other = inOrder();
    other.loader.batch_size = 5;
    workspace.document.replace(other, "batch size");
    auto* banner = page.findChild<VerdictBanner*>("verdict");
    EVENTUALLY_EQUAL(banner->headline().title, QString("The job did not read what the open design plans"));
    QVERIFY2(banner->asText().contains("loader.batch_size is 2, not 5"), qPrintable(banner->asText()));
    choose();
    EVENTUALLY_EQUAL(proof->verdictText(),
                     QString("All 5 batches of epoch 0 on rank 0 are as torch.SequentialSampler computes them."));
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
    auto* proof = page.findChild<ProofPanel*>();
    EVENTUALLY(proof->view().scene().columns == 5);
    for (int column = 0; column < 5; ++column)
      QCOMPARE(proof->view().scene().at(0, column), ProofCell::Recorded);  // equal to itself: that proves nothing
    QVERIFY(!proof->view().csv().contains("matches the plan"));
  }
};

SHARDLENS_WINDOW_TEST(OwnCommandTest)
#include "own_command_test.moc"
