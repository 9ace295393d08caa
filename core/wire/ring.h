/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SHARDLENS_WIRE_RING_H
#define SHARDLENS_WIRE_RING_H

/* A ring of records in shared memory, one writer (a thread of the rank) and one reader (the collector), and the "what
 * am I in" slot next to it. The writer never waits: a full ring drops the record and counts it. Works between processes
 * and survives the writer's death: what was written can still be read. C-compatible, no dependencies but a GNU-like
 * compiler.
 *
 * Memory: sl_ring_header, then `capacity` records. `head` and `tail` count records from the beginning and never wrap in
 * practice; record k is at index k mod capacity. */

#include "core/wire/record.h"

#include <stddef.h>
#include <string.h>

/* NOLINTBEGIN(readability-identifier-naming,modernize-use-nullptr): this is C, with the names of C. */

#ifdef __cplusplus
extern "C" {
#endif

#define SL_RING_MAGIC 0x474E49524E454C53ull /* "SLENRING" */
#define SL_RING_HOST_BYTES 64

/* What the rank is in right now. A sequence lock: odd = being written. Of several open operations it shows the one that
 * has been open longest: the others wait for it, so that is where a rank hangs. */
typedef struct sl_slot {
  uint32_t version;
  uint32_t phase; /* SL_PHASE_*: SL_PHASE_COLLECTIVE while in an operation and in no other phase */
  uint32_t op;    /* SL_OP_*, group, peer and handle of the operation; SL_OP_NONE while there is none */
  uint32_t group;
  uint32_t peer;
  uint32_t handle;
  uint32_t epoch;
  uint32_t step;
  uint64_t seq;      /* of the operation */
  uint64_t since_ns; /* when the phase, or the operation, began */
  uint64_t time_ns;  /* when the slot was written */
} sl_slot;

/* The writer's, the reader's and the fixed fields each have their own cache lines. */
typedef struct sl_ring_header {
  uint64_t magic; /* written last: a ring without it is not ready */
  uint32_t version;
  uint32_t header_bytes;
  uint64_t capacity; /* records, a power of two */
  uint32_t rank;
  uint32_t world_size;
  uint64_t pid;
  uint64_t start_time; /* of the process, clock ticks since boot */
  uint64_t started_ns; /* CLOCK_MONOTONIC when the ring was made */
  char host[SL_RING_HOST_BYTES];
  uint64_t world; /* the same number in all rings of one start of ranks; 0 = not known */

  uint64_t head; /* records written; the writer's */
  uint64_t dropped;
  sl_slot slot;
  char pad1[64 - (16 + sizeof(sl_slot)) % 64];

  uint64_t tail; /* records read; the reader's */
  char pad2[56];
} sl_ring_header;

#ifdef __cplusplus
static_assert(sizeof(sl_ring_header) % 64 == 0 && offsetof(sl_ring_header, head) % 64 == 0 &&
                  offsetof(sl_ring_header, tail) % 64 == 0,
              "writer and reader must not share a cache line");
#endif

static inline size_t sl_ring_bytes(uint64_t capacity) {
  return sizeof(sl_ring_header) + (size_t)capacity * sizeof(sl_record);
}

static inline sl_record* sl_ring_records(sl_ring_header* ring) {
  return (sl_record*)(void*)((char*)ring + sizeof(sl_ring_header));
}

/* Makes zeroed memory of sl_ring_bytes(capacity) a ring. `capacity` is a power of two. */
static inline void sl_ring_init(sl_ring_header* ring, uint64_t capacity, uint32_t rank, uint32_t world_size) {
  ring->version = SL_WIRE_VERSION;
  ring->header_bytes = (uint32_t)sizeof(sl_ring_header);
  ring->capacity = capacity;
  ring->rank = rank;
  ring->world_size = world_size;
  __atomic_store_n(&ring->magic, SL_RING_MAGIC, __ATOMIC_RELEASE);
}

/* Whether `bytes` of mapped memory hold a ring that can be read safely. */
static inline int sl_ring_is_valid(const sl_ring_header* ring, size_t bytes) {
  if (bytes < sizeof(sl_ring_header) || __atomic_load_n(&ring->magic, __ATOMIC_ACQUIRE) != SL_RING_MAGIC) return 0;
  if (ring->version != SL_WIRE_VERSION || ring->header_bytes != sizeof(sl_ring_header)) return 0;
  if (ring->capacity == 0 || (ring->capacity & (ring->capacity - 1)) != 0) return 0;
  return ring->capacity <= (bytes - sizeof(sl_ring_header)) / sizeof(sl_record);
}

/* Writer: 1 when the record went in, 0 when the ring was full and it was counted as dropped. */
static inline int sl_ring_push(sl_ring_header* ring, const sl_record* record) {
  const uint64_t head = __atomic_load_n(&ring->head, __ATOMIC_RELAXED);
  const uint64_t capacity = ring->capacity;
  if (head - __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE) >= capacity) {
    __atomic_store_n(&ring->dropped, ring->dropped + 1, __ATOMIC_RELAXED);
    return 0;
  }
  sl_ring_records(ring)[head & (capacity - 1)] = *record;
  __atomic_store_n(&ring->head, head + 1, __ATOMIC_RELEASE);
  return 1;
}

