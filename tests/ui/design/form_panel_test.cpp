// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/design/form_panel.h"

#include "core/sampling/registry.h"
#include "core/spec/field_table.h"
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "tests/ui/design/form_driver.h"
#include "ui/scene/design/form.h"
#include "ui/scene/links.h"
#include "ui/widgets/common/fields.h"
#include "ui/widgets/common/refresh.h"
#include "ui/widgets/design/field_row.h"
#include "ui/widgets/design/findings_panel.h"

#include <QComboBox>
#include <QTest>

#include <algorithm>

using namespace shardlens;
using namespace shardlens::ui;

class FormPanelTest : public QObject {
  Q_OBJECT

 private slots:
  /// Optional ones only where the sampler reads them.
  void everyFieldOfTheTableHasARow() {
    for (const SamplerInfo& info : sampling::catalogue()) {
      Workspace workspace;
      QVERIFY(workspace.document.edit({{"sampler.type", info.type}}, "type"));
      const FormPanel panel(workspace);
      for (const Field* field : fieldsOf(workspace.document.spec(), sampling::catalogue())) {
        const bool read = std::count(info.reads.begin(), info.reads.end(), field->path) > 0;
        const bool wanted = !field->optional || read;
        QVERIFY2((panel.row(QString::fromStdString(field->path)) != nullptr) == wanted, field->path.c_str());
      }
    }
  }

  void aPhaseOfTheScheduleHasTheRowsThatMeanSomething() {
    Workspace workspace;
    PipelineSpec spec;
    spec.schedule = {{.what = "zero_first"}, {.what = "host", .kb = 3}, {.what = "all_reduce"}};
    workspace.document.reset(spec);
    FormPanel panel(workspace);
    panel.show();
    const auto keys = [&panel](const QString& phase) {
      QStringList there;
      for (const char* key : {"do", "at", "if", "group", "ranks", "op", "peer", "ms", "kb", "values"})
        if (panel.row("schedule[" + phase + "]." + key) != nullptr) there += key;
      return there.join(' ');
    };
    QCOMPARE(keys("0"), "do at if");
    QCOMPARE(keys("1"), "do at if group ranks ms kb");  // the file says kb
    QCOMPARE(keys("2"), "do at if group ranks op ms kb values");
    QVERIFY(workspace.document.edit({{"schedule[0].do", std::string("host")}}, "do"));
    EVENTUALLY_EQUAL(keys("0"), "do at if group ranks ms");
  }

  void whatAFieldShowsCanBeTypedBack() {
    const PipelineSpec spec;
    for (const FormSection& section : formOf(spec, sampling::catalogue())) {
      for (const Field& field : section.fields) {
        const bool is_typed = field.kind != FieldKind::Bool && field.kind != FieldKind::Choice;
        if (!is_typed || field.kind == FieldKind::Records) continue;
        const Value value = getValue(spec, field);
        const auto back = parseValue(field, fieldText(field, value).toStdString());
        QVERIFY2(back && *back == value, field.path.c_str());
      }
    }
  }

  void typingChangesTheSpecAtEveryKey() {
    Workspace workspace;
    FormPanel panel(workspace);
    panel.show();
    type(lineOf(panel, "dataset.size"), "1e6");
    QCOMPARE(workspace.document.spec().dataset.size, 1'000'000);
    QVERIFY(workspace.document.undoStack().count() == 1);
  }

  void groupedDigitsAreShownOnceTheFieldIsLeft() {
    Workspace workspace;
    FormPanel panel(workspace);
    panel.show();
    panel.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&panel, 60'000));
    type(lineOf(panel, "dataset.size"), "1281167");
    lineOf(panel, "world.nodes")->setFocus();
    EVENTUALLY_EQUAL(lineOf(panel, "dataset.size")->text(), QString("1\u202f281\u202f167"));
  }

