// SPDX-License-Identifier: GPL-3.0-or-later
// Files and texts of a job that become a design.
#include "core/base/phrase.h"
#include "core/collect/python_script.h"
#include "ui/scene/number_text.h"
#include "ui/window/file_commands.h"

#include <QRegularExpression>
#include <QTemporaryFile>

#include <utility>

namespace shardlens::ui {
namespace {

QString countsOf(const yaml::Imported& imported) {
  using Kind = yaml::ImportNote::Kind;
  const auto count = [&](Kind kind) { return QString::number(imported.lines(kind).size()); };
  return phrase("window", "read: %1, assumed: %2, not known: %3")
      .arg(count(Kind::Read), count(Kind::Assumed), count(Kind::Unknown));
}

/// Its notes are English, since they go into a file; its problems are for the window.
yaml::Imported importedOf(const yaml::ImportSource& source, SamplerCatalogue catalogue) {
  const auto in_english = [&] {
    const InEnglish english;
    return yaml::importSpec({&source, 1}, catalogue);
  };
  yaml::Imported found = in_english();
  return found.problems.empty() ? std::move(found) : yaml::importSpec({&source, 1}, catalogue);
}

/// What Python says of a text that is no file; empty where it says nothing.
std::string describedText(const std::string& script) {
  QTemporaryFile file;
  const bool is_written =
      file.open() && file.write(script.data(), std::ssize(script)) == std::ssize(script) && file.flush();
  const auto described =
      is_written ? describeScript(file.fileName().toStdString()) : Result<std::string>(std::string());
  return described ? *described : std::string();
}

struct TextRead {
  bool is_spec = false;
  yaml::ReadSpec spec;
  yaml::Imported imported;  ///< of a text that is no spec
};

/// A text that Python cannot read may be meant for it.
bool importsModules(const std::string& text) {
  static const QRegularExpression kImport("^(import|from \\S+ import) \\w", QRegularExpression::MultilineOption);
  return QString::fromStdString(text).contains(kImport);
}

/// A script may name commands, and no command is Python: it is looked at first.
yaml::Imported importedFromText(const yaml::ImportSource& source, SamplerCatalogue catalogue) {
  if (source.text.size() > yaml::kMostImportBytes) return importedOf(source, catalogue);
  const yaml::ImportSource script{source.name, describedText(source.text)};
  if (yaml::tellsOfPipeline(script)) return importedOf(script, catalogue);
  yaml::Imported found = importedOf(source, catalogue);
  if (found.problems.empty() || script.text.empty() || !importsModules(source.text)) return found;
  yaml::Imported as_script = importedOf(script, catalogue);
  return as_script.problems.empty() ? std::move(found) : std::move(as_script);
}

/// `name` is what notes and problems call the text.
TextRead readText(const std::string& name, const std::string& text, SamplerCatalogue catalogue) {
  TextRead out;
  out.spec = yaml::readSpec(text, catalogue, name);
  const yaml::ImportSource source{name, text};
  const bool is_meant = text.starts_with("shardlens:") || text.find("\nshardlens:") != std::string::npos;
  out.is_spec = out.spec.version != 0 || (is_meant && !yaml::isImportable(source));
  if (!out.is_spec) out.imported = importedFromText(source, catalogue);
  return out;
}

}  // namespace

std::optional<yaml::Imported> FileCommands::importedFrom(const QString& full,
                                                         std::shared_ptr<const std::string> file_text) {
  using Answer = std::optional<yaml::Imported>;
  auto answer =
      awaited(phrase("window", "Importing %1…").arg(shortName(full)),
              [name = shortName(full).toStdString(), path = full.toStdString(), file_text = std::move(file_text),
               catalogue = workspace_.document.catalogue()](const Work&) -> Result<Answer> {
                const auto text = isPythonScript(path) ? describeScript(path) : Result<std::string>(*file_text);
                if (!text) return text.error();
                const yaml::ImportSource source{name, *text};
                return yaml::isImportable(source) ? Answer(importedOf(source, catalogue)) : Answer();
              });
  return answer && *answer ? **std::move(answer) : std::nullopt;
}

bool FileCommands::openText(const QString& text) {
  if (!mayStart()) return false;
  const QString name = phrase("window", "The text in the clipboard");
  auto read = awaited(phrase("window", "Reading the clipboard…"),
                      [bytes = text.toStdString(), catalogue = workspace_.document.catalogue()](const Work&) {
                        return Result<TextRead>(readText("clipboard", bytes, catalogue));
                      });
  if (!read) return false;
  if (!*read) {
    report(read->error());
    return false;
  }
  TextRead& found = **read;
  if (!found.is_spec) return openImport(name, std::move(found.imported));
  if (!found.spec.issues.empty()) {
    banner_.showProblems(phrase("window", "The spec in the clipboard was not opened."), found.spec.issues);
    return false;
  }
  if (!openDesign(found.spec.spec, text)) return false;
  emit said(phrase("window", "The spec in the clipboard is the design now. It is not saved."));
  return true;
}

/// What it says about its data pipeline becomes a design. A placeholder would be taken for what the file says.
bool FileCommands::openImport(const QString& name, yaml::Imported found) {
  if (!found.problems.empty()) {
    banner_.showProblems(phrase("window", "%1 was not imported.").arg(name), found.problems);
    return false;
  }
  const bool lacks_size = yaml::leaveSizeOpen(found);
  const QString made = text(yaml::importedText(found, workspace_.document.catalogue()));
  if (!openDesign(found.spec, made)) return false;
  const QString said = phrase("window", "%1 is no spec; what it says of the data pipeline was imported (%2).")
                           .arg(name, countsOf(found));
  const Banner::Choice notes{phrase("window", "Show the notes"), [this] { emit textOpened(); }};
  if (!lacks_size) {
    banner_.show(said, "", {notes});
    return true;
  }
  workspace_.lacks_size = true;
  workspace_.plan();
  banner_.show(said + ' ' + phrase("window", "How many samples there are is not known: type it into dataset.size."), "",
               {{phrase("window", "Type it"), [this] { emit fieldWanted("dataset.size"); }}, notes});
  return true;
}

}  // namespace shardlens::ui
