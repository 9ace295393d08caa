// SPDX-License-Identifier: Apache-2.0
#include "core/lists/list_reading.h"

#include "core/base/phrase.h"
#include "core/base/text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

namespace shardlens::lists {
namespace {

bool endsWith(std::string_view name, std::string_view ending) {
  if (name.size() < ending.size()) return false;
  return std::ranges::equal(name.substr(name.size() - ending.size()), ending,
                            [](unsigned char a, unsigned char b) { return std::tolower(a) == b; });
}

/// Puts the columns, if any, beside what the sink has.
ListReading withColumns(ListReading reading, CsvColumns columns) {
  reading.columns = std::move(columns.names);
  reading.column = columns.read;
  return reading;
}

constexpr std::int64_t kItemsBetween = 1 << 14;
constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
constexpr auto kGreatest = std::numeric_limits<std::int64_t>::max();

template <class Number>
std::optional<Number> numberIn(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  Number number{};
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// A float that is a whole number of 64 bits: 1e6, 12.0.
std::optional<std::int64_t> wholeOf(double real) {
  constexpr double kExact = 9007199254740992.0;
  if (!(std::abs(real) <= kExact) || real != std::floor(real)) return std::nullopt;
  return static_cast<std::int64_t>(real);
}

std::optional<std::int64_t> wholeIn(std::string_view text) {
  if (const auto whole = numberIn<std::int64_t>(text)) return whole;
  const auto real = numberIn<double>(text);
  return real ? wholeOf(*real) : std::nullopt;
}

std::string boundsText(const ListRules& rules) {
  if (rules.min == kLeast && rules.max == kGreatest) return worded("list", "a number of 64 bits");
  if (rules.max == kGreatest) return filled(worded("list", "at least %1"), std::to_string(rules.min));
  return filled(worded("list", "from %1 to %2"), std::to_string(rules.min), std::to_string(rules.max));
}

}  // namespace

ListFormat formatOf(std::string_view file_name, std::string_view bytes) {
  if (bytes.starts_with("\x93NUMPY") || endsWith(file_name, ".npy")) return ListFormat::Npy;
  if (endsWith(file_name, ".csv") || endsWith(file_name, ".tsv")) return ListFormat::Csv;
  return endsWith(file_name, ".json") ? ListFormat::Json : ListFormat::Text;
}

Result<ListReading> readList(const ListRules& rules, std::string_view bytes, ListFormat format,
                             std::optional<std::size_t> column, const Work& work) {
  ItemSink sink(rules);
  CsvColumns columns;
  switch (format) {
    case ListFormat::Text:
      if (!readText(bytes, sink, work)) return cancelled();
      break;
    case ListFormat::Csv: {
      auto read = readCsv(bytes, column, sink, work);
      if (!read) return read.error();
      columns = *std::move(read);
      break;
    }
    case ListFormat::Npy:
      if (auto read = readNpy(bytes, sink, work); !read) return read.error();
      break;
    case ListFormat::Json:
      if (auto read = readJson(bytes, sink, work); !read) return read.error();
      break;
  }
  if (work.stopped()) return cancelled();
  return withColumns(sink.finish(), std::move(columns));
}

ListRules rulesOf(const Field& field) {
  return {.whole = field.kind == FieldKind::Indices, .min = field.min, .max = field.max, .count = {}};
}

std::string ItemPlace::text() const {
  return filled(is_line ? worded("list", "line %1") : worded("list", "item %1"), grouped(number));
}

bool isNumber(std::string_view text) {
  return numberIn<double>(text).has_value();
}

std::string shownItem(std::string_view text) {
  constexpr std::size_t kShown = 24;
  const std::string_view shown = text.substr(0, kShown);
  return "'" + std::string(shown.substr(0, utf8Prefix(shown))) + (text.size() > kShown ? "…'" : "'");
}

void ItemSink::refuse(std::string message, const ItemPlace& place) {
  ++reading_.fault_count;
  if (reading_.faults.size() >= kMostFaults) return;
  const auto line = place.is_line ? std::optional(place.number) : std::nullopt;
  reading_.faults.push_back({place.text(), std::move(message), line});
}

bool ItemSink::hasRoom(std::int64_t more, const ItemPlace& place) {
  if (full_ || more > kMostItems - size()) {
    if (!full_) refuse(filled(worded("list", "The list is longer than %1 items."), grouped(kMostItems)), place);
    full_ = true;
  }
  return !full_;
}

void ItemSink::take(std::int64_t item, const ItemPlace& place) {
  if (!rules_.whole) return take(static_cast<double>(item), place);
  if (item < rules_.min || item > rules_.max) {
    return refuse(
        filled(worded("list", "%1 is out of range: it must be %2."), std::to_string(item), boundsText(rules_)), place);
  }
  if (hasRoom(1, place)) whole_.push_back(item);
}

void ItemSink::take(double item, const ItemPlace& place) {
  if (rules_.whole) {
    const auto whole = wholeOf(item);
    return whole ? take(*whole, place)
                 : refuse(filled(worded("list", "%1 is not a whole number."), valueText(item)), place);
  }
  if (!std::isfinite(item)) return refuse(filled(worded("list", "%1 is not a finite number."), valueText(item)), place);
  const bool low = rules_.min != kLeast && item < static_cast<double>(rules_.min);
  const bool high = rules_.max != kGreatest && item > static_cast<double>(rules_.max);
  if (low || high)
    return refuse(filled(worded("list", "%1 is out of range: it must be %2."), valueText(item), boundsText(rules_)),
                  place);
  if (hasRoom(1, place)) real_.push_back(item);
}

/// Both ends are in the list. What lies outside of the bounds is one fault.
bool ItemSink::takeRange(std::int64_t first, std::int64_t last, const ItemPlace& place, const Work& work) {
  if (last < first) return true;
  if (first < rules_.min || last > rules_.max) {
    refuse(filled(worded("list", "%1 is out of range: it must be %2."),
                  std::to_string(first) + ".." + std::to_string(last), boundsText(rules_)),
           place);
    return true;
  }
  const auto steps = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
  if (steps >= static_cast<std::uint64_t>(kMostItems)) return hasRoom(kMostItems + 1, place);
  const auto count = static_cast<std::int64_t>(steps) + 1;
  if (!hasRoom(count, place)) return false;
  if (count > size()) expect(size() + count);  // not for each of many short ones
  for (std::int64_t i = 0; i < count; ++i) {
    whole_.push_back(first + i);
    if (i % kItemsBetweenLooks == 0 && work.stopped()) return false;
  }
  return true;
}

bool ItemSink::takeRepeated(const RepeatedIndex& repeated, const ItemPlace& place, const Work& work) {
  const std::int64_t room = kMostItems - size();
  if (repeated.index < rules_.min || repeated.index > rules_.max || repeated.count > room) {
    take(repeated.index, place);  // one fault for all of them
    return repeated.count <= room || hasRoom(repeated.count, place);
  }
  if (repeated.count > size()) expect(size() + repeated.count);
  for (std::int64_t i = 0; i < repeated.count; ++i) {
    whole_.push_back(repeated.index);
    if (i % kItemsBetweenLooks == 0 && work.stopped()) return false;
  }
  return true;
}

bool ItemSink::takeText(std::string_view item, const ItemPlace& place, const Work& work) {
  if (!rules_.whole) {
    const auto real = numberIn<double>(item);
    real ? take(*real, place) : refuse(filled(worded("list", "%1 is not a number."), shownItem(item)), place);
    return !full_;
  }
  if (const auto repeated = repeatedIndex(item)) return takeRepeated(*repeated, place, work);
  const std::size_t dots = item.find("..");
  const auto first = wholeIn(item.substr(0, dots));
  const auto last = dots == std::string_view::npos ? first : wholeIn(item.substr(dots + 2));
  if (!first || !last) {
    refuse(filled(worded("list", "%1 is not a whole number, a range such as 0..9 or a repetition such as 64 x 1000."),
                  shownItem(item)),
           place);
  } else if (dots == std::string_view::npos) {
    take(*first, place);
  } else if (!takeRange(*first, *last, place, work)) {
    return false;
  }
  return !full_;
}

void ItemSink::expect(std::int64_t items) {
  const auto count = static_cast<std::size_t>(std::min(items, kMostItems));
  rules_.whole ? whole_.reserve(count) : real_.reserve(count);
}

bool ItemSink::goesOn(double fraction, const Work& work) {
  if (++looks_ % kItemsBetween != 0) return true;
  work.progress(fraction);
  return !work.stopped();
}

ListReading ItemSink::finish() {
  reading_.count = size();
  if (rules_.count && reading_.fault_count == 0 && reading_.count != *rules_.count) {
    ++reading_.fault_count;
    reading_.faults.push_back({"", filled(worded("list", "There are %1, but the dataset has %2."),
                                          wordedCount(reading_.count, "item"), wordedCount(*rules_.count, "sample"))});
  }
  if (rules_.whole) {
    reading_.items = IndexList(std::move(whole_));
  } else {
    reading_.items = NumberList(std::move(real_));
  }
  return std::move(reading_);
}

}  // namespace shardlens::lists
