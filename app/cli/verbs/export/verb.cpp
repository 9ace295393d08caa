// SPDX-License-Identifier: Apache-2.0
// shardlens export SPEC --to TARGET|all [-o FILE|DIR] [--diff] [--force] [--list]. The text goes to stdout, what the
// target cannot carry and what the audit finds to stderr.
#include "app/cli/verb.h"

#include "app/cli/load.h"
#include "core/audit/audit.h"
#include "core/base/text.h"
#include "core/plan/plan.h"
#include "core/sampling/registry.h"
#include "core/yaml/exporter.h"
#include "core/yaml/text_diff.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace shardlens::cli {
namespace {

struct ExportArgs {
  std::string spec;
  std::string loader;
  std::string target;
  std::string output;
  std::string format = "text";
  bool quiet = false;
  bool diff = false;
  bool force = false;
  bool merge = false;
  bool list = false;
  std::map<std::string, std::vector<std::string>> given;  ///< texts of the export options, by id
  yaml::ExportContext context;
};

std::string column(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size() + 1), ' ');
  return text;
}

int listTargets() {
  Output out;
  for (const yaml::ExportTarget& target : yaml::exportTargets())
    out << column(target.id, 15) << column(target.file_name, 19) << target.summary << "\n";
  return out.finish();
}

Error usage(std::string message, std::string hint) {
  return Error::of(ErrorCode::Usage, std::move(message), std::move(hint));
}

Error unknownTarget(const std::string& id) {
  std::vector<std::string> ids;
  for (const yaml::ExportTarget& target : yaml::exportTargets()) ids.push_back(target.id);
  const std::string near = nearest(id, ids);
  const std::string known = "targets are " + join(ids, ", ");
  if (id.empty()) return usage("no target is given.", "add --to TARGET; " + known);
  return usage("there is no target '" + id + "'.", near.empty() ? known : "did you mean " + near + "? " + known);
}

int printDifference(const std::vector<yaml::ExportDestination>& files, bool is_merged) {
  bool different = false;
  Output out;
  for (const yaml::ExportDestination& file : files) {
    const std::string old_name = file.present ? file.path.string() : "/dev/null";
    if (is_merged && file.isConflict() && !file.merged)
      return fail(Error::inFile(ErrorCode::BadInput, file.path.string(), file.why_not_merged));
    const std::string& text = is_merged && file.merged ? *file.merged : file.file.text;
    out.raw(yaml::unifiedDiff(file.present.value_or(""), text, old_name, file.path.string()));
    different = different || file.present != text;
  }
  const int code = out.finish();
  return code == kFine && different ? static_cast<int>(kFindings) : code;
}

Result<void> writeFiles(const std::vector<yaml::ExportDestination>& files, const ExportArgs& options) {
  for (const yaml::ExportDestination& file : files) {
    if (!file.isConflict() || options.force || options.merge) continue;
    return Error::inFile(
        ErrorCode::BadInput, file.path.string(), "the file exists with different content.",
        file.merged ? "see the changes with --diff, then merge into it with --merge, or overwrite it with --force"
                    : "see the changes with --diff, then overwrite it with --force");
  }
  const auto how = options.force ? yaml::Overwriting::Whole : yaml::Overwriting::Merged;
  if (auto written = yaml::writeExport(files, how); !written) return written;
  for (const yaml::ExportDestination& file : files) {
    const bool is_current = file.isSame() || (file.hasAll() && !options.force);
    const bool is_merged = file.merged && !options.force;
    (void)std::fprintf(stderr, "%s: %s\n", file.path.c_str(),
                       is_current  ? "is up to date"
                       : is_merged ? "merged"
                                   : "written");
  }
  return {};
}

/// One file: what is written after it would be lost in it, or spoil it.
int printText(const yaml::ExportTarget& target, const yaml::ExportResult& result) {
  Output out;
  out.raw(result.files.front().text);
  const int code = out.finish();
  for (std::size_t i = 1; i < result.files.size(); ++i)
    (void)std::fprintf(stderr, "%s belongs to it and was not written; write both with -o %s\n",
                       result.files[i].name.c_str(), target.file_name.c_str());
  return code;
}

int printJson(const std::string& target, const yaml::ExportResult& result, const yaml::ExportContext& context) {
  nlohmann::ordered_json json = {{"target", target},
                                 {"files", nlohmann::ordered_json::array()},
                                 {"not_carried", result.not_carried},
                                 {"audit_errors", context.audit_errors}};
  for (const yaml::ExportFile& file : result.files)
    json["files"].push_back({{"name", file.name}, {"text", file.text}, {"executable", file.executable}});
  Output out;
  out << json.dump(2) << "\n";
  return out.finish();
}

void printNotCarried(const yaml::ExportTarget& target, const yaml::ExportResult& result) {
  if (!result.not_carried.empty()) (void)std::fprintf(stderr, "Not included in %s:\n", target.title.c_str());
  for (const std::string& sentence : result.not_carried)
    (void)std::fprintf(stderr, "  %s\n", printable(sentence).c_str());
}

void printAuditErrors(const std::vector<std::string>& errors) {
  if (!errors.empty()) (void)std::fprintf(stderr, "The audit of this spec found errors:\n");
  for (const std::string& error : errors) (void)std::fprintf(stderr, "  %s\n", printable(error).c_str());
}

