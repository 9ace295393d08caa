// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/yaml/tree.h"

namespace shardlens::yaml {

/// Turns the tree of a file of format `version` into one of the format that this build reads and writes. What an older
/// format said in other words is marked (`TreeNode::migrated`) and keeps its bytes in the text. Trees that make no
/// sense are left to the reader, which says why.
void migrate(TreeNode& root, int version);

}  // namespace shardlens::yaml
