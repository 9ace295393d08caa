/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "tests/integration/nccl/trainer.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kCount = 8 };

static float gradient[kCount], sum[kCount], all[kCount * 8];
static int rank_, size_;

static int is(const char* name, const char* what) {
  return strcmp(name, what) == 0;
}

static void reduce(ncclComm_t comm, size_t count) {
  ncclAllReduce(gradient, sum, count, ncclFloat32, ncclSum, comm, NULL);
}

static void spread(ncclComm_t comm) {
  ncclBroadcast(sum, sum, kCount, ncclFloat32, 0, comm, NULL);
}

/* A step as it should be. */
static void step(ncclComm_t comm, int i) {
  int k;
  for (k = 0; k < kCount; ++k) gradient[k] = (float)(rank_ + i * k);
  reduce(comm, kCount);
  spread(comm);
}

/* Groups by parity, and messages from rank to rank. */
static void groups(ncclComm_t world, int iterations) {
  ncclComm_t parity;
  int i;
  ncclCommSplit(world, rank_ % 2, rank_, &parity, NULL);
  for (i = 0; i < iterations; ++i) {
    ncclAllGather(gradient, all, 2, ncclFloat32, parity, NULL);
    ncclGroupStart();
    ncclSend(gradient, 4, ncclFloat32, (rank_ + 1) % size_, world, NULL);
    ncclRecv(sum, 4, ncclFloat32, (rank_ + size_ - 1) % size_, world, NULL);
    ncclGroupEnd();
    fakeSynchronize(parity);
    fakeSynchronize(world);
  }
  ncclCommDestroy(parity);
}

/* The step in the middle, of the rank that is wrong; 0 when it has a step like the others. */
static int faulty(const char* name, ncclComm_t comm) {
  if (is(name, "collective")) ncclAllGather(gradient, all, kCount, ncclFloat32, comm, NULL);
  if (is(name, "size")) reduce(comm, kCount - 1);
  if (is(name, "order")) {
    spread(comm);
    reduce(comm, kCount);
  }
  if (is(name, "dies")) raise(SIGKILL);
  if (is(name, "exits")) exit(3);
  if (is(name, "stops")) raise(SIGSTOP);
  while (is(name, "missing")) pause();
  return is(name, "collective") || is(name, "size") || is(name, "order");
}

int train(const char* name, int iterations, int rank, int size, ncclUniqueId id) {
  ncclComm_t comm;
  int i;
  rank_ = rank;
  size_ = size;
  if (ncclCommInitRank(&comm, size, id, rank) != ncclSuccess) return 1;
  if (is(name, "groups")) groups(comm, iterations);
  for (i = 0; i < iterations; ++i) {
    const int is_wrong = rank == 1 && i == iterations / 2;
    if (is(name, "straggler") && rank == 2) usleep(100000); /* long against the turns of a busy scheduler */
    if (is(name, "gpu")) fakeCompute(comm, rank == 2 ? 100000 : 1000);
    if (!is_wrong || !faulty(name, comm)) step(comm, i);
    if (!is(name, "ahead") && !is(name, "order")) fakeSynchronize(comm);
  }
  fakeSynchronize(comm);
  if (rank == 0) printf("sum %.9g\n", (double)sum[kCount - 1]);
  ncclCommDestroy(comm);
  return 0;
}
