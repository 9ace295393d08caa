// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/scalar.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/spec/field_problem.h"
#include "core/spec/number_lists.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <limits>
#include <optional>

namespace shardlens::yaml {
namespace {

constexpr std::size_t kLineWidth = 100;

std::string shown(const TreeNode& node) {
  switch (node.kind) {
    case TreeNode::Kind::Null:
      return worded("spec", "nothing");
    case TreeNode::Kind::Sequence:
      return worded("spec", "a list");
    case TreeNode::Kind::Map:
      return worded("spec", "a map");
    case TreeNode::Kind::Scalar:
      break;
  }
  constexpr std::size_t kShown = 40;
  return "'" +
         (node.text.size() <= kShown ? node.text
                                     : node.text.substr(0, utf8Prefix(node.text.substr(0, kShown))) + "...") +
         "'";
}

template <class Number>
std::optional<Number> numberIn(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || text.starts_with('+')) return std::nullopt;
  Number number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// Whether readers disagree about the number: YAML 1.1 takes 010 as eight.
bool looksOctal(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  return text.size() > 1 && text.front() == '0' && isDigits(text);
}

/// The number that 0x10, 0o10 or 0b10 stands for.
std::optional<std::int64_t> otherBase(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, int>, 3> kBases = {{{"0x", 16}, {"0o", 8}, {"0b", 2}}};
  const auto* const base = std::ranges::find_if(kBases, [&](const auto& one) { return text.starts_with(one.first); });
  if (base == kBases.end()) return std::nullopt;
  text.remove_prefix(base->first.size());
  std::int64_t number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number, base->second);
  const bool whole = status == std::errc{} && end == text.data() + text.size() && !text.starts_with('-');
  return whole ? std::optional(number) : std::nullopt;
}

std::string integerHint(const TreeNode& node) {
  if (node.kind != TreeNode::Kind::Scalar) return "";
  const auto whole = numberIn<std::int64_t>(node.text);
  if (node.quoted && whole) return worded("spec", "remove the quotes");
  if (looksOctal(node.text)) return worded("spec", "write it without the leading zero");
  if (const auto number = otherBase(node.text))
    return filled(worded("spec", "write it as %1"), std::to_string(*number));
  std::string digits = node.text;
  digits.erase(std::remove_if(digits.begin(), digits.end(), [](char c) { return c == '_' || c == ','; }), digits.end());
  if (const auto plain = numberIn<std::int64_t>(digits); plain && digits != node.text)
    return filled(worded("spec", "write it as %1"), std::to_string(*plain));
  const auto real = numberIn<double>(node.text);
  constexpr double kExact = 9e15;
  const bool is_whole =
      real && *real > -kExact && *real < kExact && *real == static_cast<double>(static_cast<std::int64_t>(*real));
  return is_whole ? filled(worded("spec", "write it as %1"), std::to_string(static_cast<std::int64_t>(*real))) : "";
}

std::optional<std::int64_t> plainInteger(const TreeNode& node) {
  if (node.kind != TreeNode::Kind::Scalar || node.quoted || looksOctal(node.text)) return std::nullopt;
  return numberIn<std::int64_t>(node.text);
}

/// Whether it is written as a whole number, however large.
bool isWritten(const TreeNode& node) {
  return node.kind == TreeNode::Kind::Scalar && !node.quoted && !looksOctal(node.text) && isDigits(node.text);
}

/// Of a field that may have a list: "2,1" is one that was written as a text.
std::optional<std::string> listHint(const Field& field, const TreeNode& node) {
  if (field.kind != FieldKind::IntOrList || node.kind != TreeNode::Kind::Scalar) return std::nullopt;
  const auto list = parseValue(field, node.text);
  if (!list || !std::holds_alternative<IndexList>(*list)) return std::nullopt;
  return filled(worded("spec", "write it as %1"), writeValue(*list));
}

Result<Value> readInteger(const Field& field, const TreeNode& node) {
  if (const auto number = plainInteger(node)) return Value(*number);
  if (isWritten(node)) return tooLarge(field, node.text);
  if (node.kind == TreeNode::Kind::Scalar && node.text.empty())
    return problem(field, worded("spec", "Enter a whole number."));
  return problem(field, filled(worded("spec", "%1 is not a whole number."), shown(node)),
                 listHint(field, node).value_or(integerHint(node)));
}

/// A number as YAML writes it: infinity and NaN have a dot, and are refused where a value is checked.
std::optional<double> plainReal(const TreeNode& node) {
  if (node.kind != TreeNode::Kind::Scalar || node.quoted) return std::nullopt;
  const std::string_view text = std::string_view(node.text).substr(node.text.starts_with('-') ? 1 : 0);
  if (text == ".inf" || text == ".Inf" || text == ".INF") return std::numeric_limits<double>::infinity();
  if (text == ".nan" || text == ".NaN" || text == ".NAN") return std::numeric_limits<double>::quiet_NaN();
  return numberIn<double>(node.text);
}

Result<Value> readFloat(const Field& field, const TreeNode& node) {
  if (const auto number = plainReal(node)) return Value(*number);
  const bool only_quoted = node.kind == TreeNode::Kind::Scalar && node.quoted && numberIn<double>(node.text);
  return problem(field, filled(worded("spec", "%1 is not a number."), shown(node)),
                 only_quoted ? worded("spec", "remove the quotes") : "");
}

Result<Value> readBool(const Field& field, const TreeNode& node) {
  constexpr std::array<std::string_view, 3> kTrue = {"true", "True", "TRUE"};
  constexpr std::array<std::string_view, 3> kFalse = {"false", "False", "FALSE"};
  if (node.kind == TreeNode::Kind::Scalar && !node.quoted) {
    if (std::ranges::find(kTrue, node.text) != kTrue.end()) return Value(true);
    if (std::ranges::find(kFalse, node.text) != kFalse.end()) return Value(false);
  }
  return problem(field, filled(worded("spec", "%1 is neither true nor false."), shown(node)),
                 worded("spec", "write true or false"));
}

Result<Value> readText(const Field& field, const TreeNode& node) {
  if (node.kind == TreeNode::Kind::Scalar) return Value(node.text);
  return problem(field, filled(worded("spec", "%1 is not text."), shown(node)),
                 node.kind == TreeNode::Kind::Null ? worded("spec", "write \"\" for empty text") : "");
}

Result<Value> readRange(const Field& field, const TreeNode& node) {
  const Error error =
      problem(field, worded("spec", "a range of indices is written {range: [first, end]}, end excluded."));
  const TreeNode* bounds = node.items.size() == 2 ? node.find("range") : nullptr;
  if (bounds == nullptr || bounds->kind != TreeNode::Kind::Sequence || bounds->items.size() != 2) return error;
  const auto first = plainInteger(bounds->items[0]);
  const auto end = plainInteger(bounds->items[1]);
  if (!first || !end) return error;
  if (*first < field.min || *end < *first || *end - 1 > field.max)
    return problem(field,
                   filled(worded("spec", "the range %1 to %2 runs backwards or is out of range."),
                          std::to_string(*first), std::to_string(*end)),
                   filled(worded("spec", "indices go from %1"), std::to_string(field.min)));
  if (*end - *first > kMostIndices)
    return problem(field, filled(worded("spec", "the range is longer than %1 indices."), grouped(kMostIndices)));
  std::vector<std::int64_t> list(static_cast<std::size_t>(*end - *first));
  for (std::size_t i = 0; i < list.size(); ++i) list[i] = *first + static_cast<std::int64_t>(i);
  return Value(IndexList(std::move(list)));
}

/// "64 x 1000".
std::optional<RepeatedIndex> plainRepeat(const TreeNode& node) {
  if (node.kind != TreeNode::Kind::Scalar || node.quoted) return std::nullopt;
  return repeatedIndex(node.text);
}

Result<Value> readIndices(const Field& field, const TreeNode& node) {
  if (node.kind == TreeNode::Kind::Map) return readRange(field, node);
  if (plainRepeat(node)) {
    TreeNode list;
    list.kind = TreeNode::Kind::Sequence;
    list.items = {node};
    return readIndices(field, list);
  }
  if (node.kind != TreeNode::Kind::Sequence)
    return problem(field, filled(worded("spec", "%1 is not a list of whole numbers."), shown(node)),
                   worded("spec", "write [0, 1, 2], {range: [0, 3]} or 64 x 1000"));
  std::vector<std::int64_t> list;
  list.reserve(node.items.size());
  for (const TreeNode& item : node.items) {
    const auto number = plainInteger(item);
    const auto repeated = number ? std::optional(RepeatedIndex{1, *number}) : plainRepeat(item);
    if (!repeated)
      return problem(field, filled(worded("spec", "item %1 is %2: each must be a whole number."),
                                   std::to_string(list.size()), shown(item)));
    if (repeated->count > kMostIndices - static_cast<std::int64_t>(list.size()))
      return problem(field, filled(worded("spec", "the list is longer than %1 items."), grouped(kMostIndices)));
    list.insert(list.end(), static_cast<std::size_t>(repeated->count), repeated->index);
  }
  return Value(IndexList(std::move(list)));
}

Result<Value> readNumbers(const Field& field, const TreeNode& node) {
  if (node.kind == TreeNode::Kind::Scalar && !field.choices.empty()) return readText(field, node);
  if (node.kind != TreeNode::Kind::Sequence)
    return problem(field, filled(worded("spec", "%1 is not a list of numbers."), shown(node)),
                   worded("spec", "write [1, 0.5, 0.25]"));
  std::vector<double> list;
  list.reserve(node.items.size());
  for (const TreeNode& item : node.items) {
    const Result<Value> number = readFloat(field, item);
    if (!number)
      return problem(field, filled(worded("spec", "item %1: %2"), std::to_string(list.size()), number.error().message));
    list.push_back(std::get<double>(*number));
  }
  return Value(NumberList(std::move(list)));
}

/// A text of the same lists; nothing where an item is neither a list nor a number.
std::optional<std::string> flowText(const TreeNode& node) {
  const bool is_item = node.kind == TreeNode::Kind::Scalar && !node.text.empty();
  if (node.kind != TreeNode::Kind::Sequence) return is_item ? std::optional(node.text) : std::nullopt;
  std::vector<std::string> items;
  for (const TreeNode& item : node.items) {
    auto text = flowText(item);
    if (!text) return std::nullopt;
    items.push_back(*std::move(text));
  }
  return "[" + join(items, ", ") + "]";
}

Result<Value> readLists(const Field& field, const TreeNode& node) {
  const bool is_empty = node.kind == TreeNode::Kind::Scalar && node.text.empty();
  const auto text = is_empty ? std::optional(std::string()) : flowText(node);
  if (!text) return problem(field, filled(worded("spec", "%1 is not a list of lists of numbers."), shown(node)));
  return parseValue(field, *text);
}

Result<Value> readByKind(const Field& field, const TreeNode& node) {
  switch (field.kind) {
    case FieldKind::Bool:
      return readBool(field, node);
    case FieldKind::Int:
      return readInteger(field, node);
    case FieldKind::Float:
      return readFloat(field, node);
    case FieldKind::IntOrName:
      if (const auto number = plainInteger(node)) return Value(*number);
      return readText(field, node);
    case FieldKind::IntOrList:
      return node.kind == TreeNode::Kind::Scalar && !plainRepeat(node) ? readInteger(field, node)
                                                                       : readIndices(field, node);
    case FieldKind::Indices:
      return readIndices(field, node);
    case FieldKind::Numbers:
      return readNumbers(field, node);
    case FieldKind::Lists:
      return readLists(field, node);
    case FieldKind::Choice:
    case FieldKind::Text:
    case FieldKind::Records:  // records.h reads them
      break;
  }
  return readText(field, node);
}

/// A word that no YAML reader takes for a number, a date, a flag, null or syntax.
bool isPlainWord(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto inside = [&](char c) {
    return letter(c) || (c >= '0' && c <= '9') || std::string_view("-+./").find(c) != std::string_view::npos;
  };
  if (text.empty() || !letter(text.front()) || !std::ranges::all_of(text, inside)) return false;
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  constexpr std::array<std::string_view, 9> kReserved = {"true", "false", "yes", "no", "on", "off", "null", "y", "n"};
  return std::ranges::find(kReserved, lower) == kReserved.end();
}

template <class T, class Write>
std::string writeList(const SharedList<T>& list, Write write) {
  std::string out = "[";
  std::size_t line = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0) out += out.size() - line > kLineWidth ? ",\n    " : ", ";
    if (i > 0 && out.ends_with("\n    ")) line = out.size();
    out += write(list[i]);
  }
  return out + "]";
}

