// SPDX-License-Identifier: Apache-2.0
#include "tests/support/json_schema.h"
#include "tests/support/places.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <set>

using namespace shardlens;
using nlohmann::json;
using test::runShell;
using test::spill;
using test::TempFolder;

namespace {

test::Finished runAudit(const std::string& arguments) {
  return runShell(test::binDir() + "/shardlens audit " + arguments);
}

std::string example(const std::string& name) {
  return test::sourceDir() + "/resources/examples/" + name + ".yaml";
}

/// The JSON answer, which must hold the schema.
json auditJson(const std::string& arguments, int code) {
  const auto finished = runAudit(arguments + " --format json");
  CHECK(finished.code == code);
  CHECK(test::schemaProblemsOfText(finished.out, "audit.schema.json") == "");
  return json::parse(finished.out, nullptr, false);
}

json finding(const json& report, const std::string& code) {
  for (const json& one : report["findings"]) {
    if (one["code"] == code) return one;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("two nodes that read the same slices are named, with the pairs, the cause and the fix") {
  const json report = auditJson(example("shard-local-rank"), 1);
  const json shared = finding(report, "ranks-share-samples");
  REQUIRE(shared.is_object());
  CHECK(shared["severity"] == "error");
  CHECK(shared["title"] == "Two nodes read the same slices");
  CHECK(shared["message"] == "Pairs 0-4, 1-5, 2-6, 3-7 share all 320\u202f292 samples: the sampler divides by 4.");
  CHECK(shared["where"]["field"] == "sampler.rank");
  CHECK(shared["where"]["example"] == json({0, 4}));
  CHECK(shared["fix"]["edits"] == json::parse(R"([{"path": "sampler.num_replicas", "value": "world_size"},
                                                  {"path": "sampler.rank", "value": "rank"}])"));
  CHECK(finding(report, "padding-repeats")["title"] == "2 items are padding");
  CHECK(
      finding(report, "padding-repeats")["message"] ==
      "1\u202f281\u202f167 is not a multiple of 4: the sampler repeats its first sample. The ranks read 2 such items.");
  CHECK(finding(report, "ok-lockstep")["message"] == "All 8 ranks have 10\u202f010 batches in every epoch.");
  CHECK(report["overlap"]["ranks"]["shared"][2][6] == 320292);
  CHECK(report["overlap"]["ranks"]["shared"][2][5] == 0);
  CHECK(report["overlap"]["ranks"]["same_as"] == json({0, 1, 2, 3, 0, 1, 2, 3}));
  CHECK(report["coverage"][0]["times_seen"][2] == 1281166);
}

TEST_CASE(
    "tensor peers that take the world's rank are an error, and those that take the data-parallel rank are right") {
  const TempFolder folder;
  const std::string head =
      "shardlens: 2\nname: tp\ndataset: {size: 1024}\nworld: {ranks_per_node: 8, groups: {tensor: 2}}\n"
      "loader: {batch_size: 4}\nseeds: {base: 0, rule: base+data_parallel_rank}\nsampler: {type: "
      "torch.DistributedSampler";
  spill(folder / "wrong.yaml", head + "}\n");
  spill(folder / "right.yaml", head + ", num_replicas: data_parallel_size, rank: data_parallel_rank}\n");
  const json wrong = auditJson((folder / "wrong.yaml").string(), 1);
  const json apart = finding(wrong, "peers-read-apart");
  REQUIRE(apart.is_object());
  CHECK(apart["where"]["example"] == json({0, 1}));
  CHECK(apart["fix"]["edits"] == json::parse(R"([{"path": "sampler.num_replicas", "value": "data_parallel_size"},
                        {"path": "sampler.rank", "value": "data_parallel_rank"}])"));
  CHECK(finding(wrong, "ok-disjoint").is_null());
  const json right = auditJson((folder / "right.yaml").string(), 0);
  CHECK(finding(right, "ok-disjoint")["title"] == "No two data-parallel ranks share a sample");
  CHECK(right["coverage"][0]["handed_out"] == 1024);
  CHECK(runAudit((folder / "right.yaml").string()).out.find("8 ranks (1 x 8; tensor 2, data 4)") != std::string::npos);
}

TEST_CASE("a forgotten set_epoch is an error, and the seed example has none") {
  CHECK(finding(auditJson(example("distributed-sampler-no-set-epoch"), 1),
                "epochs-repeat")["fix"]["edits"][0]["path"] == "sampler.set_epoch");
  const json fine = auditJson(example("distributed-sampler"), 0);
  CHECK(finding(fine, "ok-disjoint").is_object());
  CHECK(finding(fine, "ok-coverage")["title"] == "Every sample is read once");
  for (const json& one : fine["findings"]) CHECK_MESSAGE(one["severity"] == "info", one["title"]);
  CHECK(fine["coverage"].size() == 2);
  CHECK(fine["coverage"][0]["seen"] == 16);
}

TEST_CASE("one seed on every rank gives workers of all ranks the same streams") {
  const json report = auditJson(example("seed-same"), 0);
  CHECK(finding(report, "seeds-collide-ranks")["message"] ==
        "All 4 ranks seed torch with 0. Their 8 workers have 2 different streams.");
  CHECK(report["seeds"]["colliding_workers"] == 8);
}

TEST_CASE("the first random ids after each seed are told") {
  const TempFolder folder;
  spill(folder / "same.yaml",
        "shardlens: 2\nname: same\ndataset: {size: 10}\nworld: {ranks_per_node: 2}\n"
        "sampler: {type: torch.DistributedSampler, set_epoch: true}\nseeds: {base: 0, rule: same}\n");
  const json report = auditJson((folder / "same.yaml").string(), 0);
  CHECK(report["seeds"]["rows"][1]["first_ids"] == json({4, 9, 3, 0}));
  const auto text = runAudit((folder / "same.yaml").string());
  CHECK(text.out.find("epoch 0  ranks 0 and 1: seed 0, first ids 4, 9, 3, 0\n") != std::string::npos);
}

TEST_CASE("nodes that shuffle from the same seeds draw the same batches") {
  const json report = auditJson(example("seed-local-rank"), 1);
  const json shared = finding(report, "ranks-share-samples");
  REQUIRE(shared.is_object());
  CHECK(shared["title"] == "Two nodes draw the same batches");
  CHECK(shared["message"] == "Pairs 0-4, 1-5, 2-6, 3-7 share all 4\u202f096 samples: their seeds are equal.");
  // Seeds apart would leave ranks that each read the whole dataset.
  REQUIRE(shared["fixes"].size() == 1);
  CHECK(shared["fix"] == shared["fixes"][0]);
  CHECK(shared["fix"]["edits"][0] == json::parse(R"({"path": "sampler.type", "value": "torch.DistributedSampler"})"));
  CHECK(finding(report, "seeds-collide-nodes")["where"]["seed"].is_string());
  CHECK(finding(report, "ranks-overlap-partly")["severity"] == "warning");
}

TEST_CASE("a dropped last batch names the sample that is never read") {
  const json dropped = finding(auditJson(example("batch-sampler-drop-last"), 0), "samples-dropped-loader");
  CHECK(dropped["severity"] == "warning");
  CHECK(dropped["where"]["samples"] == json({9}));
  CHECK(finding(auditJson(example("batch-sampler"), 0), "short-last-batch")["where"]["step"] == 3);
}

TEST_CASE("every example answers in the schema") {
  for (const auto& entry : std::filesystem::directory_iterator(test::sourceDir() + "/resources/examples")) {
    if (entry.path().extension() != ".yaml") continue;
    CAPTURE(entry.path().string());
    const auto finished = runAudit(entry.path().string() + " --format json");
    CHECK(finished.code <= 1);
    CHECK(test::schemaProblemsOfText(finished.out, "audit.schema.json") == "");
  }
}

TEST_CASE("the text begins with the verdict and has no colours in a pipe") {
  const auto text = runAudit(example("shard-local-rank"));
  CHECK(text.code == 1);
  CHECK(text.out.starts_with("imagenet-8gpu: 1 error\n"));
  CHECK(text.out.find("Fix: Pass rank and world_size to the sampler") != std::string::npos);
  CHECK(text.out.find('\033') == std::string::npos);
}

TEST_CASE("JUnit counts failures and survives names that XML cannot carry") {
  const TempFolder folder;
  spill(folder / "spec.yaml",
        "shardlens: 2\nname: \"a<b>&\\\"\\x01\"\nsampler: {type: torch.DistributedSampler, set_epoch: false}\n");
  const auto junit = runAudit((folder / "spec.yaml").string() + " --format junit");
  CHECK(junit.code == 1);
  spill(folder / "junit.xml", junit.out);
  const auto read = runShell(std::string(test::kPython) + " -c \"import xml.etree.ElementTree as t; r = t.parse('" +
                             (folder / "junit.xml").string() +
                             "').getroot(); print(r.get('failures'), len(list(r.iter('failure'))), "
                             "int(r.get('tests')) == len(list(r.iter('testcase'))))\"");
  CHECK(read.out == "1 1 True\n");
}

TEST_CASE("epochs choose what is counted, and what does not exist is a usage error") {
  CHECK(auditJson(example("distributed-sampler") + " --epochs 1", 0)["coverage"].size() == 1);
  CHECK(auditJson(example("distributed-sampler") + " --first-epoch 1 --epochs 9", 0)["coverage"][0]["epoch"] == 1);
  CHECK(runAudit(example("distributed-sampler") + " --first-epoch 2 2>/dev/null").code == 2);
  CHECK(runAudit(example("distributed-sampler") + " --epochs 0 2>/dev/null").code == 2);
  CHECK(runAudit("no-such-file.yaml 2>/dev/null").code == 2);
}

TEST_CASE("numbers that make no sense are refused by the option's own name") {
  const auto none = runAudit(example("seed-same") + " --epochs 0 2>&1");
  CHECK(none.code == 2);
  CHECK(none.out.find("--epochs: '0' is too small: give a number above 0.") != std::string::npos);
  const auto late = runAudit(example("seed-same") + " --first-epoch 99 2>&1");
  CHECK(late.code == 2);
  CHECK(late.out.find("--first-epoch: there is no epoch 99.") != std::string::npos);
  const auto bogus = runShell(test::binDir() + "/shardlens --bogus 2>&1");
  CHECK(bogus.code == 2);
  CHECK(bogus.out.find("there is no option '--bogus'.") != std::string::npos);
}

TEST_CASE("a sampler without its framework's name is found, and a BatchSampler is pointed to the loader") {
  const TempFolder folder;
  const auto refusal = [&](const std::string& type) {
    spill(folder / "a.yaml", "shardlens: 2\nsampler: {type: " + type + "}\n");
    return runAudit((folder / "a.yaml").string() + " 2>&1").out;
  };
  CHECK(refusal("DistributedSampler").find("did you mean monai.DistributedSampler or torch.DistributedSampler?") !=
        std::string::npos);
  CHECK(refusal("torch.BatchSampler").find("loader.batch_size and loader.drop_last are the BatchSampler") !=
        std::string::npos);
}

TEST_CASE("where the order is not known, audit and find say what does not depend on it, and exit as for an error") {
  const TempFolder folder;
  const std::string spec = (folder / "spec.yaml").string();
  const std::string head =
      "shardlens: 2\ndataset: {size: 64, shards: 16 x 4}\nworld: {nodes: 1, ranks_per_node: 2}\nepochs: 1\n";
  spill(spec, head +
                  "loader: {batch_size: 4}\n"
                  "sampler: {type: datasets.IterableDataset, split_by_node: false, shuffle: true}\n");
  const json report = auditJson(spec, 2);
  CHECK(report["coverage"][0]["handed_out"] == 128);
  CHECK(report["coverage"][0]["missing_ids"] == nullptr);
  CHECK(report["seeds"] == nullptr);
  CHECK(report["overlap"]["ranks"]["shared"][0][1] == 64);
  CHECK(report["overlap"]["ranks"]["same_as"] == nullptr);
  CHECK(report["unknown_order"]["field"] == "sampler.seed");
  CHECK(report["unknown_order"]["epochs"][0]["ranks"][1]["batches"] == 16);
  const auto text = runAudit(spec);
  CHECK(text.code == 2);
  CHECK(text.out.find("epoch 0  ranks 0 to 1: each 16 batches from 64 samples\n") != std::string::npos);
  CHECK(text.out.find("Not predictable, because shuffle() without a seed draws one at random.") != std::string::npos);
  const std::string find = test::binDir() + "/shardlens find " + spec + " 5";
  const auto found = runShell(find);
  CHECK(found.code == 2);
  CHECK(found.out ==
        "epoch 0  rank 0  once\n"
        "         rank 1  once\n"
        "In which step is not known: the order is not predictable, because shuffle() without a seed draws one at "
        "random.\n");
  const auto in_json = runShell(find + " --format json");
  CHECK(test::schemaProblemsOfText(in_json.out, "find.schema.json") == "");
  CHECK(json::parse(in_json.out)["unknown_order"]["epochs"][0]["times"] == 2);
  spill(spec, head + "loader: {batch_size: 4}\nsampler: {type: torch.WeightedRandomSampler}\n");
  CHECK(auditJson(spec, 2)["overlap"]["ranks"] == nullptr);
  CHECK(runShell(find + " 2>&1").out.find("not predictable, because the script never seeds") != std::string::npos);
}

TEST_CASE("a schedule that hangs is an error, with who waits where and what mends it") {
  const TempFolder folder;
  const std::string head =
      "shardlens: 2\nname: zero-first\ndataset: {size: 64}\nworld: {ranks_per_node: 4}\n"
      "seeds: {base: 0, rule: base+rank}\nschedule:\n  - {do: barrier, at: start, if: rank != 0}\n"
      "  - {do: host, at: start, ms: 900}\n";
  spill(folder / "wrong.yaml", head + "  - {do: ddp}\n");
  spill(folder / "right.yaml", head + "  - {do: barrier, at: start, if: rank == 0}\n  - {do: ddp}\n");
  const json wrong = finding(auditJson((folder / "wrong.yaml").string(), 1), "schedule-hangs");
  REQUIRE(wrong.is_object());
  CHECK(wrong["title"] == "The schedule hangs at the start");
  CHECK(wrong["where"]["ranks"] == json({1, 2, 3}));
  CHECK(wrong["fix"]["edits"][0]["path"] == "schedule");
  CHECK(wrong["fix"]["edits"][0]["value"][2]["if"] == "rank == 0");
  CHECK(finding(auditJson((folder / "right.yaml").string(), 0), "schedule-hangs").is_null());
  const auto text = runAudit((folder / "wrong.yaml").string());
  CHECK(text.out.find("[schedule-hangs]") != std::string::npos);
  CHECK(text.out.find("Fix: Let the other ranks call barrier, too: {do: barrier, at: start, if: rank") !=
        std::string::npos);
}

TEST_CASE("of a schedule that is too long to follow, only what is known has no problems") {
  const TempFolder folder;
  // Rank 0 waits at the start, and what rank 1 does in 320 000 steps of 64 phases would have to be looked at.
  std::string spec =
      "shardlens: 2\nname: long\ndataset: {size: 640000}\nworld: {ranks_per_node: 2}\nloader: {batch_size: 1}\n"
      "seeds: {base: 0, rule: base+rank}\nepochs: 1\nschedule:\n  - {do: barrier, at: start, if: rank == 0}\n";
  for (int phase = 0; phase < 64; ++phase) spec += "  - {do: host, if: step == 1}\n";
  spill(folder / "long.yaml", spec);
  const auto text = runAudit((folder / "long.yaml").string());
  CHECK(text.code == 0);
  CHECK(text.out.starts_with("long: no problems found in what is known\n"));
  CHECK(text.out.find("[schedule-not-followed]") != std::string::npos);
}
