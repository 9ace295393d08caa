// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/imports/readers.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

namespace shardlens::yaml::imports {
namespace {

constexpr std::size_t kMostWords = 100'000;
constexpr std::size_t kMostVariable = 10'000;
constexpr std::size_t kMostProduced = 10'000'000;  ///< bytes that variables become

bool isNameByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool isName(std::string_view text) {
  return !text.empty() && !(text.front() >= '0' && text.front() <= '9') && std::ranges::all_of(text, isNameByte);
}

/// Takes a script apart, word by word.
class Reader {
 public:
  /// `depth`: of readers that read parts of a text for each other, with the variables that are known there.
  Reader(std::string_view text, int depth, Variables variables = {})
      : text_(text), depth_(depth), variables_(std::move(variables)) {}

  /// Before read(): what sbatch is told holds, whatever the script says.
  void submit(const Submission& submission) {
    variables_ = submission.variables;
    for (const auto& [name, value] : submission.options.values)
      direct(name, {value, submission.from + ": sbatch --" + name});
    arguments_ = submission.arguments;
    setArguments();
  }

  Script read() {
    while (at_ < text_.size() && words_ < kMostWords && !has_ended_) step();
    endCommand();
    return std::move(script_);
  }

 private:
  void step() {
    const char c = text_[at_];
    if (c == '\\' && at_ + 1 < text_.size()) return escape();
    if (c == '\'') return single();
    if (c == '"') return doubleQuoted();
    if (c == '$') return variable(true);
    if (c == '#' && !in_word_) return comment();
    if (c == '(' && word_.ends_with('=') && depth_ == 0 && isName(std::string_view(word_).substr(0, word_.size() - 1)))
      return array();
    if (c == '<' && text_.substr(at_).starts_with("<<") && !text_.substr(at_).starts_with("<<<")) return hereDocument();
    if (c == '<' || c == '>') return redirection();
    if (c == '\n') return lineEnd();
    if (std::string_view(";&|()").find(c) != std::string_view::npos) return separator(c);
    if ((c == '{' || c == '}') && !in_word_) return brace(c);
    if (c == ' ' || c == '\t' || c == '\r') {
      ++at_;
      return endWord();
    }
    plain();
  }

  /// What stands behind && or || may not happen.
  void separator(char c) {
    const bool is_double = at_ + 1 < text_.size() && text_[at_ + 1] == c && (c == '&' || c == '|');
    at_ += is_double ? 2 : 1;
    endCommand();
    is_chained_ = is_double;
  }

  void brace(char c) {
    ++at_;
    endCommand();
    conditions_ = std::max(0, conditions_ + (c == '{' ? 1 : -1));
    braces_ = std::max(0, braces_ + (c == '{' ? 1 : -1));
  }

  /// "<<EOF", "<<-'EOF'": what comes from the next line on is no command.
  void hereDocument() {
    endWord();
    at_ += 2;
    if (at_ < text_.size() && text_[at_] == '-') ++at_;
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    std::string end;
    while (at_ < text_.size() && std::string_view(" \t\r\n;&|<>()").find(text_[at_]) == std::string_view::npos) {
      if (text_[at_] != '\'' && text_[at_] != '"' && text_[at_] != '\\') end += text_[at_];
      ++at_;
    }
    if (!end.empty()) ends_of_documents_.push_back(end);
  }

  /// "2>&1", "> file": neither is a word of the command.
  void redirection() {
    if (word_.find_first_not_of("0123456789&") == std::string::npos) {
      word_.clear();
      in_word_ = false;
    }
    endWord();
    constexpr std::string_view kSigns = "<>&|-";
    while (at_ < text_.size() && kSigns.find(text_[at_]) != std::string_view::npos) ++at_;
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    while (at_ < text_.size() && std::string_view(" \t\r\n;&|()").find(text_[at_]) == std::string_view::npos) ++at_;
  }

  void lineEnd() {
    ++at_;
    endCommand();
    for (const std::string& end : std::exchange(ends_of_documents_, {})) skipDocument(end);
  }

  void skipDocument(const std::string& end) {
    while (at_ < text_.size()) {
      const std::size_t line_end = std::min(text_.find('\n', at_), text_.size());
      std::string_view line = text_.substr(at_, line_end - at_);
      while (line.starts_with('\t')) line.remove_prefix(1);
      if (line.ends_with('\r')) line.remove_suffix(1);
      at_ = std::min(line_end + 1, text_.size());
      if (line == end) return;
    }
  }

