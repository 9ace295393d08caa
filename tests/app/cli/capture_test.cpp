// SPDX-License-Identifier: Apache-2.0
// `capture` and `run -- COMMAND` as a person types them. Real torch programs: tests/integration/capture.
#include "core/sampling/registry.h"
#include "core/yaml/spec_writer.h"
#include "tests/core/capture/probe_text.h"
#include "tests/support/fake_run_file.h"
#include "tests/support/json_schema.h"
#include "tests/support/places.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>

using namespace shardlens::test;

namespace {

namespace fs = std::filesystem;

const std::string kProgram = binDir() + "/shardlens ";

/// A recording of one rank that read two loaders in their own order, the first with backward passes.
void record(const TempFolder& folder) {
  ProbeText text(0, 1, 1);
  const std::string in_order = R"({"class":"torch.utils.data.sampler.SequentialSampler"})";
  text.loaderWith(0, in_order, "train.py:7");
  text.loaderWith(1, in_order, "train.py:9");
  for (int loader = 0; loader < 2; ++loader) {
    text.pass(loader, loader, 0, 0);
    text.batches(loader, 0, {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}});
    text.news(loader, 5, loader == 0 ? 5 : 0);
  }
  fs::create_directory(folder / "job.slrun");
  spill(folder / "job.slrun" / "h-1.slprobe", text.bytes());
}

Finished inFolder(const TempFolder& folder, const std::string& line) {
  return runShell("cd " + folder.path().string() + " && " + line);
}

