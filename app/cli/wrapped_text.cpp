// SPDX-License-Identifier: Apache-2.0
#include "app/cli/wrapped_text.h"

#include <algorithm>
#include <string>

namespace shardlens::cli {

std::size_t columnsOf(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

namespace {

/// Words in lines of at most 92 columns; `begun` is what stands before them on the first line.
void wrap(Output& out, std::string_view text, const std::string& begun, std::size_t indent) {
  constexpr std::size_t kColumns = 92;
  const std::string blanks(indent, ' ');
  std::size_t used = 0;
  out << begun;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    const std::size_t width = columnsOf(word);
    const bool full = used > 0 && used + 1 + width > kColumns - indent;
    if (full) {
      out << "\n" << blanks;
      used = 0;
    }
    out << (used == 0 ? "" : " ") << word;
    used += width + (used == 0 ? 0 : 1);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  out << "\n";
}

}  // namespace

void writeWrapped(Output& out, std::string_view text, std::size_t indent) {
  wrap(out, text, std::string(indent, ' '), indent);
}

void writeLabelled(Output& out, std::string_view label, std::string_view text) {
  constexpr std::size_t kIndent = 10;
  wrap(out, text, "  " + paddedText(std::string(label), kIndent - 2), kIndent);
}

std::string paddedText(std::string text, std::size_t width) {
  const std::size_t used = columnsOf(text);
  if (used < width) text.append(width - used, ' ');
  return text;
}

}  // namespace shardlens::cli
