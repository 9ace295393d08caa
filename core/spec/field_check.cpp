// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/spec/field.h"
#include "core/spec/field_problem.h"
#include "core/spec/number_lists.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

namespace shardlens {
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
