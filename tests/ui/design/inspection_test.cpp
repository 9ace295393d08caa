// SPDX-License-Identifier: Apache-2.0
#include "ui/scene/design/inspection.h"

#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "ui/widgets/common/state_pane.h"
#include "ui/widgets/design/inspector_panel.h"

#include <QAbstractButton>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>
#include <QTest>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

PlanSnapshot answerOf(const PipelineSpec& spec) {
  PlanSnapshot answer;
  answer.spec = spec;
  answer.plan = *Plan::make(spec);
  answer.shape = std::make_shared<const EpochShape>(*answer.plan->epochShape(Epoch{0}));
  answer.epoch = std::make_shared<const EpochPlan>(*answer.plan->epoch(Epoch{0}));
  answer.audit = std::make_shared<const AuditReport>(*audit(*answer.plan));
  return answer;
}

/// Two nodes of two; ranks 0 and 2, 1 and 3 read the same slices.
PipelineSpec sharing() {
  PipelineSpec spec;
  spec.world.nodes = 2;
  spec.sampler.parameters["num_replicas"] = std::string("ranks_per_node");
  spec.sampler.parameters["rank"] = std::string("local_rank");
  return spec;
}

std::vector<qint64> idsOf(const Inspection& inspection) {
  std::vector<qint64> ids;
  for (const SampleChip& chip : inspection.chips) ids.push_back(chip.id);
  return ids;
}

QString factOf(const Inspection& inspection, const QString& name) {
  for (const auto& fact : inspection.facts) {
    if (fact.name == name) return fact.value;
  }
  return "no such fact";
}

}  // namespace

class InspectionTest : public QObject {
  Q_OBJECT

 private slots:
  void aBatchHasItsSamples() {
    const PlanSnapshot answer = answerOf({});
    const Inspection batch = inspect(answer, {{0}, 0, 0, {}});
    QCOMPARE(batch.title, QString("rank 0 · epoch 0 · step 0"));
    QCOMPARE(idsOf(batch), (std::vector<qint64>{12, 9}));
    QCOMPARE(factOf(batch, "positions"), QString("0 … 2, stride 2"));
    QCOMPARE(factOf(batch, "batch"), QString("2 samples"));
    QCOMPARE(factOf(batch, "fingerprint").size(), 16);
  }

  void samplesThatOtherRanksHaveTooAreMarked() {
    const PlanSnapshot answer = answerOf(sharing());
    const auto batch = inspectFully(answer, {{0}, 0, 0, {}}, {});
    QVERIFY(batch && batch->complete);
    for (const SampleChip& chip : batch->chips) QVERIFY(chip.shared);
    const auto clean = inspectFully(answerOf({}), {{0}, 0, 0, {}}, {});
    for (const SampleChip& chip : clean->chips) QVERIFY(!chip.shared);
  }

  void twoRanksShowWhatTheyShare() {
    const auto pair = inspectFully(answerOf(sharing()), {{0, 2}, 0, {}, {}}, {});
    QCOMPARE(pair->samples, 8);
    QCOMPARE(pair->chips.size(), std::size_t{8});
    const auto apart = inspectFully(answerOf(sharing()), {{0, 1}, 0, {}, {}}, {});
    QVERIFY(apart->chips.empty());
    QVERIFY(apart->sentence.contains("no sample"));
  }

  void aSampleThatTheDatasetLacksIsSaidSo() {
    QVERIFY(inspect(answerOf({}), {{}, {}, {}, 12}).sentence.isEmpty());
    QVERIFY(inspect(answerOf({}), {{}, {}, {}, 16}).sentence.contains("no such sample"));
  }

  void aFollowedSampleIsTheSubjectWhereverItIs() {
    Selected place{{0}, 0, 0, 12};
    QCOMPARE(inspect(answerOf({}), place).title, QString("rank 0 · epoch 0 · step 0"));
    place.follows_sample = true;
    QCOMPARE(inspect(answerOf({}), place).title, QString("sample 12"));
  }

