// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/spec_reader.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/sampling/recorded_lists.h"
#include "core/spec/field_problem.h"
#include "core/spec/validate.h"
#include "core/yaml/scalar.h"
#include "core/yaml/spec_writer.h"

#include <algorithm>
#include <array>
#include <set>

namespace shardlens::yaml {
namespace {

std::string versionLine() {
  return std::string(kVersionKey) + ": " + std::to_string(kVersion);
}

/// "run.delays[2]" of "run.delays[2].ms", "run.delays" of that, "run" of that; empty at the top.
std::string around(const std::string& path) {
  const std::size_t end = path.find_last_of(".[");
  return end == std::string::npos ? std::string() : path.substr(0, end);
}

class Reader {
 public:
  Reader(const Lines& lines, SamplerCatalogue catalogue, ReadSpec& out)
      : lines_(lines), catalogue_(catalogue), out_(out) {}

  void read(TreeNode& root) {
    if (root.kind == TreeNode::Kind::Null)
      return complain(root.begin, "", worded("spec", "the file is empty."),
                      filled(worded("spec", "start with the line '%1'"), versionLine()));
    if (root.kind != TreeNode::Kind::Map)
      return complain(root.begin, "", worded("spec", "a spec must be a map of keys and values."),
                      filled(worded("spec", "start with the line '%1'"), versionLine()));
    if (!readVersion(root)) return;
    migrate(root, out_.version);
    readSampler(root);
    const LayoutItem layout = layoutOf(out_.spec, catalogue_);
    readSection(root, layout, layout);
    if (!out_.places.contains("world.nodes")) out_.spec.world.countListedNodes();
    if (root.find("seeds") == nullptr) out_.spec.seeds.rule = "unseeded";
    for (Error& error : validate(out_.spec, catalogue_)) addPlaced(std::move(error));
  }

 private:
  void complain(std::size_t offset, std::string field, std::string message, std::string hint = {}) {
    add(Error{ErrorCode::BadInput, std::move(message), lines_.at(offset, std::move(field)), std::move(hint)});
  }

  void add(Error error) {
    if (out_.issues.size() < kMostIssues) out_.issues.push_back(std::move(error));
  }

  /// An error about a field that was not complained about already.
  void addPlaced(Error error) {
    if (!reported_.contains(error.place.field)) add(out_.placed(std::move(error)));
  }

  /// False when the rest cannot be understood: a version this build does not know.
  bool readVersion(const TreeNode& root) {
    const TreeNode* node = root.find(kVersionKey);
    if (node == nullptr) {
      complain(root.begin, std::string(kVersionKey), worded("spec", "the version of the file format is missing."),
               filled(worded("spec", "add the line '%1' at the top"), versionLine()));
      return true;
    }
    const Field field{std::string(kVersionKey), FieldKind::Int, std::int64_t{kVersion}, 1};
    const Result<Value> value = readValue(field, *node);
    if (!value) {
      complain(node->begin, field.path, value.error().message, filled(worded("spec", "write '%1'"), versionLine()));
      return false;
    }
    const std::int64_t version = std::get<std::int64_t>(*value);
    if (version > kVersion) {
      complain(node->begin, field.path,
               filled(worded("spec", "the file has format %1; this ShardLens reads formats up to %2."),
                      std::to_string(version), std::to_string(kVersion)),
               worded("spec", "open it with a newer ShardLens"));
      return false;
    }
    out_.version = static_cast<int>(version);
    return true;
  }

  /// The type decides which other keys the section may have, and some keys decide what others mean: they are read
  /// first.
  void readSampler(const TreeNode& root) {
    const TreeNode* section = root.find("sampler");
    const TreeNode* type = section == nullptr ? nullptr : section->find("type");
    if (type == nullptr || type->kind != TreeNode::Kind::Scalar) return;
    out_.spec.sampler.type = type->text;
    const SamplerInfo* info = findSampler(catalogue_, type->text);
    if (info == nullptr) return;
    for (const SamplerInfo::Variant& variant : info->variants) {
      const TreeNode* chosen = section->find(variant.key);
      const bool is_choice = chosen != nullptr && chosen->kind == TreeNode::Kind::Scalar;
      if (is_choice && chosen->text == variant.choice) out_.spec.sampler.parameters[variant.key] = variant.choice;
    }
  }

