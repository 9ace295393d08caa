// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/export_files.h"

#include "core/base/file.h"
#include "core/yaml/tree.h"

#include <system_error>
#include <utility>

namespace shardlens::yaml {
namespace {

namespace fs = std::filesystem;

Result<void> writeDestination(const ExportDestination& destination) {
  if (!destination.isSame()) {
    if (auto written = writeFile(destination.path, destination.file.text); !written) return written;
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
    ExportDestination destination{file, out.empty() ? main : main.parent_path() / file.name, std::nullopt};
    std::error_code code;
    if (fs::exists(destination.path, code)) {
      auto present = readFile(destination.path, kMostBytes);
      if (!present) return std::move(present).error();
      destination.present = std::move(*present);
    }
    out.push_back(std::move(destination));
  }
  return out;
}

Result<void> writeExport(const std::vector<ExportDestination>& destinations) {
  for (const ExportDestination& destination : destinations) {
    if (auto written = writeDestination(destination); !written) return written;
  }
  return {};
}

}  // namespace shardlens::yaml
