// SPDX-License-Identifier: Apache-2.0
#include "app/cli/load.h"

#include "app/cli/imported.h"
#include "core/base/printable.h"
#include "core/capture/capture.h"
#include "core/capture/capture_words.h"
#include "core/capture/recorded_batches.h"
#include "core/capture/recorded_job.h"
#include "core/capture/word_parts.h"
#include "core/collect/job_proof.h"
#include "core/collect/python_script.h"
#include "core/record/frame.h"
#include "core/record/pack.h"
#include "core/record/recording_reader.h"
#include "core/sampling/registry.h"
#include "core/traces/trace_files.h"
#include "core/yaml/spec_file.h"
#include "core/yaml/spec_layout.h"
#include "core/yaml/tree.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

namespace shardlens::cli {
namespace {

Error outside(const std::string& what, std::int64_t number, std::int64_t count) {
  return Error{ErrorCode::Usage, "there is no " + what + " " + std::to_string(number) + ".",
               Place{{}, 0, 0, "--" + what}, "this spec has " + what + "s 0 to " + std::to_string(count - 1)};
}

/// Everything up to the end of stdin, or more than a spec can be.
std::string allOfStdin() {
  std::string text;
  std::array<char, 1 << 16> piece{};
  while (const std::size_t got = std::fread(piece.data(), 1, piece.size(), stdin)) {
    text.append(piece.data(), got);
    if (text.size() > yaml::kMostBytes) break;
  }
  return text;
}

/// What a recording has to offer in the place of a spec.
struct Found {
  capture::RecordedJob job;
  std::size_t loader = 0;
  std::optional<capture::CapturedLoader> captured;  ///< none: the job read no loader
  std::optional<yaml::ReadSpec> plan;               ///< none: nothing that was read can be planned
};

/// Beside the answer, which goes to stdout and may be for a program.
void say(const std::string& sentence) {
  (void)std::fprintf(stderr, "%s\n", printable(sentence).c_str());
}

Result<Found> lookInto(const Source& source, const Work& work) {
  auto job = capture::readJob(source.path, work.part(0, 0.3));
  if (!job) return job.error();
  Found found{*std::move(job), 0, std::nullopt, std::nullopt};
  for (const std::string& note : found.job.notes) say(note);
  if (found.job.loaders.empty()) {
    const auto text = designOf(source.path);
    if (!text && found.job.files.empty()) return text.error();
    if (!text || text->empty()) return words::noLoaders(source.path, found.job.files.size());
    found.plan = yaml::readSpec(*text, sampling::catalogue(), source.path);
    return found;
  }
  const auto loader = capture::loaderMeant(found.job.loaders, source.loader);
  if (!loader) return loader.error();
  found.loader = *loader;
  capture::CaptureOptions how;
  how.search = false;
  auto captured = capture::captured(found.job, *loader, how, work.part(0.3, 1));
  if (!captured) return captured.error();
  found.captured = *std::move(captured);
  if (!found.captured->isProven()) return found;
  found.plan = yaml::ReadSpec{found.captured->spec.spec, {}, yaml::kVersion};  // a file may not hold so many ids
  return found;
}

/// The spec that is to be judged, or the one that has what was recorded, and why that is not judged.
struct Judged {
  yaml::ReadSpec read;
  std::int64_t first_epoch = 0;
  std::optional<Error> why_not = {};
};

/// The spec, of no more epochs than are known whole on every rank.
Judged wholeEpochs(const Source& source, const Found& found, capture::EpochRange whole, bool by_rule) {
  Judged judged{*found.plan, whole.first};
  if (whole.count == 0) {
    judged.first_epoch = 0;
    judged.why_not = words::nothingToJudge(source.path, *found.captured, by_rule);
    return judged;
  }
  std::int64_t& epochs = judged.read.spec.epochs;
  if (whole.count < epochs) say(words::onlyWholeEpochs(whole.first, whole.count, epochs));
  epochs = std::min(whole.first + whole.count, epochs);
  return judged;
}

/// What a rule plans, as far as that was read: its whole epochs, or else all that was read and nothing more.
Result<Judged> judgedByRule(const Source& source, Found& found, const Work& work) {
  capture::CapturedLoader& loader = *found.captured;
  const auto plan = Plan::make(found.plan->spec);
  if (!plan) return plan.error();
  const auto not_read = capture::plannedNotRead(loader, *plan, work);
  if (!not_read) return not_read.error();
  if (*not_read == std::int64_t{0} && !loader.job.lacksRanks()) return Judged{*found.plan};
  const capture::EpochRange whole = capture::epochsReadWhole(loader.job, loader.spec);
  if (whole.count > 0) return wholeEpochs(source, found, whole, true);
  auto as_read = capture::asRead(found.job, found.loader, std::move(loader), work);
  if (!as_read) return as_read.error();
  loader = *std::move(as_read);
  if (!loader.isProven()) return words::noPlanOfRecording(source.path, loader);
  found.plan->spec = loader.spec.spec;
  return wholeEpochs(source, found, {0, capture::epochsKnownWhole(loader.job)}, true);
}

/// The spec to be judged: nothing that no rank read is in it.
Result<Judged> judged(const Source& source, Found& found, const Work& work) {
  const capture::CapturedLoader& loader = *found.captured;
  if (loader.job.datasets.ids == capture::SampleIds::OwnPositions) return words::datasetsNotOne(source.path, loader);
  if (loader.job.ranks.size() > 1) say(words::sameDatasets(loader.job));
  return loader.is_recorded
             ? Result<Judged>(wholeEpochs(source, found, {0, capture::epochsKnownWhole(loader.job)}, false))
             : judgedByRule(source, found, work);
}

/// What the loader read, from its recorded ids.
Result<RunOfLoader> runOf(const Found& found, const Work& work) {
  const capture::JobLoader& job = found.captured->job;
  RunOfLoader run{words::namedLoader(job), {}, found.captured->findings, job.hasCollectives()};
  const auto passes = capture::recordedPasses(found.job, found.loader, work);
  if (passes) {
    run.reading = capture::readingOf(job, *passes);
  } else if (passes.error().code == ErrorCode::Cancelled) {
    return passes.error();
  } else {
    say(words::notCounted(passes.error()));
  }
  return run;
}

/// Which spec the plan is of.
Result<std::string> sentenceOf(const Source& source, const Found& found, const LoadedPlan& loaded, const Work& work) {
  if (found.captured->is_recorded) return words::batchesOfRecording(source.path, *found.captured);
  const auto not_read = capture::plannedNotRead(*found.captured, loaded.plan, work);
  if (!not_read) return loaded.placed(not_read.error());
  return words::planOfRecording(source.path, *found.captured, *not_read);
}

std::variant<LoadedPlan, Issues> planned(const Source& source, Found& found, const Work& work) {
  const bool is_judged = source.is_judged && found.captured;
  auto read = is_judged ? judged(source, found, work) : Result<Judged>(Judged{*found.plan});
  if (!read) return Issues{read.error()};
  auto plan = planOf(std::move(read->read));
  auto* loaded = std::get_if<LoadedPlan>(&plan);
  if (loaded == nullptr) return plan;
  loaded->first_epoch = read->first_epoch;
  if (!found.captured) {
    say(words::specOfRecording(source.path));
    return plan;
  }
  if (const std::string ids = words::datasetsOfRanks(found.captured->job); !ids.empty()) say(ids);
  const auto sentence = sentenceOf(source, found, *loaded, work);
  if (!sentence) return Issues{sentence.error()};
  say(*sentence);
  if (!is_judged) return plan;
  auto run = runOf(found, work);
  if (!run) return Issues{run.error()};
  loaded->run = *std::move(run);
  loaded->not_judged = std::move(read->why_not);
  return plan;
}

Error loaderOfSpec(const std::string& path) {
  return Error{ErrorCode::Usage, path + " is not a recording, and only recordings have loaders to choose from.",
               Place{{}, 0, 0, "--loader"}, "leave --loader out"};
}

std::variant<LoadedPlan, Issues> planOfFile(const Source& source) {
  if (!source.loader.empty()) return Issues{loaderOfSpec(source.path)};
  return planOf(readSpecAt(source.path), source.counts_suffice);
}

}  // namespace

bool isRecording(const std::string& path) {
  std::error_code code;
  if (std::filesystem::is_directory(path, code)) return true;
  if (!std::filesystem::is_regular_file(path, code)) return false;
  std::string head(frame::kMagic.size(), '\0');
  std::ifstream in(path, std::ios::binary);
  return in.read(head.data(), static_cast<std::streamsize>(head.size())) && head == frame::kMagic;
}

yaml::ReadSpec readSpecAt(const std::string& path) {
  if (path == "-" || path == "/dev/stdin") return yaml::readSpec(allOfStdin(), sampling::catalogue(), "stdin");
  if (isPythonScript(path)) return *importedSpec(path);
  yaml::ReadSpec read = yaml::readSpecFile(path, sampling::catalogue()).read;
  if (read.issues.empty()) return read;
  auto imported = importedSpec(path);
  return imported ? *std::move(imported) : read;
}

Error LoadedPlan::placed(Error error) const {
  const bool is_of_spec = !error.place.field.empty() && !error.place.field.starts_with("--");
  return is_of_spec ? read.placed(std::move(error)) : error;
}

std::variant<LoadedPlan, Issues> planOf(yaml::ReadSpec read, bool counts_suffice) {
  if (!read.issues.empty()) return read.issues;
  auto plan = Plan::make(read.spec);
  if (plan) return LoadedPlan{*std::move(plan), std::move(read)};
  auto counted = counts_suffice ? countedPlan(read.spec, plan.error()) : Result<CountedPlan>(plan.error());
  if (!counted) return Issues{read.placed(plan.error())};
  Plan stand_in = counted->stand_in;
  return LoadedPlan{std::move(stand_in), std::move(read), 0, {}, {}, *std::move(counted)};
}

std::variant<LoadedPlan, Issues> loadPlan(const Source& source, const Work& work) {
  if (!isRecording(source.path)) return planOfFile(source);
  auto found = lookInto(source, work);
  if (!found) return Issues{found.error()};
  if (found->plan) return planned(source, *found, {work.stop, {}});
  if (source.is_judged) {
    for (const capture::RunFinding& finding : found->captured->findings) say(finding.text);
    for (const std::string& remark : found->captured->job.remarks) say(remark);
  }
  return Issues{words::noPlanOfRecording(source.path, *found->captured)};
}

yaml::ReadSpec loadSpec(const Source& source, const Work& work) {
  yaml::ReadSpec read;
  if (!isRecording(source.path)) {
    if (source.loader.empty()) return readSpecAt(source.path);
    read.issues = {loaderOfSpec(source.path)};
    return read;
  }
  auto loaded = loadPlan(source, work);
  if (auto* plan = std::get_if<LoadedPlan>(&loaded)) return std::move(plan->read);
  read.issues = std::get<Issues>(std::move(loaded));
  return read;
}

void addLoader(Arguments& verb, std::string& target) {
  verb.add("--loader", target, "of a recording: which loader of the job; default: the only one of its training");
}

Result<void> checkObserved(const std::string& path) {
  const auto probes = probeFilesOf(path);
  if (probes && !probes->empty()) return {};
  return checkRecording(path);
}

Result<void> checkRecording(const std::string& path) {
  if (traces::isForeignTrace(path)) return {};
  auto reader = RecordingReader::open(path);
  if (!reader) return reader.error();
  if (!reader->readMore().empty()) return {};
  return Error{ErrorCode::BadInput,
               "The recording is empty: its recorder was stopped before it wrote anything.",
               {path, 0, 0, {}},
               ""};
}

Result<void> checkRange(const PipelineSpec& spec, std::optional<std::int64_t> epoch, std::optional<std::int64_t> rank) {
  if (epoch && (*epoch < 0 || *epoch >= spec.epochs)) return outside("epoch", *epoch, spec.epochs);
  if (rank && (*rank < 0 || *rank >= spec.worldSize())) return outside("rank", *rank, spec.worldSize());
  return {};
}

}  // namespace shardlens::cli
