// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/traces/trace_tree.h"
#include "core/traces/trace_words.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::traces {
namespace opcodes {

// The opcodes of pickle's protocols 0 to 5 by their names in Python's pickletools, as far as a dump needs them.
constexpr unsigned char kMark = '(';
constexpr unsigned char kStop = '.';
constexpr unsigned char kPop = '0';
constexpr unsigned char kPopMark = '1';
constexpr unsigned char kBinFloat = 'G';
constexpr unsigned char kBinInt = 'J';
constexpr unsigned char kBinInt1 = 'K';
constexpr unsigned char kBinInt2 = 'M';
constexpr unsigned char kNone = 'N';
constexpr unsigned char kReduce = 'R';
constexpr unsigned char kBinUnicode = 'X';
constexpr unsigned char kAppend = 'a';
constexpr unsigned char kGlobal = 'c';
constexpr unsigned char kAppends = 'e';
constexpr unsigned char kBinGet = 'h';
constexpr unsigned char kLongBinGet = 'j';
constexpr unsigned char kBinPut = 'q';
constexpr unsigned char kLongBinPut = 'r';
constexpr unsigned char kSetItem = 's';
constexpr unsigned char kTuple = 't';
constexpr unsigned char kSetItems = 'u';
constexpr unsigned char kEmptyTuple = ')';
constexpr unsigned char kEmptyList = ']';
constexpr unsigned char kEmptyDict = '}';
constexpr unsigned char kProto = 0x80;
constexpr unsigned char kTuple1 = 0x85;
constexpr unsigned char kTuple2 = 0x86;
constexpr unsigned char kTuple3 = 0x87;
constexpr unsigned char kNewTrue = 0x88;
constexpr unsigned char kNewFalse = 0x89;
constexpr unsigned char kLong1 = 0x8a;
constexpr unsigned char kLong4 = 0x8b;
constexpr unsigned char kShortBinUnicode = 0x8c;
constexpr unsigned char kBinUnicode8 = 0x8d;
constexpr unsigned char kMemoize = 0x94;
constexpr unsigned char kFrame = 0x95;

constexpr bool isMemo(unsigned char code) {
  return code == kMemoize || code == kBinPut || code == kLongBinPut || code == kBinGet || code == kLongBinGet;
}
constexpr bool isContainer(unsigned char code) {
  switch (code) {
    case kEmptyDict:
    case kEmptyList:
    case kEmptyTuple:
    case kAppend:
    case kAppends:
    case kSetItem:
    case kSetItems:
    case kTuple:
    case kTuple1:
    case kTuple2:
    case kTuple3:
      return true;
    default:
      return false;
  }
}

/// "STACK_GLOBAL"; "0x93" for a byte that is no opcode.
std::string nameOf(unsigned char code) {
  // Those that a dump never has, so that a refusal can name them.
  static constexpr std::pair<unsigned char, const char*> kRefused[] = {{'2', "DUP"},
                                                                       {'F', "FLOAT"},
                                                                       {'I', "INT"},
                                                                       {'L', "LONG"},
                                                                       {'P', "PERSID"},
                                                                       {'Q', "BINPERSID"},
                                                                       {'S', "STRING"},
                                                                       {'T', "BINSTRING"},
                                                                       {'U', "SHORT_BINSTRING"},
                                                                       {'V', "UNICODE"},
                                                                       {'b', "BUILD"},
                                                                       {'d', "DICT"},
                                                                       {'g', "GET"},
                                                                       {'i', "INST"},
                                                                       {'l', "LIST"},
                                                                       {'o', "OBJ"},
                                                                       {'p', "PUT"},
                                                                       {'B', "BINBYTES"},
                                                                       {'C', "SHORT_BINBYTES"},
                                                                       {0x81, "NEWOBJ"},
                                                                       {0x82, "EXT1"},
                                                                       {0x83, "EXT2"},
                                                                       {0x84, "EXT4"},
                                                                       {0x8e, "BINBYTES8"},
                                                                       {0x8f, "EMPTY_SET"},
                                                                       {0x90, "ADDITEMS"},
                                                                       {0x91, "FROZENSET"},
                                                                       {0x92, "NEWOBJ_EX"},
                                                                       {0x93, "STACK_GLOBAL"},
                                                                       {0x96, "BYTEARRAY8"},
                                                                       {0x97, "NEXT_BUFFER"},
                                                                       {0x98, "READONLY_BUFFER"}};
  for (const auto& [refused, name] : kRefused) {
    if (refused == code) return name;
  }
  std::array<char, 8> text{};
  (void)std::snprintf(text.data(), text.size(), "0x%02x", static_cast<unsigned>(code));
  return text.data();
}

}  // namespace opcodes

