// SPDX-License-Identifier: Apache-2.0
#include "core/capture/loader_spec.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/capture/capture_words.h"
#include "core/capture/recognise.h"
#include "core/sampling/registry.h"
#include "core/sampling/torch/loader_seeds.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace shardlens::capture {
namespace {

/// The release of the spec that has the behaviour of this version, as far as versions of the spec tell.
std::string release(const std::string& version, LoaderSpec& into) {
  const auto [major, minor] = releaseOf(version);
  const std::string said = std::to_string(major) + "." + std::to_string(minor);
  std::string taken = major < 2 ? "1.13" : major == 2 && minor <= 6 ? "2.6" : "2.9";
  if (said != taken)
    into.unknown.push_back(filled(
        worded("capture", "The job ran torch %1; the nearest behaviour that a spec can name is framework.torch %2."),
        version, taken));
  return taken;
}

/// Ranks whose samplers were given one rank and form regular blocks are taken for those of one copy of the model. Where
/// every rank gave its local rank or its node, nothing is assumed.
void assumeGroups(const JobLoader& job, LoaderSpec& into) {
  if (job.lacksRanks()) return;
  const auto passed = [](const RankLoader& rank, const char* name) -> std::optional<std::int64_t> {
    const SamplerFacts* const sampler = samplerOfSamples(rank.loader);
    const bool is_known = sampler != nullptr && sampler->type == "torch.utils.data.distributed.DistributedSampler";
    return is_known ? sampler->value<std::int64_t>(name) : std::nullopt;
  };
  const auto all = [&job](const auto& holds) { return std::ranges::all_of(job.ranks, holds); };
  const std::int64_t copies = passed(job.ranks.front(), "num_replicas").value_or(0);
  if (copies < 2 || copies >= job.world.size() || job.world.size() % copies != 0) return;
  if (!all([&](const RankLoader& rank) { return passed(rank, "num_replicas") == copies; })) return;
  if (all([&](const RankLoader& rank) { return passed(rank, "rank") == rank.local_rank; })) return;
  if (all([&](const RankLoader& rank) { return passed(rank, "rank") == job.world.nodeOf(Rank{rank.rank}); })) return;
  const std::int64_t of_copy = job.world.size() / copies;
  for (std::int64_t tensor = 1; tensor <= of_copy; ++tensor) {
    if (of_copy % tensor != 0) continue;
    PipelineSpec::World world = job.world;
    world.groups.tensor = tensor;
    world.groups.pipeline = of_copy / tensor;
    if (!all([&](const RankLoader& rank) { return passed(rank, "rank") == world.dataParallelRankOf(Rank{rank.rank}); }))
      continue;
    into.spec.world = std::move(world);
    into.unknown.push_back(words::groupsAssumed(of_copy));
    return;
  }
}

/// torch's seed in a rank.
struct RankSeed {
  std::int64_t rank = 0;
  std::int64_t local_rank = 0;
  std::uint64_t seed = 0;
  std::optional<bool> is_seeded;
};

/// Whether torch has one seed in all that the process reads.
bool keepsSeed(const ProcessFacts& process) {
  const auto& passes = process.passes;
  return !passes.empty() && std::ranges::all_of(passes, [&passes](const PassFacts& pass) {
    return pass.torch_seed == passes.front().torch_seed;
  });
}

/// Those of the ranks when they began to read it, by rank; and of the others, what they have all the time, if these do.
std::vector<RankSeed> torchSeeds(const JobLoader& job, const std::vector<ProcessFacts>& processes) {
  std::vector<RankSeed> seeds;
  bool is_kept = true;
  for (const RankLoader& rank : job.ranks) {
    const PassFacts& pass = rank.passes.front();
    seeds.push_back({rank.rank, rank.local_rank, pass.torch_seed, pass.torch_seeded});
    is_kept = is_kept && keepsSeed(processes[rank.process]);
  }
  for (const auto& [rank, index] : job.elsewhere) {
    if (!is_kept || !keepsSeed(processes[index])) continue;
    const PassFacts& pass = processes[index].passes.front();
    seeds.push_back({rank, job.world.localRankOf(Rank{rank}), pass.torch_seed, pass.torch_seeded});
  }
  std::ranges::sort(seeds, {}, &RankSeed::rank);
  return seeds;
}

/// How the seeds of torch follow from a base.
void seeds(const JobLoader& job, const std::vector<ProcessFacts>& processes, LoaderSpec& into) {
  const std::vector<RankSeed> of_ranks = torchSeeds(job, processes);
  const RankSeed& first = of_ranks.front();
  const std::uint64_t base = first.seed - static_cast<std::uint64_t>(first.rank);
  const std::uint64_t local = first.seed - static_cast<std::uint64_t>(first.local_rank);
  const auto all = [&of_ranks](const auto& holds) { return std::ranges::all_of(of_ranks, holds); };
  if (all([](const RankSeed& one) { return one.is_seeded == false; })) {
    into.spec.seeds = {0, "unseeded"};
    return;
  }
  const bool is_same = all([&](const RankSeed& one) { return one.seed == first.seed; });
  const bool is_rank =
      all([&](const RankSeed& one) { return one.seed == base + static_cast<std::uint64_t>(one.rank); });
  const bool is_local =
      all([&](const RankSeed& one) { return one.seed == local + static_cast<std::uint64_t>(one.local_rank); });
  const auto copy_of = [&into](const RankSeed& one) {
    return static_cast<std::uint64_t>(into.spec.world.dataParallelRankOf(Rank{one.rank}));
  };
  const std::uint64_t copy = first.seed - copy_of(first);
  const bool is_copy = all([&](const RankSeed& one) { return one.seed == copy + copy_of(one); });
  const std::uint64_t seed = is_same ? first.seed : is_rank ? base : is_local ? local : copy;
  if (seed <= kMostSeed && (is_same || is_rank || is_local || is_copy)) {
    into.spec.seeds.base = static_cast<std::int64_t>(seed);
    into.spec.seeds.rule = is_same    ? "same"
                           : is_rank  ? "base+rank"
                           : is_local ? "base+local_rank"
                                      : "base+data_parallel_rank";
    if (!all([](const RankSeed& one) { return one.is_seeded == true; }))
      into.unknown.push_back(worded(
          "capture",
          "seeds.base is torch.initial_seed() when the loop began; it is not known whether the script chose it."));
    std::vector<std::int64_t> ranks;
    for (const RankSeed& one : of_ranks) ranks.push_back(one.rank);
    if (std::ssize(ranks) < job.world_size)
      into.unknown.push_back(
          filled(worded("capture", "seeds.rule fits the torch seeds of %1; those of the other ranks were not seen."),
                 listedRanks(ranks)));
    return;
  }
  into.spec.seeds = {0, "unknown"};
  std::vector<std::uint64_t> numbers;
  for (const RankSeed& one : of_ranks) numbers.push_back(one.seed);
  into.unknown.push_back(words::seedsWithoutRule(numbers));
}

/// What seeds the workers, if that is known.
std::string workerSeeds(const JobLoader& job, LoaderSpec& into) {
  const LoaderFacts& first = job.ranks.front().loader;
  const auto is_like_first = [&first](const RankLoader& rank) {
    return rank.loader.worker_init_fn == first.worker_init_fn &&
           rank.loader.worker_init_release == first.worker_init_release;
  };
  const std::string& function = first.worker_init_fn;
  const bool all_like = std::ranges::all_of(job.ranks, is_like_first);
  if (all_like && function.empty()) return "torch";
  if (all_like && first.hasLightningsInit() && first.worker_init_release.starts_with("2.6")) return "lightning";
  into.unknown.push_back(
      function.empty()
          ? worded("capture", "Not every rank has the same worker_init_fn: loader.worker_seeds is unknown.")
          : filled(worded("capture", "The worker_init_fn %1 may seed the workers: loader.worker_seeds is unknown."),
                   function));
  return "unknown";
}

/// The generator that every rank gave its loader, beside those of samplers; nothing where they gave none.
void loaderGenerator(const JobLoader& job, LoaderSpec& into) {
  const auto& first = job.ranks.front().loader.generator;
  if (!first || job.ranks.front().loader.shares_generator) return;
  const auto is_like_first = [&first](const RankLoader& rank) {
    return rank.loader.generator && rank.loader.generator->seed == first->seed;
  };
  if (first->seed <= kMostSeed && std::ranges::all_of(job.ranks, is_like_first))
    into.spec.loader.generator_seed = static_cast<std::int64_t>(first->seed);
}

/// The first rank whose workers got another base_seed than the spec gives.
const RankLoader* firstOtherBaseSeed(const JobLoader& job, const LoaderSpec& into) {
  for (const RankLoader& rank : job.ranks) {
    for (std::size_t i = 0; i < rank.passes.size(); ++i) {
      const PassFacts& pass = rank.passes[i];
      const Epoch epoch{into.epochOf(rank, i)};
      if (!pass.base_seed || epoch.value < 0 ||
          *pass.base_seed != sampling::torchBaseSeed(into.spec, epoch, Rank{rank.rank}))
        return &rank;
    }
  }
  return nullptr;
}

/// How the workers are seeded: only what their recorded base_seed bears out.
void seedsOfWorkers(const JobLoader& job, LoaderSpec& into) {
  if (into.spec.loader.num_workers == 0) return;
  into.spec.loader.worker_seeds = workerSeeds(job, into);
  loaderGenerator(job, into);
  const bool is_predicted =
      into.problems.empty() && (isSeeded(into.spec) || sampling::loaderGeneratorSeed(into.spec, Rank{0}));
  if (!is_predicted || into.spec.loader.worker_seeds == "unknown") return;
  const RankLoader* const other = firstOtherBaseSeed(job, into);
  if (other == nullptr) return;
  into.spec.loader.worker_seeds = "unknown";
  into.unknown.push_back(
      filled(worded("capture",
                    "The loader of rank %1 drew another base_seed for its workers than the spec gives: "
                    "loader.worker_seeds is unknown."),
             std::to_string(other->rank)));
}

/// One of these sentences for each thing in which the ranks differ and a spec cannot.
template <class Get>
void mustAgree(const JobLoader& job, const std::string& what, const Get& get, LoaderSpec& into) {
  for (const RankLoader& rank : job.ranks) {
    if (get(rank.loader) == get(job.ranks.front().loader)) continue;
    into.problems.push_back(words::ranksDiffer(what, job.ranks.front().rank, rank.rank));
    return;
  }
}

void loaderItself(const JobLoader& job, LoaderSpec& into) {
  const LoaderFacts& loader = job.ranks.front().loader;
  mustAgree(
      job, "len(dataset)", [](const LoaderFacts& one) { return one.dataset_length; }, into);
  mustAgree(
      job, "batch_size", [](const LoaderFacts& one) { return one.batch_size; }, into);
  mustAgree(
      job, "drop_last", [](const LoaderFacts& one) { return one.drop_last; }, into);
  mustAgree(
      job, "num_workers", [](const LoaderFacts& one) { return one.num_workers; }, into);
  if (loader.dataset_length) {
    into.spec.dataset.size = *loader.dataset_length;
  } else {
    into.problems.push_back(filled(worded("capture", "The dataset %1 has no len()."), loader.dataset_type));
  }
  into.spec.loader.num_workers = loader.num_workers;
  into.spec.loader.persistent_workers = loader.persistent_workers;
  into.spec.loader.drop_last = loader.drop_last;
  if (loader.num_workers > 0) into.spec.loader.prefetch_factor = loader.prefetch_factor.value_or(2);
}

/// The sampler of a rank's samples, and how it is cut into batches; or the batch sampler that makes its own. Null when
/// its batches are made by unknown code.
const SamplerFacts* samplerOf(const LoaderFacts& loader, LoaderSpec& into) {
  const auto size = statedBatchSize(loader);
  if (size) into.spec.loader.batch_size = *size;
  const bool has_own = !loader.batch_size && loader.batch_sampler;
  if (has_own && makesBatches(loader.batch_sampler->type)) return &*loader.batch_sampler;
  if (has_own) into.spec.loader.drop_last = dropsLast(loader);
  return size ? samplerOfSamples(loader) : nullptr;
}

void sampler(const JobLoader& job, LoaderSpec& into) {
  SamplersOfRanks ranks{job, {}};
  for (const RankLoader& rank : job.ranks) {
    const SamplerFacts* const found = samplerOf(rank.loader, into);
    if (found == nullptr) {
      const auto& unknown = rank.loader.batch_sampler ? rank.loader.batch_sampler : rank.loader.sampler;
      into.problems.push_back(words::unknownSampler(unknown ? unknown->type : ""));
      return;
    }
    if (!ranks.samplers.empty() && found->type != ranks.samplers.front()->type) {
      into.problems.push_back(
          words::ranksDiffer(worded("capture", "the sampler's class"), job.ranks.front().rank, rank.rank));
      return;
    }
    ranks.samplers.push_back(found);
  }
  into.knows_class = recognise(ranks, into);
  if (!into.knows_class) into.problems.push_back(words::unknownSampler(ranks.samplers.front()->type));
  // An older probe did not look for set_epoch in a batch sampler that was given as sampler.
  const RankLoader& first = job.ranks.front();
  const bool hides_epochs = first.loader.is_unwrapped && !first.passes.front().has_set_epoch &&
                            !sampling::traitsOf(into.spec).set_epoch.empty();
  if (!into.knows_class || !hides_epochs) return;
  into.knows_class = false;
  into.problems.push_back(
      filled(worded("capture",
                    "Its sampler appears as %1 inside a BatchSampler that is given as sampler. The epochs that "
                    "set_epoch gave it are not recorded."),
             into.spec.sampler.type));
}

std::string nameOf(const JobLoader& job, const ProcessFacts& process) {
  const std::string script = std::filesystem::path(process.script).stem().string();
  const std::string name = script.empty() ? "job" : script;
  return job.name == "train" || job.name == name ? name : name + "-" + job.name;
}

}  // namespace

