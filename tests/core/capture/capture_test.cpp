// SPDX-License-Identifier: Apache-2.0
// Recordings of jobs, written here: what capture makes of them. Real jobs: tests/integration/capture.
#include "core/capture/capture.h"

#include "core/capture/capture_words.h"
#include "core/plan/plan.h"
#include "core/random/torch_generator.h"
#include "tests/core/capture/captured.h"
#include "tests/core/capture/probe_text.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

using namespace shardlens;
using shardlens::capture::Capture;
using shardlens::capture::CapturedLoader;
using shardlens::test::captured;
using shardlens::test::ProbeText;
using shardlens::test::TempFolder;

namespace {

using Batches = std::vector<std::vector<SampleIndex>>;

/// What torch.DistributedSampler gives for 10 samples in batches of 2.
Batches planned(std::int64_t replicas, std::int64_t replica, std::int64_t epoch) {
  PipelineSpec spec;
  spec.dataset.size = 10;
  spec.world = {1, replicas};
  spec.loader.batch_size = 2;
  spec.epochs = epoch + 1;
  spec.framework.torch = "1.13";
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  const auto drawn = plan->rankEpoch(Epoch{epoch}, Rank{replica});
  REQUIRE(drawn);
  Batches batches;
  for (Step step{0}; step.value < drawn->batches(); ++step) batches.push_back(drawn->batchSamples(step));
  return batches;
}

/// A pass with these batches, which the sampler ended with.
void addPass(ProbeText& text, std::int64_t number, std::int64_t epoch, std::int64_t calls, const Batches& batches) {
  text.pass(number, 0, epoch, calls);
  text.batches(number, 0, batches);
  const auto count = static_cast<std::int64_t>(batches.size());
  text.news(number, count, count);
}

/// Two ranks, two epochs; `change` may spoil what rank 1 reads in epoch 1.
CapturedLoader twoRanks(bool sets_epoch, const std::function<void(Batches&)>& change = {}) {
  std::vector<ProbeText> ranks;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    ProbeText text(rank, 2, 2);
    text.loader(0, rank, 2);
    for (std::int64_t epoch = 0; epoch < 2; ++epoch) {
      Batches batches = planned(2, rank, sets_epoch ? epoch : 0);
      if (change && rank == 1 && epoch == 1) change(batches);
      addPass(text, epoch, sets_epoch ? epoch : 0, sets_epoch ? epoch + 1 : 0, batches);
    }
    ranks.push_back(text);
  }
  Capture all = captured(ranks);
  REQUIRE(all.loaders.size() == 1);
  return all.loaders[0];
}

}  // namespace

TEST_CASE("a right job becomes a spec that plans every batch") {
  const CapturedLoader loader = twoRanks(true);
  CHECK(loader.isProven());
  CHECK(loader.job.name == "train");
  CHECK(loader.agreement.batches == 12);
  CHECK(loader.findings.empty());
  CHECK(loader.spec.spec.epochs == 2);
  CHECK(std::get<bool>(loader.spec.spec.sampler.parameters.at("set_epoch")));
  REQUIRE(loader.yaml);
  CHECK(loader.yaml->find("All 12 batches of epochs 0 and 1 on ranks 0 and 1 are as torch.DistributedSampler (seed 0) "
                          "computes them.") != std::string::npos);
}

TEST_CASE("set_epoch that is never called is said") {
  const CapturedLoader loader = twoRanks(false);
  CHECK(loader.isProven());
  CHECK_FALSE(std::get<bool>(loader.spec.spec.sampler.parameters.at("set_epoch")));
  REQUIRE(loader.findings.size() == 1);
  CHECK(loader.findings[0].text.find("set_epoch was never called") == 0);
}

TEST_CASE("of a sampler within a BatchSampler, and of a class of its own, it is said what was seen of set_epoch") {
  const auto found = [](const std::string& type) {
    ProbeText text(0, 1, 1);
    text.loaderOfBatches(0, R"({"class":"torch.utils.data.sampler.BatchSampler","values":{"batch_size":2,"drop_last":)"
                            R"(false},"samplers":{"sampler":{"class":")" +
                                type +
                                R"(","values":{"num_replicas":1,"rank":0,"epoch":0,"drop_last":false,"shuffle":true,)"
                                R"("seed":0}}}})");
    for (const std::int64_t pass : {0, 1}) addPass(text, pass, 0, 0, planned(1, 0, 0));
    capture::CaptureOptions how;
    how.search = false;
    const Capture all = captured({text}, how);
    REQUIRE(all.loaders.at(0).findings.size() == 1);
    return all.loaders[0].findings[0].text;
  };
  CHECK(found("torch.utils.data.distributed.DistributedSampler")
            .find("set_epoch was never called: all 2 epochs have the order of epoch 0.") == 0);
  // Its set_epoch may be one whose calls are not counted.
  CHECK(found("mine.Sampler").find("The sampler's epoch stayed 0: all 2 epochs have the order of epoch 0.") == 0);
}

