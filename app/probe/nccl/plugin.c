/* SPDX-License-Identifier: Apache-2.0 */
/* What NCCL finds in the plugin. It fails open: every function says that all is well, and an event that is not recorded
 * has no handle. */
#include "app/probe/nccl/abi.h"
#include "app/probe/nccl/probe.h"

#include <string.h>

static int made(void** context, int* mask, uint64_t id, const char* name, int size, int rank) {
  const sl_nccl_comm* comm;
  if (context == NULL) return 0;
  *context = NULL;
  comm = mask == NULL ? NULL : sl_nccl_comm_made(id, name, size, rank);
  if (comm == NULL) return 0;
  *context = (void*)(uintptr_t)(comm->index + 1u);
  __atomic_fetch_or(mask, SL_NCCL_COLL | SL_NCCL_P2P | SL_NCCL_KERNEL_CHANNEL, __ATOMIC_RELAXED);
  return 0;
}

static int init4(void** context, int* mask, const char* name, uint64_t id, int nodes, int size, int rank,
                 sl_nccl_log log) {
  (void)nodes;
  (void)log;
  return made(context, mask, id, name, size, rank);
}

static int init5(void** context, uint64_t id, int* mask, const char* name, int nodes, int size, int rank,
                 sl_nccl_log log) {
  (void)nodes;
  (void)log;
  return made(context, mask, id, name, size, rank);
}

static void begun(void* context, void** handle, uint64_t type, void* parent, const void* of) {
  uint64_t name = 0;
  sl_nccl_comm* const comm = context == NULL ? NULL : sl_nccl_comm_at((uintptr_t)context - 1u);
  if (type == SL_NCCL_KERNEL_CHANNEL) {
    name = sl_nccl_channel_begin((uintptr_t)parent, ((const sl_nccl_channel*)of)->channel);
  } else if (comm != NULL && type == SL_NCCL_COLL) {
    const sl_nccl_coll* const coll = (const sl_nccl_coll*)of;
    const sl_nccl_begun one = {coll->function, coll->type, coll->count, coll->root, coll->channels};
    name = sl_nccl_op_begin(comm, &one, 0);
  } else if (comm != NULL && type == SL_NCCL_P2P) {
    const sl_nccl_p2p* const pair = (const sl_nccl_p2p*)of;
    const sl_nccl_begun one = {pair->function, pair->type, pair->count, pair->peer, pair->channels};
    name = sl_nccl_op_begin(comm, &one, 1);
  }
  *handle = (void*)(uintptr_t)name;
}

static int start4(void* context, void** handle, const sl_nccl_event_v4* event) {
  if (handle == NULL) return 0;
  *handle = NULL;
  if (event != NULL) begun(context, handle, event->type, event->parent, &event->of);
  return 0;
}

static int start5(void* context, void** handle, const sl_nccl_event_v5* event) {
  if (handle == NULL) return 0;
  *handle = NULL;
  if (event != NULL) begun(context, handle, event->type, event->parent, &event->of);
  return 0;
}

static int stop(void* handle) {
  sl_nccl_end((uintptr_t)handle);
  return 0;
}

static int state(void* handle, int what, const void* arguments) {
  (void)handle;
  (void)what;
  (void)arguments;
  return 0;
}

static int finalize(void* context) {
  sl_nccl_comm* const comm = context == NULL ? NULL : sl_nccl_comm_at((uintptr_t)context - 1u);
  if (comm != NULL) sl_nccl_comm_gone(comm);
  return 0;
}

#define SL_EXPORTED __attribute__((visibility("default")))

SL_EXPORTED const sl_nccl_profiler_v4 ncclProfiler_v4 = {"ShardLens", init4, start4, stop, state, finalize};
SL_EXPORTED const sl_nccl_profiler_v5 ncclProfiler_v5 = {"ShardLens", init5, start5, stop, state, finalize};
