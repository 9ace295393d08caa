// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/yaml/tree.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens::yaml {

/// Changes of a YAML text that leave everything around them as it is: comments, order, spelling.
class TextEdits {
 public:
  explicit TextEdits(std::string_view text) : text_(text) {}

  /// Puts `text` in the place of the bytes [begin, end); kUnknown makes the whole impossible.
  void replace(std::size_t begin, std::size_t end, std::string text);
  /// Puts `entry`, which ends no line, behind the value `before` of this map; null: behind its opening bracket.
  void insert(const TreeNode& map, const TreeNode* before, const std::string& entry);
  /// Something that was wanted has no place.
  void giveUp() { impossible_ = true; }

  /// Past the line that `offset` is on, its line end included.
  [[nodiscard]] std::size_t lineEnd(std::size_t offset) const;
  [[nodiscard]] std::size_t lineBegin(std::size_t offset) const;
  /// That of the text.
  [[nodiscard]] std::string lineBreak() const;
  /// Whether a line that begins at `place` has one before it that does not end.
  [[nodiscard]] bool followsOpenLine(std::size_t place) const { return place > 0 && text_[place - 1] != '\n'; }
  [[nodiscard]] std::string_view text() const { return text_; }

  /// The text with every change, or nothing when one of them had no place.
  std::optional<std::string> result();

 private:
  /// Past the comment lines from `place` on that stand further in than this column: they belong to what is before.
  [[nodiscard]] std::size_t pastComments(std::size_t place, std::size_t column) const;

  struct Replacement {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string text;
  };
  std::string_view text_;
  std::vector<Replacement> changes_;
  bool impossible_ = false;
};

}  // namespace shardlens::yaml
