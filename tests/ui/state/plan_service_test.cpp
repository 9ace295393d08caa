// SPDX-License-Identifier: Apache-2.0
#include "ui/state/plan_service.h"

#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "ui/scene/design/form.h"
#include "ui/state/workspace.h"

#include <QSignalSpy>
#include <QTest>

#include <fstream>
#include <new>
#include <sys/resource.h>
#include <unistd.h>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

PipelineSpec specOf(std::int64_t size) {
  PipelineSpec spec;
  spec.dataset.size = size;
  return spec;
}

/// Only drawing tells how many samples each rank of this sampler gets.
PipelineSpec streamed(std::int64_t size) {
  PipelineSpec spec = specOf(size);
  spec.sampler.type = "streaming.StreamingDataset";
  spec.sampler.parameters = {};
  return spec;
}

/// As long as it lives the program gets little more memory than it has.
class LittleMemory {
 public:
  LittleMemory() {
    getrlimit(RLIMIT_AS, &before_);
    std::ifstream in("/proc/self/statm");
    rlim_t pages = 0;
    in >> pages;
    const rlim_t used = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
    if (used > rlim_t{1} << 40) return;
    rlimit little = before_;
    little.rlim_cur = used + (rlim_t{96} << 20);
    is_set_ = setrlimit(RLIMIT_AS, &little) == 0;
  }
  ~LittleMemory() { setrlimit(RLIMIT_AS, &before_); }
  LittleMemory(const LittleMemory&) = delete;
  LittleMemory& operator=(const LittleMemory&) = delete;
  [[nodiscard]] bool isSet() const { return is_set_; }

