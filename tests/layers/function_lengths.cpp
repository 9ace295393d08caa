// SPDX-License-Identifier: Apache-2.0
#include "tests/layers/function_lengths.h"

#include <algorithm>
#include <cctype>
#include <regex>

namespace shardlens::test {
namespace {

/// Overwrites text[from, to) with blanks; lines stay lines.
void blank(std::string& text, std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < std::min(to, text.size()); ++i) {
    if (text[i] != '\n') text[i] = ' ';
  }
}

/// Past the end of the literal that begins at the quote `from`.
std::size_t endOfLiteral(const std::string& text, std::size_t from) {
  std::size_t at = from + 1;
  while (at < text.size() && text[at] != text[from]) at += text[at] == '\\' ? 2 : 1;
  return at + 1;
}

/// Past the end of R"tag( ... )tag" whose quote is at `from`.
std::size_t endOfRawLiteral(const std::string& text, std::size_t from) {
  const std::string tag = text.substr(from + 1, text.find('(', from) - from - 1);
  const std::size_t end = text.find(")" + tag + "\"", from);
  return end == std::string::npos ? text.size() : end + tag.size() + 2;
}

std::size_t endOfLine(const std::string& text, std::size_t from) {
  std::size_t end = text.find('\n', from);
  while (end != std::string::npos && end > 0 && text[end - 1] == '\\') end = text.find('\n', end + 1);
  return std::min(end, text.size());
}

bool isDigitSeparator(const std::string& text, std::size_t at) {
  return at > 0 && std::isxdigit(static_cast<unsigned char>(text[at - 1])) != 0 && at + 1 < text.size() &&
         std::isxdigit(static_cast<unsigned char>(text[at + 1])) != 0;
}

/// The source without comments, literals and preprocessor lines, character for character at the same place.
std::string bare(std::string text) {
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t end = at + 1;
    const bool first = at == 0 || text.find_last_not_of(" \t", at - 1) == std::string::npos ||
                       text[text.find_last_not_of(" \t", at - 1)] == '\n';
    if (text.compare(at, 2, "//") == 0 || (text[at] == '#' && first)) {
      end = endOfLine(text, at);
    } else if (text.compare(at, 2, "/*") == 0) {
      const std::size_t close = text.find("*/", at);
      end = close == std::string::npos ? text.size() : close + 2;
    } else if (text[at] == '"') {
      end = at > 0 && text[at - 1] == 'R' ? endOfRawLiteral(text, at) : endOfLiteral(text, at);
    } else if (text[at] == '\'' && !isDigitSeparator(text, at)) {
      end = endOfLiteral(text, at);
    } else {
      ++at;
      continue;
    }
    blank(text, at, end);
    at = end;
  }
  return text;
}

std::string oneLine(const std::string& text) {
  static const std::regex kBlanks("\\s+");
  const std::string joined = std::regex_replace(text, kBlanks, " ");
  const std::size_t first = joined.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return joined.substr(first, joined.find_last_not_of(' ') - first + 1);
}

bool isScope(const std::string& head) {
  static const std::regex kScope("^(template ?<.*> ?)?(inline )?(namespace|class|struct|union|enum|extern)\\b");
  return std::regex_search(head, kScope) && head.find('(') == std::string::npos;
}

/// `head {` opens a function: it has parameters, assigns nothing outside of them, and a blank comes before the brace.
bool isFunction(const std::string& head, char before) {
  if (std::isspace(static_cast<unsigned char>(before)) == 0 || head.find('(') == std::string::npos) return false;
  if (std::count(head.begin(), head.end(), '(') != std::count(head.begin(), head.end(), ')')) return false;
  int depth = 0;
  for (std::size_t i = 0; i < head.size(); ++i) {
    if (head[i] == '(' || head[i] == '<') ++depth;
    if (head[i] == ')' || (head[i] == '>' && (i == 0 || head[i - 1] != '-'))) --depth;
    if (head[i] == '=' && depth == 0 && head.substr(0, i).find("operator") == std::string::npos) return false;
  }
  return true;
}

bool isAccess(const std::string& head) {
  static const std::regex kAccess("^(public|protected|private|signals)( slots)?$");
  return std::regex_match(head, kAccess);
}

/// The brace that closes the one at `open`.
std::size_t closing(const std::string& text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == '{') ++depth;
    if (text[at] == '}' && --depth == 0) return at;
  }
  return text.size() - 1;
}

int lineAt(const std::string& text, std::size_t at) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

}  // namespace

std::vector<FunctionLength> functionLengths(const std::string& source) {
  const std::string text = bare(source);
  std::vector<FunctionLength> found;
  std::size_t head_from = 0;  // where the statement that is being read begins
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool ends = c == ';' || c == '}' || (c == ':' && isAccess(oneLine(text.substr(head_from, at - head_from))));
    if (ends) head_from = at + 1;
    if (c != '{') continue;
    const std::string head = oneLine(text.substr(head_from, at - head_from));
    if (isScope(head)) {
      head_from = at + 1;
      continue;
    }
    const std::size_t close = closing(text, at);
    if (isFunction(head, at > 0 ? text[at - 1] : ' ')) {
      const int first = lineAt(text, text.find_first_not_of(" \t\n", head_from));
      found.push_back({head, first, lineAt(text, close) - first + 1});
      head_from = close + 1;
    }
    at = close;  // a value's statement goes on behind its braces
  }
  return found;
}

}  // namespace shardlens::test