  void aRefusedTextTurnsTheFieldRedAndTheSpecStays() {
    Workspace workspace;
    FormPanel panel(workspace);
    panel.show();
    type(lineOf(panel, "loader.batch_size"), "zero");
    QVERIFY(panel.row("loader.batch_size")->isRefused());
    QCOMPARE(lineOf(panel, "loader.batch_size")->property("state").toString(), QString("error"));
    QVERIFY(panel.row("loader.batch_size")->remarkText().contains("not a whole number"));
    QCOMPARE(workspace.document.spec(), PipelineSpec{});
    QTest::keyClick(lineOf(panel, "loader.batch_size"), Qt::Key_Escape);
    QVERIFY(!panel.row("loader.batch_size")->isRefused());
  }

  /// The digits before the one too many were never meant: no plan is left with the last of them that was possible.
  void aRefusedNumberBringsBackWhatWasThere() {
    Workspace workspace;
    FormPanel panel(workspace);
    panel.show();
    const std::int64_t nodes = workspace.document.spec().world.nodes;
    QLineEdit* line = lineOf(panel, "world.nodes");
    type(line, "20");
    QCOMPARE(workspace.document.spec().world.nodes, 20);
    QTest::keyClicks(line, "00000000000000");
    QVERIFY(panel.row("world.nodes")->isRefused());
    QCOMPARE(workspace.document.spec().world.nodes, nodes);
    QCOMPARE(line->text(), QString("2000000000000000"));
    QTest::keyClick(line, Qt::Key_Escape);
    QVERIFY(!panel.row("world.nodes")->isRefused());
    QCOMPARE(line->text(), QString::number(nodes));
    QCOMPARE(workspace.document.spec().world.nodes, nodes);
  }

  void escapeBringsBackWhatWasThereUntilEnter() {
    Workspace workspace;
    FormPanel panel(workspace);
    panel.show();
    const std::int64_t nodes = workspace.document.spec().world.nodes;
    QLineEdit* line = lineOf(panel, "world.nodes");
    type(line, "7");
    QTest::keyClick(line, Qt::Key_Escape);
    QCOMPARE(workspace.document.spec().world.nodes, nodes);
    type(line, "7");
    QTest::keyClick(line, Qt::Key_Return);
    QTest::keyClick(line, Qt::Key_Escape);
    QCOMPARE(workspace.document.spec().world.nodes, 7);
  }

  void arrowsStepAndStopAtTheLimit() {
    Workspace workspace;
    FormPanel panel(workspace);
    panel.show();
    QLineEdit* nodes = lineOf(panel, "world.nodes");
    QTest::keyClick(nodes, Qt::Key_Up);
    QCOMPARE(workspace.document.spec().world.nodes, 2);
    QTest::keyClick(nodes, Qt::Key_Up, Qt::ShiftModifier);
    QCOMPARE(workspace.document.spec().world.nodes, 12);
    for (int i = 0; i < 30; ++i) QTest::keyClick(nodes, Qt::Key_Down);
    QCOMPARE(workspace.document.spec().world.nodes, 1);
  }

  void undoShowsTheOldValueInTheField() {
    Workspace workspace;
    FormPanel panel(workspace);
    panel.show();
    type(lineOf(panel, "dataset.size"), "99");
    workspace.document.undoStack().undo();
    QCOMPARE(lineOf(panel, "dataset.size")->text(), QString("16"));
  }

  void aBaseSeedIsGreyWhileTheScriptNeverSeeds() {
    Workspace workspace;
    FormPanel panel(workspace);
    panel.show();
    QVERIFY(panel.row("seeds.base")->editor()->isEnabled());
    QVERIFY(workspace.document.edit({{"seeds.rule", std::string("unseeded")}}, "rule"));
    EVENTUALLY(!panel.row("seeds.base")->editor()->isEnabled());
    QCOMPARE(panel.row("seeds.base")->noteText(), QString("unused: seeds.rule is unseeded"));
    QVERIFY(workspace.document.edit({{"seeds.rule", std::string("base+rank")}}, "rule"));
    EVENTUALLY(panel.row("seeds.base")->editor()->isEnabled());
  }

