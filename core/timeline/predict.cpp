// SPDX-License-Identifier: Apache-2.0
#include "core/timeline/predict.h"

#include "core/schedule/schedule.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace shardlens {
namespace {

constexpr double kNsInMs = 1e6;

struct StepTimes {
  std::int64_t load_ns = 0;
  std::int64_t compute_ns = 0;
};

StepTimes timesOf(const PipelineSpec::Run& run, Rank rank, std::int64_t global_step) {
  const double load = run.load_ms + run.delayMs(rank, "load", global_step);
  const double compute = run.compute_ms + run.delayMs(rank, "compute", global_step);
  return {static_cast<std::int64_t>(load * kNsInMs), static_cast<std::int64_t>(compute * kNsInMs)};
}

/// How many steps all epochs before this one have, where a delay begins or ends within the run; else 0, as counting
/// them may take time.
Result<std::int64_t> stepsBefore(const Plan& plan, Epoch epoch, const Work& work) {
  const auto& delays = plan.spec().run.delays;
  const bool matters = std::any_of(delays.begin(), delays.end(), [](const PipelineSpec::Run::Delay& delay) {
    return delay.from_step > 0 || delay.until_step > 0;
  });
  std::int64_t steps = 0;
  for (Epoch before{0}; matters && before < epoch; ++before) {
    const auto more = plan.steps(before, work);
    if (!more) return more.error();
    steps += *more;
  }
  return steps;
}

using schedule::At;
using schedule::Kind;
using schedule::Moment;

/// The ranks of a schedule, each with a clock of its own.
class ScheduleClocks {
 public:
  ScheduleClocks(const Plan& plan, const EpochShape& shape, Step first, Step end, std::int64_t steps_before)
      : schedule_(plan), shape_(shape), end_(end), steps_before_(steps_before), ranks_(shape.ranks.size()) {
    const bool from_begin = first.value == 0;
    const Moment begin = !from_begin              ? Moment{shape.epoch, At::Step, first}
                         : shape.epoch.value == 0 ? Moment{shape.epoch, At::Start, Step{0}}
                                                  : Moment{shape.epoch, At::EpochStart, Step{0}};
    for (Clock& clock : ranks_) clock.moment = begin;
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
      timeline_.lanes.push_back({static_cast<std::int64_t>(rank), {}});
  }

  Result<Timeline> run(const Network& network, const Work& work) {
    const auto next = [&](Rank rank) -> Result<std::optional<schedule::Operation>> {
      if (work.stopped()) return cancelled();
      return nextOf(rank);
    };
    const auto over = [&](std::span<const Rank> ranks, const schedule::Operation& operation) {
      meet(ranks, operation, network);
    };
    const auto ran = schedule::allFinish(static_cast<std::int64_t>(ranks_.size()), schedule_.groups(), next, over);
    if (!ran) return ran.error();
    for (const Clock& clock : ranks_) timeline_.end_ns = std::max(timeline_.end_ns, clock.now_ns);
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      if (ranks_[rank].waits_in) add(rank, Phase::Wait, timeline_.end_ns, *ranks_[rank].waits_in);
      if (!ranks_[rank].waits_in && shape_.ranks[rank].batches < end_.value)
        add(rank, Phase::Unmeasured, timeline_.end_ns, {shape_.epoch, At::Step, end_});
    }
    return std::move(timeline_);
  }

 private:
  struct Clock {
    Moment moment;
    std::size_t phase = 0;
    std::int64_t now_ns = 0;
    std::optional<Moment> waits_in;
    bool has_finished = false;
  };

  Result<std::optional<schedule::Operation>> nextOf(Rank rank) {
    Clock& clock = ranks_[static_cast<std::size_t>(rank.value)];
    while (!clock.has_finished) {
      const auto& phases = schedule_.phasesAt(clock.moment.at);
      while (clock.phase < phases.size() && isReached(rank, clock.moment)) {
        if (--looks_ < 0)
          return Error{ErrorCode::Unsupported, "The steps are too many to be predicted.", {}, "ask for fewer"};
        const auto operation = schedule_.operation(phases[clock.phase++], rank, clock.moment);
        if (!operation) continue;
        if (!isLocal(operation->kind)) clock.waits_in = clock.moment;
        if (isLocal(operation->kind)) doAlone(rank, *operation);
        return operation;
      }
      moveOn(rank, clock);
    }
    return std::optional<schedule::Operation>();
  }

  /// Whether the rank has a batch in a step that is asked for; other moments always come.
  [[nodiscard]] bool isReached(Rank rank, const Moment& moment) const {
    return moment.at != At::Step ||
           moment.step.value < std::min(end_.value, shape_.ranks[static_cast<std::size_t>(rank.value)].batches);
  }

  void moveOn(Rank rank, Clock& clock) const {
    Moment& moment = clock.moment;
    clock.phase = 0;
    const bool is_last_epoch = shape_.epoch.value + 1 == schedule_.plan().epochs();
    if (moment.at == At::Step && isReached(rank, {moment.epoch, At::Step, Step{moment.step.value + 1}})) {
      ++moment.step;
    } else if ((moment.at == At::Step && end_.value < shape_.steps) || (moment.at == At::EpochEnd && !is_last_epoch) ||
               moment.at == At::End) {
      clock.has_finished = true;
    } else {
      moment = {moment.epoch, static_cast<At>(static_cast<int>(moment.at) + 1), Step{0}};
    }
  }

