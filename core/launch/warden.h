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

/// What the warden reports about one of its images, in one piece through a pipe.
struct WardenNews {
  std::int32_t image = 0;
  std::int32_t pid = 0;
  std::int32_t status = 0;  ///< as waitpid gives it, once it has ended
  std::int32_t has_ended = 0;
};

/// Forks the warden of a job: a process between us and the job that starts every image, reports about them through the
/// pipe `news`, and lives until the other end of the pipe `life` is closed: by us, or by the kernel when we died for
/// any reason. Then it ends all its descendants; orphans of the job become its children (PR_SET_CHILD_SUBREAPER). It
/// has a session of its own and ignores every signal except SIGKILL; when that comes, the kernel sends SIGTERM to a
/// launcher and SIGKILL to a rank. When we died, it also removes `folder`, the job's, unless that is empty, because we
/// no longer can. Returns its pid, or -1 with errno.
pid_t forkWarden(std::span<const Image> images, int life, int news, const std::filesystem::path& folder);

}  // namespace shardlens
