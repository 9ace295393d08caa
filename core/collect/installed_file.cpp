// SPDX-License-Identifier: Apache-2.0
#include "core/collect/installed_file.h"

#include <system_error>

namespace shardlens {

std::filesystem::path installedFile(const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& candidate : {folder / name, folder / "../lib/shardlens" / name}) {
    if (fs::exists(candidate, error)) return fs::weakly_canonical(candidate, error);
  }
  return {};
}

}  // namespace shardlens