/// A pass of a rank.
struct Read {
  std::int64_t epoch = 0;  ///< that the sampler says
  std::int64_t calls = 0;  ///< of set_epoch before the pass
  std::int64_t order = 0;  ///< the epoch that the batches are of
};

/// The findings of two ranks or more that read these passes.
std::string found(const std::vector<std::vector<Read>>& of_ranks) {
  std::vector<ProbeText> ranks;
  for (std::size_t rank = 0; rank < of_ranks.size(); ++rank) {
    const auto number = static_cast<std::int64_t>(rank);
    ProbeText text(number, 2, 2);
    text.loader(0, number, 2);
    for (std::size_t pass = 0; pass < of_ranks[rank].size(); ++pass) {
      const Read& read = of_ranks[rank][pass];
      addPass(text, static_cast<std::int64_t>(pass), read.epoch, read.calls, planned(2, number, read.order));
    }
    ranks.push_back(text);
  }
  capture::CaptureOptions how;
  how.search = false;
  std::string all;
  const auto job = captured(ranks, how);
  for (const capture::RunFinding& finding : job.loaders.at(0).findings)
    all += finding.title + "\n" + finding.text + "\n";
  return all;
}

TEST_CASE("epochs of ranks are judged by what was read") {
  const std::vector<Read> right = {{0, 1, 0}, {1, 2, 1}, {2, 3, 2}};
  CHECK(found({right, right}).empty());
  // Rank 1 forgets it: in its last epoch, or always.
  const std::string last = found({right, {{0, 1, 0}, {1, 2, 1}, {1, 2, 1}}});
  CHECK(last.find("In pass 2 of this loader, rank 1 reads epoch 1, rank 0 reads epoch 2, as their samplers report.") !=
        std::string::npos);
  CHECK(last.find("On rank 1, pass 2 has the batches of pass 1 again. The sampler shuffles by the epoch that") !=
        std::string::npos);
  const std::string always = found({right, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}});
  CHECK(always.find("A rank has the same order in every epoch") == 0);
  CHECK(always.find("set_epoch was never called on rank 1: all 3 epochs have the order of epoch 0.") !=
        std::string::npos);
  CHECK(always.find("In pass 1 of this loader, rank 1 reads epoch 0, rank 0 reads epoch 1") != std::string::npos);
  // What is said of a rank was seen on that rank.
  const std::vector<Read> zeros = {{0, 1, 0}, {0, 2, 0}, {0, 3, 0}};
  const std::string both = found({zeros, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}});
  CHECK(both.find("Every epoch has the same order") == 0);
  CHECK(both.find("set_epoch was never called on rank 1: all 3 epochs") != std::string::npos);
  CHECK(both.find("set_epoch was called before each epoch on rank 0, and always with 0: all 3 epochs") !=
        std::string::npos);
}

TEST_CASE("epochs that come again are judged by what was read") {
  // Each epoch is read twice.
  const std::vector<Read> twice = {{0, 1, 0}, {0, 2, 0}, {1, 3, 1}, {1, 4, 1}};
  CHECK(found({twice, twice})
            .find("On rank 0, pass 1 has the batches of pass 0 again, pass 3 has the batches of pass 2 "
                  "again.") != std::string::npos);
  // set_epoch is called, and changes nothing: 12 samples or more do not come in one order by chance.
  ProbeText deaf(0, 1, 1);
  deaf.loader(0, 0, 1);
  Batches order = planned(1, 0, 0);
  order.insert(order.end(), {{0, 1}});
  for (const std::int64_t epoch : {0, 1}) addPass(deaf, epoch, epoch, epoch + 1, order);
  capture::CaptureOptions no_search;
  no_search.search = false;
  const auto findings = test::textsOf(captured({deaf}, no_search).loaders.at(0).findings);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0] ==
        "On rank 0, pass 1 has the batches of pass 0 again. Its sampler reports another epoch in some of these passes, "
        "but its order did not change.");
  // A sampler of its own seed in each epoch: it says epoch 0 each time, and the batches differ.
  const std::vector<Read> anew = {{0, 0, 0}, {0, 0, 1}, {0, 0, 2}};
  CHECK(found({anew, anew}).empty());
  const std::vector<Read> never = {{0, 0, 0}, {0, 0, 0}};
  CHECK(found({never, never}).find("Every epoch has the same order\nset_epoch was never called: all 2 epochs") == 0);
}

TEST_CASE("where a known sampler's rule gives other batches, what was read is written, and the first one named") {
  const CapturedLoader loader = twoRanks(true, [](Batches& batches) { std::swap(batches[1][0], batches[1][1]); });
  CHECK(loader.isProven());
  CHECK(loader.is_recorded);
  CHECK(words::agreement(loader) ==
        "12 batches on ranks 0 and 1 are recorded.");  // that they are as read proves nothing
  CHECK(loader.spec.spec.sampler.type == "recorded.Batches");
  CHECK(accountOf(loader).sampler.starts_with("recorded batches"));
  REQUIRE(loader.reasons.size() == 1);
  CHECK(loader.reasons[0].find("torch.DistributedSampler, whose rule does not give what was read. 11 of 12 batches of "
                               "epochs 0 and 1 on ranks 0 and 1 are as torch.DistributedSampler (seed 0) computes "
                               "them. First difference: rank 1, epoch 1, step 1: the job read [") != std::string::npos);
}

