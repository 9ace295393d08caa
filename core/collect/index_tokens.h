// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace shardlens {

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
