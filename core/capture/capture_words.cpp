// SPDX-License-Identifier: Apache-2.0
#include "core/capture/capture_words.h"

#include "core/base/text.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>

namespace shardlens::words {
namespace {

using capture::Agreement;
using capture::CapturedLoader;
using capture::FirstDifference;
using capture::JobLoader;
using capture::LoaderSpec;
using capture::RankLoader;

Error badInput(std::string message, const std::string& path, std::string hint) {
  return Error{ErrorCode::BadInput, std::move(message), Place{path, 0, 0, {}}, std::move(hint)};
}

std::string ranksText(const std::vector<std::int64_t>& ranks) {
  return (ranks.size() == 1 ? "rank " : "ranks ") + listed(ranks);
}

std::vector<std::int64_t> ranksOf(const JobLoader& job) {
  std::vector<std::int64_t> ranks;
  for (const RankLoader& rank : job.ranks) ranks.push_back(rank.rank);
  return ranks;
}

/// "epochs 0 to 2": those of the spec that were read.
std::string epochsText(const JobLoader& job, const LoaderSpec& spec) {
  std::set<std::int64_t> epochs;
  for (const RankLoader& rank : job.ranks) {
    for (std::size_t i = 0; i < rank.passes.size(); ++i) epochs.insert(spec.epochOf(i, rank.passes[i]));
  }
  return (epochs.size() == 1 ? "epoch " : "epochs ") + listed({epochs.begin(), epochs.end()});
}

/// What follows a sentence when batches were drawn that are not in the files.
std::string lostText(std::int64_t count) {
  if (count == 0) return {};
  return " " + grouped(count) + (count == 1 ? " more batch was" : " more batches were") + " drawn and not recorded.";
}

/// The file of a loop and its line, without the folders above.
std::string siteText(const std::string& site) {
  return site.empty() ? "a loop" : std::filesystem::path(site).filename().string();
}

std::string loadersText(const std::vector<JobLoader>& loaders) {
  std::vector<std::string> texts;
  texts.reserve(loaders.size());
  for (const JobLoader& one : loaders) texts.push_back(loaderText(one));
  return join(texts, ", ");
}

Error whichLoader(std::string message) {
  return Error{ErrorCode::Usage, std::move(message), Place{{}, 0, 0, "--loader"}, "choose one with --loader NAME"};
}

std::string idsText(const std::vector<SampleIndex>& ids) {
  constexpr std::size_t kMost = 8;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(kMost, ids.size()); ++i) texts.push_back(std::to_string(ids[i]));
  return "[" + join(texts, ", ") + (ids.size() > kMost ? ", ... " + std::to_string(ids.size()) + " in all" : "") + "]";
}

std::string differenceText(const FirstDifference& first) {
  const std::string epoch = first.epoch < 0 ? "no epoch" : "epoch " + std::to_string(first.epoch);
  const std::string place =
      "rank " + std::to_string(first.rank) + ", " + epoch + ", step " + std::to_string(first.step);
  const std::string read = first.read ? "the job read " + idsText(*first.read) : "the job has no such batch";
  const std::string planned = first.planned ? "the plan has " + idsText(*first.planned) : "the plan has no such batch";
  return place + ": " + read + ", " + planned + ".";
}

std::string whyNoPlan(const CapturedLoader& loader) {
  if (!loader.spec.problems.empty()) return loader.spec.problems.front();
  if (loader.has_drawn_seeds)
    return "Its RandomSampler drew a seed from torch's global generator for each pass, which no spec foretells.";
  return agreement(loader.job, loader.spec, loader.agreement);
}

/// Whether the reason why there is no plan says as well how many batches are not recorded.
bool saysLost(const CapturedLoader& loader) {
  return loader.spec.problems.empty() && !loader.has_drawn_seeds;
}

}  // namespace

Error notAProbeFile(const std::string& path, const std::string& name) {
  return badInput(name + " is not what a probe writes, or it is of another version.", path, "");
}

Error packNotRead(const std::string& path, const std::string& name) {
  return badInput(name + ", which a probe wrote, is not whole in this file.", path, "");
}

Error noLoaders(const std::string& path, std::size_t files) {
  return files == 0
             ? badInput(
                   "no DataLoader was observed in this recording.", path,
                   "record with: shardlens run -- COMMAND; python -I and -E, containers and other users' processes "
                   "keep the probe out")
             : badInput("the processes of this recording read no DataLoader.", path, "");
}

Error noSuchLoader(const std::string& name, const std::vector<JobLoader>& loaders) {
  return whichLoader("the job has no loader named " + name + ": it has " + loadersText(loaders) + ".");
}

Error noLoaderOfLength(std::int64_t samples, const std::vector<JobLoader>& loaders) {
  return whichLoader("no loader of the job's training reads a dataset of " + counted(samples, "sample") + ": it has " +
                     loadersText(loaders) + ".");
}

Error severalLoaders(const std::vector<JobLoader>& loaders) {
  return whichLoader("the job has several loaders: " + loadersText(loaders) + ".");
}

