// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/capture/agreement.h"
#include "core/capture/capture.h"
#include "core/capture/job_loaders.h"
#include "core/capture/loader_spec.h"
#include "core/capture/reading.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

/// Every sentence about captured loaders.
namespace shardlens::words {

Error badInput(std::string message, const std::string& path, std::string hint);
std::vector<std::int64_t> ranksOf(const capture::JobLoader& job);
/// "a, b, c"
std::string inRow(std::span<const std::string> parts);
/// "103 samples", or that the dataset does not say how many.
std::string samplesOf(const std::optional<std::int64_t>& length);
/// What follows a sentence when batches were drawn that are not in the files.
std::string lostText(std::int64_t count);
/// " 16 more batches were queued and never handed to the loop."; empty for none.
std::string queuedText(const capture::JobLoader& job, const capture::Agreement& agreement);
/// " Loading 2 batches raised an error; they are not among these."; empty for none.
std::string raisedText(std::int64_t count);
/// " Rank 1 may have read more than was recorded."; empty for none.
std::string unfinishedText(const capture::Agreement& agreement);
/// "loader train", and "loader-2" where that is the name.
std::string namedLoader(const capture::JobLoader& job);

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
/// Starts that ran at the same time, `same` if they read the same batches. `processes` are all of the recording.
std::string jobsAtOnce(const capture::JobLoader& job, bool same, const std::vector<capture::ProcessFacts>& processes);
std::string nodesUnknown();
/// Some of its ranks look at single batches more often than others.
std::string looksAreNoPasses(const capture::JobLoader& job);
/// `programs` processes that say no rank read this loader, and this is one of them.
std::string programOfItsOwn(const capture::ProcessFacts& process, std::int64_t programs);

/// Why a loader has no spec.
std::string unknownSampler(const std::string& type);
std::string iterable(const std::string& dataset);
std::string ranksDiffer(const std::string& what, std::int64_t rank, std::int64_t other);
std::string notSeen(const std::string& what, std::int64_t rank);
std::string ranksOfAnother();
/// An attribute is `value`, and no parameter of the sampler's rule says so: it always has `modelled` there.
std::string notModelled(const std::string& attribute, const std::string& value, const std::string& modelled);
std::string notPlanned(const Error& error);
/// The sampler's class is known, and its rule does not give what was read.
std::string notItsRule(const capture::CapturedLoader& loader);
/// Its order comes from torch's global generator, whose state is not recorded.
std::string stateNotKnown(const std::string& sampler);
std::string nothingRecorded();

/// About a spec that holds what was read.
std::string heldAsRead();
/// The sampler of its spec; where that holds the batches as they were read, the class that the loader had.
std::string samplerText(const capture::CapturedLoader& loader);
/// dataset.size is more than `length`; 0: the dataset has no len().
std::string datasetSizeByIds(std::int64_t length, SampleIndex greatest);
/// What is known of why samples are in none of the recorded batches.
std::string leftOutOfRecorded(bool drops_last, std::int64_t raised);
/// That some ranks read more passes than others, of a spec that has passes for epochs; empty where none do, as far as
/// is known: a rank whose file was full may have read more.
std::string unequalPasses(const capture::JobLoader& job);

/// One seed for each rank.
std::string seedsWithoutRule(const std::vector<std::uint64_t>& of_ranks);
std::string ranksMissing(const capture::JobLoader& job);

/// "The loader that train.py:31 reads, on 4 ranks, captured by ShardLens."
std::string capturedFrom(const capture::JobLoader& job);
/// "All 40 batches of epochs 0 to 2 on ranks 0 to 3 are as torch.DistributedSampler (seed 0) computes them.", or
/// the first difference.
std::string comparison(const capture::JobLoader& job, const capture::LoaderSpec& spec,
                       const capture::Agreement& agreement);
/// The comparison of a loader with its spec; where the spec holds what was read, or there is none, how much was read.
std::string agreement(const capture::CapturedLoader& loader);
/// What was recorded of a loader that has no spec.
std::string recorded(const capture::JobLoader& job, const capture::Agreement& agreement);

/// Beside what loaders read, of a job without a design.
std::string heldAgainstCaptured();

/// Why the spec does not have these epochs, which its rule gives: `rank` reads others than one after the other.
std::string epochsToldOtherwise(const capture::CapturedLoader& loader, const capture::RankLoader& rank);
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

/// A recording in the place of a spec; `path` is what a person typed. Its captured spec plans what was read, and
/// perhaps more.
std::string planOfRecording(const std::string& path, const capture::CapturedLoader& loader,
                            const capture::NotRead& not_read);
/// Or the spec holds what was read.
std::string batchesOfRecording(const std::string& path, const capture::CapturedLoader& loader);
/// Or neither can.
Error noPlanOfRecording(const std::string& path, const capture::CapturedLoader& loader);
/// No epoch was read to its end by every rank.
/// `by_rule`: of what a rule plans, too.
Error nothingToJudge(const std::string& path, const capture::CapturedLoader& loader, bool by_rule);
/// That, as one sentence.
std::string notJudged(const Error& why);
/// Epochs from `first` on are judged, of all that are recorded. `as_read`: as far as ranks read them; else only those
/// that they read to the end.
std::string onlyWholeEpochs(std::int64_t first, std::int64_t count, std::int64_t recorded, bool as_read);
/// A recording without loaders, whose job ran this spec.
std::string specOfRecording(const std::string& path);

/// What the datasets of the ranks are to each other, and so what equal ids mean; empty where there is nothing to say.
std::string datasetsOfRanks(const capture::JobLoader& job);
/// Under which condition equal positions are the same sample. `job` has several ranks.
std::string sameDatasets(const capture::JobLoader& job);

/// Findings.
/// All of so many passes had the same batches, on these ranks; none: on all of them. `is_cut`: the last one as far as
/// it was read.
std::string setEpochNeverCalled(std::int64_t passes, bool is_cut, const std::vector<std::int64_t>& ranks);
/// The sampler's epoch was this one; `told_each`: it was called before each pass.
std::string setEpochSame(std::int64_t epoch, std::int64_t passes, bool is_cut, bool told_each,
                         const std::vector<std::int64_t>& ranks);
/// A pass that has the batches of an earlier one again.
struct PassAgain {
  std::int64_t of = 0;
  bool is_cut = false;        ///< it was not read as far
  bool is_told_anew = false;  ///< its sampler says another epoch
};
/// Such passes of a rank.
std::string epochsAgain(std::int64_t rank, const std::map<std::int64_t, PassAgain>& again);
/// Ranks whose samplers had different epochs in a pass.
std::string epochsApart(std::int64_t pass, const std::map<std::int64_t, std::vector<std::int64_t>>& by_epoch);
/// What world.groups of a captured spec rests on: so many ranks gave their samplers one rank.
std::string groupsAssumed(std::int64_t ranks_of_copy);
std::string ranksReadTheSame(const capture::JobLoader& job, const std::vector<std::vector<std::int64_t>>& groups,
                             std::int64_t pass);
std::string unequalBatches(const capture::JobLoader& job,
                           const std::map<std::int64_t, std::vector<std::int64_t>>& by_count, std::int64_t pass);
/// Ranks that ended a pass, or left it, after fewer batches than others had by the end of the recording.
std::string endedBefore(const capture::JobLoader& job, const std::map<std::int64_t, std::vector<std::int64_t>>& ended,
                        const std::map<std::int64_t, std::vector<std::int64_t>>& going_on, std::int64_t pass,
                        bool is_left);

/// Ranks that wait for this batch of their loader while others have got theirs; `samples` of the first of them.
std::string stuckInLoader(const std::vector<std::int64_t>& ranks, std::int64_t pass, std::int64_t step,
                          const std::vector<SampleIndex>& samples, const std::vector<std::int64_t>& ahead);

/// Why what was read in each pass is not counted.
std::string notCounted(const Error& error);
/// "Pass 0: 32 batches with 128 items on ranks 0 and 1: 64 samples, 64 of them on several ranks."
std::string passRead(const capture::PassReading& pass);
/// Likewise of a stream: "Pass 0, by content: 40 batches with 160 samples on ranks 0 and 1: 80 different ones, ...".
std::string contentsRead(const capture::PassReading& pass, bool by_batch);
std::string contentsLacking(std::int64_t rank);
/// Ranks that got equal contents of a stream; `in_order`: batch for batch.
std::string ranksGotTheSame(const std::vector<std::vector<std::int64_t>>& groups, std::int64_t pass, bool by_batch,
                            bool in_order);
/// "Not in any recorded batch: 192 of 384 samples."; empty where that is not known.
std::string neverRead(const capture::Reading& reading);
/// Both of all passes, line by line; of many passes, of the first ones. Empty where they are not counted.
std::vector<std::string> readingText(const capture::Reading& reading);

}  // namespace shardlens::words
