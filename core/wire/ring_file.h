/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SHARDLENS_WIRE_RING_FILE_H
#define SHARDLENS_WIRE_RING_FILE_H

/* A ring in a memory-mapped file: "<job dir>/rank-<rank>.ring". POSIX, C-compatible. */

#include "core/wire/ring.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* NOLINTBEGIN(readability-identifier-naming,modernize-use-nullptr): this is C, with the names of C. */

#ifdef __cplusplus
extern "C" {
#endif

/* 48 B each: 768 KiB a rank, some seconds of a fast job should the collector be held up. */
#define SL_RING_CAPACITY 16384u

typedef struct sl_ring_map {
  sl_ring_header* ring; /* NULL when there is none */
  size_t bytes;
  uint64_t capacity; /* as it was when the ring was checked */
} sl_ring_map;

static inline void sl_ring_path(char* out, size_t bytes, const char* job_dir, uint32_t rank) {
  (void)snprintf(out, bytes, "%s/rank-%u.ring", job_dir, rank);
}

/* CLOCK_MONOTONIC in nanoseconds: the clock of every record. */
static inline uint64_t sl_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Start of this process in clock ticks since boot (field 22 of /proc/self/stat); 0 when it cannot be told. */
static inline uint64_t sl_own_start_time(void) {
  char text[1024];
  unsigned long long start = 0;
  const char* fields;
  ssize_t length;
  const int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  length = read(fd, text, sizeof(text) - 1);
  close(fd);
  if (length <= 0) return 0;
  text[length] = '\0';
  fields = strrchr(text, ')');
  if (fields == NULL) return 0;
  return sscanf(fields + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
                &start) == 1
             ? start
             : 0;
}

/* Writer: makes the rank's ring. The file appears under its name when it is whole, and its memory is reserved: a full
 * /dev/shm is an error here and not a SIGBUS later. 0, or an errno with map->ring NULL. */
static inline int sl_ring_create(sl_ring_map* map, const char* job_dir, uint32_t rank, uint32_t world_size) {
  char path[4096];
  char fresh[4096 + 8];
  const size_t bytes = sl_ring_bytes(SL_RING_CAPACITY);
  void* memory;
  int fd;
  int error;
  map->ring = NULL;
  sl_ring_path(path, sizeof(path), job_dir, rank);
  (void)snprintf(fresh, sizeof(fresh), "%s.new", path);
  fd = open(fresh, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return errno;
  error = posix_fallocate(fd, 0, (off_t)bytes);
  memory = error == 0 ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
  if (error == 0 && memory == MAP_FAILED) error = errno;
  close(fd);
  if (error == 0) {
    map->ring = (sl_ring_header*)memory;
    map->bytes = bytes;
    map->capacity = SL_RING_CAPACITY;
    map->ring->pid = (uint64_t)getpid();
    map->ring->start_time = sl_own_start_time();
    map->ring->started_ns = sl_now();
    (void)gethostname(map->ring->host, SL_RING_HOST_BYTES - 1);
    sl_ring_init(map->ring, SL_RING_CAPACITY, rank, world_size);
    if (rename(fresh, path) == 0) return 0;
    error = errno;
    munmap(memory, bytes);
    map->ring = NULL;
  }
  (void)unlink(fresh);
  return error;
}

/* Reader: maps the rank's ring. 0, ENOENT while there is none, EINVAL when the file is no ring of this version, or
 * another errno. */
static inline int sl_ring_open(sl_ring_map* map, const char* job_dir, uint32_t rank) {
  char path[4096];
  struct stat info;
  void* memory;
  int fd;
  map->ring = NULL;
  sl_ring_path(path, sizeof(path), job_dir, rank);
  fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) return errno;
  if (fstat(fd, &info) != 0 || info.st_size < (off_t)sizeof(sl_ring_header)) {
    close(fd);
    return EINVAL;
  }
  memory = mmap(NULL, (size_t)info.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (memory == MAP_FAILED) return errno;
  if (!sl_ring_is_valid((const sl_ring_header*)memory, (size_t)info.st_size)) {
    munmap(memory, (size_t)info.st_size);
    return EINVAL;
  }
  map->ring = (sl_ring_header*)memory;
  map->bytes = (size_t)info.st_size;
  map->capacity = map->ring->capacity;
  return 0;
}

static inline void sl_ring_close(sl_ring_map* map) {
  if (map->ring != NULL) munmap(map->ring, map->bytes);
  map->ring = NULL;
}

#ifdef __cplusplus
}
#endif

/* NOLINTEND(readability-identifier-naming,modernize-use-nullptr) */

#endif
