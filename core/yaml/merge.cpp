// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/merge.h"

#include "core/base/phrase.h"
#include "core/yaml/text_edits.h"
#include "core/yaml/tree.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>

namespace shardlens::yaml {
namespace {

using NodeKind = TreeNode::Kind;

bool isSame(const TreeNode& a, const TreeNode& b) {
  return a.kind == b.kind && a.text == b.text && a.quoted == b.quoted &&
         std::ranges::equal(a.items, b.items, [](const TreeNode& x, const TreeNode& y) { return isSame(x, y); });
}

bool areMaps(const TreeNode& list) {
  return list.kind == NodeKind::Sequence && !list.items.empty() &&
         std::ranges::all_of(list.items, [](const TreeNode& item) { return item.kind == NodeKind::Map; });
}

/// Whether two lists are merged item by item: what has a name has the same one.
bool arePaired(const TreeNode& a, const TreeNode& b) {
  return areMaps(a) && areMaps(b) && std::ranges::equal(a.items, b.items, [](const TreeNode& x, const TreeNode& y) {
           const TreeNode* x_name = x.find("name");
           const TreeNode* y_name = y.find("name");
           return x_name == nullptr || y_name == nullptr || x_name->text == y_name->text;
         });
}

/// jsonargparse: what is beside a class_path are not its arguments.
const TreeNode* argumentsOf(const TreeNode& present, const TreeNode& wanted) {
  const bool has_class = present.find("class_path") != nullptr && wanted.find("class_path") == nullptr;
  return has_class ? present.find("init_args") : nullptr;
}

bool hasKeyTwice(const TreeNode& node) {
  std::set<std::string> keys;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const bool is_key = node.kind == NodeKind::Map && i % 2 == 0;
    if (is_key && !keys.insert(node.items[i].text).second) return true;
    if (!is_key && hasKeyTwice(node.items[i])) return true;
  }
  return false;
}

using Kept = std::span<const std::string>;

bool isKept(Kept kept, const std::string& path) {
  return std::ranges::find(kept, path) != kept.end();
}

std::string below(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + "." + key;
}

bool isMerged(const TreeNode& merged, const TreeNode& present, const TreeNode& wanted, Kept kept,
              const std::string& path);

bool hasWanted(const TreeNode& merged, const TreeNode& present, const TreeNode& wanted, Kept kept,
               const std::string& path) {
  for (std::size_t i = 0; i + 1 < wanted.items.size(); i += 2) {
    const std::string& key = wanted.items[i].text;
    const TreeNode* got = merged.find(key);
    const TreeNode* had = present.find(key);
    const TreeNode& want = wanted.items[i + 1];
    if (got == nullptr) return false;
    if (!(had == nullptr ? isSame(*got, want) : isMerged(*got, *had, want, kept, below(path, key)))) return false;
  }
  return true;
}

bool areMergedMaps(const TreeNode& merged, const TreeNode& present, const TreeNode& wanted, Kept kept,
                   const std::string& path) {
  if (merged.kind != NodeKind::Map) return false;
  const TreeNode* arguments = argumentsOf(present, wanted);
  if (arguments == nullptr && !hasWanted(merged, present, wanted, kept, path)) return false;
  for (std::size_t i = 0; i + 1 < present.items.size(); i += 2) {
    const TreeNode& had = present.items[i + 1];
    const TreeNode* got = merged.find(present.items[i].text);
    if (got == nullptr) return false;
    if (&had == arguments && !isMerged(*got, had, wanted, kept, path)) return false;
    const bool is_untouched = arguments != nullptr ? &had != arguments : wanted.find(present.items[i].text) == nullptr;
    if (is_untouched && !isSame(*got, had)) return false;
  }
  return true;
}

/// Whether `merged` has all that `wanted` has, and of `present` all that `wanted` says nothing of.
bool isMerged(const TreeNode& merged, const TreeNode& present, const TreeNode& wanted, Kept kept,
              const std::string& path) {
  if (isKept(kept, path)) return isSame(merged, present);
  if (present.kind == NodeKind::Map && wanted.kind == NodeKind::Map)
    return areMergedMaps(merged, present, wanted, kept, path);
  if (!arePaired(present, wanted)) return isSame(merged, wanted);
  if (merged.kind != NodeKind::Sequence || merged.items.size() != wanted.items.size()) return false;
  for (std::size_t i = 0; i < wanted.items.size(); ++i) {
    if (!isMerged(merged.items[i], present.items[i], wanted.items[i], kept, path)) return false;
  }
  return true;
}

class Merger {
 public:
  Merger(std::string_view present, std::string_view wanted, Kept kept)
      : edits_(present), source_(wanted), kept_(kept) {}

