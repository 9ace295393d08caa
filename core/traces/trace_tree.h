// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace shardlens::traces {

/// A place in a TraceTree.
using NodeId = std::uint32_t;

enum class NodeKind : std::uint8_t {
  Null,
  Flag,
  Whole,
  Real,
  Text,
  List,
  Dict,
  Marker,  ///< a name that a pickle mentions and that has no content
};

/// The values of one file of a foreign trace, whatever its syntax: numbers, texts, lists and dicts. A value may be in
/// several places, as a pickle's memo puts it there, so whoever walks it must bound the walk. Texts may point into the
/// bytes that were read: those must outlive the tree.
class TraceTree {
 public:
  /// No file is deeper: {"entries": [{"frames": [{"line": 1}]}]} is 4.
  static constexpr std::size_t kMostDepth = 64;
  static constexpr NodeId kNone = UINT32_MAX;

  NodeId addNull() { return add({}); }
  NodeId addFlag(bool value);
  NodeId addWhole(std::int64_t value);
  NodeId addReal(double value);
  /// `text` must outlive the tree, or be keep()'s.
  NodeId addText(std::string_view text);
  NodeId addList();
  NodeId addDict();
  NodeId addMarker(std::string_view name);
  /// A copy of the text that lives as long as the tree.
  std::string_view keep(std::string_view text);
  /// To a list: values. To a dict: keys and values in turn.
  void append(NodeId container, std::span<const NodeId> values);

  [[nodiscard]] NodeKind kind(NodeId node) const { return nodes_[node].kind; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  /// The values of a list, or the keys and values of a dict in turn; empty for everything else.
  [[nodiscard]] std::span<const NodeId> items(NodeId node) const;
  /// Empty for what is no text and no marker.
  [[nodiscard]] std::string_view text(NodeId node) const;
  /// A whole number, a flag, a real one that is whole, or a text of digits; nothing for everything else.
  [[nodiscard]] std::optional<std::int64_t> whole(NodeId node) const;
  [[nodiscard]] std::optional<double> real(NodeId node) const;
  /// The value of this key; kNone when it is no dict or has no such key.
  [[nodiscard]] NodeId find(NodeId dict, std::string_view key) const;

  /// Of everything: kNone when nothing was read.
  NodeId root = kNone;

 private:
  struct Node {
    union {
      std::int64_t whole = 0;
      double real;
      const char* text;
    };
    std::uint32_t content = 0;  ///< of a text: its length; of a list or dict: which of contents_
    NodeKind kind = NodeKind::Null;
  };
  /// Where in items_ the items of a container are. One that grows moves to the end, to twice the room.
  struct Content {
    std::size_t from = 0, count = 0, room = 0;
  };
  NodeId add(const Node& node);

  std::vector<Node> nodes_;
  std::vector<Content> contents_;
  std::vector<NodeId> items_;
  std::deque<std::string> texts_;
};

/// Why the reading of a file ended before its end.
struct SyntaxFault {
  std::size_t offset = 0;  ///< in bytes, from 0
  std::string what;        ///< a sentence; empty: there is no fault
};

/// What was read of a file: everything, or what came before the fault.
struct ParsedTrace {
  TraceTree tree;
  SyntaxFault fault;
};

/// Reads a JSON value. What a file that was cut holds up to there is in the tree. `bytes` must outlive the result.
ParsedTrace readJson(std::string_view bytes);

/// Reads a pickle of protocol 2 to 5 by a closed machine: it knows dicts, lists, tuples (as lists), texts, numbers,
/// flags, None, and the four names by which torch's pickler tags its containers, which have no effect. Everything else
/// is a fault that names the opcode: no other name is looked up, nothing is constructed, nothing is called. Memory is
/// bounded by the length of the file. `bytes` must outlive the result.
ParsedTrace readPickle(std::string_view bytes);

/// Whether the file begins as a pickle of these protocols does.
bool isPickle(std::string_view bytes);

}  // namespace shardlens::traces
