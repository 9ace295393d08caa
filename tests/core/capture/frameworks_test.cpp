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

/// A recording of two passes in which every rank read what the spec plans, through a loader that `tell` tells of.
CapturedLoader recordingWith(const PipelineSpec& spec, const std::function<void(ProbeText&, std::int64_t)>& tell) {
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  std::vector<ProbeText> ranks;
  for (std::int64_t rank = 0; rank < spec.worldSize(); ++rank) {
    ProbeText text(rank, spec.worldSize(), spec.worldSize());
    tell(text, rank);
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

using Says = std::function<std::string(std::int64_t)>;  // what the sampler of a rank says of itself

/// Its loader cuts batches of 2.
CapturedLoader recordingOf(const PipelineSpec& spec, const Says& sampler) {
  return recordingWith(spec, [&](ProbeText& text, std::int64_t rank) { text.loaderWith(0, sampler(rank)); });
}

/// Its loader has this batch sampler.
CapturedLoader recordingOfBatches(const PipelineSpec& spec, const Says& batch_sampler) {
  return recordingWith(spec, [&](ProbeText& text, std::int64_t rank) { text.loaderOfBatches(0, batch_sampler(rank)); });
}

/// Its rule was recognised with these parameters, and plans what was read.
void checkProven(const CapturedLoader& loader, const PipelineSpec& spec) {
  CAPTURE(spec.sampler.type);
  CHECK_MESSAGE(loader.reasons.empty(), (loader.reasons.empty() ? std::string() : loader.reasons.front()));
  CHECK(loader.isProven());
  CHECK(loader.spec.spec.sampler.type == spec.sampler.type);
  const auto& captured = loader.spec.spec.sampler.parameters;
  for (const auto& wanted : spec.sampler.parameters) {
    CAPTURE(wanted.first);
    REQUIRE(captured.contains(wanted.first));
    CHECK(captured.at(wanted.first) == wanted.second);
  }
}

std::string text(bool value) {
  return value ? "true" : "false";
}

const std::string kInOrder = R"({"class":"torch.utils.data.sampler.SequentialSampler"})";
const std::string kRandom =
    R"({"class":"torch.utils.data.sampler.RandomSampler","values":{"replacement":false,"_num_samples":null},)"
    R"("generators":{"generator":{"seed":11,"is_fresh":true}}})";
const std::string kSeedable =
    R"({"class":"accelerate.data_loader.SeedableRandomSampler","values":{"replacement":false,"_num_samples":null,)"
    R"("initial_seed":42,"epoch":0}})";
const std::string kWeighted =
    R"({"class":"torch.utils.data.sampler.WeightedRandomSampler","values":{"replacement":true,"num_samples":9},)"
    R"("lists":{"weights":[1,2,3,4,5,6,7,8,9,10]},"generators":{"generator":{"seed":11,"is_fresh":true}}})";

/// A BatchSamplerShard of Accelerate over batches of this JSON.
std::string shard(std::int64_t rank, std::int64_t ranks, bool splits, bool even, const std::string& batches) {
  return R"({"class":"accelerate.data_loader.BatchSamplerShard","values":{"num_processes":)" + std::to_string(ranks) +
         R"(,"process_index":)" + std::to_string(rank) + R"(,"split_batches":)" + text(splits) + R"(,"even_batches":)" +
         text(even) + R"(},"samplers":{"batch_sampler":)" + batches + "}}";
}

std::string batchesOf(std::int64_t batch_size, bool drop_last, const std::string& sampler) {
  return R"({"class":"torch.utils.data.sampler.BatchSampler","values":{"batch_size":)" + std::to_string(batch_size) +
         R"(,"drop_last":)" + text(drop_last) + R"(},"samplers":{"sampler":)" + sampler + "}}";
}

const std::map<std::string, Value> kTwoStreams = {{"primary_indices", IndexList({0, 1, 2, 3})},
                                                  {"secondary_indices", IndexList({4, 5, 6, 7, 8, 9})},
                                                  {"secondary_batch_size", std::int64_t{1}}};

std::string twoStreams(const std::string& module) {
  return R"({"class":")" + module +
         R"(.TwoStreamBatchSampler","values":{"secondary_batch_size":1,"primary_batch_size":1},)"
         R"("lists":{"primary_indices":[0,1,2,3],"secondary_indices":[4,5,6,7,8,9]}})";
}

