// SPDX-License-Identifier: Apache-2.0
#include "core/launch/launchers/rank_place.h"

namespace shardlens {

std::vector<std::string> rankPlace(const PipelineSpec& spec, const std::string& rank_variable,
                                   const std::string& size_variable, const std::string& start) {
  const std::string local = std::to_string(spec.world.ranks_per_node);
  const std::string script = "export RANK=\"$" + rank_variable + "\" WORLD_SIZE=\"$" + size_variable +
                             "\" LOCAL_RANK=$((" + rank_variable + " % " + local + ")) LOCAL_WORLD_SIZE=" + local +
                             "; " + start;
  return {"/bin/sh", "-c", script, "rank"};
}

}  // namespace shardlens
