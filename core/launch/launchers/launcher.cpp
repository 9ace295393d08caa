// SPDX-License-Identifier: Apache-2.0
#include "core/launch/launchers/launcher.h"

#include "core/base/phrase.h"
#include "core/launch/launch_words.h"

#include <array>
#include <charconv>
#include <system_error>
#include <utility>

namespace shardlens {
namespace {

class Plain : public Launcher {
 public:
  [[nodiscard]] const char* name() const override { return "plain"; }
  [[nodiscard]] Result<Launch> launch(const PipelineSpec& spec, const LaunchSite& site,
                                      const std::vector<std::string>& command) const override;
};

Result<Launch> Plain::launch(const PipelineSpec& spec, const LaunchSite& site,
                             const std::vector<std::string>& command) const {
  const std::int64_t ranks = spec.worldSize();
  Launch launch;
  launch.notes = hostNotes(spec);
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    LaunchCommand process;
    process.rank = rank;
    process.arguments = commandOf(site, command);
    process.arguments.front() = site.program;
    process.environment = {{"RANK", std::to_string(rank)},
                           {"WORLD_SIZE", std::to_string(ranks)},
                           {"LOCAL_RANK", std::to_string(spec.localRankOf(Rank{rank}))},
                           {"LOCAL_WORLD_SIZE", std::to_string(spec.world.ranksOn(spec.nodeOf(Rank{rank})))},
                           {"MASTER_ADDR", "127.0.0.1"},
                           {"MASTER_PORT", std::to_string(site.port)},
                           {"SHARDLENS_JOB_DIR", site.job_dir}};
    launch.processes.push_back(std::move(process));
  }
  return launch;
}

constexpr std::array kKinds = {
    LauncherKind{"mpirun", "mpirun", words::kInstallOpenMpi, true, makeMpirun},
    LauncherKind{"torchrun", "torchrun", words::kInstallTorch, false, makeTorchrun},
    LauncherKind{"srun", "srun", words::kInstallSlurm, false, makeSrun},
    LauncherKind{"plain", nullptr, "", false, makePlain},
};

}  // namespace

std::unique_ptr<Launcher> makePlain() {
  return std::make_unique<Plain>();
}

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
  return Error{ErrorCode::Usage, filled(worded("launch", "There is no launcher named %1."), name),
               Place{{}, 0, 0, "run.launcher"}, filled(worded("launch", "choose from: %1"), known)};
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
  if (wanted == "mpi_rank") return std::string("socket_rank");
  return Error{ErrorCode::Usage,
               filled(worded("launch", "%1 needs MPI, which the launcher %2 does not start."), wanted, kind.name),
               Place{{}, 0, 0, "run.launcher"}, worded("launch", "use mpirun, or run.program: socket_rank")};
}

std::vector<std::string> commandOf(const LaunchSite& site, const std::vector<std::string>& command) {
  if (!command.empty()) return command;
  return {site.program, "--spec", site.spec_file, "--job-dir", site.job_dir};
}

std::vector<std::string> hostNotes(const PipelineSpec& spec) {
  if (spec.world.nodes <= 1) return {};
  return {words::nodesEmulated(spec.world.nodes)};
}

namespace {

/// How a shell on the rank computes its place on its node, which may need statements of its own before.
struct PlaceOnNode {
  std::string before, local_rank, local_world_size;
};

PlaceOnNode placeOnNode(const PipelineSpec::World& world, const std::string& rank) {
  if (const auto every = world.ranks_per_node.ofEveryNode()) {
    const std::string local = std::to_string(*every);
    return {"", "$((" + rank + " % " + local + "))", local};
  }
  std::string sizes;
  for (const std::int64_t ranks : world.ranks_per_node.list()) sizes += " " + std::to_string(ranks);
  return {"sl_first=0; for sl_ranks in" + sizes + "; do [ \"$" + rank +
              "\" -lt $((sl_first + sl_ranks)) ] && break; sl_first=$((sl_first + sl_ranks)); done; ",
          "$((" + rank + " - sl_first))", "\"$sl_ranks\""};
}

}  // namespace

std::vector<std::string> rankPlace(const PipelineSpec& spec, const std::string& rank_variable,
                                   const std::string& size_variable, const std::string& start) {
  const PlaceOnNode place = placeOnNode(spec.world, rank_variable);
  const std::string script = place.before + "export RANK=\"$" + rank_variable + "\" WORLD_SIZE=\"$" + size_variable +
                             "\" LOCAL_RANK=" + place.local_rank + " LOCAL_WORLD_SIZE=" + place.local_world_size +
                             "; " + start;
  return {"/bin/sh", "-c", script, "rank"};
}

bool TagReader::take(std::string_view word) {
  const std::string_view there = rest_.substr(0, word.size());
  if (there == word) return rest_.remove_prefix(word.size()), true;
  ended_ = there == word.substr(0, there.size());  // it may go on as it should
  return false;
}

bool TagReader::takeNumber(std::int64_t* number) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
  ended_ = end == rest_.data() + rest_.size();
  if (error != std::errc() || ended_ || value < 0) return false;
  rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
  if (number != nullptr) *number = value;
  return true;
}

bool TagReader::takeOneOf(std::string_view no, std::string_view yes, bool* is_yes) {
  *is_yes = take(yes);
  return *is_yes || (!ended_ && take(no));
}

}  // namespace shardlens