std::string shareOf(std::int64_t rank, std::int64_t ranks) {
  return R"("num_replicas":)" + std::to_string(ranks) + R"(,"rank":)" + std::to_string(rank);
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

TEST_CASE("TRL's RepeatRandomSampler is recognised in each of its forms") {
  const auto repeatRandom = [](const std::string& says) {
    return [says](std::int64_t) { return R"({"class":"trl.trainer.grpo_trainer.RepeatRandomSampler",)" + says + "}"; };
  };
  PipelineSpec global = jobOf("trl.RepeatRandomSampler", {{"repeat_count", std::int64_t{3}}}, 1);
  const Says says = repeatRandom(R"("values":{"repeat_count":3,"num_samples":10})");
  global.seeds.base = 7;
  checkProven(recordingOf(global, says), global);
  global.seeds.base = 8;  // but torch was seeded with 7, or something else drew, too
  const CapturedLoader other = recordingOf(global, says);
  CHECK(other.is_recorded);
  CHECK(other.reasons.at(0).find("which draws from torch's global generator") != std::string::npos);

  const std::string generator = R"(},"generators":{"generator":{"seed":9,"is_fresh":true}})";
  const Value seed = std::int64_t{9};
  const PipelineSpec plain = jobOf("trl.RepeatSampler", {{"mini_repeat_count", std::int64_t{3}}, {"seed", seed}}, 2);
  checkProven(recordingOf(plain, repeatRandom(R"("values":{"repeat_count":3,"num_samples":10,"seed":9)" + generator)),
              plain);
  const PipelineSpec chunks = jobOf("trl.RepeatSampler",
                                    {{"mini_repeat_count", std::int64_t{2}},
                                     {"batch_size", std::int64_t{3}},
                                     {"repeat_count", std::int64_t{2}},
                                     {"seed", seed}},
                                    2);
  checkProven(recordingOf(chunks, repeatRandom(R"("values":{"mini_repeat_count":2,"batch_size":3,"repeat_count":2,)"
                                               R"("num_samples":10,"seed":9)" +
                                               generator)),
              chunks);
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

TEST_CASE("Accelerate's BatchSamplerShard is recognised with the sampler inside") {
  for (const bool splits : {false, true}) {
    for (const bool even : {false, true}) {
      for (const bool drops : {false, true}) {
        const auto check = [&](std::map<std::string, Value> parameters, const std::string& sampler) {
          parameters["split_batches"] = splits;
          parameters["even_batches"] = even;
          PipelineSpec spec = jobOf("accelerate.BatchSamplerShard", std::move(parameters), 2);
          spec.loader.drop_last = drops;
          spec.loader.batch_size = 4;
          checkProven(
              recordingOfBatches(
                  spec, [&](std::int64_t rank) { return shard(rank, 2, splits, even, batchesOf(4, drops, sampler)); }),
              spec);
        };
        check({{"shuffle", false}}, kInOrder);
        check({{"shuffle", true}, {"generator_seed", std::int64_t{11}}}, kRandom);
        check({{"shuffle", true}, {"use_seedable_sampler", true}, {"data_seed", std::int64_t{42}}}, kSeedable);
      }
    }
  }
}

TEST_CASE("Accelerate's SeedableRandomSampler is recognised on one process, where nothing shards") {
  const PipelineSpec spec =
      jobOf("accelerate.BatchSamplerShard",
            {{"shuffle", true}, {"use_seedable_sampler", true}, {"data_seed", std::int64_t{42}}}, 1);
  checkProven(recordingOfBatches(spec, [](std::int64_t) { return batchesOf(2, false, kSeedable); }), spec);
}

TEST_CASE("the rest of an epoch behind skip_first_batches is recognised, in whichever epoch it is") {
  PipelineSpec spec = jobOf("accelerate.BatchSamplerShard",
                            {{"shuffle", true},
                             {"use_seedable_sampler", true},
                             {"data_seed", std::int64_t{44}},
                             {"skip_first_batches", std::int64_t{1}}},
                            2);
  spec.epochs = 1;
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  std::vector<ProbeText> ranks;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    ProbeText text(rank, 2, 2);
    text.loaderOfBatches(0, R"({"class":"accelerate.data_loader.SkipBatchSampler","values":{"skip_batches":1},)"
                            R"("samplers":{"batch_sampler":)" +
                                shard(rank, 2, false, true, batchesOf(2, false, kSeedable)) + "}}");
    const auto drawn = plan->rankEpoch(Epoch{0}, Rank{rank});
    REQUIRE(drawn);
    std::vector<std::vector<SampleIndex>> batches;
    for (Step step{0}; step.value < drawn->batches(); ++step) batches.push_back(drawn->batchSamples(step));
    text.pass(0, 0, 2, 0);  // initial_seed 42 in epoch 2
    text.batches(0, 0, batches);
    text.news(0, std::ssize(batches), std::ssize(batches));
    ranks.push_back(text);
  }
  checkProven(test::capturedLoader(ranks), spec);
}

TEST_CASE("seedable samplers that each took their rank's torch seed are a rule of seeds, and others are not one") {
  const auto seedable = [](std::int64_t seed) {
    return R"({"class":"accelerate.data_loader.SeedableRandomSampler","values":{"replacement":false,)"
           R"("_num_samples":null,"initial_seed":)" +
           std::to_string(seed) + "}}";
  };
  for (const std::int64_t second : {8, 9}) {
    std::vector<ProbeText> ranks;
    for (std::int64_t rank = 0; rank < 2; ++rank) {
      ProbeText text(rank, 2, 2);
      const std::int64_t seed = rank == 0 ? 7 : second;
      text.loaderOfBatches(0, shard(rank, 2, false, true, batchesOf(2, false, seedable(seed))));
      text.passWith(0, 0, R"("has_set_epoch":true,"epoch":0,"torch_seed":)" + std::to_string(7 + rank));
      text.batches(0, 0, {{0, 1}});
      text.news(0, 1, 1);
      ranks.push_back(text);
    }
    const CapturedLoader loader = test::capturedLoader(ranks);
    REQUIRE(!loader.reasons.empty());
    const bool is_rule = second == 8;
    CHECK((loader.reasons[0] == "Ranks 0 and 1 differ in sampler.initial_seed, which one spec cannot express.") ==
          !is_rule);
    CHECK((loader.reasons[0].find("Its sampler appears as accelerate.BatchSamplerShard") == 0) == is_rule);
  }
}

TEST_CASE("what accelerate.prepare makes of other samplers is recognised by the sampler inside") {
  const auto check = [](std::map<std::string, Value> parameters, const std::string& type, const std::string& batches) {
    parameters["inner"] = type;
    parameters["even_batches"] = true;
    PipelineSpec spec = jobOf("accelerate.DataLoaderShard", std::move(parameters), 2);
    spec.seeds.base = 7;
    checkProven(recordingOfBatches(spec, [&](std::int64_t rank) { return shard(rank, 2, false, true, batches); }),
                spec);
  };
  check({{"replacement", true},
         {"num_samples", std::int64_t{9}},
         {"weights", NumberList({1, 2, 3, 4, 5, 6, 7, 8, 9, 10})},
         {"generator", std::string("sampler")},
         {"generator_seed", std::int64_t{11}}},
        "torch.WeightedRandomSampler", batchesOf(2, false, kWeighted));
  check({{"num_replicas", std::string("nodes")}, {"rank", std::int64_t{0}}, {"seed", std::int64_t{3}}},
        "torch.DistributedSampler",
        batchesOf(2, false,
                  R"({"class":"torch.utils.data.distributed.DistributedSampler","values":{"num_replicas":1,"rank":0,)"
                  R"("epoch":0,"drop_last":false,"shuffle":true,"seed":3}})"));
  check(kTwoStreams, "ssl4mis.TwoStreamBatchSampler", twoStreams("dataloaders.dataset"));
  check(kTwoStreams, "meanteacher.TwoStreamBatchSampler", twoStreams("mean_teacher.data"));
}

TEST_CASE("seeds that each rank gives its own sampler are recognised by their base") {
  const auto weighted = [](std::int64_t base) {
    return [base](std::int64_t rank) {
      return R"({"class":"torch.utils.data.sampler.WeightedRandomSampler","values":{"replacement":true,)"
             R"("num_samples":6},"lists":{"weights":[1,2,3,4,5,6,7,8,9,10]},"generators":{"generator":{"seed":)" +
             std::to_string(base + rank) + R"(,"is_fresh":true}}})";
    };
  };
  PipelineSpec spec = jobOf("torch.WeightedRandomSampler",
                            {{"replacement", true},
                             {"num_samples", std::int64_t{6}},
                             {"weights", NumberList({1, 2, 3, 4, 5, 6, 7, 8, 9, 10})},
                             {"generator", std::string("sampler")},
                             {"generator_seed", std::string("base+rank")}},
                            2);
  spec.seeds.base = 7;
  checkProven(recordingOf(spec, weighted(7)), spec);
  spec.seeds.base = 100;  // but torch was seeded with 7, and workers follow that
  CHECK(recordingOf(spec, weighted(100)).is_recorded);

  spec = jobOf("torch.DistributedSampler", {{"seed", std::string("base+rank")}}, 2);
  spec.seeds.base = 7;
  const CapturedLoader loader = recordingOf(spec, [](std::int64_t rank) {
    return R"({"class":"torch.utils.data.distributed.DistributedSampler","values":{"num_replicas":2,"rank":)" +
           std::to_string(rank) + R"(,"epoch":0,"drop_last":false,"shuffle":true,"seed":)" + std::to_string(7 + rank) +
           "}}";
  });
  CHECK(loader.isProven());
  CHECK(loader.spec.spec.sampler.parameters.at("seed") == Value(std::string("base+rank")));
}

TEST_CASE("a shard that reads otherwise than it says is no proof of its rule") {
  PipelineSpec spec =
      jobOf("accelerate.BatchSamplerShard", {{"shuffle", false}, {"split_batches", true}, {"even_batches", true}}, 2);
  spec.loader.batch_size = 4;
  const auto captured = [&](const Says& says) { return recordingOfBatches(spec, says); };
  const CapturedLoader other =
      captured([](std::int64_t rank) { return shard(rank, 2, false, true, batchesOf(4, false, kInOrder)); });
  CHECK(other.is_recorded);
  CHECK(other.reasons.at(0).find("whose rule does not give what was read") != std::string::npos);
  const CapturedLoader ranks =
      captured([](std::int64_t rank) { return shard(1 - rank, 2, true, true, batchesOf(4, false, kInOrder)); });
  CHECK(ranks.is_recorded);
  CHECK(ranks.reasons.at(0).find("a rank other than the job's own") != std::string::npos);
  const CapturedLoader weighted =
      captured([](std::int64_t rank) { return shard(rank, 2, true, true, batchesOf(4, false, kWeighted)); });
  CHECK(weighted.is_recorded);
  CHECK(weighted.reasons.at(0) == "sampler.split_batches is true, but its rule has false.");
}

TEST_CASE("of a loader that rank 0 reads for all, nothing is said of what the ranks got") {
  std::vector<ProbeText> ranks;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    ProbeText text(rank, 2, 2);
    text.loaderOfBatches(0, batchesOf(5, false, kInOrder),
                         R"(,"dispatcher":{"class":"accelerate.data_loader.DataLoaderDispatcher",)"
                         R"("values":{"split_batches":false,"skip_batches":0}})");
    text.pass(0, 0, 0, 0);
    if (rank == 0) {
      text.batches(0, 0, {{0, 1, 2, 3, 4}, {5, 6, 7, 8, 9}});
      text.news(0, 2, 1);
    }
    ranks.push_back(text);
  }
  const CapturedLoader loader = test::capturedLoader(ranks);
  CHECK_FALSE(loader.isProven());
  CHECK_FALSE(loader.yaml);
  REQUIRE(loader.spec.problems.size() == 1);
  CHECK(loader.spec.problems[0].find("Rank 0 reads this loader for all ranks and sends each its part") == 0);
  CHECK(loader.findings.empty());
}