TEST_CASE("a sampler that ends before its plan does, or after it, differs") {
  const CapturedLoader early = twoRanks(true, [](Batches& batches) { batches.pop_back(); });
  CHECK(early.is_recorded);
  CHECK(early.reasons.at(0).find("step 2: the job has no such batch, the rule gives [") != std::string::npos);
  REQUIRE(early.findings.size() == 1);
  CHECK(early.findings[0].text.find("rank 1 2, rank 0 3") != std::string::npos);
  const CapturedLoader late = twoRanks(true, [](Batches& batches) { batches.push_back({0}); });
  CHECK(late.reasons.at(0).find("step 3: the job read [0], the rule gives no such batch") != std::string::npos);
}

TEST_CASE("batches that were drawn and not recorded are counted") {
  ProbeText text(0, 2, 2);
  text.loader(0, 0, 2);
  Batches batches = planned(2, 0, 0);
  text.pass(0, 0, 0, 1);
  text.batches(0, 0, {batches[0]});
  text.news(0, 3, 3);
  text.pass(1, 0, 1, 2);  // of which no batch is recorded
  const Capture all = captured({text});
  CHECK(all.loaders.at(0).agreement.not_recorded == 2);
  REQUIRE(all.loaders.at(0).yaml);
  CHECK(all.loaders.at(0).yaml->find("The batch of epoch 0 on rank 0 is as torch.DistributedSampler (seed 0) computes "
                                     "it. 2 more batches were drawn and not recorded.") != std::string::npos);
  CHECK(all.loaders.at(0).yaml->find("Of 2 ranks, only rank 0 was seen to read this loader.") != std::string::npos);
}

TEST_CASE("local_rank that is passed as rank is recognised, and who reads the same is named") {
  std::vector<ProbeText> ranks;
  for (std::int64_t rank = 0; rank < 4; ++rank) {
    ProbeText text(rank, 4, 2);
    text.loader(0, rank % 2, 2);
    addPass(text, 0, 0, 1, planned(2, rank % 2, 0));
    ranks.push_back(text);
  }
  const Capture all = captured(ranks);
  const CapturedLoader& loader = all.loaders.at(0);
  CHECK(loader.isProven());
  CHECK(loader.spec.spec.world.nodes == 2);
  CHECK(std::get<std::string>(loader.spec.spec.sampler.parameters.at("rank")) == "local_rank");
  CHECK(std::get<std::string>(loader.spec.spec.sampler.parameters.at("num_replicas")) == "ranks_per_node");
  REQUIRE(loader.findings.size() == 1);
  CHECK(loader.findings[0].text.find("ranks 0 and 2 read the same batches, and so do ranks 1 and 3") !=
        std::string::npos);
}

TEST_CASE("ranks whose samplers were given one rank, in regular blocks, may divide one copy of the model") {
  const auto job = [](const std::function<std::int64_t(std::int64_t)>& replica) {
    std::vector<ProbeText> ranks;
    for (std::int64_t rank = 0; rank < 8; ++rank) {
      ProbeText text(rank, 8, 8);
      text.loader(0, replica(rank), 4);
      addPass(text, 0, 0, 1, planned(4, replica(rank), 0));
      ranks.push_back(text);
    }
    return captured(ranks).loaders.at(0);
  };
  const std::string right = "This is right if the ranks that read the same divide one copy of the model.";
  const CapturedLoader tensor = job([](std::int64_t rank) { return rank / 2; });
  CHECK(tensor.isProven());
  CHECK_FALSE(tensor.is_recorded);
  CHECK(tensor.spec.spec.world == PipelineSpec::World{1, 8, {.tensor = 2}});
  CHECK(tensor.spec.spec.sampler.parameters.at("num_replicas") == Value(std::string("data_parallel_size")));
  CHECK(tensor.spec.spec.sampler.parameters.at("rank") == Value(std::string("data_parallel_rank")));
  REQUIRE(tensor.yaml);
  CHECK(tensor.yaml->find("groups of 2 ranks gave their samplers one and the same rank") != std::string::npos);
  CHECK(tensor.yaml->find("groups: {tensor: 2}") != std::string::npos);
  REQUIRE(tensor.findings.size() == 1);
  CHECK(tensor.findings[0].text.find("ranks 0 and 1 read the same batches") != std::string::npos);
  CHECK(tensor.findings[0].text.find(right) != std::string::npos);

  const CapturedLoader apart = job([](std::int64_t rank) { return rank % 4; });
  CHECK(apart.isProven());
  CHECK(apart.spec.spec.world == PipelineSpec::World{1, 8, {.pipeline = 2}});
  REQUIRE(apart.findings.size() == 1);
  CHECK(apart.findings[0].text.find(right) != std::string::npos);

  const CapturedLoader irregular = job([](std::int64_t rank) { return rank == 7 ? 0 : rank / 2; });
  CHECK(irregular.spec.spec.world == PipelineSpec::World{1, 8});
  REQUIRE(irregular.findings.size() == 1);
  CHECK(irregular.findings[0].text.find(right) == std::string::npos);
}

