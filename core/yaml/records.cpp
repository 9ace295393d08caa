// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/records.h"

#include "core/base/phrase.h"
#include "core/yaml/scalar.h"

#include <algorithm>
#include <set>

namespace shardlens::yaml {
namespace {

/// "{rank: ..., ms: ...}": what every record must say.
std::string shortestRecord(const Field& field) {
  std::string out;
  for (const Field& item : field.items) {
    if (item.required) out += (out.empty() ? "" : ", ") + item.path + ": ...";
  }
  return "{" + out + "}";
}

class RecordReader {
 public:
  explicit RecordReader(const Field& field) : field_(field) {}

  ReadRecords read(const TreeNode& node) {
    if (node.kind != TreeNode::Kind::Sequence) {
      complain(node.begin, field_.path, worded("spec", "a list of entries is needed here."),
               filled(worded("spec", "write [%1]"), shortestRecord(field_)));
      return std::move(out_);
    }
    std::vector<Record> records;
    for (const TreeNode& item : node.items) records.push_back(readRecord(item, records.size()));
    out_.list = std::move(records);
    return std::move(out_);
  }

 private:
  void complain(std::size_t offset, std::string path, std::string message, std::string hint = {}) {
    out_.issues.emplace_back(
        offset, Error{ErrorCode::BadInput, std::move(message), Place{{}, 0, 0, std::move(path)}, std::move(hint)});
  }

  Record readRecord(const TreeNode& node, std::size_t index) {
    const std::string path = field_.path + "[" + std::to_string(index) + "]";
    out_.offsets.emplace_back(node.begin, path);
    Record record;
    for (const Field& item : field_.items) record.set(item.path, item.fallback);
    if (node.kind != TreeNode::Kind::Map) {
      complain(node.begin, path, filled(worded("spec", "an entry of %1 is a map of keys and values."), field_.path),
               filled(worded("spec", "write %1"), shortestRecord(field_)));
      return record;
    }
    std::set<std::string, std::less<>> seen;
    for (std::size_t i = 0; i + 1 < node.items.size(); i += 2) {
      const TreeNode& key = node.items[i];
      if (key.kind != TreeNode::Kind::Scalar) {
        complain(key.begin, path, worded("spec", "a key must be a word."));
      } else if (!seen.insert(key.text).second) {
        complain(key.begin, path + "." + key.text,
                 filled(worded("spec", "the key '%1' occurs a second time."), key.text),
                 worded("spec", "remove one of them"));
      } else {
        readItem(key, node.items[i + 1], index, record);
      }
    }
    for (const Field& item : field_.items) {
      if (item.required && !seen.contains(item.path)) {
        complain(node.begin, path, filled(worded("spec", "the entry has no '%1'."), item.path),
                 filled(worded("spec", "add %1: ..."), item.path));
      }
    }
    return record;
  }

  void readItem(const TreeNode& key, const TreeNode& node, std::size_t index, Record& record) {
    const auto item =
        std::find_if(field_.items.begin(), field_.items.end(), [&](const Field& f) { return f.path == key.text; });
    if (item == field_.items.end()) {
      out_.issues.emplace_back(key.begin, unknownKey(field_, index, key.text));
      return;
    }
    const Field field = itemField(field_, index, *item);
    out_.offsets.emplace_back(key.begin, field.path);
    Result<Value> value = readValue(field, node);
    if (value) return record.set(item->path, std::move(*value));
    out_.issues.emplace_back(node.kind == TreeNode::Kind::Null ? key.begin : node.begin, value.error());
  }

  const Field& field_;
  ReadRecords out_;
};

}  // namespace

ReadRecords readRecords(const Field& field, const TreeNode& node) {
  return RecordReader(field).read(node);
}

}  // namespace shardlens::yaml
