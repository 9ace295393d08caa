// SPDX-License-Identifier: Apache-2.0
#include "core/report/report.h"

#include "core/base/text.h"
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

constexpr std::array<Phase, 4> kMeasured = {Phase::Load, Phase::Compute, Phase::Wait, Phase::Transfer};

/// -1: not measured.
int placeOf(Phase phase) {
  const auto found = std::ranges::find(kMeasured, phase);
  return found == kMeasured.end() ? -1 : static_cast<int>(found - kMeasured.begin());
}

std::int64_t worked(const std::array<std::int64_t, kMeasured.size()>& column) {
  return column[0] + column[1];
}

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

std::string checkedText(const RunState& state) {
  std::int64_t matched = 0;
  std::int64_t mismatched = 0;
  for (const RankState& rank : state.ranks) {
    matched += rank.matched;
    mismatched += rank.mismatched;
  }
  const std::int64_t reported = matched + mismatched;
  if (reported == 0) return {};
  const bool is_whole = reported == state.planned_batches;
  const std::string planned = is_whole || state.planned_batches == 0 ? "" : " of " + grouped(state.planned_batches);
  const char* const noun = std::max(reported, state.planned_batches) == 1 ? " batch" : " batches";
  const std::string what = ", " + grouped(reported) + planned + noun + (is_whole ? "" : " reported");
  if (mismatched == 0) return what + (is_whole ? ", all as planned" : ", all of them as planned");
  return what + ", " + grouped(mismatched) + " of them not as planned";
}

}  // namespace

RunPicture::RunPicture(const Timeline& timeline, std::int64_t ranks) {
  for (const Lane& lane : timeline.lanes) {
    ranks = std::max(ranks, lane.rank + 1);
    for (const Span& span : lane.spans) end_ns_ = std::max(end_ns_, span.end_ns);
  }
  if (end_ns_ > 0) end_ns_ = std::max(end_ns_, timeline.end_ns);
  ranks_.resize(static_cast<std::size_t>(ranks));
  column_ns_ = std::max<std::int64_t>(1, (end_ns_ + kColumns - 1) / kColumns);
  for (const Lane& lane : timeline.lanes) {
    for (const Span& span : lane.spans) add(lane.rank, span);
  }
}

void RunPicture::add(std::int64_t rank, const Span& span) {
  const int phase = placeOf(span.phase);
  const std::int64_t begin = std::max<std::int64_t>(span.begin_ns, 0);
  if (phase < 0 || rank < 0 || span.end_ns <= begin) return;
  std::vector<Column>& columns = ranks_[static_cast<std::size_t>(rank)];
  if (columns.empty()) columns.resize(kColumns);
  for (std::int64_t at = begin; at < span.end_ns;) {
    const std::int64_t column = at / column_ns_;
    const std::int64_t until = std::min(span.end_ns, (column + 1) * column_ns_);
    columns[static_cast<std::size_t>(column)][static_cast<std::size_t>(phase)] += until - at;
    at = until;
  }
}

std::int64_t RunPicture::columns() const {
  return (end_ns_ + column_ns_ - 1) / column_ns_;
}

Phase RunPicture::phaseOf(std::int64_t at, const Column& column) const {
  const std::int64_t lasts = std::min(column_ns_, end_ns_ - at * column_ns_);
  const auto most = std::ranges::max_element(column);
  std::int64_t measured = 0;
  for (const std::int64_t ns : column) measured += ns;
  if (*most <= lasts - measured) return Phase::Unmeasured;
  return kMeasured[static_cast<std::size_t>(most - column.begin())];
}

PictureRow RunPicture::row(std::int64_t first_rank, std::int64_t last_rank) const {
  PictureRow row{first_rank, last_rank, {}};
  for (std::int64_t at = 0; at < columns(); ++at) {
    const auto column = static_cast<std::size_t>(at);
    Column slowest = this->at(static_cast<std::size_t>(first_rank), column);
    for (std::int64_t rank = first_rank + 1; rank < last_rank; ++rank) {
      const Column other = this->at(static_cast<std::size_t>(rank), column);
      if (worked(other) > worked(slowest)) slowest = other;
    }
    const Phase phase = phaseOf(at, slowest);
    if (phase == Phase::Unmeasured) continue;
    if (!row.blocks.empty() && row.blocks.back().last == at && row.blocks.back().phase == phase) {
      row.blocks.back().last = at + 1;
    } else {
      row.blocks.push_back({at, at + 1, phase});
    }
  }
  return row;
}

std::vector<PictureRow> RunPicture::rows(std::int64_t most) const {
  const std::int64_t ranks = std::ssize(ranks_);
  const std::int64_t count = std::min(ranks, most);
  std::vector<PictureRow> rows;
  rows.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) rows.push_back(row(i * ranks / count, (i + 1) * ranks / count));
  return rows;
}

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

const char* statusName(JobStatus status) {
  switch (status) {
    case JobStatus::Starting:
      return "starting";
    case JobStatus::Running:
      return "running";
    case JobStatus::Finished:
      return "finished";
    case JobStatus::Failed:
      return "failed";
    case JobStatus::Stopped:
      return "stopped";
    case JobStatus::Unknown:
      break;
  }
  return "unknown";
}

std::string outcomeText(const RunState& state) {
  std::string text = statusName(state.status);
  text[0] = static_cast<char>(text[0] - 'a' + 'A');
  text += state.status == JobStatus::Running || state.status == JobStatus::Starting ? " for " : " after ";
  if (state.status == JobStatus::Unknown) text = "How the job ended is not known. It was recorded for ";
  text += durationText(state.elapsed_ns);
  if (!state.is_from_start) text += ", counted from its first rank on";
  if (state.world_size > 0) text += ": " + counted(state.world_size, "rank") + checkedText(state);
  text += ".";
  if (!state.reports) text += " No rank has reported steps or waits to ShardLens, so none is measured.";
  return text;
}

}  // namespace shardlens
