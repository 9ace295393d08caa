/* SPDX-License-Identifier: Apache-2.0 */
/* The ring and the slot of a rank, which have one writer, and the threads that have something to write. A thread leaves
 * what it has in a queue, and then writes all that is there, unless another one does: that one will find it. So nothing
 * waits, and what a thread leaves is lost only when the queue is full. */
#define _GNU_SOURCE /* on_exit() */
#include "app/probe/nccl/probe.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { kMostSeats = 16, kQueue = 2048 };
enum { kRecord = 0, kEnter = 1, kLeave = 2 };

/* What is to be written: a record, or the beginning or end of an operation. */
typedef struct todo {
  sl_record record; /* of an operation only its time */
  sl_nccl_op* op;
  int what;
} todo;

/* `turn` tells whose it is: that of its place, the queue's; one more, the writer's. */
typedef struct cell {
  uint64_t turn;
  todo what;
} cell;

struct sl_nccl_seat {
  sl_ring_map map;
  uint32_t rank;
  uint32_t world;
  uint64_t comm_id; /* that it was made for */
  uint32_t handles;
  uint64_t lost;
  int is_taken; /* by a thread that writes */
  uint64_t put; /* into the queue */
  cell cells[kQueue];
  /* The writer's. */
  uint64_t got;
  uint64_t idle_ns;
  sl_nccl_op* oldest;
  sl_nccl_op* newest;
};

static sl_nccl_seat* seats_[kMostSeats];
static int count_;
static int is_off_;

int sl_nccl_is_off(void) {
  return __atomic_load_n(&is_off_, __ATOMIC_RELAXED);
}

uint32_t sl_nccl_rank_of(const sl_nccl_seat* seat) {
  return seat->rank;
}

uint32_t sl_nccl_world_of(const sl_nccl_seat* seat) {
  return seat->world;
}

/* The upper half: the lower one belongs to other probes of this rank. */
uint32_t sl_nccl_next_handle(sl_nccl_seat* seat) {
  return SL_DEVICE_HANDLES | __atomic_fetch_add(&seat->handles, 1, __ATOMIC_RELAXED);
}

void sl_nccl_lose(sl_nccl_seat* seat) {
  __atomic_fetch_add(&seat->lost, 1, __ATOMIC_RELAXED);
}

static void show(sl_nccl_seat* seat, uint64_t time_ns) {
  sl_slot slot = {0, SL_PHASE_NONE, SL_OP_NONE, SL_WORLD, SL_NO_PEER, 0, 0, 0, 0, seat->idle_ns, time_ns};
  const sl_nccl_op* const op = seat->oldest;
  if (op != NULL) {
    slot.phase = SL_PHASE_COLLECTIVE;
    slot.op = op->code;
    slot.group = op->group;
    slot.peer = op->peer;
    slot.handle = op->handle;
    slot.seq = op->seq;
    slot.since_ns = op->since_ns > seat->idle_ns ? op->since_ns : seat->idle_ns;
  }
  sl_slot_write(seat->map.ring, &slot);
}

static void append(sl_nccl_seat* seat, sl_nccl_op* op) {
  op->newer = NULL;
  op->older = seat->newest;
  if (seat->newest != NULL) seat->newest->newer = op;
  if (seat->oldest == NULL) seat->oldest = op;
  seat->newest = op;
}

static void takeOut(sl_nccl_seat* seat, sl_nccl_op* op) {
  if (op->older != NULL) op->older->newer = op->newer;
  if (op->newer != NULL) op->newer->older = op->older;
  if (seat->oldest == op) seat->oldest = op->newer;
  if (seat->newest == op) seat->newest = op->older;
}

static void writeOne(sl_nccl_seat* seat, const todo* what) {
  sl_nccl_op* const op = what->op;
  const uint64_t time_ns = what->record.time_ns;
  sl_record record = what->record;
  if (op != NULL) {
    record.kind = what->what == kEnter ? SL_COLL_ENTER : SL_COLL_LEAVE;
    record.op = op->code;
    record.group = op->group;
    record.seq = op->seq;
    record.a = what->what == kEnter ? op->bytes : time_ns - op->since_ns;
    record.b = sl_operation(op->handle, op->peer);
  }
  (void)sl_ring_push(seat->map.ring, &record);
  if (op == NULL) return;
  if (what->what == kEnter) {
    append(seat, op);
  } else {
    if (seat->oldest == op) seat->idle_ns = time_ns;
    takeOut(seat, op);
    __atomic_store_n(&op->number, 0, __ATOMIC_RELEASE);
  }
  show(seat, time_ns);
}

