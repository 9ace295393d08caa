// SPDX-License-Identifier: Apache-2.0
#include "core/capture/recorded_batches.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/capture/capture_words.h"
#include "core/capture/epochs_of_passes.h"
#include "core/capture/probe_reader.h"
#include "core/sampling/recorded_lists.h"
#include "core/yaml/tree.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

namespace shardlens::capture {
namespace {

/// A world of more ranks, or a run of more passes, is no world that was read.
constexpr std::int64_t kMostCounts = 100'000'000;

/// Collects what one rank drew.
class RankReader {
 public:
  RankReader(const RankLoader& rank, BatchesOf of) : rank_(rank), of_(of) {
    for (std::size_t i = 0; i < rank.passes.size(); ++i) {
      const PassFacts& pass = rank.passes[i];
      place_[pass.number] = i;
      const bool is_whole = of == BatchesOf::Loop ? pass.isReadWhole() : pass.exhausted && pass.read() >= pass.drawn;
      passes_.push_back({rank.rank, i, pass.epoch, is_whole, {}, {}});
    }
  }

  void take(const BatchFacts& batch) {
    const auto found = place_.find(batch.pass);
    if (found == place_.end() || error_) return;
    const PassFacts& facts = rank_.passes[found->second];
    const bool is_of_loop = of_ == BatchesOf::Loop;
    if (is_of_loop ? !batch.is_handed : batch.step >= facts.read()) return;
    RecordedPass& pass = passes_[found->second];
    if (batch.is_opaque) {
      error_ =
          Error::of(ErrorCode::BadInput,
                    filled(worded("capture", "the sampler of rank %1 yields no whole numbers, so there are no ids."),
                           std::to_string(rank_.rank)));
    } else if ((is_of_loop ? facts.placeOf(batch.step) : batch.step) != std::ssize(pass.ends)) {
      error_ =
          Error::of(ErrorCode::BadInput,
                    filled(worded("capture",
                                  "not all batches before step %1 of rank %2 in pass %3 are recorded, so what it drew "
                                  "cannot be shown."),
                           std::to_string(batch.step), std::to_string(rank_.rank), std::to_string(found->second)),
                    worded("capture", "shardlens capture RUN says what is damaged"));
    } else if (batch.samples.empty()) {
      error_ =
          Error::of(ErrorCode::BadInput,
                    filled(worded("capture", "rank %1 drew a batch without samples at step %2, which no spec holds."),
                           std::to_string(rank_.rank), std::to_string(batch.step)));
    } else if (const auto below = std::ranges::find_if(batch.samples, [](SampleIndex id) { return id < 0; });
               below != batch.samples.end()) {
      error_ = Error::of(
          ErrorCode::BadInput,
          filled(
              worded("capture",
                     "rank %1 read id %2, but ids of a spec begin at 0: only its dataset knows which sample that is."),
              std::to_string(rank_.rank), std::to_string(*below)));
    } else {
      pass.ids.insert(pass.ids.end(), batch.samples.begin(), batch.samples.end());
      pass.ends.push_back(static_cast<std::int64_t>(pass.ids.size()));
    }
  }

  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  [[nodiscard]] std::vector<RecordedPass> passes() && { return std::move(passes_); }

