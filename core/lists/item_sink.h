// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lists/list_reading.h"
#include "core/spec/index_text.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens::lists {

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
