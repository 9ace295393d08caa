// SPDX-License-Identifier: Apache-2.0
#include "core/traces/trace_tree.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace shardlens::traces {

NodeId TraceTree::add(const Node& node) {
  nodes_.push_back(node);
  return static_cast<NodeId>(nodes_.size() - 1);
}

NodeId TraceTree::addFlag(bool value) {
  Node node;
  node.whole = value ? 1 : 0;
  node.kind = NodeKind::Flag;
  return add(node);
}

NodeId TraceTree::addWhole(std::int64_t value) {
  Node node;
  node.whole = value;
  node.kind = NodeKind::Whole;
  return add(node);
}

NodeId TraceTree::addReal(double value) {
  Node node;
  node.real = value;
  node.kind = NodeKind::Real;
  return add(node);
}

NodeId TraceTree::addText(std::string_view text) {
  Node node;
  node.text = text.data();
  node.content = static_cast<std::uint32_t>(text.size());
  node.kind = NodeKind::Text;
  return add(node);
}

NodeId TraceTree::addMarker(std::string_view name) {
  const NodeId node = addText(name);
  nodes_[node].kind = NodeKind::Marker;
  return node;
}

NodeId TraceTree::addList() {
  Node node;
  node.content = static_cast<std::uint32_t>(contents_.size());
  node.kind = NodeKind::List;
  contents_.emplace_back();
  return add(node);
}

NodeId TraceTree::addDict() {
  const NodeId node = addList();
  nodes_[node].kind = NodeKind::Dict;
  return node;
}

void TraceTree::append(NodeId container, std::span<const NodeId> values) {
  Content& content = contents_[nodes_[container].content];
  const std::size_t count = content.count + values.size();
  if (count > content.room) {
    const std::size_t from = items_.size();
    const std::size_t room = content.room == 0 ? count : 2 * count;
    items_.resize(from + room, kNone);
    std::copy_n(items_.begin() + static_cast<std::ptrdiff_t>(content.from), content.count,
                items_.begin() + static_cast<std::ptrdiff_t>(from));
    content.from = from;
    content.room = room;
  }
  std::copy(values.begin(), values.end(), items_.begin() + static_cast<std::ptrdiff_t>(content.from + content.count));
  content.count = count;
}

std::string_view TraceTree::keep(std::string_view text) {
  return texts_.emplace_back(text);
}

std::span<const NodeId> TraceTree::items(NodeId node) const {
  if (node == kNone || (kind(node) != NodeKind::List && kind(node) != NodeKind::Dict)) return {};
  const Content& content = contents_[nodes_[node].content];
  return std::span(items_).subspan(content.from, content.count);
}

std::string_view TraceTree::text(NodeId node) const {
  if (node == kNone || (kind(node) != NodeKind::Text && kind(node) != NodeKind::Marker)) return {};
  return {nodes_[node].text, nodes_[node].content};
}

std::optional<std::int64_t> TraceTree::whole(NodeId node) const {
  if (node == kNone) return std::nullopt;
  constexpr double kMostExact = 9e15;
  switch (kind(node)) {
    case NodeKind::Flag:
    case NodeKind::Whole:
      return nodes_[node].whole;
    case NodeKind::Real:
      if (!(std::abs(nodes_[node].real) < kMostExact)) return std::nullopt;
      return static_cast<std::int64_t>(nodes_[node].real);
    case NodeKind::Text: {
      const std::string_view digits = text(node);
      std::int64_t value = 0;
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
      return error == std::errc() && end == digits.data() + digits.size() ? std::optional(value) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

std::optional<double> TraceTree::real(NodeId node) const {
  if (node != kNone && kind(node) == NodeKind::Real) return nodes_[node].real;
  const auto value = whole(node);
  return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

NodeId TraceTree::find(NodeId dict, std::string_view key) const {
  if (dict == kNone || kind(dict) != NodeKind::Dict) return kNone;
  const auto all = items(dict);
  for (std::size_t i = 0; i + 1 < all.size(); i += 2) {
    if (text(all[i]) == key) return all[i + 1];
  }
  return kNone;
}

}  // namespace shardlens::traces
