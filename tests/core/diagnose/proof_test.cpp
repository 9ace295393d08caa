// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/proof.h"

#include "core/diagnose/planned_epochs.h"
#include "core/record/recording_writer.h"
#include "tests/support/events.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;

namespace {

Plan examplePlan(std::int64_t seed = 0) {
  PipelineSpec spec;
  spec.dataset.size = 24;
  spec.world = {1, 3};
  spec.loader.batch_size = 2;
  spec.epochs = 2;
  spec.sampler.parameters["seed"] = seed;
  auto plan = Plan::make(spec);
  REQUIRE(plan);
  return *plan;
}

struct Batch {
  std::int64_t rank, epoch, step;
  std::uint64_t fingerprint;
  std::uint64_t samples = 2;
};

/// Every batch of the plan, in the order of a real job.
std::vector<Batch> batchesOf(const Plan& plan) {
  std::vector<Batch> batches;
  for (Epoch epoch{0}; epoch.value < plan.epochs(); ++epoch) {
    const auto whole = plan.epoch(epoch);
    REQUIRE(whole);
    for (Step step{0}; step.value < *plan.steps(epoch); ++step) {
      for (const RankEpoch& rank : whole->ranks) {
        batches.push_back({rank.rank().value, epoch.value, step.value, rank.batchFingerprint(step), 2});
      }
    }
  }
  return batches;
}

Proof proofOf(const Plan& plan, const std::vector<Batch>& batches, JobStatus status = JobStatus::Finished,
              const std::vector<Event>& more = {}, std::int64_t world_size = 0) {
  const TempFolder folder;
  {
    auto writer = RecordingWriter::create(folder / "run.slrun");
    REQUIRE(writer);
    writer->add(begin(world_size > 0 ? world_size : plan.worldSize()));
    double ms = 1;
    for (const Batch& batch : batches) {
      writer->add(record(ms++, batch.rank, SL_BATCH,
                         {0, static_cast<std::uint32_t>(batch.epoch), static_cast<std::uint32_t>(batch.step), 0,
                          batch.fingerprint, batch.samples}));
    }
    for (const Event& event : more) writer->add(event);
    writer->add({at(ms), RunEnd{status, 0, ""}});
  }
  auto proof = prove(plan, folder / "run.slrun");
  REQUIRE(proof);
  return *proof;
}

}  // namespace

TEST_CASE("a run of its own plan matches in every batch") {
  const Plan plan = examplePlan();
  const auto batches = batchesOf(plan);
  const Proof proof = proofOf(plan, batches);
  CHECK(proof.result == ProofResult::Match);
  CHECK(proof.planned_batches == 24);
  CHECK(proof.checked_batches == 24);
  REQUIRE(proof.notes.size() == 1);  // a stand-in takes its batches from the plan
  CHECK(proof.notes[0].find("nothing about your script") != std::string::npos);
  CHECK_FALSE(proof.first_difference);
  const auto expected = expectationOf(plan);
  for (const Batch& batch : batches) {
    const auto planned = expected(batch.rank, batch.epoch, batch.step);
    REQUIRE((planned && *planned));
    CHECK((*planned)->fingerprint == batch.fingerprint);
    CHECK((*planned)->samples == 2);
  }
  CHECK_FALSE(expected(0, 0, 4).value());
  CHECK_FALSE(expected(3, 0, 0).value());
  CHECK_FALSE(expected(0, 2, 0).value());
}

