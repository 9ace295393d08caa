// SPDX-License-Identifier: Apache-2.0
// Jobs without a launcher: real processes, one a rank.
#include "core/base/process.h"
#include "core/base/result.h"
#include "core/collect/supervisor.h"
#include "core/plan/plan.h"
#include "core/record/recording_reader.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <functional>
#include <map>
#include <string>
#include <unistd.h>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;

namespace {

/// A shell script run by the plain launcher on three ranks: how it ended, and what was recorded.
struct PlainJob {
  TempFolder folder;
  RunState state;
  std::map<std::int64_t, std::vector<std::string>> lines;
  std::vector<LauncherSays> ends;

  explicit PlainJob(const std::string& script, const std::function<void(const LogLine&)>& on_line = {},
                    std::chrono::milliseconds grace = std::chrono::milliseconds(300)) {
    PipelineSpec spec;
    spec.dataset.size = 64;
    spec.world.ranks_per_node = 3;
    JobRequest request;
    request.spec = "spec.yaml";
    request.launcher = "plain";
    request.command = {"sh", "-c", script};
    request.grace = grace;
    auto job = makeJob(Plan::make(spec).value(), request);
    REQUIRE(job);
    auto writer = RecordingWriter::create(folder / "run.slrun");
    REQUIRE(writer);
    {
      Supervisor supervisor(*std::move(job), *std::move(writer), {{}, on_line});
      state = supervisor.run();
      CHECK(supervisor.recording());
    }
    CHECK(descendants(getpid()).empty());
    REQUIRE(readRecording(folder / "run.slrun", [this](const Event& event) {
      if (const auto* line = std::get_if<LogLine>(&event.what)) lines[line->rank].push_back(line->text);
      if (const auto* says = std::get_if<LauncherSays>(&event.what)) ends.push_back(*says);
    }));
  }

  [[nodiscard]] std::vector<std::int64_t> dead() const {
    std::vector<std::int64_t> ranks;
    for (const Verdict& verdict : state.verdicts) {
      if (verdict.kind == VerdictKind::Dead) ranks.push_back(verdict.rank);
    }
    return ranks;
  }
};

}  // namespace

TEST_CASE("each rank of a job without a launcher knows its place, and its lines are its own") {
  const PlainJob job(
      "echo \"rank $RANK of $WORLD_SIZE, $LOCAL_RANK of $LOCAL_WORLD_SIZE\"; echo \"$MASTER_ADDR:$MASTER_PORT\"; "
      "echo '[1,0]<stdout>:not a tag' >&2");
  CHECK(job.state.status == JobStatus::Finished);
  CHECK(job.state.exit_code == kFine);
  CHECK(job.ends.empty());
  CHECK(job.dead().empty());
  // What a rank prints on one stream may be read before what it printed on the other.
  const auto& first = job.lines.at(0);
  const auto place =
      std::find_if(first.begin(), first.end(), [](const std::string& line) { return line.starts_with("127.0.0.1:"); });
  REQUIRE(place != first.end());
  for (std::int64_t rank = 0; rank < 3; ++rank) {
    const std::string own = std::to_string(rank);
    const auto& lines = job.lines.at(rank);
    REQUIRE(lines.size() == 3);
    CHECK(std::count(lines.begin(), lines.end(), "rank " + own + " of 3, " + own + " of 3") == 1);
    CHECK(std::count(lines.begin(), lines.end(), "[1,0]<stdout>:not a tag") == 1);
    CHECK(std::count(lines.begin(), lines.end(), *place) == 1);  // all meet at one place
  }
}

TEST_CASE("a rank that ends with a code is named with it and its last words, and the others are ended") {
  const PlainJob job("if [ $RANK = 1 ]; then echo out of cheese >&2; exit 3; fi; sleep 1000");
  CHECK(job.state.status == JobStatus::Failed);
  CHECK(job.state.exit_code == kJobFailed);
  CHECK(job.state.failure == "Rank 1 ended with code 3: out of cheese");
  CHECK(job.dead() == std::vector<std::int64_t>{1});
  REQUIRE_FALSE(job.ends.empty());
  CHECK(job.ends.front().rank == 1);
  CHECK(job.ends.front().exit_code == 3);
  CHECK(job.ends.front().signal == 0);
}

TEST_CASE("a killed rank is named with the signal; ranks that ignore SIGTERM, and their children, are ended, too") {
  const PlainJob job(
      "if [ $RANK = 2 ]; then kill -9 $$; fi; trap '' TERM; sh -c \"trap '' TERM; sleep 1000\" & sleep 1000");
  CHECK(job.state.status == JobStatus::Failed);
  CHECK(job.state.failure == "Rank 2 was ended by signal 9 (SIGKILL).");
  CHECK(job.dead() == std::vector<std::int64_t>{2});
  REQUIRE_FALSE(job.ends.empty());
  CHECK(job.ends.front().rank == 2);
  CHECK(job.ends.front().signal == SIGKILL);
  CHECK(job.ends.front().exit_code == 0);
}

TEST_CASE("who fails first is named first, although ranks before it fail for want of it") {
  // The others wait until rank 2 is not even a zombie any more, and end before they are ended.
  const PlainJob job(
      "cd \"$SHARDLENS_JOB_DIR\"; "
      "if [ $RANK = 2 ]; then echo the cause >&2; echo $$ > pid.new; mv pid.new pid; exit 7; fi; "
      "until [ -e pid ]; do sleep 0.02; done; while kill -0 $(cat pid) 2>&-; do sleep 0.02; done; exit 1",
      {}, std::chrono::minutes(5));
  CHECK(job.state.failure == "Rank 2 ended with code 7: the cause");
  CHECK(job.dead().size() == 3);
  CHECK(job.dead().front() == 2);
}

TEST_CASE("a request to stop ends every rank") {
  const PlainJob job("echo ready; sleep 1000", [](const LogLine& line) {
    if (line.rank == 2 && line.text == "ready") kill(getpid(), SIGTERM);
  });
  CHECK(job.state.status == JobStatus::Stopped);
  CHECK(job.state.failure == "ShardLens got signal 15 (SIGTERM), which asks it to end, and stopped the job.");
  CHECK(job.dead().empty());
}

TEST_CASE("a command that cannot be executed fails the job, and starts no rank") {
  PipelineSpec spec;
  spec.dataset.size = 64;
  JobRequest request;
  request.launcher = "plain";
  spec.run.program = "nccl_rank";
  const auto without = makeJob(Plan::make(spec).value(), request);
  REQUIRE(without);
  REQUIRE_FALSE(without->launch);
  CHECK(without->launch.error().code == ErrorCode::Usage);
  request.command = {"no-such-training-program"};
  const auto absent = makeJob(Plan::make(spec).value(), request);
  REQUIRE(absent);
  CHECK(absent->launch.error().code == ErrorCode::Environment);
}
