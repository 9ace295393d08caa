/* SPDX-License-Identifier: Apache-2.0 */
/* What a rank is in, for shardlens_probe/live.py: it makes the rank's ring, and writes records and the slot. Loaded
 * with ctypes.PyDLL, so each call holds the GIL: the ring has one writer at a time, whatever thread calls. No call
 * waits, allocates or prints, and after shardlens_live_open() none makes a system call but the one that reads the
 * clock, which is none where the kernel shares it. What each call reports: app/probe/README.md. */
#define _GNU_SOURCE /* on_exit() */
#include "app/probe/native/join.h"
#include "core/wire/group.h"
#include "core/wire/ring_file.h"

#include <signal.h>
#include <stdlib.h>

enum { kMostOpen = 64, kCounters = 4096 };
enum { kNoStep = 0, kBegun = 1, kLearned = 2 /* a backward pass is over */ };

/* How often an operation was called: by group, op and, of sends and recvs, peer. */
struct counter {
  uint64_t key; /* 0 = free */
  uint64_t count;
};

/* Operations that have not ended, the oldest first. */
struct open {
  uint32_t handle;
  uint32_t group;
  uint32_t peer;
  uint16_t op;
  uint64_t seq;
  uint64_t since_ns;
};

static struct {
  sl_ring_map map;
  uint32_t epoch, step;
  uint16_t phase; /* SL_PHASE_LOAD, SL_PHASE_COMPUTE or SL_PHASE_NONE */
  uint64_t phase_ns;
  uint64_t idle_ns; /* when it began to be in nothing */
  int in_step;      /* kNoStep, or how far the step is */
  uint32_t handle;  /* of the last operation */
  uint32_t most;    /* of `open` that are used */
  struct open open[kMostOpen];
  struct counter counters[kCounters];
  uint32_t counted;
  uint64_t news; /* records so far, those that found the ring full as well */
} live;

static void push(uint16_t kind, uint16_t op, uint64_t time_ns, uint64_t a, uint64_t b) {
  sl_record record;
  memset(&record, 0, sizeof(record));
  record.time_ns = time_ns;
  record.kind = kind;
  record.op = op;
  record.epoch = live.epoch;
  record.step = live.step;
  record.a = a;
  record.b = b;
  if (kind == SL_STEP_BEGIN) live.in_step = kBegun;
  if (kind == SL_STEP_END) live.in_step = kNoStep;
  ++live.news;
  (void)sl_ring_push(live.map.ring, &record);
}

static void push_operation(uint16_t kind, const struct open* one, uint64_t time_ns, uint64_t a) {
  sl_record record;
  memset(&record, 0, sizeof(record));
  record.time_ns = time_ns;
  record.kind = kind;
  record.op = one->op;
  record.epoch = live.epoch;
  record.step = live.step;
  record.group = one->group;
  record.seq = one->seq;
  record.a = a;
  record.b = sl_operation(one->handle, one->peer);
  ++live.news;
  (void)sl_ring_push(live.map.ring, &record);
}

/* The slot: the phase if there is one, and the operation that has been open longest if there is one. */
static void show(uint64_t time_ns) {
  sl_slot slot;
  memset(&slot, 0, sizeof(slot));
  slot.phase = live.phase;
  slot.peer = SL_NO_PEER;
  slot.epoch = live.epoch;
  slot.step = live.step;
  slot.since_ns = live.phase != SL_PHASE_NONE ? live.phase_ns : live.idle_ns;
  slot.time_ns = time_ns;
  if (live.most > 0) {
    const struct open* oldest = &live.open[0];
    slot.op = oldest->op;
    slot.group = oldest->group;
    slot.peer = oldest->peer;
    slot.handle = oldest->handle;
    slot.seq = oldest->seq;
    if (live.phase == SL_PHASE_NONE) {
      slot.phase = SL_PHASE_COLLECTIVE;
      slot.since_ns = oldest->since_ns > live.idle_ns ? oldest->since_ns : live.idle_ns;
    }
  }
  sl_slot_write(live.map.ring, &slot);
}

static void end_phase(uint64_t now) {
  if (live.phase == SL_PHASE_NONE) return;
  push(SL_PHASE_END, live.phase, now, now - live.phase_ns, 0);
  live.phase = SL_PHASE_NONE;
  live.idle_ns = now;
}

static void begin_phase(uint16_t phase, uint64_t now) {
  live.phase = phase;
  live.phase_ns = now;
  push(SL_PHASE_BEGIN, phase, now, 0, 0);
}

/* The loop was left in a step: that is done if it learned from its batch. */
static void leave_step(uint64_t now) {
  if (live.in_step == kLearned) push(SL_STEP_END, 0, now, 0, 0);
  live.in_step = kNoStep;
}

