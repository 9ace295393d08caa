// SPDX-License-Identifier: Apache-2.0
// shardlens import FILE... [-- COMMAND...] [-o SPEC] [--samples N]: what the files and the command of a job say about
// its data pipeline, as a spec. What was read, assumed and not known goes to stderr, and into the spec as comments.
#include "app/cli/verb.h"

#include "app/cli/load.h"
#include "core/base/file.h"
#include "core/sampling/registry.h"
#include "core/yaml/export_parts.h"
#include "core/yaml/imports/importer.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::cli {
namespace {

using Kind = yaml::ImportNote::Kind;

struct ImportArgs {
  std::vector<std::string> words;  ///< files, and behind them the command
  std::int64_t after_dashes = 0;
  std::string output;
  std::string format = "text";
  std::optional<std::int64_t> samples;
  bool force = false;
};

std::string commandLine(std::vector<std::string>::const_iterator begin, std::vector<std::string>::const_iterator end) {
  std::string line;
  for (; begin != end; ++begin) line += (line.empty() ? "" : " ") + yaml::shellArgument(*begin);
  return line;
}

Result<std::vector<yaml::ImportSource>> sourcesOf(const ImportArgs& options) {
  std::vector<yaml::ImportSource> sources;
  const auto command = options.words.end() - std::min<std::int64_t>(options.after_dashes, std::ssize(options.words));
  for (auto file = options.words.begin(); file != command; ++file) {
    auto source = importSource(*file);
    if (!source) return source.error();
    sources.push_back(*std::move(source));
  }
  if (command != options.words.end()) sources.push_back({"command line", commandLine(command, options.words.end())});
  if (!sources.empty()) return sources;
  return Error::of(ErrorCode::Usage, "neither a file nor a command is given.",
                   "shardlens import job.sbatch config.yaml, or shardlens import -- torchrun ... train.py");
}

int printJson(const yaml::Imported& imported, const std::string& text) {
  nlohmann::ordered_json json = {
      {"formats", imported.formats}, {"spec", text}, {"notes", nlohmann::ordered_json::array()}};
  for (const yaml::ImportNote& note : imported.notes) {
    const char* kind = note.kind == Kind::Read ? "read" : note.kind == Kind::Assumed ? "assumed" : "unknown";
    json["notes"].push_back({{"kind", kind}, {"field", note.field}, {"text", note.text}});
  }
  Output out;
  out << json.dump(2) << "\n";
  return out.finish();
}

int deliver(const yaml::Imported& imported, const ImportArgs& options) {
  const std::string text = yaml::importedText(imported, sampling::catalogue());
  if (options.format == "json") return printJson(imported, text);
  if (!options.output.empty() && options.output != "-") {
    if (auto free = checkNewFile(options.output, options.force); !free) return fail(free.error());
    if (auto written = writeFile(options.output, text); !written) return fail(written.error());
    printNotes(imported);
    return kFine;
  }
  Output out;
  out.raw(text);
  return out.finish();
}

int run(const ImportArgs& options) {
  const auto sources = sourcesOf(options);
  if (!sources) return fail(sources.error());
  const yaml::Imported imported = yaml::importSpec(*sources, sampling::catalogue(), {options.samples, true});
  return imported.problems.empty() ? deliver(imported, options) : fail(imported.problems);
}

}  // namespace

void addImport(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<ImportArgs>();
  Arguments verb(app, "import", "Makes a spec of the files or the command of a job");
  verb.addCommand(options->words, options->after_dashes,
                  "files of the job (scripts, YAML, JSON); after --, its command line");
  verb.add("-o,--output", options->output, "write the spec to this file instead of stdout (-)");
  verb.add("--samples", options->samples, "how many samples the dataset has, which job files seldom say").positive();
  verb.addFlag("--force", options->force, "overwrite the file");
  verb.addFormat(options->format);
  verb.runs(chosen, [options] { return run(*options); });
}

}  // namespace shardlens::cli
