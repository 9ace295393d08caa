// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/schedule.h"

#include "core/sampling/sampler_rule.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

namespace shardlens::schedule {
namespace {

using Phase = PipelineSpec::Phase;

constexpr std::int64_t kMostLooks = 20'000'000;  ///< a second or two
constexpr std::int64_t kMostDrawn = 5'000'000;   ///< items of orders that are drawn to know how long epochs are

/// The number of `name` among these.
template <class Enum, std::size_t kNames>
Enum named(const std::array<std::string_view, kNames>& names, std::string_view name) {
  return static_cast<Enum>(std::ranges::find(names, name) - names.begin());
}

At atOf(const Phase& phase) {
  return named<At>(std::array<std::string_view, 5>{"start", "epoch_start", "step", "epoch_end", "end"}, phase.at);
}

Kind kindOf(const Phase& phase) {
  Kind kind = Kind::Load;
  while (nameOf(kind) != phase.what) kind = static_cast<Kind>(static_cast<int>(kind) + 1);
  return kind;
}

Reduction reductionOf(const Phase& phase) {
  if (phase.what != nameOf(Kind::AllReduce) && phase.what != nameOf(Kind::ReduceScatter)) return Reduction::None;
  return named<Reduction>(std::array<std::string_view, 4>{"", "sum", "avg", "max"}, phase.op);
}

/// The phases that a line stands for.
std::vector<Phase> expanded(const Phase& line, const PipelineSpec& spec) {
  const PipelineSpec::Run& run = spec.run;
  if (line.what == "ddp") {
    return {{.what = "load", .ms = run.load_ms},
            {.what = "compute", .ms = run.compute_ms},
            {.what = "all_reduce", .group = "data", .op = "avg", .kb = run.gradient_kb}};
  }
  if (line.what == "fsdp") {  // one unit, whose parameters stay whole from the forward to the backward pass
    const std::int64_t shard = std::max<std::int64_t>(1, run.gradient_kb / spec.world.sizeOf("data"));
    return {{.what = "load", .ms = run.load_ms},
            {.what = "all_gather", .group = "data", .kb = shard},
            {.what = "compute", .ms = run.compute_ms},
            {.what = "reduce_scatter", .group = "data", .op = "avg", .kb = run.gradient_kb}};
  }
  if (line.what == "zero_first") {  // the first rank of each node prepares what the others then find
    return {{.what = "barrier", .at = "start", .condition = "local_rank != 0"},
            {.what = "host", .at = "start"},
            {.what = "barrier", .at = "start", .condition = "local_rank == 0"}};
  }
  if (line.what == "rank0_saves") {
    return {{.what = "host", .at = "epoch_end", .condition = "rank == 0"}, {.what = "barrier", .at = "epoch_end"}};
  }
  if (line.what == "evaluation") {
    return {{.what = "compute", .at = "epoch_end", .ms = run.compute_ms}, {.what = "all_gather", .at = "epoch_end"}};
  }
  return {line};
}

/// The moment after this one, in an epoch in which the rank has more steps, or not.
void moveOn(Cursor& cursor, std::int64_t epochs, bool has_steps) {
  Moment& moment = cursor.moment;
  cursor.phase = 0;
  if (moment.at == At::Step && has_steps) {
    ++moment.step;
  } else if (moment.at == At::EpochEnd && moment.epoch.value + 1 < epochs) {
    moment = {Epoch{moment.epoch.value + 1}, At::EpochStart, Step{0}};
    cursor.batches = -1;
  } else if (moment.at == At::End) {
    cursor.has_finished = true;
  } else {
    moment = {moment.epoch, static_cast<At>(static_cast<int>(moment.at) + 1), Step{0}};
  }
}

constexpr auto kNoGroup = static_cast<std::size_t>(-1);

/// Those of a name that is lists; no lists of another one.
std::vector<std::vector<double>> listsIn(const std::string& name) {
  return name.starts_with('[') ? parseNumberLists(name)->lists : std::vector<std::vector<double>>();
}

/// The groups that the phase is called in: "world", along a dimension, or lists of ranks.
std::string groupsOf(const Phase& phase, const PipelineSpec::World& world) {
  const auto all = static_cast<std::size_t>(world.size());
  const auto lists = listsIn(phase.ranks);
  const bool has_all =
      lists.empty() ? world.sizeOf(phase.group) == world.size() : lists.front().size() == all;  // as one communicator
  return has_all ? "world" : lists.empty() ? phase.group : phase.ranks;
}

/// The ranks of each group of this name, or of these lists.
std::vector<Group> membersOf(const std::string& name, const PipelineSpec::World& world) {
  if (name == "world") return {world.groupOf(name, Rank{0})};
  std::vector<Group> groups;
  for (Rank rank{0}; !name.starts_with('[') && rank.value < world.size(); ++rank) {
    const RankCoordinates places = world.groups.coordinatesOf(rank, world.size());
    if (places[parallelismNamed(name)] == 0) groups.push_back(world.groupOf(name, rank));
  }
  for (const std::vector<double>& list : listsIn(name)) {
    Group& group = groups.emplace_back();
    for (const double rank : list) group.push_back(Rank{static_cast<std::int64_t>(rank)});
    std::ranges::sort(group);
  }
  return groups;
}

}  // namespace

bool holdsAt(const Condition& of_time, const Moment& moment) {
  return std::ranges::all_of(of_time, [&](const ConditionTerm& term) {
    return term.holds(term.variable == "step" ? moment.step.value : moment.epoch.value, 0);
  });
}

bool hasPhase(const PipelineSpec& spec, Kind kind) {
  return std::ranges::any_of(spec.schedule, [&](const Phase& line) {
    return std::ranges::any_of(expanded(line, spec), [&](const Phase& phase) { return phase.what == nameOf(kind); });
  });
}

Schedule::Schedule(Plan plan) : plan_(std::move(plan)) {
  const PipelineSpec& spec = plan_.spec();
  for (std::size_t line = 0; line < spec.schedule.size(); ++line) {
    for (const Phase& phase : expanded(spec.schedule[line], spec)) add(phase, line);
  }
}

void Schedule::add(const Phase& phase, std::size_t line) {
  PlannedPhase planned;
  planned.group = groupsOf(phase, plan_.spec().world);
  planned.peer = phase.peer;
  planned.values = *parseNumberLists(phase.values);
  const Condition condition = *parseCondition(phase.condition);
  for (const ConditionTerm& term : condition) (term.isOfTime() ? planned.of_time : planned.of_rank).push_back(term);
  std::vector<PlannedPhase>& phases = phases_[static_cast<std::size_t>(atOf(phase))];
  Operation& operation = planned.operation;
  operation.kind = kindOf(phase);
  operation.reduction = reductionOf(phase);
  operation.moment.at = atOf(phase);
  operation.ms = phase.ms;
  if (!isLocal(operation.kind) && operation.kind != Kind::Barrier) operation.bytes = phase.kb * 1000;
  if (const auto& values = planned.values.lists; !values.empty())
    operation.bytes = static_cast<std::int64_t>(values.front().size() * sizeof(float));
  operation.phase = phases.size();
  operation.line = line;
  addGroups(planned.group);
  phases.push_back(std::move(planned));
}

void Schedule::addGroups(const std::string& name) {
  std::vector<std::size_t>& of_ranks = groups_of_ranks_[name];
  if (!of_ranks.empty()) return;
  const PipelineSpec::World& world = plan_.spec().world;
  if (name != "world") of_ranks.assign(static_cast<std::size_t>(world.size()), kNoGroup);
  for (Group& group : membersOf(name, world)) {
    if (name == "world") of_ranks = {groups_.size()};
    for (const Rank member : name == "world" ? Group() : group)
      of_ranks[static_cast<std::size_t>(member.value)] = groups_.size();
    groups_.push_back(std::move(group));
  }
}

std::optional<std::size_t> Schedule::groupOf(const std::string& name, Rank rank) const {
  const std::vector<std::size_t>& of_ranks = groups_of_ranks_.at(name);
  const std::size_t group = of_ranks.size() == 1 ? of_ranks.front() : of_ranks[static_cast<std::size_t>(rank.value)];
  return group == kNoGroup ? std::nullopt : std::optional(group);
}

bool Schedule::holds(const ConditionTerm& term, const Group& group, Rank rank) const {
  const PipelineSpec::World& world = plan_.spec().world;
  if (term.variable == "group_rank") {
    const auto place = std::ranges::lower_bound(group, rank) - group.begin();
    return term.holds(place, static_cast<std::int64_t>(group.size()) - 1);
  }
  const std::int64_t count = term.variable == "rank"         ? world.size()
                             : term.variable == "local_rank" ? world.ranksOn(world.nodeOf(rank))
                             : term.variable == "node"       ? world.nodes
                                                             : world.dataParallelSize();
  return term.holds(world.numberNamed(term.variable, rank), count - 1);
}

Rank Schedule::peerOf(const PlannedPhase& phase, const Group& group, Rank rank) {
  if (const auto* number = std::get_if<std::int64_t>(&phase.peer)) return group[static_cast<std::size_t>(*number)];
  if (phase.operation.kind == Kind::Broadcast) return group.front();
  const auto place = static_cast<std::size_t>(std::ranges::lower_bound(group, rank) - group.begin());
  const std::size_t onward = phase.peer == Value(std::string("next")) ? 1 : group.size() - 1;
  return group[(place + onward) % group.size()];
}

std::optional<Operation> Schedule::operation(const PlannedPhase& phase, Rank rank, const Moment& moment) const {
  if (!holdsAt(phase.of_time, moment)) return std::nullopt;
  const auto number = groupOf(phase.group, rank);
  if (!number) return std::nullopt;
  const Group& group = groups_[*number];
  for (const ConditionTerm& term : phase.of_rank)
    if (!holds(term, group, rank)) return std::nullopt;
  Operation operation = phase.operation;
  operation.moment = moment;
  operation.group = *number;
  if (isMessage(operation.kind) || operation.kind == Kind::Broadcast) operation.peer = peerOf(phase, group, rank);
  return operation;
}

Result<std::optional<Operation>> Schedule::next(Rank rank, Cursor& cursor, std::int64_t& looks) const {
  while (!cursor.has_finished) {
    const bool in_steps = cursor.moment.at == At::Step;
    const std::vector<PlannedPhase>& phases = phasesAt(cursor.moment.at);
    if (in_steps && cursor.batches < 0) {
      const auto shape = plan_.shape(cursor.moment.epoch, rank);
      if (!shape) return shape.error();
      cursor.batches = phases.empty() ? 0 : shape->batches;
    }
    while (cursor.phase < phases.size() && (!in_steps || cursor.moment.step.value < cursor.batches)) {
      if (--looks < 0) return tooLong();
      if (auto found = operation(phases[cursor.phase++], rank, cursor.moment)) return found;
    }
    if (--looks < 0) return tooLong();
    moveOn(cursor, plan_.epochs(), in_steps && cursor.moment.step.value + 1 < cursor.batches);
  }
  return std::optional<Operation>();
}

namespace {

/// Follows a job moment by moment, for as long as all ranks get through each, and from there to its end.
class Follower {
 public:
  Follower(const Plan& plan, const Work& work) : schedule_(plan), work_(work) {
    for (const PlannedPhase& phase : schedule_.phasesAt(At::Step))
      names_step_ = names_step_ || std::ranges::any_of(phase.of_time, [](const ConditionTerm& term) {
                      return term.variable == "step";
                    });
  }

