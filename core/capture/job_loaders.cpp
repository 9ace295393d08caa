// SPDX-License-Identifier: Apache-2.0
#include "core/capture/job_loaders.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/capture/capture_words.h"
#include "core/capture/loader_spec.h"
#include "core/capture/same_loaders.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace shardlens::capture {
namespace {

/// The first of these variables that is a number.
std::optional<std::int64_t> fromEnvironment(const ProcessFacts& process, std::initializer_list<const char*> names) {
  for (const char* const name : names) {
    const auto found = process.environment.find(name);
    if (found == process.environment.end()) continue;
    const std::string& text = found->second;
    std::int64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec == std::errc() && read.ptr == text.data() + text.size() && number >= 0) return number;
  }
  return std::nullopt;
}

/// What torch.distributed said in any of the passes, else what the launcher's variables say, if they do.
std::optional<RankPlace> placeOf(const ProcessFacts& process) {
  for (const PassFacts& pass : process.passes) {
    if (pass.distributed) return pass.distributed;
  }
  const auto rank = fromEnvironment(process, {"RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"});
  const auto size = fromEnvironment(process, {"WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"});
  return rank && size && *rank < *size ? std::optional(RankPlace{*rank, *size}) : std::nullopt;
}

/// What the rank of the `index`-th process read, loader by loader, those that are the same as one.
std::vector<RankLoader> loadersOn(const ProcessFacts& process, std::size_t index) {
  const std::optional<RankPlace> said = placeOf(process);
  std::vector<RankLoader> found;
  std::map<std::size_t, std::size_t> place;
  const auto numbers = loadersOfPasses(process);
  for (std::size_t i = 0; i < process.passes.size(); ++i) {
    if (!numbers[i]) continue;
    const PassFacts& pass = process.passes[i];
    const auto at = place.try_emplace(*numbers[i], found.size());
    if (at.second) {
      const auto loader = std::ranges::find(process.loaders, pass.loader, &LoaderFacts::number);
      RankLoader& added = found.emplace_back();
      added.loader = *loader;
      added.has_end = process.has_end;
      added.has_limit = process.has_limit;
      added.rank = said.value_or(RankPlace{}).rank;
      added.world_size = said.value_or(RankPlace{}).world_size;
      added.is_placed = said.has_value();
      added.process = index;
    }
    found[at.first->second].passes.push_back(pass);
  }
  return found;
}

/// The same for all ranks of a loader: which program, which loop, which kinds, and the how many-th of those.
using Key = std::pair<std::string, std::size_t>;

void addRank(JobLoader& job, RankLoader rank) {
  job.world_size = std::max(job.world_size, rank.world_size);
  job.ranks.push_back(std::move(rank));
}

/// A loader for each start of its ranks. What is meant without a name comes first: of starts one after another the last
/// one, of those at once the first.
void addStarts(std::vector<RankLoader> ranks, const std::vector<ProcessFacts>& processes,
               std::vector<JobLoader>& loaders) {
  std::vector<Start> starts = startsOf(std::move(ranks), processes);
  const bool at_once = starts.size() > 1 && starts.back().at_once;
  const std::size_t meant = at_once ? 0 : starts.size() - 1;
  std::vector<std::size_t> order = {meant};
  for (std::size_t i = 0; i < starts.size(); ++i) {
    if (i != meant) order.push_back(i);
  }
  for (const std::size_t i : order) {
    JobLoader& job = loaders.emplace_back();
    job.start = static_cast<std::int64_t>(i);
    job.starts = static_cast<std::int64_t>(starts.size());
    job.at_once = starts[i].at_once;
    job.is_meant = i == meant;
    for (RankLoader& rank : starts[i].ranks) addRank(job, std::move(rank));
    job.site = job.ranks.front().loader.site;
    job.own_site = job.ranks.front().loader.own_site;
    if (job.own_site.empty()) job.own_site = job.site;
    if (job.starts > 1)
      job.remarks.push_back(filled(
          job.at_once ? worded("capture",
                               "The ranks of this loader were started %1 times, and another start ran at the same time "
                               "as this one. This is start %2, with %3; the others are shown as separate loaders.")
                      : worded("capture",
                               "The ranks of this loader were started %1 times. This is start %2, with %3; the others "
                               "are shown as separate loaders."),
          grouped(job.starts), grouped(job.start + 1), listedRanks(words::ranksOf(job))));
  }
}

