// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens::yaml::imports {

/// Words of one command, without its quotes; `words[0]` is the program as it is typed.
using Command = std::vector<std::string>;

struct ScriptCommand {
  Command words;
  bool is_conditional = false;  ///< within if, case, a loop or a function
};

/// A shell script, or a line of one, as far as it can be read without running it.
struct Script {
  std::vector<ScriptCommand> commands;            ///< in their order; variables that the script sets are filled in
  std::map<std::string, std::string> directives;  ///< of "#SBATCH --nodes=2": "nodes" -> "2", long names only
};

/// Reads `text`: quotes, line continuations, comments, assignments, ${NAME:-default}; not the bodies of
/// here-documents, and nothing behind an `exit` that no condition holds. A variable that nothing sets stays as it is
/// written ("$N").
Script readScript(std::string_view text);

/// Options of a command behind its program: "--a=1", "--a 1", "-n 4" as "a" -> "1", "n" -> "4"; flags have an empty
/// text. `takes_none` are options that take no value.
struct Options {
  std::map<std::string, std::string> values;  ///< dashes within a name are underscores
  std::size_t end = 0;                        ///< the first word that is no option, or the number of words

  [[nodiscard]] std::optional<std::string> find(std::string_view name) const;
};
Options readOptions(const Command& command, std::size_t begin, const std::vector<std::string>& takes_none);

/// An argument of a script, as it is typed: "--batch-size".
struct ScriptArgument {
  std::string text;
  std::string typed;
};

/// Every "--name value" and "--name=value" of the words from `begin` on, wherever it is, by its name with underscores.
std::map<std::string, ScriptArgument> argumentsIn(const Command& command, std::size_t begin);

}  // namespace shardlens::yaml::imports
