// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/record/event.h"

#include <chrono>
#include <cstdint>
#include <span>

namespace shardlens {

/// Now, on the clock of this host's events.
std::int64_t eventTime();

/// Takes the events of one run, in their order.
class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual void event(const Event& event) = 0;
  /// Records of one rank, in their order; each is an event unless the sink can do better.
  virtual void records(std::int64_t rank, std::span<const sl_record> records);
};

/// Where the events of one run come from: the rings of a job, or a recording.
class EventSource {
 public:
  virtual ~EventSource() = default;
  /// Delivers what has arrived since the last call; may wait a few milliseconds for it. Returns false when there is no
  /// more: for a recording until it grows again, for a job permanently.
  virtual bool pull(EventSink& sink) = 0;
};

/// The loop around a run, live and replayed: until the source has no more.
void drive(EventSource& source, EventSink& sink);

/// How often the rings of running ranks are emptied, and how often their slots and processes are looked at.
constexpr std::chrono::milliseconds kDrainEvery{20};
constexpr std::chrono::milliseconds kLookEvery{100};

}  // namespace shardlens
