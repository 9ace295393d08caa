// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/recorded_lists.h"
#include "core/sampling/script_seed.h"
#include "core/spec/field_table.h"
#include "core/spec/pipeline_spec.h"
#include "core/yaml/export_parts.h"
#include "core/yaml/exporter.h"
#include "core/yaml/spec_writer.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace shardlens::yaml {
namespace {

constexpr const char* kThisRank = R"(NODES = WORLD_SIZE // RANKS_PER_NODE

# The variables of those who start processes: rank, world size, local rank. The nearest to the process comes first: below
# mpirun the variables of Slurm are those of the batch script.
LAUNCHERS = [
    ("RANK", "WORLD_SIZE", "LOCAL_RANK"),
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"),
    ("PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"),
    ("SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"),
]


def place():
    """Rank and world size of this process and their source; None when there is no source."""
    env = os.environ
    if torch.distributed.is_available() and torch.distributed.is_initialized():
        return torch.distributed.get_rank(), torch.distributed.get_world_size(), "torch.distributed"
    local_rank = env.get("LOCAL_RANK")
    said = []
    for rank, world_size, local in LAUNCHERS:
        is_of_parent = local_rank is not None and env.get(local, local_rank) != local_rank
        if rank == "SLURM_PROCID" and "SLURM_JOB_ID" in env and "SLURM_STEP_ID" not in env:
            continue  # Slurm says 0 to a batch script, which is no rank: only srun starts the ranks
        if rank in env and (world_size in env or rank == "RANK") and not is_of_parent:
            said.append((int(env[rank]), int(env.get(world_size, WORLD_SIZE)), rank))
    if said:
        check_left_over(said)
        return said[0]
    if local_rank is not None and (NODES == 1 or "NODE_RANK" in env) and int(local_rank) < RANKS_PER_NODE:
        rank = int(env.get("NODE_RANK", "0")) * RANKS_PER_NODE + int(local_rank)  # Lightning's own launcher
        return rank, int(env.get("WORLD_SIZE", WORLD_SIZE)), "LOCAL_RANK"
    if WORLD_SIZE == 1 and local_rank is None:
        return 0, int(env.get("WORLD_SIZE", "1")), "the plan"
    return None


def check_left_over(said):
    """Raises when RANK may be that of another process: one that was exported before the launcher started."""
    env = os.environ
    rank, world_size, source = said[0]
    if source != "RANK" or "TORCHELASTIC_RUN_ID" in env or "SHARDLENS_JOB_DIR" in env:
        return
    others = [(name, other) for other, size, name in said[1:] if size == world_size]
    if NODES == 1 and "LOCAL_RANK" in env:
        others.append(("LOCAL_RANK", int(env["LOCAL_RANK"])))
    for name, other in others:
        if other != rank:
            raise RuntimeError(
                f"RANK says {rank} and {name} says {other}: unset the one that is left over from another launcher")


def this_rank():
    """The rank of this process. Raises when it is unknown, or when the job is not the planned one."""
    found = place()
    if found is None:
        raise RuntimeError(
            f"nothing says which of {WORLD_SIZE} ranks this process is: call torch.distributed.init_process_group "
            "first, or start it with torchrun, srun, mpirun or shardlens run")
    rank, world_size, source = found
    if world_size != WORLD_SIZE:
        raise RuntimeError(f"planned for a world size of {WORLD_SIZE}; {source} says {world_size}")
    if not 0 <= rank < WORLD_SIZE:
        raise RuntimeError(f"planned for ranks 0 to {WORLD_SIZE - 1}; {source} says {rank}")
    return rank


)";

/// Python: data_parallel_rank(), where ranks divide one copy of the model.
std::string pythonGroups(const PipelineSpec& spec) {
  if (spec.world.groups.ranksOfModel() == 1) return {};
  const std::vector<Rank> group = spec.world.groups.groupOf(Rank{0}, Parallelism::Data, spec.worldSize());
  const std::int64_t apart = group.size() > 1 ? group[1].value - group[0].value : 1;
  return "def data_parallel_rank(rank):\n    \"\"\"The copy of the model that the rank belongs to, of ranks in the "
         "order " +
         spec.world.groups.order + ".\"\"\"\n    return rank // " + std::to_string(apart) +
         " % DATA_PARALLEL_SIZE\n\n\n";
}

