// SPDX-License-Identifier: Apache-2.0
#include "core/capture/capture_words.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/capture/seeds_seen.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

namespace shardlens::words {
namespace {

using capture::Agreement;
using capture::CapturedLoader;
using capture::FirstDifference;
using capture::JobLoader;
using capture::LoaderSpec;
using capture::RankLoader;

/// "epochs 0 to 2": those of the spec of which a batch is recorded.
std::string epochsText(const JobLoader& job, const LoaderSpec& spec, const Agreement& agreement) {
  std::set<std::int64_t> epochs;
  for (const capture::PassPrint& pass : agreement.passes) {
    if (pass.recorded > 0) epochs.insert(spec.epochOf(*job.rankLoader(pass.rank), pass.index));
  }
  return listedEpochs({epochs.begin(), epochs.end()});
}

/// Whether these groups hold all ranks so that the rank has the same group as rank / n modulo their number has, for
/// some n: blocks of neighbours, or ranks that stand a fixed number apart.
bool areBlocks(const std::vector<std::vector<std::int64_t>>& groups, std::int64_t world_size) {
  std::map<std::int64_t, std::int64_t> group_of;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (const std::int64_t rank : groups[i]) group_of[rank] = static_cast<std::int64_t>(i);
  }
  const std::int64_t count = std::ssize(groups);
  if (std::ssize(group_of) != world_size || world_size % count != 0) return false;
  for (std::int64_t n = 1; n <= world_size / count; ++n) {
    const auto is_as_said = [n, count](const auto& one) { return one.second == one.first / n % count; };
    if (world_size / count % n == 0 && std::ranges::all_of(group_of, is_as_said)) return true;
  }
  return false;
}

/// The file of a loop and its line, without the folders above.
std::string siteText(const std::string& site) {
  return site.empty() ? worded("capture", "a loop") : std::filesystem::path(site).filename().string();
}

std::string loadersText(const std::vector<JobLoader>& loaders) {
  std::vector<std::string> texts;
  texts.reserve(loaders.size());
  for (const JobLoader& one : loaders) texts.push_back(loaderText(one));
  return inRow(texts);
}

Error whichLoader(std::string message) {
  return Error::inField(ErrorCode::Usage, "--loader", std::move(message),
                        worded("capture", "choose one with --loader NAME"));
}

std::string idsText(const std::vector<SampleIndex>& ids) {
  constexpr std::size_t kMost = 8;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(kMost, ids.size()); ++i) texts.push_back(std::to_string(ids[i]));
  const std::string first = join(texts, ", ");
  return ids.size() > kMost ? filled(worded("capture", "[%1, ... %2 in all]"), first, std::to_string(ids.size()))
                            : "[" + first + "]";
}

/// What a batch of the job stands beside.
enum class Beside { Plan, Rule };

std::string plannedText(const FirstDifference& first, Beside beside) {
  if (!first.planned)
    return beside == Beside::Plan ? worded("capture", "the plan has no such batch")
                                  : worded("capture", "the rule gives no such batch");
  return filled(beside == Beside::Plan ? worded("capture", "the plan has %1") : worded("capture", "the rule gives %1"),
                idsText(*first.planned));
}

/// "rank 1, epoch 0, step 2: the job read [5, 4], the plan has [4, 5]."
std::string differenceText(const FirstDifference& first, Beside beside) {
  const std::string rank = std::to_string(first.rank);
  const std::string step = std::to_string(first.step);
  const std::string place = first.epoch < 0 ? filled(worded("capture", "rank %1, no epoch, step %2"), rank, step)
                                            : filled(worded("capture", "rank %1, epoch %2, step %3"), rank,
                                                     std::to_string(first.epoch), step);
  const std::string read = first.read ? filled(worded("capture", "the job read %1"), idsText(*first.read))
                                      : worded("capture", "the job has no such batch");
  return filled(worded("capture", "%1: %2, %3."), place, read, plannedText(first, beside));
}

