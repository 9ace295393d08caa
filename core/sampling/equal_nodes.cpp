// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/equal_nodes.h"

#include "core/base/phrase.h"
#include "core/sampling/python.h"

namespace shardlens::sampling {

Result<void> checkEqualNodes(const PipelineSpec& spec) {
  if (spec.world.ranks_per_node.ofEveryNode()) return {};
  return unsupported(
      filled(worded("checks",
                    "not predictable, because %1 assumes that all nodes have the same number of ranks, and "
                    "these nodes differ."),
             spec.sampler.type),
      "world.ranks_per_node", worded("checks", "give every node the same number of ranks"));
}

}  // namespace shardlens::sampling
