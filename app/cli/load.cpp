// SPDX-License-Identifier: Apache-2.0
#include "app/cli/load.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/capture/capture.h"
#include "core/capture/capture_words.h"
#include "core/capture/recorded_job.h"
#include "core/collect/job_proof.h"
#include "core/collect/python_script.h"
#include "core/record/frame.h"
#include "core/record/pack.h"
#include "core/record/recording_reader.h"
#include "core/sampling/registry.h"
#include "core/traces/foreign_job.h"
#include "core/yaml/spec_file.h"
#include "core/yaml/spec_writer.h"
#include "core/yaml/tree.h"

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
  return Error::inField(ErrorCode::Usage, "--" + what, "there is no " + what + " " + std::to_string(number) + ".",
                        "this spec has " + what + "s 0 to " + std::to_string(count - 1));
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

/// What was recorded, as far as it can be judged.
std::variant<LoadedPlan, Issues> judged(const Source& source, Found& found, const Work& work) {
  capture::Judgement judgement = capture::judge(found.job, found.loader, *std::move(found.captured), source.path, work);
  for (const std::string& sentence : judgement.said) say(sentence);
  if (!judgement.judged) return Issues{judgement.judged.error()};
  Plan plan = judgement.judged->plan;
  yaml::ReadSpec read{plan.spec(), {}, yaml::kVersion};
  return LoadedPlan{std::move(plan), std::move(read), *std::move(judgement.judged)};
}

/// Puts what was read in the place of a rule that gives batches which nobody got.
Result<void> takeRead(Found& found, const Work& work) {
  const capture::JobLoader& job = found.captured->job;
  if (found.captured->is_recorded || (job.elsewhere.empty() && job.raised() == 0)) return {};
  auto read = capture::asRead(found.job, found.loader, *found.captured, work);
  if (!read) return read.error();
  if (!read->isProven()) return {};
  found.captured = *std::move(read);
  found.plan->spec = found.captured->spec.spec;
  return {};
}

std::variant<LoadedPlan, Issues> planned(const Source& source, Found& found, const Work& work) {
  if (source.only_read && found.captured) {
    if (auto taken = takeRead(found, work); !taken) return Issues{taken.error()};
  }
  auto plan = planOf(*std::move(found.plan));
  const auto* loaded = std::get_if<LoadedPlan>(&plan);
  if (loaded == nullptr) return plan;
  if (!found.captured) {
    say(words::specOfRecording(source.path));
    return plan;
  }
  if (const std::string ids = words::datasetsOfRanks(found.captured->job); !ids.empty()) say(ids);
  const auto sentence = capture::planSentence(source.path, *found.captured, loaded->plan, work);
  if (!sentence) return Issues{loaded->placed(sentence.error())};
  say(*sentence);
  return plan;
}

Error loaderOfSpec(const std::string& path) {
  return Error::inField(ErrorCode::Usage, "--loader",
                        path + " is not a recording, and only recordings have loaders to choose from.",
                        "leave --loader out");
}

std::variant<LoadedPlan, Issues> planOfFile(const Source& source) {
  if (!source.loader.empty()) return Issues{loaderOfSpec(source.path)};
  return planOf(readSpecAt(source.path), source.counts_suffice);
}

Result<AuditReport> auditOf(const LoadedPlan& spec, const AuditedOptions& options, const Work& work) {
  AuditOptions wanted;
  wanted.first_epoch = options.first_epoch;
  wanted.epochs = options.epochs ? *options.epochs : usualEpochs(spec.plan, wanted.first_epoch, {work.stop, {}});
  return spec.counted ? auditCounts(*spec.counted, wanted, work) : audit(spec.plan, wanted, work);
}

