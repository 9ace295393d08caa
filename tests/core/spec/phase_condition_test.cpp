// SPDX-License-Identifier: Apache-2.0
#include "core/spec/phase_condition.h"

#include <doctest/doctest.h>

using namespace shardlens;

namespace {

bool holds(const char* text, std::int64_t value, std::int64_t last = 7) {
  const auto condition = parseCondition(text);
  REQUIRE_MESSAGE(condition, text);
  REQUIRE(condition->size() == 1);
  const ConditionTerm& term = condition->front();
  CHECK(term.negated().holds(value, last) != term.holds(value, last));
  return term.holds(value, last);
}

}  // namespace

TEST_CASE("conditions are read, written and evaluated") {
  CHECK(holds("rank == 3", 3));
  CHECK_FALSE(holds("rank != 3", 3));
  CHECK(holds("rank<3", 2));
  CHECK_FALSE(holds("rank < 3", 3));
  CHECK(holds("rank <= 3", 3));
  CHECK(holds("rank > 3", 4));
  CHECK(holds("rank >= 3", 3));
  CHECK(holds("rank in [1, 3]", 3));
  CHECK_FALSE(holds("rank in [1, 3]", 2));
  CHECK(holds("rank not in [1, 3]", 2));
  CHECK(holds("rank == last", 7));
  CHECK_FALSE(holds("group_rank != last", 7));
  CHECK(holds("step % 100 == 99", 299));
  for (const char* text : {"always", "rank == 0", "rank % 2 != 1 and step < 10", "node in [0, last]",
                           "data_parallel_rank not in [1] and epoch >= 2"}) {
    const auto condition = parseCondition(text);
    REQUIRE(condition);
    CHECK(textOf(*condition) == text);
  }
  CHECK(parseCondition("always")->empty());
  CHECK(parseCondition("step == 0")->front().isOfTime());
}

TEST_CASE("what is no condition is refused") {
  for (const char* text :
       {"", "rank", "rank = 0", "rank == ", "rank == -1", "rank == 1 or rank == 2", "0 == rank", "rank in 1, 2",
        "rank in [", "rank in []", "rank % 0 == 0", "rank % 2 == last", "step == last", "rank == 0 and",
        "rank == 99999999999999999999", "always and rank == 0", "world == 1", "rank == 0 rank == 1"}) {
    CAPTURE(text);
    CHECK_FALSE(parseCondition(text));
  }
  CHECK(parseCondition("rnak == 0").error().hint == "did you mean rank?");
}
