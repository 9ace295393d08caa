// SPDX-License-Identifier: Apache-2.0
// The verb resume, as a person and a script meet it.
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

std::string specIn(const TempFolder& folder) {
  spill(folder / "spec.yaml",
        "shardlens: 2\nname: stopped\ndataset: {size: 96}\nworld: {nodes: 1, ranks_per_node: 4}\n"
        "loader: {batch_size: 2}\n");
  return (folder / "spec.yaml").string();
}

test::Finished run(const std::string& arguments) {
  return runShell(test::binDir() + "/shardlens resume " + arguments + " 2>&1");
}

}  // namespace

TEST_CASE("resume counts what comes again on fewer ranks, and names it") {
  const TempFolder folder;
  const auto finished = run(specIn(folder) + " --at 3 --world 2 --format json");
  REQUIRE(finished.code == 0);
  CHECK(test::schemaProblemsOfText(finished.out, "resume.schema.json") == "");
  const json answer = json::parse(finished.out, nullptr, false);
  CHECK(answer["resumed_world"] == json({{"nodes", 1}, {"ranks_per_node", 2}}));
  const json way = answer["ways"][0];
  CHECK(way["id"] == "skip-batches");
  CHECK(way["outcome"]["trained"] == 24);
  CHECK(way["outcome"]["repeated"] == 12);
  CHECK(way["outcome"]["repeated_ids"].size() == 12);
  CHECK(way["outcome"]["first_batches"][0]["step"] == 3);
  CHECK(way["outcome"]["first_batches"][0]["repeated"] == json({true, true}));
}

TEST_CASE("a restart may be said in optimizer steps") {
  const TempFolder folder;
  spill(folder / "steps.yaml",
        "shardlens: 2\nname: stopped\ndataset: {size: 96}\nworld: {nodes: 1, ranks_per_node: 4}\n"
        "loader: {batch_size: 2, gradient_accumulation_steps: 3}\n");
  const std::string file = (folder / "steps.yaml").string();
  CHECK(run(file + " --optimizer-step 2").out == run(file + " --at 6").out);
  CHECK(run(file + " --optimizer-step 4").out == run(file + " --at 12").out);
  CHECK(run(file + " --optimizer-step 5").out.find("has only 4 optimizer steps") != std::string::npos);
  const auto stepsOf13 = [&](const std::string& sampler) {
    spill(folder / "left.yaml",
          "shardlens: 2\nname: left\ndataset: {size: 104}\nworld: {nodes: 1, ranks_per_node: 4}\n"
          "loader: {batch_size: 2, gradient_accumulation_steps: 3}\nsampler: {type: " +
              sampler + "}\nseeds: {rule: same}\n");
    return run((folder / "left.yaml").string() + " --optimizer-step 6").out;
  };
  CHECK(stepsOf13("torch.DistributedSampler").find("has only 4 optimizer steps, and 1 batch left over.") !=
        std::string::npos);
  CHECK(stepsOf13("accelerate.BatchSamplerShard").find("has only 5 optimizer steps.") != std::string::npos);
  CHECK(run(file).code == 2);
  CHECK(run(file + " --at 6 --optimizer-step 2").code == 2);
}

TEST_CASE("what is left, read by every rank, is not exact") {
  const TempFolder folder;
  spill(folder / "few.yaml",
        "shardlens: 2\nname: few\nframework: {torch: \"2.6\"}\ndataset: {size: 5}\n"
        "world: {nodes: 1, ranks_per_node: 2}\nloader: {batch_size: 2}\n");
  const auto finished = run((folder / "few.yaml").string() + " --at 1 --world 3");
  REQUIRE(finished.code == 0);
  CHECK(finished.out.find("exact: nothing repeated") == std::string::npos);
  CHECK(finished.out.find("more often than planned") != std::string::npos);
}