  void doAlone(Rank rank, const schedule::Operation& operation) {
    const bool loads = operation.kind == Kind::Load;
    const bool is_delayed = operation.kind != Kind::Host && operation.moment.at == At::Step;
    const double delay = !is_delayed ? 0
                                     : schedule_.plan().spec().run.delayMs(rank, loads ? "load" : "compute",
                                                                           steps_before_ + operation.moment.step.value);
    const auto place = static_cast<std::size_t>(rank.value);
    add(place, loads ? Phase::Load : Phase::Compute, ranks_[place].now_ns + nsOf(operation.ms + delay),
        operation.moment);
  }

  /// All of these ranks are in the operation: it begins when the last of them comes.
  void meet(std::span<const Rank> ranks, const schedule::Operation& operation, const Network& network) {
    std::int64_t begin = 0;
    for (const Rank rank : ranks) begin = std::max(begin, ranks_[static_cast<std::size_t>(rank.value)].now_ns);
    for (const Rank rank : ranks) {
      const auto place = static_cast<std::size_t>(rank.value);
      const Moment moment = *ranks_[place].waits_in;
      ranks_[place].waits_in.reset();
      add(place, Phase::Wait, begin, moment);
      add(place, Phase::Transfer, begin + nsOf(operation.ms + network.msOf(operation, ranks.size())), moment);
    }
  }

  static std::int64_t nsOf(double ms) { return static_cast<std::int64_t>(ms * 1e6); }

  void add(std::size_t rank, Phase phase, std::int64_t until_ns, const Moment& moment) {
    Clock& clock = ranks_[rank];
    if (until_ns <= clock.now_ns) return;
    timeline_.lanes[rank].spans.push_back({phase, clock.now_ns, until_ns, static_cast<std::int32_t>(moment.epoch.value),
                                           static_cast<std::int32_t>(moment.step.value)});
    clock.now_ns = until_ns;
  }

  schedule::Schedule schedule_;
  const EpochShape& shape_;
  Step end_;  ///< behind the last step that is asked for
  std::int64_t steps_before_;
  std::int64_t looks_ = 5'000'000;  ///< phases: a fraction of a second
  std::vector<Clock> ranks_;
  Timeline timeline_;
};

}  // namespace

Result<Timeline> predict(const Plan& plan, const EpochShape& shape, Step first_step, std::int64_t steps,
                         const Work& work) {
  Timeline timeline;
  const std::size_t ranks = shape.ranks.size();
  std::vector<StepTimes> times(ranks);
  for (std::size_t rank = 0; rank < ranks; ++rank) timeline.lanes.push_back({static_cast<std::int64_t>(rank), {}});
  const auto steps_before = stepsBefore(plan, shape.epoch, work);
  if (!steps_before) return steps_before.error();
  const std::int64_t last_step = std::min(first_step.value + steps, shape.steps);
  for (std::int64_t step = first_step.value; step < last_step; ++step) {
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      times[rank] = timesOf(plan.spec().run, Rank{static_cast<std::int64_t>(rank)}, *steps_before + step);
    }
    const std::int64_t begin = timeline.end_ns;
    std::int64_t release = begin;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      if (step < shape.ranks[rank].batches)
        release = std::max(release, begin + times[rank].load_ns + times[rank].compute_ns);
    }
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      auto& spans = timeline.lanes[rank].spans;
      std::int64_t at = begin;
      const auto add = [&](Phase phase, std::int64_t until) {
        if (until > at) {
          spans.push_back(
              {phase, at, until, static_cast<std::int32_t>(shape.epoch.value), static_cast<std::int32_t>(step)});
        }
        at = std::max(at, until);
      };
      if (step >= shape.ranks[rank].batches) {
        add(Phase::Unmeasured, release);
        continue;
      }
      add(Phase::Load, at + times[rank].load_ns);
      add(Phase::Compute, at + times[rank].compute_ns);
      add(Phase::Wait, release);
    }
    timeline.end_ns = release;
  }
  return timeline;
}

double Network::msOf(const schedule::Operation& operation, std::size_t ranks) const {
  const auto others = static_cast<double>(ranks - 1);
  const auto bytes = static_cast<double>(operation.bytes);
  const double part = bytes / static_cast<double>(ranks);
  const auto time = [this](double messages, double sent) {
    return messages * message_ms + (bytes_per_ms > 0 ? sent / bytes_per_ms : 0);
  };
  switch (operation.kind) {
    case Kind::AllReduce:
      return time(2 * others, 2 * others * part);
    case Kind::ReduceScatter:
    case Kind::AllToAll:
      return time(others, others * part);
    case Kind::AllGather:  // each rank gives so many bytes, and sends those of all but one
      return time(others, others * bytes);
    case Kind::Broadcast:
    case Kind::Barrier:
      return time(others, ranks > 1 ? bytes : 0);
    case Kind::Send:
    case Kind::Recv:
      return time(1, bytes);
    case Kind::Load:
    case Kind::Compute:
    case Kind::Host:
      break;
  }
  return 0;
}

Result<Timeline> predictSchedule(const Plan& plan, const EpochShape& shape, Step first_step, std::int64_t steps,
                                 const Network& network, const Work& work) {
  const auto steps_before = stepsBefore(plan, shape.epoch, work);
  if (!steps_before) return steps_before.error();
  const Step end{std::min(first_step.value + steps, shape.steps)};
  return ScheduleClocks(plan, shape, first_step, end, *steps_before).run(network, work);
}

}  // namespace shardlens
