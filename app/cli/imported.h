// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/yaml/imports/importer.h"
#include "core/yaml/spec_reader.h"

#include <optional>
#include <string>

namespace shardlens::cli {

/// A file of a job; a Python script is described first.
Result<yaml::ImportSource> importSource(const std::string& path);

/// What was read, assumed and not known, on stderr.
void printNotes(const yaml::Imported& imported);

/// The spec that a script, a YAML or a batch file of a job is imported as, with its notes on stderr, or why it is none;
/// nothing where the file is none of those.
std::optional<yaml::ReadSpec> importedSpec(const std::string& path);

}  // namespace shardlens::cli
