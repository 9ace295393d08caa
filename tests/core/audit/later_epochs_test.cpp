// SPDX-License-Identifier: Apache-2.0
// Findings and proofs are about every audited epoch and every rank, not about the first.
#include "core/audit/audit.h"
#include "tests/core/audit/audited.h"

#include <doctest/doctest.h>

#include <set>
#include <string_view>

using namespace shardlens;
using test::find;
using test::need;

namespace {

PipelineSpec specOf(std::int64_t size, PipelineSpec::World world, std::int64_t epochs, std::int64_t batch,
                    bool drop_last, const std::string& sampler) {
  PipelineSpec spec;
  spec.dataset.size = size;
  spec.world = world;
  spec.epochs = epochs;
  spec.loader.batch_size = batch;
  spec.loader.num_workers = 0;
  spec.loader.drop_last = drop_last;
  spec.sampler = {sampler, {}};
  spec.seeds.rule = "base+rank";
  return spec;
}

AuditReport laterReport(const PipelineSpec& spec) {
  return test::reportOf(spec, {.fixes = false});
}

}  // namespace

TEST_CASE("ranks that run out early in a later epoch are found, and its name is told") {
  PipelineSpec spec = specOf(90, {1, 2}, 2, 5, true, "webdataset.ResampledShards");
  spec.dataset.shards = {12, 12, 11, 11, 11, 11, 11, 11};
  spec.sampler.parameters["deterministic"] = true;
  spec.seeds = {36, "same"};
  const AuditReport report = laterReport(spec);
  const Finding unequal = need(report, "unequal-batches");
  CHECK(unequal.severity == Severity::Error);
  CHECK(unequal.message ==
        "Rank 1 has only 224 batches; the other rank has 225. Any collective in step 224 waits forever, or meets one "
        "of another step. This "
        "happens in epoch 1.");
  CHECK(unequal.where.epoch == 1);
  CHECK(find(report, "ok-lockstep") == nullptr);
}

TEST_CASE("ranks that run out early only in an epoch that is not audited are found") {
  PipelineSpec spec = specOf(11, {1, 2}, 4, 1, false, "megatron.MegatronPretrainingRandomSampler");
  spec.sampler.parameters["data_sharding"] = false;
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  const auto report = audit(*plan, {.first_epoch = 1, .fixes = false});
  REQUIRE(report);
  const Finding first = need(*report, "unequal-batches");
  CHECK(first.where.epoch == 0);
  CHECK(first.message ==
        "Rank 1 has only 5 batches; the other rank has 6. Any collective in step 5 waits forever, or meets one of "
        "another step. "
        "Epoch 0 of 4 "
        "is the first in which this happens.");
  CHECK(find(*report, "ok-lockstep") == nullptr);
}

TEST_CASE("shards that are drawn unevenly in some later epoch are found") {
  PipelineSpec spec = specOf(90, {1, 2}, 12, 5, true, "webdataset.ResampledShards");
  spec.dataset.shards = {12, 12, 11, 11, 11, 11, 11, 11};
  spec.sampler.parameters["deterministic"] = true;
  spec.seeds = {0, "same"};
  const auto unevenEpoch = [&] {
    const auto plan = Plan::make(spec);
    REQUIRE(plan);
    for (Epoch epoch{0}; epoch.value < plan->epochs(); ++epoch) {
      const auto shape = plan->epochShape(epoch);
      REQUIRE(shape);
      if (lockstep(*shape).fewest < shape->steps) return epoch.value;
    }
    return plan->epochs();
  };
  while (spec.seeds.base < 1000 && (unevenEpoch() < 2 || unevenEpoch() == spec.epochs)) ++spec.seeds.base;
  CAPTURE(spec.seeds.base);
  const Finding unequal = need(laterReport(spec), "unequal-batches");
  CHECK(unequal.where.epoch == unevenEpoch());
  CHECK(unequal.severity == Severity::Error);
}