TEST_CASE("the samplers of Transformers are recognised") {
  const IndexList lengths({5, 3, 8, 1, 9, 2, 7, 4, 6, 10});
  const std::string list = R"("lists":{"lengths":[5,3,8,1,9,2,7,4,6,10]})";
  const auto check = [&](const std::string& type, std::map<std::string, Value> parameters, const Says& says) {
    PipelineSpec spec = jobOf("transformers." + type, std::move(parameters), 2);
    spec.dataset.lengths = lengths;
    checkProven(recordingOf(spec,
                            [&](std::int64_t rank) {
                              return R"({"class":"transformers.trainer_pt_utils.)" + type + R"(",)" + says(rank) + "}";
                            }),
                spec);
  };
  check("LengthGroupedSampler", {{"seed", std::int64_t{11}}}, [&](std::int64_t) {
    return R"("values":{"batch_size":2},"generators":{"generator":{"seed":11,"is_fresh":true}},)" + list;
  });
  check("DistributedLengthGroupedSampler", {{"seed", std::int64_t{3}}, {"drop_last", false}, {"set_epoch", true}},
        [&](std::int64_t rank) {
          return R"("values":{"batch_size":2,"epoch":0,"drop_last":false,"seed":3,)" + shareOf(rank, 2) + "}," + list;
        });
  check("DistributedSamplerWithLoop",
        {{"seed", std::int64_t{3}}, {"shuffle", true}, {"drop_last", false}, {"set_epoch", true}},
        [&](std::int64_t rank) {
          return R"("values":{"batch_size":2,"epoch":0,"drop_last":false,"shuffle":true,"seed":3,)" + shareOf(rank, 2) +
                 "}";
        });
  check("ShardSampler", {{"drop_last", false}}, [](std::int64_t rank) {
    return R"("values":{"batch_size":2,"drop_last":false,"num_processes":2,"process_index":)" + std::to_string(rank) +
           "}";
  });
  check("SequentialDistributedSampler", {{"batch_size", std::int64_t{4}}},
        [](std::int64_t rank) { return R"("values":{"batch_size":4,)" + shareOf(rank, 2) + "}"; });
}