  void readSection(const TreeNode& map, const LayoutItem& section, const LayoutItem& root) {
    std::set<std::string, std::less<>> seen;
    for (std::size_t i = 0; i + 1 < map.items.size(); i += 2) {
      const TreeNode& key = map.items[i];
      if (key.kind != TreeNode::Kind::Scalar) {
        complain(key.begin, section.path, worded("spec", "a key must be a word."));
      } else if (!seen.insert(key.text).second) {
        complain(key.begin, pathOf(section, key),
                 filled(worded("spec", "the key '%1' occurs a second time."), key.text),
                 worded("spec", "remove one of them"));
      } else {
        readEntry(key, map.items[i + 1], section, root);
      }
    }
  }

  static std::string pathOf(const LayoutItem& section, const TreeNode& key) {
    return section.path.empty() ? key.text : section.path + "." + key.text;
  }

  void readEntry(const TreeNode& key, const TreeNode& value, const LayoutItem& section, const LayoutItem& root) {
    if (section.path.empty() && key.text == kVersionKey) return;
    const LayoutItem* item = section.find(key.text);
    if (item == nullptr) return unknownKey(key, value, section, root);
    out_.places[item->path] = lines_.at(key.begin, item->path);
    if (item->field != nullptr) return readField(*item->field, value, key);
    if (value.kind == TreeNode::Kind::Map) return readSection(value, *item, root);
    complain(value.kind == TreeNode::Kind::Null ? key.begin : value.begin, item->path,
             filled(worded("spec", "'%1' is a section: it needs keys below it."), key.text),
             filled(worded("spec", "write %1: {%2: ...}"), key.text, item->children.front().key));
  }

  void readField(const Field& field, const TreeNode& node, const TreeNode& key) {
    if (field.kind == FieldKind::Records) return readList(field, node.kind == TreeNode::Kind::Null ? key : node);
    Result<Value> value = readValue(field, node);
    if (value) return setValue(out_.spec, field, std::move(*value));
    reported_.insert(field.path);
    Error error = value.error();
    error.place = lines_.at(node.kind == TreeNode::Kind::Null ? key.begin : node.begin, field.path);
    add(std::move(error));
  }

  void readList(const Field& field, const TreeNode& node) {
    ReadRecords read = readRecords(field, node);
    for (const auto& [offset, path] : read.offsets) out_.places[path] = lines_.at(offset, path);
    for (auto& [offset, error] : read.issues) {
      reported_.insert(error.place.field);
      error.place = lines_.at(offset, error.place.field);
      add(std::move(error));
    }
    if (static_cast<std::int64_t>(read.list.size()) <= kMostRecords) return setValue(out_.spec, field, read.list);
    add(Error{ErrorCode::BadInput, checkValue(field, read.list)->message, lines_.at(node.begin, field.path), ""});
  }

  void unknownKey(const TreeNode& key, const TreeNode& value, const LayoutItem& section, const LayoutItem& root) {
    if (section.path == "sampler" && findSampler(catalogue_, out_.spec.sampler.type) == nullptr)
      return;  // the type is reported
    std::vector<std::string> keys;
    for (const LayoutItem& child : section.children) keys.push_back(child.key);
    if (section.path.empty()) keys.emplace_back(kVersionKey);
    complain(key.begin, pathOf(section, key), noKey(key.text, section.path), keyHint(key.text, value, keys, root));
  }

  [[nodiscard]] std::string noKey(const std::string& key, const std::string& section) const {
    if (section == "sampler")
      return filled(worded("spec", "'%2' is no parameter of %1."), sampling::samplerName(out_.spec.sampler.type), key);
    return section.empty() ? filled(worded("spec", "there is no key '%1'."), key)
                           : filled(worded("spec", "there is no key '%1' in %2."), key, section);
  }