/* Reader: copies at most `most` records out and returns how many. `capacity` is the one that was validated: the memory
 * belongs to another process, which may have written anything since. */
static inline size_t sl_ring_pop(sl_ring_header* ring, uint64_t capacity, sl_record* out, size_t most) {
  const uint64_t tail = ring->tail;
  uint64_t count = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE) - tail;
  uint64_t i;
  if (count > capacity) count = capacity;
  if (count > most) count = most;
  for (i = 0; i < count; ++i) out[i] = sl_ring_records(ring)[(tail + i) & (capacity - 1)];
  __atomic_store_n(&ring->tail, tail + count, __ATOMIC_RELEASE);
  return (size_t)count;
}

static inline uint64_t sl_ring_dropped(const sl_ring_header* ring) {
  return __atomic_load_n(&ring->dropped, __ATOMIC_RELAXED);
}

/* Writer: what the rank is in from now on. `slot->version` is not used. */
static inline void sl_slot_write(sl_ring_header* ring, const sl_slot* slot) {
  sl_slot* to = &ring->slot;
  const uint32_t version = __atomic_load_n(&to->version, __ATOMIC_RELAXED);
  __atomic_store_n(&to->version, version + 1, __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  __atomic_store_n(&to->phase, slot->phase, __ATOMIC_RELAXED);
  __atomic_store_n(&to->op, slot->op, __ATOMIC_RELAXED);
  __atomic_store_n(&to->group, slot->group, __ATOMIC_RELAXED);
  __atomic_store_n(&to->peer, slot->peer, __ATOMIC_RELAXED);
  __atomic_store_n(&to->handle, slot->handle, __ATOMIC_RELAXED);
  __atomic_store_n(&to->epoch, slot->epoch, __ATOMIC_RELAXED);
  __atomic_store_n(&to->step, slot->step, __ATOMIC_RELAXED);
  __atomic_store_n(&to->seq, slot->seq, __ATOMIC_RELAXED);
  __atomic_store_n(&to->since_ns, slot->since_ns, __ATOMIC_RELAXED);
  __atomic_store_n(&to->time_ns, slot->time_ns, __ATOMIC_RELAXED);
  __atomic_store_n(&to->version, version + 2, __ATOMIC_RELEASE);
}

/* Reader: 1 and a consistent slot, or 0 when the writer was in it (or died in it) each time. */
static inline int sl_slot_read(const sl_ring_header* ring, sl_slot* out) {
  const sl_slot* from = &ring->slot;
  int attempt;
  for (attempt = 0; attempt < 8; ++attempt) {
    const uint32_t before = __atomic_load_n(&from->version, __ATOMIC_ACQUIRE);
    out->phase = __atomic_load_n(&from->phase, __ATOMIC_RELAXED);
    out->op = __atomic_load_n(&from->op, __ATOMIC_RELAXED);
    out->group = __atomic_load_n(&from->group, __ATOMIC_RELAXED);
    out->peer = __atomic_load_n(&from->peer, __ATOMIC_RELAXED);
    out->handle = __atomic_load_n(&from->handle, __ATOMIC_RELAXED);
    out->epoch = __atomic_load_n(&from->epoch, __ATOMIC_RELAXED);
    out->step = __atomic_load_n(&from->step, __ATOMIC_RELAXED);
    out->seq = __atomic_load_n(&from->seq, __ATOMIC_RELAXED);
    out->since_ns = __atomic_load_n(&from->since_ns, __ATOMIC_RELAXED);
    out->time_ns = __atomic_load_n(&from->time_ns, __ATOMIC_RELAXED);
    out->version = before;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if ((before & 1u) == 0 && __atomic_load_n(&from->version, __ATOMIC_RELAXED) == before) return 1;
  }
  return 0;
}

#ifdef __cplusplus
}
#endif

/* NOLINTEND(readability-identifier-naming,modernize-use-nullptr) */

#endif
