// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/syntax_words.h"

#include "core/base/phrase.h"

#include <yaml-cpp/exceptions.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace shardlens::yaml {
namespace {

/// What is open where a text is cut off.
struct Open {
  std::vector<std::size_t> brackets;  ///< of flow collections, the outermost first
  std::optional<std::size_t> quote;
};

bool isSpace(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Whether a value may begin at `at`: elsewhere a quote or a bracket is part of a plain word.
bool beginsValue(std::string_view text, std::size_t at) {
  return at == 0 || isSpace(text[at - 1]) || std::string_view("[{,:").find(text[at - 1]) != std::string_view::npos;
}

Open openAt(std::string_view text, std::size_t end) {
  Open open;
  const std::string_view before = text.substr(0, end);
  for (std::size_t i = 0; i < before.size();) {
    const char c = before[i];
    const bool begins = beginsValue(before, i);
    if ((c == '"' || c == '\'') && begins) {
      const std::size_t next = endOfQuoted(before, i);
      if (next == std::string_view::npos) {
        open.quote = i;
        return open;
      }
      i = next;
      continue;
    }
    if (c == '#' && begins) {
      i = std::min(before.find('\n', i), before.size());
      continue;
    }
    if ((c == '[' || c == '{') && (begins || !open.brackets.empty())) open.brackets.push_back(i);
    if ((c == ']' || c == '}') && !open.brackets.empty()) open.brackets.pop_back();
    ++i;
  }
  return open;
}

/// A flow collection that goes on with something that is neither a comma nor its end.
SyntaxProblem unfinishedFlow(std::string_view text, std::size_t offset) {
  const Open open = openAt(text, offset);
  if (open.brackets.empty()) return {worded("spec", "a bracket is never closed."), "", offset};
  const std::size_t bracket = open.brackets.back();
  const std::string opening(1, text[bracket]);
  const std::string closing = text[bracket] == '{' ? "}" : "]";
  const bool is_one_line = text.substr(bracket, offset - bracket).find('\n') == std::string_view::npos;
  const bool is_more = text.find_first_not_of(" \t\r\n", offset) != std::string_view::npos;
  if (is_one_line && is_more)
    return {filled(worded("spec", "a comma or a %1 is missing here."), closing),
            filled(worded("spec", "the %1 opened before"), opening), offset};
  return {filled(worded("spec", "a %1 is never closed."), opening), filled(worded("spec", "add the %1"), closing),
          bracket};
}

SyntaxProblem unfinishedQuote(std::string_view text, std::size_t offset) {
  const Open open = openAt(text, text.size());
  return {worded("spec", "a quote is never closed."), worded("spec", "add the closing quote"),
          open.quote.value_or(offset)};
}

/// The character at `offset`, as people see it: whole, where it takes several bytes.
std::string characterAt(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return worded("spec", "the end of the file");
  std::size_t end = offset + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
  return "'" + std::string(text.substr(offset, end - offset)) + "'";
}

SyntaxProblem unknownToken(std::string_view text, std::size_t offset) {
  return {filled(worded("spec", "a value cannot begin with %1."), characterAt(text, offset)),
          worded("spec", "put the value in quotes"), offset};
}

struct Words {
  const char* parser_says;
  const char* message;
  const char* hint;
};

constexpr const char* kNoTags = marked("spec", "tags (!) are not allowed in a spec.");
constexpr const char* kNoAnchors = marked("spec", "anchors (&) are not allowed in a spec.");
constexpr const char* kNoAliases = marked("spec", "aliases (*) are not allowed in a spec.");
constexpr const char* kQuoteIt = marked("spec", "remove it, or put the value in quotes");
constexpr const char* kWriteValue = marked("spec", "write the value itself, in quotes if it begins with *");
constexpr const char* kDirective = marked("spec", "lines that begin with % are not allowed in a spec.");
constexpr const char* kIndent = marked("spec", "keys of one section begin in the same column");

namespace Says = YAML::ErrorMsg;

const auto& plainWords() {
  static const std::array kWords = {
      Words{Says::YAML_DIRECTIVE_ARGS, kDirective, marked("spec", "remove it")},
      Words{Says::YAML_VERSION, kDirective, marked("spec", "remove it")},
      Words{Says::YAML_MAJOR_VERSION, kDirective, marked("spec", "remove it")},
      Words{Says::REPEATED_YAML_DIRECTIVE, kDirective, marked("spec", "remove it")},
      Words{Says::TAG_DIRECTIVE_ARGS, kDirective, marked("spec", "remove it")},
      Words{Says::REPEATED_TAG_DIRECTIVE, kDirective, marked("spec", "remove it")},
      Words{Says::CHAR_IN_TAG_HANDLE, kNoTags, kQuoteIt},
      Words{Says::TAG_WITH_NO_SUFFIX, kNoTags, kQuoteIt},
      Words{Says::END_OF_VERBATIM_TAG, kNoTags, kQuoteIt},
      Words{Says::MULTIPLE_TAGS, kNoTags, kQuoteIt},
      Words{Says::ANCHOR_NOT_FOUND, kNoAnchors, kQuoteIt},
      Words{Says::CHAR_IN_ANCHOR, kNoAnchors, kQuoteIt},
      Words{Says::MULTIPLE_ANCHORS, kNoAnchors, kQuoteIt},
      Words{Says::AMBIGUOUS_ANCHOR, kNoAnchors, kQuoteIt},
      Words{Says::ALIAS_NOT_FOUND, kNoAliases, kWriteValue},
      Words{Says::CHAR_IN_ALIAS, kNoAliases, kWriteValue},
      Words{Says::MULTIPLE_ALIASES, kNoAliases, kWriteValue},
      Words{Says::ALIAS_CONTENT, kNoAliases, kWriteValue},
      Words{Says::UNKNOWN_ANCHOR, kNoAliases, kWriteValue},
      Words{Says::END_OF_MAP, marked("spec", "this line does not belong to the section above it."), kIndent},
      Words{Says::END_OF_SEQ, marked("spec", "this line does not belong to the list above it."),
            marked("spec", "each item of the list begins with '- ' in the same column")},
      Words{Says::INVALID_HEX, marked("spec", "the escape has a character that is not a hexadecimal digit."),
            marked("spec", "write \\\\ for a backslash, or use single quotes")},
      Words{Says::DOC_IN_SCALAR, marked("spec", "there is a line of --- or ... inside a quoted text."),
            marked("spec", "close the quote before it")},
      Words{Says::TAB_IN_INDENTATION, marked("spec", "the line is indented with a tab."), marked("spec", "use spaces")},
      Words{Says::FLOW_END, marked("spec", "this bracket closes nothing."),
            marked("spec", "remove it, or open it before")},
      Words{Says::BLOCK_ENTRY, marked("spec", "a list item (-) cannot begin here."),
            marked("spec", "begin it on a line of its own")},
      Words{Says::MAP_KEY, marked("spec", "a key cannot begin here."), marked("spec", "begin it on a line of its own")},
      Words{Says::MAP_VALUE, marked("spec", "a second ':' in one line: a value cannot begin here."),
            marked("spec", "begin the key on a line of its own, or put a value that contains ': ' in quotes")},
      Words{Says::ZERO_INDENT_IN_BLOCK, marked("spec", "the text after | or > cannot be indented by 0."),
            marked("spec", "give a number from 1 to 9")},
      Words{Says::CHAR_IN_BLOCK, marked("spec", "after | or > the line must end."),
            marked("spec", "begin the text on the next line")},
      Words{Says::BAD_FILE, marked("spec", "brackets or sections are nested too deep."),
            marked("spec", "a spec needs no more than a few levels")},
  };
  return kWords;
}

}  // namespace

std::size_t endOfQuoted(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      const bool is_doubled = quote == '\'' && i + 1 < text.size() && text[i + 1] == quote;
      if (!is_doubled) return i + 1;
      ++i;
    }
  }
  return std::string_view::npos;
}

