// SPDX-License-Identifier: Apache-2.0
#include "app/cli/wrapped_text.h"

#include <algorithm>
#include <string>

namespace shardlens::cli {

std::size_t columnsOf(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

void writeWrapped(Output& out, std::string_view text, std::size_t indent) {
  constexpr std::size_t kColumns = 92;
  const std::string blanks(indent, ' ');
  std::size_t used = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    const std::size_t width = columnsOf(word);
    if (used > 0 && used + 1 + width > kColumns - indent) {
      out << "\n";
      used = 0;
    }
    out << (used == 0 ? std::string_view(blanks) : std::string_view(" ")) << word;
    used += width + (used == 0 ? 0 : 1);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  out << "\n";
}

}  // namespace shardlens::cli
