// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collect/event_source.h"
#include "core/collect/ring_set.h"
#include "core/collect/stack_files.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace shardlens {

/// How the processes of a start reported their ends.
struct StartEnds {
  std::map<std::int64_t, int> code_of;  ///< by pid, of those that called exit()
  std::int64_t unsaid = 0;              ///< processes that did not
};

/// The events of ranks on this host that others started: records and slots of their rings, the state of their processes
/// from the operating system, and a Tick about ten times a second. It ends when none of their processes lives, and
/// removes their folder.
class NodeSource : public EventSource {
 public:
  /// `start` is the folder of the start (core/wire/node_file.h).
  explicit NodeSource(std::filesystem::path start);

  bool pull(EventSink& sink) override;
  /// Known once it has ended.
  [[nodiscard]] const StartEnds& ends() const { return ends_; }

 private:
  using Clock = std::chrono::steady_clock;

  void wait();
  void look(EventSink& sink);
  bool end(EventSink& sink);

  std::filesystem::path start_;
  RingSet rings_;
  StackFiles stacks_;
  StartEnds ends_;
  Clock::time_point next_look_ = Clock::now();
};

/// Removes the folder of a start that cannot be recorded. Its processes continue.
void giveUpStart(const std::filesystem::path& start);
/// The command line of the oldest living process of a start; empty when none can be read.
std::vector<std::string> commandOfStart(const std::filesystem::path& start);

}  // namespace shardlens
