// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/yaml/imports/readers.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace shardlens::yaml::imports {
namespace {

std::string needsRunning(const std::string& field, const std::string& from) {
  if (field == "sampler.num_replicas" || field == "sampler.rank")
    return filled(worded("import",
                         "%1: its value is not known without running the script. It decides which samples each rank "
                         "reads, and an audit of this spec may be wrong about that."),
                  from);
  return filled(worded("import", "%1: its value is not known without running the script."), from);
}

std::string textOf(const TreeNode& fact, std::string_view key) {
  return scalarAt(fact, key).value_or("");
}

/// What a command gives to the parser that the script declares.
struct Given {
  std::map<std::string, ScriptArgument> values;  ///< by the name that the parser gives them
  std::string unexplained;                       ///< the first word that it does not explain
};

const TreeNode* optionNamed(const TreeNode& options, const std::string& name) {
  const auto found =
      std::ranges::find_if(options.items, [&](const TreeNode& option) { return textOf(option, "name") == name; });
  return found == options.items.end() ? nullptr : &*found;
}

/// Abbreviations and "-b64" are Python's to read: they count as not explained.
Given givenArguments(const TreeNode& root, const std::vector<std::string>& words) {
  Given given;
  const TreeNode* options = nodeAt(root, "options");
  for (std::size_t i = 0; i < words.size() && given.unexplained.empty(); ++i) {
    const std::size_t equals = words[i].starts_with("--") ? words[i].find('=') : std::string::npos;
    const std::string name = words[i].substr(0, equals);
    const bool is_option = options != nullptr && name.starts_with('-');
    const TreeNode* option = is_option ? optionNamed(*options, name) : nullptr;
    const std::string takes = option == nullptr ? "" : textOf(*option, "takes");
    if (takes == "flag" && equals == std::string::npos) {
      given.values[textOf(*option, "value")] = {textOf(*option, "text"), name};
    } else if (takes == "value" && equals != std::string::npos) {
      given.values[textOf(*option, "value")] = {words[i].substr(equals + 1), name};
    } else if (takes == "value" && i + 1 < words.size()) {
      given.values[textOf(*option, "value")] = {words[++i], name};
    } else {
      given.unexplained = words[i];
    }
  }
  return given;
}

/// One fact. A typed argument says more than the default that the script has for it.
void readFact(const TreeNode& fact, const std::string& file, const Given& given, Draft& draft) {
  const std::string how = textOf(fact, "how");
  const std::string field = textOf(fact, "field");
  const std::string text = textOf(fact, "text");
  const std::string from = file + ":" + textOf(fact, "line") + ": " + textOf(fact, "code");
  if (how == "left")
    return draft.remark(
        ImportNote::Kind::Unknown, field,
        filled(
            worded("import", "%1: this loop may end before the loader does; it is not known how many steps it makes."),
            from));
  if (how == "apart")
    return draft.remark(
        ImportNote::Kind::Unknown, field,
        filled(worded("import",
                      "%1: each rank may have its own dataset here, but a spec has one for all ranks. An audit may be "
                      "wrong about samples that ranks share or never read, and about ranks that run out early."),
               from));
  if (how == "waits")
    return draft.remark(
        ImportNote::Kind::Unknown, field,
        filled(
            worded(
                "import",
                "%1: whether a rank calls this depends on its number, and not all collectives of the script can be put "
                "into a schedule. The spec has no schedule, so an audit does not see whether ranks wait forever."),
            from));
  const std::string argument = textOf(fact, "argument");
  const bool has_name = !argument.empty() || textOf(fact, "by_name") == "true";
  if (has_name && !given.unexplained.empty())
    return draft.doubt(
        field, filled(worded("import", "%1: no parser in the script explains the argument %2, which may change it."),
                      from, given.unexplained));
  if (const auto typed = given.values.find(argument); typed != given.values.end()) {
    if (how == "computed") return draft.doubt(field, needsRunning(field, from));
    return draft.read(field, typed->second.text, draft.givenBy() + ": " + typed->second.typed);
  }
  if (how == "read") {
    draft.read(field, text, from);
  } else if (how == "likely") {
    draft.assume(field, text, filled(worded("import", "%1, on one path of the script"), from), from);
  } else if (how == "default" || how == "computed") {
    draft.assume(field, text, filled(worded("import", "%2: the default of the argument %1"), argument, from), from);
  } else {
    draft.doubt(field, needsRunning(field, from));
  }
}

/// The loaders beside the one that the spec is of: those that are trained on as well, and others.
void remarkLoaders(const TreeNode& root, const std::string& file, Draft& draft) {
  const TreeNode* loaders = nodeAt(root, "loaders");
  if (loaders == nullptr || loaders->kind != TreeNode::Kind::Sequence || loaders->items.empty()) return;
  const TreeNode* trained = nodeAt(root, "trained");
  const auto is_trained = [trained](const TreeNode& line) {
    return trained != nullptr &&
           std::ranges::any_of(trained->items, [&](const TreeNode& one) { return one.text == line.text; });
  };
  std::string others;
  std::string training;
  for (std::size_t i = 1; i < loaders->items.size(); ++i) {
    std::string& lines = is_trained(loaders->items[i]) ? training : others;
    lines += (lines.empty() ? "" : ", ") + file + ":" + loaders->items[i].text;
  }
  const std::string chosen = file + ":" + loaders->items[0].text;
  if (!training.empty())
    draft.remark(
        ImportNote::Kind::Unknown, "loader",
        filled(worded("import",
                      "the spec covers only the one at %1, but a loop with backward passes also reads others: %2"),
               chosen, training));
  if (!others.empty())
    draft.remark(ImportNote::Kind::Assumed, "loader",
                 filled(worded("import", "the one at %1 is assumed to be the training; there are others at %2"), chosen,
                        others));
}

/// What the ranks wait for, as far as the script itself says it.
void readSchedule(const TreeNode& root, const std::string& file, Draft& draft) {
  const TreeNode* schedule = nodeAt(root, "schedule");
  const TreeNode* waits = nodeAt(root, "waits");
  if (schedule == nullptr || waits == nullptr || schedule->items.empty()) return;
  std::string places;
  for (const TreeNode& line : waits->items) places += (places.empty() ? "" : ", ") + file + ":" + line.text;
  draft.assumeRecords("schedule", *schedule,
                      filled(worded("import",
                                    "the collectives at %1; their sizes are placeholders, and functions of other files "
                                    "are assumed to have none"),
                             places));
}

}  // namespace

void readPythonScript(const TreeNode& root, const std::string& file, Draft& draft) {
  if (const TreeNode* facts = nodeAt(root, "facts"); facts != nullptr && facts->kind == TreeNode::Kind::Sequence) {
    const Given given = givenArguments(root, draft.given());
    for (const TreeNode& fact : facts->items) readFact(fact, file, given, draft);
  }
  readSchedule(root, file, draft);
  remarkLoaders(root, file, draft);
  if (nodeAt(root, "trainer.arguments") == nullptr) return;
  const std::string place = file + ":" + scalarAt(root, "trainer.line").value_or("") + ": TrainingArguments, ";
  readTrainer({[&root](const std::string& name) { return scalarAt(root, "trainer.arguments." + name); },
               [place](const std::string& name) { return place + name; }},
              draft);
}

}  // namespace shardlens::yaml::imports