/// Python: the planned world and dataset as constants, and this_rank(), which asks torch.distributed, then the
/// launcher's variables, and raises when neither says which rank it is or when the job is not the planned one. Nothing
/// is read when the module is imported.
std::string pythonPlace(const PipelineSpec& spec) {
  return "# What the plan is for.\nWORLD_SIZE = " + std::to_string(spec.worldSize()) +
         "\nRANKS_PER_NODE = " + std::to_string(spec.world.mostRanksOnNode()) +
         (spec.world.groups.ranksOfModel() == 1
              ? ""
              : "\nDATA_PARALLEL_SIZE = " + std::to_string(spec.world.dataParallelSize())) +
         "\nSAMPLES = " + std::to_string(spec.dataset.size) + "\n" + kThisRank + pythonGroups(spec);
}

constexpr std::size_t kMostInCode = 16'000;  ///< characters of a spec that stands in the code
constexpr const char* kSpecFile = "pipeline.yaml";

std::string packageHeader(const PipelineSpec& spec, const ExportContext& context) {
  const std::string use =
      isSeeded(spec) ? "# In a training script call plan.seed_everything() before the model is made, then read "
                       "batches(dataset).\n"
                     : "# In a training script read batches(dataset). Nothing is seeded here, as the plan says.\n";
  return "# " + oneLine(spec.name) + ": the batches of every rank, as ShardLens plans them.\n" + auditComment(context) +
         (spec.world.ranks_per_node.ofEveryNode()
              ? spec.sampler.type == sampling::kRecordedBatches
                    ? std::string("# No class of torch deals the batches as they were recorded:")
                    : "# torch has no class that deals as " + spec.sampler.type + " does:"
              : std::string("# Nodes have different numbers of ranks, which no constant of a script says:")) +
         " the ids come from the plan itself, by the Python\n"
         "# package of ShardLens (its .deb has it, or its wheel). Which loader worker reads a batch is up to the "
         "DataLoader.\n" +
         use + "# Run as it is, it prints this rank's batches of sample indices.\n";
}

/// A Python text over several lines. What would end it, or begin an escape, is escaped.
std::string longText(const std::string& text) {
  std::string out = "\"\"\"\\\n";
  for (const char c : text) out += c == '\\' || c == '"' ? std::string("\\") + c : std::string(1, c);
  return out + "\"\"\"";
}

std::string packageArguments(const PipelineSpec& spec) {
  std::string out = "dataset, batch_sampler=plan.batch_sampler(), num_workers=plan.num_workers";
  if (spec.loader.num_workers == 0) return out;  // torch refuses the others without workers
  return out + ",\n        prefetch_factor=" + std::to_string(spec.loader.prefetch_factor) +
         ", persistent_workers=" + pythonValue(spec.loader.persistent_workers);
}

std::string packageFunctions(const PipelineSpec& spec) {
  const bool every_epoch = spec.seeds.rule == "base+rank+epoch";
  return "def make_loader(dataset, **options):\n    \"\"\"`options` are further ones of DataLoader, such as "
         "collate_fn.\"\"\"\n"
         "    plan.check(dataset)  # its size, and the world of this job\n"
         "    return DataLoader(\n        " +
         packageArguments(spec) +
         ", **options)\n\n\n"
         "def batches(dataset, **options):\n    \"\"\"Yields (epoch, step, batch) of this rank.\"\"\"\n"
         "    loader = make_loader(dataset, **options)\n"
         "    for epoch in range(plan.epochs):\n" +
         (every_epoch ? "        plan.seed_everything(epoch)\n" : "") +
         "        loader.batch_sampler.set_epoch(epoch)\n"
         "        for step, batch in enumerate(loader):\n"
         "            yield epoch, step, batch\n\n\n"
         "if __name__ == \"__main__\":\n" +
         (isSeeded(spec) ? "    plan.seed_everything()\n" : "") +
         "    for epoch, step, batch in batches(range(plan.dataset_size)):  # sample i is the number i\n"
         "        print(epoch, step, batch.tolist())\n";
}

/// loader.py for any sampler: it takes its batches from the plan, by the Python package of ShardLens
/// (resources/python). A long spec is a file of its own beside it.
std::vector<ExportFile> packageLoader(const PipelineSpec& spec, SamplerCatalogue catalogue,
                                      const ExportContext& context) {
  const std::string text = writeSpec(spec, catalogue);
  const bool is_long = text.size() > kMostInCode;
  const std::string imports =
      std::string(is_long ? "import os\n\n" : "") + "import shardlens\nfrom torch.utils.data import DataLoader\n\n";
  const std::string source =
      is_long ? "os.path.join(os.path.dirname(os.path.abspath(__file__)), " + pythonText(kSpecFile) + ")"
              : longText(text);
  std::vector<ExportFile> files = {{"loader.py", packageHeader(spec, context) + imports + "plan = shardlens.Plan(" +
                                                     source + ")\n\n\n" + packageFunctions(spec)}};
  if (is_long) files.push_back({kSpecFile, text});
  return files;
}

