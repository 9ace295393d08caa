// SPDX-License-Identifier: Apache-2.0
// What each framework does after a stop, against what its own loop was seen to do.
#include "core/resume/ways/ways.h"

#include "tests/core/resume/judged_ways.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <stop_token>
#include <string>
#include <vector>

using namespace shardlens;

namespace {

PipelineSpec specOf(const std::string& type, std::int64_t size = 96, std::int64_t ranks = 4) {
  return test::sampledBy(type, size, ranks, 4);
}

const std::string kStrided = "torch.DistributedSampler";

JudgedWay wayOf(const PipelineSpec& spec, const ResumePoint& point, const std::string& id) {
  const auto report = resumeReport(spec, point, {32});
  REQUIRE(report);
  return test::wayIn(*report, id);
}

ResumePoint at(std::int64_t epoch, std::int64_t steps, std::int64_t ranks = 4) {
  return {Epoch{epoch}, steps, {1, ranks}};
}

}  // namespace

TEST_CASE("Each way is told of as soon as it is judged") {
  std::vector<std::string> told;
  const auto report = resumeReport(specOf(kStrided), at(1, 5), {32}, {},
                                   [&told](const JudgedWay& judged) { told.push_back(judged.way.id); });
  REQUIRE(report);
  REQUIRE(told.size() == report->size());
  for (std::size_t i = 0; i < told.size(); ++i) CHECK(told[i] == (*report)[i].way.id);
}

TEST_CASE("Lightning reads the beginning again and never the end") {
  const JudgedWay judged = wayOf(specOf(kStrided), at(1, 5), "lightning");
  CHECK(judged.way.goes_on->epoch == Epoch{1});
  CHECK(judged.outcome->steps == 12 - 5);
  CHECK(judged.outcome->repeated == 5 * 8);  // of 7 steps read, 5 were trained
  CHECK(judged.outcome->lost == 5 * 8);
  CHECK(judged.outcome->strip.back().lost == judged.outcome->strip.back().items);
}

TEST_CASE("what Lightning reads after a restart with overfit_batches is not known, unless that is the whole epoch") {
  PipelineSpec spec = specOf(kStrided);  // 6 steps
  spec.framework.lightning.overfit_batches = 3;
  for (const std::int64_t steps : {0, 2, 3, 5}) {
    const JudgedWay judged = wayOf(spec, at(1, steps), "lightning");
    CHECK(judged.verdict == ResumeVerdict::Unknown);
    REQUIRE(judged.way.error);
    CHECK(judged.way.error->message ==
          "overfit_batches ends its epoch after 3 batches: ShardLens does not compute what follows.");
  }
  spec.framework.lightning.overfit_batches = 100;
  CHECK(wayOf(spec, at(1, 2), "lightning").verdict == ResumeVerdict::Differs);
}

TEST_CASE("Lightning's workers draw epoch 0's order before anybody tells them the epoch") {
  PipelineSpec spec = specOf(kStrided);
  spec.loader.num_workers = 2;
  CHECK(wayOf(spec, at(1, 5), "lightning").way.goes_on->epoch == Epoch{0});
  CHECK(wayOf(spec, at(0, 5), "lightning").way.notes.front().severity == Severity::Info);
  spec.sampler.parameters["shuffle"] = false;
  CHECK(wayOf(spec, at(1, 5), "lightning").outcome->lost == 40);
}

TEST_CASE("Lightning begins the epoch again when more ranks make it shorter than what was done") {
  const JudgedWay judged = wayOf(specOf(kStrided), at(0, 8, 8), "lightning");  // 6 steps on 8 ranks
  CHECK_FALSE(judged.way.goes_on->counts_on);
  CHECK(judged.outcome->steps == 6);
  CHECK(judged.outcome->repeated == 8 * 8);
  CHECK(judged.outcome->lost == 0);
}

