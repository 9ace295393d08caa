// SPDX-License-Identifier: Apache-2.0
// shardlens calibrate RUN [SPEC]: the spec with the durations that a recorded run had, as an edit of its text on
// stdout; what was measured, and what was not, on stderr. Exit 0 when a phase was measured, 2 otherwise.
#include "app/cli/verb.h"

#include "app/cli/load.h"
#include "core/base/text.h"
#include "core/collect/job_proof.h"
#include "core/diagnose/phase_times.h"
#include "core/sampling/registry.h"
#include "core/yaml/scalar.h"
#include "core/yaml/spec_file.h"
#include "core/yaml/spec_reader.h"
#include "core/yaml/spec_update.h"
#include "core/yaml/spec_writer.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace shardlens::cli {
namespace {

struct CalibrateArgs {
  std::string recording;
  std::string spec;  ///< empty: the one in the recording
  bool quiet = false;
};

/// The text to be edited: of a file, or of the recording.
Result<std::string> textToEdit(const CalibrateArgs& options) {
  if (!options.spec.empty()) {
    const yaml::SpecFile file = yaml::readSpecFile(options.spec, sampling::catalogue());
    return file.text ? Result<std::string>(*file.text) : Result<std::string>(file.read.issues.front());
  }
  auto text = designOf(options.recording);
  if (!text || !text->empty()) return text;
  return Error::inFile(ErrorCode::Usage, options.recording, "this recording holds no spec.",
                       "shardlens calibrate RUN SPEC");
}

std::string msText(double ms) {
  return durationText(std::llround(ms * 1e6), 3);
}

/// What is written into the spec.
double roundedMs(const PhaseTime& time) {
  return std::round(time.usualMs() * 1000) / 1000;
}

/// Where the spec says how long this phase takes, and its name; null where it has no place for that.
struct Duration {
  std::string name;
  double* ms = nullptr;
};

Duration durationIn(PipelineSpec& spec, const schedule::Operation& operation) {
  const bool is_single = !spec.schedule.empty() && !spec.schedule[operation.line].isPreset();
  if (is_single) return {"schedule[" + std::to_string(operation.line) + "].ms", &spec.schedule[operation.line].ms};
  if (operation.kind == schedule::Kind::Load) return {"run.load_ms", &spec.run.load_ms};
  if (operation.kind == schedule::Kind::Compute) return {"run.compute_ms", &spec.run.compute_ms};
  return {};
}

/// "schedule[0].ms: 10 (load), 56 measurements on 4 ranks; rank 2 takes longest, 30 ms."
std::string measuredText(const PhaseTime& time, const std::string& place) {
  const std::string kind(schedule::nameOf(time.operation.kind));
  std::string text = place.empty() ? kind + " takes " + msText(time.usualMs())
                                   : place + ": " + yaml::writeFloat(roundedMs(time)) + " (" + kind + ")";
  text += ", " + counted(time.steps(), "measurement") + " on " + counted(std::int64_t(time.ranks.size()), "rank");
  const auto as_slow = std::ranges::count(time.ranks, time.slowest().ms, &RankPhaseTime::ms);
  if (as_slow == 1 && time.ranks.size() > 1)
    text += "; rank " + std::to_string(time.slowest().rank) + " takes longest, " + msText(time.slowest().ms);
  if (time.link_bytes_per_s > 0)
    text += "; in a ring, that is " + byteSize(time.link_bytes_per_s) + "/s from each rank to the next";
  return text + (place.empty() ? ". The spec cannot hold this; a schedule written as single phases can." : ".");
}

/// Why a phase was not measured.
std::string unmeasuredReason(const PhaseTime& time) {
  if (time.are_alike) return "its steps have several phases of this kind, and the records do not tell them apart";
  return "no rank has enough steps in which it was recorded; the first step of an epoch does not count";
}

/// Puts what was measured into the spec and says it; a line for each phase. How many were measured.
std::size_t calibrate(PipelineSpec& spec, const std::vector<PhaseTime>& times, std::string& said) {
  std::size_t measured = 0;
  for (const PhaseTime& time : times) {
    const Duration duration = durationIn(spec, time.operation);
    const std::string kind(schedule::nameOf(time.operation.kind));
    if (time.ranks.empty()) {
      said += (duration.name.empty() ? kind : duration.name + " (" + kind + ")") +
              " was not measured: " + unmeasuredReason(time) + ".\n";
      continue;
    }
    ++measured;
    if (duration.ms != nullptr) *duration.ms = roundedMs(time);
    said += measuredText(time, duration.name) + "\n";
  }
  for (std::size_t line = 0; line < spec.schedule.size(); ++line) {
    const bool is_in_steps =
        std::ranges::any_of(times, [line](const PhaseTime& time) { return time.operation.line == line; });
    if (!is_in_steps)
      said += "schedule[" + std::to_string(line) + "] (" + spec.schedule[line].what +
              ") is not done in steps and was not measured.\n";
  }
  return measured;
}

int run(const CalibrateArgs& options) {
  if (const auto there = checkRecording(options.recording); !there) return fail(there.error());
  const auto text = textToEdit(options);
  if (!text) return fail(text.error());
  const std::string& name = options.spec.empty() ? options.recording : options.spec;
  const auto loaded = planOf(yaml::readSpec(*text, sampling::catalogue(), name));
  if (const auto* issues = std::get_if<Issues>(&loaded)) return fail(*issues);
  const Plan& plan = std::get<LoadedPlan>(loaded).plan;
  Progress progress(options.quiet);
  const auto times = measuredPhases(plan, options.recording, progress.whole());
  if (!times) return fail(progress, times.error());
  progress.clear();
  PipelineSpec spec = plan.spec();
  std::string said;
  const std::size_t measured = calibrate(spec, *times, said);
  (void)std::fputs(printable(said).c_str(), stderr);
  if (measured == 0)
    return fail(Error::inFile(ErrorCode::BadInput, options.recording,
                              "no phase of this schedule could be measured in this run."));
  const auto edited = yaml::updateText(*text, spec, sampling::catalogue());
  if (!edited) (void)std::fputs("The text does not allow an edit: the spec is written anew.\n", stderr);
  Output out;
  out.raw(edited ? *edited : yaml::writeSpec(spec, sampling::catalogue()));
  return out.finish();
}

}  // namespace

void addCalibrate(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<CalibrateArgs>();
  Arguments verb(app, "calibrate", "Prints a spec with the durations that a recorded run had");
  verb.add("RUN", options->recording, "recording of a job: a folder or a packed file").required();
  verb.add("SPEC", options->spec, "spec file whose text is edited; default: the spec in the recording");
  verb.addQuiet(options->quiet);
  verb.runs(chosen, [options] { return run(*options); });
}

}  // namespace shardlens::cli
