// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/spec_update.h"

#include "core/yaml/scalar.h"
#include "core/yaml/spec_reader.h"
#include "core/yaml/spec_writer.h"
#include "core/yaml/text_edits.h"
#include "core/yaml/tree.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace shardlens::yaml {
namespace {

class Updater {
 public:
  Updater(std::string_view text, const PipelineSpec& old_spec, const PipelineSpec& spec)
      : edits_(text), old_(old_spec), spec_(spec) {}

  void merge(const TreeNode& map, const LayoutItem& section) {
    if (section.path == "sampler") removeForeign(map, section);
    for (std::size_t i = 0; i < section.children.size(); ++i) {
      const LayoutItem& item = section.children[i];
      const TreeNode* value = map.find(item.key);
      if (isForeign(section, item.key)) continue;
      if (value == nullptr) {
        if (item.path == "seeds" ? isSeeded() : saysSomething(spec_, item))
          insert(map, keysOf(section), i, writeItem(spec_, item, item.path == "seeds"));
      } else if (item.field == nullptr) {
        merge(*value, item);
      } else {
        mergeField(*value, item);
      }
    }
  }

  /// The text says from now on that it has the format of this build.
  void renewVersion(const TreeNode& root) {
    const TreeNode* version = root.find(kVersionKey);
    replace(version->begin, version->end, std::to_string(kVersion));
  }

  std::optional<std::string> result() { return edits_.result(); }

 private:
  /// A file without seeds says that nothing is seeded.
  [[nodiscard]] bool isSeeded() const { return spec_.seeds != PipelineSpec::Seeds{0, "unseeded"}; }

  void mergeField(const TreeNode& value, const LayoutItem& item) {
    const Field& field = *item.field;
    const Value wanted = getValue(spec_, field);
    const TreeNode& key = *(&value - 1);  // a map holds each value behind its key
    if (key.migrated) return replace(key.begin, value.end, item.key + ": " + writeValue(field, wanted));
    const Value old_value = getValue(old_, field);
    if (old_value == wanted) return;
    const auto* records = std::get_if<RecordList>(&wanted);
    if (records == nullptr || records->empty() || value.items.empty())
      return replace(value.begin, value.end, writeValue(field, wanted));
    mergeRecords(value, field, std::get<RecordList>(old_value), *records);
  }

  /// Records that both lists begin or end with stay as they are; of the others as many as both have are changed in
  /// place, and what is left over is added or removed.
  void mergeRecords(const TreeNode& list, const Field& field, const RecordList& old_list, const RecordList& wanted) {
    const std::size_t fewer = std::min(old_list.size(), wanted.size());
    std::size_t first = 0;
    while (first < fewer && old_list[first] == wanted[first]) ++first;
    std::size_t last = 0;
    while (last < fewer - first && old_list[old_list.size() - 1 - last] == wanted[wanted.size() - 1 - last]) ++last;
    std::size_t at = first;
    for (; at < fewer - last; ++at) mergeRecord(list.items[at], field, old_list[at], wanted[at]);
    if (old_list.size() > wanted.size()) removeRecords(list, at, old_list.size() - last);
    for (std::size_t i = at; i < wanted.size() - last; ++i) addRecord(list, at, writeRecord(field, wanted[i]));
  }

  void mergeRecord(const TreeNode& map, const Field& field, const Record& old_record, const Record& wanted) {
    std::vector<std::string> keys;
    for (const Field& item : field.items) keys.push_back(item.path);
    for (std::size_t i = 0; i < field.items.size(); ++i) {
      const Field& item = field.items[i];
      const Value* given = wanted.find(item.path);
      const Value& value = given == nullptr ? item.fallback : *given;
      if (*old_record.find(item.path) == value) continue;
      if (const TreeNode* node = map.find(item.path)) {
        replace(node->begin, node->end, writeValue(item, value));
      } else {
        insert(map, keys, i, item.path + ": " + writeValue(item, value));
      }
    }
  }

