// SPDX-License-Identifier: Apache-2.0
// shardlens-agent START: records the start of ranks whose rings are in this folder, in the recording that
// SHARDLENS_PROBE names. A probe starts it and waits until its first process ends: by then nothing of the job's is open
// any more, and the rest goes on in a session of its own.
#include "core/base/result.h"
#include "core/collect/node_agent.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <initializer_list>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

using namespace shardlens;

/// Pipes, files and devices of the job that its process did not close.
void letGo() {
  const int nothing = open("/dev/null", O_RDWR);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, fd);
  constexpr int kMost = 65536;  // where the kernel is older than 5.9
  if (syscall(SYS_close_range, 3U, ~0U, 0U) == 0) return;
  for (int fd = 3; fd < kMost; ++fd) close(fd);
}

/// Who ends the job ends its ranks, and that ends the agent. A rank's cores are for the rank alone.
void standApart() {
  setsid();
  if (chdir("/") != 0) return;
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGXFSZ, SIGUSR1, SIGUSR2})
    (void)std::signal(signal, SIG_IGN);
  cpu_set_t all;
  std::memset(&all, 0xff, sizeof(all));
  (void)sched_setaffinity(0, sizeof(all), &all);
}

}  // namespace

int main(int argc, char** argv) {
  letGo();
  const char* const recording = std::getenv("SHARDLENS_PROBE");
  if (argc != 2 || recording == nullptr || *recording == '\0') return kUsage;
  const pid_t child = fork();
  if (child != 0) return child > 0 ? kFine : kEnvironment;
  standApart();
  const auto recorded = guarded([&] { return recordStart({argv[1], recording}); });
  return recorded ? kFine : kEnvironment;
}
