/* SPDX-License-Identifier: Apache-2.0 */
/* The ring of this process, and what is written into it. Threads take turns; one whose turn does not come is counted as
 * a lost record. */
#include "app/probe/mpi/probe.h"

#include "app/probe/native/join.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* CLOCK_MONOTONIC by the time-stamp counter where the kernel itself trusts that: half the price of clock_gettime(). The
 * counter is held against the clock every few milliseconds, so that it never runs away from it. One a thread. */

#if defined(__x86_64__)

#define SL_CLOCK_SPAN_NS 5000000u /* that a rate is measured over */
#define SL_CLOCK_TRUST 100000000u /* ticks, some 30 to 50 ms, until the next look at the clock */
#define SL_CLOCK_APART 4000u      /* ticks that reading the clock may take; longer, and we were interrupted */

typedef struct sl_clock {
  uint64_t ticks;  /* at the last look, and */
  uint64_t ns;     /* what the clock said then */
  uint64_t rate;   /* ns a tick, times 2^32; 0: not known yet */
  uint64_t latest; /* time that was told: it never goes back */
} sl_clock;

/* Whether the counter can be used on this host. */
static inline int sl_clock_has_ticks(void) {
  char name[16] = {0};
  const int fd = open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
  ssize_t length;
  if (fd < 0) return 0;
  length = read(fd, name, sizeof(name) - 1);
  close(fd);
  return length > 0 && strncmp(name, "tsc", 3) == 0;
}

/* Looks at the clock; keeps the old look where this one was interrupted. */
static inline uint64_t sl_clock_look(sl_clock* clock) {
  const uint64_t before = __builtin_ia32_rdtsc();
  const uint64_t ns = sl_now();
  const uint64_t after = __builtin_ia32_rdtsc();
  const uint64_t ticks = before + (after - before) / 2;
  if (after - before > SL_CLOCK_APART) return ns;
  if (clock->ns == 0 || ns - clock->ns >= SL_CLOCK_SPAN_NS) {
    if (clock->ns != 0 && ticks > clock->ticks)
      clock->rate = (uint64_t)(((__uint128_t)(ns - clock->ns) << 32) / (ticks - clock->ticks));
    clock->ticks = ticks;
    clock->ns = ns;
  }
  return ns;
}

/* Now. */
static inline uint64_t sl_clock_now(sl_clock* clock, int has_ticks) {
  uint64_t ns;
  uint64_t passed;
  if (!has_ticks) return sl_now();
  passed = __builtin_ia32_rdtsc() - clock->ticks;
  if (clock->rate == 0 || passed > SL_CLOCK_TRUST) {
    ns = sl_clock_look(clock);
  } else {
    ns = clock->ns + (uint64_t)(((__uint128_t)passed * clock->rate) >> 32);
  }
  if (ns < clock->latest) ns = clock->latest;
  clock->latest = ns;
  return ns;
}

#else

typedef struct sl_clock {
  uint64_t latest;
} sl_clock;

static inline int sl_clock_has_ticks(void) {
  return 0;
}
static inline uint64_t sl_clock_now(sl_clock* clock, int has_ticks) {
  (void)clock;
  (void)has_ticks;
  return sl_now();
}

#endif

enum { kNotYet = 0, kOn = 1, kOff = 2 };
enum { kMostOpen = 64, kThreadMultiple = 3 };

__thread int sl_depth;
static __thread sl_clock clock_of_thread;

static int state_ = kNotYet;
static sl_ring_map map_;
static int has_ticks_;
static int has_threads_; /* several at once */
static int is_taken_;    /* by the thread that writes, if there are several */
static uint64_t missed_; /* records of threads whose turn did not come */
static uint32_t next_handle_ = 1;
static sl_open open_[kMostOpen]; /* in the order of their beginning; not used while calls come one by one */
static int open_count_;
static int asides_;      /* of these, the ones that go on while the program does */
static int is_in_phase_; /* the program works while one of these is open */
static uint64_t phase_ns_;

static uint64_t now(void) {
  return sl_clock_now(&clock_of_thread, has_ticks_);
}

static int take(void) {
  if (!has_threads_ || sl_turn_take(&is_taken_)) return 1;
  __atomic_fetch_add(&missed_, 1, __ATOMIC_RELAXED);
  return 0;
}

static void release(void) {
  uint64_t missed;
  if (!has_threads_) return;
  missed = __atomic_exchange_n(&missed_, 0, __ATOMIC_RELAXED);
  if (missed != 0) __atomic_store_n(&map_.ring->dropped, map_.ring->dropped + missed, __ATOMIC_RELAXED);
  sl_turn_release(&is_taken_);
}

