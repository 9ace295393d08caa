// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/registry.h"
#include "core/spec/field_table.h"
#include "core/yaml/export_parts.h"
#include "core/yaml/scalar.h"

#include <array>

// Keys of commands/config/config_args.py, whose reader refuses unknown ones; how loaders are divided is no part of that
// file, but of DataLoaderConfiguration (Accelerate 1.15).
namespace shardlens::yaml {
namespace {

/// Parameters of its samplers that are arguments of DataLoaderConfiguration.
constexpr std::array kLoaderKeys = {"split_batches", "even_batches", "use_seedable_sampler", "data_seed"};

bool isAccelerates(const PipelineSpec& spec) {
  return spec.sampler.type.starts_with("accelerate.");
}

std::string distributedType(const PipelineSpec& spec, const ExportContext& context) {
  if (spec.worldSize() == 1) return "'NO'";
  if (context.gpus == "0") return "MULTI_CPU";
  return context.gpus.empty() ? "MULTI_GPU  # without GPUs: MULTI_CPU, use_cpu: true, and --mpirun_hostfile"
                              : "MULTI_GPU";
}

/// accelerate launch starts several processes by torchrun where they have GPUs, and by mpirun where they do not.
bool needsMpirun(const PipelineSpec& spec, const ExportContext& context) {
  return context.gpus == "0" && spec.worldSize() > 1;
}

std::string accelerateText(const PipelineSpec& spec, const ExportContext& context) {
  const std::string hostfile = needsMpirun(spec, context) ? "--mpirun_hostfile HOSTFILE " : "";
  std::string text =
      fileHead(spec, context,
               "for Accelerate: accelerate launch --config_file accelerate.yaml " + hostfile + context.script) +
      "compute_environment: LOCAL_MACHINE\ndistributed_type: " + distributedType(spec, context) +
      "\nnum_machines: " + std::to_string(spec.world.nodes) + "\nnum_processes: " + std::to_string(spec.worldSize()) +
      "  # of all machines\n";
  if (spec.world.nodes > 1)
    text += "machine_rank: 0  # another on each machine; or accelerate launch --machine_rank\nmain_process_ip: " +
            writeText(hostName(spec, context, 0)) + "\nmain_process_port: 29500\n";
  return text + "use_cpu: " + (context.gpus == "0" ? "true" : "false") + "\n";
}

/// What of DataLoaderConfiguration the sampler's parameters say, in its order.
std::string loaderConfiguration(const PipelineSpec& spec, SamplerCatalogue catalogue) {
  std::string out;
  for (const char* key : kLoaderKeys) {
    if (findField(spec, catalogue, "sampler." + std::string(key)) == nullptr) continue;
    const Value value = samplerParameter(spec, catalogue, key);
    out += "    " + std::string(key) + "=" +
           (value == Value(std::string("none")) ? std::string("None") : pythonValue(value)) + ",\n";
  }
  const bool dispatches = spec.sampler.type == "accelerate.DataLoaderDispatcher";
  return "    dispatch_batches=" + std::string(dispatches ? "True" : "False") + ",\n" + out;
}

std::string accumulation(const PipelineSpec& spec) {
  const std::int64_t batches = sampling::batchesPerStep(spec).value_or(1);
  return batches > 1 ? "gradient_accumulation_steps=" + std::to_string(batches) + ", " : "";
}

std::string loaderCode(const PipelineSpec& spec, SamplerCatalogue catalogue) {
  return "# " + oneLine(spec.name) +
         ", written by ShardLens: how Accelerate divides the loaders that its prepare() is given.\n"
         "from accelerate import Accelerator\n"
         "from accelerate.utils import DataLoaderConfiguration\n\n"
         "accelerator = Accelerator(" +
         accumulation(spec) + "dataloader_config=DataLoaderConfiguration(\n" + loaderConfiguration(spec, catalogue) +
         "))\n";
}

}  // namespace

ExportResult writeAccelerate(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context) {
  if (auto problems = unequalNodes(spec, "Accelerate"); !problems.empty()) return {{}, {}, std::move(problems)};
  if (auto problems = hostProblems(spec, context); !problems.empty()) return {{}, {}, std::move(problems)};
  std::set<std::string> carried = {"world.nodes", "world.ranks_per_node"};
  ExportResult out{{{"accelerate.yaml", accelerateText(spec, context)}}};
  std::vector<std::string>& kept = out.files.front().kept;
  kept = {"machine_rank", "main_process_port"};
  if (context.gpus.empty()) kept.insert(kept.end(), {"distributed_type", "use_cpu"});
  if (context.hosts.empty()) kept.emplace_back("main_process_ip");
  if (isAccelerates(spec)) {
    for (const char* key : kLoaderKeys) carried.insert("sampler." + std::string(key));
    carried.insert("loader.gradient_accumulation_steps");
    out.files.push_back({"accelerate_loader.py", loaderCode(spec, catalogue)});
  }
  out.not_carried =
      notCarried(spec, catalogue, carried, words::noKeyIn("Accelerate", words::scriptLikePyTorch(context.script)));
  if (!isAccelerates(spec) && spec.worldSize() > 1)
    out.not_carried.push_back(worded(
        "export",
        "accelerator.prepare() would divide this loader among the ranks once more: do not pass it to prepare()."));
  if (needsMpirun(spec, context))
    out.not_carried.push_back(
        filled(worded("export",
                      "A hostfile: on CPUs, accelerate launch starts %1 processes only by mpirun, and needs "
                      "--mpirun_hostfile for that; without it, it starts one."),
               std::to_string(spec.worldSize())));
  if (lacksHosts(spec, context))
    out.not_carried.push_back(
        worded("export", "The name of the first machine: main_process_ip is node0; replace it with yours."));
  return out;
}

}  // namespace shardlens::yaml