TEST_CASE("ranks that run out early are found behind epochs that differ in length") {
  PipelineSpec spec = specOf(40, {1, 2}, 20, 4, false, "webdataset.ResampledShards");
  spec.dataset.shards = {8, 8, 8, 7, 9};
  spec.sampler.parameters = {{"deterministic", true}, {"nshards", std::int64_t{1}}, {"seed", std::int64_t{7}}};
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  std::set<std::int64_t> lengths;
  std::int64_t uneven = 0;
  for (;; ++uneven) {
    REQUIRE(uneven < plan->epochs());
    const auto shape = plan->epochShape(Epoch{uneven});
    if (lockstep(*shape).fewest < shape->steps) break;
    lengths.insert(shape->steps);
  }
  REQUIRE(lengths.size() > 1);
  const auto report = audit(*plan, {.epochs = 2, .fixes = false});
  REQUIRE(report);
  CHECK(need(*report, "unequal-batches").where.epoch == uneven);
}

TEST_CASE("ranks in step whose epochs differ in length are proved with their scope") {
  PipelineSpec spec = specOf(47, {1, 2}, 3, 3, false, "torchdata.StatefulDistributedSampler");
  spec.sampler.parameters["yielded"] = std::int64_t{8};
  CHECK(need(laterReport(spec), "ok-lockstep").message ==
        "Both ranks have equal numbers of batches, 6 to 8, in every epoch.");
  spec.world = {1, 1};
  const std::string alone = need(laterReport(spec), "ok-lockstep").message;
  CHECK(alone.find("The only rank has ") == 0);
  CHECK(alone.find(" to ") != std::string::npos);
  CHECK(alone.find("the same number") == std::string::npos);
}

TEST_CASE("only of a sampler that divides it is the dataset said to be divided") {
  const PipelineSpec divided = specOf(7, {1, 2}, 1, 8, false, "torch.DistributedSampler");
  CHECK(need(laterReport(divided), "batch-larger-than-slice").why ==
        "batch_size is per rank: the dataset is divided among the ranks first.");
  const PipelineSpec whole = specOf(7, {1, 2}, 1, 8, false, "torch.SequentialSampler");
  CHECK(need(laterReport(whole), "batch-larger-than-slice").why ==
        "batch_size is per rank: a batch has no samples of other ranks.");
}

TEST_CASE("an epoch without samples beside others that have some is no error, and the cause is named") {
  PipelineSpec spec = specOf(62, {2, 2}, 2, 2, false, "torchdata.StatefulDistributedSampler");
  spec.sampler.parameters["yielded"] = std::int64_t{51};
  const Finding empty = need(laterReport(spec), "empty-ranks");
  CHECK(empty.severity == Severity::Warning);
  CHECK(empty.title == "No rank gets a sample in epoch 0 of 2");
  CHECK(empty.message == "Each of 4 ranks gets 0 of 62 samples in epoch 0 of 2.");
  CHECK(empty.why == "The sampler leaves out samples that were read before: look at sampler.yielded.");

  spec = specOf(7, {1, 4}, 2, 1, true, "torchdata.StatefulDistributedSampler");
  spec.sampler.parameters["yielded"] = std::int64_t{1};
  spec.sampler.parameters["drop_last"] = true;
  CHECK(need(laterReport(spec), "empty-ranks").why.find("fewer samples than slices") == std::string::npos);
}

