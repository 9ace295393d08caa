// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/equal_nodes.h"

#include "core/base/phrase.h"

namespace shardlens::sampling {

Result<void> checkEqualNodes(const PipelineSpec& spec) {
  if (spec.world.ranks_per_node.ofEveryNode()) return {};
  return Error{ErrorCode::Unsupported,
               filled(worded("checks",
                             "not predictable, because %1 takes the ranks of each node for those of every node, and "
                             "these nodes differ."),
                      spec.sampler.type),
               Place{{}, 0, 0, "world.ranks_per_node"}, worded("checks", "give every node as many ranks")};
}

}  // namespace shardlens::sampling
