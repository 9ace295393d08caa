// SPDX-License-Identifier: Apache-2.0
// Sentences that base writes for everybody.
#include "core/base/large_array.h"
#include "core/base/text.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace shardlens;

TEST_CASE("a refusal of memory does not say that there is enough") {
  const Error limited = detail::noMemoryFor(1, "an order");
  CHECK(limited.message == "the system refuses memory for an order: 1 B needed.");
  CHECK(limited.hint.find("ulimit -v") != std::string::npos);
  const Error full = detail::noMemoryFor(std::size_t{1} << 60, "an order");
  CHECK(full.message.starts_with("there is not enough memory for an order: 1152.9 PB needed, "));
}

TEST_CASE("only a slip of the hand is taken for another word") {
  const std::vector<std::string> words = {"type", "rank", "shuffle"};
  CHECK(nearest("nope", words).empty());
  CHECK(nearest("tpye", words) == "type");
  CHECK(nearest("rnak", words) == "rank");
  CHECK(nearest("shufle", words) == "shuffle");
  CHECK(nearest("hsuffel", words) == "shuffle");
}
