// SPDX-License-Identifier: Apache-2.0
#include "core/report/report.h"

#include "core/capture/capture.h"
#include "core/capture/capture_words.h"
#include "core/capture/recorded_job.h"
#include "core/collect/job_proof.h"
#include "core/collect/run_replay.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace shardlens {
namespace {

std::optional<Result<Proof>> proofOfLoaders(const RunFacts& facts, const std::filesystem::path& recording,
                                            const Work& work) {
  const auto plan = Plan::make(facts.spec);
  if (facts.planned_batches == 0 || !plan) return std::nullopt;
  auto proved = proveJob(*plan, recording, {}, work);
  if (!proved) return proved.error();
  auto& notes = proved->proof.notes;
  if (!proved->differing.empty()) notes.insert(notes.begin(), differencesText(*proved, proved->differing));
  return std::move(proved->proof);
}

/// The judge of `shardlens verify`, with the spec of the recording itself.
void addProof(const RunFacts* facts, std::optional<Result<Proof>> proof, bool is_known, Report& report) {
  if (facts == nullptr) {
    report.no_proof = "The recording does not say which spec the job ran.";
    return;
  }
  if (!is_known) {
    report.no_proof = "The command does not report to ShardLens, so its batches are not known.";
    return;
  }
  if (report.state.spec_yaml.text().empty()) {
    report.no_proof = "The command was run without a spec, so there is no plan to compare its batches with.";
    return;
  }
  if (!proof) {
    report.no_proof = "There is no plan to compare with: " + facts->problem;
  } else if (*proof) {
    report.proof = **std::move(proof);
  } else {
    report.no_proof = "The batches could not be compared with the plan: " + proof->error().message;
  }
}

/// What `shardlens capture` says of them, without a search for rules.
void addLoaders(const capture::RecordedJob& job, Report& report, const Work& work) {
  const bool has_spec = !report.state.spec_yaml.text().empty();
  capture::CaptureOptions options;
  options.search = false;
  for (std::size_t i = 0; i < job.loaders.size() && !work.stopped(); ++i) {
    const auto loader = capture::captured(job, i, options, work);
    if (!loader) continue;
    capture::LoaderAccount account = capture::accountOf(*loader);
    for (const std::string& finding : account.findings)
      report.loader_findings.push_back({job.loaders[i].name, finding});
    if (!has_spec) report.loaders.push_back(std::move(account));
  }
  if (!report.loaders.empty()) report.no_proof = words::heldAgainstCaptured();
}

/// Spans are final when they end: a rank that hangs is in one that has not. The state knows it.
Timeline withOpenSpans(Timeline whole, const Timeline& recent) {
  std::map<std::int64_t, std::int64_t> ends;
  for (const Lane& lane : whole.lanes) {
    for (const Span& span : lane.spans) ends[lane.rank] = std::max(ends[lane.rank], span.end_ns);
  }
  for (const Lane& lane : recent.lanes) {
    Lane open{lane.rank, {}};
    for (const Span& span : lane.spans) {
      if (span.end_ns <= ends[lane.rank]) continue;
      open.spans.push_back(span);
      open.spans.back().begin_ns = std::max(span.begin_ns, ends[lane.rank]);
    }
    whole.lanes.push_back(std::move(open));
  }
  whole.end_ns = recent.end_ns;
  return whole;
}

}  // namespace

Result<Report> makeReport(const std::filesystem::path& recording, const Work& work) {
  auto replay = RunReplay::open(recording);
  if (!replay) return replay.error();
  replay->keepOverview();
  replay->keepProof();
  while (replay->advance(-1, work)) {
    if (work.stopped()) return cancelled();
  }
  if (work.stopped()) return cancelled();
  replay->toEnd();
  Report report;
  report.state = replay->state();
  report.note = replay->note();
  report.picture = RunPicture(withOpenSpans(replay->overview()->lanes, report.state.recent), report.state.world_size);
  if (replay->facts()) report.started_unix_ns = replay->facts()->started_unix_ns;
  report.is_damaged = replay->isDamaged();
  const auto facts = replay->facts();
  // Where a probe saw loaders of the job, it is these that count, and not what the ranks reported.
  const auto job = capture::readJob(recording, work);
  const bool has_loaders = facts != nullptr && job && !job->loaders.empty();
  auto proof = has_loaders ? proofOfLoaders(*facts, recording, work) : replay->takeProof(work);
  addProof(facts.get(), std::move(proof), has_loaders || report.state.reports, report);
  if (has_loaders) addLoaders(*job, report, work);
  if (work.stopped()) return cancelled();
  return report;
}

}  // namespace shardlens