bool isDispatched(const JobLoader& job) {
  return std::ranges::any_of(job.ranks, [](const RankLoader& rank) { return rank.loader.dispatcher.has_value(); });
}

std::pair<int, int> releaseOf(const std::string& version) {
  int major = 0;
  int minor = 0;
  const char* const end = version.data() + version.size();
  const auto read = std::from_chars(version.data(), end, major);
  if (read.ec == std::errc() && read.ptr != end && *read.ptr == '.') (void)std::from_chars(read.ptr + 1, end, minor);
  return {major, minor};
}

std::optional<std::int64_t> statedBatchSize(const LoaderFacts& loader) {
  if (loader.batch_size) return loader.batch_size;
  if (!loader.batch_sampler) return 1;  // the loop gets samples one by one
  const SamplerFacts& batches = *loader.batch_sampler;
  return cutsBatches(batches.type) ? batches.value<std::int64_t>("batch_size") : std::nullopt;
}

const SamplerFacts* samplerOfSamples(const LoaderFacts& loader) {
  if (loader.batch_size || !loader.batch_sampler) return loader.sampler ? &*loader.sampler : nullptr;
  const SamplerFacts& batches = *loader.batch_sampler;
  const auto inner = batches.samplers.find("sampler");
  return cutsBatches(batches.type) && inner != batches.samplers.end() ? &inner->second : nullptr;
}

