// SPDX-License-Identifier: Apache-2.0
// The Lens without widgets: lanes one by one, their order, the bar at their heads, the legend.
#include "tests/support/window_main.h"
#include "tests/ui/lens/lanes_of.h"
#include "ui/scene/lens/lanes.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

PipelineSpec distributed() {
  PipelineSpec spec;
  spec.dataset.size = 256;
  spec.world = {1, 4};
  spec.loader.batch_size = 8;
  spec.sampler = {"torch.DistributedSampler", {}};
  return spec;
}

std::vector<std::string> idsOf(const std::vector<LensLane>& lanes, const LensOrder& order) {
  std::vector<std::string> ids;
  for (const std::size_t place : order.arranged(lanes)) ids.push_back(lanes[place].id());
  return ids;
}

std::ptrdiff_t placeOf(const std::vector<std::string>& ids, const std::string& id) {
  return std::ranges::find(ids, id) - ids.begin();
}

const LensLane& laneOf(const std::vector<LensLane>& lanes, const std::string& id) {
  return *std::ranges::find(lanes, id, &LensLane::id);
}

}  // namespace

class LensSceneTest : public QObject {
  Q_OBJECT

 private slots:
  void lanesComeOneByOneAfterTheirNames() {
    LaneStops stops;
    std::vector<std::size_t> done;
    const auto wanted = [](const std::string& id) { return id == "lightning" || id == "accelerate"; };
    LensLanes maker(distributed(), Epoch{0}, 1);
    const std::vector<LensLane> lanes = maker.begin(wanted);
    const auto tell = [&](std::size_t place, const LensLane& lane) {
      done.push_back(place);
      QCOMPARE(lane.id(), lanes[place].id());
    };
    QVERIFY(maker.compute(wanted, stops, tell));
    QVERIFY(lanes.size() > 10);
    QCOMPARE(lanes.front().state, LaneState::Waiting);
    QCOMPARE(laneOf(lanes, "timm").state, LaneState::Done);
    QCOMPARE(done.size(), std::size_t{3});
    QCOMPARE(done.front(), std::size_t{0});
    done.clear();
    QVERIFY(maker.compute([](const std::string& id) { return id == "timm"; }, stops, tell));
    QCOMPARE(done.size(), std::size_t{1});  // what is known is not computed again, the first one neither
    QCOMPARE(lanes[done.front()].id(), std::string("timm"));
  }

  void aColumnIsStoppedAlone() {
    LaneStops stops;
    stops.stop("lightning");
    PipelineSpec spec = distributed();
    spec.dataset.size = 3'000'000;  // long enough to look at the token
    const auto every = [](const std::string&) { return true; };
    LensLanes maker(spec, Epoch{0}, 1);
    std::vector<LensLane> lanes = maker.begin(every);
    QVERIFY(maker.compute(every, stops, [&](std::size_t place, LensLane lane) { lanes[place] = std::move(lane); }));
    QCOMPARE(laneOf(lanes, "lightning").state, LaneState::Stopped);
    QCOMPARE(laneOf(lanes, "lightning").headline(), QString("Stopped"));
    QVERIFY(laneOf(lanes, "lightning").stage.isEmpty());
    QCOMPARE(laneOf(lanes, "accelerate").state, LaneState::Done);
    QVERIFY(!laneOf(lanes, "accelerate").stage.isEmpty());
  }

  void stepsWhoseSamplesAreLostStayInSight() {
    const std::vector<LensLane> lanes = test::lanesOf(distributed());
    const LensLane& accelerate = laneOf(lanes, "accelerate");
    QCOMPARE(accelerate.judged.steps, 2);
    QCOMPARE(accelerate.stage.steps, 8);
    const StageAxis steps{8, 0, 22, 176};
    const StageAxis ranks{4, 0, 22, 88};
    const StageGrid grid = stageGrid(accelerate.stage, nullptr, steps, ranks, StageColour::Rank, Theme::light());
    QVERIFY(!grid.at(0, 0).never);
    QVERIFY(grid.at(0, 2).never);
    QCOMPARE(grid.at(0, 2).fill, 0.0F);
    const auto legend = lensCellLegend({&lanes.front(), &accelerate}, Theme::light());
    QVERIFY(std::ranges::any_of(legend, [](const LegendEntry& entry) { return entry.mark == LegendMark::Never; }));
    QCOMPARE(legend.front().mark, LegendMark::Scale);
    QCOMPARE(legend.front().from, QString("sample 0"));  // a number alone says nothing
    const auto bar = lensBarLegend({&lanes.front(), &accelerate}, Theme::light());
    QVERIFY(std::ranges::any_of(bar, [](const LegendEntry& entry) { return entry.mark == LegendMark::Lost; }));
    QVERIFY(lensBarLegend({&lanes.front()}, Theme::light()).empty());
  }

