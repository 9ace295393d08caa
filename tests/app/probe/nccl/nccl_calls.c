/* SPDX-License-Identifier: Apache-2.0 */
/* nccl_calls PLUGIN VERSION CASE: calls a profiler plugin as NCCL would, or as it should not, and exits with 0 when it
 * always said that all is well. What it wrote into its rings, nccl_probe_test.py reads. */
#define _GNU_SOURCE
#include "core/wire/ring_file.h"
#include "tests/app/probe/nccl/nccl_host.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { kRanks = 4, kOps = 400, kChannels = 3, kId = 0x5EED };

static nccl_plugin plugin;
static const char* folder;
static int failures;

static void* begin(void* context, nccl_descr descr) {
  void* handle = (void*)&failures; /* it must be set */
  if (nccl_start(&plugin, context, &handle, &descr) != 0 || handle == (void*)&failures)
    __atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);
  return handle;
}

static void end(void* handle) {
  if (nccl_stop(&plugin, handle) != 0) __atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);
}

static void* made(uint64_t id, const char* name, int size, int rank) {
  void* context = (void*)&failures;
  if (nccl_init(&plugin, &context, id, name, size, rank) != 0) ++failures;
  return context;
}

static nccl_descr sum(int channels) {
  return nccl_coll(&plugin, "AllReduce", 6, "ncclFloat32", 0, channels);
}

/* The kernel of an operation: so many channels of it. */
static void run(void* context, void* op, int channels) {
  void* handles[64];
  int i;
  for (i = 0; i < channels; ++i) handles[i] = begin(context, nccl_channel(&plugin, op, i));
  for (i = 0; i < channels; ++i) {
    uint64_t gpu_ns = 1;
    if (nccl_state(&plugin, handles[i], 22, &gpu_ns) != 0) ++failures;
    end(handles[i]);
  }
}

/* --- several ranks, each with a thread that queues and one that sees kernels
 * ------------------------------------------ */

typedef struct rank {
  int number;
  void* context;
  void* queue[kOps];
  int queued;
  pthread_barrier_t* all_made;
} rank;

static void* kernels(void* argument) {
  rank* const own = (rank*)argument;
  int i;
  for (i = 0; i < kOps; ++i) {
    while (__atomic_load_n(&own->queued, __ATOMIC_ACQUIRE) <= i) sched_yield();
    run(own->context, own->queue[i], kChannels);
  }
  return NULL;
}

static nccl_descr descrOf(int i) {
  switch (i % 4) {
    case 0:
      return sum(kChannels);
    case 1:
      return nccl_coll(&plugin, "Broadcast", 10, "ncclInt8", 2, kChannels);
    case 2:
      return nccl_coll(&plugin, "AllGather", 4, "ncclBfloat16", 0, kChannels);
    default:
      return nccl_coll(&plugin, "ReduceScatter", 2, "ncclFloat64", 0, kChannels);
  }
}

static void* queues(void* argument) {
  rank* const own = (rank*)argument;
  pthread_t other;
  int i;
  own->context = made(kId, NULL, kRanks, own->number);
  pthread_barrier_wait(own->all_made);
  pthread_create(&other, NULL, kernels, own);
  for (i = 0; i < kOps; ++i) {
    void* const group = begin(own->context, nccl_event(&plugin, NCCL_GROUP, NULL, own->number));
    own->queue[i] = begin(own->context, descrOf(i));
    __atomic_store_n(&own->queued, i + 1, __ATOMIC_RELEASE); /* the kernel may be over before it is in the queue */
    end(own->queue[i]);
    end(group);
  }
  pthread_join(other, NULL);
  return NULL;
}

static void threads(void) {
  static rank ranks[kRanks];
  pthread_t running[kRanks];
  pthread_barrier_t all_made;
  int i;
  pthread_barrier_init(&all_made, NULL, kRanks);
  for (i = 0; i < kRanks; ++i) {
    ranks[i].number = i;
    ranks[i].all_made = &all_made;
    pthread_create(&running[i], NULL, queues, &ranks[i]);
  }
  for (i = 0; i < kRanks; ++i) pthread_join(running[i], NULL);
  for (i = 0; i < kRanks; ++i) nccl_finalize(&plugin, ranks[i].context);
}

/* --- two ranks in one thread
 * ------------------------------------------------------------------------------------------ */