  /// Puts a record behind the one before `at`; a list that has none is written whole elsewhere.
  void addRecord(const TreeNode& list, std::size_t at, const std::string& record) {
    const bool is_first = at == 0;
    const TreeNode& neighbour = list.items[is_first ? 0 : at - 1];
    if (list.flow && is_first) return replace(neighbour.begin, neighbour.begin, record + ", ");
    if (neighbour.end == TreeNode::kUnknown) return edits_.giveUp();
    if (list.flow) return replace(neighbour.end, neighbour.end, ", " + record);
    const std::size_t dash = edits_.lineBegin(list.items[0].begin);
    const std::string indent(edits_.text().find('-', dash) - dash, ' ');
    if (is_first) return replace(dash, dash, indent + "- " + record + edits_.lineBreak());
    const std::size_t place = edits_.lineEnd(neighbour.end);
    const bool open_line = edits_.followsOpenLine(place);
    replace(place, place, (open_line ? edits_.lineBreak() : "") + indent + "- " + record + edits_.lineBreak());
  }

  /// Takes the records [first, end) out of a list that keeps others.
  void removeRecords(const TreeNode& list, std::size_t first, std::size_t end) {
    const std::size_t last_byte = list.items[end - 1].end;
    if (last_byte == TreeNode::kUnknown) return edits_.giveUp();
    if (!list.flow) return replace(edits_.lineBegin(list.items[first].begin), edits_.lineEnd(last_byte), "");
    if (first > 0) return replace(list.items[first - 1].end, last_byte, "");
    replace(list.items[0].begin, list.items[end].begin, "");
  }

  void replace(std::size_t begin, std::size_t end, std::string text) { edits_.replace(begin, end, std::move(text)); }

  static std::vector<std::string> keysOf(const LayoutItem& section) {
    std::vector<std::string> keys;
    for (const LayoutItem& child : section.children) keys.push_back(child.key);
    return keys;
  }

  /// Puts `entry`, of the key keys[index], behind the nearest key before it that the map has; behind the last one when
  /// it has none.
  void insert(const TreeNode& map, const std::vector<std::string>& keys, std::size_t index, const std::string& entry) {
    const TreeNode* before = map.items.empty() ? nullptr : &map.items.back();
    for (std::size_t i = index; i-- > 0;) {
      const TreeNode* value = map.find(keys[i]);
      if (value == nullptr) continue;
      before = value;
      break;
    }
    edits_.insert(map, before, entry);
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
    if (end == TreeNode::kUnknown) return edits_.giveUp();
    if (!map.flow) return replace(edits_.lineBegin(begin), edits_.lineEnd(end), "");
    if (kept_before) return replace(map.items[key - 1].end, end, "");
    replace(begin, key + 2 < map.items.size() ? map.items[key + 2].begin : end, "");
  }

  TextEdits edits_;
  const PipelineSpec& old_;
  const PipelineSpec& spec_;
};

}  // namespace

std::optional<std::string> updateText(std::string_view old_text, const PipelineSpec& spec, SamplerCatalogue catalogue) {
  const std::string_view mark = old_text.starts_with(kByteOrderMark) ? kByteOrderMark : "";
  const std::string_view text = old_text.substr(mark.size());
  const ReadSpec old = readSpec(text, catalogue);
  if (!old.issues.empty()) return std::nullopt;
  if (old.spec == spec) return std::string(old_text);  // of an older format, too: nothing asks for a new one
  Tree tree = parseTree(text, Lines(text, {}));
  migrate(tree.root, old.version);
  Updater updater(text, old.spec, spec);
  if (old.version != kVersion) updater.renewVersion(tree.root);
  updater.merge(tree.root, layoutOf(spec, catalogue));
  const std::optional<std::string> updated = updater.result();
  if (!updated) return std::nullopt;
  const ReadSpec check = readSpec(*updated, catalogue);
  if (!check.issues.empty() || check.spec != spec) return std::nullopt;
  return std::string(mark) + *updated;
}

}  // namespace shardlens::yaml
