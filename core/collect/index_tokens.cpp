// SPDX-License-Identifier: Apache-2.0
#include "core/collect/index_line.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>

namespace shardlens {
namespace {

using Kind = IndexToken::Kind;

bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

char small(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

Kind kindOf(char c) {
  constexpr std::string_view kSpaces = " \t\r\n,;|'\"";
  if (c == '[' || c == '(' || c == '{') return Kind::Open;
  if (c == ']' || c == ')' || c == '}') return Kind::Close;
  if (c == '=' || c == ':' || c == '#') return Kind::Join;
  if (c == '/') return Kind::Slash;
  return kSpaces.find(c) != std::string_view::npos ? Kind::Space : Kind::Other;
}

IndexToken numberAt(std::string_view line, std::size_t& at) {
  const std::size_t from = at;
  IndexToken token;
  const auto read = std::from_chars(line.data() + from, line.data() + line.size(), token.number);
  at = static_cast<std::size_t>(read.ptr - line.data());
  const bool is_part = from > 0 && (line[from - 1] == '-' || line[from - 1] == '.');
  const bool has_fraction = at + 1 < line.size() && line[at] == '.' && isDigit(line[at + 1]);
  const bool goes_on = at < line.size() && (isLetter(line[at]) || has_fraction);
  if (read.ec == std::errc{} && !is_part && !goes_on) {
    token.kind = Kind::Number;
    return token;
  }
  while (at < line.size() && (isLetter(line[at]) || isDigit(line[at]) || line[at] == '.')) ++at;
  return token;
}

IndexToken wordAt(std::string_view line, std::size_t& at) {
  std::size_t end = at;
  while (end < line.size() && isLetter(line[end])) ++end;
  IndexToken token;
  token.kind = Kind::Word;
  token.word = line.substr(at, end - at);
  while (!token.word.empty() && token.word.front() == '_') token.word.remove_prefix(1);
  while (!token.word.empty() && token.word.back() == '_') token.word.remove_suffix(1);
  at = end;
  return token;
}

/// How long the colour of a terminal is that begins here: ESC [ ... m. 0: none does.
std::size_t colourAt(std::string_view line, std::size_t at) {
  if (line[at] != '\x1b' || at + 1 >= line.size() || line[at + 1] != '[') return 0;
  std::size_t end = at + 2;
  while (end < line.size() && (isDigit(line[end]) || line[end] == ';')) ++end;
  return end < line.size() ? end + 1 - at : 0;
}

std::size_t dotsAt(std::string_view line, std::size_t at) {
  if (line.substr(at, 3) == "...") return 3;
  constexpr std::string_view kEllipsis = "\xe2\x80\xa6";
  return line.substr(at, kEllipsis.size()) == kEllipsis ? kEllipsis.size() : 0;
}

}  // namespace

std::vector<IndexToken> indexTokens(std::string_view line) {
  std::vector<IndexToken> tokens;
  for (std::size_t at = 0; at < line.size();) {
    if (isDigit(line[at])) {
      tokens.push_back(numberAt(line, at));
    } else if (isLetter(line[at])) {
      tokens.push_back(wordAt(line, at));
    } else if (const std::size_t colour = colourAt(line, at); colour > 0) {
      at += colour;
    } else if (const std::size_t dots = dotsAt(line, at); dots > 0) {
      tokens.push_back({Kind::Dots, {}, 0});
      at += dots;
    } else {
      tokens.push_back({kindOf(line[at++]), {}, 0});
    }
  }
  return tokens;
}

bool isWord(std::string_view word, std::string_view expected) {
  return std::equal(word.begin(), word.end(), expected.begin(), expected.end(),
                    [](char a, char b) { return small(a) == b; });
}

bool endsWithWord(std::string_view word, std::string_view end) {
  if (word.size() < end.size()) return false;
  const std::string_view last = word.substr(word.size() - end.size());
  return isWord(last, end) && (last.size() == word.size() || word[word.size() - end.size() - 1] == '_');
}

}  // namespace shardlens
