/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SHARDLENS_TESTS_NCCL_HOST_H
#define SHARDLENS_TESTS_NCCL_HOST_H

/* NCCL's side of a profiler plugin, for tests: finds it, and calls it in version 4 or 5. It shares no declaration with
 * the plugin: fields are written where NCCL's layout has them. */

#include <stddef.h>
#include <stdint.h>

enum { NCCL_GROUP = 1, NCCL_COLL = 2, NCCL_P2P = 4, NCCL_PROXY_OP = 8, NCCL_KERNEL_CHANNEL = 64, NCCL_COLL_API = 512 };

typedef struct nccl_plugin {
  void* library;
  int version; /* 4 or 5 */
  const void* const* functions;
  int mask; /* NCCL has one for the whole process */
} nccl_plugin;

typedef struct nccl_descr {
  uint64_t words[14]; /* 112 bytes */
} nccl_descr;

/* Opens `path` as NCCL does: with all symbols at once, for itself alone. `version` 0: the newest that it has. 0 when
 * that worked. */
int nccl_open(nccl_plugin* plugin, const char* path, int version);
void nccl_close(nccl_plugin* plugin);

int nccl_init(nccl_plugin* plugin, void** context, uint64_t id, const char* name, int size, int rank);
int nccl_finalize(const nccl_plugin* plugin, void* context);
int nccl_start(const nccl_plugin* plugin, void* context, void** handle, const nccl_descr* descr);
int nccl_stop(const nccl_plugin* plugin, void* handle);
int nccl_state(const nccl_plugin* plugin, void* handle, int state, void* arguments);

/* Descriptors. What NCCL leaves as it finds it is no zero here. */
nccl_descr nccl_event(const nccl_plugin* plugin, uint64_t type, void* parent, int rank);
nccl_descr nccl_coll(const nccl_plugin* plugin, const char* function, size_t count, const char* type, int root,
                     int channels);
nccl_descr nccl_p2p(const nccl_plugin* plugin, const char* function, size_t count, const char* type, int peer,
                    int channels);
nccl_descr nccl_channel(const nccl_plugin* plugin, void* parent, int channel);

#endif
