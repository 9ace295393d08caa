// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/imports/import_words.h"
#include "core/yaml/imports/readers.h"
#include "core/yaml/imports/tree_values.h"

namespace shardlens::yaml::imports {
namespace {

std::string textOf(const TreeNode& fact, std::string_view key) {
  return scalarAt(fact, key).value_or("");
}

/// One fact. A typed argument says more than the default that the script has for it.
void readFact(const TreeNode& fact, const std::string& file, Draft& draft) {
  const std::string how = textOf(fact, "how");
  const std::string field = textOf(fact, "field");
  const std::string text = textOf(fact, "text");
  const std::string from = file + ":" + textOf(fact, "line") + ": " + textOf(fact, "code");
  const std::string argument = textOf(fact, "argument");
  if (const auto typed = draft.typed(argument)) return draft.read(field, typed->text, typed->from);
  if (how == "read") {
    draft.read(field, text, from);
  } else if (how == "likely") {
    draft.assume(field, text, words::onOnePath(from), from);
  } else if (how == "default") {
    draft.assume(field, text, words::defaultOfArgument(argument, from), from);
  } else {
    draft.leave(field, words::needsRunning(from));
  }
}

/// The loaders beside the one that the spec is of.
void remarkLoaders(const TreeNode& loaders, const std::string& file, Draft& draft) {
  std::string others;
  for (std::size_t i = 1; i < loaders.items.size(); ++i)
    others += (i == 1 ? "" : ", ") + file + ":" + loaders.items[i].text;
  if (!others.empty())
    draft.remark(ImportNote::Kind::Assumed, "loader", words::oneOfLoaders(file + ":" + loaders.items[0].text, others));
}

}  // namespace

void readPythonScript(const TreeNode& root, const std::string& file, Draft& draft) {
  if (const TreeNode* facts = nodeAt(root, "facts"); facts != nullptr && facts->kind == TreeNode::Kind::Sequence) {
    for (const TreeNode& fact : facts->items) readFact(fact, file, draft);
  }
  if (const TreeNode* loaders = nodeAt(root, "loaders");
      loaders != nullptr && loaders->kind == TreeNode::Kind::Sequence)
    remarkLoaders(*loaders, file, draft);
  if (nodeAt(root, "trainer.arguments") == nullptr) return;
  const std::string place = file + ":" + scalarAt(root, "trainer.line").value_or("") + ": TrainingArguments, ";
  readTrainer({[&root](const std::string& name) { return scalarAt(root, "trainer.arguments." + name); },
               [place](const std::string& name) { return place + name; }},
              draft);
}

}  // namespace shardlens::yaml::imports
