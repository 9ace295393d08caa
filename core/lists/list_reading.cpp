// SPDX-License-Identifier: Apache-2.0
#include "core/lists/list_reading.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/spec/field.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstring>
#include <utility>

namespace shardlens::lists {
namespace {

bool endsWith(std::string_view name, std::string_view ending) {
  if (name.size() < ending.size()) return false;
  return std::ranges::equal(name.substr(name.size() - ending.size()), ending,
                            [](unsigned char a, unsigned char b) { return std::tolower(a) == b; });
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

/// Where an item is: its line, counted from 1, or its place in the list, counted from 0.
struct ItemPlace {
  bool is_line = true;
  std::int64_t number = 1;
  [[nodiscard]] std::string text() const;
};

/// Takes items one by one, keeps those that the rules allow and says what is wrong with the others.
class ItemSink {
 public:
  explicit ItemSink(const ListRules& rules) : rules_(rules) {}

  void take(std::int64_t item, const ItemPlace& place);
  void take(double item, const ItemPlace& place);
  /// An item as text: "12", "1e3", "0.5"; of whole numbers also "0..7" and "64 x 1000". False when the list is full.
  bool takeText(std::string_view item, const ItemPlace& place, const Work& work);
  void refuse(std::string message, const ItemPlace& place);

  [[nodiscard]] std::int64_t size() const {
    return static_cast<std::int64_t>(rules_.whole ? whole_.size() : real_.size());
  }
  /// At most this many items are to come.
  void expect(std::int64_t items);
  [[nodiscard]] bool isFull() const { return full_; }
  /// Reports progress now and then; false when reading should stop.
  bool goesOn(double fraction, const Work& work);
  /// The items, the faults, and whether there are as many as there must be.
  ListReading finish();

 private:
  bool takeRange(std::int64_t first, std::int64_t last, const ItemPlace& place, const Work& work);
  bool takeRepeated(const RepeatedIndex& repeated, const ItemPlace& place, const Work& work);
  bool hasRoom(std::int64_t more, const ItemPlace& place);

  ListRules rules_;
  std::vector<std::int64_t> whole_;
  std::vector<double> real_;
  ListReading reading_;
  std::int64_t looks_ = 0;
  bool full_ = false;
};

std::string ItemPlace::text() const {
  return filled(is_line ? worded("list", "line %1") : worded("list", "item %1"), grouped(number));
}

/// Whether the text is a number.
bool isNumber(std::string_view text) {
  return numberIn<double>(text).has_value();
}

/// Text for a sentence, cut after a few characters.
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

using nlohmann::json;

/// Hands the numbers of one array over as they are read: no tree of a hundred million nodes is built.
class NumbersOfArray : public nlohmann::json_sax<json> {
 public:
  NumbersOfArray(ItemSink& sink, const Work& work, std::size_t bytes) : sink_(sink), work_(work), bytes_(bytes) {}

  bool null() override { return refuse("null"); }
  bool boolean(bool value) override { return refuse(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return take(static_cast<std::int64_t>(value)); }
  bool number_unsigned(number_unsigned_t value) override {
    constexpr auto kMost = static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max());
    return value > kMost ? refuse(std::to_string(value)) : take(static_cast<std::int64_t>(value));
  }
  bool number_float(number_float_t value, const string_t& /*text*/) override { return take(value); }
  bool string(string_t& value) override { return refuse(shownItem(value)); }
  bool binary(binary_t& /*value*/) override { return refuse(worded("list", "a binary value")); }
  bool start_object(std::size_t /*size*/) override {
    return stop(worded("list", "It holds an object: a list is one array of numbers."));
  }
  bool key(string_t& /*value*/) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t /*size*/) override {
    return ++depth_ == 1 || stop(worded("list", "It holds an array inside another: a list is one array of numbers."));
  }
  bool end_array() override { return --depth_ == 0; }
  bool parse_error(std::size_t position, const std::string& /*token*/, const json::exception& /*error*/) override {
    broken_at_ = position;
    return false;
  }

  [[nodiscard]] std::optional<std::size_t> brokenAt() const { return broken_at_; }
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  template <class Number>
  bool take(Number number) {
    if (depth_ == 0) return stop(worded("list", "It is a single number: a list is one array of numbers."));
    sink_.take(number, {false, items_});
    return counted();
  }
  bool refuse(const std::string& value) {
    if (depth_ == 0) return stop(filled(worded("list", "It is %1: a list is one array of numbers."), value));
    sink_.refuse(filled(worded("list", "%1 is not a number that a list can hold."), value), {false, items_});
    return counted();
  }
  bool counted() {
    constexpr double kBytesOfItem = 8;  // a guess: the parser does not say where it is
    const double part = static_cast<double>(++items_) * kBytesOfItem / static_cast<double>(bytes_ + 1);
    return sink_.goesOn(std::min(part, 1.0), work_) && !sink_.isFull();
  }
  bool stop(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }

  ItemSink& sink_;
  const Work& work_;
  std::size_t bytes_;
  std::int64_t items_ = 0;
  int depth_ = 0;
  std::optional<std::size_t> broken_at_;
  std::string problem_;
};

Result<void> readJson(std::string_view bytes, ItemSink& sink, const Work& work) {
  NumbersOfArray numbers(sink, work, bytes.size());
  json::sax_parse(bytes.begin(), bytes.end(), &numbers);
  if (work.stopped()) return cancelled();
  if (!numbers.problem().empty()) return Error{ErrorCode::BadInput, numbers.problem(), {}, ""};
  if (!numbers.brokenAt()) return {};
  const std::size_t at = std::min(*numbers.brokenAt(), bytes.size());
  const auto line = 1 + std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  return Error{ErrorCode::BadInput,
               filled(worded("list", "It is not JSON: line %1 cannot be read."), std::to_string(line)),
               {},
               ""};
}

// NumPy's .npy files: a header in Python's words, then the items as they lie in memory.
constexpr std::string_view kMagic = "\x93NUMPY";

Error notReadable(std::string message, std::string hint = {}) {
  return Error{ErrorCode::BadInput, std::move(message), {}, std::move(hint)};
}

struct NpyHeader {
  std::string type;                 ///< "<i8"
  std::vector<std::int64_t> shape;  ///< (3,) is {3}
  std::size_t data = 0;             ///< where the items begin
};

/// The text behind "'key':", without the blanks before it; empty when there is no such key.
std::string_view behindKey(std::string_view header, std::string_view key) {
  const std::string quoted = "'" + std::string(key) + "'";
  const std::size_t at = header.find(quoted);
  if (at == std::string_view::npos) return {};
  std::string_view rest = header.substr(at + quoted.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(": "), rest.size()));
  return rest;
}

std::optional<std::vector<std::int64_t>> shapeIn(std::string_view text) {
  if (!text.starts_with('(')) return std::nullopt;
  const std::string_view inner = text.substr(1, text.find(')') - 1);
  std::vector<std::int64_t> shape;
  for (std::size_t at = inner.find_first_of("0123456789"); at != std::string_view::npos;
       at = inner.find_first_of("0123456789", at)) {
    std::int64_t length = 0;
    const auto [end, status] = std::from_chars(inner.data() + at, inner.data() + inner.size(), length);
    if (status != std::errc{}) return std::nullopt;
    shape.push_back(length);
    at = static_cast<std::size_t>(end - inner.data());
  }
  return shape;
}

Result<NpyHeader> headerOf(std::string_view bytes) {
  const Error cut = notReadable(worded("list", "The file is not a whole .npy file: its header is cut off."));
  if (!bytes.starts_with(kMagic)) return notReadable(worded("list", "The file is not a .npy file."));
  if (bytes.size() < 12) return cut;
  const std::size_t width = bytes[6] == 1 ? 2 : 4;  // of the header's length, by the format's version
  std::size_t length = 0;
  for (std::size_t i = width; i-- > 0;) length = length << 8 | static_cast<unsigned char>(bytes[8 + i]);
  if (length > bytes.size() - 8 - width) return cut;
  const std::string_view text = bytes.substr(8 + width, length);
  NpyHeader header;
  header.data = 8 + width + length;
  const std::string_view type = behindKey(text, "descr");
  if (!type.starts_with('\'')) {
    return notReadable(worded("list", "The array holds records, not numbers."),
                       worded("list", "save one of its fields: numpy.save(file, a['field'])"));
  }
  header.type = std::string(type.substr(1, type.find('\'', 1) - 1));
  const auto shape = shapeIn(behindKey(text, "shape"));
  if (!shape) return notReadable(worded("list", "The file's header does not say the shape of the array."));
  header.shape = *shape;
  return header;
}

template <std::size_t Size>
struct Bits;
template <>
struct Bits<1> {
  using Type = std::uint8_t;
};
template <>
struct Bits<2> {
  using Type = std::uint16_t;
};
template <>
struct Bits<4> {
  using Type = std::uint32_t;
};
template <>
struct Bits<8> {
  using Type = std::uint64_t;
};

template <class Item>
Item itemAt(const char* place, bool swapped) {
  typename Bits<sizeof(Item)>::Type bits{};
  std::array<char, sizeof(Item)> raw{};
  std::memcpy(raw.data(), place, sizeof(Item));
  if (swapped) std::ranges::reverse(raw);
  std::memcpy(&bits, raw.data(), sizeof(Item));
  return std::bit_cast<Item>(bits);
}

template <class Item>
void takeItem(Item item, std::int64_t index, ItemSink& sink) {
  const ItemPlace place{false, index};
  if constexpr (std::floating_point<Item>) {
    sink.take(static_cast<double>(item), place);
  } else if constexpr (std::same_as<Item, std::uint64_t>) {
    if (item > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      return sink.refuse(filled(worded("list", "%1 is too large."), std::to_string(item)), place);
    }
    sink.take(static_cast<std::int64_t>(item), place);
  } else {
    sink.take(static_cast<std::int64_t>(item), place);
  }
}

template <class Item>
Result<void> readItems(std::string_view data, std::int64_t count, bool swapped, ItemSink& sink, const Work& work) {
  if (static_cast<std::uint64_t>(count) > data.size() / sizeof(Item)) {
    return notReadable(filled(worded("list", "The file is cut off: its header says %1 items, but it holds %2."),
                              std::to_string(count), std::to_string(data.size() / sizeof(Item))));
  }
  sink.expect(count);
  for (std::int64_t i = 0; i < count && !sink.isFull(); ++i) {
    takeItem(itemAt<Item>(data.data() + static_cast<std::size_t>(i) * sizeof(Item), swapped), i, sink);
    if (!sink.goesOn(static_cast<double>(i) / static_cast<double>(count), work)) return cancelled();
  }
  return {};
}

using Reader = Result<void> (*)(std::string_view, std::int64_t, bool, ItemSink&, const Work&);
struct NpyType {
  std::string_view name;  ///< behind the byte order: "i8"
  Reader read;
};
constexpr std::array kTypes = {
    NpyType{"i1", readItems<std::int8_t>},   NpyType{"i2", readItems<std::int16_t>},
    NpyType{"i4", readItems<std::int32_t>},  NpyType{"i8", readItems<std::int64_t>},
    NpyType{"u1", readItems<std::uint8_t>},  NpyType{"u2", readItems<std::uint16_t>},
    NpyType{"u4", readItems<std::uint32_t>}, NpyType{"u8", readItems<std::uint64_t>},
    NpyType{"f4", readItems<float>},         NpyType{"f8", readItems<double>},
};

Result<void> readNpy(std::string_view bytes, ItemSink& sink, const Work& work) {
  const auto header = headerOf(bytes);
  if (!header) return header.error();
  if (header->shape.size() != 1) {
    return notReadable(
        filled(worded("list", "The array has %1 dimensions: a list has one."), std::to_string(header->shape.size())),
        worded("list", "save one column: numpy.save(file, a[:, 0])"));
  }
  const std::string_view type = header->type;
  const auto* const known =
      std::ranges::find(kTypes, type.substr(std::min<std::size_t>(1, type.size())), &NpyType::name);
  if (known == kTypes.end()) {
    return notReadable(
        filled(worded("list", "The array is of type %1: a list is of integers or floats."), shownItem(type)),
        worded("list", "convert it: a.astype('int64')"));
  }
  const bool big = type.front() == '>';
  const bool swapped = big != (std::endian::native == std::endian::big);
  return known->read(bytes.substr(header->data), header->shape.front(), type.front() != '|' && swapped, sink, work);
}

constexpr std::string_view kBetween = " \t\r\n\v\f[](),;";

std::size_t endOfItem(std::string_view bytes, std::size_t begin) {
  return std::min(bytes.find_first_of(kBetween, begin), bytes.size());
}

/// Behind "64 x 1000" where that begins at `begin`, else behind the one item.
std::size_t endOfRepetition(std::string_view bytes, std::size_t begin) {
  const std::size_t end = endOfItem(bytes, begin);
  const std::size_t sign = bytes.find_first_not_of(' ', end);
  if (sign == std::string_view::npos || bytes.substr(sign, 2) != "x ") return end;
  const std::size_t index = bytes.find_first_not_of(' ', sign + 1);
  return index == std::string_view::npos ? end : endOfItem(bytes, index);
}

constexpr std::size_t kMostColumns = 1000;

/// One row after the other, cells between `separator`; a cell in quotes may hold separators, quotes and line ends.
class CsvRows {
 public:
  CsvRows(std::string_view bytes, char separator) : bytes_(bytes), separator_(separator) {}