  void anotherSamplerHasOtherFields() {
    Workspace workspace;
    FormPanel panel(workspace);
    panel.show();
    QVERIFY(panel.row("sampler.num_replicas") != nullptr);
    QVERIFY(workspace.document.edit({{"sampler.type", std::string("torch.SequentialSampler")}}, "type"));
    EVENTUALLY(panel.row("sampler.num_replicas") == nullptr);
    workspace.document.undoStack().undo();
    EVENTUALLY(panel.row("sampler.num_replicas") != nullptr);
  }

  /// Torn between two samplers within a turn of the event loop, hidden while rows are made, asked for a field at once.
  void theFormIsThatOfTheLastSpecWhateverCameBetween() {
    Workspace workspace;
    FormPanel panel(workspace);
    panel.show();
    const auto choose = [&](const char* type) {
      QVERIFY(workspace.document.edit({{"sampler.type", std::string(type)}}, "type"));
    };
    choose("megatron.MegatronPretrainingSampler");
    choose("torch.SequentialSampler");
    QCoreApplication::processEvents();
    choose("torch.DistributedSampler");
    EVENTUALLY(panel.row("sampler.num_replicas") != nullptr);
    QVERIFY(panel.row("sampler.consumed_samples") == nullptr);
    choose("megatron.MegatronPretrainingSampler");
    QVERIFY(panel.focusField("sampler.consumed_samples"));
    choose("accelerate.DataLoaderShard");
    panel.hide();
    QCoreApplication::processEvents();
    panel.show();
    QVERIFY(panel.row("sampler.consumed_samples") == nullptr);
    EVENTUALLY(std::ranges::all_of(panel.findChildren<FieldRow*>(), [&](const FieldRow* made) {
      return panel.row(QString::fromStdString(made->field().path)) == made;
    }));
  }

  /// Making a field takes a millisecond; the form of another sampler differs in a few.
  void fieldsThatBothSamplersHaveStay() {
    Workspace workspace;
    FormPanel panel(workspace);
    panel.show();
    FieldRow* size = panel.row("dataset.size");
    FieldRow* type = panel.row("sampler.type");
    QVERIFY(workspace.document.edit(
        {{"dataset.size", std::int64_t{77}}, {"sampler.type", std::string("torch.SequentialSampler")}}, "type"));
    EVENTUALLY(panel.row("sampler.num_replicas") == nullptr);
    QVERIFY(panel.row("dataset.size") == size);
    QVERIFY(panel.row("sampler.type") == type);
    QCOMPARE(lineOf(panel, "dataset.size")->text(), QString("77"));
  }

  void aFormOutOfSightChangesWhenItIsShown() {
    Workspace workspace;
    FormPanel panel(workspace);
    QVERIFY(workspace.document.edit({{"sampler.type", std::string("torch.SequentialSampler")}}, "type"));
    QCoreApplication::processEvents();
    QVERIFY(panel.row("sampler.num_replicas") != nullptr);
    panel.show();
    QVERIFY(panel.row("sampler.num_replicas") == nullptr);
  }

  void derivedValuesStandUnderTheirCause() {
    Workspace workspace;
    FormPanel panel(workspace);
    panel.show();
    QVERIFY(workspace.document.edit({{"world.nodes", std::int64_t{3}}, {"loader.batch_size", std::int64_t{4}}}, "x"));
    EVENTUALLY(isAnswered(workspace));
    QCOMPARE(panel.row("world.ranks_per_node")->noteText(), QString("world size 6"));
    QCOMPARE(panel.row("loader.batch_size")->noteText(), QString("per rank · global batch 24"));
    QCOMPARE(panel.row("loader.drop_last")->noteText(), QString("1 step per epoch"));
    QVERIFY(workspace.document.edit({{"sampler.type", std::string("megatron_bridge.MegatronPretrainingBatchSampler")}},
                                    "type"));
    QVERIFY(workspace.document.edit({{"sampler.global_batch_size", std::int64_t{48}}}, "x"));
    EVENTUALLY(isAnswered(workspace));
    QCOMPARE(panel.row("loader.batch_size")->noteText(), QString("per rank · global batch 48"));
  }

