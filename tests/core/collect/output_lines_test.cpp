// SPDX-License-Identifier: Apache-2.0
#include "core/collect/output_lines.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace shardlens;

TEST_CASE("tagged lines are given to their rank, others to the launcher") {
  const LogLine out = parseTagged("[1,12]<stdout>:epoch 3: loss 0.5", false);
  CHECK(out.rank == 12);
  CHECK_FALSE(out.is_error);
  CHECK(out.text == "epoch 3: loss 0.5");
  CHECK(parseTagged("[1,0]<stderr>:", false).is_error);
  for (const char* own : {"mpirun noticed", "[1,x]<stdout>:a", "[1,2<stdout>:a", "[", "[1,2]<stdout", ""}) {
    CAPTURE(own);
    CHECK(parseTagged(own, true).rank == -1);
    CHECK(parseTagged(own, true).text == own);
  }
}

TEST_CASE("lines that come in pieces are put together, and endless ones are cut") {
  OutputLines lines(true);
  std::vector<std::string> texts;
  const auto use = [&texts](const LogLine& line) { texts.push_back(line.text); };
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
