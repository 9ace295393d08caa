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

/// What the processes of a start said of their ends.
struct StartEnds {
  std::map<std::int64_t, int> code_of;  ///< by pid, of those that called exit()
  std::int64_t unsaid = 0;              ///< processes that did not
};

/// The events of one start of ranks on this host, which somebody else started: records and slots of their rings, what
/// the operating system says of their processes, and a Tick about ten times a second. It ends when none of their
/// processes lives, and takes their folder away.
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

/// Takes the folder of a start away that cannot be recorded. Its processes go on.
void giveUpStart(const std::filesystem::path& start);
/// The oldest living process of a start, as a command line; empty when none tells.
std::vector<std::string> commandOfStart(const std::filesystem::path& start);

}  // namespace shardlens
