// SPDX-License-Identifier: Apache-2.0
#include "core/timeline/chrome_trace.h"

#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <string>

using namespace shardlens;

TEST_CASE("a trace is valid JSON with one process a rank and exact times") {
  const test::TempFolder folder;
  {
    auto trace = ChromeTraceWriter::create(folder / "t.json");
    REQUIRE(trace);
    trace->addSpan(3, {Phase::Wait, 1'234'567, 2'234'570, 1, 7});
    trace->addRank(3);
    CHECK(trace->spans() == 1);
    CHECK(trace->finish());
  }
  std::ifstream file(folder / "t.json");
  const auto json = nlohmann::json::parse(file, nullptr, false);
  REQUIRE(json.is_object());
  REQUIRE(json["traceEvents"].size() == 3);
  const auto& span = json["traceEvents"][0];
  CHECK(span["pid"] == 3);
  CHECK(span["name"] == "wait");
  CHECK(span["ts"].get<double>() == doctest::Approx(1234.567));
  CHECK(span["dur"].get<double>() == doctest::Approx(1000.003));
  CHECK(span["args"]["step"] == 7);
  CHECK(json["traceEvents"][1]["args"]["name"] == "rank 3");
  CHECK_FALSE(ChromeTraceWriter::create(folder / "absent/t.json"));
  CHECK_FALSE(ChromeTraceWriter::create("/dev/full")->finish());
}
