// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/collect/drawn_batches.h"
#include "core/diagnose/reducer.h"
#include "core/launch/job_dir.h"
#include "core/launch/launch_command.h"
#include "core/launch/launchers/launcher.h"
#include "core/plan/plan.h"
#include "core/record/event.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace shardlens {

/// What the user asks for: a job to run and watch.
struct JobRequest {
  std::string spec;        ///< path of the spec file
  std::string launcher;    ///< empty: the spec's
  std::int64_t ranks = 0;  ///< that the launcher starts, where there is no spec to say it; 0: not said
  std::string run_file;
  /// With a launcher it runs on every rank in place of the spec's program; without one it runs once, as it was typed.
  std::vector<std::string> command;
  Variables environment = {};  ///< of the command: beside ours, and of nothing else that is started
  /// How long a job that cannot go on (ranks in different collectives, a dead rank) is left alone, and how long its
  /// processes have between SIGTERM and SIGKILL.
  std::chrono::milliseconds grace{5000};
};

/// Whether the job is a command that starts its ranks itself.
inline bool isTyped(const JobRequest& request) {
  return !request.command.empty() && request.launcher.empty();
}

/// "shardlens run SPEC ...": the words that ask for this on a command line, program first. Empty parts are left out.
std::vector<std::string> runArguments(const JobRequest& request);

/// A path in the current folder for the recording of a run of this spec: "<name>-<date>-<time>.slrun", with a number
/// if that exists.
std::filesystem::path freeRunFile(const std::string& spec_name);

/// One job to run and watch. Its folder is removed with it.
struct Job {
  RunBegin begin;
  JobDir dir;
  std::unique_ptr<Launcher> launcher;
  Result<Launch> launch;        ///< or why this machine cannot start it
  bool is_own_program = false;  ///< the ranks run our program, which reports and uses our exit codes
  ExpectedBatch expected;       ///< of the plan; may be empty
  std::chrono::milliseconds grace{5000};
  bool is_typed = false;                   ///< a command of the user's, which only its user ends
  std::optional<DrawnBatches> drawn = {};  ///< of a command with a design, whose loaders a probe sees
  bool is_command = false;                 ///< sentences call what starts the ranks a command: it is no launcher
};

/// The requested job, with a folder of its own that holds the spec; makeCommandJob() where isTyped(). A job that this
/// machine cannot start is a job nevertheless, so that the reason can be recorded. Usage for an unknown launcher,
/// Environment or Io when the folder cannot be made.
Result<Job> makeJob(const Plan& plan, const JobRequest& request);

/// The requested command on as many ranks as the request says, by its launcher, without a design. Errors as makeJob().
Result<Job> makeRanksJob(const JobRequest& request);

/// The job of a command: it runs once, as it was typed, with the probe of PyTorch in its environment, which records the
/// loaders of every process in the folder `request.run_file`. How many ranks it has is not known here, whatever the
/// design says, which is only kept in the recording. Environment or Io when the folder of the job cannot be made.
Result<Job> makeCommandJob(const JobRequest& request, const PipelineSpec* design = nullptr);

}  // namespace shardlens
