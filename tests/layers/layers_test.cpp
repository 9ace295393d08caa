// SPDX-License-Identifier: Apache-2.0
// Reads every #include of the program and holds it against resources/layers.txt.
#include "tests/support/places.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;
const fs::path kRoot = shardlens::test::sourceDir();

/// A foreign header and the only places that may include it, as prefixes of the path from the root.
struct Fence {
  std::regex header;
  std::vector<std::string> allowed;
};

const std::vector<Fence>& fences() {
  static const std::vector<Fence> kFences = {
      {std::regex("^yaml-cpp/"), {"core/yaml/"}},
      {std::regex("^qcustomplot\\.h$"), {"ui/plot/"}},
      {std::regex("^mpi\\.h$"), {"app/rank/"}},
      {std::regex("^(nccl|cuda|cuda_runtime)\\.h$"), {"app/rank/"}},
      {std::regex("^(Q[A-Z]|Qt)"), {"ui/", "app/studio/"}},
      {std::regex("^CLI/"), {"app/cli/", "app/rank/"}},
  };
  return kFences;
}

struct Include {
  std::string file;  ///< from the root
  std::string header;
  bool quoted = false;
};

std::string layerOf(const std::string& path) {
  const std::size_t second = path.find('/', path.find('/') + 1);
  return path.substr(0, second);
}

std::vector<fs::path> sources() {
  std::vector<fs::path> files;
  for (const char* top : {"core", "ui", "app"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / top)) {
      const std::string extension = entry.path().extension().string();
      if (extension == ".h" || extension == ".cpp" || extension == ".cu") files.push_back(entry.path());
    }
  }
  return files;
}

std::vector<Include> includes() {
  static const std::regex kInclude(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
  std::vector<Include> found;
  for (const fs::path& path : sources()) {
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
      std::smatch match;
      if (std::regex_search(line, match, kInclude)) {
        found.push_back({fs::relative(path, kRoot).string(), match[2], match[1] == "\""});
      }
    }
  }
  return found;
}

std::map<std::string, std::set<std::string>> reachableLayers() {
  std::map<std::string, std::set<std::string>> reach;
  std::ifstream in(kRoot / "resources/layers.txt");
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::string layer = line.substr(0, line.find(':'));
    std::istringstream arrows(line.substr(line.find(':') + 1));
    reach[layer].insert(layer);
    for (std::string arrow; arrows >> arrow;) reach[layer].insert(reach[arrow].begin(), reach[arrow].end());
  }
  return reach;
}

/// The framework whose folder of core/sampling holds the file; empty for the engine and for other modules.
std::string frameworkOf(const std::string& path) {
  static const std::string kSampling = "core/sampling/";
  if (path.rfind(kSampling, 0) != 0) return {};
  const std::size_t end = path.find('/', kSampling.size());
  return end == std::string::npos ? "" : path.substr(kSampling.size(), end - kSampling.size());
}

/// Arrows between frameworks, each with its reason in core/sampling/README.md.
const std::set<std::pair<std::string, std::string>>& siblings() {
  static const std::set<std::pair<std::string, std::string>> kSiblings = {
      {"core/sampling/accelerate/data_loader_shard.cpp", "community"},
      {"core/sampling/accelerate/data_loader_shard.cpp", "transformers"},
      {"core/sampling/accelerate/data_loader_shard.cpp", "trl"},
  };
  return kSiblings;
}

bool startsWith(const std::string& text, const std::string& prefix) {
  return text.rfind(prefix, 0) == 0;
}

}  // namespace

TEST_CASE("every include follows an arrow of resources/layers.txt") {
  const auto reach = reachableLayers();
  const auto all = includes();
  REQUIRE(all.size() > 100);
  for (const Include& include : all) {
    if (!include.quoted) continue;
    const std::string from = layerOf(include.file);
    const std::string to = layerOf(include.header);
    CAPTURE(include.file);
    CAPTURE(include.header);
    if (!startsWith(to, "core/") && !startsWith(to, "ui/") && !startsWith(to, "app/")) {
      // moc output and generated headers carry no folder
      CHECK_MESSAGE(include.header.find('/') == std::string::npos, "include by the path from the root");
      continue;
    }
    REQUIRE(reach.count(from) == 1);
    CHECK(reach.at(from).count(to) == 1);
  }
}

TEST_CASE("a framework's samplers include the engine, torch and their own folder") {
  std::set<std::pair<std::string, std::string>> unused = siblings();
  for (const Include& include : includes()) {
    const std::string from = frameworkOf(include.file);
    const std::string to = frameworkOf(include.header);
    if (from.empty() || !include.quoted || to.empty() || to == "torch" || to == from) continue;
    unused.erase({include.file, to});
    CAPTURE(include.file);
    CAPTURE(include.header);
    CHECK(siblings().count({include.file, to}) == 1);
  }
  CHECK_MESSAGE(unused.empty(), "an exception that nobody needs any more");
}

TEST_CASE("the engine of core/sampling knows no framework but by its registry") {
  for (const Include& include : includes()) {
    if (!startsWith(include.file, "core/sampling/") || !frameworkOf(include.file).empty()) continue;
    if (frameworkOf(include.header).empty() || include.file == "core/sampling/registry.cpp") continue;
    CAPTURE(include.file);
    CAPTURE(include.header);
    CHECK_MESSAGE(false, "the engine includes a framework");
  }
}

TEST_CASE("a foreign header is included only where it belongs") {
  for (const Include& include : includes()) {
    for (const Fence& fence : fences()) {
      if (include.quoted || !std::regex_search(include.header, fence.header)) continue;
      CAPTURE(include.file);
      CAPTURE(include.header);
      CHECK(std::any_of(fence.allowed.begin(), fence.allowed.end(),
                        [&](const std::string& prefix) { return startsWith(include.file, prefix); }));
    }
  }
}

TEST_CASE("the window asks a plan for what may draw only with the work of a worker") {
  // A plan that must draw to answer takes seconds. `work` comes with a job; the window makes none of its own.
  static const std::regex kDraws(
      R"((^|[^a-z_])(\w*plan_?(\(\))?)(->|\.)(shape|epochShape|steps|loaderCutsBatches|rankEpoch|epoch)\(([^;]*))");
  static const std::regex kMakesWork(R"(\bWork\{\})");
  for (const fs::path& path : sources()) {
    const std::string file = fs::relative(path, kRoot).string();
    if (!startsWith(file, "ui/")) continue;
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
      CAPTURE(file);
      CAPTURE(line);
      std::smatch call;
      if (std::regex_search(line, call, kDraws)) CHECK(call.str(6).find("work") != std::string::npos);
      CHECK_FALSE(std::regex_search(line, kMakesWork));
    }
  }
}

TEST_CASE("yaml-cpp stays out of headers, so that nobody gets it by including ours") {
  for (const Include& include : includes()) {
    if (!startsWith(include.header, "yaml-cpp/")) continue;
    CAPTURE(include.file);
    CHECK(fs::path(include.file).extension() == ".cpp");
  }
}

TEST_CASE("a source includes its own header first, which proves that the header stands alone") {
  std::map<std::string, std::string> first;
  for (const Include& include : includes()) first.emplace(include.file, include.header);
  for (const auto& one : first) {  // a structured binding could not be captured
    const std::string& file = one.first;
    const std::string& header = one.second;
    const fs::path own = fs::path(file).replace_extension(".h");
    if (fs::path(file).extension() != ".cpp" || !fs::exists(kRoot / own)) continue;
    CAPTURE(file);
    CHECK(header == own.string());
  }
}
