// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/yaml/imports/readers.h"

#include <optional>
#include <string>
#include <string_view>

namespace shardlens::yaml::imports {

/// The node at "trainer.devices", or null.
const TreeNode* nodeAt(const TreeNode& root, std::string_view path);

/// The scalar there, with "${a.b}" replaced by the scalar at a.b of the same file; nothing where there is none, or
/// null.
std::optional<std::string> scalarAt(const TreeNode& root, std::string_view path);

/// Both for keys below `prefix` ("train_loader."): notes name the file and the whole path. `root` outlives them.
Values valuesOf(const TreeNode& root, const std::string& file, const std::string& prefix = {});

}  // namespace shardlens::yaml::imports
