// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/phrase.h"
#include "core/collect/python_script.h"
#include "ui/scene/number_text.h"
#include "ui/window/file_commands.h"

#include <utility>

namespace shardlens::ui {
namespace {

QString countsOf(const yaml::Imported& imported) {
  using Kind = yaml::ImportNote::Kind;
  const auto count = [&](Kind kind) { return QString::number(imported.lines(kind).size()); };
  return phrase("window", "read: %1, assumed: %2, not known: %3")
      .arg(count(Kind::Read), count(Kind::Assumed), count(Kind::Unknown));
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
                const std::vector<yaml::ImportSource> sources = {{name, *text}};
                if (!yaml::isImportable(sources.front())) return Answer();
                const auto in_english = [&] {
                  const InEnglish english;  // the notes go into a file
                  return yaml::importSpec(sources, catalogue);
                };
                yaml::Imported found = in_english();
                return Answer(found.problems.empty() ? std::move(found) : yaml::importSpec(sources, catalogue));
              });
  return answer && *answer ? **std::move(answer) : std::nullopt;
}

/// What it says about its data pipeline becomes a design.
bool FileCommands::openImport(const QString& full, const yaml::Imported& found) {
  if (!found.problems.empty()) {
    banner_.showProblems(phrase("window", "%1 was not imported.").arg(shortName(full)), found.problems);
    return false;
  }
  const QString made = text(yaml::importedText(found, workspace_.document.catalogue()));
  if (!openDesign(found.spec, made)) return false;
  banner_.show(phrase("window", "%1 is no spec; what it says of the data pipeline was imported (%2).")
                   .arg(shortName(full), countsOf(found)),
               "", {{phrase("window", "Show the notes"), [this] { emit textOpened(); }}});
  return true;
}

}  // namespace shardlens::ui
