// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"
#include "core/yaml/imports/readers.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace shardlens::yaml::imports {
namespace {

/// Options of sbatch and salloc whose value stands behind "=", or is the next word.
constexpr std::string_view kWithValue =
    " account acctg-freq array batch bb bbf begin chdir cluster-constraint clusters comment constraint container "
    "container-id core-spec cores-per-socket cpu-freq cpus-per-gpu cpus-per-task deadline delay-boot dependency "
    "distribution error exclude export export-file extra extra-node-info gid gpu-bind gpu-freq gpus gpus-per-node "
    "gpus-per-socket gpus-per-task gres gres-flags hint input job-name kill-on-invalid-dep licenses mail-type "
    "mail-user mcs-label mem mem-bind mem-per-cpu mem-per-gpu mincpus network nodefile nodelist nodes ntasks "
    "ntasks-per-core ntasks-per-gpu ntasks-per-node ntasks-per-socket open-mode output partition power prefer priority "
    "profile qos reservation segment signal sockets-per-node switches thread-spec threads-per-core time time-min tmp "
    "tres-bind tres-per-task uid wait-all-nodes wckey wrap ";

/// Those that have none, or have one only behind "=".
constexpr std::string_view kWithout =
    " bell contiguous exclusive get-user-env help hold ignore-pbs immediate kill-command nice no-bell no-kill "
    "no-requeue no-shell oom-kill-step overcommit oversubscribe parsable propagate quiet reboot requeue spread-job "
    "stepmgr test-only usage use-min-nodes verbose version wait x11 ";

constexpr auto kLetters = std::to_array<std::pair<char, std::string_view>>(
    {{'A', "account"},      {'B', "extra-node-info"}, {'C', "constraint"},
     {'D', "chdir"},        {'F', "nodefile"},        {'G', "gpus"},
     {'H', "hold"},         {'I', "immediate"},       {'J', "job-name"},
     {'K', "kill-command"}, {'L', "licenses"},        {'M', "clusters"},
     {'N', "nodes"},        {'O', "overcommit"},      {'Q', "quiet"},
     {'S', "core-spec"},    {'V', "version"},         {'W', "wait"},
     {'a', "array"},        {'b', "begin"},           {'c', "cpus-per-task"},
     {'d', "dependency"},   {'e', "error"},           {'h', "help"},
     {'i', "input"},        {'k', "no-kill"},         {'m', "distribution"},
     {'n', "ntasks"},       {'o', "output"},          {'p', "partition"},
     {'q', "qos"},          {'s', "oversubscribe"},   {'t', "time"},
     {'u', "usage"},        {'v', "verbose"},         {'w', "nodelist"},
     {'x', "exclude"}});

bool isAmong(std::string_view options, const std::string& name) {
  return options.find(' ' + name + ' ') != std::string_view::npos;
}

/// "--nodes=2", "--nodes 2", "--exclusive". `at` moves on to the last word that it takes.
void readLongOption(const Command& words, std::size_t& at, Options& out) {
  const std::string& word = words[at];
  const std::size_t equals = word.find('=');
  const std::string name = word.substr(2, equals - 2);
  const bool is_known = isAmong(kWithValue, name) || isAmong(kWithout, name);
  if (!is_known) out.unknown.push_back("--" + name);
  const bool has_next = at + 1 < words.size();
  const bool takes_next = has_next && (isAmong(kWithValue, name) || (!is_known && !words[at + 1].starts_with('-')));
  out.values[name] = equals != std::string::npos ? word.substr(equals + 1) : takes_next ? words[++at] : "";
}

/// "-N2", "-N 2", "-Hv": a value ends the word, or is the next one.
void readShortOptions(const Command& words, std::size_t& at, Options& out) {
  const std::string& word = words[at];
  for (std::size_t i = 1; i < word.size(); ++i) {
    const auto* const found = std::ranges::find(kLetters, word[i], [](const auto& row) { return row.first; });
    if (found == kLetters.end()) return out.unknown.push_back('-' + word.substr(i));
    const std::string name(found->second);
    if (!isAmong(kWithValue, name)) {
      out.values[name] = "";
      continue;
    }
    out.values[name] = i + 1 < word.size() ? word.substr(i + 1) : at + 1 < words.size() ? words[++at] : "";
    return;
  }
}

/// What the script finds in its environment: by default all that sbatch has.
Variables environmentOf(const Options& options, const Variables& of_sbatch) {
  Variables out;
  for (const std::string& word : split(options.find("export").value_or("ALL"), ',')) {
    const std::size_t equals = word.find('=');
    const auto known = of_sbatch.find(word);
    if (equals != std::string::npos && equals > 0) out[word.substr(0, equals)] = word.substr(equals + 1);
    if (word == "ALL") out.insert(of_sbatch.begin(), of_sbatch.end());
    if (known != of_sbatch.end()) out.insert(*known);
  }
  return out;
}

}  // namespace

Options readSlurmOptions(const Command& command, std::size_t begin) {
  Options out;
  std::size_t i = begin;
  for (; i < command.size() && command[i].size() > 1 && command[i].front() == '-'; ++i) {
    if (command[i] == "--") {
      ++i;
      break;
    }
    command[i][1] == '-' ? readLongOption(command, i, out) : readShortOptions(command, i, out);
  }
  out.end = i;
  return out;
}

Submission readSubmission(const ScriptCommand& sbatch, const Variables& exported, const std::string& from) {
  Submission out{readSlurmOptions(sbatch.words, 1), {}, {}, {}, from};
  if (out.options.end < sbatch.words.size()) {
    const auto script = sbatch.words.begin() + static_cast<std::ptrdiff_t>(out.options.end);
    out.script = (std::filesystem::path(out.options.find("chdir").value_or("")) / *script).string();
    out.arguments.assign(script + 1, sbatch.words.end());
  }
  Variables environment = sbatch.assigned;
  environment.insert(exported.begin(), exported.end());
  out.variables = environmentOf(out.options, environment);
  return out;
}

}  // namespace shardlens::yaml::imports
