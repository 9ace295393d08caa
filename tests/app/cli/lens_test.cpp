// SPDX-License-Identifier: Apache-2.0
// The verb lens, as a person and a script meet it.
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
  return runShell(test::binDir() + "/shardlens lens " + arguments);
}

json answer(const std::string& arguments) {
  const auto finished = run(arguments + " --format json");
  CHECK(finished.code == 0);
  CHECK(test::schemaProblemsOfText(finished.out, "lens.schema.json") == "");
  return json::parse(finished.out, nullptr, false);
}

json columnOf(const json& lens, const std::string& id) {
  for (const json& column : lens["columns"]) {
    if (column["id"] == id) return column;
  }
  return nullptr;
}

std::string specWith(const TempFolder& folder, const std::string& sampler) {
  spill(folder / "spec.yaml",
        "shardlens: 2\nname: lensed\ndataset: {size: 11}\nworld: {nodes: 1, ranks_per_node: 2}\n"
        "loader: {batch_size: 3}\nseeds: {base: 0, rule: same}\n" +
            sampler);
  return (folder / "spec.yaml").string();
}

}  // namespace

TEST_CASE("a script that never seeds is seen through the frameworks that deal anew") {
  const TempFolder folder;
  spill(folder / "spec.yaml",
        "shardlens: 2\ndataset: {size: 11}\nworld: {nodes: 1, ranks_per_node: 2}\nsampler: {type: "
        "torch.RandomSampler}\n");
  const json lens = answer((folder / "spec.yaml").string() + " --only lightning");
  REQUIRE(lens["columns"].size() == 2);
  CHECK(lens["columns"][0]["verdict"] == "unknown");
  CHECK(lens["columns"][1]["verdict"] == "uncompared");
}

TEST_CASE("recorded batches are named as a person and as a script know them") {
  const TempFolder folder;
  const std::string spec = specWith(folder,
                                    "sampler: {type: recorded.Batches, ids: {range: [0, 11]}, batch_sizes: [3, 3, 3, "
                                    "2], rank_batches: [2, 2], ranks: 2}\nepochs: 1\n");
  CHECK(answer(spec)["columns"][0]["sampler"] == "recorded.Batches");
  const std::string said = run(spec).out;
  CHECK(said.find("recorded batches") != std::string::npos);
  CHECK(said.find("recorded.Batches") == std::string::npos);
  const auto refused = run(specWith(folder, "sampler: {type: recorded.Batches, shuffle: true}\n") + " 2>&1");
  CHECK_MESSAGE(refused.out.find("'shuffle' is no parameter of recorded batches.") != std::string::npos, refused.out);
}

TEST_CASE("lens shows that Lightning shuffles a sequential loader, batch for batch") {
  const TempFolder folder;
  const json lens = answer(specWith(folder, "sampler: {type: torch.SequentialSampler}\n"));
  CHECK(lens["columns"][0]["id"] == "as-written");
  CHECK(lens["columns"][0]["order"]["differing"] == 0);
  const json column = columnOf(lens, "lightning");
  REQUIRE(column.is_object());
  CHECK(column["error"].is_null());
  CHECK(column["order"]["first_batches"][0]["samples"] == json({10, 4, 5}));
  CHECK(column["order"]["first_batches"][0]["differs"] == true);
  CHECK(column["order"]["first_difference"] == json({{"rank", 0}, {"step", 0}}));
  CHECK(columnOf(lens, "fabric")["order"]["first_batches"][0]["samples"] == json({0, 2, 4}));
}

TEST_CASE("lens quotes what Lightning raises for a TwoStreamBatchSampler, when, and the order of each remedy") {
  const TempFolder folder;
  const json lens = answer(specWith(folder,
                                    "sampler: {type: ssl4mis.TwoStreamBatchSampler, primary_indices: {range: [0, 6]}, "
                                    "secondary_indices: {range: [6, 11]}, secondary_batch_size: 1}\n"));
  const json column = columnOf(lens, "lightning");
  REQUIRE(column["error"].is_object());
  CHECK(column["order"].is_null());
  CHECK(column["error"]["raised"] == "TypeError");
  CHECK(column["error"]["message"].get<std::string>().starts_with(" Lightning can't inject a (distributed) sampler"));
  CHECK(column["error"]["when"] == "in trainer.fit(), before the first batch");
  for (const char* id : {"lightning-off", "lightning-batch-sampler", "lightning-distributed-sampler"}) {
    CAPTURE(id);
    CHECK(columnOf(lens, id)["remedy_of"] == "lightning");
    CHECK(columnOf(lens, id)["order"].is_object());
  }
  CHECK(columnOf(lens, "lightning-newer")["error"] == column["error"]);
  CHECK(columnOf(lens, "lightning-off")["order"]["differing"] == 0);
  // Every rank gets half of the batches, none twice.
  CHECK(columnOf(lens, "lightning-distributed-sampler")["order"]["batches"] == 2);
  CHECK(columnOf(lens, "as-written")["order"]["batches"] == 6);
}

TEST_CASE("lens is readable: a verdict a column, differences marked") {
  const TempFolder folder;
  const auto finished = run(specWith(folder, "sampler: {type: torch.SequentialSampler}\n"));
  CHECK(finished.code == 0);
  CHECK(finished.out.find("Lightning 2.6 Trainer  [lightning]\n") != std::string::npos);
  CHECK(finished.out.find("batches differ, first at") != std::string::npos);
  CHECK(finished.out.find("[10, 4, 5] *") != std::string::npos);
}

TEST_CASE("lens shows the columns that are asked for beside what was written, and names the nearest to a wrong one") {
  const TempFolder folder;
  const std::string spec = specWith(folder, "sampler: {type: torch.DistributedSampler}\n");
  const json lens = answer(spec + " --only transformers,grain");
  REQUIRE(lens["columns"].size() == 3);
  CHECK(lens["columns"][0]["id"] == "as-written");
  CHECK(lens["columns"][1]["id"] == "transformers");
  CHECK(lens["columns"][2]["id"] == "grain");
  const auto wrong = run(spec + " --only transformer 2>&1");
  CHECK(wrong.code == 2);
  CHECK(wrong.out.find("did you mean transformers?") != std::string::npos);
}

TEST_CASE("lens says how the samples of a column compare with what was written") {
  const TempFolder folder;
  const json lens = answer(specWith(folder, "sampler: {type: torch.DistributedSampler, shuffle: false}\n"));
  CHECK(columnOf(lens, "lightning")["order"]["relation"] == "the same order");
  const json twice = columnOf(lens, "accelerate")["order"];  // 0 2 4 of rank 0, 7 9 0 of rank 1
  CHECK(twice["relation"] == "other samples: 6 left out");
  CHECK(twice["only_as_written"] == 6);
  CHECK(twice["only_here"] == 0);
  for (const json& column : lens["columns"]) CHECK(column["makes"].get<std::string>().ends_with("."));
}

TEST_CASE("lens refuses an epoch that the spec has not") {
  const TempFolder folder;
  const auto finished = run(specWith(folder, "epochs: 2\n") + " --epoch 2 2>&1");
  CHECK(finished.code == 2);
  CHECK(finished.out.find("there is no epoch 2") != std::string::npos);
}
