// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/spec_file.h"

#include "core/base/file.h"
#include "core/base/phrase.h"
#include "core/yaml/spec_update.h"
#include "core/yaml/spec_writer.h"
#include "core/yaml/tree.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace shardlens::yaml {
namespace {

namespace fs = std::filesystem;

FileStamp stampOfBytes(const std::string& bytes) {
  return {true, bytes.size(), XXH3_64bits(bytes.data(), bytes.size())};
}

bool isMissing(const fs::path& path) {
  std::error_code code;
  return fs::status(path, code).type() == fs::file_type::not_found;
}

/// The first free name of FILE.bak, FILE.bak2, ...: an older backup is never lost.
fs::path freeBackupName(const fs::path& path) {
  constexpr int kMostBackups = 1000;
  fs::path name = path;
  name += ".bak";
  std::error_code code;
  for (int i = 2; i < kMostBackups && fs::exists(fs::symlink_status(name, code)); ++i) {
    name = path;
    name += ".bak" + std::to_string(i);
  }
  return name;
}

Result<Saved> create(const fs::path& path, const std::string& text) {
  if (auto written = writeFile(path, text); !written) return written.error();
  return Saved{SaveManner::Created, stampOfBytes(text), {}};
}

Result<Saved> rewrite(const fs::path& path, const std::string& old_text, const std::string& text) {
  const fs::path backup = freeBackupName(path);
  if (auto kept = writeFile(backup, old_text); !kept) return kept.error();
  if (auto written = writeFile(path, text); !written) return written.error();
  return Saved{SaveManner::Rewritten, stampOfBytes(text), backup};
}

Result<Saved> update(const fs::path& path, const std::string& old_text, const std::string& text) {
  if (text == old_text) return Saved{SaveManner::Unchanged, stampOfBytes(text), {}};
  if (auto written = writeFile(path, text); !written) return written.error();
  return Saved{SaveManner::Updated, stampOfBytes(text), {}};
}

Error conflict(const fs::path& path, bool exists) {
  return Error::inFile(ErrorCode::Conflict, path.string(),
                       exists ? worded("spec", "the file has changed on disk since it was read.")
                              : worded("spec", "the file has disappeared since it was read."),
                       worded("spec", "save under another name, read it again, or overwrite it"));
}

}  // namespace

std::string Saved::text() const {
  if (manner == SaveManner::Created) return "Saved.";
  if (manner == SaveManner::Unchanged) return "The file is up to date.";
  if (manner == SaveManner::Updated) return "Saved; comments and order are kept.";
  return "Saved as a new text; the old one is in " + backup.string() + ".";
}

Result<FileStamp> stampOf(const fs::path& path) {
  if (isMissing(path)) return FileStamp{};
  const auto bytes = readFile(path, kMostBytes);
  if (!bytes) return bytes.error();
  return stampOfBytes(*bytes);
}

SpecFile readSpecFile(const fs::path& path, SamplerCatalogue catalogue) {
  SpecFile out;
  const auto bytes = readFile(path, kMostBytes);
  if (!bytes) {
    out.read.issues.push_back(bytes.error());
    return out;
  }
  out.read = readSpec(*bytes, catalogue, path.string());
  out.stamp = stampOfBytes(*bytes);
  out.text = std::make_shared<const std::string>(*bytes);
  return out;
}

Result<Saved> saveSpec(const PipelineSpec& spec, SamplerCatalogue catalogue, const fs::path& path,
                       const std::optional<FileStamp>& expected, std::optional<std::string_view> typed) {
  const auto own = typed ? updateText(*typed, spec, catalogue) : std::nullopt;
  if (isMissing(path)) {
    if (expected && expected->exists) return conflict(path, false);
    return create(path, own ? *own : writeSpec(spec, catalogue));
  }
  const auto old_text = readFile(path, kMostBytes);
  if (!old_text) return old_text.error();
  if (expected && *expected != stampOfBytes(*old_text)) return conflict(path, true);
  const bool is_blank = old_text->find_first_not_of(" \t\r\n") == std::string::npos;
  if (is_blank) return create(path, own ? *own : writeSpec(spec, catalogue));
  if (own && expected) return update(path, *old_text, *own);
  if (const auto updated = updateText(*old_text, spec, catalogue)) return update(path, *old_text, *updated);
  return rewrite(path, *old_text, writeSpec(spec, catalogue));
}

}  // namespace shardlens::yaml