  Result<std::optional<Hang>> run() {
    auto hang = check({}, 0);
    for (Epoch epoch{0}; epoch.value < schedule_.plan().epochs(); ++epoch) {
      if (isDone(hang)) return hang;
      hang = checkEpoch(epoch);
    }
    if (isDone(hang)) return hang;
    return check({Epoch{schedule_.plan().epochs() - 1}, At::End, Step{0}}, 0);
  }

 private:
  [[nodiscard]] bool isDone(const Result<std::optional<Hang>>& hang) const { return !hang || *hang || at_ends_; }

  Result<std::optional<Hang>> checkEpoch(Epoch epoch) {
    auto hang = check({epoch, At::EpochStart, Step{0}}, 0);
    if (isDone(hang)) return hang;
    if (auto known = readBatches(epoch); !known) return known.error();
    for (Step step{0}; !fewest_.empty() && step.value < fewest_.back();) {
      if ((looks_ -= 4) < 0) return tooLong();
      const auto more = std::ranges::upper_bound(fewest_, step.value);
      hang = check({epoch, At::Step, step}, fewest_.end() - more);
      if (isDone(hang)) return hang;
      step = Step{names_step_ ? step.value + 1 : *more};
    }
    return check({epoch, At::EpochEnd, Step{0}}, 0);
  }

