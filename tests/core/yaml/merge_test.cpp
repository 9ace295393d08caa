// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/merge.h"

#include "tests/support/process.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <random>
#include <string>
#include <vector>

using namespace shardlens;

namespace {

std::string merged(const std::string& present, const std::string& wanted) {
  const auto result = yaml::mergeTexts(present, wanted);
  return result ? *result : "FAILED: " + result.error().text();
}

bool fails(const std::string& present, const std::string& wanted) {
  return !yaml::mergeTexts(present, wanted);
}

}  // namespace

TEST_CASE("values are replaced where they are, and everything around them stays") {
  CHECK(merged("# top\nb: 1  # one\n\na: {x: 1, y: 2}\n", "a: {y: 3}\nb: 2  # two\n") ==
        "# top\nb: 2  # one\n\na: {x: 1, y: 3}\n");
  CHECK(merged("a: 1\n", "a: 1\n") == "a: 1\n");
  CHECK(merged("a: 'NO'\n", "a: NO\n") == "a: NO\n");
  CHECK(merged("a: \"x\"\n", "a: 'x'\n") == "a: \"x\"\n");
}

TEST_CASE("missing keys come behind the nearest one that is there, with their comments, in the file's own layout") {
  CHECK(merged("a: 1\nz: 9\n", "a: 1\nb: 2  # two\nc: 3\n") == "a: 1\nb: 2  # two\nc: 3\nz: 9\n");
  CHECK(merged("t:\n      x: 1\n", "t:\n  x: 1\n  y:\n    k: 2\n    l: 3\n") ==
        "t:\n      x: 1\n      y:\n        k: 2\n        l: 3\n");
  CHECK(merged("a: {x: 1}\n", "a:\n  x: 1\n  y:\n    k: 2\n") == "a: {x: 1, y: {k: 2}}\n");
  CHECK(merged("a: 1", "b: 2\n") == "a: 1\nb: 2\n");
  CHECK(merged("a: 1\r\n", "b: 2\n") == "a: 1\r\nb: 2\r\n");
  CHECK(merged("a: {}\n", "a:\n  x: 1\n  y: 2\n") == "a: {x: 1, y: 2}\n");
  CHECK(merged("\n", "a: 1\n") == "a: 1\n");
}

TEST_CASE("an empty value is filled in") {
  CHECK(merged("t:\nb: 1\n", "t: {x: 1}\n") == "t: {x: 1}\nb: 1\n");
  CHECK(merged("t: null  # later\n", "t:\n  x: 1\n") == "t: {x: 1}  # later\n");
  CHECK(merged("t: ~\n", "t: 4\n") == "t: 4\n");
  CHECK(merged("t:\nd:\n", "s: 0\nt: {x: 1}\nd: {y: 2}\n") == "s: 0\nt: {x: 1}\nd: {y: 2}\n");
  CHECK(merged("run: |\n  a\n", "n: 2\n") == "n: 2\nrun: |\n  a\n");
}

TEST_CASE("arguments of a class go to its init_args, comments stay in their section, kept keys stay") {
  CHECK(merged("data:\n  class_path: my.Data\n  init_args:\n    batch_size: 64\n",
               "data:\n  batch_size: 2\n  num_workers: 3\n") ==
        "data:\n  class_path: my.Data\n  init_args:\n    batch_size: 2\n    num_workers: 3\n");
  CHECK(merged("t:\n  a: 1\n  # about t\n# about all\n", "t: {a: 1}\nb: 2\n") ==
        "t:\n  a: 1\n  # about t\nb: 2\n# about all\n");
  const std::vector<std::string> kept = {"ip", "c.image"};
  const auto result = yaml::mergeTexts("ip: 10.0.0.1\nn: 1\nc:\n  - image: mine\n",
                                       "ip: node0\nn: 2\nc:\n  - image: other\n    x: 1\n", kept);
  REQUIRE(result);
  CHECK(*result == "ip: 10.0.0.1\nn: 2\nc:\n  - image: mine\n    x: 1\n");
  CHECK(*yaml::mergeTexts("n: 1\n", "ip: node0\nn: 2\n", kept) == "n: 2\nip: node0\n");
  CHECK(merged("\xEF\xBB\xBF"
               "a: 1\n",
               "a: 2\n") ==
        "\xEF\xBB\xBF"
        "a: 2\n");
}