namespace {

/// Containers that are open at the same time; a dump opens 4.
constexpr std::size_t kMostMarks = 1000;
constexpr std::string_view kTagModule = "torch.jit._pickle";
constexpr std::string_view kTags[] = {"restore_type_tag", "build_intlist", "build_doublelist", "build_boollist"};

/// The machine: a stack of values, the marks on it, and a memo. Each opcode adds at most one value, so that memory is
/// bounded by the length of the file.
class Machine {
 public:
  Machine(std::string_view bytes, ParsedTrace& out) : bytes_(bytes), out_(out) {}

  void run() {
    while (out_.fault.what.empty() && !stopped_) {
      begin_ = at_;
      if (at_ >= bytes_.size()) return salvage(words::pickleCut());
      step(static_cast<unsigned char>(bytes_[at_++]));
    }
    if (!stopped_) return salvage({});
    if (!stack_.empty()) out_.tree.root = stack_.back();
  }

 private:
  TraceTree& tree() { return out_.tree; }
  void fail(std::string what) {
    if (out_.fault.what.empty()) out_.fault = {begin_, std::move(what)};
  }

  // --- bytes --------------------------------------------------------------------------------------------------------

  std::string_view take(std::uint64_t count) {
    if (count > bytes_.size() - at_) {
      fail(words::pickleCut());
      at_ = bytes_.size();
      return {};
    }
    const std::string_view part = bytes_.substr(at_, static_cast<std::size_t>(count));
    at_ += part.size();
    return part;
  }
  std::uint64_t number(std::size_t size) {
    std::uint64_t value = 0;
    const std::string_view part = take(size);
    for (std::size_t i = 0; i < part.size(); ++i)
      value |= static_cast<std::uint64_t>(static_cast<unsigned char>(part[i])) << (8 * i);
    return value;
  }
  std::string_view line() {
    const std::size_t end = bytes_.find('\n', at_);
    if (end == std::string_view::npos) return take(bytes_.size() - at_ + 1);
    const std::string_view text = bytes_.substr(at_, end - at_);
    at_ = end + 1;
    return text;
  }

  // --- stack --------------------------------------------------------------------------------------------------------

