// SPDX-License-Identifier: Apache-2.0
#include "core/capture/recorded_job.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/capture/capture_words.h"
#include "core/record/event.h"
#include "core/record/recording_reader.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

namespace shardlens::capture {
namespace {

void noteTroubles(const ProcessFacts& process, std::vector<std::string>& notes) {
  if (process.damaged_bytes > 0) notes.push_back(words::damaged(process.file, process.damaged_bytes));
  if (process.troubles > 0)
    notes.push_back(process.troubles == 1
                        ? filled(worded("capture", "%1: the probe failed once, first in %2. The job went on."),
                                 process.file, process.first_trouble)
                        : filled(worded("capture", "%1: the probe failed %2 times, first in %3. The job went on."),
                                 process.file, grouped(process.troubles), process.first_trouble));
  if (process.has_limit)
    notes.push_back(filled(worded("capture",
                                  "%1: later loaders, passes and batches are not recorded; SHARDLENS_PROBE_BYTES "
                                  "raises the limit."),
                           process.file));
}

/// Whether the job was still recorded when this was asked.
bool goesOn(const std::filesystem::path& recording, const Work& work) {
  auto reader = RecordingReader::open(recording);
  while (reader && !work.stopped()) {
    const bool has_more = !reader->readMore().empty();  // its end is the last that it says
    if (!reader->isBeingWritten()) return false;
    if (!has_more) return true;
  }
  return false;
}

/// Whether its ranks wait for each other and read other numbers of batches, and yet all came to their end: as they do
/// under DDP's Join, or as where a thread reads on while the loop fails.
bool asksHowItEnded(const JobLoader& job) {
  const auto counts = [](const RankLoader& rank) {
    std::vector<std::int64_t> drawn;
    for (const PassFacts& pass : rank.passes) drawn.push_back(pass.drawn);
    return drawn;
  };
  const auto is_other = [&](const RankLoader& rank) { return counts(rank) != counts(job.ranks.front()); };
  return !job.goes_on && job.hasCollectives() && job.cameThrough() && std::ranges::any_of(job.ranks, is_other);
}

bool hasFailed(const std::filesystem::path& recording) {
  bool has_failed = false;
  const auto use = [&has_failed](const Event& event) {
    const auto* const end = std::get_if<RunEnd>(&event.what);
    has_failed =
        has_failed || (end != nullptr && end->status != JobStatus::Finished && end->status != JobStatus::Unknown);
  };
  return readRecording(recording, use) && has_failed;
}

/// Those that train, or may.
std::vector<std::size_t> ofTraining(const std::vector<JobLoader>& loaders) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < loaders.size(); ++i) {
    if (loaders[i].purpose != Purpose::Validation && loaders[i].is_meant) found.push_back(i);
  }
  return found;
}

Result<std::size_t> named(const std::vector<JobLoader>& loaders, const std::string& name) {
  const auto found = std::ranges::find(loaders, name, &JobLoader::name);
  if (found == loaders.end()) return words::noSuchLoader(name, loaders);
  return static_cast<std::size_t>(found - loaders.begin());
}

bool hasLength(const JobLoader& job, std::int64_t samples) {
  return std::ranges::any_of(job.ranks, [&](const RankLoader& rank) { return lengthOf(job, rank) == samples; });
}

/// It has the design's world, and its batch size where that is an attribute.
bool hasShape(const JobLoader& job, const PipelineSpec& design) {
  const auto& batch_size = job.ranks.front().loader.batch_size;
  return job.world_size == design.worldSize() &&
         batch_size.value_or(design.loader.batch_size) == design.loader.batch_size;
}

template <class Read>
Result<RecordedJob> jobOf(const std::filesystem::path& recording, const Read& read, const Work& work) {
  auto files = probeFilesOf(recording);
  if (!files) return files.error();
  RecordedJob job;
  job.files = *std::move(files);
  const bool goes_on = !job.files.empty() && goesOn(recording, work);
  for (const RecordedFile& file : job.files) {
    auto process = read(file, work);
    if (!process) return process.error();
    if (work.stopped()) return cancelled();
    noteTroubles(*process, job.notes);
    job.processes.push_back(*std::move(process));
  }
  job.loaders = loadersOf(job.processes);
  for (JobLoader& loader : job.loaders) loader.goes_on = goes_on;
  if (std::ranges::any_of(job.loaders, asksHowItEnded)) {
    const bool has_failed = hasFailed(recording);
    for (JobLoader& loader : job.loaders) loader.has_failed = has_failed;
  }
  return job;
}

}  // namespace

Result<RecordedJob> readJob(const std::filesystem::path& recording, const Work& work) {
  return jobOf(
      recording, [](const RecordedFile& file, const Work& of) { return readProbe(file, {}, of); }, work);
}

Result<RecordedJob> skimJob(const std::filesystem::path& recording, const Work& work) {
  std::vector<std::vector<BatchesPlace>> places;
  const auto skim = [&places](const RecordedFile& file, const Work& of) {
    return skimProbe(file, places.emplace_back(), of);
  };
  auto job = jobOf(recording, skim, work);
  if (job) job->places = std::move(places);
  return job;
}

Result<std::vector<std::size_t>> loadersFor(const std::vector<JobLoader>& loaders, const PipelineSpec& design,
                                            const std::string& name) {
  if (!name.empty()) {
    const auto one = named(loaders, name);
    return one ? Result<std::vector<std::size_t>>(std::vector{*one}) : one.error();
  }
  const std::vector<std::size_t> training = ofTraining(loaders);
  std::vector<std::size_t> found;
  std::ranges::copy_if(training, std::back_inserter(found),
                       [&](std::size_t i) { return hasLength(loaders[i], design.dataset.size); });
  std::vector<std::size_t> shaped;
  std::ranges::copy_if(found, std::back_inserter(shaped), [&](std::size_t i) { return hasShape(loaders[i], design); });
  if (!shaped.empty()) return shaped;
  if (!found.empty()) return found;
  if (training.size() == 1) return training;
  return words::noLoaderOfLength(design.dataset.size, loaders);
}

Result<std::size_t> loaderMeant(const std::vector<JobLoader>& loaders, const std::string& name) {
  if (!name.empty()) return named(loaders, name);
  std::vector<std::size_t> training = ofTraining(loaders);
  const auto is_unknown = [&](std::size_t i) { return loaders[i].purpose == Purpose::Unknown; };
  if (!std::ranges::all_of(training, is_unknown)) std::erase_if(training, is_unknown);
  if (training.size() == 1) return training.front();
  if (loaders.size() == 1) return std::size_t{0};
  return words::severalLoaders(loaders);
}

}  // namespace shardlens::capture
