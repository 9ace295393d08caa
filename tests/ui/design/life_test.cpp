// SPDX-License-Identifier: Apache-2.0
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "ui/scene/design/inspection.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/design/inspector_panel.h"

#include <QAbstractButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

PipelineSpec manyEpochs(qint64 samples, qint64 epochs) {
  PipelineSpec spec;
  spec.dataset.size = samples;
  spec.world = {2, 4};
  spec.loader.batch_size = 4;
  spec.loader.num_workers = 3;
  spec.epochs = epochs;
  return spec;
}

std::vector<LifeRow> lifeOf(const Plan& plan, SampleIndex sample, int* parts = nullptr) {
  std::vector<LifeRow> all;
  const auto done = followSample(plan, sample, {}, [&](const std::vector<LifeRow>& rows) {
    all.insert(all.end(), rows.begin(), rows.end());
    if (parts != nullptr) ++*parts;
  });
  return done ? all : std::vector<LifeRow>();
}

Selected followed(SampleIndex sample) {
  Selected selected;
  selected.sample = sample;
  return selected;
}

}  // namespace

class LifeTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    installFonts();
    applyTheme(Theme::light());
  }

  void everyEpochHasItsPlaceAsTheEngineFindsIt() {
    const Plan plan = *Plan::make(manyEpochs(100, 90));
    const std::vector<LifeRow> rows = lifeOf(plan, 47);
    std::vector<LifeRow> expected;
    for (qint64 epoch = 0; epoch < 90; ++epoch) {
      const auto found = findSample(plan, Epoch{epoch}, 47);
      for (const Sighting& at : *found) expected.push_back({epoch, at});
    }
    QVERIFY(rows.size() >= 90);
    QCOMPARE(rows, expected);
  }

  void anEpochThatLeavesTheSampleOutHasARow() {
    PipelineSpec spec = manyEpochs(100, 3);
    spec.sampler.parameters["shuffle"] = false;
    spec.sampler.parameters["drop_last"] = true;  // 96 of 100 are dealt
    LifeModel model;
    model.begin(99, 3);
    model.append(lifeOf(*Plan::make(spec), 99));
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(model.summary(), QString("Read 0 times in 3 epochs; left out of 3 epochs."));
    QCOMPARE(model.placeOf(1), (Selected{{}, 1, {}, 99, {}, {}, 1, true, {}}));
    QCOMPARE(model.csv().section('\n', 2, 2), QString("99,1,,,,,"));
  }

  void aDroppedSampleNamesTheWorkerWhoseBatchItIsIn() {
    PipelineSpec spec;
    spec.dataset.size = 46;
    spec.world = {1, 1};
    spec.loader.batch_size = 8;
    spec.loader.num_workers = 3;
    spec.loader.drop_last = true;
    spec.epochs = 1;
    spec.sampler = {"torch.IterableDataset", {{"worker_split", std::string("stride")}}};
    LifeModel model;
    model.begin(43, 1);
    model.append(lifeOf(*Plan::make(spec), 43));
    QCOMPARE(model.index(0, LifeModel::StepColumn).data().toString(), QString("dropped"));
    QCOMPARE(model.index(0, LifeModel::WorkerColumn).data().toString(), QString("1"));
    QCOMPARE(model.index(0, 0).data(Qt::ToolTipRole).toString(),
             QString("epoch 0: rank 0, in the short batch of worker 1, which the loader drops"));
  }

  void aLineIsItsPlace() {
    const Plan plan = *Plan::make(manyEpochs(96, 5));
    LifeModel model;
    model.begin(12, 5);
    model.append(lifeOf(plan, 12));
    QCOMPARE(model.rowCount(), 5);
    for (int row = 0; row < 5; ++row) {
      const Selected place = model.placeOf(row);
      const auto epoch = plan.epoch(Epoch{row});
      const auto& rank = epoch->ranks[static_cast<std::size_t>(place.ranks.at(0))];
      const auto ids = rank.batchSamples(Step{*place.step});
      QVERIFY(std::find(ids.begin(), ids.end(), 12) != ids.end());
      QCOMPARE(model.index(row, LifeModel::WorkerColumn).data().toString(),
               QString::number(rank.worker(Step{*place.step})));
      QCOMPARE(model.rowOf(place), row);
    }
    QCOMPARE(model.rowOf(followed(12)), -1);
  }

  void theInspectorShowsAllEpochsAndItsRowsJump() {
    Workspace workspace;
    workspace.document.reset(manyEpochs(96, 90));
    InspectorPanel panel(workspace);
    panel.resize(292, 400);
    panel.show();
    EVENTUALLY(workspace.plans.snapshot()->epoch != nullptr && !workspace.plans.isBusy());
    workspace.selection.select(followed(12));
    LifeView& life = *panel.life();
    EVENTUALLY(!life.isSearching() && life.model().rowCount() == 90);
    EVENTUALLY_EQUAL(panel.shown().title, QString("sample 12"));
    QVERIFY(life.isVisible());
    QCOMPARE(life.caption(), QString("Read 90 times in 90 epochs."));
    life.table()->scrollTo(life.model().index(70, 0));
    const QRect row = life.table()->visualRect(life.model().index(70, LifeModel::RankColumn));
    QTest::mouseClick(life.table()->viewport(), Qt::LeftButton, {}, row.center());
    QCOMPARE(workspace.playback.epoch(), 70);
    QCOMPARE(workspace.selection.current(), life.model().placeOf(70));
    EVENTUALLY_EQUAL(panel.shown().title, QString("sample 12"));
    QVERIFY(life.isVisible());
    QTest::keyClick(life.table(), Qt::Key_Down);
    QTest::keyClick(life.table(), Qt::Key_Return);
    QCOMPARE(workspace.selection.current(), life.model().placeOf(71));
    EVENTUALLY(workspace.plans.snapshot()->epoch->epoch.value == 71 && !workspace.plans.isBusy());
    QCOMPARE(life.model().rowCount(), 90);
    QVERIFY(!life.isSearching());
    workspace.selection.goBack();
    EVENTUALLY_EQUAL(life.table()->currentIndex().row(), 70);
  }

  void theNewestSampleWinsAndASearchCanBeStopped() {
    Workspace workspace;
    const Plan plan = *Plan::make(manyEpochs(2'000'000, 5'000));
    LifeView life;
    life.resize(292, 300);
    life.QWidget::show();
    life.follow(plan, 1);
    life.follow(plan, 2);
    QVERIFY(life.isSearching());
    QCOMPARE(life.model().sample(), 2);
    EVENTUALLY(life.model().rowCount() > 0);
    QVERIFY(life.isSearching());
    QAbstractButton* stop = life.findChild<QAbstractButton*>("stopLife");
    QVERIFY(stop != nullptr && stop->isVisible());
    QTest::mouseClick(stop, Qt::LeftButton);
    QVERIFY(!life.isSearching());
    const int found = life.model().rowCount();
    QVERIFY(found > 0 && found < 5'000);
    QVERIFY2(life.caption().startsWith("Stopped after"), qPrintable(life.caption()));
    QVERIFY(!stop->isVisible());
  }
};

SHARDLENS_WINDOW_TEST(LifeTest)
#include "life_test.moc"
