// SPDX-License-Identifier: Apache-2.0
// shardlens audit SPEC [--epochs N] [--first-epoch E] [--format text|json|junit]. Exit 1 when an error-level finding
// exists.
#include "app/cli/verb.h"

#include "app/cli/arguments.h"
#include "app/cli/load.h"
#include "app/cli/progress.h"
#include "app/cli/verbs/audit/report.h"

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>

namespace shardlens::cli {
namespace {

struct Options {
  std::string spec;
  std::string loader;
  std::string format = "text";
  bool quiet = false;
  std::int64_t first_epoch = 0;
  std::optional<std::int64_t> epochs;
};

bool wantsColours() {
  const char* refused = std::getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) == 1 && (refused == nullptr || refused[0] == '\0');
}

int run(const Options& options) {
  Progress progress(options.quiet);
  const auto loaded = loadPlan({options.spec, options.loader}, progress.whole());
  if (const auto* issues = std::get_if<Issues>(&loaded)) return fail(progress, *issues);
  const auto& spec = std::get<LoadedPlan>(loaded);
  const Plan& plan = spec.plan;
  if (auto range = checkRange(plan.spec(), options.first_epoch, {}); !range) {
    Error outside = range.error();
    outside.place.field = "--first-epoch";
    return fail(progress, outside);
  }
  const Work work = progress.whole();
  AuditOptions wanted;
  wanted.first_epoch = options.first_epoch;
  wanted.epochs = options.epochs ? *options.epochs : usualEpochs(plan, options.first_epoch, {work.stop, {}});
  const auto report = audit(plan, wanted, work);
  progress.clear();
  if (!report) return fail(progress, spec.placed(report.error()));
  Output out;
  if (options.format == "json") {
    writeAuditJson(out, *report);
  } else if (options.format == "junit") {
    writeAuditJunit(out, plan, *report);
  } else {
    writeAuditText(out, plan, *report, wantsColours());
  }
  const int code = out.finish();
  return code == kFine && report->hasErrors() ? static_cast<int>(kFindings) : code;
}

}  // namespace

void addAudit(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<Options>();
  Arguments verb(app, "audit", "Reports what is wrong with a plan: coverage, overlap, seeds, lockstep");
  verb.add("SPEC", options->spec, "spec file, or a recording").required();
  addLoader(verb, options->loader);
  verb.add("--epochs", options->epochs,
           "how many epochs to count sample by sample; all of a small spec, else 2, by default")
      .positive();
  verb.add("--first-epoch", options->first_epoch, "first epoch to count, from 0").notNegative();
  verb.addFormat(options->format, {"text", "json", "junit"});
  verb.addQuiet(options->quiet);
  verb.runs(chosen, [options] { return run(*options); });
}

}  // namespace shardlens::cli
