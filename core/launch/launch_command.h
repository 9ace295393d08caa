// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/spec/pipeline_spec.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace shardlens {

/// What a launch depends on beside the spec: files, and facts of this host.
struct LaunchSite {
  std::string launcher;  ///< path of mpirun
  std::string program;   ///< path of mpi_rank or nccl_rank; not used when the user gives a command
  std::string spec_file;
  std::string job_dir;     ///< rings, and the launcher's own temporary files
  std::int64_t cores = 1;  ///< that the job may use
  bool is_root = false;
};

/// One process to start: an argument list, and what its environment has beside ours.
struct LaunchCommand {
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> environment;
  std::vector<std::string> notes;  ///< what a person should know about this launch, one sentence each

  /// One line that a shell takes, environment first.
  [[nodiscard]] std::string text() const;
};

/// The command that starts every rank of the spec with Open MPI. `command` replaces our rank program when not empty.
/// Pure: looks at nothing but its arguments.
LaunchCommand launchCommand(const PipelineSpec& spec, const LaunchSite& site,
                            const std::vector<std::string>& command = {});

/// An argument as one types it in a shell: in single quotes when it needs them.
std::string shellQuoted(const std::string& argument);

/// The full path of a program, looked up in PATH as a shell does. Environment when there is none; says what to install.
Result<std::string> findProgram(const std::string& name);

}  // namespace shardlens
