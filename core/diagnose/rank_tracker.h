// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/run_state.h"
#include "core/diagnose/statistics.h"
#include "core/record/event.h"
#include "core/timeline/timeline.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace shardlens {

/// What the reducer remembers of one rank beside its public state.
class RankTracker {
 public:
  RankTracker(std::int64_t rank, std::size_t most_spans);

  /// A record that is not about batches' fingerprints or collectives across ranks: those the reducer joins itself.
  void record(const sl_record& record);
  void slot(const sl_slot& slot);
  void process(const RankProcess& process, std::int64_t time_ns, bool others_sent_away);
  /// The launcher said who died first: this rank by `signal`, or, when that is 0, another one.
  void blame(int signal);
  void addSpan(const Span& span);
  /// Forgets spans that ended before this moment.
  void trim(std::int64_t before_ns);

  /// The public state at `now`; `begin` is the run's first moment.
  [[nodiscard]] RankState at(std::int64_t now_ns, std::int64_t begin_ns) const;
  /// The recent spans, and one for what it is doing now.
  [[nodiscard]] Lane lane(std::int64_t now_ns, std::int64_t begin_ns) const;

  RankState state;      ///< status and times of the host's clock; at() makes the public one
  bool worked = false;  ///< loaded or computed since its last collective
  bool said_bye = false;
  bool ran_out = false;  ///< its epoch ended, the next one did not begin
  std::int64_t bye_code = 0;
  std::int64_t gone_ns = -1;     ///< when its process was seen to be gone
  bool died = false;             ///< gone of its own accord, without a good-bye
  int signal = 0;                ///< that ended it, as the launcher says; 0 = not known
  std::uint64_t collective = 0;  ///< the sequence number it is in, or the next one when it is in none
  bool in_collective = false;
  std::int64_t steps_in_epoch = 0;  ///< done in the running epoch
  RecentValues load_ms{200};
  RecentValues compute_ms{200};

 private:
  void begin(RankStatus status, std::int64_t time_ns);
  void phaseBegin(const sl_record& record);
  void phaseEnd(const sl_record& record);

  std::size_t most_spans_;
  std::int64_t heard_ns_ = -1;  ///< time of the last record
  bool stopped_ = false;        ///< by a signal
  std::int64_t stopped_ns_ = 0;
  RateWindow rate_;
  std::deque<Span> spans_;
};

}  // namespace shardlens