  void plain() {
    in_word_ = true;
    word_ += text_[at_++];
  }

  void escape() {
    const char next = text_[at_ + 1];
    at_ += 2;
    if (next == '\r' && at_ < text_.size() && text_[at_] == '\n') ++at_;
    if (next == '\n' || next == '\r') return endWord();
    in_word_ = true;
    word_ += next;
  }

  void single() {
    const std::size_t end = std::min(text_.find('\'', at_ + 1), text_.size());
    in_word_ = true;
    word_ += text_.substr(at_ + 1, end - at_ - 1);
    at_ = std::min(end + 1, text_.size());
  }

  void doubleQuoted() {
    in_word_ = true;
    ++at_;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
        if (text_[at_ + 1] != '\n') word_ += text_[at_ + 1];
        at_ += 2;
      } else if (text_[at_] == '$') {
        variable(false);
      } else {
        word_ += text_[at_++];
      }
    }
    at_ = std::min(at_ + 1, text_.size());
  }

  /// NAME=(word word): kept as one text, which is taken apart where it is used.
  void array() {
    const std::size_t end = std::min(text_.find(')', at_), text_.size());
    std::string words;
    for (const ScriptCommand& line :
         Reader(text_.substr(at_ + 1, end - at_ - 1), depth_ + 1, variables_).read().commands) {
      for (const std::string& word : line.words) words += word + " ";
    }
    word_ += words;
    at_ = std::min(end + 1, text_.size());
  }

  /// What a variable says, outside of quotes: its words.
  void put(const std::string& value, bool is_split) {
    produced_ += value.size();
    if (produced_ > kMostProduced) return;
    for (const char c : value) {
      if (is_split && (c == ' ' || c == '\n' || c == '\t')) {
        endWord();
      } else {
        in_word_ = true;
        word_ += c;
      }
    }
  }

  /// "$NAME", "${NAME}", "${NAME:-default}"; others stay as they are written.
  void variable(bool is_split) {
    if (!is_split) in_word_ = true;
    const std::size_t begin = at_++;
    std::string name;
    std::optional<std::string> otherwise;
    if (at_ < text_.size() && text_[at_] == '{') {
      const std::size_t end = text_.find('}', at_);
      if (end == std::string_view::npos) return put("$", false);
      const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
      const std::size_t dash = std::min(inside.find('-'), inside.size());
      name = inside.substr(0, dash);
      if (name.ends_with(':')) name.pop_back();
      if (name.ends_with("[@]") || name.ends_with("[*]")) {
        name.resize(name.size() - 3);
        is_split = true;
      }
      if (dash < inside.size()) otherwise = inside.substr(dash + 1);
      at_ = end + 1;
    } else if (at_ < text_.size() && text_[at_] == '(') {
      return substitution(begin);
    } else if (at_ < text_.size() && (text_[at_] == '@' || text_[at_] == '*')) {
      name = text_[at_++];
    } else {
      while (at_ < text_.size() && isNameByte(text_[at_])) name += text_[at_++];
    }
    const auto known = variables_.find(name);
    if (known != variables_.end() && isSaidHere(name)) {
      const bool is_all = name == "@";  // "$@" is as many words as there are arguments, maybe none
      if (is_all && word_.empty()) in_word_ = false;
      put(known->second, is_split || is_all);
    } else {
      put(otherwise && isName(name) ? *otherwise : std::string(text_.substr(begin, at_ - begin)), false);
    }
  }

  /// Arguments of the script are not those of its functions, and $1 in a loop or a case may be another one each time.
  [[nodiscard]] bool isSaidHere(std::string_view variable) const {
    if (variable == "@" || variable == "*") return braces_ == 0;
    return conditions_ == 0 || isName(variable);
  }

