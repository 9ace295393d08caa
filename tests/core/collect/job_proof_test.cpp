// SPDX-License-Identifier: Apache-2.0
// What a job's loaders read against a design: recordings written here. Real jobs: tests/integration/capture.
#include "core/collect/job_proof.h"

#include "core/capture/capture.h"
#include "core/record/pack.h"
#include "core/record/recording_writer.h"
#include "tests/core/capture/probe_text.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
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
  /// The batches of a rank, as a program that links ShardLens reports them.
  void report(const Plan& plan) {
    for (Epoch epoch{0}; epoch.value < plan.epochs(); ++epoch) {
      const RankEpoch drawn = plan.rankEpoch(epoch, Rank{0}).value();
      for (Step step{0}; step.value < drawn.batches(); ++step) {
        RankRecord record{0, {}};
        record.record.kind = SL_BATCH;
        record.record.epoch = static_cast<std::uint32_t>(epoch.value);
        record.record.step = static_cast<std::uint32_t>(step.value);
        record.record.a = drawn.batchFingerprint(step);
        record.record.b = static_cast<std::uint64_t>(drawn.batch(step).size());
        reported_.push_back({1, record});
      }
    }
    write();
  }
  void add(const ProbeText& text) { test::spill(probe(probes_++), text.bytes()); }
  JobProof prove(const Plan& plan, const std::string& loader = {}) const {
    auto proved = proveJob(plan, path(), loader);
    REQUIRE_MESSAGE(proved, proved.error().text());
    return *std::move(proved);
  }
  [[nodiscard]] std::filesystem::path path() const { return folder_ / "job.slrun"; }

  Recorded() { write(); }

 private:
  void write() const {
    std::filesystem::remove_all(path());
    auto writer = RecordingWriter::create(path());
    REQUIRE(writer);
    RunBegin begin;
    begin.reports = false;
    writer->add({1, begin});
    for (const Event& event : reported_) writer->add(event);
    writer->add({2, RunEnd{}});
  }
  [[nodiscard]] std::filesystem::path probe(int number) const {
    return path() / ("h-" + std::to_string(number) + ".slprobe");
  }
  TempFolder folder_;
  int probes_ = 0;
  std::vector<Event> reported_;
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
  CHECK(proved.proof.explanation ==
        "Epoch 1 got the order of epoch 0. The order stays until set_epoch is called with another number.");
  CHECK(proved.proof.first_difference->epoch == 1);
  CHECK(proved.differing == std::vector<std::string>{"sampler.set_epoch is false, not true"});
  CHECK(proved.epoch_starts == std::vector<std::int64_t>{0, 3, 6});
  REQUIRE(proved.grid.steps == 6);
  REQUIRE(proved.grid.ranks == 2);
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    CHECK(proved.grid.at(rank, 2) == BatchMark::Match);
    CHECK(proved.grid.at(rank, 3) == BatchMark::Mismatch);
  }
}

TEST_CASE("of a sampler that was told its epoch, it is not said that it was not") {
  Job job;
  job.read = [](std::int64_t rank, std::int64_t epoch) {
    PipelineSpec spec = design(2, epoch + 1).spec();
    spec.sampler.parameters["seed"] = std::int64_t{6};
    const RankEpoch drawn = Plan::make(spec).value().rankEpoch(Epoch{epoch}, Rank{rank}).value();
    Batches batches;
    for (Step step{0}; step.value < drawn.batches(); ++step) batches.push_back(drawn.batchSamples(step));
    return batches;
  };
  job.epochs = {1};
  PipelineSpec spec = design(2, 2).spec();
  spec.sampler.parameters["seed"] = std::int64_t{7};
  CHECK(proofOf(job, Plan::make(spec).value()).proof.explanation == "Epoch 1 got the order of epoch 0.");
}

