// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/export_words.h"

#include "core/base/phrase.h"

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

std::string notInSnippet() {
  return worded("export", "the snippet cannot include this.");
}

std::string scriptLikePyTorch(const std::string& script) {
  return filled(worded("export", "%1 must set this, as the code of the target pytorch does."), script);
}

std::string scriptWithoutCode(const std::string& script, const std::string& sampler) {
  return filled(worded("export", "%1 must set this; ShardLens has no PyTorch code for %2 to copy."), script, sampler);
}

std::string nodeNames() {
  return worded("export", "The names of the nodes: hosts.txt says node0, node1, ...; replace them with yours.");
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