  void setArguments() {
    std::string all;
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      variables_[std::to_string(i + 1)] = arguments_[i];
      all += (all.empty() ? "" : " ") + arguments_[i];
    }
    variables_["@"] = variables_["*"] = all;
  }

  /// `shift` and `set -- ...`: where what is left is not certain, no argument is known any more.
  void shift() {
    for (std::size_t i = 0; i < arguments_.size(); ++i) variables_.erase(std::to_string(i + 1));
    variables_.erase("@");
    variables_.erase("*");
    const auto by = command_.size() == 1 ? std::optional<std::int64_t>(1) : wholeNumber(command_[1]);
    const bool is_certain = conditions_ == 0 && by && *by <= std::ssize(arguments_);
    if (!is_certain || arguments_.empty()) return arguments_.clear();
    arguments_.erase(arguments_.begin(), arguments_.begin() + static_cast<std::ptrdiff_t>(*by));
    setArguments();
  }

  /// "$(...)" is not run: it stays as it is written.
  void substitution(std::size_t begin) {
    int depth = 0;
    do {
      depth += text_[at_] == '(' ? 1 : text_[at_] == ')' ? -1 : 0;
      ++at_;
    } while (at_ < text_.size() && depth > 0);
    const std::string_view written = text_.substr(begin, at_ - begin);
    const auto number = written.starts_with("$((") && written.ends_with("))")
                            ? arithmetic(written.substr(3, written.size() - 5))
                            : std::nullopt;
    put(number ? std::to_string(*number) : std::string(written), false);
  }

  /// Whole numbers and variables that hold some, with * and + between them; nothing of what says more.
  std::optional<std::int64_t> arithmetic(std::string_view text) {
    constexpr std::int64_t kMost = 1'000'000'000;
    std::int64_t sum = 0;
    std::int64_t product = 1;
    bool wants_number = true;
    for (std::size_t i = 0; i < text.size();) {
      if (text[i] == ' ' || text[i] == '$' || text[i] == '{' || text[i] == '}') {
        ++i;
        continue;
      }
      if (!wants_number && (text[i] == '*' || text[i] == '+')) {
        if (text[i] == '+') sum += std::exchange(product, 1);
        wants_number = true;
        ++i;
        continue;
      }
      std::string word;
      while (i < text.size() && isNameByte(text[i])) word += text[i++];
      const auto known = variables_.find(word);
      const std::string& digits = known == variables_.end() ? word : known->second;
      if (!wants_number || digits.empty() || digits.size() > 9 ||
          digits.find_first_not_of("0123456789") != std::string::npos)
        return std::nullopt;
      product *= std::stoll(digits);
      if (product > kMost) return std::nullopt;
      wants_number = false;
    }
    return wants_number ? std::nullopt : std::optional(sum + product);
  }

  void comment() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    directive(text_.substr(at_, end - at_));
    at_ = end;
  }

  void directive(std::string_view line) {
    constexpr std::string_view kMark = "#SBATCH";
    if (!line.starts_with(kMark) || !script_.commands.empty() || depth_ > 0) return;
    const auto read = Reader(line.substr(kMark.size()), depth_ + 1).read().commands;
    if (read.empty()) return;
    for (const auto& [name, value] : readSlurmOptions(read.front().words, 0).values) {
      const auto said = script_.directives.find(name);
      if (said == script_.directives.end() || said->second.from.empty()) direct(name, {value, {}});
    }
  }

  void direct(const std::string& name, Directive said) {
    const std::string& value = (script_.directives[name] = std::move(said)).text;
    if (name == "nodes") variables_["SLURM_NNODES"] = variables_["SLURM_JOB_NUM_NODES"] = value;
    if (name == "ntasks") variables_["SLURM_NTASKS"] = variables_["SLURM_NPROCS"] = value;
    if (name == "ntasks-per-node") variables_["SLURM_NTASKS_PER_NODE"] = value;
  }

  void endWord() {
    if (!std::exchange(in_word_, false)) return;
    std::string word = std::exchange(word_, {});
    const std::size_t equals = word.find('=');
    const bool assigns = equals != std::string::npos && isName(std::string_view(word).substr(0, equals));
    const bool is_first = command_.empty() || command_.front() == "export" || command_.front() == "env";
    const bool adds = equals != std::string::npos && equals > 1 && word[equals - 1] == '+' &&
                      isName(std::string_view(word).substr(0, equals - 1));
    if (adds && is_first) {
      std::string& value = variables_[word.substr(0, equals - 1)];
      if (value.size() + word.size() < kMostVariable) value += word.substr(equals + 1);
      return;
    }
    if (assigns && is_first) {
      if (word.size() < kMostVariable)
        variables_[word.substr(0, equals)] = assigned_[word.substr(0, equals)] = word.substr(equals + 1);
      return;
    }
    ++words_;
    command_.push_back(std::move(word));
  }

  /// How deep the commands that follow are within conditions and loops.
  void count(const std::string& word) {
    static const std::vector<std::string> kBegin = {"if", "case", "for", "while", "until", "function"};
    static const std::vector<std::string> kEnd = {"fi", "esac", "done"};
    if (std::ranges::find(kBegin, word) != kBegin.end()) ++conditions_;
    if (std::ranges::find(kEnd, word) != kEnd.end()) conditions_ = std::max(0, conditions_ - 1);
  }

  /// `export A=1 B`
  void exportVariables() {
    for (const auto& [name, value] : std::exchange(assigned_, {})) script_.exported[name] = value;
    for (const std::string& word : command_) {
      if (const auto known = variables_.find(word); known != variables_.end()) script_.exported[word] = known->second;
    }
  }

  void endCommand() {
    endWord();
    if (!command_.empty() && command_.front() == "export") exportVariables();
    for (std::size_t i = 0; i < command_.size() && i < 2; ++i) count(command_[i]);
    static const std::vector<std::string> kBefore = {"exec", "time", "nohup", "env",   "export", "then",
                                                     "do",   "else", "if",    "while", "sudo",   "!"};
    while (!command_.empty() && std::ranges::find(kBefore, command_.front()) != kBefore.end())
      command_.erase(command_.begin());
    if (!command_.empty() && command_.front() == "exit" && conditions_ == 0 && !is_chained_ && depth_ == 0)
      has_ended_ = true;
    const bool sets = command_.size() > 1 && command_[0] == "set" && command_[1] == "--";
    if (sets || (!command_.empty() && command_[0] == "shift")) shift();
    if (!command_.empty() && !has_ended_)
      script_.commands.push_back({std::move(command_), conditions_ > 0, std::move(assigned_)});
    command_.clear();
    assigned_.clear();
    is_chained_ = false;
  }

  std::string_view text_;
  int depth_;
  std::size_t at_ = 0;
  std::size_t words_ = 0;
  std::size_t produced_ = 0;
  bool in_word_ = false;
  bool has_ended_ = false;
  bool is_chained_ = false;
  int conditions_ = 0;
  int braces_ = 0;
  std::vector<std::string> ends_of_documents_;
  std::string word_;
  Command command_;
  std::vector<std::string> arguments_;
  Variables variables_;
  Variables assigned_;  ///< by the command that is read
  Script script_;
};