TEST_CASE("seeds of each copy of the model, and batches that no rule gives, keep the groups") {
  std::vector<ProbeText> ranks;
  for (std::int64_t rank = 0; rank < 4; ++rank) {
    ProbeText text(rank, 4, 4);
    text.loader(0, rank / 2, 2);
    text.passWith(0, 0,
                  R"("has_set_epoch":true,"epoch":0,"set_epoch_calls":1,"torch_seed":)" + std::to_string(7 + rank / 2));
    Batches batches = planned(2, rank / 2, 0);
    std::swap(batches[0], batches[1]);
    text.batches(0, 0, batches);
    text.news(0, 3, 3);
    ranks.push_back(text);
  }
  const CapturedLoader loader = captured(ranks).loaders.at(0);
  CHECK(loader.is_recorded);
  CHECK(loader.isProven());
  CHECK(loader.spec.spec.world == PipelineSpec::World{1, 4, {.tensor = 2}});
  CHECK(loader.spec.spec.seeds == PipelineSpec::Seeds{7, "base+data_parallel_rank"});
}

TEST_CASE("ranks that read the same only because the sampler pads are not accused") {
  // 10 samples for 12 ranks: the last two get the samples of the first two.
  const auto job = [](std::int64_t world, const std::function<std::int64_t(std::int64_t)>& replica) {
    std::vector<ProbeText> ranks;
    for (std::int64_t rank = 0; rank < world; ++rank) {
      ProbeText text(rank, world, 12);
      text.loader(0, replica(rank), 12);
      addPass(text, 0, 0, 1, planned(12, replica(rank), 0));
      ranks.push_back(text);
    }
    return captured(ranks).loaders.at(0);
  };
  const CapturedLoader padded = job(12, [](std::int64_t rank) { return rank; });
  CHECK(padded.isProven());
  CHECK(padded.findings.empty());
  // Two nodes that read the same slices share more than that.
  const CapturedLoader twice = job(24, [](std::int64_t rank) { return rank % 12; });
  CHECK(twice.isProven());
  REQUIRE(twice.findings.size() == 1);
  CHECK(twice.findings[0].code == "run-ranks-share-samples");
  CHECK(twice.findings[0].text.find("ranks 0, 10, 12 and 22 read the same batches") != std::string::npos);
  // So does a rank that follows no plan.
  const CapturedLoader wrong = job(12, [](std::int64_t rank) { return rank == 5 ? 4 : rank; });
  CHECK(wrong.is_recorded);
  REQUIRE(wrong.findings.size() == 1);
  CHECK(wrong.findings[0].code == "run-ranks-share-samples");
}

TEST_CASE("nodes with different numbers of ranks are written node by node, and what each passes is recognised") {
  const auto job = [](const std::vector<std::int64_t>& beside, bool takes_own_node) {
    std::vector<ProbeText> ranks;
    for (std::int64_t rank = 0; rank < 3; ++rank) {
      const std::int64_t on_node = beside[static_cast<std::size_t>(rank)];
      const std::int64_t replicas = takes_own_node ? 2 * on_node : 3;
      ProbeText text(rank, 3, on_node);
      text.loader(0, rank, replicas);
      addPass(text, 0, 0, 1, planned(replicas, rank, 0));
      ranks.push_back(text);
    }
    return captured(ranks).loaders.at(0);
  };
  const CapturedLoader right = job({2, 2, 1}, false);
  CHECK(right.isProven());
  CHECK(right.spec.spec.world == PipelineSpec::World{2, RanksPerNode({2, 1})});
  CHECK(std::get<std::string>(right.spec.spec.sampler.parameters.at("num_replicas")) == "world_size");
  const CapturedLoader wrong = job({1, 2, 2}, true);  // as in pytorch-lightning#19898
  CHECK(wrong.isProven());
  CHECK(wrong.spec.spec.world == PipelineSpec::World{2, RanksPerNode({1, 2})});
  CHECK(std::get<std::string>(wrong.spec.spec.sampler.parameters.at("num_replicas")) == kNodesTimesRanks);
  const CapturedLoader unknown = job({2, 2, 2}, false);  // which no three ranks are
  CHECK(unknown.spec.spec.world == PipelineSpec::World{1, 3});
  CHECK(unknown.job.remarks == std::vector<std::string>{words::nodesUnknown()});
}

