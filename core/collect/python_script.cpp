// SPDX-License-Identifier: Apache-2.0
#include "core/collect/python_script.h"

#include "core/base/phrase.h"
#include "core/collect/installed_file.h"
#include "core/yaml/export_parts.h"

#include <array>
#include <cstddef>
#include <cstdio>

namespace shardlens {
namespace {

constexpr const char* kReader = "probe/shardlens_probe/script.py";
constexpr const char* kPatience = "90";  ///< seconds; a script of 4 MB, the longest, took 18

/// What a command prints; nothing where it fails.
std::string printedBy(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "re");
  if (pipe == nullptr) return {};
  std::string text;
  std::array<char, 1 << 16> piece{};
  while (const std::size_t got = std::fread(piece.data(), 1, piece.size(), pipe)) text.append(piece.data(), got);
  return pclose(pipe) == 0 ? text : std::string();
}

}  // namespace

bool isPythonScript(const std::filesystem::path& path) {
  return path.extension() == ".py";
}

Result<std::string> describeScript(const std::filesystem::path& path) {
  const std::string command = std::string("timeout ") + kPatience + " python3 -I " +
                              yaml::shellArgument(installedFile(kReader).string()) + " " +
                              yaml::shellArgument(std::filesystem::absolute(path).string()) + " 2>/dev/null";
  std::string text = printedBy(command);
  if (!text.empty()) return text;
  return Error::inFile(ErrorCode::Environment, path.string(), worded("import", "Python could not read the script."),
                       worded("import", "python3 must be on the PATH, and the script be UTF-8"));
}

}  // namespace shardlens