/// "torch.DistributedSampler (seed 0)"
std::string ruleText(const PipelineSpec::Sampler& sampler) {
  const auto& parameters = sampler.parameters;
  const auto shuffle = parameters.find("shuffle");
  if (shuffle != parameters.end() && shuffle->second == Value(false)) return sampler.type;
  for (const char* const seed : {"seed", "generator_seed"}) {
    const auto found = parameters.find(seed);
    if (found != parameters.end())
      return filled(worded("capture", "%1 (%2 %3)"), sampler.type, seed, valueText(found->second));
  }
  return sampler.type;
}

/// The ranks of which a batch is recorded, or all where there is none.
std::string readersText(const JobLoader& job, const Agreement& agreement) {
  std::set<std::int64_t> readers;
  for (const capture::PassPrint& pass : agreement.passes) {
    if (pass.recorded > 0) readers.insert(pass.rank);
  }
  return listedRanks(readers.empty() ? ranksOf(job) : std::vector<std::int64_t>(readers.begin(), readers.end()));
}

/// What follows a sentence that says that a rank had so many batches, and others more.
std::string waitsAfter(const JobLoader& job, std::int64_t batches) {
  if (!job.hasCollectives()) return {};
  if (job.cameThrough())
    return worded("capture", " Yet all ranks read their last pass to its end, as they do under DDP's Join.");
  return filled(worded("capture", " A collective in step %1 would wait for ever, or meet one of another pass."),
                std::to_string(batches));
}

/// "all 3 epochs have the order of epoch 0"
std::string sameOrder(std::int64_t passes, std::int64_t epoch, bool is_cut) {
  return filled(is_cut ? worded("capture", "all %1 epochs have the order of epoch %2, as far as they were read")
                       : worded("capture", "all %1 epochs have the order of epoch %2"),
                grouped(passes), std::to_string(epoch));
}

using capture::DatasetDifference;
using capture::DatasetPart;
using capture::LoaderFacts;
using capture::SampleIds;

/// What ranks read, or one rank in its passes.
std::string readText(const DatasetDifference& difference) {
  if (difference.part == DatasetPart::Class) return worded("capture", "datasets of different classes");
  if (difference.part == DatasetPart::Length) return worded("capture", "datasets of different lengths");
  if (difference.part == DatasetPart::Attribute)
    return filled(worded("capture", "datasets that differ in their attribute %1"), difference.attribute);
  if (difference.part == DatasetPart::Indices)
    return worded("capture", "Subsets with different indices, which are not all recorded");
  return worded("capture", "Subsets whose indices are not recorded");
}

std::string ownPositions(const DatasetDifference& difference) {
  const std::string rank = std::to_string(difference.rank);
  return difference.rank == difference.other ? filled(worded("capture",
                                                             "In its passes, rank %1 read %2: ids are positions in "
                                                             "these, so equal ids need not be the same sample."),
                                                      rank, readText(difference))
                                             : filled(worded("capture",
                                                             "Ranks %1 and %2 read %3: ids are positions in these, so "
                                                             "equal ids need not be the same sample."),
                                                      rank, std::to_string(difference.other), readText(difference));
}

}  // namespace

Error packNotRead(const std::string& path, const std::string& name) {
  return badInput(filled(worded("capture", "%1 was written by a probe and is incomplete in this file."), name), path,
                  "");
}

Error noLoaders(const std::string& path, std::size_t files) {
  return files == 0 ? badInput(worded("capture", "no DataLoader was observed in this recording."), path,
                               worded("capture",
                                      "either no DataLoader drew a batch before the recording ended, or the processes "
                                      "had no probe: `shardlens run -- COMMAND` puts it into every Python process, "
                                      "unless python -I or -E, a container or another user keeps it out"))
                    : badInput(worded("capture", "the probe files of this recording contain no DataLoader."), path, "");
}

Error noSuchLoader(const std::string& name, const std::vector<JobLoader>& loaders) {
  return whichLoader(
      filled(worded("capture", "the job has no loader named %1: it has %2."), name, loadersText(loaders)));
}

