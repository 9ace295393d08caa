// SPDX-License-Identifier: Apache-2.0
// The verbs plan, find, diff and selftest, and the program's manners, as a script meets them.
#include "tests/support/json_schema.h"
#include "tests/support/places.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>
using nlohmann::json;
using namespace shardlens;
using test::runShell;
using test::spill;
using test::TempFolder;

namespace {

test::Finished run(const std::string& arguments) {
  return runShell(test::binDir() + "/shardlens " + arguments);
}

/// The JSON answer, which must hold its schema.
json answer(const std::string& arguments, const std::string& verb, int code = 0) {
  const auto finished = run(verb + " " + arguments + " --format json");
  CHECK(finished.code == code);
  CHECK(test::schemaProblemsOfText(finished.out, verb + ".schema.json") == "");
  return json::parse(finished.out, nullptr, false);
}

/// stderr, which must be one line that says who speaks.
std::string complaint(const std::string& arguments, int code) {
  const auto finished = run(arguments + " 2>&1 >/dev/null");
  CAPTURE(arguments);
  CHECK(finished.code == code);
  CHECK(finished.out.rfind("shardlens: ", 0) == 0);
  CHECK(std::count(finished.out.begin(), finished.out.end(), '\n') == 1);
  return finished.out;
}

bool says(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

std::string example(const std::string& name) {
  return test::sourceDir() + "/resources/examples/" + name + ".yaml";
}

/// A small spec with padding and workers.
std::string uneven(const TempFolder& folder, const std::string& more = "") {
  spill(folder / "uneven.yaml",
        "shardlens: 2\nname: uneven\ndataset: {size: 15}\nworld: {nodes: 1, ranks_per_node: 2}\n"
        "loader: {batch_size: 3, num_workers: 2, drop_last: true}\nseeds: {base: 0, rule: same}\n" +
            more);
  return (folder / "uneven.yaml").string();
}

}  // namespace

TEST_CASE("plan says where each rank stands in the groups, where there are some") {
  const TempFolder folder;
  spill(folder / "groups.yaml",
        "shardlens: 2\nname: groups\ndataset: {size: 8}\nworld: {ranks_per_node: 4, groups: {tensor: 2}}\n"
        "sampler: {shuffle: false, num_replicas: data_parallel_size, rank: data_parallel_rank}\n");
  const std::string file = (folder / "groups.yaml").string();
  const json ranks = answer(file + " --epoch 0", "plan")["epochs"][0]["ranks"];
  CHECK(ranks[3]["coordinates"] == json({{"tensor", 1}, {"context", 0}, {"data", 1}, {"pipeline", 0}}));
  CHECK(ranks[2]["batches"] == json::parse("[[1,3],[5,7]]"));
  CHECK(ranks[3]["batches"] == ranks[2]["batches"]);
  const std::string text = run("plan " + file + " --epoch 0").out;
  CHECK(says(text, "groups: 8 samples, 4 ranks (tensor 2, data 2), torch.DistributedSampler"));
  CHECK(says(text, "epoch 0, rank 3 (tensor 1, data 1): 2 batches"));
  CHECK_FALSE(answer(example("distributed-sampler"), "plan")["epochs"][0]["ranks"][0].contains("coordinates"));
  spill(folder / "experts.yaml",
        "shardlens: 2\nname: experts\ndataset: {size: 8}\nworld: {ranks_per_node: 4, groups: {expert: 2}}\n");
  const std::string experts = (folder / "experts.yaml").string();
  json place = {{"tensor", 0}, {"context", 0}, {"data", 3}, {"pipeline", 0}};
  place.update({{"expert_tensor", 0}, {"expert", 1}, {"expert_data", 1}});
  CHECK(answer(experts, "plan")["epochs"][0]["ranks"][3]["coordinates"] == place);
  CHECK(says(run("plan " + experts).out, "experts: 8 samples, 4 ranks (data 4, expert 2, expert_data 2), torch."));
}

TEST_CASE("plan gives the batches that PyTorch gives") {
  const json plan = answer(example("distributed-sampler") + " --epoch 0 --rank 0", "plan");
  CHECK(plan["world_size"] == 2);
  REQUIRE(plan["epochs"].size() == 1);
  REQUIRE(plan["epochs"][0]["ranks"].size() == 1);
  CHECK(plan["epochs"][0]["ranks"][0]["rank"] == 0);
  CHECK(plan["epochs"][0]["ranks"][0]["batches"] == json::parse("[[12,9],[11,13],[2,15],[4,7]]"));
  CHECK(plan["epochs"][0]["ranks"][0]["fingerprint"].get<std::string>().size() == 16);
  const json all = answer(example("distributed-sampler"), "plan");
  CHECK(all["epochs"][1]["ranks"][0]["batches"] == json::parse("[[5,6],[11,7],[1,9],[10,13]]"));
  CHECK(all["epochs"][0]["ranks"][1]["batches"] == json::parse("[[10,6],[8,5],[14,0],[3,1]]"));
}

TEST_CASE("plan lists the batches of one optimizer step") {
  const TempFolder folder;
  spill(folder / "steps.yaml",
        "shardlens: 2\nname: steps\ndataset: {size: 20}\nworld: {ranks_per_node: 2}\n"
        "loader: {batch_size: 2, gradient_accumulation_steps: 2}\nsampler: {shuffle: false}\n");
  const std::string file = (folder / "steps.yaml").string();
  const json ranks = answer(file + " --epoch 1 --step 1", "plan")["epochs"][0]["ranks"];
  CHECK(ranks[1]["first_batch"] == 2);
  CHECK(ranks[1]["batches"] == json::parse("[[9,11],[13,15]]"));
  CHECK_FALSE(ranks[1].contains("left_over"));
  const json left = answer(file + " --epoch 0 --step 2", "plan")["epochs"][0]["ranks"][0];
  CHECK(left["batches"] == json::parse("[[16,18]]"));
  CHECK(left["left_over"] == true);
  CHECK(says(run("plan " + file + " --step 2").out, "left over: the epoch ends before this optimizer step is full."));
  CHECK_FALSE(says(run("plan " + file + " --step 1").out, "left over"));
  CHECK(answer(file + " --step 3", "plan")["epochs"][0]["ranks"][0]["batches"] == json::array());
  CHECK(says(run("plan " + file + " --step 3").out, "none in this optimizer step"));
  CHECK(run("plan " + file + " --step 9223372036854775807").code == 0);
  const std::string csv = run("plan " + file + " --step 1 --epoch 0 --rank 0 --format csv").out;
  CHECK(says(csv, "\n0,0,2,-1,0,8,8,0\n"));
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 1 + 4);
  spill(folder / "accelerate.yaml",
        "shardlens: 2\nname: steps\ndataset: {size: 20}\nworld: {ranks_per_node: 2}\n"
        "loader: {batch_size: 2, gradient_accumulation_steps: 2}\nsampler: {type: accelerate.BatchSamplerShard}\n"
        "seeds: {rule: same}\n");
  const std::string smaller = run("plan " + (folder / "accelerate.yaml").string() + " --step 2").out;
  CHECK(says(smaller, "epoch 0, rank 0"));
  CHECK_FALSE(says(smaller, "left over"));
}