TEST_CASE("other samples, a missing, a repeated and an extra batch are each a mismatch, at the right place") {
  const Plan plan = examplePlan();
  const auto whole = batchesOf(plan);
  struct Case {
    const char* name;
    std::function<void(std::vector<Batch>&)> spoil;
    FirstDifference where;
  };
  const std::vector<Case> cases = {
      {"other samples", [](auto& b) { b[4].fingerprint ^= 1; }, {1, 0, 1}},
      {"another number of samples", [](auto& b) { b[4].samples = 1; }, {1, 0, 1}},
      {"skipped", [](auto& b) { b.erase(b.begin() + 4); }, {1, 0, 1}},
      {"again", [](auto& b) { b.insert(b.begin() + 7, b[4]); }, {1, 0, 1}},
      {"never consumed", [](auto& b) { b.pop_back(); }, {2, 1, 3}},
      {"step too many",
       [](auto& b) {
         b.push_back({0, 1, 4, 9, 2});
       },
       {0, 1, 4}},
      {"epoch too many",
       [](auto& b) {
         b.push_back({0, 2, 0, 9, 2});
       },
       {0, 2, 0}},
      {"rank too many",
       [](auto& b) {
         b.push_back({3, 0, 0, 9, 2});
       },
       {3, 0, 0}},
      {"two swapped", [](auto& b) { std::swap(b[0], b[3]); }, {0, 0, 0}},
  };
  for (const Case& one : cases) {
    CAPTURE(one.name);
    auto batches = whole;
    one.spoil(batches);
    const Proof proof = proofOf(plan, batches);
    CHECK(proof.result == ProofResult::Mismatch);
    REQUIRE(proof.first_difference);
    CHECK(proof.first_difference->rank == one.where.rank);
    CHECK(proof.first_difference->epoch == one.where.epoch);
    CHECK(proof.first_difference->step == one.where.step);
    CHECK_FALSE(proof.what.empty());
  }
}

TEST_CASE("a run that ended early or lost records is incomplete, not wrong") {
  const Plan plan = examplePlan();
  auto batches = batchesOf(plan);
  batches.resize(10);
  const Proof early = proofOf(plan, batches, JobStatus::Failed);
  CHECK(early.result == ProofResult::Incomplete);
  CHECK(early.checked_batches == 10);
  CHECK(early.what == "14 of 24 planned batches were not reported: the run ended before its plan did.");

  auto gap = batchesOf(plan);
  gap.erase(gap.begin() + 4);
  const Proof lost = proofOf(plan, gap, JobStatus::Finished, {{at(99), RankDropped{1, 5}}});
  CHECK(lost.result == ProofResult::Incomplete);
  CHECK(std::ranges::any_of(lost.notes, [](const std::string& note) {
    return note.find("its ring was full or cut short") != std::string::npos;
  }));
  CHECK(proofOf(plan, {}, JobStatus::Failed).result == ProofResult::Incomplete);
}

TEST_CASE("of a run that goes on nothing is said to be lost because its ranks have not ended") {
  const Plan plan = examplePlan();
  const auto saysOf = [&](bool is_lost) {
    BatchProver prover(std::make_shared<PlannedEpochs>(plan), nullptr);
    prover.use(begin(plan.worldSize()));
    prover.use(record(1, 0, SL_STEP_BEGIN));
    prover.lose(0, "rank 0 did not say that it ended");
    if (is_lost) prover.use({at(2), RankDropped{0, 5}});
    const auto proof = prover.result({});
    REQUIRE(proof);
    return proof->what;
  };
  CHECK(saysOf(false) == "24 of 24 planned batches were not reported: the run is still in progress.");
  CHECK(saysOf(true).find("still in progress, and records were lost") != std::string::npos);
}

TEST_CASE("a gap that the numbers of operations have, too, is a gap of the recording and not of the job") {
  const Plan plan = examplePlan();
  auto gap = batchesOf(plan);
  gap.erase(gap.begin() + 4);
  const auto enter = [](std::int64_t rank, std::uint64_t seq) {
    return record(90, rank, SL_COLL_ENTER, {SL_OP_ALLREDUCE, 0, 0, seq, 4000});
  };
  CHECK(proofOf(plan, gap, JobStatus::Finished, {enter(1, 0), enter(1, 1), enter(1, 2)}).result ==
        ProofResult::Mismatch);
  const Proof spliced = proofOf(plan, gap, JobStatus::Finished, {enter(1, 0), enter(1, 2)});
  CHECK(spliced.result == ProofResult::Incomplete);
  REQUIRE_FALSE(spliced.notes.empty());
  CHECK(spliced.notes[0] == "Records of rank 1 are missing: the numbers of its operations have a gap.");
  CHECK(proofOf(plan, gap, JobStatus::Finished, {enter(0, 7)}).result == ProofResult::Mismatch);  // another rank's
}

