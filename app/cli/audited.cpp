// SPDX-License-Identifier: Apache-2.0
#include "app/cli/audited.h"

#include "core/sampling/recorded_lists.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace shardlens::cli {
namespace {

/// Whether `proof` says that all is well with what was found.
bool denies(const capture::RunFinding& found, const Finding& proof) {
  if (!proof.is_proof) return false;
  if (found.is_seed) return proof.topic == FindingTopic::Seeds;
  if (found.code == "run-unequal-batches") return proof.code == "ok-lockstep";
  if (found.code == "run-epochs-repeat") return proof.code == "ok-reshuffled";
  return proof.code == "ok-coverage" || proof.code == "ok-disjoint";
}

/// Whether the batches are as recorded, and some loop did not ask for all that its sampler had: then another number of
/// them does not say that a rank ran out.
bool wasLeft(const LoadedPlan& loaded) {
  const auto& passes = loaded.run->reading.passes;
  return loaded.plan.spec().sampler.type == sampling::kRecordedBatches &&
         std::any_of(passes.begin(), passes.end(),
                     [](const capture::PassReading& pass) { return !pass.left.empty() || !pass.unfinished.empty(); });
}

/// What was found in the run itself comes first, unless the audit of what was read says the same.
void addRun(const LoadedPlan& loaded, AuditReport& report) {
  if (!loaded.run) return;
  if (wasLeft(loaded)) std::erase_if(report.findings, [](const Finding& one) { return one.code == "unequal-batches"; });
  const auto says = [&report](const std::string& run_code) {
    return std::any_of(report.findings.begin(), report.findings.end(), [&run_code](const Finding& finding) {
      return finding.severity == Severity::Error && "run-" + finding.code == run_code;
    });
  };
  std::vector<Finding> found;
  for (const capture::RunFinding& one : loaded.run->findings) {
    std::erase_if(report.findings, [&one](const Finding& finding) { return denies(one, finding); });
    if (says(one.code)) continue;
    Finding& finding = found.emplace_back();
    finding.code = one.code;
    finding.topic = one.is_seed ? FindingTopic::Seeds : FindingTopic::Coverage;
    finding.severity = one.is_seed ? Severity::Warning : Severity::Error;
    finding.title = one.title;
    finding.message = one.text;
    finding.is_of_waiting = one.is_of_waiting;
  }
  found.insert(found.end(), report.findings.begin(), report.findings.end());
  for (Finding& finding : found) {
    if (!loaded.run->has_collectives && finding.is_of_waiting && finding.severity == Severity::Error)
      finding.severity = Severity::Warning;
  }
  sortFindings(found);
  report.findings = std::move(found);
}

}  // namespace

void addAudited(Arguments& verb, AuditedOptions& options) {
  verb.add("SPEC", options.spec, "spec file, or a recording").required();
  addLoader(verb, options.loader);
  verb.add("--epochs", options.epochs,
           "how many epochs to count sample by sample; all of a small spec, else 2, by default")
      .positive();
  verb.add("--first-epoch", options.first_epoch, "first epoch to count, from 0").notNegative();
}

std::variant<Audited, Issues> auditedPlan(const AuditedOptions& options, Progress& progress) {
  auto loaded = loadPlan({options.spec, options.loader, true, options.counts_suffice}, progress.whole());
  if (auto* issues = std::get_if<Issues>(&loaded)) return std::move(*issues);
  auto& spec = std::get<LoadedPlan>(loaded);
  if (auto range = checkRange(spec.plan.spec(), options.first_epoch, {}); !range) {
    Error outside = range.error();
    outside.place.field = "--first-epoch";
    return Issues{outside};
  }
  if (spec.not_judged) {
    AuditReport as_recorded;
    addRun(spec, as_recorded);
    return Audited{std::move(spec), std::move(as_recorded)};
  }
  const Work work = progress.whole();
  AuditOptions wanted;
  wanted.first_epoch = std::max(options.first_epoch, spec.first_epoch);
  wanted.ran_from = spec.first_epoch;
  wanted.epochs = options.epochs ? *options.epochs : usualEpochs(spec.plan, wanted.first_epoch, {work.stop, {}});
  auto report = spec.counted ? auditCounts(*spec.counted, wanted, work) : audit(spec.plan, wanted, work);
  if (!report) return Issues{spec.placed(report.error())};
  addRun(spec, *report);
  return Audited{std::move(spec), *std::move(report)};
}

}  // namespace shardlens::cli
