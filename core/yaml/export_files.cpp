// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/export_files.h"

#include "core/base/file.h"
#include "core/base/phrase.h"
#include "core/yaml/merge.h"
#include "core/yaml/tree.h"

#include <nlohmann/json.hpp>

#include <system_error>
#include <utility>

namespace shardlens::yaml {
namespace {

namespace fs = std::filesystem;

/// Of what is there, if the text of an export can be merged into it.
void merge(ExportDestination& destination) {
  const auto extension = destination.path.extension();
  if (extension != ".yaml" && extension != ".yml" && extension != ".json") {
    destination.why_not_merged = worded("export", "Only YAML and JSON files can be merged.");
    return;
  }
  if (extension == ".json" && !nlohmann::json::accept(*destination.present)) {
    destination.why_not_merged = worded("export", "The file is not valid JSON.");
    return;
  }
  auto merged = mergeTexts(*destination.present, destination.file.text, destination.file.kept);
  if (merged) {
    destination.merged = *std::move(merged);
  } else {
    destination.why_not_merged = merged.error().text();
  }
}

Result<void> writeDestination(const ExportDestination& destination, Overwriting how) {
  const std::string& text =
      how == Overwriting::Merged && destination.merged ? *destination.merged : destination.file.text;
  if (destination.present != text) {
    if (auto written = writeFile(destination.path, text); !written) return written;
  }
  if (!destination.file.executable || destination.present) return {};
  constexpr auto kExecute = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
  std::error_code code;
  fs::permissions(destination.path, kExecute, fs::perm_options::add, code);
  if (!code) return {};
  return Error{ErrorCode::Io, "the file was written but could not be made executable: " + code.message() + ".",
               Place{destination.path.string(), 0, 0, {}}, "chmod +x it yourself"};
}

}  // namespace

Result<std::vector<ExportDestination>> exportDestinations(const ExportResult& result, const fs::path& main) {
  std::vector<ExportDestination> out;
  for (const ExportFile& file : result.files) {
    ExportDestination destination{file, out.empty() ? main : main.parent_path() / file.name, {}, {}, {}};
    std::error_code code;
    if (fs::exists(destination.path, code)) {
      auto present = readFile(destination.path, kMostBytes);
      if (!present) return std::move(present).error();
      destination.present = std::move(*present);
      if (!destination.isSame()) merge(destination);
    }
    out.push_back(std::move(destination));
  }
  return out;
}

Result<void> writeExport(const std::vector<ExportDestination>& destinations, Overwriting how) {
  for (const ExportDestination& one : destinations) {
    if (how == Overwriting::Merged && one.isConflict() && !one.merged)
      return Error{ErrorCode::BadInput, one.why_not_merged, Place{one.path.string(), 0, 0, {}}, {}};
  }
  for (const ExportDestination& destination : destinations) {
    if (auto written = writeDestination(destination, how); !written) return written;
  }
  return {};
}

}  // namespace shardlens::yaml
