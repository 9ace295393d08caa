// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/yaml/imports/importer.h"
#include "core/yaml/tree.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Sentences that several readers say. `from` names a source and what it says there: "job.sbatch: --nodes".
namespace shardlens::yaml::words {

std::string notReadable(const std::string& text, const std::string& from);
std::string notSaid(const std::string& fallback, bool is_size);
std::string defaultOf(const std::string& reader);
std::string shuffles();
/// Behind a sentence about a field that is not known.
std::string hasDefault(const std::string& value);
std::string ownSampler(const std::string& from);
std::string rankSharesUnknown(const std::string& what, const std::string& from);
std::string runsForSteps(const std::string& from);
std::string startsUnreadScript(const std::string& from);

}  // namespace shardlens::yaml::words

namespace shardlens::yaml::imports {

/// Words of one command, without its quotes; `words[0]` is the program as it is typed.
using Command = std::vector<std::string>;

using Variables = std::map<std::string, std::string>;

struct ScriptCommand {
  Command words;
  bool is_conditional = false;  ///< within if, case, a loop or a function
  Variables assigned = {};      ///< before the command, for it alone
};

/// An option of sbatch. `from` is how a note calls it where a command says it, and not the script: "clipboard: sbatch
/// --nodes".
struct Directive {
  std::string text;
  std::string from;
};

/// A shell script, or a line of one, as far as it can be read without running it.
struct Script {
  std::vector<ScriptCommand> commands;          ///< in their order; variables that the script sets are filled in
  std::map<std::string, Directive> directives;  ///< of "#SBATCH -N 2": "nodes" -> "2", long names only
  Variables exported = {};                      ///< what the commands find in their environment at its end
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
  std::vector<std::string> unknown = {};      ///< only of readSlurmOptions(): those it does not know, as typed

  [[nodiscard]] std::optional<std::string> find(std::string_view name) const;
};
Options readOptions(const Command& command, std::size_t begin, const std::vector<std::string>& takes_none);

/// Options of sbatch, as it reads them, and of salloc: by their long names, with dashes.
Options readSlurmOptions(const Command& command, std::size_t begin);

/// What a command `sbatch` submits.
struct Submission {
  Options options;
  std::string script;  ///< a path; empty where the command names none
  std::vector<std::string> arguments;
  Variables variables;  ///< in the environment of the script
  std::string from;     ///< the source of the command
};
Submission readSubmission(const ScriptCommand& sbatch, const Variables& exported, const std::string& from);

/// The last command of the script that is sbatch; null where a command starts processes itself.
const ScriptCommand* sbatchIn(const Script& script);

/// The script that is submitted: what the command says wins over lines "#SBATCH".
Script readScript(std::string_view text, const Submission& submission);

/// An argument of a script, as it is typed: "--batch-size".
struct ScriptArgument {
  std::string text;
  std::string typed;
};

/// Every "--name value" and "--name=value" of the words from `begin` on, wherever it is, by its name with underscores.
std::map<std::string, ScriptArgument> argumentsIn(const Command& command, std::size_t begin);

/// A spec in the making: fields with where they come from. Texts are read as the form of the window reads them.
class Draft {
 public:
  explicit Draft(SamplerCatalogue catalogue) : catalogue_(catalogue) {}

  /// Calls the spec as this file is called, without its folder and its extension.
  void name(const std::string& file);
  /// `from` says it: "job.sbatch: --nodes". What was read before stays, and the difference is noted.
  void read(const std::string& field, const std::string& text, const std::string& from);
  /// What its reader takes where nothing says it.
  void readDefault(const std::string& field, const std::string& text, const std::string& reader);
  /// Reads it where nothing did before.
  void fill(const std::string& field, const std::string& text, const std::string& from);
  /// Reads how many ranks each node has, where nothing said nodes or ranks before.
  void fillNodes(const IndexList& ranks, const std::string& from);
  /// The same of numbers of which the spec has only a part: all ranks, and the samples of a step of all ranks.
  void readWorldSize(const std::string& text, const std::string& from);
  [[nodiscard]] bool hasWorldSize() const { return world_size_.has_value(); }
  /// `why`: that it is meant so is only usual.
  void readGlobalBatch(const std::string& text, const std::string& from, const std::string& why = {});
  /// The same of the samples of an optimizer step of all ranks, which say the batch or the accumulation, where the
  /// other is read.
  void readStepBatch(const std::string& text, const std::string& from);
  /// Accelerate starts the script, which usually has it divide the data.
  void expectAccelerate() { is_accelerated_ = true; }
  /// It is usual, or may be meant. What was read stays. `from`: what says it, if anything does.
  void assume(const std::string& field, const std::string& text, const std::string& why, const std::string& from = {});
  /// The same of a list of records, which is left where one of them is wrong; `why` is the whole note.
  void assumeRecords(const std::string& field, const TreeNode& list, const std::string& why);
  /// It is said in a way that cannot be read, or left open. What was read stays. The spec has `instead`, if it is
  /// given.
  void leave(const std::string& field, const std::string& why, const std::string& instead = {});
  /// The same, and takes back what was assumed of it.
  void doubt(const std::string& field, const std::string& why);
  /// Something beside the fields' own notes.
  void remark(ImportNote::Kind kind, const std::string& field, std::string text);

