// SPDX-License-Identifier: Apache-2.0
#include "core/collect/command_job.h"

#include "core/base/process.h"
#include "core/collect/collect_words.h"
#include "core/launch/launchers/typed_command.h"

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace shardlens {
namespace {

namespace fs = std::filesystem;

/// The folder of the PyTorch probe, beside this program or where an installation has it; empty when there is none.
fs::path probeFolder() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& candidate : {folder / "probe", folder / "../lib/shardlens/probe"}) {
    if (fs::exists(candidate / "sitecustomize.py", error)) return fs::weakly_canonical(candidate, error);
  }
  return {};
}

/// Python looks into the probe's folder first, and then where it would have looked.
void addProbe(Launch& launch, const std::string& run_file) {
  const fs::path folder = probeFolder();
  if (folder.empty()) {
    launch.notes.push_back(words::noProbe());
    return;
  }
  std::error_code error;
  const char* const path = std::getenv("PYTHONPATH");
  const bool has_path = path != nullptr && *path != '\0';
  auto& environment = launch.processes.front().environment;
  environment.emplace_back("PYTHONPATH", folder.string() + (has_path ? ":" + std::string(path) : ""));
  environment.emplace_back("SHARDLENS_PROBE", fs::absolute(run_file, error).string());
}

Result<Launch> launchOf(const JobRequest& request, const Launcher& launcher) {
  const auto program = findProgram(request.command.front());
  if (!program) return program.error();
  LaunchSite site;
  site.program = *program;
  auto launch = launcher.launch({}, site, request.command);
  if (launch) addProbe(*launch, request.run_file);
  return launch;
}

RunBegin beginOf(const JobRequest& request, const std::string& job_id) {
  RunBegin begin;
  begin.name = nameOfCommand(request.command);
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

Result<Job> makeCommandJob(const JobRequest& request) {
  auto dir = JobDir::make();
  if (!dir) return dir.error();
  RunBegin begin = beginOf(request, dir->id());
  auto launcher = makeTypedCommand(request.command.front());
  auto launch = launchOf(request, *launcher);
  if (launch) launch->folder = dir->path();
  return Job{std::move(begin), std::move(*dir), std::move(launcher), std::move(launch), false, {}, request.grace};
}

}  // namespace shardlens