/* The next number of this operation; UINT64_MAX when there is no room to count it. */
static uint64_t next_seq(uint32_t group, uint16_t op, uint32_t peer) {
  const uint64_t key = (((uint64_t)group << 32) ^ ((uint64_t)peer << 8) ^ op) + 1; /* a peer is below 2^24 */
  uint64_t at = (key * 0x9E3779B97F4A7C15u) >> 52;
  for (;; at = (at + 1) & (kCounters - 1)) {
    struct counter* one = &live.counters[at];
    if (one->key == key) return one->count++;
    if (one->key != 0) continue;
    if (live.counted >= kCounters / 2) return UINT64_MAX;
    ++live.counted;
    one->key = key;
    return one->count++;
  }
}

/* The last words of the process, with its code and the signal that it took as the order to end. */
static void say_bye(int exit_code, int ending_signal) {
  sl_slot slot;
  uint64_t now;
  if (live.map.ring == NULL || live.map.ring->pid != (uint64_t)getpid()) return; /* a child that exits, too */
  now = sl_now();
  /* What the program did between a batch and its end is not known: no end of computing is told. */
  if (live.phase != SL_PHASE_COMPUTE) end_phase(now);
  if ((exit_code & 0xff) == 0) leave_step(now);
  push(SL_BYE, 0, now, (uint64_t)(exit_code & 0xff), (uint64_t)ending_signal);
  memset(&slot, 0, sizeof(slot));
  slot.phase = SL_PHASE_DONE;
  slot.peer = SL_NO_PEER;
  slot.epoch = live.epoch;
  slot.step = live.step;
  slot.since_ns = now;
  slot.time_ns = now;
  sl_slot_write(live.map.ring, &slot);
  sl_ring_close(&live.map);
}

/* The process calls exit(), with the code that waitpid() will tell. */
static void at_exit(int exit_code, void* unused) {
  (void)unused;
  say_bye(exit_code, 0);
}

/* SIGINT ends the process, whether by the signal itself or by exit(): a shell says 130 of it. */
void shardlens_live_interrupted(void) {
  say_bye(128 + SIGINT, SIGINT);
}

/* The folder for rings, as sl_join() says; NULL where there is none. */
const char* shardlens_live_join(void) {
  return sl_join();
}

/* glibc's on_exit() gives the code that exit() was called with; atexit() and Python's do not. */
static int hears_exit;

/* Makes the ring and says hello. 0, or an errno: EEXIST when this rank has a ring already. */
int shardlens_live_open(const char* folder, uint32_t rank, uint32_t world_size) {
  int error;
  memset(&live, 0, sizeof(live));
  error = sl_ring_create(&live.map, folder, rank, world_size);
  if (error != 0 || live.map.ring == NULL) return error != 0 ? error : EIO;
  if (!hears_exit) hears_exit = on_exit(at_exit, NULL) == 0;
  live.idle_ns = sl_now();
  push(SL_HELLO, 0, live.idle_ns, live.map.ring->pid, world_size);
  show(live.idle_ns);
  return 0;
}

/* Says which ranks of the world a group has, before its first operation. */
void shardlens_live_group(uint32_t group, const uint32_t* members, uint32_t count, const char* name) {
  sl_record record;
  const size_t length = strlen(name);
  size_t first;
  if (live.map.ring == NULL) return;
  sl_group_begin(&record, group, count);
  record.time_ns = sl_now();
  (void)sl_ring_push(live.map.ring, &record);
  for (first = 0; first < count;) {
    first += sl_group_members(&record, group, members, first, count);
    record.time_ns = sl_now();
    (void)sl_ring_push(live.map.ring, &record);
  }
  for (first = 0; first < length;) {
    first += sl_group_name(&record, group, name, first);
    record.time_ns = sl_now();
    (void)sl_ring_push(live.map.ring, &record);
  }
}

/* A loader is asked for a batch: what was computed is over, and so is the step if `ends_step`, or, where its loop was
 * left in it, if `leaves_step`. From here on the rank is in this step of this epoch. */
void shardlens_live_ask(uint32_t epoch, uint32_t step, int ends_step, int leaves_step) {
  uint64_t now;
  if (live.map.ring == NULL) return;
  now = sl_now();
  end_phase(now);
  if (ends_step) push(SL_STEP_END, 0, now, 0, 0);
  if (leaves_step) leave_step(now);
  live.epoch = epoch;
  live.step = step;
  begin_phase(SL_PHASE_LOAD, now);
  show(now);
}

