// SPDX-License-Identifier: Apache-2.0
// Functions stay small enough to be read at once. A table is data outside of functions, and is not measured.
#include "tests/layers/function_lengths.h"
#include "tests/support/places.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace shardlens;

namespace {

namespace fs = std::filesystem;
const fs::path kRoot = test::sourceDir();
constexpr int kMostFunctionLines = 60;

std::vector<fs::path> sources(const std::set<std::string>& extensions) {
  std::vector<fs::path> files;
  for (const char* top : {"core", "ui", "app", "tests"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / top)) {
      if (extensions.count(entry.path().extension().string()) == 1) files.push_back(entry.path());
    }
  }
  return files;
}

std::string textOf(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("no function has more than 60 lines") {
  std::size_t functions = 0;
  for (const fs::path& path : sources({".h", ".cpp"})) {
    const std::string file = fs::relative(path, kRoot).string();
    for (const test::FunctionLength& function : test::functionLengths(textOf(path))) {
      ++functions;
      CAPTURE(file);
      CAPTURE(function.line);
      CAPTURE(function.head);
      CHECK(function.lines <= kMostFunctionLines);
    }
  }
  CHECK(functions > 4000);  // the reader sees the functions of this tree
}

TEST_CASE("functions are found, values and classes are not") {
  const std::string source =
      "#define X() {\n"
      "namespace a {\n"
      "struct B : C {\n"
      "  int d{1};\n"
      " public:\n"
      "  B(int e)\n"
      "      : d{e}, f_(2) {\n"
      "    g([] { return '{'; });  // }\n"
      "  }\n"
      "  bool operator==(const B& other) const { return true; }\n"
      "};\n"
      "const std::vector<int> kTable = {\n"
      "    1, h(2), 1'000'000,\n"
      "};\n"
      "auto text = R\"(void no() {)\";\n"
      "template <class T = int>\n"
      "void i(T value = {}) {\n"
      "  if (value) {\n"
      "  }\n"
      "}\n"
      "}  // namespace a\n";
  const auto found = test::functionLengths(source);
  REQUIRE(found.size() == 3);
  CHECK(found[0].head == "B(int e) : d{e}, f_(2)");
  CHECK(found[0].line == 6);
  CHECK(found[0].lines == 4);
  CHECK(found[1].lines == 1);
  CHECK(found[2].line == 16);
  CHECK(found[2].lines == 5);
}
