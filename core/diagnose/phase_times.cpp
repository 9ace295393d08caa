// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/phase_times.h"

#include "core/base/phrase.h"
#include "core/diagnose/collective_table.h"
#include "core/diagnose/statistics.h"
#include "core/diagnose/verdict_words.h"
#include "core/record/recording_reader.h"
#include "core/schedule/schedule.h"
#include "core/timeline/predict.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>
#include <variant>

namespace shardlens {
namespace {

constexpr std::size_t kFewestPhases = 5;  ///< steps of a rank that give a median
constexpr std::size_t kMostPhases = 200;  ///< steps of a rank that are kept
constexpr std::size_t kMostKeptSteps = 400'000;
constexpr std::uint64_t kFewestBytes = 1'000'000;  ///< of a collective that tells what a link carries
constexpr double kToldShare = 0.1;                 ///< of the prediction: a smaller difference needs no reason
constexpr double kToldMs = 1;

/// Phases that records tell apart by their order alone. What a rank does on the host is recorded as computing.
struct LikePhases {
  schedule::Kind kind = schedule::Kind::Load;
  std::string group;                ///< of a collective
  std::vector<std::size_t> phases;  ///< places among those of a step
  bool is_mixed = false;            ///< messages may be of these or of like phases of another group
  RecentValues bytes_per_ms{kMostPhases};
};

/// For how long the rank was in this operation, and in nothing else, once all were there.
std::int64_t transferNs(const Collective& collective, const Visit& visit) {
  const auto after = [from_ns = collective.last_enter_ns](const Interval& alone) {
    return alone.to_ns - std::clamp(from_ns, alone.from_ns, alone.to_ns);
  };
  std::int64_t ns = after(visit.alone);
  for (const Collective::Earlier& one : collective.earlier)
    if (one.rank == visit.rank) ns += after(one.alone);
  return ns;
}

bool isLonger(double measured_ms, double predicted_ms) {
  return measured_ms - predicted_ms > std::max(kToldMs, kToldShare * predicted_ms);
}

class PhaseSorter final : public PhaseTimer {
 public:
  explicit PhaseSorter(const Plan& design)
      : schedule_(design),
        phases_(schedule_.phasesAt(schedule::At::Step)),
        steps_(static_cast<std::size_t>(design.worldSize())),
        most_(std::clamp<std::size_t>(kMostKeptSteps / steps_.size(), 20, kMostPhases)) {
    for (std::size_t place = 0; place < phases_.size(); ++place) {
      const schedule::Kind kind = phases_[place].operation.kind;
      const schedule::Kind told = kind == schedule::Kind::Host ? schedule::Kind::Compute : kind;
      const std::string group = isLocal(told) ? std::string() : phases_[place].group;
      const auto found =
          std::ranges::find_if(like_, [&](const LikePhases& like) { return like.kind == told && like.group == group; });
      (found == like_.end() ? like_.emplace_back(LikePhases{told, group, {}}) : *found).phases.push_back(place);
    }
  }

  /// A rank that falls back to an earlier place begins a new pass.
  void follow(const Event& event) override {
    const auto* const told = std::get_if<RankRecord>(&event.what);
    const bool has_place = told != nullptr && (told->record.kind == SL_PHASE_END || told->record.kind == SL_COLL_ENTER);
    if (!has_place || told->rank < 0 || told->rank >= static_cast<std::int64_t>(steps_.size())) return;
    Kept& kept = steps_[static_cast<std::size_t>(told->rank)];
    const Place place{told->record.epoch, told->record.step};
    if (place < kept.last) ++kept.pass;
    kept.last = place;
  }

  void add(std::int64_t rank, const Span& span) override {
    if (span.phase != Phase::Load && span.phase != Phase::Compute) return;
    const auto kind = span.phase == Phase::Load ? schedule::Kind::Load : schedule::Kind::Compute;
    const auto like = std::ranges::find(like_, kind, &LikePhases::kind);
    if (like != like_.end()) put(rank, {span.epoch, span.step}, *like, span.begin_ns, span.end_ns - span.begin_ns);
  }

