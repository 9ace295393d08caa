// SPDX-License-Identifier: Apache-2.0
#include "core/collect/output_lines.h"
#include "core/launch/launchers/launcher.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace shardlens;

namespace {

/// What comes out of mpirun's standard error when it comes in pieces of this many bytes: "rank: text" a line.
std::vector<std::string> linesOf(const std::string& bytes, std::size_t at_once) {
  const auto mpirun = makeMpirun();
  PrintedOutput output(*mpirun, -1, true);
  std::vector<std::string> lines;
  const auto use = [&lines](const PrintedLine& line) {
    lines.push_back(std::to_string(line.rank) + (line.is_error ? " err: " : ": ") + line.text);
  };
  for (std::size_t at = 0; at < bytes.size(); at += at_once)
    output.add(std::string_view(bytes).substr(at, at_once), use);
  output.finish(use);
  return lines;
}

}  // namespace

TEST_CASE("lines that mpirun mixes out of pieces are those of their ranks, however they come") {
  const std::string bytes =
      "[1,0]<stdout>:one\n[1,1]<stderr>:two\nmpirun noticed [1] something\n"
      "[1,0]<stdout>:Loading...[1,1]<stderr>:Load[1,0]<stdout>: done\n[1,1]<stderr>:ing\n"
      "[1,0]<stdout>:[1,1]<stdout>:not a tag\n[1,0]<stdout>:\nlast words of mpirun";
  const std::vector<std::string> wanted = {"0: one",
                                           "1 err: two",
                                           "-1 err: mpirun noticed [1] something",
                                           "0: Loading... done",
                                           "1 err: Loading",
                                           "0: [1,1]<stdout>:not a tag",
                                           "0: ",
                                           "-1 err: last words of mpirun"};
  for (std::size_t at_once = 1; at_once <= bytes.size(); ++at_once) {
    CAPTURE(at_once);
    CHECK(linesOf(bytes, at_once) == wanted);
  }
}

TEST_CASE("progress bars of several ranks below mpirun are each a line of its rank") {
  std::string bytes;
  for (int percent = 0; percent <= 100; percent += 10) {
    for (const char* tag : {"[1,0]<stderr>:", "[1,1]<stderr>:"})
      bytes += tag + ("\r" + std::to_string(percent) + "%|##");
  }
  bytes += "[1,0]<stderr>:\n[1,1]<stderr>:\n";
  CHECK(linesOf(bytes, 7) == std::vector<std::string>{"0 err: 100%|##", "1 err: 100%|##"});
}

TEST_CASE("what a rank's own process prints has no tags") {
  const auto mpirun = makeMpirun();
  PrintedOutput output(*mpirun, 3, false);
  std::vector<std::string> lines;
  output.add("[1,0]<stdout>:mine\n", [&lines](const PrintedLine& line) {
    CHECK(line.rank == 3);
    lines.push_back(line.text);
  });
  CHECK(lines == std::vector<std::string>{"[1,0]<stdout>:mine"});
}