TEST_CASE("a length-grouped sampler without a generator, or with another batch size, has reasons of its own") {
  PipelineSpec spec = jobOf("torch.SequentialSampler", {}, 1);
  const CapturedLoader loader = recordingOf(spec, [](std::int64_t) {
    return R"({"class":"transformers.trainer_pt_utils.LengthGroupedSampler","values":{"batch_size":8,)"
           R"("generator":null},"lists":{"lengths":[5,3,8,1,9,2,7,4,6,10]}})";
  });
  CHECK(loader.is_recorded);
  REQUIRE(loader.reasons.size() == 2);
  CHECK(loader.reasons[0] == "sampler.batch_size is 8, but its rule has 2.");
  CHECK(loader.reasons[1].find("which draws from torch's global generator") != std::string::npos);
}

TEST_CASE("the samplers of timm and MMEngine are recognised") {
  const PipelineSpec ordered = jobOf("timm.OrderedDistributedSampler", {}, 3);
  checkProven(recordingOf(ordered,
                          [](std::int64_t rank) {
                            return R"({"class":"timm.data.distributed_sampler.OrderedDistributedSampler","values":{)" +
                                   shareOf(rank, 3) + "}}";
                          }),
              ordered);
  for (const char* const repeats : {"3", "1.5"}) {
    const PipelineSpec repeated =
        jobOf("timm.RepeatAugSampler",
              {{"shuffle", true}, {"num_repeats", std::stod(repeats)}, {"selected_round", std::int64_t{0}}}, 2);
    checkProven(recordingOf(repeated,
                            [&](std::int64_t rank) {
                              return R"({"class":"timm.data.distributed_sampler.RepeatAugSampler","values":{)" +
                                     shareOf(rank, 2) + R"(,"shuffle":true,"num_repeats":)" + repeats +
                                     R"(,"epoch":0,"num_selected_samples":5}})";
                            }),
                repeated);
  }
  const PipelineSpec mmengine =
      jobOf("mmengine.DefaultSampler", {{"shuffle", true}, {"seed", std::int64_t{5}}, {"round_up", false}}, 3);
  checkProven(recordingOf(mmengine,
                          [](std::int64_t rank) {
                            return R"({"class":"mmengine.dataset.sampler.DefaultSampler","values":{"world_size":3,)"
                                   R"("rank":)" +
                                   std::to_string(rank) + R"(,"shuffle":true,"seed":5,"round_up":false,"epoch":0}})";
                          }),
              mmengine);
}