TEST_CASE("a batch that one rank only looks at shifts none of its passes") {
  const auto job = [](const std::vector<std::int64_t>& looks) {
    std::vector<ProbeText> ranks;
    for (std::int64_t rank = 0; rank < 2; ++rank) {
      ProbeText text(rank, 2, 2);
      text.loader(0, rank, 2);
      std::int64_t number = 0;
      for (; number < looks[static_cast<std::size_t>(rank)]; ++number) {
        text.pass(number, 0, 0, 0);
        text.batches(number, 0, {planned(2, rank, 0).front()});
        text.news(number, ProbeText::News{1, 1, 0, 0, false});
      }
      for (std::int64_t epoch = 0; epoch < 2; ++epoch)
        addPass(text, number + epoch, epoch, epoch + 1, planned(2, rank, epoch));
      ranks.push_back(text);
    }
    return captured(ranks).loaders.at(0);
  };
  const CapturedLoader one = job({2, 0});
  CHECK(one.isProven());
  CHECK(one.findings.empty());
  REQUIRE(one.job.remarks.size() == 1);
  CHECK(one.job.remarks[0].find("(rank 0: 2)") != std::string::npos);
  for (const capture::RankLoader& rank : one.job.ranks) CHECK(rank.passes.size() == 2);
  const CapturedLoader all = job({1, 1});
  CHECK(all.isProven());
  CHECK(all.spec.spec.epochs == 2);
  CHECK(all.job.remarks == std::vector<std::string>{
                               "Each rank took a single batch out of this loader, without a backward pass, and read it "
                               "in a later pass. That look is not counted as a pass."});
  for (const capture::RankLoader& rank : all.job.ranks) CHECK(rank.passes.size() == 2);
}

TEST_CASE("a look elsewhere shifts no passes where each epoch has a loader of its own") {
  std::vector<ProbeText> ranks;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    ProbeText text(rank, 2, 2);
    text.loader(0, rank, 2, true, rank == 0 ? "train.py:7" : "train.py:5");
    if (rank == 1) {
      text.pass(0, 0, 0, 0);
      text.batches(0, 0, {planned(2, rank, 0).front()});
      text.news(0, ProbeText::News{1, 1, 0, 0, false});
    }
    addPass(text, rank, 0, 1, planned(2, rank, 0));
    const Batches batches = planned(2, rank, 1);
    text.loader(1, rank, 2, true, "train.py:7");
    text.pass(rank + 1, 1, 1, 1);
    text.batches(rank + 1, 0, batches);
    text.news(rank + 1, std::ssize(batches), std::ssize(batches));
    ranks.push_back(text);
  }
  const Capture all = captured(ranks);
  REQUIRE(all.loaders.size() == 1);
  CHECK(all.loaders[0].isProven());
  CHECK(all.loaders[0].findings.empty());
  CHECK(all.loaders[0].job.site == "train.py:7");
  for (const capture::RankLoader& rank : all.loaders[0].job.ranks) CHECK(rank.passes.size() == 2);
}

TEST_CASE("a look elsewhere shifts no loaders where those of the epochs differ in length") {
  for (const std::int64_t looker : {0, 1}) {
    std::vector<ProbeText> ranks;
    for (std::int64_t rank = 0; rank < 2; ++rank) {
      ProbeText text(rank, 2, 2);
      std::int64_t number = 0;
      for (std::int64_t epoch = 0; epoch < 2; ++epoch) {
        const bool is_looked_at = rank == looker && epoch == 0;
        text.loader(epoch, rank, 2, true, is_looked_at ? "train.py:5" : "train.py:7", 10 - 2 * epoch);
        if (is_looked_at) {
          text.pass(number, epoch, 0, 0);
          text.batches(number, 0, {{rank, rank + 2}});
          text.news(number++, ProbeText::News{1, 1, 0, 0, false});
        }
        for (const std::int64_t backwards : {2, 0}) {  // trained on, then validated on
          text.pass(number, epoch, epoch, 1);
          text.batches(number, 0, {{rank, rank + 2}, {rank + 4, rank + 6}});
          text.news(number++, ProbeText::News{2, 2, backwards, backwards, true, true});
        }
      }
      ranks.push_back(text);
    }
    const Capture all = captured(ranks);
    REQUIRE(all.loaders.size() == 2);
    for (const CapturedLoader& loader : all.loaders) {
      CHECK(loader.findings.empty());
      CHECK(loader.job.site == "train.py:7");
      REQUIRE(loader.job.ranks.size() == 2);
      for (const capture::RankLoader& rank : loader.job.ranks) {
        CHECK(rank.passes.size() == 2);
        CHECK(rank.loader.dataset_length == loader.job.ranks.front().loader.dataset_length);
      }
    }
  }
}