std::string loaderText(const JobLoader& job) {
  const auto& length = job.ranks.front().loader.dataset_length;
  return job.name + " (" + siteText(job.site) + ", " +
         (length ? counted(*length, "sample") : "a dataset without len()") + ")";
}

std::string damaged(const std::string& file, std::int64_t bytes) {
  return file + ": " + counted(bytes, "byte") + " are damaged; what they held is unknown.";
}

std::string probeFailed(const capture::ProcessFacts& process) {
  return process.file + ": the probe failed " +
         (process.troubles == 1 ? "once" : grouped(process.troubles) + " times") + ", first in " +
         process.first_trouble + ". The job went on.";
}

std::string limitReached(const std::string& file) {
  return file + ": the indices of later batches are not recorded; SHARDLENS_PROBE_BYTES raises the limit.";
}

std::string rankStartedAgain(std::int64_t rank) {
  return "Rank " + std::to_string(rank) + " was started more than once; the last one is shown.";
}

std::string nodesUnknown() {
  return "How the ranks are spread over nodes is not known; one node is written.";
}

std::string unknownSampler(const std::string& type) {
  return type.empty() ? "The loader shows no sampler."
                      : "The sampler " + type + " is not known to ShardLens, so its order is not guessed.";
}

std::string iterable(const std::string& dataset) {
  return "The dataset " + dataset + " is iterable: it has no sampler, and its loader no indices.";
}

std::string noLength(const std::string& dataset) {
  return "The dataset " + dataset + " has no len().";
}

std::string ranksDiffer(const std::string& what, std::int64_t rank, std::int64_t other) {
  return "Ranks " + std::to_string(rank) + " and " + std::to_string(other) + " differ in " + what +
         ", which one spec cannot say.";
}

std::string notSeen(const std::string& what, std::int64_t rank) {
  return "The probe could not read " + what + " of rank " + std::to_string(rank) + ".";
}

std::string ranksPassOther() {
  return "What the ranks pass as the sampler's rank is neither rank, local_rank, node nor one number.";
}

std::string seedTooLarge() {
  return "The generator's seed is above 2^63 - 1, which a spec cannot hold.";
}

std::string notPlanned(const Error& error) {
  return "The captured values cannot be planned: " + error.text();
}

std::string anotherRelease(const std::string& version, const std::string& taken) {
  return "The job ran torch " + version + "; framework.torch " + taken + " is the nearest behaviour that specs name.";
}

std::string otherSeeds() {
  return "seeds.base is torch.initial_seed() when the loop began; whether the script chose it, and the seeds of NumPy "
         "and "
         "random, cannot be seen.";
}

std::string seedsWithoutRule() {
  return "The torch seeds of the ranks follow no rule that a spec has.";
}

std::string generatorUsed() {
  return "Something had drawn from the sampler's generator before the first pass.";
}

std::string ranksMissing(const JobLoader& job) {
  return "Of " + grouped(job.world_size) + " ranks, only " + ranksText(ranksOf(job)) + " read this loader.";
}

std::string capturedFrom(const JobLoader& job) {
  return "The loader that " + siteText(job.site) + " reads, on " + counted(job.world_size, "rank") +
         ", captured by ShardLens from a run.";
}

std::string agreement(const JobLoader& job, const LoaderSpec& spec, const Agreement& agreement) {
  const std::string where = " of " + epochsText(job, spec) + " on " + ranksText(ranksOf(job));
  const std::string lost = lostText(agreement.not_recorded);
  if (agreement.batches == 0) return "No batch was recorded." + lost;
  if (agreement.isWhole()) {
    const bool is_one = agreement.batches == 1;
    return (is_one ? "The batch" : "All " + grouped(agreement.batches) + " batches") + where +
           (is_one ? " is" : " are") + " as planned." + lost;
  }
  return grouped(agreement.as_planned) + " of " + grouped(agreement.batches) + " batches" + where +
         " are as planned. First difference: " + differenceText(*agreement.first_difference) + lost;
}

std::string recorded(const JobLoader& job, const Agreement& agreement) {
  return grouped(agreement.batches) + (agreement.batches == 1 ? " batch" : " batches") + " on " +
         ranksText(ranksOf(job)) + (agreement.batches == 1 ? " is" : " are") + " recorded.";
}

std::string drawnSeeds(const JobLoader& job) {
  const RankLoader& rank = job.ranks.front();
  return "Every batch is what torch.RandomSampler gives for the seed that it drew from torch's global generator "
         "(rank " +
         std::to_string(rank.rank) + ", first pass: " + std::to_string(rank.passes.front().order_seed.value_or(0)) +
         "). Something else had drawn from that generator since it was seeded, such as a model's first weights, and no "
         "key "
         "of a spec says how much. With a generator of its own (generator=...) the order would be known beforehand.";
}

std::string asDesigned(std::int64_t batches, const std::set<std::int64_t>& ranks,
                       const std::set<std::int64_t>& epochs) {
  const bool is_one = batches == 1;
  return (is_one ? "The batch" : "All " + grouped(batches) + " batches") +
         (epochs.size() == 1 ? " of epoch " : " of epochs ") + listed({epochs.begin(), epochs.end()}) + " on " +
         ranksText({ranks.begin(), ranks.end()}) + (is_one ? " is" : " are") + " as designed.";
}

