// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/yaml/export_parts.h"
#include "core/yaml/scalar.h"

namespace shardlens::yaml {
namespace {

// Jobs of Kubeflow: TrainJob (trainer.kubeflow.org/v1alpha1), PyTorchJob (kubeflow.org/v1) and MPIJob
// (kubeflow.org/v2beta1).

constexpr const char* kNoImage = "your-image:latest";

std::string jobHead(const PipelineSpec& spec, const ExportContext& context, const std::string& version,
                    const std::string& kind) {
  return fileHead(spec, context, "for Kubeflow: kubectl apply -f") + "apiVersion: " + version + "\nkind: " + kind +
         "\nmetadata:\n  name: " + writeText(jobName(spec)) + "\nspec:\n";
}

/// "resources: {requests: {cpu: 12}, limits: {nvidia.com/gpu: 4}}" of one node, under the key.
std::string resources(const PipelineSpec& spec, const ExportContext& context, const std::string& key) {
  const std::string cores = std::to_string(spec.world.mostRanksOnNode() * coresOfRank(spec));
  const bool has_gpus = !context.gpus.empty() && context.gpus != "0";
  return key + ": {requests: {cpu: " + cores + "}" +
         (has_gpus ? ", limits: {nvidia.com/gpu: " + context.gpus + "}" : "") + "}";
}

std::string image(const ExportContext& context) {
  return context.image.empty() ? std::string(kNoImage) + "  # replace it with yours" : writeText(context.image);
}

std::string container(const PipelineSpec& spec, const ExportContext& context, const std::string& name,
                      const std::string& command, const std::string& indent, bool has_resources) {
  std::string text = indent + "template:\n" + indent + "  spec:\n" + indent + "    containers:\n" + indent +
                     "      - name: " + name + "\n" + indent + "        image: " + image(context) + "\n";
  if (!command.empty()) text += indent + "        command: " + command + "\n";
  return has_resources ? text + indent + "        " + resources(spec, context, "resources") + "\n" : text;
}

std::string trainJob(const PipelineSpec& spec, const ExportContext& context) {
  std::string text = jobHead(spec, context, "trainer.kubeflow.org/v1alpha1", "TrainJob") +
                     "  runtimeRef:\n    name: torch-distributed\n  trainer:\n";
  if (!context.image.empty()) text += "    image: " + writeText(context.image) + "\n";
  return text + "    command: [torchrun, " + writeText(context.script) +
         "]\n    numNodes: " + std::to_string(spec.world.nodes) +
         "\n    numProcPerNode: " + std::to_string(spec.world.mostRanksOnNode()) + "\n    " +
         resources(spec, context, "resourcesPerNode") + "\n";
}

/// The operator tells torchrun the nodes by PET_ variables, and a count of processes that is a text.
std::string pytorchJob(const PipelineSpec& spec, const ExportContext& context) {
  const std::string command = "[torchrun, " + writeText(context.script) + "]";
  std::string text = jobHead(spec, context, "kubeflow.org/v1", "PyTorchJob") + "  nprocPerNode: \"" +
                     std::to_string(spec.world.mostRanksOnNode()) +
                     "\"\n  pytorchReplicaSpecs:\n    Master:\n      replicas: 1\n      restartPolicy: OnFailure\n" +
                     container(spec, context, "pytorch", command, "      ", true);
  if (spec.world.nodes == 1) return text;
  return text + "    Worker:\n      replicas: " + std::to_string(spec.world.nodes - 1) +
         "\n      restartPolicy: OnFailure\n" + container(spec, context, "pytorch", command, "      ", true);
}

std::string mpiJob(const PipelineSpec& spec, const ExportContext& context) {
  const std::string command = "[mpirun, -n, \"" + std::to_string(spec.worldSize()) + "\", --map-by, slot, " +
                              writeText(context.python) + ", " + writeText(context.script) + "]";
  return jobHead(spec, context, "kubeflow.org/v2beta1", "MPIJob") +
         "  slotsPerWorker: " + std::to_string(spec.world.mostRanksOnNode()) +
         "\n  runPolicy:\n    cleanPodPolicy: Running\n  mpiImplementation: OpenMPI\n  mpiReplicaSpecs:\n"
         "    Launcher:\n      replicas: 1\n" +
         container(spec, context, "mpi-launcher", command, "      ", false) +
         "    Worker:\n      replicas: " + std::to_string(spec.world.nodes) + "\n" +
         container(spec, context, "mpi-worker", "", "      ", true);
}

/// What a file of the user's keeps where the context does not say it.
std::vector<std::string> keptKeys(const ExportContext& context) {
  std::vector<std::string> kept = {"metadata.name", "spec.runtimeRef.name", "spec.mpiImplementation",
                                   "spec.runPolicy.cleanPodPolicy"};
  const bool has_script = context.script != ExportContext{}.script;
  for (const std::string replica : {"spec.pytorchReplicaSpecs.Master", "spec.pytorchReplicaSpecs.Worker",
                                    "spec.mpiReplicaSpecs.Launcher", "spec.mpiReplicaSpecs.Worker"}) {
    kept.push_back(replica + ".restartPolicy");
    if (context.image.empty()) kept.push_back(replica + ".template.spec.containers.image");
    if (!has_script) kept.push_back(replica + ".template.spec.containers.command");
  }
  if (!has_script) kept.emplace_back("spec.trainer.command");
  return kept;
}

ExportResult writeJob(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context,
                      const std::string& kind, const std::string& name, std::string text, bool needs_image) {
  if (auto problems = unequalNodes(spec, kind); !problems.empty()) return {{}, {}, std::move(problems)};
  ExportResult out{{{name, std::move(text), false, keptKeys(context)}},
                   notCarried(spec, catalogue, {"world.nodes", "world.ranks_per_node"},
                              words::noKeyIn(kind, words::scriptLikePyTorch(context.script)))};
  if (needs_image && context.image.empty())
    out.not_carried.push_back(
        worded("export", "The container image: the file has a placeholder; replace it with yours."));
  return out;
}

/// SkyPilot runs it on every node, and tells it the nodes by its own variables.
std::string startOnNode(const PipelineSpec& spec, const ExportContext& context) {
  return torchrunCommand(
      context,
      {"--nnodes=\"$SKYPILOT_NUM_NODES\"", "--nproc_per_node=" + std::to_string(spec.world.mostRanksOnNode()),
       "--node_rank=\"$SKYPILOT_NODE_RANK\"", "--master_addr=\"$(echo \"$SKYPILOT_NODE_IPS\" | head -n 1)\"",
       "--master_port=29500"},
      "");
}

/// As a block scalar of a key at the left edge.
std::string indented(const std::string& lines) {
  std::string out;
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = lines.find('\n', begin) + 1;
    out += "  " + lines.substr(begin, end - begin);
    begin = end;
  }
  return out;
}

std::string task(const PipelineSpec& spec, const ExportContext& context) {
  return fileHead(spec, context, "for SkyPilot: sky launch skypilot.yaml") + "name: " + writeText(jobName(spec)) +
         "\nnum_nodes: " + std::to_string(spec.world.nodes) +
         "\nresources:\n  cpus: " + std::to_string(spec.world.mostRanksOnNode() * coresOfRank(spec)) +
         "+  # one core for each rank, and one for each of its loader workers\nrun: |\n" +
         indented(startOnNode(spec, context));
}

std::string scaling(const PipelineSpec& spec, const ExportContext& context) {
  const bool is_said = !context.gpus.empty();
  return fileHead(spec, context, "for Ray Train: TorchTrainer(..., scaling_config=scaling_config)") +
         "from ray.train import ScalingConfig\n\n"
         "scaling_config = ScalingConfig(\n    num_workers=" +
         std::to_string(spec.worldSize()) +
         ",  # one for each rank\n    use_gpu=" + (is_said && context.gpus != "0" ? "True" : "False") +
         (is_said ? ",\n" : ",  # True where ranks have GPUs\n") +
         "    resources_per_worker={\"CPU\": " + std::to_string(coresOfRank(spec)) +
         "},  # the rank and its loader workers\n)\n";
}

}  // namespace