Error noLoaderOfLength(std::int64_t samples, const std::vector<JobLoader>& loaders) {
  return whichLoader(filled(worded("capture", "no training loader of the job reads a dataset of %1: it has %2."),
                            wordedCount(samples, "sample"), loadersText(loaders)));
}

Error severalLoaders(const std::vector<JobLoader>& loaders) {
  return whichLoader(filled(worded("capture", "the job has several loaders: %1."), loadersText(loaders)));
}

std::string loaderText(const JobLoader& job) {
  const std::string samples = samplesOf(lengthOf(job, job.ranks.front()));
  const std::string site = siteText(job.own_site);
  return job.at_site == 1
             ? filled(worded("capture", "%1 (%2, %3)"), job.name, site, samples)
             : filled(worded("capture", "%1 (%2, its loader %3, %4)"), job.name, site, grouped(job.in_order), samples);
}

std::string damaged(const std::string& file, std::int64_t bytes) {
  return filled(worded("capture", "%1: %2 are damaged; what they held is unknown."), file, wordedCount(bytes, "byte"));
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
  std::string text =
      filled(launched.empty()
                 ? worded("capture",
                          "Another job with the same ranks ran at the same time. In this one %1 of world size %2 read "
                          "this loader.")
                 : worded("capture",
                          "Another job with the same ranks ran at the same time. In this one %1 of world size %2 read "
                          "this loader, started by process %3 of another launcher."),
             listedRanks(ranksOf(job)), grouped(job.world_size),
             inRow(std::vector<std::string>(launched.begin(), launched.end())));
  if (!same) text += worded("capture", " Each job takes its own ranks for the whole world.");
  if (same)
    text +=
        job.starts > 2
            ? worded("capture", " Another one reads the same batches: each of these samples is read more than once.")
            : worded("capture", " The other reads the same batches: each of these samples is read more than once.");
  return text + worded("capture", " Start the ranks once: with one launcher, or with one torchrun a node.");
}

std::string programOfItsOwn(const capture::ProcessFacts& process, std::int64_t programs) {
  return filled(worded("capture",
                       "%1 processes read such a loader without reporting a rank, so each is shown as a separate "
                       "program: this one is process %2 on %3."),
                grouped(programs), std::to_string(process.pid), process.host);
}

std::string nodesUnknown() {
  return worded("capture", "It is not known how the ranks are spread over nodes; the spec has one node.");
}

std::string looksAreNoPasses(const JobLoader& job) {
  std::vector<std::string> looks;
  for (const RankLoader& rank : job.ranks) {
    if (rank.looks > 0)
      looks.push_back(filled(worded("capture", "rank %1: %2"), std::to_string(rank.rank), grouped(rank.looks)));
  }
  return filled(worded("capture",
                       "Some ranks took a single batch out of this loader, without a backward pass, more often than "
                       "others (%1). Those looks are not counted as passes. If the sampler's generator continues from "
                       "pass to pass, a look changes what its rank reads in later passes."),
                inRow(looks));
}

std::string unknownSampler(const std::string& type) {
  return type.empty() ? worded("capture", "The loader shows no sampler.")
                      : filled(worded("capture", "The sampler %1 is not known to ShardLens."), type);
}

std::string iterable(const std::string& dataset) {
  return filled(worded("capture",
                       "The dataset %1 is iterable: it has no sampler, and its loader has no indices. It is not known "
                       "which samples a rank reads."),
                dataset);
}

std::string ranksDiffer(const std::string& what, std::int64_t rank, std::int64_t other) {
  return filled(worded("capture", "Ranks %1 and %2 differ in %3, which one spec cannot express."), std::to_string(rank),
                std::to_string(other), what);
}

std::string notSeen(const std::string& what, std::int64_t rank) {
  return filled(worded("capture", "The probe could not read %1 of rank %2."), what, std::to_string(rank));
}