  void merge(const TreeNode& present, const TreeNode& wanted, const std::string& path = {}) {
    if (isSame(present, wanted) || isKept(kept_, path)) return;
    if (present.kind == NodeKind::Map && wanted.kind == NodeKind::Map) return mergeMaps(present, wanted, path);
    if (arePaired(present, wanted)) {
      for (std::size_t i = 0; i < wanted.items.size(); ++i) merge(present.items[i], wanted.items[i], path);
      return;
    }
    // What a person made of maps is not thrown away, and nothing is made a map that was none.
    if (present.kind == NodeKind::Map || areMaps(present) || wanted.kind == NodeKind::Map) return edits_.giveUp();
    edits_.replace(present.begin, present.end, onOneLine(wanted));
  }

  std::optional<std::string> result() { return edits_.result(); }

 private:
  void mergeMaps(const TreeNode& present, const TreeNode& wanted, const std::string& path) {
    if (present.items.empty()) return edits_.replace(present.begin, present.end, onOneLine(wanted));
    if (present.find("class_path") != nullptr && wanted.find("class_path") == nullptr) {
      const TreeNode* arguments = argumentsOf(present, wanted);
      return arguments == nullptr ? edits_.giveUp() : merge(*arguments, wanted, path);
    }
    // What is added further in comes first, where both are added at one place.
    for (std::size_t i = 0; i + 1 < wanted.items.size(); i += 2) mergeKey(present, wanted, i, path);
    const TreeNode* before = lastWithEnd(present);
    for (std::size_t i = 0; i + 1 < wanted.items.size(); i += 2) {
      const TreeNode* value = present.find(wanted.items[i].text);
      if (value == nullptr) insert(present, before, wanted, i);
      if (value != nullptr && value->end != TreeNode::kUnknown) before = value;
    }
  }

  void mergeKey(const TreeNode& present, const TreeNode& wanted, std::size_t i, const std::string& path) {
    const std::string& key = wanted.items[i].text;
    const TreeNode* value = present.find(key);
    if (value == nullptr || isSame(*value, wanted.items[i + 1])) return;
    if (value->kind == NodeKind::Null && !isKept(kept_, below(path, key))) return fillIn(*value, wanted.items[i + 1]);
    merge(*value, wanted.items[i + 1], below(path, key));
  }

  /// "key:" with nothing behind it, or null.
  void fillIn(const TreeNode& value, const TreeNode& wanted) {
    const TreeNode& key = *(&value - 1);  // a map holds each value behind its key
    const std::string_view text = edits_.text();
    const std::size_t colon = key.end == TreeNode::kUnknown ? std::string_view::npos : text.find(':', key.end);
    if (colon == std::string_view::npos) return edits_.giveUp();
    const std::size_t at = std::min(text.find_first_not_of(" \t", colon + 1), text.size());
    const std::size_t written = text.substr(at).starts_with("null") ? 4 : text.substr(at).starts_with('~') ? 1 : 0;
    if (written > 0) return edits_.replace(at, at + written, onOneLine(wanted));
    edits_.replace(colon + 1, colon + 1, " " + onOneLine(wanted));
  }

  /// A block scalar has no known end: what is added comes behind another key.
  static const TreeNode* lastWithEnd(const TreeNode& map) {
    for (std::size_t i = map.items.size(); i >= 2; i -= 2) {
      if (map.items[i - 1].end != TreeNode::kUnknown) return &map.items[i - 1];
    }
    return nullptr;
  }

  void insert(const TreeNode& map, const TreeNode* before, const TreeNode& wanted, std::size_t key) {
    if (before == nullptr) return insertFirst(map, wanted, key);
    if (map.flow) {
      const TreeNode& name = wanted.items[key];
      edits_.insert(map, before,
                    std::string(source_.text().substr(name.begin, name.end - name.begin)) + ": " +
                        onOneLine(wanted.items[key + 1]));
      return;
    }
    edits_.insert(map, before, indented(entryOf(wanted, key), columnOf(wanted.items[key]), columnOfMap(map)));
  }

  /// Where no value of the map has a known end: before its first key, which stands alone on its line.
  void insertFirst(const TreeNode& map, const TreeNode& wanted, std::size_t key) {
    const std::size_t line = edits_.lineBegin(map.begin);
    const std::string_view before = edits_.text().substr(line, map.begin - line);
    if (map.flow || before.find_first_not_of(' ') != std::string_view::npos) return edits_.giveUp();
    const std::string entry = indented(entryOf(wanted, key), columnOf(wanted.items[key]), before.size());
    edits_.replace(line, line, std::string(before) + entry + edits_.lineBreak());
  }