TEST_CASE("a batch that is not full is told of the ranks that have it") {
  const AuditReport dropped = laterReport(specOf(5, {3, 1}, 1, 2, true, "detectron2.InferenceSampler"));
  const Finding lost = need(dropped, "batch-larger-than-slice");
  CHECK(lost.title == "The loader drops the only batch of 1 rank");
  CHECK(lost.message ==
        "Rank 2 has 1 sample per epoch, and batch_size is 2: the short batch is dropped, so the rank makes no step.");
  CHECK(lost.where.ranks == std::vector<std::int64_t>{2});

  const AuditReport kept = laterReport(specOf(5, {1, 4}, 1, 2, false, "datasets.Dataset"));
  CHECK(need(kept, "batch-larger-than-slice").title == "The batch of 3 ranks is never full");
  CHECK(need(kept, "batch-larger-than-slice").message == "Ranks 1 to 3 have 1 sample per epoch, and batch_size is 2.");
}

TEST_CASE("where no rank makes a step, none waits") {
  const AuditReport report = laterReport(specOf(1, {1, 4}, 1, 3, true, "detectron2.InferenceSampler"));
  CHECK(need(report, "empty-ranks").message == "Ranks 1 to 3 have no sample.");
  CHECK(need(report, "empty-ranks").severity == Severity::Warning);
}

TEST_CASE("equal epochs behind an empty one are found, and what is true of one epoch is said of it alone") {
  PipelineSpec spec = specOf(30, {3, 1}, 3, 6, true, "torchdata.StatefulDistributedSampler");
  spec.sampler.parameters = {
      {"drop_last", true}, {"set_epoch", false}, {"seed", std::int64_t{3}}, {"yielded", std::int64_t{7}}};
  const AuditReport report = laterReport(spec);
  CHECK(need(report, "epochs-repeat").where.epoch == 2);
  CHECK(need(report, "batch-larger-than-slice")
            .message.starts_with("A rank has 3 samples in epoch 0 of 3, and batch_size is 6"));
  CHECK(need(report, "samples-dropped-loader").where.epoch == 1);
  CHECK(need(report, "samples-dropped-loader").message ==
        "Each rank's last batch has 4 of 6 samples: 12 samples go unused in epoch 1 of 3. In all, 12 samples are never "
        "read in "
        "any of the 3 epochs. Over the audited epochs, the number ranges from 9 to 12.");
}

TEST_CASE("loss, sharing and repeats of later epochs are found") {
  PipelineSpec spec = specOf(44, {3, 2}, 4, 3, true, "mmengine.InfiniteSampler");
  spec.sampler.parameters["seed"] = std::int64_t{2};
  const AuditReport infinite = laterReport(spec);
  CHECK(need(infinite, "samples-dropped-loader").message ==
        "Each rank's last batch has 2 of 3 samples: 8 samples go unused in epoch 0 of 4. Over the audited epochs, the "
        "number ranges from 4 to 8.");
  CHECK(need(infinite, "samples-left-out").where.epoch == 1);
  CHECK(need(infinite, "ok-disjoint").message.ends_with("all 6 ranks in epochs 0 and 1 of 4."));

  spec = specOf(2, {1, 3}, 3, 1, false, "torch.RandomSampler");
  spec.sampler.parameters["replacement"] = true;
  spec.seeds = {21, "same"};
  const AuditReport drawn = laterReport(spec);
  CHECK(need(drawn, "samples-left-out").where.epoch == 1);
  CHECK(need(drawn, "samples-repeated").where.epoch == 1);
  CHECK(need(drawn, "ranks-identical-order").message.find("This is for epoch 0; epoch 1 has different numbers.") !=
        std::string::npos);
}

TEST_CASE("the global batch is counted from real batches") {
  CHECK(need(laterReport(specOf(1, {1, 2}, 1, 3, false, "torch.SequentialSampler")), "ranks-identical-order")
            .why.find("The global batch is really 1, not 2.") != std::string::npos);
  PipelineSpec spec = specOf(7, {3, 3}, 1, 6, false, "torch.DistributedSampler");
  spec.sampler.parameters = {{"shuffle", false}, {"rank", std::string("node")}};
  CHECK(need(laterReport(spec), "ranks-share-samples").why.find("The global batch is really 3, not 9.") !=
        std::string::npos);
}