std::string ranksOfAnother() {
  return worded("capture",
                "The sampler was given a num_replicas or a rank other than the job's own, which its rule does not "
                "model.");
}

std::string notModelled(const std::string& attribute, const std::string& value, const std::string& modelled) {
  return filled(worded("capture", "%1 is %2, but its rule has %3."), attribute, value, modelled);
}

std::string notPlanned(const Error& error) {
  return filled(worded("capture", "The captured values cannot be planned: %1"), error.text());
}

std::string seedsWithoutRule(const std::vector<std::uint64_t>& of_ranks) {
  constexpr std::size_t kMost = 8;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(kMost, of_ranks.size()); ++i) texts.push_back(std::to_string(of_ranks[i]));
  if (of_ranks.size() > kMost) texts.emplace_back("...");
  return filled(worded("capture", "The torch seeds of the ranks follow no rule that a spec has: %1."),
                join(texts, ", "));
}

std::string ranksMissing(const JobLoader& job) {
  return filled(job.ranks.size() == 1 ? worded("capture", "Of %1 ranks, only %2 was seen to read this loader.")
                                      : worded("capture", "Of %1 ranks, only %2 were seen to read this loader."),
                grouped(job.world_size), listedRanks(ranksOf(job)));
}

std::string capturedFrom(const JobLoader& job) {
  const bool is_direct = job.own_site == job.site;
  const std::string text =
      job.at_site == 1
          ? is_direct ? worded("capture", "The loader that %1 reads, on %3, captured by ShardLens from a run.")
                      : worded("capture", "The loader that %1 reads (in %2), on %3, captured by ShardLens from a run.")
      : is_direct
          ? worded("capture", "Loader %4 of %5 that %1 reads, on %3, captured by ShardLens from a run.")
          : worded("capture", "Loader %4 of %5 that %1 reads (in %2), on %3, captured by ShardLens from a run.");
  return filled(text, siteText(job.own_site), siteText(job.site), wordedCount(job.world_size, "rank"),
                grouped(job.in_order), grouped(job.at_site));
}

std::string comparison(const JobLoader& job, const LoaderSpec& spec, const Agreement& agreement) {
  const std::string epochs = epochsText(job, spec, agreement);
  const std::string ranks = readersText(job, agreement);
  const std::string lost = lostText(agreement.not_recorded) + queuedText(job, agreement) + raisedText(job.raised()) +
                           unfinishedText(agreement);
  if (agreement.batches == 0) return nothingRecorded() + lost;
  const std::string rule = ruleText(spec.spec.sampler);
  const std::string batches = grouped(agreement.batches);
  if (agreement.isWhole())
    return (agreement.batches == 1
                ? filled(worded("capture", "The batch of %1 on %2 is as %3 computes it."), epochs, ranks, rule)
                : filled(worded("capture", "All %1 batches of %2 on %3 are as %4 computes them."), batches, epochs,
                         ranks, rule)) +
           lost;
  return filled(worded("capture", "%1 of %2 batches of %3 on %4 are as %5 computes them. First difference: %6"),
                grouped(agreement.as_planned), batches, epochs, ranks, rule,
                differenceText(*agreement.first_difference, Beside::Rule)) +
         lost;
}

std::string agreement(const CapturedLoader& loader) {
  // A spec that holds what was read agrees with it by its making.
  const bool says_nothing = loader.is_recorded && loader.agreement.isWhole();
  if (says_nothing || !loader.spec.problems.empty()) return recorded(loader.job, loader.agreement);
  return comparison(loader.job, loader.spec, loader.agreement);
}

std::string recorded(const JobLoader& job, const Agreement& agreement) {
  const std::string ranks = readersText(job, agreement);
  return (agreement.batches == 1
              ? filled(worded("capture", "1 batch on %1 is recorded."), ranks)
              : filled(worded("capture", "%1 batches on %2 are recorded."), grouped(agreement.batches), ranks)) +
         lostText(agreement.not_recorded) + queuedText(job, agreement) + raisedText(job.raised()) +
         unfinishedText(agreement);
}