namespace {

/// A ScheduledBatchSampler of timm with this sampler inside and more members of `values`.
std::string scheduled(const std::string& weights, const std::string& inner, const std::string& more) {
  return R"({"class":"timm.data.scheduled_sampler.ScheduledBatchSampler","values":{"seed":4,"epoch":0,)" + more +
         R"(},"lists":{"batch_sizes":[3,2],"choice_weights":)" + weights + R"(},"samplers":{"sampler":)" + inner + "}}";
}

std::string distributedInside(std::int64_t rank, bool shuffle) {
  return R"({"class":"torch.utils.data.distributed.DistributedSampler","values":{)" + shareOf(rank, 2) +
         R"(,"epoch":0,"drop_last":false,"seed":6,"shuffle":)" + text(shuffle) + "}}";
}

}  // namespace

TEST_CASE("timm's ScheduledBatchSampler is recognised by its schedule and the sampler inside") {
  const Value seed = std::int64_t{4};
  const std::string constant =
      R"("drop_last":false,"shuffle_schedule":true,"num_batches":null,"choice_schedule":"constant",)"
      R"("schedule_epochs":null,"schedule_spread":0.65,"schedule_random_mix":0.1)";
  const PipelineSpec budget = jobOf("timm.ScheduledBatchSampler",
                                    {{"batch_sizes", IndexList({3, 2})},
                                     {"choice_weights", NumberList({0.25, 0.75})},
                                     {"seed", seed},
                                     {"drop_last", false},
                                     {"inner", std::string("distributed")},
                                     {"inner_seed", std::int64_t{6}},
                                     {"set_epoch", true}},
                                    2);
  const auto says = [&](bool shuffle) {
    return [&constant, shuffle](std::int64_t rank) {
      return scheduled("[0.25,0.75]", distributedInside(rank, shuffle), constant);
    };
  };
  const CapturedLoader loader = recordingOfBatches(budget, says(true));
  checkProven(loader, budget);
  CHECK(loader.spec.spec.loader.batch_size == 3);

  const PipelineSpec progressive = jobOf("timm.ScheduledBatchSampler",
                                         {{"batch_sizes", IndexList({3, 2})},
                                          {"seed", seed},
                                          {"shuffle_schedule", false},
                                          {"num_batches", std::int64_t{6}},
                                          {"choice_schedule", std::string("progressive")},
                                          {"schedule_epochs", std::int64_t{2}},
                                          {"schedule_spread", 0.0},
                                          {"schedule_random_mix", 0.5},
                                          {"inner", std::string("sequential")}},
                                         1);
  checkProven(recordingOfBatches(progressive,
                                 [](std::int64_t) {
                                   return scheduled("[0.5,0.5]", kInOrder,
                                                    R"("drop_last":true,"shuffle_schedule":false,"num_batches":6,)"
                                                    R"("choice_schedule":"progressive","schedule_epochs":2,)"
                                                    R"("schedule_spread":0,"schedule_random_mix":0.5)");
                                 }),
              progressive);

  const CapturedLoader other = recordingOfBatches(budget, says(false));
  CHECK(other.reasons.at(0) == "sampler.sampler.shuffle is false, but its rule has true.");
  const CapturedLoader unknown =
      recordingOfBatches(budget, [&](std::int64_t) { return scheduled("[0.25,0.75]", kRandom, constant); });
  CHECK(unknown.reasons.at(0) ==
        "sampler.sampler is torch.utils.data.sampler.RandomSampler, but its rule has DistributedSampler / "
        "SequentialSampler.");
  const CapturedLoader unlisted = recordingOfBatches(
      budget, [&](std::int64_t rank) { return scheduled("null", distributedInside(rank, true), constant); });
  CHECK(unlisted.reasons.at(0).find("sampler.choice_weights") != std::string::npos);
}

