/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "tests/integration/nccl/fake_nccl.h"

#include "tests/app/probe/nccl/nccl_host.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { kRanks = 8, kWindow = 16, kQueue = 256, kChannels = 2, kSplits = 16 };
enum { kAllReduce, kAllGather, kBroadcast, kSend, kRecv, kCompute };

static const char* const names[] = {"AllReduce", "AllGather", "Broadcast", "Send", "Recv"};

/* One place in the order of a communicator's collectives: what each rank brought. */
typedef struct meeting {
  uint64_t came[kRanks]; /* the number of the collective, from 1 */
  int kind[kRanks];
  int root[kRanks];
  uint64_t count[kRanks];
  float data[kRanks][kFakeMost];
} meeting;

/* From one rank to another. */
typedef struct mailbox {
  uint64_t sent;
  uint64_t got;
  float data[kWindow][kFakeMost];
} mailbox;

/* What the ranks of a communicator share. */
typedef struct shared {
  int arrived;
  int gone;
  uint64_t over[kRanks]; /* collectives that the rank has left */
  int color[kSplits][kRanks];
  meeting meetings[kWindow];
  mailbox mail[kRanks][kRanks];
} shared;

typedef struct operation {
  int kind;
  const float* from;
  float* to;
  size_t count;
  int peer; /* or root */
  void* handle;
} operation;

struct ncclComm {
  char path[100];
  uint64_t id;
  int rank;
  int size;
  int splits;
  shared* all;
  void* context;
  pthread_t stream;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  operation queue[kQueue];
  size_t queued;
  size_t done;
  int is_ending;
  uint64_t collectives;
  operation grouped[kQueue];
  size_t group_size;
};

static nccl_plugin plugin;
static int plugins;
static __thread int depth;
static __thread ncclComm_t in_group[kQueue];
static __thread size_t group_comms;

static void rest(void) {
  const struct timespec some = {0, 50000};
  nanosleep(&some, NULL);
}

/* --- the plugin --------------------------------------------------------------------------------------------------- */

static void loadPlugin(void) {
  const char* const path = getenv("NCCL_PROFILER_PLUGIN");
  const char* const version = getenv("FAKE_NCCL_PLUGIN_VERSION");
  if (path == NULL || strcmp(path, "none") == 0) return;
  if (plugins == 0 && nccl_open(&plugin, path, version != NULL ? atoi(version) : 0) != 0) return;
  ++plugins;
}

static void unloadPlugin(void) {
  if (plugins > 0 && --plugins == 0) nccl_close(&plugin);
}

static void* started(const ncclComm_t comm, nccl_descr descr) {
  void* handle = NULL;
  if (plugins > 0 && comm->context != NULL) (void)nccl_start(&plugin, comm->context, &handle, &descr);
  return handle;
}

static void stopped(void* handle) {
  if (handle != NULL) (void)nccl_stop(&plugin, handle);
}

/* --- the stream --------------------------------------------------------------------------------------------------- */

static int fits(const meeting* here, int ranks) {
  int i;
  for (i = 1; i < ranks; ++i) {
    if (here->kind[i] != here->kind[0] || here->count[i] != here->count[0] || here->root[i] != here->root[0]) return 0;
  }
  return 1;
}

static void compute(const operation* op, const meeting* here, int ranks) {
  size_t i;
  int r;
  for (i = 0; i < op->count; ++i) {
    if (op->kind == kAllReduce) op->to[i] = 0;
    if (op->kind == kBroadcast) op->to[i] = here->data[op->peer][i];
    for (r = 0; r < ranks && op->kind != kBroadcast; ++r) {
      if (op->kind == kAllReduce) op->to[i] += here->data[r][i];
      if (op->kind == kAllGather) op->to[(size_t)r * op->count + i] = here->data[r][i];
    }
  }
}

static void meet(ncclComm_t comm, const operation* op) {
  const uint64_t number = ++comm->collectives;
  meeting* const here = &comm->all->meetings[number % kWindow];
  int i;
  for (i = 0; i < comm->size; ++i) { /* the ranks that are a window behind still read what stands here */
    while (__atomic_load_n(&comm->all->over[i], __ATOMIC_ACQUIRE) + kWindow < number) rest();
  }
  here->kind[comm->rank] = op->kind;
  here->root[comm->rank] = op->peer;
  here->count[comm->rank] = op->count;
  memcpy(here->data[comm->rank], op->from, op->count * sizeof(float));
  __atomic_store_n(&here->came[comm->rank], number, __ATOMIC_RELEASE);
  for (i = 0; i < comm->size; ++i) {
    while (__atomic_load_n(&here->came[i], __ATOMIC_ACQUIRE) != number) rest();
  }
  while (!fits(here, comm->size)) rest(); /* for ever */
  compute(op, here, comm->size);
  __atomic_store_n(&comm->all->over[comm->rank], number, __ATOMIC_RELEASE);
}

