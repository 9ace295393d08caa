// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <utility>

namespace shardlens {

/// Where the starts of ranks of one `shardlens env` are recorded: the first in the folder that it made, each further
/// one in a folder of its own beside it. Agents of several hosts agree on that by files in these folders, which all of
/// them see: `start`, with the world of the start, and `<host>.agent`, which is `<host>.done` once that agent has
/// ended.

/// "runs/job-20261123-101500-2/run.slrun" is the second of "runs/job-20261123-101500/run.slrun", and "x-2.slrun" that
/// of "x.slrun".
std::filesystem::path recordingOfStart(const std::filesystem::path& first, int number);

/// Where the start after that of this recording is recorded, whatever its number.
std::filesystem::path recordingOfNextStart(const std::filesystem::path& recording);

/// The folder for the segment of this host: the first one that is of this world, that no agent of this host has had,
/// and in which none has ended; made where there is none. `world` 0: not known. Environment when it cannot be made.
Result<std::filesystem::path> takeRecording(const std::filesystem::path& first, std::uint64_t world,
                                            const std::string& host);
/// This host's agent has ended.
void leaveRecording(const std::filesystem::path& recording, const std::string& host);

/// Leaves a word where `shardlens watch` waits, that a start of this host is not recorded, and why; where even that
/// cannot be written, nothing.
void sayNotRecorded(const std::filesystem::path& first, const std::string& host, const std::string& why);

/// A later start of it is recorded.
void takeBackWord(const std::filesystem::path& first, const std::string& host);

/// What probes of a later start wrote into the folder of the first one, the only one that they know: it belongs into
/// the recording of theirs.
class StrayProbeFiles {
 public:
  StrayProbeFiles(std::filesystem::path first, std::filesystem::path recording, std::filesystem::path start)
      : first_(std::move(first)), recording_(std::move(recording)), start_(std::move(start)) {}

  /// Remembers which files they are, while the folder of the start is there: processes of other hosts may have the same
  /// names and numbers.
  void note();
  /// Moves what is there; their processes write on.
  void bringHome();

 private:
  std::filesystem::path first_;
  std::filesystem::path recording_;
  std::filesystem::path start_;
  std::set<std::string> names_;
};

}  // namespace shardlens
