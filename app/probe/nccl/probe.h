/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SHARDLENS_PROBE_NCCL_PROBE_H
#define SHARDLENS_PROBE_NCCL_PROBE_H

/* The NCCL probe: what it keeps of this process. NCCL calls it from any thread, several at once: the one that hands
 * operations to the GPU, and those that see how far kernels are. Nothing waits for another thread. */

#include "core/wire/ring_file.h"

#include <stdint.h>

enum {
  SL_NCCL_OPS = 32,      /* codes of operations of a group */
  SL_NCCL_UNKNOWN = 31,  /* of a function that this version does not know */
  SL_NCCL_PLACES = 1024, /* operations of a communicator that are not over; a GPU's queue is not longer */
  SL_NCCL_COMMS = 4096,
  SL_NCCL_NAME = 64,
  SL_NCCL_CHANNELS = 64
};

typedef struct sl_nccl_seat sl_nccl_seat;

/* An operation from the moment when it is handed to the GPU until its kernel is over. The rank is in it from the moment
 * when the kernel begins. */
typedef struct sl_nccl_op {
  uint64_t number;  /* of the communicator's, from 1; 0: this place is free */
  uint64_t started; /* channels, a bit each */
  uint64_t stopped; /* likewise */
  int is_handed_over;
  int is_entered; /* bits of operations.c; whoever sets one of these two says so */
  int is_over;
  uint64_t seq;
  uint64_t since_ns;
  uint64_t bytes;
  uint32_t group;
  uint32_t peer;
  uint32_t handle;
  uint16_t code;
  uint8_t channels; /* 0: not known */
  sl_nccl_seat* seat;
  struct sl_nccl_op* older; /* of those that are open; the writer's */
  struct sl_nccl_op* newer;
} sl_nccl_op;

/* A communicator of which this process is a member. Its memory is never given back: a handle that NCCL still has may
 * name it. */
typedef struct sl_nccl_comm {
  sl_nccl_seat* seat; /* NULL: free */
  uint64_t id;
  uint32_t index;
  uint32_t group;
  uint32_t rank; /* in here */
  uint32_t size;
  uint32_t named; /* members that are known, from the first on */
  int is_described;
  uint64_t numbers; /* of operations */
  uint64_t entered; /* up to this one, and with it, all are */
  uint64_t settled; /* up to this one, and with it, none is waited for */
  uint64_t seq[SL_NCCL_OPS];
  uint32_t* places;  /* rank of the world plus 1 by rank in here, shared by its members on this host; NULL: none */
  uint32_t* members; /* memory for as many */
  uint64_t* sends;   /* by rank in here, to it */
  uint64_t* recvs;   /* likewise, from it */
  char name[SL_NCCL_NAME];
  sl_nccl_op ops[SL_NCCL_PLACES];
} sl_nccl_comm;

/* What NCCL says of an event, whichever version it speaks. */
typedef struct sl_nccl_begun {
  const char* function;
  const char* type;
  uint64_t count;
  int peer; /* or root */
  uint8_t channels;
} sl_nccl_begun;

/* Seats: a rank of the world that this process is, with its ring. */

/* That of a communicator's rank; NULL: it cannot be recorded. Not for several threads at once. */
sl_nccl_seat* sl_nccl_seat_of(const char* folder, uint64_t comm_id, uint32_t rank, uint32_t size);
uint32_t sl_nccl_rank_of(const sl_nccl_seat* seat);
uint32_t sl_nccl_world_of(const sl_nccl_seat* seat);
/* A number that no other open operation of this rank has. */
uint32_t sl_nccl_next_handle(sl_nccl_seat* seat);
/* Puts a record into the ring. */
void sl_nccl_put(sl_nccl_seat* seat, const sl_record* record);
/* An operation has begun, and is over. 0: that could not be kept. */
int sl_nccl_enter(sl_nccl_op* op);
int sl_nccl_leave(sl_nccl_op* op, uint64_t time_ns);
/* A record was lost. */
void sl_nccl_lose(sl_nccl_seat* seat);
/* Nothing is recorded from here on. */
int sl_nccl_is_off(void);

/* Makes one; NULL: it is not recorded. */
sl_nccl_comm* sl_nccl_comm_made(uint64_t id, const char* name, int size, int rank);
void sl_nccl_comm_gone(sl_nccl_comm* comm);
sl_nccl_comm* sl_nccl_comm_at(uint64_t index);
/* Says which ranks it has, as soon as that is known. */
void sl_nccl_describe(sl_nccl_comm* comm);
/* The world's rank of its rank. */
uint32_t sl_nccl_world_rank(const sl_nccl_comm* comm, int rank);

/* The name of one that has begun, for NCCL; 0: it is not recorded. */
uint64_t sl_nccl_op_begin(sl_nccl_comm* comm, const sl_nccl_begun* begun, int is_pair);
/* Of a channel of it, likewise. */
uint64_t sl_nccl_channel_begin(uint64_t of_op, uint8_t channel);
/* What has this name is over: an operation is in the GPU's queue, a channel has ended. */
void sl_nccl_end(uint64_t name);
/* All of a communicator are over. */
void sl_nccl_ops_over(sl_nccl_comm* comm);

#endif