std::string epochsToldOtherwise(const CapturedLoader& loader, const RankLoader& rank) {
  constexpr std::size_t kMost = 8;
  std::vector<std::string> told;
  for (std::size_t i = 0; i < std::min(kMost, rank.passes.size()); ++i)
    told.push_back(std::to_string(loader.spec.epochOf(rank, i)));
  if (rank.passes.size() > kMost) told.emplace_back("...");
  return filled(worded("capture",
                       "Every batch is what %1 gives for the epoch that its sampler reports. These epochs do not "
                       "follow one another (rank %2: %3), as those of a spec do on every rank."),
                loader.spec.spec.sampler.type, std::to_string(rank.rank), join(told, ", "));
}

std::string drawnSeeds(const JobLoader& job) {
  const RankLoader& rank = job.ranks.front();
  const auto is_seeded = [](const RankLoader& one) {
    return one.passes.size() > 1 && std::ranges::all_of(one.passes, capture::drewAfterSeed);
  };
  const capture::PassFacts& first = rank.passes.front();
  return filled(std::ranges::all_of(job.ranks, is_seeded)
                    ? worded("capture",
                             "Every batch is what torch.RandomSampler gives for the seed that it drew from torch's "
                             "global generator (rank %1, first pass: %2). That generator was seeded again right before "
                             "each pass (rank %1, first pass: %3), but a spec seeds it once. If the sampler had its "
                             "own generator (generator=...), the order would be known beforehand.")
                    : worded("capture",
                             "Every batch is what torch.RandomSampler gives for the seed that it drew from torch's "
                             "global generator (rank %1, first pass: %2). No key of a spec says what else draws from "
                             "that generator, such as a model's initial weights or its dropout. If the sampler had its "
                             "own generator (generator=...), the order would be known beforehand."),
                std::to_string(rank.rank), std::to_string(first.order_seed.value_or(0)),
                std::to_string(first.torch_seed));
}

std::string asDesigned(std::int64_t batches, const std::set<std::int64_t>& ranks,
                       const std::set<std::int64_t>& epochs) {
  const std::string of = listedEpochs({epochs.begin(), epochs.end()});
  const std::string on = listedRanks({ranks.begin(), ranks.end()});
  return batches == 1
             ? filled(worded("capture", "The batch of %1 on %2 is as designed."), of, on)
             : filled(worded("capture", "All %1 batches of %2 on %3 are as designed."), grouped(batches), of, on);
}

std::string loaderCompared(const std::vector<JobLoader>& loaders, std::size_t index) {
  std::vector<JobLoader> others = loaders;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(index));
  const std::string text =
      filled(loaders[index].name.starts_with("loader") ? worded("capture", "Compared with the design: %1.")
                                                       : worded("capture", "Compared with the design: loader %1."),
             loaderText(loaders[index]));
  return others.empty() ? text : text + filled(worded("capture", " Not compared: %1."), loadersText(others));
}

std::string batchesThere(const FirstDifference& first) {
  return filled(worded("capture", "First difference: %1"), differenceText(first, Beside::Plan));
}

std::string valueOfJob(const std::string& path, const std::string& of_job, const std::string& designed) {
  return filled(worded("capture", "%1 is %2, not %3"), path, of_job, designed);
}

std::string setEpochNeverCalled(std::int64_t passes, bool is_cut, const std::vector<std::int64_t>& ranks) {
  const std::string order = sameOrder(passes, 0, is_cut);
  return (ranks.empty()
              ? filled(worded("capture", "set_epoch was never called: %1."), order)
              : filled(worded("capture", "set_epoch was never called on %1: %2."), listedRanks(ranks), order)) +
         worded("capture", " Call sampler.set_epoch(epoch) before each epoch.");
}

