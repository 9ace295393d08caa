// SPDX-License-Identifier: Apache-2.0
#include "core/launch/launchers/launcher.h"

#include "core/launch/launchers/mpirun.h"

#include <array>

namespace shardlens {
namespace {

constexpr std::array kKinds = {
    LauncherKind{"mpirun", "mpirun", "install Open MPI: apt-get install openmpi-bin", makeMpirun},
};

}  // namespace

std::span<const LauncherKind> launcherKinds() {
  return kKinds;
}

Result<const LauncherKind*> launcherKind(const std::string& name) {
  std::string known;
  for (const LauncherKind& kind : kKinds) {
    if (kind.name == name) return &kind;
    known += (known.empty() ? "" : ", ") + std::string(kind.name);
  }
  return Error{ErrorCode::Usage,
               "There is no launcher named " + name + ".",
               {"", 0, 0, "run.launcher"},
               "choose from: " + known};
}

Result<std::string> findLauncher(const LauncherKind& kind) {
  auto found = findProgram(kind.program);
  if (found) return found;
  Error error = found.error();
  error.hint = kind.install;
  return error;
}

}  // namespace shardlens