static void pairs(void) {
  void* const zero = made(kId, "pipeline", 2, 0);
  void* const one = made(kId, "pipeline", 2, 1);
  void* handles[4];
  int i;
  handles[0] = begin(zero, nccl_p2p(&plugin, "Send", 5, "ncclFloat16", 1, 1));
  handles[1] = begin(zero, nccl_p2p(&plugin, "Send", 6, "ncclFloat16", 1, 1));
  handles[2] = begin(one, nccl_p2p(&plugin, "Recv", 5, "ncclFloat16", 0, 1));
  handles[3] = begin(one, nccl_p2p(&plugin, "Recv", 6, "ncclFloat16", 0, 1));
  for (i = 0; i < 4; ++i) end(handles[i]);
  for (i = 0; i < 4; ++i) run(i < 2 ? zero : one, handles[i], 1);
  end(begin(zero, nccl_p2p(&plugin, "Send", 5, "ncclFloat16", 7, 1))); /* no such rank */
  end(begin(zero, nccl_p2p(&plugin, "Send", 5, "ncclFloat16", -1, 1)));
  end(begin(zero, nccl_p2p(&plugin, "Send", 5, "ncclFloat16", 0, 1))); /* to itself */
}

/* When an operation is over. */
static void completion(void) {
  void* const zero = made(kId, "", 2, 0);
  void* first;
  void* last;
  (void)made(kId, "", 2, 1);
  first = begin(zero, sum(2)); /* one of its channels is never heard of */
  end(first);
  run(zero, first, 1);
  last = begin(zero, sum(255)); /* NCCL cannot have so many: those that began */
  end(last);
  run(zero, last, 2);
  last = begin(zero, sum(1)); /* over before it is in the queue */
  run(zero, last, 1);
  end(last);
  last = begin(zero, sum(1)); /* its kernel never ends */
  end(last);
  (void)begin(zero, nccl_channel(&plugin, last, 0));
  end(begin(zero, sum(1))); /* its kernel never begins */
}

/* One kernel that does several operations: its channels are told from the last one on. */
static void grouped(void) {
  void* const zero = made(kId, "grouped", 2, 0);
  void* handles[3];
  int i;
  (void)made(kId, "grouped", 2, 1);
  for (i = 0; i < 3; ++i) handles[i] = begin(zero, sum(1));
  for (i = 0; i < 3; ++i) end(handles[i]);
  for (i = 2; i >= 0; --i) run(zero, handles[i], 1);
}

static void bad(void) {
  static const uint64_t types[] = {0, 1, 8, 16, 32, 128, 256, 512, 1024, 2048, 4096, 1ull << 40, ~0ull};
  void* const context = made(kId, "bad", 2, 0);
  void* op;
  void* channel;
  nccl_descr descr = sum(1);
  size_t i;
  (void)made(kId, "bad", 2, 1);
  if (nccl_start(&plugin, context, NULL, &descr) != 0 || nccl_start(&plugin, context, &op, NULL) != 0) ++failures;
  if (op != NULL || begin(NULL, sum(1)) != NULL || begin((void*)99999, sum(1)) != NULL) ++failures;
  for (i = 0; i < sizeof(types) / sizeof(types[0]); ++i) {
    if (begin(context, nccl_event(&plugin, types[i], NULL, 0)) != NULL) ++failures;
  }
  end(NULL);
  for (i = 1; i < 100000; i += 7) end((void*)(i * 0x9E3779B97F4A7C15u));
  if (begin(context, nccl_channel(&plugin, NULL, 0)) != NULL) ++failures;
  if (begin(context, nccl_channel(&plugin, (void*)&failures, 0)) != NULL) ++failures;
  op = begin(context, nccl_coll(&plugin, NULL, ~(size_t)0, NULL, -5, 1));
  if (begin(context, nccl_channel(&plugin, op, 200)) != NULL) ++failures;
  channel = begin(context, nccl_channel(&plugin, op, 0));
  if (begin(context, nccl_channel(&plugin, channel, 0)) != NULL) ++failures; /* a channel has no channels */
  end(channel);
  end(channel);
  end(op);
  end(op);
  end(channel);
  if (begin(context, nccl_channel(&plugin, op, 0)) != NULL) ++failures; /* it is over */
  op = begin(context, sum(1));
  if (nccl_state(&plugin, op, 99, NULL) != 0 || nccl_finalize(&plugin, context) != 0) ++failures;
  end(op);
  if (nccl_finalize(&plugin, context) != 0 || nccl_finalize(&plugin, NULL) != 0) ++failures;
  if (begin(context, sum(1)) != NULL) ++failures;
}

