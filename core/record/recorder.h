// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/process.h"
#include "core/record/event.h"

#include <cstdint>
#include <optional>
#include <string>

namespace shardlens {

/// The process that writes a segment of a recording, with its host and clock. Every segment begins with it.
struct Recorder {
  std::string host;           ///< name, for people
  std::string boot;           ///< id of the host's boot: processes with the same id share CLOCK_MONOTONIC
  std::string pid_namespace;  ///< in which pid counts
  std::int64_t pid = 0;
  std::int64_t start_time = 0;  ///< clock ticks since boot: a pid alone may be used again
  std::int64_t time_ns = 0;     ///< CLOCK_MONOTONIC when the segment began
  std::int64_t unix_ns = 0;     ///< the wall clock at that moment

  bool operator==(const Recorder&) const = default;
};

/// This process, now.
Recorder thisRecorder();

/// The beginning of a job on this host, now: its host, cores and time are filled in.
RunBegin beginHere();

/// The recorder's process in terms of this process; nothing when it is on another host or in another PID namespace.
std::optional<ProcessId> reachable(const Recorder& recorder);

/// What the operating system says about a recorder; nothing about one that is not reachable().
enum class Liveness : std::uint8_t { Alive, Gone, NotKnown };
Liveness livenessOf(const Recorder& recorder);

}  // namespace shardlens
