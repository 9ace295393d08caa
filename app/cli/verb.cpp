// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verb.h"

#include "core/base/file.h"
#include "core/base/html.h"
#include "core/base/text.h"
#include "core/collect/run_folder.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <limits>
#include <type_traits>
#include <unistd.h>
#include <utility>

namespace shardlens::cli {
namespace {

/// Where the text of an error is wanted as well; empty: nowhere.
std::string& failureFile() {
  static std::string path;
  return path;
}

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
  return fail(Error::inFile(ErrorCode::Environment, "stdout", "the answer could not be written."));
}

/// What addCommand declares, hidden: filled in here and not by a person.
constexpr const char* kAfterDashes = "--word-after-dashes";

/// Gives a verb that takes a command each word behind `--` as an option: CLI11 forgets where that was, and takes none
/// there once it has another word. The dot keeps it from reading the word.
void wrapAfterDashes(const CLI::App& app, std::vector<std::string>& words) {
  const auto dashes = std::ranges::find(words, "--");
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
  return fail(Error::of(ErrorCode::Usage, std::move(message), "shardlens " + verb + "--help shows the options"));
}

constexpr std::size_t kLongestNumber = 20;

constexpr std::chrono::seconds kFirst{2};         ///< what is done sooner shows nothing
constexpr std::chrono::milliseconds kEvery{500};  ///< on a terminal
constexpr std::chrono::seconds kEveryElsewhere{5};

void writeCase(Output& out, const std::string& suite, const JunitCase& one) {
  out << "    <testcase classname=\"" << suite << "\" name=\"" << htmlText(one.name) << "\">\n";
  if (one.failure.empty()) {
    out << "      <system-out>" << htmlText(one.body) << "</system-out>\n";
  } else {
    out << "      <failure type=\"" << htmlText(one.failure) << "\" message=\"" << htmlText(one.message) << "\">"
        << htmlText(one.body) << "</failure>\n";
  }
  out << "    </testcase>\n";
}

/// Words in lines of at most 92 columns; `begun` is what stands before them on the first line.
void wrap(Output& out, std::string_view text, const std::string& begun, std::size_t indent) {
  constexpr std::size_t kColumns = 92;
  const std::string blanks(indent, ' ');
  std::size_t used = 0;
  out << begun;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    const std::size_t width = columnsOf(word);
    const bool full = used > 0 && used + 1 + width > kColumns - indent;
    if (full) {
      out << "\n" << blanks;
      used = 0;
    }
    out << (used == 0 ? "" : " ") << word;
    used += width + (used == 0 ? 0 : 1);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  out << "\n";
}

}  // namespace

void heedFailureVariable() {
  const char* const path = std::getenv(kFailureVariable);
  if (path == nullptr) return;
  failureFile() = path;
  (void)unsetenv(kFailureVariable);
}

void becomeRecorder() {
  // Who reads our output may go at any time (`| head`), and files may be limited in size.
  for (const int signal : {SIGPIPE, SIGXFSZ}) (void)std::signal(signal, SIG_IGN);
  for (const char* const name : {"SHARDLENS_AGENT", "SHARDLENS_RINGS", "SHARDLENS_PROBE"}) (void)unsetenv(name);
}

int fail(const Error& error) {
  const std::string text = printable(error.text());
  std::fprintf(stderr, "shardlens: %s\n", text.c_str());
  if (!failureFile().empty()) (void)writeFile(failureFile(), text + "\n");
  return exitCode(error.code);
}

int fail(const Issues& issues) {
  for (const Error& issue : issues) (void)fail(issue);
  return issues.empty() ? kFine : exitCode(issues.front().code);
}

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
  for (const CLI::App* verb : app_->get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(verb->get_name());
  return names;
}