TEST_CASE("Accelerate skips exactly on as many ranks, and in another order without the epoch") {
  PipelineSpec spec = specOf("accelerate.BatchSamplerShard");
  spec.sampler.parameters = {{"shuffle", true}, {"use_seedable_sampler", true}, {"data_seed", std::int64_t{3}}};
  CHECK(wayOf(spec, at(2, 5), "accelerate-skip").outcome->isExact());
  const ResumeOutcome wrong = *wayOf(spec, at(2, 5), "accelerate-epoch-0").outcome;
  CHECK(wrong.lost > 0);
  CHECK(wrong.skipped == 40);
  CHECK(wrong.skipped_untrained == wrong.lost);
  const ResumeOutcome fewer = *wayOf(spec, at(2, 5, 2), "accelerate-skip").outcome;
  CHECK(fewer.repeated == (4 - 2) * 2 * 5);
  CHECK(wayOf(spec, at(2, 5, 2), "accelerate-skip-samples").outcome->isExact());
}

TEST_CASE("a dispatcher's loader skips batches of rank 0, as many as there are processes in a step") {
  PipelineSpec spec = specOf("accelerate.DataLoaderDispatcher");
  CHECK(wayOf(spec, at(0, 5), "accelerate-skip").way.rule == "skip_first_batches(loader, 5).");
  spec.sampler.parameters["shuffle"] = true;
  const JudgedWay judged = wayOf(spec, at(0, 5), "accelerate-skip");
  CHECK(judged.way.rule == "skip_first_batches(loader, 20).");
  CHECK(judged.way.notes.front().severity == Severity::Warning);
  CHECK(judged.outcome->isExact());
}

TEST_CASE("mmengine repeats an epoch, or advances its stream") {
  CHECK(wayOf(specOf("mmengine.DefaultSampler"), at(1, 5), "mmengine").outcome->repeated == 40);
  const PipelineSpec stream = specOf("mmengine.InfiniteSampler");
  CHECK(wayOf(stream, at(1, 5), "mmengine").outcome->isExact());
  CHECK(wayOf(stream, at(0, 5), "mmengine-older").outcome->repeated == 40);
  // Two ranks of four advance over half of what was trained, and have the other half again before them.
  CHECK(wayOf(stream, at(0, 5, 2), "mmengine").outcome->repeated == 20);
}

TEST_CASE("detectron2 keeps the total batch, begins its stream again, and refuses what does not divide") {
  const PipelineSpec spec = specOf("detectron2.TrainingSampler");
  const JudgedWay judged = wayOf(spec, at(0, 5, 2), "detectron2");
  CHECK(judged.way.goes_on->spec.loader.batch_size == 4);
  CHECK(judged.outcome->steps == 7);
  CHECK(judged.outcome->repeated == 40);
  CHECK(judged.outcome->lost == 40);
  const JudgedWay refused = wayOf(spec, at(0, 5, 3), "detectron2");
  REQUIRE(refused.way.error);
  CHECK(refused.way.error->message == "Total batch size (8) must be divisible by the number of gpus (3).");
}

TEST_CASE("timm loses the rest of the epoch, or repeats its beginning") {
  const PipelineSpec spec = specOf("timm.RepeatAugSampler", 1024);
  const JudgedWay lost = wayOf(spec, at(0, 50), "timm");
  CHECK(lost.outcome->items == 0);
  CHECK(lost.outcome->lost > 0);
  CHECK(wayOf(spec, at(0, 50), "timm-start-epoch").outcome->lost == 0);
}

TEST_CASE("torchdata goes on exactly when it is told the epoch") {
  const PipelineSpec spec = specOf("torchdata.StatefulDistributedSampler");
  CHECK(wayOf(spec, at(2, 5), "torchdata").outcome->isExact());
  CHECK(wayOf(spec, at(2, 5), "torchdata-epoch-0").outcome->lost > 0);
  const JudgedWay other = wayOf(spec, at(2, 5, 2), "torchdata");
  CHECK(other.way.notes.front().severity == Severity::Error);
  CHECK(other.outcome->repeated == 20);
}

