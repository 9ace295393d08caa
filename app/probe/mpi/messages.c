/* SPDX-License-Identifier: Apache-2.0 */
/* What the probe does around messages between two ranks, and where a program waits for what it has begun. A message is
 * joined with its recv by how many there were between the two in the communicator: that never blames a rank for one
 * that it did send, in whatever order they are read. */
#include "app/probe/mpi/probe.h"

#include <string.h>

/* One side of a message. */
typedef struct side {
  uint32_t group;
  uint32_t peer; /* of the world; SL_NO_PEER: any */
  uint64_t seq;
} side;

/* MPI_ANY_SOURCE is -1 and MPI_PROC_NULL -2 in Open MPI; elsewhere it is the other way round. */
static int isAny(int rank) {
  return rank == (sl_has_pointers ? -1 : -2);
}

/* 0 when it is not to be recorded: of no rank, or of a communicator that is not recorded. */
static int sideOf(const sl_call* call, const sl_word* a, uint8_t peer_at, int is_send, side* out) {
  const uintptr_t handle =
      call->is_of_f77 ? sl_comm_of_fortran(*(const int*)a[call->comm]) : sl_handle_of(a[call->comm]);
  const sl_comm* const comm = sl_comm_find(handle);
  const int peer = sl_int(call, a, peer_at);
  uint64_t* counts;
  if (comm == NULL) return 0;
  counts = is_send ? comm->sends : comm->recvs;
  out->group = comm->number;
  out->seq = 0;
  out->peer = SL_NO_PEER;
  if (!is_send && isAny(peer)) return 1;
  if (peer < 0 || (uint32_t)peer >= comm->size || counts == NULL) return 0;
  out->peer = sl_world_rank(comm, peer);
  out->seq = __atomic_load_n(&counts[peer], __ATOMIC_RELAXED);
  __atomic_store_n(&counts[peer], out->seq + 1, __ATOMIC_RELAXED);
  return 1;
}

static uint64_t bytesOf(const sl_call* call, const sl_word* a) {
  if (call->count == SL_NONE) return 0;
  return sl_bytes(sl_int(call, a, call->count),
                  call->is_of_f77 ? sl_type_of_fortran(*(const int*)a[call->type]) : sl_handle_of(a[call->type]));
}

static int between(sl_call* call, sl_word* a, uint16_t op) {
  side one;
  sl_open open;
  int code;
  if (!sl_is_on() || !sideOf(call, a, call->root, op == SL_OP_SEND, &one)) return sl_pass(call, a);
  open = sl_begin_pair(op, one.group, bytesOf(call, a), one.peer, one.seq);
  code = sl_pass(call, a);
  sl_end(&open);
  return code;
}

int sl_send(sl_call* call, sl_word* a) {
  return between(call, a, SL_OP_SEND);
}

int sl_recv(sl_call* call, sl_word* a) {
  return between(call, a, SL_OP_RECV);
}

/* The message is on its way from here on. */
static void sendNow(const sl_call* call, const sl_word* a) {
  side one;
  sl_open open;
  if (!sideOf(call, a, call->root, 1, &one)) return;
  open = sl_begin_pair(SL_OP_SEND, one.group, bytesOf(call, a), one.peer, one.seq);
  sl_end(&open);
}

int sl_send_aside(sl_call* call, sl_word* a) {
  if (sl_is_on()) sendNow(call, a);
  return sl_pass(call, a);
}

int sl_recv_aside(sl_call* call, sl_word* a) {
  const int is_recorded = sl_is_on();
  side one;
  sl_request request;
  const int code = sl_pass(call, a);
  const int* const error = call->is_of_f77 ? (const int*)a[call->arguments] : &code;
  if (!is_recorded || (error != NULL && *error != 0) || !sideOf(call, a, call->root, 0, &one)) return code;
  memset(&request, 0, sizeof(request));
  request.handle = call->is_of_f77 ? sl_request_of_fortran(*(const int*)a[call->result])
                                   : sl_handle_at((const void*)a[call->result]);
  request.open.group = one.group;
  request.open.peer = one.peer;
  request.open.seq = one.seq;
  request.bytes = bytesOf(call, a);
  request.is_recv = 1;
  sl_request_add(&request);
  return code;
}

/* Sends to `root`, and waits for what comes from `result`. */
int sl_sendrecv(sl_call* call, sl_word* a) {
  side one;
  sl_open open;
  int code;
  if (!sl_is_on()) return sl_pass(call, a);
  sendNow(call, a);
  if (!sideOf(call, a, call->result, 0, &one)) return sl_pass(call, a);
  open = sl_begin_pair(SL_OP_RECV, one.group, 0, one.peer, one.seq);
  code = sl_pass(call, a);
  sl_end(&open);
  return code;
}

