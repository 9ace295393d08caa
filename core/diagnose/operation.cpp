// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/operation.h"

namespace shardlens {

Meeting meetingOf(std::uint16_t op) {
  switch (op) {
    case SL_OP_BARRIER:
    case SL_OP_ALLREDUCE:
    case SL_OP_ALLGATHER:
    case SL_OP_REDUCE_SCATTER:
    case SL_OP_ALLTOALL:
    case SL_OP_NEW_GROUP:
      return Meeting::All;
    case SL_OP_BROADCAST:
    case SL_OP_SCATTER:
      return Meeting::FromRoot;
    case SL_OP_REDUCE:
    case SL_OP_GATHER:
      return Meeting::ToRoot;
    case SL_OP_SEND:
    case SL_OP_RECV:
      return Meeting::Pair;
    default:
      return Meeting::Unknown;
  }
}

bool isPointToPoint(std::uint16_t op) {
  return op == SL_OP_SEND || op == SL_OP_RECV;
}

Operation operationOf(const sl_record& record) {
  return {record.op,           record.group, sl_peer(record.b),
          sl_handle(record.b), record.seq,   static_cast<std::int64_t>(record.time_ns)};
}

OperationKey keyOf(std::int64_t rank, const Operation& operation) {
  if (!isPointToPoint(operation.op)) return {operation.group, operation.op, -1, -1, operation.seq};
  const auto peer = static_cast<std::int64_t>(operation.peer);
  const bool sends = operation.op == SL_OP_SEND;
  return {operation.group, SL_OP_SEND, sends ? rank : peer, sends ? peer : rank, operation.seq};
}

bool isJoinable(const Operation& operation) {
  return !isPointToPoint(operation.op) || operation.peer != SL_NO_PEER;
}

const char* operationName(std::uint32_t op) {
  switch (op) {
    case SL_OP_BARRIER:
      return "barrier";
    case SL_OP_ALLREDUCE:
      return "all_reduce";
    case SL_OP_BROADCAST:
      return "broadcast";
    case SL_OP_REDUCE:
      return "reduce";
    case SL_OP_ALLGATHER:
      return "all_gather";
    case SL_OP_REDUCE_SCATTER:
      return "reduce_scatter";
    case SL_OP_ALLTOALL:
      return "all_to_all";
    case SL_OP_GATHER:
      return "gather";
    case SL_OP_SCATTER:
      return "scatter";
    case SL_OP_SCAN:
      return "scan";
    case SL_OP_NEW_GROUP:
      return "new_group";
    case SL_OP_SEND:
      return "send";
    case SL_OP_RECV:
      return "recv";
    default:
      return "an unknown operation";
  }
}

std::string operationText(const Operation& operation) {
  std::string text = operationName(operation.op);
  if (!isPointToPoint(operation.op)) return text;
  if (operation.peer == SL_NO_PEER) return text + " from any rank";
  return text + (operation.op == SL_OP_SEND ? " to rank " : " from rank ") + std::to_string(operation.peer);
}

}  // namespace shardlens