  void add(const Collective& collective) override {
    if (!collective.knowsArrivals()) return;
    if (collective.key.isPair()) return addMessage(collective);
    const auto like = std::ranges::find_if(like_, [&](const LikePhases& one) {
      return schedule::nameOf(one.kind) == operationName(collective.key.op) && isGroup(one.group, *collective.members);
    });
    if (like == like_.end()) return;
    std::int64_t longest = 0;
    for (const Visit& visit : collective.visits) {
      if (visit.leave_ns < 0) continue;
      const std::int64_t ns = transferNs(collective, visit);
      put(visit.rank, {visit.epoch, visit.step}, *like, visit.enter_ns, ns);
      longest = std::max(longest, ns);
    }
    schedule::Operation operation;
    operation.kind = like->kind;
    operation.bytes = static_cast<std::int64_t>(collective.bytes);
    const double sent = Network{.message_ms = 0, .bytes_per_ms = 1}.msOf(operation, collective.members->size());
    if (collective.bytes >= kFewestBytes && sent > 0 && longest > 0)
      like->bytes_per_ms.add(sent / (static_cast<double>(longest) / 1e6));
  }

  [[nodiscard]] Result<std::vector<PhaseTime>> result(std::int64_t world_size,
                                                      const std::filesystem::path& recording) const override {
    if (world_size != schedule_.plan().worldSize()) {
      return Error{ErrorCode::BadInput,
                   filled(worded("verdicts", "The run has %1, and the design %2."), wordedCount(world_size, "rank"),
                          std::to_string(schedule_.plan().worldSize())),
                   {recording.string(), 0, 0, {}},
                   "give the design of this run"};
    }
    std::vector<PhaseTime> times;
    for (const schedule::PlannedPhase& phase : phases_) times.push_back({phase.operation, {}, 0, ranksDoing(phase)});
    for (const LikePhases& like : like_) {
      for (const std::size_t place : like.phases) times[place].are_alike = like.is_mixed;
    }
    for (std::size_t rank = 0; rank < steps_.size(); ++rank) addRank(rank, times);
    for (const LikePhases& like : like_) {
      for (const std::size_t place : like.phases) times[place].link_bytes_per_s = 1000 * like.bytes_per_ms.median();
    }
    return times;
  }

 private:
  using Place = std::pair<std::int64_t, std::int64_t>;  ///< epoch and step
  struct Each {
    std::int64_t began_ns = 0;
    double ms = 0;
  };
  /// What the like phases of one step took: all together, and one by one, in the order in
  /// which they began, for as many as tell that there are too many.
  struct Told {
    double ms = 0;
    std::vector<Each> each;
  };
  struct Kept {
    /// By the pass and the place. A job that does not tell its epochs has the same places in each pass.
    std::map<std::pair<std::int64_t, Place>, std::vector<Told>> steps;
    std::int64_t forgotten = 0;
    std::int64_t pass = 0;
    Place last;
  };
  /// Of one rank, by phase.
  struct Samples {
    std::vector<double> ms, planned_ms;
    std::size_t not_apart = 0;  ///< steps whose phases the records do not tell apart
  };

  [[nodiscard]] std::int64_t ranksDoing(const schedule::PlannedPhase& phase) const {
    schedule::PlannedPhase at_any_time = phase;
    at_any_time.of_time = {};
    const schedule::Moment moment{Epoch{0}, schedule::At::Step, Step{0}};
    std::int64_t ranks = 0;
    for (Rank rank{0}; rank.value < schedule_.plan().worldSize(); ++rank)
      ranks += schedule_.operation(at_any_time, rank, moment) ? 1 : 0;
    return ranks;
  }

  /// Either half is a phase of the group that has both ranks, where only one does.
  void addMessage(const Collective& message) {
    for (const Visit& visit : message.visits) {
      if (visit.sends && visit.leave_ns < message.last_enter_ns) continue;  // it was buffered
      const auto kind = visit.sends ? schedule::Kind::Send : schedule::Kind::Recv;
      std::vector<LikePhases*> found;
      for (LikePhases& like : like_) {
        if (like.kind == kind && areInOne(like.group, message.key.from, message.key.to)) found.push_back(&like);
      }
      for (LikePhases* const like : found) like->is_mixed = like->is_mixed || found.size() > 1;
      if (found.size() == 1 && visit.leave_ns >= 0)
        put(visit.rank, {visit.epoch, visit.step}, *found.front(), visit.enter_ns, transferNs(message, visit));
    }
  }

