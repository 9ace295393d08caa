// SPDX-License-Identifier: Apache-2.0
#include "core/spec/field.h"

#include "core/base/text.h"
#include "core/spec/field_problem.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <sstream>

namespace shardlens {
namespace {

constexpr std::size_t kShownItems = 6;

std::string withoutSpaces(const std::string& text) {
  constexpr std::string_view kThinSpace = "\u2009";
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, kThinSpace.size(), kThinSpace) == 0) {
      i += kThinSpace.size() - 1;
    } else if (text[i] != ' ' && text[i] != '_') {
      out += text[i];
    }
  }
  return out;
}

std::optional<std::int64_t> wholeNumber(const std::string& text) {
  const std::string digits = withoutSpaces(text);
  std::int64_t number = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (status == std::errc{} && end == digits.data() + digits.size() && !digits.empty()) return number;
  double real = 0;  // 1e6 is a whole number to a person
  const auto [real_end, real_status] = std::from_chars(digits.data(), digits.data() + digits.size(), real);
  constexpr double kExact = 9007199254740992.0;
  if (real_status == std::errc{} && real_end == digits.data() + digits.size() && !digits.empty() &&
      real == std::floor(real) && std::abs(real) <= kExact) {
    return static_cast<std::int64_t>(real);
  }
  return std::nullopt;
}

/// The items of "[a, b c]".
std::istringstream itemsOf(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '[' || c == ']' || c == ','; }, ' ');
  return std::istringstream(std::move(text));
}

std::optional<double> realNumber(const std::string& text) {
  const std::string digits = withoutSpaces(text);
  double number = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (status != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

Result<Value> parseNumberList(const Field& field, const std::string& text) {
  if (isChoice(field, text)) return Value(text);
  std::vector<double> list;
  std::istringstream in = itemsOf(text);
  for (std::string item; in >> item;) {
    const auto number = realNumber(item);
    if (!number) return problem(field, "'" + item + "' is not a number.");
    list.push_back(*number);
  }
  return Value(NumberList(std::move(list)));
}

Result<Value> parseIndexList(const Field& field, const std::string& text) {
  std::vector<std::int64_t> list;
  std::istringstream in = itemsOf(text);
  for (std::string item; in >> item;) {
    const std::size_t dots = item.find("..");
    const auto first = wholeNumber(item.substr(0, dots));
    const auto last = dots == std::string::npos ? first : wholeNumber(item.substr(dots + 2));
    if (!first || !last) return problem(field, "'" + item + "' is not a whole number or a range such as 0..9.");
    constexpr std::int64_t kLongest = 100'000'000;
    if (*last - *first >= kLongest) return problem(field, "'" + item + "' is longer than 100 000 000 items.");
    for (std::int64_t i = *first; i <= *last; ++i) list.push_back(i);
  }
  return Value(IndexList(std::move(list)));
}

Result<Value> parseBool(const Field& field, const std::string& text) {
  for (const char* yes : {"true", "on", "yes", "called"}) {
    if (text == yes) return Value(true);
  }
  for (const char* no : {"false", "off", "no", "forgotten"}) {
    if (text == no) return Value(false);
  }
  return problem(field, "'" + text + "' is neither true nor false.");
}

std::string itemText(std::int64_t item) {
  return valueText(item);
}

std::string itemText(double item) {
  return valueText(item);
}

/// "{rank: 2, ms: 60}".
std::string itemText(const Record& record) {
  std::vector<std::string> parts;
  for (const auto& [key, value] : record.values) parts.push_back(key + ": " + valueText(value));
  return "{" + join(parts, ", ") + "}";
}

/// "[0, 1, 2, ... 9 items]".
template <class T>
std::string listText(const SharedList<T>& list) {
  std::string out = "[";
  for (std::size_t i = 0; i < std::min(list.size(), kShownItems); ++i) out += (i > 0 ? ", " : "") + itemText(list[i]);
  if (list.size() > kShownItems) out += ", ... " + std::to_string(list.size()) + " items";
  return out + "]";
}

}  // namespace

Field boolField(std::string path, bool fallback, std::string help) {
  return {.path = std::move(path), .kind = FieldKind::Bool, .fallback = fallback, .help = std::move(help)};
}

Field intField(std::string path, std::int64_t fallback, std::int64_t min, std::int64_t max, std::string unit,
               std::string help) {
  return {.path = std::move(path),
          .kind = FieldKind::Int,
          .fallback = fallback,
          .min = min,
          .max = max,
          .unit = std::move(unit),
          .help = std::move(help)};
}

Field choiceField(std::string path, std::string fallback, std::vector<std::string> choices, std::string help) {
  return {.path = std::move(path),
          .kind = FieldKind::Choice,
          .fallback = std::move(fallback),
          .choices = std::move(choices),
          .help = std::move(help)};
}

Field intOrNameField(std::string path, std::string name, std::int64_t min, std::int64_t max, std::string unit,
                     std::string help) {
  return {.path = std::move(path),
          .kind = FieldKind::IntOrName,
          .fallback = name,
          .min = min,
          .max = max,
          .choices = {name},
          .unit = std::move(unit),
          .help = std::move(help)};
}

std::string Field::key() const {
  return path.substr(path.rfind('.') + 1);
}

std::string Field::section() const {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? std::string() : path.substr(0, dot);
}

std::string valueText(const Value& value) {
  struct Visitor {
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(std::int64_t number) const { return std::to_string(number); }
    std::string operator()(double number) const {
      std::array<char, 32> text{};
      const auto [end, status] = std::to_chars(text.data(), text.data() + text.size(), number);
      return {text.data(), end};
    }
    std::string operator()(const std::string& text) const { return text; }
    std::string operator()(const IndexList& list) const { return listText(list); }
    std::string operator()(const NumberList& list) const { return listText(list); }
    std::string operator()(const RecordList& list) const { return listText(list); }
  };
  return std::visit(Visitor{}, value);
}

Result<Value> parseValue(const Field& field, const std::string& text) {
  Result<Value> parsed = Value(text);
  switch (field.kind) {
    case FieldKind::Bool:
      parsed = parseBool(field, text);
      break;
    case FieldKind::IntOrName:
      if (isChoice(field, text)) break;
      [[fallthrough]];
    case FieldKind::Int:
      if (const auto number = wholeNumber(text)) {
        parsed = Value(*number);
      } else if (field.kind == FieldKind::Int) {
        return problem(field, "'" + text + "' is not a whole number.");
      }  // else the text is checked as a name
      break;
    case FieldKind::Float:
      if (const auto number = realNumber(text)) {
        parsed = Value(*number);
      } else {
        return problem(field, "'" + text + "' is not a number.");
      }
      break;
    case FieldKind::Numbers:
      parsed = parseNumberList(field, text);
      break;
    case FieldKind::Indices:
      parsed = parseIndexList(field, text);
      break;
    case FieldKind::Records:
      return problem(field, "a list of entries cannot be typed on one line.", "edit its entries");
    case FieldKind::Choice:
    case FieldKind::Text:
      break;
  }
  if (!parsed) return parsed;
  if (auto error = checkValue(field, *parsed)) return *error;
  return parsed;
}

}  // namespace shardlens
