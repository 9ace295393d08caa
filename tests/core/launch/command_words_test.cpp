// SPDX-License-Identifier: Apache-2.0
// What a person types is what a shell would run.
#include "core/launch/launchers/typed_command.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using namespace shardlens;

namespace {

using Words = std::vector<std::string>;

/// What sh makes of the line: the arguments of its command, one in a line.
std::string bySh(const std::string& line) {
  std::string out;
  const std::string command = "set -- " + line + "; printf '%s\\n' \"$@\"";
  FILE* const pipe = popen(command.c_str(), "r");
  std::array<char, 256> part{};
  while (pipe != nullptr && fgets(part.data(), part.size(), pipe) != nullptr) out += part.data();
  if (pipe != nullptr) pclose(pipe);
  return out;
}

std::string listed(const Words& words) {
  std::string out;
  for (const std::string& word : words) out += word + "\n";
  return out;
}

}  // namespace

TEST_CASE("a command is divided as sh divides it") {
  for (const char* line : {"torchrun --nproc_per_node=4 train.py", "python3 'my script.py' --name \"a b\" --empty ''",
                           "mpirun -n 4 ./solver\\ 2 -x A=1", "  spaced\tout  "}) {
    CAPTURE(line);
    const auto words = commandWords(line);
    REQUIRE(words);
    CHECK(listed(*words) == bySh(line));
  }
}

TEST_CASE("what only a shell understands is left to a shell, letter for letter") {
  for (const char* line : {"cd /tmp && ls", "A=$B torchrun train.py", "A=1 B=2 a && b", "python3 a.py | tee log",
                           "a; b", "python3 $(ls)", "python3 a.py > out.txt", "a &", "ls ~/x /et[c]/host*",
                           "python3 a.py $GPUS", "python3 a.py # once", "python3 ${A"}) {
    CAPTURE(line);
    const auto words = commandWords(line);
    REQUIRE(words);
    CHECK(*words == Words{"/bin/sh", "-c", line});
  }
  CHECK(commandWords("env A=1 python3 a.py")->front() == "env");
}

TEST_CASE("assignments before a command are for its environment, as a shell has it") {
  auto words = commandWords("A='x y' B= A=2 torchrun --lr=3 train.py C=4");
  REQUIRE(words);
  CHECK(takeAssignments(*words) == Variables{{"B", ""}, {"A", "2"}});
  CHECK(*words == Words{"torchrun", "--lr=3", "train.py", "C=4"});
  CHECK(takeAssignments(*words).empty());
  CHECK(commandWords("A=1 B=2").error().message == "There is no command.");
}

TEST_CASE("lines of an environment are variables, and the first that is none is said with what to write") {
  const auto read =
      environmentLines("NCCL_DEBUG=INFO\n\n # a note\r\n  PATH=/a b:$HOME \nQUOTED='x \"y'\nEMPTY=\nNCCL_DEBUG=WARN");
  REQUIRE(read);
  CHECK(*read == Variables{{"PATH", "/a b:$HOME"}, {"QUOTED", "x \"y"}, {"EMPTY", ""}, {"NCCL_DEBUG", "WARN"}});
  CHECK(environmentLines("")->empty());
  for (const char* line : {"export A=1", "A", "=1", "A =1", "1A=2", "A-B=1"}) {
    CAPTURE(line);
    const auto wrong = environmentLines(std::string("B=1\n") + line);
    REQUIRE_FALSE(wrong);
    CHECK(wrong.error().code == ErrorCode::BadInput);
    CHECK(wrong.error().message == std::string("Line 2 of the environment sets no variable: ") + line);
    CHECK(wrong.error().hint.find("write NAME=value") == 0);
  }
}

TEST_CASE("a line that is no command is refused with what to do") {
  for (const char* line : {"", "  \t "}) CHECK(commandWords(line).error().message == "There is no command.");
  for (const char* line : {"python3 'a.py", "python3 \"a.py", "python3 a.py \\"}) {
    CAPTURE(line);
    const auto words = commandWords(line);
    REQUIRE_FALSE(words);
    CHECK(words.error().message == "The command is not complete: a quote is not closed, or it ends with a backslash.");
  }
}
