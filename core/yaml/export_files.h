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
  std::optional<std::string> merged;   ///< what it says when the export is merged into it; of YAML and JSON that differ
  std::string why_not_merged;          ///< of those of which there is none

  [[nodiscard]] bool isSame() const { return present && *present == file.text; }
  /// Whether the file has all of the export, and more.
  [[nodiscard]] bool hasAll() const { return present && merged == present; }
  /// Whether writing would lose what a person wrote.
  [[nodiscard]] bool isConflict() const { return present && *present != file.text && !hasAll(); }
};

/// The main file goes to `main`, the others into the same folder. Fails when an existing file cannot be read.
Result<std::vector<ExportDestination>> exportDestinations(const ExportResult& result,
                                                          const std::filesystem::path& main);

/// What becomes of a file that is there and says something else.
enum class Overwriting {
  Whole,   ///< it says what is exported, and nothing else
  Merged,  ///< it keeps what it says beside that; a file that cannot be merged is an error, and none is written then
};

/// Writes what differs, each file at once, conflicts included: the caller has asked the user. New scripts become
/// executable.
Result<void> writeExport(const std::vector<ExportDestination>& destinations, Overwriting how = Overwriting::Whole);

}  // namespace shardlens::yaml
