/* SPDX-License-Identifier: Apache-2.0 */
/* Operations: NCCL starts their event when it hands them to the GPU, stops it when they are in the queue, and then
 * tells of each channel of the kernel when it begins and when it has ended. The rank comes to an operation with the
 * first channel: what is queued before it on the GPU may take long. It is over with the last one. */
#include "app/probe/nccl/probe.h"

#include <string.h>

/* How far the operations of a communicator may be ahead of one that was queued before them: one of whose channels no
 * more is heard after that is over. */
enum { kLongAgo = 64, kAtOnce = 4 };

/* Names: what NCCL keeps for an event. */

/* Never 0. Nothing is read where a name says: it may be of an operation that is long over, or made up. */
static uint64_t nameOf(const sl_nccl_comm* comm, uint64_t number) {
  return number << 20 | (uint64_t)comm->index << 8 | 1u;
}
static uint64_t channelName(uint64_t of_op, uint8_t channel) {
  return of_op | (uint64_t)channel << 2 | 2u;
}
static int isChannel(uint64_t name) {
  return (name & 2u) != 0;
}

static sl_nccl_op* find(uint64_t name, sl_nccl_comm** comm) {
  const uint64_t number = name >> 20;
  sl_nccl_op* op;
  *comm = (name & 1u) != 0 ? sl_nccl_comm_at(name >> 8 & (SL_NCCL_COMMS - 1)) : NULL;
  if (*comm == NULL || number == 0) return NULL;
  op = &(*comm)->ops[number % SL_NCCL_PLACES];
  return __atomic_load_n(&op->number, __ATOMIC_ACQUIRE) == number ? op : NULL;
}

static uint16_t codeOf(const char* function) {
  static const struct {
    const char* name;
    uint16_t code;
  } known[] = {{"AllReduce", SL_OP_ALLREDUCE},  {"AllGather", SL_OP_ALLGATHER},
               {"AllGatherV", SL_OP_ALLGATHER}, {"ReduceScatter", SL_OP_REDUCE_SCATTER},
               {"Broadcast", SL_OP_BROADCAST},  {"Reduce", SL_OP_REDUCE},
               {"AlltoAll", SL_OP_ALLTOALL},    {"Gather", SL_OP_GATHER},
               {"Scatter", SL_OP_SCATTER}};
  size_t i;
  for (i = 0; function != NULL && i < sizeof(known) / sizeof(known[0]); ++i) {
    if (strcmp(function, known[i].name) == 0) return known[i].code;
  }
  return SL_NCCL_UNKNOWN;
}

static int hasRoot(uint16_t code) {
  return code == SL_OP_BROADCAST || code == SL_OP_REDUCE || code == SL_OP_GATHER || code == SL_OP_SCATTER;
}

/* "ncclFloat32", "ncclBfloat16", "ncclFloat8e4m3": the first number in it. 0: not known. */
static uint64_t bytesOf(const char* type) {
  uint64_t bits = 0;
  if (type == NULL) return 0;
  while (*type != '\0' && (*type < '0' || *type > '9')) ++type;
  for (; *type >= '0' && *type <= '9' && bits < 1000; ++type) bits = bits * 10 + (uint64_t)(*type - '0');
  return bits / 8;
}

static uint64_t next(uint64_t* count) {
  return __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
}

/* 0 when it is none that can be waited for: NCCL tells of no kernel where a rank sends to itself. */
static int setPair(sl_nccl_op* op, sl_nccl_comm* comm, const sl_nccl_begun* begun) {
  const int sends = begun->function != NULL && strcmp(begun->function, "Send") == 0;
  if (begun->peer < 0 || (uint32_t)begun->peer >= comm->size || (uint32_t)begun->peer == comm->rank) return 0;
  op->code = sends ? SL_OP_SEND : SL_OP_RECV;
  op->peer = sl_nccl_world_rank(comm, begun->peer);
  op->seq = next(&(sends ? comm->sends : comm->recvs)[begun->peer]);
  return 1;
}

static void setCollective(sl_nccl_op* op, sl_nccl_comm* comm, const sl_nccl_begun* begun) {
  op->code = codeOf(begun->function);
  op->peer = hasRoot(op->code) ? sl_nccl_world_rank(comm, begun->peer) : SL_NO_PEER;
  op->seq = next(&comm->seq[op->code]);
}

uint64_t sl_nccl_op_begin(sl_nccl_comm* comm, const sl_nccl_begun* begun, int is_pair) {
  sl_nccl_op fresh;
  sl_nccl_op* op;
  uint64_t number;
  memset(&fresh, 0, sizeof(fresh));
  fresh.seat = __atomic_load_n(&comm->seat, __ATOMIC_ACQUIRE);
  if (fresh.seat == NULL || sl_nccl_is_off()) return 0;
  sl_nccl_describe(comm);
  if (is_pair && !setPair(&fresh, comm, begun)) return 0;
  if (!is_pair) setCollective(&fresh, comm, begun);
  number = next(&comm->numbers) + 1;
  op = &comm->ops[number % SL_NCCL_PLACES];
  if (__atomic_load_n(&op->number, __ATOMIC_ACQUIRE) != 0) return (sl_nccl_lose(fresh.seat), 0);
  fresh.bytes = begun->count * bytesOf(begun->type);
  fresh.group = comm->group;
  fresh.handle = sl_nccl_next_handle(fresh.seat);
  fresh.channels = begun->channels <= SL_NCCL_CHANNELS ? begun->channels : 0;
  *op = fresh;
  __atomic_store_n(&op->number, number, __ATOMIC_RELEASE);
  return nameOf(comm, number);
}

