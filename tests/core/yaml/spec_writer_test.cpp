// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/spec_writer.h"

#include "core/yaml/scalar.h"
#include "core/yaml/spec_reader.h"
#include "tests/core/yaml/random_spec.h"
#include "tests/core/yaml/samplers.h"
#include "tests/support/random_seed.h"

#include <doctest/doctest.h>

using namespace shardlens;

TEST_CASE("the file is short: one line a section, only what differs of the run") {
  PipelineSpec spec;
  spec.name = "seed-example";
  spec.sampler.parameters = {{"shuffle", true}, {"seed", std::int64_t{0}}, {"set_epoch", true}};
  spec.run.delays = {{.rank = 0, .ms = 40}, {.rank = 1, .ms = 2.5, .from_step = 10}};
  CHECK(yaml::writeSpec(spec, test::samplers()) ==
        "shardlens: 2\n"
        "name: seed-example\n"
        "dataset: {size: 16}\n"
        "world: {nodes: 1, ranks_per_node: 2}\n"
        "loader: {batch_size: 2, num_workers: 0, drop_last: false}\n"
        "sampler: {type: torch.DistributedSampler, shuffle: true, seed: 0, set_epoch: true}\n"
        "seeds: {base: 0, rule: same}\n"
        "framework: {torch: \"2.9\"}\n"
        "epochs: 2\n"
        "run: {delays: [{rank: 0, ms: 40}, {rank: 1, ms: 2.5, from_step: 10}]}\n");
}

TEST_CASE("a text is quoted where some reader would take it for something else") {
  for (const char* plain : {"mpirun", "base+rank", "torch.DistributedSampler", "a/b"})
    CHECK(yaml::writeText(plain) == plain);
  CHECK(yaml::writeText("2.9") == "\"2.9\"");
  CHECK(yaml::writeText("NO") == "\"NO\"");
  CHECK(yaml::writeText("null") == "\"null\"");
  CHECK(yaml::writeText("") == "\"\"");
  CHECK(yaml::writeText("a: b") == "\"a: b\"");
  CHECK(yaml::writeText("say \"x\"\n") == "\"say \\\"x\\\"\\n\"");
}

TEST_CASE("a float keeps its point where YAML 1.1 wants one") {
  CHECK(yaml::writeFloat(6e-7) == "6.0e-07");
  CHECK(yaml::writeFloat(0.1) == "0.1");
  CHECK(yaml::writeFloat(1e22) == "1.0e+22");
}

TEST_CASE("reading what was written gives the same spec, for random specs") {
  test::RandomSpec specs(test::samplers(), 20261121);
  for (int i = 0; i < test::rounds(500); ++i) {
    const PipelineSpec spec = i % 4 == 0 ? specs.onUnequalNodes(specs.next()) : specs.next();
    const std::string text = yaml::writeSpec(spec, test::samplers());
    CAPTURE(text);
    const yaml::ReadSpec back = yaml::readSpec(text, test::samplers());
    REQUIRE_MESSAGE(back.issues.empty(), back.issues.front().text());
    REQUIRE(back.spec == spec);
  }
}

TEST_CASE("groups are written where there are some, and read back") {
  PipelineSpec spec;
  spec.world = {2, 8};
  spec.world.groups = {.tensor = 2, .pipeline = 4, .order = kPipelineThenData};
  const std::string text = yaml::writeSpec(spec, test::samplers());
  CHECK(text.find("groups: {tensor: 2, pipeline: 4, order: tp-cp-pp-dp}") != std::string::npos);
  CHECK(yaml::readSpec(text, test::samplers()).spec.world == spec.world);
  spec.world.groups = {.expert = 4, .expert_tensor = 2};
  const std::string experts = yaml::writeSpec(spec, test::samplers());
  CHECK(experts.find("groups: {expert: 4, expert_tensor: 2}") != std::string::npos);
  CHECK(yaml::readSpec(experts, test::samplers()).spec.world == spec.world);
  spec.world.groups = {};
  CHECK(yaml::writeSpec(spec, test::samplers()).find("groups") == std::string::npos);
}
