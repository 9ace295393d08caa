// SPDX-License-Identifier: Apache-2.0
#include "core/lists/item_sink.h"

#include <algorithm>

namespace shardlens::lists {

bool readText(std::string_view bytes, ItemSink& sink, const Work& work) {
  constexpr std::string_view kBetween = " \t\r\n\v\f[](),;";
  std::int64_t line = 1;
  std::size_t at = 0;
  while (at < bytes.size()) {
    const std::size_t begin = std::min(bytes.find_first_not_of(kBetween, at), bytes.size());
    line += std::count(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                       bytes.begin() + static_cast<std::ptrdiff_t>(begin), '\n');
    at = std::min(bytes.find_first_of(kBetween, begin), bytes.size());
    if (begin == at) break;
    if (!sink.takeText(bytes.substr(begin, at - begin), {true, line}, work)) break;
    if (!sink.goesOn(static_cast<double>(at) / static_cast<double>(bytes.size()), work)) return false;
  }
  return !work.stopped();
}

}  // namespace shardlens::lists
