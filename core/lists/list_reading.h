// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/spec/field.h"
#include "core/spec/value.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens::lists {

/// A list holds no more items than this.
constexpr std::int64_t kMostItems = 100'000'000;
/// This many faults are kept; all of them are counted.
constexpr std::size_t kMostFaults = 100;

/// What the items must be.
struct ListRules {
  bool whole = true;  ///< whole numbers; otherwise any finite numbers
  std::int64_t min = std::numeric_limits<std::int64_t>::min();
  std::int64_t max = std::numeric_limits<std::int64_t>::max();
  std::optional<std::int64_t> count = {};  ///< one item for each sample
};

/// What the field itself requires of its items. For Indices and Numbers.
ListRules rulesOf(const Field& field);

enum class ListFormat { Text, Csv, Npy, Json };

/// The format that the first bytes show, otherwise the one that the file name says: a name ending in .csv, .tsv or
/// .json; text otherwise.
ListFormat formatOf(std::string_view file_name, std::string_view bytes);

/// An item that is not accepted.
struct ListFault {
  std::string where;                      ///< "line 3", "item 17"
  std::string message;                    ///< a sentence
  std::optional<std::int64_t> line = {};  ///< counted from 1; nothing where it is in none
  bool operator==(const ListFault&) const = default;
};

/// What was read. The list is accepted if there is no fault.
struct ListReading {
  Value items;             ///< an IndexList or a NumberList, without the faulty items
  std::int64_t count = 0;  ///< how many these are
  std::vector<ListFault> faults;
  std::int64_t fault_count = 0;
  std::vector<std::string> columns;  ///< of CSV: their names, or "column 1", ...
  std::size_t column = 0;            ///< the one that was read
};

/// Reads `bytes`. Text: whole numbers, ranges and
/// repetitions ("0..7, 12, 64 x 1000"), or numbers, between commas and white space, with
/// brackets or without. CSV: `column`, or without one the first that holds a number. Npy: a one-dimensional array of
/// integers or floats, refused when it is anything else. Json: one array of numbers. An error when nothing can be read,
/// or when `work` stopped it.
Result<ListReading> readList(const ListRules& rules, std::string_view bytes, ListFormat format,
                             std::optional<std::size_t> column = {}, const Work& work = {});

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

/// Readers of one format each; `sink` gets the items. False when `work` stopped it.
bool readText(std::string_view bytes, ItemSink& sink, const Work& work);
/// The names of the columns, and the one that was read.
struct CsvColumns {
  std::vector<std::string> names;
  std::size_t read = 0;
};
Result<CsvColumns> readCsv(std::string_view bytes, std::optional<std::size_t> column, ItemSink& sink, const Work& work);
Result<void> readNpy(std::string_view bytes, ItemSink& sink, const Work& work);
Result<void> readJson(std::string_view bytes, ItemSink& sink, const Work& work);

/// Whether the text is a number.
bool isNumber(std::string_view text);
/// Text for a sentence, cut after a few characters.
std::string shownItem(std::string_view text);

}  // namespace shardlens::lists