TEST_CASE("of a framework that is not modelled only what holds in any case is said") {
  for (const char* type : {"deepspeed.DeepSpeedDataSampler", "ffcv.QuasiRandom", "olmo_core.NumpyFSLDataLoader",
                           "paddle.DistributedBatchSampler", "yolov5.InfiniteDataLoader"}) {
    CAPTURE(type);
    const auto ways = resumeWays(specOf(type, 24, 2), at(1, 1, 2), {});
    bool has_skip = false;
    for (const ResumeWay& way : ways) {
      if (!way.of_design) continue;
      CAPTURE(way.id);
      CHECK(way.rule.find("set_epoch") == std::string::npos);
      CHECK(way.id != "forgotten-set-epoch");
      CHECK(way.id != "seeded-again");
      CHECK(way.id != "deepspeed");
      CHECK(std::ranges::any_of(
          way.notes, [](const Note& note) { return note.text.find("does not know what") != std::string::npos; }));
      has_skip = has_skip || way.id == "skip-batches";
    }
    CHECK(has_skip);
  }
}

TEST_CASE("fairseq refuses to go on behind the end of a shorter list") {
  const PipelineSpec spec = specOf("fairseq.EpochBatchIterator");
  CHECK(wayOf(spec, at(1, 5), "fairseq").outcome->isExact());
  CHECK(wayOf(spec, at(1, 5, 8), "fairseq").outcome->lost == 4 * 2 * 5);
  REQUIRE(wayOf(spec, at(1, 6, 8), "fairseq").way.error);
  CHECK(wayOf(spec, at(1, 6, 8), "fairseq").way.error->raised == "RuntimeError");
}

TEST_CASE("Grain goes on exactly, and only with as many processes") {
  PipelineSpec spec = specOf("grain.IndexSampler");
  spec.sampler.parameters["shuffle"] = true;
  CHECK(wayOf(spec, at(0, 5), "grain").outcome->isExact());
  CHECK(wayOf(spec, at(0, 5, 2), "grain").way.error.has_value());
}

TEST_CASE("WebDataset begins again at its first epoch") {
  PipelineSpec spec = specOf("webdataset.WebDataset");
  spec.dataset.shards = {24, 24, 24, 24};
  const JudgedWay judged = wayOf(spec, at(1, 5), "webdataset");
  CHECK(judged.way.goes_on->epoch == Epoch{0});
  CHECK(judged.outcome->repeated > 0);
  CHECK(judged.outcome->lost == 0);
}

TEST_CASE("a framework whose epoch is over before the stop says so") {
  // prepare() divides what the script's own sampler has divided already: a quarter of the steps.
  const JudgedWay judged = wayOf(specOf(kStrided), at(0, 5), "accelerate-skip");
  REQUIRE(judged.way.error);
  CHECK(judged.way.error->message == "Its epoch has 3 steps: it ends before the stop.");
  CHECK(wayOf(specOf(kStrided), at(0, 2), "accelerate-skip").outcome->isExact());
}

TEST_CASE("nothing is lost only of a framework's own epoch, where that leaves out what the design reads") {
  const JudgedWay divided = wayOf(specOf(kStrided), at(0, 2), "accelerate-skip");
  CHECK(verdictText(divided) == "nothing of this epoch is repeated or lost");
  REQUIRE_FALSE(divided.way.notes.empty());
  CHECK(divided.left_out > 0);
  CHECK(std::ranges::any_of(divided.way.notes, [&](const Note& note) {
    return note.text.starts_with("Counted against its own epoch, which leaves out " + std::to_string(divided.left_out));
  }));
  const JudgedWay own = wayOf(specOf(kStrided), at(0, 2), "skip-batches");
  CHECK(own.left_out == 0);
  CHECK(verdictText(own) == "exact: nothing repeated, nothing lost");
}

TEST_CASE("a stream of datasets goes on exactly on as many ranks and without a buffer") {
  PipelineSpec spec = specOf("datasets.IterableDataset");
  spec.dataset.shards = IndexList(8, 12);
  CHECK(wayOf(spec, at(1, 5), "datasets").outcome->isExact());
  CHECK(wayOf(spec, at(1, 5, 2), "datasets").way.error.has_value());
  spec.sampler.parameters = {{"shuffle", true}, {"seed", std::int64_t{4}}};
  CHECK(wayOf(spec, at(1, 5), "datasets").way.error->message.find("not saved") != std::string::npos);
}