  [[nodiscard]] bool areInOne(const std::string& group, std::int64_t one, std::int64_t other) const {
    const auto world = static_cast<std::int64_t>(steps_.size());
    if (one >= world || other >= world) return false;
    const auto number = schedule_.groupOf(group, Rank{one});
    return number && number == schedule_.groupOf(group, Rank{other});
  }

  [[nodiscard]] bool isGroup(const std::string& name, const std::vector<std::int64_t>& members) const {
    if (members.empty() || members.back() >= static_cast<std::int64_t>(steps_.size())) return false;
    const auto number = schedule_.groupOf(name, Rank{members.front()});
    return number && std::ranges::equal(schedule_.groups()[*number], members, {}, &Rank::value);
  }

  void put(std::int64_t rank, const Place& place, const LikePhases& like, std::int64_t began_ns, std::int64_t ns) {
    if (rank < 0 || rank >= static_cast<std::int64_t>(steps_.size())) return;
    Kept& kept = steps_[static_cast<std::size_t>(rank)];
    // A collective is told when its last rank has left, and then this rank may be in its next pass.
    std::vector<Told>& step = kept.steps[{kept.pass - (place > kept.last ? 1 : 0), place}];
    if (isMeasured(place)) {
      step.resize(like_.size());
      Told& told = step[static_cast<std::size_t>(&like - like_.data())];
      const double ms = static_cast<double>(ns) / 1e6;
      told.ms += ms;
      // Of messages, that of a later pair may be told first.
      const auto later = std::ranges::upper_bound(told.each, began_ns, {}, &Each::began_ns);
      if (told.each.size() <= like.phases.size()) told.each.insert(later, {began_ns, ms});
    }
    if (kept.steps.size() <= most_) return;
    kept.steps.erase(kept.steps.begin());
    ++kept.forgotten;
  }

  /// Loaders start in the first step of an epoch, and what is done around the epoch is recorded in it.
  static bool isMeasured(const Place& place) { return place.second > 0; }

  void addRank(std::size_t rank, std::vector<PhaseTime>& times) const {
    std::vector<Samples> samples(phases_.size());
    std::int64_t steps_before = steps_[rank].forgotten;
    for (const auto& [key, told] : steps_[rank].steps) {
      if (isMeasured(key.second))
        addStep(Rank{static_cast<std::int64_t>(rank)}, key.second, told, steps_before, samples);
      ++steps_before;
    }
    for (std::size_t phase = 0; phase < samples.size(); ++phase) {
      const Samples& of = samples[phase];
      times[phase].are_alike = times[phase].are_alike || of.not_apart >= kFewestPhases;
      if (of.ms.size() < kFewestPhases) continue;
      std::vector<double> longer;
      for (std::size_t i = 0; i < of.ms.size(); ++i) longer.push_back(of.ms[i] - of.planned_ms[i]);
      times[phase].ranks.push_back({static_cast<std::int64_t>(rank), median(of.ms), median(of.planned_ms),
                                    static_cast<std::int64_t>(of.ms.size()), quantile(std::move(longer), 0.25)});
    }
  }

  void addStep(Rank rank, const Place& place, const std::vector<Told>& told, std::int64_t steps_before,
               std::vector<Samples>& samples) const {
    const schedule::Moment moment{Epoch{place.first}, schedule::At::Step, Step{place.second}};
    for (std::size_t i = 0; i < like_.size(); ++i) {
      std::vector<std::size_t> done;
      for (const std::size_t phase : like_[i].phases)
        if (schedule_.operation(phases_[phase], rank, moment)) done.push_back(phase);
      const std::vector<Each>& each = told[i].each;
      if (each.empty()) continue;
      const bool are_apart = done.size() == 1 || done.size() == each.size();
      for (std::size_t n = 0; n < done.size(); ++n) {
        if (!are_apart) {
          ++samples[done[n]].not_apart;
          continue;
        }
        samples[done[n]].ms.push_back(done.size() == 1 ? told[i].ms : each[n].ms);
        samples[done[n]].planned_ms.push_back(plannedMs(phases_[done[n]].operation, rank, steps_before));
      }
    }
  }

