// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/spec_reader.h"

#include "core/yaml/tree.h"
#include "tests/core/yaml/samplers.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace shardlens;
using yaml::ReadSpec;

namespace {

ReadSpec read(std::string_view text) {
  return yaml::readSpec(text, test::samplers(), "a.yaml");
}

/// Every issue on a line of its own, as the command line prints them.
std::string problems(std::string_view text) {
  std::string out;
  for (const Error& issue : read(text).issues) out += issue.text() + "\n";
  return out;
}

bool mentions(std::string_view text, std::string_view words) {
  return problems(text).find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("a full file is read key by key") {
  const ReadSpec got = read(R"(shardlens: 2
name: "seed example"
dataset: {size: 1281167}
world: {nodes: 2, ranks_per_node: 4}
loader:
  batch_size: 32
  num_workers: 4
  drop_last: true
sampler: {type: torch.DistributedSampler, shuffle: false, seed: 7, num_replicas: 4, rank: local_rank}
seeds: {base: -42, rule: base+local_rank}
framework: {torch: "2.6"}
epochs: 90
run: {load_ms: 2.5, delays: [{rank: 2, ms: 40, phase: compute}]}
)");
  CHECK(problems("shardlens: 2\n").empty());
  REQUIRE(got.issues.empty());
  CHECK(got.version == 2);
  CHECK(got.spec.name == "seed example");
  CHECK(got.spec.dataset.size == 1281167);
  CHECK(got.spec.worldSize() == 8);
  CHECK(got.spec.loader.batch_size == 32);
  CHECK(got.spec.loader.drop_last);
  CHECK(got.spec.sampler.parameters.size() == 4);
  CHECK(std::get<std::int64_t>(got.spec.sampler.parameters.at("num_replicas")) == 4);
  CHECK(std::get<std::string>(got.spec.sampler.parameters.at("rank")) == "local_rank");
  CHECK(got.spec.seeds.base == -42);
  CHECK(got.spec.seeds.rule == "base+local_rank");
  CHECK(got.spec.framework.torch == "2.6");
  CHECK(got.spec.epochs == 90);
  CHECK(got.spec.run.load_ms == 2.5);
  CHECK(got.spec.run.delays == std::vector<PipelineSpec::Run::Delay>{{.rank = 2, .ms = 40, .phase = "compute"}});
}

TEST_CASE("keys that are not there hold their defaults, and a file without seeds never seeds") {
  PipelineSpec spec;
  CHECK(read("shardlens: 2\nseeds: {}\n").spec == spec);
  spec.seeds.rule = "unseeded";
  CHECK(read("shardlens: 2\n").spec == spec);
}

TEST_CASE("every problem comes back at once, each with its place, in the order of the file") {
  const ReadSpec got = read(
      "shardlens: 2\n"
      "dataset: {size: -1}\n"
      "world: {nodes: two}\n"
      "loader: {batchsize: 3}\n"
      "sampler: {type: torch.DistributedSampler, shufle: true}\n"
      "seeds: {rule: base_rank}\n");
  REQUIRE(got.issues.size() == 5);
  CHECK(got.issues[0].text() == "a.yaml:2:17: dataset.size: -1 is out of range: it must be from 0 to 4000000000.");
  CHECK(got.issues[1].place == Place{"a.yaml", 3, 16, "world.nodes"});
  CHECK(got.issues[2].place == Place{"a.yaml", 4, 10, "loader.batchsize"});
  CHECK(got.issues[2].hint == "did you mean batch_size?");
  CHECK(got.issues[3].hint == "did you mean shuffle?");
  CHECK(got.issues[4].hint == "did you mean base+rank?");
}

TEST_CASE("a key in the wrong section is named with the right one") {
  CHECK(mentions("shardlens: 2\nbatch_size: 4\n", "did you mean loader.batch_size?"));
  CHECK(mentions("shardlens: 2\nworld: {epochs: 4}\n", "there is no key 'epochs' in world."));
}

TEST_CASE("a key of another program is answered with what says the same here") {
  for (const char* key : {"world_size", "gpus", "nproc_per_node"}) {
    CAPTURE(key);
    CHECK(mentions("shardlens: 2\n" + std::string(key) + ": 4\n", "write world: {nodes: 1, ranks_per_node: 4}"));
  }
  CHECK(mentions("shardlens: 2\nnum_nodes: 2\n", "write world: {nodes: 2, ranks_per_node: 8}"));
  CHECK(mentions("shardlens: 2\nworld: {tensor_parallel: 2}\n", "write world: {groups: {tensor: 2}}"));
  CHECK(mentions("shardlens: 2\nworld: {ep_size: 2}\n", "write world: {groups: {expert: 2}}"));
  CHECK(mentions("shardlens: 2\nworld: {expert_tensor_parallel_size: 1}\n", "{groups: {expert_tensor: 1}}"));
  CHECK(mentions("shardlens: 2\ngpus: auto\n", "write world: {nodes: 1, ranks_per_node: 8}"));
  CHECK(mentions("shardlens: 2\nsampler: {type: BatchSampler}\n", "loader.batch_size and loader.drop_last are the"));
  CHECK(mentions("shardlens: 2\nloader: {batch_size: ''}\n", "Enter a whole number."));
  CHECK(mentions("shardlens: 2\nframework: {lightning: {replace_sampler_ddp: false}}\n", "use_distributed_sampler"));
  CHECK(mentions("shardlens: 2\nstrategy: ddp\n", "framework: {lightning: {strategy: ddp}}"));
}

TEST_CASE("the version of the format is asked for, and a newer one is refused whole") {
  CHECK(mentions("epochs: 2\n", "add the line 'shardlens: 2' at the top"));
  CHECK(mentions("shardlens: 0\n", "shardlens: 0 is out of range"));
  const ReadSpec newer = read("shardlens: 3\nnobody_knows: [1]\n");
  REQUIRE(newer.issues.size() == 1);
  CHECK(newer.issues[0].message == "the file has format 3; this ShardLens reads formats up to 2.");
}

TEST_CASE("a value of the wrong kind says what to write instead") {
  CHECK(mentions("shardlens: 2\nepochs: \"3\"\n", "remove the quotes"));
  CHECK(mentions("shardlens: 2\nepochs: 1e3\n", "write it as 1000"));
  CHECK(mentions("shardlens: 2\nepochs: 1_000\n", "write it as 1000"));
  CHECK(mentions("shardlens: 2\nepochs: 010\n", "without the leading zero"));
  CHECK(mentions("shardlens: 2\nepochs: 0x10\n", "'0x10' is not a whole number. (write it as 16)"));
  CHECK(mentions("shardlens: 2\nname: {a: 1}\n", "a map is not text."));
  CHECK(mentions("shardlens: 2\nepochs: 1.5\n", "'1.5' is not a whole number"));
  CHECK(mentions("shardlens: 2\nseeds: {base: 9223372036854775808}\n",
                 "9223372036854775808 is too large: it must be from -9223"));
  CHECK(mentions("shardlens: 2\nepochs: [1]\n", "a list is not a whole number"));
  CHECK(mentions("shardlens: 2\nepochs:\n", "a.yaml:2:1: epochs: the key has no value."));
  CHECK(mentions("shardlens: 2\nloader: {drop_last: yes}\n", "write true or false"));
  CHECK(mentions("shardlens: 2\nepochs: 99999999999999999999\n",
                 "99999999999999999999 is too large: it must be from 1 to 1000000."));
  CHECK(mentions("shardlens: 2\nrun: {load_ms: .inf}\n", "inf is out of range: it must be from 0 to 60000."));
  CHECK(mentions("shardlens: 2\nrun: {load_ms: nan}\n", "out of range"));
}

TEST_CASE("sections must be sections and keys must be single words") {
  CHECK(mentions("shardlens: 2\nworld: 8\n", "'world' is a section"));
  CHECK(mentions("shardlens: 2\nworld:\n", "write world: {nodes: ...}"));
  CHECK(mentions("shardlens: 2\nworld: {nodes: 1, nodes: 2}\n",
                 "a.yaml:2:19: world.nodes: the key 'nodes' occurs a second time."));
  CHECK(mentions("shardlens: 2\n? [a, b]\n: 3\n", "a key must be a word"));
  CHECK(mentions("- 1\n- 2\n", "a spec must be a map"));
  CHECK(mentions("hello", "a spec must be a map"));
}

TEST_CASE("rules across fields are placed where the field stands") {
  const ReadSpec got = read("shardlens: 2\nrun:\n  delays:\n    - ms: 3\n      rank: 9\n");
  REQUIRE(got.issues.size() == 1);
  CHECK(got.issues[0].place == Place{"a.yaml", 5, 7, "run.delays[0].rank"});
  CHECK(mentions("shardlens: 2\nsampler: {type: torch.DistributedSampler2, shuffle: true}\n",
                 "did you mean torch.DistributedSampler?"));
}

TEST_CASE("indices are a list or a range with its end excluded") {
  const auto indices = [](const std::string& text) {
    const ReadSpec got = read("shardlens: 2\nsampler: {type: torch.SubsetRandomSampler, indices: " + text + "}\n");
    CAPTURE(text);
    REQUIRE(got.issues.empty());
    return std::get<IndexList>(got.spec.sampler.parameters.at("indices"));
  };
  CHECK(indices("[3, 1, 2]") == IndexList{3, 1, 2});
  CHECK(indices("{range: [5, 8]}") == IndexList{5, 6, 7});
  CHECK(indices("{range: [5, 5]}").empty());
  CHECK(indices("[]").empty());
  const std::string head = "shardlens: 2\nsampler: {type: torch.SubsetRandomSampler, indices: ";
  CHECK(mentions(head + "{range: [8, 5]}}\n", "out of range"));
  CHECK(mentions(head + "{range: [0, 9000000000000000000]}}\n", "out of range"));
  CHECK(mentions(head + "{range: [0, 4000000000]}}\n", "longer than"));
  CHECK(mentions(head + "{range: [-9223372036854775808, 9223372036854775807]}}\n", "out of range"));
  CHECK(mentions(head + "[1, two]}\n", "item 1 is 'two'"));
  CHECK(mentions(head + "[-1]}\n", "item 0 is -1"));
}

TEST_CASE("what is no spec at all is refused with a reason") {
  CHECK(mentions("", "the file is empty"));
  CHECK(mentions("# only a comment\n", "the file is empty"));
  CHECK(mentions(std::string_view("a\0b", 3), "this byte is a control character, which YAML does not allow"));
  CHECK(
      mentions("\x7F"
               "ELF\x02\x01",
               "this byte is a control character, which YAML does not allow"));
  CHECK(mentions("\xFF\xFEs\0", "UTF-16"));
  CHECK(mentions("name: \xC3\x28\n", "a.yaml:1:7: this byte is not UTF-8"));
  CHECK(mentions("shardlens: 2\n---\nshardlens: 2\n", "a second document"));
  CHECK(mentions("shardlens: 2\nname: &a b\nsampler: {type: *a}\n", "aliases (*)"));
  CHECK(mentions("shardlens: 2\nname: !!python/object x\n", "a tag"));
  CHECK(mentions("shardlens: 2\nworld:\n\tnodes: 2\n", "line 3 is indented with a tab. (use spaces)"));
  CHECK(mentions("shardlens: 2\nworld: {nodes: 2\n", "a.yaml:2:8: a { is never closed. (add the })"));
  CHECK(mentions("shardlens: 2\nname: \"abc\nworld: {nodes: 2}\n", "a.yaml:2:7: this quote is never closed"));
  CHECK(mentions("shardlens: 2\nname: \"a\\_b\"\n", "write \\u00A0"));
  CHECK(mentions("shardlens: 2\nworld: {nodes: 2} 3\n", "this line does not belong to the section above it"));
  CHECK(mentions("{shardlens: 2} more\n", "a second document"));
  CHECK(mentions(std::string(yaml::kMostBytes + 1, ' '), "longer than 64 MB"));
  CHECK(mentions(std::string(100'000, '['), "nested more than"));
  CHECK(read(std::string(100'000, '[')).issues.size() == 1);
  CHECK(mentions("a: " + std::string(100, '[') + std::string(100, ']'), "nested more than"));
}

TEST_CASE("mistakes of syntax are told in plain words, where they were made") {
  const auto says = [](std::string_view text, std::string_view sentence) {
    INFO(text);
    return mentions("shardlens: 2\n" + std::string(text), sentence);
  };
  CHECK(says("world: {nodes: 2\nloader: {batch_size: 8}\n", "a.yaml:2:8: a { is never closed. (add the })"));
  CHECK(says("sampler:\n  indices: [1, 2\n", "a.yaml:3:12: a [ is never closed. (add the ])"));
  CHECK(says("world: {nodes: 2 ranks_per_node: 4}\n", "a comma or a } is missing here"));
  CHECK(says("name: \"a\n", "this quote is never closed"));
  CHECK(says("name: 'it''s\n", "this quote is never closed"));
  CHECK(says("name: \"C:\\data\"\n", "\\d is not an escape of YAML. (write \\\\ for a backslash"));
  CHECK(says("name: \"\\xZZ\"\n", "not a hexadecimal digit"));
  CHECK(says("name: \"\\uD800\"\n", "names no character of Unicode"));
  CHECK(says("name: @home\n", "a value cannot begin with '@'. (put the value in quotes)"));
  CHECK(says("name: `x`\n", "a value cannot begin with '`'"));
  CHECK(says("name: a: b\n", "a second ':' in one line"));
  CHECK(says("world:\n  nodes: 2\n ranks_per_node: 4\n", "does not belong to the section above it"));
  CHECK(says("sampler:\n  indices:\n    - 1\n    2\n", "a.yaml"));
  CHECK(says("world: nodes: 2}\n", "a second ':' in one line"));
  CHECK(says("world: ]\n", "closes nothing"));
  CHECK(says("epochs: - 3\n", "a list item (-) cannot begin here"));
  CHECK(says("name: |x\n  a\n", "after | or > the line must end"));
  CHECK(says("name: |0\n  a\n", "give a number from 1 to 9"));
  CHECK(says("name: *\n", "aliases (*) are not allowed"));
  CHECK(says("name: &\n", "anchors (&) are not allowed"));
  CHECK(says("name: !<x\n", "tags (!) are not allowed"));
  CHECK(says("name: \"a\n---\nb\"\n", "inside a quoted text"));
  CHECK(mentions("%YAML 9.9\n---\nshardlens: 2\n", "lines that begin with % are not allowed in a spec"));
}

TEST_CASE("no sentence of the parser's own is left for a broken example") {
  const std::string whole =
      "shardlens: 2\nname: \"a 'b'\"\nworld: {nodes: 2, ranks_per_node: 4}\n"
      "sampler:\n  type: torch.SubsetRandomSampler\n  indices: [1, 2, 3]\n";
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char broken : std::string_view("{}[]\"':,-#&*!|>%@` \t\n\\?")) {
      std::string text = whole;
      text[at] = broken;
      for (const Error& issue : read(text).issues) {
        INFO(text);
        CHECK(issue.text().find("this is not YAML") == std::string::npos);
      }
    }
  }
}

TEST_CASE("a number of equal items is written as 64 x 20018") {
  const ReadSpec got = read("shardlens: 2\ndataset: {size: 256, shards: 64 x 4}\n");
  REQUIRE(got.issues.empty());
  CHECK(got.spec.dataset.shards == IndexList(64, 4));
  CHECK(read("shardlens: 2\ndataset: {size: 259, shards: [64 x 4, 3]}\n").spec.dataset.shards.size() == 65);
  CHECK(mentions("shardlens: 2\ndataset: {size: 256, shards: 63 x 4}\n", "the shards hold 252 samples"));
  CHECK(mentions("shardlens: 2\ndataset: {size: 256, shards: 0 x 4}\n", "or 64 x 1000"));
  CHECK(mentions("shardlens: 2\ndataset: {size: 256, shards: [0x40]}\n", "item 0 is '0x40'"));
  CHECK(mentions("shardlens: 2\ndataset: {size: 256, shards: 900000000 x 4}\n", "longer than"));
}

TEST_CASE("seeds beyond 64 bits with a sign are refused as torch takes them") {
  CHECK(mentions("shardlens: 2\nseeds: {base: 9223372036854775808}\n",
                 "9223372036854775808 is too large: it must be from -9223372036854775808 to "
                 "9223372036854775807. (torch takes it as -9223372036854775808: write that instead)"));
  CHECK(mentions("shardlens: 2\nseeds: {base: 18446744073709551615}\n", "torch takes it as -1: write that instead"));
  CHECK(mentions("shardlens: 2\nseeds: {base: 18446744073709551616}\n", "torch refuses it, too"));
  CHECK(mentions("shardlens: 2\nseeds: {base: -9223372036854775809}\n", "is too small"));
}

TEST_CASE("what a sampler refuses is told where its field stands") {
  const ReadSpec got = read("shardlens: 2\nworld: {nodes: 2}\nsampler: {type: torch.DistributedSampler, seed: 7}\n");
  REQUIRE(got.issues.empty());
  const auto placed = [&](const char* field) {
    return got.placed(Error{ErrorCode::BadInput, "no.", Place{{}, 0, 0, field}, ""}).text();
  };
  CHECK(placed("sampler.seed") == "a.yaml:3:43: sampler.seed: no.");
  CHECK(placed("sampler.rank") == "a.yaml:3:1: sampler.rank: no.");
  CHECK(placed("world.nodes") == "a.yaml:2:9: world.nodes: no.");
  CHECK(placed("") == "a.yaml: no.");
}

TEST_CASE("a bomb of aliases is refused without being unfolded") {
  std::string bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n";
  for (char name = 'b'; name <= 'z'; ++name) {
    const std::string alias = std::string("*") + static_cast<char>(name - 1);
    bomb += std::string(1, name) + ": &" + name + " [" + alias + ", " + alias + ", " + alias + ", " + alias + ", " +
            alias + "]\n";
  }
  const ReadSpec got = read(bomb);
  CHECK(got.issues.size() >= 25);
  CHECK(got.issues.size() <= yaml::kMostIssues + 1);
}

TEST_CASE("thousands of problems are cut with a last line that says so") {
  std::string text = "shardlens: 2\n";
  for (int i = 0; i < 5000; ++i) text += "key" + std::to_string(i) + ": 1\n";
  const ReadSpec got = read(text);
  REQUIRE(got.issues.size() == yaml::kMostIssues + 1);
  CHECK(got.issues.back().message.find("more problems") != std::string::npos);
}

TEST_CASE("editors' habits are no problem: byte order mark, CRLF, quoted keys, block style") {
  const ReadSpec got = read("\xEF\xBB\xBFshardlens: 2\r\n\"epochs\": 5\r\nworld:\r\n  nodes: 3   # three\r\n");
  CHECK(problems("\xEF\xBB\xBFshardlens: 2\r\n\"epochs\": 5\r\n").empty());
  CHECK(got.spec.epochs == 5);
  CHECK(got.spec.world.nodes == 3);
}

TEST_CASE("a column counts characters, not bytes") {
  const ReadSpec got = read("shardlens: 2\n\"n\u00e4me\": {x: 1}\n? \u00fc\u00fc\n: 1\n");
  REQUIRE(got.issues.size() == 2);
  CHECK(got.issues[1].place.column == 3);
}

TEST_CASE("nodes may have a number of ranks each, which says how many nodes there are") {
  const ReadSpec got = read("shardlens: 2\nworld: {ranks_per_node: [2, 1]}\nseeds: {}\n");
  REQUIRE(got.issues.empty());
  CHECK(got.spec.world.nodes == 2);
  CHECK(got.spec.worldSize() == 3);
  CHECK(got.spec.nodeOf(Rank{2}) == 1);
  CHECK(got.spec.localRankOf(Rank{2}) == 0);
  CHECK(read("shardlens: 2\nworld: {nodes: 2, ranks_per_node: [2, 1]}\nseeds: {}\n").spec == got.spec);
  for (const char* world : {"{nodes: 3, ranks_per_node: [2, 1]}", "{ranks_per_node: [2, 1], nodes: 3}"}) {
    CAPTURE(world);
    CHECK(
        mentions(std::string("shardlens: 2\nworld: ") + world + "\n",
                 "world.nodes: nodes is 3, but ranks_per_node has numbers for 2 nodes. (remove nodes or set it to 2"));
  }
  CHECK(mentions("shardlens: 2\nworld: {ranks_per_node: []}\n", "world.ranks_per_node: the list is empty."));
  CHECK(mentions("shardlens: 2\nworld: {ranks_per_node: [2, 0]}\n",
                 "world.ranks_per_node: item 1 is 0: each must be from 1 to 100000."));
  CHECK(mentions("shardlens: 2\nworld: {ranks_per_node: two}\n", "'two' is not a whole number."));
  CHECK(mentions("shardlens: 2\nworld: {ranks_per_node: \"2,1\"}\n",
                 "'2,1' is not a whole number. (write it as [2, 1])"));
  CHECK(mentions("shardlens: 2\nworld: {ranks_per_node: 20 x 100000}\n",
                 "2\u202f000\u202f000 ranks on 20 nodes are more than 1\u202f000\u202f000 ranks."));
}

TEST_CASE("groups that do not divide the world are told where they stand") {
  CHECK(mentions("shardlens: 2\nworld: {ranks_per_node: 8, groups: {tensor: 3}}\n",
                 "make 3 ranks, which do not divide 8."));
  const ReadSpec block = read("shardlens: 2\nworld:\n  ranks_per_node: 8\n  groups: {tensor: 3}\n");
  REQUIRE(block.issues.size() == 1);
  CHECK(block.issues[0].place.line == 4);
}
