/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SHARDLENS_PROBE_NCCL_ABI_H
#define SHARDLENS_PROBE_NCCL_ABI_H

/* What NCCL gives to a profiler plugin and takes from it, versions 4 (NCCL 2.27) and 5 (2.28 and later), as far as the
 * probe uses it. No header of NCCL is needed. Layouts were read in the sources of 2.27.7, 2.28.9 and 2.30.7. */

#include <stddef.h>
#include <stdint.h>

/* Bits of the mask by which a plugin says which events it wants, and the type of an event. NCCL also tells the events
 * that these are part of. */
enum { SL_NCCL_COLL = 1 << 1, SL_NCCL_P2P = 1 << 2, SL_NCCL_KERNEL_CHANNEL = 1 << 6 };

/* A collective that is handed to the GPU. */
typedef struct sl_nccl_coll {
  uint64_t seq; /* of this function in this communicator */
  const char* function;
  const void* from;
  void* to;
  size_t count;
  int root;
  const char* type;
  uint8_t channels; /* that the kernel uses */
  uint8_t warps;
  const char* algorithm;
  const char* protocol;
} sl_nccl_coll;

/* A send or a recv, likewise. */
typedef struct sl_nccl_p2p {
  const char* function;
  void* buffer;
  const char* type;
  size_t count;
  int peer;
  uint8_t channels;
} sl_nccl_p2p;

/* The part of a kernel that runs on one channel has begun; it ends with the event. */
typedef struct sl_nccl_channel {
  uint8_t channel;
  uint64_t gpu_ns;
} sl_nccl_channel;

typedef struct sl_nccl_event_v4 {
  uint8_t type;
  void* parent; /* of a kernel channel: the handle of its operation */
  int rank;
  union {
    sl_nccl_coll coll;
    sl_nccl_p2p p2p;
    sl_nccl_channel channel;
    char all[80];
  } of;
} sl_nccl_event_v4;

typedef struct sl_nccl_event_v5 {
  uint64_t type;
  void* parent;
  int rank;
  union {
    sl_nccl_coll coll;
    sl_nccl_p2p p2p;
    sl_nccl_channel channel;
    char all[88];
  } of;
} sl_nccl_event_v5;

typedef void (*sl_nccl_log)(void);

/* A function returns 0 when all is well. */
typedef struct sl_nccl_profiler_v4 {
  const char* name;
  int (*init)(void** context, int* mask, const char* comm_name, uint64_t comm_id, int nodes, int size, int rank,
              sl_nccl_log log);
  int (*start)(void* context, void** handle, const sl_nccl_event_v4* event);
  int (*stop)(void* handle);
  int (*state)(void* handle, int state, const void* arguments);
  int (*finalize)(void* context);
} sl_nccl_profiler_v4;

typedef struct sl_nccl_profiler_v5 {
  const char* name;
  int (*init)(void** context, uint64_t comm_id, int* mask, const char* comm_name, int nodes, int size, int rank,
              sl_nccl_log log);
  int (*start)(void* context, void** handle, const sl_nccl_event_v5* event);
  int (*stop)(void* handle);
  int (*state)(void* handle, int state, const void* arguments);
  int (*finalize)(void* context);
} sl_nccl_profiler_v5;

#if UINTPTR_MAX == 0xFFFFFFFFFFFFFFFFu
_Static_assert(sizeof(sl_nccl_event_v4) == 104, "an event of version 4");
_Static_assert(sizeof(sl_nccl_event_v5) == 112, "an event of version 5");
_Static_assert(offsetof(sl_nccl_event_v4, of) == 24 && offsetof(sl_nccl_event_v5, of) == 24, "its own part");
_Static_assert(offsetof(sl_nccl_coll, count) == 32 && offsetof(sl_nccl_coll, type) == 48, "a collective");
_Static_assert(offsetof(sl_nccl_coll, channels) == 56 && sizeof(sl_nccl_coll) == 80, "a collective");
_Static_assert(offsetof(sl_nccl_p2p, peer) == 32 && offsetof(sl_nccl_p2p, channels) == 36, "a send or recv");
_Static_assert(sizeof(sl_nccl_profiler_v4) == 48 && sizeof(sl_nccl_profiler_v5) == 48, "a plugin");
#endif

#endif