bool flag(const PipelineSpec& spec, SamplerCatalogue catalogue, const std::string& key) {
  const Value value = samplerParameter(spec, catalogue, key);
  return std::holds_alternative<bool>(value) && std::get<bool>(value);
}

/// The spec's names of numbers that a process knows about itself; numbers stay numbers.
std::string processNumber(const PipelineSpec& spec, const Value& value) {
  static const std::map<std::string, const char*> kNumbers = {
      {"rank", "rank"},
      {"data_parallel_rank", "rank"},
      {"local_rank", "rank % RANKS_PER_NODE"},
      {"node", "rank // RANKS_PER_NODE"},
      {"world_size", "WORLD_SIZE"},
      {"data_parallel_size", "WORLD_SIZE"},
      {"ranks_per_node", "RANKS_PER_NODE"},
      {"nodes", "NODES"},
      {kNodesTimesRanks, "NODES * RANKS_PER_NODE"},
  };
  const auto* name = std::get_if<std::string>(&value);
  if (name == nullptr) return pythonValue(value);
  const bool has_peers = spec.world.groups.ranksOfModel() > 1;
  if (has_peers && *name == "data_parallel_rank") return "data_parallel_rank(rank)";
  if (has_peers && *name == "data_parallel_size") return "DATA_PARALLEL_SIZE";
  return kNumbers.at(*name);
}

/// A seed that may be made for each rank.
std::string pythonSeed(const PipelineSpec& spec, const Value& seed) {
  if (!sampling::isRankSeed(seed)) return pythonValue(seed);
  const bool by_rank = seed == Value(std::string("base+rank"));
  return std::to_string(spec.seeds.base) + " + " + processNumber(spec, std::string(by_rank ? "rank" : "local_rank"));
}

/// How one sampler is made in Python.
struct SamplerCode {
  std::string import;
  std::string call;
  std::string generator = {};    ///< what the generator called `generator` is seeded with; empty: there is none
  bool given_to_loader = false;  ///< the DataLoader gets that generator too
  bool draws_globally = false;   ///< its order comes from torch's global generator
  std::string definition = {};   ///< what stands before make_loader(dataset)
  std::string setup = {};        ///< statements in make_loader, before the sampler is made
};

/// Reads the sampler's parameters.
struct Read {
  const PipelineSpec& spec;
  SamplerCatalogue catalogue;
  Value operator()(const char* key) const { return samplerParameter(spec, catalogue, key); }
};

SamplerCode distributedSampler(const Read& read) {
  return {"from torch.utils.data.distributed import DistributedSampler",
          "DistributedSampler(\n        dataset, num_replicas=" + processNumber(read.spec, read("num_replicas")) +
              ", rank=" + processNumber(read.spec, read("rank")) +
              ",\n        shuffle=" + pythonValue(read("shuffle")) + ", seed=" + pythonSeed(read.spec, read("seed")) +
              ", drop_last=" + pythonValue(read("drop_last")) + ")"};
}

SamplerCode sequentialSampler(const Read& /*read*/) {
  return {"from torch.utils.data import SequentialSampler", "SequentialSampler(dataset)"};
}

/// Adds the generator that the spec's parameters `generator` and `generator_seed` describe.
SamplerCode withGenerator(SamplerCode code, const Read& read) {
  const Value use = read("generator");
  code.draws_globally = use == Value(std::string("none"));
  if (code.draws_globally) return code;
  code.generator = pythonSeed(read.spec, read("generator_seed"));
  code.call.insert(code.call.size() - 1, ", generator=generator");
  code.given_to_loader = use == Value(std::string("loader"));
  return code;
}

SamplerCode randomSampler(const Read& read) {
  const Value count = read("num_samples");
  const std::string samples = std::holds_alternative<std::string>(count) ? "None" : pythonValue(count);
  return withGenerator(
      {"from torch.utils.data import RandomSampler",
       "RandomSampler(dataset, replacement=" + pythonValue(read("replacement")) + ", num_samples=" + samples + ")"},
      read);
}