  /// Nodes of different sizes are one list, which says how many nodes there are.
  void ranksOfEachNodeAreAList() {
    Workspace workspace;
    FormPanel panel(workspace);
    panel.show();
    const PipelineSpec::World before = workspace.document.spec().world;
    QLineEdit* line = lineOf(panel, "world.ranks_per_node");
    type(line, "2, 1");
    const PipelineSpec::World listed{2, RanksPerNode({2, 1})};
    QCOMPARE(workspace.document.spec().world, listed);
    QTest::keyClick(line, Qt::Key_Escape);
    QCOMPARE(workspace.document.spec().world, before);
    type(line, "2, 1");
    QTest::keyClick(line, Qt::Key_Return);
    EVENTUALLY(isAnswered(workspace));
    QCOMPARE(workspace.document.spec().world, listed);
    QCOMPARE(line->text(), QString("2, 1"));
    QCOMPARE(lineOf(panel, "world.nodes")->text(), QString("2"));
    QCOMPARE(panel.row("world.ranks_per_node")->noteText(), QString("world size 3"));
    QTest::keyClick(line, Qt::Key_Up);  // steps a number, and leaves a list as it is
    QVERIFY(workspace.document.edit({{"loader.batch_size", std::int64_t{4}}}, "another field"));
    QCOMPARE(workspace.document.spec().world, listed);
    EVENTUALLY(isAnswered(workspace));
    QVERIFY(planLine(*workspace.answer()).startsWith("world 3 (2 + 1)"));
    workspace.document.undoStack().undo();
    workspace.document.undoStack().undo();
    QCOMPARE(workspace.document.spec().world, before);
  }

  void aFindingStandsUnderItsFieldAndItsFixIsOneCommand() {
    Workspace workspace;
    FormPanel panel(workspace);
    panel.show();
    FindingsPanel findings(workspace);
    findings.show();
    QVERIFY(workspace.document.edit({{"world.nodes", std::int64_t{2}},
                                     {"dataset.size", std::int64_t{64}},
                                     {"sampler.num_replicas", std::string("ranks_per_node")},
                                     {"sampler.rank", std::string("local_rank")}},
                                    "bug"));
    const PipelineSpec buggy = workspace.document.spec();
    EVENTUALLY(isAnswered(workspace));
    FindingCard* worst = findings.cards().at(0);
    QCOMPARE(worst->finding().severity, Severity::Error);
    const QString cause = QString::fromStdString(worst->finding().where.field);
    QCOMPARE(panel.row(cause)->remarkText(), QString::fromStdString(worst->finding().title));
    QVERIFY(worst->fixButton() != nullptr);
    QTest::mouseClick(worst->fixButton(), Qt::LeftButton);
    QCOMPARE(std::get<std::string>(workspace.document.spec().sampler.parameters.at("rank")), std::string("rank"));
    EVENTUALLY(isAnswered(workspace));
    QVERIFY(!findings.countsText().contains("error"));
    workspace.document.undoStack().undo();
    QCOMPARE(workspace.document.spec(), buggy);
  }

  void nothingOfTheDocumentBeforeStandsBesideTheNextOne() {
    Workspace workspace;
    FormPanel panel(workspace);
    panel.show();
    FindingsPanel findings(workspace);
    findings.show();
    QVERIFY(
        workspace.document.edit({{"sampler.rank", std::string("local_rank")}, {"world.nodes", std::int64_t{2}}}, ""));
    EVENTUALLY(isAnswered(workspace));
    QVERIFY(!panel.row("sampler.rank")->remarkText().isEmpty());
    QVERIFY(!findings.cards().empty());
    PipelineSpec large;
    large.dataset.size = 10'000'000;
    workspace.document.reset(large);
    QVERIFY(workspace.plans.lastGood() == nullptr);
    EVENTUALLY(panel.row("sampler.rank")->remarkText().isEmpty());
    EVENTUALLY(findings.cards().empty() || workspace.plans.snapshot()->audit != nullptr);
    QVERIFY(workspace.plans.snapshot()->spec == large || workspace.plans.snapshot()->generation == 0);
  }