TEST_CASE("a RepeatAugSampler whose selected samples no usual value gives is not written as its rule") {
  const PipelineSpec spec = jobOf("torch.SequentialSampler", {}, 1);
  const CapturedLoader loader = recordingOf(spec, [](std::int64_t rank) {
    return R"({"class":"timm.data.distributed_sampler.RepeatAugSampler","values":{)" + shareOf(rank, 1) +
           R"(,"shuffle":false,"num_repeats":1,"epoch":0,"num_selected_samples":4}})";
  });
  CHECK(loader.is_recorded);
  CHECK(loader.reasons.at(0) == "sampler.num_selected_samples is 4, but its rule has 0.");
}

TEST_CASE("the batch samplers of Megatron are recognised, whichever module they are in") {
  const auto check = [](const std::string& module, const std::string& type, std::map<std::string, Value> parameters,
                        const std::string& more) {
    const std::string framework = module.starts_with("megatron.bridge") ? "megatron_bridge." : "megatron.";
    const PipelineSpec spec = jobOf(framework + type, std::move(parameters), 2);
    checkProven(recordingOfBatches(spec,
                                   [&](std::int64_t rank) {
                                     return R"({"class":")" + module + "." + type +
                                            R"(","values":{"total_samples":10,"micro_batch_size":2,)"
                                            R"("data_parallel_rank":)" +
                                            std::to_string(rank) + more + "}}";
                                   }),
                spec);
  };
  const std::string after = R"(,"micro_batch_times_data_parallel_size":4,"consumed_samples":4)";
  const Value consumed = std::int64_t{4};
  check("megatron.training.datasets.data_samplers", "MegatronPretrainingSampler",
        {{"consumed_samples", consumed}, {"drop_last", true}}, after + R"(,"drop_last":true)");
  check("megatron.legacy.data.data_samplers", "MegatronPretrainingRandomSampler",
        {{"consumed_samples", consumed}, {"data_sharding", true}}, after + R"(,"data_sharding":true)");
  check("megatron.training.datasets.data_samplers", "HybridCPMegatronPretrainingSampler",
        {{"consumed_samples", consumed}, {"drop_last", true}, {"global_batch_size", std::int64_t{4}}},
        after + R"(,"drop_last":true,"global_batch_size":4)");
  check("megatron.bridge.data.samplers", "MegatronPretrainingBatchSampler",
        {{"drop_last", true}, {"shuffle", true}, {"seed", std::int64_t{5}}, {"global_batch_size", std::int64_t{4}}},
        R"(,"micro_batch_times_data_parallel_size":4,"consumed_samples":0,"drop_last":true,"shuffle":true,"seed":5,)"
        R"("pad_samples_to_global_batch_size":false,"_global_batch_size":4)");
  const PipelineSpec validation = jobOf("megatron.MegatronFullValidationSampler", {}, 2);
  checkProven(recordingOfBatches(validation,
                                 [](std::int64_t rank) {
                                   return R"({"class":"megatron.training.datasets.data_samplers.)"
                                          R"(MegatronFullValidationSampler","values":{"total_samples":10,)"
                                          R"("micro_batch_size":1,"data_parallel_size":2,"data_parallel_rank":)" +
                                          std::to_string(rank) + "}}";
                                 }),
              validation);
}