TEST_CASE("a run of another seed differs at its first batch") {
  const Proof proof = proofOf(examplePlan(0), batchesOf(examplePlan(1)));
  CHECK(proof.result == ProofResult::Mismatch);
  REQUIRE(proof.first_difference);
  CHECK(proof.first_difference->step == 0);
  CHECK(proof.first_difference->epoch == 0);
}

namespace {

/// The job of this plan, in which each rank got what `which` says: another rank's share, or another epoch's.
Proof proofWith(const Plan& plan,
                const std::function<std::pair<std::int64_t, std::int64_t>(std::int64_t, std::int64_t)>& which,
                std::int64_t later = 0) {
  auto batches = batchesOf(plan);
  for (Batch& batch : batches) {
    const auto [rank, epoch] = which(batch.rank, batch.epoch);
    const auto slice = plan.rankEpoch(Epoch{epoch}, Rank{rank});
    REQUIRE(slice);
    const std::int64_t step = std::min(batch.step + later, slice->batches() - 1);
    batch.fingerprint = slice->batchFingerprint(Step{step});
  }
  return proofOf(plan, batches);
}

}  // namespace

TEST_CASE("what came instead is found in the plan, and said") {
  const Plan plan = examplePlan();
  const Proof no_set_epoch = proofWith(plan, [](auto rank, auto) { return std::pair(rank, std::int64_t{0}); });
  CHECK(no_set_epoch.result == ProofResult::Mismatch);
  CHECK(no_set_epoch.explanation ==
        "Epoch 1 got the order of epoch 0. The order stays until set_epoch is called with another number.");
  REQUIRE(no_set_epoch.instead.size() == 3);
  CHECK(no_set_epoch.instead[2] == Instead{2, 1, 2, 0, 0, 4});

  const Proof first_share = proofWith(plan, [](auto, auto epoch) { return std::pair(std::int64_t{0}, epoch); });
  CHECK(first_share.explanation == "Ranks 1 and 2 read the share of rank 0: every rank acted as rank 0.");

  const Proof one = proofWith(plan, [](auto rank, auto epoch) { return std::pair(rank == 2 ? 1 : rank, epoch); });
  CHECK(one.explanation == "Rank 2 read the share of rank 1.");

  const Proof swapped = proofWith(plan, [](auto rank, auto epoch) { return std::pair((rank + 1) % 3, epoch); });
  CHECK(swapped.explanation ==
        "Rank 0 read the share of rank 1, rank 1 read the share of rank 2, rank 2 read the share of rank 0.");

  const Proof both = proofWith(plan, [](auto rank, auto epoch) {
    return rank == 1 && epoch == 1 ? std::pair(std::int64_t{2}, std::int64_t{0}) : std::pair(rank, epoch);
  });
  CHECK(both.explanation == "In epoch 1, rank 1 read the share that rank 2 has in epoch 0.");

  CHECK(proofOf(plan, batchesOf(plan)).instead.empty());
}