std::string loaderCompared(const std::vector<JobLoader>& loaders, std::size_t index) {
  std::vector<JobLoader> others = loaders;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(index));
  const std::string text = "Compared with the design: loader " + loaderText(loaders[index]) + ".";
  return others.empty() ? text : text + " Not compared: " + loadersText(others) + ".";
}

std::string batchesThere(const FirstDifference& first) {
  return "First difference: " + differenceText(first);
}

std::string valueOfJob(const std::string& path, const std::string& of_job, const std::string& designed) {
  return path + " is " + of_job + ", not " + designed;
}

std::string planOfRecording(const std::string& path, const CapturedLoader& loader,
                            std::optional<std::int64_t> not_read) {
  const Agreement& found = loader.agreement;
  const bool is_one = found.batches == 1;
  std::string text = path + ": the spec captured from its loader " + loader.job.name + ", which plans " +
                     (is_one ? "the recorded batch." : "all " + grouped(found.batches) + " recorded batches.") +
                     lostText(found.not_recorded);
  if (!not_read) text += " Not all batches that it plans were read.";
  if (not_read.value_or(0) > 0)
    text += " " + grouped(*not_read) +
            (*not_read == 1 ? " more batch that it plans was" : " more batches that it plans were") + " not read.";
  if (static_cast<std::int64_t>(loader.job.ranks.size()) < loader.job.world_size)
    text += " " + ranksMissing(loader.job) + " The others are shown as the spec plans them.";
  return text;
}

std::string batchesOfRecording(const std::string& path, const CapturedLoader& loader) {
  return path + ": what its loader " + loader.job.name + " drew, as it was recorded; epochs are passes. " +
         whyNoPlan(loader) + (saysLost(loader) ? std::string() : lostText(loader.agreement.not_recorded));
}

Error noPlanOfRecording(const std::string& path, const CapturedLoader& loader) {
  return badInput("no spec plans what its loader " + loader.job.name + " drew. " + whyNoPlan(loader), path,
                  "shardlens plan RUN and find RUN ID show what was recorded, shardlens capture RUN says more");
}

Error itemsAreNoIds(std::int64_t rank) {
  return Error{ErrorCode::BadInput,
               "the sampler of rank " + std::to_string(rank) + " yields no whole numbers, so there are no ids.",
               {},
               ""};
}

Error batchesLacking(std::int64_t rank, std::int64_t pass, std::int64_t step) {
  return Error{ErrorCode::BadInput,
               "not all batches before step " + std::to_string(step) + " of rank " + std::to_string(rank) +
                   " in pass " + std::to_string(pass) + " are recorded, so what it drew cannot be shown.",
               {},
               "shardlens capture RUN says what is damaged"};
}

std::string specOfRecording(const std::string& path) {
  return path + ": the spec that it ran. Whether the run obeyed it says shardlens verify.";
}

std::string setEpochNeverCalled(const JobLoader& job) {
  std::size_t passes = 0;
  for (const RankLoader& rank : job.ranks) passes = std::max(passes, rank.passes.size());
  return "set_epoch was never called: all " + std::to_string(passes) +
         " epochs have the order of epoch 0. Call sampler.set_epoch(epoch) before each epoch.";
}

std::string ranksReadTheSame(const JobLoader& job, const std::vector<std::vector<std::int64_t>>& groups,
                             std::int64_t pass) {
  constexpr std::size_t kMost = 4;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(kMost, groups.size()); ++i) texts.push_back(ranksText(groups[i]));
  if (groups.size() > kMost) texts.push_back("others");
  std::string text = "In pass " + std::to_string(pass) + " of this loader, " + texts.front() + " read the same batches";
  for (std::size_t i = 1; i < texts.size(); ++i) text += ", and so do " + texts[i];
  const auto& loader = job.ranks.front().loader;
  const bool is_random = loader.sampler && loader.sampler->type == "torch.utils.data.sampler.RandomSampler";
  const std::uint64_t seed = job.ranks.front().passes.front().torch_seed;
  const bool is_seed = std::all_of(job.ranks.begin(), job.ranks.end(),
                                   [&](const RankLoader& rank) { return rank.passes.front().torch_seed == seed; });
  if (is_random && is_seed && job.ranks.size() > 1)
    return text + ": every rank has a RandomSampler and torch seed " + std::to_string(seed) +
           ". Divide the dataset with a DistributedSampler.";
  return text + (job.purpose == capture::Purpose::Validation ? "; in validation that may be meant." : ".");
}

std::string unequalBatches(const std::map<std::int64_t, std::vector<std::int64_t>>& by_count, std::int64_t pass) {
  const auto& fewest = *by_count.begin();
  const auto& most = *by_count.rbegin();
  return "Ranks have unequal numbers of batches in pass " + std::to_string(pass) + ": " + ranksText(fewest.second) +
         " " + grouped(fewest.first) + ", " + ranksText(most.second) + " " + grouped(most.first) +
         ". A collective in each step would wait for ever after step " + std::to_string(fewest.first - 1) + ".";
}

}  // namespace shardlens::words
