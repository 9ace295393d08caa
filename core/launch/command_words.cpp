// SPDX-License-Identifier: Apache-2.0
#include "core/launch/command_words.h"

#include "core/launch/launch_words.h"

#include <algorithm>
#include <cctype>
#include <wordexp.h>

namespace shardlens {
namespace {

/// "NAME=value", which a shell puts into the environment of the command that follows.
bool isAssignment(const std::string& word) {
  const auto end = std::find(word.begin(), word.end(), '=');
  const auto plain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return end != word.begin() && end != word.end() && std::all_of(word.begin(), end, plain) &&
         std::isdigit(static_cast<unsigned char>(word.front())) == 0;
}

/// What wordexp() allocates is freed whatever it says.
struct Expansion {
  wordexp_t words{};
  int failure = 0;

  explicit Expansion(const std::string& line) : failure(wordexp(line.c_str(), &words, WRDE_NOCMD)) {}
  Expansion(const Expansion&) = delete;
  Expansion& operator=(const Expansion&) = delete;
  ~Expansion() {
    if (failure == 0 || failure == WRDE_NOSPACE) wordfree(&words);
  }
};

}  // namespace

Result<std::vector<std::string>> commandWords(const std::string& line) {
  if (std::all_of(line.begin(), line.end(), [](unsigned char c) { return std::isspace(c) != 0; }))
    return words::noCommand();
  const std::vector<std::string> by_shell = {"/bin/sh", "-c", line};
  // A shell expands these in the folder in which the command runs, and knows comments.
  if (line.find_first_of("*?[$~#`") != std::string::npos) return by_shell;
  const Expansion expanded(line);
  if (expanded.failure == WRDE_SYNTAX) return words::commandNotRead();
  if (expanded.failure != 0) return by_shell;
  std::vector<std::string> arguments(expanded.words.we_wordv, expanded.words.we_wordv + expanded.words.we_wordc);
  if (arguments.empty() || isAssignment(arguments.front())) return by_shell;
  return arguments;
}

}  // namespace shardlens
