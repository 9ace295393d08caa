// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/text_diff.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>

using namespace shardlens;

namespace {

std::string applied(const std::vector<yaml::DiffLine>& lines, yaml::DiffLine::Kind left_out) {
  std::string out;
  for (const yaml::DiffLine& line : lines) {
    if (line.kind != left_out) out += std::string(line.text) + "\n";
  }
  return out;
}

std::string randomText(std::mt19937& random, int lines) {
  std::string text;
  for (int i = 0; i < lines; ++i) text += std::string(1, static_cast<char>('a' + random() % 4)) + "\n";
  return text;
}

}  // namespace

TEST_CASE("equal texts have no difference") {
  CHECK(yaml::unifiedDiff("a\nb\n", "a\nb\n", "x", "y").empty());
}

TEST_CASE("a difference reads as diff -u prints it") {
  CHECK(yaml::unifiedDiff("1\n2\n3\n4\n5\n6\n", "1\n2\n3\n4\nfive\n6\n", "x", "y") ==
        "--- x\n+++ y\n@@ -2,5 +2,5 @@\n 2\n 3\n 4\n-5\n+five\n 6\n");
  CHECK(yaml::unifiedDiff("", "a\n", "x", "y") == "--- x\n+++ y\n@@ -0,0 +1 @@\n+a\n");
  CHECK(yaml::unifiedDiff("a", "a\n", "x", "y") == "--- x\n+++ y\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
}

TEST_CASE("leaving out either side of a difference gives the other text") {
  std::mt19937 random(3);
  for (int i = 0; i < 300; ++i) {
    const std::string before = randomText(random, static_cast<int>(random() % 30));
    const std::string after = randomText(random, static_cast<int>(random() % 30));
    const auto lines = yaml::diffLines(before, after);
    CHECK(applied(lines, yaml::DiffLine::Kind::Added) == before);
    CHECK(applied(lines, yaml::DiffLine::Kind::Removed) == after);
  }
}

TEST_CASE("the difference is the shortest there is") {
  std::mt19937 random(4);
  for (int i = 0; i < 200; ++i) {
    const std::string a = randomText(random, static_cast<int>(random() % 9));
    const std::string b = randomText(random, static_cast<int>(random() % 9));
    std::vector<std::vector<int>> common(a.size() / 2 + 1, std::vector<int>(b.size() / 2 + 1, 0));
    for (std::size_t x = 1; x < common.size(); ++x) {
      for (std::size_t y = 1; y < common[0].size(); ++y) {
        common[x][y] =
            a[2 * x - 2] == b[2 * y - 2] ? common[x - 1][y - 1] + 1 : std::max(common[x - 1][y], common[x][y - 1]);
      }
    }
    int same = 0;
    for (const auto& line : yaml::diffLines(a, b)) same += line.kind == yaml::DiffLine::Kind::Same ? 1 : 0;
    CHECK(same == common.back().back());
  }
}

TEST_CASE("two huge texts with nothing in common are compared in bounded time") {
  std::string before = "same\n";
  std::string after = "same\n";
  for (int i = 0; i < 200'000; ++i) {
    before += "old " + std::to_string(i) + "\n";
    after += "new " + std::to_string(i) + "\n";
  }
  before += "end\n";
  after += "end\n";
  const auto lines = yaml::diffLines(before, after);
  CHECK(lines.size() == 400'002);
}