/// What the audit calls an error, in sentences. Why there is no audit is one, too.
std::vector<std::string> auditErrors(const PipelineSpec& spec, Progress& progress) {
  const auto plan = Plan::make(spec);
  if (!plan) return {plan.error().text()};
  AuditOptions options;
  options.fixes = false;
  options.epochs = usualEpochs(*plan);
  const auto report = audit(*plan, options, progress.whole());
  if (!report) return {report.error().text()};
  return errorSentences(*report);
}

/// What was given more than once is one list, or the last of them.
Result<void> readOptions(ExportArgs& options) {
  for (const yaml::ExportOption& option : yaml::exportOptions()) {
    const auto& texts = options.given[option.id];
    if (texts.empty()) continue;
    const bool is_list = option.kind == yaml::ExportOption::Kind::Names;
    if (auto set = yaml::setOption(options.context, option, is_list ? join(texts, ",") : texts.back()); !set)
      return set;
  }
  return {};
}

/// The option's help, and which targets it is for where it is not for most of them.
std::string helpOf(const yaml::ExportOption& option) {
  std::vector<std::string> ids;
  for (const yaml::ExportTarget& target : yaml::exportTargets()) {
    if (std::ranges::find(target.options, option.id) != target.options.end()) ids.push_back(target.id);
  }
  const std::string usual = yaml::optionText({}, option);
  return option.help + (ids.size() > 4 ? "" : " (" + join(ids, ", ") + ")") +
         (usual.empty() ? "" : "; default: " + usual);
}

int deliver(const yaml::ExportTarget& target, const yaml::ExportResult& result, const ExportArgs& options) {
  if ((options.output.empty() || options.output == "-") && !options.diff) {
    if (options.format == "json") return printJson(target.id, result, options.context);
    const int code = printText(target, result);
    printNotCarried(target, result);
    return code;
  }
  const auto files = yaml::exportDestinations(result, options.output.empty() ? target.file_name : options.output);
  if (!files) return fail(files.error());
  if (options.diff) return printDifference(*files, options.merge);
  if (auto written = writeFiles(*files, options); !written) return fail(written.error());
  printNotCarried(target, result);
  return kFine;
}

int exportTo(const yaml::ExportTarget& target, const PipelineSpec& spec, const ExportArgs& options) {
  const yaml::ExportResult result = yaml::exportSpec(target, spec, sampling::catalogue(), options.context);
  return result.problems.empty() ? deliver(target, result, options) : fail(result.problems);
}

/// Every target into one folder, which is made; what a target has no code for is said, and the others are written.
int exportToAll(const PipelineSpec& spec, ExportArgs options) {
  if (options.output.empty() || options.output == "-")
    return fail(usage("--to all writes several files.", "name a folder for them with -o DIR"));
  std::error_code code;
  const std::filesystem::path folder = options.output;
  std::filesystem::create_directories(folder, code);
  int worst = kFine;
  for (const yaml::ExportTarget& target : yaml::exportTargets()) {
    options.output = (folder / target.file_name).string();
    worst = std::max(worst, exportTo(target, spec, options));
  }
  return worst;
}

int run(ExportArgs options) {
  if (options.list) return listTargets();
  const bool is_all = options.target == "all";
  const yaml::ExportTarget* target = yaml::findTarget(options.target);
  if (target == nullptr && !is_all) return fail(unknownTarget(options.target));
  if (options.force && options.merge)
    return fail(usage("--merge keeps what a file says, and --force does not.", "give one of them"));
  if (options.spec.empty())
    return fail(usage("no spec file is given.", "shardlens export SPEC --to " + options.target));
  if (auto read = readOptions(options); !read) return fail(read.error());
  Progress progress(options.quiet);
  const yaml::ReadSpec read = loadSpec({options.spec, options.loader}, progress.whole());
  if (!read.issues.empty()) return fail(progress, read.issues);
  options.context.audit_errors = auditErrors(read.spec, progress);
  progress.clear();
  const int code = is_all ? exportToAll(read.spec, options) : exportTo(*target, read.spec, options);
  printAuditErrors(options.context.audit_errors);
  return code;
}

}  // namespace

void addExport(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<ExportArgs>();
  Arguments verb(app, "export", "Writes configuration files for training jobs");
  verb.add("SPEC", options->spec, "spec file, or a recording");
  addLoader(verb, options->loader);
  verb.add("--to", options->target, "target to write (see --list), or all for every target in the folder -o");
  verb.add("-o,--output", options->output,
           "write to this file instead of stdout (-); further files of the target go to the same folder");
  verb.addFlag("--diff", options->diff, "show what would change on disk; exit code 1 if anything would");
  verb.addFlag("--force", options->force, "overwrite files with different content");
  verb.addFlag("--merge", options->merge,
               "change a YAML or JSON file that exists: its other keys, comments and order stay");
  verb.addFlag("--list", options->list, "list the targets");
  verb.addFormat(options->format);
  verb.addQuiet(options->quiet);
  for (const yaml::ExportOption& option : yaml::exportOptions())
    verb.add("--" + option.id, options->given[option.id], helpOf(option));
  verb.runs(chosen, [options] { return run(*options); });
}

}  // namespace shardlens::cli