TEST_CASE("Streaming goes on with what nobody saw, on any number of nodes that keeps the global batch") {
  PipelineSpec spec = specOf("streaming.StreamingDataset", 480);
  spec.world = {4, 1};
  spec.dataset.shards = IndexList(12, 40);
  spec.sampler.parameters["shuffle"] = true;
  for (const std::int64_t nodes : {4, 2, 1}) {
    CAPTURE(nodes);
    const ResumePoint point{Epoch{1}, 10, {nodes, 4 / nodes}};
    const JudgedWay judged = wayOf(spec, point, "streaming");
    CHECK(judged.outcome->isExact());
    CHECK(judged.outcome->skipped == 80);
    CHECK(judged.outcome->skipped_untrained == 0);
    CHECK(judged.outcome->steps == 50);
  }
}

TEST_CASE("Streaming refuses node counts that the canonical nodes do not divide into") {
  PipelineSpec spec = specOf("streaming.StreamingDataset", 480);
  spec.world = {4, 1};
  spec.sampler.parameters["partition_algo"] = std::string("orig");
  const JudgedWay judged = wayOf(spec, {Epoch{0}, 10, {3, 1}}, "streaming");
  REQUIRE(judged.way.error);
  CHECK(judged.way.error->raised == "ValueError");
}

TEST_CASE("the Trainer trains on nothing more when more ranks make the steps done look like all epochs") {
  PipelineSpec spec = specOf(kStrided, 16, 1);
  spec.epochs = 1;
  const JudgedWay judged = wayOf(spec, at(0, 6, 2), "transformers");  // 6 of 8 steps; 4 an epoch on two ranks
  CHECK(judged.outcome->steps == 0);
  CHECK(judged.outcome->repeated == 0);
  CHECK(judged.outcome->lost == 4);
  CHECK(judged.way.notes.front().severity == Severity::Error);
}

TEST_CASE("an epoch that was read to its end is over") {
  PipelineSpec cyclic = specOf("megatron.MegatronPretrainingRandomSampler");
  const std::pair<PipelineSpec, std::string> finished[] = {{specOf(kStrided), "transformers"},
                                                           {specOf(kStrided), "fairseq"},
                                                           {specOf(kStrided), "lightning"},
                                                           {cyclic, "megatron"}};
  for (const auto& one : finished) {
    CAPTURE(one.second);
    const JudgedWay judged = wayOf(one.first, at(1, 12), one.second);
    CHECK(judged.outcome->isExact());
    CHECK(judged.outcome->steps == 0);
  }
}

TEST_CASE("mmengine's stream goes on behind the iterations of all epochs") {
  // sampler_seed 0, 16 samples: runner/loops.py advances by the 4 iterations of epoch 0 and 2 more.
  PipelineSpec spec = specOf("mmengine.InfiniteSampler", 16, 2);
  const JudgedWay judged = wayOf(spec, at(1, 2, 1), "mmengine");
  CHECK(judged.way.goes_on->epoch == Epoch{0});
  CHECK(judged.way.goes_on->skip == 6);
}

TEST_CASE("Streaming's state counts short batches as what they hold") {
  PipelineSpec spec = specOf("streaming.StreamingDataset", 20, 2);
  spec.loader.batch_size = 3;
  spec.loader.num_workers = 2;
  const JudgedWay judged = wayOf(spec, at(0, 4, 2), "streaming");
  CHECK_FALSE(judged.way.error);
  CHECK(judged.way.rule.find("without 20 samples already seen") != std::string::npos);
}

TEST_CASE("what a framework raises is not told as an epoch without steps") {
  PipelineSpec spec = specOf(kStrided, 5, 4);
  spec.loader.batch_size = 1;
  spec.dataset.shards = {3, 2};
  const JudgedWay judged = wayOf(spec, at(0, 1, 4), "webdataset");
  REQUIRE(judged.way.error);
  CHECK(judged.way.error->raised == "ValueError");
}