  void aBinOffersItsSamples() {
    Selected bin;
    bin.sample = 4;
    bin.samples = 3;
    const Inspection shown = inspect(answerOf({}), bin);
    QCOMPARE(shown.title, QString("samples 4 to 6"));
    QCOMPARE(idsOf(shown), (std::vector<qint64>{4, 5, 6}));
  }

  void aSeedNamesTheProcessesThatHaveIt() {
    PipelineSpec spec;
    spec.loader.num_workers = 1;
    const PlanSnapshot answer = answerOf(spec);
    Selected seed;
    seed.seed = answer.audit->seeds.rows.front().seed;
    const Inspection shown = inspect(answer, seed);
    QCOMPARE(shown.title, QString("seed %1").arg(*seed.seed));
    QVERIFY(factOf(shown, "held by").contains("rank 0"));
    seed.seed = 987'654'321'987ULL;
    QVERIFY(inspect(answer, seed).sentence.startsWith("No process"));
  }

  void stoppedWorkGivesNothing() {
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(!inspectFully(answerOf(sharing()), {{0}, 0, 0, {}}, Work{stop.get_token(), {}}));
  }

  void aStepPastTheEndIsSaidSo() {
    QVERIFY(inspect(answerOf({}), {{0}, 0, 99, {}}).sentence.contains("4 steps"));
    QVERIFY(inspect(answerOf({}), {{99}, 0, 0, {}}).title.isEmpty());
  }

  void whatIsNotKnownMayHideProblems() {
    Finding finding;
    QCOMPARE(findingCounts({finding}), QString("no problems · 1 note"));
    finding.leaves_open = true;
    QCOMPARE(findingCounts({finding}), QString("no problems in what is known · 1 note"));
  }

  void nothingSelectedIsTheEpochAsAWhole() {
    const Inspection epoch = inspect(answerOf(sharing()), {});
    QVERIFY(epoch.is_overview);
    QCOMPARE(factOf(epoch, "handed out"), QString("32 samples"));
    QCOMPARE(factOf(epoch, "seen"), QString("16 of 16"));
    QCOMPARE(factOf(epoch, "more than once"), QString("16"));
  }

  void copiesAreWhatIsShown() {
    const Inspection batch = inspect(answerOf({}), {{0}, 0, 0, {}});
    QVERIFY(asYaml(batch).contains("samples: [12, 9]"));
    QCOMPARE(asCsv(batch), QString("sample,padding,shared\n12,0,0\n9,0,0\n"));
    QCOMPARE(twinOf({{2}, 1, 3, {}}, "a.yaml"), QString("shardlens plan a.yaml --epoch 1 --rank 2"));
    Selected sample;
    sample.sample = 7;
    QCOMPARE(twinOf(sample, "a.yaml"), QString("shardlens find a.yaml 7"));
  }

  /// The panel of the smallest window: seed and fingerprint are whole, below their names.
  void nothingIsWiderThanANarrowPanel() {
    Workspace workspace;
    PipelineSpec spec = sharing();
    spec.dataset.size = 640;
    spec.loader.num_workers = 4;
    workspace.document.reset(spec);
    InspectorPanel panel(workspace);
    panel.resize(240, 600);
    panel.show();
    EVENTUALLY(workspace.plans.snapshot()->epoch != nullptr);
    workspace.selection.select({{1}, 0, 0, {}});
    EVENTUALLY(factOf(panel.shown(), "fingerprint").size() == 16);
    const auto* scroll = panel.findChild<QScrollArea*>();
    // Long rows wrap when the layout is next made, which is after the facts are there.
    EVENTUALLY(scroll->widget()->minimumSizeHint().width() <= scroll->viewport()->width());
    EVENTUALLY(scroll->widget()->width() <= scroll->viewport()->width());
  }

