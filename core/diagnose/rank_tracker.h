// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/deaths.h"
#include "core/diagnose/operation.h"
#include "core/diagnose/run_state.h"
#include "core/diagnose/statistics.h"
#include "core/record/event.h"
#include "core/timeline/timeline.h"
#include "core/wire/record.h"

#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace shardlens {

/// Four years of a monotonic clock: a longer time is damage, and would overflow sums.
constexpr std::int64_t kLatestNs = std::int64_t{1} << 57;

/// How the times of one event become times of the reference clock.
struct EventClock {
  std::uint32_t number = 0;   ///< 0 = its times can be compared with the reference's; otherwise only with each other
  std::int64_t shift_ns = 0;  ///< to add

  /// False, and nothing is changed, when the time is not credible.
  [[nodiscard]] bool bring(std::uint64_t& time_ns) const;
};

/// The clocks of a run's events: clock 0 is the reference, and others are as far from it as a RunClock says. A clock
/// whose offset is not known is set so that its first event comes now: good enough to show, never to compare.
class ClockTable {
 public:
  void learn(const RunClock& clock);
  /// The clock of an event; `now_ns` is the latest time of the reference so far.
  EventClock at(std::uint32_t clock, std::int64_t time_ns, std::int64_t now_ns);
  /// The largest error of a difference between two ranks' times. Nothing: the offset of a clock is not known.
  [[nodiscard]] std::optional<double> errorUs() const;

 private:
  struct Clock {
    std::int64_t shift_ns = 0;
    std::int64_t error_ns = 0;
    bool is_known = false;
    bool is_used = false;
  };
  std::map<std::uint32_t, Clock> clocks_;  ///< without the reference
};

/// Holds what a rank's loaders drew against the plan, each loader by itself. A job may read several loaders of the
/// designed size, one after the other or in turns, and the design is about one of them: the one that does not differ,
/// as far as that is known by now.
class DrawnTally {
 public:
  /// A batch that a loader drew in this pass, for this epoch and step of the design.
  struct Batch {
    std::int64_t loader = 0, pass = 0, epoch = 0, step = 0;
    bool matches = false;
  };
  /// Of the loader that is taken for the designed one. An epoch that was read several times counts once, by the longest
  /// of those passes.
  struct Counts {
    std::int64_t loader = -1;  ///< none yet
    std::int64_t matched = 0;
    std::int64_t mismatched = 0;
    std::optional<std::pair<std::int64_t, std::int64_t>> first_difference = {};  ///< epoch and step
    bool operator==(const Counts&) const = default;
  };

  void add(const Batch& batch);
  [[nodiscard]] Counts counts() const;

 private:
  struct Pass {
    std::int64_t number = -1, matched = 0, mismatched = 0;
    [[nodiscard]] std::int64_t batches() const { return matched + mismatched; }
  };
  /// The passes of an epoch: the latest, and the longest.
  struct Passes {
    Pass latest, longest;
  };
  struct Loader {
    std::int64_t number = 0;
    std::int64_t began = 0, drew = 0;  ///< its first and its latest batch among those of the rank
    std::map<std::int64_t, Passes> epochs = {};
    Counts counts = {};
  };
  Loader& loaderOf(std::int64_t number);
  [[nodiscard]] const Loader& chosen() const;

  std::int64_t batches_ = 0;
  std::list<Loader> loaders_;  ///< the one that drew last in front; never empty after the first batch
};

/// The numbers of one rank's operations. A rank counts its operations of one kind in one group from 0: a number that is
/// left out was recorded once, and its neighbours with it.
class OperationNumbers {
 public:
  /// Takes a COLL_ENTER; whether a number before it was left out. Sends and recvs count by their other side, and tell
  /// nothing.
  bool leavesOut(const sl_record& enter);

 private:
  std::map<std::pair<std::uint32_t, std::uint16_t>, std::uint64_t> next_;  ///< by group and operation
};

/// How many recent spans to keep of each of so many ranks.
std::size_t spansKept(std::int64_t ranks);

/// Samples of a rank's code, and the time in which they were taken: it reported nothing, and did not wait for others.
struct QuietTime {
  Interval time;
  QuietSamples seen;
};

/// What the reducer remembers of one rank in addition to its public state: what it is in, and for how long. A rank is
/// in one thing at a time: in a phase, otherwise in the operation that has been open longest, otherwise between.
class RankTracker {
 public:
  RankTracker(std::int64_t rank, std::size_t most_spans);

  /// Ignores records about groups and fingerprints of batches: they do not say what the rank is in.
  void record(const sl_record& record);
  void slot(const sl_slot& slot);
  void process(const RankProcess& process, std::int64_t time_ns);
  /// Where its code was at `time_ns`, on the clock of records; kept until it reports something. That of a loader worker
  /// is kept until it is replaced; without frames it is withdrawn.
  void stack(RankStack stack, std::int64_t time_ns, std::int64_t begin_ns);
  /// Records of this rank may be missing before what comes next: whether it still is in what it was in, is not known.
  void lose(std::int64_t now_ns);
  void addSpan(const Span& span);
  /// Forgets spans that ended before this moment.
  void trim(std::int64_t before_ns);

