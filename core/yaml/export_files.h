// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/yaml/exporter.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace shardlens::yaml {

/// A file of an export, where it goes on disk, and what the file there contains now.
struct ExportDestination {
  ExportFile file;
  std::filesystem::path path;
  std::optional<std::string> present;  ///< what the file on disk says; absent: there is none

  [[nodiscard]] bool isSame() const { return present && *present == file.text; }
  /// Whether writing would lose what a person wrote.
  [[nodiscard]] bool isConflict() const { return present && *present != file.text; }
};

/// The main file goes to `main`, the others into the same folder. Fails when an existing file cannot be read.
Result<std::vector<ExportDestination>> exportDestinations(const ExportResult& result,
                                                          const std::filesystem::path& main);

/// Writes what differs, each file at once, conflicts included: the caller has asked the user. New scripts become
/// executable.
Result<void> writeExport(const std::vector<ExportDestination>& destinations);

}  // namespace shardlens::yaml
