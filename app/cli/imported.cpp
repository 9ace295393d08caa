// SPDX-License-Identifier: Apache-2.0
#include "app/cli/imported.h"

#include "core/base/file.h"
#include "core/base/printable.h"
#include "core/collect/python_script.h"
#include "core/sampling/registry.h"
#include "core/yaml/spec_layout.h"

#include <cstdio>
#include <filesystem>
#include <utility>

namespace shardlens::cli {

Result<yaml::ImportSource> importSource(const std::string& path) {
  auto text = readFile(path, yaml::kMostImportBytes);
  if (text && isPythonScript(path)) text = describeScript(path);
  if (!text) return text.error();
  return yaml::ImportSource{std::filesystem::path(path).filename().string(), *std::move(text)};
}

void printNotes(const yaml::Imported& imported) {
  using Kind = yaml::ImportNote::Kind;
  for (const auto& [kind, title] : {std::pair{Kind::Read, "Read:"},
                                    {Kind::Assumed, "Assumed, since no file says it:"},
                                    {Kind::Unknown, "Not known:"}}) {
    const auto lines = imported.lines(kind);
    if (!lines.empty()) (void)std::fprintf(stderr, "%s\n", title);
    for (const std::string& line : lines) (void)std::fprintf(stderr, "  %s\n", printable(line).c_str());
  }
}

namespace {

/// What no audit and no plan can do without, where the import has only a placeholder for it, or one for all ranks.
Issues notSaid(const yaml::Imported& imported, const std::string& path) {
  std::string fields;
  for (const yaml::ImportNote& note : imported.notes) {
    const bool is_needed =
        note.field.starts_with("dataset") || note.field == "sampler.type" || note.field.starts_with("world.");
    if (note.kind == yaml::ImportNote::Kind::Unknown && is_needed) fields += (fields.empty() ? "" : ", ") + note.field;
  }
  if (fields.empty()) return {};
  return {Error{ErrorCode::BadInput,
                "this is no spec but a file of a job, and it does not say " + fields + ".",
                {path, 0, 0, {}},
                "make a spec of it: shardlens import " + std::filesystem::path(path).filename().string() +
                    " --samples N -o spec.yaml -- torchrun ..."}};
}

}  // namespace

std::optional<yaml::ReadSpec> importedSpec(const std::string& path) {
  const auto source = importSource(path);
  if (!source) return isPythonScript(path) ? std::optional(yaml::ReadSpec{{}, {source.error()}, 0}) : std::nullopt;
  if (!isPythonScript(path) && !yaml::isImportable(*source)) return std::nullopt;
  yaml::Imported imported = yaml::importSpec({&*source, 1}, sampling::catalogue());
  if (imported.problems.empty()) {
    printNotes(imported);
    imported.problems = notSaid(imported, path);
  }
  return yaml::ReadSpec{std::move(imported.spec), std::move(imported.problems), yaml::kVersion};
}

}  // namespace shardlens::cli
