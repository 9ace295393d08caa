// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/wire/record.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shardlens {

/// One operation of a rank: a collective of a group, or a send or recv.
struct Operation {
  std::uint16_t op = SL_OP_NONE;
  std::uint32_t group = SL_WORLD;
  std::uint32_t peer = SL_NO_PEER;  ///< root, or the other side of a send or recv
  std::uint32_t handle = 0;         ///< distinguishes the operations that the rank is in at the same time
  std::uint64_t seq = 0;
  std::int64_t since_ns = 0;

  /// Its host need not wait for it: NCCL told of it.
  [[nodiscard]] bool isOnDevice() const { return handle >= SL_DEVICE_HANDLES; }
  bool operator==(const Operation&) const = default;
};

/// A stretch of time.
struct Interval {
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;

  bool operator==(const Interval&) const = default;
};

/// What the ranks' records of one operation have in common: the join key across ranks. For a send and its recv `op` is
/// SL_OP_SEND, and `from` and `to` are the two ranks; for a collective these are -1.
struct OperationKey {
  std::uint32_t group = SL_WORLD;
  std::uint16_t op = SL_OP_NONE;
  std::int64_t from = -1;
  std::int64_t to = -1;
  std::uint64_t seq = 0;
  auto operator<=>(const OperationKey&) const =
      default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 takes <=> for a 0

  [[nodiscard]] bool isPair() const { return from >= 0; }
};

/// Which ranks must come before which may leave.
enum class Meeting : std::uint8_t {
  All,       ///< no rank may leave before all have come
  FromRoot,  ///< all wait for the root
  ToRoot,    ///< the root waits for all
  Pair,      ///< recv waits for send; send for recv, unless the data was buffered
  Unknown,   ///< an operation that this version does not know: its waits are not judged
};

[[nodiscard]] Meeting meetingOf(std::uint16_t op);
[[nodiscard]] bool isPointToPoint(std::uint16_t op);

/// The operation of a COLL_ENTER or COLL_LEAVE, since its time.
[[nodiscard]] Operation operationOf(const sl_record& record);
/// The key of this rank's operation. A recv from any rank has none that another rank shares: see isJoinable().
[[nodiscard]] OperationKey keyOf(std::int64_t rank, const Operation& operation);
[[nodiscard]] bool isJoinable(const Operation& operation);

/// "all_reduce", "barrier", "recv", ...: as the frameworks spell it.
[[nodiscard]] const char* operationName(std::uint32_t op);
/// "all_reduce", "recv from rank 3".
[[nodiscard]] std::string operationText(const Operation& operation);

/// An operation in the trace of a rank that another tool wrote.
struct TracedCall {
  std::string operation;  ///< "all_reduce #41 of group data"
  std::string state;      ///< "scheduled", "started", "completed"; empty: not told
  std::string code;       ///< where the program called it: "step (train.py:31)"; empty: not told
};

/// How the traces of a job end, when another tool wrote them: when it noticed that the job hangs, or when it was asked.
/// Such a trace is a still: no time passes after its last operation, and nothing says how long the job stood there.
struct TraceEnd {
  /// Whether whoever asked the rank got an answer.
  enum class Lost : std::uint8_t { No, Silent, Dead };
  struct OfRank {
    std::optional<TracedCall> open;    ///< the oldest that is not over
    std::optional<TracedCall> newest;  ///< nothing: the rank called none
    bool is_cut = false;               ///< newer operations may be missing
    Lost lost = Lost::No;
  };
  std::vector<OfRank> ranks;  ///< by rank; empty where a rank has no trace
  std::string source;         ///< "PyTorch Flight Recorder"
  bool tells_times = true;
};

}  // namespace shardlens