TEST_CASE("looks at two loaders that are alike, in one line, shift neither of them") {
  std::vector<ProbeText> ranks;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    ProbeText text(rank, 2, 2);
    for (const std::int64_t loader : {0, 1})
      text.loader(loader, rank, 2, loader == 0, rank == 0 ? "train.py:10" : "train.py:20");
    const Batches batches = {{rank, rank + 2}, {rank + 4, rank + 6}};
    std::int64_t number = 0;
    for (; rank == 0 && number < 2; ++number) {
      text.pass(number, number, 0, 0);
      text.batches(number, 0, {batches.front()});
      text.news(number, ProbeText::News{1, 1, 0, 0, false});
    }
    for (std::int64_t i = 0; i < 4; ++i, ++number) {
      text.pass(number, i % 2, i / 2, i / 2 + 1);
      text.batches(number, 0, batches);
      text.news(number, ProbeText::News{2, 2, 2, 2, true, true});
    }
    ranks.push_back(text);
  }
  const Capture all = captured(ranks);
  REQUIRE(all.loaders.size() == 2);
  for (const CapturedLoader& loader : all.loaders) {
    CHECK(loader.job.site == "train.py:20");
    REQUIRE(loader.job.ranks.size() == 2);
    for (const capture::RankLoader& rank : loader.job.ranks) {
      CHECK(rank.loader.number == loader.job.ranks.front().loader.number);
      CHECK(rank.passes.size() == 2);
    }
  }
}

TEST_CASE("what a killed rank looked at is a look where it then drew more than one batch") {
  ProbeText text(0, 5, 5);
  text.loader(0, 0, 5);
  for (std::int64_t pass = 0; pass < 2; ++pass) {
    text.pass(pass, 0, 0, 0);
    text.batches(pass, 0, pass == 0 ? Batches{{1, 2}} : Batches{{1, 2}, {3, 4}});
    text.news(pass, ProbeText::News{1 + pass, 1 - pass, 0, 0, false});
  }
  CHECK(captured({text}).loaders.at(0).job.ranks.at(0).passes.size() == 1);
}

TEST_CASE("the only batch of an epoch is a look where the loop does not ask for another one, and later does") {
  const auto passes = [](bool asks_first, bool asks_later) {
    ProbeText text(0, 5, 5);
    text.loader(0, 0, 5);
    for (std::int64_t pass = 0; pass < 2; ++pass) {
      text.pass(pass, 0, 0, 0);
      text.batches(pass, 0, planned(5, 0, 0));
      text.news(pass, ProbeText::News{1, 1, 0, 0, true, pass == 0 ? asks_first : asks_later});
    }
    return captured({text}).loaders.at(0).job.ranks.at(0).passes.size();
  };
  CHECK(passes(false, true) == 1);
  CHECK(passes(true, true) == 2);
  CHECK(passes(false, false) == 2);  // each epoch is left after a batch
}

TEST_CASE("a look that takes the next part of an order that goes on is a pass like any other") {
  ProbeText text(0, 1, 1);
  text.loaderWith(0, R"({"class":"torch.utils.data.sampler.WeightedRandomSampler","values":{"num_samples":4,)"
                     R"("replacement":true},"lists":{"weights":[1,1,1,1,1,1,1,1,1,1]},)"
                     R"("generators":{"generator":{"seed":5}}})");
  for (std::int64_t pass = 0; pass < 2; ++pass) {
    text.passWith(pass, 0, R"("torch_seed":7,"grad":true)");
    text.batches(pass, 0, {{1, 2}, {3, 4}});
    text.news(pass, ProbeText::News{2, pass + 1, 0, 0, pass == 1});
  }
  CHECK(captured({text}).loaders.at(0).job.ranks.at(0).passes.size() == 2);
}

TEST_CASE("a pass that ends without a batch is no look") {
  std::vector<ProbeText> ranks;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    ProbeText text(rank, 2, 2);
    text.iterable(0);
    for (std::int64_t pass = 0; pass < 2; ++pass) {
      text.pass(pass, 0, 0, 0);
      text.opaque(pass, 1);
      text.news(pass, ProbeText::News{1, rank, rank, 0, false, true});
    }
    ranks.push_back(text);
  }
  const CapturedLoader loader = captured(ranks).loaders.at(0);
  for (const capture::RankLoader& rank : loader.job.ranks) CHECK(rank.passes.size() == 2);
  for (const std::string& remark : loader.job.remarks) CHECK(remark.find("took a single batch") == std::string::npos);
}

TEST_CASE("two zipped loaders that are alike are two, in a single epoch, too") {
  ProbeText text(0, 1, 1);
  for (std::int64_t number = 0; number < 2; ++number) {
    text.loader(number, 0, 1 + number);
    text.pass(number, number, 0, 0);
  }
  for (std::int64_t number = 0; number < 2; ++number) {
    text.batches(number, 0, {planned(1 + number, 0, 0).front()});
    text.news(number, ProbeText::News{1, 1, 0, 0, false});
  }
  text.end();
  const Capture all = captured({text});
  REQUIRE(all.loaders.size() == 2);
  for (const CapturedLoader& loader : all.loaders) CHECK(loader.job.ranks.at(0).passes.size() == 1);
}