SamplerCode subsetRandomSampler(const Read& read) {
  return withGenerator(
      {"from torch.utils.data import SubsetRandomSampler", "SubsetRandomSampler(" + pythonValue(read("indices")) + ")"},
      read);
}

/// The weights of sampling::weightsField(), written down.
std::string pythonWeights(const Value& weights) {
  static const std::map<std::string, const char*> kPatterns = {
      {"uniform", "1.0"},
      {"ramp", "i + 1.0"},
      {"inverse", "1 / (i + 1)"},
      {"long_tail", "1 / (i % 10 + 1) ** 2"},
      {"zeros_mixed", "0.0 if i % 3 == 0 else (i % 5 + 1) / 7"},
  };
  const auto* name = std::get_if<std::string>(&weights);
  if (name == nullptr) return pythonValue(weights);
  return "[" + std::string(kPatterns.at(*name)) + " for i in range(len(dataset))]";
}

SamplerCode weightedRandomSampler(const Read& read) {
  const Value count = read("num_samples");
  const std::string samples = std::holds_alternative<std::string>(count) ? "len(weights)" : pythonValue(count);
  SamplerCode code{
      "from torch.utils.data import WeightedRandomSampler",
      "WeightedRandomSampler(weights, " + samples + ", replacement=" + pythonValue(read("replacement")) + ")"};
  code.setup = "    weights = " + pythonWeights(read("weights")) + "\n";
  return withGenerator(std::move(code), read);
}

/// How a stream's __iter__ leaves each worker its part.
std::string workersPart(const std::string& split) {
  const std::string head = "        worker = get_worker_info()\n        if worker is not None:\n";
  if (split == "stride") return head + "            indices = indices[worker.id::worker.num_workers]\n";
  if (split == "duplicate") return {};
  return head +
         "            part = -(-len(indices) // worker.num_workers)\n"
         "            indices = indices[worker.id * part:(worker.id + 1) * part]\n";
}

SamplerCode iterableDataset(const Read& read) {
  const bool strides = read("world_split") == Value(std::string("stride"));
  SamplerCode code{"from torch.utils.data import IterableDataset, get_worker_info", "None"};
  code.definition =
      "class Stream(IterableDataset):\n"
      "    \"\"\"The dataset as a stream, divided as ShardLens plans it.\"\"\"\n\n"
      "    def __init__(self, dataset, rank):\n"
      "        self.dataset = dataset\n"
      "        self.rank = rank  # of the process that makes it: workers are others\n\n"
      "    def __iter__(self):\n"
      "        indices = range(" +
      std::string(strides ? "self.rank, len(self.dataset), WORLD_SIZE" : "len(self.dataset)") + ")\n" +
      workersPart(std::get<std::string>(read("worker_split"))) +
      "        return (self.dataset[i] for i in indices)\n\n\n";
  code.setup = "    dataset = Stream(dataset, rank)\n";
  return code;
}

const std::map<std::string, SamplerCode (*)(const Read&)>& samplers() {
  static const std::map<std::string, SamplerCode (*)(const Read&)> kSamplers = {
      {"torch.DistributedSampler", distributedSampler},
      {"torch.IterableDataset", iterableDataset},
      {"torch.RandomSampler", randomSampler},
      {"torch.SequentialSampler", sequentialSampler},
      {"torch.SubsetRandomSampler", subsetRandomSampler},
      {"torch.WeightedRandomSampler", weightedRandomSampler},
  };
  return kSamplers;
}

std::optional<SamplerCode> samplerCode(const PipelineSpec& spec, SamplerCatalogue catalogue) {
  const auto found = samplers().find(spec.sampler.type);
  if (found == samplers().end()) return std::nullopt;
  SamplerCode code = found->second({spec, catalogue});
  code.draws_globally = code.draws_globally && isSeeded(spec);
  return code;
}

