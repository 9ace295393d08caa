// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <filesystem>

namespace shardlens {

/// Writes all segments of a recording's folder, as they are now, into one new file that can be sent. Usage when
/// `recording` is already a single file; Io when the file exists or cannot be written: nothing of it remains then.
Result<void> packRecording(const std::filesystem::path& recording, const std::filesystem::path& file);

}  // namespace shardlens
