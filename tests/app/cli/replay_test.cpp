// SPDX-License-Identifier: Apache-2.0
// Recordings as replay and verify meet them: folders, packed files, damaged ones, and things that are none.
#include "core/record/frame.h"
#include "core/sampling/registry.h"
#include "core/yaml/spec_reader.h"
#include "core/yaml/spec_writer.h"
#include "tests/support/fake_run_file.h"
#include "tests/support/json_schema.h"
#include "tests/support/places.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <sys/stat.h>

using nlohmann::json;
using namespace shardlens;
using namespace shardlens::test;

namespace {

namespace fs = std::filesystem;

const std::string kProgram = test::binDir() + "/shardlens ";

PipelineSpec smallSpec() {
  PipelineSpec spec;
  spec.name = "small";
  spec.dataset.size = 64;
  spec.world = {1, 4};
  spec.loader.batch_size = 2;
  return spec;
}

/// A finished run of that spec, and the spec beside it; `more` is added to its text.
fs::path recordedIn(const TempFolder& folder, const std::string& more = {}) {
  const std::string text = yaml::writeSpec(smallSpec(), sampling::catalogue()) + more;
  const auto plan = Plan::make(yaml::readSpec(text, sampling::catalogue()).spec);
  REQUIRE(plan);
  spill(folder / "spec.yaml", text);
  FakeRunFile file(folder / "run.slrun", *plan, text);
  for (std::int64_t epoch = 0; epoch < plan->epochs(); ++epoch) {
    for (std::int64_t step = 0; step < *plan->steps(Epoch{epoch}); ++step) file.step(epoch, step);
  }
  file.bye();
  file.end();
  return folder / "run.slrun";
}

fs::path segmentOf(const fs::path& recording) {
  return fs::directory_iterator(recording)->path();
}

struct Answer {
  int code = -1;
  json object;
};

Answer answer(const std::string& verb, const std::string& arguments) {
  const auto finished = runShell(kProgram + verb + " " + arguments + " --format json");
  CHECK(schemaProblemsOfText(finished.out, verb + ".schema.json") == "");
  return {finished.code, json::parse(finished.out, nullptr, false)};
}

/// What it says on stderr when it refuses with this code; a FIFO must not make it wait.
std::string refusal(const std::string& arguments, int code) {
  const auto finished = runShell("timeout 120 " + kProgram + arguments + " 2>&1 >/dev/null");
  CAPTURE(arguments);
  CHECK(finished.code == code);
  CHECK(finished.out.rfind("shardlens: ", 0) == 0);
  return finished.out;
}

bool says(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("a folder, the file it is packed into, and its segment give the same answers") {
  const TempFolder folder;
  const std::string run = recordedIn(folder);
  const std::string packed = folder / "sent.slrun";
  const Answer whole = answer("replay", run + " --pack " + packed);
  CHECK(whole.code == 0);
  CHECK(whole.object["status"] == "finished");
  CHECK(whole.object["note"] == "");
  for (const std::string& other : {packed, segmentOf(run).string()}) {
    CHECK(answer("replay", other).object == whole.object);
    const Answer proof = answer("verify", (folder / "spec.yaml").string() + " " + other);
    CHECK(proof.code == 0);
    CHECK(proof.object["result"] == "match");
  }
  CHECK(says(refusal("replay " + run + " --pack " + packed, 2), "cannot be packed: File exists"));
  CHECK(says(refusal("replay " + packed + " --pack " + packed + "2", 2), "already a single file"));
}

TEST_CASE("a run is held against the schedule of its spec, and calibrate takes its durations") {
  const TempFolder folder;
  const std::string schedule =
      "schedule:\n  - {do: load, ms: 2}  # guessed\n  - {do: compute, ms: 10}\n"
      "  - {do: all_reduce, kb: 4}\n  - {do: barrier, at: end}\n";
  const std::string run = recordedIn(folder, schedule).string();
  const json phases = answer("replay", run).object["phases"];
  REQUIRE(phases.size() == 3);
  CHECK(phases[0]["do"] == "load");
  CHECK(phases[0]["predicted_s"] == doctest::Approx(0.002));
  CHECK(phases[0]["measured_s"] == doctest::Approx(0.01));
  CHECK(phases[0]["reason"] == "longer_load");
  CHECK(phases[1]["reason"] == nullptr);
  CHECK(phases[2]["predicted_s"] == nullptr);
  CHECK(phases[2]["reason"] == nullptr);
  const std::string text = runShell(kProgram + "replay " + run).out;
  CHECK(says(text, "Predicted and measured, in the median step of the rank that takes longest in each phase:"));
  CHECK(says(text, "measured; the design does not say how long it takes."));
  const std::string told = (folder / "told").string();
  const auto edited = runShell(kProgram + "calibrate " + run + " " + (folder / "spec.yaml").string() + " 2>" + told);
  CHECK(edited.code == 0);
  CHECK(says(edited.out, "- {do: load, ms: 10}  # guessed\n"));
  CHECK(says(edited.out, "- {do: all_reduce, ms: 2, kb: 4}\n"));
  CHECK(says(slurp(told), "schedule[0].ms: 10 (load), 56 measurements on 4 ranks.\n"));
  CHECK(says(slurp(told), "schedule[3] (barrier) is not done in steps and was not measured.\n"));
  CHECK(runShell(kProgram + "calibrate " + run + " 2>/dev/null").out == edited.out);
}

TEST_CASE("calibrate says why phases were not measured") {
  const TempFolder folder;
  const std::string run = recordedIn(folder, "schedule:\n  - {do: ddp}\n  - {do: ddp}\n").string();
  CHECK(answer("replay", run).object["phases"] == json::array());
  const auto told = runShell(kProgram + "calibrate " + run + " 2>&1 >/dev/null");
  CHECK(told.code == 2);
  CHECK(says(told.out, "no phase of this schedule could be measured in this run."));
  CHECK(says(told.out, "run.load_ms (load) was not measured: its steps have several phases of this kind, and the "));
}

TEST_CASE("replay notes that a run has another world than its design") {
  const TempFolder folder;
  PipelineSpec spec = smallSpec();
  spec.schedule = {{.what = "ddp"}};
  const auto design = Plan::make(spec);
  spec.world = {1, 2};
  const auto run = Plan::make(spec);
  REQUIRE((design && run));
  FakeRunFile file(folder / "run.slrun", *run, yaml::writeSpec(design->spec(), sampling::catalogue()));
  for (std::int64_t step = 0; step < 8; ++step) file.step(0, step);
  file.bye();
  file.end();
  const Answer whole = answer("replay", (folder / "run.slrun").string());
  CHECK(whole.object["phases"] == json::array());
  CHECK(says(whole.object["note"].get<std::string>(),
             "What the phases took was not measured: The run has 2 ranks, and the design 4."));
}

TEST_CASE("without a schedule the usual step is calibrated, and a run says so of no phase") {
  const TempFolder folder;
  const std::string run = recordedIn(folder).string();
  CHECK(answer("replay", run).object["phases"] == json::array());
  const auto edited = runShell(kProgram + "calibrate " + run + " 2>&1 >/dev/null");
  CHECK(says(edited.out, "run.load_ms: 10 (load), 56 measurements on 4 ranks.\n"));
  CHECK(says(edited.out, "all_reduce takes "));
  CHECK(says(edited.out, "The spec cannot hold this; a schedule written as single phases can."));
  PipelineSpec other = smallSpec();
  other.world = {1, 2};
  spill(folder / "other.yaml", yaml::writeSpec(other, sampling::catalogue()));
  CHECK(says(refusal("calibrate " + run + " " + (folder / "other.yaml").string(), 2), "The run has 4 ranks"));
}

TEST_CASE("the dumps of a job that hangs are replayed as a recording is") {
  const TempFolder folder;
  const std::string dumps = folder / "dumps";
  REQUIRE(runShell("python3 " + test::sourceDir() + "/tests/core/traces/dumps.py missing " + dumps + " pickle4").code ==
          0);
  const Answer whole = answer("replay", dumps);
  CHECK(whole.code == 0);
  CHECK(whole.object["status"] == "unknown");
  CHECK(whole.object["verdicts"][0]["kind"] == "stalled");
  CHECK(whole.object["verdicts"][0]["ranks"] == json::array({2}));
  CHECK(whole.object["ranks"][0]["operation"]["op"] == "all_reduce");
  CHECK(whole.object["ranks"][0]["operation"]["seq"] == 11);
  CHECK(whole.object["ranks"][0]["steps"] == nullptr);
  CHECK(whole.object["groups"][0]["members"] == json::array({0, 1}));
  const std::string dump = slurp(fs::path(dumps) / "nccl_trace_rank_1");
  spill(fs::path(dumps) / "nccl_trace_rank_1", dump.substr(0, dump.size() / 2));
  const Answer damaged = answer("replay", dumps);
  CHECK(damaged.code == 1);
  CHECK(says(damaged.object["note"].get<std::string>(), "nccl_trace_rank_1 was read up to byte "));
  CHECK(says(refusal("replay " + dumps + " --pack " + dumps + ".slrun", 2), "it holds no segment"));
}

TEST_CASE("what is no recording, and an empty one, are refused with 2") {
  const TempFolder folder;
  REQUIRE(mkfifo((folder / "fifo").c_str(), 0600) == 0);
  fs::create_directory(folder / "empty.slrun");
  for (const std::string& verb : std::vector<std::string>{
           "replay ", "verify " + test::sourceDir() + "/resources/examples/distributed-sampler.yaml "}) {
    CHECK(says(refusal(verb + (folder / "fifo").string(), 2), "neither a file nor a folder"));
    CHECK(says(refusal(verb + (folder / "empty.slrun").string(), 2), "it holds no segment"));
    CHECK(says(refusal(verb + (folder / "absent").string(), 2), "cannot be read"));
  }
  spill(folder / "empty.slrun" / "host-1.slseg", frame::fileHeader(frame::Content::Segment));
  for (const std::string& verb : std::vector<std::string>{
           "replay ", "verify " + test::sourceDir() + "/resources/examples/distributed-sampler.yaml "}) {
    CHECK(says(refusal(verb + (folder / "empty.slrun").string(), 2), "The recording is empty"));
  }
}

TEST_CASE("a segment that was copied counts once, whichever of the two is whole") {
  const TempFolder folder;
  const std::string run = recordedIn(folder);
  const std::string spec = (folder / "spec.yaml").string();
  const fs::path segment = segmentOf(run);
  const std::string bytes = slurp(segment);
  for (const char* name : {"a-copy.slseg", "zz-copy.slseg"}) {
    for (const std::size_t length : {bytes.size(), bytes.size() / 2}) {
      CAPTURE(name);
      CAPTURE(length);
      const fs::path copy = fs::path(run) / name;
      spill(copy, bytes.substr(0, length));
      const Answer proof = answer("verify", spec + " " + run);
      CHECK(proof.code == 0);
      CHECK(proof.object["result"] == "match");
      const Answer replayed = answer("replay", run);
      CHECK(replayed.object["status"] == "finished");
      CHECK(says(replayed.object["note"].get<std::string>(), "is a copy of another segment and was left out."));
      const std::string packed = folder / ("packed-" + std::to_string(length) + name);
      CHECK(answer("replay", run + " --pack " + packed).code == 0);
      CHECK(answer("verify", spec + " " + packed).object["result"] == "match");
      fs::remove(copy);
    }
  }
}

TEST_CASE("damage and messages of a newer version are shown and counted; damage is exit code 1") {
  const TempFolder folder;
  const fs::path run = recordedIn(folder);
  const std::string bytes = slurp(segmentOf(run));
  std::string newer;
  frame::append(newer, 4242, -1, "from the future");
  std::string record(sizeof(sl_record), '\0');
  record[8] = '\x7F';  // its kind
  record[9] = '\x7F';
  frame::append(newer, frame::Kind::Records, 0, record);
  // After the frames of the recorder and of the beginning.
  const std::size_t begin = bytes.find(frame::kSync, frame::kFileHeader + 1);
  const std::size_t third = bytes.find(frame::kSync, begin + 1);
  spill(segmentOf(run), bytes.substr(0, third) + newer + bytes.substr(third));
  const Answer unknown = answer("replay", run);
  CHECK(unknown.code == 0);
  CHECK(unknown.object["unread"]["unknown_frames"] == 1);
  CHECK(unknown.object["unread"]["unknown_records"] == 1);
  CHECK(says(unknown.object["note"], "a type that this version does not know"));

  std::string damaged = bytes;
  damaged[bytes.size() / 2] = static_cast<char>(damaged[bytes.size() / 2] ^ 1);
  spill(segmentOf(run), damaged);
  const Answer hurt = answer("replay", run);
  CHECK(hurt.code == 1);
  CHECK(hurt.object["status"] == "finished");
  CHECK(hurt.object["unread"]["damaged_places"] == 1);
  CHECK(hurt.object["unread"]["damaged_bytes"].get<int>() > 0);
  CHECK(says(runShell(kProgram + "replay " + run.string()).out, "are damaged; their content was not read."));
}

TEST_CASE("a batch with another number of samples than planned is a mismatch, unless the rank does not tell") {
  const TempFolder folder;
  const auto plan = Plan::make(smallSpec());
  REQUIRE(plan);
  const std::string text = yaml::writeSpec(smallSpec(), sampling::catalogue());
  spill(folder / "spec.yaml", text);
  for (const std::uint64_t count : {std::uint64_t{3}, std::uint64_t{0}}) {
    const auto run = folder / ("count" + std::to_string(count) + ".slrun");
    {
      auto writer = RecordingWriter::create(run);
      REQUIRE(writer);
      RunBegin begin;
      begin.world_size = 4;
      begin.spec_yaml = text;
      writer->add({1, begin});
      const auto mine = plan->rankEpoch(Epoch{0}, Rank{2});
      REQUIRE(mine);
      sl_record batch{};
      batch.time_ns = 2;
      batch.kind = SL_BATCH;
      batch.a = mine->batchFingerprint(Step{0});
      batch.b = count;
      writer->add({2, RankRecord{2, batch}});
      writer->add({3, RunEnd{JobStatus::Failed, 4, "stopped early"}});
    }
    const Answer proof = answer("verify", (folder / "spec.yaml").string() + " " + run.string());
    CHECK(proof.code == 1);
    CHECK(proof.object["result"] == (count == 0 ? "incomplete" : "mismatch"));
    if (count != 0) CHECK(says(proof.object["what"], "was reported with 3 samples, the plan has 2"));
  }
}

TEST_CASE("a spec longer than a frame is recorded by run and read by replay and verify") {
  const TempFolder folder;
  std::string shards = "shardlens: 1\nname: long\ndataset:\n  size: 21799000\n  shards:\n";
  for (int i = 0; i < 400'000; ++i) shards += "    - " + std::to_string(10 + i % 90) + "\n";
  shards +=
      "world: {nodes: 1, ranks_per_node: 2}\nloader: {batch_size: 1000}\n"
      "sampler: {type: torch.DistributedSampler, shuffle: true, seed: 0}\n";
  spill(folder / "spec.yaml", shards);
  const std::string spec = folder / "spec.yaml";
  const std::string run = folder / "run.slrun";
  // Without a launcher the job fails; that, too, is recorded by the same way.
  CHECK(runShell("PATH=/nowhere " + kProgram + "run " + spec + " --run-file " + run + " >/dev/null 2>&1").code == 3);
  CHECK(fs::file_size(segmentOf(run)) > frame::kMostPayload);
  const Answer replay = answer("replay", run);
  CHECK(replay.code == 0);
  CHECK(replay.object["name"] == "long");
  CHECK(replay.object["note"] == "");
  const Answer proof = answer("verify", spec + " " + run);
  CHECK(proof.object["result"] == "incomplete");
  CHECK(proof.object["spec_differs_in"].empty());
}

TEST_CASE("what was not measured is null in JSON and a dash in the table") {
  const TempFolder folder;
  const auto plan = Plan::make(smallSpec());
  REQUIRE(plan);
  for (const bool reports : {false, true}) {
    CAPTURE(reports);
    const fs::path path = folder / (reports ? "reports.slrun" : "silent.slrun");
    FakeRunFile file(path, *plan, yaml::writeSpec(smallSpec(), sampling::catalogue()));
    if (reports) file.bye();
    file.end();
    const json rank = answer("replay", path.string()).object["ranks"][0];
    CHECK(rank["measured"] == reports);
    for (const char* count : {"epoch", "step", "steps", "samples", "collectives", "matched", "mismatched"})
      CHECK_MESSAGE(rank[count] == (reports ? json(0) : json(nullptr)), count);
    for (const char* time : {"load_s", "compute_s", "wait_s", "transfer_s"}) CHECK_MESSAGE(rank[time].is_null(), time);
    const std::string row = runShell(kProgram + "replay " + path.string() + " | grep '^ *0 '").out;
    CHECK(says(row, reports ? "    0       0        0          -          -" : "    0       -        -          -"));
  }
  const json rank = answer("replay", recordedIn(folder).string()).object["ranks"][0];
  CHECK(rank["steps"] == 16);
  CHECK(rank["load_s"].get<double>() > 0);
}

TEST_CASE("verify holds what a job printed against a design, from a file and from a pipe") {
  const TempFolder folder;
  const std::string spec = test::sourceDir() + "/resources/examples/distributed-sampler.yaml";
  std::ofstream((folder / "log.txt").string()) << "rank 0 epoch 0 step 0: 12 9\nrank 1 epoch 0 step 0: 10 6\n";
  const Answer part = answer("verify", spec + " " + (folder / "log.txt").string());
  CHECK(part.code == 1);
  CHECK(part.object["result"] == "incomplete");
  CHECK(part.object["checked_batches"] == 2);
  const Finished wrong = runShell("echo 'rank 1 epoch 0 step 0: 6 10' | " + kProgram + "verify " + spec + " -");
  CHECK(wrong.code == 1);
  CHECK(wrong.out.find("mismatch: Rank 1") == 0);
}
