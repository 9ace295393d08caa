// SPDX-License-Identifier: Apache-2.0
#include "core/launch/launchers/typed_command.h"

#include "core/base/text.h"
#include "core/launch/launch_words.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>
#include <utility>
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

/// The last line of a Python traceback, "ValueError: boom", without the tag that a launcher puts before it; empty for
/// other lines, and for the one in which torchrun says only that a rank failed.
std::string exceptionIn(std::string_view line) {
  constexpr std::size_t kMost = 300;
  if (line.starts_with('[')) line = line.substr(std::min(line.find(':'), line.size() - 1) + 1);
  const std::string_view name = line.substr(0, line.find(':'));
  const bool is_name = std::all_of(name.begin(), name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  });
  if (!is_name || name.size() == line.size() || !(name.ends_with("Error") || name.ends_with("Exception"))) return {};
  if (name.ends_with("ChildFailedError")) return {};
  return std::string(line.substr(0, utf8Prefix(line.substr(0, kMost))));
}

/// Of a traceback: torchrun 1.13 fails in this function under Python 3.11.
bool isRedirectsError(const std::string& line) {
  return line.ends_with(", in to_map") && line.find("multiprocessing/api.py") != std::string::npos;
}

/// The last line of torchrun's own traceback when a signal asked it to end, upon which it ends its ranks.
bool saysTorchrunWasSignalled(const std::string& line) {
  return line.starts_with("torch.distributed.elastic.multiprocessing.api.SignalException: Process ");
}

class TypedCommand : public Launcher {
 public:
  TypedCommand(std::string name, std::unique_ptr<Launcher> kin) : name_(std::move(name)), kin_(std::move(kin)) {}
  [[nodiscard]] const char* name() const override { return name_.c_str(); }
  [[nodiscard]] Result<Launch> launch(const PipelineSpec& spec, const LaunchSite& site,
                                      const std::vector<std::string>& command) const override;
  std::optional<LauncherReport> heed(const std::string& line) override {
    was_signalled_ = was_signalled_ || saysTorchrunWasSignalled(line);
    needs_redirects_ = needs_redirects_ || isRedirectsError(line);
    if (std::string said = exceptionIn(line); !said.empty()) words_ = std::move(said);
    return kin_ == nullptr ? std::nullopt : kin_->heed(line);
  }
  [[nodiscard]] bool wasEndedFromOutside(const ProcessExit& exit) const override {
    return Launcher::wasEndedFromOutside(exit) || (exit.code != 0 && was_signalled_);
  }
  [[nodiscard]] std::string words() const override {
    if (words_.empty()) return {};
    return "the last exception in its output is " + words_ +
           (needs_redirects_ ? " (the torchrun of Debian 12 has to be started with -r 1 -t 1)" : "");
  }

 private:
  std::string name_;
  std::string words_;  ///< the last exception that was printed
  bool needs_redirects_ = false;
  bool was_signalled_ = false;
  std::unique_ptr<Launcher> kin_;  ///< says which of its lines name a rank that ended; null: none does
};

std::string fileName(const std::string& program) {
  return std::filesystem::path(program).filename().string();
}

/// Of the launchers, the one that this program is under one of its names; null when it is none.
const LauncherKind* kindOf(const std::string& program) {
  const std::string_view known =
      program == "mpiexec" || program == "orterun" || program == "mpirun.openmpi" || program == "mpiexec.openmpi"
          ? "mpirun"
          : std::string_view(program);
  const auto kinds = launcherKinds();
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const auto& one) { return one.name == known; });
  return found == kinds.end() ? nullptr : &*found;
}

Result<Launch> TypedCommand::launch(const PipelineSpec& /*spec*/, const LaunchSite& site,
                                    const std::vector<std::string>& command) const {
  LaunchCommand process;
  process.arguments = command;
  process.arguments.front() = site.program;
  Launch launch;
  launch.processes.push_back(std::move(process));
  return launch;
}

}  // namespace

Result<std::vector<std::string>> commandWords(const std::string& line) {
  if (std::all_of(line.begin(), line.end(), [](unsigned char c) { return std::isspace(c) != 0; }))
    return words::noCommand();
  const std::vector<std::string> by_shell = {"/bin/sh", "-c", line};
  // A shell expands these in the folder in which the command runs, and knows comments.
  if (line.find_first_of("*?[$~#`") != std::string::npos) return by_shell;
  const Expansion expanded(line);
  if (expanded.failure == WRDE_SYNTAX)
    return Error{ErrorCode::BadInput,
                 worded("launch", "The command is not complete: a quote is not closed, or it ends with a backslash."),
                 {},
                 worded("launch", "complete it")};
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

std::unique_ptr<Launcher> makeTypedCommand(const std::string& program) {
  const std::string name = fileName(program);
  const LauncherKind* const kind = kindOf(name);
  // Others name a rank by its place on its node, or not at all.
  const bool names_ranks = kind != nullptr && std::string_view(kind->name) == "mpirun";
  return std::make_unique<TypedCommand>(name, names_ranks ? kind->make() : nullptr);
}

bool isLauncher(const std::string& program) {
  return kindOf(fileName(program)) != nullptr;
}

std::string nameOfCommand(const std::vector<std::string>& command) {
  for (const std::string& word : command) {
    const std::filesystem::path path = word;
    if (path.extension() == ".py" && !word.starts_with('-')) return path.stem().string();
  }
  return command.empty() ? std::string() : fileName(command.front());
}

}  // namespace shardlens
