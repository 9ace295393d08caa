// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tabs/seeds_view.h"

#include "tests/support/window_main.h"
#include "ui/scene/theme.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/style.h"

#include <QApplication>
#include <QBrush>
#include <QClipboard>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

/// 2 nodes x 2 ranks, 1 worker each, 2 epochs; with local_rank seeds the nodes are equal.
std::shared_ptr<AuditReport> seeds(const std::string& rule, const ParallelGroups& groups = {}) {
  PipelineSpec spec;
  spec.world = {2, 2, groups};
  spec.loader.num_workers = 1;
  spec.seeds = {42, rule};
  auto plan = Plan::make(spec);
  Q_ASSERT(plan);
  auto report = audit(*plan);
  Q_ASSERT(report);
  return std::make_shared<AuditReport>(*std::move(report));
}

QString cell(const SeedModel& model, int row, int column) {
  return model.index(row, column).data().toString();
}

/// Of a dataset of 16 samples, as torch 2.9 draws them.
QString firstIdsText(const SeedRow& row) {
  SeedTable table;
  table.dataset_size = 16;
  table.torch = "2.9";
  QStringList ids;
  for (const std::int64_t id : firstIds(table, row)) ids << QString::number(id);
  return ids.join(", ");
}

/// The sentence in place of the rows, if one is there.
bool says(const SeedsView& view, const QString& sentence) {
  const auto* label = view.findChild<QTableView*>()->viewport()->findChild<QLabel*>();
  return !label->isHidden() && label->text() == sentence;
}

}  // namespace

class SeedsViewTest : public QObject {
  Q_OBJECT

 private slots:
  void theVerdictNamesTheCollision() {
    QCOMPARE(seedVerdict(*seeds("base+local_rank"), {2, 2}).title, QString("Every node has the same 2 seeds"));
    QCOMPARE(seedVerdict(*seeds("same"), {2, 2}).title, QString("All 4 ranks have the same seed"));
    AuditReport two = *seeds("same");
    two.seeds.ranks = 2;
    QCOMPARE(seedVerdict(two, {2, 2}).title, QString("Both ranks have the same seed"));
    const SeedVerdict fine = seedVerdict(*seeds("base+rank"), {2, 2});
    QCOMPARE(fine.title, QString("All 4 ranks and 4 worker streams have different seeds"));
    QCOMPARE(fine.tone, Tone::Fine);
  }

  void tilesOfRanksWithOneSeedHaveOneColour() {
    SeedModel model;
    const auto same = seeds("same");
    model.setReport(same, {2, 2});
    const auto first = model.tiles(0);
    const auto second = model.tiles(2);  // behind the worker of rank 0
    QVERIFY(first[0].sample >= 0 && first[0].sample != second[0].sample);
    for (std::size_t i = 1; i < first.size(); ++i) {
      QCOMPARE(first[i].sample, second[i].sample);
      QCOMPARE(first[i].colour, second[i].colour);
      QVERIFY(first[i].colour != theme().cell_empty.rgb());
      QCOMPARE(model.tiles(1)[i].colour, theme().cell_empty.rgb());  // a worker's
    }
    QCOMPARE(model.tiles(1)[0].sample, SampleIndex(-1));
    QCOMPARE(sharedIdsText(same->seeds), QString("4 of 4 ranks would share random ids"));
    QCOMPARE(sharedIdsText(seeds("base+rank")->seeds), QString());
    SeedTable three = same->seeds;
    three.rows[6].stream = 7;
    QCOMPARE(sharedIdsText(three), QString("3 of 4 ranks would share random ids"));
  }

  void ranksOfOneCopyOfTheModelHaveOneSeed() {
    const auto report = seeds("base+data_parallel_rank", {.tensor = 2});
    QCOMPARE(seedVerdict(*report, {2, 2}).title, QString("2 different seeds for 4 ranks"));
    QVERIFY(report->seeds.colliding_workers == 0);
  }