TEST_CASE("a smaller batch of a run is no other batch_size where the seed alone explains its batches") {
  Job job;
  PipelineSpec spec = design(2, 2).spec();
  spec.loader.batch_size = 8;
  const Plan large = Plan::make(spec).value();
  job.read = [&large](std::int64_t rank, std::int64_t epoch) {
    return Batches{large.rankEpoch(Epoch{epoch}, Rank{rank}).value().batchSamples(Step{0})};
  };
  spec.sampler.parameters["seed"] = std::int64_t{3};
  CHECK(proofOf(job, Plan::make(spec).value()).proof.explanation ==
        "All compared batches match the plan with sampler.seed 0 instead of 3.");
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

TEST_CASE("a rank that reads another loader is said not to have read this one") {
  Recorded recorded;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    ProbeText text(rank, 2, 2);
    text.loader(0, rank, 2);
    addPass(text, 0, 0, 0, planned(2, rank, 0));
    if (rank == 0) {
      text.loaderWith(1, R"({"class":"torch.utils.data.sampler.SequentialSampler"})", "train.py:9");
      text.pass(1, 1, 0, 0);
      text.batches(1, 0, {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}});
      text.news(1, 5, 0);
    }
    text.end();
    recorded.add(text);
  }
  PipelineSpec spec = design(2, 1).spec();
  spec.sampler = {"torch.SequentialSampler", {}};
  const JobProof proved = recorded.prove(Plan::make(spec).value(), "val");
  CHECK(proved.proof.result == ProofResult::Incomplete);
  CHECK(proved.proof.what ==
        "5 of 10 planned batches were not reported: the recording does not show that rank 1 read this loader.");
  for (const std::string& note : proved.proof.notes) CHECK(note.find("not measured") == std::string::npos);
}

TEST_CASE("what is captured from a job that went on after a batch had raised proves that job") {
  Recorded recorded;
  ProbeText text(0, 1, 1);
  text.loaderWith(0, R"({"class":"my.Sampler"})");
  text.pass(0, 0, 0, 0);
  text.batches(0, 0, {{3, 1}, {4, 9}, {2, 5}, {0, 6}});
  text.newsWith(0, R"("drawn":4,"handed":3,"failed":[1],"open":false,"exhausted":true,"ended":true,"backwards":3)");
  text.end();
  recorded.add(text);
  const capture::Capture all = capture::capture(recorded.path()).value();
  const capture::CapturedLoader& loader = all.loaders.front();
  CHECK(loader.isProven());
  CHECK(recorded.prove(Plan::make(loader.spec.spec).value()).proof.result == ProofResult::Match);
  REQUIRE(loader.yaml);
  CHECK(
      loader.yaml->find("3 batches on rank 0 are recorded. Loading 1 batch raised an error; it is not among these.") !=
      std::string::npos);
  CHECK(loader.yaml->find("read every pass to its end") == std::string::npos);
}

TEST_CASE("a rank that was killed is not guilty of what it did not read, but of what it read") {
  Job job;
  job.killed = 1;
  const JobProof proved = proofOf(job, design(2, 2));
  CHECK(proved.proof.result == ProofResult::Incomplete);
  CHECK(proved.proof.what.find(
            "2 of 12 planned batches were not reported: rank 1 did not say that it ended: it was killed, it "
            "is still running, or it ended without Python's exit handlers.") == 0);
  job.read = [](std::int64_t rank, std::int64_t epoch) { return planned(2, rank, epoch == 0 ? 1 : 0); };
  CHECK(proofOf(job, design(2, 2)).proof.result == ProofResult::Mismatch);
}

TEST_CASE("a rank whose file was full is not guilty of the passes that are not in it") {
  Recorded recorded;
  ProbeText text(0, 1, 1);
  text.loader(0, 0, 1);
  addPass(text, 0, 0, 0, planned(1, 0, 0));
  text.limit();
  text.end();
  recorded.add(text);
  const JobProof proved = recorded.prove(design(1, 2));
  CHECK(proved.proof.result == ProofResult::Incomplete);
  CHECK(proved.proof.what.find("5 of 10 planned batches were not reported: the file of rank 0 reached its limit, and "
                               "what it read later is not recorded.") == 0);
}

TEST_CASE("where the nodes of a job are not known, they are not said to be others than designed") {
  Recorded recorded;
  ProbeText text(0, 4, R"("X":"1")");  // the only rank that was observed, of a launcher that says no local world size
  text.loader(0, 0, 4);
  addPass(text, 0, 0, 0, {{9, 9}});
  text.end();
  recorded.add(text);
  PipelineSpec spec = design(4, 1).spec();
  spec.world = {2, 2};
  const JobProof proved = recorded.prove(Plan::make(spec).value());
  CHECK(proved.proof.result == ProofResult::Mismatch);
  CHECK(std::none_of(proved.differing.begin(), proved.differing.end(),
                     [](const std::string& one) { return one.starts_with("world."); }));
}

