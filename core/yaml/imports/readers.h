// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/yaml/imports/commands.h"
#include "core/yaml/imports/draft.h"
#include "core/yaml/tree.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens::yaml::imports {

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

}  // namespace shardlens::yaml::imports