int CommandLine::run(int argc, char** argv, const Action& chosen) {
  std::vector<std::string> words(argv + 1, argv + argc);
  wrapAfterDashes(*app_, words);
  std::ranges::reverse(words);  // as CLI11 takes them
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
        const bool known = std::ranges::find(words, text) != words.end();
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

Output& Output::operator<<(std::string_view text) {
  return isPrintable(text) ? raw(text) : raw(printable(text));
}

Output& Output::raw(std::string_view text) {
  while (!text.empty()) {
    if (used_ == buffer_.size()) flush();
    const std::size_t count = std::min(text.size(), buffer_.size() - used_);
    std::memcpy(buffer_.data() + used_, text.data(), count);
    used_ += count;
    text.remove_prefix(count);
  }
  return *this;
}

Output& Output::operator<<(std::int64_t number) {
  if (buffer_.size() - used_ < kLongestNumber) flush();
  char* const end = buffer_.data() + buffer_.size();
  used_ = static_cast<std::size_t>(std::to_chars(buffer_.data() + used_, end, number).ptr - buffer_.data());
  return *this;
}

Output& Output::padded(std::int64_t number, std::size_t width) {
  std::array<char, kLongestNumber> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  const std::string_view text(digits.data(), static_cast<std::size_t>(end - digits.data()));
  for (std::size_t i = text.size(); i < width; ++i) *this << " ";
  return *this << text;
}

void Output::flush() {
  if (progress_ != nullptr && ::isatty(STDOUT_FILENO) != 0) progress_->clear();
  for (std::size_t done = 0; done < used_ && error_ == 0;) {
    const ssize_t written = ::write(STDOUT_FILENO, buffer_.data() + done, used_ - done);
    if (written >= 0) {
      done += static_cast<std::size_t>(written);
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
  used_ = 0;
}

int Output::finish() {
  flush();
  if (error_ == 0) return kFine;
  return fail(Error::inFile(ErrorCode::Environment, "stdout",
                            std::string("the answer could not be written: ") +
                                (error_ == EBADF ? "it is closed" : std::strerror(error_)) + "."));
}

Result<void> checkNewFile(const std::string& path, bool force) {
  std::error_code code;
  if (std::filesystem::is_directory(path, code))
    return Error::inFile(ErrorCode::BadInput, path, "this is a folder, not a file.");
  if (path == "-" || force || !std::filesystem::exists(path, code)) return {};
  return Error::inFile(ErrorCode::BadInput, path, "the file exists already.", "overwrite it with --force");
}

void writeJunit(Output& out, const std::string& suite, const std::vector<JunitCase>& cases) {
  const std::string name = htmlText(suite);
  const auto failures = std::ranges::count_if(cases, [](const JunitCase& one) { return !one.failure.empty(); });
  const auto counts = [&](Output& to) -> Output& {
    return to << "tests=\"" << static_cast<std::int64_t>(cases.size()) << "\" failures=\""
              << static_cast<std::int64_t>(failures) << "\" errors=\"0\"";
  };
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites ";
  counts(out) << ">\n  <testsuite name=\"" << name << "\" ";
  counts(out) << " skipped=\"0\">\n";
  for (const JunitCase& one : cases) writeCase(out, name, one);
  out << "  </testsuite>\n</testsuites>\n";
}

std::size_t columnsOf(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

void writeWrapped(Output& out, std::string_view text, std::size_t indent) {
  wrap(out, text, std::string(indent, ' '), indent);
}

void writeLabelled(Output& out, std::string_view label, std::string_view text) {
  constexpr std::size_t kIndent = 10;
  wrap(out, text, "  " + paddedText(std::string(label), kIndent - 2), kIndent);
}

std::string paddedText(std::string text, std::size_t width) {
  const std::size_t used = columnsOf(text);
  if (used < width) text.append(width - used, ' ');
  return text;
}

Progress::Progress(bool quiet) : is_terminal_(::isatty(STDERR_FILENO) != 0) {
  if (quiet) return;
  const auto run = [this](const std::stop_token& stop) { (void)guarded([&] { speak(stop); }); };
  (void)guarded([&] { thread_ = std::jthread(run); });  // without a thread it is silent
}

Work Progress::part(std::int64_t first, std::int64_t count, std::int64_t all) {
  if (!thread_.joinable()) return {};
  const double from = static_cast<double>(first) / static_cast<double>(all);
  const double to = static_cast<double>(first + count) / static_cast<double>(all);
  const auto note = [this](double fraction) { percent_ = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * 100); };
  return Work{{}, note}.part(from, to);
}

void Progress::speak(const std::stop_token& stop) {
  MutexLock lock(mutex_);
  Clock::time_point next = start_ + kFirst;
  while (!stop.stop_requested()) {
    if (woken_.wait_until(lock, stop, next, [&stop] { return stop.stop_requested(); })) return;
    const auto now = Clock::now();
    show(std::chrono::duration_cast<std::chrono::seconds>(now - start_));
    next = now + (is_terminal_ ? Clock::duration(kEvery) : Clock::duration(kEveryElsewhere));
  }
}

void Progress::show(std::chrono::seconds taken) {
  const int percent = percent_;
  const std::string far = percent < 0 ? "working" : std::to_string(percent) + " %";
  const std::string line = far + " after " + durationText(std::chrono::nanoseconds(taken).count());
  is_shown_ = is_terminal_;
  (void)std::fprintf(stderr, is_terminal_ ? "\r%s\x1b[K" : "%s\n", line.c_str());
}

void Progress::clear() {
  if (thread_.joinable()) {
    thread_.request_stop();
    thread_.join();
  }
  if (is_shown_) (void)std::fputs("\r\x1b[K", stderr);
  is_shown_ = false;
}

}  // namespace shardlens::cli