std::string header(const PipelineSpec& spec, const SamplerCode& sampler, const ExportContext& context) {
  return "# " + oneLine(spec.name) + ": the DataLoader of every rank, as ShardLens plans it.\n" +
         auditComment(context) +
         (isSeeded(spec)
              ? "# In a training script call seed_everything() before the model is made, then read batches(dataset).\n"
              : "# In a training script read batches(dataset). Nothing is seeded here" +
                    std::string(neverSeeds(spec) ? ", as the plan says.\n" : ": the plan does not say how.\n")) +
         "# Run as it is, it prints this rank's batches of sample indices.\n"
         "import os\n" +
         (isSeeded(spec) ? "import random\nimport warnings\n" : "") +
         "\n"
         "import torch\n"
         "import torch.distributed\n"
         "from torch.utils.data import DataLoader" +
         (sampler.draws_globally ? ", Sampler" : "") + "\n" + sampler.import +
         (isSeeded(spec) ? "\n\ntry:\n    import numpy\nexcept ImportError:\n    numpy = None\n\n" : "\n\n") +
         pythonPlace(spec);
}

/// What seeds a rank, in terms of `rank` and `epoch`.
std::string seedExpression(const PipelineSpec& spec) {
  std::string base = std::to_string(spec.seeds.base);
  const bool has_peers = spec.world.groups.ranksOfModel() > 1;
  if (spec.seeds.rule == "base+data_parallel_rank" && has_peers) return base + " + data_parallel_rank(this_rank())";
  if (spec.seeds.rule == "base+rank" || spec.seeds.rule == "base+data_parallel_rank") return base + " + this_rank()";
  if (spec.seeds.rule == "base+local_rank") return base + " + this_rank() % RANKS_PER_NODE";
  if (spec.seeds.rule == "base+rank+epoch") return base + " + this_rank() + epoch";
  return base;
}

std::string seedFunctions(const PipelineSpec& spec) {
  if (!isSeeded(spec)) return {};
  return "def planned_seed(epoch):\n    return " + seedExpression(spec) +
         "\n\n\n"
         "def seed_everything(epoch=0):\n"
         "    \"\"\"Seeds torch, NumPy and random as the plan says. Call it before the model is made.\"\"\"\n"
         "    global is_seeded\n"
         "    seed = planned_seed(epoch)\n"
         "    torch.manual_seed(seed)\n"
         "    random.seed(seed)\n"
         "    if numpy is not None:\n"
         "        numpy.random.seed(seed % 2**32)\n"
         "    is_seeded = True\n\n\n"
         "is_seeded = False\n\n\n";
}

/// torch's samplers draw their order from the global generator unless they are given another, and then they draw
/// otherwise. So the order is drawn with the state of a generator of its own in the place of the global one's.
std::string ownDraws(const SamplerCode& sampler) {
  if (!sampler.draws_globally) return {};
  return "class OwnDraws(Sampler):\n"
         "    \"\"\"The order of a sampler that draws from torch's global generator, drawn from another one in the "
         "same\n"
         "    way: what else draws random numbers (dropout, augmentation) changes no order.\"\"\"\n\n"
         "    def __init__(self, sampler, generator):\n"
         "        self.sampler = sampler\n"
         "        self.generator = generator\n\n"
         "    def __len__(self):\n"
         "        return len(self.sampler)\n\n"
         "    def __iter__(self):\n"
         "        outside = torch.get_rng_state()\n"
         "        torch.set_rng_state(self.generator.get_state())\n"
         "        try:\n"
         "            order = list(self.sampler)\n"
         "            self.generator.set_state(torch.get_rng_state())\n"
         "        finally:\n"
         "            torch.set_rng_state(outside)\n"
         "        return iter(order)\n\n\n";
}

/// Of the generator that only the loader gets.
std::optional<std::int64_t> loaderSeed(const PipelineSpec& spec) {
  const auto* const seed = std::get_if<std::int64_t>(&spec.loader.generator_seed);
  return seed == nullptr ? std::nullopt : std::optional(*seed);
}

std::string loaderArguments(const PipelineSpec& spec, const SamplerCode& sampler) {
  std::string out = "dataset, batch_size=" + std::to_string(spec.loader.batch_size) +
                    ", sampler=sampler, num_workers=" + std::to_string(spec.loader.num_workers);
  if (spec.loader.num_workers > 0) {  // torch refuses these without workers
    out += ", prefetch_factor=" + std::to_string(spec.loader.prefetch_factor) +
           ",\n        persistent_workers=" + pythonValue(spec.loader.persistent_workers);
  }
  out += std::string(spec.loader.num_workers > 0 ? ", " : ",\n        ") +
         "drop_last=" + pythonValue(spec.loader.drop_last);
  if (sampler.given_to_loader) return out + ", generator=generator";
  if (loaderSeed(spec)) return out + ", generator=workers";
  return out + (isSeeded(spec) ? ", generator=draws" : "");
}