static void mail(ncclComm_t comm, const operation* op) {
  const int sends = op->kind == kSend;
  mailbox* const box = sends ? &comm->all->mail[comm->rank][op->peer] : &comm->all->mail[op->peer][comm->rank];
  uint64_t* const own = sends ? &box->sent : &box->got;
  const uint64_t number = *own;
  if (sends) {
    while (number - __atomic_load_n(&box->got, __ATOMIC_ACQUIRE) >= kWindow) rest();
    memcpy(box->data[number % kWindow], op->from, op->count * sizeof(float));
  } else {
    while (__atomic_load_n(&box->sent, __ATOMIC_ACQUIRE) == number) rest();
    memcpy(op->to, box->data[number % kWindow], op->count * sizeof(float));
  }
  __atomic_store_n(own, number + 1, __ATOMIC_RELEASE);
}

static void runKernel(ncclComm_t comm, const operation* op) {
  void* channels[kChannels] = {NULL};
  int i;
  if (op->kind == kCompute) return (void)usleep((useconds_t)op->count);
  for (i = 0; op->handle != NULL && i < kChannels; ++i)
    channels[i] = started(comm, nccl_channel(&plugin, op->handle, i));
  if (op->kind == kSend || op->kind == kRecv) {
    mail(comm, op);
  } else {
    meet(comm, op);
  }
  for (i = 0; i < kChannels; ++i) stopped(channels[i]);
}

static void* stream(void* argument) {
  ncclComm_t const comm = (ncclComm_t)argument;
  pthread_mutex_lock(&comm->lock);
  for (;;) {
    while (comm->done == comm->queued && !comm->is_ending) pthread_cond_wait(&comm->changed, &comm->lock);
    if (comm->done == comm->queued) break;
    pthread_mutex_unlock(&comm->lock);
    runKernel(comm, &comm->queue[comm->done % kQueue]);
    pthread_mutex_lock(&comm->lock);
    ++comm->done;
    pthread_cond_broadcast(&comm->changed);
  }
  pthread_mutex_unlock(&comm->lock);
  return NULL;
}

void fakeSynchronize(ncclComm_t comm) {
  pthread_mutex_lock(&comm->lock);
  while (comm->done != comm->queued) pthread_cond_wait(&comm->changed, &comm->lock);
  pthread_mutex_unlock(&comm->lock);
}

static void append(ncclComm_t comm, const operation* op) {
  pthread_mutex_lock(&comm->lock);
  while (comm->queued - comm->done == kQueue) pthread_cond_wait(&comm->changed, &comm->lock);
  comm->queue[comm->queued++ % kQueue] = *op;
  pthread_cond_broadcast(&comm->changed);
  pthread_mutex_unlock(&comm->lock);
}

void fakeCompute(ncclComm_t comm, size_t microseconds) {
  const operation op = {kCompute, NULL, NULL, microseconds, 0, NULL};
  append(comm, &op);
}

/* --- operations --------------------------------------------------------------------------------------------------- */

static void launch(ncclComm_t comm) {
  void* const group = started(comm, nccl_event(&plugin, NCCL_GROUP, NULL, comm->rank));
  size_t i;
  for (i = 0; i < comm->group_size; ++i) {
    operation* const op = &comm->grouped[i];
    const int is_pair = op->kind == kSend || op->kind == kRecv;
    op->handle =
        started(comm, is_pair ? nccl_p2p(&plugin, names[op->kind], op->count, "ncclFloat32", op->peer, kChannels)
                              : nccl_coll(&plugin, names[op->kind], op->count, "ncclFloat32", op->peer, kChannels));
    append(comm, op);
  }
  for (i = 0; i < comm->group_size; ++i) stopped(comm->grouped[i].handle);
  stopped(group);
  comm->group_size = 0;
}

static ncclResult_t queue(ncclComm_t comm, operation op) {
  if (op.count > kFakeMost || comm->group_size == kQueue || group_comms == kQueue) return ncclInvalidArgument;
  if (depth == 0) stopped(started(comm, nccl_event(&plugin, NCCL_COLL_API, NULL, comm->rank)));
  if (comm->group_size == 0) in_group[group_comms++] = comm;
  comm->grouped[comm->group_size++] = op;
  if (depth > 0) return ncclSuccess;
  depth = 1;
  return ncclGroupEnd();
}

ncclResult_t ncclGroupStart(void) {
  ++depth;
  return ncclSuccess;
}

ncclResult_t ncclGroupEnd(void) {
  size_t i;
  if (--depth > 0) return ncclSuccess;
  for (i = 0; i < group_comms; ++i) launch(in_group[i]);
  group_comms = 0;
  return ncclSuccess;
}

