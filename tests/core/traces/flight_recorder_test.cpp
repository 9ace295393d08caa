// SPDX-License-Identifier: Apache-2.0
// Dumps of PyTorch's Flight Recorder: what a person is told of a job that hangs, and what is not claimed.
#include "tests/core/traces/dumps_of.h"
#include "tests/support/places.h"

#include <string>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;

namespace {

const char* const kForms[] = {"json", "pickle2", "pickle3", "pickle4", "pickle5"};

void checkMissing(const Replayed& run, bool has_code) {
  CHECK(run.state.world_size == 4);
  const Verdict verdict = mainVerdict(run.state);
  CHECK(verdict.kind == VerdictKind::Stalled);
  CHECK(verdict.ranks == std::vector<std::int64_t>{2});
  CHECK(verdict.title == "Rank 2 has not reached all_reduce #11");
  CHECK(holds(verdict.message, "Ranks 0, 1 and 3 are in all_reduce #11 (started)"));
  CHECK(holds(verdict.message, "The trace of rank 2 ends with all_gather #10 of group "));
  CHECK(holds(verdict.message, "step (/home/me/train.py:40)") == has_code);
}

}  // namespace

TEST_CASE("a rank that never came is named, with where it was") {
  const TempFolder folder;
  for (const std::string form : kForms) {
    CAPTURE(form);
    const Replayed run = replayed(dumpsOf(folder, "missing", form));
    checkMissing(run, form != "json");
    CHECK(run.note.empty());
    CHECK_FALSE(run.is_damaged);
    CHECK(run.state.status == JobStatus::Unknown);
  }
}

TEST_CASE("dumps as PyTorch's own pickler writes them are read") {
  // Made by torch::jit::Pickler of libtorch 1.13, with which Flight Recorder writes, from dicts and lists of a dump.
  const Replayed run = replayed(test::sourceDir() + "/tests/core/traces/torch_pickler");
  const Verdict verdict = mainVerdict(run.state);
  CHECK(verdict.title == "Rank 2 has not reached all_reduce #11");
  CHECK(holds(verdict.message, "The trace of rank 2 ends with all_reduce #10 (completed), called at step (/home/me/"));
  CHECK(run.note.empty());
  CHECK_FALSE(run.is_damaged);
}

TEST_CASE("the state of a job is that of its dumps") {
  const TempFolder folder;
  const Replayed run = replayed(dumpsOf(folder, "missing", "pickle5"));
  REQUIRE(run.state.ranks.size() == 4);
  const RankState& waiting = run.state.ranks[0];
  CHECK(waiting.status == RankStatus::InCollective);
  REQUIRE(waiting.operation);
  CHECK(waiting.operation->op == SL_OP_ALLREDUCE);
  CHECK(waiting.operation->seq == 11);
  CHECK(waiting.collectives == 20);
  CHECK_FALSE(run.state.ranks[2].operation);
  REQUIRE(run.state.groups.size() == 2);
  CHECK(*run.state.groups[0].members == std::vector<std::int64_t>{0, 1});
  CHECK(*run.state.groups[1].members == std::vector<std::int64_t>{2, 3});
  CHECK_FALSE(run.state.hasSteps());
  CHECK(run.state.clock_error_us);
  CHECK_FALSE(run.state.recent.lanes[0].spans.empty());
}

TEST_CASE("a healthy job has no verdict") {
  const TempFolder folder;
  for (const std::string form : kForms) {
    CAPTURE(form);
    CHECK(replayed(dumpsOf(folder, "healthy", form)).state.verdicts.empty());
  }
}

TEST_CASE("ranks that give different sizes are named") {
  const TempFolder folder;
  for (const std::string form : {"json", "pickle4"}) {
    const Verdict verdict = mainVerdict(replayed(dumpsOf(folder, "sizes", form)).state);
    CHECK(verdict.kind == VerdictKind::Mismatch);
    CHECK(verdict.ranks == std::vector<std::int64_t>{1});
    CHECK(holds(verdict.title, "different sizes to all_reduce #11"));
    CHECK(holds(verdict.message, "Rank 1: 2\u202f048 bytes"));
  }
}

TEST_CASE("ranks in different collectives are named") {
  const TempFolder folder;
  for (const std::string form : {"json", "pickle4"}) {
    const Verdict verdict = mainVerdict(replayed(dumpsOf(folder, "order", form)).state);
    CHECK(verdict.kind == VerdictKind::Mismatch);
    CHECK(verdict.ranks == std::vector<std::int64_t>{1});
    CHECK(holds(verdict.message, "ranks 0, 2 and 3 are in all_reduce and rank 1 in broadcast"));
    CHECK(holds(verdict.message, "Rank 1 is in broadcast #11 (started)"));
    CHECK(holds(verdict.message, "train.py:34") == (form != "json"));
  }
}

TEST_CASE("what was overwritten accuses nobody, and what is newer still does") {
  const TempFolder folder;
  const Replayed run = replayed(dumpsOf(folder, "wrapped", "pickle2", "4 40"));
  CHECK(mainVerdict(run.state).title == "Rank 2 has not reached all_reduce #41");
  CHECK(holds(run.note, "Older operations of ranks 0 to 3 were overwritten"));
  CHECK_FALSE(run.is_damaged);
  CHECK(run.state.verdicts.size() == 1);
}