 private:
  const RankLoader& rank_;
  BatchesOf of_;
  std::map<std::int64_t, std::size_t> place_;  ///< of a pass, by its number in the process
  std::vector<RecordedPass> passes_;
  std::optional<Error> error_;
};

/// Samples that the dataset must have, and what is to be said about that.
void fitDataset(const JobLoader& job, const std::vector<RecordedPass>& passes, LoaderSpec& into) {
  SampleIndex greatest = -1;
  for (const RecordedPass& pass : passes) {
    for (const SampleIndex id : pass.ids) greatest = std::max(greatest, id);
  }
  std::int64_t length = 0;
  for (const RankLoader& rank : job.ranks) length = std::max(length, lengthOf(job, rank).value_or(0));
  into.spec.dataset.size = std::max(length, greatest + 1);
  if (length <= greatest) into.unknown.push_back(words::datasetSizeByIds(length, greatest));
}

/// What the loaders were told; else the largest batch, since the first one may be short.
void batchSize(const JobLoader& job, std::vector<std::int64_t> sizes, LoaderSpec& into) {
  std::vector<std::int64_t> stated;
  for (const RankLoader& rank : job.ranks) {
    if (const auto size = statedBatchSize(rank.loader)) stated.push_back(*size);
  }
  if (sizes.empty()) return;
  // The items of an own sampler may be batches, which a loader without batch_size takes as they are.
  const bool is_stated =
      stated.size() == job.ranks.size() && *std::ranges::max_element(sizes) <= *std::ranges::max_element(stated);
  if (is_stated) sizes = std::move(stated);
  into.spec.loader.batch_size = *std::ranges::max_element(sizes);
  if (!is_stated)
    into.unknown.push_back(
        filled(worded("capture",
                      "The loader has no batch_size of its own: loader.batch_size is the size of its largest batch, "
                      "%1."),
               grouped(into.spec.loader.batch_size)));
}

/// Passes that the job did not read to their end, and ranks that read fewer of them.
void sayUnfinished(const JobLoader& job, LoaderSpec& into) {
  std::vector<std::int64_t> unfinished;
  for (const RankLoader& rank : job.ranks) {
    const auto is_read = [](const PassFacts& pass) { return pass.isReadToEnd(); };
    if (!std::ranges::all_of(rank.passes, is_read)) unfinished.push_back(rank.rank);
  }
  if (!unfinished.empty())
    into.unknown.push_back(filled(
        worded("capture",
               "The recording does not show that %1 read every pass to its end: such an epoch has only the batches "
               "that were recorded."),
        listedRanks(unfinished)));
  if (std::string unequal = words::unequalPasses(job);
      !unequal.empty() && !EpochsOfPasses(job, into.spec.epochs, true).areTold())
    into.unknown.push_back(std::move(unequal));
}

}  // namespace

void sortPasses(std::vector<RecordedPass>& passes) {
  std::ranges::sort(passes, [](const RecordedPass& a, const RecordedPass& b) {
    return std::tie(a.index, a.rank) < std::tie(b.index, b.rank);
  });
}

Result<std::vector<RecordedPass>> recordedPasses(const RecordedJob& job, std::size_t loader, const Work& work,
                                                 BatchesOf of) {
  std::vector<RecordedPass> all;
  for (const RankLoader& rank : job.loaders[loader].ranks) {
    RankReader reader(rank, of);
    const auto read = readBatches(
        job.files[rank.process], job.loaders[loader], rank, [&reader](const BatchFacts& batch) { reader.take(batch); },
        work);
    if (!read) return read.error();
    if (work.stopped()) return cancelled();
    if (reader.error()) return *reader.error();
    std::vector<RecordedPass> passes = std::move(reader).passes();
    std::move(passes.begin(), passes.end(), std::back_inserter(all));
  }
  sortPasses(all);
  return all;
}

LoaderSpec recordedSpec(const JobLoader& job, const LoaderSpec& loader, const std::vector<RecordedPass>& passes) {
  LoaderSpec into;
  into.spec = loader.spec;
  into.unknown = loader.unknown;
  std::int64_t epochs = 1;
  for (const RecordedPass& pass : passes) epochs = std::max(epochs, static_cast<std::int64_t>(pass.index) + 1);
  if (job.world_size > kMostCounts / epochs) {
    into.problems.push_back(
        filled(worded("capture", "A world of %1 ranks is too large for a spec."), grouped(job.world_size)));
    return into;
  }
  into.spec.epochs = epochs;
  fitDataset(job, passes, into);
  std::vector<std::int64_t> ids;
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> counts(static_cast<std::size_t>(epochs * job.world_size));
  for (const RecordedPass& pass : passes) {
    if (pass.rank < 0 || pass.rank >= job.world_size) continue;
    ids.insert(ids.end(), pass.ids.begin(), pass.ids.end());
    for (std::size_t i = 0; i < pass.ends.size(); ++i) sizes.push_back(pass.ends[i] - (i == 0 ? 0 : pass.ends[i - 1]));
    counts[pass.index * static_cast<std::size_t>(job.world_size) + static_cast<std::size_t>(pass.rank)] =
        static_cast<std::int64_t>(pass.ends.size());
  }
  if (ids.empty()) into.problems.push_back(words::nothingRecorded());
  batchSize(job, sizes, into);
  into.spec.loader.drop_last = false;
  if (std::ranges::any_of(job.ranks, [](const RankLoader& rank) { return dropsLast(rank.loader); }))
    into.unknown.push_back(worded(
        "capture",
        "The loader has drop_last=True. The batches are those that it handed out, so the spec has nothing to drop: "
        "drop_last is false."));
  sampling::setRecorded(into.spec, {std::move(ids), std::move(sizes), std::move(counts)});
  sayUnfinished(job, into);
  return into;
}

std::int64_t epochsKnownWhole(const JobLoader& job) {
  if (job.lacksRanks()) return 0;
  std::size_t whole = job.ranks.front().passes.size();
  for (const RankLoader& rank : job.ranks) {
    const auto is_open = [&rank](const PassFacts& pass) {
      return !rank.knowsEndOf(pass) || pass.read() > pass.recorded;
    };
    const auto open = std::ranges::find_if(rank.passes, is_open);
    whole = std::min(whole, static_cast<std::size_t>(open - rank.passes.begin()));
  }
  return static_cast<std::int64_t>(whole);
}

EpochRange epochsReadWhole(const JobLoader& job, const LoaderSpec& spec) {
  if (job.lacksRanks()) return {};
  std::vector<std::map<std::int64_t, int>> read(job.ranks.size());  // by rank: how often each epoch was
  std::int64_t first = spec.spec.epochs;
  for (std::size_t r = 0; r < read.size(); ++r) {
    const std::vector<PassFacts>& passes = job.ranks[r].passes;
    for (std::size_t i = 0; i < passes.size(); ++i) {
      const PassFacts& pass = passes[i];
      const std::int64_t epoch = spec.epochOf(job.ranks[r], i);
      read[r][epoch] += pass.isReadWhole() && pass.recorded >= pass.drawn ? 1 : 2;
      if (epoch >= 0) first = std::min(first, epoch);
    }
  }
  EpochRange whole{first, 0};
  const auto is_whole = [&](std::int64_t epoch) {
    return epoch < spec.spec.epochs && std::ranges::all_of(read, [epoch](const auto& of_rank) {
             const auto found = of_rank.find(epoch);
             return found != of_rank.end() && found->second == 1;
           });
  };
  while (is_whole(first + whole.count)) ++whole.count;
  return whole;
}

std::optional<std::string> tooLongForFile(const PipelineSpec& spec) {
  constexpr std::size_t kOtherValues = 1000;
  const sampling::RecordedLists lists = sampling::recordedLists(spec);
  const std::size_t values = lists.ids.size() + lists.batch_sizes.size() + lists.rank_batches.size();
  if (values + kOtherValues <= yaml::kMostNodes) return std::nullopt;
  return filled(
      worded("capture", "These %1 are too many for a spec file; plan, audit, find and diff take the recording."),
      wordedCount(static_cast<std::int64_t>(lists.ids.size()), "id"));
}

}  // namespace shardlens::capture
