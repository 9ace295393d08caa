// SPDX-License-Identifier: Apache-2.0
#include "core/base/printable.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

namespace shardlens {
namespace {

bool isPlainByte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= 0x20 && byte < 0x7F) || c == '\n' || c == '\t';
}

/// Bytes of the UTF-8 character whose first byte this is.
std::size_t lengthOf(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xE0) return 2;
  return first < 0xF0 ? 3 : 4;
}

std::uint32_t codePoint(std::string_view character) {
  const auto first = static_cast<unsigned char>(character.front());
  if (character.size() == 1) return first;
  std::uint32_t code = first & (0x7FU >> character.size());
  for (const char c : character.substr(1)) code = code << 6U | (static_cast<unsigned char>(c) & 0x3FU);
  return code;
}

/// Controls of ISO 6429, and those of Unicode that turn the direction of writing.
bool isControl(std::uint32_t code) {
  if (code == '\n' || code == '\t') return false;
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x200E || code == 0x200F ||
         (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

std::string escaped(std::uint32_t code) {
  std::array<char, 8> text{};
  (void)std::snprintf(text.data(), text.size(), "\\u%04x", code);
  return text.data();
}

}  // namespace

bool isPrintable(std::string_view text) {
  if (std::all_of(text.begin(), text.end(), isPlainByte)) return true;
  if (utf8Prefix(text) != text.size()) return false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = lengthOf(static_cast<unsigned char>(text[at]));
    if (isControl(codePoint(text.substr(at, length)))) return false;
    at += length;
  }
  return true;
}

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::string_view sound = text.substr(0, utf8Prefix(text));
    for (std::size_t at = 0; at < sound.size();) {
      const std::string_view character = sound.substr(at, lengthOf(static_cast<unsigned char>(sound[at])));
      const std::uint32_t code = codePoint(character);
      out += isControl(code) ? escaped(code) : std::string(character);
      at += character.size();
    }
    text.remove_prefix(sound.size());
    if (text.empty()) break;
    out += "\uFFFD";
    text.remove_prefix(1);
  }
  return out;
}

std::string oneLine(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n' || c == '\t') {
      out += c == '\n' ? "\\n" : "\\t";
    } else {
      out += c;
    }
  }
  return out;
}

std::string withoutStyles(std::string_view text) {
  constexpr std::string_view kBegin = "\x1b[";
  std::string out;
  while (true) {
    const std::size_t begin = text.find(kBegin);
    if (begin == std::string_view::npos) return out.append(text);
    std::size_t end = begin + kBegin.size();
    while (end < text.size() && text[end] >= 0x20 && text[end] < 0x40) ++end;
    const bool is_whole = end < text.size() && text[end] >= 0x40 && text[end] < 0x7F;
    out.append(text.substr(0, is_whole ? begin : end));
    text.remove_prefix(is_whole ? end + 1 : end);
  }
}

}  // namespace shardlens
