// SPDX-License-Identifier: Apache-2.0
// Stops at the edges: a second one in an epoch, the end of an epoch, seeds by epoch, as many steps on other ranks.
#include "tests/core/resume/judged_ways.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace shardlens;
using test::wayIn;

namespace {

PipelineSpec specOf(const std::string& type, std::int64_t size = 24, std::int64_t ranks = 2) {
  return test::sampledBy(type, size, ranks, 2);
}

std::vector<JudgedWay> waysOf(const PipelineSpec& spec, std::int64_t epoch, std::int64_t steps,
                              std::int64_t ranks = 0) {
  const PipelineSpec::World world{1, ranks > 0 ? ranks : spec.worldSize()};
  auto report = resumeReport(spec, {Epoch{epoch}, steps, world}, {8});
  REQUIRE(report);
  return *std::move(report);
}

bool has(const std::vector<JudgedWay>& ways, const std::string& id) {
  return std::ranges::any_of(ways, [&](const JudgedWay& judged) { return judged.way.id == id; });
}

bool warns(const JudgedWay& judged, const std::string& text) {
  return std::ranges::any_of(judged.way.notes,
                             [&](const Note& note) { return note.text.find(text) != std::string::npos; });
}

}  // namespace

TEST_CASE("a second stop in an epoch continues behind both") {
  PipelineSpec streaming = specOf("streaming.StreamingDataset");
  streaming.sampler.parameters = {{"shuffle", true}, {"sample_in_epoch", std::int64_t{8}}};
  streaming.epochs = 1;
  const JudgedWay loaded = wayIn(waysOf(streaming, 0, 2), "streaming");
  CHECK(loaded.verdict == ResumeVerdict::Exact);
  CHECK(loaded.outcome->steps == 2);  // 24 samples: 8 before, 8 now, 8 left on 2 ranks

  PipelineSpec shard = specOf("accelerate.BatchSamplerShard");
  shard.sampler.parameters = {{"shuffle", true}, {"skip_first_batches", std::int64_t{2}}};
  const JudgedWay skipped = wayIn(waysOf(shard, 0, 1), "accelerate-skip");
  CHECK(skipped.verdict == ResumeVerdict::Exact);
  CHECK(skipped.way.rule.find("skip_first_batches(loader, 3)") != std::string::npos);
  const JudgedWay of_epoch_0 = wayIn(waysOf(shard, 1, 1), "accelerate-epoch-0");
  CHECK(of_epoch_0.outcome->repeated == 3);
  CHECK(of_epoch_0.outcome->lost == 3);

  PipelineSpec counted = specOf("torchdata.StatefulDistributedSampler");
  counted.sampler.parameters = {{"yielded", std::int64_t{4}}};
  const JudgedWay again = wayIn(waysOf(counted, 1, 1), "torchdata-epoch-0");
  CHECK(again.outcome->repeated == 3);
  CHECK(again.outcome->lost == 3);
  CHECK(again.outcome->steps == 5);
}

TEST_CASE("ranks that read the same count a sample once") {
  PipelineSpec spec = specOf("streaming.StreamingDataset", 24, 4);
  spec.sampler.parameters = {{"shuffle", true}, {"replication", std::int64_t{2}}};
  for (const std::int64_t steps : {2, 4})
    CHECK(wayIn(waysOf(spec, 0, steps), "streaming").verdict == ResumeVerdict::Exact);
}

TEST_CASE("a sampler without a state is drawn from anew") {
  PipelineSpec spec = specOf("torch.SubsetRandomSampler");
  std::vector<std::int64_t> all(24);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int64_t>(i);
  spec.sampler.parameters = {{"indices", IndexList(all)}};
  spec.seeds.rule = "base+rank";
  const JudgedWay loaded = wayIn(waysOf(spec, 1, 3), "torchdata");
  CHECK(loaded.verdict == ResumeVerdict::Differs);
  CHECK(loaded.outcome->repeated == 8);
  CHECK(loaded.outcome->lost == 2);
}