TEST_CASE("no run goes on with more ranks than a spec may have") {
  const auto report = resumeReport(specOf(kStrided), {Epoch{0}, 1, {1'000'000, 1'000'000}}, {32});
  REQUIRE_FALSE(report);
  CHECK(report.error().code == ErrorCode::Usage);
}

TEST_CASE("a verdict says whether a way raises, stops, was over before, or cannot be told") {
  const auto verdict = [](const PipelineSpec& spec, const ResumePoint& point, const std::string& id) {
    return wayOf(spec, point, id).verdict;
  };
  CHECK(verdict(specOf(kStrided), at(1, 5), "skip-batches") == ResumeVerdict::Exact);
  CHECK(verdict(specOf(kStrided), at(1, 5), "lightning") == ResumeVerdict::Differs);
  CHECK(verdict(specOf("detectron2.TrainingSampler"), at(0, 5, 3), "detectron2") == ResumeVerdict::Raises);
  PipelineSpec grain = specOf("grain.IndexSampler");
  grain.sampler.parameters["num_epochs"] = std::int64_t{4};
  CHECK(verdict(grain, at(0, 5, 2), "grain") == ResumeVerdict::Stops);
  const PipelineSpec whole = specOf("torch.RandomSampler");  // 48 steps; divided among four ranks they are 12
  CHECK(verdict(whole, at(0, 20), "lightning") == ResumeVerdict::Over);
  PipelineSpec persistent = whole;
  persistent.loader.num_workers = 1;
  persistent.loader.persistent_workers = true;
  CHECK(verdict(persistent, at(0, 5), "restored-rng") == ResumeVerdict::Unknown);
}

TEST_CASE("a verdict in pieces and in one line, and its reason") {
  const JudgedWay wrong = wayOf(specOf(kStrided), at(1, 5), "lightning");
  const auto parts = verdictParts(wrong);
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].severity == Severity::Error);
  CHECK(parts[1].severity == Severity::Warning);
  CHECK(verdictText(wrong) == "40 repeated, 40 lost");
  CHECK(severityOf(wrong) == Severity::Error);
  CHECK(reasonText(wrong).empty());
  const JudgedWay over = wayOf(specOf("torch.RandomSampler"), at(0, 20), "lightning");
  CHECK(verdictText(over) == "the epoch was over after 12 steps");
  CHECK_FALSE(reasonText(over).empty());
}

TEST_CASE("What cannot be counted is an error, and never no steps") {
  PipelineSpec spec = specOf("accelerate.BatchSamplerShard", 96, 2);
  spec.sampler.parameters["split_batches"] = true;
  const ResumePoint point = at(0, 5, 3);  // three processes cannot split a batch of two
  const PipelineSpec resumed = resumes::resumedSpec(spec, point);
  CHECK(resumes::stepsOf(spec, Epoch{0}, {}).value() == 48);
  CHECK_FALSE(resumes::isAtEnd(spec, point, {}).value());
  const auto steps = resumes::stepsOf(resumed, Epoch{0}, {});
  REQUIRE_FALSE(steps);
  CHECK(steps.error().raised == "ValueError");
  CHECK_FALSE(resumes::isAtEnd(resumed, point, {}));
  CHECK_FALSE(resumes::dividesAmongRanks(spec, point, {}));
  const ResumeWay way = resumes::reachingEnd(resumes::makeWay(spec, "id", "title", "rule"), point, {});
  CHECK_FALSE(way.goes_on);
  REQUIRE(way.error);
  CHECK(way.error->message == steps.error().message);
  for (const char* id : {"accelerate-skip", "accelerate-skip-samples"}) {
    const JudgedWay judged = wayOf(spec, point, id);
    CHECK(judged.verdict == ResumeVerdict::Raises);
    CHECK(judged.way.notes.empty());  // nothing is claimed about steps that nobody could count
  }
}

TEST_CASE("Counting stops when it is told to") {
  std::stop_source stop;
  stop.request_stop();
  const auto steps =
      resumes::stepsOf(specOf("streaming.StreamingDataset", 3'000'000), Epoch{0}, {stop.get_token(), {}});
  REQUIRE_FALSE(steps);
  CHECK(steps.error().code == ErrorCode::Cancelled);
}