TEST_CASE("plan writes tables for people and rows for programs") {
  const TempFolder folder;
  const std::string spec = uneven(folder);
  const std::string text = run("plan " + spec).out;
  CHECK(says(text, "uneven: 15 samples, 2 ranks"));
  CHECK(says(text, "epoch 1, rank 1: 2 batches"));
  CHECK(says(text, "    step  worker  samples\n       0       0 "));
  const std::string csv = run("plan " + spec + " --format csv --epoch 0 --rank 1").out;
  CHECK(csv.rfind("epoch,rank,step,worker,item,position,sample,padding\n0,1,0,0,0,1,", 0) == 0);
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 1 + 6);  // loader.drop_last: 2 batches of 3
}

TEST_CASE("plan marks padding in its rows and in JSON alike") {
  const TempFolder folder;
  spill(folder / "padded.yaml",
        "shardlens: 2\nname: padded\ndataset: {size: 5}\nworld: {nodes: 1, ranks_per_node: 3}\n"
        "loader: {batch_size: 2}\nseeds: {base: 0, rule: same}\n");
  const std::string spec = (folder / "padded.yaml").string();
  std::string marked;
  const json plan = answer(spec, "plan");
  for (const json& epoch : plan["epochs"]) {
    for (const json& rank : epoch["ranks"]) {
      for (const json& place : rank["padding"]) {
        const json& batch = rank["batches"][place["step"].get<std::size_t>()];
        marked += epoch["epoch"].dump() + "," + rank["rank"].dump() + "," + place["step"].dump() + "," +
                  place["item"].dump() + "," + batch[place["item"].get<std::size_t>()].dump() + "\n";
      }
    }
  }
  CHECK(std::count(marked.begin(), marked.end(), '\n') == 2);  // 6 items for 5 samples, in each of two epochs
  CHECK(marked == runShell(test::binDir() + "/shardlens plan " + spec +
                           " --format csv | awk -F, '$8 == 1 {print $1 \",\" $2 \",\" $3 \",\" $5 \",\" $7}'")
                      .out);
}

