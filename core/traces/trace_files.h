// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/traces/foreign_job.h"

#include <filesystem>

namespace shardlens::traces {

/// Whether this is a file of another tool's that can be read, or a folder with such files and without a segment of a
/// recording of ours. Looks at the first bytes only.
bool isForeignTrace(const std::filesystem::path& path);

/// Reads the traces of a job: a folder with one file a rank, or one file. What cannot be read is named in the notes;
/// BadInput when nothing can.
Result<ForeignJob> readForeignTrace(const std::filesystem::path& path, const Work& work = {});

}  // namespace shardlens::traces
