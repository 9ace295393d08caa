// SPDX-License-Identifier: Apache-2.0
#include "core/launch/launchers/launcher.h"

#include "core/base/phrase.h"
#include "core/launch/launch_words.h"
#include "core/launch/launchers/mpirun.h"
#include "core/launch/launchers/plain.h"
#include "core/launch/launchers/srun.h"
#include "core/launch/launchers/torchrun.h"

#include <array>

namespace shardlens {
namespace {

constexpr std::array kKinds = {
    LauncherKind{"mpirun", "mpirun", words::kInstallOpenMpi, true, makeMpirun},
    LauncherKind{"torchrun", "torchrun", words::kInstallTorch, false, makeTorchrun},
    LauncherKind{"srun", "srun", words::kInstallSlurm, false, makeSrun},
    LauncherKind{"plain", nullptr, "", false, makePlain},
};

}  // namespace

OutputTag Launcher::tag(std::string_view /*bytes*/, const PlaceInOutput& /*place*/) const {
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
  return words::unknownLauncher(name, known);
}

Result<std::string> findLauncher(const LauncherKind& kind) {
  if (kind.program == nullptr) return std::string();
  auto found = findProgram(kind.program);
  if (found) return found;
  Error error = found.error();
  error.hint = worded("launch", kind.install);
  return error;
}

Result<std::string> ownProgram(const LauncherKind& kind, const std::string& wanted) {
  if (kind.starts_mpi || wanted == "socket_rank") return wanted;
  return wanted == "mpi_rank" ? Result<std::string>("socket_rank") : words::programNeedsMpi(wanted, kind.name);
}

std::vector<std::string> commandOf(const LaunchSite& site, const std::vector<std::string>& command) {
  if (!command.empty()) return command;
  return {site.program, "--spec", site.spec_file, "--job-dir", site.job_dir};
}

std::vector<std::string> hostNotes(const PipelineSpec& spec, std::int64_t cores) {
  std::vector<std::string> notes;
  const std::int64_t ranks = spec.worldSize();
  if (ranks > cores) notes.push_back(words::ranksShareCores(ranks, cores));
  if (spec.world.nodes > 1) notes.push_back(words::nodesEmulated(spec.world.nodes));
  return notes;
}

}  // namespace shardlens
