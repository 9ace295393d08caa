// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace shardlens {

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