std::string nameOf(std::string_view option) {
  std::string name(option);
  std::ranges::replace(name, '-', '_');
  return name;
}

}  // namespace

Script readScript(std::string_view text) {
  return Reader(text, 0).read();
}

Script readScript(std::string_view text, const Submission& submission) {
  Reader reader(text, 0);
  reader.submit(submission);
  return reader.read();
}

std::optional<std::string> Options::find(std::string_view name) const {
  const auto found = values.find(std::string(name));
  return found == values.end() ? std::nullopt : std::optional(found->second);
}

Options readOptions(const Command& command, std::size_t begin, const std::vector<std::string>& takes_none) {
  Options out;
  std::size_t i = begin;
  for (; i < command.size() && command[i].size() > 1 && command[i].front() == '-'; ++i) {
    const std::string& word = command[i];
    const std::size_t dashes = word.starts_with("--") ? 2 : 1;
    const std::size_t equals = word.find('=');
    const std::string name = nameOf(std::string_view(word).substr(dashes, equals - dashes));
    if (name.empty()) {  // "--"
      ++i;
      break;
    }
    const bool takes = std::ranges::find(takes_none, name) == takes_none.end();
    if (equals != std::string::npos) {
      out.values[name] = word.substr(equals + 1);
    } else if (dashes == 1 && name.size() > 1 && name[1] >= '0' && name[1] <= '9') {
      out.values[name.substr(0, 1)] = name.substr(1);  // "-n4"
    } else if (takes && i + 1 < command.size()) {
      out.values[name] = command[++i];
    } else {
      out.values[name] = "";
    }
  }
  out.end = std::min(i, command.size());
  return out;
}

std::map<std::string, ScriptArgument> argumentsIn(const Command& command, std::size_t begin) {
  std::map<std::string, ScriptArgument> out;
  for (std::size_t i = begin; i < command.size(); ++i) {
    const std::string& word = command[i];
    if (!word.starts_with("--") || word.size() < 3) continue;
    const std::size_t equals = word.find('=');
    const bool has_next = i + 1 < command.size() && !command[i + 1].starts_with("--");
    const std::string text = equals != std::string::npos ? word.substr(equals + 1) : has_next ? command[i + 1] : "";
    out[nameOf(std::string_view(word).substr(2, equals - 2))] = {text, word.substr(0, equals)};
  }
  return out;
}

}  // namespace shardlens::yaml::imports