TEST_CASE("an epoch that ends with fewer readings than planned is not exact") {
  const TempFolder folder;
  spill(folder / "padded.yaml",
        "shardlens: 2\nname: padded\ndataset: {size: 5}\nworld: {nodes: 1, ranks_per_node: 4}\n"
        "loader: {batch_size: 1}\n");
  const std::string arguments = (folder / "padded.yaml").string() + " --at 0 --world 1";
  const json way = json::parse(run(arguments + " --format json").out, nullptr, false)["ways"][0];
  CHECK(way["id"] == "skip-batches");
  CHECK(way["verdict"] == "differs");  // 8 items were planned for 5 samples, and 5 come
  CHECK(way["outcome"]["missed"] == 3);
  CHECK(way["summary"] == "0 repeated, 0 lost, 3 planned reads never happen");
}

TEST_CASE("resume says in words what happens, and takes nodes by ranks") {
  const TempFolder folder;
  const auto finished = run(specIn(folder) + " --at 3 --world 2x4");
  CHECK(finished.code == 0);
  CHECK(finished.out.find("stops in epoch 0 after 3 steps on 4 ranks (1 x 4) and restarts with 8 ranks (2 x 4)") !=
        std::string::npos);
  CHECK(finished.out.find("outcome 0 repeated, 24 lost; 3 steps remaining with 48 samples") != std::string::npos);
  CHECK(finished.out.find("24 of them never trained") != std::string::npos);
}

TEST_CASE("resume takes another batch_size, and says both") {
  const TempFolder folder;
  const std::string spec = specIn(folder);
  const auto finished = run(spec + " --at 3 --batch-size 6");
  CHECK(finished.code == 0);
  CHECK(finished.out.find("restarts with 4 ranks (1 x 4) and batch_size 6 instead of 2") != std::string::npos);
  CHECK(finished.out.find("3 steps on 4 ranks are 24 samples.") != std::string::npos);
  const auto as_json = run(spec + " --at 3 --batch-size 6 --format json");
  CHECK(test::schemaProblemsOfText(as_json.out, "resume.schema.json") == "");
  const json answer = json::parse(as_json.out, nullptr, false);
  CHECK(answer["stopped_batch_size"] == 2);
  CHECK(answer["resumed_batch_size"] == 6);
  CHECK(run(spec + " --at 3 --batch-size 0").code == 2);
  CHECK(run(spec + " --at 3 --batch-size 2").out == run(spec + " --at 3").out);
}

TEST_CASE("resume takes the ranks of each node") {
  const TempFolder folder;
  const auto finished = run(specIn(folder) + " --at 3 --world 2,1");
  CHECK(finished.code == 0);
  CHECK(finished.out.find("on 4 ranks (1 x 4) and restarts with 3 ranks (2 + 1)") != std::string::npos);
  const auto answer = json::parse(run(specIn(folder) + " --at 3 --world 2,1 --format json").out, nullptr, false);
  CHECK(answer["resumed_world"] == json({{"nodes", 2}, {"ranks_per_node", {2, 1}}}));
  CHECK(run(specIn(folder) + " --at 3 --world 2,0").code == 2);
}

TEST_CASE("resume refuses what makes no sense, and says what does") {
  const TempFolder folder;
  const std::string spec = specIn(folder);
  const auto late = run(spec + " --at 13 --world 2");
  CHECK(late.code == 2);
  CHECK(late.out.find("epoch 0 has no step 13 to stop at") != std::string::npos);
  CHECK(late.out.find("stop after 0 to 12") != std::string::npos);
  for (const char* world : {"0", "-1", "2x", "x2", "two", "2x2x2", "99999999999999999999"}) {
    CAPTURE(world);
    const auto wrong = run(spec + " --at 1 --world=" + world);
    CHECK(wrong.code == 2);
    CHECK(wrong.out.find("is not a world size") != std::string::npos);
  }
  CHECK(run(spec + " --at 1 --epoch 9 --world 2").code == 2);
  CHECK(run(spec + " --world 2").code == 2);
}
