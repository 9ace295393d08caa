// SPDX-License-Identifier: Apache-2.0
// `shardlens check` as a CI job types it.
#include "tests/support/json_schema.h"
#include "tests/support/places.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>

using namespace shardlens::test;
using Json = nlohmann::json;

namespace {

const std::string kProgram = binDir() + "/shardlens check ";

std::string specWith(const std::string& check) {
  return "shardlens: 2\nname: gate\ndataset: {size: 103}\nworld: {nodes: 1, ranks_per_node: 4}\n"
         "loader: {batch_size: 8}\nseeds: {base: 0, rule: base+rank}\n" +
         check;
}

Finished checked(const TempFolder& folder, const std::string& check, const std::string& options = "") {
  spill(folder / "gate.yaml", specWith(check));
  return runShell("cd " + folder.path().string() + " && " + kProgram + "gate.yaml " + options);
}

}  // namespace

TEST_CASE("check passes what keeps its budgets, and fails what does not") {
  const TempFolder folder;
  const Finished kept = checked(folder, "check: {budgets: [{of: padded, most: 1, unit: percent}, {of: missing}]}\n");
  CHECK(kept.code == 0);
  CHECK(kept.out.find("gate: passed, 2 epochs counted") != std::string::npos);
  const Finished broken = checked(folder, "check:\n  budgets:\n    - {of: missing}\n    - {of: padded}\n");
  CHECK(broken.code == 1);
  CHECK(broken.out.find("broken     Padding: at most 0  [budget-padded]\n"
                        "           1 of 104 items (0.962 %) in epoch 0.") == 0);
  CHECK(broken.out.find("gate: 1 check failed, 2 epochs counted") != std::string::npos);
  CHECK(checked(folder, "").code == 0);
  CHECK(checked(folder, "check: {budgets: [{of: paddle}]}\n").code == 2);
  CHECK(checked(folder, "check: {budgets: [{most: 3}]}\n").code == 2);
}

TEST_CASE("findings fail the check from the severity on that the spec names") {
  const TempFolder folder;
  const std::string frozen = "sampler: {type: torch.DistributedSampler, set_epoch: false}\n";
  CHECK(checked(folder, frozen).code == 1);
  CHECK(checked(folder, frozen + "check: {findings: none}\n").code == 0);
  const Finished limited = checked(folder, frozen + "check: {findings: none, budgets: [{of: same_epochs}]}\n");
  CHECK(limited.code == 1);
  CHECK(limited.out.find("1 of 2 epochs (50 %).") != std::string::npos);
}

TEST_CASE("check answers in JSON by its schema, in JUnit, and in SARIF with the line of the spec") {
  const TempFolder folder;
  const std::string check = "check:\n  budgets:\n    - {of: missing}\n    - {of: padded}\n";
  const Finished json = checked(folder, check, "--format json");
  CHECK(json.code == 1);
  CHECK(schemaProblemsOfText(json.out, "check.schema.json").empty());
  const Json answer = Json::parse(json.out);
  CHECK(answer["passed"] == false);
  CHECK(answer["checks"][0]["state"] == "kept");
  CHECK(answer["checks"][1]["state"] == "broken");
  CHECK(answer["checks"][1]["field"] == "check.budgets[1]");

  const Json sarif = Json::parse(checked(folder, check, "--format sarif").out);
  CHECK(sarif["version"] == "2.1.0");
  const Json& run = sarif["runs"][0];
  CHECK(run["tool"]["driver"]["name"] == "ShardLens");
  REQUIRE(run["results"].size() == 1);
  CHECK(run["results"][0]["ruleId"] == "budget-padded");
  const Json& place = run["results"][0]["locations"][0]["physicalLocation"];
  CHECK(place["artifactLocation"]["uri"] == "gate.yaml");
  CHECK(place["region"]["startLine"] == 10);

  const std::string junit = checked(folder, check, "--format junit").out;
  CHECK(junit.find("tests=\"2\" failures=\"1\"") != std::string::npos);
  CHECK(junit.find("<failure type=\"budget-padded\"") != std::string::npos);
}