  std::size_t columnOf(const TreeNode& key) const { return key.begin - source_.lineBegin(key.begin); }
  std::size_t columnOfMap(const TreeNode& map) const { return map.begin - edits_.lineBegin(map.begin); }

  /// The lines of a key and its value, with the comment behind it, and without the last line break.
  std::string entryOf(const TreeNode& map, std::size_t key) const {
    if (map.flow) return onOneLineEntry(map, key);
    const std::size_t begin = map.items[key].begin;
    const std::size_t end = map.items[key + 1].end != TreeNode::kUnknown ? source_.lineEnd(map.items[key + 1].end)
                            : key + 2 < map.items.size()                 ? source_.lineBegin(map.items[key + 2].begin)
                                                                         : source_.text().size();
    std::string text(source_.text().substr(begin, end - begin));
    while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
    return text;
  }

  std::string onOneLineEntry(const TreeNode& map, std::size_t key) const {
    const TreeNode& name = map.items[key];
    return std::string(source_.text().substr(name.begin, name.end - name.begin)) + ": " + onOneLine(map.items[key + 1]);
  }

  /// The lines behind the first moved from one column to another.
  std::string indented(const std::string& lines, std::size_t from, std::size_t to) const {
    std::string out;
    for (std::size_t begin = 0; begin < lines.size();) {
      const std::size_t end = std::min(lines.find('\n', begin), lines.size());
      std::string line = lines.substr(begin, end - begin);
      if (begin > 0) {
        out += edits_.lineBreak();
        line.erase(0, std::min(from, std::min(line.find_first_not_of(' '), line.size())));
        if (!line.empty()) line.insert(0, to, ' ');
      }
      out += line;
      begin = end + 1;
    }
    return out;
  }

  /// The value as it is written, or as a flow collection.
  std::string onOneLine(const TreeNode& node) const {
    if (node.kind == NodeKind::Map && !node.flow) {
      std::string out = "{";
      for (std::size_t i = 0; i + 1 < node.items.size(); i += 2) out += (i > 0 ? ", " : "") + onOneLineEntry(node, i);
      return out + "}";
    }
    if (node.kind == NodeKind::Sequence && !node.flow) {
      std::string out = "[";
      for (std::size_t i = 0; i < node.items.size(); ++i) out += (i > 0 ? ", " : "") + onOneLine(node.items[i]);
      return out + "]";
    }
    return node.end == TreeNode::kUnknown ? std::string()
                                          : std::string(source_.text().substr(node.begin, node.end - node.begin));
  }

  TextEdits edits_;
  TextEdits source_;  ///< of what is wanted; nothing in it is changed
  Kept kept_;
};

Error notMergeable(const std::string& why) {
  return Error::of(ErrorCode::BadInput, filled(worded("export", "The file cannot be merged: %1"), why),
                   worded("export", "merge it by hand, or overwrite it"));
}

}  // namespace

Result<std::string> mergeTexts(std::string_view present, std::string_view wanted, std::span<const std::string> kept) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (present.starts_with(kMark)) {
    auto rest = mergeTexts(present.substr(kMark.size()), wanted, kept);
    return rest ? std::string(kMark) + *rest : rest;
  }
  if (present.find_first_not_of(" \t\r\n") == std::string_view::npos) return std::string(wanted);
  const Tree had = parseTree(present, Lines(present, {}));
  if (!had.issues.empty())
    return notMergeable(filled(worded("export",
                                      "line %1 is not plain YAML (anchors, aliases, tags and several documents in one "
                                      "file are left alone)."),
                               std::to_string(had.issues.front().place.line)));
  const Tree want = parseTree(wanted, Lines(wanted, {}));
  if (!want.issues.empty()) return notMergeable(want.issues.front().text());
  if (had.root.kind != NodeKind::Map) return notMergeable(worded("export", "it has no keys."));
  if (hasKeyTwice(had.root)) return notMergeable(worded("export", "it has a key twice."));
  Merger merger(present, wanted, kept);
  merger.merge(had.root, want.root);
  const std::optional<std::string> merged = merger.result();
  if (merged) {
    const Tree got = parseTree(*merged, Lines(*merged, {}));
    if (got.issues.empty() && isMerged(got.root, had.root, want.root, kept, {})) return *merged;
  }
  return notMergeable(worded(
      "export", "the place of the exported keys holds something else (a map, a list of other things) or has no room."));
}

}  // namespace shardlens::yaml