  /// The next row that is not empty; false behind the last one.
  bool next(std::vector<std::string>& cells) {
    while (at_ < bytes_.size()) {
      row_line_ = line_;
      readRow(cells);
      if (cells.size() > 1 || !cells.front().empty()) return true;
    }
    return false;
  }
  [[nodiscard]] std::int64_t line() const { return row_line_; }
  [[nodiscard]] double part() const { return static_cast<double>(at_) / static_cast<double>(bytes_.size()); }

 private:
  void readRow(std::vector<std::string>& cells) {
    cells.clear();
    for (bool more = true; more;) {
      cells.push_back(readCell());
      more = at_ < bytes_.size() && bytes_[at_] == separator_;
      if (at_ < bytes_.size()) line_ += bytes_[at_++] == '\n' ? 1 : 0;
    }
  }

  /// Up to the separator or the end of the line, without the blanks around it.
  std::string readCell() {
    while (at_ < bytes_.size() && (bytes_[at_] == ' ' || (bytes_[at_] == '\t' && separator_ != '\t'))) ++at_;
    std::string cell = at_ < bytes_.size() && bytes_[at_] == '"' ? readQuoted() : std::string();
    const std::size_t begin = at_;
    while (at_ < bytes_.size() && bytes_[at_] != separator_ && bytes_[at_] != '\n') ++at_;
    cell += bytes_.substr(begin, at_ - begin);
    const std::size_t end = cell.find_last_not_of(" \t\r");
    cell.resize(end == std::string::npos ? 0 : end + 1);
    return cell;
  }

