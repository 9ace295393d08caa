/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SHARDLENS_PROBE_MPI_PROBE_H
#define SHARDLENS_PROBE_MPI_PROBE_H

/* The MPI probe: what it says of this process. It is loaded in front of any MPI library and includes none of their
 * headers: handles and numbers are words that go through as they came. */

#include "core/wire/ring_file.h"

#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* Any argument of an MPI function: a pointer, a handle or an int, of which the upper half may be anything. */
typedef uintptr_t sl_word;

#define SL_OPS (SL_OP_NEW_GROUP + 1)

/* A communicator of which this process is a member. */
typedef struct sl_comm {
  uintptr_t handle;
  uint32_t number; /* of the group; SL_WORLD for the world */
  uint32_t size;
  uint32_t* members; /* ranks of the world, by rank in here; NULL: the same */
  uint64_t* sends;   /* by rank in here, to it; NULL: not counted */
  uint64_t* recvs;   /* likewise, from it */
  uint64_t seq[SL_OPS];
} sl_comm;

/* An operation that is open. */
typedef struct sl_open {
  int is_recorded;
  uint64_t seq;
  uint64_t since_ns;
  uint32_t group;
  uint32_t peer;
  uint32_t handle;
  uint16_t op;
} sl_open;

/* A function of the library by its name, or NULL. */
void* sl_real(const char* name);
/* An object of it. */
void* sl_object(const char* name);
/* Whether the library is Open MPI or a kin of it, whose handles are pointers; the others' are ints. */
extern int sl_has_pointers;
static inline uintptr_t sl_handle_of(sl_word handle) {
  return sl_has_pointers ? handle : (uintptr_t)(uint32_t)handle;
}
/* The handle that stands at this address. */
static inline uintptr_t sl_handle_at(const void* place) {
  return sl_has_pointers ? *(const uintptr_t*)place : (uintptr_t) * (const uint32_t*)place;
}
/* The handle of what Fortran calls so. */
uintptr_t sl_comm_of_fortran(int comm);
uintptr_t sl_request_of_fortran(int request);
uintptr_t sl_type_of_fortran(int type);
/* What so many of this datatype take, in bytes; 0 when that is not known. */
uint64_t sl_bytes(int count, uintptr_t type);
/* A datatype is freed: another one may get its handle. */
void sl_forget_types(void);

/* Whether calls of this thread are to be recorded. The first time, after MPI was initialised, it makes the ring. */
int sl_is_on(void);
/* Above 0 while the library runs below one of our functions: what it calls itself is not the program's. */
extern __thread int sl_depth;
/* The process says how it ends, once; nothing is recorded after that. */
void sl_bye(int code);

/* Begins an operation; `bytes` and `peer` as in the record. */
sl_open sl_begin(uint16_t op, sl_comm* comm, uint64_t bytes, uint32_t peer);
void sl_end(sl_open* open);
/* The same for what goes on while the program does: begun now, over when sl_end() is called. */
sl_open sl_begin_aside(uint16_t op, sl_comm* comm, uint64_t bytes, uint32_t peer);
void sl_end_aside(sl_open* open);
/* The program waits for what goes on aside, and goes on. */
void sl_pause_phase(void);
void sl_resume_phase(void);
/* A send to, or a recv from, this rank of the world, with its number. */
sl_open sl_begin_pair(uint16_t op, uint32_t group, uint64_t bytes, uint32_t peer, uint64_t seq);
/* Puts one record into the ring. */
void sl_put(sl_record* record);

/* NULL when it is none that is recorded: of one rank, between groups, or unknown. */
sl_comm* sl_comm_find(uintptr_t handle);
/* The world, as soon as MPI is initialised. */
void sl_comm_world(uint32_t size);
/* A communicator was made from one with the group `parent`; describes it. */
void sl_comm_made(uintptr_t handle, uint32_t parent);
void sl_comm_freed(uintptr_t handle);
void sl_comm_named(uintptr_t handle, const char* name, size_t length);
/* The world's rank of a communicator's rank. */
static inline uint32_t sl_world_rank(const sl_comm* comm, int rank) {
  if (rank < 0 || (uint32_t)rank >= comm->size) return SL_NO_PEER;
  return comm->members != NULL ? comm->members[rank] : (uint32_t)rank;
}

