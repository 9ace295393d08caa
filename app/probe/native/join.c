/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* on_exit(), clone() */
#include "app/probe/native/join.h"

#include "core/wire/node_file.h"

#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

extern char** environ;

static char folder_[PATH_MAX];
static pid_t joined_; /* the process that has the folder: a forked child joins by itself */
static int is_taken_; /* by a thread that joins */
static int hears_exit_;
static uint64_t began_ns_; /* to join */

/* What a program waits at most: for the lock, with that for the agent, and with that to leave again. */
static const uint64_t kLockNs = 1000000000u;
static const uint64_t kAgentNs = 1700000000u;
static const uint64_t kAllNs = 1900000000u;

static const char* given(const char* name) {
  const char* const value = getenv(name);
  return value != NULL && *value != '\0' ? value : NULL;
}

/* Whether processes of this start may be those that this process belongs to. */
static int fits(const sl_node_start* start, uint64_t world) {
  return start->is_mine || (start->living > 0 && (world == 0 || start->world == 0 || start->world == world));
}

/* Names of starts are numbers. */
static long numberOf(const char* name) {
  char* end = NULL;
  const long number = strtol(name, &end, 10);
  return number > 0 && end != name && *end == '\0' && *name != '+' ? number : 0;
}

/* The newest start that fits, or the number of the next one, with is_there 0. */
static long chosen(const char* node, uint64_t world, sl_node_start* found) {
  char path[PATH_MAX];
  const struct dirent* one;
  long newest = 0;
  long last = 0;
  DIR* const entries = opendir(node);
  memset(found, 0, sizeof(*found));
  while (entries != NULL && (one = readdir(entries)) != NULL) {
    const long number = numberOf(one->d_name);
    sl_node_start start;
    if (number == 0 || snprintf(path, sizeof(path), "%s/%ld", node, number) >= (int)sizeof(path)) continue;
    if (number > last) last = number;
    start = sl_node_look(path);
    if (!fits(&start, world) || (found->is_mine && !start.is_mine)) continue;
    if (number <= newest && !start.is_mine) continue;
    newest = number;
    *found = start;
  }
  if (entries != NULL) closedir(entries);
  return newest != 0 ? newest : last + 1;
}

