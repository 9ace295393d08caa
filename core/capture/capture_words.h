// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/capture/agreement.h"
#include "core/capture/capture.h"
#include "core/capture/job_loaders.h"
#include "core/capture/loader_spec.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

/// Every sentence about captured loaders. English only: the command line and spec files show them.
namespace shardlens::words {

Error notAProbeFile(const std::string& path, const std::string& name);
Error packNotRead(const std::string& path, const std::string& name);
/// `files` of processes are there, and none of them read a loader.
Error noLoaders(const std::string& path, std::size_t files);

/// Which loader is meant: `loaders` are those of the job.
Error noSuchLoader(const std::string& name, const std::vector<capture::JobLoader>& loaders);
Error noLoaderOfLength(std::int64_t samples, const std::vector<capture::JobLoader>& loaders);
Error severalLoaders(const std::vector<capture::JobLoader>& loaders);
/// "train (train.py:31, 103 samples)"
std::string loaderText(const capture::JobLoader& job);

/// About the recording.
std::string damaged(const std::string& file, std::int64_t bytes);
std::string probeFailed(const capture::ProcessFacts& process);
std::string limitReached(const std::string& file);
std::string rankStartedAgain(std::int64_t rank);
std::string nodesUnknown();

/// Why a loader has no spec.
std::string unknownSampler(const std::string& type);
std::string iterable(const std::string& dataset);
std::string noLength(const std::string& dataset);
std::string ranksDiffer(const std::string& what, std::int64_t rank, std::int64_t other);
std::string notSeen(const std::string& what, std::int64_t rank);
std::string ranksPassOther();
std::string seedTooLarge();
std::string notPlanned(const Error& error);

/// What a spec does not say.
std::string anotherRelease(const std::string& version, const std::string& taken);
std::string otherSeeds();
std::string seedsWithoutRule();
std::string generatorUsed();
std::string ranksMissing(const capture::JobLoader& job);

/// "The loader that train.py:31 reads, on 4 ranks, captured by ShardLens."
std::string capturedFrom(const capture::JobLoader& job);
/// "All 40 batches of epochs 0 to 2 on ranks 0 to 3 are as planned.", or the first difference.
std::string agreement(const capture::JobLoader& job, const capture::LoaderSpec& spec,
                      const capture::Agreement& agreement);
/// What was recorded of a loader that has no spec.
std::string recorded(const capture::JobLoader& job, const capture::Agreement& agreement);

/// Why the spec of a RandomSampler does not give the order, although the order is a RandomSampler's.
std::string drawnSeeds(const capture::JobLoader& job);

/// A loader beside a design: "All 48 batches of epochs 0 to 2 on ranks 0 to 3 are as designed."
std::string asDesigned(std::int64_t batches, const std::set<std::int64_t>& ranks, const std::set<std::int64_t>& epochs);
/// Which of the loaders was compared, and which were not.
std::string loaderCompared(const std::vector<capture::JobLoader>& loaders, std::size_t index);
/// The batch of a place, beside the planned one; either may be missing.
std::string batchesThere(const capture::FirstDifference& first);
/// "sampler.seed is 7, not 0"
std::string valueOfJob(const std::string& path, const std::string& of_job, const std::string& designed);

/// A recording in the place of a spec; `path` is what a person typed. Its captured spec plans what was read:
/// `not_read` batches that it plans were not read; nothing: some were not, and they were not counted.
std::string planOfRecording(const std::string& path, const capture::CapturedLoader& loader,
                            std::optional<std::int64_t> not_read);
/// Or what was read stands for a plan:
std::string batchesOfRecording(const std::string& path, const capture::CapturedLoader& loader);
/// Or neither can.
Error noPlanOfRecording(const std::string& path, const capture::CapturedLoader& loader);
Error itemsAreNoIds(std::int64_t rank);
/// A batch that is not recorded comes before the one at this step.
Error batchesLacking(std::int64_t rank, std::int64_t pass, std::int64_t step);
/// A recording without loaders, whose job ran this spec.
std::string specOfRecording(const std::string& path);

/// Findings.
std::string setEpochNeverCalled(const capture::JobLoader& job);
std::string ranksReadTheSame(const capture::JobLoader& job, const std::vector<std::vector<std::int64_t>>& groups,
                             std::int64_t pass);
std::string unequalBatches(const std::map<std::int64_t, std::vector<std::int64_t>>& by_count, std::int64_t pass);

}  // namespace shardlens::words
