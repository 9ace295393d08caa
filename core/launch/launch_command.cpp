// SPDX-License-Identifier: Apache-2.0
#include "core/launch/launch_command.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string_view>
#include <unistd.h>

namespace shardlens {
namespace {

using Arguments = std::vector<std::string>;

void append(Arguments& to, std::initializer_list<std::string> more) {
  to.insert(to.end(), more);
}

/// The default keep-alive of Open MPI notices a lost host after eight minutes; with these it takes some twenty seconds.
void appendKeepAlive(Arguments& to) {
  append(to, {"--mca", "oob_tcp_keepalive_time", "10", "--mca", "oob_tcp_keepalive_intvl", "3", "--mca",
              "oob_tcp_keepalive_probes", "3"});
}

/// Session directories and shared-memory segments in a folder of this job: they go with it even when Open MPI is
/// killed.
void appendPlaces(Arguments& to, const std::string& job_dir) {
  append(to, {"--mca", "orte_tmpdir_base", job_dir, "--mca", "btl_vader_backing_directory", job_dir, "--mca",
              "shmem_mmap_backing_file_base_dir", job_dir});
}

void appendCrowding(LaunchCommand& launch, std::int64_t ranks, std::int64_t cores) {
  append(launch.arguments, {"--oversubscribe"});
  if (ranks <= cores) return;
  append(launch.arguments, {"--mca", "mpi_yield_when_idle", "1"});
  launch.notes.push_back(std::to_string(ranks) + " ranks share " + std::to_string(cores) +
                         " cores: waits include the operating system's scheduling.");
}

bool isPlain(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("-_./=:,+@%").find(c) != std::string_view::npos;
}

bool isProgram(const std::string& path) {
  return access(path.c_str(), X_OK) == 0;
}

Error notFound(const std::string& name) {
  const bool is_mpi = name == "mpirun";
  return Error{ErrorCode::Environment,
               "There is no program named " + name + " on this machine.",
               {},
               is_mpi ? "install Open MPI: apt-get install openmpi-bin" : "check the name and PATH"};
}

}  // namespace

std::string shellQuoted(const std::string& argument) {
  if (!argument.empty() && std::all_of(argument.begin(), argument.end(), isPlain)) return argument;
  std::string out = "'";
  for (const char c : argument) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string LaunchCommand::text() const {
  std::string out;
  for (const auto& [name, value] : environment) out += name + "=" + shellQuoted(value) + " ";
  for (const std::string& argument : arguments)
    out += (&argument == &arguments.front() ? "" : " ") + shellQuoted(argument);
  return out;
}

LaunchCommand launchCommand(const PipelineSpec& spec, const LaunchSite& site, const std::vector<std::string>& command) {
  LaunchCommand launch;
  const std::int64_t ranks = spec.worldSize();
  if (site.is_root) {
    launch.environment = {{"OMPI_ALLOW_RUN_AS_ROOT", "1"}, {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}};
  }
  launch.arguments = {site.launcher, "-n", std::to_string(ranks), "--bind-to", "none", "--tag-output"};
  appendCrowding(launch, ranks, site.cores);
  appendKeepAlive(launch.arguments);
  appendPlaces(launch.arguments, site.job_dir);
  if (spec.world.nodes > 1) {
    launch.notes.push_back(std::to_string(spec.world.nodes) +
                           " nodes emulated on one host: node and local rank come from the spec.");
  }
  append(launch.arguments, {"-x", "SHARDLENS_JOB_DIR=" + site.job_dir});
  if (command.empty()) {
    append(launch.arguments, {site.program, "--spec", site.spec_file, "--job-dir", site.job_dir});
  } else {
    launch.arguments.insert(launch.arguments.end(), command.begin(), command.end());
  }
  return launch;
}

Result<std::string> findProgram(const std::string& name) {
  if (name.find('/') != std::string::npos) return isProgram(name) ? Result<std::string>(name) : notFound(name);
  const char* path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const std::string candidate = std::string(rest.substr(0, end)) + "/" + name;
    if (end > 0 && isProgram(candidate)) return candidate;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return notFound(name);
}

}  // namespace shardlens
