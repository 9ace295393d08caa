// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/record/payload.h"

#include <filesystem>
#include <string>
#include <vector>

namespace shardlens {

/// Writes all segments of a recording's folder and what probes wrote beside them, as they are now, into one new file
/// that can be sent. Usage when `recording` is already a single file; Io when the file exists or cannot be written:
/// nothing of it remains then.
Result<void> packRecording(const std::filesystem::path& recording, const std::filesystem::path& file);

/// The extension of what a process's probe writes beside the segments.
constexpr const char* kProbeExtension = ".slprobe";

/// A file of a recording: by itself, or part of the packed one at `path`.
struct RecordedFile {
  std::filesystem::path path;
  std::string name;
  FilePart part;
};

/// What probes wrote in a recording, a folder or a packed file, by name. BadInput when it is neither.
Result<std::vector<RecordedFile>> probeFilesOf(const std::filesystem::path& recording);

}  // namespace shardlens
