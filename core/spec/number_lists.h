// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace shardlens {

/// Several lists of numbers in one text: "[[0, 1], [2, 3]]".
struct NumberLists {
  std::vector<std::vector<double>> lists;  ///< none of them is empty
  bool are_whole = true;                   ///< every number is written without a point: torch makes integers of them
};

/// Reads them. The outer brackets may be missing; an empty text has no list. The error has no place.
Result<NumberLists> parseNumberLists(std::string_view text);
/// As parseNumberLists() reads them; empty where there is no list.
std::string textOf(const NumberLists& lists);
/// "[1, 2]", or "[1.0, 2.0]" of numbers that are not whole.
std::string listText(const std::vector<double>& numbers, bool are_whole);

}  // namespace shardlens
