// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace CLI {
class Option;
}

namespace shardlens::cli {

/// One argument of a verb, to say more about it.
class Argument {
 public:
  explicit Argument(CLI::Option* option) : option_(option) {}

  Argument& required();
  Argument& oneOf(const std::vector<std::string>& words);
  Argument& between(double least, double most);
  Argument& positive();
  Argument& notNegative();
  Argument& separatedByCommas();
  Argument& showsDefault();  ///< in the help: what the target holds now

 private:
  CLI::Option* option_;
};

/// The program's command line on CLI11. Only arguments.cpp compiles CLI11's templates, which cost seconds in each
/// source.
class CommandLine {
 public:
  CommandLine(const std::string& about, const std::string& name, const std::string& version, const std::string& footer);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  [[nodiscard]] CLI::App& app() { return *app_; }
  [[nodiscard]] std::vector<std::string> verbs() const;
  /// Parses and does what `chosen` then holds. The exit code: of that, kFine for --help and --version, or kUsage after
  /// saying what is wrong.
  int run(int argc, char** argv, const Action& chosen);

 private:
  std::unique_ptr<CLI::App> app_;
};

/// Where the value of an argument goes.
using Target = std::variant<std::reference_wrapper<std::string>, std::reference_wrapper<std::int64_t>,
                            std::reference_wrapper<double>, std::reference_wrapper<std::optional<std::int64_t>>,
                            std::reference_wrapper<std::vector<std::string>>>;

/// Declares a verb and its arguments. Targets must outlive the parse. A name without dashes is a positional argument.
class Arguments {
 public:
  Arguments(CLI::App& app, const std::string& verb, const std::string& help);

  Argument add(const std::string& name, Target target, const std::string& help);
  void addFlag(const std::string& name, bool& target, const std::string& help);
  /// --format: one of `words`.
  void addFormat(std::string& target, const std::vector<std::string>& words = {"text", "json"});

  /// COMMAND: words of a command, as they come; `after_dashes` is how many of the line's words follow its `--`.
  void addCommand(std::vector<std::string>& target, std::int64_t& after_dashes, const std::string& help);

  /// --quiet: nothing is said about how far the verb is.
  void addQuiet(bool& target);

  /// Sets `chosen` to `action` when the user picks this verb.
  void runs(Action& chosen, Action action);

 private:
  CLI::App* verb_;
};

}  // namespace shardlens::cli
