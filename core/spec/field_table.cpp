// SPDX-License-Identifier: Apache-2.0
#include "core/spec/field_table.h"

#include <array>
#include <cassert>
#include <cstdint>

namespace shardlens {
namespace {

using Spec = PipelineSpec;
constexpr std::int64_t kMaxSamples = 4'000'000'000;
constexpr std::int64_t kMaxRanks = 100'000;

/// A field with the place of its value inside the spec.
struct Entry {
  Field field;
  Value (*get)(const Spec&);
  void (*set)(Spec&, const Value&);
};

#define SHARDLENS_MEMBER(type, member)                          \
  [](const Spec& spec) -> Value { return Value(spec.member); }, \
      [](Spec& spec, const Value& value) { spec.member = std::get<type>(value); }

using Int = std::int64_t;
using Text = std::string;

const std::vector<Entry>& entries() {
  using K = FieldKind;
  static const Spec kDefaults;
  static const std::vector<Entry> kEntries = {
      {{"name", K::Text, kDefaults.name, 0, 0, {}, "", "What this pipeline is called in titles and recordings."},
       SHARDLENS_MEMBER(Text, name)},
      {{"dataset.size",
        K::Int,
        kDefaults.dataset.size,
        0,
        kMaxSamples,
        {},
        "samples",
        "len(dataset): how many samples there are."},
       SHARDLENS_MEMBER(Int, dataset.size)},
      {{"dataset.shards",
        K::Indices,
        kDefaults.dataset.shards,
        0,
        kMaxSamples,
        {},
        "samples each",
        "Samples in each stored piece (file, tar), in their order; none means one piece.",
        true},
       SHARDLENS_MEMBER(IndexList, dataset.shards)},
      {{"dataset.lengths",
        K::Indices,
        kDefaults.dataset.lengths,
        0,
        INT64_MAX,
        {},
        "tokens each",
        "Length of each sample, for samplers that group by length.",
        true},
       SHARDLENS_MEMBER(IndexList, dataset.lengths)},
      {{"dataset.labels",
        K::Indices,
        kDefaults.dataset.labels,
        INT64_MIN,
        INT64_MAX,
        {},
        "class of each",
        "Class of each sample, for samplers that balance classes.",
        true},
       SHARDLENS_MEMBER(IndexList, dataset.labels)},
      {{"world.nodes", K::Int, kDefaults.world.nodes, 1, kMaxRanks, {}, "nodes", "Machines of the job."},
       SHARDLENS_MEMBER(Int, world.nodes)},
      {{"world.ranks_per_node",
        K::Int,
        kDefaults.world.ranks_per_node,
        1,
        kMaxRanks,
        {},
        "ranks",
        "Processes on each node, usually one a GPU."},
       SHARDLENS_MEMBER(Int, world.ranks_per_node)},
      {{"loader.batch_size",
        K::Int,
        kDefaults.loader.batch_size,
        1,
        kMaxSamples,
        {},
        "per rank",
        "Samples in a batch of one rank; the global batch is this times the replicas."},
       SHARDLENS_MEMBER(Int, loader.batch_size)},
      {{"loader.num_workers",
        K::Int,
        kDefaults.loader.num_workers,
        0,
        4096,
        {},
        "per rank",
        "DataLoader worker processes inside one rank; 0 loads in the rank itself."},
       SHARDLENS_MEMBER(Int, loader.num_workers)},
      {{"loader.drop_last",
        K::Bool,
        kDefaults.loader.drop_last,
        0,
        0,
        {},
        "",
        "The loader drops a short last batch. Not the sampler's drop_last."},
       SHARDLENS_MEMBER(bool, loader.drop_last)},
      {{"loader.prefetch_factor",
        K::Int,
        kDefaults.loader.prefetch_factor,
        1,
        4096,
        {},
        "batches per worker",
        "Batches each worker loads ahead; does not change who gets what."},
       SHARDLENS_MEMBER(Int, loader.prefetch_factor)},
      {{"loader.persistent_workers",
        K::Bool,
        kDefaults.loader.persistent_workers,
        0,
        0,
        {},
        "",
        "Workers live on between epochs: base_seed is drawn once, and their generators go on instead of being seeded "
        "again."},
       SHARDLENS_MEMBER(bool, loader.persistent_workers)},
      {{"sampler.type",
        K::Text,
        kDefaults.sampler.type,
        0,
        0,
        {},
        "",
        "The framework's own class that deals the samples."},
       SHARDLENS_MEMBER(Text, sampler.type)},
      {{"seeds.base",
        K::Int,
        kDefaults.seeds.base,
        INT64_MIN,
        INT64_MAX,
        {},
        "",
        "The number that the script hands to torch.manual_seed, and to np.random.seed, before the rule."},
       SHARDLENS_MEMBER(Int, seeds.base)},
      {{"seeds.rule",
        K::Choice,
        kDefaults.seeds.rule,
        0,
        0,
        {"same", "base+rank", "base+local_rank", "base+rank+epoch"},
        "",
        "How the script makes each rank's seed from the base."},
       SHARDLENS_MEMBER(Text, seeds.rule)},
      {{"framework.torch",
        K::Choice,
        kDefaults.framework.torch,
        0,
        0,
        {"1.13", "2.6", "2.9"},
        "",
        "The PyTorch version whose behaviour is reproduced, where versions differ."},
       SHARDLENS_MEMBER(Text, framework.torch)},
      {{"framework.torch_mkl",
        K::Bool,
        kDefaults.framework.torch_mkl,
        0,
        0,
        {},
        "",
        "Whether that PyTorch was built with MKL, as the usual x86 wheels are; torch.backends.mkl.is_available() says "
        "it. MKL draws samples without replacement in a way of its own.",
        true},
       SHARDLENS_MEMBER(bool, framework.torch_mkl)},
      {{"framework.lightning.stage",
        K::Choice,
        kDefaults.framework.lightning.stage,
        0,
        0,
        {"train", "validate", "test", "predict"},
        "",
        "What the Trainer does with the loader; in training it always shuffles. For the framework lens.",
        true},
       SHARDLENS_MEMBER(Text, framework.lightning.stage)},
      {{"framework.lightning.use_distributed_sampler",
        K::Bool,
        kDefaults.framework.lightning.use_distributed_sampler,
        0,
        0,
        {},
        "",
        "Trainer(use_distributed_sampler=...): whether it may replace samplers on several ranks.",
        true},
       SHARDLENS_MEMBER(bool, framework.lightning.use_distributed_sampler)},
      {{"framework.lightning.overfit_batches",
        K::Int,
        kDefaults.framework.lightning.overfit_batches,
        0,
        kMaxSamples,
        {},
        "batches",
        "Trainer(overfit_batches=...): turns shuffling off and uses only so many batches; 0 is off.",
        true},
       SHARDLENS_MEMBER(Int, framework.lightning.overfit_batches)},
      {{"framework.lightning.global_seed",
        K::Int,
        kDefaults.framework.lightning.global_seed,
        0,
        4'294'967'295,
        {},
        "",
        "PL_GLOBAL_SEED, as seed_everything sets it: the seed of samplers that Lightning puts in; 0 without.",
        true},
       SHARDLENS_MEMBER(Int, framework.lightning.global_seed)},
      {{"framework.lightning.dataloader_hook",
        K::Bool,
        kDefaults.framework.lightning.dataloader_hook,
        0,
        0,
        {},
        "",
        "Whether the loader is made inside a *_dataloader hook, where Lightning records constructor arguments.",
        true},
       SHARDLENS_MEMBER(bool, framework.lightning.dataloader_hook)},
      {{"epochs", K::Int, kDefaults.epochs, 1, 1'000'000, {}, "epochs", "Passes over the dataset."},
       SHARDLENS_MEMBER(Int, epochs)},
      {{"run.launcher", K::Choice, kDefaults.run.launcher, 0, 0, {"mpirun"}, "", "What starts the ranks."},
       SHARDLENS_MEMBER(Text, run.launcher)},
      {{"run.program",
        K::Choice,
        kDefaults.run.program,
        0,
        0,
        {"mpi_rank", "nccl_rank"},
        "",
        "The program that runs as every rank: gradients over MPI, or over NCCL on GPUs."},
       SHARDLENS_MEMBER(Text, run.program)},
      {{"run.load_ms",
        K::Float,
        kDefaults.run.load_ms,
        0,
        60'000,
        {},
        "ms per batch",
        "Time a rank spends loading one batch."},
       SHARDLENS_MEMBER(double, run.load_ms)},
      {{"run.compute_ms",
        K::Float,
        kDefaults.run.compute_ms,
        0,
        60'000,
        {},
        "ms per step",
        "Time a rank spends computing in one step."},
       SHARDLENS_MEMBER(double, run.compute_ms)},
      {{"run.gradient_kb",
        K::Int,
        kDefaults.run.gradient_kb,
        0,
        10'000'000,
        {},
        "kB",
        "Size of the buffer that all ranks reduce in every step."},
       SHARDLENS_MEMBER(Int, run.gradient_kb)},
      {{"run.delay.rank",
        K::Int,
        kDefaults.run.delay_rank,
        0,
        kMaxRanks,
        {},
        "",
        "The rank that is slowed on purpose."},
       SHARDLENS_MEMBER(Int, run.delay_rank)},
      {{"run.delay.ms",
        K::Float,
        kDefaults.run.delay_ms,
        0,
        3'600'000,
        {},
        "ms per step",
        "How much that rank is slowed; 0 slows nobody."},
       SHARDLENS_MEMBER(double, run.delay_ms)},
      {{"run.delay.phase",
        K::Choice,
        kDefaults.run.delay_phase,
        0,
        0,
        {"load", "compute"},
        "",
        "Where the slowed rank spends the extra time."},
       SHARDLENS_MEMBER(Text, run.delay_phase)},
  };
  return kEntries;
}

#undef SHARDLENS_MEMBER

const Entry* findEntry(const std::string& path) {
  for (const Entry& entry : entries()) {
    if (entry.field.path == path) return &entry;
  }
  return nullptr;
}

const Field& parameterField(const SamplerInfo& info, const std::string& key) {
  for (const Field& field : info.parameters) {
    if (field.key() == key) return field;
  }
  assert(false && "the sampler does not take this parameter");
  return info.parameters.front();
}

}  // namespace

std::span<const Field> fixedFields() {
  static const std::vector<Field> kFields = [] {
    std::vector<Field> fields;
    for (const Entry& entry : entries()) fields.push_back(entry.field);
    return fields;
  }();
  return kFields;
}

std::vector<const Field*> fieldsOf(const PipelineSpec& spec, SamplerCatalogue catalogue) {
  std::vector<const Field*> fields;
  const SamplerInfo* sampler = findSampler(catalogue, spec.sampler.type);
  for (const Field& field : fixedFields()) {
    fields.push_back(&field);
    if (field.path != "sampler.type" || sampler == nullptr) continue;
    for (const Field& parameter : sampler->parameters) fields.push_back(&parameter);
  }
  return fields;
}

const Field* findField(const PipelineSpec& spec, SamplerCatalogue catalogue, const std::string& path) {
  for (const Field* field : fieldsOf(spec, catalogue)) {
    if (field->path == path) return field;
  }
  return nullptr;
}

Value getValue(const PipelineSpec& spec, const Field& field) {
  if (const Entry* entry = findEntry(field.path)) return entry->get(spec);
  const auto found = spec.sampler.parameters.find(field.key());
  return found == spec.sampler.parameters.end() ? field.fallback : found->second;
}

void setValue(PipelineSpec& spec, const Field& field, Value value) {
  assert(!checkValue(field, value));
  if (const Entry* entry = findEntry(field.path)) {
    entry->set(spec, value);
  } else {
    spec.sampler.parameters[field.key()] = std::move(value);
  }
}

Value parameter(const PipelineSpec& spec, const SamplerInfo& info, const std::string& key) {
  return getValue(spec, parameterField(info, key));
}

std::int64_t intParameter(const PipelineSpec& spec, const SamplerInfo& info, const std::string& key) {
  return std::get<std::int64_t>(parameter(spec, info, key));
}

bool boolParameter(const PipelineSpec& spec, const SamplerInfo& info, const std::string& key) {
  return std::get<bool>(parameter(spec, info, key));
}

}  // namespace shardlens
