// SPDX-License-Identifier: Apache-2.0
#include "core/lists/item_sink.h"

#include <algorithm>

namespace shardlens::lists {

namespace {

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

}  // namespace

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

}  // namespace shardlens::lists