std::string epochsAgain(std::int64_t rank, const std::map<std::int64_t, PassAgain>& again) {
  constexpr std::size_t kMost = 4;
  std::vector<std::string> texts;
  for (const auto& [pass, earlier] : again) {
    if (texts.size() == kMost) break;
    texts.push_back(filled(earlier.is_cut ? worded("capture", "pass %1 has the first batches of pass %2 again")
                                          : worded("capture", "pass %1 has the batches of pass %2 again"),
                           std::to_string(pass), std::to_string(earlier.of)));
  }
  if (again.size() > kMost)
    texts.push_back(
        filled(worded("capture", "so have %1 more"), grouped(static_cast<std::int64_t>(again.size() - kMost))));
  const bool is_told_anew = std::ranges::any_of(again, [](const auto& one) { return one.second.is_told_anew; });
  return filled(is_told_anew ? worded("capture",
                                      "On rank %1, %2. Its sampler reports another epoch in some of these passes, but "
                                      "its order did not change.")
                             : worded("capture",
                                      "On rank %1, %2. The sampler shuffles by the epoch that set_epoch sets: call "
                                      "sampler.set_epoch(epoch) before each epoch, with another number each time."),
                std::to_string(rank), inRow(texts));
}

std::string epochsApart(std::int64_t pass, const std::map<std::int64_t, std::vector<std::int64_t>>& by_epoch) {
  std::vector<std::string> texts;
  for (const auto& [epoch, ranks] : by_epoch)
    texts.push_back(
        filled(ranks.size() == 1 ? worded("capture", "%1 reads epoch %2") : worded("capture", "%1 read epoch %2"),
               listedRanks(ranks), std::to_string(epoch)));
  return filled(worded("capture",
                       "In pass %1 of this loader, %2, as their samplers report. Shares of one epoch divide the "
                       "dataset; shares of different epochs may have samples in common and leave others out. Call "
                       "sampler.set_epoch(epoch) with the same number on every rank."),
                std::to_string(pass), inRow(texts));
}

std::string setEpochSame(std::int64_t epoch, std::int64_t passes, bool is_cut, bool told_each,
                         const std::vector<std::int64_t>& ranks) {
  const std::string number = std::to_string(epoch);
  const std::string order = sameOrder(passes, epoch, is_cut);
  const std::string advice = worded("capture", " Call sampler.set_epoch(epoch) with the number of the epoch.");
  if (ranks.empty())
    return filled(told_each ? worded("capture", "set_epoch was called before each epoch, and always with %1: %2.")
                            : worded("capture", "The sampler's epoch stayed %1: %2."),
                  number, order) +
           advice;
  return filled(told_each ? worded("capture", "set_epoch was called before each epoch on %1, and always with %2: %3.")
                          : worded("capture", "The sampler's epoch stayed %2 on %1: %3."),
                listedRanks(ranks), number, order) +
         advice;
}

std::string groupsAssumed(std::int64_t ranks_of_copy) {
  return filled(
      worded("capture",
             "world.groups is an assumption: groups of %1 ranks gave their samplers one and the same rank, so "
             "each group may divide one copy of the model. By which kind of parallelism is not recorded: "
             "neighbours are written as tensor, others as pipeline."),
      std::to_string(ranks_of_copy));
}