TEST_CASE("lists are replaced, and lists of maps of one length are merged item by item") {
  CHECK(merged("a: [1, 2]  # list\n", "a: [3]\n") == "a: [3]  # list\n");
  CHECK(merged("c:\n  - name: x\n    keep: 1\n", "c:\n  - name: x\n    image: i\n") ==
        "c:\n  - name: x\n    image: i\n    keep: 1\n");
}

TEST_CASE("a block scalar is kept, and replaced only where it can be") {
  CHECK(merged("run: |\n  one\n  two\na: 1\n", "a: 2\nb: 3\n") == "run: |\n  one\n  two\na: 2\nb: 3\n");
  CHECK(merged("a: 1\nrun: |\n  one\n", "a: 2\nb: 3\n") == "a: 2\nb: 3\nrun: |\n  one\n");
}

TEST_CASE("JSON is merged like YAML") {
  CHECK(merged("{\n  \"a\": 1,\n  \"k\": {\"x\": true}\n}\n", "{\"k\": {\"y\": 2}, \"b\": \"t\"}\n") ==
        "{\n  \"a\": 1,\n  \"k\": {\"x\": true, \"y\": 2}, \"b\": \"t\"\n}\n");
}

TEST_CASE("what cannot be merged says so") {
  CHECK(fails("- 1\n", "a: 1\n"));
  CHECK(fails("a: [1\n", "a: 1\n"));
  CHECK(fails("a: &x 1\nb: *x\n", "a: 2\n"));
  CHECK(fails("a: 1\n---\nb: 1\n", "a: 2\n"));
  CHECK(fails("a: 1\na: 2\n", "a: 3\n"));
  CHECK(fails("a: [1, 2]\n", "a: {x: 1}\n"));
  CHECK(fails("c:\n  - name: mine\n  - name: sidecar\n", "c:\n  - name: mine\n"));
  CHECK(fails("c:\n  - name: mine\n", "c:\n  - name: other\n"));
  CHECK(fails("data: {class_path: my.Data}\n", "data: {batch_size: 2}\n"));
}

TEST_CASE("random maps: PyYAML reads the merged text as a recursive update of the one by the other") {
  std::mt19937 random(7);
  const auto pick = [&](unsigned most) { return static_cast<int>(random() % most); };
  const auto write = [&](auto& self, int depth, int indent, bool flow) -> std::string {
    std::string out;
    const int keys = 1 + pick(4);
    const int first = pick(4);
    for (int i = 0; i < keys; ++i) {
      const std::string key(1, static_cast<char>('a' + (first + i) % 6));
      const bool nests = depth < 3 && pick(3) == 0;
      const bool inner_flow = flow || pick(2) == 0;
      if (flow) out += i > 0 ? ", " : "";
      if (!flow) out += std::string(static_cast<std::size_t>(indent), ' ');
      if (nests && inner_flow) out += key + ": {" + self(self, depth + 1, 0, true) + "}";
      if (nests && !inner_flow) out += key + ":\n" + self(self, depth + 1, indent + 1 + pick(4), false);
      if (!nests)
        out += key + ": " + (pick(4) == 0 ? "[1, " + std::to_string(pick(9)) + "]" : std::to_string(pick(100)));
      if (!flow && !(nests && !inner_flow)) out += pick(3) == 0 ? "  # note\n" : "\n";
    }
    return out;
  };
  const test::TempFolder folder;
  nlohmann::json cases = nlohmann::json::array();
  int done = 0;
  for (int i = 0; i < 400; ++i) {
    const std::string present = write(write, 0, 0, false);
    const std::string wanted = write(write, 0, 0, false);
    const auto result = yaml::mergeTexts(present, wanted);
    if (!result) continue;
    ++done;
    cases.push_back({present, wanted, *result});
  }
  CHECK(done > 200);  // maps in the place of numbers, in block form, have no room
  test::spill(folder / "cases.json", cases.dump());
  test::spill(folder / "check.py",
              "import json, yaml\n"
              "def update(a, b):\n"
              "    if isinstance(a, dict) and isinstance(b, dict):\n"
              "        return {**a, **{k: update(a[k], v) if k in a else v for k, v in b.items()}}\n"
              "    return b\n"
              "for present, wanted, merged in json.load(open('cases.json')):\n"
              "    want = update(yaml.safe_load(present), yaml.safe_load(wanted))\n"
              "    assert yaml.safe_load(merged) == want, (present, wanted, merged)\n"
              "    assert merged.count('# note') >= present.count('# note'), (present, merged)\n");
  const auto ran = test::runShell("cd " + folder.path().string() + " && " + test::kPython + " check.py 2>&1");
  CHECK_MESSAGE(ran.code == 0, ran.out);
}