  void aScriptThatNeverSeedsHasNoSeedsToShow() {
    const auto unseeded = seeds("unseeded");
    const SeedVerdict verdict = seedVerdict(*unseeded, {2, 2});
    QCOMPARE(verdict.title, QString("The script never seeds torch's global generator"));
    QCOMPARE(verdict.tone, toneOf(Severity::Info));
    QVERIFY(verdict.fix.has_value());
    SeedsView view;
    view.setReport(unseeded, {2, 2});
    QCOMPARE(view.title(), verdict.title);
    QCOMPARE(view.model().total(), qint64(0));
    QVERIFY(says(view, "There are no seeds to show."));
  }

  /// In English in a window of 1280 x 720, and clear of each other.
  void whatTheRowHasRoomForIsThere() {
    installFonts();
    applyTheme(Theme::light());
    SeedsView view;
    view.resize(706, 183);
    view.show();
    PipelineSpec spec;
    spec.world = {2, 4};
    spec.loader.num_workers = 4;
    spec.epochs = 90;
    spec.seeds = {42, "base+rank"};
    view.setReport(std::make_shared<AuditReport>(*audit(*Plan::make(spec))), {2, 4});
    view.resize(707, 183);
    QCoreApplication::processEvents();
    QStringList links;
    for (const auto* button : view.findChildren<QPushButton*>()) {
      if (button->isVisible()) links << button->text();
    }
    QVERIFY2(links.contains("Copy CSV") && links.contains("Copy YAML"), qPrintable(links.join('|')));
    const QLayout& column = *view.layout();
    QVERIFY(column.spacing() >= 5 && column.contentsMargins().top() >= 4);
    const auto* table = view.findChild<QTableView*>();
    const QString equal = "same as rank 7 worker 3";
    QVERIFY(table->columnWidth(SeedModel::SameColumn) >= table->fontMetrics().horizontalAdvance(equal));
  }

  void equalRowsSayWhomTheyEqual() {
    SeedModel model;
    model.setReport(seeds("base+local_rank"), {2, 2});
    QCOMPARE(model.rowCount(), 16);  // 2 epochs x 4 ranks x (rank + worker)
    QCOMPARE(cell(model, 4, SeedModel::RankColumn), QString("2"));
    QCOMPARE(cell(model, 4, SeedModel::NodeColumn), QString("1"));
    QCOMPARE(cell(model, 4, SeedModel::LocalRankColumn), QString("0"));
    QCOMPARE(cell(model, 4, SeedModel::SeedColumn), QString("42"));
    QCOMPARE(cell(model, 4, SeedModel::SameColumn), QString("same as rank 0"));
    QCOMPARE(cell(model, 5, SeedModel::SameColumn), QString("same as rank 0 worker 0"));
    QCOMPARE(cell(model, 0, SeedModel::SameColumn), QString("same as rank 2"));
    QCOMPARE(model.sameAs(4), 0);
    QCOMPARE(model.index(4, SeedModel::SeedColumn).data(Qt::ForegroundRole).value<QBrush>().color(), theme().error);
    model.setReport(seeds("base+rank"), {2, RanksPerNode({3, 1})});
    QCOMPARE(cell(model, 4, SeedModel::NodeColumn), QString("0"));
    QCOMPARE(cell(model, 4, SeedModel::LocalRankColumn), QString("2"));
    QCOMPARE(cell(model, 6, SeedModel::NodeColumn), QString("1"));
    QCOMPARE(cell(model, 6, SeedModel::LocalRankColumn), QString("0"));
  }

