// SPDX-License-Identifier: Apache-2.0
#include "core/launch/launchers/rank_place.h"

namespace shardlens {
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

}  // namespace shardlens
