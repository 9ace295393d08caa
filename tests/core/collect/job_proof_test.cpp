// SPDX-License-Identifier: Apache-2.0
// What a job's loaders read against a design: recordings written here. Real jobs: tests/integration/capture.
#include "core/collect/job_proof.h"

#include "core/record/pack.h"
#include "core/record/recording_writer.h"
#include "tests/core/capture/probe_text.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

using namespace shardlens;
using shardlens::test::ProbeText;
using shardlens::test::TempFolder;

namespace {

using Batches = std::vector<std::vector<SampleIndex>>;

/// A DistributedSampler over 10 samples in batches of 2.
Plan design(std::int64_t ranks, std::int64_t epochs) {
  PipelineSpec spec;
  spec.dataset.size = 10;
  spec.world = {1, ranks};
  spec.loader.batch_size = 2;
  spec.epochs = epochs;
  spec.framework.torch = "1.13";
  return Plan::make(spec).value();
}

Batches planned(std::int64_t ranks, std::int64_t rank, std::int64_t epoch) {
  const RankEpoch drawn = design(ranks, epoch + 1).rankEpoch(Epoch{epoch}, Rank{rank}).value();
  Batches batches;
  for (Step step{0}; step.value < drawn.batches(); ++step) batches.push_back(drawn.batchSamples(step));
  return batches;
}

void addPass(ProbeText& text, std::int64_t number, std::int64_t loader, std::int64_t epoch, const Batches& batches) {
  text.pass(number, loader, epoch, epoch > 0 ? 1 : 0);
  text.batches(number, 0, batches);
  const auto count = static_cast<std::int64_t>(batches.size());
  text.news(number, count, count);
}

/// A recording of a job that ended well.
class Recorded {
 public:
  void add(const ProbeText& text) { test::spill(probe(probes_++), text.bytes()); }
  JobProof prove(const Plan& plan, const std::string& loader = {}) const {
    auto proved = proveJob(plan, path(), loader);
    REQUIRE_MESSAGE(proved, proved.error().text());
    return *std::move(proved);
  }
  [[nodiscard]] std::filesystem::path path() const { return folder_ / "job.slrun"; }

  Recorded() {
    auto writer = RecordingWriter::create(path());
    REQUIRE(writer);
    RunBegin begin;
    begin.reports = false;
    writer->add({1, begin});
    writer->add({2, RunEnd{}});
  }

 private:
  [[nodiscard]] std::filesystem::path probe(int number) const {
    return path() / ("h-" + std::to_string(number) + ".slprobe");
  }
  TempFolder folder_;
  int probes_ = 0;
};

struct Job {
  std::int64_t ranks = 2;
  std::vector<std::int64_t> epochs = {0, 1};  ///< that set_epoch is called with
  std::function<Batches(std::int64_t rank, std::int64_t epoch)> read = [](std::int64_t rank, std::int64_t epoch) {
    return planned(2, rank, epoch);
  };
  std::int64_t killed = -1;      ///< this rank ends without Python
  std::int64_t unobserved = -1;  ///< this one has no probe
};

JobProof proofOf(const Job& job, const Plan& plan) {
  Recorded recorded;
  for (std::int64_t rank = 0; rank < job.ranks; ++rank) {
    if (rank == job.unobserved) continue;
    ProbeText text(rank, job.ranks, job.ranks);
    text.loader(0, rank, job.ranks);
    std::int64_t number = 0;
    for (const std::int64_t epoch : job.epochs) {
      Batches batches = job.read(rank, epoch);
      if (rank == job.killed && number > 0) batches.resize(1);
      addPass(text, number++, 0, epoch, batches);
    }
    if (rank != job.killed) text.end();
    recorded.add(text);
  }
  return recorded.prove(plan);
}

}  // namespace

TEST_CASE("a job that obeys its design is proven, rank by rank") {
  const JobProof proved = proofOf({}, design(2, 2));
  CHECK(proved.proof.result == ProofResult::Match);
  CHECK(proved.sentence == "All 12 batches of epochs 0 and 1 on ranks 0 and 1 are as designed.");
  CHECK(proved.loader == "train");
}

TEST_CASE("set_epoch that was forgotten is named") {
  Job job;
  job.epochs = {0, 0};
  const JobProof proved = proofOf(job, design(2, 2));
  CHECK(proved.proof.result == ProofResult::Mismatch);
  CHECK(proved.proof.explanation == "Epoch 1 got the order of epoch 0: set_epoch was not called.");
  CHECK(proved.proof.first_difference->epoch == 1);
  CHECK(proved.differing == std::vector<std::string>{"sampler.set_epoch is false, not true"});
}

TEST_CASE("a rank that read another one's share is named") {
  Job job;
  job.read = [](std::int64_t /*rank*/, std::int64_t epoch) { return planned(2, 0, epoch); };
  const JobProof proved = proofOf(job, design(2, 2));
  CHECK(proved.proof.result == ProofResult::Mismatch);
  CHECK(proved.proof.explanation == "Rank 1 read the share of rank 0.");
}

TEST_CASE("a rank that was not observed is not measured, and not guilty") {
  Job job;
  job.unobserved = 1;
  const JobProof proved = proofOf(job, design(2, 2));
  CHECK(proved.proof.result == ProofResult::Incomplete);
  CHECK(proved.proof.what == "6 of 12 planned batches were not reported: rank 1 was not measured.");
}