TEST_CASE("a spec may come in on stdin, and a verb that takes long says so, unless it is told not to") {
  const TempFolder folder;
  const std::string spec = uneven(folder);
  CHECK(run("audit - < " + spec).out == run("audit " + spec).out);
  CHECK(runShell("cat " + spec + " | " + test::binDir() + "/shardlens find /dev/stdin 3").out ==
        run("find " + spec + " 3").out);
  // All at once: each gets its spec only when the one that is not quiet has spoken.
  const std::vector<std::string> verbs = {
      "plan -",           "audit -", "lens -", "find - 3", "diff - " + spec, "resume - --at 1", "export - --to pytorch",
      "verify - /nowhere"};
  std::string line;
  for (std::size_t i = 0; i < 2 * verbs.size(); ++i) {
    const std::string spoken = (folder / std::to_string(i / 2 * 2)).string();
    line += "(until grep -q working " + spoken + "; do sleep 0.05; done; cat " + spec + ") 2>/dev/null | " +
            test::binDir() + "/shardlens " + verbs[i / 2] + (i % 2 == 0 ? "" : " --quiet") + " >/dev/null 2>" +
            (folder / std::to_string(i)).string() + " & ";
  }
  (void)runShell(line + "wait");
  for (std::size_t i = 0; i < 2 * verbs.size(); ++i) {
    CAPTURE(verbs[i / 2]);
    CHECK(says(test::slurp(folder / std::to_string(i)), "working after ") == (i % 2 == 0));
  }
}

TEST_CASE("what cannot be done is said in one line, with the exit code of the contract") {
  const TempFolder folder;
  const std::string spec = uneven(folder);
  CHECK(says(complaint("plan " + spec + " --epoch 2", 2), "this spec has epochs 0 to 1"));
  CHECK(says(complaint("plan " + spec + " --epoch -1", 2), "no epoch -1"));
  CHECK(says(complaint("plan " + spec + " --rank 2", 2), "this spec has ranks 0 to 1"));
  CHECK(says(complaint("plan " + spec + " --format xml", 2), "xml"));
  CHECK(says(complaint("plan", 2), "SPEC is required"));
  CHECK(says(complaint("plan " + (folder / "none.yaml").string(), 2), "none.yaml"));
  CHECK(says(complaint("plna " + spec, 2), "did you mean plan?"));
  CHECK(says(complaint("find " + spec + " 15", 2), "there is no sample 15"));
  CHECK(says(complaint("selftest --vectors " + folder.path().string(), 2), "no *.jsonl"));
  const auto full = run("plan " + spec + " 2>&1 >/dev/full");
  CHECK(full.code == 3);
  CHECK(says(full.out, "No space left on device"));
}

TEST_CASE("why a verb failed is also written into a file that the environment names, without who speaks") {
  const TempFolder folder;
  const std::string arguments = "plan " + (folder / "none.yaml").string();
  const std::string file = (folder / "failure.txt").string();
  const auto failed = runShell("SHARDLENS_FAILURE_FILE=" + file + " " + test::binDir() + "/shardlens " + arguments);
  CHECK(failed.code == 2);
  CHECK("shardlens: " + test::slurp(file) == complaint(arguments, 2));
}

