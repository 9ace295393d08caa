// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/operation.h"
#include "core/diagnose/planned_epochs.h"
#include "core/diagnose/run_state.h"
#include "core/record/event.h"
#include "core/timeline/timeline.h"

#include <cstdint>
#include <functional>
#include <memory>

namespace shardlens {

struct Collective;

/// Called once for each span of a rank when it is final. Spans of one rank come in the order of their ends, nearly.
using SpanSink = std::function<void(std::int64_t rank, const Span& span)>;

/// Called once for each batch of the run that could be compared with the plan, in the order of the events.
struct BatchCheck {
  std::int64_t rank = 0, epoch = 0, step = 0;
  bool matches = false;  ///< it is the planned one
  bool is_anew = false;  ///< what was called before for this rank is of a loader that is not the designed one
};
using BatchSink = std::function<void(const BatchCheck& check)>;

/// Called once for each operation that all of its members have left, where their times can be compared.
using CollectiveSink = std::function<void(const Collective& collective)>;

/// Turns the events of a run into its state: the only place that judges a job's condition, live and replayed.
/// Depends only on the events: no clock, no file. Memory is bounded by the world size, not by the run's length.
class Reducer {
 public:
  explicit Reducer(ExpectedBatch expected = {}, SpanSink on_span = {}, BatchSink on_batch = {},
                   CollectiveSink on_collective = {});
  ~Reducer();
  Reducer(Reducer&&) noexcept;
  Reducer& operator=(Reducer&&) noexcept;

  /// Before the first event: these are of a trace that another tool wrote, and how that ends.
  void setTrace(std::shared_ptr<const TraceEnd> end);
  void apply(const Event& event);
  /// The state at the time of the latest event. Costs a few microseconds per rank plus the copy of the recent timeline.
  [[nodiscard]] RunState snapshot() const;
  /// Nanoseconds of the latest event since the run began.
  [[nodiscard]] std::int64_t now() const;
  /// 0 while it is not known: then the first SL_HELLO says it.
  [[nodiscard]] std::int64_t worldSize() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace shardlens