void sl_put(sl_record* record) {
  if (state_ != kOn || !take()) return;
  record->time_ns = now();
  (void)sl_ring_push(map_.ring, record);
  release();
}

static uint64_t next(uint64_t* count) {
  return has_threads_ ? __atomic_fetch_add(count, 1, __ATOMIC_RELAXED) : (*count)++;
}

static void push(uint16_t kind, const sl_open* open, uint64_t time_ns, uint64_t a) {
  const sl_record record = {
      time_ns, kind, open->op, 0, 0, open->group, open->seq, a, sl_operation(open->handle, open->peer)};
  (void)sl_ring_push(map_.ring, &record);
}

static void pushPhase(uint16_t kind, uint64_t time_ns, uint64_t a) {
  const sl_record record = {time_ns, kind, SL_PHASE_COMPUTE, 0, 0, SL_WORLD, 0, a, 0};
  (void)sl_ring_push(map_.ring, &record);
}

/* In this operation, or in none. */
static void show(const sl_open* open, uint64_t time_ns) {
  sl_slot slot = {0, SL_PHASE_NONE, SL_OP_NONE, SL_WORLD, SL_NO_PEER, 0, 0, 0, 0, time_ns, time_ns};
  if (is_in_phase_) slot.phase = SL_PHASE_COMPUTE;
  if (open != NULL) {
    if (!is_in_phase_) slot.phase = SL_PHASE_COLLECTIVE;
    if (!is_in_phase_) slot.since_ns = open->since_ns;
    slot.op = open->op;
    slot.group = open->group;
    slot.peer = open->peer;
    slot.handle = open->handle;
    slot.seq = open->seq;
  }
  sl_slot_write(map_.ring, &slot);
}

static void showOldest(uint64_t time_ns) {
  show(open_count_ > 0 ? &open_[0] : NULL, time_ns);
}

/* The program works while something of its goes on: that time is no waiting. Several threads cannot be told apart. */
static void beginPhase(uint64_t time_ns) {
  if (has_threads_ || asides_ == 0 || is_in_phase_) return;
  is_in_phase_ = 1;
  phase_ns_ = time_ns;
  pushPhase(SL_PHASE_BEGIN, time_ns, 0);
}

static void endPhase(uint64_t time_ns) {
  if (!is_in_phase_) return;
  is_in_phase_ = 0;
  pushPhase(SL_PHASE_END, time_ns, time_ns - phase_ns_);
}

static void keep(const sl_open* open) {
  if (open_count_ < kMostOpen) open_[open_count_++] = *open;
}

static void forget(uint32_t handle) {
  int i;
  for (i = 0; i < open_count_ && open_[i].handle != handle; ++i) {
  }
  if (i == open_count_) return;
  memmove(&open_[i], &open_[i + 1], (size_t)(open_count_ - i - 1) * sizeof(open_[0]));
  --open_count_;
}

static sl_open opened(uint16_t op, uint32_t group, uint64_t seq, uint32_t peer) {
  sl_open open;
  open.is_recorded = 1;
  open.seq = seq;
  open.since_ns = 0;
  open.group = group;
  open.peer = peer;
  open.handle = has_threads_ ? __atomic_fetch_add(&next_handle_, 1, __ATOMIC_RELAXED) : next_handle_++;
  open.op = op;
  return open;
}

static void enter(sl_open* open, uint64_t bytes) {
  if (!take()) {
    open->is_recorded = 0;
    return;
  }
  open->since_ns = now();
  endPhase(open->since_ns);
  push(SL_COLL_ENTER, open, open->since_ns, bytes);
  if (has_threads_ || open_count_ > 0) {
    keep(open);
    showOldest(open->since_ns);
  } else {
    show(open, open->since_ns);
  }
  release();
}

void sl_end(sl_open* open) {
  uint64_t time_ns;
  if (!open->is_recorded || state_ != kOn || !take()) return;
  time_ns = now();
  push(SL_COLL_LEAVE, open, time_ns, time_ns - open->since_ns);
  if (open_count_ > 0) forget(open->handle);
  beginPhase(time_ns);
  showOldest(time_ns);
  release();
}

sl_open sl_begin(uint16_t op, sl_comm* comm, uint64_t bytes, uint32_t peer) {
  sl_open open = opened(op, comm->number, next(&comm->seq[op]), peer);
  enter(&open, bytes);
  return open;
}

sl_open sl_begin_pair(uint16_t op, uint32_t group, uint64_t bytes, uint32_t peer, uint64_t seq) {
  sl_open open = opened(op, group, seq, peer);
  enter(&open, bytes);
  return open;
}

