// SPDX-License-Identifier: Apache-2.0
#include "core/collect/job.h"

#include "core/base/file.h"
#include "core/base/phrase.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/collect/collect_words.h"
#include "core/collect/installed_file.h"
#include "core/collect/planned_batches.h"
#include "core/collect/probe_environment.h"
#include "core/collect/run_folder.h"
#include "core/diagnose/planned_epochs.h"
#include "core/launch/launch_words.h"
#include "core/launch/launchers/typed_command.h"
#include "core/record/recorder.h"
#include "core/sampling/registry.h"
#include "core/yaml/spec_writer.h"

#include <algorithm>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace shardlens {
namespace {

namespace fs = std::filesystem;

Result<std::string> findRankProgram(const std::string& name) {
  const fs::path program = installedFile(name);
  if (!program.empty()) return program.string();
  return Error::inField(
      ErrorCode::Environment, "run.program",
      filled(worded("launch",
                    "This installation has no %1: the program is neither next to shardlens nor in lib/shardlens."),
             name),
      name == "nccl_rank"  ? worded("launch", "build where CUDA and NCCL are found, or use run.program: mpi_rank")
      : name == "mpi_rank" ? worded("launch", "build with SHARDLENS_MPI=ON, or use run.program: socket_rank")
                           : worded("launch", "install it again"));
}

/// What starts the ranks, or why this machine cannot.
Result<Launch> launchOf(const PipelineSpec& spec, const JobRequest& request, const LauncherKind& kind,
                        const Launcher& launcher, const std::string& job_dir) {
  auto found = findLauncher(kind);
  if (!found) return found.error();
  const auto own = ownProgram(kind, spec.run.program);
  if (request.command.empty() && !own) return own.error();
  auto program =
      request.command.empty() ? findRankProgram(*own) : findProgram(request.command.front(), request.environment);
  if (!program) return program.error();
  const auto port = freePort();
  if (!port) return port.error();
  const LaunchSite site{*found, *program, job_dir + "/spec.yaml", job_dir, usableCores(), geteuid() == 0, *port};
  auto launch = launcher.launch(spec, site, request.command);
  if (launch && !request.command.empty()) addProbe(*launch, request, job_dir);
  if (launch && request.command.empty() && *own != spec.run.program)
    launch->notes.push_back(words::programInPlaceOf(kind.name, *own, spec.run.program));
  return launch;
}

/// Over all epochs.
Result<void> countPlanned(const Plan& plan, RunBegin& begin) {
  for (Epoch epoch{0}; epoch.value < plan.epochs(); ++epoch) {
    const auto shape = plan.epochShape(epoch);
    if (!shape) return shape.error();
    begin.planned_steps += shape->steps;
    for (const RankEpochShape& rank : shape->ranks) begin.planned_batches += rank.batches;
  }
  return {};
}

/// All ranks start on this host, whatever nodes the spec has: thousands of processes are a mistake and no job.
Result<void> checkRanks(std::int64_t ranks) {
  constexpr std::int64_t kAlways = 256;
  constexpr std::int64_t kOnACore = 64;
  const std::int64_t most = std::max(kAlways, kOnACore * usableCores());
  if (ranks <= most) return {};
  return Error::inField(ErrorCode::Usage, "world",
                        filled(worded("launch", "%1 would all be started on this host; with its %2, the limit is %3."),
                               wordedCount(ranks, "rank"), wordedCount(usableCores(), "core"), grouped(most)),
                        worded("launch", "run a smaller world; plan, audit and lens handle the whole one"));
}

/// The ranks of the spec's world as a job, by the launcher that is asked for, or else the spec's. What a design says of
/// them is not in it.
Result<Job> launchedJob(const PipelineSpec& spec, const JobRequest& request) {
  if (auto fits = checkRanks(spec.worldSize()); !fits) return fits.error();
  const auto kind = launcherKind(request.launcher.empty() ? spec.run.launcher : request.launcher);
  if (!kind) return kind.error();
  auto dir = JobDir::make();
  if (!dir) return dir.error();
  RunBegin begin = beginHere();
  begin.job_id = dir->id();
  begin.command = commandText(runArguments(request));
  begin.world_size = spec.worldSize();
  begin.nodes = spec.world.nodes;
  begin.reports = request.command.empty();
  auto launcher = (*kind)->make();
  auto launch = launchOf(spec, request, **kind, *launcher, dir->path().string());
  if (launch) launch->folder = dir->path();
  return Job{std::move(begin), std::move(*dir), std::move(launcher), std::move(launch), request.command.empty(), {},
             request.grace};
}

Result<Launch> launchOf(const JobRequest& request, const Launcher& launcher, const std::filesystem::path& job_dir) {
  const auto program = findProgram(request.command.front(), request.environment);
  if (!program) return program.error();
  LaunchSite site;
  site.program = *program;
  auto launch = launcher.launch({}, site, request.command);
  if (launch) addProbe(*launch, request, job_dir);
  return launch;
}

RunBegin beginOf(const JobRequest& request, const PipelineSpec* design, const std::string& job_id) {
  RunBegin begin = beginHere();
  begin.name = design != nullptr ? design->name : nameOfCommand(request.command);
  if (design != nullptr) begin.spec_yaml = yaml::writeSpec(*design, sampling::catalogue());
  begin.job_id = job_id;
  begin.command = commandText(runArguments(request));
  begin.reports = false;
  return begin;
}

}  // namespace

