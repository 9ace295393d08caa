// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/export_words.h"

namespace shardlens::yaml::words {

std::string notIncluded(const std::string& fields, const std::string& reason) {
  return fields + ": " + reason;
}

std::string datasetDecides(std::int64_t size) {
  return "dataset.size " + std::to_string(size) +
         ": the size of the script's own dataset counts; with another size every order is different.";
}

std::string installedTorch(const std::string& version) {
  return "framework.torch " + version + ": the job uses the installed torch.";
}

std::string rankProgramsOnly(const std::string& fields) {
  return fields + ": only ShardLens's own rank programs read this.";
}

std::string noOption(const std::string& launcher, const std::string& elsewhere) {
  return launcher + " has no option for this; " + elsewhere;
}

std::string noKey(const std::string& elsewhere) {
  return "the file has no key for this; build the loader in train_dataloader() and seed in the script: " + elsewhere;
}

std::string notInSnippet() {
  return "the snippet cannot include this.";
}

std::string scriptLikePyTorch(const std::string& script) {
  return script + " must set this, as the code of the target pytorch does.";
}

std::string scriptWithoutCode(const std::string& script, const std::string& sampler) {
  return script + " must set this; ShardLens has no PyTorch code for " + sampler + " to copy.";
}

std::string nodeNames() {
  return "The names of the nodes: hosts.txt says node0, node1, ...; replace them with yours.";
}

std::string lightningCallsSetEpoch() {
  return "sampler.set_epoch false: Lightning calls set_epoch itself, so with Lightning every epoch gets a new order.";
}

std::string lightningSeedsWorkers() {
  return "The seeds of the loader's workers: the Lightning CLI seeds with workers=True, so the workers follow "
         "Lightning's rule instead of torch's base_seed + worker_id.";
}

}  // namespace shardlens::yaml::words