std::string loaderFunction(const PipelineSpec& spec, const SamplerCode& sampler) {
  std::string out = sampler.definition + ownDraws(sampler) +
                    "def make_loader(dataset):\n"
                    "    if len(dataset) != SAMPLES:\n"
                    "        raise ValueError(f\"planned for {SAMPLES} samples; this dataset has {len(dataset)}\")\n"
                    "    rank = this_rank()\n";
  if (!sampler.generator.empty())
    out += "    generator = torch.Generator()\n    generator.manual_seed(" + sampler.generator + ")\n";
  if (!sampler.given_to_loader && isSeeded(spec))
    out +=
        "    draws = torch.Generator()  # in the place of torch's global one, which the training uses too\n"
        "    draws.manual_seed(planned_seed(0))\n";
  if (const auto seed = loaderSeed(spec))
    out += "    workers = torch.Generator()  # what the workers are seeded from\n    workers.manual_seed(" +
           std::to_string(*seed) + ")\n";
  const std::string call = sampler.draws_globally ? "OwnDraws(" + sampler.call + ", draws)" : sampler.call;
  return out + sampler.setup + "    sampler = " + call + "\n    return DataLoader(\n        " +
         loaderArguments(spec, sampler) + ")\n\n\n";
}

std::string batchesFunction(const PipelineSpec& spec, SamplerCatalogue catalogue, const SamplerCode& sampler) {
  const bool every_epoch = spec.seeds.rule == "base+rank+epoch";
  const std::string late =
      std::string(
          "    if not is_seeded:\n"
          "        warnings.warn(\"seed_everything() was not called before: a model that was made by now has other "
          "weights than planned\")\n") +
      (every_epoch ? "" : "        seed_everything()\n");
  const std::string reseed =
      std::string("        seed_everything(epoch)\n") +
      (sampler.given_to_loader  ? ""
       : !loaderSeed(spec)      ? "        loader.generator.manual_seed(planned_seed(epoch))\n"
       : sampler.draws_globally ? "        loader.sampler.generator.manual_seed(planned_seed(epoch))\n"
                                : "");
  return "def batches(dataset):\n    \"\"\"Yields (epoch, step, batch) of this rank.\"\"\"\n" +
         (isSeeded(spec) ? late : "") +
         "    loader = make_loader(dataset)\n"
         "    for epoch in range(" +
         std::to_string(spec.epochs) + "):\n" + (every_epoch ? reseed : "") +
         (flag(spec, catalogue, "set_epoch") ? "        loader.sampler.set_epoch(epoch)\n" : "") +
         "        for step, batch in enumerate(loader):\n"
         "            yield epoch, step, batch\n\n\n";
}

std::string demonstration(const PipelineSpec& spec) {
  return "if __name__ == \"__main__\":\n" + std::string(isSeeded(spec) ? "    seed_everything()\n" : "") +
         "    for epoch, step, batch in batches(range(SAMPLES)):  # sample i is the number i\n"
         "        print(epoch, step, batch.tolist())\n";
}

}  // namespace

ExportResult writePyTorch(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context) {
  const auto sampler = samplerCode(spec, catalogue);
  std::set<std::string> carried = {"world.nodes",
                                   "world.ranks_per_node",
                                   "loader.batch_size",
                                   "loader.num_workers",
                                   "loader.drop_last",
                                   "loader.prefetch_factor",
                                   "loader.persistent_workers",
                                   "loader.generator_seed",
                                   "epochs",
                                   "dataset.size"};
  if (isSeeded(spec) || neverSeeds(spec)) carried.insert({"seeds.base", "seeds.rule"});
  for (const Field* field : fieldsOf(spec, catalogue)) {
    if (field->section() == "sampler") carried.insert(field->path);
  }
  if (!sampler || !spec.world.ranks_per_node.ofEveryNode()) {  // the snippet knows one RANKS_PER_NODE
    for (const Field* field : fieldsOf(spec, catalogue)) carried.insert(field->path);
    return {packageLoader(spec, catalogue, context),
            notCarried(spec, catalogue, carried, worded("export", "the snippet cannot include this."))};
  }
  const std::string text = header(spec, *sampler, context) + seedFunctions(spec) + loaderFunction(spec, *sampler) +
                           batchesFunction(spec, catalogue, *sampler) + demonstration(spec);
  return {{{"loader.py", text}},
          notCarried(spec, catalogue, carried, worded("export", "the snippet cannot include this."))};
}

}  // namespace shardlens::yaml
