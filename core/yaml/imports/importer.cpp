// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/imports/importer.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/yaml/export_parts.h"
#include "core/yaml/imports/readers.h"
#include "core/yaml/spec_writer.h"

#include <algorithm>
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

/// What it was read as, or why it was not.
Result<std::string> readSource(const ImportSource& source, imports::Draft& draft) {
  if (source.text.size() > kMostImportBytes)
    return refused(worded("import", "the file is longer than 4 MB."), source.name);
  if (utf8Prefix(source.text) < source.text.size())
    return refused(worded("import", "the file is not UTF-8 text."), source.name, worded("import", "save it as UTF-8"));
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
  if (imports::readCommands(imports::readScript(source.text), source.name, draft))
    return std::string(worded("import", "commands"));
  return refused(filled(worded("import", "%1 has nothing that can be imported."), source.name), source.name,
                 worded("import", "give a script or a command that starts the job, or its YAML"));
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
  // A command gives a script its arguments, of which the script only has the defaults.
  for (const bool is_script : {false, true}) {
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (isDescribedScript(sources[i]) != is_script) continue;
      auto read = readSource(sources[i], draft);
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
  return imports::readCommands(imports::readScript(source.text), source.name, draft);
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
