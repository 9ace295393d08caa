// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/collective_table.h"
#include "core/diagnose/deaths.h"
#include "core/diagnose/evidence.h"
#include "core/diagnose/group_table.h"
#include "core/diagnose/operation.h"
#include "core/diagnose/rank_tracker.h"
#include "core/diagnose/reducer.h"
#include "core/diagnose/run_state.h"
#include "core/diagnose/slow_ranks.h"
#include "core/diagnose/time_lost.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace shardlens {

/// Times of a run in which a rank, or all, stood still. The longest ones are kept.
class StandStills {
 public:
  /// Shorter ones of all ranks are none.
  static constexpr std::int64_t kShortestNs = 3'000'000'000;
  /// Of all ranks only where no record came for some seconds; of one that a signal stopped, shorter times too.
  void add(const StandStill& stop);
  [[nodiscard]] const std::vector<StandStill>& all() const { return stops_; }

 private:
  std::vector<StandStill> stops_;
};

/// A stalled or deadlocked job looks like any other after it was ended, or gave up after a time-out. These verdicts are
/// therefore judged before that.
class VerdictsAtStop {
 public:
  void keep(const RunState& before);
  /// A standstill is over: because of a time-out, as the job's end will show, or because the job continues.
  void suspect(const RunState& before);
  void goesOn() {
    suspected_.clear();
    loading_.clear();
  }
  /// A rank does something else: its standstill is over.
  void heardOf(std::int64_t rank);
  /// A rank no longer loads: it has its batch, or is being ended.
  void endsLoading(std::int64_t rank);
  /// `by_signal`: a signal ended it in whatever it was in.
  void givesUp(bool by_signal = false);
  /// Puts those first that the state has no more.
  void addTo(RunState& run) const;
  [[nodiscard]] bool isEmpty() const { return verdicts_.empty(); }

 private:
  std::vector<Verdict> verdicts_;
  std::vector<Verdict> suspected_;
  std::vector<Verdict> loading_;  ///< suspected before their rank ended to load
};

/// Who was slow in each group, judged again only when there is news: a running job of many collectives twice a second
/// at most, one with a long history once.
class Judgements {
 public:
  void update(const RunState& run, const CollectiveTable& collectives, std::int64_t now_ns);

  /// Of the collectives that there were when they were judged last, by group.
  [[nodiscard]] const std::map<std::uint32_t, Judgement>& byGroup() const { return by_group_; }

 private:
  std::map<std::uint32_t, Judgement> by_group_;
  std::int64_t collectives_ = -1;
  std::int64_t at_ns_ = 0;
};

/// How much of the past a RunState shows.
constexpr std::int64_t kRecentNs = 10'000'000'000;

/// What the reducer knows, and what each event does to it.
struct Reducer::State {
  ExpectedBatch expected;
  SpanSink on_span;
  BatchSink on_batch;
  CollectiveSink on_collective;
  RunState run;
  std::vector<RankTracker> ranks;
  CollectiveTable collectives;
  GroupTable groups{0};
  Deaths deaths;
  ClockTable clocks;
  std::string lost;
  bool says_no_end_first = false;  ///< of `lost`, as RecordingLost has it
  std::int64_t begin_ns = -1;
  std::int64_t now_ns = 0;
  std::int64_t last_progress_ns = 0;
  std::int64_t went_on_ns = 0;
  StandStills stops;
  std::int64_t designed_steps = 0;  ///< of a command: the plan is its plan once its loaders are compared
  std::int64_t learned_ns = 0;      ///< when they did
  bool is_world_learned = false;    ///< the ranks said how many they are, not the RunBegin
  bool has_other_start = false;     ///< ranks were started again, and what these did was not recorded
  std::int64_t told_world = 0;      ///< the size of the first start's world where that is not the job's
  Judgements judgements;
  VerdictsAtStop at_stop;
  EventClock clock;                       ///< of the event that is being applied
  std::shared_ptr<const TraceEnd> trace;  ///< null: the events are of a recording of ours
  bool is_at_end = false;                 ///< of that trace

  void operator()(const Tick& /*tick*/) {}
  void operator()(const RunBegin& begin);
  void operator()(const RankRecord& record);
  void operator()(const RankSlot& slot);
  void operator()(const RankProcess& process);
  void operator()(const RankDropped& dropped);
  void operator()(const LauncherSays& says) { deaths.launcherSays(says, now_ns); }
  void operator()(const RunClock& known) { clocks.learn(known); }
  void operator()(const RankStack& stack);
  void operator()(const LogLine& line);
  void operator()(const RunStopping& stopping);
  void operator()(const RunEnd& end);
  void operator()(const RecordingLost& recording);
  void operator()(const FramesDamaged& damage);
  void operator()(const FrameUnknown& /*frame*/) { ++run.unread.unknown_frames; }

  /// Whether the event is the first sign of a rank after some seconds without any.
  [[nodiscard]] bool endsStandStill(const Event& event) const;
  [[nodiscard]] bool isLeisurelyEnd(const sl_record& record) const;
  /// Whether the event may be that somebody ends a job in which nothing moves.
  [[nodiscard]] bool mayEndStuckJob(const Event& event) const;
  [[nodiscard]] bool areEndedTogether() const;
  [[nodiscard]] bool isStandStill(std::int64_t until_ns) const;
  [[nodiscard]] bool has(std::int64_t rank) const {
    return rank >= 0 && rank < static_cast<std::int64_t>(ranks.size());
  }
  RankTracker& at(std::int64_t rank) { return ranks[static_cast<std::size_t>(rank)]; }
  void heedInStandStill(std::int64_t rank, const sl_record& record);
  void makeWorld(std::int64_t size);
  bool heedHello(const sl_record& hello);
  [[nodiscard]] bool isAtWork() const;
  void checkBatch(RankTracker& rank, const sl_record& record);
  void tallyDrawn(RankTracker& rank, const sl_record& record, bool matches);
  void phaseEnd(RankTracker& rank, const sl_record& record);
  void lose(std::int64_t rank);
  void endTrace();
  void settleEndings();
  void complete(const Collective& collective);
  void addAlone(const Collective& collective, const Visit& visit, const Interval& alone);
  void addOpen(const RankTracker& tracker, RankState& rank, Lane& lane) const;
  void addInVain(RunState& shown) const;
  [[nodiscard]] bool isInVain(const Collective& collective, const Visit& visit) const;
  void finish(RankTracker& rank, const Span& span);
};

/// The statistics of every rank of the world over the last collectives of all its groups.
std::vector<Arrival> arrivalsOf(const std::map<std::uint32_t, TimeLost>& groups, std::int64_t world_size);

}  // namespace shardlens
