// SPDX-License-Identifier: Apache-2.0
// shardlens replay RUN [--format text|json] [--export TRACE.json] [--pack FILE]: what a recorded run was, through the
// same reducer as the live one; or traces of other tools, likewise. Exit 0 when the
// recording was read, however the job ended; 1 when parts of it are damaged; 2 when it is no recording, or an empty
// one.
#include "app/cli/verb.h"

#include "app/cli/json.h"
#include "app/cli/load.h"
#include "app/cli/verbs/run/run_text.h"
#include "core/base/text.h"
#include "core/collect/loader_findings.h"
#include "core/collect/run_replay.h"
#include "core/diagnose/phase_times.h"
#include "core/record/pack.h"
#include "core/report/report.h"
#include "core/timeline/chrome_trace.h"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace shardlens::cli {
namespace {

struct ReplayArgs {
  std::string recording;
  std::string format = "text";
  std::string trace;
  std::string packed;
};

Json jsonOf(const std::vector<LoaderFinding>& findings) {
  Json json = Json::array();
  for (const LoaderFinding& finding : findings) json.push_back({{"loader", finding.loader}, {"message", finding.text}});
  return json;
}

/// Of a run whose design has a schedule, as far as it was measured.
Result<std::vector<PhaseTime>> phasesOf(const RunReplay& replay) {
  if (auto phases = replay.phases()) return *std::move(phases);
  const auto facts = replay.facts();
  if (facts == nullptr || facts->spec.schedule.empty()) return std::vector<PhaseTime>();
  return Error::of(ErrorCode::BadInput, facts->problem);
}

Json jsonOf(const std::vector<PhaseTime>& phases) {
  Json json = Json::array();
  for (const PhaseTime& phase : phases) {
    if (phase.ranks.empty()) continue;
    const PhaseDifference difference = differenceOf(phase);
    json.push_back({{"line", phase.operation.line},
                    {"do", schedule::nameOf(phase.operation.kind)},
                    {"predicted_s", nullptr},
                    {"measured_s", difference.measured_ms / 1000},
                    {"difference_s", nullptr},
                    {"rank", phase.slowest().rank},
                    {"measurements", phase.steps()},
                    {"reason", nullptr},
                    {"message", words::phaseText(phase)}});
    if (phase.isPredicted()) {
      json.back()["predicted_s"] = difference.predicted_ms / 1000;
      json.back()["difference_s"] = (difference.measured_ms - difference.predicted_ms) / 1000;
    }
    if (difference.reason != PhaseDifference::Reason::None) json.back()["reason"] = nameOf(difference.reason);
  }
  return json;
}

int print(const RunState& state, const std::vector<LoaderFinding>& findings, const std::vector<PhaseTime>& phases,
          const std::string& note, const std::string& format) {
  Output out;
  if (format == "json") {
    auto json = runJson(state);
    json["phases"] = jsonOf(phases);
    json["loader_findings"] = jsonOf(findings);
    json["note"] = note;
    out << dumped(json, 2) << "\n";
    return out.finish();
  }
  out << oneLine(state.name) << ": " << outcomeText(state) << "\n"
      << rankTable(state) << "\n"
      << verdictText(state) << printable(findingsText(findings));
  if (const std::string text = words::phasesText(phases); !text.empty()) out << text << "\n";
  if (!state.failure.empty() && state.verdicts.empty()) out << state.failure << "\n";
  if (const std::int64_t unknown = state.unread.unknown_records; unknown > 0)
    out << counted(unknown, "record") << " of types that this version does not know " << (unknown == 1 ? "was" : "were")
        << " skipped.\n";
  if (!note.empty()) out << note << "\n";
  return out.finish();
}

int run(const ReplayArgs& options) {
  if (std::filesystem::path(options.trace).extension() == ".pftrace")
    return fail(
        Error::inFile(ErrorCode::Usage, options.trace,
                      "the trace would be written as Chrome JSON, which Perfetto opens, and not in its own format.",
                      "name it .json"));
  if (const auto there = checkRecording(options.recording); !there) return fail(there.error());
  std::optional<ChromeTraceWriter> trace;
  if (!options.trace.empty()) {
    auto created = ChromeTraceWriter::create(options.trace);
    if (!created) return fail(created.error());
    trace.emplace(std::move(*created));
  }
  const SpanSink sink = [&trace](std::int64_t rank, const Span& span) {
    if (trace) trace->addSpan(rank, span);
  };
  auto replay = RunReplay::open(options.recording, sink);
  if (!replay) return fail(replay.error());
  replay->keepPhases();
  replay->toEnd();
  const RunState state = replay->state();
  if (trace) {
    for (const RankState& rank : state.ranks) trace->addRank(rank.rank);
    if (auto finished = trace->finish(); !finished) return fail(finished.error());
    (void)std::fprintf(stderr, "%s: %s\n", options.trace.c_str(), counted(trace->spans(), "span").c_str());
  }
  if (!options.packed.empty()) {
    if (auto packed = packRecording(options.recording, options.packed); !packed) return fail(packed.error());
    (void)std::fprintf(stderr, "%s: the whole recording in one file\n", options.packed.c_str());
  }
  const auto phases = phasesOf(*replay);
  std::string note = replay->note();
  if (!phases) note += (note.empty() ? "" : " ") + words::phasesNotMeasured(phases.error());
  const int code = print(state, loaderFindings(options.recording), phases ? *phases : std::vector<PhaseTime>(), note,
                         options.format);
  return code == kFine && replay->isDamaged() ? static_cast<int>(kFindings) : code;
}

}  // namespace

void addReplay(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<ReplayArgs>();
  Arguments verb(app, "replay", "Shows what a recorded run did: ranks, waits, verdicts");
  verb.add("RUN", options->recording,
           "recording: a folder or a packed file; or traces of others: Flight Recorder, NCCL RAS or Inspector")
      .required();
  verb.addFormat(options->format);
  verb.add("--export", options->trace, "write a Chrome trace for Perfetto to this file");
  verb.add("--pack", options->packed, "write the whole recording into this single file, ready to send");
  verb.runs(chosen, [options] { return run(*options); });
}

}  // namespace shardlens::cli
