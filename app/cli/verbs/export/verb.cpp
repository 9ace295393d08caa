// SPDX-License-Identifier: Apache-2.0
// shardlens export SPEC --to TARGET [-o FILE] [--diff] [--force] [--list]. The text goes to stdout, what the target
// cannot carry to stderr.
#include "app/cli/verb.h"

#include "app/cli/arguments.h"
#include "app/cli/output.h"
#include "core/base/text.h"
#include "core/sampling/registry.h"
#include "core/yaml/export_files.h"
#include "core/yaml/exporter.h"
#include "core/yaml/spec_file.h"
#include "core/yaml/text_diff.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace shardlens::cli {
namespace {

struct Options {
  std::string spec;
  std::string target;
  std::string output;
  std::string format = "text";
  bool diff = false;
  bool force = false;
  bool list = false;
  yaml::ExportContext context;
};

std::string column(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size() + 1), ' ');
  return text;
}

int listTargets() {
  Output out;
  for (const yaml::ExportTarget& target : yaml::exportTargets()) {
    out << column(target.id, 11) << column(target.file_name, 16) << target.summary << "\n";
  }
  return out.finish();
}

Error usage(std::string message, std::string hint) {
  return Error{ErrorCode::Usage, std::move(message), {}, std::move(hint)};
}

Error unknownTarget(const std::string& id) {
  std::vector<std::string> ids;
  for (const yaml::ExportTarget& target : yaml::exportTargets()) ids.push_back(target.id);
  const std::string near = nearest(id, ids);
  const std::string known = "targets are " + join(ids, ", ");
  if (id.empty()) return usage("the target is missing.", "add --to TARGET; " + known);
  return usage("there is no target '" + id + "'.", near.empty() ? known : "did you mean " + near + "? " + known);
}

int printDifference(const std::vector<yaml::ExportDestination>& files) {
  bool different = false;
  Output out;
  for (const yaml::ExportDestination& file : files) {
    const std::string old_name = file.present ? file.path.string() : "/dev/null";
    out << yaml::unifiedDiff(file.present.value_or(""), file.file.text, old_name, file.path.string());
    different = different || !file.isSame();
  }
  const int code = out.finish();
  return code == kFine && different ? static_cast<int>(kFindings) : code;
}

Result<void> writeFiles(const std::vector<yaml::ExportDestination>& files, const Options& options) {
  for (const yaml::ExportDestination& file : files) {
    if (!file.isConflict() || options.force) continue;
    return Error{ErrorCode::BadInput, "the file is there already and says something else.",
                 Place{file.path.string(), 0, 0, {}},
                 "see what would change with --diff, then write over it with --force"};
  }
  if (auto written = yaml::writeExport(files); !written) return written;
  for (const yaml::ExportDestination& file : files) {
    (void)std::fprintf(stderr, "%s: %s\n", file.path.c_str(), file.isSame() ? "says this already" : "written");
  }
  return {};
}

int printText(const yaml::ExportResult& result) {
  Output out;
  for (const yaml::ExportFile& file : result.files) {
    if (&file != &result.files.front()) out << "\n# ---- " << file.name << "\n";
    out << file.text;
  }
  return out.finish();
}

int printJson(const std::string& target, const yaml::ExportResult& result) {
  nlohmann::ordered_json json = {
      {"target", target}, {"files", nlohmann::ordered_json::array()}, {"not_carried", result.not_carried}};
  for (const yaml::ExportFile& file : result.files) {
    json["files"].push_back({{"name", file.name}, {"text", file.text}, {"executable", file.executable}});
  }
  Output out;
  out << json.dump(2) << "\n";
  return out.finish();
}

void printNotCarried(const yaml::ExportTarget& target, const yaml::ExportResult& result) {
  if (!result.not_carried.empty()) (void)std::fprintf(stderr, "Not carried by %s:\n", target.title.c_str());
  for (const std::string& sentence : result.not_carried) (void)std::fprintf(stderr, "  %s\n", sentence.c_str());
}

int deliver(const yaml::ExportTarget& target, const yaml::ExportResult& result, const Options& options) {
  if (options.output.empty() && !options.diff) {
    if (options.format == "json") return printJson(target.id, result);
    const int code = printText(result);
    printNotCarried(target, result);
    return code;
  }
  const auto files = yaml::exportDestinations(result, options.output.empty() ? target.file_name : options.output);
  if (!files) return fail(files.error());
  if (options.diff) return printDifference(*files);
  if (auto written = writeFiles(*files, options); !written) return fail(written.error());
  printNotCarried(target, result);
  return kFine;
}

int run(const Options& options) {
  if (options.list) return listTargets();
  const yaml::ExportTarget* target = yaml::findTarget(options.target);
  if (target == nullptr) return fail(unknownTarget(options.target));
  if (options.spec.empty()) return fail(usage("the spec file is missing.", "shardlens export SPEC --to " + target->id));
  const yaml::SpecFile file = yaml::readSpecFile(options.spec, sampling::catalogue());
  if (!file.read.issues.empty()) return fail(file.read.issues);
  const yaml::ExportResult result = yaml::exportSpec(*target, file.read.spec, sampling::catalogue(), options.context);
  if (!result.problems.empty()) return fail(result.problems);
  return deliver(*target, result, options);
}

}  // namespace

void addExport(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<Options>();
  Arguments verb(app, "export", "Config files for training jobs");
  verb.add("SPEC", options->spec, "the spec file");
  verb.add("--to", options->target, "what to write; see --list");
  verb.add("-o,--output", options->output,
           "write to this file instead of stdout; other files of the target go beside it");
  verb.addFlag("--diff", options->diff, "show what would change on disk; exit 1 when something would");
  verb.addFlag("--force", options->force, "write over files that say something else");
  verb.addFlag("--list", options->list, "the targets");
  verb.addFormat(options->format);
  verb.add("--script", options->context.script, "the training script in start commands").showsDefault();
  verb.add("--python", options->context.python, "the interpreter in start commands").showsDefault();
  verb.add("--data-class", options->context.data_class, "Lightning: class_path of the data module");
  verb.add("--host", options->context.hosts, "names of the nodes, node 0 first").separatedByCommas();
  verb.runs(chosen, [options] { return run(*options); });
}

}  // namespace shardlens::cli