TEST_CASE("torchdata's samplers are recognised, and where a state was loaded") {
  const auto stateful = [](const std::string& next_yielded) {
    return [next_yielded](std::int64_t rank) {
      return R"({"class":"torchdata.stateful_dataloader.sampler.StatefulDistributedSampler","values":{)" +
             shareOf(rank, 2) + R"(,"epoch":0,"drop_last":false,"shuffle":true,"seed":3,"yielded":0,"next_yielded":)" +
             next_yielded + "}}";
    };
  };
  PipelineSpec spec =
      jobOf("torchdata.StatefulDistributedSampler", {{"seed", std::int64_t{3}}, {"set_epoch", true}}, 2);
  checkProven(recordingOf(spec, stateful("null")), spec);
  spec.sampler.parameters["yielded"] = std::int64_t{2};
  checkProven(recordingOf(spec, stateful("2")), spec);
  const PipelineSpec random =
      jobOf("torchdata.RandomSampler", {{"replacement", false}, {"generator_seed", std::int64_t{11}}}, 1);
  checkProven(recordingOf(random,
                          [](std::int64_t) {
                            return R"({"class":"torchdata.stateful_dataloader.sampler.RandomSampler","values":{)"
                                   R"("replacement":false,"_num_samples":null},"generators":{"generator":{"seed":11,)"
                                   R"("is_fresh":true}}})";
                          }),
              random);
}

