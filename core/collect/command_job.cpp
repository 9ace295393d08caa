// SPDX-License-Identifier: Apache-2.0
#include "core/collect/command_job.h"

#include "core/base/process.h"
#include "core/collect/probe_environment.h"
#include "core/launch/launchers/typed_command.h"
#include "core/sampling/registry.h"
#include "core/yaml/spec_writer.h"

#include <array>
#include <chrono>
#include <string>
#include <unistd.h>
#include <utility>

namespace shardlens {
namespace {

Result<Launch> launchOf(const JobRequest& request, const Launcher& launcher) {
  const auto program = findProgram(request.command.front());
  if (!program) return program.error();
  LaunchSite site;
  site.program = *program;
  auto launch = launcher.launch({}, site, request.command);
  if (launch) addProbe(*launch, request.run_file);
  return launch;
}

RunBegin beginOf(const JobRequest& request, const PipelineSpec* design, const std::string& job_id) {
  RunBegin begin;
  begin.name = design != nullptr ? design->name : nameOfCommand(request.command);
  if (design != nullptr) begin.spec_yaml = yaml::writeSpec(*design, sampling::catalogue());
  begin.job_id = job_id;
  begin.command = commandText(runArguments(request));
  std::array<char, 256> host{};
  (void)gethostname(host.data(), host.size() - 1);
  begin.host = host.data();
  begin.cores = usableCores();
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  begin.started_unix_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
  begin.reports = false;
  return begin;
}

}  // namespace

Result<Job> makeCommandJob(const JobRequest& request, const PipelineSpec* design) {
  auto dir = JobDir::make();
  if (!dir) return dir.error();
  RunBegin begin = beginOf(request, design, dir->id());
  auto launcher = makeTypedCommand(request.command.front());
  auto launch = launchOf(request, *launcher);
  if (launch) launch->folder = dir->path();
  return Job{std::move(begin), std::move(*dir), std::move(launcher), std::move(launch), false, {}, request.grace};
}

}  // namespace shardlens