  void theReferenceComesFirstInEveryOrder() {
    const std::vector<LensLane> lanes = test::lanesOf(distributed());
    LensOrder order;
    const std::vector<std::string> listed = idsOf(lanes, order);
    QCOMPARE(listed.front(), std::string("as-written"));
    QCOMPARE(listed.size(), lanes.size());
    order.setBy(LensOrder::By::Similarity);
    const std::vector<std::string> similar = idsOf(lanes, order);
    QCOMPARE(similar.front(), std::string("as-written"));
    QVERIFY(placeOf(similar, "lightning") < placeOf(similar, "transformers"));   // the same batches before others
    QVERIFY(placeOf(similar, "transformers") < placeOf(similar, "accelerate"));  // losing samples comes later
  }

  void pinnedColumnsStandBesideTheReference() {
    const std::vector<LensLane> lanes = test::lanesOf(distributed());
    LensOrder order;
    QCOMPARE(order.standing(lanes), std::size_t{1});
    order.setPinned("timm", true);
    QCOMPARE(order.standing(lanes), std::size_t{2});
    QCOMPARE(idsOf(lanes, order)[1], std::string("timm"));
    QVERIFY(!order.move(lanes, "timm", 1));  // the only one of its group
    order.setPinned("timm", false);
    QCOMPARE(order.standing(lanes), std::size_t{1});
  }

  void movingAColumnMakesAnOrderByHand() {
    const std::vector<LensLane> lanes = test::lanesOf(distributed());
    LensOrder order;
    const std::vector<std::string> listed = idsOf(lanes, order);
    QVERIFY(order.move(lanes, listed[3], -2));
    QCOMPARE(order.by(), LensOrder::By::Hand);
    QCOMPARE(idsOf(lanes, order)[1], listed[3]);
    QCOMPARE(idsOf(lanes, order)[2], listed[1]);
    QVERIFY(!order.move(lanes, "as-written", 1));
    QVERIFY(!order.move(lanes, listed[3], -1));  // the reference stays first
    // Columns that come into sight later stand behind.
    LensOrder again;
    again.setByHand({"as-written", "timm"});
    QCOMPARE(idsOf(lanes, again)[1], std::string("timm"));
    QCOMPARE(idsOf(lanes, again)[2], listed[1]);
  }

  void theBarShowsWhatThereIsHoweverLittle() {
    const std::vector<LensShare> shares = {
        {ShareKind::Same, 999'990, 0.99999}, {ShareKind::Lost, 9, 0.000009}, {ShareKind::Repeated, 1, 0.000001}};
    const std::vector<SharePiece> pieces = shareBar(shares, 182);
    QCOMPARE(pieces.size(), std::size_t{3});
    for (const SharePiece& piece : pieces) QVERIFY(piece.to - piece.from >= 4);
    QCOMPARE(pieces.front().from, 0.0);
    QVERIFY(std::abs(pieces.back().to - 182) < 1e-6);
    for (std::size_t i = 1; i < pieces.size(); ++i) QCOMPARE(pieces[i].from - pieces[i - 1].to, 2.0);
    QVERIFY(shareBar({}, 182).empty());
  }

  void theSummarySaysHowManyLoseSamples() {
    const QString summary = lensSummary(test::lanesOf(distributed()));
    QVERIFY2(summary.contains("loses samples") || summary.contains("lose samples"), qPrintable(summary));
  }
};

SHARDLENS_WINDOW_TEST(LensSceneTest)
#include "lens_scene_test.moc"
