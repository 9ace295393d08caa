// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <sys/types.h>

namespace shardlens {

/// A process to start, ready for exec. The descriptors are those of pipes that close on exec.
struct Image {
  char** arguments = nullptr;
  char** environment = nullptr;
  bool is_launcher = false;  ///< it ends its ranks itself when it is asked to
  int output = -1;           ///< becomes its standard output
  int errors = -1;           ///< becomes its standard error
  int failure = -1;          ///< takes the errno of an exec that failed; closed by one that did not
};

/// What the warden tells of one of its images, as one piece through a pipe.
struct WardenNews {
  std::int32_t image = 0;
  std::int32_t pid = 0;
  std::int32_t status = 0;  ///< as waitpid gives it, once it has ended
  std::int32_t has_ended = 0;
};

/// Forks the warden of a job: a process between us and the job that starts every image, tells of them through the pipe
/// `news`, and lives until the other end of the pipe `life` is closed: by us, or by the kernel when we died of
/// anything. Then it ends whatever descends from it; orphans of the job come to it (PR_SET_CHILD_SUBREAPER). It has a
/// session of its own and takes no signal but SIGKILL; when that comes, the kernel sends SIGTERM to a launcher and
/// SIGKILL to a rank. When we died, it also removes `folder`, the job's, unless that is empty: we cannot do it any
/// more. Returns its pid, or -1 with errno.
pid_t forkWarden(std::span<const Image> images, int life, int news, const std::filesystem::path& folder);

}  // namespace shardlens
