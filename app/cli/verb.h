// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/thread_annotations.h"
#include "core/base/work.h"

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <variant>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace shardlens::cli {

/// What a verb does once its arguments are parsed.
using Action = std::function<int()>;

/// Declares one verb's subcommand with its options on `app` and sets `chosen` when the user picks it. One function a
/// verb, one file a function; the list is in main.cpp.
using AddVerb = void (*)(CLI::App& app, Action& chosen);

void addPlan(CLI::App& app, Action& chosen);
void addAt(CLI::App& app, Action& chosen);
void addFind(CLI::App& app, Action& chosen);
void addDiff(CLI::App& app, Action& chosen);
void addLens(CLI::App& app, Action& chosen);
void addResume(CLI::App& app, Action& chosen);
void addAudit(CLI::App& app, Action& chosen);
void addCheck(CLI::App& app, Action& chosen);
void addExport(CLI::App& app, Action& chosen);
void addImport(CLI::App& app, Action& chosen);
void addFilm(CLI::App& app, Action& chosen);
void addEnv(CLI::App& app, Action& chosen);
void addWatch(CLI::App& app, Action& chosen);
void addRun(CLI::App& app, Action& chosen);
void addRehearse(CLI::App& app, Action& chosen);
void addCalibrate(CLI::App& app, Action& chosen);
void addCapture(CLI::App& app, Action& chosen);
void addReplay(CLI::App& app, Action& chosen);
void addReport(CLI::App& app, Action& chosen);
void addVerify(CLI::App& app, Action& chosen);
void addSamplers(CLI::App& app, Action& chosen);
void addSelftest(CLI::App& app, Action& chosen);

/// Takes kFailureVariable out of the environment, and obeys it from here on.
void heedFailureVariable();
/// Before this process starts a job and records it: a write that fails does not end it, and what `shardlens env` set
/// for jobs that others record is gone.
void becomeRecorder();
/// Prints "shardlens: <error>" on stderr, one line each, and gives the exit code of the first.
int fail(const Error& error);
int fail(const Issues& issues);

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

/// The program's command line on CLI11. Only verb.cpp compiles CLI11's templates, which cost seconds in each
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

class Progress;

/// A verb's answer on stdout, written in large pieces: a plan of 1e8 samples never stands in memory as text.
class Output {
 public:
  Output() = default;
  /// While it is written to a terminal the answer shows by itself how far it is: `progress` then ends with the first
  /// piece. It must outlive this.
  explicit Output(Progress& progress) : progress_(&progress) {}
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// Text for a person or a program: what a terminal would obey is escaped (printable() of core/base/text.h).
  Output& operator<<(std::string_view text);
  /// Bytes as they are: files that are made for other programs.
  Output& raw(std::string_view bytes);
  /// A colour or weight of our own ("\033[1m"); nothing when empty.
  Output& style(std::string_view sequence) { return raw(sequence); }
  Output& operator<<(std::int64_t number);
  /// The number with spaces before it up to `width`.
  Output& padded(std::int64_t number, std::size_t width);

  /// Writes the rest. The exit code: kFine, or kEnvironment after saying why stdout could not take it all.
  int finish();

 private:
  void flush();

  std::array<char, std::size_t{1} << 16> buffer_{};
  std::size_t used_ = 0;
  int error_ = 0;  ///< errno of the first write that failed
  Progress* progress_ = nullptr;
};

/// Before the work, which may be long: that a verb may write this file. BadInput when it is a folder, or exists and
/// `force` is not given. "-" stands for stdout.
Result<void> checkNewFile(const std::string& path, bool force);

/// One test case of a JUnit file. Texts are plain; what they hold can be no markup.
struct JunitCase {
  std::string name;
  std::string body;          ///< shown as its output, or as why it failed
  std::string failure = {};  ///< type of the failure; empty: it passed
  std::string message = {};  ///< of the failure, in one sentence
};

/// The cases as one test suite, for CI servers.
void writeJunit(Output& out, const std::string& suite, const std::vector<JunitCase>& cases);

/// Writes words in lines of at most 92 columns, each after `indent` blanks.
void writeWrapped(Output& out, std::string_view text, std::size_t indent);

/// "  label   text": the text wrapped in a column of its own. A label has at most seven characters.
void writeLabelled(Output& out, std::string_view label, std::string_view text);

/// The text with blanks behind it up to `width` columns.
std::string paddedText(std::string text, std::size_t width);

/// Characters of UTF-8 text: what it takes in a terminal.
std::size_t columnsOf(std::string_view text);

/// Says on stderr how far a long verb is, once it takes longer than two seconds: on a terminal in one line that is
/// written anew and goes when the work is done, elsewhere in a line every few seconds. A thread of its own does it, so
/// that it also speaks while nothing is reported.
class Progress {
 public:
  /// With `quiet` it says nothing.
  explicit Progress(bool quiet);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }

  /// Work whose 0..1 is shown as parts first .. first + count of `all`. Must not outlive this.
  [[nodiscard]] Work part(std::int64_t first, std::int64_t count, std::int64_t all);
  [[nodiscard]] Work whole() { return part(0, 1, 1); }
  /// Ends it, so that an answer or an error can follow.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void speak(const std::stop_token& stop);
  void show(std::chrono::seconds taken);

  Clock::time_point start_ = Clock::now();
  bool is_terminal_;
  bool is_shown_ = false;          ///< a line stands on the terminal; of the thread while there is one
  std::atomic<int> percent_ = -1;  ///< -1: nothing was reported
  Mutex mutex_;
  std::condition_variable_any woken_;
  std::jthread thread_;  ///< last: it uses all of the above
};

/// fail(problem), with no line of the progress before it.
template <class Problem>
int fail(Progress& progress, const Problem& problem) {
  progress.clear();
  return fail(problem);
}

}  // namespace shardlens::cli