std::int64_t drawnBy(const RankLoader& rank) {
  std::int64_t drawn = 0;
  for (const PassFacts& pass : rank.passes) drawn += pass.drawn;
  return drawn;
}

/// Whether the loops of one program read loaders that are alike.
bool areAlikeElsewhere(const RankLoader& one, const RankLoader& other, const std::vector<ProcessFacts>& processes) {
  return kindOf(one.loader) == kindOf(other.loader) && processes[one.process].script == processes[other.process].script;
}

/// Whether these are one loader that some ranks began to read elsewhere, such as with a look at its first batch: they
/// are alike, and no rank read both.
bool areOne(const JobLoader& a, const JobLoader& b, const std::vector<ProcessFacts>& processes) {
  if (!areAlikeElsewhere(a.ranks.front(), b.ranks.front(), processes)) return false;
  return std::ranges::all_of(a.ranks, [&b](const RankLoader& mine) {
    return mine.is_placed && std::ranges::all_of(b.ranks, [&mine](const RankLoader& theirs) {
             return theirs.is_placed && theirs.rank != mine.rank;
           });
  });
}

/// Joins loaders that are one, where there is one way to.
void joinLoaders(std::vector<JobLoader>& loaders, const std::vector<ProcessFacts>& processes) {
  const auto partners = [&](std::size_t i) {
    std::vector<std::size_t> found;
    for (std::size_t k = 0; k < loaders.size(); ++k) {
      if (k != i && areOne(loaders[i], loaders[k], processes)) found.push_back(k);
    }
    return found;
  };
  for (std::size_t i = 0; i < loaders.size(); ++i) {
    const std::vector<std::size_t> found = partners(i);
    if (found.size() != 1 || found.front() < i || partners(found.front()).size() != 1) continue;
    JobLoader& other = loaders[found.front()];
    if (drawnBy(other.ranks.front()) > drawnBy(loaders[i].ranks.front())) {
      loaders[i].site = other.site;
      loaders[i].own_site = other.own_site;
    }
    for (RankLoader& rank : other.ranks) addRank(loaders[i], std::move(rank));
    loaders[i].remarks.insert(loaders[i].remarks.end(), other.remarks.begin(), other.remarks.end());
    loaders.erase(loaders.begin() + static_cast<std::ptrdiff_t>(found.front()));
  }
}

/// Which passes are looks at a batch, as `next(iter(loader))` takes one: no backward pass follows, the loop does not
/// ask for another batch, and a later pass goes further. Where each pass is left after its first batch, none is a look.
std::vector<bool> looksOf(const RankLoader& rank) {
  std::vector<bool> looks(rank.passes.size());
  bool goes_further = false;
  for (std::size_t i = looks.size(); i-- > 0;) {
    const PassFacts& pass = rank.passes[i];
    // Without workers a batch is drawn when the loop asks for it; a process that was killed may not say that it got
    // more.
    const bool asked_again = rank.loader.num_workers == 0 && pass.drawn > 1;
    looks[i] = goes_further && pass.read() == 1 && pass.backwards == 0 && !pass.ended && !asked_again;
    goes_further = goes_further || pass.ended || pass.backwards > 0 || pass.read() > 1 || asked_again;
  }
  return looks;
}

/// The number of the first pass that is no look.
std::int64_t firstRead(const RankLoader& rank) {
  const std::vector<bool> looks = looksOf(rank);
  const auto read = std::find(looks.begin(), looks.end(), false);
  return rank.passes[static_cast<std::size_t>(read - looks.begin())].number;
}

/// Of a loop that reads a loader: its site and own_site.
using Loop = std::pair<std::string, std::string>;

