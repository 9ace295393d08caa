// SPDX-License-Identifier: Apache-2.0
#include "core/capture/capture_words.h"

#include "core/base/text.h"
#include "core/capture/word_parts.h"

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

/// "epochs 0 to 2": those of the spec that were read.
std::string epochsText(const JobLoader& job, const LoaderSpec& spec) {
  std::set<std::int64_t> epochs;
  for (const RankLoader& rank : job.ranks) {
    for (std::size_t i = 0; i < rank.passes.size(); ++i) epochs.insert(spec.epochOf(rank, i));
  }
  return (epochs.size() == 1 ? "epoch " : "epochs ") + listed({epochs.begin(), epochs.end()});
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

/// `gives` is "the plan has".
std::string differenceText(const FirstDifference& first, const std::string& gives) {
  const std::string epoch = first.epoch < 0 ? "no epoch" : "epoch " + std::to_string(first.epoch);
  const std::string place =
      "rank " + std::to_string(first.rank) + ", " + epoch + ", step " + std::to_string(first.step);
  const std::string read = first.read ? "the job read " + idsText(*first.read) : "the job has no such batch";
  const std::string planned = gives + (first.planned ? " " + idsText(*first.planned) : " no such batch");
  return place + ": " + read + ", " + planned + ".";
}

/// "torch.DistributedSampler (seed 0)"
std::string ruleText(const PipelineSpec::Sampler& sampler) {
  const auto& parameters = sampler.parameters;
  const auto shuffle = parameters.find("shuffle");
  if (shuffle != parameters.end() && shuffle->second == Value(false)) return sampler.type;
  for (const char* const seed : {"seed", "generator_seed"}) {
    const auto found = parameters.find(seed);
    if (found != parameters.end()) return sampler.type + " (" + seed + " " + valueText(found->second) + ")";
  }
  return sampler.type;
}

/// The ranks of which a batch is recorded, or all where there is none.
std::string readersText(const JobLoader& job, const Agreement& agreement) {
  std::set<std::int64_t> readers;
  for (const capture::PassPrint& pass : agreement.passes) {
    if (pass.recorded > 0) readers.insert(pass.rank);
  }
  return ranksText(readers.empty() ? ranksOf(job) : std::vector<std::int64_t>(readers.begin(), readers.end()));
}

/// " on ranks 1 and 2"; empty for none.
std::string onRanks(const std::vector<std::int64_t>& ranks) {
  return ranks.empty() ? "" : " on " + ranksText(ranks);
}

/// What follows where a rank had so many batches, and others more.
std::string waitsAfter(const JobLoader& job, std::int64_t batches) {
  if (!job.hasCollectives()) return ".";
  if (job.cameThrough()) return ". Yet all ranks read their last pass to its end, as they do under DDP's Join.";
  return ". A collective in step " + std::to_string(batches) + " would wait for ever, or meet one of another pass.";
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
  const auto& length = lengthOf(job, job.ranks.front());
  const std::string which = job.at_site == 1 ? "" : ", its loader " + grouped(job.in_order);
  return job.name + " (" + siteText(job.own_site) + which + ", " +
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

std::string startOfSeveral(const JobLoader& job) {
  return "The ranks of this loader were started " + grouped(job.starts) + " times, " +
         (job.at_once ? "at the same time" : "one start after another") + ": this is start " + grouped(job.start + 1) +
         ", with " + ranksText(ranksOf(job)) + ". The others are loaders of their own.";
}

std::string jobsAtOnce(const JobLoader& job, bool same, const std::vector<capture::ProcessFacts>& processes) {
  std::set<std::string> launched;
  for (const RankLoader& rank : job.ranks) {
    for (const char* const name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"}) {
      const auto& environment = processes[rank.process].environment;
      const auto found = environment.find(name);
      if (found != environment.end() && found->second != std::to_string(rank.rank)) launched.insert(found->second);
    }
  }
  std::string text = grouped(job.starts) + " jobs with the same ranks ran at the same time. In this one " +
                     ranksText(ranksOf(job)) + " of world size " + grouped(job.world_size) + " read this loader";
  if (!launched.empty())
    text += ", started by process " + join(std::vector<std::string>(launched.begin(), launched.end()), ", ") +
            " of another launcher";
  text += same ? ". The other reads the same batches: each of these samples is read more than once."
               : ". Each takes its own ranks for the whole world.";
  return text + " Start the ranks once: with one launcher, or with one torchrun a node.";
}

std::string programOfItsOwn(const capture::ProcessFacts& process, std::int64_t programs) {
  return grouped(programs) +
         " processes read such a loader and say no rank, so each is shown as a program of its own: " +
         "this one is process " + std::to_string(process.pid) + " on " + process.host + ".";
}

std::string nodesUnknown() {
  return "How the ranks are spread over nodes is not known; one node is written.";
}

std::string looksAreNoPasses(const JobLoader& job) {
  std::vector<std::string> looks;
  for (const RankLoader& rank : job.ranks) {
    if (rank.looks > 0) looks.push_back("rank " + std::to_string(rank.rank) + ": " + grouped(rank.looks));
  }
  return "Some ranks took a single batch out of this loader, without a backward pass, more often than others (" +
         join(looks, ", ") +
         "). Those looks are not counted as passes. Where the sampler draws from a generator that goes on, a look "
         "changes what its rank reads in later passes.";
}

std::string looksOfAll(std::int64_t looks) {
  return (looks == 1 ? "Each rank took a single batch out of this loader"
                     : "Each rank took a single batch out of this loader " + grouped(looks) + " times") +
         ", without a backward pass, and read it in a later pass. " +
         (looks == 1 ? "That look is not counted as a pass." : "Those looks are not counted as passes.");
}

std::string unknownSampler(const std::string& type) {
  return type.empty() ? "The loader shows no sampler." : "The sampler " + type + " is not known to ShardLens.";
}

std::string iterable(const std::string& dataset) {
  return "The dataset " + dataset +
         " is iterable: it has no sampler, and its loader no indices. Which samples a rank reads is not known.";
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

std::string ranksOfAnother() {
  return "The sampler was given a num_replicas or a rank other than the job's own, which its rule does not model.";
}

std::string notModelled(const std::string& attribute, const std::string& value, const std::string& modelled) {
  return attribute + " is " + value + ", where its rule has " + modelled + ".";
}

std::string dispatched() {
  return "Rank 0 reads this loader for all ranks and sends each its part (accelerate.DataLoaderDispatcher). What each "
         "rank was sent is not recorded.";
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
  return "seeds.base is torch.initial_seed() when the loop began; whether the script chose it was not seen.";
}

std::string seedsWithoutRule(const std::vector<std::uint64_t>& of_ranks) {
  constexpr std::size_t kMost = 8;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(kMost, of_ranks.size()); ++i) texts.push_back(std::to_string(of_ranks[i]));
  if (of_ranks.size() > kMost) texts.emplace_back("...");
  return "The torch seeds of the ranks follow no rule that a spec has: " + join(texts, ", ") + ".";
}

std::string workerInitUnknown(const std::string& function) {
  return (function.empty() ? "Not every rank has the same worker_init_fn"
                           : "The worker_init_fn " + function + " may seed the workers") +
         ": loader.worker_seeds is unknown.";
}

std::string otherBaseSeed(std::int64_t rank) {
  return "The loader of rank " + std::to_string(rank) +
         " drew another base_seed for its workers than the spec gives, since something else drew from its generator "
         "before: loader.worker_seeds is unknown.";
}

std::string generatorUsed() {
  return "Something had drawn from the sampler's generator before the first pass.";
}

std::string ranksMissing(const JobLoader& job) {
  return "Of " + grouped(job.world_size) + " ranks, only " + ranksText(ranksOf(job)) + " read this loader.";
}

std::string capturedFrom(const JobLoader& job) {
  const std::string through = job.own_site == job.site ? "" : " (in " + siteText(job.site) + ")";
  const std::string which =
      job.at_site == 1 ? "The loader" : "Loader " + grouped(job.in_order) + " of " + grouped(job.at_site);
  return which + " that " + siteText(job.own_site) + " reads" + through + ", on " + counted(job.world_size, "rank") +
         ", captured by ShardLens from a run.";
}

std::string comparison(const JobLoader& job, const LoaderSpec& spec, const Agreement& agreement) {
  const std::string where = " of " + epochsText(job, spec) + " on " + readersText(job, agreement);
  const std::string lost = lostText(agreement.not_recorded) + queuedText(agreement) + unfinishedText(agreement);
  if (agreement.batches == 0) return "No batch was recorded." + lost;
  const std::string rule = ruleText(spec.spec.sampler);
  if (agreement.isWhole()) {
    const bool is_one = agreement.batches == 1;
    return (is_one ? "The batch" : "All " + grouped(agreement.batches) + " batches") + where +
           (is_one ? " is as " : " are as ") + rule + (is_one ? " computes it." : " computes them.") + lost;
  }
  return grouped(agreement.as_planned) + " of " + grouped(agreement.batches) + " batches" + where + " are as " + rule +
         " computes them. First difference: " + differenceText(*agreement.first_difference, "the rule gives") + lost;
}

std::string agreement(const CapturedLoader& loader) {
  // A spec that holds what was read agrees with it by its making.
  const bool says_nothing = loader.is_recorded && loader.agreement.isWhole();
  if (says_nothing || !loader.spec.problems.empty()) return recorded(loader.job, loader.agreement);
  return comparison(loader.job, loader.spec, loader.agreement);
}

std::string recorded(const JobLoader& job, const Agreement& agreement) {
  return grouped(agreement.batches) + (agreement.batches == 1 ? " batch" : " batches") + " on " +
         readersText(job, agreement) + (agreement.batches == 1 ? " is" : " are") + " recorded." +
         lostText(agreement.not_recorded) + queuedText(agreement) + unfinishedText(agreement);
}

std::string epochsToldOtherwise(const CapturedLoader& loader, const RankLoader& rank) {
  constexpr std::size_t kMost = 8;
  std::vector<std::string> told;
  for (std::size_t i = 0; i < std::min(kMost, rank.passes.size()); ++i)
    told.push_back(std::to_string(loader.spec.epochOf(rank, i)));
  if (rank.passes.size() > kMost) told.emplace_back("...");
  return "Every batch is what " + loader.spec.spec.sampler.type +
         " gives for the epoch that its sampler says. These are not one epoch after the other (rank " +
         std::to_string(rank.rank) + ": " + join(told, ", ") + "), as a spec has them on every rank.";
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
  const std::string text =
      "Compared with the design: " + std::string(loaders[index].name.starts_with("loader") ? "" : "loader ") +
      loaderText(loaders[index]) + ".";
  return others.empty() ? text : text + " Not compared: " + loadersText(others) + ".";
}

std::string batchesThere(const FirstDifference& first) {
  return "First difference: " + differenceText(first, "the plan has");
}

std::string valueOfJob(const std::string& path, const std::string& of_job, const std::string& designed) {
  return path + " is " + of_job + ", not " + designed;
}

std::string setEpochNeverCalled(std::int64_t passes, bool is_cut, const std::vector<std::int64_t>& ranks) {
  return "set_epoch was never called" + onRanks(ranks) + ": all " + grouped(passes) +
         " epochs have the order of epoch 0" + (is_cut ? ", as far as they were read" : "") +
         ". Call sampler.set_epoch(epoch) before each epoch.";
}

std::string epochsAgain(std::int64_t rank, const std::map<std::int64_t, PassAgain>& again) {
  constexpr std::size_t kMost = 4;
  std::vector<std::string> texts;
  for (const auto& [pass, earlier] : again) {
    if (texts.size() == kMost) break;
    texts.push_back("pass " + std::to_string(pass) + " has the " + (earlier.is_cut ? "first " : "") +
                    "batches of pass " + std::to_string(earlier.of) + " again");
  }
  if (again.size() > kMost)
    texts.push_back("so have " + grouped(static_cast<std::int64_t>(again.size() - kMost)) + " more");
  return "On rank " + std::to_string(rank) + ", " + join(texts, ", ") +
         ". The sampler shuffles by the epoch that set_epoch says: call sampler.set_epoch(epoch) before each epoch, "
         "with "
         "another number each time.";
}

std::string epochsApart(std::int64_t pass, const std::map<std::int64_t, std::vector<std::int64_t>>& by_epoch) {
  std::vector<std::string> texts;
  for (const auto& [epoch, ranks] : by_epoch)
    texts.push_back(ranksText(ranks) + (ranks.size() == 1 ? " reads" : " read") + " epoch " + std::to_string(epoch));
  return "In pass " + std::to_string(pass) + " of this loader, " + join(texts, ", ") +
         ", as their samplers say. The shares of one epoch are disjoint; those of different epochs share samples and "
         "leave others out. Call sampler.set_epoch(epoch) with the same number on every rank.";
}

std::string setEpochSame(std::int64_t epoch, std::int64_t passes, bool is_cut, bool told_each,
                         const std::vector<std::int64_t>& ranks) {
  const std::string number = std::to_string(epoch);
  return (told_each ? "set_epoch was called before each epoch" + onRanks(ranks) + ", and always with " + number
                    : "The sampler's epoch stayed " + number + onRanks(ranks)) +
         ": all " + grouped(passes) + " epochs have the order of epoch " + number +
         (is_cut ? ", as far as they were read" : "") + ". Call sampler.set_epoch(epoch) with the number of the epoch.";
}

std::string ranksReadTheSame(const JobLoader& job, const std::vector<std::vector<std::int64_t>>& groups,
                             std::int64_t pass) {
  constexpr std::size_t kMost = 4;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(kMost, groups.size()); ++i) texts.push_back(ranksText(groups[i]));
  if (groups.size() > kMost) texts.push_back("others");
  std::string text = "In pass " + std::to_string(pass) + " of this loader, " + texts.front() + " read the same batches";
  const std::string condition = " " + sameDatasets(job);
  for (std::size_t i = 1; i < texts.size(); ++i) text += ", and so do " + texts[i];
  const auto& loader = job.ranks.front().loader;
  const bool is_random = loader.sampler && loader.sampler->type == "torch.utils.data.sampler.RandomSampler";
  const std::uint64_t seed = job.ranks.front().passes.front().torch_seed;
  const bool is_seed = std::all_of(job.ranks.begin(), job.ranks.end(),
                                   [&](const RankLoader& rank) { return rank.passes.front().torch_seed == seed; });
  const bool may_be_meant = job.purpose == capture::Purpose::Validation;
  if (is_random && is_seed && job.ranks.size() > 1 && !may_be_meant)
    return text + ": every rank has a RandomSampler and torch seed " + std::to_string(seed) +
           ". Divide the dataset with a DistributedSampler." + condition;
  return text + (may_be_meant ? "; in validation that may be meant." : ".") + condition;
}

std::string unequalBatches(const JobLoader& job, const std::map<std::int64_t, std::vector<std::int64_t>>& by_count,
                           std::int64_t pass) {
  const auto& fewest = *by_count.begin();
  const auto& most = *by_count.rbegin();
  return "Ranks have unequal numbers of batches in pass " + std::to_string(pass) + ": " + ranksText(fewest.second) +
         " " + grouped(fewest.first) + ", " + ranksText(most.second) + " " + grouped(most.first) +
         waitsAfter(job, fewest.first);
}

std::string stuckInLoader(const std::vector<std::int64_t>& ranks, std::int64_t pass, std::int64_t step,
                          const std::vector<SampleIndex>& samples, const std::vector<std::int64_t>& ahead) {
  const std::string text = "When last heard of, " + ranksText(ranks) + " had waited for more than a second for step " +
                           std::to_string(step) + " of pass " + std::to_string(pass) + " of this loader";
  const std::string which =
      samples.empty() ? ""
                      : (ranks.size() > 1 ? ", on rank " + std::to_string(ranks.front()) + " samples " : ", samples ") +
                            idsText(samples);
  return text + which + ". " + capitalized(ranksText(ahead)) + " had got " + (ahead.size() == 1 ? "its" : "theirs") +
         ".";
}

std::string endedBefore(const JobLoader& job, const std::map<std::int64_t, std::vector<std::int64_t>>& ended,
                        const std::map<std::int64_t, std::vector<std::int64_t>>& going_on, std::int64_t pass,
                        const std::string& how) {
  const auto& first = *ended.begin();
  std::vector<std::int64_t> others;
  for (const auto& [count, ranks] : going_on) others.insert(others.end(), ranks.begin(), ranks.end());
  std::sort(others.begin(), others.end());
  return "Ranks have unequal numbers of batches in pass " + std::to_string(pass) + ": " + ranksText(first.second) +
         " " + how + " after " + counted(first.first, "batch") + ", and " + ranksText(others) + " had " +
         (going_on.size() > 1 ? "up to " : "") + grouped(going_on.rbegin()->first) + waitsAfter(job, first.first);
}

}  // namespace shardlens::words
