// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/spec/fields/entry.h"

#include <iterator>

namespace shardlens::fields {
namespace {

using K = FieldKind;

void append(std::vector<Entry>& rows, std::vector<Entry> section) {
  rows.insert(rows.end(), std::make_move_iterator(section.begin()), std::make_move_iterator(section.end()));
}

std::vector<Entry> dataset() {
  using Dataset = PipelineSpec::Dataset;
  constexpr auto kDataset = &PipelineSpec::dataset;
  return {
      row<kDataset, &Dataset::size>({.path = "dataset.size",
                                     .min = 0,
                                     .max = kMostSamples,
                                     .unit = "samples",
                                     .help = marked("fields", "Number of samples: len(dataset).")}),
      row<kDataset, &Dataset::shards>({.path = "dataset.shards",
                                       .min = 0,
                                       .max = kMostSamples,
                                       .unit = "samples each",
                                       .help = marked("fields",
                                                      "Number of samples in each stored piece (file, tar), in order: a "
                                                      "list, or 64 x 500 for 64 equal ones. Empty means one piece."),
                                       .optional = true}),
      row<kDataset, &Dataset::lengths>(
          {.path = "dataset.lengths",
           .min = 0,
           .unit = "tokens each",
           .help = marked("fields", "Length of each sample, for samplers that group by length; one for each."),
           .optional = true}),
      row<kDataset, &Dataset::labels>(
          {.path = "dataset.labels",
           .unit = "class of each",
           .help = marked("fields", "Class of each sample, for samplers that balance classes; one for each."),
           .optional = true}),
  };
}

void setRanksPerNode(PipelineSpec& spec, const Value& value) {
  const auto* list = std::get_if<IndexList>(&value);
  spec.world.ranks_per_node = list == nullptr ? RanksPerNode(std::get<std::int64_t>(value)) : RanksPerNode(*list);
}

/// The size of a group that divides a copy of the model, or its experts.
template <auto Size>
Entry modelGroup(std::string path, std::string help, std::int64_t least = 1) {
  return row<&PipelineSpec::world, &PipelineSpec::World::groups, Size>({.path = std::move(path),
                                                                        .min = least,
                                                                        .max = kMostRanks,
                                                                        .unit = "ranks",
                                                                        .help = std::move(help),
                                                                        .optional = true});
}

std::vector<Entry> world() {
  using World = PipelineSpec::World;
  constexpr auto kWorld = &PipelineSpec::world;
  return {
      row<kWorld, &World::nodes>({.path = "world.nodes",
                                  .min = 1,
                                  .max = kMostRanks,
                                  .unit = "nodes",
                                  .help = marked("fields", "Number of machines.")}),
      {{.path = "world.ranks_per_node",
        .kind = K::IntOrList,
        .fallback = World().ranks_per_node.value(),
        .min = 1,
        .max = kMostRanks,
        .unit = "ranks",
        .help = marked("fields",
                       "Processes on each node, usually one per GPU: a number, or a list such as [2, 1] with one for "
                       "each node.")},
       [](const PipelineSpec& spec) { return spec.world.ranks_per_node.value(); },
       setRanksPerNode},
      modelGroup<&ParallelGroups::tensor>(
          "world.groups.tensor",
          marked("fields", "Ranks that divide each layer: tensor parallelism. They must read the same samples.")),
      modelGroup<&ParallelGroups::context>(
          "world.groups.context",
          marked("fields", "Ranks that divide each sequence: context parallelism. They must read the same samples.")),
      modelGroup<&ParallelGroups::pipeline>(
          "world.groups.pipeline",
          marked("fields", "Ranks that divide the layers: pipeline parallelism. They must read the same samples.")),
      modelGroup<&ParallelGroups::expert>(
          "world.groups.expert",
          marked("fields",
                 "Ranks that divide the experts: expert parallelism. Who reads which samples does not depend on it.")),
      modelGroup<&ParallelGroups::expert_tensor>(
          "world.groups.expert_tensor",
          marked("fields", "Ranks that divide each expert by tensor parallelism; 0 means as many as tensor."), 0),
      row<kWorld, &World::groups, &ParallelGroups::order>(
          {.path = "world.groups.order",
           .choices = {kDataThenPipeline, kPipelineThenData},
           .help = marked("fields",
                          "How ranks are numbered: the first varies fastest, so that tensor peers are neighbours. "
                          "tp-cp-pp-dp is that of Megatron's --use-tp-pp-dp-mapping. In layers of experts, ep stands "
                          "in the place of cp."),
           .optional = true}),
  };
}

using Loader = PipelineSpec::Loader;
constexpr auto kLoader = &PipelineSpec::loader;

/// What a batch is, and a step.
std::vector<Entry> batches() {
  return {
      row<kLoader, &Loader::batch_size>(
          {.path = "loader.batch_size",
           .min = 1,
           .max = kMostSamples,
           .unit = "per rank",
           .help =
               marked("fields",
                      "Samples in one rank's batch; the global batch is this times the number of replicas, and times "
                      "gradient_accumulation_steps.")}),
      row<kLoader, &Loader::gradient_accumulation_steps>(
          {.path = "loader.gradient_accumulation_steps",
           .min = 1,
           .max = 2000,
           .unit = "batches per optimizer step",
           .help = marked("fields",
                          "Batches of each rank whose gradients are added up before the optimizer takes a step. It "
                          "changes no batch.")}),
  };
}

/// How they are loaded.
std::vector<Entry> loading() {
  return {
      row<kLoader, &Loader::num_workers>(
          {.path = "loader.num_workers",
           .min = 0,
           .max = 4096,
           .unit = "per rank",
           .help = marked("fields", "DataLoader worker processes per rank; 0 loads in the main process of the rank.")}),
      row<kLoader, &Loader::drop_last>(
          {.path = "loader.drop_last",
           .help =
               marked("fields", "Whether the loader drops a short last batch. This is not the sampler's drop_last.")}),
      row<kLoader, &Loader::prefetch_factor>(
          {.path = "loader.prefetch_factor",
           .min = 1,
           .max = 4096,
           .unit = "batches per worker",
           .help =
               marked("fields", "Batches that each worker prefetches; this does not change which rank gets what.")}),
      row<kLoader, &Loader::persistent_workers>(
          {.path = "loader.persistent_workers",
           .help = marked("fields",
                          "Whether workers live on between epochs: base_seed is drawn once, and their generators "
                          "continue instead of being seeded again.")}),
      row<kLoader, &Loader::generator_seed>(
          {.path = "loader.generator_seed",
           .kind = K::IntOrName,
           .choices = {"none"},
           .help =
               marked("fields",
                      "Seed of the torch.Generator that every rank hands to its DataLoader: base_seed is drawn from "
                      "it. none: the rank's global generator."),
           .optional = true,
           .is_seed = true}),
      row<kLoader, &Loader::worker_seeds>(
          {.path = "loader.worker_seeds",
           .choices = {"torch", "lightning", "unknown"},
           .help = marked("fields",
                          "How workers are seeded: with base_seed + worker id (torch), by Lightning's worker_init_fn, "
                          "which adds the rank (lightning), or in a way that is not known (unknown)."),
           .optional = true}),
  };
}

std::vector<Entry> loader() {
  std::vector<Entry> rows = batches();
  append(rows, loading());
  return rows;
}

std::vector<Entry> seeds() {
  using Seeds = PipelineSpec::Seeds;
  constexpr auto kSeeds = &PipelineSpec::seeds;
  return {
      row<kSeeds, &Seeds::base>({.path = "seeds.base",
                                 .help = marked("fields",
                                                "The seed that the script passes to torch.manual_seed and "
                                                "np.random.seed, before the rule is applied. A sampler's seed "
                                                "base+rank adds the rank to it, too."),
                                 .is_seed = true}),
      row<kSeeds, &Seeds::rule>(
          {.path = "seeds.rule",
           .choices = {"unseeded", "same", "base+rank", "base+local_rank", "base+data_parallel_rank", "base+rank+epoch",
                       "unknown"},
           .help = marked("fields",
                          "How the script derives each rank's seed from the base. unseeded: the "
                          "script never seeds, as in a file without the section seeds. unknown: it is not "
                          "known whether or how the script seeds.")}),
  };
}

/// What only the framework lens looks at.
std::vector<Entry> lightning() {
  using Lightning = PipelineSpec::Framework::Lightning;
  constexpr auto kFramework = &PipelineSpec::framework;
  constexpr auto kLightning = &PipelineSpec::Framework::lightning;
  return {
      row<kFramework, kLightning, &Lightning::stage>(
          {.path = "framework.lightning.stage",
           .choices = {"train", "validate", "test", "predict"},
           .help = marked("fields",
                          "What the Trainer uses the loader for; in training it always shuffles. Used by the framework "
                          "lens and the audit."),
           .optional = true}),
      row<kFramework, kLightning, &Lightning::strategy>(
          {.path = "framework.lightning.strategy",
           .choices = {"auto", "ddp"},
           .help = marked("fields",
                          "Trainer(strategy=...): auto means ddp on several ranks. With ddp, as with fsdp and "
                          "deepspeed, Lightning replaces samplers even on one rank."),
           .optional = true}),
      row<kFramework, kLightning, &Lightning::use_distributed_sampler>(
          {.path = "framework.lightning.use_distributed_sampler",
           .help = marked("fields",
                          "Trainer(use_distributed_sampler=...), called replace_sampler_ddp before Lightning 2.0: "
                          "whether it may replace samplers."),
           .optional = true}),
      row<kFramework, kLightning, &Lightning::overfit_batches>(
          {.path = "framework.lightning.overfit_batches",
           .min = 0,
           .max = kMostSamples,
           .unit = "batches",
           .help = marked("fields",
                          "Trainer(overfit_batches=...): uses only the first batches, without shuffling; 0 means off."),
           .optional = true}),
      row<kFramework, kLightning, &Lightning::global_seed>(
          {.path = "framework.lightning.global_seed",
           .min = 0,
           .max = 4'294'967'295,
           .help = marked(
               "fields",
               "PL_GLOBAL_SEED, which seed_everything sets: the seed of the samplers that Lightning adds; 0 if unset."),
           .optional = true}),
      row<kFramework, kLightning, &Lightning::dataloader_hook>(
          {.path = "framework.lightning.dataloader_hook",
           .help = marked("fields",
                          "Whether the loader is created inside a *_dataloader hook, where Lightning records "
                          "constructor arguments."),
           .optional = true}),
  };
}

std::vector<Entry> framework() {
  using Framework = PipelineSpec::Framework;
  constexpr auto kFramework = &PipelineSpec::framework;
  std::vector<Entry> rows = {
      row<kFramework, &Framework::torch>(
          {.path = "framework.torch",
           .choices = {"1.13", "2.6", "2.9"},
           .help = marked("fields", "The PyTorch version to reproduce, where versions differ.")}),
      row<kFramework, &Framework::torch_mkl>(
          {.path = "framework.torch_mkl",
           .help = marked("fields",
                          "Whether this PyTorch was built with MKL, as the usual x86 wheels are; "
                          "torch.backends.mkl.is_available() tells. In PyTorch 2.0 to 2.6, MKL draws samples without "
                          "replacement with a different generator."),
           .optional = true}),
      row<kFramework, &Framework::torchdata>(
          {.path = "framework.torchdata",
           .choices = {"0.11", "0.12"},
           .help = marked("fields",
                          "The torchdata version, which decides how a run continues: since 0.12 (main branch, 3 "
                          "December 2025) the state of a StatefulDistributedSampler holds the epoch."),
           .optional = true}),
  };
  for (Entry& entry : lightning()) rows.push_back(std::move(entry));
  return rows;
}

using Phase = PipelineSpec::Phase;

std::vector<Item<Phase>> whatItems() {
  return {
      item<&Phase::what, Phase>(
          {.path = "do",
           .choices = {"load", "compute", "host", "all_reduce", "reduce_scatter", "all_gather", "broadcast",
                       "all_to_all", "barrier", "send", "recv", "ddp", "fsdp", "zero_first", "rank0_saves",
                       "evaluation"},
           .help = marked("fields",
                          "What a rank does: it loads, computes, works on the host, or calls a collective, which waits "
                          "for every rank of the group; send waits for recv. ddp, fsdp, zero_first, rank0_saves and "
                          "evaluation stand for several phases."),
           .required = true}),
      item<&Phase::at, Phase>({.path = "at",
                               .choices = {"start", "epoch_start", "step", "epoch_end", "end"},
                               .help = marked("fields",
                                              "When: once before or after all epochs, before or after the steps of "
                                              "each epoch, or in each step of the rank.")}),
      item<&Phase::condition, Phase>(
          {.path = "if",
           .help = marked("fields",
                          "Which ranks do it, and in which steps or epochs: always, or comparisons such as rank == 0, "
                          "local_rank in [0, 1], step % 100 == 0 and group_rank != last, joined by and.")}),
  };
}

/// What moves data.
std::vector<std::string> movers() {
  return {"all_reduce", "reduce_scatter", "all_gather", "broadcast", "all_to_all", "send", "recv"};
}

/// All but presets.
std::vector<std::string> singlePhases() {
  std::vector<std::string> phases = movers();
  for (const char* other : {"barrier", "load", "compute", "host"}) phases.emplace_back(other);
  return phases;
}

/// What ranks do alone has a group, too: group_rank is a rank of it, and ranks in none of `ranks` leave it out.
std::vector<Item<Phase>> groupItems() {
  return {
      item<&Phase::group, Phase>(
          {.path = "group",
           .choices = {"world", "tensor", "context", "data", "pipeline", "expert", "expert_data"},
           .help = marked("fields",
                          "Whom a collective waits for: all ranks, or those of the rank's own group along a dimension "
                          "of world.groups."),
           .of = singlePhases()}),
      item<&Phase::ranks, Phase>(
          {.path = "ranks",
           .kind = K::Lists,
           .min = 0,
           .max = kMostRanks,
           .help = marked("fields",
                          "Groups by the ranks in each, in place of group: [[0, 1], [2, 3]]. Ranks that are in none of "
                          "them leave the phase out."),
           .of = singlePhases()}),
  };
}

std::vector<Item<Phase>> amountItems() {
  return {
      item<&Phase::op, Phase>({.path = "op",
                               .choices = {"sum", "avg", "max"},
                               .help = marked("fields", "What all_reduce and reduce_scatter make of the values."),
                               .of = {"all_reduce", "reduce_scatter"}}),
      item<&Phase::peer, Phase>(
          {.path = "peer",
           .kind = K::IntOrName,
           .min = 0,
           .max = kMostRanks,
           .choices = {"next", "previous"},
           .help = marked("fields",
                          "The other rank of send and recv, by its number in the group, or next or previous in a ring; "
                          "of broadcast, the rank whose values are sent, 0 where no number is given."),
           .of = {"broadcast", "send", "recv"}}),
      item<&Phase::ms, Phase>({.path = "ms",
                               .min = 0,
                               .max = 3'600'000,
                               .unit = "ms",
                               .help = marked("fields",
                                              "How long load, compute or host takes, or, for the prediction, a "
                                              "collective or message once all of its ranks are there."),
                               .of = singlePhases()}),
      item<&Phase::kb, Phase>({.path = "kb",
                               .min = 0,
                               .max = 10'000'000,
                               .unit = "kB",
                               .help = marked("fields", "Size of what a rank gives to a collective, or sends."),
                               .of = movers()}),
      item<&Phase::values, Phase>(
          {.path = "values",
           .kind = K::Lists,
           .min = -1'000'000,
           .max = 1'000'000,
           .help = marked("fields",
                          "The numbers that each rank gives to all_reduce, rank 0 first: [[1, 2], [3, 4]]. They travel "
                          "as 32-bit floats, and `shardlens rehearse` holds the result against the predicted one."),
           .of = {"all_reduce"}}),
  };
}

const std::vector<Item<Phase>>& phaseItems() {
  static const std::vector<Item<Phase>> kItems = [] {
    std::vector<Item<Phase>> items = whatItems();
    for (auto* more : {groupItems, amountItems})
      for (Item<Phase>& item : more()) items.push_back(std::move(item));
    return items;
  }();
  return kItems;
}

std::vector<Entry> schedule() {
  return {
      {{.path = "schedule",
        .kind = K::Records,
        .fallback = RecordList(),
        .help = marked("fields",
                       "What each rank does, phase by phase: `shardlens audit` says where that would hang. Empty means "
                       "that nothing is said about it."),
        .optional = true,
        .items = fieldsOf(phaseItems())},
       [](const PipelineSpec& spec) { return recordsOf(spec.schedule, phaseItems()); },
       [](PipelineSpec& spec, const Value& value) { spec.schedule = objectsOf(value, phaseItems()); }},
  };
}

using Delay = PipelineSpec::Run::Delay;

constexpr std::int64_t kMostSteps = 1'000'000'000'000;

const std::vector<Item<Delay>>& delayItems() {
  static const std::vector<Item<Delay>> kItems = {
      item<&Delay::rank, Delay>({.path = "rank",
                                 .min = 0,
                                 .max = kMostRanks,
                                 .help = marked("fields", "The rank to slow down."),
                                 .required = true}),
      item<&Delay::ms, Delay>({.path = "ms",
                               .min = 0,
                               .max = 3'600'000,
                               .unit = "ms per step",
                               .help = marked("fields", "How much longer each of these steps takes on that rank."),
                               .required = true}),
      item<&Delay::phase, Delay>({.path = "phase",
                                  .choices = {"load", "compute"},
                                  .help = marked("fields", "Where the rank spends the extra time.")}),
      item<&Delay::from_step, Delay>(
          {.path = "from_step",
           .min = 0,
           .max = kMostSteps,
           .help = marked("fields", "The first slowed step, counted from 0 over all epochs.")}),
      item<&Delay::until_step, Delay>({.path = "until_step",
                                       .min = 0,
                                       .max = kMostSteps,
                                       .help = marked("fields",
                                                      "The first step at normal speed again, counted over all epochs; "
                                                      "0 means that all later steps are slowed.")}),
  };
  return kItems;
}

std::vector<Entry> run() {
  using Run = PipelineSpec::Run;
  constexpr auto kRun = &PipelineSpec::run;
  return {
      row<kRun, &Run::launcher>({.path = "run.launcher",
                                 .choices = {"mpirun", "torchrun", "srun", "plain"},
                                 .help = marked("fields", "The program that starts the ranks.")}),
      row<kRun, &Run::program>(
          {.path = "run.program",
           .choices = {"mpi_rank", "nccl_rank", "socket_rank"},
           .help = marked(
               "fields",
               "The stand-in program that runs on every rank: it reduces gradients over MPI, over NCCL on GPUs, or "
               "over a socket. socket_rank also replaces mpi_rank under a launcher that does not start MPI.")}),
      row<kRun, &Run::load_ms>({.path = "run.load_ms",
                                .min = 0,
                                .max = 60'000,
                                .unit = "ms per batch",
                                .help = marked("fields", "Time that a rank takes to load one batch.")}),
      row<kRun, &Run::compute_ms>({.path = "run.compute_ms",
                                   .min = 0,
                                   .max = 60'000,
                                   .unit = "ms per step",
                                   .help = marked("fields", "Time that a rank takes to compute one step.")}),
      row<kRun, &Run::gradient_kb>(
          {.path = "run.gradient_kb",
           .min = 0,
           .max = 10'000'000,
           .unit = "kB",
           .help = marked("fields", "Size of the buffer that all ranks reduce in each step.")}),
      {{.path = "run.delays",
        .kind = K::Records,
        .fallback = RecordList(),
        .help =
            marked("fields",
                   "Ranks that are slowed on purpose, each over a range of steps; empty means that no rank is slowed."),
        .items = fieldsOf(delayItems())},
       [](const PipelineSpec& spec) { return recordsOf(spec.run.delays, delayItems()); },
       [](PipelineSpec& spec, const Value& value) { spec.run.delays = objectsOf(value, delayItems()); }},
  };
}

using Budget = PipelineSpec::Check::Budget;

const std::vector<Item<Budget>>& budgetItems() {
  static const std::vector<Item<Budget>> kItems = {
      item<&Budget::of, Budget>(
          {.path = "of",
           .choices = {"missing", "repeated", "padded", "shared", "uneven", "same_epochs", "colliding_seeds"},
           .help = marked("fields",
                          "What is limited: samples that an epoch leaves out, further readings of a sample, padding, "
                          "samples that two ranks share, batches by which ranks differ, epochs that repeat an earlier "
                          "one, or processes with the seed of another one."),
           .required = true}),
      item<&Budget::most, Budget>({.path = "most",
                                   .min = 0,
                                   .max = 1'000'000'000'000'000,
                                   .help = marked("fields", "The most that the plan may have of it in any epoch.")}),
      item<&Budget::unit, Budget>(
          {.path = "unit",
           .choices = {"count", "percent"},
           .help = marked("fields",
                          "Whether the limit counts, or is a percentage: of the dataset, of the items handed out, of "
                          "the smaller rank's samples, of the longest rank's batches, of the epochs, of the "
                          "processes.")}),
  };
  return kItems;
}

std::vector<Entry> check() {
  using Check = PipelineSpec::Check;
  return {
      {{.path = "check.budgets",
        .kind = K::Records,
        .fallback = RecordList(),
        .help = marked("fields", "Limits that `shardlens check` holds the plan to; empty means that there are none."),
        .optional = true,
        .items = fieldsOf(budgetItems())},
       [](const PipelineSpec& spec) { return recordsOf(spec.check.budgets, budgetItems()); },
       [](PipelineSpec& spec, const Value& value) { spec.check.budgets = objectsOf(value, budgetItems()); }},
      row<&PipelineSpec::check, &Check::findings>(
          {.path = "check.findings",
           .choices = {"error", "warning", "none"},
           .help = marked("fields", "The mildest finding of the audit that fails `shardlens check`."),
           .optional = true}),
  };
}

std::vector<Entry> allRows() {
  std::vector<Entry> rows = {row<&PipelineSpec::name>(
      {.path = "name", .help = marked("fields", "Name of this pipeline in titles and recordings.")})};
  append(rows, dataset());
  append(rows, world());
  append(rows, loader());
  rows.push_back(row<&PipelineSpec::sampler, &PipelineSpec::Sampler::type>(
      {.path = "sampler.type",
       .help = marked("fields", "The class that hands out the samples, by the framework's own name.")}));
  append(rows, seeds());
  append(rows, framework());
  rows.push_back(row<&PipelineSpec::epochs>({.path = "epochs",
                                             .min = 1,
                                             .max = 1'000'000,
                                             .unit = "epochs",
                                             .help = marked("fields", "Passes over the dataset.")}));
  append(rows, schedule());
  append(rows, run());
  append(rows, check());
  return rows;
}

}  // namespace

const std::vector<Entry>& entries() {
  static const std::vector<Entry> kEntries = allRows();
  return kEntries;
}

const Entry* findEntry(const std::string& path) {
  for (const Entry& entry : entries()) {
    if (entry.field.path == path) return &entry;
  }
  return nullptr;
}

}  // namespace shardlens::fields
