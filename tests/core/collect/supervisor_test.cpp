// SPDX-License-Identifier: Apache-2.0
#include "core/collect/supervisor.h"

#include "core/base/process.h"
#include "core/base/result.h"
#include "core/launch/launchers/launcher.h"
#include "core/record/recording_reader.h"
#include "core/wire/ring_file.h"
#include "tests/support/gated_sink.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;

namespace {

/// A job of one rank whose launcher is a shell script that talks like mpirun.
Job jobOf(Result<Launch> launch) {
  RunBegin begin;
  begin.name = "script";
  begin.world_size = 1;
  begin.reports = false;
  return Job{begin, *JobDir::make(), makeMpirun(), std::move(launch), false, {}, std::chrono::milliseconds(300)};
}

Launch script(const std::string& text) {
  return {{{{"/bin/sh", "-c", text}, {}, -1}}, {}};
}

/// One supervised script: its last state, its lines, and what the recording holds.
struct Supervised {
  TempFolder folder;
  std::vector<LogLine> lines;
  std::vector<Event> recorded;
  RunState state;

  explicit Supervised(Job job, const std::function<void(const LogLine&)>& on_line = {}) {
    auto writer = RecordingWriter::create(folder / "run.slrun");
    REQUIRE(writer);
    Watcher watcher;
    watcher.on_line = [&](const LogLine& line) {
      lines.push_back(line);
      if (on_line) on_line(line);
    };
    {
      Supervisor supervisor(std::move(job), std::move(*writer), std::move(watcher));
      state = supervisor.run();
      CHECK(supervisor.recording());
    }
    CHECK(descendants(getpid()).empty());
    read();
  }

  /// What stands in the recording; the supervisor is done with it.
  void read() {
    const auto reader = readRecording(folder / "run.slrun", [this](const Event& event) { recorded.push_back(event); });
    REQUIRE(reader);
    CHECK(reader->note() == "");
  }

  [[nodiscard]] bool recordedLine(const std::string& text) const {
    return std::any_of(recorded.begin(), recorded.end(), [&](const Event& event) {
      const auto* line = std::get_if<LogLine>(&event.what);
      return line != nullptr && line->text == text;
    });
  }
};

}  // namespace

TEST_CASE("a job's lines go to who watches and into the recording, with their rank") {
  const Supervised run(jobOf(script("echo '[1,0]<stdout>:hello'; echo own words >&2")));
  CHECK(run.state.status == JobStatus::Finished);
  CHECK(run.state.exit_code == kFine);
  CHECK(std::any_of(run.lines.begin(), run.lines.end(),
                    [](const LogLine& line) { return line.rank == 0 && !line.is_error && line.text == "hello"; }));
  CHECK(run.recordedLine("hello"));
  CHECK(run.recordedLine("own words"));
  REQUIRE_FALSE(run.recorded.empty());
  CHECK(std::holds_alternative<RunBegin>(run.recorded.front().what));
  CHECK(std::holds_alternative<RunEnd>(run.recorded.back().what));
}

TEST_CASE("a job that fails is recorded as failed, in the words of the rank that failed") {
  const Supervised run(
      jobOf(script("echo '[1,0]<stderr>:out of cheese'; echo '  Process name: [[1,1],0]' >&2; "
                   "echo '  Exit code:    9' >&2; exit 9")));
  CHECK(run.state.status == JobStatus::Failed);
  CHECK(run.state.exit_code == kJobFailed);
  CHECK(run.state.failure == "Rank 0 ended with code 9: out of cheese");
  const bool has_fact = std::any_of(run.recorded.begin(), run.recorded.end(), [](const Event& event) {
    const auto* says = std::get_if<LauncherSays>(&event.what);
    return says != nullptr && says->rank == 0 && says->exit_code == 9;
  });
  CHECK(has_fact);
}

TEST_CASE("a killed launcher is named") {
  const Supervised run(jobOf(script("kill -9 $$")));
  CHECK(run.state.status == JobStatus::Failed);
  CHECK(run.state.failure == "The launcher mpirun was ended by signal 9 (SIGKILL), and the ranks ended with it.");
}

TEST_CASE("a job that cannot be started is recorded with the reason") {
  const Supervised missing(jobOf(Launch{{{{"/no/such/launcher"}, {}, -1}}, {}}));
  CHECK(missing.state.status == JobStatus::Failed);
  CHECK(missing.state.exit_code == kEnvironment);
  CHECK(missing.state.failure.find("/no/such/launcher") != std::string::npos);
  const Supervised refused(jobOf(Error{ErrorCode::Environment, "There is no launcher.", {}, "install one"}));
  CHECK(refused.state.exit_code == kEnvironment);
  CHECK(refused.recordedLine(refused.state.failure));
}

TEST_CASE("a request to stop ends the job and what it started, also what does not listen") {
  const Supervised run(jobOf(script("trap '' TERM; sh -c \"trap '' TERM; sleep 1000\" & echo ready; sleep 1000")),
                       [](const LogLine& line) {
                         if (line.text == "ready") kill(getpid(), SIGTERM);
                       });
  CHECK(run.state.status == JobStatus::Stopped);
  CHECK(run.state.exit_code == kJobFailed);
  CHECK(run.state.failure == "ShardLens got signal 15 (SIGTERM), which asks it to end, and stopped the job.");
}

TEST_CASE("a hangup that this process was started to ignore does not end the job") {
  struct sigaction ignore {};
  struct sigaction before {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGHUP, &ignore, &before);
  const TempFolder folder;
  const std::string go = (folder / "go").string();
  const std::string until = "until [ -e '" + go + "' ]; do sleep 0.02; done; ";
  const Supervised run(jobOf(script("echo ready; " + until + "echo done")), [&go](const LogLine& line) {
    if (line.text != "ready") return;
    kill(getpid(), SIGHUP);
    spill(go, "");
  });
  sigaction(SIGHUP, &before, nullptr);
  CHECK(run.state.status == JobStatus::Finished);
  CHECK(run.recordedLine("done"));
}

TEST_CASE("a disk that stands still does not keep the supervisor from its rings") {
  const TempFolder folder;
  const auto gate = std::make_shared<Gate>();
  auto writer = RecordingWriter::onto(std::make_unique<GatedSink>(gate), "slow.slseg");
  REQUIRE(writer);
  const std::string go = (folder / "go").string();
  Job job = jobOf(script("while [ ! -e '" + go + "' ]; do sleep 0.02; done"));
  sl_ring_map ring{};
  REQUIRE(sl_ring_create(&ring, job.dir.path().c_str(), 0, 1) == 0);
  sl_record record{};
  record.kind = SL_STEP_END;
  std::uint64_t pushed = 0;
  Watcher watcher;
  watcher.on_state = [&](const RunState&) {
    gate->close();
    if (pushed >= 3 * ring.capacity) {
      spill(go, "");
      return gate->open();
    }
    record.time_ns = sl_now();
    for (std::uint64_t i = 0; i < ring.capacity / 2; ++i, ++pushed) (void)sl_ring_push(ring.ring, &record);
  };
  RunState state;
  {
    Supervisor supervisor(std::move(job), *std::move(writer), std::move(watcher));
    state = supervisor.run();
    CHECK(supervisor.recording());
  }
  sl_ring_close(&ring);
  CHECK_FALSE(gate->gaveUp());
  CHECK(state.status == JobStatus::Finished);
  CHECK(state.dropped == 0);
  CHECK(state.ranks.at(0).steps_done == static_cast<std::int64_t>(pushed));
  CHECK(gate->bytes().size() > pushed * sizeof(sl_record));
}
