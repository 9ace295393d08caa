/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SHARDLENS_WIRE_NODE_FILE_H
#define SHARDLENS_WIRE_NODE_FILE_H

/* The folder of a node: where the processes of jobs that somebody else starts meet the agent that records them. POSIX,
 * C-compatible.
 *
 *   <node>/                                  private to the user, made by the first process that needs it; its lock
 *                                            (flock) is held only for a moment
 *   <node>/owner                             "pid start-time" of a process whose end makes all of this abandoned
 *   <node>/<start>/                          one start of ranks, numbered from 1: the folder of their rings
 *   <node>/<start>/member-<pid>-<start time> a process of it; empty
 *   <node>/<start>/ended-<pid>-<start time>-<exit code>
 *                                            that process has called exit()
 *   <node>/<start>/file-<name>               the probe's file of a process of it, in the folder of the recording
 *   <node>/<start>/world-<hexadecimal>       what sl_own_world() says in its processes; none while it says nothing
 *   <node>/<start>/agent                     locked by the agent for as long as it lives
 *
 * A process joins the newest start that has a living member and is not known to be of another world. Without one it
 * begins the next start. An agent takes away the start, with the lock of the node, once no member lives. */

#include "core/wire/ring_file.h"

#include <dirent.h>
#include <string.h>
#include <sys/file.h>

/* NOLINTBEGIN(readability-identifier-naming,modernize-use-nullptr): this is C, with the names of C. */

#ifdef __cplusplus
extern "C" {
#endif

/* Start of a living process in clock ticks since boot; 0 when there is none, or when it has ended and nobody has asked
 * how. */
static inline uint64_t sl_start_time_of(long pid) {
  char path[64];
  char text[1024];
  char state = 'X';
  unsigned long long start = 0;
  const char* fields;
  ssize_t length;
  int fd;
  (void)snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
  fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  length = read(fd, text, sizeof(text) - 1);
  close(fd);
  if (length <= 0) return 0;
  text[length] = '\0';
  fields = strrchr(text, ')');
  if (fields == NULL ||
      sscanf(fields + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", &state,
             &start) != 2)
    return 0;
  return state == 'Z' || state == 'X' ? 0 : start;
}

/* Gives a lock of these back, also where a child that was forked meanwhile has a copy of the descriptor. */
static inline void sl_node_unlock(int fd) {
  (void)flock(fd, LOCK_UN);
  close(fd);
}

/* Opens the folder and locks it; `makes`: it is made where there is none. Waits until this sl_now() at most, for
 * somebody else's moment. A descriptor for sl_node_unlock(), or -1: not there, not ours alone, or taken for too long.
 */
static inline int sl_node_lock_until(const char* node, int makes, uint64_t until_ns) {
  const struct timespec moment = {0, 1000000};
  struct stat opened;
  struct stat there;
  do {
    int fd;
    if (makes && mkdir(node, 0700) != 0 && errno != EEXIST) return -1;
    fd = open(node, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 && (!makes || errno != ENOENT)) return -1;
    if (fd >= 0 && (fstat(fd, &opened) != 0 || opened.st_uid != geteuid() || (opened.st_mode & 077) != 0)) {
      close(fd);
      return -1;
    }
    /* It may have been taken away, and made anew, since it was opened. */
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 && lstat(node, &there) == 0 && there.st_ino == opened.st_ino &&
        there.st_dev == opened.st_dev)
      return fd;
    if (fd >= 0) sl_node_unlock(fd);
    (void)nanosleep(&moment, NULL);
  } while (sl_now() < until_ns);
  return -1;
}

/* The same, for a second at most. */
static inline int sl_node_lock(const char* node, int makes) {
  return sl_node_lock_until(node, makes, sl_now() + 1000000000u);
}

/* What is in the folder of a start. */
typedef struct sl_node_start {
  int is_there;
  int living;     /* members that live */
  int is_mine;    /* this process is one of them */
  long first;     /* pid of a member that lives; 0: none */
  uint64_t world; /* 0: not known */
} sl_node_start;

static inline void sl_node_heed(const char* name, sl_node_start* start) {
  long pid = 0;
  unsigned long long number = 0;
  if (sscanf(name, "world-%llx", &number) == 1) start->world = number;
  if (sscanf(name, "member-%ld-%llu", &pid, &number) != 2 || pid <= 0) return;
  if (number == 0 || sl_start_time_of(pid) != number) return;
  ++start->living;
  if (start->first == 0 || pid < start->first) start->first = pid;
  if (pid == (long)getpid()) start->is_mine = 1;
}

/* Looks into the folder of a start. */
static inline sl_node_start sl_node_look(const char* folder) {
  sl_node_start start;
  const struct dirent* one;
  DIR* const entries = opendir(folder);
  memset(&start, 0, sizeof(start));
  start.is_there = entries != NULL;
  while (entries != NULL && (one = readdir(entries)) != NULL) sl_node_heed(one->d_name, &start);
  if (entries != NULL) closedir(entries);
  return start;
}

/* Locks the file that the agent of a start keeps locked: a descriptor, or -1 when an agent has it. */
static inline int sl_node_agent_lock(const char* folder) {
  char path[4096];
  int fd;
  if (snprintf(path, sizeof(path), "%s/agent", folder) >= (int)sizeof(path)) return -1;
  fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  if (fd >= 0) close(fd);
  return -1;
}

/* Whether a process of this start lives, or its agent. Makes nothing. */
static inline int sl_node_in_use(const char* folder) {
  char path[4096];
  int fd;
  int is_read;
  if (sl_node_look(folder).living > 0) return 1;
  if (snprintf(path, sizeof(path), "%s/agent", folder) >= (int)sizeof(path)) return 0;
  fd = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return 0;
  is_read = flock(fd, LOCK_EX | LOCK_NB) != 0;
  close(fd);
  return is_read;
}

/* Says that the end of this process makes the folder abandoned. */
static inline void sl_node_own_for(const char* node, long pid) {
  char path[4096];
  char text[64];
  int fd;
  int length;
  if (snprintf(path, sizeof(path), "%s/owner", node) >= (int)sizeof(path)) return;
  length = snprintf(text, sizeof(text), "%ld %llu\n", pid, (unsigned long long)sl_start_time_of(pid));
  fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) return;
  (void)!write(fd, text, (size_t)length);
  close(fd);
}

#ifdef __cplusplus
}
#endif

/* NOLINTEND(readability-identifier-naming,modernize-use-nullptr) */

#endif