  void push(NodeId node) { stack_.push_back(node); }
  [[nodiscard]] std::size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }
  bool needs(std::size_t count) {
    if (stack_.size() >= floor() + count) return true;
    fail(words::pickleStack());
    return false;
  }
  void mark() {
    if (marks_.size() >= kMostMarks) return fail(words::tooDeep());
    marks_.push_back(stack_.size());
  }
  /// The values above the last mark, which is taken away with them. Valid until the next call.
  const std::vector<NodeId>& takeMarked() {
    if (marks_.empty()) {
      fail(words::pickleStack());
      marked_.clear();
      return marked_;
    }
    const auto from = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    marked_.assign(from, stack_.end());
    stack_.erase(from, stack_.end());
    marks_.pop_back();
    return marked_;
  }
  void fill(std::span<const NodeId> items, NodeKind kind) {
    if (stack_.size() <= floor() || tree().kind(stack_.back()) != kind) return fail(words::pickleStack());
    const std::size_t whole = kind == NodeKind::Dict ? items.size() / 2 * 2 : items.size();
    tree().append(stack_.back(), items.first(whole));
  }
  void fillTop(std::size_t count, NodeKind kind) {
    if (!needs(count + 1)) return;
    const auto from = stack_.end() - static_cast<std::ptrdiff_t>(count);
    const std::vector<NodeId> items(from, stack_.end());
    stack_.erase(from, stack_.end());
    fill(items, kind);
  }
  void tuple(const std::vector<NodeId>& items) {
    const NodeId list = tree().addList();
    tree().append(list, items);
    push(list);
  }
  void tupleOfTop(std::size_t count) {
    if (!needs(count)) return;
    const auto from = stack_.end() - static_cast<std::ptrdiff_t>(count);
    const std::vector<NodeId> items(from, stack_.end());
    stack_.erase(from, stack_.end());
    tuple(items);
  }
  void put(std::uint64_t place) {
    if (!needs(1)) return;
    // A place costs a byte of the file at least, in the order in which picklers count them.
    if (place > bytes_.size()) return fail(words::pickleMemo());
    if (place >= memo_.size()) memo_.resize(static_cast<std::size_t>(place) + 1, TraceTree::kNone);
    memo_[static_cast<std::size_t>(place)] = stack_.back();
  }
  void get(std::uint64_t place) {
    if (place >= memo_.size() || memo_[static_cast<std::size_t>(place)] == TraceTree::kNone)
      return fail(words::pickleMemo());
    push(memo_[static_cast<std::size_t>(place)]);
  }

  // --- opcodes ------------------------------------------------------------------------------------------------------

