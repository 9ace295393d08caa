// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace shardlens {

/// The bytes of a regular file of at most `most` bytes. Io when it cannot be read, BadInput when it is no file or too
/// long, Cancelled when `work` stopped it.
Result<std::string> readFile(const std::filesystem::path& path, std::size_t most, const Work& work = {});

/// Puts `bytes` in place of the file at once: readers see the old content or the new one, never a part. Follows
/// symbolic links, keeps the mode of an existing file, and leaves the file untouched when anything fails.
Result<void> writeFile(const std::filesystem::path& path, std::string_view bytes);

/// While one lives, its thread may read and write the memory of a mapped file that another process makes shorter: pages
/// that the file does not have any more become zeroes, where otherwise SIGBUS would end this process. They may be
/// nested. The first one installs a handler of SIGBUS, which leaves every other fault to the handler before it.
class LostPages {
 public:
  LostPages();
  ~LostPages();
  LostPages(const LostPages&) = delete;
  LostPages& operator=(const LostPages&) = delete;

  /// Whether a page has been lost since this began: then what was read since means nothing, and the mapping is not that
  /// of the file any more.
  [[nodiscard]] bool any() const;

 private:
  int before_;
};

}  // namespace shardlens
