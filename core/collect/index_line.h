// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace shardlens {

/// A batch as one line of text lists it.
struct IndexLine {
  std::optional<std::int64_t> rank;
  std::optional<std::int64_t> epoch;
  std::optional<std::int64_t> step;
  std::vector<SampleIndex> samples;
  bool is_cut = false;       ///< its list has "..." in it
  bool is_open = false;      ///< its list is not closed where the line ends
  bool is_unclear = false;   ///< it names two ranks, epochs or steps, or has several lists
  bool is_nameless = false;  ///< of numbers alone

  [[nodiscard]] bool isPlace() const { return rank && step && !is_unclear; }
  [[nodiscard]] bool isBatch() const { return isPlace() && !is_cut && !is_open && !samples.empty(); }
};

/// A line that says where a batch is and what is in it. See readIndexText().
IndexLine parseIndexLine(std::string_view line);

enum class IndexColumn : std::uint8_t { OfRank, OfEpoch, OfStep, Other };

/// The head of a table whose last column holds the samples.
struct IndexTable {
  std::vector<IndexColumn> columns;  ///< before the samples; empty: the line is no such head
  char separator = ',';
};

IndexTable parseIndexHead(std::string_view line);
/// A row below that head.
IndexLine parseIndexRow(std::string_view line, const IndexTable& table);

/// How many brackets are open at the end of the line, of which `before` were open where it begins.
std::int64_t openBrackets(std::string_view line, std::int64_t before);

/// Whether the line can only be the rest of a list: numbers, and brackets with what stands behind them.
bool continuesList(std::string_view line);

/// A part of a line of text. A word ends where a digit begins, so that "rank0" is a word and a number.
struct IndexToken {
  enum class Kind : std::uint8_t { Word, Number, Open, Close, Join, Space, Slash, Dots, Other };

  Kind kind = Kind::Other;
  std::string_view word;    ///< as it is written, without "_" at its ends
  std::int64_t number = 0;  ///< never negative; 12.5, 12ms and -12 are Other
};

/// Join is one of `= : #`; quotes, commas and spaces are Space; "..." is Dots. Colours of terminals are left out.
std::vector<IndexToken> indexTokens(std::string_view line);

/// In any case of letters.
bool isWord(std::string_view word, std::string_view expected);
bool endsWithWord(std::string_view word, std::string_view end);

}  // namespace shardlens
