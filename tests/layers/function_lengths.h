// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace shardlens::test {

/// A function as it stands in a source.
struct FunctionLength {
  std::string head;  ///< what is written before its body, in one line
  int line = 0;      ///< of the first word of the head, from 1
  int lines = 0;     ///< from there to the closing brace
};

/// Every function of a C++ source in the layout of clang-format; a lambda counts with the function around it. It reads
/// braces, not C++: bodies that a macro opens are not seen.
std::vector<FunctionLength> functionLengths(const std::string& source);

}  // namespace shardlens::test
