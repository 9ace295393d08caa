// SPDX-License-Identifier: Apache-2.0
#include "core/traces/trace_tree.h"
#include "core/traces/trace_words.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace shardlens::traces {
namespace {

/// Puts values into the tree as they are read, so that what came before a fault is there.
class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit TreeBuilder(ParsedTrace& out) : out_(out) {}

  bool null() override { return put(tree().addNull()); }
  bool boolean(bool value) override { return put(tree().addFlag(value)); }
  bool number_integer(number_integer_t value) override { return put(tree().addWhole(value)); }
  bool number_unsigned(number_unsigned_t value) override {
    constexpr auto kMost = static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max());
    return put(value <= kMost ? tree().addWhole(static_cast<std::int64_t>(value))
                              : tree().addReal(static_cast<double>(value)));
  }
  bool number_float(number_float_t value, const string_t& /*text*/) override { return put(tree().addReal(value)); }
  bool string(string_t& value) override { return put(interned(value)); }
  bool binary(binary_t& /*value*/) override { return false; }
  bool start_object(std::size_t /*elements*/) override { return open(tree().addDict()); }
  bool start_array(std::size_t /*elements*/) override { return open(tree().addList()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& value) override {
    open_.back().key = interned(value);
    return true;
  }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*error*/) override {
    out_.fault = {position, words::notJson()};
    return false;
  }

  /// After a fault: what is open holds what came before.
  void closeAll() {
    while (!open_.empty()) close();
  }

 private:
  TraceTree& tree() { return out_.tree; }
  /// Keys and states are the same few texts in every entry; long texts are rarely twice.
  NodeId interned(const string_t& text) {
    constexpr std::size_t kShort = 40;
    constexpr std::size_t kMostKept = 4096;
    if (text.size() > kShort) return tree().addText(tree().keep(text));
    const auto found = known_.find(text);
    if (found != known_.end()) return found->second;
    const NodeId node = tree().addText(tree().keep(text));
    if (known_.size() < kMostKept) known_.emplace(text, node);
    return node;
  }
  bool put(NodeId node) {
    if (tree().root == TraceTree::kNone) tree().root = node;
    if (open_.empty()) return true;
    if (tree().kind(open_.back().node) == NodeKind::Dict) items_.push_back(open_.back().key);
    items_.push_back(node);
    return true;
  }
  bool open(NodeId node) {
    put(node);
    open_.push_back({node, TraceTree::kNone, items_.size()});
    if (open_.size() <= TraceTree::kMostDepth) return true;
    out_.fault = {0, words::tooDeep()};
    return false;
  }
  bool close() {
    const Open& last = open_.back();
    tree().append(last.node, std::span(items_).subspan(last.first));
    items_.resize(last.first);
    open_.pop_back();
    return true;
  }

  /// A container whose end has not come: its items are the last of items_, from `first` on.
  struct Open {
    NodeId node;
    NodeId key;
    std::size_t first;
  };
  ParsedTrace& out_;
  std::vector<Open> open_;
  std::vector<NodeId> items_;
  std::unordered_map<std::string, NodeId> known_;
};

}  // namespace

ParsedTrace readJson(std::string_view bytes) {
  ParsedTrace out;
  TreeBuilder builder(out);
  const bool is_whole =
      nlohmann::json::sax_parse(bytes.begin(), bytes.end(), &builder, nlohmann::json::input_format_t::json);
  builder.closeAll();
  if (!is_whole && out.fault.what.empty()) out.fault = {0, words::notJson()};
  out.fault.offset = std::min(out.fault.offset, bytes.size());  // the end counts as a character
  return out;
}

}  // namespace shardlens::traces
