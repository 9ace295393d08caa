// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/launch/launch_command.h"
#include "core/spec/pipeline_spec.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens {

/// What a launch depends on beside the spec: files, and facts of this host.
struct LaunchSite {
  std::string launcher;  ///< path of the launcher's program
  std::string program;   ///< path of mpi_rank or nccl_rank; not used when the user gives a command
  std::string spec_file;
  std::string job_dir;     ///< rings, and the launcher's own temporary files
  std::int64_t cores = 1;  ///< that the job may use
  bool is_root = false;
};

/// One line of a job's output, without the launcher's tag.
struct PrintedLine {
  std::int64_t rank = -1;  ///< -1: the launcher's own
  bool is_error = false;
  std::string text;
};

/// What a launcher says of the end of a rank.
struct LauncherReport {
  std::int64_t rank = 0;
  int exit_code = 0;
  int signal = 0;  ///< that ended it; 0 = none
};

/// One way to start the ranks of a job, and everything that is particular to it: its command line, the environment of a
/// rank, and what its output means. No other file knows a launcher's words. One object a job, since what a launcher
/// says may take several lines.
class Launcher {
 public:
  virtual ~Launcher() = default;

  /// As the table of launchers spells it.
  [[nodiscard]] virtual const char* name() const = 0;
  /// The command that starts every rank of the spec. `command` replaces our rank program when not empty. Pure: looks at
  /// nothing but its arguments.
  [[nodiscard]] virtual LaunchCommand command(const PipelineSpec& spec, const LaunchSite& site,
                                              const std::vector<std::string>& command) const = 0;
  /// Whose line this is. `is_error`: it came from the launcher's standard error.
  [[nodiscard]] virtual PrintedLine read(std::string_view line, bool is_error) const = 0;
  /// Takes one of the launcher's own lines. Which rank ended how, as soon as it has said that; once for each rank.
  virtual std::optional<LauncherReport> heed(const std::string& line) = 0;
  /// What the launcher said first that means anything; empty when it said nothing.
  [[nodiscard]] virtual const std::string& words() const = 0;
  /// Whether an exit like this means that somebody ended the launcher itself, and not that a rank failed. Asked after
  /// its last line.
  [[nodiscard]] virtual bool wasEndedFromOutside(const ProcessExit& exit) const = 0;
};

/// One row of the table of launchers.
struct LauncherKind {
  const char* name;     ///< as run.launcher of a spec says it
  const char* program;  ///< to look up in PATH
  const char* install;  ///< what to do when there is no such program
  std::unique_ptr<Launcher> (*make)();
};

/// Every launcher that this build knows.
std::span<const LauncherKind> launcherKinds();
/// The row with this name. Usage when there is none.
Result<const LauncherKind*> launcherKind(const std::string& name);
/// The path of the launcher's program. Environment when this machine has none; says what to install.
Result<std::string> findLauncher(const LauncherKind& kind);

}  // namespace shardlens
