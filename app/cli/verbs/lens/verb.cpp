// SPDX-License-Identifier: Apache-2.0
// shardlens lens SPEC [--epoch E] [--only ID,...] [--format text|json]: one pipeline through several frameworks.
#include "app/cli/verb.h"

#include "app/cli/arguments.h"
#include "app/cli/load.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "app/cli/verbs/lens/output.h"
#include "core/base/text.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace shardlens::cli {
namespace {

struct LensArgs {
  std::string spec;
  std::string loader;
  std::int64_t epoch = 0;
  std::vector<std::string> only;
  std::string format = "text";
  bool quiet = false;
};

/// BadInput when the lens has no column of one of these ids.
Result<void> checkColumns(const PipelineSpec& spec, const std::vector<std::string>& only) {
  std::vector<std::string> ids;
  for (const LensColumn& column : lensColumns(spec)) ids.push_back(column.id);
  for (const std::string& id : only) {
    if (std::ranges::find(ids, id) != ids.end()) continue;
    const std::string near = nearest(id, ids);
    return Error{ErrorCode::BadInput,
                 "the lens has no column '" + id + "'",
                 {{}, 0, 0, "--only"},
                 near.empty() ? "it has " + join(ids, ", ") : "did you mean " + near + "?"};
  }
  return {};
}

/// The first column and those that are asked for; all of them when none is. A design whose order nobody can tell still
/// has other columns; one that raises has none worth showing.
Result<LensReport> chosenReport(const PipelineSpec& spec, const LensArgs& options, const Work& work) {
  const auto wanted = [&only = options.only](const std::string& id) {
    return only.empty() || std::ranges::find(only, id) != only.end();
  };
  auto report = lensReport(spec, {Epoch{options.epoch}, wanted}, work);
  if (!report) return report;
  std::optional<Error> error = report->columns.front().column.error;
  if (error && error->code != ErrorCode::Unsupported) {
    if (error->place.file.empty()) error->place.file = options.spec;
    return *error;
  }
  std::vector<JudgedColumn> others(report->columns.begin() + 1, report->columns.end());
  std::erase_if(others, [&](const JudgedColumn& judged) { return !wanted(judged.column.id); });
  report->columns.resize(1);
  report->columns.insert(report->columns.end(), others.begin(), others.end());
  return report;
}

int run(const LensArgs& options) {
  Progress progress(options.quiet);
  const yaml::ReadSpec read = loadSpec({options.spec, options.loader}, progress.whole());
  if (!read.issues.empty()) return fail(progress, read.issues);
  const PipelineSpec& spec = read.spec;
  if (auto range = checkRange(spec, options.epoch, {}); !range) return fail(progress, range.error());
  if (auto known = checkColumns(spec, options.only); !known) return fail(progress, known.error());
  const auto report = chosenReport(spec, options, progress.whole());
  progress.clear();
  if (!report) return fail(progress, read.placed(report.error()));
  const auto out = std::make_unique<Output>();
  if (options.format == "json") {
    *out << lensJson(*report);
  } else {
    writeLensText(*out, *report);
  }
  return out->finish();
}

}  // namespace

void addLens(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<LensArgs>();
  Arguments verb(app, "lens", "Compares the same pipeline in several frameworks, side by side");
  verb.add("SPEC", options->spec, "spec file, or a recording").required();
  addLoader(verb, options->loader);
  verb.add("--epoch", options->epoch, "epoch to compare");
  verb.add("--only", options->only, "columns to show: ids separated by commas, such as lightning,accelerate")
      .separatedByCommas();
  verb.addFormat(options->format);
  verb.addQuiet(options->quiet);
  verb.runs(chosen, [options] { return run(*options); });
}

}  // namespace shardlens::cli