TEST_CASE("an answer that has nowhere to go is no success") {
  const TempFolder folder;
  const std::string spec = uneven(folder);
  for (const std::string& arguments :
       {"plan " + spec, "audit " + spec, "find " + spec + " 1", "lens " + spec, "resume " + spec + " --at 1",
        std::string("samplers"), "diff " + spec + " " + spec, "film " + spec + " -o -", std::string("--help")}) {
    CAPTURE(arguments);
    const auto closed = run(arguments + " 2>&1 >&-");
    CHECK(closed.code == 3);
    CHECK(says(closed.out, "shardlens: stdout: the answer could not be written"));
  }
  CHECK(run("film " + spec + " -o " + (folder / "film.html").string() + " >&- 2>/dev/null").code == 0);
}

TEST_CASE("arguments that cannot be taken are named with what can") {
  const TempFolder folder;
  const std::string spec = uneven(folder);
  CHECK(says(complaint("find " + spec + " 99999999999999999999", 2),
             "SAMPLE_ID: '99999999999999999999' is too large: the greatest number is 9223372036854775807."));
  CHECK(says(complaint("find " + spec + " abc", 2), "SAMPLE_ID: 'abc' is not a whole number."));
  CHECK(says(complaint("plan " + spec + " --epoch 1.5", 2), "--epoch: '1.5' is not a whole number."));
  CHECK(says(complaint("audit " + spec + " --format xml", 2), "'xml' is unknown: give text, json or junit."));
  const auto world = run("resume " + spec + " --at 1 --world 99999999999 2>&1");
  CHECK(world.code == 2);
  CHECK(says(world.out, "is not a world size. (give at most "));
  CHECK(says(complaint("plan " + spec + " extra", 2), "unexpected argument 'extra'."));
}

TEST_CASE("--help says that warnings do not change the exit code") {
  CHECK(says(run("--help").out, "0 success, also with warnings, 1 findings that are errors"));
}

TEST_CASE("numbers are decimal, --help needs somewhere to go, and weights may be large") {
  const TempFolder folder;
  const std::string spec = uneven(folder);
  CHECK(run("find " + spec + " 010").out == run("find " + spec + " 10").out);
  CHECK(run("plan " + spec + " --rank 01").out == run("plan " + spec + " --rank 1").out);
  CHECK(run("--help >/dev/full 2>&1").code == 3);
  spill(folder / "weighted.yaml",
        "shardlens: 2\nseeds: {}\ndataset: {size: 2}\nsampler: {type: torch.WeightedRandomSampler, weights: [1.0e+20, "
        "1.0]}\n");
  CHECK(run("plan " + (folder / "weighted.yaml").string()).code == 0);
  spill(folder / "many.yaml",
        "shardlens: 2\nseeds: {}\ndataset: {size: 4000000000}\nsampler: {type: torch.WeightedRandomSampler}\n");
  const auto refused = runShell(test::binDir() + "/shardlens plan " + (folder / "many.yaml").string() + " 2>&1");
  CHECK(says(refused.out, "number of categories cannot exceed 2^24"));
}

TEST_CASE("a framework's exception is named word for word, with the file") {
  const TempFolder folder;
  const std::string spec = uneven(folder, "sampler: {type: torch.DistributedSampler, num_replicas: 1}\n");
  const std::string text = complaint("plan " + spec, 2);
  CHECK(says(text, "uneven.yaml"));
  CHECK(says(text, "ValueError: Invalid rank 1, rank should be in the interval [0, 0]"));
}