sl_open sl_begin_aside(uint16_t op, sl_comm* comm, uint64_t bytes, uint32_t peer) {
  sl_open open = opened(op, comm->number, next(&comm->seq[op]), peer);
  if (!take()) {
    open.is_recorded = 0;
    return open;
  }
  open.since_ns = now();
  endPhase(open.since_ns);
  push(SL_COLL_ENTER, &open, open.since_ns, bytes);
  keep(&open);
  ++asides_;
  beginPhase(open.since_ns);
  showOldest(open.since_ns);
  release();
  return open;
}

void sl_end_aside(sl_open* open) {
  uint64_t time_ns;
  if (!open->is_recorded || state_ != kOn || !take()) return;
  time_ns = now();
  if (asides_ > 0) --asides_;
  push(SL_COLL_LEAVE, open, time_ns, time_ns - open->since_ns);
  forget(open->handle);
  if (asides_ == 0) endPhase(time_ns);
  showOldest(time_ns);
  release();
}

void sl_pause_phase(void) {
  if (state_ != kOn || !is_in_phase_ || !take()) return;
  endPhase(now());
  showOldest(now());
  release();
}

void sl_resume_phase(void) {
  if (state_ != kOn || asides_ == 0 || !take()) return;
  beginPhase(now());
  showOldest(now());
  release();
}

/* A forked child shares the ring's memory, and is no rank. */
static void inChild(void) {
  state_ = kOff;
}

static void atExit(int code, void* unused) {
  (void)unused;
  if (state_ == kOn && map_.ring->pid == (uint64_t)getpid()) sl_bye(code);
}

void sl_bye(int code) {
  sl_record record;
  sl_slot slot;
  if (state_ != kOn || !take()) return;
  endPhase(now());
  memset(&record, 0, sizeof(record));
  record.time_ns = now();
  record.kind = SL_BYE;
  record.a = (uint64_t)(uint32_t)code;
  (void)sl_ring_push(map_.ring, &record);
  memset(&slot, 0, sizeof(slot));
  slot.phase = SL_PHASE_DONE;
  slot.peer = SL_NO_PEER;
  slot.since_ns = slot.time_ns = record.time_ns;
  if (code == 0) sl_slot_write(map_.ring, &slot);
  state_ = kOff;
  release();
}

/* 0 when the library knows this rank. */
static int ask(int* rank, int* size) {
  int (*const rank_of)(sl_word, int*) = (int (*)(sl_word, int*))sl_real("PMPI_Comm_rank");
  int (*const size_of)(sl_word, int*) = (int (*)(sl_word, int*))sl_real("PMPI_Comm_size");
  int (*const level)(int*) = (int (*)(int*))sl_real("PMPI_Query_thread");
  const uintptr_t pointer = (uintptr_t)sl_object("ompi_mpi_comm_world");
  const uintptr_t world = sl_has_pointers ? pointer : 0x44000000u;
  int provided = 0;
  if (rank_of == NULL || size_of == NULL || rank_of(world, rank) != 0 || size_of(world, size) != 0) return 1;
  if (level != NULL && level(&provided) == 0) has_threads_ = provided == kThreadMultiple;
  return *size < 1 || *rank < 0;
}

static void start(const char* folder) {
  sl_record hello;
  int rank = 0;
  int size = 0;
  state_ = kOff;
  ++sl_depth;
  if (ask(&rank, &size) == 0 && sl_ring_create(&map_, folder, (uint32_t)rank, (uint32_t)size) == 0) {
    has_ticks_ = sl_clock_has_ticks();
    (void)pthread_atfork(NULL, NULL, inChild);
    (void)on_exit(atExit, NULL);
    sl_comm_world((uint32_t)size);
    memset(&hello, 0, sizeof(hello));
    hello.kind = SL_HELLO;
    hello.op = SL_ENDS_SAYING_SO;
    hello.a = (uint64_t)getpid();
    hello.b = (uint64_t)size;
    state_ = kOn;
    sl_put(&hello);
  }
  --sl_depth;
}

/* Before MPI_Init the first of our functions asks again. */
static int startNow(void) {
  const char* folder;
  int (*const initialized)(int*) = (int (*)(int*))sl_real("PMPI_Initialized");
  int is_there = 0;
  if (initialized == NULL) {
    state_ = kOff;
    return 0;
  }
  if (initialized(&is_there) != 0 || !is_there) return 0;
  folder = sl_join();
  if (folder != NULL) {
    start(folder);
  } else {
    state_ = kOff;
  }
  return state_ == kOn;
}

int sl_is_on(void) {
  if (sl_depth > 0) return 0;
  return state_ == kOn || (state_ == kNotYet && startNow());
}
