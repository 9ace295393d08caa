// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/record/event.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace shardlens {

/// What a recording says of its run, for a list of runs. What is empty is not known: nothing is guessed.
struct RecordingFacts {
  std::string name;     ///< of the spec
  std::string command;  ///< as a person would type it
  std::optional<std::int64_t> started_unix_ns;
  std::optional<std::int64_t> elapsed_ns;  ///< from the first record to the last one
  std::optional<std::int64_t> ranks;
  std::optional<JobStatus> outcome;     ///< Running while it is being written; nothing when it has no end
  std::string failure;                  ///< one sentence; of a failed run
  std::string verdict;                  ///< the title of the first one; empty when there is none
  std::optional<std::int64_t> planned;  ///< batches of the plan; nothing when there is no plan to compare with
  std::int64_t matched = 0;             ///< batches that are the planned ones
  std::int64_t mismatched = 0;
  bool is_damaged = false;  ///< parts could not be read: the figures are of the rest

  bool operator==(const RecordingFacts&) const = default;
};

/// Reads all of a recording. The Error of opening it; Cancelled when it was stopped.
Result<RecordingFacts> readRecordingFacts(const std::filesystem::path& path, const Work& work = {});

/// Something that is another one when a recording was written to since: its size and when it was changed last.
std::string recordingStamp(const std::filesystem::path& path);

}  // namespace shardlens
