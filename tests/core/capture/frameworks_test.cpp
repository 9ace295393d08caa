// SPDX-License-Identifier: Apache-2.0
// Samplers of other frameworks that a torch DataLoader was given: recognised by class and attributes.
#include "core/capture/capture.h"
#include "core/plan/plan.h"
#include "tests/core/capture/captured.h"
#include "tests/core/capture/probe_text.h"

#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

using namespace shardlens;
using shardlens::capture::CapturedLoader;
using shardlens::test::ProbeText;

namespace {

PipelineSpec jobOf(const std::string& type, std::map<std::string, Value> parameters, std::int64_t ranks) {
  PipelineSpec spec;
  spec.dataset.size = 10;
  spec.world = {1, ranks};
  spec.loader.batch_size = 2;
  spec.loader.drop_last = false;
  spec.epochs = 2;
  spec.framework.torch = "1.13";
  spec.sampler = {type, std::move(parameters)};
  return spec;
}

/// A recording of two passes in which every rank read what the spec plans, through a sampler that says this of itself.
CapturedLoader recordingOf(const PipelineSpec& spec, const std::function<std::string(std::int64_t)>& sampler) {
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  std::vector<ProbeText> ranks;
  for (std::int64_t rank = 0; rank < spec.worldSize(); ++rank) {
    ProbeText text(rank, spec.worldSize(), spec.worldSize());
    text.loaderWith(0, sampler(rank));
    for (std::int64_t epoch = 0; epoch < spec.epochs; ++epoch) {
      const auto drawn = plan->rankEpoch(Epoch{epoch}, Rank{rank});
      REQUIRE(drawn);
      std::vector<std::vector<SampleIndex>> batches;
      for (Step step{0}; step.value < drawn->batches(); ++step) batches.push_back(drawn->batchSamples(step));
      text.pass(epoch, 0, epoch, epoch + 1);
      text.batches(epoch, 0, batches);
      text.news(epoch, std::ssize(batches), std::ssize(batches));
    }
    ranks.push_back(text);
  }
  return test::capturedLoader(ranks);
}

}  // namespace

TEST_CASE("MONAI's DistributedSampler is recognised, with and without even_divisible") {
  for (const bool even : {true, false}) {
    const PipelineSpec spec =
        jobOf("monai.DistributedSampler", {{"seed", std::int64_t{3}}, {"even_divisible", even}}, 3);
    const CapturedLoader loader = recordingOf(spec, [&](std::int64_t rank) {
      return R"({"class":"monai.data.samplers.DistributedSampler","values":{"num_replicas":3,"rank":)" +
             std::to_string(rank) + R"(,"epoch":0,"drop_last":false,"shuffle":true,"seed":3,"total_size":)" +
             (even ? "12" : "10") + "}}";
    });
    CHECK(loader.reasons.empty());
    CHECK(loader.spec.spec.sampler.type == "monai.DistributedSampler");
    CHECK(loader.spec.spec.sampler.parameters.at("even_divisible") == Value(even));
    CHECK(loader.isProven());
  }
}

TEST_CASE("TRL's RepeatSampler is recognised") {
  const PipelineSpec spec = jobOf("trl.RepeatSampler",
                                  {{"mini_repeat_count", std::int64_t{2}},
                                   {"batch_size", std::int64_t{3}},
                                   {"repeat_count", std::int64_t{1}},
                                   {"seed", std::int64_t{9}}},
                                  2);
  const CapturedLoader loader = recordingOf(spec, [](std::int64_t) {
    return R"({"class":"trl.trainer.utils.RepeatSampler","values":{"mini_repeat_count":2,"batch_size":3,)"
           R"("repeat_count":1,"num_samples":10,"shuffle":true,"seed":9}})";
  });
  CHECK(loader.spec.spec.sampler.type == "trl.RepeatSampler");
  CHECK(loader.isProven());
}

TEST_CASE("Ignite's DistributedProxySampler is recognised by the sampler inside") {
  const PipelineSpec spec = jobOf("ignite.DistributedProxySampler", {{"inner", std::string("random")}}, 2);
  const CapturedLoader loader = recordingOf(spec, [](std::int64_t rank) {
    return R"({"class":"ignite.distributed.auto.DistributedProxySampler","values":{"num_replicas":2,"rank":)" +
           std::to_string(rank) +
           R"(,"epoch":0},"samplers":{"sampler":{"class":"torch.utils.data.sampler.RandomSampler",)"
           R"("values":{"replacement":false,"_num_samples":null}}}})";
  });
  CHECK(loader.spec.spec.sampler.type == "ignite.DistributedProxySampler");
  CHECK(loader.isProven());
}
