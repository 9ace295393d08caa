// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/yaml/spec_reader.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace shardlens::yaml {

/// What a file held when it was looked at: two equal stamps mean equal content. A file that is only touched keeps its
/// stamp.
struct FileStamp {
  bool exists = false;
  std::uint64_t size = 0;
  std::uint64_t hash = 0;  ///< XXH3-64 of the bytes

  bool operator==(const FileStamp&) const = default;
};

/// The stamp of the file as it is now; a missing file has the default stamp.
Result<FileStamp> stampOf(const std::filesystem::path& path);

/// A spec read from a file, with the stamp to hand to saveSpec later. A file that cannot be read is an issue.
struct SpecFile {
  ReadSpec read;
  FileStamp stamp;
  std::shared_ptr<const std::string> text = {};  ///< its bytes; null when it cannot be read
};
SpecFile readSpecFile(const std::filesystem::path& path, SamplerCatalogue catalogue);

enum class SaveManner {
  Created,    ///< there was no file, or an empty one
  Unchanged,  ///< the file already says the same and was not touched
  Updated,    ///< only what changed was written; comments and order are as they were
  Rewritten,  ///< written anew; the old content is in `backup`
};

struct Saved {
  SaveManner manner = SaveManner::Created;
  FileStamp stamp;
  std::filesystem::path backup;  ///< empty unless Rewritten

  /// A sentence for the person who saved.
  [[nodiscard]] std::string text() const;
};

/// Writes the spec to the file, at once and keeping what the user wrote around it (see updateText and writeFile).
/// With `expected`, a file with another stamp is left alone, and the error has the code Conflict. With `typed`, what
/// stands around the spec in that text is kept instead, if it is a sound spec: in a new file, and in the expected one.
Result<Saved> saveSpec(const PipelineSpec& spec, SamplerCatalogue catalogue, const std::filesystem::path& path,
                       const std::optional<FileStamp>& expected = std::nullopt,
                       std::optional<std::string_view> typed = std::nullopt);

}  // namespace shardlens::yaml
