// SPDX-License-Identifier: Apache-2.0
#include "core/launch/launchers/launcher.h"

#include "core/launch/launchers/mpirun.h"
#include "core/launch/launchers/plain.h"

#include <array>

namespace shardlens {
namespace {

constexpr std::array kKinds = {
    LauncherKind{"mpirun", "mpirun", "install Open MPI: apt-get install openmpi-bin", false, makeMpirun},
    LauncherKind{"plain", nullptr, "", true, makePlain},
};

}  // namespace

OutputTag Launcher::tag(std::string_view /*bytes*/) const {
  return {};
}

std::optional<LauncherReport> Launcher::heed(const std::string& /*line*/) {
  return std::nullopt;
}

bool Launcher::wasEndedFromOutside(const ProcessExit& /*exit*/) const {
  return false;
}

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
  if (kind.program == nullptr) return std::string();
  auto found = findProgram(kind.program);
  if (found) return found;
  Error error = found.error();
  error.hint = kind.install;
  return error;
}

Result<void> checkOwnProgram(const LauncherKind& kind) {
  if (!kind.needs_command) return {};
  return Error{
      ErrorCode::Usage,
      std::string("The launcher ") + kind.name + " starts only your own command; mpi_rank and nccl_rank need mpirun.",
      {"", 0, 0, "run.launcher"},
      std::string("shardlens run SPEC --launcher ") + kind.name + " -- COMMAND"};
}

std::vector<std::string> hostNotes(const PipelineSpec& spec, std::int64_t cores) {
  std::vector<std::string> notes;
  const std::int64_t ranks = spec.worldSize();
  if (ranks > cores) {
    notes.push_back(std::to_string(ranks) + " ranks share " + std::to_string(cores) +
                    " cores, so waits include CPU scheduling.");
  }
  if (spec.world.nodes > 1) {
    notes.push_back(std::to_string(spec.world.nodes) +
                    " nodes emulated on one host: node and local rank come from the spec.");
  }
  return notes;
}

}  // namespace shardlens
