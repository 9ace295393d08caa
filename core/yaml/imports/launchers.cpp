// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/yaml/imports/readers.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace shardlens::yaml::imports {
namespace {

/// "/opt/bin/mpirun" is mpirun.
std::string_view withoutFolder(std::string_view word) {
  return word.substr(word.rfind('/') + 1);
}

/// One command, its place in a note, and the draft.
struct Line {
  const Command& words;
  std::size_t begin;  ///< the first word behind the launcher
  bool is_innermost;  ///< it starts the ranks, and not another launcher
  const std::string& name;
  Draft& draft;

  /// What an outer launcher says holds where the inner one leaves it open.
  void put(const char* field, const std::string& text, const std::string& from) const {
    is_innermost ? draft.read(field, text, from) : draft.fill(field, text, from);
  }
  [[nodiscard]] std::string from(const std::string& option) const {
    return name + ": " + std::string(withoutFolder(words[begin - 1])) + " " + option;
  }
};

/// Reads its options and gives the word where its program begins.
using Launcher = std::size_t (*)(const Line& line);

/// Options that say the same, as they are found and as they are typed; the first that is given counts.
using Names = std::vector<std::pair<const char*, const char*>>;

void readFirst(const Line& line, const Options& options, const char* field, const Names& names) {
  for (const auto& [name, shown] : names) {
    if (const auto text = options.find(name)) return line.put(field, *text, line.from(shown));
  }
}

void readWorld(const Line& line, const Options& options, const Names& names) {
  for (const auto& [name, shown] : names) {
    if (const auto text = options.find(name)) return line.draft.readWorldSize(*text, line.from(shown));
  }
}

std::size_t torchrun(const Line& line) {
  static const std::vector<std::string> kFlags = {"standalone", "m", "module", "no_python", "use_env", "run_path"};
  const Options options = readOptions(line.words, line.begin, kFlags);
  const auto nodes = options.find("nnodes");
  if (options.find("standalone")) {
    line.put("world.nodes", "1", line.from("--standalone"));
  } else if (!nodes) {
    line.draft.readDefault("world.nodes", "1", "torchrun");
  } else if (nodes->find(':') != std::string::npos) {
    line.draft.leave("world.nodes", filled(worded("import", "%2 says %1: the number may change while the job runs."),
                                           *nodes, line.from("--nnodes")));
  } else if (!nodes->starts_with("$SLURM") && !nodes->starts_with("${SLURM")) {
    line.put("world.nodes", *nodes, line.from("--nnodes"));
  }
  const auto ranks = options.find("nproc_per_node");
  if (!ranks) {
    line.draft.readDefault("world.ranks_per_node", "1", "torchrun");
  } else if (*ranks == "gpu" || *ranks == "auto" || *ranks == "cpu") {
    line.draft.leave("world.ranks_per_node", words::rankSharesUnknown(*ranks, line.from("--nproc_per_node")));
  } else {
    line.put("world.ranks_per_node", *ranks, line.from("--nproc_per_node"));
  }
  return options.end;
}

const Names kRanksOfMpi = {{"np", "-np"}, {"n", "-n"}, {"c", "-c"}};

/// Of mpirun, on all nodes.
std::optional<std::string> numberOfRanks(const Options& options) {
  for (const auto& [name, shown] : kRanksOfMpi) {
    if (const auto text = options.find(name)) return *text;
  }
  return std::nullopt;
}

/// The slots of each host, where all are numbers from 1 on; otherwise nothing.
IndexList slotsOf(const std::vector<std::string>& slots) {
  std::vector<std::int64_t> ranks;
  for (const std::string& text : slots) {
    const auto number = wholeNumber(text);
    if (!number || *number < 1) return {};
    ranks.push_back(*number);
  }
  return {std::move(ranks)};
}

/// "a:4,b:4": a node each, with its ranks. Hosts that differ are full only where there are `np` ranks in all.
void readHosts(const Line& line, const std::string& hosts, const std::optional<std::string>& np,
               const std::string& from) {
  std::set<std::string> names;
  std::set<std::string> slots;
  std::vector<std::string> of_each;
  for (const std::string& host : split(hosts, ',')) {
    const std::size_t colon = std::min(host.find(':'), host.size());
    names.insert(host.substr(0, colon));
    of_each.push_back(host.substr(std::min(colon + 1, host.size())));
    slots.insert(of_each.back());
  }
  const IndexList ranks = names.size() == of_each.size() && slots.size() > 1 ? slotsOf(of_each) : IndexList();
  if (!ranks.empty() && (!np || wholeNumber(*np) == ranks.facts().total)) line.draft.fillNodes(ranks, from);
  line.put("world.nodes", std::to_string(names.size()), from);
  if (slots.size() == 1 && wholeNumber(*slots.begin())) line.draft.fill("world.ranks_per_node", *slots.begin(), from);
}

std::size_t mpirun(const Line& line) {
  static const std::vector<std::string> kFlags = {
      "oversubscribe", "allow_run_as_root", "report_bindings", "v",      "q",
      "tag_output",    "bind_to_none",      "by_node",         "verbose"};
  // --mca and -x take one or two words that are no options of ours.
  Command words = line.words;
  for (std::size_t i = line.begin; i + 2 < words.size(); ++i) {
    if (words[i] == "--mca" || words[i] == "-mca" || words[i] == "-genv")
      words.erase(words.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
  const Options options = readOptions(words, line.begin, kFlags);
  const std::size_t end = options.end + (line.words.size() - words.size());
  if (std::ranges::find(line.words, ":") != line.words.end()) {
    line.draft.leave("world.ranks_per_node",
                     filled(worded("import", "%1 starts several programs at once."), line.from(":")));
    return end;
  }
  readFirst(line, options, "world.ranks_per_node",
            {{"npernode", "-npernode"}, {"N", "-N"}, {"ppn", "-ppn"}, {"perhost", "-perhost"}});
  for (const auto& [name, shown] : {std::pair{"H", "-H"}, {"host", "--host"}, {"hosts", "-hosts"}}) {
    if (const auto text = options.find(name)) readHosts(line, *text, numberOfRanks(options), line.from(shown));
  }
  readWorld(line, options, kRanksOfMpi);
  return end;
}

std::size_t srun(const Line& line) {
  static const std::vector<std::string> kFlags = {"exclusive", "overlap", "unbuffered", "u", "l",
                                                  "label",     "pty",     "verbose",    "v"};
  const Options options = readOptions(line.words, line.begin, kFlags);
  readFirst(line, options, "world.nodes", {{"nodes", "--nodes"}, {"N", "-N"}});
  if (!line.is_innermost) return options.end;
  readFirst(line, options, "world.ranks_per_node", {{"ntasks_per_node", "--ntasks-per-node"}});
  readWorld(line, options, {{"ntasks", "--ntasks"}, {"n", "-n"}});
  return options.end;
}

std::size_t accelerateLaunch(const Line& line) {
  if (line.begin >= line.words.size() || line.words[line.begin] != "launch") return line.words.size();
  static const std::vector<std::string> kFlags = {"multi_gpu", "cpu",    "use_deepspeed", "use_fsdp", "same_network",
                                                  "m",         "module", "no_python",     "debug",    "quiet",
                                                  "tpu"};
  const Options options = readOptions(line.words, line.begin + 1, kFlags);
  readFirst(line, options, "world.nodes", {{"num_machines", "--num_machines"}});
  readWorld(line, options, {{"num_processes", "--num_processes"}});
  return options.end;
}

std::size_t deepspeed(const Line& line) {
  static const std::vector<std::string> kFlags = {"no_ssh", "no_python", "module", "force_multi", "bind_cores_to_rank"};
  const Options options = readOptions(line.words, line.begin, kFlags);
  readFirst(line, options, "world.nodes", {{"num_nodes", "--num_nodes"}});
  readFirst(line, options, "world.ranks_per_node", {{"num_gpus", "--num_gpus"}});
  const auto include = options.find("include");  // "localhost:0,1,5"
  if (include && include->find('@') == std::string::npos && include->find(':') != std::string::npos) {
    line.put("world.nodes", "1", line.from("--include"));
    line.put("world.ranks_per_node", std::to_string(std::ranges::count(*include, ',') + 1), line.from("--include"));
  }
  return options.end;
}

/// Of the allocation, where srun leaves it open. It starts no ranks itself.
std::size_t salloc(const Line& line) {
  const Options options = readSlurmOptions(line.words, line.begin);
  readFirst(line, options, "world.nodes", {{"nodes", "--nodes"}});
  if (line.draft.hasWorldSize()) return options.end;
  readFirst(line, options, "world.ranks_per_node", {{"ntasks-per-node", "--ntasks-per-node"}});
  readWorld(line, options, {{"ntasks", "--ntasks"}});
  return options.end;
}

/// MosaicML's launcher.
std::size_t composer(const Line& line) {
  const Options options =
      readOptions(line.words, line.begin, {"verbose", "v", "m", "module_mode", "c", "command_mode"});
  readFirst(line, options, "world.ranks_per_node", {{"n", "-n"}, {"nproc", "--nproc"}});
  readWorld(line, options, {{"world_size", "--world_size"}});
  return options.end;
}

Launcher launcherNamed(std::string_view program) {
  static constexpr std::array<std::pair<std::string_view, Launcher>, 13> kLaunchers = {
      {{"torchrun", torchrun},
       {"torch.distributed.run", torchrun},
       {"torch.distributed.launch", torchrun},
       {"mpirun", mpirun},
       {"mpiexec", mpirun},
       {"mpiexec.hydra", mpirun},
       {"orterun", mpirun},
       {"horovodrun", mpirun},
       {"composer", composer},
       {"srun", srun},
       {"salloc", salloc},
       {"accelerate", accelerateLaunch},
       {"deepspeed", deepspeed}}};
  const std::string_view name = withoutFolder(program);
  const auto* found = std::ranges::find(kLaunchers, name, [](const auto& row) { return row.first; });
  return found == kLaunchers.end() ? nullptr : found->second;
}

/// bash -c "torchrun train.py": the words of the text in the place of it.
Command opened(const Command& command) {
  Command out;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const bool is_text = i > 0 && command[i - 1].starts_with('-') && command[i - 1].ends_with('c') &&
                         command[i].find(' ') != std::string::npos;
    const auto inner = is_text ? readScript(command[i]).commands : std::vector<ScriptCommand>{};
    if (inner.empty()) {
      out.push_back(command[i]);
    } else {
      out.insert(out.end(), inner.back().words.begin(), inner.back().words.end());
    }
  }
  return out;
}

/// "srun torchrun train.py" starts one launcher by another.
struct Job {
  Command words;
  std::vector<std::size_t> launchers;  ///< where they are, the innermost last
  bool runs_python = false;
  bool is_conditional = false;
};

bool isProgramOfPython(const std::string& word) {
  return word.ends_with(".py") || word.find("python") != std::string::npos;
}

bool isSbatch(const ScriptCommand& command) {
  return !command.words.empty() && withoutFolder(command.words.front()) == "sbatch";
}

std::optional<Job> jobIn(const ScriptCommand& command) {
  static const std::vector<std::string> kOthers = {"echo",  "printf",  "cat",   "grep",   "pip", "pip3",
                                                   "which", "command", "conda", "module", "apt", "rm",
                                                   "pkill", "export",  "type",  "kill"};
  if (command.words.empty() || std::ranges::find(kOthers, command.words.front()) != kOthers.end() || isSbatch(command))
    return std::nullopt;
  Job job{opened(command.words), {}, false, command.is_conditional};
  bool is_first = true;
  for (std::size_t i = 0; i < job.words.size(); ++i) {
    const std::string& word = job.words[i];
    const bool is_launch = !word.ends_with("accelerate") || (i + 1 < job.words.size() && job.words[i + 1] == "launch");
    // "--launcher torchrun" and "deepspeed" as the name of a package are no commands.
    const bool is_argument =
        i > 0 && job.words[i - 1].starts_with("--") && job.words[i - 1].find('=') == std::string::npos;
    if (launcherNamed(word) != nullptr && is_launch && !(is_argument && !is_first)) {
      job.launchers.push_back(i);
      is_first = false;
    }
    if (word.ends_with(".py")) break;  // what follows are its arguments
  }
  job.runs_python = std::ranges::any_of(job.words, isProgramOfPython);
  const bool starts_ranks = !job.launchers.empty() && withoutFolder(job.words[job.launchers.back()]) != "salloc";
  return starts_ranks ? std::optional(std::move(job)) : std::nullopt;
}

/// Of several, the last that trains, or that runs Python at least: others prepare the nodes, and evaluate.
const Job& mainOf(const std::vector<Job>& jobs) {
  const auto trains = [](const std::string& word) { return word.find("train") != std::string::npos; };
  for (const bool must_train : {true, false}) {
    const auto found = std::find_if(jobs.rbegin(), jobs.rend(), [&](const Job& job) {
      return job.runs_python && (!must_train || std::ranges::any_of(job.words, trains));
    });
    if (found != jobs.rend()) return *found;
  }
  return jobs.back();
}

/// What a note calls it: its script, or its launcher.
std::string titleOf(const Job& job) {
  const auto script = std::ranges::find_if(job.words, [](const std::string& word) { return word.ends_with(".py"); });
  return script == job.words.end() ? job.words[job.launchers.back()] : *script;
}

/// Whether srun starts a shell script, which may start any number of ranks.
bool startsScript(const Job& job, std::size_t end) {
  return std::any_of(job.words.begin() + static_cast<std::ptrdiff_t>(std::min(end, job.words.size())), job.words.end(),
                     [](const std::string& word) { return word.ends_with(".sh") || word.ends_with(".bash"); });
}

/// The script from `program` on, and what it is given.
void readProgram(const Command& words, std::size_t program, const std::string& name, Draft& draft) {
  const auto begin = words.begin() + static_cast<std::ptrdiff_t>(program);
  const auto script = std::find_if(begin, words.end(), [](const std::string& word) { return word.ends_with(".py"); });
  if (script != words.end()) draft.give({script + 1, words.end()}, name);
  readArguments(argumentsIn(words, program), name, draft);
}

/// From the innermost launcher to the outermost: those outside say what the ones inside leave open.
void readJob(const Job& job, const std::string& name, Draft& draft) {
  std::size_t program = job.words.size();
  for (auto at = job.launchers.rbegin(); at != job.launchers.rend(); ++at) {
    const bool is_innermost = at == job.launchers.rbegin();
    if (is_innermost && withoutFolder(job.words[*at]) == "srun" && startsScript(job, *at))
      draft.leave("world.ranks_per_node", words::startsUnreadScript(name));
    const std::size_t end = launcherNamed(job.words[*at])({job.words, *at + 1, is_innermost, name, draft});
    if (is_innermost) program = std::max(end, *at + 1);
  }
  if (withoutFolder(job.words[job.launchers.back()]) == "accelerate") draft.expectAccelerate();
  readProgram(job.words, std::min(program, job.words.size()), name, draft);
}

/// "python3 train.py --bs 3", without a launcher. A script that starts its own ranks says so.
bool readPlainPython(const ScriptCommand& command, const std::string& name, Draft& draft) {
  const Command& words = command.words;
  if (words.empty() || !withoutFolder(words.front()).starts_with("python")) return false;
  const auto script = std::ranges::find_if(words, [](const std::string& word) { return word.ends_with(".py"); });
  if (script == words.end()) return false;
  const std::string why = filled(worded("import", "%1: a plain Python command is one process"), name);
  draft.assume("world.nodes", "1", why);
  draft.assume("world.ranks_per_node", "1", why);
  readProgram(words, static_cast<std::size_t>(script - words.begin()), name, draft);
  return true;
}

/// Whether --ntasks makes --ntasks-per-node the most that a node has.
bool isMost(const std::string& per_node, const std::optional<std::string>& nodes,
            const std::optional<std::string>& tasks) {
  const auto of_node = wholeNumber(per_node, kDigitsOfCount);
  const auto node_count = wholeNumber(nodes.value_or(""), kDigitsOfCount);
  const auto all = wholeNumber(tasks.value_or(""));
  return of_node && node_count && all && *of_node * *node_count != *all;
}

/// What sbatch says; how many ranks a node has where srun starts them, and not torchrun.
void readDirectives(const Script& script, const std::string& name, const std::string& innermost, Draft& draft) {
  const auto text_of = [&](const char* directive) {
    const auto found = script.directives.find(directive);
    return found == script.directives.end() ? std::nullopt : std::optional(found->second.text);
  };
  const auto from = [&](const char* directive) {
    const std::string& command = script.directives.at(directive).from;
    return command.empty() ? name + ": #SBATCH --" + directive : command;
  };
  if (const auto nodes = text_of("nodes")) {
    if (wholeNumber(*nodes)) {
      draft.read("world.nodes", *nodes, from("nodes"));
    } else {
      draft.leave("world.nodes", words::notReadable(*nodes, from("nodes")));
    }
  }
  if (innermost.empty())
    return draft.leave("world.ranks_per_node", filled(worded("import", "No command in %1 starts the ranks."), name));
  if (innermost != "srun") return;
  if (draft.hasWorldSize()) return;  // srun's own -n
  const auto ranks = text_of("ntasks-per-node");
  const auto tasks = text_of("ntasks");
  if (ranks && !isMost(*ranks, text_of("nodes"), tasks))
    draft.fill("world.ranks_per_node", *ranks, from("ntasks-per-node"));
  if (tasks) draft.readWorldSize(*tasks, from("ntasks"));
}

}  // namespace

bool readWords(const std::vector<std::string>& words, const std::string& name, Draft& draft) {
  const auto job = jobIn({words, false});
  if (job) readJob(*job, name, draft);
  return job.has_value();
}

bool readCommands(const Script& script, const std::string& name, Draft& draft) {
  std::vector<Job> jobs;
  for (const ScriptCommand& command : script.commands) {
    if (auto job = jobIn(command)) jobs.push_back(*std::move(job));
  }
  std::string innermost;
  if (!jobs.empty()) {
    const Job& job = mainOf(jobs);
    innermost = withoutFolder(job.words[job.launchers.back()]);
    readJob(job, name, draft);
    if (jobs.size() > 1)
      draft.remark(ImportNote::Kind::Assumed, "commands",
                   filled(worded("import", "%1 commands start processes; the one with %2 was read."),
                          std::to_string(static_cast<std::int64_t>(jobs.size())), titleOf(job)));
    if (job.is_conditional)
      draft.remark(ImportNote::Kind::Assumed, "commands",
                   worded("import", "The command is inside a condition, a loop or a function."));
  }
  if (!script.directives.empty()) readDirectives(script, name, innermost, draft);
  const bool is_plain = jobs.empty() && std::ranges::any_of(script.commands, [&](const ScriptCommand& command) {
                          return readPlainPython(command, name, draft);
                        });
  return is_plain || !jobs.empty() || !script.directives.empty();
}

const ScriptCommand* sbatchIn(const Script& script) {
  if (std::ranges::any_of(script.commands, [](const ScriptCommand& one) { return jobIn(one).has_value(); }))
    return nullptr;
  const auto last = std::find_if(script.commands.rbegin(), script.commands.rend(), isSbatch);
  return last == script.commands.rend() ? nullptr : &*last;
}

}  // namespace shardlens::yaml::imports
