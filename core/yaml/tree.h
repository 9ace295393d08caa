// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens::yaml {

constexpr std::size_t kMostBytes = 64'000'000;
constexpr std::size_t kMostNodes = 4'000'000;
constexpr std::size_t kMostDepth = 32;
constexpr std::size_t kMostIssues = 200;

/// One value of a YAML text, with the bytes it takes up there.
struct TreeNode {
  static constexpr std::size_t kUnknown = static_cast<std::size_t>(-1);
  enum class Kind : std::uint8_t { Null, Scalar, Sequence, Map };

  Kind kind = Kind::Null;
  bool quoted = false;    ///< a scalar in quotes or a block scalar: always a text
  bool flow = false;      ///< [...] or {...}
  bool migrated = false;  ///< of a key: the text has this entry in the form of an older format
  std::size_t begin = 0;
  std::size_t end = kUnknown;   ///< past the last byte; kUnknown where the parser does not say
  std::string text;             ///< of a scalar
  std::vector<TreeNode> items;  ///< of a sequence its items; of a map key, value, key, value, ...

  /// The value of `key` in a map (the first, when there are several), or null.
  [[nodiscard]] const TreeNode* find(std::string_view key) const;
};

/// Turns byte offsets of one text into places.
class Lines {
 public:
  Lines(std::string_view text, std::string file);
  /// Lines and columns count from 1; a column is a character, not a byte.
  [[nodiscard]] Place at(std::size_t offset, std::string field = {}) const;

 private:
  std::string_view text_;
  std::string file_;
  std::vector<std::size_t> starts_;
};

/// The text as a tree, or what is wrong with it. Refuses what a spec never needs and what hostile files are made of:
/// several documents, anchors and aliases, tags, binary bytes, more than kMostBytes, kMostNodes or kMostDepth.
struct Tree {
  TreeNode root;
  Issues issues;
};
Tree parseTree(std::string_view text, const Lines& lines);

}  // namespace shardlens::yaml