  /// The public state at `now`; `begin` is the run's first moment.
  [[nodiscard]] RankState at(std::int64_t now_ns, std::int64_t begin_ns, const Ending& ending) const;
  /// The recent spans that are over.
  [[nodiscard]] Lane lane(std::int64_t begin_ns) const;
  /// What the rank is in and since when, up to `now` or until it ended; nothing when that is nothing we measure. Of one
  /// that ended while it computed, it is not known until when it did.
  struct Open {
    RankStatus doing = RankStatus::Between;  ///< Loading, Computing or InCollective
    Interval time;
  };
  [[nodiscard]] std::optional<Open> open(std::int64_t now_ns, const Ending& ending) const;

  /// Its operations, the one that has been open longest first.
  [[nodiscard]] const std::vector<Operation>& operations() const { return operations_; }
  /// Whether it did some work of its own since it came to or left a collective of this group, up to this moment: in a
  /// phase, or in nothing that is measured.
  [[nodiscard]] bool wasBusy(std::uint32_t group, std::int64_t time_ns) const;
  /// Whether it only waits for its oldest operation.
  [[nodiscard]] bool isBlocked() const { return phase_ == RankStatus::Between && !operations_.empty() && !stopped_; }
  /// Whether it computes while its oldest operation is on a device: as far as is known, its host may wait for that.
  [[nodiscard]] bool mayWaitForDevice() const {
    return phase_ == RankStatus::Computing && !operations_.empty() && operations_.front().isOnDevice() && !stopped_;
  }
  [[nodiscard]] bool isLoading() const { return phase_ == RankStatus::Loading; }
  [[nodiscard]] std::int64_t heardNs() const { return heard_ns_; }  ///< when it reported something last; -1: never
  [[nodiscard]] bool isStopped() const { return stopped_; }
  /// The times of most samples in which it reported nothing, a few, the one that began first first.
  [[nodiscard]] const std::vector<QuietTime>& quiet() const { return quiet_; }
  /// Its slot has said something that no record has said yet.
  [[nodiscard]] bool isSlotAhead() const { return is_slot_ahead_; }
  [[nodiscard]] std::int64_t stoppedSince() const { return stopped_ns_; }  ///< means something while it is
  /// When the operation that ended last was the only thing that the rank was in: in order, and apart.
  [[nodiscard]] std::span<const Interval> alone() const { return alone_; }

  bool counts_each_kind = true;      ///< its operations of one kind are numbered without a gap
  RankState state;                   ///< counts and totals; at() adds what depends on the moment
  bool says_bye = false;             ///< its program cannot end well without saying good-bye
  bool worked = false;               ///< loaded or computed since it came to its last operation, or left it
  bool ran_out = false;              ///< its epoch ended, the next one did not begin
  bool uses_device = false;          ///< operations on a device were seen
  bool is_between_steps = false;     ///< its last step is over, and it did not begin to load for another
  std::int64_t started_ns = -1;      ///< when it began to load or compute for the first time; -1: it has not
  std::int64_t steps_in_epoch = 0;   ///< done in the epoch that began last
  std::int64_t epoch_of_steps = 0;   ///< which one that is: after it, the rank may be in what is of no epoch
  DrawnTally drawn;                  ///< what its loaders drew, against the plan
  std::int64_t checked_loader = -1;  ///< of the last BatchCheck among them
  RecentValues load_ms{200};         ///< of a step each, in one piece or in several
  RecentValues compute_ms{200};

 private:
  /// A stretch that the rank spent in the oldest of its operations alone, while that is open.
  struct Alone {
    std::uint32_t handle = 0;
    Interval time;
  };
  struct Place {
    std::uint32_t epoch = 0, step = 0;
    bool operator==(const Place&) const = default;
  };

  void hear(std::int64_t time_ns);
  void keepQuiet(const QuietSamples& seen, const Interval& time);
  void keepStacksOfWorkers();
  void goOn(const sl_record& record);
  void forget(std::size_t operation);
  void endAlone(std::int64_t time_ns);
  void beginBetween(std::int64_t time_ns);
  void phaseBegin(const sl_record& record);
  void phaseEnd(const sl_record& record);
  void enter(const sl_record& record);
  void leave(const sl_record& record);
  [[nodiscard]] bool isBusy(std::int64_t time_ns) const;
  [[nodiscard]] RankStatus status(const Ending& ending) const;
  [[nodiscard]] std::int64_t since(RankStatus status, const Ending& ending) const;

  std::size_t most_spans_;
  std::int64_t heard_ns_ = -1;              ///< time of the last record
  RankStatus phase_ = RankStatus::Between;  ///< Loading, Computing, or neither
  std::int64_t free_ns_ = 0;                ///< when the last phase or the then oldest operation ended
  std::int64_t phase_ns_ = 0;               ///< when the phase began
  std::vector<Operation> operations_;       ///< open ones, in the order of their beginning
  std::size_t doubtful_ = 0;                ///< the first ones of them, whose end may be among lost records
  bool is_phase_doubtful_ = false;          ///< likewise, of the phase
  std::int64_t doubted_ns_ = 0;             ///< from when on, where one of these is
  std::vector<Alone> alone_so_far_;
  std::vector<Interval> alone_;
  std::optional<Place> loaded_in_, computed_in_;  ///< the steps of the last values of load_ms and compute_ms
  OperationNumbers numbers_;
  bool is_slot_ahead_ = false;
  std::uint64_t works_ = 0;                          ///< how often it worked
  std::map<std::uint32_t, std::uint64_t> works_at_;  ///< the same, when it came to or left a collective of a group
  bool stopped_ = false;                             ///< by a signal
  std::int64_t stopped_ns_ = 0;
  std::vector<QuietTime> quiet_;
  RateWindow rate_;
  std::deque<Span> spans_;
};

}  // namespace shardlens
