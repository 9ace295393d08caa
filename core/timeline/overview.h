// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/timeline/timeline.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace shardlens {

/// One step of a run over all of its ranks; several in a row when a run has more steps than are kept.
struct StepTime {
  std::int32_t epoch = 0;  ///< of the first of them
  std::int32_t step = 0;
  std::int64_t steps = 1;       ///< how many these figures are about
  std::int64_t begin_ns = 0;    ///< of the first one, on the rank that began first
  std::int64_t slowest_ns = 0;  ///< when the rank that took longest began its step
  std::int64_t longest_ns = 0;  ///< what that rank took
  std::int64_t compute_ns = 0;  ///< of this a rank computed, on average
  std::int64_t usual_ns = 0;    ///< longest_ns of each of the steps, on average
};

/// A whole run in bounded memory, however long it was. An immutable value.
struct Overview {
  /// Every measured span from the run's first record on. Spans shorter than `resolution_ns` are summed up: one span
  /// takes their place, of the phase that took most of that time. 0: all are as they were measured.
  Timeline lanes;
  std::int64_t resolution_ns = 0;
  std::vector<StepTime> steps;        ///< by time
  std::int64_t usual_longest_ns = 0;  ///< the 99th percentile of StepTime::longest_ns
};

/// Collects the spans of a run. For one thread.
class OverviewBuilder {
 public:
  static constexpr std::size_t kMostSpans = 200'000;  ///< over all ranks
  static constexpr std::size_t kMostSteps = 32'768;

  explicit OverviewBuilder(std::int64_t ranks = 0, std::size_t most_spans = kMostSpans,
                           std::size_t most_steps = kMostSteps);

  /// Spans of one rank come in the order of their ends, nearly. Those of other ranks are ignored.
  void add(std::int64_t rank, const Span& span);
  [[nodiscard]] Overview overview() const;
  /// The end of the last span.
  [[nodiscard]] std::int64_t end() const { return end_ns_; }

 private:
  using Key = std::pair<std::int32_t, std::int32_t>;  ///< epoch and step
  struct Kept {
    StepTime time;
    Key last;                      ///< of the steps that it is about
    std::int64_t longest_sum = 0;  ///< of the longest_ns of its steps, where there are several
    std::int64_t compute_sum = 0;
    std::int64_t counted = 0;  ///< steps of ranks that are in the sum
  };
  /// A step that one rank is in, or has just left.
  struct Open {
    std::int32_t epoch = -1;
    std::int32_t step = -1;
    std::int64_t begin_ns = 0;
    std::int64_t end_ns = 0;
    std::int64_t compute_ns = 0;
  };
  static constexpr std::size_t kOpen = 3;  ///< a collective is over when the last rank has left, perhaps a step later
  using OpenSteps = std::array<Open, kOpen>;

  void addStep(OpenSteps& open, const Span& span);
  static void close(std::vector<Kept>& kept, const Open& open);
  static std::int64_t longestOfAll(const Kept& one);
  void halveSteps();
  void coarsen();

  std::size_t most_spans_;
  std::size_t coarsen_at_;
  std::size_t most_steps_;
  std::vector<Lane> lanes_;
  std::vector<OpenSteps> open_;  ///< of each rank, the newest one first
  std::vector<Kept> kept_;       ///< by epoch and step
  std::size_t spans_ = 0;
  std::int64_t resolution_ns_ = 0;
  std::int64_t end_ns_ = 0;
};

}  // namespace shardlens