/* The rank has its batch, and computes; a step begins with it if `begins_step`. */
void shardlens_live_compute(int begins_step) {
  uint64_t now;
  if (live.map.ring == NULL) return;
  now = sl_now();
  end_phase(now);
  if (begins_step) push(SL_STEP_BEGIN, 0, now, 0, 0);
  begin_phase(SL_PHASE_COMPUTE, now);
  show(now);
}

/* The rank computes, if it is in nothing. */
void shardlens_live_work(void) {
  uint64_t now;
  if (live.map.ring == NULL || live.phase != SL_PHASE_NONE || live.most > 0) return;
  now = sl_now();
  begin_phase(SL_PHASE_COMPUTE, now);
  show(now);
}

/* The rank is in no phase that is known. */
void shardlens_live_rest(void) {
  uint64_t now;
  if (live.map.ring == NULL || live.phase == SL_PHASE_NONE) return;
  now = sl_now();
  end_phase(now);
  show(now);
}

/* A backward pass is over: the step has learned from its batch, and the rank is in no phase that is known. */
void shardlens_live_learned(void) {
  if (live.in_step == kBegun) live.in_step = kLearned;
  shardlens_live_rest();
}

/* A record of an epoch or a step, beside the phase that goes on. */
void shardlens_live_mark(uint32_t kind, uint32_t epoch, uint32_t step, uint64_t a) {
  if (live.map.ring == NULL) return;
  live.epoch = epoch;
  live.step = step;
  push((uint16_t)kind, 0, sl_now(), a, 0);
}

/* An epoch begins: a pass over a loader, by its number in the file of this process. The loop of the epoch before may
 * have been left in a step. */
void shardlens_live_epoch(uint32_t epoch, uint32_t step, uint32_t pass) {
  uint64_t now;
  if (live.map.ring == NULL) return;
  now = sl_now();
  leave_step(now);
  live.epoch = epoch;
  live.step = step;
  push(SL_EPOCH_BEGIN, 0, now, 0, (uint64_t)pass + 1);
}

/* An operation begins; the rank waits in it from here on if `waits`. Its handle, twice, plus 1 when that ended a phase
 * of computing, which shardlens_live_leave() begins again; 0 when it is not recorded. */
uint64_t shardlens_live_enter(uint32_t group, uint32_t op, uint32_t peer, uint64_t bytes, int waits) {
  struct open* one;
  uint64_t now;
  uint64_t seq;
  int computes;
  if (live.map.ring == NULL) return 0;
  seq = next_seq(group, (uint16_t)op, op >= SL_OP_SEND ? peer & 0xFFFFFFu : 0);
  if (seq == UINT64_MAX || live.most >= kMostOpen) return 0;
  now = sl_now();
  computes = waits && live.phase == SL_PHASE_COMPUTE;
  if (computes) end_phase(now);
  if (++live.handle == 0) live.handle = 1;
  one = &live.open[live.most++];
  one->handle = live.handle;
  one->group = group;
  one->peer = peer;
  one->op = (uint16_t)op;
  one->seq = seq;
  one->since_ns = now;
  push_operation(SL_COLL_ENTER, one, now, bytes);
  show(now);
  return (uint64_t)one->handle * 2 + (computes ? 1 : 0);
}

/* The rank begins to wait for operations that are open. 1 when that ended a phase of computing. */
int shardlens_live_wait(void) {
  uint64_t now;
  if (live.map.ring == NULL || live.phase != SL_PHASE_COMPUTE) return 0;
  now = sl_now();
  end_phase(now);
  show(now);
  return 1;
}

/* The operation with this handle is over; the rank computes again if `computes`. A handle of 0 only does the latter. */
void shardlens_live_leave(uint32_t handle, int computes) {
  uint64_t now;
  uint32_t at;
  if (live.map.ring == NULL) return;
  now = sl_now();
  for (at = 0; at < live.most && live.open[at].handle != handle; ++at) {
  }
  if (handle != 0 && at < live.most) {
    push_operation(SL_COLL_LEAVE, &live.open[at], now, now - live.open[at].since_ns);
    --live.most;
    memmove(&live.open[at], &live.open[at + 1], (live.most - at) * sizeof(live.open[0]));
    if (live.phase == SL_PHASE_NONE) live.idle_ns = now;
  }
  if (computes && live.phase == SL_PHASE_NONE) begin_phase(SL_PHASE_COMPUTE, now);
  show(now);
}

/* Grows with everything that the rank reports. */
uint64_t shardlens_live_news(void) {
  return live.news;
}

/* Nothing is written from here on. Also in a child, whose parent goes on writing. */
void shardlens_live_close(void) {
  sl_ring_close(&live.map);
}
