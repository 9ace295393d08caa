// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/record/event.h"
#include "core/wire/group.h"

#include <cstdint>
#include <string>
#include <vector>

/// Runs made by hand: times in milliseconds after an arbitrary beginning.
namespace shardlens::test {

constexpr std::int64_t kStart = 1'000'000'000'000;

inline std::int64_t at(double ms) {
  return kStart + static_cast<std::int64_t>(ms * 1e6);
}

inline Event begin(std::int64_t world_size, std::int64_t cores = 64) {
  RunBegin begin;
  begin.name = "by hand";
  begin.world_size = world_size;
  begin.cores = cores;
  begin.planned_steps = 100;
  begin.host = "here";
  return {kStart, begin};
}

struct RecordFields {
  std::uint16_t op = 0;
  std::uint32_t epoch = 0;
  std::uint32_t step = 0;
  std::uint64_t seq = 0;
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  std::uint32_t group = SL_WORLD;
};

inline Event record(double ms, std::int64_t rank, std::uint16_t kind, const RecordFields& fields = {}) {
  const sl_record raw = {static_cast<std::uint64_t>(at(ms)),
                         kind,
                         fields.op,
                         fields.epoch,
                         fields.step,
                         fields.group,
                         fields.seq,
                         fields.a,
                         fields.b};
  return {at(ms), RankRecord{rank, raw}};
}

/// What the rank's slot said at `ms`, that it is in `op` since `since_ms`.
inline Event slot(double ms, std::int64_t rank, std::uint32_t phase, double since_ms, const RecordFields& fields = {}) {
  sl_slot raw{};
  raw.phase = phase;
  raw.op = fields.op;
  raw.group = fields.group;
  raw.handle = sl_handle(fields.b);
  raw.peer = sl_peer(fields.b);
  raw.epoch = fields.epoch;
  raw.step = fields.step;
  raw.seq = fields.seq;
  raw.since_ns = static_cast<std::uint64_t>(at(since_ms));
  raw.time_ns = static_cast<std::uint64_t>(at(ms));
  return {at(ms), RankSlot{rank, raw}};
}

/// The records in which a member describes its group.
inline std::vector<sl_record> groupRecords(std::uint32_t group, const std::vector<std::uint32_t>& members,
                                           const std::string& name = {}) {
  std::vector<sl_record> records(1);
  sl_group_begin(&records[0], group, members.size());
  for (std::size_t done = 0; done < members.size();) {
    records.emplace_back();
    done += sl_group_members(&records.back(), group, members.data(), done, members.size());
  }
  for (std::size_t done = 0; done < name.size();) {
    records.emplace_back();
    done += sl_group_name(&records.back(), group, name.c_str(), done);
  }
  return records;
}

/// Each member describes the group.
inline void addGroup(std::vector<Event>& events, double ms, std::uint32_t group,
                     const std::vector<std::uint32_t>& members, const std::string& name = {}) {
  for (const std::uint32_t rank : members) {
    for (sl_record one : groupRecords(group, members, name)) {
      one.time_ns = static_cast<std::uint64_t>(at(ms));
      events.push_back({at(ms), RankRecord{rank, one}});
    }
  }
}

/// One rank's step: loads from `from`, computes, enters the all-reduce `seq` and leaves it.
inline void addStep(std::vector<Event>& events, std::int64_t rank, std::uint64_t seq, double from, double load,
                    double compute, double release) {
  const auto step = static_cast<std::uint32_t>(seq);
  const auto ns = [](double ms) { return static_cast<std::uint64_t>(ms * 1e6); };
  const std::uint64_t handle = sl_operation(step + 1, SL_NO_PEER);
  events.push_back(record(from, rank, SL_STEP_BEGIN, {0, 0, step}));
  events.push_back(record(from, rank, SL_PHASE_BEGIN, {SL_PHASE_LOAD, 0, step}));
  events.push_back(record(from + load, rank, SL_PHASE_END, {SL_PHASE_LOAD, 0, step, 0, ns(load)}));
  events.push_back(record(from + load, rank, SL_BATCH, {0, 0, step, 0, 1000 + seq, 4}));
  events.push_back(record(from + load, rank, SL_PHASE_BEGIN, {SL_PHASE_COMPUTE, 0, step}));
  events.push_back(record(from + load + compute, rank, SL_PHASE_END, {SL_PHASE_COMPUTE, 0, step, 0, ns(compute)}));
  events.push_back(record(from + load + compute, rank, SL_COLL_ENTER, {SL_OP_ALLREDUCE, 0, step, seq, 4000, handle}));
  events.push_back(record(release, rank, SL_COLL_LEAVE,
                          {SL_OP_ALLREDUCE, 0, step, seq, ns(release - from - load - compute), handle}));
  events.push_back(record(release, rank, SL_STEP_END, {0, 0, step}));
}

}  // namespace shardlens::test
