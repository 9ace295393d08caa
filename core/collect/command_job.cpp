// SPDX-License-Identifier: Apache-2.0
#include "core/collect/job.h"
#include "core/collect/planned_batches.h"
#include "core/collect/probe_environment.h"
#include "core/diagnose/planned_epochs.h"
#include "core/launch/launchers/typed_command.h"
#include "core/record/recorder.h"
#include "core/sampling/registry.h"
#include "core/yaml/spec_writer.h"

#include <filesystem>
#include <string>
#include <utility>

namespace shardlens {
namespace {

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
