/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SHARDLENS_WIRE_RING_FILE_H
#define SHARDLENS_WIRE_RING_FILE_H

/* A ring in a memory-mapped file: "<job dir>/rank-<rank>.ring", and beside it a second one of the same process,
 * "<job dir>/rank-<rank>.nccl.ring", for operations that other threads report. POSIX, C-compatible. */

#include "core/wire/ring.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
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
static inline void sl_ring_beside_path(char* out, size_t bytes, const char* job_dir, uint32_t rank) {
  (void)snprintf(out, bytes, "%s/rank-%u.nccl.ring", job_dir, rank);
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

/* The file that says that ranks were started again, and that these have no rings. */
static inline void sl_ring_again_path(char* out, size_t bytes, const char* job_dir) {
  (void)snprintf(out, bytes, "%s/again", job_dir);
}

/* A number that this process shares with all ranks of its start and with no other, from what launchers leave in the
 * environment; 0 where they leave nothing of that kind. Only for a process that has just begun. */
static inline uint64_t sl_own_world(void) {
  static const char* const names[] = {
      "PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid",   "SLURM_JOB_ID", "SLURM_STEP_ID", "TORCHELASTIC_RUN_ID",
      "MASTER_PORT",    "TORCHELASTIC_RESTART_COUNT"};
  uint64_t hash = 14695981039346656037u; /* FNV-1a */
  int any = 0;
  size_t i;
  for (i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
    const char* text = getenv(names[i]);
    if (text != NULL && *text != '\0') any = 1;
    for (; text != NULL && *text != '\0'; ++text) hash = (hash ^ (unsigned char)*text) * 1099511628211u;
    hash = (hash ^ 0xFFu) * 1099511628211u;
  }
  return any ? hash | 1u : 0;
}

/* Leaves the file that says that ranks were started again, unless this very process made the ring at `ring_path`, as
 * two probes in one do. EEXIST. */
static inline int sl_ring_again(const char* job_dir, const char* ring_path) {
  char path[4096];
  uint64_t pid = 0;
  int fd = open(ring_path, O_RDONLY | O_CLOEXEC);
  const int is_read =
      fd >= 0 && pread(fd, &pid, sizeof(pid), (off_t)offsetof(sl_ring_header, pid)) == (ssize_t)sizeof(pid);
  if (fd >= 0) close(fd);
  if (is_read && pid == (uint64_t)getpid()) return EEXIST;
  sl_ring_again_path(path, sizeof(path), job_dir);
  fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (fd >= 0) close(fd);
  return EEXIST;
}

/* Writer: makes the ring of a rank at `path`. */
static inline int sl_ring_create_at(sl_ring_map* map, const char* job_dir, const char* path, uint32_t rank,
                                    uint32_t world_size) {
  char fresh[4096 + 8];
  const size_t bytes = sl_ring_bytes(SL_RING_CAPACITY);
  void* memory;
  int fd;
  int error;
  map->ring = NULL;
  if (access(path, F_OK) == 0) return sl_ring_again(job_dir, path);
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
    map->ring->world = sl_own_world();
    sl_ring_init(map->ring, SL_RING_CAPACITY, rank, world_size);
    error = link(fresh, path) == 0 ? 0 : errno;
    (void)unlink(fresh);
    if (error == 0) return 0;
    if (error == EEXIST) (void)sl_ring_again(job_dir, path);
    munmap(memory, bytes);
    map->ring = NULL;
    return error;
  }
  (void)unlink(fresh);
  return error;
}

/* Writer: makes the rank's ring. The file appears under its name when it is whole, and its memory is reserved: a full
 * /dev/shm is an error here and not a SIGBUS later. 0, or an errno with map->ring NULL: EEXIST when the rank has a ring
 * already, of this start of ranks or of an earlier one, which is kept. */
static inline int sl_ring_create(sl_ring_map* map, const char* job_dir, uint32_t rank, uint32_t world_size) {
  char path[4096];
  sl_ring_path(path, sizeof(path), job_dir, rank);
  return sl_ring_create_at(map, job_dir, path, rank, world_size);
}

/* The same for the second ring of the rank. */
static inline int sl_ring_create_beside(sl_ring_map* map, const char* job_dir, uint32_t rank, uint32_t world_size) {
  char path[4096];
  sl_ring_beside_path(path, sizeof(path), job_dir, rank);
  return sl_ring_create_at(map, job_dir, path, rank, world_size);
}

/* Reader: maps the ring at `path`. 0, ENOENT while there is none, EINVAL when the file is no ring of this version, or
 * another errno. */
static inline int sl_ring_open_at(sl_ring_map* map, const char* path) {
  struct stat info;
  void* memory;
  int fd;
  map->ring = NULL;
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

/* Reader: maps the rank's ring, likewise. */
static inline int sl_ring_open(sl_ring_map* map, const char* job_dir, uint32_t rank) {
  char path[4096];
  sl_ring_path(path, sizeof(path), job_dir, rank);
  return sl_ring_open_at(map, path);
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
