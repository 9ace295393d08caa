// SPDX-License-Identifier: Apache-2.0
#include "core/spec/number_lists.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/spec/field.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

namespace shardlens {
namespace {

constexpr double kMostWhole = 1e15;  ///< which a double has exactly

class ListsParser {
 public:
  explicit ListsParser(std::string_view text) : text_(text) {}

  std::optional<NumberLists> parse() {
    NumberLists out;
    if (peek() == '\0') return out;
    const bool has_brackets = startsNested() && take('[');
    while (peek() == '[') {
      auto list = readList(out.are_whole);
      if (!list) return std::nullopt;
      out.lists.push_back(*std::move(list));
      if (!take(',')) break;
      if (peek() != '[') return std::nullopt;
    }
    if (has_brackets && !take(']')) return std::nullopt;
    return peek() == '\0' ? std::optional(std::move(out)) : std::nullopt;
  }

 private:
  /// The next sign that is no space; 0 at the end.
  char peek() {
    at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
    return at_ == text_.size() ? '\0' : text_[at_];
  }

  bool take(char sign) {
    if (peek() != sign) return false;
    ++at_;
    return true;
  }

  /// Whether "[[" or "[]" comes: an outer list.
  bool startsNested() {
    const std::size_t before = at_;
    const bool is_nested = take('[') && (peek() == '[' || peek() == ']');
    at_ = before;
    return is_nested;
  }

  std::optional<std::vector<double>> readList(bool& are_whole) {
    std::vector<double> list;
    if (!take('[')) return std::nullopt;
    do {
      double number = 0;
      peek();
      const char* const begin = text_.data() + at_;
      const auto [end, status] = std::from_chars(begin, text_.data() + text_.size(), number);
      if (status != std::errc{} || !std::isfinite(number)) return std::nullopt;
      const std::string_view written(begin, static_cast<std::size_t>(end - begin));
      const bool is_whole = written.find_first_not_of("-0123456789") == std::string_view::npos;
      are_whole = are_whole && is_whole && std::abs(number) < kMostWhole;
      at_ += written.size();
      list.push_back(number);
    } while (take(','));
    return take(']') ? std::optional(std::move(list)) : std::nullopt;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// A number that every YAML reader takes for one that is not whole.
std::string realText(double number) {
  std::string text = valueText(number);
  if (text.find('.') == std::string::npos) text.insert(std::min(text.find('e'), text.size()), ".0");
  return text;
}

}  // namespace

Result<NumberLists> parseNumberLists(std::string_view text) {
  if (auto lists = ListsParser(text).parse()) return *std::move(lists);
  return Error{ErrorCode::BadInput,
               filled(worded("spec", "'%1' is not a list of lists of numbers."), std::string(text)),
               {},
               worded("spec", "write it as [[0, 1], [2, 3]]")};
}

std::string listText(const std::vector<double>& numbers, bool are_whole) {
  std::vector<std::string> items;
  for (const double number : numbers)
    items.push_back(are_whole ? std::to_string(static_cast<std::int64_t>(number)) : realText(number));
  return "[" + join(items, ", ") + "]";
}

std::string textOf(const NumberLists& lists) {
  std::vector<std::string> items;
  for (const std::vector<double>& list : lists.lists) items.push_back(listText(list, lists.are_whole));
  return items.empty() ? std::string() : "[" + join(items, ", ") + "]";
}

}  // namespace shardlens