  /// How many batches each rank has in this epoch; what was seen of steps holds as long as that is the same.
  Result<void> readBatches(Epoch epoch) {
    const Plan& plan = schedule_.plan();
    if (schedule_.phasesAt(At::Step).empty()) return {};
    if (epoch.value > 0 && plan.rule().same_shapes) return {};
    if (!plan.knowsShapes()) drawn_ += epoch.value == 0 ? 0 : plan.spec().dataset.size + plan.worldSize();
    if (drawn_ > kMostDrawn) return tooLong();
    const auto shape = plan.epochShape(epoch, work_);
    if (!shape) return shape.error();
    std::vector<std::int64_t> batches;
    for (const RankEpochShape& rank : shape->ranks) batches.push_back(rank.batches);
    if (batches == batches_) return {};
    std::erase_if(through_, [](const auto& seen) { return seen.first == At::Step; });
    fewest_ = batches_ = std::move(batches);
    std::ranges::sort(fewest_);
    return {};
  }

  /// Whether all ranks get through this moment, in which so many ranks make a step; if not, where the job stands that
  /// goes on from there.
  Result<std::optional<Hang>> check(const Moment& moment, std::ptrdiff_t stepping) {
    if (work_.stopped()) return cancelled();
    const std::vector<PlannedPhase>& phases = schedule_.phasesAt(moment.at);
    std::vector<std::int64_t> likeness = {stepping};
    for (const PlannedPhase& phase : phases) likeness.push_back(holdsAt(phase.of_time, moment) ? 1 : 0);
    if (through_.contains({moment.at, likeness})) return std::optional<Hang>();
    const std::int64_t ranks = schedule_.plan().worldSize();
    std::vector<Cursor> cursors(static_cast<std::size_t>(ranks), Cursor{moment});
    const auto in_moment = [&](Rank rank) -> Result<std::optional<Operation>> {
      const auto place = static_cast<std::size_t>(rank.value);
      if (moment.at == At::Step && moment.step.value >= batches_[place]) return std::optional<Operation>();
      for (std::size_t& phase = cursors[place].phase; phase < phases.size();) {
        if (--looks_ < 0) return tooLong();
        if (auto operation = schedule_.operation(phases[phase++], rank, moment)) return operation;
      }
      return std::optional<Operation>();
    };
    const auto all_finish = allFinish(ranks, schedule_.groups(), in_moment);
    if (!all_finish) return all_finish.error();
    if (*all_finish) {
      through_.insert({moment.at, std::move(likeness)});
      return std::optional<Hang>();
    }
    std::ranges::fill(cursors, Cursor{moment});
    at_ends_ = true;
    return findHang(ranks, schedule_.groups(), [&](Rank rank) -> Result<std::optional<Operation>> {
      if (work_.stopped()) return cancelled();
      return schedule_.next(rank, cursors[static_cast<std::size_t>(rank.value)], looks_);
    });
  }

