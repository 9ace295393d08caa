// SPDX-License-Identifier: Apache-2.0
#include "core/collect/recording_facts.h"

#include "core/collect/run_replay.h"

#include <algorithm>
#include <system_error>

namespace shardlens {
namespace fs = std::filesystem;

Result<RecordingFacts> readRecordingFacts(const fs::path& path, const Work& work) {
  auto replay = RunReplay::open(path);
  if (!replay) return replay.error();
  while (!work.stopped() && replay->advance(-1, work)) {
  }
  if (work.stopped()) return cancelled();
  RecordingFacts facts;
  facts.is_damaged = replay->isDamaged();
  if (!replay->begun()) return facts;
  const RunState state = replay->state();
  facts.name = state.name;
  facts.command = state.command.text();
  if (const std::int64_t started = replay->facts()->started_unix_ns; started > 0) facts.started_unix_ns = started;
  facts.elapsed_ns = state.elapsed_ns;
  facts.ranks = state.world_size;
  if (replay->ended()) {
    facts.outcome = state.status;
    facts.failure = state.failure;
  } else if (replay->isBeingWritten()) {
    facts.outcome = JobStatus::Running;
  }
  if (!state.verdicts.empty()) facts.verdict = state.verdicts.front().title;
  if (replay->facts()->planned_batches > 0) facts.planned = replay->facts()->planned_batches;
  for (const RankState& rank : state.ranks) {
    facts.matched += rank.matched;
    facts.mismatched += rank.mismatched;
  }
  return facts;
}

std::string recordingStamp(const fs::path& path) {
  std::error_code error;
  std::uintmax_t bytes = 0;
  fs::file_time_type newest = fs::file_time_type::min();
  const auto add = [&](const fs::path& file) {
    bytes += fs::file_size(file, error);
    newest = std::max(newest, fs::last_write_time(file, error));
  };
  if (fs::is_directory(path, error)) {
    for (const fs::directory_entry& entry : fs::directory_iterator(path, error)) {
      if (entry.is_regular_file(error)) add(entry.path());
    }
  } else {
    add(path);
  }
  return std::to_string(bytes) + "-" + std::to_string(newest.time_since_epoch().count());
}

}  // namespace shardlens