TEST_CASE("what a sampler refuses is told where its field stands in the file") {
  const TempFolder folder;
  spill(folder / "outside.yaml",
        "shardlens: 2\ndataset: {size: 4}\nsampler: {type: torch.SubsetRandomSampler, indices: [1, 9]}\n");
  CHECK(says(complaint("plan " + (folder / "outside.yaml").string(), 2),
             "outside.yaml:3:44: sampler.indices: the list holds sample 9, but the dataset has only 4 samples."));
  spill(folder / "lengths.yaml", "shardlens: 2\ndataset: {size: 4, lengths: [1, 2]}\n");
  CHECK(says(complaint("plan " + (folder / "lengths.yaml").string(), 2),
             "lengths.yaml:2:20: dataset.lengths: there are 2 items for 4 samples."));
  spill(folder / "empty.yaml",
        "shardlens: 2\ndataset: {size: 4}\nsampler: {type: meanteacher.TwoStreamBatchSampler}\n");
  const std::string empty = complaint("plan " + (folder / "empty.yaml").string(), 2);
  spill(folder / "word.yaml", "shardlens: 2\nsampler: {type: torch.RandomSampler, num_samples: abc}\n");
  CHECK(says(complaint("plan " + (folder / "word.yaml").string(), 2), "'abc' is neither a whole number nor none."));
  spill(folder / "nope.yaml", "shardlens: 2\nsampler: {type: torch.RandomSampler, nope: 1, sede: 2}\n");
  const std::string keys = run("plan " + (folder / "nope.yaml").string() + " 2>&1").out;
  CHECK_FALSE(says(keys, "did you mean type?"));
  spill(folder / "lines.yaml", "shardlens: 2\nname: \"a\\nb\"\ndataset: {size: 4}\n");
  for (const char* verb : {"plan ", "audit ", "lens "})
    CHECK(run(verb + (folder / "lines.yaml").string()).out.starts_with("a\\nb"));
  CHECK(says(empty,
             "empty.yaml:3:1: sampler.primary_indices: AssertionError (the list is empty: give at least 1 primary "
             "sample, for example 0..7)"));
}

TEST_CASE("a framework's refusal names the field and a way out") {
  const TempFolder folder;
  const std::string file = (folder / "few.yaml").string();
  const auto told = [&](const std::string& sampler, int size) {
    spill(file, "shardlens: 2\ndataset: {size: " + std::to_string(size) + "}\nsampler: {type: " + sampler + "}\n");
    return complaint("plan " + file, 2);
  };
  CHECK(says(told("detectron2.InferenceSampler", 0), "dataset.size: AssertionError (give at least 1 sample)"));
  CHECK(says(told("mmengine.DefaultSampler", 0), "division by zero (give at least 1 sample"));
  CHECK(says(told("torch.WeightedRandomSampler, num_samples: 6, replacement: false, weights: [1, 1]", 2),
             "sampler.num_samples: RuntimeError: cannot sample n_sample > prob_dist.size(-1) samples without "
             "replacement (draw at most 2, or switch sampler.replacement on)"));
}

TEST_CASE("help and version go to stdout") {
  CHECK(says(run("--help").out, "selftest"));
  CHECK(run("--help").code == 0);
  CHECK(run("--version").out.rfind("shardlens ", 0) == 0);
  CHECK(says(run("plan --help").out, "--epoch"));
}

TEST_CASE("find follows one sample, padding and dropped items included") {
  const TempFolder folder;
  const std::string spec = uneven(folder);
  const json plan = answer(spec, "plan");
  std::size_t dropped = 0;
  for (int sample = 0; sample < 15; ++sample) {
    const json life = answer(spec + " " + std::to_string(sample), "find");
    CHECK(life["sample"] == sample);
    REQUIRE(life["epochs"].size() == 2);
    for (const json& epoch : life["epochs"]) {
      CHECK(epoch["seen"].size() + epoch["dropped"].size() >= 1);
      dropped += epoch["dropped"].size();
      for (const json& seen : epoch["seen"]) {
        const json& rank = plan["epochs"][epoch["epoch"].get<std::size_t>()]["ranks"][seen["rank"].get<std::size_t>()];
        CHECK(rank["batches"][seen["step"].get<std::size_t>()][seen["item"].get<std::size_t>()] == sample);
        CHECK(seen["worker"] == seen["step"].get<int>() % 2);
      }
    }
  }
  CHECK(dropped == 2 * 2 * 2);  // of 8 items a rank, 2 are dropped: two ranks, two epochs
  CHECK(says(run("find " + example("distributed-sampler") + " 9").out, "epoch 0  rank 0  step 0  item 1 of the batch"));
}

TEST_CASE("find names the worker that drops its own short batch") {
  const TempFolder folder;
  const std::string spec = uneven(folder, "sampler: {type: torch.IterableDataset, worker_split: stride}\n");
  const json dropped = answer(spec + " 14", "find")["epochs"][0]["dropped"];
  REQUIRE(dropped.size() == 2);  // on both ranks
  CHECK(dropped[0]["worker"] == 0);
  CHECK(says(run("find " + spec + " 14").out,
             "epoch 0  rank 0  in no batch: loader.drop_last drops worker 0's own short one"));
}

