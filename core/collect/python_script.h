// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>

namespace shardlens {

/// Whether a file is called as Python scripts are.
bool isPythonScript(const std::filesystem::path& path);

/// What the script says about its data pipeline, as JSON for yaml::importSpec(). Python reads its syntax tree; nothing
/// of it is run or imported. That it is no Python is in the description, too. Environment where python3 gives no
/// answer.
Result<std::string> describeScript(const std::filesystem::path& path);

}  // namespace shardlens
