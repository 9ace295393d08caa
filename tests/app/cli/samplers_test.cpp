// SPDX-License-Identifier: Apache-2.0
// The verb samplers, as a person and a script meet it.
#include "tests/support/json_schema.h"
#include "tests/support/places.h"
#include "tests/support/process.h"

#include <doctest/doctest.h>
using nlohmann::json;
using namespace shardlens;
using test::runShell;

namespace {

test::Finished run(const std::string& arguments) {
  return runShell(test::binDir() + "/shardlens samplers " + arguments);
}

}  // namespace

TEST_CASE("the list says of each sampler what it does and needs") {
  const auto all = run("");
  CHECK(all.code == 0);
  CHECK(all.out.starts_with("PyTorch\n  torch.DistributedSampler"));
  CHECK(all.out.find("ssl4mis.TwoStreamBatchSampler                     all on every rank, needs two lists") !=
        std::string::npos);
}

TEST_CASE("words choose among the samplers") {
  const auto finished = run("LENGTH divided");
  CHECK(finished.code == 0);
  CHECK(finished.out.find("transformers.DistributedLengthGroupedSampler") != std::string::npos);
  CHECK(finished.out.find("torch.RandomSampler") == std::string::npos);
  const auto none = run("unheard 2>&1");
  CHECK(none.code == 2);
  CHECK(none.out.find("no sampler has 'unheard'") != std::string::npos);
}

TEST_CASE("the list of samplers as JSON holds its schema") {
  const auto finished = run("--format json");
  CHECK(finished.code == 0);
  CHECK(test::schemaProblemsOfText(finished.out, "samplers.schema.json") == "");
  const json answer = json::parse(finished.out, nullptr, false);
  CHECK(answer["samplers"].size() >= 76);
  CHECK(run("unheard --format json").out == "{\n \"samplers\": []\n}\n");
}
