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

/// What a launch depends on in addition to the spec: files, and facts of this host.
struct LaunchSite {
  std::string launcher;  ///< path of the launcher's program; empty when it has none
  std::string program;   ///< path of what runs on every rank: one of our rank programs, or that of the user's command
  std::string spec_file;
  std::string job_dir;     ///< rings, and the launcher's own temporary files
  std::int64_t cores = 1;  ///< that the job may use
  bool is_root = false;
  int port = 0;  ///< a TCP port of this host that was free a moment ago, where the ranks can meet
};

/// One line of a job's output, without tags.
struct PrintedLine {
  std::int64_t rank = -1;  ///< -1: the launcher's own
  bool is_error = false;
  std::string text;
};

/// What precedes the text of a rank in the output of a launcher's process.
struct OutputTag {
  std::size_t length = 0;  ///< 0: there is none
  std::int64_t rank = -1;
  bool is_error = false;
  bool is_cut = false;  ///< the text may be the beginning of a tag; more must come before that is known
};

/// Where in the output of a launcher's process some bytes stand.
struct PlaceInOutput {
  bool begins_line = true;
  bool is_error = false;
};

/// What a launcher says about the end of a rank.
struct LauncherReport {
  std::int64_t rank = 0;
  int exit_code = 0;
  int signal = 0;  ///< that ended it; 0 = none
};

/// One way to start the ranks of a job, and everything that is particular to it: what processes it takes, the
/// environment of a rank, and what a launcher's output means. No other file knows a launcher's words. Each job has an
/// object of its own, since what a launcher says may take several lines. A kind that starts every rank by itself,
/// without a program in between, has no output to explain: the operating system says whose line it is and how a rank
/// ended.
class Launcher {
 public:
  virtual ~Launcher() = default;

  /// Its name in the table of launchers.
  [[nodiscard]] virtual const char* name() const = 0;
  /// What starts every rank of the spec. `command` replaces our rank program when not empty. Usage when this launcher
  /// cannot start such a job. Pure: depends only on its arguments.
  [[nodiscard]] virtual Result<Launch> launch(const PipelineSpec& spec, const LaunchSite& site,
                                              const std::vector<std::string>& command) const = 0;

  /// The tag at the very beginning of these bytes, which the launcher's process printed, at the beginning of a line or
  /// elsewhere, on its standard output or its standard error.
  [[nodiscard]] virtual OutputTag tag(std::string_view bytes, const PlaceInOutput& place) const;
  /// Takes one of the launcher's own lines. Returns which rank ended and how, as soon as that was said; once for each
  /// rank.
  virtual std::optional<LauncherReport> heed(const std::string& line);
  /// The first meaningful line of the launcher; empty when it said nothing.
  [[nodiscard]] virtual std::string words() const { return {}; }
  /// Whether an exit like this means that the launcher itself was ended, and not that a rank failed. Call it after
  /// the last line.
  [[nodiscard]] virtual bool wasEndedFromOutside(const ProcessExit& exit) const;
};

/// One row of the table of launchers.
struct LauncherKind {
  const char* name;     ///< as run.launcher of a spec says it
  const char* program;  ///< to look up in PATH; null: it needs none
  const char* install;  ///< what to do when there is no such program
  bool starts_mpi;      ///< programs that use MPI can be started by it
  std::unique_ptr<Launcher> (*make)();
};

/// Every launcher that this build knows.
std::span<const LauncherKind> launcherKinds();
/// The row with this name. Usage when there is none.
Result<const LauncherKind*> launcherKind(const std::string& name);
/// The path of the launcher's program; empty when it needs none. Environment when this machine has none; says what to
/// install.
Result<std::string> findLauncher(const LauncherKind& kind);
/// The program of ours that it starts when the spec wants this one: another one where that needs an MPI which it does
/// not start. Usage when there is none; says what to do.
Result<std::string> ownProgram(const LauncherKind& kind, const std::string& wanted);

/// What runs on every rank: the user's command as it was typed or, without one, our rank program with its arguments.
std::vector<std::string> commandOf(const LaunchSite& site, const std::vector<std::string>& command);

/// What a person should know about any launch on this host: that nodes are emulated.
std::vector<std::string> hostNotes(const PipelineSpec& spec);

/// Open MPI's mpirun, version 4.
std::unique_ptr<Launcher> makeMpirun();

/// No launcher at all: every rank is a process of ours that runs the command, with RANK, WORLD_SIZE, LOCAL_RANK,
/// LOCAL_WORLD_SIZE, MASTER_ADDR and MASTER_PORT as torch.distributed reads them.
std::unique_ptr<Launcher> makePlain();

/// Slurm's srun: all tasks on one node, which is the one where this runs: rings are files of one host.
std::unique_ptr<Launcher> makeSrun();

/// PyTorch's torchrun, from 1.10 on: one node, no restarts.
std::unique_ptr<Launcher> makeTorchrun();

/// What precedes a command so that each rank has what torch.distributed reads: RANK and WORLD_SIZE out of the variables
/// of a launcher, LOCAL_RANK and LOCAL_WORLD_SIZE out of the nodes of the spec, although all ranks run on this host.
/// `start` is what the shell then does with the command.
std::vector<std::string> rankPlace(const PipelineSpec& spec, const std::string& rank_variable,
                                   const std::string& size_variable, const std::string& start = "exec \"$@\"");

/// Takes a tag in the output of a launcher apart, piece by piece. What does not fit is not taken.
class TagReader {
 public:
  explicit TagReader(std::string_view bytes) : rest_(bytes) {}

  bool take(std::string_view word);
  /// Not below 0, and followed by something.
  bool takeNumber(std::int64_t* number = nullptr);
  bool takeOneOf(std::string_view no, std::string_view yes, bool* is_yes);
  [[nodiscard]] std::string_view rest() const { return rest_; }
  /// The bytes were over before the tag was: more of them may complete it.
  [[nodiscard]] bool isAtEnd() const { return ended_; }

 private:
  std::string_view rest_;
  bool ended_ = false;
};

}  // namespace shardlens
