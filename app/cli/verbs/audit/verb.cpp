// SPDX-License-Identifier: Apache-2.0
// shardlens audit SPEC [--epochs N] [--first-epoch E] [--format text|json|junit]. Exit 1 when an error-level finding
// exists.
#include "app/cli/verb.h"

#include "app/cli/arguments.h"
#include "app/cli/audited.h"
#include "app/cli/progress.h"
#include "app/cli/verbs/audit/report.h"

#include <cstdlib>
#include <memory>
#include <string>
#include <unistd.h>

namespace shardlens::cli {
namespace {

struct AuditArgs {
  AuditedOptions audited;
  std::string format = "text";
};

bool wantsColours() {
  const char* refused = std::getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) == 1 && (refused == nullptr || refused[0] == '\0');
}

int run(const AuditArgs& options) {
  Progress progress(options.audited.quiet);
  const auto answer = auditedPlan(options.audited, progress);
  if (const auto* issues = std::get_if<Issues>(&answer)) return fail(progress, *issues);
  progress.clear();
  const auto& [spec, report] = std::get<Audited>(answer);
  Output out;
  if (options.format == "json") {
    writeAuditJson(out, spec, report);
  } else if (options.format == "junit") {
    writeAuditJunit(out, spec.plan, report);
  } else {
    writeAuditText(out, spec, report, wantsColours());
  }
  const int code = out.finish();
  if (code != kFine) return code;
  if (report.hasErrors()) return kFindings;
  if (report.unknown_order) return exitCode(report.unknown_order->why.code);
  const Error* const why = spec.notJudged();
  return why != nullptr ? static_cast<int>(exitCode(why->code)) : static_cast<int>(kFine);
}

}  // namespace

void addAudit(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<AuditArgs>();
  options->audited.counts_suffice = true;
  Arguments verb(app, "audit", "Reports what is wrong with a plan: coverage, overlap, seeds, lockstep");
  addAudited(verb, options->audited);
  verb.addFormat(options->format, {"text", "json", "junit"});
  verb.addQuiet(options->audited.quiet);
  verb.runs(chosen, [options] { return run(*options); });
}

}  // namespace shardlens::cli