/// Wrapped lines as one.
std::string unwrapped(std::string text) {
  for (std::size_t at = text.find("\n  "); at != std::string::npos; at = text.find("\n  ")) text.replace(at, 3, " ");
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

TEST_CASE("capture writes a spec for each loader, and never over a file without --force") {
  const TempFolder folder;
  record(folder);
  const Finished first = inFolder(folder, kProgram + "capture job.slrun -o mine.yaml");
  CHECK(first.code == 0);
  CHECK(first.out.find("All 5 batches of epoch 0 on rank 0 are as torch.SequentialSampler computes them.") !=
        std::string::npos);
  CHECK(slurp(folder / "mine.yaml").find("torch.SequentialSampler") != std::string::npos);
  CHECK(slurp(folder / "val.yaml").find("name: train-val") != std::string::npos);
  CHECK(inFolder(folder, kProgram + "plan mine.yaml").code == 0);
  spill(folder / "val.yaml", "a person's own");
  const Finished again = inFolder(folder, kProgram + "capture job.slrun -o other.yaml 2>&1");
  CHECK(again.code == 2);
  CHECK(again.out.find("val.yaml") != std::string::npos);
  CHECK_FALSE(fs::exists(folder / "other.yaml"));
  CHECK(slurp(folder / "val.yaml") == "a person's own");
  CHECK(inFolder(folder, kProgram + "capture job.slrun -o other.yaml --force").code == 0);
}

TEST_CASE("a sample of a recording is looked up by any id that a sampler can draw") {
  const TempFolder folder;
  ProbeText text(0, 1, 1);
  text.loaderWith(0, R"({"class":"mine.Wide"})", "train.py:7");
  text.pass(0, 0, 0, 0);
  text.batches(0, 0, {{0, 1}, {2, 31}});
  text.news(0, 2, 2);
  fs::create_directory(folder / "job.slrun");
  spill(folder / "job.slrun" / "h-1.slprobe", text.bytes());
  const Finished beyond = inFolder(folder, kProgram + "find job.slrun 31");
  CHECK(beyond.code == 0);
  CHECK(beyond.out.find("rank 0  step 1  item 1 of the batch") != std::string::npos);
  const Finished negative = inFolder(folder, kProgram + "find job.slrun -- -1 2>&1");
  CHECK(negative.code == 2);
  CHECK(negative.out.find("there is no sample -1.") != std::string::npos);
}

namespace {

/// A spec, and a command that read what a probe saw beforehand: five batches in their order.
std::string designedJob(const TempFolder& folder) {
  record(folder);
  spill(folder / "spec.yaml",
        "shardlens: 2\ndataset: {size: 10}\nworld: {nodes: 2, ranks_per_node: 1}\nsampler: {type: "
        "torch.SequentialSampler}\n"
        "loader: {batch_size: 2}\nepochs: 1\nrun: {launcher: plain}\n");
  return "run spec.yaml --run-file new.slrun -- sh -c 'cp job.slrun/*.slprobe new.slrun/";
}

}  // namespace

TEST_CASE("run says how the job ended before it compares, and what of the spec is not applied to a command") {
  const TempFolder folder;
  const std::string line = designedJob(folder);
  const Finished ended = inFolder(folder, kProgram + line + "' 2>err");
  const std::size_t finished = ended.out.find("Finished after");
  const std::size_t recorded = ended.out.find("Recorded in new.slrun");
  const std::size_t proof = ended.out.find("match: ");
  CHECK(finished < recorded);
  CHECK(recorded < proof);
  CHECK(proof != std::string::npos);
  CHECK(slurp(folder / "err").find("the spec's run.launcher (plain) and world (2 ranks) starts nothing.") !=
        std::string::npos);
}

TEST_CASE("a job that its user stops is compared with nothing") {
  const TempFolder folder;
  const std::string line = designedJob(folder);
  const Finished stopped =
      inFolder(folder, kProgram + line + "; kill -TERM $(cut -d\" \" -f4 /proc/$PPID/stat); exec sleep 20' 2>&1");
  CHECK(stopped.code == 4);
  CHECK(stopped.out.find("Recorded in new.slrun") != std::string::npos);
  CHECK(stopped.out.find("match: ") == std::string::npos);
  CHECK(stopped.out.find("incomplete: ") == std::string::npos);
}

TEST_CASE("verify compares the train loader with a design, names another one on request, and answers by its schema") {
  const TempFolder folder;
  record(folder);
  REQUIRE(inFolder(folder, kProgram + "capture job.slrun -o mine.yaml").code == 0);
  const auto said = [&folder](const std::string& arguments) {
    const Finished finished = inFolder(folder, kProgram + "verify " + arguments + " --format json");
    const auto json = nlohmann::json::parse(finished.out, nullptr, false);
    CHECK(schemaProblems(json, "verify.schema.json") == "");
    return json;
  };
  const auto proof = said("mine.yaml job.slrun");
  CHECK(proof["result"] == "match");
  CHECK(proof["loader"]["name"] == "train");
  CHECK(proof["message"] == "All 5 batches of epoch 0 on rank 0 are as designed.");
  CHECK(said("mine.yaml job.slrun --loader val")["loader"]["site"] == "train.py:9");
  const Finished alone = inFolder(folder, kProgram + "verify job.slrun 2>&1");
  CHECK(alone.code == 2);
  CHECK(inFolder(folder, kProgram + "verify mine.yaml job.slrun --loader test 2>&1")
            .out.find("the job has no loader named test: it has train (train.py:7, 10 samples), val (train.py:9, 10 "
                      "samples).") != std::string::npos);
}

TEST_CASE("a recording stands where a spec does: as the spec that plans what was read, and says so beside the answer") {
  const TempFolder folder;
  record(folder);
  REQUIRE(inFolder(folder, kProgram + "capture job.slrun -o mine.yaml").code == 0);
  for (const std::string verb : {"plan %", "plan % --format csv", "find % 4 --format json", "audit % --format json"}) {
    CAPTURE(verb);
    const auto said = [&](const std::string& source) {
      std::string line = verb;
      return inFolder(folder, kProgram + line.replace(line.find('%'), 1, source) + " 2>said");
    };
    const Finished of_recording = said("job.slrun");
    const std::string beside = slurp(folder / "said");
    const auto of_plan = [](const std::string& text) { return text.substr(0, text.find("\"recorded\":")); };
    CHECK(of_plan(of_recording.out) == of_plan(said("mine.yaml").out));
    CHECK(beside == "job.slrun: the spec captured from its loader train, which plans all 5 recorded batches.\n");
  }
  const Finished diff = inFolder(folder, kProgram + "diff mine.yaml job.slrun --loader val");
  CHECK(diff.code == 0);
  CHECK(diff.out.find("epoch 0: the same 5 batches") != std::string::npos);
}

TEST_CASE("what no rule plans is planned, audited and compared as it was recorded") {
  const TempFolder folder;
  ProbeText text(1, 2, 2);
  text.loaderWith(0, R"({"class":"my.Sampler"})", "train.py:7");
  text.pass(0, 0, 0, 0);
  text.batches(0, 0, {{3, 1}, {4}});
  text.batches(0, 2, {{3, 9}});
  text.news(0, 3, 3);
  fs::create_directory(folder / "job.slrun");
  spill(folder / "job.slrun" / "h-1.slprobe", text.bytes());
  const auto json = nlohmann::json::parse(inFolder(folder, kProgram + "plan job.slrun --format json").out);
  CHECK(schemaProblems(json, "plan.schema.json") == "");
  CHECK(json["epochs"][0]["ranks"].size() == 2);
  CHECK(json["epochs"][0]["ranks"][0]["batches"].empty());
  CHECK(json["epochs"][0]["ranks"][1]["batches"] == nlohmann::json({{3, 1}, {4}, {3, 9}}));
  const Finished found = inFolder(folder, kProgram + "find job.slrun 3 2>said");
  CHECK(found.out == "epoch 0  rank 1  step 0  item 0 of the batch\nepoch 0  rank 1  step 2  item 0 of the batch\n");
  CHECK(slurp(folder / "said")
            .find("job.slrun: what its loader train handed out, as it was recorded; epochs are passes. The sampler "
                  "my.Sampler is not known to ShardLens") == 0);
  CHECK(slurp(folder / "said")
            .find("Of 2 ranks, only rank 1 was seen to read this loader. The others are shown without batches") !=
        std::string::npos);
  const Finished audit = inFolder(folder, kProgram + "audit job.slrun 2>&1");
  CHECK(audit.code == 2);
  CHECK(unwrapped(audit.out).find("is not enough to judge it: Of 2 ranks, only rank 1 was seen to read this loader.") !=
        std::string::npos);
  CHECK(audit.out.find("not judged\n") != std::string::npos);
  CHECK(unwrapped(audit.out).find("Pass 0: 3 batches with 5 items on rank 1: 4 samples, 1 item repeats what the same "
                                  "rank had read.") != std::string::npos);
  const Finished as_json = inFolder(folder, kProgram + "audit job.slrun --format json 2>/dev/null");
  CHECK(as_json.code == 2);
  const auto recorded = nlohmann::json::parse(as_json.out);
  CHECK(schemaProblems(recorded, "audit.schema.json") == "");
  CHECK(recorded["coverage"].empty());
  CHECK(recorded["recorded"]["passes"][0]["repeated"] == 1);
  CHECK(inFolder(folder, kProgram + "audit job.slrun --format junit 2>/dev/null").code == 2);
  CHECK(inFolder(folder, kProgram + "check job.slrun 2>/dev/null").code == 2);
  CHECK(inFolder(folder, kProgram + "diff job.slrun job.slrun").code == 0);
  CHECK(inFolder(folder, kProgram + "capture job.slrun -o mine.yaml").code == 0);
  CHECK(inFolder(folder, kProgram + "diff mine.yaml job.slrun").code == 0);
}

TEST_CASE("an audit says padding of ranks that read the same only because the sampler pads") {
  const TempFolder folder;
  fs::create_directory(folder / "job.slrun");
  for (int rank = 0; rank < 12; ++rank) {
    ProbeText text(rank, 12, 12);
    text.loader(0, rank, 12, false);
    text.pass(0, 0, 0, 0);
    text.batches(0, 0, {{rank % 10}});
    text.news(0, 1, 1);
    text.end();
    spill(folder / "job.slrun" / ("h-" + std::to_string(rank) + ".slprobe"), text.bytes());
  }
  const Finished audit = inFolder(folder, kProgram + "audit job.slrun 2>&1");
  CHECK_MESSAGE(audit.code == 0, audit.out);
  CHECK(audit.out.find("[padding-repeats]") != std::string::npos);
  CHECK(audit.out.find("run-ranks-share-samples") == std::string::npos);
}

TEST_CASE("only epochs that every rank read to the end are audited") {
  const TempFolder folder;
  fs::create_directory(folder / "job.slrun");
  for (int rank = 0; rank < 2; ++rank) {
    ProbeText text(rank, 2, 2);
    text.loaderWith(0, R"({"class":"my.Sampler"})", "train.py:7");
    text.pass(0, 0, 0, 0);
    text.batches(0, 0, {{3 + rank, 1 - rank}, {9 - rank}});
    text.news(0, 2, 2);
    text.pass(1, 0, 0, 0);
    text.batches(1, 0, {{3 + rank, 1 - rank}});
    if (rank == 0) text.news(1, 1, 1);
    spill(folder / "job.slrun" / ("h-" + std::to_string(rank) + ".slprobe"), text.bytes());
  }
  const Finished audit = inFolder(folder, kProgram + "audit job.slrun --format json 2>said");
  CHECK(audit.code == 0);
  CHECK(slurp(folder / "said").find("Of 2 epochs, only the first one is judged") != std::string::npos);
  CHECK(audit.out.find("unequal-batches") == std::string::npos);
  CHECK(nlohmann::json::parse(inFolder(folder, kProgram + "plan job.slrun --format json").out)["epochs"].size() == 2);
}

TEST_CASE("planned batches that may have been read are not counted as not read, and what damage took is counted") {
  const TempFolder folder;
  ProbeText text(0, 1, 1);
  text.loaderWith(0, R"({"class":"torch.utils.data.sampler.SequentialSampler"})", "train.py:7");
  text.pass(0, 0, 0, 0);
  text.batches(0, 0, {{0, 1}, {2, 3}});
  fs::create_directory(folder / "job.slrun");
  spill(folder / "job.slrun" / "h-1.slprobe", text.bytes());
  const Finished audit = inFolder(folder, kProgram + "audit job.slrun 2>&1");
  CHECK(audit.code == 2);  // what was not read is not judged
  CHECK(unwrapped(audit.out).find("shardlens audit design.yaml judges that") != std::string::npos);
  CHECK(audit.out.find("no problems found") == std::string::npos);
  for (const std::string verb : {"find job.slrun 8", "plan job.slrun"}) {
    (void)inFolder(folder, kProgram + verb + " 2>said");
    const std::string said = slurp(folder / "said");
    CHECK_MESSAGE(said.find(" Rank 0 may have read more than was recorded.") != std::string::npos, said);
    CHECK_MESSAGE(said.find("were not read") == std::string::npos, said);
  }
  const std::size_t before = text.bytes().size();
  text.batches(0, 2, {{4, 5}});
  std::string damaged = text.bytes();
  damaged[before + 24] = static_cast<char>(damaged[before + 24] ^ 1);
  text.batches(0, 3, {{6, 7}});
  damaged += text.bytes().substr(damaged.size());
  spill(folder / "job.slrun" / "h-1.slprobe", damaged);
  (void)inFolder(folder, kProgram + "plan job.slrun 2>said");
  CHECK(slurp(folder / "said").find("are damaged; what they held is unknown.") != std::string::npos);
}

TEST_CASE("what was recorded is not shown at a step that it does not have") {
  const TempFolder folder;
  ProbeText text(0, 1, 1);
  text.loaderWith(0, R"({"class":"my.Sampler"})", "train.py:7");
  text.pass(0, 0, 0, 0);
  text.batches(0, 0, {{3, 1}});
  text.batches(0, 2, {{3, 9}});
  fs::create_directory(folder / "job.slrun");
  spill(folder / "job.slrun" / "h-1.slprobe", text.bytes());
  const Finished refused = inFolder(folder, kProgram + "find job.slrun 3 2>&1");
  CHECK(refused.code == 2);
  CHECK(refused.out.find("not all batches before step 2 of rank 0 in pass 0 are recorded") != std::string::npos);
}

TEST_CASE("batches that were drawn and not recorded are said where a recording stands for a plan") {
  const TempFolder folder;
  ProbeText text(0, 1, 1);
  text.loaderWith(0, R"({"class":"my.Sampler"})", "train.py:7");
  text.pass(0, 0, 0, 0);
  text.batches(0, 0, {{3, 1}});
  text.news(0, 3, 3);
  fs::create_directory(folder / "job.slrun");
  spill(folder / "job.slrun" / "h-1.slprobe", text.bytes());
  CHECK(inFolder(folder, kProgram + "plan job.slrun 2>said").code == 0);
  CHECK(slurp(folder / "said").find(" 2 more batches were drawn and not recorded.") != std::string::npos);
}

TEST_CASE("a place or an option that cannot be meant is refused with what to do") {
  const TempFolder folder;
  record(folder);
  REQUIRE(inFolder(folder, kProgram + "capture job.slrun -o mine.yaml").code == 0);
  fs::create_directory(folder / "nodir");
  const auto refused = [&folder](const std::string& arguments) {
    const Finished finished = inFolder(folder, kProgram + arguments + " 2>&1");
    CHECK(finished.code == 2);
    return finished.out;
  };
  for (const std::string arguments : {"plan mine.yaml --loader train", "find mine.yaml 1 --loader train",
                                      "audit mine.yaml --loader train", "diff mine.yaml mine.yaml --loader train"})
    CHECK(refused(arguments).find("mine.yaml is not a recording, and only recordings have loaders") !=
          std::string::npos);
  CHECK(refused("plan nodir").find("This folder is not a recording") != std::string::npos);
  CHECK(refused("verify mine.yaml").find("RUN is missing") != std::string::npos);
  // Two loaders of unknown purpose: neither is the one of the training.
  ProbeText text(0, 1, 1);
  const std::string in_order = R"({"class":"torch.utils.data.sampler.SequentialSampler"})";
  for (int loader = 0; loader < 2; ++loader) {
    text.loaderWith(loader, in_order, "train.py:" + std::to_string(loader));
    text.pass(loader, loader, 0, 0);
    text.batches(loader, 0, {{0, 1}});
  }
  fs::create_directory(folder / "two.slrun");
  spill(folder / "two.slrun" / "h-1.slprobe", text.bytes());
  const std::string several = refused("verify two.slrun job.slrun");
  CHECK(several.find("this recording gives no single SPEC: the job has several loaders") != std::string::npos);
  CHECK(several.find("shardlens capture") != std::string::npos);
}

TEST_CASE("a recording with what probes wrote and no event has nothing to replay or report") {
  const TempFolder folder;
  record(folder);
  spill(folder / "job.slrun" / "h.slseg", "");
  for (const std::string verb : {"replay job.slrun", "report job.slrun -o a.html"}) {
    const Finished refused = inFolder(folder, kProgram + verb + " 2>&1");
    CHECK(refused.code == 2);
    CHECK(refused.out.find("The recording is empty") != std::string::npos);
  }
  REQUIRE(inFolder(folder, kProgram + "capture job.slrun -o mine.yaml").code == 0);
  CHECK(inFolder(folder, kProgram + "verify mine.yaml job.slrun").code == 0);
}

TEST_CASE("capture answers in JSON by its schema") {
  const TempFolder folder;
  record(folder);
  const Finished done = inFolder(folder, kProgram + "capture job.slrun --format json");
  CHECK(done.code == 0);
  CHECK(schemaProblemsOfText(done.out, "capture.schema.json") == "");
}

TEST_CASE("capture of something that holds no loaders says so") {
  const TempFolder folder;
  fs::create_directory(folder / "job.slrun");
  const Finished none = inFolder(folder, kProgram + "capture job.slrun 2>&1");
  CHECK(none.code == 2);
  CHECK(none.out.find("no DataLoader was observed") != std::string::npos);
  CHECK(inFolder(folder, kProgram + "capture missing 2>&1").code == 2);
}

TEST_CASE("NAME=value words before a command are of its environment, and of no other") {
  const TempFolder folder;
  const std::string said =
      "sh -c 'echo \"$A/$B\" > said; tr \"\\0\" \"\\n\" < /proc/$PPID/environ | grep -c ^A= > above; true'";
  const Finished run = inFolder(folder, kProgram + "run --quiet --run-file a.slrun -- A='x y' B=2 " + said + " 2>&1");
  CHECK(run.code == 0);
  CHECK(slurp(folder / "said") == "x y/2\n");
  CHECK(slurp(folder / "above") == "0\n");
  CHECK(inFolder(folder, kProgram + "replay a.slrun --format json").out.find("-- 'A=x y' B=2 sh -c") !=
        std::string::npos);
  const Finished none = inFolder(folder, kProgram + "run -- A=1 2>&1");
  CHECK(none.code == 2);
  CHECK(unwrapped(none.out).find("variables are set, and there is no command that gets them.") != std::string::npos);
  CHECK(inFolder(folder, kProgram + "run spec.yaml A=1 2>&1").code == 2);
}

TEST_CASE("run -- COMMAND runs it once, as it was typed, with its own arguments and its own end") {
  const TempFolder folder;
  const Finished done =
      inFolder(folder, kProgram +
                           "run --quiet --run-file a.slrun -- sh -c 'printf \"%s|\" \"$0\" \"$@\" >> said; exit 3' "
                           "--format -x -- last");
  CHECK(done.code == 4);
  CHECK(done.out.find("The command sh ended with code 3.") != std::string::npos);
  CHECK(slurp(folder / "said") == "--format|-x|--|last|");
  CHECK(inFolder(folder, kProgram + "replay a.slrun").code == 0);
  CHECK(inFolder(folder, kProgram + "report a.slrun -o a.html").code == 0);
}

TEST_CASE("a command is started on as many ranks as are asked for, without a spec") {
  const TempFolder folder;
  const Finished done = inFolder(
      folder, kProgram + "run --quiet --launcher plain --ranks 3 --run-file a.slrun -- sh -c 'echo x >> said-$RANK'");
  CHECK(done.code == 0);
  for (const char* said : {"said-0", "said-1", "said-2"}) CHECK(slurp(folder / said) == "x\n");
  CHECK(inFolder(folder, kProgram + "replay a.slrun").out.find("3 ranks") != std::string::npos);
}

TEST_CASE("the exception that a command ended with is in the sentence about its end") {
  const TempFolder folder;
  const auto end_after = [&](const std::string& printed) {
    return inFolder(folder,
                    kProgram + "run --quiet --run-file $(mktemp -u) -- sh -c 'echo \"" + printed + "\" >&2; exit 1'")
        .out;
  };
  CHECK(end_after("ValueError: boom").find("ended with code 1: the last exception in its output is ValueError: boom") !=
        std::string::npos);
  CHECK(end_after("[1]:my.own.CustomError: no")
            .find("code 1: the last exception in its output is my.own.CustomError: no") != std::string::npos);
  CHECK(end_after("an Error: of no exception").find("The command sh ended with code 1.") != std::string::npos);
  CHECK(end_after("torch.errors.ChildFailedError: ").find("ended with code 1.") != std::string::npos);
}

TEST_CASE("run without a spec and without a command, or with a launcher and neither spec nor ranks, is refused") {
  const TempFolder folder;
  CHECK(inFolder(folder, kProgram + "run 2>&1").out.find("neither a spec nor a command") != std::string::npos);
  const Finished launcher = inFolder(folder, kProgram + "run --launcher plain -- true 2>&1");
  CHECK(launcher.code == 2);
  CHECK(launcher.out.find("--launcher and --ranks go together") != std::string::npos);
  CHECK(inFolder(folder, kProgram + "run --ranks 2 -- true 2>&1").code == 2);
  CHECK(inFolder(folder, kProgram + "run missing.yaml -- true 2>&1").code == 2);
}

namespace {

/// A rank of two that read these batches of a DistributedSampler that does not shuffle, and these optimizer steps.
ProbeText readingRank(std::int64_t rank, const std::vector<std::vector<shardlens::SampleIndex>>& batches, bool to_end,
                      const std::vector<ProbeText::Step>& steps = {},
                      const std::vector<ProbeText::Step>& discards = {}) {
  ProbeText text(rank, 2, 2);
  const auto count = static_cast<std::int64_t>(batches.size());
  text.loader(0, rank, 2, false);
  text.pass(0, 0, 0, 1);
  text.batches(0, 0, batches);
  if (!discards.empty()) text.discards(0, 0, discards);
  if (!steps.empty()) text.steps(0, 0, steps);
  text.news(0, ProbeText::News{count, count, count, count, to_end, to_end});
  text.end();
  return text;
}

void recordAs(const TempFolder& folder, const std::string& name, const std::vector<ProbeText>& ranks) {
  fs::create_directory(folder / name);
  for (std::size_t i = 0; i < ranks.size(); ++i)
    spill(folder / (name + "/h-" + std::to_string(i) + ".slprobe"), ranks[i].bytes());
}

nlohmann::json answered(const Finished& finished, const std::string& schema) {
  const auto json = nlohmann::json::parse(finished.out, nullptr, false);
  CHECK(schemaProblems(json, schema) == "");
  return json;
}

}  // namespace

TEST_CASE("at lists the samples of an optimizer step, says how it knows them, and which steps there are") {
  const TempFolder folder;
  const std::vector<ProbeText::Step> steps = {{2, 2}};
  recordAs(folder, "job.slrun",
           {readingRank(0, {{0, 2}, {4, 6}, {8}}, true, steps), readingRank(1, {{1, 3}, {5, 7}, {9}}, true, steps)});
  const Finished text = inFolder(folder, kProgram + "at job.slrun --step 0");
  CHECK(text.code == 0);
  CHECK(text.out.find("Step 0 of train (train.py:7, 10 samples): 2 micro batches a rank\n") == 0);
  CHECK(text.out.find("as they were recorded") != std::string::npos);
  CHECK(text.out.find("rank 1  pass 0 (epoch 0 of the sampler)  batch 1: 5 7\n") != std::string::npos);
  const auto json =
      answered(inFolder(folder, kProgram + "at job.slrun --step 0 --rank 1 --format json"), "at.schema.json");
  CHECK(json["numbering"] == "optimizer step");
  CHECK(json["known_by"] == "recorded");
  REQUIRE(json["ranks"].size() == 1);
  CHECK(json["ranks"][0]["micro_batches"][0]["samples"] == std::vector<int>{1, 3});
  const Finished beyond = inFolder(folder, kProgram + "at job.slrun --step 1 2>&1");
  CHECK(beyond.code == 2);
  CHECK(beyond.out.find("no rank read step 1 of train") != std::string::npos);
  CHECK(beyond.out.find("recorded: step 0") != std::string::npos);
  CHECK(inFolder(folder, kProgram + "at job.slrun --step 0 --rank 2 2>&1").out.find("recorded: ranks 0 and 1") !=
        std::string::npos);
}

TEST_CASE("at takes each batch as a step where nothing says how many a step takes, and reads other loaders by name") {
  const TempFolder folder;
  record(folder);
  const auto train = answered(inFolder(folder, kProgram + "at job.slrun --step 3 --format json"), "at.schema.json");
  CHECK(train["numbering"] == "micro step");
  CHECK(train["known_by"] == "not known");
  CHECK(train["meaning"].get<std::string>().find("no step of an optimizer of torch was recorded on rank 0") !=
        std::string::npos);
  CHECK(train["ranks"][0]["micro_batches"][0]["samples"] == std::vector<int>{6, 7});
  const Finished val = inFolder(folder, kProgram + "at job.slrun --step 4 --loader val");
  CHECK(val.out.find("No backward pass follows on the batches of this loader") != std::string::npos);
  CHECK(val.out.find("batch 4: 8 9\n") != std::string::npos);
}

TEST_CASE("at says which batches were in no step, and where gradients were cleared right before one") {
  const TempFolder folder;
  const std::vector<std::vector<shardlens::SampleIndex>> batches = {{0, 2}, {4, 6}, {8}};
  const std::vector<ProbeText::Step> all = {{1, 1}, {2, 2}, {3, 3}};
  recordAs(folder, "job.slrun",
           {readingRank(0, batches, true, {{1, 1}, {3, 3}}, {{2, 2}}), readingRank(1, {{1, 3}}, true, {{1, 1}})});
  const Finished text = inFolder(folder, kProgram + "at job.slrun --step 0");
  CHECK(text.out.find("rank 0  in no step: 1 batch of this run, whose gradients were cleared (zero_grad) before an "
                      "optimizer stepped\n") != std::string::npos);
  CHECK(text.out.find("rank 1  in no step") == std::string::npos);
  const auto json = answered(inFolder(folder, kProgram + "at job.slrun --step 1 --format json"), "at.schema.json");
  CHECK(json["ranks"][0]["discarded"] == 1);
  CHECK(json["ranks"][0]["micro_batches"][0]["samples"] == std::vector<int>{8});
  CHECK(json["ranks"][1]["discarded"] == 0);
  const auto meaning = [&](const std::vector<ProbeText::Step>& steps, const std::vector<ProbeText::Step>& discards) {
    spill(folder / "job.slrun" / "h-0.slprobe", readingRank(0, batches, true, steps, discards).bytes());
    return inFolder(folder, kProgram + "at job.slrun --step 0").out;
  };
  CHECK(meaning(all, all).find("in pass 0 of rank 0, gradients were cleared (zero_grad) right before an optimizer "
                               "stepped.") != std::string::npos);
  CHECK(meaning({{2, 1}, {3, 2}}, {})
            .find("in pass 0 of rank 0, the number of backward passes differs from batch to "
                  "batch.") != std::string::npos);
}

TEST_CASE("optimizer steps are planned and resumed only where something says how many batches each takes") {
  const TempFolder folder;
  record(folder);
  for (const std::string verb : {"plan job.slrun --step 0", "resume job.slrun --optimizer-step 1"}) {
    const Finished refused = inFolder(folder, kProgram + verb + " 2>&1");
    CHECK(refused.code == 2);
    const std::string said = unwrapped(refused.out);
    CHECK(said.find("job.slrun does not say how many batches an optimizer step takes.") != std::string::npos);
    CHECK(said.find("shardlens at job.slrun --step N lists the samples") != std::string::npos);
  }
}

TEST_CASE("verify --continues says whether a run goes on where another one ended") {
  const TempFolder folder;
  recordAs(folder, "a", {readingRank(0, {{0, 2}}, false), readingRank(1, {{1, 3}}, false)});
  recordAs(folder, "b", {readingRank(0, {{4, 6}, {8}}, true), readingRank(1, {{5, 7}, {9}}, true)});
  recordAs(folder, "again", {readingRank(0, {{0, 2}, {4, 6}, {8}}, true), readingRank(1, {{1, 3}, {5, 7}, {9}}, true)});
  const Finished match = inFolder(folder, kProgram + "verify --continues a b");
  CHECK(match.code == 0);
  CHECK(match.out.find("match: B goes on exactly where A ended: all its 4 recorded batches are those of "
                       "torch.DistributedSampler, one after the other.\n") == 0);
  CHECK(match.out.find("epoch 0: A read 4 samples, B 0 of them again and 6 other samples first; neither read 0, of "
                       "which the plan leaves out 0\n") != std::string::npos);
  const Finished again = inFolder(folder, kProgram + "verify --continues a again --format json");
  CHECK(again.code == 1);
  const auto json = answered(again, "continues.schema.json");
  CHECK(json["result"] == "mismatch");
  CHECK(json["what"] ==
        "B does not begin where A ended: rank 0 begins at step 0 of epoch 0, and A ended before step 1 "
        "of epoch 0.");
  CHECK(json["epochs"][0]["repeated"] == 4);
  CHECK(json["ranks"][1]["repeated"] == 2);
  CHECK(inFolder(folder, kProgram + "verify --continues a 2>&1").code == 2);
}

TEST_CASE("verify --continues says which loaders of the same line it does not count") {
  const TempFolder folder;
  ProbeText text(0, 1, 1);
  text.loader(0, 0, 1, false);
  text.loader(1, 0, 1, false, "train.py:7", 9);
  for (const std::int64_t pass : {0, 1}) {
    text.pass(pass, pass, pass, 1);
    text.batches(pass, 0, {{0, 1}, {2, 3}});
    text.news(pass, 2, 2);
  }
  text.end();
  recordAs(folder, "a", {text});
  recordAs(folder, "b", {text});
  const std::string said = unwrapped(inFolder(folder, kProgram + "verify --continues a b --loader train").out);
  CHECK(said.find("A: The same line also read train-2 (train.py:7, its loader 2, 9 samples); that is not counted "
                  "here.") != std::string::npos);
}

TEST_CASE("verify --continues counts no batch that was only looked at, and says so") {
  const TempFolder folder;
  recordAs(folder, "a", {readingRank(0, {{0, 2}}, false), readingRank(1, {{1, 3}}, false)});
  std::vector<ProbeText> after;
  for (const std::int64_t rank : {0, 1}) {
    ProbeText& text = after.emplace_back(rank, 2, 2);
    text.loader(0, rank, 2, false);
    text.pass(0, 0, 0, 0);
    text.batches(0, 0, {{rank, rank + 2}});
    text.news(0, ProbeText::News{1, 1, 0, 0, false});
    text.pass(1, 0, 0, 1);
    text.batches(1, 0, {{rank + 4, rank + 6}, {rank + 8}});
    text.news(1, ProbeText::News{2, 2, 2, 2, true, true});
    text.end();
  }
  recordAs(folder, "b", after);
  const auto json =
      answered(inFolder(folder, kProgram + "verify --continues a b --format json"), "continues.schema.json");
  CHECK(json["result"] == "match");
  CHECK(json["epochs"][0]["repeated"] == 0);
  REQUIRE(json["notes"].size() == 1);
  const auto note = json["notes"][0].get<std::string>();
  CHECK(note.starts_with("B: Each rank took a single batch out of this loader, without a backward pass"));
  CHECK(inFolder(folder, kProgram + "verify --continues a b").out.ends_with(note + "\n"));
}

TEST_CASE("verify --continues does not call an epoch the next one where the samplers show none") {
  const TempFolder folder;
  ProbeText constant(0, 1, 1);
  constant.loader(0, 0, 1, false);
  for (const std::int64_t pass : {0, 1}) {
    constant.pass(pass, 0, 2, pass + 1);
    constant.batches(pass, 0, {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}});
    constant.news(pass, ProbeText::News{5, 5, 5, 5, true, true});
  }
  constant.end();
  recordAs(folder, "a", {constant});
  const std::string said = inFolder(folder, kProgram + "verify --continues a a").out;
  CHECK(said.find("\nA read its last epoch to the end.\n") != std::string::npos);
  CHECK(said.find("B's samplers do not show which epoch each pass is, so its first pass is taken as the first epoch "
                  "that A did not read to the end.\n") != std::string::npos);
}