  /// Where a key stands here that other programs have under another name, with %1 for its value; null for other keys.
  static const char* pointerFor(std::string_view key) {
    constexpr const char* kWorld = marked("spec", "write world: {nodes: 1, ranks_per_node: %1}");
    constexpr const char* kTensor = marked("spec", "write world: {groups: {tensor: %1}}");
    constexpr const char* kContext = marked("spec", "write world: {groups: {context: %1}}");
    constexpr const char* kExpert = marked("spec", "write world: {groups: {expert: %1}}");
    constexpr const char* kExpertTensor = marked("spec", "write world: {groups: {expert_tensor: %1}}");
    constexpr const char* kPipeline = marked("spec", "write world: {groups: {pipeline: %1}}");
    constexpr std::array<std::pair<std::string_view, const char*>, 23> kPointers = {{
        {"world_size", kWorld},
        {"nproc_per_node", kWorld},
        {"gpus", kWorld},
        {"devices", kWorld},
        {"num_nodes", marked("spec", "write world: {nodes: %1, ranks_per_node: 8}")},
        {"strategy", marked("spec", "write framework: {lightning: {strategy: ddp}}")},
        {"replace_sampler_ddp",
         marked("spec", "write framework: {lightning: {use_distributed_sampler: false}}, its name since 2.0")},
        {"seed_everything", marked("spec", "write seeds: {base: 42, rule: same}")},
        {"tensor_parallel", kTensor},
        {"tensor_model_parallel_size", kTensor},
        {"tp", kTensor},
        {"context_parallel", kContext},
        {"context_parallel_size", kContext},
        {"cp", kContext},
        {"pipeline_parallel", kPipeline},
        {"pipeline_model_parallel_size", kPipeline},
        {"pp", kPipeline},
        {"expert_parallel", kExpert},
        {"expert_model_parallel_size", kExpert},
        {"ep", kExpert},
        {"ep_size", kExpert},
        {"expert_tensor_parallel_size", kExpertTensor},
        {"version", marked("spec", "write framework: {torch: \"2.9\"}")},
    }};
    const auto* const found = std::ranges::find(kPointers, key, &std::pair<std::string_view, const char*>::first);
    return found == kPointers.end() ? nullptr : found->second;
  }

  static std::string pointerText(const char* pointer, const TreeNode& value) {
    const std::string text = worded("spec", pointer);
    const bool is_number = value.kind == TreeNode::Kind::Scalar && value.text.size() < 10 && isDigits(value.text);
    return text.find("%1") == std::string::npos ? text : filled(text, is_number ? value.text : std::string("8"));
  }

  static std::string keyHint(const std::string& key, const TreeNode& value, const std::vector<std::string>& siblings,
                             const LayoutItem& root) {
    if (const char* pointer = pointerFor(key); pointer != nullptr) return pointerText(pointer, value);
    for (const LayoutItem& section : root.children) {
      if (const LayoutItem* same = section.find(key)) return filled(worded("spec", "did you mean %1?"), same->path);
    }
    const std::string near = key.size() > 64 ? "" : nearest(key, siblings);
    return near.empty() ? filled(worded("spec", "known are %1"), join(siblings, ", "))
                        : filled(worded("spec", "did you mean %1?"), near);
  }

  const Lines& lines_;
  SamplerCatalogue catalogue_;
  ReadSpec& out_;
  std::set<std::string, std::less<>> reported_;
};

void sortByPlace(Issues& issues) {
  std::ranges::stable_sort(issues, [](const Error& a, const Error& b) {
    return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
  });
}

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
    out_.issues.emplace_back(offset,
                             Error::inField(ErrorCode::BadInput, std::move(path), std::move(message), std::move(hint)));
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
      if (item.required && !seen.contains(item.path))
        complain(node.begin, path, filled(worded("spec", "the entry has no '%1'."), item.path),
                 filled(worded("spec", "add %1: ..."), item.path));
    }
    return record;
  }

  void readItem(const TreeNode& key, const TreeNode& node, std::size_t index, Record& record) {
    const auto item = std::ranges::find(field_.items, key.text, &Field::path);
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

Error ReadSpec::placed(Error error) const {
  std::string path = error.place.field;
  while (!path.empty() && !places.contains(path)) path = around(path);
  const auto found = places.find(path);
  if (found == places.end() || error.place.line > 0) return error;
  const std::string field = error.place.field;
  error.place = field.empty() ? Place{found->second.file, 0, 0, {}} : found->second;
  error.place.field = field;
  return error;
}

ReadSpec readSpec(std::string_view text, SamplerCatalogue catalogue, const std::string& file) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const Lines lines(text, file);
  Tree tree = parseTree(text, lines);
  ReadSpec out;
  out.places[""] = lines.at(0);
  out.issues = std::move(tree.issues);
  if (out.issues.empty()) Reader(lines, catalogue, out).read(tree.root);
  sortByPlace(out.issues);
  if (out.issues.size() >= kMostIssues)
    out.issues.push_back(Error::inFile(
        ErrorCode::BadInput, file,
        filled(worded("spec", "there are more problems than the %1 listed."), std::to_string(kMostIssues))));
  return out;
}

ReadRecords readRecords(const Field& field, const TreeNode& node) {
  return RecordReader(field).read(node);
}

}  // namespace shardlens::yaml
