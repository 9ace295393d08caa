// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/export_words.h"

#include "core/base/phrase.h"
#include "core/spec/field.h"

namespace shardlens::yaml::words {

std::string notIncluded(const std::string& fields, const std::string& reason) {
  return filled(worded("export", "%1: %2"), fields, reason);
}

std::string datasetDecides(std::int64_t size) {
  return filled(
      worded(
          "export",
          "dataset.size %1: the size of the script's own dataset counts; with another size every order is different."),
      std::to_string(size));
}

std::string scriptCallsSetEpoch() {
  return worded(
      "export",
      "sampler.set_epoch true: nothing that is exported calls it; the script itself must call set_epoch(epoch) "
      "before each epoch, or its later epochs are not as planned.");
}

std::string samplerSaysSteps(std::int64_t batches, const std::string& field) {
  return filled(worded("export",
                       "loader.gradient_accumulation_steps %1: not used, because %2 says how much an optimizer step "
                       "takes."),
                std::to_string(batches), field);
}

std::string shareOfGlobalBatch(std::int64_t batch, std::int64_t share, const std::string& field) {
  return filled(
      worded("export", "loader.batch_size %1: the file has %2 instead, what a rank takes of %3 in an optimizer step."),
      std::to_string(batch), std::to_string(share), field);
}

std::string scriptMakesGroups(const std::string& groups) {
  return filled(worded("export", "%1: there is no key for this; the script makes these groups itself."), groups);
}

std::string installedTorch(const std::string& version) {
  return filled(worded("export", "framework.torch %1: the job uses the installed torch."), version);
}

std::string rankProgramsOnly(const std::string& fields) {
  return filled(worded("export", "%1: only ShardLens's own rank programs read this."), fields);
}

std::string noOption(const std::string& launcher, const std::string& elsewhere) {
  return filled(worded("export", "%1 has no option for this; %2"), launcher, elsewhere);
}

std::string noKey(const std::string& elsewhere) {
  return filled(
      worded("export",
             "the file has no key for this; build the loader in train_dataloader() and seed in the script: %1"),
      elsewhere);
}

std::string noArgument(const std::string& program) {
  return filled(worded("export", "%1 has no argument for this."), program);
}

std::string notInSnippet() {
  return worded("export", "the snippet cannot include this.");
}

std::string scriptLikePyTorch(const std::string& script) {
  return filled(worded("export", "%1 must set this, as the code of the target pytorch does."), script);
}

std::string noKeyIn(const std::string& target, const std::string& elsewhere) {
  return filled(worded("export", "%1 has no key for this; %2"), target, elsewhere);
}

std::string trainerMakes() {
  return worded("export",
                "the Trainer makes its own loader unless get_train_dataloader() returns another, for example the one "
                "of the target pytorch.");
}

std::string externalLoader() {
  return worded("export",
                "with --dataloader-type external, the script provides the loader, for example the one of the target "
                "pytorch.");
}

std::string nodeNames(const std::string& file) {
  return filled(worded("export",
                       "The names of the nodes: %1 has placeholders (node0, node1, ...) where none is given; replace "
                       "them with yours."),
                file);
}

std::string firstNode() {
  return worded("export", "The name of the first machine: main_process_ip is node0; replace it with yours.");
}

std::string prepareDivides() {
  return worded(
      "export",
      "accelerator.prepare() would divide this loader among the ranks once more: do not pass it to prepare().");
}

std::string oneProcessOnCpus(std::int64_t ranks) {
  return filled(worded("export",
                       "A hostfile: on CPUs, accelerate launch starts %1 processes only by mpirun, and needs "
                       "--mpirun_hostfile for that; without it, it starts one."),
                std::to_string(ranks));
}

std::string trainerSeeds() {
  return worded("export", "seeds.rule unseeded: the Trainer seeds every rank, with 42 where seed is not given.");
}

std::string launcherSaysWorld(const std::string& launcher, const PipelineSpec::World& world) {
  return filled(worded("export", "world {nodes: %1, ranks_per_node: %2}: options of %3 set it."),
                std::to_string(world.nodes), valueText(world.ranks_per_node.value()), launcher);
}

std::string allDataParallel() {
  return worded("export",
                "Tensor, pipeline and context parallelism: the spec has none, so every rank is counted as "
                "data-parallel; with them the global batch is different.");
}

std::string noImage() {
  return worded("export", "The container image: the file has a placeholder; replace it with yours.");
}

std::string mpiVariables() {
  return worded(
      "export",
      "RANK, WORLD_SIZE and MASTER_ADDR: Open MPI sets variables of its own, so the script must set torch's.");
}

std::string whichAccelerators() {
  return worded("export", "The accelerators: the spec does not say which; add them to resources.");
}

std::string rayPlacesRanks(const PipelineSpec::World& world) {
  return filled(worded("export", "world.ranks_per_node %1: Ray places workers where there is room."),
                valueText(world.ranks_per_node.value()));
}

std::string lightningCallsSetEpoch() {
  return worded(
      "export",
      "sampler.set_epoch false: Lightning calls set_epoch itself, so with Lightning every epoch gets a new order.");
}

std::string lightningSeedsWorkers() {
  return worded("export",
                "The seeds of the loader's workers: the Lightning CLI seeds with workers=True, so the workers follow "
                "Lightning's rule instead of torch's base_seed + worker_id.");
}

}  // namespace shardlens::yaml::words