bool dropsLast(const LoaderFacts& loader) {
  if (loader.batch_size || !loader.batch_sampler) return loader.drop_last;
  return loader.batch_sampler->value<bool>("drop_last").value_or(false);
}

LoaderSpec specOf(const JobLoader& job, const std::vector<ProcessFacts>& processes) {
  LoaderSpec into;
  const ProcessFacts& process = processes[job.ranks.front().process];
  into.spec.name = nameOf(job, process);
  into.spec.world = job.world;
  if (isDispatched(job)) {
    into.problems.push_back(
        worded("capture",
               "Rank 0 reads this loader for all ranks and sends each its part (accelerate.DataLoaderDispatcher). The "
               "parts that it sent are not recorded."));
    return into;
  }
  if (job.ranks.front().loader.is_iterable) {
    into.problems.push_back(words::iterable(job.ranks.front().loader.dataset_type));
    return into;
  }
  if (job.datasets.ids == SampleIds::Below)
    into.problems.push_back(worded(
        "capture", "Its sampler draws positions in Subsets, and these are not the same for all ranks and passes."));
  std::size_t most = 1;
  for (const RankLoader& rank : job.ranks) most = std::max(most, rank.passes.size());
  into.spec.epochs = static_cast<std::int64_t>(most);
  into.spec.framework.torch = release(process.torch, into);
  if (!process.torchdata.empty())
    into.spec.framework.torchdata = releaseOf(process.torchdata) < std::pair(0, 12) ? "0.11" : "0.12";
  if (process.mkl) into.spec.framework.torch_mkl = *process.mkl;
  assumeGroups(job, into);
  seeds(job, processes, into);
  loaderItself(job, into);
  sampler(job, into);
  seedsOfWorkers(job, into);
  if (job.lacksRanks()) into.unknown.push_back(words::ranksMissing(job));
  if (!job.knows_nodes) into.unknown.push_back(words::nodesUnknown());
  return into;
}

}  // namespace shardlens::capture
