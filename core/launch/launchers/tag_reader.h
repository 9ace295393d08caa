// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace shardlens {

/// Takes a tag in the output of a launcher apart, piece by piece. What does not fit is not taken.
class TagReader {
 public:
  explicit TagReader(std::string_view bytes) : rest_(bytes) {}

  bool take(std::string_view word);
  /// Not below 0, and followed by something.
  bool takeNumber(std::int64_t* number = nullptr);
  bool takeOneOf(std::string_view no, std::string_view yes, bool* is_yes);
  [[nodiscard]] std::string_view rest() const { return rest_; }
  /// The bytes were over before the tag was: more of them may complete it.
  [[nodiscard]] bool isAtEnd() const { return ended_; }

 private:
  std::string_view rest_;
  bool ended_ = false;
};

}  // namespace shardlens