TEST_CASE("of ranks that were started again, one start is compared, and that is said") {
  Recorded recorded;
  for (const std::string port : {"1", "2"}) {
    ProbeText text(0, 1, R"("MASTER_PORT":")" + port + R"(")");
    text.loader(0, 0, 1);
    addPass(text, 0, 0, 0, planned(1, 0, 0));
    text.end();
    recorded.add(text);
  }
  CHECK(recorded.prove(design(1, 2)).proof.what ==
        "5 of 10 planned batches were not reported: the ranks of this loader were started more than once, and only one "
        "start is compared.");
}

TEST_CASE("of a job that is still recorded it is not said that a rank may have been killed") {
  const TempFolder folder;
  auto writer = RecordingWriter::create(folder / "job.slrun");
  REQUIRE(writer);
  writer->add({1, RunBegin{}});
  ProbeText text(0, 1, 1);
  text.loader(0, 0, 1);
  text.pass(0, 0, 0, 0);
  test::spill(folder / "job.slrun" / "h-0.slprobe", text.bytes());
  const auto proved = proveJob(design(1, 2), folder / "job.slrun", {});
  REQUIRE(proved);
  CHECK(proved->proof.what == "10 of 10 planned batches were not reported: the run is still in progress.");
}

TEST_CASE("a job that ended well and read less than designed differs") {
  Job job;
  job.epochs = {0};
  const JobProof proved = proofOf(job, design(2, 2));
  CHECK(proved.proof.result == ProofResult::Mismatch);
  CHECK(proved.proof.what == "Rank 0, epoch 1, step 0 was never consumed, although the job ended without an error.");
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
  CHECK(proved.proof.what.find("were not reported: several processes read this loader, and neither") !=
        std::string::npos);
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
  std::filesystem::resize_file(folder / "packed", std::filesystem::file_size(folder / "packed") - 40);
  const auto cut = proveJob(design(1, 1), folder / "packed", {});
  REQUIRE_FALSE(cut);
  CHECK(cut.error().message == "h-0.slprobe was written by a probe and is incomplete in this file.");
}

namespace {

struct Pass {
  std::int64_t epoch = 0;
  std::int64_t calls = 0;
  std::int64_t batches = 5;  ///< fewer than 5: the pass is not exhausted
  bool is_trained = true;
};

/// One rank reads these passes of its plan.
void addPasses(Recorded& recorded, const std::vector<Pass>& passes) {
  ProbeText text(0, 1, 1);
  text.loader(0, 0, 1);
  std::int64_t number = 0;
  for (const Pass& pass : passes) {
    Batches batches = planned(1, 0, pass.epoch);
    batches.resize(static_cast<std::size_t>(pass.batches));
    text.pass(number, 0, pass.epoch, pass.calls);
    text.batches(number, 0, batches);
    if (pass.batches == 5) text.news(number, 5, pass.is_trained ? 5 : 0);
    ++number;
  }
  text.end();
  recorded.add(text);
}

/// What that proves.
JobProof proofOfPasses(const std::vector<Pass>& passes, std::int64_t epochs) {
  Recorded recorded;
  addPasses(recorded, passes);
  return recorded.prove(design(1, epochs));
}

/// Holds what was read against the spec that is captured from it.
JobProof proofOfCaptured(const std::vector<Pass>& passes) {
  Recorded recorded;
  addPasses(recorded, passes);
  const auto job = capture::readJob(recorded.path());
  REQUIRE(job);
  const auto loader = capture::captured(*job, 0);
  REQUIRE(loader);
  CHECK(loader->isProven());
  return recorded.prove(Plan::make(loader->spec.spec).value());
}

}  // namespace