TEST_CASE("batches of nearly the same spec are said to be that spec's") {
  const Plan plan = examplePlan();
  const auto explanation = [&plan](const std::function<void(PipelineSpec&)>& change) {
    PipelineSpec spec = plan.spec();
    change(spec);
    const auto other = Plan::make(spec);
    REQUIRE(other);
    auto batches = batchesOf(*other);
    for (Batch& batch : batches) batch.samples = static_cast<std::uint64_t>(spec.loader.batch_size);
    return proofOf(plan, batches, JobStatus::Finished, {}, other->worldSize()).explanation;
  };
  const std::string those = "All compared batches match the plan with ";
  CHECK(explanation([](auto& spec) { spec.sampler.parameters["seed"] = std::int64_t{42}; }) ==
        those + "sampler.seed 42 instead of 0.");
  CHECK(explanation([](auto& spec) { spec.sampler.parameters["shuffle"] = false; }) ==
        those + "sampler.shuffle false instead of true.");
  CHECK(explanation([](auto& spec) { spec.world = {1, 2}; }) == those + "world.ranks_per_node 2 instead of 3.");
  CHECK(explanation([](auto& spec) { spec.loader.batch_size = 4; }) == those + "loader.batch_size 4 instead of 2.");
  CHECK(explanation([](auto& spec) {
          spec.world = {1, 2};
          spec.sampler.parameters["seed"] = std::int64_t{7};
        }) == those + "world.ranks_per_node 2 instead of 3, sampler.seed 7 instead of 0.");
  // DistributedSampler adds the epoch to its seed: which of the two was changed cannot be told.
  CHECK(explanation([](auto& spec) { spec.sampler.parameters["seed"] = std::int64_t{1}; }) ==
        "Each epoch got the order of 1 epoch later: set_epoch was called with another number, or the job has "
        "sampler.seed 1 "
        "instead of 0.");
  CHECK(explanation([](auto& spec) { spec.sampler.parameters["seed"] = std::int64_t{777}; }) == "");
}

TEST_CASE("no cause is named that a batch speaks against") {
  PipelineSpec spec = examplePlan().spec();
  spec.epochs = 4;
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  // Epoch 2 alone began again: the others show that set_epoch is called.
  const Proof again = proofWith(*plan, [](auto rank, auto epoch) { return std::pair(rank, epoch == 2 ? 0 : epoch); });
  CHECK(again.explanation == "Epoch 2 got the order of epoch 0.");

  spec.sampler.type = "torch.RandomSampler";
  spec.sampler.parameters.clear();
  spec.seeds.rule = "base+rank";
  const auto random = Plan::make(spec);
  REQUIRE(random);
  const Proof same = proofWith(*random, [](auto, auto epoch) { return std::pair(std::int64_t{0}, epoch); });
  CHECK(same.explanation == "Ranks 1 and 2 read the share of rank 0: all ranks drew with the seed of rank 0.");
}

TEST_CASE("a rank of the plan that the run did not have is missing, and not one that was not measured") {
  const Plan plan = examplePlan();
  auto batches = batchesOf(plan);
  std::erase_if(batches, [](const Batch& batch) { return batch.rank == 2; });
  const Proof proof = proofOf(plan, batches, JobStatus::Finished, {}, 2);
  CHECK(proof.result == ProofResult::Mismatch);
  CHECK(proof.what == "Rank 2, epoch 0, step 0 was never consumed: the run had a world of 2 ranks.");
  CHECK(proof.notes == std::vector<std::string>{"The run has a world of 2 ranks, the plan of 3 ranks."});
}

TEST_CASE("a rank whose batches come some steps early is said to be ahead") {
  const Plan plan = examplePlan();
  auto batches = batchesOf(plan);
  for (Batch& batch : batches) {
    if (batch.rank != 1 || batch.epoch != 0 || batch.step == 3) continue;
    batch.fingerprint = plan.rankEpoch(Epoch{0}, Rank{1})->batchFingerprint(Step{batch.step + 1});
  }
  CHECK(proofOf(plan, batches).explanation == "Rank 1 is 1 batch ahead of the plan in epoch 0.");
}

TEST_CASE("a rank that reported nothing was not measured, and is not accused") {
  const Plan plan = examplePlan();
  auto batches = batchesOf(plan);
  std::erase_if(batches, [](const Batch& batch) { return batch.rank == 1; });
  const Proof proof = proofOf(plan, batches);
  CHECK(proof.result == ProofResult::Incomplete);
  CHECK_FALSE(proof.first_difference);
  CHECK(proof.what == "8 of 24 planned batches were not reported: rank 1 was not measured.");
  CHECK(proof.notes == std::vector<std::string>{"Rank 1 reported no batch and was not measured."});
}