  std::string readQuoted() {
    std::string cell;
    for (++at_; at_ < bytes_.size(); ++at_) {
      line_ += bytes_[at_] == '\n' ? 1 : 0;
      if (bytes_[at_] == '"') {
        ++at_;
        if (at_ >= bytes_.size() || bytes_[at_] != '"') break;
      }
      cell += bytes_[at_];
    }
    return cell;
  }

  std::string_view bytes_;
  char separator_;
  std::size_t at_ = 0;
  std::int64_t line_ = 1;
  std::int64_t row_line_ = 1;
};

/// The one that the first line has most of.
char separatorOf(std::string_view bytes) {
  const std::string_view first = bytes.substr(0, bytes.find('\n'));
  constexpr std::array kSeparators = {',', ';', '\t'};
  return *std::ranges::max_element(kSeparators, {}, [&](char c) { return std::ranges::count(first, c); });
}

bool isHead(const std::vector<std::string>& cells) {
  return std::ranges::none_of(cells, isNumber);
}

std::vector<std::string> namesOf(const std::vector<std::string>& first) {
  if (isHead(first)) return first;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < first.size(); ++i)
    names.push_back(filled(worded("list", "column %1"), std::to_string(i + 1)));
  return names;
}

/// The names of the columns, and the one that was read.
struct CsvColumns {
  std::vector<std::string> names;
  std::size_t read = 0;
};