TEST_CASE("verify --continues proves nothing where more may have been read than was recorded") {
  const TempFolder folder;
  ProbeText killed(0, 1, 1);
  killed.loader(0, 0, 1, false);
  killed.pass(0, 0, 0, 1);
  killed.batches(0, 0, {{0, 1}});
  killed.news(0, ProbeText::News{1, 1, 1, 1, false, false});
  recordAs(folder, "a", {killed});
  recordAs(folder, "b", {killed});
  const Finished finished = inFolder(folder, kProgram + "verify --continues a b");
  CHECK(finished.code == 1);
  CHECK(finished.out.find("Rank 0 of A may have read more than was recorded.") != std::string::npos);
}

TEST_CASE("while a job goes wrong, watch says what is wrong with the batches that its loaders read") {
  const TempFolder folder;
  shardlens::PipelineSpec spec;
  spec.dataset.size = 8;
  spec.world = {1, 2};
  spec.loader.batch_size = 2;
  const auto plan = shardlens::Plan::make(spec);
  REQUIRE(plan);
  FakeRunFile running(folder / "job.slrun", *plan, shardlens::yaml::writeSpec(spec, shardlens::sampling::catalogue()));
  running.step(0, 0, -1, 1);
  for (int rank = 0; rank < 2; ++rank) {
    ProbeText text(rank, 2, 2);
    text.loader(0, rank, 2, false);
    text.pass(0, 0, 0, 1);
    text.batches(0, 0, {{rank, rank + 2}});
    if (rank == 0) text.batches(0, 1, {{4, 6}});
    text.news(0, 2 - rank, 2 - rank);
    spill(folder / "job.slrun" / ("h-" + std::to_string(rank) + ".slprobe"), text.bytes());
  }
  const Finished watched =
      inFolder(folder, "{ " + kProgram +
                           "watch job.slrun >out 2>&1 & n=0; "
                           "until grep -q unequal out || ! kill -0 $! 2>/dev/null || [ $n -gt 600 ]; do "
                           "sleep 0.1; n=$((n+1)); done; kill -TERM $!; wait; cat out; }");
  CHECK(watched.out.find("The job does not follow the plan") != std::string::npos);
  CHECK(watched.out.find("Ranks have unequal numbers of batches in pass 0: rank 1 1, rank 0 2.") != std::string::npos);
}
