// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/syntax_words.h"

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

/// "a {", "a [".
std::string bracketAt(std::string_view text, std::size_t at) {
  return std::string("a ") + text[at];
}

/// A flow collection that goes on with something that is neither a comma nor its end.
SyntaxProblem unfinishedFlow(std::string_view text, std::size_t offset) {
  const Open open = openAt(text, offset);
  if (open.brackets.empty()) return {"a bracket is never closed.", "", offset};
  const std::size_t bracket = open.brackets.back();
  const std::string closing = text[bracket] == '{' ? "}" : "]";
  const bool is_one_line = text.substr(bracket, offset - bracket).find('\n') == std::string_view::npos;
  const bool is_more = text.find_first_not_of(" \t\r\n", offset) != std::string_view::npos;
  if (is_one_line && is_more)
    return {"a comma or a " + closing + " is missing here.", "the " + std::string(1, text[bracket]) + " opened before",
            offset};
  return {bracketAt(text, bracket) + " is never closed.", "add the " + closing, bracket};
}

SyntaxProblem unfinishedQuote(std::string_view text, std::size_t offset) {
  const Open open = openAt(text, text.size());
  return {"a quote is never closed.", "add the closing quote", open.quote.value_or(offset)};
}

/// The character at `offset`, as people see it: whole, where it takes several bytes.
std::string characterAt(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return "the end of the file";
  std::size_t end = offset + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
  return "'" + std::string(text.substr(offset, end - offset)) + "'";
}

SyntaxProblem unknownToken(std::string_view text, std::size_t offset) {
  return {"a value cannot begin with " + characterAt(text, offset) + ".", "put the value in quotes", offset};
}

struct Words {
  const char* parser_says;
  const char* message;
  const char* hint;
};

constexpr const char* kNoTags = "tags (!) are not allowed in a spec.";
constexpr const char* kNoAnchors = "anchors (&) are not allowed in a spec.";
constexpr const char* kNoAliases = "aliases (*) are not allowed in a spec.";
constexpr const char* kQuoteIt = "remove it, or put the value in quotes";
constexpr const char* kWriteValue = "write the value itself, in quotes if it begins with *";
constexpr const char* kDirective = "lines that begin with % are not allowed in a spec.";
constexpr const char* kIndent = "keys of one section begin in the same column";

namespace Says = YAML::ErrorMsg;

const auto& plainWords() {
  static const std::array kWords = {
      Words{Says::YAML_DIRECTIVE_ARGS, kDirective, "remove it"},
      Words{Says::YAML_VERSION, kDirective, "remove it"},
      Words{Says::YAML_MAJOR_VERSION, kDirective, "remove it"},
      Words{Says::REPEATED_YAML_DIRECTIVE, kDirective, "remove it"},
      Words{Says::TAG_DIRECTIVE_ARGS, kDirective, "remove it"},
      Words{Says::REPEATED_TAG_DIRECTIVE, kDirective, "remove it"},
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
      Words{Says::END_OF_MAP, "this line does not belong to the section above it.", kIndent},
      Words{Says::END_OF_SEQ, "this line does not belong to the list above it.",
            "each item of the list begins with '- ' in the same column"},
      Words{Says::INVALID_HEX, "the escape has a character that is not a hexadecimal digit.",
            "write \\\\ for a backslash, or use single quotes"},
      Words{Says::DOC_IN_SCALAR, "there is a line of --- or ... inside a quoted text.", "close the quote before it"},
      Words{Says::TAB_IN_INDENTATION, "the line is indented with a tab.", "use spaces"},
      Words{Says::FLOW_END, "this bracket closes nothing.", "remove it, or open it before"},
      Words{Says::BLOCK_ENTRY, "a list item (-) cannot begin here.", "begin it on a line of its own"},
      Words{Says::MAP_KEY, "a key cannot begin here.", "begin it on a line of its own"},
      Words{Says::MAP_VALUE, "a second ':' in one line: a value cannot begin here.",
            "begin the key on a line of its own, or put a value that contains ': ' in quotes"},
      Words{Says::ZERO_INDENT_IN_BLOCK, "the text after | or > cannot be indented by 0.", "give a number from 1 to 9"},
      Words{Says::CHAR_IN_BLOCK, "after | or > the line must end.", "begin the text on the next line"},
      Words{Says::BAD_FILE, "brackets or sections are nested too deep.", "a spec needs no more than a few levels"},
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
    return {"\\" + escape + " is not an escape of YAML.", "write \\\\ for a backslash, or use single quotes", offset};
  }
  if (parser_says.starts_with(Says::INVALID_UNICODE))
    return {"the escape names no character of Unicode.", "write the character itself", offset};
  const auto* const known =
      std::ranges::find_if(plainWords(), [&](const Words& words) { return parser_says == words.parser_says; });
  if (known != plainWords().end()) return {known->message, known->hint, offset};
  return {"this is not YAML: " + parser_says + ".", "", offset};
}

}  // namespace shardlens::yaml