TEST_CASE("a look at the first batch, or an evaluation over the same loader, is no epoch and no fault") {
  const std::vector<std::vector<Pass>> jobs = {
      {{0, 0, 1, false}, {0, 1}, {1, 2}, {2, 3}},
      {{0, 1}, {0, 1, 5, false}, {1, 2}, {1, 2, 5, false}, {2, 3}, {2, 3, 5, false}},
      {{0, 0, 5, false}, {0, 1, 5, false}, {1, 2, 5, false}, {2, 3, 5, false}},
      {{0, 1}, {1, 2, 2, false}, {1, 2}, {2, 3}},
  };
  for (const auto& passes : jobs) {
    const JobProof proved = proofOfPasses(passes, 3);
    CHECK(proved.proof.result == ProofResult::Match);
    CHECK(proved.sentence == "All 15 batches of epochs 0 to 2 on rank 0 are as designed.");
    const std::string& note = proved.proof.notes.back();
    CHECK((note.find("Not compared: ") == 0 || note.find("That look is not counted as a pass.") != std::string::npos));
  }
  CHECK(proofOfPasses({{0, 0, 2, false}, {0, 0}}, 1).proof.result == ProofResult::Match);
  CHECK(proofOfPasses({{0, 0, 1, false}, {2, 1}, {3, 2}}, 4).proof.result == ProofResult::Incomplete);
}

TEST_CASE("what is captured from a job whose passes are no epochs, or one epoch again and again, proves that job") {
  const std::vector<std::vector<Pass>> jobs = {
      {{0, 0, 1, false}, {1, 1}, {1, 2}},
      {{0, 0, 1, false}, {0, 0}, {0, 0}},
      {{1, 1}, {1, 2}, {1, 3}},
      {{0, 0}, {0, 0, 5, false}, {0, 0}, {0, 0, 5, false}},
      {{0, 1}, {1, 2, 2, false}, {1, 2}, {2, 3}},
      {{0, 0}, {0, 1}, {1, 2}},
  };
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    CAPTURE(i);
    CHECK(proofOfCaptured(jobs[i]).proof.result == ProofResult::Match);
  }
}

TEST_CASE("what is captured of ranks that read unequal numbers of passes proves them, whatever epochs they were told") {
  capture::CaptureOptions how;
  how.search = false;
  const std::vector<std::vector<std::int64_t>> of_rank_1 = {{1, 2}, {0, 2}, {0, 1}, {2, 1}, {0, 0}, {2}, {0}};
  for (const std::vector<std::int64_t>& told : of_rank_1) {
    Recorded recorded;
    for (std::int64_t rank = 0; rank < 2; ++rank) {
      ProbeText text(rank, 2, 2);
      text.loaderWith(0, R"({"class":"my.Sampler"})");
      std::int64_t number = 0;
      for (const std::int64_t epoch : rank == 0 ? std::vector<std::int64_t>{0, 1, 2} : told) {
        text.pass(number, 0, epoch, number + 1);
        text.batches(number, 0, planned(2, rank, epoch));
        text.news(number++, 3, 3);
      }
      text.end();
      recorded.add(text);
    }
    const auto job = capture::readJob(recorded.path());
    REQUIRE(job);
    const auto loader = capture::captured(*job, 0, how);
    REQUIRE(loader);
    CHECK(loader->is_recorded);
    const JobProof proved = recorded.prove(Plan::make(loader->spec.spec).value());
    CHECK(proved.proof.result == ProofResult::Match);
    const auto is_unequal = [](const std::string& said) { return said.find("Rank 0 read 3 passes, rank 1 ") == 0; };
    const bool is_in_order = told.front() == 0 && (told.size() == 1 || told.back() == 1);  // so that e is epoch e
    CHECK(std::ranges::any_of(proved.proof.notes, is_unequal) == !is_in_order);
    CHECK(std::ranges::any_of(loader->spec.unknown, is_unequal) == !is_in_order);
  }
}

TEST_CASE("a rank that alone looks at the first batch, in another line, reads the same loader") {
  Recorded recorded;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    ProbeText text(rank, 2, 2);
    text.loader(0, rank, 2, true, rank == 0 ? "train.py:3" : "train.py:7");
    if (rank == 0) {
      text.pass(0, 0, 0, 0);
      text.batches(0, 0, {planned(2, 0, 0).front()});
    }
    text.pass(1, 0, 0, 1);
    text.batches(1, 0, planned(2, rank, 0));
    text.news(1, 3, 3);
    text.end();
    recorded.add(text);
  }
  const JobProof proved = recorded.prove(design(2, 1));
  CHECK(proved.sentence == "All 6 batches of epoch 0 on ranks 0 and 1 are as designed.");
}