  /// What a command gives its script, word by word, and the name of what holds the command.
  void give(std::vector<std::string> words, const std::string& from) { given_ = {std::move(words), from}; }
  [[nodiscard]] const std::vector<std::string>& given() const { return given_.first; }
  [[nodiscard]] const std::string& givenBy() const { return given_.second; }

  [[nodiscard]] bool hasRead(const std::string& field) const;
  /// Something says, in whatever way, what the dataset, the ranks, the loader or the sampler are.
  [[nodiscard]] bool saysOfPipeline() const;
  [[nodiscard]] const PipelineSpec& spec() const { return spec_; }
  [[nodiscard]] SamplerCatalogue catalogue() const { return catalogue_; }

  /// Works out what depends on several sources, and notes what is missing.
  [[nodiscard]] Imported finish(const ImportOptions& options);

 private:
  using Kind = ImportNote::Kind;
  struct Said {
    std::string text;
    std::string from;
    std::string why = {};
  };
  [[nodiscard]] bool isBareFlag(const std::string& field, const std::string& text) const;  ///< "--drop_last"
  bool set(const std::string& field, const std::string& text, const std::string& from);
  void note(Kind kind, const std::string& field, std::string text);
  void finishWorld();
  void finishGroups();
  void finishBatch();
  void checkStep();
  void finishStep();
  [[nodiscard]] bool knowsWorld() const;
  [[nodiscard]] bool knowsCopies() const;
  void finishSeeds();
  void finishSampler();
  void finishShares();
  void finishFramework();

  SamplerCatalogue catalogue_;
  PipelineSpec spec_;
  std::map<std::string, ImportNote> notes_;  ///< of each field the last word
  std::vector<ImportNote> remarks_;          ///< further ones
  std::pair<std::vector<std::string>, std::string> given_;
  std::optional<Said> world_size_;
  std::optional<Said> global_batch_;
  std::optional<Said> step_batch_;
  bool is_accelerated_ = false;
};

/// What says a value: by its name, as text; nothing where it is not said. And how a note calls it.
struct Values {
  std::function<std::optional<std::string>(const std::string& name)> get;
  std::function<std::string(const std::string& name)> from;  ///< "train.yaml: seed"
};

/// Digits alone, and not more than so many.
std::optional<std::int64_t> wholeNumber(const std::string& text, std::size_t most_digits = 18);
constexpr std::size_t kDigitsOfCount = 6;  ///< of nodes, workers and sizes of groups

/// Reads the value of this name into the field, if there is one.
void readInto(const Values& values, Draft& draft, const std::string& name, const std::string& field);

/// Whether it says yes, as a flag does that has no value.
bool isTrue(const std::optional<std::string>& text);

/// A launcher and what it starts: the world, then the arguments of the script. False where none is known.
bool readCommands(const Script& script, const std::string& name, Draft& draft);
/// The same of one command, as a list of words says it.
bool readWords(const std::vector<std::string>& words, const std::string& name, Draft& draft);
/// Arguments of a training script, as TrainingArguments, Megatron-LM or most scripts call them.
void readArguments(const std::map<std::string, ScriptArgument>& arguments, const std::string& name, Draft& draft);

/// TrainingArguments of the Hugging Face Trainer.
void readTrainer(const Values& values, Draft& draft);
/// Arguments of Megatron-LM, with underscores.
void readMegatron(const Values& values, Draft& draft);

/// What `app/probe/python/shardlens_probe/script.py` says of a Python script.
void readPythonScript(const TreeNode& root, const std::string& file, Draft& draft);
constexpr const char* kPythonScript = "python_script";  ///< the key in its root

/// A YAML or JSON file, as a tree and as its text: what it was read as, or an empty text where it is none of those that
/// are known.
std::string readTree(const TreeNode& root, std::string_view text, const std::string& name, Draft& draft);
/// The kinds that readTree() knows, by what is in their root; the same texts.
std::string kindOfTree(const TreeNode& root, std::string_view text);

/// The node at "trainer.devices", or null.
const TreeNode* nodeAt(const TreeNode& root, std::string_view path);

/// The scalar there, with "${a.b}" replaced by the scalar at a.b of the same file; nothing where there is none, or
/// null.
std::optional<std::string> scalarAt(const TreeNode& root, std::string_view path);

/// Both for keys below `prefix` ("train_loader."): notes name the file and the whole path. `root` outlives them.
Values valuesOf(const TreeNode& root, const std::string& file, const std::string& prefix = {});

}  // namespace shardlens::yaml::imports
