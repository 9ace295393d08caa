/* SPDX-License-Identifier: Apache-2.0 */
/* What the probe does around the functions of MPI: beginning and end, collectives, communicators. */
#include "app/probe/mpi/probe.h"

#include "app/probe/native/join.h"

#include <string.h>

typedef sl_word W;

/* A missing function is an error of the MPI library that its caller could not have been linked with. */
enum { kNoSuchFunction = 1 };

static int passed(void* real, uint8_t count, const W* a) {
  switch (count) {
    case 0:
      return ((int (*)(void))real)();
    case 1:
      return ((int (*)(W))real)(a[0]);
    case 2:
      return ((int (*)(W, W))real)(a[0], a[1]);
    case 3:
      return ((int (*)(W, W, W))real)(a[0], a[1], a[2]);
    case 4:
      return ((int (*)(W, W, W, W))real)(a[0], a[1], a[2], a[3]);
    case 5:
      return ((int (*)(W, W, W, W, W))real)(a[0], a[1], a[2], a[3], a[4]);
    case 6:
      return ((int (*)(W, W, W, W, W, W))real)(a[0], a[1], a[2], a[3], a[4], a[5]);
    case 7:
      return ((int (*)(W, W, W, W, W, W, W))real)(a[0], a[1], a[2], a[3], a[4], a[5], a[6]);
    case 8:
      return ((int (*)(W, W, W, W, W, W, W, W))real)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
    case 9:
      return ((int (*)(W, W, W, W, W, W, W, W, W))real)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]);
    case 10:
      return ((int (*)(W, W, W, W, W, W, W, W, W, W))real)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9]);
    case 11:
      return ((int (*)(W, W, W, W, W, W, W, W, W, W, W))real)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8],
                                                              a[9], a[10]);
    case 12:
      return ((int (*)(W, W, W, W, W, W, W, W, W, W, W, W))real)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8],
                                                                 a[9], a[10], a[11]);
    default:
      return ((int (*)(W, W, W, W, W, W, W, W, W, W, W, W, W))real)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7],
                                                                    a[8], a[9], a[10], a[11], a[12]);
  }
}

int sl_pass(sl_call* call, const sl_word* a) {
  void* real = __atomic_load_n(&call->real, __ATOMIC_RELAXED);
  int code;
  if (real == NULL) {
    real = sl_real(call->name);
    if (real == NULL) return kNoSuchFunction;
    __atomic_store_n(&call->real, real, __ATOMIC_RELAXED);
  }
  ++sl_depth;
  code = passed(real, (uint8_t)(call->arguments + call->is_of_f77), a);
  --sl_depth;
  return code;
}

/* Whether a call went well; Fortran says it by its last argument, which may be left out. */
static int isFine(const sl_call* call, const sl_word* a, int code) {
  const int* const error = call->is_of_f77 ? (const int*)a[call->arguments] : &code;
  return error == NULL || *error == 0;
}

static uintptr_t commAt(const sl_call* call, const sl_word* a, uint8_t at) {
  return call->is_of_f77 ? sl_comm_of_fortran(*(const int*)a[at]) : sl_handle_of(a[at]);
}

/* Of operations to which all ranks give the same size; 0 is not told. In the others MPI ignores counts and types on some
 * ranks, and to ask for the size of such a type would be an error of the job. */
static uint64_t bytesOf(const sl_call* call, const sl_word* a) {
  const int is_alike = call->op == SL_OP_ALLREDUCE || call->op == SL_OP_BROADCAST || call->op == SL_OP_REDUCE ||
                       call->op == SL_OP_SCAN;
  if (!is_alike || call->count == SL_NONE || call->type == SL_NONE) return 0;
  return sl_bytes(sl_int(call, a, call->count),
                  call->is_of_f77 ? sl_type_of_fortran(*(const int*)a[call->type]) : sl_handle_of(a[call->type]));
}

/* What records this process is started before the library holds memory or devices. */
int sl_init(sl_call* call, sl_word* a) {
  int code;
  if (sl_depth == 0) (void)sl_join();
  code = sl_pass(call, a);
  if (isFine(call, a, code)) (void)sl_is_on();
  return code;
}

