// SPDX-License-Identifier: Apache-2.0
#include "core/launch/launch_command.h"

#include "core/launch/launchers/launcher.h"
#include "core/launch/launchers/typed_command.h"
#include "core/spec/field_table.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

using namespace shardlens;

TEST_CASE("a program is found as a shell finds it, and a missing one says what to do") {
  CHECK(*findProgram("sh") != "");
  CHECK(*findProgram("/bin/sh") == "/bin/sh");
  const auto missing = findProgram("no-such-program-here");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == ErrorCode::Environment);
  CHECK_FALSE(findProgram("/no/such/program"));
  CHECK_FALSE(findProgram("sh", {{"PATH", "/nowhere"}}));
  CHECK(*findProgram("sh", {{"PATH", "/nowhere:/bin"}}) == "/bin/sh");
}

TEST_CASE("a free port is none that the system gives to the next connection") {
  std::ifstream in("/proc/sys/net/ipv4/ip_local_port_range");
  int first = 0;
  in >> first;
  const auto port = freePort();
  REQUIRE(port);
  CHECK(*port > 0);
  if (first > 29'000) CHECK((*port >= 10'000 && *port < 29'000));
}

TEST_CASE("every launcher of the table makes itself and is known by its name") {
  REQUIRE_FALSE(launcherKinds().empty());
  for (const LauncherKind& kind : launcherKinds()) {
    CAPTURE(kind.name);
    CHECK(kind.make()->name() == std::string(kind.name));
    const auto found = launcherKind(kind.name);
    REQUIRE(found);
    CHECK(*found == &kind);
  }
  const auto unknown = launcherKind("mpirum");
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().code == ErrorCode::Usage);
  CHECK(unknown.error().hint == "choose from: mpirun, torchrun, srun, plain");
}

TEST_CASE("a typed command is a launcher under any of its names, and keeps the name that was typed") {
  for (const char* program : {"mpirun", "mpiexec", "/usr/bin/orterun", "torchrun"}) CHECK(isLauncher(program));
  for (const char* program : {"python3", "./train.sh", "command"}) CHECK_FALSE(isLauncher(program));
  CHECK(makeTypedCommand("/usr/bin/mpiexec")->name() == std::string("mpiexec"));
  CHECK(makeTypedCommand("./train.sh")->name() == std::string("train.sh"));
}

TEST_CASE("the launchers that a spec may name are those of the table") {
  const auto fields = fixedFields();
  const auto field =
      std::find_if(fields.begin(), fields.end(), [](const Field& one) { return one.path == "run.launcher"; });
  REQUIRE(field != fields.end());
  std::vector<std::string> known;
  for (const LauncherKind& kind : launcherKinds()) known.emplace_back(kind.name);
  CHECK(std::vector<std::string>(field->choices.begin(), field->choices.end()) == known);
}
