// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collect/event_source.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace shardlens {

/// What processes of a job say about where their code is: `<folder of the rings>/stacks/<rank>-<pid>.json`, a file for
/// each process that has reported nothing for a while, replaced as a whole whenever that changes, and removed, or left
/// without calls, when it is over. The JSON is that of the message in the recording (resources/doc/run-file.md).
class StackFiles {
 public:
  explicit StackFiles(const std::filesystem::path& job_dir) : folder_(job_dir / "stacks") {}
  /// Delivers a RankStack for each file that is new or was replaced since the last call, and one without calls for each
  /// that is gone. Others' files, and what is no stack, are passed over.
  void look(EventSink& sink);

 private:
  struct Seen {
    std::filesystem::file_time_type written;
    std::optional<RankStack> stack;  ///< without its calls; nothing: the file held none
    bool is_there = true;
  };
  void read(const std::filesystem::path& path, std::int64_t rank, Seen& seen, EventSink& sink) const;

  std::filesystem::path folder_;
  std::map<std::string, Seen> seen_;
};

}  // namespace shardlens
