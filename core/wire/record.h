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

#define SL_WIRE_VERSION 1u

/* Kinds of record. A reader skips kinds it does not know and counts them. */
enum {
  SL_HELLO = 1,       /* a = pid, b = world size */
  SL_EPOCH_BEGIN = 2, /* epoch; a = planned steps */
  SL_EPOCH_END = 3,   /* epoch; a = steps done */
  SL_BATCH = 4,       /* epoch, step: the batch that was consumed; a = XXH3-64 fingerprint, b = samples in it */
  SL_PHASE_BEGIN = 5, /* op = one of SL_PHASE_*; epoch, step */
  SL_PHASE_END = 6,   /* op likewise; a = duration in ns */
  SL_COLL_ENTER = 7,  /* op = one of SL_OP_*; seq; a = bytes: arrival */
  SL_COLL_LEAVE = 8,  /* op, seq: release; a = duration in ns */
  SL_BYE = 9          /* a = exit code the rank is about to return */
};

enum { SL_PHASE_NONE = 0, SL_PHASE_LOAD = 1, SL_PHASE_COMPUTE = 2, SL_PHASE_COLLECTIVE = 3, SL_PHASE_DONE = 4 };

enum { SL_OP_NONE = 0, SL_OP_BARRIER = 1, SL_OP_ALLREDUCE = 2, SL_OP_BROADCAST = 3 };

/* 48 bytes. */
typedef struct sl_record {
  uint64_t time_ns;
  uint16_t kind;
  uint16_t op;
  uint32_t epoch;
  uint32_t step;
  uint32_t reserved;
  uint64_t seq; /* of the collective on its communicator, from 0 over the whole job; the join key across ranks */
  uint64_t a;
  uint64_t b;
} sl_record;

#ifdef __cplusplus
}
static_assert(sizeof(sl_record) == 48, "records are 48 bytes on the wire");
#endif

/* NOLINTEND(readability-identifier-naming,modernize-use-nullptr) */

#endif
