// SPDX-License-Identifier: Apache-2.0
#include "core/launch/launchers/launcher.h"

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
  launch.notes = hostNotes(spec, site.cores);
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

}  // namespace

std::unique_ptr<Launcher> makePlain() {
  return std::make_unique<Plain>();
}

}  // namespace shardlens
