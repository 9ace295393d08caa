/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_calls [CALLS]: calls MPI_Barrier so often, and says what a call took, as JSON; below the probe with the ring emptied
 * in between, outside of what is measured. Says how many records there were, how many were lost, and how many threads
 * the process had. */
#include "core/wire/ring_file.h"
#include "tests/app/probe/mpi/fake_mpi.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

enum { kAtOnce = 4096 };

static int threads(void) {
  int count = 0;
  const struct dirent* one;
  DIR* const folder = opendir("/proc/self/task");
  if (folder == NULL) return 0;
  while ((one = readdir(folder)) != NULL) count += one->d_name[0] != '.';
  closedir(folder);
  return count;
}

/* Reads the ring, as a collector would; how many records there were. */
static size_t emptied(sl_ring_map* map) {
  static sl_record records[SL_RING_CAPACITY];
  return map->ring == NULL ? 0 : sl_ring_pop(map->ring, map->capacity, records, SL_RING_CAPACITY);
}

int main(int count, char** words) {
  const long rounds = (count > 1 ? atol(words[1]) : 1) / kAtOnce + 1;
  const char* const folder = getenv("SHARDLENS_RINGS");
  sl_ring_map map = {0};
  uint64_t best = UINT64_MAX;
  size_t records;
  long i;
  if (MPI_Init(&count, &words) != 0) return 1;
  if (folder != NULL) (void)sl_ring_open(&map, folder, 0);
  records = emptied(&map);
  for (i = 0; i < rounds; ++i) {
    int k;
    const uint64_t begin = sl_now();
    uint64_t took;
    for (k = 0; k < kAtOnce; ++k) {
      if (MPI_Barrier(FAKE_WORLD) != 0) return 1;
    }
    took = sl_now() - begin;
    if (took < best) best = took;
    records += emptied(&map);
  }
  printf("{\"seconds\": %.12f, \"calls\": %ld, \"records\": %zu, \"dropped\": %llu, \"threads\": %d}\n",
         (double)best / 1e9 / kAtOnce, rounds * kAtOnce, records,
         map.ring == NULL ? 0ull : (unsigned long long)sl_ring_dropped(map.ring), threads());
  return MPI_Finalize();
}