  Schedule schedule_;
  const Work& work_;
  std::int64_t looks_ = kMostLooks;
  std::int64_t drawn_ = 0;
  bool names_step_ = false;
  bool at_ends_ = false;                        ///< the ranks were followed to their ends, or as far as they get
  std::vector<std::int64_t> batches_, fewest_;  ///< by rank, and sorted
  std::set<std::pair<At, std::vector<std::int64_t>>> through_;
};

}  // namespace

namespace {

/// The collectives of a group, or the messages one way between two ranks: the n-th call of one rank belongs to the n-th
/// of each other.
using Row = std::tuple<std::size_t, Kind, Rank>;

Row rowOf(const Operation& operation) {
  return isMessage(operation.kind) ? Row{operation.group, operation.kind, operation.peer}
                                   : Row{operation.group, Kind::Barrier, Rank{-1}};
}

/// A call by its row and its number there, from 1.
using Call = std::pair<Row, std::int64_t>;

/// Shows what a rank does with others, up to the operation that it is in once it has left so many, and returns that;
/// nothing where it has finished.
Result<std::optional<Operation>> followTo(const Schedule& schedule, Rank rank, std::int64_t left,
                                          const std::function<void(const Call&, const Operation&)>& see) {
  std::map<Row, std::int64_t> numbers;
  Cursor cursor;
  std::int64_t looks = std::numeric_limits<std::int64_t>::max();
  while (true) {
    auto next = schedule.next(rank, cursor, looks);
    if (!next || !*next) return next;
    if (isLocal((*next)->kind)) continue;
    const Row row = rowOf(**next);
    see({row, ++numbers[row]}, **next);
    if (left-- == 0) return next;
  }
}

/// What the ranks must have called that the rank needs for its call.
Call neededFor(const Operation& own, Rank rank, const Call& call) {
  if (!isMessage(own.kind)) return call;
  return {Row{own.group, own.kind == Kind::Send ? Kind::Recv : Kind::Send, rank}, call.second};
}

}  // namespace

Result<bool> canAnyLeave(const Schedule& schedule, const std::vector<std::int64_t>& left) {
  std::vector<std::optional<Operation>> in(left.size());
  std::vector<Call> needed(left.size());
  std::set<Call> all_needed;
  for (std::size_t place = 0; place < left.size(); ++place) {
    const Rank rank{static_cast<std::int64_t>(place)};
    Call last;
    auto now = followTo(schedule, rank, left[place], [&last](const Call& call, const Operation&) { last = call; });
    if (!now) return now.error();
    in[place] = *now;
    if (in[place]) all_needed.insert(needed[place] = neededFor(*in[place], rank, last));
  }
  std::vector<std::map<Call, Operation>> called(left.size());
  for (std::size_t place = 0; place < left.size(); ++place) {
    const auto keep = [&](const Call& call, const Operation& operation) {
      if (all_needed.contains(call)) called[place].emplace(call, operation);
    };
    if (auto now = followTo(schedule, Rank{static_cast<std::int64_t>(place)}, left[place], keep); !now)
      return now.error();
  }
  for (std::size_t place = 0; place < left.size(); ++place) {
    if (!in[place]) continue;
    const Operation& own = *in[place];
    const auto isThere = [&](Rank other) {
      const auto& calls = called[static_cast<std::size_t>(other.value)];
      const auto found = calls.find(needed[place]);
      if (found == calls.end()) return false;
      return isMessage(own.kind) ? found->second.bytes == own.bytes : match(found->second, own);
    };
    if (isMessage(own.kind) ? isThere(own.peer) : std::ranges::all_of(schedule.groups()[own.group], isThere))
      return true;
  }
  return false;
}

Result<std::optional<Hang>> hangOf(const Plan& plan, const Work& work) {
  if (plan.spec().schedule.empty()) return std::optional<Hang>();
  return Follower(plan, work).run();
}

}  // namespace shardlens::schedule
