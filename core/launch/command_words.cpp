// SPDX-License-Identifier: Apache-2.0
#include "core/launch/command_words.h"

#include "core/base/text.h"
#include "core/launch/launch_words.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <wordexp.h>

namespace shardlens {
namespace {

/// "NAME=value", which a shell puts into the environment of the command that follows.
bool isAssignment(std::string_view word) {
  const auto end = std::find(word.begin(), word.end(), '=');
  const auto plain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return end != word.begin() && end != word.end() && std::all_of(word.begin(), end, plain) &&
         std::isdigit(static_cast<unsigned char>(word.front())) == 0;
}

void assign(Variables& variables, std::string_view name, std::string_view value) {
  std::erase_if(variables, [&](const auto& one) { return one.first == name; });
  variables.emplace_back(name, value);
}

void assign(Variables& variables, std::string_view assignment) {
  const std::size_t end = assignment.find('=');
  assign(variables, assignment.substr(0, end), assignment.substr(end + 1));
}

std::string_view trimmed(std::string_view line) {
  constexpr std::string_view kBlank = " \t\r";
  line.remove_prefix(std::min(line.find_first_not_of(kBlank), line.size()));
  return line.substr(0, line.find_last_not_of(kBlank) + 1);
}

/// As a shell does with quotes around a value.
std::string_view withoutQuotes(std::string_view value) {
  const bool is_quoted =
      value.size() >= 2 && value.front() == value.back() && (value.front() == '"' || value.front() == '\'');
  return is_quoted ? value.substr(1, value.size() - 2) : value;
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
  if (arguments.empty()) return by_shell;
  if (std::all_of(arguments.begin(), arguments.end(), isAssignment)) return words::noCommand();
  return arguments;
}

Variables takeAssignments(std::vector<std::string>& command, Variables taken) {
  const auto program = std::find_if_not(command.begin(), command.end(), isAssignment);
  for (auto word = command.begin(); word != program; ++word) assign(taken, *word);
  command.erase(command.begin(), program);
  return taken;
}

Result<Variables> environmentLines(const std::string& text) {
  Variables variables;
  const std::vector<std::string> lines = split(text, '\n');
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = trimmed(lines[i]);
    if (line.empty() || line.front() == '#') continue;
    if (!isAssignment(line)) return words::noAssignment(i + 1, std::string(line));
    const std::size_t end = line.find('=');
    assign(variables, line.substr(0, end), withoutQuotes(line.substr(end + 1)));
  }
  return variables;
}

}  // namespace shardlens