TEST_CASE("a set_epoch that comes an epoch late, or always says 0, is still a fault") {
  CHECK(proofOfPasses({{0, 0}, {0, 1}, {1, 2}}, 3).proof.explanation ==
        "Epochs 1 and 2 got the orders of 1 epoch earlier.");
  CHECK(proofOfPasses({{0, 1}, {0, 2}, {0, 3}}, 3).proof.result == ProofResult::Mismatch);
  CHECK(proofOfPasses({{0, 0}, {0, 0, 2, false}}, 2).proof.result != ProofResult::Match);
}

TEST_CASE("the planned samples in another order are no other samples") {
  Job within;
  within.epochs = {0};
  within.read = [](std::int64_t rank, std::int64_t epoch) {
    Batches batches = planned(2, rank, epoch);
    if (rank == 1) std::reverse(batches[1].begin(), batches[1].end());
    return batches;
  };
  const JobProof in_batch = proofOf(within, design(2, 1));
  CHECK(in_batch.proof.result == ProofResult::Mismatch);
  CHECK(in_batch.proof.what == "Rank 1, epoch 0, step 1 has the planned samples in another order.");
  Job reversed = within;
  reversed.read = [](std::int64_t rank, std::int64_t epoch) {
    Batches batches = planned(2, rank, epoch);  // the last one is short
    std::vector<SampleIndex> all;
    for (const auto& batch : batches) all.insert(all.end(), batch.begin(), batch.end());
    std::reverse(all.begin(), all.end());
    for (std::size_t i = 0; i < all.size(); ++i) batches[i / 2].at(i % 2) = all[i];
    return batches;
  };
  const JobProof over_epoch = proofOf(reversed, design(2, 1));
  CHECK(over_epoch.proof.what.find("Rank 0, epoch 0, step 0 has other samples than planned") == 0);
  CHECK(over_epoch.proof.explanation == "In epoch 0, rank 0 read its planned samples in another order.");
}

TEST_CASE("a loader without indices says why nothing was compared") {
  Recorded recorded;
  ProbeText text(0, 1, 1);
  text.iterable(0);
  text.pass(0, 0, 0, 0);
  text.end();
  recorded.add(text);
  const JobProof proved = recorded.prove(design(1, 1));
  CHECK(proved.proof.result == ProofResult::Incomplete);
  CHECK(proved.proof.what ==
        "5 of 5 planned batches were not reported: the dataset of rank 0 is iterable, so its loader has no indices.");
}

TEST_CASE("batches that the command reports prove it, whatever loaders it reads as well") {
  Recorded recorded;
  recorded.report(design(1, 2));
  ProbeText text(0, 1, 1);
  text.iterable(0);
  text.pass(0, 0, 0, 0);
  text.end();
  recorded.add(text);
  const JobProof proved = recorded.prove(design(1, 2));
  CHECK(proved.proof.result == ProofResult::Match);
  CHECK(proved.proof.checked_batches == 10);
  CHECK_FALSE(proved.loader);
  CHECK(recorded.prove(design(1, 2), "loader").proof.result == ProofResult::Incomplete);
}

TEST_CASE("a loader that rank 0 reads for all ranks accuses nobody") {
  Recorded recorded;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    ProbeText text(rank, 2, 2);
    text.loaderOfBatches(0, R"({"class":"torch.utils.data.sampler.BatchSampler","values":{"batch_size":2}})",
                         R"(,"dispatcher":{"class":"accelerate.data_loader.DataLoaderDispatcher"})");
    text.pass(0, 0, 0, 0);
    if (rank == 0) {
      text.batches(0, 0, {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}});
      text.news(0, 5, 5);
    }
    text.end();
    recorded.add(text);
  }
  const JobProof proved = recorded.prove(design(2, 1));
  CHECK(proved.proof.result == ProofResult::Incomplete);
  CHECK(proved.proof.what.find("rank 0 reads this loader for all ranks") != std::string::npos);
}