ncclResult_t ncclAllReduce(const void* from, void* to, size_t count, ncclDataType_t type, ncclRedOp_t op,
                           ncclComm_t comm, cudaStream_t unused) {
  (void)type;
  (void)op;
  (void)unused;
  return queue(comm, (operation){kAllReduce, (const float*)from, (float*)to, count, 0, NULL});
}

ncclResult_t ncclAllGather(const void* from, void* to, size_t count, ncclDataType_t type, ncclComm_t comm,
                           cudaStream_t unused) {
  (void)type;
  (void)unused;
  return queue(comm, (operation){kAllGather, (const float*)from, (float*)to, count, 0, NULL});
}

ncclResult_t ncclBroadcast(const void* from, void* to, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                           cudaStream_t unused) {
  (void)type;
  (void)unused;
  return queue(comm, (operation){kBroadcast, (const float*)from, (float*)to, count, root, NULL});
}

ncclResult_t ncclSend(const void* from, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t unused) {
  (void)type;
  (void)unused;
  return queue(comm, (operation){kSend, (const float*)from, NULL, count, peer, NULL});
}

ncclResult_t ncclRecv(void* to, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, cudaStream_t unused) {
  (void)type;
  (void)unused;
  return queue(comm, (operation){kRecv, NULL, (float*)to, count, peer, NULL});
}

/* --- communicators ------------------------------------------------------------------------------------------------ */

static uint64_t hashOf(const char* text) {
  uint64_t hash = 14695981039346656037u;
  for (; *text != '\0'; ++text) hash = (hash ^ (unsigned char)*text) * 1099511628211u;
  return hash;
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  const char* const folder = getenv("TMPDIR");
  int fd;
  memset(id, 0, sizeof(*id));
  (void)snprintf(id->internal, sizeof(id->internal) - 48, "%s/fake-nccl-XXXXXX", folder != NULL ? folder : "/tmp");
  fd = mkstemp(id->internal);
  if (fd < 0) return ncclSystemError;
  close(fd);
  return ncclSuccess;
}

static ncclResult_t join(ncclComm_t* out, const char* path, int size, int rank, const char* name) {
  ncclComm_t comm = (ncclComm_t)calloc(1, sizeof(struct ncclComm));
  int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (comm == NULL || fd < 0 || size < 1 || size > kRanks || ftruncate(fd, sizeof(shared)) != 0) return ncclSystemError;
  comm->all = (shared*)mmap(NULL, sizeof(shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (comm->all == MAP_FAILED) return ncclSystemError;
  (void)snprintf(comm->path, sizeof(comm->path), "%s", path);
  comm->id = hashOf(path);
  comm->rank = rank;
  comm->size = size;
  pthread_mutex_init(&comm->lock, NULL);
  pthread_cond_init(&comm->changed, NULL);
  loadPlugin();
  if (plugins > 0) (void)nccl_init(&plugin, &comm->context, comm->id, name, size, rank);
  __atomic_fetch_add(&comm->all->arrived, 1, __ATOMIC_ACQ_REL);
  while (__atomic_load_n(&comm->all->arrived, __ATOMIC_ACQUIRE) < size) rest();
  pthread_create(&comm->stream, NULL, stream, comm);
  *out = comm;
  return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank) {
  return join(comm, id.internal, ranks, rank, NULL);
}

/* By color, in the order of the ranks. */
ncclResult_t ncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t* fresh, void* config) {
  int* const colors = comm->all->color[comm->splits % kSplits];
  char path[128];
  int size = 0;
  int rank = 0;
  int i;
  (void)key;
  (void)config;
  __atomic_store_n(&colors[comm->rank], color + 1, __ATOMIC_RELEASE);
  for (i = 0; i < comm->size; ++i) {
    int other;
    while ((other = __atomic_load_n(&colors[i], __ATOMIC_ACQUIRE)) == 0) rest();
    if (other != color + 1) continue;
    rank += i < comm->rank;
    ++size;
  }
  (void)snprintf(path, sizeof(path), "%s.%d.%d", comm->path, comm->splits++, color);
  return join(fresh, path, size, rank, color == 0 ? "even" : NULL);
}

ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  pthread_mutex_lock(&comm->lock);
  comm->is_ending = 1;
  pthread_cond_broadcast(&comm->changed);
  pthread_mutex_unlock(&comm->lock);
  pthread_join(comm->stream, NULL);
  if (plugins > 0 && comm->context != NULL) (void)nccl_finalize(&plugin, comm->context);
  unloadPlugin();
  if (__atomic_add_fetch(&comm->all->gone, 1, __ATOMIC_ACQ_REL) == comm->size) (void)unlink(comm->path);
  munmap(comm->all, sizeof(shared));
  free(comm);
  return ncclSuccess;
}
