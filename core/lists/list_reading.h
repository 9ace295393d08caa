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

/// Reads `bytes`. Text: whole numbers, ranges and repetitions ("0..7, 12, 64 x 1000"), or numbers, between commas and
/// white space, with brackets or without. CSV: `column`, or without one the first that holds a number. Npy: a
/// one-dimensional array of integers or floats, refused when it is anything else. Json: one array of numbers. An error
/// when nothing can be read, or when `work` stopped it.
Result<ListReading> readList(const ListRules& rules, std::string_view bytes, ListFormat format,
                             std::optional<std::size_t> column = {}, const Work& work = {});

}  // namespace shardlens::lists