std::string ranksReadTheSame(const JobLoader& job, const std::vector<std::vector<std::int64_t>>& groups,
                             std::int64_t pass) {
  constexpr std::size_t kMost = 4;
  std::string who = filled(worded("capture", "%1 read the same batches"), listedRanks(groups.front()));
  for (std::size_t i = 1; i < std::min(kMost, groups.size()); ++i)
    who = filled(worded("capture", "%1, and so do %2"), who, listedRanks(groups[i]));
  if (groups.size() > kMost) who = filled(worded("capture", "%1, and so do others"), who);
  const auto index = static_cast<std::size_t>(pass);
  const std::uint64_t seed = index < job.ranks.front().passes.size() ? job.ranks.front().passes[index].torch_seed : 0;
  const auto draws_by_seed = [&](const RankLoader& rank) {
    const capture::SamplerFacts* const sampler = capture::samplerOfSamples(rank.loader);
    return sampler != nullptr && sampler->type == "torch.utils.data.sampler.RandomSampler" &&
           sampler->generators.empty() && index < rank.passes.size() && rank.passes[index].torch_seed == seed;
  };
  const bool may_be_meant = job.purpose == capture::Purpose::Validation;
  const bool by_seed = !job.lacksRanks() && !may_be_meant && std::ranges::all_of(job.ranks, draws_by_seed);
  const std::string text =
      by_seed        ? worded("capture",
                              "In pass %1 of this loader, %2: every rank has a RandomSampler and torch seed %3. Divide "
                                     "the dataset with a DistributedSampler.")
      : may_be_meant ? worded("capture", "In pass %1 of this loader, %2; in validation this may be intended.")
                     : worded("capture", "In pass %1 of this loader, %2.");
  const std::string said = filled(text, std::to_string(pass), who, std::to_string(seed)) + " " + sameDatasets(job);
  if (by_seed || may_be_meant || !areBlocks(groups, job.world_size)) return said;
  return said + " " + worded("capture", "This is right if the ranks that read the same divide one copy of the model.");
}

std::string unequalBatches(const JobLoader& job, const std::map<std::int64_t, std::vector<std::int64_t>>& by_count,
                           std::int64_t pass) {
  const auto& fewest = *by_count.begin();
  const auto& most = *by_count.rbegin();
  return filled(worded("capture", "Ranks have unequal numbers of batches in pass %1: %2 %3, %4 %5."),
                std::to_string(pass), listedRanks(fewest.second), grouped(fewest.first), listedRanks(most.second),
                grouped(most.first)) +
         waitsAfter(job, fewest.first);
}

std::string stuckInLoader(const std::vector<std::int64_t>& ranks, std::int64_t pass, std::int64_t step,
                          const std::vector<SampleIndex>& samples, const std::vector<std::int64_t>& ahead) {
  const bool is_one = ranks.size() == 1;
  std::string text;
  if (samples.empty()) {
    text = is_one ? worded("capture",
                           "When it last reported, %1 had waited for more than a second for step %2 of pass %3 of this "
                           "loader.")
                  : worded("capture",
                           "When they last reported, %1 had waited for more than a second for step %2 of pass %3 of "
                           "this loader.");
  } else {
    text = is_one ? worded("capture",
                           "When it last reported, %1 had waited for more than a second for step %2 of pass %3 of this "
                           "loader, samples %5.")
                  : worded("capture",
                           "When they last reported, %1 had waited for more than a second for step %2 of pass %3 of "
                           "this loader, on rank %4 samples %5.");
  }
  return filled(text, listedRanks(ranks), std::to_string(step), std::to_string(pass), std::to_string(ranks.front()),
                idsText(samples)) +
         filled(ahead.size() == 1 ? worded("capture", " %1 had got its.") : worded("capture", " %1 had got theirs."),
                capitalRanks(ahead));
}

std::string endedBefore(const JobLoader& job, const std::map<std::int64_t, std::vector<std::int64_t>>& ended,
                        const std::map<std::int64_t, std::vector<std::int64_t>>& going_on, std::int64_t pass,
                        bool is_left) {
  const auto& first = *ended.begin();
  std::vector<std::int64_t> others;
  for (const auto& [count, ranks] : going_on) others.insert(others.end(), ranks.begin(), ranks.end());
  std::ranges::sort(others);
  const std::string had =
      filled(going_on.size() > 1 ? worded("capture", "%1 had up to %2") : worded("capture", "%1 had %2"),
             listedRanks(others), grouped(going_on.rbegin()->first));
  return filled(
             is_left
                 ? worded("capture", "Ranks have unequal numbers of batches in pass %1: %2 left it after %3, and %4.")
                 : worded("capture", "Ranks have unequal numbers of batches in pass %1: %2 ended after %3, and %4."),
             std::to_string(pass), listedRanks(first.second), wordedCount(first.first, "batch"), had) +
         waitsAfter(job, first.first);
}