  /// What its rule cannot do without is there as soon as the sampler is chosen, and goes with one undo.
  void everySamplerCanBeChosenFromTheFormAndIsPlannedAtOnce() {
    for (const SamplerInfo& info : sampling::catalogue()) {
      Workspace workspace;
      FormPanel panel(workspace);
      panel.show();
      const PipelineSpec before = workspace.document.spec();
      auto* type = qobject_cast<QComboBox*>(panel.row("sampler.type")->editor());
      const int index = type->findData(QString::fromStdString(info.type));
      type->setCurrentIndex(index);
      emit type->activated(index);
      QCOMPARE(workspace.document.spec().sampler.type, info.type);
      EVENTUALLY(isAnswered(workspace));
      const PlanSnapshot& answer = *workspace.plans.snapshot();
      QVERIFY2(answer.issues.empty(), info.type.c_str());
      QVERIFY2(answer.epoch != nullptr, info.type.c_str());
      if (workspace.document.undoStack().canUndo()) workspace.document.undoStack().undo();
      QCOMPARE(workspace.document.spec(), before);
    }
  }

  void everyCardIsAsTallAsItsWords() {
    Workspace workspace;
    FindingsPanel findings(workspace);
    findings.resize(292, 200);
    findings.show();
    QVERIFY(workspace.document.edit({{"world.nodes", std::int64_t{2}},
                                     {"dataset.size", std::int64_t{65}},
                                     {"sampler.num_replicas", std::string("ranks_per_node")},
                                     {"sampler.rank", std::string("local_rank")}},
                                    "bug"));
    EVENTUALLY(isAnswered(workspace));
    const std::size_t found = workspace.plans.snapshot()->audit->findings.size();
    QVERIFY(found > 3);  // more than are laid out in one turn
    EVENTUALLY_EQUAL(findings.cards().size(), found);
    for (const FindingCard* card : findings.cards())
      EVENTUALLY_EQUAL(card->height(), card->heightForWidth(card->width()));
    QVERIFY(findings.cards().back()->geometry().bottom() > findings.height());  // the area scrolls, nothing is squeezed
  }

  void theLocatorUnderstandsPlacesNamesAndNumbers() {
    PipelineSpec spec;
    spec.world.nodes = 4;
    spec.dataset.size = 2000;
    const std::vector<LocatorTarget> targets = {
        {LocatorTarget::Kind::Action, "file.save", "Save", "Ctrl+S"},
        {LocatorTarget::Kind::Field, "loader.batch_size", "loader.batch_size", "2"}};
    const auto place = locate("rank 3 epoch 1 step 7", spec, targets);
    QCOMPARE(place.size(), std::size_t{1});
    QCOMPARE(place[0].place, (Selected{{3}, 1, 7, {}}));
    QCOMPARE(locate("r3 e1", spec, targets)[0].place, (Selected{{3}, 1, {}, {}}));
    QCOMPARE(locate("1 234", spec, targets)[0].place.sample, std::optional<qint64>(1234));
    QVERIFY(locate("2000", spec, targets).empty());
    QVERIFY(locate("rank 8", spec, targets).empty());
    QCOMPARE(locate("batch", spec, targets)[0].target[0].id, QString("loader.batch_size"));
    QVERIFY(locate("  ", spec, targets).empty());
    for (const char* pair : {"ranks 3 and 7", "3 7", "3-7", "rank 3, 7", "R3 & 7"}) {
      const auto hits = locate(pair, spec, targets);
      QCOMPARE(hits.size(), std::size_t{1});
      QCOMPARE(hits[0].place, (Selected{{3, 7}, {}, {}, {}}));
    }
    for (const char* none : {"3 8", "3 3", "ranks 8 and 9"}) QVERIFY2(locate(none, spec, targets).empty(), none);
    QCOMPARE(locate("save", spec, {targets[0], targets[0]}).size(), std::size_t{1});
  }
};

SHARDLENS_WINDOW_TEST(FormPanelTest)
#include "form_panel_test.moc"
