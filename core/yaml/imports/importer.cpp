// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/imports/importer.h"

#include "core/base/file.h"
#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/yaml/export_parts.h"
#include "core/yaml/imports/readers.h"
#include "core/yaml/spec_writer.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace shardlens::yaml {
namespace {

bool isSpecTree(const TreeNode& root) {
  return root.kind == TreeNode::Kind::Map && root.find("shardlens") != nullptr;
}

/// As describeScript() of core/collect writes it.
bool isDescribedScript(const ImportSource& source) {
  return source.text.starts_with(std::string("{\"") + imports::kPythonScript + '"');
}

Error refused(std::string message, const std::string& name, std::string hint = {}) {
  return Error::inFile(ErrorCode::BadInput, name, std::move(message), std::move(hint));
}

Error nothingIn(const std::string& name) {
  return refused(filled(worded("import", "%1 has nothing that can be imported."), name), name,
                 worded("import", "give a script or a command that starts the job, or its YAML"));
}

Result<void> checkText(const ImportSource& source) {
  if (source.text.size() > kMostImportBytes)
    return refused(worded("import", "the file is longer than 4 MB."), source.name);
  if (utf8Prefix(source.text) < source.text.size())
    return refused(worded("import", "the file is not UTF-8 text."), source.name, worded("import", "save it as UTF-8"));
  return {};
}

std::string fileNameOf(const imports::Submission& submission) {
  return std::filesystem::path(submission.script).filename().string();
}

std::string unknownOption(const imports::Submission& submission, const std::string& option) {
  return filled(worded("import", "%1 is not known as an option of sbatch."), submission.from + ": sbatch " + option);
}

/// Whether sbatch takes the command, as far as its words say.
Result<void> checkSubmission(const imports::Submission& submission) {
  const bool has_wrap = submission.options.find("wrap").has_value();
  if (has_wrap && !submission.script.empty())
    return refused(worded("import", "sbatch takes --wrap or a script, and both are given."), submission.from);
  if (has_wrap || !submission.script.empty()) return {};
  if (!submission.options.unknown.empty())
    return refused(unknownOption(submission, submission.options.unknown.front()), submission.from);
  return refused(worded("import", "sbatch is given no script."), submission.from,
                 worded("import", "give the script, or its commands as --wrap"));
}

struct Inputs {
  std::span<const ImportSource> sources;
  const ImportOptions& options;
};

/// The text that is submitted, by the name that notes call it; none where it may not be read.
Result<std::optional<ImportSource>> submittedText(const imports::Submission& submission, const Inputs& inputs) {
  using Text = std::optional<ImportSource>;
  if (const auto wrapped = submission.options.find("wrap")) return Text({submission.from, *wrapped});
  const std::string name = fileNameOf(submission);
  const auto given = std::ranges::find_if(inputs.sources, [&](const ImportSource& one) {
    return one.name == name && one.name != submission.from && !isDescribedScript(one);
  });
  if (given != inputs.sources.end()) return Text(*given);
  if (!inputs.options.reads_scripts) return Text();
  auto text = readFile(submission.script, kMostImportBytes);
  if (!text) return text.error();
  return Text({name, *std::move(text)});
}

Result<std::string> readSubmitted(const imports::Submission& submission, const Inputs& inputs, imports::Draft& draft) {
  if (auto sound = checkSubmission(submission); !sound) return sound.error();
  for (const std::string& option : submission.options.unknown)
    draft.remark(ImportNote::Kind::Unknown, "commands", unknownOption(submission, option));
  const auto script = submittedText(submission, inputs);
  if (!script) return script.error();
  if (!*script) draft.leave("world.ranks_per_node", words::startsUnreadScript(submission.from));
  const ImportSource text = script->value_or(ImportSource{fileNameOf(submission), {}});
  if (auto sound = checkText(text); !sound) return sound.error();
  const bool is_read = imports::readCommands(imports::readScript(text.text, submission), text.name, draft);
  if (*script && !is_read) return nothingIn(text.name);
  return std::string(worded("import", "commands"));
}

/// What it was read as, or why it was not.
Result<std::string> readSource(const ImportSource& source, const Inputs& inputs, imports::Draft& draft) {
  if (auto sound = checkText(source); !sound) return sound.error();
  const Lines lines(source.text, source.name);
  const Tree tree = parseTree(source.text, lines);
  if (isSpecTree(tree.root))
    return refused(filled(worded("import", "%1 is already a spec."), source.name), source.name,
                   worded("import", "open it as it is"));
  if (const auto wrong = imports::scalarAt(tree.root, "syntax_error.text"); wrong && isDescribedScript(source)) {
    const auto line = imports::wholeNumber(imports::scalarAt(tree.root, "syntax_error.line").value_or(""), 9);
    return Error{ErrorCode::BadInput,
                 filled(worded("import", "Python cannot read this script: %1."), *wrong),
                 {source.name, static_cast<int>(line.value_or(0)), 0, {}},
                 {}};
  }
  const std::string kind = imports::kindOfTree(tree.root, source.text);
  if (!kind.empty() && !tree.issues.empty()) return tree.issues.front();
  if (!kind.empty()) return imports::readTree(tree.root, source.text, source.name, draft);
  const imports::Script script = imports::readScript(source.text);
  if (const auto* sbatch = imports::sbatchIn(script))
    return readSubmitted(imports::readSubmission(*sbatch, script.exported, source.name), inputs, draft);
  if (imports::readCommands(script, source.name, draft)) return std::string(worded("import", "commands"));
  return nothingIn(source.name);
}

/// The name of the script that a command in the source submits; empty where there is none.
std::string submittedBy(const ImportSource& source) {
  const imports::Script script = imports::readScript(source.text);
  const auto* sbatch = imports::sbatchIn(script);
  return sbatch == nullptr ? std::string() : fileNameOf(imports::readSubmission(*sbatch, script.exported, source.name));
}

/// Why scripts alone are no job: nothing of what makes a design is in them.
Error withoutLoader(std::span<const ImportSource> scripts) {
  std::string names;
  for (const ImportSource& script : scripts) names += (names.empty() ? "" : ", ") + script.name;
  return refused(
      filled(worded("import",
                    "There is no loader and no number of ranks in %1: no call of DataLoader, TrainingArguments, "
                    "Trainer or spawn gives any."),
             names),
      scripts.front().name, worded("import", "take the script that makes the loader, or what starts the job"));
}

}  // namespace