/// What no audit and no plan can do without, where the import has only a placeholder for it, or one for all ranks.
Issues notSaid(const yaml::Imported& imported, const std::string& path) {
  std::string reasons;
  bool lacks_size = false;
  for (const yaml::ImportNote& note : imported.notes) {
    const bool is_needed =
        note.field.starts_with("dataset") || note.field == "sampler.type" || note.field.starts_with("world.");
    if (note.kind != yaml::ImportNote::Kind::Unknown || !is_needed) continue;
    reasons += ' ' + note.field + ": " + note.text;
    lacks_size |= note.field == "dataset.size";
  }
  if (reasons.empty()) return {};
  return {Error::inFile(ErrorCode::BadInput, path,
                        "this is no spec but a file of a job, and what is needed here is not all known." + reasons,
                        "make a spec of it: shardlens import " + std::filesystem::path(path).filename().string() +
                            (lacks_size ? " --samples N" : "") + " -o spec.yaml -- torchrun ...")};
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

const Error* LoadedPlan::notJudged() const {
  return judged && judged->not_judged ? &*judged->not_judged : nullptr;
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
  return LoadedPlan{std::move(stand_in), std::move(read), {}, *std::move(counted)};
}

std::variant<LoadedPlan, Issues> loadPlan(const Source& source, const Work& work) {
  if (!isRecording(source.path)) return planOfFile(source);
  auto found = lookInto(source, work);
  if (!found) return Issues{found.error()};
  const Work quiet{work.stop, {}};
  if (source.is_judged && found->captured) return judged(source, *found, quiet);
  if (found->plan) return planned(source, *found, quiet);
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
  return Error::inFile(ErrorCode::BadInput, path,
                       "The recording is empty: its recorder was stopped before it wrote anything.");
}

Result<void> checkRange(const PipelineSpec& spec, std::optional<std::int64_t> epoch, std::optional<std::int64_t> rank) {
  if (epoch && (*epoch < 0 || *epoch >= spec.epochs)) return outside("epoch", *epoch, spec.epochs);
  if (rank && (*rank < 0 || *rank >= spec.worldSize())) return outside("rank", *rank, spec.worldSize());
  return {};
}

Result<std::int64_t> batchesPerStep(const PipelineSpec& spec, const std::string& path) {
  const auto said = sampling::batchesPerStep(spec);
  if (said || !isRecording(path)) return said.value_or(1);
  return Error::of(ErrorCode::Usage, path + " does not say how many batches an optimizer step takes.",
                   "shardlens at " + path + " --step N lists the samples of an optimizer step");
}

Result<yaml::ImportSource> importSource(const std::string& path) {
  auto text = readFile(path, yaml::kMostImportBytes);
  if (text && isPythonScript(path)) text = describeScript(path);
  if (!text) return text.error();
  return yaml::ImportSource{std::filesystem::path(path).filename().string(), *std::move(text)};
}

void printNotes(const yaml::Imported& imported) {
  using Kind = yaml::ImportNote::Kind;
  for (const auto& [kind, title] : {std::pair{Kind::Read, "Read:"},
                                    {Kind::Assumed, "Assumed, since no file says it:"},
                                    {Kind::Unknown, "Not known:"}}) {
    const auto lines = imported.lines(kind);
    if (!lines.empty()) (void)std::fprintf(stderr, "%s\n", title);
    for (const std::string& line : lines) (void)std::fprintf(stderr, "  %s\n", printable(line).c_str());
  }
}

std::optional<yaml::ReadSpec> importedSpec(const std::string& path) {
  const auto source = importSource(path);
  if (!source) return isPythonScript(path) ? std::optional(yaml::ReadSpec{{}, {source.error()}, 0}) : std::nullopt;
  if (!isPythonScript(path) && !yaml::isImportable(*source)) return std::nullopt;
  yaml::Imported imported = yaml::importSpec({&*source, 1}, sampling::catalogue(), {{}, true});
  if (imported.problems.empty()) {
    printNotes(imported);
    imported.problems = notSaid(imported, path);
  }
  return yaml::ReadSpec{std::move(imported.spec), std::move(imported.problems), yaml::kVersion};
}

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
  const Work work = progress.whole();
  auto report = spec.judged ? capture::auditJudged(*spec.judged, {options.first_epoch, options.epochs}, work)
                            : auditOf(spec, options, work);
  if (!report) return Issues{spec.placed(report.error())};
  return Audited{std::move(spec), *std::move(report)};
}

}  // namespace shardlens::cli
