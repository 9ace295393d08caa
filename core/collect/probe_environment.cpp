// SPDX-License-Identifier: Apache-2.0
#include "core/collect/probe_environment.h"

#include "core/collect/collect_words.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

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

}  // namespace

void addProbe(Launch& launch, const std::string& run_file) {
  const fs::path folder = probeFolder();
  if (folder.empty()) {
    launch.notes.push_back(words::noProbe());
    return;
  }
  std::error_code error;
  const char* const path = std::getenv("PYTHONPATH");
  const bool has_path = path != nullptr && *path != '\0';
  // Python looks into the probe's folder first, and then where it would have looked.
  for (LaunchCommand& process : launch.processes) {
    process.environment.emplace_back("PYTHONPATH", folder.string() + (has_path ? ":" + std::string(path) : ""));
    process.environment.emplace_back("SHARDLENS_PROBE", fs::absolute(run_file, error).string());
  }
}

}  // namespace shardlens