/* The others may wait for it in vain from here on. */
int sl_finalize(sl_call* call, sl_word* a) {
  if (sl_is_on()) sl_bye(0);
  return sl_pass(call, a);
}

int sl_abort(sl_call* call, sl_word* a) {
  const int code = sl_int(call, a, 1);
  if (sl_is_on()) sl_bye(code != 0 ? code : 1);
  return sl_pass(call, a);
}

static uint32_t rootOf(const sl_call* call, const sl_word* a, const sl_comm* comm) {
  return call->root == SL_NONE ? SL_NO_PEER : sl_world_rank(comm, sl_int(call, a, call->root));
}

int sl_collective(sl_call* call, sl_word* a) {
  sl_comm* comm = NULL;
  sl_open open;
  int code;
  if (sl_is_on()) comm = sl_comm_find(commAt(call, a, call->comm));
  if (comm == NULL) return sl_pass(call, a);
  open = sl_begin(call->op, comm, bytesOf(call, a), rootOf(call, a, comm));
  code = sl_pass(call, a);
  sl_end(&open);
  return code;
}

/* The handle of the request that a call has made. */
static uintptr_t requestMade(const sl_call* call, const sl_word* a) {
  const void* const place = (const void*)a[call->result];
  return call->is_of_f77 ? sl_request_of_fortran(*(const int*)place) : sl_handle_at(place);
}

int sl_collective_aside(sl_call* call, sl_word* a) {
  sl_comm* comm = NULL;
  sl_request request;
  int code;
  if (sl_is_on()) comm = sl_comm_find(commAt(call, a, call->comm));
  if (comm == NULL) return sl_pass(call, a);
  memset(&request, 0, sizeof(request));
  request.open = sl_begin_aside(call->op, comm, bytesOf(call, a), rootOf(call, a, comm));
  code = sl_pass(call, a);
  if (isFine(call, a, code)) request.handle = requestMade(call, a);
  sl_request_add(&request);
  return code;
}

int sl_new_comm(sl_call* call, sl_word* a) {
  const int is_on = sl_is_on();
  sl_comm* const parent = is_on ? sl_comm_find(commAt(call, a, call->comm)) : NULL;
  const uint32_t number = parent != NULL ? parent->number : SL_WORLD;
  sl_open open = {0};
  int code;
  if (!is_on) return sl_pass(call, a);
  if (parent != NULL && call->op != SL_OP_NONE) open = sl_begin(call->op, parent, 0, SL_NO_PEER);
  code = sl_pass(call, a);
  sl_end(&open);
  if (!isFine(call, a, code)) return code;
  sl_comm_made(
      call->is_of_f77 ? sl_comm_of_fortran(*(const int*)a[call->result]) : sl_handle_at((const void*)a[call->result]),
      number);
  return code;
}

int sl_free_comm(sl_call* call, sl_word* a) {
  uintptr_t handle = 0;
  int code;
  if (sl_is_on()) handle = call->is_of_f77 ? sl_comm_of_fortran(*(const int*)a[0]) : sl_handle_at((const void*)a[0]);
  code = sl_pass(call, a);
  if (handle != 0 && isFine(call, a, code)) sl_comm_freed(handle);
  return code;
}

/* Fortran gives the length of a text behind all other arguments, and fills it with spaces. */
int sl_name_comm(sl_call* call, sl_word* a) {
  const char* const name = (const char*)a[1];
  size_t length;
  if (sl_is_on() && name != NULL) {
    length = call->is_of_f77 ? (size_t)(uint32_t)a[3] : strlen(name); /* older compilers give 32 bits */
    while (call->is_of_f77 && length > 0 && name[length - 1] == ' ') --length;
    sl_comm_named(commAt(call, a, 0), name, length);
  }
  return sl_pass(call, a);
}

int sl_free_type(sl_call* call, sl_word* a) {
  sl_forget_types();
  return sl_pass(call, a);
}
