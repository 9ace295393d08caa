// SPDX-License-Identifier: Apache-2.0
#include "core/launch/launchers/launcher.h"

#include "core/launch/launch_words.h"
#include "core/launch/launchers/mpirun.h"
#include "core/launch/launchers/plain.h"

#include <array>

namespace shardlens {
namespace {

constexpr std::array kKinds = {
    LauncherKind{"mpirun", "mpirun", words::kInstallOpenMpi, false, makeMpirun},
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
  return words::unknownLauncher(name, known);
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
  return kind.needs_command ? words::launcherNeedsCommand(kind.name) : Result<void>();
}

std::vector<std::string> hostNotes(const PipelineSpec& spec, std::int64_t cores) {
  std::vector<std::string> notes;
  const std::int64_t ranks = spec.worldSize();
  if (ranks > cores) notes.push_back(words::ranksShareCores(ranks, cores));
  if (spec.world.nodes > 1) notes.push_back(words::nodesEmulated(spec.world.nodes));
  return notes;
}

}  // namespace shardlens