/* An empty file; whether it is there now. */
static int leave(const char* folder, const char* name) {
  char path[PATH_MAX];
  int fd;
  if (snprintf(path, sizeof(path), "%s/%s", folder, name) >= (int)sizeof(path)) return 0;
  fd = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

static void memberName(char* name, size_t bytes) {
  (void)snprintf(name, bytes, "member-%ld-%llu", (long)getpid(), (unsigned long long)sl_own_start_time());
}

/* Makes this process a member of its start, with the lock of the node. */
static int enter(const char* node) {
  char name[96];
  sl_node_start start;
  const uint64_t world = sl_own_world();
  const long number = chosen(node, world, &start);
  if (snprintf(folder_, sizeof(folder_), "%s/%ld", node, number) >= (int)sizeof(folder_)) return 0;
  if (start.is_mine) return 1;
  if (!start.is_there && mkdir(folder_, 0700) != 0) return 0;
  if (!start.is_there) sl_node_own_for(node, (long)getpid()); /* until its agent is there */
  (void)snprintf(name, sizeof(name), "world-%llx", (unsigned long long)world);
  if (world != 0 && start.world == 0 && !leave(folder_, name)) return 0;
  memberName(name, sizeof(name));
  return leave(folder_, name);
}

/* What the job has for itself, or for our probes, is not the agent's. */
static int isLeftOut(const char* variable) {
  static const char* const names[] = {"LD_PRELOAD=", "LD_LIBRARY_PATH=", "PYTHONPATH=", "NCCL_PROFILER_PLUGIN="};
  size_t i;
  for (i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
    if (strncmp(variable, names[i], strlen(names[i])) == 0) return 1;
  }
  return 0;
}

static char** environmentOfAgent(void) {
  size_t count = 0;
  size_t kept = 0;
  char** all;
  while (environ != NULL && environ[count] != NULL) ++count;
  all = (char**)malloc((count + 1) * sizeof(*all));
  if (all == NULL) return NULL;
  for (size_t i = 0; i < count; ++i) {
    if (!isLeftOut(environ[i])) all[kept++] = environ[i];
  }
  all[kept] = NULL;
  return all;
}

/* It goes on in a process of its own session as soon as it has let go of all that is the job's: then its first process
 * ends. Whether it does not say that it cannot. */
static int await(pid_t pid) {
  const struct timespec moment = {0, 1000000};
  int status = 0;
  do {
    const pid_t ended = waitpid(pid, &status, WNOHANG);
    if (ended == pid) return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (ended < 0 && errno != EINTR) return 1;
    (void)nanosleep(&moment, NULL);
  } while (sl_now() < began_ns_ + kAgentNs);
  return 1;
}

struct spawning {
  const char* program;
  char** environment;
  int is_started;
};

/* In the process between, which has the memory of this one and signal handlers of its own. */
static int spawnAndAwait(void* given) {
  struct spawning* const one = (struct spawning*)given;
  char* const arguments[] = {(char*)one->program, folder_, NULL};
  posix_spawnattr_t attributes;
  sigset_t all;
  sigset_t none;
  pid_t pid = 0;
  (void)signal(SIGCHLD, SIG_DFL);
  if (posix_spawnattr_init(&attributes) != 0) return 1;
  (void)sigfillset(&all);
  (void)sigemptyset(&none);
  (void)posix_spawnattr_setsigdefault(&attributes, &all);
  (void)posix_spawnattr_setsigmask(&attributes, &none);
  (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  one->is_started =
      posix_spawn(&pid, one->program, NULL, &attributes, arguments, one->environment) == 0 && await(pid);
  (void)posix_spawnattr_destroy(&attributes);
  return 0;
}

/* The program must not notice: neither SIGCHLD nor a child that its wait() would give it. A process that is made without
 * a signal for its end has both, as long as it starts no other program itself; the agent is its child. */
static int spawn(const char* program, char** environment) {
  static char stack[1 << 16] __attribute__((aligned(16)));
  struct spawning one = {program, environment, 0};
  sigset_t all;
  sigset_t before;
  pid_t between;
  (void)sigfillset(&all);
  (void)pthread_sigmask(SIG_SETMASK, &all, &before); /* no handler runs twice in one memory */
  between = clone(spawnAndAwait, stack + sizeof(stack), CLONE_VM | CLONE_VFORK, &one);
  while (between > 0 && waitpid(between, NULL, __WCLONE) < 0 && errno == EINTR) {
  }
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
  return between > 0 && one.is_started;
}

/* Whether this start has an agent now. */
static int hasAgent(const char* program) {
  char** environment;
  int is_started = 0;
  const int held = sl_node_agent_lock(folder_);
  if (held < 0) return 1;
  sl_node_unlock(held);
  environment = environmentOfAgent();
  if (environment != NULL) is_started = spawn(program, environment);
  free(environment);
  return is_started;
}

static void removeFile(const char* folder, const char* name) {
  char path[PATH_MAX];
  if (snprintf(path, sizeof(path), "%s/%s", folder, name) < (int)sizeof(path)) (void)unlink(path);
}

/* Without an agent nobody would read the rings, or take them away. */
static void leaveAgain(const char* node) {
  char name[96];
  sl_node_start other;
  const struct dirent* one;
  DIR* entries = NULL;
  const int lock = sl_node_lock_until(node, 0, began_ns_ + kAllNs);
  if (lock < 0) return;
  memberName(name, sizeof(name));
  removeFile(folder_, name);
  if (sl_node_look(folder_).living == 0) entries = opendir(folder_);
  while (entries != NULL && (one = readdir(entries)) != NULL) removeFile(folder_, one->d_name);
  if (entries != NULL) closedir(entries);
  (void)rmdir(folder_);
  if (chosen(node, 0, &other) == 1 && !other.is_there) {
    removeFile(node, "owner");
    (void)rmdir(node);
  }
  sl_node_unlock(lock);
}

/* The process calls exit(): a process without a ring has no other way to say how it ended. */
static void atExit(int exit_code, void* unused) {
  char name[128];
  (void)unused;
  if (joined_ != getpid() || *folder_ == '\0') return; /* a child that exits, too */
  (void)snprintf(name, sizeof(name), "ended-%ld-%llu-%d", (long)getpid(), (unsigned long long)sl_own_start_time(),
                 exit_code & 0xff);
  (void)leave(folder_, name);
}

/* A word for `shardlens watch`, which waits at the folder of the recording: nothing of this node is recorded. */
static void sayNotRecorded(const char* why) {
  const char* const recording = given("SHARDLENS_PROBE");
  char host[256] = {0};
  char path[PATH_MAX];
  int fd;
  if (recording == NULL || gethostname(host, sizeof(host) - 1) != 0 || strchr(host, '/') != NULL) return;
  if (snprintf(path, sizeof(path), "%s/%s.failed", recording, host) >= (int)sizeof(path)) return;
  fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
  if (fd < 0) return;
  (void)!write(fd, why, strlen(why));
  close(fd);
}

static int join(const char* node, const char* agent) {
  int lock;
  int is_in;
  began_ns_ = sl_now();
  lock = sl_node_lock_until(node, 1, began_ns_ + kLockNs);
  is_in = lock >= 0 && enter(node);
  if (lock >= 0) sl_node_unlock(lock);
  if (!is_in) {
    sayNotRecorded("The folder of its rings could not be made in /dev/shm, or is not this user's.");
    return 0;
  }
  if (!hears_exit_) hears_exit_ = on_exit(atExit, NULL) == 0;
  if (hasAgent(agent)) return 1;
  leaveAgain(node);
  sayNotRecorded("shardlens-agent could not be started there.");
  return 0;
}

const char* sl_join(void) {
  const char* const node = given("SHARDLENS_RINGS");
  const char* const agent = given("SHARDLENS_AGENT");
  const char* found = NULL;
  if (node == NULL || agent == NULL) return node;
  if (__atomic_exchange_n(&is_taken_, 1, __ATOMIC_ACQUIRE) != 0) return NULL; /* another thread is about to */
  if (joined_ == getpid()) {
    found = *folder_ != '\0' ? folder_ : NULL;
  } else {
    if (!join(node, agent)) *folder_ = '\0';
    joined_ = getpid();
    found = *folder_ != '\0' ? folder_ : NULL;
  }
  __atomic_store_n(&is_taken_, 0, __ATOMIC_RELEASE);
  return found;
}
