// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/spec_update.h"

#include "core/yaml/scalar.h"
#include "core/yaml/spec_layout.h"
#include "core/yaml/spec_reader.h"
#include "core/yaml/spec_writer.h"
#include "core/yaml/tree.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace shardlens::yaml {
namespace {

struct Replacement {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;
};

class Updater {
 public:
  Updater(std::string_view text, const PipelineSpec& old_spec, const PipelineSpec& spec)
      : text_(text), old_(old_spec), spec_(spec) {}

  void merge(const TreeNode& map, const LayoutItem& section) {
    if (section.path == "sampler") removeForeign(map, section);
    for (std::size_t i = 0; i < section.children.size(); ++i) {
      const LayoutItem& item = section.children[i];
      const TreeNode* value = map.find(item.key);
      if (isForeign(section, item.key)) continue;
      if (value == nullptr) {
        if (saysSomething(spec_, item)) insert(map, section, i);
      } else if (item.field == nullptr) {
        merge(*value, item);
      } else if (getValue(old_, *item.field) != getValue(spec_, *item.field)) {
        replace(value->begin, value->end, writeValue(getValue(spec_, *item.field)));
      }
    }
  }

  /// The text with every replacement, or nothing when one of them had no place.
  std::optional<std::string> result() {
    if (impossible_) return std::nullopt;
    // At one place, what is inserted comes before what is removed.
    std::stable_sort(changes_.begin(), changes_.end(), [](const Replacement& a, const Replacement& b) {
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

 private:
  void replace(std::size_t begin, std::size_t end, std::string text) {
    if (begin == TreeNode::kUnknown || end == TreeNode::kUnknown || begin > end) {
      impossible_ = true;
    } else {
      changes_.push_back({begin, end, std::move(text)});
    }
  }

  /// Past the line that `offset` is on, its line end included.
  [[nodiscard]] std::size_t lineEnd(std::size_t offset) const {
    const std::size_t newline = offset == TreeNode::kUnknown ? std::string_view::npos : text_.find('\n', offset);
    return newline == std::string_view::npos ? text_.size() : newline + 1;
  }
  [[nodiscard]] std::size_t lineBegin(std::size_t offset) const {
    const std::size_t newline = offset == 0 ? std::string_view::npos : text_.rfind('\n', offset - 1);
    return newline == std::string_view::npos ? 0 : newline + 1;
  }
  [[nodiscard]] std::string lineBreak() const { return text_.find("\r\n") == std::string_view::npos ? "\n" : "\r\n"; }

  /// Behind the nearest key before this one that the file has; behind the last key when it has none.
  void insert(const TreeNode& map, const LayoutItem& section, std::size_t index) {
    const TreeNode* before = map.items.empty() ? nullptr : &map.items.back();
    for (std::size_t i = index; i-- > 0;) {
      const TreeNode* value = map.find(section.children[i].key);
      if (value == nullptr) continue;
      before = value;
      break;
    }
    const std::string entry = writeItem(spec_, section.children[index], false);
    if (before == nullptr)
      return map.flow ? replace(map.begin + 1, map.begin + 1, entry) : replace(TreeNode::kUnknown, 0, "");
    if (map.flow) return replace(before->end, before->end, ", " + entry);
    if (before->end == TreeNode::kUnknown) return replace(TreeNode::kUnknown, 0, "");
    const std::size_t place = lineEnd(before->end);
    const std::string indent(map.begin - lineBegin(map.begin), ' ');
    const bool open_line = place > 0 && text_[place - 1] != '\n';
    replace(place, place, (open_line ? lineBreak() : "") + indent + entry + lineBreak());
  }

  /// A parameter that the new sampler does not take, or that the spec leaves to its default.
  [[nodiscard]] bool isForeign(const LayoutItem& section, const std::string& key) const {
    return section.path == "sampler" && key != "type" &&
           (section.find(key) == nullptr || !spec_.sampler.parameters.contains(key));
  }

  void removeForeign(const TreeNode& map, const LayoutItem& section) {
    bool kept_before = false;
    for (std::size_t i = 0; i + 1 < map.items.size(); i += 2) {
      if (isForeign(section, map.items[i].text)) {
        remove(map, i, kept_before);
      } else {
        kept_before = true;
      }
    }
  }

  void remove(const TreeNode& map, std::size_t key, bool kept_before) {
    const std::size_t begin = map.items[key].begin;
    const std::size_t end = map.items[key + 1].end;
    if (end == TreeNode::kUnknown) return replace(end, end, "");
    if (!map.flow) return replace(lineBegin(begin), lineEnd(end), "");
    if (kept_before) return replace(map.items[key - 1].end, end, "");
    replace(begin, key + 2 < map.items.size() ? map.items[key + 2].begin : end, "");
  }

  std::string_view text_;
  const PipelineSpec& old_;
  const PipelineSpec& spec_;
  std::vector<Replacement> changes_;
  bool impossible_ = false;
};

}  // namespace

std::optional<std::string> updateText(std::string_view old_text, const PipelineSpec& spec, SamplerCatalogue catalogue) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  const std::string_view mark = old_text.starts_with(kByteOrderMark) ? kByteOrderMark : "";
  const std::string_view text = old_text.substr(mark.size());
  const ReadSpec old = readSpec(text, catalogue);
  if (!old.issues.empty() || old.version != kVersion) return std::nullopt;
  const Tree tree = parseTree(text, Lines(text, {}));
  Updater updater(text, old.spec, spec);
  updater.merge(tree.root, layoutOf(spec, catalogue));
  const std::optional<std::string> updated = updater.result();
  if (!updated) return std::nullopt;
  const ReadSpec check = readSpec(*updated, catalogue);
  if (!check.issues.empty() || check.spec != spec) return std::nullopt;
  return std::string(mark) + *updated;
}

}  // namespace shardlens::yaml
