// SPDX-License-Identifier: Apache-2.0
#include "app/cli/load.h"

#include "core/base/printable.h"
#include "core/capture/capture.h"
#include "core/capture/capture_words.h"
#include "core/capture/recorded_job.h"
#include "core/collect/job_proof.h"
#include "core/record/frame.h"
#include "core/record/pack.h"
#include "core/record/recording_reader.h"
#include "core/sampling/registry.h"
#include "core/yaml/spec_file.h"
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
  std::optional<yaml::ReadSpec> plan;               ///< none: no spec plans what was read
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
  auto captured = capture::captured(found.job, *loader, work.part(0.3, 1));
  if (!captured) return captured.error();
  found.captured = *std::move(captured);
  if (!found.captured->isProven()) return found;
  found.plan = yaml::readSpec(*found.captured->yaml, sampling::catalogue(), source.path);
  return found;
}

std::variant<LoadedPlan, Issues> planned(const Source& source, const Found& found, const Work& work) {
  auto plan = planOf(*found.plan);
  const auto* loaded = std::get_if<LoadedPlan>(&plan);
  if (loaded == nullptr) return plan;
  if (!found.captured) {
    say(words::specOfRecording(source.path));
    return plan;
  }
  const auto not_read = capture::plannedNotRead(*found.captured, loaded->plan, work);
  if (!not_read) return Issues{loaded->placed(not_read.error())};
  say(words::planOfRecording(source.path, *found.captured, *not_read));
  return plan;
}

Error loaderOfSpec(const std::string& path) {
  return Error{ErrorCode::Usage, path + " is not a recording, and only recordings have loaders to choose from.",
               Place{{}, 0, 0, "--loader"}, "leave --loader out"};
}

std::variant<LoadedPlan, Issues> planOfFile(const Source& source) {
  if (!source.loader.empty()) return Issues{loaderOfSpec(source.path)};
  return planOf(readSpecAt(source.path));
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
  if (path != "-" && path != "/dev/stdin") return yaml::readSpecFile(path, sampling::catalogue()).read;
  return yaml::readSpec(allOfStdin(), sampling::catalogue(), "stdin");
}

Error LoadedPlan::placed(Error error) const {
  const bool is_of_spec = !error.place.field.empty() && !error.place.field.starts_with("--");
  return is_of_spec ? read.placed(std::move(error)) : error;
}

std::variant<LoadedPlan, Issues> planOf(yaml::ReadSpec read) {
  if (!read.issues.empty()) return read.issues;
  auto plan = Plan::make(read.spec);
  if (plan) return LoadedPlan{*std::move(plan), std::move(read)};
  return Issues{read.placed(plan.error())};
}

std::variant<LoadedPlan, Issues> loadPlan(const Source& source, const Work& work) {
  if (!isRecording(source.path)) return planOfFile(source);
  const auto found = lookInto(source, work);
  if (!found) return Issues{found.error()};
  return found->plan ? planned(source, *found, {work.stop, {}})
                     : Issues{words::noPlanOfRecording(source.path, *found->captured)};
}

std::variant<LoadedPlan, capture::RecordedBatches, Issues> loadOrder(const Source& source, const Work& work) {
  const bool is_recording = isRecording(source.path);
  std::variant<LoadedPlan, Issues> plan = Issues();
  if (is_recording) {
    const auto found = lookInto(source, work.part(0, 0.7));
    if (!found) return Issues{found.error()};
    if (!found->plan) {
      auto batches = capture::RecordedBatches::read(found->job, found->loader, work.part(0.7, 1));
      if (!batches) return Issues{batches.error()};
      say(words::batchesOfRecording(source.path, *found->captured));
      return *std::move(batches);
    }
    plan = planned(source, *found, {work.stop, {}});
  } else {
    plan = planOfFile(source);
  }
  if (auto* issues = std::get_if<Issues>(&plan)) return std::move(*issues);
  return std::get<LoadedPlan>(std::move(plan));
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
