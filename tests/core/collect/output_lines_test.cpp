// SPDX-License-Identifier: Apache-2.0
#include "core/collect/output_lines.h"

#include <doctest/doctest.h>

#include <algorithm>
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
  CHECK(texts[2] == std::string(8192, 'x') + " ... (91\u202f808 more bytes)");
  CHECK(texts[3] == "last");
}

TEST_CASE("what follows a zero byte, and an empty line, are not lost") {
  OutputLines lines;
  std::vector<std::string> texts;
  lines.add(std::string_view("a\0b\n\nc\r\n", 8), [&texts](std::string_view line) { texts.emplace_back(line); });
  CHECK(texts == std::vector<std::string>{std::string("a\0b", 3), "", "c"});
}

TEST_CASE("what is written over keeps what stands behind it, as on a terminal") {
  const auto shown = [](const std::string& bytes) {
    OutputLines lines;
    std::vector<std::string> texts;
    const auto use = [&texts](std::string_view line) { texts.emplace_back(line); };
    for (const char byte : bytes) lines.add(std::string_view(&byte, 1), use);
    lines.finish(use);
    return texts;
  };
  using Texts = std::vector<std::string>;
  CHECK(shown("error: no disk\rwait\n") == Texts{"waitr: no disk"});
  CHECK(shown("Loading data\r\n") == Texts{"Loading data"});
  CHECK(shown("Loading data\r") == Texts{"Loading data"});
  CHECK(shown("Loading data\r\x1b[Kdone\n") == Texts{"\x1b[Kdone"});
  CHECK(shown("100%|##########|\r                 \rdone\n") == Texts{"done"});
  CHECK(shown("\x1b[32m50%\x1b[0m of it\r100%\n") == Texts{"100%of it"});
  CHECK(shown("训练中 10%\rdone\n") == Texts{"done中 10%"});
  CHECK(shown("训练中\rabc\n") == Texts{"abc 中"});
  CHECK(shown("e\u0301t\u0301\rx\n") == Texts{"xt\u0301"});
}

TEST_CASE("control sequences that are drawn again and again do not pile up") {
  OutputLines lines;
  std::size_t longest = 0;
  const auto use = [&longest](std::string_view line) { longest = std::max(longest, line.size()); };
  std::string colours;
  while (colours.size() < 8000) colours += "\x1b[0m";
  for (int i = 0; i < 50; ++i) lines.add("\r" + colours, use);
  lines.add("\n", use);
  CHECK(longest <= 16'384);
}

TEST_CASE("a progress bar is one line, and now and then what it shows") {
  OutputLines lines;
  std::vector<std::string> texts;
  const auto use = [&texts](std::string_view line) { texts.emplace_back(line); };
  lines.showProgress(use);
  lines.add("\r  0%|", use);
  lines.showProgress(use);
  for (const char* bar : {"\r 10%|#", "\r 20%|##", "\r 30%", "|###"}) lines.add(bar, use);
  lines.showProgress(use);
  lines.showProgress(use);  // nothing new
  lines.add("\r100%|####", use);
  lines.add("\r\nnext\n", use);
  lines.add("\rhalf", use);
  lines.showProgress(use);
  lines.add("\n", use);  // it was told already
  lines.add("no bar", use);
  lines.showProgress(use);
  lines.finish(use);
  CHECK(texts == std::vector<std::string>{"  0%|", " 30%|###", "100%|####", "next", "half", "no bar"});
}
