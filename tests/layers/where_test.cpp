// SPDX-License-Identifier: Apache-2.0
// resources/doc/where.md answers newcomers' questions with files; this holds the answers against the tree.
#include "tests/support/places.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
const fs::path kRoot = shardlens::test::sourceDir();

/// One row of the page: "| question | `file` | `what stands in it` |".
struct Answer {
  std::string question;
  std::string file;  ///< from the root
  std::string word;  ///< a name that the file must contain
};

std::string between(const std::string& text, char mark) {
  const std::size_t first = text.find(mark);
  const std::size_t last = text.rfind(mark);
  return first == last ? std::string() : text.substr(first + 1, last - first - 1);
}

std::vector<Answer> answers() {
  std::vector<Answer> found;
  std::ifstream in(kRoot / "resources/doc/where.md");
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("| ") || line.find('`') == std::string::npos) continue;
    std::istringstream cells(line.substr(2));
    Answer answer;
    std::string file;
    std::string word;
    std::getline(cells, answer.question, '|');
    std::getline(cells, file, '|');
    std::getline(cells, word, '|');
    answer.file = between(file, '`');
    answer.word = between(word, '`');
    found.push_back(answer);
  }
  return found;
}

std::string contentOf(const fs::path& path) {
  std::ifstream in(path);
  std::ostringstream all;
  all << in.rdbuf();
  return all.str();
}

}  // namespace

TEST_CASE("every file that answers a newcomer's question exists and holds the answer") {
  const std::vector<Answer> all = answers();
  REQUIRE(all.size() >= 28);
  for (const Answer& answer : all) {
    CAPTURE(answer.question);
    CAPTURE(answer.file);
    CAPTURE(answer.word);
    REQUIRE(fs::is_regular_file(kRoot / answer.file));
    REQUIRE_FALSE(answer.word.empty());
    CHECK(contentOf(kRoot / answer.file).find(answer.word) != std::string::npos);
  }
}
