/* SPDX-License-Identifier: Apache-2.0 */
#include "app/probe/nccl/world.h"

#include "core/wire/ring_file.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Whether this is a ring of this very process. */
static int isOwn(const char* path, sl_nccl_place* place) {
  sl_ring_header header;
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  const ssize_t length = fd < 0 ? -1 : pread(fd, &header, sizeof(header), 0);
  if (fd >= 0) close(fd);
  if (length != (ssize_t)sizeof(header) || header.magic != SL_RING_MAGIC || header.version != SL_WIRE_VERSION) return 0;
  place->rank = header.rank;
  place->world = header.world_size;
  return header.pid == (uint64_t)getpid();
}

static int byRing(const char* folder, sl_nccl_place* place) {
  char path[4096];
  const struct dirent* one;
  int found = 0;
  DIR* const rings = opendir(folder);
  if (rings == NULL) return 0;
  while (!found && (one = readdir(rings)) != NULL) {
    const size_t length = strlen(one->d_name);
    if (length < 5 || strcmp(one->d_name + length - 5, ".ring") != 0) continue;
    (void)snprintf(path, sizeof(path), "%s/%s", folder, one->d_name);
    found = isOwn(path, place);
  }
  closedir(rings);
  return found;
}

/* 0 when there is no such number. */
static int numberOf(const char* name, uint32_t* number) {
  const char* const text = getenv(name);
  char* end = NULL;
  unsigned long value;
  if (text == NULL || *text < '0' || *text > '9') return 0;
  errno = 0;
  value = strtoul(text, &end, 10);
  *number = (uint32_t)value;
  return errno == 0 && *end == '\0' && value < 0xFFFFFFFFul;
}

static int byLauncher(sl_nccl_place* place) {
  static const char* const names[][2] = {{"RANK", "WORLD_SIZE"},
                                         {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                         {"PMI_RANK", "PMI_SIZE"},
                                         {"SLURM_PROCID", "SLURM_NTASKS"}};
  size_t i;
  for (i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
    if (numberOf(names[i][0], &place->rank) && numberOf(names[i][1], &place->world) && place->rank < place->world)
      return 1;
  }
  return 0;
}

int sl_nccl_own_place(const char* folder, sl_nccl_place* place) {
  if (byRing(folder, place)) return SL_NCCL_BY_RING;
  return byLauncher(place) ? SL_NCCL_BY_LAUNCHER : 0;
}