Error badInput(std::string message, const std::string& path, std::string hint) {
  return Error::inFile(ErrorCode::BadInput, path, std::move(message), std::move(hint));
}

std::vector<std::int64_t> ranksOf(const JobLoader& job) {
  std::vector<std::int64_t> ranks;
  for (const RankLoader& rank : job.ranks) ranks.push_back(rank.rank);
  return ranks;
}

std::string inRow(std::span<const std::string> parts) {
  return join(parts, worded("capture", ", "));
}

std::string samplesOf(const std::optional<std::int64_t>& length) {
  return length ? wordedCount(*length, "sample") : worded("capture", "a dataset without len()");
}

std::string lostText(std::int64_t count) {
  if (count == 0) return {};
  return count == 1 ? worded("capture", " 1 more batch was drawn and not recorded.")
                    : filled(worded("capture", " %1 more batches were drawn and not recorded."), grouped(count));
}

std::string queuedText(const JobLoader& job, const capture::Agreement& agreement) {
  const std::int64_t queued = agreement.queued;
  if (queued == 0) return {};
  if (job.goes_on)
    return queued == 1
               ? worded("capture", " 1 more batch was waiting for the loop when the ranks last reported.")
               : filled(worded("capture", " %1 more batches were waiting for the loop when the ranks last reported."),
                        grouped(queued));
  if (agreement.is_ended)
    return queued == 1 ? worded("capture", " 1 more batch was queued and never handed to the loop.")
                       : filled(worded("capture", " %1 more batches were queued and never handed to the loop."),
                                grouped(queued));
  return queued == 1 ? worded("capture", " 1 more batch was queued; not every process said whether the loop got it.")
                     : filled(worded("capture",
                                     " %1 more batches were queued; not every process said whether the loop got them."),
                              grouped(queued));
}

std::string raisedText(std::int64_t count) {
  if (count == 0) return {};
  return filled(count == 1 ? worded("capture", " Loading %1 raised an error; it is not among these.")
                           : worded("capture", " Loading %1 raised an error; they are not among these."),
                wordedCount(count, "batch"));
}

std::string unfinishedText(const capture::Agreement& agreement) {
  if (agreement.unfinished.empty()) return {};
  return filled(worded("capture", " %1 may have read more than was recorded."), capitalRanks(agreement.unfinished));
}

std::string namedLoader(const JobLoader& job) {
  return job.name.starts_with("loader") ? job.name : filled(worded("capture", "loader %1"), job.name);
}

std::string datasetsOfRanks(const JobLoader& job) {
  const LoaderFacts& loader = job.ranks.front().loader;
  if (job.datasets.ids == SampleIds::None) return {};
  if (job.datasets.ids == SampleIds::Below)
    return filled(worded("capture",
                         "Not all ranks and passes read the same Subset of %1 with %2: ids are those of that dataset."),
                  loader.subset->type, samplesOf(loader.subset->length));
  if (job.datasets.ids == SampleIds::OwnPositions) return ownPositions(*job.datasets.difference);
  if (!loader.subset) return {};
  return filled(worded("capture", "The dataset is a Subset of %1 with %2: ids are positions in the Subset."),
                loader.subset->type, samplesOf(loader.subset->length));
}

std::string sameDatasets(const JobLoader& job) {
  const LoaderFacts& loader = job.ranks.front().loader;
  const auto& marks = loader.subset ? loader.subset->marks : loader.dataset_marks;
  return marks.empty() ? worded("capture",
                                "Equal ids are assumed to be the same sample: the ranks' datasets have the same class "
                                "and length. What they contain was not seen.")
                       : filled(worded("capture",
                                       "Equal ids are assumed to be the same sample: the ranks' datasets agree in "
                                       "class, length and what was seen of %1."),
                                wordedCount(std::ssize(marks), "attribute"));
}

}  // namespace shardlens::words