  void whatItSaysOfAFileEndsWithTheFile() {
    Workspace workspace;
    InspectorPanel panel(workspace);
    panel.show();
    EVENTUALLY(!panel.shown().title.isEmpty() && !workspace.plans.isBusy());
    workspace.document.reset(sharing());
    QCOMPARE(panel.shown().title, QString());
    EVENTUALLY(!panel.shown().title.isEmpty());
  }

  void whatItSaysOfTheSpecBeforeAnEditIsDimmed() {
    Workspace workspace;
    InspectorPanel panel(workspace);
    panel.show();
    EVENTUALLY(!panel.shown().title.isEmpty() && !workspace.plans.isBusy());
    const auto* pane = panel.findChild<StatePane*>();
    EVENTUALLY(!pane->isDimmed());  // it may have taken long enough to be dimmed meanwhile
    workspace.document.replace(sharing(), "share");
    workspace.plans.cancel();  // as if it took long
    EVENTUALLY(pane->isDimmed());
    workspace.document.undoStack().undo();
    EVENTUALLY(!pane->isDimmed());
  }

  /// What has the focus is hidden by going back: the focus stays in the panel and does not go to the menu.
  void goingBackFromTheLifeOfASampleKeepsTheFocus() {
    Workspace workspace;
    QWidget window;
    QPushButton before("menu", &window);
    InspectorPanel panel(workspace, &window);
    panel.setGeometry(0, 40, 292, 400);
    window.resize(300, 440);
    window.show();
    window.activateWindow();
    EVENTUALLY(!workspace.plans.isBusy());
    workspace.selection.select({{1}, 0, 0, {}});
    workspace.selection.select({.ranks = {}, .epoch = {}, .step = {}, .sample = 12});
    EVENTUALLY(panel.life()->isVisible() && Refresh::allDone());
    panel.life()->table()->setFocus();
    workspace.selection.goBack();
    EVENTUALLY(!panel.life()->isVisible());
    QVERIFY(window.focusWidget() != nullptr && panel.isAncestorOf(window.focusWidget()));
    workspace.selection.goForward();
    EVENTUALLY(panel.life()->isVisible());
    for (auto* button : panel.findChildren<QAbstractButton*>()) {
      if (button->accessibleName() == "Back") button->setFocus();
    }
    while (workspace.selection.canGoBack()) workspace.selection.goBack();
    QVERIFY(panel.isAncestorOf(window.focusWidget()));
  }

  /// The table takes what the facts leave: they need no scrolling of their own.
  void theLifeOfASampleFillsThePane() {
    Workspace workspace;
    InspectorPanel panel(workspace);
    panel.resize(292, 400);
    panel.show();
    EVENTUALLY(!workspace.plans.isBusy());
    workspace.selection.select({.ranks = {}, .epoch = {}, .step = {}, .sample = 12});
    EVENTUALLY(panel.life()->isVisible() && Refresh::allDone() && !panel.life()->isSearching());
    const auto* scroll = panel.findChild<QScrollArea*>();
    EVENTUALLY(scroll->verticalScrollBar()->maximum() == 0);
    EVENTUALLY(panel.height() - panel.life()->mapTo(&panel, QPoint(0, panel.life()->height())).y() < 4);
    panel.resize(292, 250);
    QCOMPARE(panel.height(), 250);
  }

  void thePanelFollowsTheSelection() {
    Workspace workspace;
    InspectorPanel panel(workspace);
    panel.show();
    EVENTUALLY(panel.shown().is_overview);
    workspace.selection.select({{1}, 0, 0, {}});
    EVENTUALLY_EQUAL(idsOf(panel.shown()), (std::vector<qint64>{10, 6}));
    EVENTUALLY(panel.shown().complete);
    workspace.selection.clear();
    EVENTUALLY(panel.shown().is_overview);
  }
};

SHARDLENS_WINDOW_TEST(InspectionTest)
#include "inspection_test.moc"
