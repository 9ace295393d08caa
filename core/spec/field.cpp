// SPDX-License-Identifier: Apache-2.0
#include "core/spec/field.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <sstream>

namespace shardlens {
namespace {

constexpr std::size_t kShownItems = 6;

std::string limitsText(const Field& field) {
  constexpr auto kLowest = std::numeric_limits<std::int64_t>::min();
  constexpr auto kHighest = std::numeric_limits<std::int64_t>::max();
  if (field.min == kLowest && field.max == kHighest) return "a whole number of 64 bits";
  if (field.max == kHighest) return "at least " + std::to_string(field.min);
  return "from " + std::to_string(field.min) + " to " + std::to_string(field.max);
}

Error problem(const Field& field, std::string message, std::string hint = {}) {
  return Error{ErrorCode::BadInput, std::move(message), Place{{}, 0, 0, field.path}, std::move(hint)};
}

bool inRange(const Field& field, std::int64_t number) {
  return number >= field.min && number <= field.max;
}

bool inRange(const Field& field, double number) {
  return std::isfinite(number) && number >= static_cast<double>(field.min) && number <= static_cast<double>(field.max);
}

bool isChoice(const Field& field, const std::string& text) {
  return std::find(field.choices.begin(), field.choices.end(), text) != field.choices.end();
}

Error notAChoice(const Field& field, const std::string& text) {
  const std::string near = nearest(text, field.choices);
  return problem(field, "'" + text + "' is not one of " + join(field.choices, ", ") + ".",
                 near.empty() ? "" : "did you mean " + near + "?");
}

Error wrongKind(const Field& field, const Value& value, const std::string& wanted) {
  return problem(field, valueText(value) + " is not " + wanted + ".");
}

std::optional<Error> checkInt(const Field& field, const Value& value) {
  const auto* number = std::get_if<std::int64_t>(&value);
  if (number == nullptr) return wrongKind(field, value, "a whole number");
  if (!inRange(field, *number)) {
    return problem(field, std::to_string(*number) + " is out of range: it must be " + limitsText(field) + ".");
  }
  return std::nullopt;
}

std::optional<Error> checkFloat(const Field& field, const Value& value) {
  const auto* number = std::get_if<double>(&value);
  if (number == nullptr) return wrongKind(field, value, "a number");
  if (!inRange(field, *number)) {
    return problem(field, valueText(value) + " is out of range: it must be " + limitsText(field) + ".");
  }
  return std::nullopt;
}

std::optional<Error> checkChoice(const Field& field, const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return wrongKind(field, value, "one of " + join(field.choices, ", "));
  if (!isChoice(field, *text)) return notAChoice(field, *text);
  return std::nullopt;
}

std::optional<Error> checkIndexList(const Field& field, const Value& value) {
  const auto* list = std::get_if<IndexList>(&value);
  if (list == nullptr) return wrongKind(field, value, "a list of whole numbers");
  const auto& facts = list->facts();
  if (list->empty() || (inRange(field, facts.least) && inRange(field, facts.greatest))) return std::nullopt;
  const auto bad = std::find_if(list->begin(), list->end(), [&](std::int64_t item) { return !inRange(field, item); });
  return problem(field, "item " + std::to_string(bad - list->begin()) + " is " + std::to_string(*bad) +
                            ": each must be " + limitsText(field) + ".");
}

std::optional<Error> checkNumberList(const Field& field, const Value& value) {
  const auto* list = std::get_if<NumberList>(&value);
  if (list == nullptr) return wrongKind(field, value, "a list of numbers");
  const auto& facts = list->facts();
  if (list->empty() || (facts.is_finite && inRange(field, facts.least) && inRange(field, facts.greatest))) {
    return std::nullopt;
  }
  const auto bad = std::find_if(list->begin(), list->end(), [&](double item) { return !inRange(field, item); });
  return problem(field, "item " + std::to_string(bad - list->begin()) + " is " + valueText(*bad) + ": each must be " +
                            limitsText(field) + ".");
}

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

/// "[0, 1, 2, ... 9 items]".
template <class T>
std::string listText(const SharedList<T>& list) {
  std::string out = "[";
  for (std::size_t i = 0; i < std::min(list.size(), kShownItems); ++i) out += (i > 0 ? ", " : "") + valueText(list[i]);
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

std::optional<Error> checkValue(const Field& field, const Value& value) {
  switch (field.kind) {
    case FieldKind::Bool:
      return std::holds_alternative<bool>(value) ? std::nullopt
                                                 : std::optional(wrongKind(field, value, "true or false"));
    case FieldKind::Int:
      return checkInt(field, value);
    case FieldKind::Float:
      return checkFloat(field, value);
    case FieldKind::Choice:
      return checkChoice(field, value);
    case FieldKind::Text:
      return std::holds_alternative<std::string>(value) ? std::nullopt
                                                        : std::optional(wrongKind(field, value, "a text"));
    case FieldKind::IntOrName:
      return std::holds_alternative<std::string>(value) ? checkChoice(field, value) : checkInt(field, value);
    case FieldKind::Indices:
      return checkIndexList(field, value);
    case FieldKind::Numbers:
      return std::holds_alternative<std::string>(value) ? checkChoice(field, value) : checkNumberList(field, value);
  }
  return std::nullopt;
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
      } else {
        return field.kind == FieldKind::Int ? problem(field, "'" + text + "' is not a whole number.")
                                            : notAChoice(field, text);
      }
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
    case FieldKind::Choice:
    case FieldKind::Text:
      break;
  }
  if (!parsed) return parsed;
  if (auto error = checkValue(field, *parsed)) return *error;
  return parsed;
}

}  // namespace shardlens