  [[nodiscard]] double plannedMs(const schedule::Operation& operation, Rank rank, std::int64_t steps_before) const {
    const PipelineSpec::Run& run = schedule_.plan().spec().run;
    const bool loads = operation.kind == schedule::Kind::Load;
    if (!loads && operation.kind != schedule::Kind::Compute) return operation.ms;
    return operation.ms + run.delayMs(rank, loads ? "load" : "compute", steps_before);
  }

  schedule::Schedule schedule_;
  const std::vector<schedule::PlannedPhase>& phases_;
  std::vector<LikePhases> like_;
  std::vector<Kept> steps_;  ///< by rank
  std::size_t most_;
};

}  // namespace

bool PhaseTime::isPredicted() const {
  return isLocal(operation.kind) || operation.ms > 0;
}

std::int64_t PhaseTime::steps() const {
  return std::accumulate(ranks.begin(), ranks.end(), std::int64_t{0},
                         [](std::int64_t sum, const RankPhaseTime& rank) { return sum + rank.steps; });
}

double PhaseTime::usualMs() const {
  std::vector<double> ms;
  for (const RankPhaseTime& rank : ranks) ms.push_back(std::max(0.0, rank.ms - (rank.planned_ms - operation.ms)));
  return median(ms);
}

const RankPhaseTime& PhaseTime::slowest() const {
  return *std::ranges::max_element(ranks, {}, &RankPhaseTime::ms);
}

std::unique_ptr<PhaseTimer> PhaseTimer::of(const Plan& design) {
  return std::make_unique<PhaseSorter>(design);
}

Result<std::vector<PhaseTime>> measuredPhases(const Plan& design, const std::filesystem::path& recording,
                                              const Work& work) {
  if (design.spec().schedule.empty()) {
    PipelineSpec spec = design.spec();
    spec.schedule = {{.what = "ddp"}};
    const auto usual = Plan::make(std::move(spec), design);
    return usual ? measuredPhases(*usual, recording, work) : usual.error();
  }
  const auto timer = PhaseTimer::of(design);
  Reducer reducer(
      {}, [&timer](std::int64_t rank, const Span& span) { timer->add(rank, span); }, {},
      [&timer](const Collective& collective) { timer->add(collective); });
  bool stopped = false;
  const auto read = readRecording(recording, [&](const Event& event) {
    stopped = stopped || work.stopped();
    if (stopped) return;
    timer->follow(event);
    reducer.apply(event);
  });
  if (!read) return read.error();
  if (stopped) return cancelled();
  return timer->result(reducer.worldSize(), recording);
}

PhaseDifference differenceOf(const PhaseTime& time) {
  PhaseDifference difference;
  const RankPhaseTime& slowest = time.slowest();
  std::vector<double> others, excess;
  std::int64_t longer_ranks = 0;
  for (const RankPhaseTime& rank : time.ranks) {
    difference.predicted_ms = std::max(difference.predicted_ms, rank.planned_ms);
    longer_ranks += isLonger(rank.ms, rank.planned_ms) ? 1 : 0;
    if (&rank == &slowest) continue;
    others.push_back(rank.ms);
    excess.push_back(rank.ms - rank.planned_ms);
  }
  difference.measured_ms = slowest.ms;
  difference.others_ms = median(others);
  if (!time.isPredicted() || !isLonger(difference.measured_ms, difference.predicted_ms)) return difference;
  using Reason = PhaseDifference::Reason;
  const double usual = median(excess);
  const double own = slowest.ms - slowest.planned_ms - usual;
  const bool is_slow = own > (difference.measured_ms - difference.predicted_ms) / 2 && slowest.mostly_longer_ms > usual;
  const schedule::Kind kind = time.operation.kind;
  if (!excess.empty() && is_slow) {
    difference.reason = Reason::SlowRank;
  } else if (2 * longer_ranks >= time.ranks_doing) {
    difference.reason = kind == schedule::Kind::Load ? Reason::LongerLoad
                        : isLocal(kind)              ? Reason::LongerCompute
                                                     : Reason::LongerCollective;
  }
  return difference;
}

const char* nameOf(PhaseDifference::Reason reason) {
  switch (reason) {
    case PhaseDifference::Reason::SlowRank:
      return "slow_rank";
    case PhaseDifference::Reason::LongerLoad:
      return "longer_load";
    case PhaseDifference::Reason::LongerCompute:
      return "longer_compute";
    case PhaseDifference::Reason::LongerCollective:
      return "longer_collective";
    case PhaseDifference::Reason::None:
      break;
  }
  return "";
}

namespace words {
namespace {

std::string reasonText(const PhaseTime& time, const PhaseDifference& difference) {
  switch (difference.reason) {
    case PhaseDifference::Reason::SlowRank:
      if (time.ranks.size() == 2) {
        const RankPhaseTime& other = time.ranks[&time.slowest() == &time.ranks[0] ? 1 : 0];
        return filled(worded("verdicts", "Rank %1 takes %2, rank %3 takes %4."), std::to_string(time.slowest().rank),
                      duration(difference.measured_ms / 1000, 3), std::to_string(other.rank),
                      duration(other.ms / 1000, 3));
      }
      return filled(worded("verdicts", "Rank %1 takes %2, the median of the others is %3."),
                    std::to_string(time.slowest().rank), duration(difference.measured_ms / 1000, 3),
                    duration(difference.others_ms / 1000, 3));
    case PhaseDifference::Reason::LongerLoad:
      return worded("verdicts", "At least half of the ranks wait longer for data than predicted.");
    case PhaseDifference::Reason::LongerCompute:
      return worded("verdicts", "At least half of the ranks work longer than predicted.");
    case PhaseDifference::Reason::LongerCollective:
      return worded("verdicts", "It takes longer than predicted although all of its ranks had come.");
    case PhaseDifference::Reason::None:
      break;
  }
  return {};
}

/// "schedule[2] all_reduce".
std::string lineName(const schedule::Operation& operation) {
  return "schedule[" + std::to_string(operation.line) + "] " + std::string(schedule::nameOf(operation.kind));
}

}  // namespace

std::string phaseText(const PhaseTime& time) {
  const PhaseDifference difference = differenceOf(time);
  const std::string measured = duration(difference.measured_ms / 1000, 3);
  if (!time.isPredicted()) {
    return filled(worded("verdicts", "%1: %2 measured; the design does not say how long it takes."),
                  lineName(time.operation), measured);
  }
  const std::string text = filled(worded("verdicts", "%1: %2 predicted, %3 measured."), lineName(time.operation),
                                  duration(difference.predicted_ms / 1000, 3), measured);
  const std::string reason = reasonText(time, difference);
  return reason.empty() ? text : text + " " + reason;
}

std::string phasesText(const std::vector<PhaseTime>& times, std::size_t most) {
  std::vector<const PhaseTime*> measured;
  for (const PhaseTime& time : times)
    if (!time.ranks.empty()) measured.push_back(&time);
  if (measured.empty()) return {};
  if (measured.size() > most) {
    (void)std::stable_partition(measured.begin(), measured.end(), [](const PhaseTime* time) {
      return differenceOf(*time).reason != PhaseDifference::Reason::None;
    });
  }
  std::string text =
      worded("verdicts", "Predicted and measured, in the median step of the rank that takes longest in each phase:");
  for (std::size_t i = 0; i < std::min(most, measured.size()); ++i) text += "\n" + phaseText(*measured[i]);
  if (measured.size() <= most) return text;
  return text + "\n" +
         filled(worded("verdicts", "and %1 more: shardlens replay"), std::to_string(measured.size() - most));
}

std::string phasesNotMeasured(const Error& error) {
  return filled(worded("verdicts", "What the phases took was not measured: %1"), error.message);
}

}  // namespace words
}  // namespace shardlens
