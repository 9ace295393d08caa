// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/deaths.h"
#include "core/diagnose/operation.h"
#include "core/diagnose/run_state.h"
#include "core/diagnose/statistics.h"
#include "core/record/event.h"
#include "core/timeline/timeline.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace shardlens {

/// What the reducer remembers of one rank in addition to its public state: what it is in, and for how long. A rank is
/// in one thing at a time: in a phase, otherwise in the operation that has been open longest, otherwise between.
class RankTracker {
 public:
  RankTracker(std::int64_t rank, std::size_t most_spans);

  /// Ignores records about groups and fingerprints of batches: they do not say what the rank is in.
  void record(const sl_record& record);
  void slot(const sl_slot& slot);
  void process(const RankProcess& process, std::int64_t time_ns);
  void addSpan(const Span& span);
  /// Forgets spans that ended before this moment.
  void trim(std::int64_t before_ns);

  /// The public state at `now`; `begin` is the run's first moment.
  [[nodiscard]] RankState at(std::int64_t now_ns, std::int64_t begin_ns, const Ending& ending) const;
  /// The recent spans, and one for what it is doing now.
  [[nodiscard]] Lane lane(std::int64_t now_ns, std::int64_t begin_ns, const Ending& ending) const;

  /// Its operations, the one that has been open longest first.
  [[nodiscard]] const std::vector<Operation>& operations() const { return operations_; }
  /// Whether it only waits for its oldest operation.
  [[nodiscard]] bool isBlocked() const { return phase_ == RankStatus::Between && !operations_.empty() && !stopped_; }
  [[nodiscard]] bool isStopped() const { return stopped_; }
  [[nodiscard]] std::int64_t stoppedSince() const { return stopped_ns_; }  ///< means something while it is
  /// Since when the operation that ended last was the only thing that the rank was in.
  [[nodiscard]] std::int64_t waitsFrom() const { return waits_from_ns_; }

  RankState state;                  ///< counts and totals; at() adds what depends on the moment
  bool worked = false;              ///< loaded or computed since its last operation
  bool ran_out = false;             ///< its epoch ended, the next one did not begin
  std::int64_t steps_in_epoch = 0;  ///< done in the running epoch
  RecentValues load_ms{200};
  RecentValues compute_ms{200};

 private:
  void beginBetween(std::int64_t time_ns);
  void phaseBegin(const sl_record& record);
  void phaseEnd(const sl_record& record);
  void enter(const sl_record& record);
  void leave(const sl_record& record);
  [[nodiscard]] RankStatus status(const Ending& ending) const;
  [[nodiscard]] std::int64_t since(RankStatus status, const Ending& ending) const;

  std::size_t most_spans_;
  std::int64_t heard_ns_ = -1;              ///< time of the last record
  RankStatus phase_ = RankStatus::Between;  ///< Loading, Computing, or neither
  std::int64_t free_ns_ = 0;                ///< when the last phase or the then oldest operation ended
  std::int64_t phase_ns_ = 0;               ///< when the phase began
  std::vector<Operation> operations_;       ///< open ones, in the order of their beginning
  std::int64_t waits_from_ns_ = -1;
  bool stopped_ = false;  ///< by a signal
  std::int64_t stopped_ns_ = 0;
  RateWindow rate_;
  std::deque<Span> spans_;
};

}  // namespace shardlens
