// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/capture/facts.h"

#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

namespace shardlens::capture {

using UseBatch = std::function<void(const BatchFacts&)>;

/// What a probe's file says. Arbitrary bytes are no harm: what is not understood is left out. Each batch goes to
/// `use` in the order of the file, if there is one.
ProcessFacts parseProbe(std::string_view file, const UseBatch& use = {});

/// The files of the probes in a recording's folder, by name. BadInput when it is no folder.
Result<std::vector<std::filesystem::path>> probeFiles(const std::filesystem::path& recording);

/// Reads one of them. Io when it cannot be read, BadInput when it is something else or of another format.
Result<ProcessFacts> readProbe(const std::filesystem::path& file, const UseBatch& use = {}, const Work& work = {});

}  // namespace shardlens::capture
