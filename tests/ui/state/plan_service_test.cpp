// SPDX-License-Identifier: Apache-2.0
#include "ui/state/plan_service.h"

#include "ui/state/workspace.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

PipelineSpec specOf(std::int64_t size) {
  PipelineSpec spec;
  spec.dataset.size = size;
  return spec;
}

bool isAnswered(const PlanService& service, const PipelineSpec& spec) {
  const PlanSnapshot& answer = *service.snapshot();
  return !service.isBusy() && answer.spec == spec && answer.audit != nullptr;
}

}  // namespace

class PlanServiceTest : public QObject {
  Q_OBJECT

 private slots:
  void partsArriveInOrder() {
    PlanService service;
    std::vector<QString> seen;
    connect(&service, &PlanService::snapshotChanged, this, [&] {
      const PlanSnapshot& answer = *service.snapshot();
      seen.push_back(
          QString("%1%2%3").arg(answer.plan ? "p" : "").arg(answer.epoch ? "e" : "").arg(answer.audit ? "a" : ""));
    });
    service.request(specOf(100), Epoch{0});
    QVERIFY(service.isBusy());
    QTRY_VERIFY(isAnswered(service, specOf(100)));
    QCOMPARE(seen, (std::vector<QString>{"p", "pe", "pea"}));
    QCOMPARE(service.lastGood(), service.snapshot());
  }

  void theNewestRequestWins() {
    PlanService service;
    std::vector<std::int64_t> audited;
    connect(&service, &PlanService::snapshotChanged, this, [&] {
      if (service.snapshot()->audit) audited.push_back(service.snapshot()->spec.dataset.size);
    });
    for (std::int64_t size = 1; size <= 50; ++size) service.request(specOf(20'000 + size), Epoch{0});
    QTRY_VERIFY(isAnswered(service, specOf(20'050)));
    QCOMPARE(audited, (std::vector<std::int64_t>{20'050}));
  }

  void errorsComeAllAtOnceAndTheLastGoodPictureStays() {
    PlanService service;
    service.request(specOf(10), Epoch{0});
    QTRY_VERIFY(isAnswered(service, specOf(10)));
    PipelineSpec bad = specOf(10);
    bad.world.nodes = 0;
    bad.loader.batch_size = 0;
    service.request(bad, Epoch{0});
    QTRY_VERIFY(!service.isBusy());
    QCOMPARE(service.snapshot()->issues.size(), std::size_t{2});
    QVERIFY(!service.snapshot()->plan);
    QCOMPARE(service.lastGood()->spec, specOf(10));
  }

  void anotherEpochKeepsPlanAndAudit() {
    PlanService service;
    service.request(specOf(64), Epoch{0});
    QTRY_VERIFY(isAnswered(service, specOf(64)));
    const auto audit = service.snapshot()->audit;
    service.request(specOf(64), Epoch{1});
    QTRY_VERIFY(!service.isBusy());
    QCOMPARE(service.snapshot()->epoch->epoch.value, 1);
    QCOMPARE(service.snapshot()->audit, audit);
  }

  void anEpochPastTheEndShowsTheLastOne() {
    PlanService service;
    service.request(specOf(64), Epoch{1000});
    QTRY_VERIFY(isAnswered(service, specOf(64)));
    QCOMPARE(service.snapshot()->epoch->epoch.value, specOf(64).epochs - 1);
  }

  void cancelStopsLongWorkAtOnceAndTheOldAnswerStays() {
    PlanService service;
    service.request(specOf(10), Epoch{0});
    QTRY_VERIFY(isAnswered(service, specOf(10)));
    service.request(specOf(50'000'000), Epoch{0});
    QTest::qWait(30);
    service.cancel();
    QVERIFY(!service.isBusy());
    service.request(specOf(11), Epoch{0});  // would have to wait behind work that does not stop
    QTRY_VERIFY_WITH_TIMEOUT(isAnswered(service, specOf(11)), 5000);
  }

  void aServiceThatGoesAwayTakesItsWorkAlong() {
    auto service = std::make_unique<PlanService>();
    service->request(specOf(50'000'000), Epoch{0});
    QTest::qWait(20);
    service.reset();  // must return, and nothing may arrive afterwards
    QTest::qWait(20);
  }

  void aWorkspaceWiresDocumentPlanAndPlayhead() {
    Workspace workspace;
    QVERIFY(workspace.document.edit({{"dataset.size", std::int64_t{40}}, {"epochs", std::int64_t{7}}}, "x"));
    QTRY_VERIFY(isAnswered(workspace.plans, workspace.document.spec()));
    QCOMPARE(workspace.playback.epochs(), 7);
    QCOMPARE(workspace.playback.steps(), 10);
    workspace.playback.seek(3, 0);
    QTRY_COMPARE(workspace.plans.snapshot()->epoch->epoch.value, 3);
  }
};

QTEST_GUILESS_MAIN(PlanServiceTest)
#include "plan_service_test.moc"
