// SPDX-License-Identifier: Apache-2.0
#include "app/rank/schedule_loop.h"

#include "app/rank/rank_loop.h"
#include "core/base/process.h"
#include "core/spec/field.h"

#include <array>
#include <cstdio>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::rank {
namespace {

using schedule::At;
using schedule::Kind;
using schedule::Moment;

std::uint16_t wireNumber(Kind kind) {
  constexpr std::array<std::uint16_t, 11> kNumbers = {
      SL_OP_NONE,           SL_OP_NONE,      SL_OP_NONE,      SL_OP_ALLREDUCE,
      SL_OP_REDUCE_SCATTER, SL_OP_ALLGATHER, SL_OP_BROADCAST, SL_OP_ALLTOALL,
      SL_OP_BARRIER,        SL_OP_SEND,      SL_OP_RECV};
  return kNumbers[static_cast<std::size_t>(kind)];
}

}  // namespace

ScheduleLoop::ScheduleLoop(const Plan& plan, const Session& session, Collectives& collectives, Reporter& reporter)
    : schedule_(plan),
      rank_{session.rank()},
      collectives_(collectives),
      reporter_(reporter),
      crowded_(session.worldSize() > usableCores()) {}

Result<void> ScheduleLoop::run() {
  if (auto ready = prepareGroups(); !ready) return ready;
  if (auto done = performAll({Epoch{0}, At::Start, Step{0}}); !done) return done;
  const std::int64_t epochs = schedule_.plan().epochs();
  for (Epoch epoch{0}; epoch.value < epochs; ++epoch) {
    if (auto done = runEpoch(epoch); !done) return done;
  }
  return performAll({Epoch{epochs - 1}, At::End, Step{0}});
}

/// On the wire the world has a number of its own.
std::uint32_t ScheduleLoop::numberOf(std::size_t group) const {
  const bool is_world = static_cast<std::int64_t>(schedule_.groups()[group].size()) == schedule_.plan().worldSize();
  return is_world ? SL_WORLD : static_cast<std::uint32_t>(group + 1);
}

Result<void> ScheduleLoop::prepareGroups() {
  if (auto ready = collectives_.prepareGroups(schedule_.groups()); !ready) return ready;
  std::set<std::uint32_t> described = {SL_WORLD};
  for (const At at : {At::Start, At::EpochStart, At::Step, At::EpochEnd, At::End}) {
    for (const schedule::PlannedPhase& phase : schedule_.phasesAt(at)) {
      const auto group = schedule_.groupOf(phase.group, rank_);
      if (!group || !described.insert(numberOf(*group)).second) continue;
      std::vector<std::uint32_t> members;
      std::vector<std::int64_t> ranks;
      for (const Rank member : schedule_.groups()[*group]) {
        members.push_back(static_cast<std::uint32_t>(member.value));
        ranks.push_back(member.value);
      }
      const bool is_listed = phase.group.starts_with('[');
      reporter_.describeGroup(numberOf(*group), members,
                              is_listed ? valueText(IndexList(std::move(ranks))) : phase.group);
    }
  }
  return {};
}

Result<void> ScheduleLoop::runEpoch(Epoch epoch) {
  const auto slice = schedule_.plan().rankEpoch(epoch, rank_);
  if (!slice) return slice.error();
  reporter_.epochBegin(epoch.value, slice->batches());
  if (auto done = performAll({epoch, At::EpochStart, Step{0}}); !done) return done;
  for (Step step{0}; step.value < slice->batches(); ++step) {
    reporter_.stepBegin(step.value);
    reporter_.batch(step.value, slice->batchFingerprint(step), static_cast<std::int64_t>(slice->batch(step).size()));
    if (auto done = performAll({epoch, At::Step, step}); !done) return done;
    reporter_.stepEnd();
    ++global_step_;
  }
  reporter_.epochEnd(slice->batches());
  return performAll({epoch, At::EpochEnd, Step{0}});
}

Result<void> ScheduleLoop::performAll(const Moment& moment) {
  for (const schedule::PlannedPhase& phase : schedule_.phasesAt(moment.at)) {
    const auto operation = schedule_.operation(phase, rank_, moment);
    if (!operation) continue;
    if (auto done = perform(phase, *operation); !done) return done;
  }
  return {};
}

Result<void> ScheduleLoop::perform(const schedule::PlannedPhase& phase, const schedule::Operation& operation) {
  if (isLocal(operation.kind)) {
    const bool loads = operation.kind == Kind::Load;
    const double delay = operation.kind == Kind::Host || operation.moment.at != At::Step
                             ? 0
                             : schedule_.plan().spec().run.delayMs(rank_, loads ? "load" : "compute", global_step_);
    reporter_.phaseBegin(loads ? SL_PHASE_LOAD : SL_PHASE_COMPUTE, operation.moment.step.value);
    loads || operation.kind == Kind::Host ? loadFor(operation.ms + delay) : computeFor(operation.ms + delay, crowded_);
    reporter_.phaseEnd();
    return {};
  }
  const std::uint32_t peer = operation.peer.value < 0 ? SL_NO_PEER : static_cast<std::uint32_t>(operation.peer.value);
  reporter_.enter(wireNumber(operation.kind), static_cast<std::uint64_t>(operation.bytes), numberOf(operation.group),
                  peer);
  std::vector<float> values;
  if (!phase.values.lists.empty()) {
    const std::vector<double>& mine = phase.values.lists[static_cast<std::size_t>(rank_.value)];
    values.assign(mine.begin(), mine.end());
  }
  auto done = collectives_.perform(operation, values);
  reporter_.leave();
  return !done || values.empty() ? done : check(phase, operation, values);
}

Result<void> ScheduleLoop::check(const schedule::PlannedPhase& phase, const schedule::Operation& operation,
                                 const std::vector<float>& got) {
  const auto [found, is_first] = predicted_.try_emplace(operation.line);
  schedule::RingAllReduce& predicted = found->second;
  if (is_first) predicted = ringAllReduce(schedule_.groups()[operation.group], phase.values, operation.reduction);
  const std::string had = predicted.text({got.begin(), got.end()});
  if (is_first) {
    std::printf("%s\n", textOf(schedule::RankResult{rank_, operation.line, had}).c_str());
    std::fflush(stdout);
  }
  if (predicted.mayBe(got)) return {};
  return Error{ErrorCode::JobFailed,
               "The all_reduce gave " + had + ", and " + predicted.text(predicted.result) + " was predicted.",
               {"", 0, 0, "schedule[" + std::to_string(operation.line) + "]"},
               {}};
}

}  // namespace shardlens::rank
