/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SHARDLENS_WIRE_RECORD_H
#define SHARDLENS_WIRE_RECORD_H

/* What a rank says about itself: fixed-size records, C-compatible, no dependencies. This header is compiled into other
 * people's processes. Numbers are little-endian; times are nanoseconds of CLOCK_MONOTONIC of the rank's host. */

#include <stdint.h>

/* NOLINTBEGIN(readability-identifier-naming,modernize-use-nullptr): this is C, with the names of C. */

#ifdef __cplusplus
extern "C" {
#endif

#define SL_WIRE_VERSION 2u

/* Kinds of record. A reader skips kinds it does not know and counts them. */
enum {
  SL_HELLO = 1,       /* a = pid, b = world size; op = one of SL_ENDS_*; seq not 0 = the collector says: ranks were
                         started again, and what these do is not recorded; b = the size of the first start's world where
                         that is not the job's, else 0 */
  SL_EPOCH_BEGIN = 2, /* epoch; a = planned steps; b = 1 + the number of its pass in the probe's file, 0 = none */
  SL_EPOCH_END = 3,   /* epoch; a = steps done */
  SL_BATCH = 4, /* epoch, step: the batch that was consumed; a = XXH3-64 fingerprint, b = samples in it, 0 = not told */
  SL_PHASE_BEGIN = 5, /* op = one of SL_PHASE_*; epoch, step */
  SL_PHASE_END = 6,   /* op likewise; a = duration in ns */
  SL_COLL_ENTER = 7, /* an operation begins (arrival): op = one of SL_OP_*; group, seq; a = bytes; b = sl_operation() */
  SL_COLL_LEAVE = 8, /* it is over (release): op, group, seq as at its beginning; a = duration in ns; b likewise */
  SL_BYE = 9, /* a = exit code the rank is about to return; b = the signal that its program took as the order to end,
                 0 = none */
  SL_STEP_BEGIN = 10, /* epoch, step: the rank begins this step */
  SL_STEP_END = 11,   /* epoch, step: it has done it; steps are counted by these records and by nothing else */
  SL_GROUP = 12,      /* a group that the rank belongs to: group; a = its size; chunks of members and name follow */
  SL_GROUP_MEMBERS =
      13, /* group; a = how many ranks this chunk names; seq = the first; b = from one to the next, signed */
  SL_GROUP_NAME = 14, /* group; seq = offset in bytes; a and b = up to 16 bytes of UTF-8 text, the rest zero */
  SL_DRAWN = 15 /* the collector says what a loader drew for a step: op = which of the rank's loaders, seq = which pass
                 * of its process, epoch of the design, step; a and b as SL_BATCH */
};

enum { SL_PHASE_NONE = 0, SL_PHASE_LOAD = 1, SL_PHASE_COMPUTE = 2, SL_PHASE_COLLECTIVE = 3, SL_PHASE_DONE = 4 };

/* How a rank that ends well does so. */
enum {
  SL_ENDS_ANYHOW = 0,   /* perhaps by _exit(), without SL_BYE */
  SL_ENDS_SAYING_SO = 1 /* never without SL_BYE, as its launcher wants it (MPI_Finalize) */
};

/* Operations of a group, and from 32 on those between two of its ranks. */
enum {
  SL_OP_NONE = 0,
  SL_OP_BARRIER = 1,
  SL_OP_ALLREDUCE = 2,
  SL_OP_BROADCAST = 3, /* peer = root, as in every operation that has one */
  SL_OP_REDUCE = 4,
  SL_OP_ALLGATHER = 5,
  SL_OP_REDUCE_SCATTER = 6,
  SL_OP_ALLTOALL = 7,
  SL_OP_GATHER = 8,
  SL_OP_SCATTER = 9,
  SL_OP_SCAN = 10,      /* each rank waits for the lower ones: shown, and no waits are judged */
  SL_OP_NEW_GROUP = 11, /* groups are made of this one's members */
  SL_OP_SEND = 32,      /* peer = the rank it goes to */
  SL_OP_RECV = 33       /* peer = the rank it comes from; SL_NO_PEER = from any: such a one is shown but not joined */
};

#define SL_WORLD 0u            /* the group of all ranks; it needs no SL_GROUP */
#define SL_NO_PEER 0xFFFFFFFFu /* no root, no other side, or not known */
/* Handles from here on are of operations on a device, for which the host need not wait (NCCL). */
#define SL_DEVICE_HANDLES 0x80000000u

/* 48 bytes. Ranks are always ranks of the world. */
typedef struct sl_record {
  uint64_t time_ns;
  uint16_t kind;
  uint16_t op;
  uint32_t epoch;
  uint32_t step;
  uint32_t group; /* of the operation: the same number on every member, and of no other group of the job */
  /* Of the operation, from 0 over the whole job: the rank's count of this op in this group; of a send or recv, its
   * count of sends, or of recvs, in this group with this peer. (group, op, seq) is the join key across ranks. */
  uint64_t seq;
  uint64_t a;
  uint64_t b;
} sl_record;

/* The `b` of an operation. A rank may be in several operations at once; `handle` tells them apart: no two that are open
 * at the same time have the same. */
static inline uint64_t sl_operation(uint32_t handle, uint32_t peer) {
  return ((uint64_t)peer << 32) | handle;
}
static inline uint32_t sl_handle(uint64_t b) {
  return (uint32_t)(b & 0xFFFFFFFFu);
}
static inline uint32_t sl_peer(uint64_t b) {
  return (uint32_t)(b >> 32);
}

#ifdef __cplusplus
}
static_assert(sizeof(sl_record) == 48, "records are 48 bytes on the wire");
#endif

/* NOLINTEND(readability-identifier-naming,modernize-use-nullptr) */

#endif
