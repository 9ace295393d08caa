// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <sys/wait.h>

namespace shardlens::test {

/// What a finished command said on stdout, and its exit code; -1 when a signal ended it.
struct Finished {
  int code = -1;
  std::string out;
};

/// Runs a line of sh and waits for it. Add `2>&1` to see stderr too.
inline Finished runShell(const std::string& line) {
  std::FILE* pipe = ::popen(line.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("popen failed");
  Finished finished;
  std::array<char, 4096> piece{};
  while (const std::size_t got = std::fread(piece.data(), 1, piece.size(), pipe))
    finished.out.append(piece.data(), got);
  const int status = ::pclose(pipe);
  if (WIFEXITED(status)) finished.code = WEXITSTATUS(status);
  return finished;
}

/// Debian's Python, which has torch and yaml; the one on PATH may be another.
constexpr const char* kPython = "/usr/bin/python3";

}  // namespace shardlens::test