ExportResult writeTrainJob(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context) {
  return writeJob(spec, catalogue, context, "TrainJob", "trainjob.yaml", trainJob(spec, context), false);
}

ExportResult writePyTorchJob(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context) {
  return writeJob(spec, catalogue, context, "PyTorchJob", "pytorchjob.yaml", pytorchJob(spec, context), true);
}

ExportResult writeMpiJob(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context) {
  ExportResult out = writeJob(spec, catalogue, context, "MPIJob", "mpijob.yaml", mpiJob(spec, context), true);
  if (!out.problems.empty()) return out;
  out.not_carried.push_back(
      worded("export",
             "RANK, WORLD_SIZE and MASTER_ADDR: Open MPI sets variables of its own, so the script must set torch's."));
  return out;
}

ExportResult writeSkypilot(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context) {
  if (auto problems = unequalNodes(spec, "SkyPilot"); !problems.empty()) return {{}, {}, std::move(problems)};
  ExportResult out{{{"skypilot.yaml", task(spec, context), false, {"name", "run", "resources.cpus"}}},
                   notCarried(spec, catalogue, {"world.nodes", "world.ranks_per_node"},
                              words::noKeyIn("SkyPilot", words::scriptLikePyTorch(context.script)))};
  out.not_carried.push_back(worded("export", "The accelerators: the spec does not say which; add them to resources."));
  return out;
}

ExportResult writeRay(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context) {
  ExportResult out{{{"ray_scaling.py", scaling(spec, context)}},
                   notCarried(spec, catalogue, {"world.nodes", "world.ranks_per_node"},
                              words::noKeyIn("ScalingConfig", words::scriptLikePyTorch("the training function")))};
  if (spec.world.nodes > 1)
    out.not_carried.push_back(
        filled(worded("export", "world.ranks_per_node %1: Ray places workers where there is room."),
               valueText(spec.world.ranks_per_node.value())));
  return out;
}

}  // namespace shardlens::yaml
