// SPDX-License-Identifier: Apache-2.0
#include "core/collect/probe_environment.h"

#include "core/collect/collect_words.h"
#include "core/collect/installed_file.h"
#include "core/collect/job.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <system_error>

namespace shardlens {
namespace {

namespace fs = std::filesystem;

/// A folder that holds this file; empty when there is none.
fs::path probeFolder(const char* name) {
  const fs::path found = installedFile(std::string("probe/") + name);
  return found.empty() ? found : found.parent_path();
}

bool has(const Variables& variables, const std::string& name) {
  return std::ranges::any_of(variables, [&](const auto& one) { return one.first == name; });
}

/// `first`, and what the user has set under this name but for `first` itself: that of an earlier time.
std::string before(const std::string& first, const char* name, const Variables& own) {
  const char* const given = variable(name, own);
  std::string_view rest = given != nullptr ? given : "";
  while (rest == first || (rest.starts_with(first) && rest[first.size()] == ':'))
    rest.remove_prefix(std::min(rest.size(), first.size() + 1));
  return rest.empty() ? first : first + ":" + std::string(rest);
}

/// The probe of MPI is loaded into every process of the command, and does nothing before MPI_Init. AddressSanitizer
/// wants to be loaded first, unless it is told otherwise.
void addMpiProbe(ProbeEnvironment& environment, const Variables& own) {
  const char* const library = "shardlens_mpi.so";
  fs::path folder = probeFolder(library);
  // The linker divides its list there.
  const bool has_no_place = folder.string().find_first_of(" :") != std::string::npos;
  if (has_no_place) folder.clear();
  if (folder.empty())
    return environment.notes.push_back(has_no_place ? words::mpiProbeNotNamed() : words::noMpiProbe());
  environment.variables.emplace_back("LD_PRELOAD", before((folder / library).string(), "LD_PRELOAD", own));
  environment.variables.emplace_back("ASAN_OPTIONS", before("verify_asan_link_order=0", "ASAN_OPTIONS", own));
}

/// NCCL loads one profiler plugin, and the user's goes first. It reads the beginning of a long path only.
void addNcclProbe(ProbeEnvironment& environment, const Variables& own) {
  constexpr std::size_t kLongestPath = 254;
  const char* const name = "NCCL_PROFILER_PLUGIN";
  const char* const theirs = variable(name, own);
  const char* const library = "shardlens_nccl.so";
  const fs::path folder = probeFolder(library);
  const std::string path = (folder / library).string();
  const bool is_theirs = theirs != nullptr && *theirs != '\0' && (folder.empty() || path != theirs);
  if (is_theirs) return environment.notes.push_back(words::otherNcclPlugin(theirs));
  if (folder.empty()) return environment.notes.push_back(words::noNcclProbe());
  if (path.size() > kLongestPath) return environment.notes.push_back(words::ncclProbeNotNamed());
  environment.variables.emplace_back(name, path);
}

}  // namespace

ProbeEnvironment probeEnvironment(const std::string& run_file, const fs::path& rings, const Variables& own) {
  ProbeEnvironment environment;
  std::error_code error;
  if (!rings.empty()) {
    environment.variables.emplace_back("SHARDLENS_RINGS", rings.string());
    addMpiProbe(environment, own);
    addNcclProbe(environment, own);
  }
  const fs::path folder = probeFolder("sitecustomize.py");
  const bool is_divided = folder.string().find(':') != std::string::npos;  // by Python, which reads a list
  if (folder.empty() || is_divided) {
    environment.notes.push_back(is_divided ? words::probeNotNamed() : words::noProbe());
    return environment;
  }
  // Python looks into the probe's folder first, and then where it would have looked.
  environment.variables.emplace_back("PYTHONPATH", before(folder.string(), "PYTHONPATH", own));
  environment.variables.emplace_back("SHARDLENS_PROBE", fs::absolute(run_file, error).string());
  return environment;
}

void addProbe(Launch& launch, const JobRequest& request, const fs::path& job_dir) {
  const ProbeEnvironment probes = probeEnvironment(request.run_file, job_dir, request.environment);
  launch.notes.insert(launch.notes.end(), probes.notes.begin(), probes.notes.end());
  for (LaunchCommand& process : launch.processes) {
    for (const auto& own : request.environment) {
      if (!has(process.environment, own.first) && !has(probes.variables, own.first)) process.environment.push_back(own);
    }
    process.environment.insert(process.environment.end(), probes.variables.begin(), probes.variables.end());
  }
}

}  // namespace shardlens
