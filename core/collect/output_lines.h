// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace shardlens {

/// Cuts what comes through a pipe into lines. Lines are cut at 8 kB.
class OutputLines {
 public:
  using UseLine = std::function<void(std::string_view line)>;

  void add(std::string_view bytes, const UseLine& use);
  /// The last line, when it had no end.
  void finish(const UseLine& use);

 private:
  std::string partial_;
};

}  // namespace shardlens
