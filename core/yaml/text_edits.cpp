// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/text_edits.h"

#include <algorithm>
#include <utility>

namespace shardlens::yaml {

void TextEdits::replace(std::size_t begin, std::size_t end, std::string text) {
  if (begin == TreeNode::kUnknown || end == TreeNode::kUnknown || begin > end) return giveUp();
  changes_.push_back({begin, end, std::move(text)});
}

void TextEdits::insert(const TreeNode& map, const TreeNode* before, const std::string& entry) {
  if (before == nullptr) return map.flow ? replace(map.begin + 1, map.begin + 1, entry) : giveUp();
  if (map.flow) return replace(before->end, before->end, ", " + entry);
  if (before->end == TreeNode::kUnknown) return giveUp();
  const std::size_t column = map.begin - lineBegin(map.begin);
  const std::size_t place = pastComments(lineEnd(before->end), column);
  const std::string indent(column, ' ');
  replace(place, place, (followsOpenLine(place) ? lineBreak() : "") + indent + entry + lineBreak());
}

std::size_t TextEdits::pastComments(std::size_t place, std::size_t column) const {
  std::size_t past = place;
  for (std::size_t at = place; at < text_.size();) {
    const std::size_t end = lineEnd(at);
    const std::size_t first = text_.find_first_not_of(' ', at);
    if (first >= end || text_[first] != '#' || first - at <= column) break;
    past = at = end;
  }
  return past;
}

std::size_t TextEdits::lineEnd(std::size_t offset) const {
  const std::size_t newline = offset == TreeNode::kUnknown ? std::string_view::npos : text_.find('\n', offset);
  return newline == std::string_view::npos ? text_.size() : newline + 1;
}

std::size_t TextEdits::lineBegin(std::size_t offset) const {
  const std::size_t newline = offset == 0 ? std::string_view::npos : text_.rfind('\n', offset - 1);
  return newline == std::string_view::npos ? 0 : newline + 1;
}

std::string TextEdits::lineBreak() const {
  return text_.find("\r\n") == std::string_view::npos ? "\n" : "\r\n";
}

std::optional<std::string> TextEdits::result() {
  if (impossible_) return std::nullopt;
  // At one place, what is inserted comes before what is removed.
  std::ranges::stable_sort(changes_, [](const Replacement& a, const Replacement& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  std::string out;
  std::size_t done = 0;
  for (const Replacement& change : changes_) {
    if (change.begin < done) return std::nullopt;
    out += text_.substr(done, change.begin - done);
    out += change.text;
    done = change.end;
  }
  return out += text_.substr(done);
}

}  // namespace shardlens::yaml
