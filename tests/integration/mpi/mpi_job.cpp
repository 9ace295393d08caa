// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/mpi/mpi_job.h"

#include "core/collect/job.h"
#include "core/collect/supervisor.h"
#include "core/launch/launch_command.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <unistd.h>
#include <utility>

namespace shardlens::test {

bool hasOpenMpi() {
  const bool is_there = findProgram("mpirun.openmpi").has_value();
  if (!is_there) MESSAGE("SKIPPED: there is no mpirun on this machine");
  return is_there;
}

std::vector<std::string> mpirun(const std::vector<std::string>& program) {
  // Open MPI asks root whether it means it.
  for (const char* const name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"}) setenv(name, "1", 1);
  std::vector<std::string> words = {"mpirun.openmpi", "--oversubscribe", "--bind-to", "none", "-n", "3"};
  words.insert(words.end(), program.begin(), program.end());
  return words;
}

WatchedJob::WatchedJob(std::vector<std::string> command, const std::function<bool(const RunState&)>& until) {
  JobRequest request;
  request.command = std::move(command);
  request.run_file = (folder / "run.slrun").string();
  auto job = makeCommandJob(request);
  REQUIRE(job);
  auto writer = RecordingWriter::create(request.run_file);
  REQUIRE(writer);
  Watcher watcher;
  bool is_asked = false;
  watcher.on_line = [&](const LogLine& line) {
    if (!line.is_error && line.rank != LogLine::kOwn) output += line.text + "\n";
  };
  watcher.on_state = [&](const RunState& state) {
    if (!until || is_asked || !until(state)) return;
    is_asked = true;
    live_then = state;
    kill(getpid(), SIGTERM);  // who started the tests may be ignoring SIGINT
  };
  {
    Supervisor supervisor(*std::move(job), *std::move(writer), std::move(watcher));
    live = supervisor.run();
  }
  CHECK((!until || is_asked));
  auto replay = RunReplay::open(request.run_file);
  REQUIRE(replay);
  while (is_asked && replay->advance(live_then.elapsed_ns, {})) continue;
  if (replay->begun()) replayed_then = replay->state();
  replay->toEnd();
  replayed = replay->state();
}

const Verdict* find(const RunState& state, VerdictKind kind) {
  const auto found = std::find_if(state.verdicts.begin(), state.verdicts.end(),
                                  [kind](const Verdict& verdict) { return verdict.kind == kind; });
  return found == state.verdicts.end() ? nullptr : &*found;
}

}  // namespace shardlens::test