/// False when `work` stopped it.
bool readText(std::string_view bytes, ItemSink& sink, const Work& work) {
  std::int64_t line = 1;
  std::size_t at = 0;
  while (at < bytes.size()) {
    const std::size_t begin = std::min(bytes.find_first_not_of(kBetween, at), bytes.size());
    line += std::count(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                       bytes.begin() + static_cast<std::ptrdiff_t>(begin), '\n');
    at = endOfRepetition(bytes, begin);
    if (begin == at) break;
    if (!sink.takeText(bytes.substr(begin, at - begin), {true, line}, work)) break;
    if (!sink.goesOn(static_cast<double>(at) / static_cast<double>(bytes.size()), work)) return false;
  }
  return !work.stopped();
}

Result<CsvColumns> readCsv(std::string_view bytes, std::optional<std::size_t> column, ItemSink& sink,
                           const Work& work) {
  CsvRows rows(bytes, separatorOf(bytes));
  std::vector<std::string> cells;
  if (!rows.next(cells)) return CsvColumns{};
  CsvColumns columns{namesOf(cells), 0};
  if (columns.names.size() > kMostColumns) {
    return Error{ErrorCode::BadInput,
                 worded("list", "The table has more than 1000 columns."),
                 {},
                 worded("list", "give a file with the one column")};
  }
  bool more = !isHead(cells) || rows.next(cells);
  const auto number = std::ranges::find_if(cells, isNumber);
  columns.read = column.value_or(number == cells.end() ? 0 : static_cast<std::size_t>(number - cells.begin()));
  for (; more; more = rows.next(cells)) {
    const ItemPlace place{true, rows.line()};
    if (columns.read >= cells.size()) {
      sink.refuse(worded("list", "The line has no such column."), place);
    } else if (!sink.takeText(cells[columns.read], place, work)) {
      break;
    }
    if (!sink.goesOn(rows.part(), work)) return cancelled();
  }
  return columns;
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
  ListReading reading = sink.finish();
  reading.columns = std::move(columns.names);
  reading.column = columns.read;
  return reading;
}

ListRules rulesOf(const Field& field) {
  return {.whole = field.kind == FieldKind::Indices, .min = field.min, .max = field.max, .count = {}};
}

}  // namespace shardlens::lists