std::vector<std::string> runArguments(const JobRequest& request) {
  std::vector<std::string> words = {"shardlens", "run"};
  if (!request.spec.empty()) words.push_back(request.spec);
  const auto add = [&words](const char* option, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {option, value});
  };
  add("--launcher", request.launcher);
  if (request.ranks > 0) add("--ranks", std::to_string(request.ranks));
  add("--run-file", request.run_file);
  if (!request.command.empty()) words.emplace_back("--");
  for (const auto& [name, value] : request.environment) words.push_back(std::string(name).append("=").append(value));
  words.insert(words.end(), request.command.begin(), request.command.end());
  return words;
}

fs::path freeRunFile(const std::string& spec_name) {
  const std::string stem = runName(spec_name);
  fs::path path = stem + ".slrun";
  std::error_code error;
  for (int i = 2; fs::exists(path, error) && i < 1000; ++i) path = stem + "-" + std::to_string(i) + ".slrun";
  return path;
}

Result<Job> makeJob(const Plan& plan, const JobRequest& request) {
  if (isTyped(request)) return makeCommandJob(request, &plan.spec());
  auto job = launchedJob(plan.spec(), request);
  if (!job) return job;
  job->begin.name = plan.spec().name;
  job->begin.spec_yaml = yaml::writeSpec(plan.spec(), sampling::catalogue());
  if (auto counted = countPlanned(plan, job->begin); !counted) return counted.error();
  if (auto wrote = writeFile(job->dir.path() / "spec.yaml", job->begin.spec_yaml); !wrote) return wrote.error();
  job->expected = expectationOf(plan);
  if (!job->is_own_program) job->drawn.emplace(request.run_file, plan.spec().dataset.size, plan.epochs());
  return job;
}

Result<Job> makeRanksJob(const JobRequest& request) {
  PipelineSpec ranks;
  ranks.world = {1, request.ranks};
  auto job = launchedJob(ranks, request);
  if (job) job->begin.name = nameOfCommand(request.command);
  return job;
}

Result<Job> makeCommandJob(const JobRequest& request, const PipelineSpec* design) {
  auto dir = JobDir::make();
  if (!dir) return dir.error();
  RunBegin begin = beginOf(request, design, dir->id());
  auto launcher = makeTypedCommand(request.command.front());
  auto launch = launchOf(request, *launcher, dir->path());
  if (launch) launch->folder = dir->path();
  const PlannedBatches planned(begin.spec_yaml);
  begin.planned_batches = planned.total();
  if (planned.plan()) begin.planned_steps = planned.epochStarts().back();
  Job job{std::move(begin), std::move(*dir), std::move(launcher), std::move(launch), false, {}, request.grace, true};
  job.is_command = !isLauncher(request.command.front());
  if (const auto& plan = planned.plan()) {
    job.expected = expectationOf(*plan);
    job.drawn.emplace(request.run_file, plan->spec().dataset.size, plan->epochs(), job.begin.host);
  }
  return job;
}

}  // namespace shardlens