TEST_CASE("a fix names its price in the epoch in which it costs most") {
  PipelineSpec spec = specOf(7, {1, 4}, 2, 1, true, "torchdata.StatefulDistributedSampler");
  spec.sampler.parameters["yielded"] = std::int64_t{1};
  spec.sampler.parameters["drop_last"] = true;
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  const auto report = audit(*plan);
  REQUIRE(report);
  const Finding dropped = need(*report, "samples-dropped-sampler");
  REQUIRE(dropped.fix() != nullptr);
  CHECK(dropped.fix()->effect.epoch == 1);
  CHECK(dropped.fix()->price ==
        "1 more item repeated in epoch 1; 1 more step per epoch; new finding: 1 item is padding");
}

TEST_CASE("a fix names the steps that an epoch gains or loses, even a single one") {
  const auto priced = [](const PipelineSpec& spec, std::string_view code) {
    const auto plan = Plan::make(spec);
    REQUIRE(plan);
    const auto report = audit(*plan);
    REQUIRE(report);
    const Finding finding = need(*report, code);
    REQUIRE(finding.fix() != nullptr);
    return *finding.fix();
  };
  const Fix divided = priced(specOf(64, {1, 4}, 2, 2, false, "torch.SequentialSampler"), "ranks-identical-order");
  CHECK(divided.effect.steps == Change{32, 8});
  CHECK(divided.price == "24 fewer steps per epoch");

  const Fix kept = priced(specOf(68, {1, 4}, 2, 4, true, "torch.DistributedSampler"), "samples-dropped-loader");
  CHECK(kept.effect.steps == Change{4, 5});
  CHECK(kept.price == "1 more step per epoch; new finding: The last batch is short");
}

TEST_CASE("epochs are compared by what they deal, not by their seeds") {
  const AuditReport report = laterReport(specOf(16, {1, 2}, 2, 32, false, "streaming.StreamingDataset"));
  CHECK(find(report, "ok-reshuffled") == nullptr);
  CHECK(need(report, "not-shuffled").message == "Epochs 0 and 1 have the same batches, in the order of the dataset.");
}

TEST_CASE("a finding is told of no epoch in which it is about other ranks") {
  PipelineSpec spec = specOf(30, {1, 2}, 15, 4, false, "detectron2.GroupedBatchSampler");
  spec.sampler.parameters["samples_per_epoch"] = std::int64_t{3};
  std::vector<std::int64_t> labels;
  for (std::int64_t i = 0; i < 30; ++i) labels.push_back(i % 3 == 0 ? 0 : 1);
  spec.dataset.labels = IndexList(labels.begin(), labels.end());
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  const auto report = audit(*plan, {.epochs = 15, .fixes = false});
  REQUIRE(report);
  const Finding empty = need(*report, "empty-ranks");
  REQUIRE(empty.where.ranks.size() == 1);
  CHECK(empty.where.field == "sampler.samples_per_epoch");
  const auto first = audit(*plan, {.epochs = 2, .fixes = false});  // none of them has unequal batches
  REQUIRE(first);
  CHECK(need(*first, "unequal-batches").where.epoch == 2);
  for (Epoch epoch{0}; epoch.value < 15; ++epoch) {
    const auto shape = plan->epochShape(epoch);
    const bool is_empty = shape->ranks[static_cast<std::size_t>(empty.where.ranks[0])].samples == 0;
    const bool other_is = shape->ranks[static_cast<std::size_t>(1 - empty.where.ranks[0])].samples == 0;
    const std::string holds = empty.message.substr(empty.message.find("in epoch"));
    const std::string alike = holds.substr(0, holds.find(" of 15")) + ",";
    const std::string name = " " + std::to_string(epoch.value);
    const bool is_told = alike.find(name + ",") != std::string::npos || alike.find(name + " and") != std::string::npos;
    CAPTURE(empty.message);
    CAPTURE(epoch.value);
    CHECK(is_told == (is_empty && !other_is));
  }
}