/* It waits for something, of which is not known what. */
static int waitForAny(sl_call* call, sl_word* a) {
  sl_open open = sl_begin_pair(SL_OP_RECV, SL_WORLD, 0, SL_NO_PEER, 0);
  const int code = sl_pass(call, a);
  sl_end(&open);
  return code;
}

int sl_probe_message(sl_call* call, sl_word* a) {
  return sl_is_on() ? waitForAny(call, a) : sl_pass(call, a);
}

/* The request at this place of a list. */
static uintptr_t requestAt(const sl_call* call, sl_word list, int index) {
  const int* const of_fortran = (const int*)list;
  if (call->is_of_f77) return sl_request_of_fortran(of_fortran[index]);
  return sl_has_pointers ? ((const uintptr_t*)list)[index] : (uintptr_t)((const uint32_t*)list)[index];
}

int sl_wait(sl_call* call, sl_word* a) {
  sl_waits waits;
  int code;
  if (!sl_is_on()) return sl_pass(call, a);
  sl_wait_begin(&waits);
  sl_wait_add(&waits, requestAt(call, a[0], 0));
  code = sl_pass(call, a);
  sl_wait_end(&waits);
  return code;
}

int sl_waitall(sl_call* call, sl_word* a) {
  sl_waits waits;
  const int count = sl_int(call, a, 0);
  int code;
  int i;
  if (!sl_is_on()) return sl_pass(call, a);
  sl_wait_begin(&waits);
  for (i = 0; i < count; ++i) sl_wait_add(&waits, requestAt(call, a[1], i));
  code = sl_pass(call, a);
  sl_wait_end(&waits);
  return code;
}

enum { kMostListed = 256 };

/* Requests as they are called before a function that completes some: it takes their names away. */
typedef struct list {
  int count;
  uintptr_t at[kMostListed];
} list;

static void listed(const sl_call* call, const sl_word* a, list* out) {
  const int count = sl_int(call, a, 0);
  for (out->count = 0; out->count < count && out->count < kMostListed; ++out->count)
    out->at[out->count] = requestAt(call, a[1], out->count);
}

static void overAt(const sl_call* call, const list* from, int index) {
  index -= call->is_of_f77; /* it counts from 1 */
  if (index >= 0 && index < from->count) sl_request_over(from->at[index]);
}

/* (count, requests, index, status), and MPI_Testany, which has a flag before its status. */
int sl_waitany(sl_call* call, sl_word* a) {
  const int is_test = call->count != SL_NONE;
  list before;
  int code;
  if (!sl_is_on()) return sl_pass(call, a);
  listed(call, a, &before);
  code = is_test ? sl_pass(call, a) : waitForAny(call, a);
  if (!is_test || *(const int*)a[call->count] != 0) overAt(call, &before, *(const int*)a[2]);
  return code;
}

/* (count, requests, how many are over, which, statuses), and MPI_Testsome. */
int sl_waitsome(sl_call* call, sl_word* a) {
  const int is_test = call->count != SL_NONE;
  const int* const over = (const int*)a[2];
  const int* const which = (const int*)a[3];
  list before;
  int code;
  int i;
  if (!sl_is_on()) return sl_pass(call, a);
  listed(call, a, &before);
  code = is_test ? sl_pass(call, a) : waitForAny(call, a);
  for (i = 0; i < *over && i < before.count; ++i) overAt(call, &before, which[i]);
  return code;
}

int sl_test(sl_call* call, sl_word* a) {
  uintptr_t request;
  int code;
  if (!sl_is_on()) return sl_pass(call, a);
  request = requestAt(call, a[0], 0);
  code = sl_pass(call, a);
  if (*(const int*)a[1] != 0) sl_request_over(request);
  return code;
}

int sl_testall(sl_call* call, sl_word* a) {
  list before;
  int code;
  int i;
  if (!sl_is_on()) return sl_pass(call, a);
  listed(call, a, &before);
  code = sl_pass(call, a);
  for (i = 0; *(const int*)a[2] != 0 && i < before.count; ++i) sl_request_over(before.at[i]);
  return code;
}

int sl_free_request(sl_call* call, sl_word* a) {
  if (sl_is_on()) sl_request_over(requestAt(call, a[0], 0));
  return sl_pass(call, a);
}
