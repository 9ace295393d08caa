// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/export_package.h"

#include "core/spec/seeded.h"
#include "core/yaml/export_parts.h"
#include "core/yaml/python.h"
#include "core/yaml/spec_writer.h"

#include <string>

namespace shardlens::yaml {
namespace {

constexpr std::size_t kMostInCode = 16'000;  ///< characters of a spec that stands in the code
constexpr const char* kSpecFile = "pipeline.yaml";

std::string packageHeader(const PipelineSpec& spec, const ExportContext& context) {
  const std::string use =
      isSeeded(spec) ? "# In a training script call plan.seed_everything() before the model is made, then read "
                       "batches(dataset).\n"
                     : "# In a training script read batches(dataset). Nothing is seeded here, as the plan says.\n";
  return "# " + oneLine(spec.name) + ": the batches of every rank, as ShardLens plans them.\n" + auditComment(context) +
         (spec.world.ranks_per_node.ofEveryNode()
              ? "# torch has no class that deals as " + spec.sampler.type + " does:"
              : std::string("# Nodes have different numbers of ranks, which no constant of a script says:")) +
         " the ids come from the plan itself, by the Python\n"
         "# package of ShardLens (python3-shardlens, or its wheel). Which loader worker reads a batch is up to the "
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

}  // namespace

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

}  // namespace shardlens::yaml
