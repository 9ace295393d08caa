// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/spec/fields/entry.h"

#include <iterator>

namespace shardlens::fields {
namespace {

void append(std::vector<Entry>& rows, std::vector<Entry> section) {
  rows.insert(rows.end(), std::make_move_iterator(section.begin()), std::make_move_iterator(section.end()));
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

namespace {

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

}  // namespace

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
        .kind = FieldKind::IntOrList,
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

namespace {

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
  using K = FieldKind;
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

}  // namespace

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

namespace {

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

}  // namespace

std::vector<Entry> check() {
  using K = FieldKind;
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

}  // namespace shardlens::fields