TEST_CASE("find says never for a sample that nobody gets") {
  const TempFolder folder;
  const std::string spec = uneven(folder, "sampler: {type: torch.SubsetRandomSampler, indices: [1, 2, 3]}\n");
  CHECK(says(run("find " + spec + " 9").out, "epoch 0  never"));
  CHECK(answer(spec + " 9", "find")["epochs"][1]["seen"].empty());
}

TEST_CASE("diff writes a changed schedule as a spec says it") {
  const TempFolder folder;
  const std::string head = "shardlens: 2\nname: schedules\nworld: {ranks_per_node: 2}\n";
  spill(folder / "a.yaml", head + "schedule: [{do: barrier}]\n");
  spill(folder / "b.yaml", head + "schedule: [{do: barrier}, {do: ddp}]\n");
  const auto finished = run("diff " + (folder / "a.yaml").string() + " " + (folder / "b.yaml").string());
  CHECK(finished.code == 0);
  CHECK(says(finished.out, "  schedule  [{do: barrier}] -> [{do: barrier}, {do: ddp}]\n"));
}

TEST_CASE("diff names the fields and the first batch that differ, and says so by its exit code") {
  const auto same = run("diff " + example("distributed-sampler") + " " + example("distributed-sampler"));
  CHECK(same.code == 0);
  CHECK(says(same.out, "epochs 0 and 1: the same 8 batches in each"));
  const TempFolder folder;
  const std::string spec = uneven(folder);
  spill(folder / "seed.yaml", test::slurp(spec) + "sampler: {type: torch.DistributedSampler, seed: 7}\n");
  const json difference = answer(spec + " " + (folder / "seed.yaml").string(), "diff", 1);
  CHECK(difference["same_order"] == false);
  CHECK(difference["fields"] == json::parse(R"([{"path": "sampler.seed", "before": "0", "after": "7"}])"));
  REQUIRE(difference["epochs"].size() == 2);
  const json& first = difference["epochs"][0]["first_difference"];
  const json plan = answer(spec, "plan");
  CHECK(first["before"] ==
        plan["epochs"][0]["ranks"][first["rank"].get<std::size_t>()]["batches"][first["step"].get<std::size_t>()]);
  CHECK(first["before"] != first["after"]);
  CHECK(difference["epochs"][0]["batches"] == 4);
}

TEST_CASE("selftest names the row that differs and never takes an unknown one for a pass") {
  const TempFolder folder;
  const std::string row = R"({"framework":"torch","version":"2.6.0","sampler":"randperm","params":{"n":5,"seed":0)";
  spill(folder / "a.jsonl", row + R"(},"indices":[4,0,1,3,2]})" + "\n" + row + R"(},"indices":[4,0,1,2,3]})" + "\n" +
                                row + R"(,"device":"cuda"},"indices":[]})" + "\nnot json\n");
  const auto finished = run("selftest --vectors " + folder.path().string());
  CHECK(finished.code == 1);
  CHECK(says(finished.out, "a.jsonl:2: randperm: indices: [3] is 3, not 2"));
  CHECK(says(finished.out, "a.jsonl:4: "));
  CHECK(finished.out.ends_with("\n1 passed, 2 failed, 1 unsupported\n"));
  const json report = answer("--vectors " + folder.path().string(), "selftest", 1);
  CHECK(report["failed"] == 2);
  CHECK(report["failures"][0]["line"] == 2);
}

TEST_CASE("what a sampler refuses only when it is drawn has the line of its field") {
  const TempFolder folder;
  spill(folder / "stream.yaml",
        "shardlens: 2\nname: stream\ndataset: {size: 27, shards: [10, 10, 7]}\nworld: {nodes: 1, ranks_per_node: 2}\n"
        "loader: {batch_size: 2}\nsampler:\n  type: streaming.StreamingDataset\n  batch_size: none\n");
  const std::string spec = (folder / "stream.yaml").string();
  for (const char* verb : {"plan ", "audit ", "film -o - "}) {
    const std::string text = complaint(verb + spec, 2);
    CHECK(says(text, "stream.yaml:8:"));
    CHECK(says(text, "sampler.batch_size"));
  }
}
