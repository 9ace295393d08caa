/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/app/probe/nccl/nccl_host.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef int (*init4)(void**, int*, const char*, uint64_t, int, int, int, void (*)(void));
typedef int (*init5)(void**, uint64_t, int*, const char*, int, int, int, void (*)(void));
typedef int (*start)(void*, void**, const void*);
typedef int (*stop)(void*);
typedef int (*state)(void*, int, void*);

int nccl_open(nccl_plugin* plugin, const char* path, int version) {
  memset(plugin, 0, sizeof(*plugin));
  plugin->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (plugin->library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  for (plugin->version = version != 0 ? version : 5; plugin->version >= 4; --plugin->version) {
    plugin->functions =
        (const void* const*)dlsym(plugin->library, plugin->version == 5 ? "ncclProfiler_v5" : "ncclProfiler_v4");
    if (plugin->functions != NULL || version != 0) break;
  }
  return plugin->functions == NULL;
}

void nccl_close(nccl_plugin* plugin) {
  dlclose(plugin->library);
  memset(plugin, 0, sizeof(*plugin));
}

int nccl_init(nccl_plugin* plugin, void** context, uint64_t id, const char* name, int size, int rank) {
  if (plugin->version == 4) return ((init4)plugin->functions[1])(context, &plugin->mask, name, id, 1, size, rank, NULL);
  return ((init5)plugin->functions[1])(context, id, &plugin->mask, name, 1, size, rank, NULL);
}

int nccl_start(const nccl_plugin* plugin, void* context, void** handle, const nccl_descr* descr) {
  return ((start)plugin->functions[2])(context, handle, descr);
}

int nccl_stop(const nccl_plugin* plugin, void* handle) {
  return ((stop)plugin->functions[3])(handle);
}

int nccl_state(const nccl_plugin* plugin, void* handle, int what, void* arguments) {
  return ((state)plugin->functions[4])(handle, what, arguments);
}

int nccl_finalize(const nccl_plugin* plugin, void* context) {
  return ((stop)plugin->functions[5])(context);
}

/* --- descriptors: at which byte what is --------------------------------------------------------------------------- */

static void put(nccl_descr* descr, size_t at, const void* what, size_t bytes) {
  memcpy((char*)descr + at, what, bytes);
}

static void putText(nccl_descr* descr, size_t at, const char* text) {
  put(descr, at, &text, sizeof(text));
}

static void putSize(nccl_descr* descr, size_t at, size_t size) {
  put(descr, at, &size, sizeof(size));
}

static void putInt(nccl_descr* descr, size_t at, int number) {
  put(descr, at, &number, sizeof(number));
}

static void putByte(nccl_descr* descr, size_t at, int number) {
  const uint8_t byte = (uint8_t)number;
  put(descr, at, &byte, 1);
}

nccl_descr nccl_event(const nccl_plugin* plugin, uint64_t type, void* parent, int rank) {
  nccl_descr descr;
  memset(&descr, 0xA5, sizeof(descr));
  if (plugin->version == 4) {
    putByte(&descr, 0, (int)type);
  } else {
    put(&descr, 0, &type, sizeof(type));
  }
  put(&descr, 8, &parent, sizeof(parent));
  putInt(&descr, 16, rank);
  return descr;
}

nccl_descr nccl_coll(const nccl_plugin* plugin, const char* function, size_t count, const char* type, int root,
                     int channels) {
  nccl_descr descr = nccl_event(plugin, NCCL_COLL, NULL, 0);
  putText(&descr, 32, function);
  putSize(&descr, 56, count);
  putInt(&descr, 64, root);
  putText(&descr, 72, type);
  putByte(&descr, 80, channels);
  return descr;
}

nccl_descr nccl_p2p(const nccl_plugin* plugin, const char* function, size_t count, const char* type, int peer,
                    int channels) {
  nccl_descr descr = nccl_event(plugin, NCCL_P2P, NULL, 0);
  putText(&descr, 24, function);
  putText(&descr, 40, type);
  putSize(&descr, 48, count);
  putInt(&descr, 56, peer);
  putByte(&descr, 60, channels);
  return descr;
}

nccl_descr nccl_channel(const nccl_plugin* plugin, void* parent, int channel) {
  nccl_descr descr = nccl_event(plugin, NCCL_KERNEL_CHANNEL, parent, 0);
  putByte(&descr, 24, channel);
  return descr;
}