TEST_CASE("a TwoStreamBatchSampler is recognised wherever it was copied to, and drawn from NumPy's stream") {
  PipelineSpec spec = jobOf("ssl4mis.TwoStreamBatchSampler", kTwoStreams, 1);
  spec.seeds.base = 7;
  checkProven(recordingOfBatches(spec, [](std::int64_t) { return twoStreams("__main__"); }), spec);
  spec.seeds.base = 8;  // NumPy's seed is not torch's
  const CapturedLoader other = recordingOfBatches(spec, [](std::int64_t) { return twoStreams("__main__"); });
  CHECK(other.is_recorded);
  CHECK(other.reasons.at(0).find("which draws from NumPy's global stream") != std::string::npos);
}

TEST_CASE("the wrappers of Lightning and Catalyst are recognised by the sampler inside") {
  const auto check = [](const std::string& type, const std::string& framework, std::map<std::string, Value> parameters,
                        const std::string& name, const std::string& more) {
    parameters["set_epoch"] = true;
    parameters["shuffle"] = true;
    const PipelineSpec spec = jobOf(type, std::move(parameters), 2);
    const std::string inside = name.empty() ? "" : R"(,"samplers":{")" + name + R"(":)" + kWeighted + "}";
    checkProven(recordingOf(spec,
                            [&](std::int64_t rank) {
                              return R"({"class":")" + framework + type.substr(type.find('.')) + R"(","values":{)" +
                                     shareOf(rank, 2) + R"(,"epoch":0,"shuffle":true)" + more + "}" + inside + "}";
                            }),
                spec);
  };
  const std::map<std::string, Value> weighted = {
      {"inner", std::string("weighted")},    {"replacement", true},
      {"num_samples", std::int64_t{9}},      {"weights", NumberList({1, 2, 3, 4, 5, 6, 7, 8, 9, 10})},
      {"generator", std::string("sampler")}, {"generator_seed", std::int64_t{11}}};
  std::map<std::string, Value> seeded = weighted;
  seeded["seed"] = std::int64_t{3};
  seeded["drop_last"] = false;
  for (const char* module : {"lightning.fabric.utilities.distributed", "pytorch_lightning.overrides.distributed"}) {
    check("lightning.DistributedSamplerWrapper", module, seeded, "dataset", R"(,"seed":3,"drop_last":false)");
  }
  check("lightning.UnrepeatedDistributedSamplerWrapper", "lightning.pytorch.overrides.distributed", weighted, "dataset",
        "");
  check("lightning.UnrepeatedDistributedSampler", "lightning.pytorch.overrides.distributed", {}, "", "");
  check("catalyst.DistributedSamplerWrapper", "catalyst.data.sampler", weighted, "sampler", "");
}