TEST_CASE("a rank that was killed is not guilty of what it did not read, but of what it read") {
  Job job;
  job.killed = 1;
  const JobProof proved = proofOf(job, design(2, 2));
  CHECK(proved.proof.result == ProofResult::Incomplete);
  CHECK(proved.proof.what.find("2 of 12 planned batches were not reported: Python did not end the process of rank 1") ==
        0);
  job.read = [](std::int64_t rank, std::int64_t epoch) { return planned(2, rank, epoch == 0 ? 1 : 0); };
  CHECK(proofOf(job, design(2, 2)).proof.result == ProofResult::Mismatch);
}

TEST_CASE("a job that ended well and read less than designed differs") {
  Job job;
  job.epochs = {0};
  const JobProof proved = proofOf(job, design(2, 2));
  CHECK(proved.proof.result == ProofResult::Mismatch);
  CHECK(proved.proof.what == "Rank 0, epoch 1, step 0 was never consumed, although the job ended well.");
}

TEST_CASE("a job that resumed at a later epoch did not skip those before") {
  Job job;
  job.epochs = {2, 3};
  const JobProof proved = proofOf(job, design(2, 4));
  CHECK(proved.proof.result == ProofResult::Incomplete);
  CHECK(proved.proof.what == "12 of 24 planned batches were not reported: the run began at epoch 2.");
  CHECK(proved.proof.ranks[0].matched == 6);
}

TEST_CASE("epochs that are counted from 1 are orders of later epochs") {
  Job job;
  job.epochs = {1, 2};
  job.read = [](std::int64_t rank, std::int64_t epoch) { return planned(2, rank, epoch); };
  const JobProof proved = proofOf(job, design(2, 2));
  CHECK(proved.proof.result == ProofResult::Mismatch);
  CHECK(proved.proof.explanation.find("1 epoch later") != std::string::npos);
}

TEST_CASE("another world size, another dataset and an unknown sampler differ, and it is said in what") {
  Job job;
  CHECK(proofOf(job, design(4, 2)).proof.result == ProofResult::Mismatch);
  CHECK(proofOf(job, design(4, 2)).differing.at(0) == "world.ranks_per_node is 2, not 4");
  CHECK(proofOf(job, design(1, 2)).proof.result == ProofResult::Mismatch);
  PipelineSpec longer = design(2, 2).spec();
  longer.dataset.size = 12;
  const JobProof proved = proofOf(job, Plan::make(longer).value());
  CHECK(proved.proof.result == ProofResult::Mismatch);
  CHECK(proved.differing.at(0) == "dataset.size is 10, not 12");
}

TEST_CASE("of several loaders the one that obeys is compared, or the named one, and else one has to be named") {
  Recorded recorded;
  ProbeText text(0, 1, 1);
  text.loader(0, 0, 1, true, "train.py:7");
  text.loader(1, 0, 1, true, "train.py:9");
  const Batches right = planned(1, 0, 0);
  addPass(text, 0, 0, 0, {right.rbegin(), right.rend()});
  addPass(text, 1, 1, 0, right);
  text.end();
  recorded.add(text);
  const JobProof proved = recorded.prove(design(1, 1));
  CHECK(proved.proof.result == ProofResult::Match);
  CHECK(proved.loader == "train-2");
  CHECK(proved.proof.notes.at(0) ==
        "Compared with the design: loader train-2 (train.py:9, 10 samples). Not compared: train (train.py:7, 10 "
        "samples).");
  CHECK(recorded.prove(design(1, 1), "train").proof.result == ProofResult::Mismatch);
  CHECK(proveJob(design(1, 1), recorded.path(), "test").error().code == ErrorCode::Usage);
  const auto unclear = proveJob(design(1, 2), recorded.path(), {});
  CHECK(unclear.error().hint == "choose one with --loader NAME");
}

TEST_CASE("processes that do not say which rank they are are not compared") {
  Recorded recorded;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    ProbeText text = ProbeText::withoutRank();
    text.loader(0, rank, 2);
    addPass(text, 0, 0, 0, planned(2, rank, 0));
    text.end();
    recorded.add(text);
  }
  const JobProof proved = recorded.prove(design(2, 1));
  CHECK(proved.proof.result == ProofResult::Incomplete);
  CHECK(proved.proof.notes.back().find("Several processes read this loader, and neither") == 0);
}

TEST_CASE("a packed recording proves what its folder proves") {
  Recorded recorded;
  ProbeText text(0, 1, 1);
  text.loader(0, 0, 1);
  addPass(text, 0, 0, 0, planned(1, 0, 0));
  text.end();
  recorded.add(text);
  const TempFolder folder;
  REQUIRE(packRecording(recorded.path(), folder / "packed"));
  const auto files = probeFilesOf(folder / "packed");
  REQUIRE(files);
  REQUIRE(files->size() == 1);
  CHECK(files->at(0).name == "h-0.slprobe");
  const auto proved = proveJob(design(1, 1), folder / "packed", {});
  REQUIRE(proved);
  CHECK(proved->proof.result == ProofResult::Match);
}
