// SPDX-License-Identifier: Apache-2.0
#include "core/collect/output_lines.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace shardlens;

TEST_CASE("lines that come in pieces are put together, and endless ones are cut") {
  OutputLines lines;
  std::vector<std::string> texts;
  const auto use = [&texts](std::string_view line) { texts.emplace_back(line); };
  lines.add("one\ntw", use);
  lines.add("o\n", use);
  lines.add(std::string(100'000, 'x'), use);
  lines.add("\nlast", use);
  lines.finish(use);
  REQUIRE(texts.size() == 4);
  CHECK(texts[1] == "two");
  CHECK(texts[2].size() == 8192);
  CHECK(texts[3] == "last");
}