TEST_CASE("a small spec is audited in all its epochs, unless somebody says how many") {
  const auto usual = [](std::int64_t size, std::int64_t ranks, std::int64_t epochs) {
    return usualEpochs(*Plan::make(specOf(size, {1, ranks}, epochs, 2, false, "torch.DistributedSampler")));
  };
  CHECK(usual(40, 2, 20) == 20);
  CHECK(usual(200, 4, 50) == 50);
  CHECK(usual(40, 2, 1) == AuditOptions().epochs);
  CHECK(usual(40, 2, 5'000) == AuditOptions().epochs);
  CHECK(usual(1'281'167, 64, 90) == AuditOptions().epochs);
  PipelineSpec stream = specOf(40, {1, 2}, 20, 4, false, "webdataset.ResampledShards");
  stream.dataset.shards = {8, 8, 8, 7, 9};
  stream.sampler.parameters["nshards"] = std::int64_t{100'000};
  CHECK(usualEpochs(*Plan::make(stream)) == AuditOptions().epochs);
}

TEST_CASE("a finding of some audited epochs says which epochs were counted") {
  PipelineSpec spec = specOf(40, {1, 2}, 300, 4, false, "webdataset.ResampledShards");
  spec.dataset.shards = {8, 8, 8, 8, 7, 1};
  spec.sampler.parameters["nshards"] = std::int64_t{2};
  const AuditReport report = laterReport(spec);  // further epochs, which are not counted, have it, too
  CHECK(need(report, "unequal-batches").message ==
        "Rank 1 has only 1 batch; the other rank has 4. Any collective in step 1 waits forever, or meets one of "
        "another step. This happens in "
        "epoch 0. This was counted in epochs 0 and 1 of 300.");
}

TEST_CASE("epochs in which the same rank runs out with other numbers are not said to have other ranks") {
  PipelineSpec spec = specOf(15, {1, 2}, 5, 1, false, "webdataset.ResampledShards");
  spec.dataset.shards = {2, 5, 2, 1, 0, 2, 3};
  spec.sampler.parameters["seed"] = std::int64_t{-9007199254740992};
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  const auto report = audit(*plan, {.epochs = 5, .fixes = false});
  REQUIRE(report);
  const Finding unequal = need(*report, "unequal-batches");
  std::set<std::int64_t> same_rank;
  std::set<std::int64_t> other_rank;
  for (std::size_t epoch = 0; epoch < report->batches.size(); ++epoch) {
    const auto& batches = report->batches[epoch];
    if (batches[0] == batches[1] || static_cast<std::int64_t>(epoch) == unequal.where.epoch) continue;
    const bool is_same = unequal.where.ranks == std::vector<std::int64_t>{batches[0] < batches[1] ? 0 : 1};
    (is_same ? same_rank : other_rank).insert(static_cast<std::int64_t>(epoch));
  }
  CHECK(same_rank == std::set<std::int64_t>{3, 4});
  CHECK(other_rank == std::set<std::int64_t>{1});
  CHECK(unequal.message.ends_with(
      " This is for epoch 0; epoch 1 has different ranks. Epochs 3 and 4 have different numbers."));
}

TEST_CASE("epochs without a batch are named as one, however their shards are dealt") {
  PipelineSpec spec = specOf(5, {2, 4}, 20, 2, true, "datasets.IterableDataset");
  spec.dataset.shards = {1, 2, 1, 0, 1};
  spec.loader.num_workers = 2;
  spec.sampler.parameters["split_by_node"] = true;
  spec.sampler.parameters["shuffle"] = false;
  spec.sampler.parameters["set_epoch"] = true;
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  const auto report = audit(*plan, {.epochs = 20, .fixes = false});
  REQUIRE(report);
  CHECK(need(*report, "no-batches").message == "In every epoch, no batch is made: 5 of 5 samples go unused.");
}

TEST_CASE("a batch without a sample is an error, and no fix makes one") {
  PipelineSpec spec = specOf(17, {1, 3}, 5, 4, false, "megatron.MegatronPretrainingSampler");
  spec.sampler.parameters["drop_last"] = false;
  const Finding empty = need(laterReport(spec), "empty-batches");
  CHECK(empty.severity == Severity::Error);
  CHECK(empty.title == "1 batch is empty");
  CHECK(empty.message == "Rank 2 gets no sample in step 1. This was counted in epochs 0 and 1 of 5.");
  CHECK(empty.where.step == 1);
  spec.sampler.parameters["drop_last"] = true;
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  const auto report = audit(*plan, {});
  REQUIRE(report);
  CHECK(find(*report, "empty-batches") == nullptr);
  CHECK(need(*report, "samples-dropped-sampler").fixes.empty());
}

TEST_CASE("repeats of one cause name all epochs with the same number, and no samples of other causes") {
  PipelineSpec spec = specOf(8, {1, 2}, 4, 2, true, "ssl4mis.TwoStreamBatchSampler");
  spec.sampler.parameters["primary_indices"] = std::vector<std::int64_t>{0, 1, 2, 3};
  spec.sampler.parameters["secondary_indices"] = std::vector<std::int64_t>{2, 3, 4, 5};
  spec.sampler.parameters["secondary_batch_size"] = std::int64_t{1};
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  const auto report = audit(*plan, {.epochs = 4, .fixes = false});
  REQUIRE(report);
  const Ledger& first = report->coverage.front();
  REQUIRE(first.repeats[RepeatCause::OverlappingRanks] > 0);
  for (const Ledger& one : report->coverage) REQUIRE(one.repeats == first.repeats);
  CHECK(need(*report, "samples-repeated").message ==
        "In every epoch, 4 of 16 items repeat samples: 4 from a stream that starts over, or from samples in both "
        "streams.");
}

TEST_CASE("of a job that began with a later epoch, nothing is said of those before it") {
  PipelineSpec spec = specOf(12, {1, 2}, 3, 2, false, "torch.DistributedSampler");
  spec.sampler.parameters = {{"shuffle", false}};
  const AuditReport in_order = test::reportOf(spec, {.first_epoch = 1, .ran_from = 1, .fixes = false});
  CHECK(need(in_order, "not-shuffled").message == "Epochs 1 and 2 have the same batches, in the order of the dataset.");
  CHECK(need(in_order, "ok-lockstep").message == "Both ranks have 3 batches in epochs 1 and 2 of 3.");
  CHECK(need(in_order, "ok-seeds").title == "No seed is used twice in epoch 1");
  spec.sampler.parameters = {{"shuffle", true}, {"set_epoch", true}};
  const AuditReport shuffled = test::reportOf(spec, {.first_epoch = 1, .ran_from = 1, .fixes = false});
  CHECK(need(shuffled, "ok-reshuffled").message == "Epochs 1 and 2 were compared: no two have the same batches.");
  CHECK(need(shuffled, "seed-sweep-shift").message ==
        "Seed 0 in epoch 2 has the order of seed 1 in epoch 1, and so on.");
  const AuditReport last = test::reportOf(spec, {.first_epoch = 2, .ran_from = 2, .fixes = false});
  for (const char* code : {"ok-reshuffled", "seed-sweep-shift"}) CHECK(find(last, code) == nullptr);
}

TEST_CASE("of no two samples, no seed makes another order") {
  for (const std::int64_t size : {0, 1, 2}) {
    PipelineSpec spec = specOf(size, {1, 1}, 2, 1, false, "torch.DistributedSampler");
    spec.sampler.parameters = {{"shuffle", true}, {"set_epoch", true}};
    CHECK((find(laterReport(spec), "seed-sweep-shift") != nullptr) == (size == 2));
  }
}