TEST_CASE("a rank without a dump is where to look, and is not blamed") {
  const TempFolder folder;
  const Replayed run = replayed(dumpsOf(folder, "silent", "pickle2"));
  const Verdict verdict = mainVerdict(run.state);
  CHECK(verdict.kind == VerdictKind::Stalled);
  CHECK(verdict.title == "Every rank with a trace waits in all_reduce #11");
  CHECK(holds(verdict.message, "Rank 2 left no trace, so it is not known whether it got there."));
  CHECK(verdict.confidence == 0);
  CHECK(holds(run.note, "rank 2 left no trace"));
  CHECK_FALSE(run.state.ranks[2].is_measured);
}

TEST_CASE("older versions of the format are read") {
  const TempFolder folder;
  for (const std::string name : {"old", "oldest"}) {
    CAPTURE(name);
    for (const std::string form : {"json", "pickle2"}) {
      CAPTURE(form);
      const Replayed run = replayed(dumpsOf(folder, name, form));
      CHECK(mainVerdict(run.state).title == "Rank 2 has not reached all_reduce #11");
      CHECK(holds(run.note, "no times") == (name == "oldest"));
    }
  }
}

TEST_CASE("a message that was never sent is waited for") {
  const TempFolder folder;
  const Verdict verdict = mainVerdict(replayed(dumpsOf(folder, "pairs", "pickle4")).state);
  CHECK(verdict.kind == VerdictKind::Stalled);
  CHECK(verdict.ranks == std::vector<std::int64_t>{0});
  CHECK(holds(verdict.title, "Rank 0 has not reached recv from rank 0 #1"));
}

TEST_CASE("operations that were launched together have the state of their launch") {
  const TempFolder folder;
  CHECK(replayed(dumpsOf(folder, "coalesced", "pickle4")).state.verdicts.empty());
}

TEST_CASE("where all have come, no rank is blamed") {
  const TempFolder folder;
  const Verdict verdict = mainVerdict(replayed(dumpsOf(folder, "stuck", "pickle4")).state);
  CHECK(verdict.kind == VerdictKind::Stalled);
  CHECK(verdict.ranks.empty());
  CHECK(holds(verdict.title, "All ranks have reached all_reduce #11"));
  CHECK(holds(verdict.message, "Rank 1 is in all_reduce #11 (scheduled)"));
}

TEST_CASE("a clock that is wrong is found out from the operations") {
  const TempFolder folder;
  const Replayed run = replayed(dumpsOf(folder, "clocks", "pickle4"));
  CHECK(run.state.verdicts.empty());
  REQUIRE(run.state.clock_error_us);
  CHECK(*run.state.clock_error_us < 1e6);
  CHECK(run.state.elapsed_ns < 10'000'000'000);
}

TEST_CASE("a file that was cut is read as far as it goes, and its rank is not blamed") {
  const TempFolder folder;
  for (const std::string form : {"json", "pickle2", "pickle5"}) {
    CAPTURE(form);
    const auto place = dumpsOf(folder, "healthy", form);
    const auto file = place / "nccl_trace_rank_2";
    const std::string bytes = slurp(file);
    for (const std::size_t size : {bytes.size() - 3, bytes.size() / 2, bytes.size() / 3}) {
      spill(file, bytes.substr(0, size));
      const Replayed run = replayed(place);
      CHECK(run.is_damaged);
      CHECK(holds(run.note, "nccl_trace_rank_2"));
      CHECK(holds(run.note, "byte "));
      for (const Verdict& verdict : run.state.verdicts) CHECK(verdict.kind == VerdictKind::Lost);
    }
  }
}

TEST_CASE("files that are no dumps are left alone, and a folder without any is refused with what to do") {
  const TempFolder folder;
  const auto place = dumpsOf(folder, "missing", "pickle2");
  spill(place / "README.md", "# notes\n");
  spill(place / "train.log", "step 1\n");
  checkMissing(replayed(place), true);
  spill(place / "core.7",
        "\x80\x04"
        "cos\nsystem\n(X\x02\0\0\0idtR.");
  const Replayed run = replayed(place);
  checkMissing(run, true);
  CHECK(holds(run.note, "core.7 was read up to byte 2 only. The pickle names os.system"));
  const TempFolder bad;
  spill(bad / "trace_0", "\x80\x02}q\0X\x07\0\0\0entriescos\nsystem\nq\x01X\x02\0\0\0id\x85R.");
  const auto refused = RunReplay::open(bad.path());
  REQUIRE_FALSE(refused);
  CHECK(holds(refused.error().text(), "nccl_trace_rank_0"));
}

TEST_CASE("a dump can be watched from its beginning") {
  const TempFolder folder;
  auto replay = RunReplay::open(dumpsOf(folder, "missing", "pickle4"));
  REQUIRE(replay);
  while (replay->advance(30'000'000, {})) {
  }
  CHECK(replay->state().verdicts.empty());
  CHECK_FALSE(replay->ended());
  CHECK(replay->now() <= 30'000'000);
  replay->toEnd();
  CHECK(replay->ended());
  CHECK(replay->state().verdicts.size() == 1);
}
