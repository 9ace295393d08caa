// SPDX-License-Identifier: Apache-2.0
// shardlens capture RUN [-o FILE] [--force] [--format text|json]: the specs of the loaders that a job really used. Exit
// 0 when each loader became a spec that reproduces every recorded batch, 1 otherwise.
#include "app/cli/verb.h"

#include "app/cli/json.h"
#include "core/base/file.h"
#include "core/capture/capture.h"
#include "core/capture/capture_words.h"
#include "core/capture/rule_search.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace shardlens::cli {
namespace {

using capture::Capture;
using capture::CapturedLoader;

struct CaptureArgs {
  std::string recording;
  std::string output;
  std::string format = "text";
  std::int64_t seeds = capture::RuleSearchBounds{}.seeds;
  bool rules = false;
  bool force = false;
  bool quiet = false;
};

struct NamedFile {
  const CapturedLoader* loader = nullptr;
  std::string path;
};

/// The first loader that has a spec goes to the file that was named, the others beside it, each under its own name.
std::vector<NamedFile> filesOf(const Capture& all, const std::string& output) {
  std::vector<NamedFile> files;
  if (output.empty()) return files;
  const std::filesystem::path main = output;
  for (const CapturedLoader& loader : all.loaders) {
    if (!loader.yaml) continue;
    const bool is_first = files.empty();
    std::filesystem::path path = is_first ? main : main.parent_path() / (loader.job.name + main.extension().string());
    if (!is_first && path == main) path = main.parent_path() / (loader.job.name + "-2" + main.extension().string());
    files.push_back({&loader, path.string()});
  }
  return files;
}

Result<void> writeAll(const std::vector<NamedFile>& files, bool force) {
  for (const NamedFile& file : files) {
    if (auto free = checkNewFile(file.path, force); !free) return free;
  }
  for (const NamedFile& file : files) {
    if (auto wrote = writeFile(file.path, *file.loader->yaml); !wrote) return wrote;
  }
  return {};
}

std::string pathOf(const CapturedLoader& loader, const std::vector<NamedFile>& files) {
  const auto found = std::ranges::find(files, &loader, &NamedFile::loader);
  return found == files.end() ? std::string() : found->path;
}

void printLoader(Output& out, const CapturedLoader& loader, const std::string& path) {
  out << loader.job.name << ": " << words::capturedFrom(loader.job) << "\n";
  if (loader.spec.problems.empty()) out << "  " << words::samplerText(loader) << "\n";
  for (const std::string& problem : loader.spec.problems) out << "  No spec: " << problem << "\n";
  if (loader.is_recorded) out << "  " << words::heldAsRead() << "\n";
  if (loader.spec.problems.empty()) {
    for (const std::string& reason : loader.reasons) out << "  " << reason << "\n";
  }
  out << "  " << words::agreement(loader) << "\n";
  for (const std::string& found : words::rulesFound(loader.rules)) out << "  " << found << "\n";
  for (const capture::RunFinding& finding : loader.findings) out << "  Finding: " << finding.text << "\n";
  for (const std::string& seed : loader.seeds) out << "  " << seed << "\n";
  for (const std::string& remark : loader.job.remarks) out << "  Note: " << remark << "\n";
  if (!path.empty()) out << "  Written to " << path << "\n";
}

/// Those that give the recorded ids.
Json rulesOf(const CapturedLoader& loader) {
  Json rules = Json::array();
  for (const capture::RuleMatch& match : loader.rules.matches)
    rules.push_back({{"sampler", match.spec.sampler.type},
                     {"rule", words::ruleText(match)},
                     {"same_batches", match.batches_alike},
                     {"ids", loader.rules.ids},
                     {"passes", loader.rules.passes},
                     {"ranks", loader.rules.ranks}});
  return rules;
}

Json jsonOf(const CapturedLoader& loader, const std::string& path) {
  const auto& first = loader.agreement.first_difference;
  Json json = {{"name", loader.job.name},
               {"site", loader.job.own_site},
               {"world_size", loader.job.world_size},
               {"ranks", Json::array()},
               {"sampler", nullptr},
               {"proven", loader.isProven()},
               {"batches", loader.agreement.batches},
               {"as_planned", loader.agreement.as_planned},
               {"not_recorded", loader.agreement.not_recorded},
               {"queued", loader.agreement.queued},
               {"first_difference", nullptr},
               {"message", words::agreement(loader)},
               {"explanation", loader.has_drawn_seeds ? words::drawnSeeds(loader.job) : ""},
               {"recorded", loader.is_recorded},
               {"reasons", loader.reasons},
               {"rules", rulesOf(loader)},
               {"search", words::rulesFound(loader.rules)},
               {"problems", loader.spec.problems},
               {"seeds", loader.seeds},
               {"findings", Json::array()},
               {"unknown", loader.spec.unknown},
               {"notes", loader.job.remarks},
               {"spec", nullptr},
               {"file", nullptr}};
  for (const capture::RunFinding& finding : loader.findings) json["findings"].push_back(finding.text);
  for (const auto& rank : loader.job.ranks) json["ranks"].push_back(rank.rank);
  if (first) json["first_difference"] = {{"rank", first->rank}, {"epoch", first->epoch}, {"step", first->step}};
  if (loader.spec.problems.empty()) json["sampler"] = loader.spec.spec.sampler.type;
  if (loader.yaml) json["spec"] = *loader.yaml;
  if (!path.empty()) json["file"] = path;
  return json;
}

int print(const Capture& all, const std::vector<NamedFile>& files, const CaptureArgs& options) {
  Output out;
  if (options.format == "json") {
    Json json = {{"loaders", Json::array()}, {"notes", all.notes}};
    for (const CapturedLoader& loader : all.loaders) json["loaders"].push_back(jsonOf(loader, pathOf(loader, files)));
    out << dumped(json, 2) << "\n";
    return out.finish();
  }
  for (const CapturedLoader& loader : all.loaders) printLoader(out, loader, pathOf(loader, files));
  for (const std::string& note : all.notes) out << note << "\n";
  if (options.output.empty()) {
    for (const CapturedLoader& loader : all.loaders) {
      if (loader.yaml) out << "\n" << *loader.yaml;
    }
  }
  return out.finish();
}

int run(const CaptureArgs& options) {
  Progress progress(options.quiet);
  capture::CaptureOptions how;
  how.bounds.seeds = options.seeds;
  how.writes_rules = options.rules;
  const auto all = capture::capture(options.recording, how, progress.whole());
  if (!all) return fail(progress, all.error());
  progress.clear();
  const std::vector<NamedFile> files = filesOf(*all, options.output);
  if (auto wrote = writeAll(files, options.force); !wrote) return fail(wrote.error());
  const int code = print(*all, files, options);
  const bool is_proven =
      std::ranges::all_of(all->loaders, [](const CapturedLoader& loader) { return loader.isProven() && loader.yaml; });
  return code == kFine && !is_proven ? static_cast<int>(kFindings) : code;
}

}  // namespace

void addCapture(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<CaptureArgs>();
  Arguments verb(app, "capture", "Writes the specs of the loaders that a recorded job really used");
  verb.add("RUN", options->recording, "recording of run [SPEC] -- COMMAND: a folder or a packed file").required();
  verb.add("-o,--output", options->output,
           "write the first spec to this file, and those of further loaders beside it (val.yaml)");
  verb.addFlag("--rules", options->rules,
               "where a rule gives the batches of an unknown sampler, write the rule instead of the batches");
  verb.add("--seeds", options->seeds, "search for such a rule with seeds 0 to N - 1, beside usual and recorded ones")
      .between(0, 10'000'000);
  verb.addFlag("--force", options->force, "overwrite existing files");
  verb.addFormat(options->format);
  verb.addQuiet(options->quiet);
  verb.runs(chosen, [options] { return run(*options); });
}

}  // namespace shardlens::cli
