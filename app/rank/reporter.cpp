// SPDX-License-Identifier: Apache-2.0
#include "app/rank/reporter.h"

#include "core/wire/group.h"

#include <cstring>

namespace shardlens::rank {

std::string Reporter::open(const std::string& job_dir, std::int64_t rank, std::int64_t world_size) {
  const int error =
      sl_ring_create(&map_, job_dir.c_str(), static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(world_size));
  if (error != 0 || map_.ring == nullptr)
    return "No ring could be created in " + job_dir + ": " + std::strerror(error) + ".";
  push(SL_HELLO, map_.ring->pid, static_cast<std::uint64_t>(world_size));
  return {};
}

void Reporter::push(std::uint16_t kind, std::uint64_t a, std::uint64_t b) {
  now_.kind = kind;
  now_.a = a;
  now_.b = b;
  send(now_);
}

void Reporter::send(sl_record& record) {
  if (map_.ring == nullptr) return;
  record.time_ns = sl_now();
  (void)sl_ring_push(map_.ring, &record);
}

void Reporter::describeGroup(std::uint32_t group, const std::vector<std::uint32_t>& members, const std::string& name) {
  sl_record record{};
  sl_group_begin(&record, group, members.size());
  send(record);
  for (std::size_t first = 0; first < members.size();) {
    first += sl_group_members(&record, group, members.data(), first, members.size());
    send(record);
  }
  for (std::size_t first = 0; first < name.size();) {
    first += sl_group_name(&record, group, name.c_str(), first);
    send(record);
  }
}

void Reporter::show(std::uint16_t phase, std::uint16_t op) {
  if (map_.ring == nullptr) return;
  const sl_slot slot = {0,          phase,     op,       now_.group, peer_,       handle_,
                        now_.epoch, now_.step, now_.seq, began_ns_,  now_.time_ns};
  sl_slot_write(map_.ring, &slot);
}

void Reporter::epochBegin(std::int64_t epoch, std::int64_t planned_steps) {
  now_.op = SL_OP_NONE;
  now_.epoch = static_cast<std::uint32_t>(epoch);
  now_.step = 0;
  push(SL_EPOCH_BEGIN, static_cast<std::uint64_t>(planned_steps));
}

void Reporter::epochEnd(std::int64_t steps) {
  now_.op = SL_OP_NONE;
  push(SL_EPOCH_END, static_cast<std::uint64_t>(steps));
}

void Reporter::stepBegin(std::int64_t step) {
  now_.op = SL_OP_NONE;
  now_.step = static_cast<std::uint32_t>(step);
  push(SL_STEP_BEGIN, 0);
}

void Reporter::stepEnd() {
  now_.op = SL_OP_NONE;
  push(SL_STEP_END, 0);
}

void Reporter::batch(std::int64_t step, std::uint64_t fingerprint, std::int64_t samples) {
  now_.op = SL_OP_NONE;
  now_.step = static_cast<std::uint32_t>(step);
  push(SL_BATCH, fingerprint, static_cast<std::uint64_t>(samples));
}

void Reporter::phaseBegin(std::uint16_t phase, std::int64_t step) {
  now_.op = phase;
  now_.step = static_cast<std::uint32_t>(step);
  push(SL_PHASE_BEGIN, 0);
  began_ns_ = now_.time_ns;
  show(phase, SL_OP_NONE);
}

void Reporter::phaseEnd() {
  push(SL_PHASE_END, sl_now() - began_ns_);
  began_ns_ = now_.time_ns;
  show(SL_PHASE_NONE, SL_OP_NONE);
}

void Reporter::enter(std::uint16_t op, std::uint64_t bytes, std::uint32_t group, std::uint32_t peer) {
  now_.op = op;
  now_.group = group;
  now_.seq = next_seq_[{group, op, op >= SL_OP_SEND ? peer : SL_NO_PEER}]++;
  peer_ = peer;
  push(SL_COLL_ENTER, bytes, sl_operation(++handle_, peer));
  began_ns_ = now_.time_ns;
  show(SL_PHASE_COLLECTIVE, op);
}

void Reporter::leave() {
  push(SL_COLL_LEAVE, sl_now() - began_ns_, sl_operation(handle_, peer_));
  began_ns_ = now_.time_ns;
  now_.group = SL_WORLD;
  peer_ = SL_NO_PEER;
  show(SL_PHASE_NONE, SL_OP_NONE);
}

void Reporter::bye(int exit_code) {
  now_.op = SL_OP_NONE;
  push(SL_BYE, static_cast<std::uint64_t>(exit_code));
  began_ns_ = now_.time_ns;
  show(SL_PHASE_DONE, SL_OP_NONE);
}

}  // namespace shardlens::rank
