// SPDX-License-Identifier: Apache-2.0
// A damaged row of a reference file is judged or refused, whatever stands in it: every parameter of every class is
// replaced by what nobody should pass.
#include "core/selftest/replay.h"
#include "tests/support/places.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace shardlens;
using namespace shardlens::selftest;
using nlohmann::json;

namespace {

constexpr std::int64_t kMost = 300;

/// The shortest row of each class of the reference files, and the shortest that is an exception.
std::vector<json> rowsOfEveryClass() {
  std::map<std::string, std::string> shortest;
  for (const auto& entry : std::filesystem::directory_iterator(test::sourceDir() + "/tests/vectors")) {
    if (entry.path().extension() != ".jsonl") continue;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      const auto row = readRow(line);
      REQUIRE(row);
      std::string& kept = shortest[row->framework + " " + row->sampler + (row->error ? " raises" : "")];
      if (kept.empty() || line.size() < kept.size()) kept = line;
    }
  }
  std::vector<json> rows;
  for (const auto& [name, line] : shortest) rows.push_back(json::parse(line));
  return rows;
}

std::vector<json> hostileValues() {
  std::vector<json> values;
  for (const char* text : {"null",
                           "true",
                           "false",
                           "0",
                           "1",
                           "-1",
                           "7",
                           "299",
                           "1000000000000000000",
                           "-9223372036854775808",
                           "9223372036854775807",
                           "18446744073709551615",
                           "1.5",
                           "-0.5",
                           "1e300",
                           "\"\"",
                           "\"x\"",
                           "\"1e9\"",
                           "[]",
                           "[-1]",
                           "[0,0]",
                           "[1000000000000000000]",
                           "[[1],[2,3]]",
                           "[1.5,\"x\",null]",
                           "{}",
                           "{\"range\":[0,1000000000000000000]}",
                           "{\"range\":[5,-5]}",
                           "{\"range\":[0]}",
                           "{\"kind\":\"ramp\",\"n\":1000000000000000000}",
                           "{\"kind\":\"ramp\",\"n\":-1}",
                           "{\"repeat\":1000000000000000000,\"count\":1000000000000000000,\"last\":-1}"}) {
    values.push_back(json::parse(text));
  }
  return values;
}

/// Replays the row; what is not passed must say why.
void judge(const json& row) {
  const std::string line = row.dump();
  CAPTURE(line);
  const auto read = readRow(line);
  if (!read) return;
  Planner planner(kMost);
  const RowVerdict verdict = replay(*read, planner);
  CHECK((verdict.outcome == Outcome::Passed || !verdict.why.empty()));
}

/// Judges the row with every member of the object at `at` replaced and left out.
void damage(const json& row, const json::json_pointer& at, const std::vector<json>& values) {
  for (const auto& [key, old] : row.at(at).items()) {
    if (key == "framework" || key == "sampler" || key == "params") continue;
    json changed = row;
    changed[at].erase(key);
    judge(changed);
    for (const json& value : values) {
      changed[at][key] = value;
      judge(changed);
    }
  }
}

}  // namespace

TEST_CASE("a row with any parameter damaged is judged or refused, and never crashes") {
  const std::vector<json> rows = rowsOfEveryClass();
  REQUIRE(rows.size() > 20);
  const std::vector<json> values = hostileValues();
  for (const json& row : rows) {
    damage(row, json::json_pointer("/params"), values);
    damage(row, json::json_pointer(), values);
  }
}

TEST_CASE("a count beyond all bounds is refused before anything is allocated") {
  const auto row = readRow(
      R"({"framework":"torch","sampler":"randperm","version":"2.6.0","params":{"n":1000000000000000000,"seed":0}})");
  REQUIRE(row);
  Planner planner;
  const RowVerdict verdict = replay(*row, planner);
  CHECK(verdict.outcome == Outcome::Unsupported);
  CHECK(verdict.why.find("too large") != std::string::npos);
}