/* The record of an operation's beginning comes before that of its end, whichever threads tell them: who is second writes
 * the end. */
enum { kEntering = 1, kEntered = 2, kOver = 4 };

/* 0 when that could not be kept, and the operation is forgotten. */
static int enter(sl_nccl_op* op, uint64_t time_ns) {
  if ((__atomic_fetch_or(&op->is_entered, kEntering, __ATOMIC_ACQ_REL) & kEntering) != 0) return 1;
  op->since_ns = time_ns;
  if (sl_nccl_enter(op)) {
    if ((__atomic_fetch_or(&op->is_entered, kEntered, __ATOMIC_ACQ_REL) & kOver) == 0) return 1;
    if (!sl_nccl_leave(op, sl_now())) __atomic_store_n(&op->is_over, 0, __ATOMIC_RELEASE);
    return 1;
  }
  sl_nccl_lose(op->seat);
  __atomic_store_n(&op->number, 0, __ATOMIC_RELEASE);
  return 0;
}

/* Kernels of a communicator begin one after the other, and where one kernel does several operations, their channels may
 * be told in any order: records keep that of the queue. */
static void enterUpTo(sl_nccl_comm* comm, uint64_t number, uint64_t time_ns) {
  uint64_t next = __atomic_load_n(&comm->entered, __ATOMIC_RELAXED) + 1;
  for (; next <= number; ++next) {
    sl_nccl_op* const op = &comm->ops[next % SL_NCCL_PLACES];
    if (__atomic_load_n(&op->number, __ATOMIC_ACQUIRE) == next) (void)enter(op, time_ns);
    __atomic_store_n(&comm->entered, next, __ATOMIC_RELAXED);
  }
}

uint64_t sl_nccl_channel_begin(uint64_t of_op, uint8_t channel) {
  sl_nccl_comm* comm;
  sl_nccl_op* const op = isChannel(of_op) || channel >= SL_NCCL_CHANNELS ? NULL : find(of_op, &comm);
  if (op == NULL || sl_nccl_is_off()) return 0;
  if (__atomic_fetch_or(&op->started, (uint64_t)1 << channel, __ATOMIC_RELAXED) == 0) {
    const uint64_t time_ns = sl_now();
    enterUpTo(comm, of_op >> 20, time_ns);
    if (!enter(op, time_ns)) return 0;
  }
  return channelName(of_op, channel);
}

/* NCCL says how many channels there will be; where it does not (NVLS, CollNet), it is those that have begun. */
static int isComplete(const sl_nccl_op* op, uint64_t stopped) {
  if (op->channels != 0) return __builtin_popcountll(stopped) >= op->channels;
  return stopped != 0 && stopped == __atomic_load_n(&op->started, __ATOMIC_RELAXED);
}

/* One whose end cannot be kept is over when the next ones are. */
static void over(sl_nccl_op* op, uint64_t time_ns) {
  if (__atomic_exchange_n(&op->is_over, 1, __ATOMIC_ACQ_REL) != 0) return;
  if (!enter(op, time_ns)) return;
  if ((__atomic_fetch_or(&op->is_entered, kOver, __ATOMIC_ACQ_REL) & kEntered) == 0) return;
  if (!sl_nccl_leave(op, time_ns)) __atomic_store_n(&op->is_over, 0, __ATOMIC_RELEASE);
}

/* Kernels of a communicator run one after the other: what is older by many is over when this one is. */
static void settleOld(sl_nccl_comm* comm, uint64_t number, uint64_t time_ns) {
  int i;
  for (i = 0; i < kAtOnce; ++i) {
    uint64_t settled = __atomic_load_n(&comm->settled, __ATOMIC_RELAXED);
    sl_nccl_op* const op = &comm->ops[(settled + 1) % SL_NCCL_PLACES];
    if (settled + 1 + kLongAgo > number) return;
    if (__atomic_load_n(&op->number, __ATOMIC_ACQUIRE) == settled + 1) {
      if (__atomic_load_n(&op->stopped, __ATOMIC_RELAXED) != __atomic_load_n(&op->started, __ATOMIC_RELAXED)) return;
      over(op, time_ns);
    }
    (void)__atomic_compare_exchange_n(&comm->settled, &settled, settled + 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  }
}

void sl_nccl_end(uint64_t name) {
  sl_nccl_comm* comm;
  sl_nccl_op* const op = find(name, &comm);
  uint64_t stopped;
  uint64_t time_ns;
  if (op == NULL || sl_nccl_is_off()) return;
  if (isChannel(name)) {
    stopped = (uint64_t)1 << (name >> 2 & (SL_NCCL_CHANNELS - 1));
    stopped |= __atomic_fetch_or(&op->stopped, stopped, __ATOMIC_SEQ_CST);
    if (!__atomic_load_n(&op->is_handed_over, __ATOMIC_SEQ_CST) || !isComplete(op, stopped)) return;
  } else {
    __atomic_store_n(&op->is_handed_over, 1, __ATOMIC_SEQ_CST);
    if (!isComplete(op, __atomic_load_n(&op->stopped, __ATOMIC_SEQ_CST))) return;
  }
  time_ns = sl_now();
  over(op, time_ns);
  settleOld(comm, name >> 20, time_ns);
}

void sl_nccl_ops_over(sl_nccl_comm* comm) {
  const uint64_t time_ns = sl_now();
  size_t i;
  for (i = 0; i < SL_NCCL_PLACES; ++i) {
    if (__atomic_load_n(&comm->ops[i].number, __ATOMIC_ACQUIRE) != 0) over(&comm->ops[i], time_ns);
  }
}
