// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>

using namespace shardlens;

namespace {

/// With plain blanks.
std::string length(std::int64_t ns, int figures = 2) {
  std::string text = durationText(ns, figures);
  for (auto at = text.find("\u202f"); at != std::string::npos; at = text.find("\u202f")) text.replace(at, 3, " ");
  return text;
}

}  // namespace

TEST_CASE("a length of time is told in its largest unit") {
  CHECK(length(0) == "0 s");
  CHECK(length(-5) == "0 s");
  CHECK(length(320) == "320 ns");
  CHECK(length(12'300) == "12 \u00b5s");
  CHECK(length(18'200'000) == "18 ms");
  CHECK(length(1'440'000'000) == "1.4 s");
  CHECK(length(471'800'000'000) == "7.9 min");
  CHECK(length(900'000'000'000) == "15 min");
  CHECK(length(3'600'000'000'000) == "1.0 h");
  CHECK(length(std::numeric_limits<std::int64_t>::max()) == "2562048 h");
}

TEST_CASE("what rounds up to a unit is told in it") {
  CHECK(length(999'600'000) == "1.0 s");
  CHECK(length(994'000'000) == "994 ms");
  CHECK(length(59'400'000'000) == "59 s");
  CHECK(length(59'999'000'000) == "1.0 min");
  CHECK(length(9'960'000'000) == "10 s");
}

TEST_CASE("times that are told apart have more figures") {
  CHECK(length(12'440'000, 3) == "12.4 ms");
  CHECK(length(11'800'000, 3) == "11.8 ms");
  CHECK(length(1'234'000'000, 3) == "1.23 s");
  CHECK(length(9'996'000'000, 3) == "10.0 s");
  CHECK(length(168'000'000, 3) == "168 ms");
}