/* --- beginning and end
 * ------------------------------------------------------------------------------------------------ */

static void once(const char* name) {
  void* const zero = made(kId, name, 2, 0);
  void* const one = made(kId, name, 2, 1);
  void* const op = begin(zero, sum(1));
  end(op);
  run(zero, op, 1);
  nccl_finalize(&plugin, zero);
  nccl_finalize(&plugin, one);
}

static void again(const char* path) {
  const int version = plugin.version;
  int i;
  for (i = 0; i < 3; ++i) {
    once("again");
    nccl_close(&plugin);
    if (nccl_open(&plugin, path, version) != 0) ++failures;
  }
  nccl_close(&plugin);
}

static void forks(void) {
  void* const zero = made(kId, "fork", 2, 0);
  (void)made(kId, "fork", 2, 1);
  if (fork() == 0) {
    end(begin(zero, sum(1)));
    exit(0);
  }
  wait(NULL);
}

/* More than a ring holds, and more at once than is kept. */
static void full(void) {
  void* const zero = made(kId, "full", 2, 0);
  int i;
  for (i = 0; i < 12000; ++i) {
    void* const op = begin(zero, sum(1));
    end(op);
    run(zero, op, 1);
  }
  for (i = 0; i < 3000; ++i) end(begin(zero, sum(1)));
}

/* What an operation costs: its event, and that of one channel; a reader empties the ring outside of what is measured.
 */
static void speed(void) {
  enum { kRounds = 200, kAtOnce = 1000 };
  static sl_record records[SL_RING_CAPACITY];
  void* const zero = made(kId, "speed", 2, 0);
  const nccl_descr descr = sum(1);
  sl_ring_map map = {0};
  char path[4096];
  uint64_t best = UINT64_MAX;
  size_t count = 0;
  int i;
  sl_ring_beside_path(path, sizeof(path), folder != NULL ? folder : "", 0);
  if (folder != NULL) (void)sl_ring_open_at(&map, path);
  for (i = 0; i < kRounds; ++i) {
    int k;
    const uint64_t from = sl_now();
    uint64_t took;
    for (k = 0; k < kAtOnce; ++k) {
      void* op = NULL;
      void* channel = NULL;
      nccl_descr one;
      (void)nccl_start(&plugin, zero, &op, &descr);
      (void)nccl_stop(&plugin, op);
      one = nccl_channel(&plugin, op, 0);
      (void)nccl_start(&plugin, zero, &channel, &one);
      (void)nccl_stop(&plugin, channel);
    }
    took = sl_now() - from;
    if (took < best) best = took;
    if (map.ring != NULL) count += sl_ring_pop(map.ring, map.capacity, records, SL_RING_CAPACITY);
  }
  printf("{\"seconds\": %.12f, \"operations\": %d, \"records\": %zu}\n", (double)best / 1e9 / kAtOnce,
         kRounds * kAtOnce, count);
}

int main(int count, char** words) {
  const char* const name = count > 3 ? words[3] : "";
  folder = getenv("SHARDLENS_RINGS");
  if (count < 4 || nccl_open(&plugin, words[1], atoi(words[2])) != 0) return 2;
  if (strcmp(name, "threads") == 0) threads();
  if (strcmp(name, "pairs") == 0) pairs();
  if (strcmp(name, "completion") == 0) completion();
  if (strcmp(name, "grouped") == 0) grouped();
  if (strcmp(name, "bad") == 0) bad();
  if (strcmp(name, "again") == 0) again(words[1]);
  if (strcmp(name, "forks") == 0) forks();
  if (strcmp(name, "full") == 0) full();
  if (strcmp(name, "speed") == 0) speed();
  if (strcmp(name, "once") == 0) once("once");
  if (strcmp(name, "once") == 0) printf("{\"mask\": %d}\n", plugin.mask);
  if (failures != 0) fprintf(stderr, "%d calls were not answered as they should be\n", failures);
  return failures != 0 ? 1 : count > 4 ? atoi(words[4]) : 0;
}
