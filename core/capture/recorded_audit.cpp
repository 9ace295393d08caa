// SPDX-License-Identifier: Apache-2.0
#include "core/audit/words/finding_words.h"
#include "core/base/phrase.h"
#include "core/capture/capture_words.h"
#include "core/capture/judged.h"
#include "core/capture/loader_spec.h"
#include "core/sampling/recorded_lists.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace shardlens::capture {
namespace {

/// Whether `proof` says that all is well with what was found.
bool denies(const RunFinding& found, const Finding& proof) {
  if (!proof.is_proof) return false;
  if (found.is_seed) return proof.topic == FindingTopic::Seeds;
  if (found.code == "run-unequal-batches") return proof.code == "ok-lockstep";
  if (found.code == "run-epochs-repeat") return proof.code == "ok-reshuffled";
  return proof.code == "ok-coverage" || proof.code == "ok-disjoint";
}

/// Whether the batches are as recorded, and some loop did not ask for all that its sampler had: then another number of
/// them does not say that a rank ran out.
bool wasLeft(const JudgedLoader& judged) {
  const auto& passes = judged.reading.passes;
  return judged.plan.spec().sampler.type == sampling::kRecordedBatches &&
         std::ranges::any_of(passes,
                             [](const PassReading& pass) { return !pass.left.empty() || !pass.unfinished.empty(); });
}

/// Whether the ranks read Subsets of a dataset, and in every pass all of what these have.
bool readSubsetsWhole(const JudgedLoader& judged) {
  const JobLoader& job = judged.loader.job;
  if (job.datasets.ids != SampleIds::Below) return false;
  return std::ranges::all_of(judged.reading.passes, [&job](const PassReading& pass) {
    std::set<SampleIndex> theirs;
    for (const RankLoader& rank : job.ranks) {
      if (pass.index >= rank.passes.size() || !rank.passes[pass.index].subset) return false;
      const std::vector<SampleIndex>& indices = rank.passes[pass.index].subset->indices;
      theirs.insert(indices.begin(), indices.end());
    }
    return pass.samples == std::ssize(theirs);
  });
}

Finding asFinding(const RunFinding& one) {
  Finding finding;
  finding.code = one.code;
  finding.topic = one.is_seed ? FindingTopic::Seeds : FindingTopic::Coverage;
  finding.severity = one.is_seed || one.may_be_meant ? Severity::Warning : Severity::Error;
  finding.title = one.title;
  finding.message = one.text;
  finding.is_of_waiting = one.is_of_waiting;
  return finding;
}

/// What the audit says of ranks that read the same batches, as of a training: that it is wrong.
bool isOfSameBatches(const Finding& finding) {
  return finding.code == "ranks-identical-order" || finding.code == "ranks-share-samples";
}

/// What is known of a job, and not of a plan, about why it matters.
void sayWhy(const JobLoader& job, Finding& finding) {
  if (isOfSameBatches(finding) && job.purpose != Purpose::Train)
    finding.why =
        worded("capture", "The job was not seen to train on this loader; in validation this may be intended.");
  const bool drops_last = dropsLast(job.ranks.front().loader);
  const bool is_cause_open = finding.code == "samples-left-out" && finding.why == words::asRecorded();
  if (is_cause_open && (drops_last || job.raised() > 0))
    finding.why = words::leftOutOfRecorded(drops_last, job.raised());
}

/// What was found in the run itself comes first, unless the audit of what was read says the same.
std::vector<Finding> withRun(const CapturedLoader& loader, std::vector<Finding> audited) {
  const auto says = [&audited](const std::string& run_code) {
    return std::ranges::any_of(audited, [&run_code](const Finding& finding) {
      return finding.severity == Severity::Error && "run-" + finding.code == run_code;
    });
  };
  std::vector<Finding> all;
  for (const RunFinding& one : loader.findings) {
    if (one.may_be_meant) std::erase_if(audited, isOfSameBatches);
    std::erase_if(audited, [&one](const Finding& finding) { return denies(one, finding); });
    if (!says(one.code)) all.push_back(asFinding(one));
  }
  all.insert(all.end(), audited.begin(), audited.end());
  for (Finding& finding : all) sayWhy(loader.job, finding);
  const bool waits = loader.job.hasCollectives() && !loader.job.cameThrough();
  for (Finding& finding : all) {
    if (!waits && finding.is_of_waiting && finding.severity == Severity::Error) finding.severity = Severity::Warning;
  }
  sortFindings(all);
  return all;
}

}  // namespace

Result<AuditReport> auditJudged(const JudgedLoader& judged, const RecordedAuditOptions& options, const Work& work) {
  if (judged.not_judged) {
    AuditReport as_recorded;
    as_recorded.findings = foundInRun(judged.loader);
    return as_recorded;
  }
  AuditOptions wanted;
  wanted.first_epoch = std::max(options.first_epoch, judged.first_epoch);
  wanted.ran_from = judged.first_epoch;
  wanted.epochs = options.epochs ? *options.epochs : usualEpochs(judged.plan, wanted.first_epoch, {work.stop, {}});
  wanted.all_epochs = judged.loader.spec.spec.epochs;
  wanted.fixes = options.fixes;
  wanted.reads_all = readSubsetsWhole(judged);
  auto report = audit(judged.plan, wanted, work);
  if (!report) return report;
  if (wasLeft(judged))
    std::erase_if(report->findings, [](const Finding& one) { return one.code == "unequal-batches"; });
  report->findings = withRun(judged.loader, std::move(report->findings));
  return report;
}

std::vector<Finding> foundInRun(const CapturedLoader& loader) {
  return withRun(loader, {});
}

}  // namespace shardlens::capture
