/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SHARDLENS_PROBE_MPI_CALL_H
#define SHARDLENS_PROBE_MPI_CALL_H

/* How one function of MPI is passed on, and what of its arguments is looked at. */

#include "app/probe/mpi/probe.h"

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
