// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verbs/studio/studio.h"

#include "app/cli/verb.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace shardlens::cli {

int execStudio(const std::vector<char*>& arguments) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& candidate : {folder / "shardlens-studio", folder / "../lib/shardlens/shardlens-studio"}) {
    if (!fs::exists(candidate, error)) continue;
    std::string program = candidate.string();
    std::vector<char*> all{program.data()};
    all.insert(all.end(), arguments.begin(), arguments.end());
    all.push_back(nullptr);
    execv(program.c_str(), all.data());
    return fail(Error{ErrorCode::Environment,
                      std::string("the studio cannot be started: ") + std::strerror(errno) + ".",
                      Place{program, 0, 0, {}},
                      {}});
  }
  return fail(Error{ErrorCode::Environment,
                    "This build has no studio (there is no shardlens-studio next to this program).",
                    {},
                    "build with SHARDLENS_GUI=ON, or use a verb: shardlens --help"});
}

}  // namespace shardlens::cli