std::vector<std::string> Imported::lines(ImportNote::Kind kind) const {
  std::vector<std::string> out;
  for (const ImportNote& note : notes) {
    if (note.kind == kind) out.push_back(note.field + ": " + note.text);
  }
  return out;
}

Imported importSpec(std::span<const ImportSource> sources, SamplerCatalogue catalogue, const ImportOptions& options) {
  imports::Draft draft(catalogue);
  std::vector<std::string> formats(sources.size());
  if (!sources.empty()) draft.name(sources.front().name);
  std::vector<std::string> submitted(sources.size());
  if (sources.size() > 1) std::ranges::transform(sources, submitted.begin(), submittedBy);
  const auto is_submitted = [&](std::size_t i) {
    return submitted[i] != sources[i].name && std::ranges::find(submitted, sources[i].name) != submitted.end();
  };
  // A command gives a script its arguments, of which the script only has the defaults.
  for (const bool is_script : {false, true}) {
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (isDescribedScript(sources[i]) != is_script) continue;
      auto read = !is_script && is_submitted(i) ? Result<std::string>(worded("import", "commands"))
                                                : readSource(sources[i], {sources, options}, draft);
      if (!read) return {{}, {}, {}, {read.error()}};
      formats[i] = *std::move(read);
    }
  }
  if (!sources.empty() && std::ranges::all_of(sources, isDescribedScript) && !draft.saysOfPipeline())
    return {{}, {}, {}, {withoutLoader(sources)}};
  Imported out = draft.finish(options);
  out.formats = std::move(formats);
  return out;
}

std::string importedText(const Imported& imported, SamplerCatalogue catalogue) {
  using Kind = ImportNote::Kind;
  std::string text;
  const std::pair<Kind, const char*> parts[] = {{Kind::Read, "# Read:\n"},
                                                {Kind::Assumed, "# Assumed, since no file says it:\n"},
                                                {Kind::Unknown, "# Not known:\n"}};
  for (const auto& [kind, title] : parts) {
    const std::vector<std::string> lines = imported.lines(kind);
    if (!lines.empty()) text += title;
    for (const std::string& line : lines) text += commentLines(line);
  }
  return text + writeSpec(imported.spec, catalogue);
}

bool leaveSizeOpen(Imported& imported) {
  const auto note = std::ranges::find_if(imported.notes, [](const ImportNote& one) {
    return one.field == "dataset.size" && one.kind == ImportNote::Kind::Unknown;
  });
  if (note == imported.notes.end()) return false;
  const std::string size = std::to_string(imported.spec.dataset.size);
  const std::string stand_in = ' ' + words::hasDefault(size);
  if (note->text == words::notSaid(size, true))
    note->text = worded("import", "No file says how many samples there are: write it here.");
  if (note->text.ends_with(stand_in)) note->text.resize(note->text.size() - stand_in.size());
  imported.spec.dataset.size = 0;
  return true;
}

bool isImportable(const ImportSource& source) {
  if (source.text.size() > kMostImportBytes || utf8Prefix(source.text) < source.text.size()) return false;
  const Tree tree = parseTree(source.text, Lines(source.text, source.name));
  if (isSpecTree(tree.root)) return false;
  if (!imports::kindOfTree(tree.root, source.text).empty()) return tree.issues.empty();
  imports::Draft draft(SamplerCatalogue{});
  const imports::Script script = imports::readScript(source.text);
  return imports::sbatchIn(script) != nullptr || imports::readCommands(script, source.name, draft);
}

bool tellsOfPipeline(const ImportSource& script) {
  if (!isDescribedScript(script)) return false;
  const Tree tree = parseTree(script.text, Lines(script.text, script.name));
  const auto has = [&tree](const char* list) {
    const TreeNode* found = imports::nodeAt(tree.root, list);
    return found != nullptr && !found->items.empty();
  };
  return has("loaders") || has("facts") || imports::nodeAt(tree.root, "trainer.arguments") != nullptr;
}

}  // namespace shardlens::yaml
