// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <iostream>
#include <utility>

namespace shardlens::cli {
namespace {

/// "text, json or csv".
std::string alternatives(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

/// Without leading zeros, with which CLI11 would take the number as octal.
std::string inDecimal(std::string number) {
  const std::size_t first = number.starts_with('-') || number.starts_with('+') ? 1 : 0;
  const std::size_t digit = std::min(number.find_first_not_of('0', first), number.size());
  const bool is_number = digit < number.size() && std::isdigit(static_cast<unsigned char>(number[digit])) != 0;
  if (is_number) number.erase(first, digit - first);
  return number;
}

/// What --help and --version print, and the exit code.
int answered(const CLI::App& app, const CLI::Success& asked) {
  app.exit(asked);
  std::cout.flush();
  if (std::cout) return kFine;
  return fail(Error{ErrorCode::Environment, "the answer could not be written.", Place{"stdout", 0, 0, {}}, {}});
}

int parseError(const CLI::App& app, const CLI::ParseError& error) {
  const auto used = app.get_subcommands();
  const std::string verb = used.empty() ? "" : used.front()->get_name() + " ";
  return fail(Error{ErrorCode::Usage, error.what(), {}, "shardlens " + verb + "--help shows the options"});
}

}  // namespace

CommandLine::CommandLine(const std::string& about, const std::string& name, const std::string& version,
                         const std::string& footer)
    : app_(std::make_unique<CLI::App>(about, name)) {
  app_->set_version_flag("--version", name + " " + version);
  app_->footer(footer);
  app_->require_subcommand(1);
}

CommandLine::~CommandLine() = default;

std::vector<std::string> CommandLine::verbs() const {
  std::vector<std::string> names;
  for (const CLI::App* verb : app_->get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(verb->get_name());
  }
  return names;
}

int CommandLine::run(int argc, char** argv, const Action& chosen) {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    return answered(*app_, asked);
  } catch (const CLI::ParseError& error) {
    return parseError(*app_, error);
  }
  return chosen();
}

Argument& Argument::required() {
  option_->required();
  return *this;
}

Argument& Argument::oneOf(const std::vector<std::string>& words) {
  option_->check(CLI::IsMember(words));
  return *this;
}

Argument& Argument::between(double least, double most) {
  option_->check(CLI::Range(least, most));
  return *this;
}

Argument& Argument::positive() {
  option_->check([](const std::string& text) {
    return CLI::PositiveNumber(text).empty() ? std::string() : "'" + text + "' is too small: give a number above 0.";
  });
  return *this;
}

Argument& Argument::notNegative() {
  option_->check([](const std::string& text) {
    return CLI::NonNegativeNumber(text).empty() ? std::string() : "'" + text + "' is too small: give 0 or more.";
  });
  return *this;
}

Argument& Argument::separatedByCommas() {
  option_->delimiter(',');
  return *this;
}

Argument& Argument::showsDefault() {
  option_->capture_default_str();
  return *this;
}

Arguments::Arguments(CLI::App& app, const std::string& verb, const std::string& help)
    : verb_(app.add_subcommand(verb, help)) {}

Argument Arguments::add(const std::string& name, std::string& target, const std::string& help) {
  return Argument(verb_->add_option(name, target, help));
}

Argument Arguments::add(const std::string& name, std::int64_t& target, const std::string& help) {
  return Argument(verb_->add_option(name, target, help)->transform(inDecimal, ""));
}

Argument Arguments::add(const std::string& name, double& target, const std::string& help) {
  return Argument(verb_->add_option(name, target, help));
}

Argument Arguments::add(const std::string& name, std::optional<std::int64_t>& target, const std::string& help) {
  return Argument(verb_->add_option(name, target, help)->transform(inDecimal, ""));
}

Argument Arguments::add(const std::string& name, std::vector<std::string>& target, const std::string& help) {
  return Argument(verb_->add_option(name, target, help));
}

void Arguments::addFlag(const std::string& name, bool& target, const std::string& help) {
  verb_->add_flag(name, target, help);
}

void Arguments::addQuiet(bool& target) {
  addFlag("--quiet", target, "show no progress");
}

void Arguments::addFormat(std::string& target, const std::vector<std::string>& words) {
  add("--format", target, alternatives(words)).oneOf(words);
}

void Arguments::runs(Action& chosen, Action action) {
  verb_->callback([&chosen, action = std::move(action)] { chosen = action; });
}

}  // namespace shardlens::cli