 private:
  rlimit before_{};
  bool is_set_ = false;
};

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
    EVENTUALLY(isAnswered(service, specOf(100)));
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
    EVENTUALLY(isAnswered(service, specOf(20'050)));
    QCOMPARE(audited, (std::vector<std::int64_t>{20'050}));
  }

  void errorsComeAllAtOnceAndTheLastGoodPictureStays() {
    PlanService service;
    service.request(specOf(10), Epoch{0});
    EVENTUALLY(isAnswered(service, specOf(10)));
    PipelineSpec bad = specOf(10);
    bad.world.nodes = 0;
    bad.loader.batch_size = 0;
    service.request(bad, Epoch{0});
    EVENTUALLY(!service.isBusy());
    QCOMPARE(service.snapshot()->issues.size(), std::size_t{2});
    QVERIFY(!service.snapshot()->plan);
    QCOMPARE(service.lastGood()->spec, specOf(10));
  }

  void anotherEpochKeepsPlanAndAudit() {
    PlanService service;
    service.request(specOf(64), Epoch{0});
    EVENTUALLY(isAnswered(service, specOf(64)));
    const auto audit = service.snapshot()->audit;
    service.request(specOf(64), Epoch{1});
    EVENTUALLY(!service.isBusy());
    QCOMPARE(service.snapshot()->epoch->epoch.value, 1);
    QCOMPARE(service.snapshot()->audit, audit);
  }

  void aScheduleIsFollowedOnceAndBeforeTheAudit() {
    PlanService service;
    std::vector<QString> seen;
    connect(&service, &PlanService::snapshotChanged, this, [&] {
      const PlanSnapshot& answer = *service.snapshot();
      seen.push_back(
          QString("%1%2%3").arg(answer.epoch ? "e" : "").arg(answer.hang ? "h" : "").arg(answer.audit ? "a" : ""));
    });
    PipelineSpec hangs = specOf(64);
    hangs.world = {1, 4};
    hangs.schedule = {{.what = "barrier", .at = "start", .condition = "rank != 0"}};
    service.request(hangs, Epoch{0});
    EVENTUALLY(isAnswered(service, hangs));
    QCOMPARE(seen, (std::vector<QString>{"", "e", "eh", "eha"}));
    const auto hang = service.snapshot()->hang;
    QVERIFY(*hang && **hang);
    QVERIFY(service.snapshot()->audit->hang == **hang);
    service.request(hangs, Epoch{1});
    EVENTUALLY(!service.isBusy());
    QVERIFY(service.snapshot()->hang == hang);
    service.request(specOf(64), Epoch{0});
    EVENTUALLY(isAnswered(service, specOf(64)));
    QVERIFY(*service.snapshot()->hang && !**service.snapshot()->hang);
  }

  void anEpochPastTheEndShowsTheLastOne() {
    PlanService service;
    service.request(specOf(64), Epoch{1000});
    EVENTUALLY(isAnswered(service, specOf(64)));
    QCOMPARE(service.snapshot()->epoch->epoch.value, specOf(64).epochs - 1);
  }

  void cancelStopsLongWorkAtOnceAndTheOldAnswerStays() {
    PlanService service;
    service.request(specOf(10), Epoch{0});
    EVENTUALLY(isAnswered(service, specOf(10)));
    const QSignalSpy progress(&service, &PlanService::progressed);
    service.request(specOf(50'000'000), Epoch{0});
    EVENTUALLY(!progress.isEmpty());
    service.cancel();
    QVERIFY(!service.isBusy());
    service.request(specOf(11), Epoch{0});
    EVENTUALLY(isAnswered(service, specOf(11)));
  }

  void aServiceThatGoesAwayTakesItsWorkAlong() {
    auto service = std::make_unique<PlanService>();
    const QSignalSpy progress(service.get(), &PlanService::progressed);
    service->request(specOf(50'000'000), Epoch{0});
    EVENTUALLY(!progress.isEmpty());
    service.reset();                    // must return, and its threads with it
    QCoreApplication::processEvents();  // what they have sent by then is for nobody
  }

  void countsThatOnlyDrawingTellsComeWithTheEpoch() {
    PlanService service;
    std::vector<QString> seen;
    connect(&service, &PlanService::snapshotChanged, this, [&] {
      const PlanSnapshot& answer = *service.snapshot();
      seen.push_back(
          QString("%1%2%3").arg(answer.plan ? "p" : "").arg(answer.shape ? "s" : "").arg(answer.epoch ? "e" : ""));
      if (!answer.shape) QVERIFY(planLine(answer).contains("counting the steps"));
    });
    const PipelineSpec spec = streamed(1000);
    service.request(spec, Epoch{0});
    EVENTUALLY(isAnswered(service, spec));
    QCOMPARE(seen, (std::vector<QString>{"p", "pse", "pse"}));
    QCOMPARE(service.snapshot()->shape->steps, *service.snapshot()->plan->steps(Epoch{0}));
    QVERIFY(planLine(*service.snapshot()).contains("steps"));
  }

  void thePlayheadOfARuleWithoutAShapeStaysWhileItIsCounted() {
    Workspace workspace;
    workspace.document.replace(streamed(1000), "x");
    EVENTUALLY(isAnswered(workspace.plans, workspace.document.spec()));
    const qint64 steps = workspace.playback.steps();
    QVERIFY(steps > 10);
    workspace.playback.seek(0, 10);
    QVERIFY(workspace.document.edit({{"name", std::string("another")}}, "x"));
    EVENTUALLY(workspace.plans.snapshot()->plan && workspace.plans.snapshot()->spec.name == "another");
    QCOMPARE(workspace.playback.step(), 10);
    EVENTUALLY(isAnswered(workspace.plans, workspace.document.spec()));
    QCOMPARE(workspace.playback.steps(), steps);
    QCOMPARE(workspace.playback.step(), 10);
  }

  void withoutAPlanThereAreNoSteps() {
    Workspace workspace;
    workspace.document.replace(streamed(1000), "x");
    EVENTUALLY(workspace.playback.steps() > 10);
    PipelineSpec none;
    none.sampler.type = "ssl4mis.TwoStreamBatchSampler";  // without its lists
    workspace.document.reset(none);
    EVENTUALLY(!workspace.plans.snapshot()->issues.empty());
    QCOMPARE(workspace.playback.steps(), 0);
    workspace.document.reset(streamed(1000));
    EVENTUALLY(workspace.playback.steps() > 10);
  }

  void withTooLittleMemoryAWorkerSaysSoAndTheNextRequestIsAnswered() {
    PlanService service;
    service.request(specOf(10), Epoch{0});
    EVENTUALLY(isAnswered(service, specOf(10)));
    {
      const LittleMemory little;
      if (!little.isSet()) QSKIP("a sanitizer reserves more addresses than a limit can leave");
      service.request(streamed(40'000'000), Epoch{0});
      EVENTUALLY(!service.isBusy());
    }
    QCOMPARE(service.snapshot()->issues.size(), std::size_t{1});
    QVERIFY2(service.snapshot()->issues.front().message.find("not enough memory") != std::string::npos,
             service.snapshot()->issues.front().message.c_str());
    QCOMPARE(service.lastGood()->spec, specOf(10));
    service.request(specOf(11), Epoch{0});
    EVENTUALLY(isAnswered(service, specOf(11)));
  }

  void aJobThatThrowsIsAFailureAndTheNextOneRuns() {
    LatestJob job;
    QSignalSpy failed(&JobFailures::ofProgram(), &JobFailures::failed);
    const auto nothing = [](int) {};
    job.start([](const Work&) -> std::optional<int> { throw std::bad_alloc(); }, nothing);
    EVENTUALLY_EQUAL(failed.count(), 1);
    QVERIFY(failed.first().first().toString().contains("there is not enough memory"));
    QVERIFY(!job.isBusy());
    std::optional<Error> own;
    job.start([](const Work&) -> std::optional<int> { throw std::bad_alloc(); }, nothing, {},
              [&own](const Error& error) { own = error; });
    EVENTUALLY(own);
    int answer = 0;
    job.start([](const Work&) { return std::optional(42); }, [&answer](int value) { answer = value; });
    EVENTUALLY_EQUAL(answer, 42);
    QCOMPARE(failed.count(), 1);
  }

  void onlyTheNewestJobIsDelivered() {
    LatestJob job;
    std::vector<int> delivered;
    for (int i = 0; i < 50; ++i) {
      job.start([i](const Work&) { return std::optional(i); }, [&delivered](int value) { delivered.push_back(value); });
    }
    EVENTUALLY(!job.isBusy());
    QCOMPARE(delivered, std::vector<int>{49});
    job.start([](const Work&) { return std::optional(1); }, [&delivered](int value) { delivered.push_back(value); });
    job.cancel();
    job.start([](const Work&) { return std::optional(2); }, [&delivered](int value) { delivered.push_back(value); });
    EVENTUALLY(!job.isBusy());
    QCOMPARE(delivered, (std::vector<int>{49, 2}));
  }

  void aWorkspaceWiresDocumentPlanAndPlayhead() {
    Workspace workspace;
    QVERIFY(workspace.document.edit({{"dataset.size", std::int64_t{40}}, {"epochs", std::int64_t{7}}}, "x"));
    EVENTUALLY(isAnswered(workspace.plans, workspace.document.spec()));
    QCOMPARE(workspace.playback.epochs(), 7);
    QCOMPARE(workspace.playback.steps(), 10);
    workspace.playback.seek(3, 0);
    EVENTUALLY_EQUAL(workspace.plans.snapshot()->epoch->epoch.value, 3);
  }
};

SHARDLENS_WINDOW_TEST(PlanServiceTest)
#include "plan_service_test.moc"
