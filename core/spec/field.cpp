// SPDX-License-Identifier: Apache-2.0
#include "core/spec/field.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/spec/field_problem.h"
#include "core/spec/number_lists.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace shardlens {
namespace {

constexpr std::size_t kShownItems = 6;

std::string withoutSpaces(std::string_view text) {
  constexpr std::array<std::string_view, 2> kThinSpaces = {"\u202f", "\u2009"};  // ours, and the one that breaks
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto thin =
        std::ranges::find_if(kThinSpaces, [&](std::string_view s) { return text.substr(i).starts_with(s); });
    if (thin != kThinSpaces.end()) {
      i += thin->size() - 1;
    } else if (text[i] != ' ' && text[i] != '_') {
      out += text[i];
    }
  }
  return out;
}

std::optional<std::int64_t> wholeNumber(std::string_view text) {
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

constexpr std::string_view kBetween = " \t\r\n\v\f[],";

/// The next item of "[a, b c]" from `at` on, which is then behind it; empty behind the last one.
std::string_view nextItem(std::string_view text, std::size_t& at) {
  const std::size_t begin = std::min(text.find_first_not_of(kBetween, at), text.size());
  at = std::min(text.find_first_of(kBetween, begin), text.size());
  return text.substr(begin, at - begin);
}

/// The same, and "64 x 1000" is one item.
std::string_view nextIndexItem(std::string_view text, std::size_t& at) {
  const std::string_view first = nextItem(text, at);
  std::size_t behind = at;
  const std::string_view second = nextItem(text, behind);
  const auto between = text.substr(at, static_cast<std::size_t>(second.data() - text.data()) - at);
  if (second != "x" || between.find(',') != std::string_view::npos) return first;
  const std::string_view third = nextItem(text, behind);
  at = behind;
  return {first.data(), static_cast<std::size_t>(third.data() + third.size() - first.data())};
}

std::optional<double> realNumber(std::string_view text) {
  const std::string digits = withoutSpaces(text);
  double number = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (status != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

/// Says how far a list is that has so many items, now and then; false when it is not wanted any more.
bool isWanted(std::size_t items, double fraction, const Work& work) {
  constexpr std::size_t kItemsAtOnce = 1 << 16;
  if (items % kItemsAtOnce != 0) return true;
  work.progress(fraction);
  return !work.stopped();
}

Result<Value> parseNumberList(const Field& field, const std::string& text, const Work& work) {
  if (isChoice(field, text)) return Value(text);
  std::vector<double> list;
  std::size_t at = 0;
  for (auto item = nextItem(text, at); !item.empty(); item = nextItem(text, at)) {
    const auto number = realNumber(item);
    if (!number) return problem(field, filled(worded("spec", "'%1' is not a number."), std::string(item)));
    list.push_back(*number);
    const double read = static_cast<double>(at) / static_cast<double>(text.size());
    if (!isWanted(list.size(), read, work)) return cancelled();
  }
  return Value(NumberList(std::move(list)));
}

/// first .. last, both of them in the list.
struct Range {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// "7" or "1..3".
std::optional<Range> rangeIn(std::string_view item) {
  const std::size_t dots = item.find("..");
  const auto first = wholeNumber(item.substr(0, dots));
  const auto last = dots == std::string_view::npos ? first : wholeNumber(item.substr(dots + 2));
  return first && last ? std::optional(Range{*first, *last}) : std::nullopt;
}

/// Adds the range, which is what the text says between these two fractions; false when it is not wanted any more.
bool append(std::vector<std::int64_t>& list, const Range& range, double from, double to, const Work& work) {
  const auto count = static_cast<std::size_t>(range.last - range.first) + 1;
  if (count > list.size()) list.reserve(list.size() + count);
  for (std::size_t i = 0; i < count; ++i) {
    list.push_back(range.first + static_cast<std::int64_t>(i));
    const double done = static_cast<double>(i) / static_cast<double>(count);
    if (!isWanted(list.size(), from + done * (to - from), work)) return false;
  }
  return true;
}

/// Adds the repeated item; false when it is not wanted any more.
bool append(std::vector<std::int64_t>& list, const RepeatedIndex& repeated, double at, const Work& work) {
  for (std::int64_t i = 0; i < repeated.count; ++i) {
    list.push_back(repeated.index);
    if (!isWanted(list.size(), at, work)) return false;
  }
  return true;
}

Result<Value> parseIndexList(const Field& field, const std::string& text, const Work& work) {
  constexpr std::uint64_t kLongest = 100'000'000;
  const auto part = [&](std::size_t at) { return static_cast<double>(at) / static_cast<double>(text.size()); };
  const auto too_long = [&field](const std::string& sentence, const std::string& item) {
    return problem(field, filled(sentence, item, grouped(static_cast<std::int64_t>(kLongest))));
  };
  std::vector<std::int64_t> list;
  std::size_t at = 0;
  for (auto item = nextIndexItem(text, at); !item.empty(); item = nextIndexItem(text, at)) {
    const std::string shown = "'" + std::string(item) + "'";
    if (const auto repeated = repeatedIndex(item)) {
      if (static_cast<std::uint64_t>(repeated->count) >= kLongest - list.size())
        return too_long(worded("spec", "with %1 the list is longer than %2 items."), shown);
      if (!append(list, *repeated, part(at), work)) return cancelled();
      continue;
    }
    const auto range = rangeIn(item);
    if (!range)
      return problem(
          field,
          filled(worded("spec", "%1 is not a whole number, a range such as 0..9 or a repetition such as 64 x 1000."),
                 shown));
    if (range->last < range->first) continue;
    const std::uint64_t steps = static_cast<std::uint64_t>(range->last) - static_cast<std::uint64_t>(range->first);
    if (steps >= kLongest) return too_long(worded("spec", "%1 is longer than %2 items."), shown);
    if (steps >= kLongest - list.size()) {
      return too_long(worded("spec", "with %1 the list is longer than %2 items."), shown);
    }
    if (!append(list, *range, part(at - item.size()), part(at), work)) return cancelled();
  }
  return Value(IndexList(std::move(list)));
}

Result<Value> parseInt(const Field& field, const std::string& text) {
  if (const auto number = wholeNumber(text)) return Value(*number);
  if (text.empty()) return problem(field, worded("spec", "Enter a whole number."));
  return isDigits(text) ? tooLarge(field, text)
                        : problem(field, filled(worded("spec", "'%1' is not a whole number."), text));
}

/// Whether the text can only be meant as a list: "2, 1", "[2]", "4 x 8".
bool looksLikeList(std::string_view text) {
  return text.find_first_of("[,x") != std::string_view::npos || text.find("..") != std::string_view::npos;
}

Result<Value> parseBool(const Field& field, const std::string& text) {
  for (const char* yes : {"true", "on", "yes", "called"}) {
    if (text == yes) return Value(true);
  }
  for (const char* no : {"false", "off", "no", "forgotten"}) {
    if (text == no) return Value(false);
  }
  return problem(field, filled(worded("spec", "'%1' is neither true nor false."), text));
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

std::optional<RepeatedIndex> repeatedIndex(std::string_view text) {
  const std::size_t times = text.find('x');
  if (times == std::string_view::npos) return std::nullopt;
  const auto count = wholeNumber(text.substr(0, times));
  const auto index = wholeNumber(text.substr(times + 1));
  if (!count || !index || *count < 1) return std::nullopt;
  return RepeatedIndex{*count, *index};
}

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

Field seedField(std::string path, std::int64_t fallback, std::int64_t min, std::int64_t max, std::string help) {
  Field field = intField(std::move(path), fallback, min, max, "", std::move(help));
  field.is_seed = true;
  return field;
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

Field seedOrNameField(std::string path, std::string name, std::int64_t min, std::int64_t max, std::string help) {
  Field field = intOrNameField(std::move(path), std::move(name), min, max, "", std::move(help));
  field.is_seed = true;
  return field;
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

Result<Value> parseValue(const Field& field, const std::string& text, const Work& work) {
  Result<Value> parsed = Value(text);
  switch (field.kind) {
    case FieldKind::Bool:
      parsed = parseBool(field, text);
      break;
    case FieldKind::IntOrName:
      if (isChoice(field, text)) break;
      if (const auto number = wholeNumber(text)) parsed = Value(*number);  // else the text is checked as a name
      break;
    case FieldKind::Int:
      parsed = parseInt(field, text);
      break;
    case FieldKind::IntOrList:
      parsed = looksLikeList(text) ? parseIndexList(field, text, work) : parseInt(field, text);
      break;
    case FieldKind::Float:
      if (const auto number = realNumber(text)) {
        parsed = Value(*number);
      } else {
        return problem(field, filled(worded("spec", "'%1' is not a number."), text));
      }
      break;
    case FieldKind::Numbers:
      parsed = parseNumberList(field, text, work);
      break;
    case FieldKind::Indices:
      parsed = parseIndexList(field, text, work);
      break;
    case FieldKind::Lists: {
      const auto lists = parseNumberLists(text);
      if (!lists) return problem(field, lists.error().message, lists.error().hint);
      parsed = Value(textOf(*lists));
      break;
    }
    case FieldKind::Records:
      return problem(field, worded("spec", "a list of entries cannot be typed on one line."),
                     worded("spec", "edit its entries"));
    case FieldKind::Choice:
    case FieldKind::Text:
      break;
  }
  if (!parsed) return parsed;
  if (auto error = checkValue(field, *parsed)) return *error;
  return parsed;
}

namespace {

constexpr auto kLowest = std::numeric_limits<std::int64_t>::min();
constexpr auto kHighest = std::numeric_limits<std::int64_t>::max();

std::string limitsText(const Field& field) {
  if (field.min == kLowest && field.max == kHighest) return worded("spec", "a whole number that fits into 64 bits");
  if (field.max == kHighest) return filled(worded("spec", "at least %1"), std::to_string(field.min));
  return filled(worded("spec", "from %1 to %2"), std::to_string(field.min), std::to_string(field.max));
}

bool inRange(const Field& field, std::int64_t number) {
  return number >= field.min && number <= field.max;
}

/// The limits of a field without any are those of whole numbers; numbers with a fraction reach further.
bool inRange(const Field& field, double number) {
  const bool high_enough = field.min == kLowest || number >= static_cast<double>(field.min);
  const bool low_enough = field.max == kHighest || number <= static_cast<double>(field.max);
  return std::isfinite(number) && high_enough && low_enough;
}

std::string numberLimitsText(const Field& field) {
  return field.min == kLowest && field.max == kHighest ? worded("spec", "a finite number") : limitsText(field);
}

/// "2.6": a release, which no other one is a misspelling of.
bool isRelease(const std::string& text) {
  return text.find('.') != std::string::npos && text.find_first_not_of("0123456789.") == std::string::npos;
}

/// The choice that was probably meant. global_rank is another word for rank, and never a misspelling of local_rank,
/// which is the usual bug.
std::string meantBy(std::string text, const std::vector<std::string>& choices) {
  constexpr std::string_view kGlobalRank = "global_rank";
  if (const std::size_t at = text.find(kGlobalRank); at != std::string::npos)
    text.replace(at, kGlobalRank.size(), "rank");
  std::vector<std::string> candidates = choices;
  if (text.find("loc") == std::string::npos)
    std::erase_if(candidates, [](const std::string& choice) { return choice.find("local") != std::string::npos; });
  return nearest(text, candidates);
}

Error notAChoice(const Field& field, const std::string& text) {
  if (field.kind == FieldKind::IntOrName && isDigits(text)) return tooLarge(field, text);
  const std::string choices = join(field.choices, ", ");
  std::string message = field.kind == FieldKind::IntOrName
                            ? filled(worded("spec", "'%1' is neither a whole number nor %2."), text, choices)
                            : filled(worded("spec", "'%1' is not one of %2."), text, choices);
  if (std::ranges::all_of(field.choices, isRelease))
    return problem(field, std::move(message),
                   worded("spec", "name one of these releases: none can stand in for another"));
  const std::string near = meantBy(text, field.choices);
  return problem(field, std::move(message), near.empty() ? "" : filled(worded("spec", "did you mean %1?"), near));
}

Error wrongKind(const Field& field, const Value& value, const std::string& wanted) {
  return problem(field, filled(worded("spec", "%1 is not %2."), valueText(value), wanted));
}

std::optional<Error> checkInt(const Field& field, const Value& value) {
  const auto* number = std::get_if<std::int64_t>(&value);
  if (number == nullptr) return wrongKind(field, value, worded("spec", "a whole number"));
  if (!inRange(field, *number)) {
    return problem(field, filled(worded("spec", "%1 is out of range: it must be %2."), std::to_string(*number),
                                 limitsText(field)));
  }
  return std::nullopt;
}

std::optional<Error> checkFloat(const Field& field, const Value& value) {
  const auto* number = std::get_if<double>(&value);
  if (number == nullptr) return wrongKind(field, value, worded("spec", "a number"));
  if (!inRange(field, *number)) {
    return problem(
        field, filled(worded("spec", "%1 is out of range: it must be %2."), valueText(value), numberLimitsText(field)));
  }
  return std::nullopt;
}

std::optional<Error> checkChoice(const Field& field, const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return wrongKind(field, value, filled(worded("spec", "one of %1"), join(field.choices, ", ")));
  if (!isChoice(field, *text)) return notAChoice(field, *text);
  return std::nullopt;
}

std::optional<Error> checkIndexList(const Field& field, const Value& value) {
  const auto* list = std::get_if<IndexList>(&value);
  if (list == nullptr) return wrongKind(field, value, worded("spec", "a list of whole numbers"));
  const auto& facts = list->facts();
  if (list->empty() || (inRange(field, facts.least) && inRange(field, facts.greatest))) return std::nullopt;
  const auto bad = std::find_if(list->begin(), list->end(), [&](std::int64_t item) { return !inRange(field, item); });
  return problem(field, filled(worded("spec", "item %1 is %2: each must be %3."), std::to_string(bad - list->begin()),
                               std::to_string(*bad), limitsText(field)));
}

std::optional<Error> checkIntOrList(const Field& field, const Value& value) {
  const auto* list = std::get_if<IndexList>(&value);
  if (list == nullptr) return checkInt(field, value);
  if (!list->empty()) return checkIndexList(field, value);
  return problem(field, worded("spec", "the list is empty."),
                 worded("spec", "write a whole number, or a list with at least one"));
}

std::optional<Error> checkNumberList(const Field& field, const Value& value) {
  const auto* list = std::get_if<NumberList>(&value);
  if (list == nullptr) return wrongKind(field, value, worded("spec", "a list of numbers"));
  const auto& facts = list->facts();
  if (list->empty() || (facts.is_finite && inRange(field, facts.least) && inRange(field, facts.greatest))) {
    return std::nullopt;
  }
  const auto bad = std::find_if(list->begin(), list->end(), [&](double item) { return !inRange(field, item); });
  return problem(field, filled(worded("spec", "item %1 is %2: each must be %3."), std::to_string(bad - list->begin()),
                               valueText(*bad), numberLimitsText(field)));
}

std::optional<Error> checkLists(const Field& field, const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return wrongKind(field, value, worded("spec", "a list of lists of numbers"));
  const auto read = parseNumberLists(*text);
  if (!read) return problem(field, read.error().message, read.error().hint);
  for (const std::vector<double>& list : read->lists) {
    const auto bad = std::ranges::find_if_not(list, [&](double number) { return inRange(field, number); });
    if (bad != list.end())
      return problem(field, filled(worded("spec", "%1 is out of range: it must be %2."), valueText(*bad),
                                   numberLimitsText(field)));
  }
  return std::nullopt;
}

std::string recordName(const Field& field, std::size_t index) {
  return field.path + "[" + std::to_string(index) + "]";
}

Error inRecord(const std::string& path, std::string message, std::string hint) {
  return Error{ErrorCode::BadInput, std::move(message), Place{{}, 0, 0, path}, std::move(hint)};
}

std::vector<std::string> keysOf(const Field& field) {
  std::vector<std::string> keys;
  for (const Field& item : field.items) keys.push_back(item.path);
  return keys;
}

void checkRecord(const Field& field, std::size_t index, const Record& record, Issues& issues) {
  const std::string name = recordName(field, index);
  const std::vector<std::string> keys = keysOf(field);
  for (const auto& [key, value] : record.values) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) issues.push_back(unknownKey(field, index, key));
  }
  for (const Field& item : field.items) {
    const Value* value = record.find(item.path);
    if (value != nullptr) {
      for (Error& error : problemsOf(itemField(field, index, item), *value)) issues.push_back(std::move(error));
    } else if (item.required) {
      issues.push_back(inRecord(name, filled(worded("spec", "the entry has no '%1'."), item.path),
                                filled(worded("spec", "add %1: ..."), item.path)));
    }
  }
}

Issues checkRecords(const Field& field, const Value& value) {
  const auto* list = std::get_if<RecordList>(&value);
  if (list == nullptr) return {wrongKind(field, value, worded("spec", "a list of entries"))};
  Issues issues;
  if (static_cast<std::int64_t>(list->size()) > kMostRecords) {
    issues.push_back(problem(field, filled(worded("spec", "there are %1 entries; at most %2 are allowed."),
                                           grouped(static_cast<std::int64_t>(list->size())), grouped(kMostRecords))));
  }
  for (std::size_t i = 0; i < list->size(); ++i) checkRecord(field, i, (*list)[i], issues);
  return issues;
}

std::optional<Error> checkPlain(const Field& field, const Value& value) {
  switch (field.kind) {
    case FieldKind::Bool:
      return std::holds_alternative<bool>(value)
                 ? std::nullopt
                 : std::optional(wrongKind(field, value, worded("spec", "true or false")));
    case FieldKind::Int:
      return checkInt(field, value);
    case FieldKind::Float:
      return checkFloat(field, value);
    case FieldKind::Choice:
      return checkChoice(field, value);
    case FieldKind::IntOrName:
      return std::holds_alternative<std::string>(value) ? checkChoice(field, value) : checkInt(field, value);
    case FieldKind::IntOrList:
      return checkIntOrList(field, value);
    case FieldKind::Indices:
      return checkIndexList(field, value);
    case FieldKind::Numbers:
      return std::holds_alternative<std::string>(value) ? checkChoice(field, value) : checkNumberList(field, value);
    case FieldKind::Lists:
      return checkLists(field, value);
    case FieldKind::Text:
    case FieldKind::Records:  // checked record by record
      break;
  }
  return std::holds_alternative<std::string>(value) ? std::nullopt
                                                    : std::optional(wrongKind(field, value, worded("spec", "text")));
}

/// What torch.manual_seed does with a seed beyond 2^63: it takes the bits of up to 64, and raises beyond.
std::string seedHint(const std::string& digits) {
  std::uint64_t bits = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
  if (status != std::errc{} || end != digits.data() + digits.size())
    return worded("spec", "torch refuses it, too: its seeds go from -9223372036854775808 to 18446744073709551615");
  return filled(worded("spec", "torch takes it as %1: write that instead"),
                std::to_string(static_cast<std::int64_t>(bits)));
}

}  // namespace

Error tooLarge(const Field& field, const std::string& digits) {
  const bool is_negative = digits.starts_with('-');
  const bool is_free = field.min == kLowest && field.max == kHighest;
  return problem(field,
                 filled(is_negative ? worded("spec", "%1 is too small: it must be from %2 to %3.")
                                    : worded("spec", "%1 is too large: it must be from %2 to %3."),
                        digits, std::to_string(field.min), std::to_string(field.max)),
                 field.is_seed && is_free ? seedHint(digits) : "");
}

Field itemField(const Field& records, std::size_t index, const Field& item) {
  Field field = item;
  field.path = recordName(records, index) + "." + item.path;
  return field;
}

Error unknownKey(const Field& records, std::size_t index, const std::string& key) {
  const std::vector<std::string> keys = keysOf(records);
  const std::string near = key.size() > 64 ? "" : nearest(key, keys);
  return inRecord(recordName(records, index) + "." + key,
                  filled(worded("spec", "there is no key '%1' in an entry of %2."), key, records.path),
                  near.empty() ? filled(worded("spec", "known are %1"), join(keys, ", "))
                               : filled(worded("spec", "did you mean %1?"), near));
}

std::optional<RecordPath> recordPath(const std::string& path) {
  const std::size_t open = path.find('[');
  const std::size_t close = path.find("].", open);
  if (open == std::string::npos || close == std::string::npos) return std::nullopt;
  std::size_t index = 0;
  const char* const last = path.data() + close;
  const auto [end, status] = std::from_chars(path.data() + open + 1, last, index);
  if (status != std::errc{} || end != last) return std::nullopt;
  return RecordPath{path.substr(0, open), index, path.substr(close + 2)};
}

Issues problemsOf(const Field& field, const Value& value) {
  if (field.kind == FieldKind::Records) return checkRecords(field, value);
  const auto error = checkPlain(field, value);
  return error ? Issues{*error} : Issues();
}

std::optional<Error> checkValue(const Field& field, const Value& value) {
  Issues problems = problemsOf(field, value);
  return problems.empty() ? std::nullopt : std::optional(std::move(problems.front()));
}

}  // namespace shardlens
