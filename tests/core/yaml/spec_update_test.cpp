// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/spec_update.h"

#include "core/yaml/spec_reader.h"
#include "core/yaml/spec_writer.h"
#include "tests/core/yaml/random_spec.h"
#include "tests/core/yaml/samplers.h"
#include "tests/support/random_seed.h"

#include <doctest/doctest.h>

using namespace shardlens;

namespace {

const std::string kFile = R"(# our nightly job
shardlens: 2
epochs: 3      # three is enough

world:
    nodes: 2   # two boxes
    ranks_per_node: 4
sampler: {shuffle: true, type: torch.DistributedSampler, seed: 7}   # as in train.py
run:
    load_ms: 1.50
# the end
)";

PipelineSpec read(const std::string& text) {
  const yaml::ReadSpec got = yaml::readSpec(text, test::samplers());
  REQUIRE_MESSAGE(got.issues.empty(), got.issues.front().text());
  return got.spec;
}

std::string update(const std::string& text, const PipelineSpec& spec) {
  const auto updated = yaml::updateText(text, spec, test::samplers());
  REQUIRE(updated);
  return *updated;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t place = text.find(from);
  REQUIRE(place != std::string::npos);
  return text.replace(place, from.size(), to);
}

}  // namespace

TEST_CASE("a spec that says the same leaves every byte alone") {
  CHECK(update(kFile, read(kFile)) == kFile);
}

TEST_CASE("a changed value is the only thing that changes") {
  PipelineSpec spec = read(kFile);
  spec.world.nodes = 16;
  CHECK(update(kFile, spec) == replaced(kFile, "nodes: 2 ", "nodes: 16 "));
  spec = read(kFile);
  spec.sampler.parameters["shuffle"] = false;
  CHECK(update(kFile, spec) == replaced(kFile, "shuffle: true", "shuffle: false"));
}

TEST_CASE("a missing key goes behind its neighbour in the same style") {
  PipelineSpec spec = read(kFile);
  spec.run.compute_ms = 9;
  CHECK(update(kFile, spec) == replaced(kFile, "load_ms: 1.50\n", "load_ms: 1.50\n    compute_ms: 9\n"));
  spec = read(kFile);
  spec.sampler.parameters["drop_last"] = true;
  CHECK(update(kFile, spec) == replaced(kFile, "seed: 7", "seed: 7, drop_last: true"));
}

TEST_CASE("a missing section is written whole, after the section before it") {
  PipelineSpec spec = read(kFile);
  spec.loader.batch_size = 64;
  CHECK(update(kFile, spec) == replaced(kFile, "ranks_per_node: 4\n", "ranks_per_node: 4\nloader: {batch_size: 64}\n"));
  spec = read(kFile);
  spec.run.delays = {{.rank = 3, .ms = 5}};
  CHECK(update(kFile, spec) == replaced(kFile, "1.50\n", "1.50\n    delays: [{rank: 3, ms: 5}]\n"));
}

TEST_CASE("seeds come into a file that has none only when the spec seeds") {
  PipelineSpec spec = read(kFile);
  CHECK(spec.seeds.rule == "unseeded");
  spec.seeds = {0, "same"};
  CHECK(read(update(kFile, spec)) == spec);
  CHECK(update(kFile, spec).find("seeds: {base: 0, rule: same}") != std::string::npos);
}

TEST_CASE("another sampler takes its own parameters with it") {
  PipelineSpec spec = read(kFile);
  spec.sampler = {"torch.SequentialSampler", {}};
  CHECK(update(kFile, spec) ==
        replaced(kFile, "{shuffle: true, type: torch.DistributedSampler, seed: 7}", "{type: torch.SequentialSampler}"));
  const std::string block =
      "shardlens: 2\nsampler:\n  shuffle: true # yes\n  type: torch.DistributedSampler\n  seed: 7\nepochs: 3\n";
  CHECK(update(
            block, spec = [&] {
              PipelineSpec other = read(block);
              other.sampler = {"torch.SubsetRandomSampler", {{"indices", IndexList{4, 2}}}};
              return other;
            }()) == "shardlens: 2\nsampler:\n  type: torch.SubsetRandomSampler\n  indices: [4, 2]\nepochs: 3\n");
}

TEST_CASE("line ends, a byte order mark and a missing last line end stay as they are") {
  const std::string crlf = "\xEF\xBB\xBFshardlens: 2\r\nworld:\r\n  nodes: 2";
  PipelineSpec spec = read(crlf);
  spec.world.ranks_per_node = 8;
  CHECK(update(crlf, spec) == crlf + "\r\n  ranks_per_node: 8\r\n");
}

TEST_CASE("what cannot be changed safely is not changed") {
  PipelineSpec spec = read(kFile);
  CHECK_FALSE(yaml::updateText("trainer: {devices: 4}\n", spec, test::samplers()));
  CHECK_FALSE(yaml::updateText("", spec, test::samplers()));
  CHECK_FALSE(yaml::updateText("shardlens: 2\nname: >\n  folded\n  text\n", spec, test::samplers()));
}

TEST_CASE("any spec can be written over the canonical file of any other, and comments survive") {
  test::RandomSpec specs(test::samplers(), 7);
  for (int i = 0; i < test::rounds(200); ++i) {
    const std::string text = "# first\n" + yaml::writeSpec(specs.next(), test::samplers()) + "# last\n";
    const PipelineSpec wanted = i % 4 == 0 ? specs.onUnequalNodes(specs.next()) : specs.next();
    CAPTURE(text);
    CAPTURE(yaml::writeSpec(wanted, test::samplers()));
    const auto updated = yaml::updateText(text, wanted, test::samplers());
    REQUIRE(updated);
    CHECK(read(*updated) == wanted);
    CHECK(updated->starts_with("# first\n"));
    CHECK(updated->find("# last\n") != std::string::npos);
  }
}

TEST_CASE("a file that leaves the number of listed nodes out says it once the list is gone") {
  const std::string text = "shardlens: 2\nworld: {ranks_per_node: [2, 1]}\nseeds: {}\n";
  PipelineSpec wanted = read(text);
  CHECK(wanted.world.nodes == 2);
  CHECK(yaml::updateText(text, wanted, test::samplers()) == text);
  wanted.world.ranks_per_node = 4;
  const auto updated = yaml::updateText(text, wanted, test::samplers());
  REQUIRE(updated);
  CHECK(read(*updated) == wanted);
}