/// The recorded loop of a loader that a rank began with a look at is not the one that then reads it. This is the one in
/// which other ranks read a loader that is alike, where there is one such loop and the rank itself reads no such loader
/// elsewhere; nothing for all others.
std::vector<std::optional<Loop>> loopsOfLooked(const std::vector<RankLoader>& read,
                                               const std::vector<ProcessFacts>& processes) {
  using Kind = std::pair<std::string, LoaderKind>;
  const auto kind_of = [&](const RankLoader& rank) {
    return Kind{processes[rank.process].script, kindOf(rank.loader)};
  };
  std::map<Kind, std::map<std::string, const RankLoader*>> loops;            // by site; one without a rank, if any
  std::map<std::pair<Kind, std::size_t>, std::set<std::string>> of_process;  // sites
  for (const RankLoader& rank : read) {
    const Kind kind = kind_of(rank);
    of_process[{kind, rank.process}].insert(rank.loader.site);
    if (looksOf(rank).front()) continue;
    const auto at = loops[kind].try_emplace(rank.loader.site, &rank).first;
    if (!rank.is_placed) at->second = &rank;
  }
  std::vector<std::optional<Loop>> found(read.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    const RankLoader& looked = read[i];
    const Kind kind = kind_of(looked);
    if (!looked.is_placed || !looksOf(looked).front() || of_process[{kind, looked.process}].size() > 1) continue;
    std::map<std::string, const RankLoader*> others = loops[kind];
    others.erase(looked.loader.site);
    if (others.size() != 1 || !others.begin()->second->is_placed) continue;
    found[i] = Loop{others.begin()->first, others.begin()->second->loader.own_site};
  }
  return found;
}

/// Moves each loader that a rank began with a look at to the loop that then reads it. `read` has the loaders of a
/// process in the order in which they were begun, and keeps it.
void moveLooked(std::vector<RankLoader>& read, const std::vector<ProcessFacts>& processes) {
  const std::vector<std::optional<Loop>> loops = loopsOfLooked(read, processes);
  for (std::size_t i = read.size(); i-- > 0;) {
    if (!loops[i]) continue;
    RankLoader& looked = read[i];
    std::tie(looked.loader.site, looked.loader.own_site) = *loops[i];
    const auto place = read.begin() + static_cast<std::ptrdiff_t>(i);
    const std::int64_t begun = firstRead(looked);
    const auto later = std::find_if(place + 1, read.end(), [&](const RankLoader& other) {
      return other.process != looked.process || firstRead(other) > begun;
    });
    std::rotate(place, place + 1, later);
  }
}

/// Whether the ranks of `looked` began with a look at a loader that the loop of `job` then read as its first one,
/// before others that are alike, as where each epoch has a new one: without these passes they have fewer than other
/// ranks.
bool wasLookedAt(const JobLoader& looked, const JobLoader& job, const std::vector<ProcessFacts>& processes) {
  if (looked.starts > 1 || job.starts > 1 || looked.site == job.site ||
      !areAlikeElsewhere(looked.ranks.front(), job.ranks.front(), processes))
    return false;
  std::size_t most = 0;  // passes of a rank that did not look
  for (const RankLoader& rank : job.ranks) {
    if (looked.rankLoader(rank.rank) == nullptr) most = std::max(most, rank.passes.size());
  }
  return std::ranges::all_of(looked.ranks, [&](const RankLoader& rank) {
    const RankLoader* const later = job.rankLoader(rank.rank);
    if (!rank.is_placed || later == nullptr || later->process != rank.process) return false;
    const std::vector<bool> looks = looksOf(rank);
    const auto passes = static_cast<std::size_t>(std::ranges::count(looks, false));
    const bool trains = std::ranges::any_of(rank.passes, [](const PassFacts& pass) { return pass.backwards > 0; });
    return looks.front() && trains && rank.passes.back().number < later->passes.front().number &&
           passes + later->passes.size() <= most;
  });
}