static int put(sl_nccl_seat* seat, const todo* what) {
  uint64_t place = __atomic_load_n(&seat->put, __ATOMIC_RELAXED);
  for (;;) {
    cell* const one = &seat->cells[place % kQueue];
    const int64_t ahead = (int64_t)(__atomic_load_n(&one->turn, __ATOMIC_ACQUIRE) - place);
    if (ahead < 0) return 0;
    if (ahead > 0) {
      place = __atomic_load_n(&seat->put, __ATOMIC_RELAXED);
    } else if (__atomic_compare_exchange_n(&seat->put, &place, place + 1, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      one->what = *what;
      __atomic_store_n(&one->turn, place + 1, __ATOMIC_SEQ_CST);
      return 1;
    }
  }
}

static int hasMore(const sl_nccl_seat* seat) {
  const uint64_t got = __atomic_load_n(&seat->got, __ATOMIC_RELAXED);
  return __atomic_load_n(&seat->cells[got % kQueue].turn, __ATOMIC_SEQ_CST) == got + 1;
}

static void writeAll(sl_nccl_seat* seat) {
  while (hasMore(seat) && __atomic_exchange_n(&seat->is_taken, 1, __ATOMIC_SEQ_CST) == 0) {
    uint64_t lost;
    while (hasMore(seat)) {
      cell* const one = &seat->cells[seat->got % kQueue];
      const todo what = one->what;
      __atomic_store_n(&one->turn, seat->got + kQueue, __ATOMIC_RELEASE);
      __atomic_store_n(&seat->got, seat->got + 1, __ATOMIC_RELAXED);
      writeOne(seat, &what);
    }
    lost = __atomic_exchange_n(&seat->lost, 0, __ATOMIC_RELAXED);
    if (lost != 0) __atomic_store_n(&seat->map.ring->dropped, seat->map.ring->dropped + lost, __ATOMIC_RELAXED);
    __atomic_store_n(&seat->is_taken, 0, __ATOMIC_SEQ_CST);
  }
}

static int leaveToWriter(sl_nccl_seat* seat, const todo* what) {
  const int is_kept = put(seat, what);
  writeAll(seat);
  return is_kept;
}

void sl_nccl_put(sl_nccl_seat* seat, const sl_record* record) {
  const todo what = {*record, NULL, kRecord};
  if (!leaveToWriter(seat, &what)) sl_nccl_lose(seat);
}

static int leaveOp(sl_nccl_op* op, uint64_t time_ns, int is_enter) {
  todo what;
  memset(&what.record, 0, sizeof(what.record));
  what.record.time_ns = time_ns;
  what.op = op;
  what.what = is_enter ? kEnter : kLeave;
  return leaveToWriter(op->seat, &what);
}

int sl_nccl_enter(sl_nccl_op* op) {
  return leaveOp(op, op->since_ns, 1);
}

int sl_nccl_leave(sl_nccl_op* op, uint64_t time_ns) {
  return leaveOp(op, time_ns, 0);
}

/* A forked child shares the ring's memory, and is no rank. */
static void inChild(void) {
  is_off_ = 1;
}

static void sayBye(sl_nccl_seat* seat, int code) {
  sl_record record;
  sl_slot slot;
  memset(&record, 0, sizeof(record));
  record.time_ns = sl_now();
  record.kind = SL_BYE;
  record.a = (uint64_t)(uint32_t)(code & 0xFF);
  sl_nccl_put(seat, &record);
  memset(&slot, 0, sizeof(slot));
  slot.phase = SL_PHASE_DONE;
  slot.peer = SL_NO_PEER;
  slot.since_ns = slot.time_ns = record.time_ns;
  if (code == 0 && __atomic_exchange_n(&seat->is_taken, 1, __ATOMIC_SEQ_CST) == 0) sl_slot_write(seat->map.ring, &slot);
}

static void atExit(int code, void* unused) {
  int i;
  (void)unused;
  if (__atomic_exchange_n(&is_off_, 1, __ATOMIC_RELAXED) || count_ == 0) return;
  if (seats_[0]->map.ring->pid != (uint64_t)getpid()) return;
  for (i = 0; i < count_; ++i) sayBye(seats_[i], code);
}

static void sayHello(sl_nccl_seat* seat) {
  sl_record hello;
  memset(&hello, 0, sizeof(hello));
  hello.time_ns = seat->idle_ns = sl_now();
  hello.kind = SL_HELLO;
  hello.a = (uint64_t)getpid();
  hello.b = seat->world;
  sl_nccl_put(seat, &hello);
}

/* Which rank of which world a process is, of whom NCCL only knows its communicators. */

typedef struct sl_nccl_place {
  uint32_t rank;
  uint32_t world; /* size */
} sl_nccl_place;

enum { SL_NCCL_BY_RING = 1, SL_NCCL_BY_LAUNCHER = 2 };

/* Whether this is a ring of this very process. */
static int isOwn(const char* path, sl_nccl_place* place) {
  sl_ring_header header;
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  const ssize_t length = fd < 0 ? -1 : pread(fd, &header, sizeof(header), 0);
  if (fd >= 0) close(fd);
  if (length != (ssize_t)sizeof(header) || header.magic != SL_RING_MAGIC || header.version != SL_WIRE_VERSION) return 0;
  place->rank = header.rank;
  place->world = header.world_size;
  return header.pid == (uint64_t)getpid();
}

static int byRing(const char* folder, sl_nccl_place* place) {
  char path[4096];
  const struct dirent* one;
  int found = 0;
  DIR* const rings = opendir(folder);
  if (rings == NULL) return 0;
  while (!found && (one = readdir(rings)) != NULL) {
    const size_t length = strlen(one->d_name);
    if (length < 5 || strcmp(one->d_name + length - 5, ".ring") != 0) continue;
    (void)snprintf(path, sizeof(path), "%s/%s", folder, one->d_name);
    found = isOwn(path, place);
  }
  closedir(rings);
  return found;
}

/* 0 when there is no such number. */
static int numberOf(const char* name, uint32_t* number) {
  const char* const text = getenv(name);
  char* end = NULL;
  unsigned long value;
  if (text == NULL || *text < '0' || *text > '9') return 0;
  errno = 0;
  value = strtoul(text, &end, 10);
  *number = (uint32_t)value;
  return errno == 0 && *end == '\0' && value < 0xFFFFFFFFul;
}

static int byLauncher(sl_nccl_place* place) {
  static const char* const names[][2] = {{"RANK", "WORLD_SIZE"},
                                         {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                         {"PMI_RANK", "PMI_SIZE"},
                                         {"SLURM_PROCID", "SLURM_NTASKS"}};
  size_t i;
  for (i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
    if (numberOf(names[i][0], &place->rank) && numberOf(names[i][1], &place->world) && place->rank < place->world)
      return 1;
  }
  return 0;
}

/* As another probe of this process says by its ring in this folder, or the launcher in the environment; which of the
 * two it was. 0: neither does. */
static int ownPlace(const char* folder, sl_nccl_place* place) {
  if (byRing(folder, place)) return SL_NCCL_BY_RING;
  return byLauncher(place) ? SL_NCCL_BY_LAUNCHER : 0;
}

static sl_nccl_seat* make(const char* folder, const sl_nccl_place* place, uint64_t comm_id) {
  uint64_t i;
  sl_nccl_seat* seat = count_ < kMostSeats ? (sl_nccl_seat*)calloc(1, sizeof(sl_nccl_seat)) : NULL;
  if (seat == NULL) return NULL;
  for (i = 0; i < kQueue; ++i) seat->cells[i].turn = i;
  seat->rank = place->rank;
  seat->world = place->world;
  seat->comm_id = comm_id;
  if (sl_ring_create_beside(&seat->map, folder, place->rank, place->world) != 0) return (free(seat), NULL);
  if (count_ == 0) {
    (void)pthread_atfork(NULL, NULL, inChild);
    (void)on_exit(atExit, NULL);
  }
  seats_[count_++] = seat;
  sayHello(seat);
  return seat;
}

/* The rank of a process is the same in all of its communicators. A process that drives several GPUs is a rank for each
 * of them: it meets itself in one communicator, and others tell which GPU they are of only when all ranks are in them.
 * 0: not known. */
static int placeOf(const char* folder, uint64_t comm_id, uint32_t rank, uint32_t size, sl_nccl_place* place) {
  int i;
  *place = (sl_nccl_place){rank, size};
  if (count_ == 0) {
    sl_nccl_place own;
    const int is_known = ownPlace(folder, &own);
    if (is_known == SL_NCCL_BY_RING || (is_known && size <= own.world)) *place = own;
    return 1;
  }
  for (i = 0; i < count_ && seats_[i]->comm_id != comm_id; ++i) {
  }
  if (i == count_ && count_ > 1) return size == seats_[0]->world;
  if (i == count_) place->rank = seats_[0]->rank;
  place->world = seats_[0]->world;
  return 1;
}

sl_nccl_seat* sl_nccl_seat_of(const char* folder, uint64_t comm_id, uint32_t rank, uint32_t size) {
  sl_nccl_place place;
  int i;
  if (is_off_ || !placeOf(folder, comm_id, rank, size, &place)) return NULL;
  if (size > place.world || place.rank >= place.world) return NULL;
  for (i = 0; i < count_; ++i) {
    if (seats_[i]->rank == place.rank) return seats_[i];
  }
  return make(folder, &place, comm_id);
}