TEST_CASE("of zipped loaders, the one that trains is the one that shuffles, and else it is not known") {
  const auto job = [](bool second_shuffles) {
    ProbeText text(0, 1, 1);
    for (std::int64_t number = 0; number < 2; ++number) {
      text.loader(number, 0, 1 + number, number == 0 || second_shuffles);
      text.pass(number, number, 0, 0);
    }
    for (std::int64_t number = 0; number < 2; ++number) text.batches(number, 0, planned(1 + number, 0, 0));
    text.news(0, ProbeText::News{2, 2, 0, 2, true, true});  // what is drawn last takes the backward passes
    text.news(1, ProbeText::News{2, 2, 2, 1, true});
    text.end();
    return captured({text});
  };
  const Capture all = job(true);
  REQUIRE(all.loaders.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    const capture::JobLoader& loader = all.loaders[i].job;
    CHECK(loader.name == (i == 0 ? "loader" : "loader-2"));
    CHECK(words::capturedFrom(loader).find("Loader " + std::to_string(i + 1) + " of 2 that train.py:7 reads") == 0);
  }
  const Capture told = job(false);
  REQUIRE(told.loaders.size() == 2);
  CHECK(told.loaders[0].job.name == "train");
  CHECK(told.loaders[1].job.name == "loader");
}

TEST_CASE("a generator that goes on after passes that were left draws as torch does") {
  const auto job = [](bool is_whole) {
    ProbeText text(0, 1, 1);
    text.loaderWith(0, R"({"class":"torch.utils.data.sampler.RandomSampler","values":{"replacement":false,)"
                       R"("_num_samples":null},"generators":{"generator":{"seed":3,"is_fresh":true}}},)"
                       R"("shares_generator":true)");
    // What DataLoader(range(10), 2, shuffle=True, generator=...manual_seed(3)) of torch 1.13 gives by islice(loader,
    // 2).
    const std::vector<std::vector<std::vector<SampleIndex>>> read = {{{7, 4}, {2, 9}}, {{9, 1}, {7, 0}}};
    for (std::int64_t pass = 0; pass < 2; ++pass) {
      text.pass(pass, 0, 0, 0);
      text.batches(pass, 0, read[static_cast<std::size_t>(pass)]);
      text.news(pass, ProbeText::News{2, 2, 2, 2, is_whole && pass == 1});
    }
    text.end();
    return captured({text}).loaders.at(0);
  };
  const CapturedLoader left = job(false);
  REQUIRE(left.reasons.size() == 1);
  CHECK(left.reasons[0].find("Every batch is what torch.RandomSampler gives with its generator if every pass is left "
                             "before its end") == 0);
  CHECK(left.rules.tried == 0);
  REQUIRE(job(true).reasons.size() == 1);
  CHECK(job(true).reasons[0].find("the rule reads every pass to its end. Here some passes were left early") !=
        std::string::npos);
}

TEST_CASE("a seed of torch is named only where it is that of the pass, and the samplers have no other") {
  const auto found = [](const std::string& generators, std::int64_t seed_of_second) {
    std::vector<ProbeText> ranks;
    for (std::int64_t rank = 0; rank < 2; ++rank) {
      ProbeText text(rank, 2, 2);
      text.loaderWith(
          0, R"({"class":"torch.utils.data.sampler.RandomSampler","values":{"replacement":false})" + generators + "}");
      text.passWith(0, 0, R"("torch_seed":)" + std::to_string(rank == 0 ? 7 : seed_of_second));
      text.batches(0, 0, {{3, 1}, {4, 0}});
      text.news(0, 2, 2);
      ranks.push_back(text);
    }
    capture::CaptureOptions how;
    how.search = false;
    const Capture all = captured(ranks, how);
    REQUIRE(all.loaders.at(0).findings.size() == 1);
    return all.loaders[0].findings[0].text;
  };
  CHECK(found("", 7).find("the same batches: every rank has a RandomSampler and torch seed 7.") != std::string::npos);
  CHECK(found("", 8).find("torch seed") == std::string::npos);
  CHECK(found(R"(,"generators":{"generator":{"seed":3,"is_fresh":true}})", 7).find("torch seed") == std::string::npos);
}

TEST_CASE("where the launcher says no local world size, a node begins at each local rank 0") {
  std::vector<ProbeText> ranks;
  for (std::int64_t rank = 0; rank < 4; ++rank) {
    const std::int64_t local = rank % 2;
    ProbeText text(rank, 4, R"("LOCAL_RANK":")" + std::to_string(local) + R"(")");
    text.loader(0, local, 4);
    addPass(text, 0, 0, 1, planned(4, local, 0));
    ranks.push_back(text);
  }
  const CapturedLoader loader = captured(ranks).loaders.at(0);
  CHECK(loader.spec.spec.world.nodes == 2);
  CHECK(std::get<std::string>(loader.spec.spec.sampler.parameters.at("rank")) == "local_rank");
  CHECK(loader.isProven());
}

