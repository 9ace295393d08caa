// SPDX-License-Identifier: Apache-2.0
#include "core/spec/field_table.h"
#include "core/yaml/export_parts.h"
#include "core/yaml/python.h"

#include <optional>

namespace shardlens::yaml {
namespace {

Value parameter(const PipelineSpec& spec, SamplerCatalogue catalogue, const std::string& key) {
  const Field* field = findField(spec, catalogue, "sampler." + key);
  return field == nullptr ? Value(false) : getValue(spec, *field);
}

bool flag(const PipelineSpec& spec, SamplerCatalogue catalogue, const std::string& key) {
  const Value value = parameter(spec, catalogue, key);
  return std::holds_alternative<bool>(value) && std::get<bool>(value);
}

/// The spec's names of numbers that a process knows about itself; numbers stay numbers.
std::string processNumber(const Value& value) {
  const auto* name = std::get_if<std::string>(&value);
  if (name == nullptr) return pythonValue(value);
  std::string upper = *name;
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  return upper;
}

/// How one sampler is made in Python.
struct SamplerCode {
  std::string import;
  std::string call;
};

SamplerCode distributedSampler(const PipelineSpec& spec, SamplerCatalogue catalogue) {
  const auto value = [&](const char* key) { return parameter(spec, catalogue, key); };
  return {"from torch.utils.data.distributed import DistributedSampler",
          "DistributedSampler(\n        dataset, num_replicas=" + processNumber(value("num_replicas")) +
              ", rank=" + processNumber(value("rank")) + ",\n        shuffle=" + pythonValue(value("shuffle")) +
              ", seed=" + pythonValue(value("seed")) + ", drop_last=" + pythonValue(value("drop_last")) + ")"};
}

std::optional<SamplerCode> samplerCode(const PipelineSpec& spec, SamplerCatalogue catalogue) {
  if (spec.sampler.type == "torch.DistributedSampler") return distributedSampler(spec, catalogue);
  if (spec.sampler.type == "torch.SequentialSampler")
    return SamplerCode{"from torch.utils.data import SequentialSampler", "SequentialSampler(dataset)"};
  return std::nullopt;
}

std::string header(const PipelineSpec& spec, const SamplerCode& sampler) {
  return "# " + oneLine(spec.name) +
         ": the DataLoader of every rank, as ShardLens plans it.\n"
         "# Run as it stands it prints this rank's batches of sample indices; in a training script use "
         "batches(dataset).\n"
         "import os\n\n"
         "import torch\n"
         "from torch.utils.data import DataLoader\n" +
         sampler.import +
         "\n\n"
         "# Set by torchrun; started by hand, RANK alone is enough.\n"
         "RANKS_PER_NODE = int(os.environ.get(\"LOCAL_WORLD_SIZE\", " +
         pythonText(std::to_string(spec.world.ranks_per_node)) +
         "))\n"
         "WORLD_SIZE = int(os.environ.get(\"WORLD_SIZE\", " +
         pythonText(std::to_string(spec.worldSize())) +
         "))\n"
         "RANK = int(os.environ.get(\"RANK\", \"0\"))\n"
         "LOCAL_RANK = int(os.environ.get(\"LOCAL_RANK\", RANK % RANKS_PER_NODE))\n"
         "NODE = RANK // RANKS_PER_NODE\n"
         "NODES = WORLD_SIZE // RANKS_PER_NODE\n\n\n";
}

std::string loaderFunction(const PipelineSpec& spec, const SamplerCode& sampler) {
  std::string out = "def make_loader(dataset):\n    sampler = " + sampler.call +
                    "\n    return DataLoader(\n        dataset, batch_size=" + std::to_string(spec.loader.batch_size) +
                    ", sampler=sampler, num_workers=" + std::to_string(spec.loader.num_workers);
  if (spec.loader.num_workers > 0) out += ", prefetch_factor=" + std::to_string(spec.loader.prefetch_factor);
  return out + ",\n        drop_last=" + pythonValue(spec.loader.drop_last) + ")\n\n\n";
}

/// The number handed to torch.manual_seed.
std::string seedExpression(const PipelineSpec& spec) {
  std::string base = std::to_string(spec.seeds.base);
  if (spec.seeds.rule == "base+rank") return base + " + RANK";
  if (spec.seeds.rule == "base+local_rank") return base + " + LOCAL_RANK";
  if (spec.seeds.rule == "base+rank+epoch") return base + " + RANK + epoch";
  return base;
}

std::string batchesFunction(const PipelineSpec& spec, SamplerCatalogue catalogue) {
  const bool every_epoch = spec.seeds.rule == "base+rank+epoch";
  const std::string seed = "torch.manual_seed(" + seedExpression(spec) + ")\n";
  return "def batches(dataset):\n    \"\"\"Yields (epoch, step, batch) of this rank.\"\"\"\n" +
         (every_epoch ? "" : "    " + seed) +
         "    loader = make_loader(dataset)\n"
         "    for epoch in range(" +
         std::to_string(spec.epochs) + "):\n" + (every_epoch ? "        " + seed : "") +
         (flag(spec, catalogue, "set_epoch") ? "        loader.sampler.set_epoch(epoch)\n" : "") +
         "        for step, batch in enumerate(loader):\n"
         "            yield epoch, step, batch\n\n\n";
}

std::string demonstration(const PipelineSpec& spec) {
  return "if __name__ == \"__main__\":\n"
         "    for epoch, step, batch in batches(range(" +
         std::to_string(spec.dataset.size) +
         ")):  # sample i is the number i\n"
         "        print(epoch, step, batch.tolist())\n";
}

ExportResult write(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& /*context*/) {
  const auto sampler = samplerCode(spec, catalogue);
  if (!sampler) {
    return {{},
            {},
            {Error{ErrorCode::Unsupported, "there is no PyTorch code for " + spec.sampler.type + ".",
                   Place{{}, 0, 0, "sampler.type"}, ""}}};
  }
  std::set<std::string> carried = {"world.nodes",        "world.ranks_per_node", "loader.batch_size",
                                   "loader.num_workers", "loader.drop_last",     "loader.prefetch_factor",
                                   "seeds.base",         "seeds.rule",           "epochs",
                                   "dataset.size"};
  for (const Field* field : fieldsOf(spec, catalogue)) {
    if (field->section() == "sampler") carried.insert(field->path);
  }
  const std::string text =
      header(spec, *sampler) + loaderFunction(spec, *sampler) + batchesFunction(spec, catalogue) + demonstration(spec);
  return {{{"loader.py", text}}, notCarried(spec, catalogue, carried, "no place in the snippet."), {}};
}

}  // namespace

ExportTarget pytorchTarget() {
  return {"pytorch",
          "PyTorch snippet",
          "loader.py",
          "py",
          "Python that builds the very DataLoader, its seeds and its epochs.",
          write};
}

}  // namespace shardlens::yaml
