// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iostream>
#include <limits>
#include <string_view>
#include <type_traits>
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

bool isWholeNumber(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// What is wrong with a text that should be a number; empty when it is one. CLI11 would take the nearest number that
/// fits.
template <class Number>
std::string numberProblem(const std::string& text) {
  constexpr bool kWhole = std::is_integral_v<Number>;
  Number number{};
  std::int64_t whole = 0;
  const std::size_t sign = text.starts_with('+') ? 1 : 0;
  const bool fits =
      std::from_chars(text.data() + sign, text.data() + text.size(), whole).ec != std::errc::result_out_of_range;
  if (kWhole && isWholeNumber(text) && !fits) {
    const bool negative = text.starts_with('-');
    const std::int64_t limit =
        negative ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
    return "'" + text + "' is too " + (negative ? "small" : "large") + ": the " + (negative ? "least" : "greatest") +
           " number is " + std::to_string(limit) + ".";
  }
  if (CLI::detail::lexical_cast(text, number)) return {};
  return "'" + text + "' is not a " + (kWhole ? "whole number." : "number.");
}

/// What --help and --version print, and the exit code.
int answered(const CLI::App& app, const CLI::Success& asked) {
  app.exit(asked);
  std::cout.flush();
  if (std::cout) return kFine;
  return fail(Error{ErrorCode::Environment, "the answer could not be written.", Place{"stdout", 0, 0, {}}, {}});
}

/// What addCommand declares, hidden: filled in here and not by a person.
constexpr const char* kAfterDashes = "--word-after-dashes";

/// Gives a verb that takes a command each word behind `--` as an option: CLI11 forgets where that was, and takes none
/// there once it has another word. The dot keeps it from reading the word.
void wrapAfterDashes(const CLI::App& app, std::vector<std::string>& words) {
  const auto dashes = std::find(words.begin(), words.end(), "--");
  if (words.empty() || dashes == words.end()) return;
  const auto verbs = app.get_subcommands([&words](const CLI::App* verb) { return verb->get_name() == words.front(); });
  if (verbs.empty() || verbs.front()->get_option_no_throw(kAfterDashes) == nullptr) return;
  for (auto word = dashes + 1; word != words.end(); ++word) *word = std::string(kAfterDashes) + "=." + *word;
  words.erase(dashes);
}

std::string unexpected(const std::vector<std::string>& arguments) {
  std::string text = arguments.size() == 1 ? "unexpected argument " : "unexpected arguments ";
  for (std::size_t i = 0; i < arguments.size(); ++i) text += (i > 0 ? ", '" : "'") + arguments[i] + "'";
  return text + ".";
}

int parseError(const CLI::App& app, const CLI::ParseError& error) {
  const auto used = app.get_subcommands();
  const std::string verb = used.empty() ? "" : used.front()->get_name() + " ";
  std::string message = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) message = unexpected(app.remaining(true));
  return fail(Error{ErrorCode::Usage, std::move(message), {}, "shardlens " + verb + "--help shows the options"});
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
  std::vector<std::string> words(argv + 1, argv + argc);
  wrapAfterDashes(*app_, words);
  std::reverse(words.begin(), words.end());  // as CLI11 takes them
  try {
    app_->parse(std::move(words));
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
  option_->check(
      [words](const std::string& text) {
        const bool known = std::find(words.begin(), words.end(), text) != words.end();
        return known ? std::string() : "'" + text + "' is unknown: give " + alternatives(words) + ".";
      },
      CLI::IsMember(words).get_description());
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

Argument Arguments::add(const std::string& name, Target target, const std::string& help) {
  const auto add_to = [&](auto place) { return verb_->add_option(name, place.get(), help); };
  CLI::Option* const option = std::visit(add_to, target);
  const bool is_double = std::holds_alternative<std::reference_wrapper<double>>(target);
  const bool is_whole = std::holds_alternative<std::reference_wrapper<std::int64_t>>(target) ||
                        std::holds_alternative<std::reference_wrapper<std::optional<std::int64_t>>>(target);
  if (is_whole) option->transform(inDecimal, "")->check(numberProblem<std::int64_t>);
  if (is_double) option->check(numberProblem<double>);
  return Argument(option);
}

void Arguments::addFlag(const std::string& name, bool& target, const std::string& help) {
  verb_->add_flag(name, target, help);
}

void Arguments::addCommand(std::vector<std::string>& target, std::int64_t& after_dashes, const std::string& help) {
  verb_->add_option("COMMAND", target, help);
  const auto take = [&target, &after_dashes](const std::vector<std::string>& words) {
    for (const std::string& word : words) target.push_back(word.substr(1));
    after_dashes = std::ssize(words);
  };
  verb_->add_option_function<std::vector<std::string>>(kAfterDashes, take)->group("");
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
