// SPDX-License-Identifier: Apache-2.0
// shardlens check SPEC [--epochs N] [--first-epoch E] [--format text|json|junit|sarif]: holds the plan against the
// budgets of its spec (check.budgets), and the audit's findings against check.findings. For CI: exit 0 when all are
// kept, 1 when one is broken or cannot be known.
#include "app/cli/verb.h"

#include "app/cli/arguments.h"
#include "app/cli/audited.h"
#include "app/cli/progress.h"
#include "app/cli/verbs/check/report.h"

#include <memory>
#include <string>

namespace shardlens::cli {
namespace {

struct CheckArgs {
  AuditedOptions audited;
  std::string format = "text";
};

int write(const CheckReport& report, const yaml::ReadSpec& read, const std::string& format) {
  Output out;
  if (format == "json") {
    writeCheckJson(out, report);
  } else if (format == "junit") {
    writeCheckJunit(out, report);
  } else if (format == "sarif") {
    writeCheckSarif(out, report, read);
  } else {
    writeCheckText(out, report);
  }
  return out.finish();
}

int run(const CheckArgs& options) {
  Progress progress(options.audited.quiet);
  const auto answer = auditedPlan(options.audited, progress);
  if (const auto* issues = std::get_if<Issues>(&answer)) return fail(progress, *issues);
  const auto& [spec, audited] = std::get<Audited>(answer);
  if (const Error* why = spec.notJudged()) return fail(progress, *why);
  const auto budgets = checkBudgets(spec.plan, audited, progress.whole());
  progress.clear();
  if (!budgets) return fail(progress, spec.placed(budgets.error()));
  const CheckReport report = checkReport(spec.plan, audited, *budgets, options.audited.spec);
  const int code = write(report, spec.read, options.format);
  return code == kFine && !report.passes() ? static_cast<int>(kFindings) : code;
}

}  // namespace

void addCheck(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<CheckArgs>();
  Arguments verb(app, "check", "Holds a plan against the budgets of its spec, for CI");
  addAudited(verb, options->audited);
  verb.addFormat(options->format, {"text", "json", "junit", "sarif"});
  verb.addQuiet(options->audited.quiet);
  verb.runs(chosen, [options] { return run(*options); });
}

}  // namespace shardlens::cli