  void filtersNarrowTheRows() {
    SeedModel model;
    model.setReport(seeds("base+local_rank"), {2, 2});
    model.setFilter({.only_collisions = false, .rank = 1, .epoch = {}});
    QCOMPARE(model.rowCount(), 4);
    model.setFilter({.only_collisions = false, .rank = 1, .epoch = 1});
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.sameAs(0), -1);  // its equal is filtered out
    model.setReport(seeds("base+rank"), {2, 2});
    model.setFilter({.only_collisions = true, .rank = {}, .epoch = {}});
    QCOMPARE(model.rowCount(), 0);
  }

  void theViewFiltersAndSaysHowMany() {
    SeedsView view;
    view.resize(740, 300);
    view.show();
    view.setReport(seeds("base+rank"), {2, 2});
    QCOMPARE(view.model().rowCount(), 16);
    view.setOnlyCollisions(true);
    QCOMPARE(view.model().rowCount(), 0);
    QVERIFY(says(view, "No two of these rows have the same seed."));
    view.setOnlyCollisions(false);
    QVERIFY(!says(view, ""));
    QTest::keyClicks(view.findChild<QLineEdit*>(), "3");
    QCOMPARE(view.model().rowCount(), 4);
  }

  void aClickChoosesTheRank() {
    SeedsView view;
    view.resize(740, 300);
    view.show();
    view.setReport(seeds("base+rank"), {2, 2});
    QSignalSpy chosen(&view, &SeedsView::placeChosen);
    auto* table = view.findChild<QTableView*>();
    const QRect row = table->visualRect(view.model().index(2, SeedModel::SeedColumn));
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, row.center());
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen.first().first().value<Selected>().ranks, std::vector<qint64>{1});
  }

  void theSelectionIsMarkedAndCanBeShownAlone() {
    SeedsView view;
    view.resize(740, 300);
    view.show();
    view.setReport(seeds("base+rank"), {2, 2});
    QSignalSpy chosen(&view, &SeedsView::placeChosen);
    auto* table = view.findChild<QTableView*>();
    view.setSelected({{3}, 0, {}, {}});
    QCOMPARE(view.model().seedRow(table->currentIndex().row()).rank, 3);
    QCOMPARE(chosen.count(), 0);
    view.copyCsv();  // a marked row is not one that the user chose to copy
    QCOMPARE(QApplication::clipboard()->text().count('\n'), view.model().rowCount() + 1);
    QAbstractButton* only = view.findChild<LinkButton*>("onlySelected");
    QCOMPARE(only->text(), QString("only rank 3"));
    only->click();
    QVERIFY(view.model().rowCount() > 0);
    for (int row = 0; row < view.model().rowCount(); ++row) QCOMPARE(view.model().seedRow(row).rank, 3);
    view.findChild<QLineEdit*>()->clear();
    const quint64 wanted = view.model().seedRow(2).seed;
    Selected seed;
    seed.seed = wanted;
    view.setSelected(seed);
    only->click();
    for (int row = 0; row < view.model().rowCount(); ++row) QCOMPARE(view.model().seedRow(row).seed, wanted);
    QCOMPARE(only->text(), QString("all seeds"));
  }

  void rowsAreCopiedAsCsvAndYaml() {
    SeedsView view;
    view.setReport(seeds("base+local_rank"), {2, 2});
    auto* table = view.findChild<QTableView*>();
    table->selectRow(4);
    const QString ids = firstIdsText(view.model().seedRow(4));
    view.copyCsv();
    QCOMPARE(
        QApplication::clipboard()->text(),
        QString("epoch,node,rank,local_rank,worker,seed,stream_32,first_ids,same_as\n0,1,2,0,,42,42,\"[%1]\",same as "
                "rank 0\n")
            .arg(ids));
    view.copyYaml();
    QCOMPARE(QApplication::clipboard()->text(), QString("seeds:\n  - {epoch: 0, node: 1, rank: 2, local_rank: 0, seed: "
                                                        "42, stream_32: 42, first_ids: [%1], same_as: same as rank "
                                                        "0}\n")
                                                    .arg(ids));
    table->clearSelection();
    view.copyCsv();
    QCOMPARE(QApplication::clipboard()->text().count('\n'), 17);
  }

  void oneCollisionInAHundredThousandRowsIsFound() {
    auto report = std::make_shared<AuditReport>();
    for (std::int64_t row = 0; row < static_cast<std::int64_t>(kSeedRows); ++row) {
      report->seeds.rows.push_back(
          {0, row, -1, static_cast<std::uint64_t>(row), static_cast<std::uint32_t>(row), row == 77'777 ? 3 : -1});
    }
    SeedsView view;
    view.resize(740, 300);
    view.show();
    view.setReport(report, {2, 8});
    view.setOnlyCollisions(true);
    QCOMPARE(view.model().rowCount(), 2);
    QCOMPARE(cell(view.model(), 1, SeedModel::SameColumn), QString("same as rank 3"));
  }
};

SHARDLENS_WINDOW_TEST(SeedsViewTest)
#include "seeds_view_test.moc"