SyntaxProblem syntaxProblem(std::string_view text, const std::string& parser_says, std::size_t offset) {
  offset = std::min(offset, text.size());
  if (parser_says == Says::END_OF_MAP_FLOW || parser_says == Says::END_OF_SEQ_FLOW) return unfinishedFlow(text, offset);
  if (parser_says == Says::EOF_IN_SCALAR) return unfinishedQuote(text, offset);
  if (parser_says == Says::UNKNOWN_TOKEN || parser_says == Says::CHAR_IN_SCALAR) return unknownToken(text, offset);
  if (parser_says.starts_with(Says::INVALID_ESCAPE)) {
    const std::string escape = parser_says.substr(std::string_view(Says::INVALID_ESCAPE).size());
    return {filled(worded("spec", "\\%1 is not an escape of YAML."), escape),
            worded("spec", "write \\\\ for a backslash, or use single quotes"), offset};
  }
  if (parser_says.starts_with(Says::INVALID_UNICODE))
    return {worded("spec", "the escape names no character of Unicode."), worded("spec", "write the character itself"),
            offset};
  const auto* const known =
      std::ranges::find_if(plainWords(), [&](const Words& words) { return parser_says == words.parser_says; });
  if (known != plainWords().end()) return {worded("spec", known->message), worded("spec", known->hint), offset};
  return {filled(worded("spec", "this is not YAML: %1."), parser_says), "", offset};
}

}  // namespace shardlens::yaml
