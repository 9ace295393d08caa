// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace shardlens {

/// A file or folder of this installation, beside this program or in lib/shardlens; empty when there is none.
std::filesystem::path installedFile(const std::string& name);

}  // namespace shardlens
