// SPDX-License-Identifier: GPL-3.0-or-later
// The tabs on a real workspace: real plans and audits, real edits, undo.
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "ui/plot/matrix_plot.h"
#include "ui/scene/theme.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/refresh.h"
#include "ui/widgets/common/state_pane.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/common/toast.h"
#include "ui/widgets/tabs/audit_parts.h"
#include "ui/widgets/tabs/coverage_view.h"
#include "ui/widgets/tabs/export_view.h"
#include "ui/widgets/tabs/overlap_view.h"
#include "ui/widgets/tabs/seeds_view.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QPushButton>
#include <QStandardPaths>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <set>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

/// 2 nodes x 4 whose sampler got num_replicas 4 and local_rank.
PipelineSpec sharedSlices() {
  PipelineSpec spec;
  spec.dataset.size = 64;
  spec.world = {2, 4};
  spec.sampler.parameters["num_replicas"] = std::int64_t{4};
  spec.sampler.parameters["rank"] = std::string("local_rank");
  return spec;
}

/// The button with this text, however it is broken into lines.
QPushButton* button(const QWidget& parent, const QString& text) {
  for (auto* candidate : parent.findChildren<QPushButton*>()) {
    if ((candidate->text() == text || candidate->accessibleName() == text) && candidate->isVisibleTo(&parent))
      return candidate;
  }
  return nullptr;
}

void clickCell(const OverlapView& view, HeatCell cell) {
  MatrixPlot& matrix = view.matrix();
  const QPoint at = matrix.pixelOf(cell);
  QTest::mouseClick(matrix.childAt(at), Qt::LeftButton, {}, at);
}

template <class Tab>
struct Shown {
  explicit Shown(const PipelineSpec& spec) : tab(workspace) {
    tab.resize(740, 300);
    tab.show();
    workspace.document.reset(spec);
    workspace.plan();
  }
  [[nodiscard]] bool audited() const {
    const auto snapshot = workspace.plans.snapshot();
    return snapshot->audit && !workspace.plans.isBusy() && snapshot->spec == workspace.document.spec() &&
           Refresh::allDone();
  }
  Workspace workspace;
  Tab tab;
};

}  // namespace

class TabsTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

  void aFixThatChangesNothingOffersNoUndo() {
    Document document;
    StatePane pane(new QWidget);
    QVERIFY(document.edit({{"epochs", std::int64_t{7}}}, "epochs"));
    Fix fix;
    fix.label = "set epochs to 7";
    fix.edits = {{"epochs", std::int64_t{7}}};
    applyFix(document, pane, fix);
    QCOMPARE(Toast::of(pane).text(), QString());
    fix.edits = {{"epochs", std::int64_t{8}}};
    applyFix(document, pane, fix);
    QVERIFY(Toast::of(pane).text().contains("set epochs to 7"));
  }

  void aLongFixIsBrokenIntoLinesInEveryScript() {
    for (const QString& label : {QString("set num_replicas to world_size and rank to the rank of each process"),
                                 QString::fromUtf8("每个进程都使用自己的编号并且把副本数量设为全部进程的数量")}) {
      FixOffer offer;
      Fix fix;
      fix.label = label.toStdString();
      offer.setFix(fix);
      offer.resize(200, 200);
      offer.show();
      auto* shown = offer.findChild<QPushButton*>();
      const QStringList lines = shown->text().split('\n');
      QVERIFY2(lines.size() > 1, qPrintable(shown->text()));
      for (const QString& line : lines) QVERIFY(shown->fontMetrics().horizontalAdvance(line) <= shown->width());
      QCOMPARE(shown->text().remove('\n').remove(' '), QString(label).remove(' '));
    }
  }
  void cleanup() { applyTheme(Theme::light()); }

  void aClickInTheOverlapSelectsBothRanksAndFindsTheirIds() {
    Shown<OverlapTab> shown(sharedSlices());
    EVENTUALLY(shown.audited());
    QCoreApplication::processEvents();
    clickCell(shown.tab.view(), {2, 6});
    QCOMPARE(shown.workspace.selection.current().ranks, (std::vector<qint64>{2, 6}));
    QCOMPARE(shown.tab.view().title(), QString("Ranks 2 and 6 share all 16 samples"));
    QTest::mouseClick(button(shown.tab, "Show the shared ids"), Qt::LeftButton);
    QStringList expected;
    const auto plan = *shown.workspace.plans.snapshot()->plan;
    const auto epoch = plan.epoch(Epoch{0});
    std::set<SampleIndex> both;
    for (std::int64_t k = 0; k < epoch->ranks[2].size(); ++k) both.insert(epoch->ranks[2].sample(k));
    for (const SampleIndex id : both) expected << QString::number(id);
    EVENTUALLY_EQUAL(shown.tab.view().ids().text(), expected.join(", "));
  }

  void theFixChangesTheSpecAndUndoBringsItBack() {
    Shown<OverlapTab> shown(sharedSlices());
    EVENTUALLY(shown.audited());
    const PipelineSpec before = shown.workspace.document.spec();
    const auto& findings = shown.workspace.plans.snapshot()->audit->findings;
    QVERIFY(!findings.empty() && findings.front().fix() != nullptr);
    QPushButton* fix = button(shown.tab, QString::fromStdString(findings.front().fix()->label));
    QVERIFY(fix != nullptr);
    QTest::mouseClick(fix, Qt::LeftButton);
    QVERIFY(shown.workspace.document.spec() != before);
    EVENTUALLY(shown.audited());
    EVENTUALLY_EQUAL(shown.tab.view().title(), QString("No two ranks share a sample"));
    shown.workspace.document.undoStack().undo();
    QCOMPARE(shown.workspace.document.spec(), before);
    EVENTUALLY_EQUAL(shown.tab.view().title(), QString("4 of 28 pairs share samples"));
  }

  /// A fix is made for the spec that was audited; the document may have changed since.
  void aFixThatTheSpecRefusesSaysWhy() {
    const Fix refused{"Mend nothing", {{"sampler.no_such_field", true}}, {}};
    Shown<OverlapTab> overlap(sharedSlices());
    EVENTUALLY(overlap.audited());
    Shown<SeedsTab> seeds(sharedSlices());
    EVENTUALLY(seeds.audited());
    emit overlap.tab.view().fixWanted(refused);
    emit seeds.tab.view().fixWanted(refused);
    for (const QWidget* tab : {static_cast<QWidget*>(&overlap.tab), static_cast<QWidget*>(&seeds.tab)}) {
      auto* pane = tab->findChild<StatePane*>();
      QVERIFY(pane != nullptr);
      QVERIFY2(pane->message().contains("no_such_field"), qPrintable(pane->message()));
    }
    QVERIFY(!overlap.workspace.document.isModified());
  }

  void aSelectionElsewhereShowsInTheOverlap() {
    Shown<OverlapTab> shown(sharedSlices());
    EVENTUALLY(shown.audited());
    QCoreApplication::processEvents();
    shown.workspace.selection.select({.ranks = {1, 5}, .epoch = {}, .step = {}, .sample = {}});
    QCOMPARE(shown.tab.view().matrix().selected(), std::optional(HeatCell{1, 5}));
    QCOMPARE(shown.tab.view().title(), QString("Ranks 1 and 5 share all 16 samples"));
    shown.workspace.selection.clear();
    QCOMPARE(shown.tab.view().title(), QString("4 of 28 pairs share samples"));
  }

  /// A sample of rank 7 that rank 3 gets too is in the cell of both, not on the diagonal.
  void aSelectedSampleMarksTheRanksThatShareIt() {
    Shown<OverlapTab> shown(sharedSlices());
    EVENTUALLY(shown.audited());
    const auto epoch = shown.workspace.plans.snapshot()->epoch;
    const SampleIndex sample = epoch->ranks[7].sample(0);
    shown.workspace.selection.select({.ranks = {7}, .epoch = 0, .step = 0, .sample = sample});
    EVENTUALLY_EQUAL(shown.tab.view().matrix().selected(), std::optional(HeatCell{3, 7}));
    shown.workspace.selection.select({.ranks = {}, .epoch = {}, .step = {}, .sample = sample});
    EVENTUALLY_EQUAL(shown.tab.view().matrix().selected(), std::optional(HeatCell{3, 7}));
    shown.workspace.selection.select({.ranks = {2}, .epoch = {}, .step = {}, .sample = {}});
    QCOMPARE(shown.tab.view().matrix().selected(), std::optional(HeatCell{2, 2}));
  }

  /// Ranks that share nothing say nothing about a design whose epochs are all alike.
  void overlapOpensOnWhatIsWrong() {
    PipelineSpec spec;
    spec.epochs = 3;
    Shown<OverlapTab> shown(spec);
    EVENTUALLY(shown.audited());
    QCOMPARE(shown.tab.view().mode(), OverlapView::Ranks);
    PipelineSpec forgotten = spec;
    forgotten.sampler.parameters["set_epoch"] = false;
    shown.workspace.document.reset(forgotten);
    EVENTUALLY(shown.audited() && shown.tab.view().mode() == OverlapView::Epochs);
    QVERIFY2(!shown.tab.view().title().contains("No two ranks"), qPrintable(shown.tab.view().title()));
    shown.workspace.document.reset(sharedSlices());
    EVENTUALLY(shown.audited() && shown.tab.view().mode() == OverlapView::Ranks);
  }

  void aSpecWithErrorsKeepsTheLastPictureAndSaysSo() {
    Shown<OverlapTab> shown(sharedSlices());
    EVENTUALLY(shown.audited());
    auto* pane = shown.tab.findChild<StatePane*>();
    EVENTUALLY(pane->showsContent());
    PipelineSpec wrong = sharedSlices();
    wrong.loader.batch_size = 0;
    shown.workspace.document.replace(wrong, "break it");
    EVENTUALLY(pane->message().contains("batch_size"));
    QVERIFY(pane->showsContent());
    shown.workspace.document.undoStack().undo();
    EVENTUALLY(pane->message().isEmpty());
  }

  /// Green about the file before would be read as a verdict on this one.
  void nothingIsSaidOfTheFileBeforeWhileAnotherOneIsPlanned() {
    Shown<OverlapTab> shown(PipelineSpec{});
    EVENTUALLY(shown.audited());
    auto* pane = shown.tab.findChild<StatePane*>();
    EVENTUALLY(pane->showsContent());
    shown.workspace.document.reset(sharedSlices());
    QVERIFY(!pane->showsContent());
    EVENTUALLY(pane->showsContent());
    QCOMPARE(shown.tab.view().title(), QString("4 of 28 pairs share samples"));
  }

  /// What is shown while an edit is planned is dimmed, as soon as it takes long enough to be noticed.
  void theAuditBeforeAnEditIsDimmed() {
    Shown<OverlapTab> shown(PipelineSpec{});
    EVENTUALLY(shown.audited());
    auto* pane = shown.tab.findChild<StatePane*>();
    EVENTUALLY(pane->showsContent());
    QVERIFY(!pane->isDimmed());
    shown.workspace.document.replace(sharedSlices(), "share");
    shown.workspace.plans.cancel();  // as if it took long
    EVENTUALLY(pane->isDimmed());
    QVERIFY(pane->showsContent());
    shown.workspace.document.undoStack().undo();
    EVENTUALLY(!pane->isDimmed());
  }

  void coverageFollowsThePlayhead() {
    PipelineSpec spec;  // 16 samples, 2 ranks, batches of 2
    Shown<CoverageTab> shown(spec);
    EVENTUALLY(shown.audited());
    EVENTUALLY_EQUAL(shown.tab.view().title(), QString("Every sample is seen once"));
    shown.workspace.playback.seek(0, 3);
    EVENTUALLY_EQUAL(shown.tab.view().progress(), QString("after 3 steps: 12 of 16 seen"));
    shown.workspace.playback.seek(1, 1);
    EVENTUALLY_EQUAL(shown.tab.view().epoch(), std::optional<qint64>(1));
    EVENTUALLY_EQUAL(shown.tab.view().progress(), QString("after 1 step: 4 of 16 seen"));
  }

  /// The plan's own audit covers the first epochs only.
  void everyTabShowsTheEpochUnderThePlayhead() {
    PipelineSpec spec = sharedSlices();
    spec.epochs = 90;
    Shown<CoverageTab> coverage(spec);
    Shown<SeedsTab> seeds(spec);
    Shown<OverlapTab> overlap(spec);
    EVENTUALLY(coverage.audited() && seeds.audited() && overlap.audited());
    coverage.workspace.playback.seek(87, 1);
    EVENTUALLY_EQUAL(coverage.tab.view().epoch(), std::optional<qint64>(87));
    EVENTUALLY_EQUAL(coverage.tab.view().progress(), QString("after 1 step: 8 of 64 seen"));
    seeds.workspace.playback.seek(87, 0);
    EVENTUALLY_EQUAL(seeds.tab.view().model().seedRow(0).epoch, 87);
    overlap.workspace.playback.seek(87, 0);
    EVENTUALLY(overlap.workspace.audits.report()->coverage.front().epoch == 87 && Refresh::allDone());
    QCOMPARE(overlap.tab.view().epoch(), 87);
    QVERIFY(!overlap.workspace.audits.missing());
    overlap.workspace.playback.seek(0, 0);
    EVENTUALLY_EQUAL(overlap.tab.view().epoch(), 0);
  }

  /// While it plays no audit competes with the plan: the tab says which epoch it shows.
  void aTabThatDoesNotFollowSaysWhatItShows() {
    PipelineSpec spec = sharedSlices();
    spec.epochs = 90;
    Shown<OverlapTab> shown(spec);
    EVENTUALLY(shown.audited());
    shown.workspace.playback.setSpeed(0.001);
    shown.workspace.playback.play();
    shown.workspace.playback.seek(87, 0);
    auto* note = shown.tab.findChild<LinkButton*>("offer");
    EVENTUALLY(note != nullptr && note->isVisible());
    QCOMPARE(note->text(), QString("This is epoch 0. Show epoch 87"));
    note->click();
    EVENTUALLY_EQUAL(shown.tab.view().epoch(), 87);
    EVENTUALLY(!note->isVisible());
  }

  /// The menu of the panel under the pointer, and Ctrl+C where a list has the focus.
  void whatATabShowsIsCopied() {
    Shown<OverlapTab> overlap(sharedSlices());
    Shown<SeedsTab> seeds(sharedSlices());
    EVENTUALLY(overlap.audited() && seeds.audited());
    QClipboard& clipboard = *QApplication::clipboard();
    const auto choose = [](QWidget& tab, const QString& what) {
      QContextMenuEvent event(QContextMenuEvent::Keyboard, tab.rect().center(), tab.mapToGlobal(tab.rect().center()));
      QApplication::sendEvent(&tab, &event);
      auto* menu = tab.findChild<QMenu*>();
      QVERIFY(menu != nullptr && menu->isVisible());
      for (QAction* action : menu->actions()) {
        if (action->text() == what) action->trigger();
      }
      delete menu;
    };
    choose(overlap.tab, "Copy Overlap as text");
    QVERIFY(clipboard.text().startsWith("4 of 28 pairs share samples"));
    choose(overlap.tab, "Copy Overlap as CSV");
    QCOMPARE(clipboard.text(), QString("rank_a,rank_b,shared\n0,4,16\n1,5,16\n2,6,16\n3,7,16\n"));
    choose(overlap.tab, "Copy picture of this panel");
    QCOMPARE(clipboard.image().size(), overlap.tab.view().size());
    seeds.tab.activateWindow();
    auto* table = seeds.tab.findChild<QTableView*>();
    table->setFocus();
    EVENTUALLY(table->hasFocus());
    QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
    QVERIFY(clipboard.text().startsWith("epoch,node,rank"));
    QCOMPARE(clipboard.text().count('\n'), seeds.tab.view().model().rowCount() + 1);
  }

  void seedsOfAFixedRuleDiffer() {
    PipelineSpec spec;
    spec.world = {2, 4};
    spec.seeds = {42, "base+local_rank"};
    Shown<SeedsTab> shown(spec);
    EVENTUALLY_EQUAL(shown.tab.view().title(),
                     QString("Every node has the same 4 seeds · 8 of 8 ranks would share random ids"));
    QVERIFY(shown.workspace.document.edit({{"seeds.rule", std::string("base+rank")}}, "rule"));
    EVENTUALLY_EQUAL(shown.tab.view().title(), QString("All 8 ranks have different seeds"));
  }

  void exportRemembersTheFileOfEachTarget() {
    QTemporaryDir folder;
    PipelineSpec spec;
    Shown<ExportTab> shown(spec);
    const Document::Saving saving = shown.workspace.document.saving(folder.filePath("spec.yaml"));
    const auto saved = saving.write();
    QVERIFY(saved.has_value());
    shown.workspace.document.saved(saving, *saved);
    ExportView& view = shown.tab.view();
    view.setTarget("torchrun");
    view.setPath(folder.filePath("start.sh"));
    view.save();
    QVERIFY(QFile::exists(folder.filePath("start.sh")));
    view.setTarget("pytorch");
    QCOMPARE(view.path(), QString());
    view.setTarget("torchrun");
    QCOMPARE(view.path(), folder.filePath("start.sh"));
  }

  void exportFollowsEdits() {
    Shown<ExportTab> shown(PipelineSpec{});
    shown.tab.view().setTarget("torchrun");
    QVERIFY(shown.tab.view().text().contains("--nproc_per_node=2"));
    QVERIFY(shown.workspace.document.edit({{"world.ranks_per_node", std::int64_t{4}}}, "world"));
    EVENTUALLY(shown.tab.view().text().contains("--nproc_per_node=4"));
  }

  void everyTabFollowsTheTheme() {
    applyTheme(Theme::light());
    Shown<OverlapTab> shown(sharedSlices());
    EVENTUALLY(shown.audited());
    const auto cell = [&shown] {
      for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
      MatrixPlot& matrix = shown.tab.view().matrix();
      return matrix.grab().toImage().pixelColor(matrix.pixelOf({2, 6}));
    };
    EVENTUALLY_EQUAL(cell(), duplicateColor(Theme::light()));
    applyTheme(Theme::darkTheme());
    EVENTUALLY_EQUAL(cell(), duplicateColor(Theme::darkTheme()));
  }
};

SHARDLENS_WINDOW_TEST(TabsTest)
#include "tabs_test.moc"
