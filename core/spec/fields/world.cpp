// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/spec/fields/entry.h"

namespace shardlens::fields {

std::vector<Entry> world() {
  using World = PipelineSpec::World;
  constexpr auto kWorld = &PipelineSpec::world;
  return {
      row<kWorld, &World::nodes>({.path = "world.nodes",
                                  .min = 1,
                                  .max = kMostRanks,
                                  .unit = "nodes",
                                  .help = marked("fields", "Number of machines.")}),
      row<kWorld, &World::ranks_per_node>({.path = "world.ranks_per_node",
                                           .min = 1,
                                           .max = kMostRanks,
                                           .unit = "ranks",
                                           .help = marked("fields", "Processes on each node, usually one per GPU.")}),
  };
}

}  // namespace shardlens::fields
