/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks of a command that was not made for ShardLens, and a probe in each: `ring_ranks WORLD BARRIERS` starts WORLD
 * processes, each with a ring where probes make theirs, that say how many they are, are in so many barriers, and end. A
 * third argument names a rank that ends without saying so; -1: none. A fourth one names a FIFO: the last rank of this host
 * enters its last barrier only when somebody has written to it and closed it. Further arguments are the ranks of this host, without
 * which all are. */
#include "app/probe/native/join.h"
#include "core/wire/ring_file.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>

static void barrier(sl_ring_header* ring, uint64_t seq) {
  sl_record record = {0};
  record.time_ns = sl_now();
  record.kind = SL_COLL_ENTER;
  record.op = SL_OP_BARRIER;
  record.seq = seq;
  record.b = sl_operation((uint32_t)seq + 1, SL_NO_PEER);
  (void)sl_ring_push(ring, &record);
  record.time_ns = sl_now();
  record.kind = SL_COLL_LEAVE;
  (void)sl_ring_push(ring, &record);
}

/* Until nobody can write into it any more. */
static void await(int fd) {
  char byte;
  while (read(fd, &byte, 1) > 0) {
  }
  close(fd);
}

/* Ranks of one start live at the same time: none goes on before all have their rings. */
static int ready[2];
static int go[2];

static void meet(void) {
  close(ready[0]);
  close(ready[1]);
  close(go[1]);
  await(go[0]);
}

static int rankMain(uint32_t rank, uint32_t world, uint64_t barriers, int is_silent, const char* fifo) {
  sl_ring_map map;
  sl_record record = {0};
  uint64_t i;
  const char* const folder = sl_join();
  if (folder == NULL || sl_ring_create(&map, folder, rank, world) != 0) return 0;
  record.time_ns = sl_now();
  record.kind = SL_HELLO;
  record.a = (uint64_t)getpid();
  record.b = world;
  (void)sl_ring_push(map.ring, &record);
  meet();
  for (i = 0; i < barriers; ++i) {
    if (fifo != NULL && i + 1 == barriers) await(open(fifo, O_RDONLY));
    barrier(map.ring, i);
  }
  record.time_ns = sl_now();
  record.kind = SL_BYE;
  record.a = 0;
  record.b = 0;
  if (!is_silent) (void)sl_ring_push(map.ring, &record);
  return 0;
}

int main(int count, char** words) {
  const uint32_t world = count > 1 ? (uint32_t)atoi(words[1]) : 1;
  const uint64_t barriers = count > 2 ? (uint64_t)atoi(words[2]) : 0;
  const uint32_t silent = count > 3 ? (uint32_t)atoi(words[3]) : world;
  const char* const fifo = count > 4 ? words[4] : NULL;
  const uint32_t here = count > 5 ? (uint32_t)(count - 5) : world;
  uint32_t i;
  if (pipe(ready) != 0 || pipe(go) != 0) return 1;
  for (i = 0; i < here; ++i) {
    const uint32_t rank = count > 5 ? (uint32_t)atoi(words[5 + i]) : i;
    if (fork() == 0) _exit(rankMain(rank, world, barriers, rank == silent, i + 1 == here ? fifo : NULL));
  }
  close(ready[1]);
  await(ready[0]);
  close(go[1]);
  while (wait(NULL) > 0) {
  }
  return 0;
}