/* What a request is for: an operation that goes on aside, or a recv, which begins when the program waits for it. */
typedef struct sl_request {
  uintptr_t handle;
  sl_open open;
  uint64_t bytes;
  int is_recv;
} sl_request;

/* Keeps it until it is over; without room for it, it is over at once. */
void sl_request_add(const sl_request* request);
/* It is over, and the program did not wait for it. */
void sl_request_over(uintptr_t handle);

#define SL_MOST_WAITED 64
/* The requests of one call that waits for all of them. */
typedef struct sl_waits {
  int count;
  sl_request at[SL_MOST_WAITED];
} sl_waits;
void sl_wait_begin(sl_waits* waits);
void sl_wait_add(sl_waits* waits, uintptr_t handle);
void sl_wait_end(sl_waits* waits);

/* Whose turn it is to write, among the threads of a rank. Whoever holds the turn needs well below a microsecond, unless
 * the system takes the processor away from it in between; then the others nap until it is back. A wait has an end, for
 * a holder may be stopped for good (a debugger, a signal handler that calls MPI): after 20 to 40 ms it gives up. */

enum { kSlTurnSpins = 2000, kSlTurnNaps = 400, kSlTurnNapNs = 50000 };

/* 1 when it is ours. */
static inline int sl_turn_take(int* is_taken) {
  const struct timespec nap = {0, kSlTurnNapNs};
  int i;
  for (i = 0; i < kSlTurnSpins + kSlTurnNaps; ++i) {
    if (__atomic_exchange_n(is_taken, 1, __ATOMIC_ACQUIRE) == 0) return 1;
    if (i >= kSlTurnSpins) (void)nanosleep(&nap, NULL);
  }
  return 0;
}

static inline void sl_turn_release(int* is_taken) {
  __atomic_store_n(is_taken, 0, __ATOMIC_RELEASE);
}

/* How one function of MPI is passed on, and what of its arguments is looked at. */

/* An argument that the function does not have. */
#define SL_NONE 0xFF

typedef struct sl_call {
  const char* name;
  void* real; /* the library's, once it was looked up */
  uint8_t op;
  uint8_t arguments; /* without Fortran's ierror */
  uint8_t comm;
  uint8_t count; /* with type: what the record says of its size */
  uint8_t type;
  uint8_t root;      /* or the rank at the other side */
  uint8_t result;    /* the request or the communicator that it makes */
  uint8_t is_of_f77; /* arguments are addresses, handles are Fortran's */
} sl_call;

/* Passes the arguments on, whatever they are. */
int sl_pass(sl_call* call, const sl_word* a);

/* The value of an argument that is an int, or of the one that stands at its address. */
static inline int sl_int(const sl_call* call, const sl_word* a, uint8_t at) {
  return call->is_of_f77 ? *(const int*)a[at] : (int)(int32_t)a[at];
}

/* The functions of the probe, one for each kind; the arguments are those of the MPI function. */
int sl_collective(sl_call* call, sl_word* a);
int sl_collective_aside(sl_call* call, sl_word* a);
int sl_send(sl_call* call, sl_word* a);
int sl_send_aside(sl_call* call, sl_word* a);
int sl_recv(sl_call* call, sl_word* a);
int sl_recv_aside(sl_call* call, sl_word* a);
int sl_sendrecv(sl_call* call, sl_word* a);
int sl_probe_message(sl_call* call, sl_word* a);
int sl_wait(sl_call* call, sl_word* a);
int sl_waitall(sl_call* call, sl_word* a);
int sl_waitany(sl_call* call, sl_word* a);
int sl_waitsome(sl_call* call, sl_word* a);
int sl_test(sl_call* call, sl_word* a);
int sl_testall(sl_call* call, sl_word* a);
int sl_new_comm(sl_call* call, sl_word* a);
int sl_name_comm(sl_call* call, sl_word* a);
int sl_free_comm(sl_call* call, sl_word* a);
int sl_free_request(sl_call* call, sl_word* a);
int sl_free_type(sl_call* call, sl_word* a);
int sl_init(sl_call* call, sl_word* a);
int sl_finalize(sl_call* call, sl_word* a);
int sl_abort(sl_call* call, sl_word* a);

#endif