/// Many items, all of them equal.
bool isRepeated(const IndexList& list) {
  constexpr std::size_t kShortest = 8;
  return list.size() >= kShortest && list.facts().least == list.facts().greatest;
}

std::string writeIndices(const IndexList& list) {
  if (isRun(list)) return "{range: [" + std::to_string(list.front()) + ", " + std::to_string(list.back() + 1) + "]}";
  if (isRepeated(list)) return std::to_string(list.size()) + " x " + std::to_string(list.front());
  return writeList(list, [](std::int64_t item) { return std::to_string(item); });
}

}  // namespace

Result<Value> readValue(const Field& field, const TreeNode& node) {
  if (node.kind == TreeNode::Kind::Null)
    return problem(field, worded("spec", "the key has no value."), worded("spec", "write one or remove the key"));
  Result<Value> value = readByKind(field, node);
  if (!value) return value;
  if (auto error = checkValue(field, *value)) return *error;
  return value;
}

bool isRun(const IndexList& list) {
  constexpr std::size_t kShortest = 3;
  return list.size() >= kShortest && list.facts().is_run;
}

std::string writeText(std::string_view text) {
  if (isPlainWord(text)) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20 || byte == 0x7F) {
      std::array<char, 8> escape{};
      (void)std::snprintf(escape.data(), escape.size(), "\\x%02X", byte);
      out += escape.data();
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string writeFloat(double number) {
  std::string text = valueText(Value(number));
  const std::size_t exponent = text.find('e');
  if (exponent != std::string::npos && text.find('.') == std::string::npos) text.insert(exponent, ".0");
  return text;
}

std::string writeRecord(const Field& records, const Record& record) {
  std::vector<std::string> entries;
  for (const Field& item : records.items) {
    const Value* value = record.find(item.path);
    if (value != nullptr && (item.required || *value != item.fallback))
      entries.push_back(item.path + ": " + writeValue(item, *value));
  }
  return "{" + join(entries, ", ") + "}";
}

std::string writeValue(const Field& field, const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value); text != nullptr && field.kind == FieldKind::Lists)
    return text->empty() ? "[]" : *text;
  const auto* list = std::get_if<RecordList>(&value);
  if (list == nullptr) return writeValue(value);
  std::vector<std::string> records;
  for (const Record& record : *list) records.push_back(writeRecord(field, record));
  return "[" + join(records, ", ") + "]";
}

std::string writeValue(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return writeText(*text);
  if (const auto* number = std::get_if<double>(&value)) return writeFloat(*number);
  if (const auto* list = std::get_if<IndexList>(&value)) return writeIndices(*list);
  if (const auto* list = std::get_if<NumberList>(&value)) return writeList(*list, writeFloat);
  return valueText(value);
}

}  // namespace shardlens::yaml