  void text(std::uint64_t size) {
    if (size > std::numeric_limits<std::uint32_t>::max()) return fail(words::pickleCut());
    push(tree().addText(take(size)));
  }
  void longNumber(std::uint64_t size) {
    const std::string_view digits = take(size);
    if (digits.size() > 8) return push(tree().addNull());  // no number of a dump is as long
    std::uint64_t value = digits.empty() || (static_cast<unsigned char>(digits.back()) & 0x80) == 0 ? 0 : ~0ULL;
    for (std::size_t i = digits.size(); i-- > 0;) value = (value << 8) | static_cast<unsigned char>(digits[i]);
    push(tree().addWhole(static_cast<std::int64_t>(value)));
  }
  void real() {
    std::uint64_t value = 0;
    for (const char byte : take(8)) value = (value << 8) | static_cast<unsigned char>(byte);
    push(tree().addReal(std::bit_cast<double>(value)));
  }
  void global() {
    const std::string_view module = line();
    const std::string_view name = line();
    if (!out_.fault.what.empty()) return;
    const bool is_tag = module == kTagModule && std::find(std::begin(kTags), std::end(kTags), name) != std::end(kTags);
    if (!is_tag)
      return fail(filled(
          worded("traces", "The pickle names %1 (opcode GLOBAL). No dump needs it, and nothing is looked up or run."),
          std::string(module) + "." + std::string(name)));
    push(tree().addMarker(name));
  }
  /// A tag around a value: the value.
  void reduce() {
    if (!needs(2)) return;
    const NodeId arguments = stack_.back();
    const NodeId called = stack_[stack_.size() - 2];
    const auto items = tree().items(arguments);
    if (tree().kind(called) != NodeKind::Marker || tree().kind(arguments) != NodeKind::List || items.empty())
      return fail(
          worded("traces", "The pickle calls something (opcode REDUCE). No dump needs it, and nothing is run."));
    stack_.pop_back();
    stack_.back() = items.front();
  }
  void step(unsigned char code) {
    using namespace opcodes;
    switch (code) {
      case kProto:
        if (const std::uint64_t protocol = number(1); protocol > 5)
          fail(filled(worded("traces", "The pickle has protocol %1; protocols 2 to 5 are read."),
                      std::to_string(protocol)));
        return;
      case kFrame:
        (void)number(8);
        return;
      case kStop:
        stopped_ = needs(1);
        return;
      case kMark:
        return mark();
      case kPop:
        if (needs(1)) stack_.pop_back();
        return;
      case kPopMark:
        (void)takeMarked();
        return;
      case kReduce:
        return reduce();
      case kGlobal:
        return global();
      default:
        return isMemo(code) ? memo(code) : isContainer(code) ? container(code) : value(code);
    }
  }
  void memo(unsigned char code) {
    using namespace opcodes;
    switch (code) {
      case kMemoize:
        return put(memo_.size());
      case kBinPut:
        return put(number(1));
      case kLongBinPut:
        return put(number(4));
      case kBinGet:
        return get(number(1));
      default:
        return get(number(4));
    }
  }
  void container(unsigned char code) {
    using namespace opcodes;
    switch (code) {
      case kEmptyDict:
        return push(tree().addDict());
      case kEmptyList:
      case kEmptyTuple:
        return push(tree().addList());
      case kAppend:
        return fillTop(1, NodeKind::List);
      case kAppends:
        return fill(takeMarked(), NodeKind::List);
      case kSetItem:
        return fillTop(2, NodeKind::Dict);
      case kSetItems:
        return fill(takeMarked(), NodeKind::Dict);
      case kTuple1:
        return tupleOfTop(1);
      case kTuple2:
        return tupleOfTop(2);
      case kTuple3:
        return tupleOfTop(3);
      default:
        return tuple(takeMarked());
    }
  }
  void value(unsigned char code) {
    using namespace opcodes;
    switch (code) {
      case kNone:
        return push(tree().addNull());
      case kNewTrue:
        return push(tree().addFlag(true));
      case kNewFalse:
        return push(tree().addFlag(false));
      case kBinInt:
        return push(tree().addWhole(static_cast<std::int32_t>(number(4))));
      case kBinInt1:
        return push(tree().addWhole(static_cast<std::int64_t>(number(1))));
      case kBinInt2:
        return push(tree().addWhole(static_cast<std::int64_t>(number(2))));
      case kLong1:
        return longNumber(number(1));
      case kLong4:
        return longNumber(number(4));
      case kBinFloat:
        return real();
      case kShortBinUnicode:
        return text(number(1));
      case kBinUnicode:
        return text(number(4));
      case kBinUnicode8:
        return text(number(8));
      default:
        return fail(filled(worded("traces", "The pickle has the opcode %1, which no dump needs and which is not run."),
                           nameOf(code)));
    }
  }

  /// After a fault: closes what is open, so that the whole values before the fault can be used.
  void salvage(std::string what) {
    if (!what.empty()) fail(std::move(what));
    while (!marks_.empty()) {
      std::vector<NodeId> items = takeMarked();
      std::erase_if(items, [this](NodeId item) { return tree().kind(item) == NodeKind::Marker; });
      if (stack_.size() <= floor()) continue;
      const NodeKind kind = tree().kind(stack_.back());
      if (kind == NodeKind::Dict || kind == NodeKind::List) fill(items, kind);
    }
    for (const NodeId node : stack_) {
      if (tree().kind(node) == NodeKind::Marker) continue;
      out_.tree.root = node;
      return;
    }
  }

  std::string_view bytes_;
  ParsedTrace& out_;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;  ///< of the opcode that is run
  bool stopped_ = false;
  std::vector<NodeId> stack_;
  std::vector<std::size_t> marks_;
  std::vector<NodeId> memo_;
  std::vector<NodeId> marked_;
};

}  // namespace

bool isPickle(std::string_view bytes) {
  return bytes.size() >= 2 && static_cast<unsigned char>(bytes[0]) == opcodes::kProto && bytes[1] >= 2 && bytes[1] <= 5;
}

ParsedTrace readPickle(std::string_view bytes) {
  ParsedTrace out;
  Machine(bytes, out).run();
  return out;
}

}  // namespace shardlens::traces