TEST_CASE("a script that seeds with the epoch's number finds its order by that") {
  PipelineSpec spec = specOf("torch.RandomSampler");
  spec.seeds.rule = "base+rank+epoch";
  const auto ways = waysOf(spec, 1, 3);
  CHECK_FALSE(has(ways, "seeded-again"));
  CHECK_FALSE(has(ways, "accelerate-epoch-0"));
  CHECK(wayIn(ways, "skip-batches").verdict == ResumeVerdict::Exact);
  CHECK(wayIn(ways, "restored-rng").verdict == ResumeVerdict::Unknown);
  spec.seeds.rule = "base+rank";
  const JudgedWay seeded = wayIn(waysOf(spec, 1, 3), "seeded-again");
  CHECK(warns(seeded, "then in that of epoch 1"));
  CHECK_FALSE(warns(seeded, "every later one"));
}

TEST_CASE("a wrapper over a sampler that is drawn anew is not computed") {
  PipelineSpec spec = specOf("torch.WeightedRandomSampler");
  spec.sampler.parameters = {{"weights", std::string("ramp")}, {"num_samples", std::int64_t{24}}};
  CHECK(wayIn(waysOf(spec, 1, 3), "lightning").verdict == ResumeVerdict::Unknown);
}

TEST_CASE("a state that counts a whole epoch empties the next one") {
  PipelineSpec spec = specOf("torchdata.StatefulDistributedSampler");
  const JudgedWay at_end = wayIn(waysOf(spec, 0, 6), "torchdata");
  CHECK(at_end.verdict != ResumeVerdict::Exact);
  CHECK(severityOf(at_end) == Severity::Error);
  CHECK(warns(at_end, "ends without a batch"));
  CHECK(wayIn(waysOf(spec, 1, 6), "torchdata").verdict == ResumeVerdict::Exact);  // nothing comes after the last one
  CHECK(wayIn(waysOf(spec, 0, 5), "torchdata").verdict == ResumeVerdict::Exact);
}

TEST_CASE("since torchdata 0.12 the state of its own sampler holds the epoch") {
  PipelineSpec spec = specOf("torchdata.StatefulDistributedSampler");
  CHECK(has(waysOf(spec, 1, 3), "torchdata-epoch-0"));
  spec.framework.torchdata = "0.12";
  const auto ways = waysOf(spec, 1, 3);
  CHECK_FALSE(has(ways, "torchdata-epoch-0"));
  CHECK(wayIn(ways, "torchdata").verdict == ResumeVerdict::Exact);
  CHECK(wayIn(ways, "torchdata").way.title == "torchdata: load_state_dict");
  CHECK(warns(wayIn(ways, "torchdata"), "A state that torchdata 0.11 saved is refused"));
  CHECK(wayIn(ways, "torchdata").way.rule.find("in the epoch that the state holds") != std::string::npos);
  CHECK(
      warns(wayIn(waysOf(spec, 0, 6), "torchdata"), "ends without a batch"));  // loading takes the script's epoch back
  spec.sampler.type = "torch.DistributedSampler";
  CHECK(has(waysOf(spec, 1, 3), "torchdata-epoch-0"));
}

TEST_CASE("a state without an epoch, saved between two epochs") {
  PipelineSpec spec = specOf("torchdata.StatefulDistributedSampler");
  spec.epochs = 3;
  const JudgedWay begun = wayIn(waysOf(spec, 1, 0), "torchdata-epoch-0");
  CHECK(warns(begun, "gets the order of epoch 0 again"));
  CHECK_FALSE(warns(begun, "than it stopped in"));
  CHECK(warns(wayIn(waysOf(spec, 1, 6), "torchdata-epoch-0"), "ends without a batch"));
}

TEST_CASE("after the last epoch none starts") {
  const PipelineSpec spec = specOf("torch.DistributedSampler", 16);
  CHECK(wayIn(waysOf(spec, 1, 4), "lightning").way.rule.find("no epoch is left") != std::string::npos);
  CHECK(wayIn(waysOf(spec, 0, 4), "lightning").way.rule.find("the next epoch starts") != std::string::npos);
}

TEST_CASE("as many steps on other ranks take other samples") {
  PipelineSpec spec = specOf("torch.DistributedSampler", 40, 6);
  spec.loader.batch_size = 4;
  const auto ways = waysOf(spec, 1, 1, 8);  // 7 samples in 2 steps before, 5 in 2 steps after
  CHECK(has(ways, "skip-samples"));
  CHECK(warns(wayIn(ways, "skip-batches"), "a different number of samples on a different number of ranks"));
  spec.sampler.type = "torchdata.StatefulDistributedSampler";
  CHECK(warns(wayIn(waysOf(spec, 1, 1, 8), "torchdata"), "Another number of ranks is not supported"));
}