TEST_CASE("a generator that is seeded before each pass is told from one that something else draws from") {
  const auto reasons = [](std::int64_t others) {
    ProbeText text(0, 1, 1);
    text.loaderWith(0, R"({"class":"torch.utils.data.sampler.RandomSampler","values":{"replacement":false}})");
    for (std::int64_t pass = 0; pass < 2; ++pass) {
      TorchGenerator generator(7);
      for (std::int64_t i = 0; i < 1 + others; ++i) (void)generator.random63();
      const std::int64_t seed = generator.random63();
      PipelineSpec spec;
      spec.dataset.size = 10;
      spec.world = {1, 1};
      spec.loader.batch_size = 2;
      spec.framework.torch = "1.13";
      spec.sampler = {"torch.RandomSampler", {{"generator", std::string("sampler")}, {"generator_seed", seed}}};
      const RankEpoch drawn = Plan::make(spec).value().rankEpoch(Epoch{0}, Rank{0}).value();
      Batches batches;
      for (Step step{0}; step.value < drawn.batches(); ++step) batches.push_back(drawn.batchSamples(step));
      text.passWith(pass, 0, R"("torch_seed":7,"torch_seeded":true)");
      text.batches(pass, 0, batches);
      text.newsWith(pass, R"("drawn":5,"handed":5,"failed":[],"exhausted":true,"order_seed":)" + std::to_string(seed));
    }
    const CapturedLoader loader = captured({text}).loaders.at(0);
    CHECK(loader.has_drawn_seeds);
    return loader.reasons.at(0);
  };
  CHECK(reasons(0).find("That generator was seeded again right before each pass (rank 0, first pass: 7)") !=
        std::string::npos);
  CHECK(reasons(1).find("No key of a spec says what else draws from that generator") != std::string::npos);
}

TEST_CASE("nodes and seeds of a loader that one rank reads are those of the job, or not known") {
  const auto val = [](std::int64_t seen) {
    std::vector<ProbeText> ranks;
    for (std::int64_t rank = 0; rank < seen; ++rank) {
      ProbeText text(rank, 3, R"("LOCAL_RANK":")" + std::to_string(rank) + R"(")");
      const std::string said = R"("torch_seed":)" + std::to_string(100 + rank) + R"(,"torch_seeded":true)";
      text.loader(0, rank, 3);
      text.passWith(0, 0, said);
      text.batches(0, 0, planned(3, rank, 0));
      text.news(0, 2, 2);
      if (rank == 0) {
        text.loaderWith(1, R"({"class":"torch.utils.data.sampler.SequentialSampler"})", "train.py:9");
        text.passWith(1, 1, said);
        text.batches(1, 0, {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}});
        text.news(1, 5, 0);
      }
      ranks.push_back(text);
    }
    return captured(ranks).loaders.back();
  };
  const CapturedLoader known = val(3);
  CHECK(known.job.lacksRanks());
  CHECK(known.spec.spec.world == PipelineSpec::World{1, 3});
  CHECK(known.spec.spec.seeds.base == 100);
  CHECK(known.spec.spec.seeds.rule == "base+rank");
  REQUIRE(known.yaml);
  CHECK(known.yaml->find(words::nodesUnknown()) == std::string::npos);
  const CapturedLoader two = val(2);
  REQUIRE(two.yaml);
  CHECK(two.yaml->find("seeds.rule fits the torch seeds of ranks 0 and 1; those of the other ranks were not seen.") !=
        std::string::npos);
  const CapturedLoader unknown = val(1);
  CHECK(unknown.spec.spec.world == PipelineSpec::World{1, 3});
  REQUIRE(unknown.yaml);
  CHECK(unknown.yaml->find("# - " + words::nodesUnknown()) != std::string::npos);
  CHECK(unknown.yaml->find("# - seeds.rule fits the torch seeds of rank 0; those of the other ranks were not seen.") !=
        std::string::npos);
}

TEST_CASE("the release of torchdata that a job loaded is the spec's") {
  const auto release = [](const std::string& members) {
    ProbeText text(0, 1, R"("LOCAL_RANK":"0"},)" + members + R"("more":{"A":"1")");
    text.loader(0, 0, 1);
    addPass(text, 0, 0, 1, planned(1, 0, 0));
    return captured({text}).loaders.at(0).spec.spec.framework.torchdata;
  };
  CHECK(release("") == "0.11");
  CHECK(release(R"("torchdata":"0.10.1",)") == "0.11");
  CHECK(release(R"("torchdata":"0.12.0a0",)") == "0.12");
}

TEST_CASE("ranks that differ are said to differ, and what they read is written") {
  std::vector<ProbeText> ranks;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    ProbeText text(rank, 2, 2);
    text.loader(0, rank, 2, rank == 0);
    addPass(text, 0, 0, 1, planned(2, rank, 0));
    ranks.push_back(text);
  }
  const Capture all = captured(ranks);
  CHECK(all.loaders.at(0).is_recorded);
  CHECK(all.loaders.at(0).isProven());
  CHECK(all.loaders.at(0).reasons.at(0) == "Ranks 0 and 1 differ in sampler.shuffle, which one spec cannot express.");
}

TEST_CASE("a recording without loaders says so") {
  const TempFolder folder;
  const auto none = capture::capture(folder / ".");
  REQUIRE_FALSE(none);
  CHECK(none.error().message.find("no DataLoader was observed") != std::string::npos);
  CHECK(none.error().hint.find("no DataLoader drew a batch before the recording ended") != std::string::npos);
}