/// Joins passes that some ranks seem to have read in another loop with those of the loop that read them.
void joinLooked(std::vector<JobLoader>& loaders, const std::vector<ProcessFacts>& processes) {
  for (std::size_t i = loaders.size(); i-- > 0;) {
    const auto job =
        std::ranges::find_if(loaders, [&](const JobLoader& one) { return wasLookedAt(loaders[i], one, processes); });
    if (job == loaders.end()) continue;
    for (RankLoader& rank : job->ranks) {
      if (const RankLoader* const looked = loaders[i].rankLoader(rank.rank))
        rank.passes.insert(rank.passes.begin(), looked->passes.begin(), looked->passes.end());
    }
    loaders.erase(loaders.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

/// Whether what a pass reads does not depend on the passes before it: its order is that of the epoch that the sampler
/// says, or that of the dataset.
bool standsAlone(const RankLoader& rank) {
  const SamplerFacts* const sampler = samplerOfSamples(rank.loader);
  return (sampler != nullptr && sampler->type.ends_with(".sampler.SequentialSampler")) ||
         std::ranges::all_of(rank.passes, [](const PassFacts& pass) { return pass.epoch.has_value(); });
}

/// Looks are no passes: they would be taken for epochs, and where some ranks look more often than others, be compared
/// with another rank's epoch. Where the order goes on, as by a generator, and all look alike, a look has an order of
/// its own, and is a pass like any other.
void setLooksApart(JobLoader& job) {
  std::vector<std::vector<bool>> looks;  // by rank
  for (const RankLoader& rank : job.ranks) looks.push_back(looksOf(rank));
  const auto count = [](const std::vector<bool>& of_rank) { return std::ranges::count(of_rank, true); };
  const auto first = count(looks.front());
  const bool is_alike = std::ranges::all_of(looks, [&](const auto& of_rank) { return count(of_rank) == first; });
  if (is_alike && (first == 0 || !std::ranges::all_of(job.ranks, standsAlone))) return;
  for (std::size_t r = 0; r < looks.size(); ++r) {
    RankLoader& rank = job.ranks[r];
    std::vector<PassFacts> passes;
    for (std::size_t i = 0; i < looks[r].size(); ++i) {
      if (!looks[r][i]) passes.push_back(std::move(rank.passes[i]));
    }
    rank.looks = count(looks[r]);
    rank.passes = std::move(passes);
  }
  const auto plain = std::ranges::find_if(job.ranks, [](const auto& rank) { return rank.looks == 0; });
  if (plain != job.ranks.end()) {
    job.site = plain->loader.site;
    job.own_site = plain->loader.own_site.empty() ? job.site : plain->loader.own_site;
  }
  job.remarks.push_back(
      is_alike ? (first == 1
                      ? worded("capture",
                               "Each rank took a single batch out of this loader, without a backward pass, and read it "
                               "in a later pass. That look is not counted as a pass.")
                      : filled(worded("capture",
                                      "Each rank took a single batch out of this loader %1 times, without a backward "
                                      "pass, and read it in a later pass. Those looks are not counted as passes."),
                               grouped(first)))
               : words::looksAreNoPasses(job));
}

constexpr std::initializer_list<const char*> kLocalRank = {"LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID"};
constexpr std::initializer_list<const char*> kLocalSize = {"LOCAL_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"};

/// Processes of its world that were not seen to read it. Of several starts, they may be of another one.
void findOthers(JobLoader& job, const std::vector<ProcessFacts>& processes) {
  if (job.starts > 1) return;
  std::set<std::string> met;
  for (const RankLoader& rank : job.ranks) {
    if (rank.is_placed) met.insert(rendezvousOf(rank.world_size, processes[rank.process]));
  }
  for (std::size_t i = 0; i < processes.size(); ++i) {
    const auto place = placeOf(processes[i]);
    if (!place || job.rankLoader(place->rank) != nullptr) continue;
    if (met.contains(rendezvousOf(place->world_size, processes[i]))) job.elsewhere.try_emplace(place->rank, i);
  }
}

/// The processes of its ranks, whether they read it or not.
std::map<std::int64_t, std::size_t> processesOf(const JobLoader& job) {
  std::map<std::int64_t, std::size_t> of_ranks = job.elsewhere;
  for (const RankLoader& rank : job.ranks) of_ranks[rank.rank] = rank.process;
  return of_ranks;
}

/// Of a launcher that says no local world size: a node begins wherever the local rank is 0 again. Nothing where local
/// ranks do not count on from there on one host.
std::optional<IndexList> nodesByLocalRank(const JobLoader& job, const std::vector<ProcessFacts>& processes) {
  std::vector<std::int64_t> of_nodes;
  std::string host;
  const auto of_ranks = processesOf(job);
  for (const auto& [rank, index] : of_ranks) {
    const ProcessFacts& process = processes[index];
    const auto local = fromEnvironment(process, kLocalRank);
    if (!local || fromEnvironment(process, kLocalSize)) return std::nullopt;
    if (*local == 0) {
      of_nodes.push_back(0);
      host = process.host;
    }
    if (of_nodes.empty() || *local != of_nodes.back() || process.host != host) return std::nullopt;
    ++of_nodes.back();
  }
  return std::ssize(of_ranks) < job.world_size ? std::nullopt : std::optional(IndexList(std::move(of_nodes)));
}

/// How many ranks the launcher says are on the rank's node, or else were seen on its host; 0 where it does not say it,
/// and not all ranks were seen.
std::map<std::int64_t, std::int64_t> ranksBeside(const JobLoader& job, const std::vector<ProcessFacts>& processes) {
  const auto of_ranks = processesOf(job);
  const bool all_seen = std::ssize(of_ranks) >= job.world_size;
  std::map<std::string, std::int64_t> on_host;
  for (const auto& [rank, index] : of_ranks) on_host[processes[index].host] += all_seen ? 1 : 0;
  std::map<std::int64_t, std::int64_t> beside;
  for (const auto& [rank, index] : of_ranks) {
    const ProcessFacts& process = processes[index];
    beside[rank] = fromEnvironment(process, kLocalSize).value_or(on_host[process.host]);
  }
  return beside;
}

/// How many ranks each node has, node by node; nothing where what was seen is no such world.
std::optional<IndexList> ranksOfNodes(const JobLoader& job, const std::map<std::int64_t, std::int64_t>& beside) {
  const auto same = [&](const auto& one) { return one.second == beside.begin()->second; };
  const std::int64_t every = beside.begin()->second;
  if (every > 0 && job.world_size % every == 0 && std::ranges::all_of(beside, same))
    return IndexList(static_cast<std::size_t>(job.world_size / every), every);
  if (std::ssize(beside) < job.world_size) return std::nullopt;
  std::vector<std::int64_t> of_nodes;
  for (auto rank = beside.begin(); rank != beside.end();) {
    const std::int64_t size = rank->second;
    of_nodes.push_back(size);
    for (std::int64_t i = 0; i < std::max<std::int64_t>(1, size); ++i, ++rank) {
      if (rank == beside.end() || rank->second != size) return std::nullopt;
    }
  }
  return IndexList(std::move(of_nodes));
}

/// Nodes and local ranks.
void placeOnNodes(JobLoader& job, const std::vector<ProcessFacts>& processes) {
  auto of_nodes = nodesByLocalRank(job, processes);
  if (!of_nodes) of_nodes = ranksOfNodes(job, ranksBeside(job, processes));
  job.knows_nodes = of_nodes.has_value();
  if (!of_nodes) job.remarks.push_back(words::nodesUnknown());
  if (of_nodes && of_nodes->facts().least != of_nodes->facts().greatest)
    job.world = {static_cast<std::int64_t>(of_nodes->size()), RanksPerNode(*of_nodes)};
  else
    job.world = of_nodes ? PipelineSpec::World{static_cast<std::int64_t>(of_nodes->size()), (*of_nodes)[0]}
                         : PipelineSpec::World{1, job.world_size};
  for (RankLoader& rank : job.ranks)
    rank.local_rank =
        fromEnvironment(processes[rank.process], kLocalRank).value_or(job.world.localRankOf(Rank{rank.rank}));
}

/// Whether each of its passes that got a batch and one of the other were read at once by the same loop, as in
/// zip(one, other).
bool isReadInTurns(const JobLoader& job, const JobLoader& other) {
  const auto at_once = [](const PassFacts& one, const PassFacts& more) {
    return one.number < more.number ? more.number <= one.newest_beside : one.number <= more.newest_beside;
  };
  bool any = false;
  const auto is_in_turns = [&](const RankLoader& rank) {
    const RankLoader* const beside = other.rankLoader(rank.rank);
    if (beside == nullptr || beside->process != rank.process) return false;
    return std::ranges::all_of(rank.passes, [&](const PassFacts& pass) {
      any = any || pass.read() > 0;
      return pass.read() == 0 ||
             std::ranges::any_of(beside->passes, [&](const PassFacts& more) { return at_once(pass, more); });
    });
  };
  return &job != &other && job.own_site == other.own_site && std::ranges::all_of(job.ranks, is_in_turns) && any;
}

/// Backward passes are counted for the loader whose batch was drawn last.
bool isTrainedOn(const JobLoader& job) {
  std::int64_t read = 0;
  std::int64_t backwards = 0;
  std::int64_t without_grad = 0;
  std::int64_t passes = 0;
  for (const RankLoader& rank : job.ranks) {
    for (const PassFacts& pass : rank.passes) {
      read += pass.read();
      backwards += pass.backwards;
      without_grad += pass.grad_at_end.value_or(pass.grad) ? 0 : 1;
      ++passes;
    }
  }
  return areTrainedOn(read, backwards) && 2 * without_grad <= passes;
}

/// No backward pass, of whichever loader, between the first and the last batch of a pass, and a whole pass, or one
/// without gradients, among them: one batch that is only looked at tells nothing.
bool isValidation(const JobLoader& job) {
  bool tells = false;
  for (const RankLoader& rank : job.ranks) {
    for (const PassFacts& pass : rank.passes) {
      const bool learns = pass.grad_at_end.value_or(pass.grad);
      if (pass.beside.value_or(pass.backwards) > 0 || (!pass.beside && learns)) return false;
      tells = tells || pass.isReadToEnd() || !learns;
    }
  }
  return tells;
}

/// Whether its sampler shuffles; nothing where that is not known.
std::optional<bool> isShuffled(const JobLoader& job) {
  const SamplerFacts* const sampler = samplerOfSamples(job.ranks.front().loader);
  if (sampler == nullptr) return std::nullopt;
  if (sampler->type.ends_with(".sampler.SequentialSampler")) return false;
  if (sampler->type.ends_with(".sampler.RandomSampler")) return true;
  return sampler->value<bool>("shuffle");
}

/// Of two loaders that are read in turns, a backward pass follows on the batch of either one, and it is not known on
/// which it follows. It is the one that shuffles, where the other does not.
Purpose purposeInTurns(const JobLoader& job, const std::vector<const JobLoader*>& others) {
  const bool is_only = isShuffled(job) == true &&
                       std::ranges::all_of(others, [](const JobLoader* other) { return isShuffled(*other) == false; });
  return is_only ? Purpose::Train : Purpose::Unknown;
}

void findPurposes(std::vector<JobLoader>& loaders) {
  std::vector<bool> trains;
  for (const JobLoader& job : loaders) trains.push_back(isTrainedOn(job));
  const bool any = std::ranges::find(trains, true) != trains.end();
  std::map<std::string, int> used;
  for (std::size_t i = 0; i < loaders.size(); ++i) {
    JobLoader& job = loaders[i];
    std::vector<const JobLoader*> in_turns;  // of which only one of each two seems to train: the one that is read last
    for (std::size_t k = 0; k < loaders.size(); ++k) {
      if (trains[k] != trains[i] && (isReadInTurns(job, loaders[k]) || isReadInTurns(loaders[k], job)))
        in_turns.push_back(&loaders[k]);
    }
    if (!in_turns.empty()) {
      job.purpose = purposeInTurns(job, in_turns);
    } else if (trains[i]) {
      job.purpose = Purpose::Train;
    } else if (any && isValidation(job)) {
      job.purpose = Purpose::Validation;
    }
    const std::string name = job.purpose == Purpose::Train        ? "train"
                             : job.purpose == Purpose::Validation ? "val"
                                                                  : "loader";
    const int count = ++used[name];
    job.name = count == 1 ? name : name + "-" + std::to_string(count);
  }
}

/// Tells apart loaders that the same line of one start of a program reads.
void countAtSites(std::vector<JobLoader>& loaders) {
  const auto place = [](const JobLoader& job) {
    return std::tuple(job.own_site, job.start, job.ranks.front().process);
  };
  for (JobLoader& job : loaders) {
    job.at_site = 0;
    for (const JobLoader& other : loaders) {
      if (place(other) != place(job)) continue;
      ++job.at_site;
      if (&other == &job) job.in_order = job.at_site;
    }
  }
}

/// By what its ranks read in each of their passes: a script may make another dataset for every epoch.
void findDatasets(JobLoader& job, const std::vector<ProcessFacts>& processes) {
  std::vector<LoaderOfRank> loaders;
  bool in_order = true;
  for (RankLoader& rank : job.ranks) {
    std::map<std::int64_t, const LoaderFacts*> by_number;
    for (const LoaderFacts& loader : processes[rank.process].loaders) by_number.try_emplace(loader.number, &loader);
    std::set<std::int64_t> seen;
    for (PassFacts& pass : rank.passes) {
      const auto found = by_number.find(pass.loader);
      if (found == by_number.end()) continue;
      pass.subset = found->second->subset;
      in_order = in_order && (found->second->in_order || found->second->num_workers == 0);
      if (seen.insert(pass.loader).second) loaders.push_back({rank.rank, found->second});
    }
  }
  if (loaders.empty()) return;
  job.datasets = compareDatasets(loaders);
  if (std::string remark = words::datasetsOfRanks(job); !remark.empty()) job.remarks.push_back(std::move(remark));
  if (!in_order)
    job.remarks.push_back(
        worded("capture",
               "The loader hands out batches as soon as workers have them ready (in_order=False). They are shown as "
               "its sampler drew them; it is not known which of the queued ones the loop got."));
}

/// Several processes without a rank that read the same: which process each loader is of.
void sayPrograms(const std::map<std::string, std::vector<std::size_t>>& alone,
                 const std::vector<ProcessFacts>& processes, std::vector<JobLoader>& loaders) {
  for (const auto& [what, indices] : alone) {
    std::set<std::size_t> programs;
    for (const std::size_t index : indices) programs.insert(loaders[index].ranks.front().process);
    if (programs.size() < 2) continue;
    for (const std::size_t index : indices) {
      JobLoader& job = loaders[index];
      job.programs = static_cast<std::int64_t>(programs.size());
      job.remarks.push_back(words::programOfItsOwn(processes[job.ranks.front().process], job.programs));
    }
  }
}

}  // namespace

std::int64_t JobLoader::raised() const {
  std::int64_t count = 0;
  for (const RankLoader& rank : ranks) {
    for (const PassFacts& pass : rank.passes) count += rank.raisedIn(pass);
  }
  return count;
}

bool JobLoader::hasCollectives() const {
  return std::ranges::any_of(ranks, [](const RankLoader& rank) {
    return std::ranges::any_of(rank.passes, [](const PassFacts& pass) { return pass.distributed.has_value(); });
  });
}

bool JobLoader::cameThrough() const {
  return !has_failed && std::ranges::all_of(ranks, [](const RankLoader& rank) {
    return rank.has_end && !rank.passes.empty() && rank.passes.back().ended;
  });
}

const RankLoader* JobLoader::rankLoader(std::int64_t rank) const {
  const auto found = std::ranges::find(ranks, rank, &RankLoader::rank);
  return found == ranks.end() ? nullptr : &*found;
}

const std::optional<std::int64_t>& lengthOf(const JobLoader& job, const RankLoader& rank) {
  return job.datasets.ids == SampleIds::Below ? rank.loader.subset->length : rank.loader.dataset_length;
}

std::vector<JobLoader> loadersOf(const std::vector<ProcessFacts>& processes) {
  std::vector<std::pair<std::string, std::vector<RankLoader>>> gathered;  // what they read, and who
  std::map<Key, std::size_t> known;
  std::vector<RankLoader> read;
  for (std::size_t i = 0; i < processes.size(); ++i) {
    for (RankLoader& rank : loadersOn(processes[i], i)) read.push_back(std::move(rank));
  }
  moveLooked(read, processes);
  std::map<std::pair<std::size_t, std::string>, std::size_t> seen;  // loaders of a process
  for (RankLoader& rank : read) {
    const std::string what = processes[rank.process].script + "\n" + rank.loader.site + "\n" +
                             rank.loader.dataset_type + "\n" + samplerType(rank.loader);
    // Processes that say no rank may be programs that have nothing to do with each other.
    const std::string whose = rank.is_placed ? what : what + "\n" + std::to_string(rank.process);
    const auto at = known.try_emplace({whose, seen[{rank.process, what}]++}, gathered.size());
    if (at.second) gathered.emplace_back(what, std::vector<RankLoader>());
    gathered[at.first->second].second.push_back(std::move(rank));
  }
  std::vector<JobLoader> loaders;
  std::map<std::string, std::vector<std::size_t>> alone;  // loaders of processes that say no rank, by what they read
  for (auto& [what, ranks] : gathered) {
    if (!ranks.front().is_placed) alone[what].push_back(loaders.size());
    addStarts(std::move(ranks), processes, loaders);
  }
  sayPrograms(alone, processes, loaders);
  joinLoaders(loaders, processes);
  joinLooked(loaders, processes);
  for (JobLoader& job : loaders) {
    std::ranges::sort(job.ranks, {}, &RankLoader::rank);
    setLooksApart(job);
    findOthers(job, processes);
    placeOnNodes(job, processes);
    findDatasets(job, processes);
  }
  findPurposes(loaders);
  countAtSites(loaders);
  std::ranges::stable_sort(loaders, [](const JobLoader& a, const JobLoader& b) {
    return a.purpose == Purpose::Train && b.purpose != Purpose::Train;
  });
  return loaders;
}

}  // namespace shardlens::capture
