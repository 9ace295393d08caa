// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/spec/field_table.h"
#include "core/yaml/imports/readers.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace shardlens::yaml::imports {
namespace {

using Read = void (*)(const TreeNode& root, const std::string& file, Draft& draft);

/// devices: 4, "4", [0, 1], "auto" or -1.
void readDevices(const TreeNode& root, const Values& values, Draft& draft) {
  const TreeNode* devices = nodeAt(root, "trainer.devices");
  const std::string from = values.from("trainer.devices");
  if (devices != nullptr && devices->kind == TreeNode::Kind::Sequence)
    return draft.read("world.ranks_per_node", std::to_string(devices->items.size()), from);
  const auto text = values.get("trainer.devices");
  if (!text)
    return draft.leave("world.ranks_per_node", words::rankSharesUnknown("auto", words::defaultOf("Lightning")));
  if (*text == "auto" || *text == "-1")
    return draft.leave("world.ranks_per_node", words::rankSharesUnknown(*text, from));
  draft.read("world.ranks_per_node", *text, from);
}

/// The sampler that Lightning puts into a loader that shuffles, when several ranks train.
void readInjected(const Values& values, Draft& draft, const std::string& seed) {
  const auto injects = values.get("trainer.use_distributed_sampler");
  if (injects && !isTrue(injects))
    return draft.leave("sampler.type", words::ownSampler(values.from("trainer.use_distributed_sampler") + " false"));
  if (draft.spec().worldSize() == 1 && draft.hasRead("world.ranks_per_node"))
    return draft.assume("sampler.type", "torch.RandomSampler", words::shuffles());
  draft.readDefault("sampler.type", "torch.DistributedSampler", "Lightning");
  draft.assume("sampler.shuffle", "true", words::shuffles());
  draft.readDefault("sampler.seed", seed, "Lightning");
}

void readLoaderKeys(const TreeNode& root, const std::string& file, const std::string& prefix, Draft& draft) {
  const Values values = valuesOf(root, file, prefix);
  for (const char* key : {"num_workers", "drop_last", "persistent_workers", "prefetch_factor"})
    readInto(values, draft, key, "loader." + std::string(key));
}

void readAccumulation(const TreeNode& root, const Values& values, Draft& draft) {
  const char* const name = "trainer.accumulate_grad_batches";
  const TreeNode* steps = nodeAt(root, name);
  if (steps != nullptr && steps->kind == TreeNode::Kind::Map)
    return draft.leave(
        "loader.gradient_accumulation_steps",
        filled(worded("import", "%1 sets numbers by epoch; the spec has one for all epochs."), values.from(name)));
  readInto(values, draft, name, "loader.gradient_accumulation_steps");
}

void readLightning(const TreeNode& root, const std::string& file, Draft& draft) {
  const Values values = valuesOf(root, file);
  readInto(values, draft, "trainer.num_nodes", "world.nodes");
  draft.readDefault("world.nodes", "1", "Lightning");
  readDevices(root, values, draft);
  readAccumulation(root, values, draft);
  draft.readDefault("loader.gradient_accumulation_steps", "1", "Lightning");
  if (const auto epochs = values.get("trainer.max_epochs"))
    draft.read("epochs", *epochs, values.from("trainer.max_epochs"));
  const auto seed = values.get("seed_everything");
  const bool is_number = seed && wholeNumber(*seed);
  if (is_number) {
    draft.read("seeds.base", *seed, values.from("seed_everything"));
    draft.read("seeds.rule", "same", values.from("seed_everything"));
  } else {
    draft.read("seeds.rule", "unseeded",
               seed ? values.from("seed_everything " + *seed) : words::defaultOf("Lightning"));
  }
  readInjected(values, draft, is_number ? *seed : "0");
  const std::string data = nodeAt(root, "data.init_args") == nullptr ? "data." : "data.init_args.";
  if (const auto batch = scalarAt(root, data + "batch_size"))
    draft.assume("loader.batch_size", *batch,
                 filled(worded("import", "%1, taken as the batch of each rank"), file + ": " + data + "batch_size"));
  readLoaderKeys(root, file, data, draft);
}

/// A project laid out as lightning-hydra-template is, whose data module divides batch_size by the world size.
void readHydra(const TreeNode& root, const std::string& file, Draft& draft) {
  const Values values = valuesOf(root, file);
  readInto(values, draft, "trainer.num_nodes", "world.nodes");
  draft.readDefault("world.nodes", "1", "Lightning");
  readDevices(root, values, draft);
  readInto(values, draft, "trainer.max_epochs", "epochs");
  readAccumulation(root, values, draft);
  readInto(values, draft, "seed", "seeds.base");
  if (draft.hasRead("seeds.base")) draft.read("seeds.rule", "same", values.from("seed"));
  readInjected(values, draft, values.get("seed").value_or("0"));
  if (const auto batch = values.get("data.batch_size"))
    draft.readGlobalBatch(*batch, values.from("data.batch_size"),
                          worded("import", "as lightning-hydra-template divides it"));
  readLoaderKeys(root, file, "data.", draft);
}

void readAccelerate(const TreeNode& root, const std::string& file, Draft& draft) {
  const Values values = valuesOf(root, file);
  readInto(values, draft, "num_machines", "world.nodes");
  if (const auto processes = values.get("num_processes")) draft.readWorldSize(*processes, values.from("num_processes"));
  draft.assume("sampler.type", "accelerate.BatchSamplerShard", words::defaultOf("Accelerate"));
  draft.assume("sampler.shuffle", "true", words::shuffles());
}

void readTrainingArguments(const TreeNode& root, const std::string& file, Draft& draft) {
  readTrainer(valuesOf(root, file), draft);
}

/// Axolotl has names of its own for some of the Trainer's arguments.
void readAxolotl(const TreeNode& root, const std::string& file, Draft& draft) {
  const Values own = valuesOf(root, file);
  const auto axolotl_name = [](const std::string& name) {
    if (name == "per_device_train_batch_size") return std::string("micro_batch_size");
    return name == "num_train_epochs" ? std::string("num_epochs") : name;
  };
  readTrainer({[=](const std::string& name) { return own.get(axolotl_name(name)); },
               [=](const std::string& name) { return own.from(axolotl_name(name)); }},
              draft);
}

void readFoundry(const TreeNode& root, const std::string& file, Draft& draft) {
  const Values values = valuesOf(root, file);
  const Values dataset = valuesOf(root, file, "train_loader.dataset.");
  if (const auto batch = values.get("global_train_batch_size"))
    draft.readGlobalBatch(*batch, values.from("global_train_batch_size"));
  const std::string duration = values.get("max_duration").value_or("");
  if (duration.ends_with("ep"))
    draft.read("epochs", duration.substr(0, duration.size() - 2), values.from("max_duration"));
  if (!duration.empty() && !duration.ends_with("ep"))
    draft.leave("epochs", words::runsForSteps(values.from("max_duration")));
  if (const auto seed = values.get("seed")) {
    draft.read("seeds.base", *seed, values.from("seed"));
    draft.readDefault("seeds.rule", "base+rank", "Composer");
  }
  readLoaderKeys(root, file, "train_loader.", draft);
  const TreeNode* keys = nodeAt(root, "train_loader.dataset");
  const auto streams = [keys](const char* key) { return keys != nullptr && keys->find(key) != nullptr; };
  if (!std::ranges::any_of(std::array{"streams", "remote", "shuffle_algo", "shuffle_seed", "num_canonical_nodes"},
                           streams))
    return draft.leave("sampler.type", filled(worded("import", "%1 does not say that it is a StreamingDataset."),
                                              file + ": train_loader.dataset"));
  draft.read("sampler.type", "streaming.StreamingDataset", file + ": train_loader.dataset");
  for (const Field* field : fieldsOf(draft.spec(), draft.catalogue())) {
    if (field->section() != "sampler" || field->path == "sampler.type" || field->path == "sampler.batch_size") continue;
    readInto(dataset, draft, field->key(), field->path);
  }
}

/// A list of words, or none.
std::vector<std::string> wordsOf(const TreeNode* list) {
  std::vector<std::string> words;
  if (list == nullptr || list->kind != TreeNode::Kind::Sequence) return words;
  for (const TreeNode& item : list->items) words.push_back(item.text);
  return words;
}

/// What a container starts: command and args, one after the other.
void readContainer(const TreeNode* container, const std::string& file, Draft& draft) {
  if (container == nullptr || container->kind != TreeNode::Kind::Map) return;
  std::vector<std::string> words = wordsOf(container->find("command"));
  for (std::string& word : wordsOf(container->find("args"))) words.push_back(std::move(word));
  (void)readWords(words, file, draft);
}

/// The first container of a replica's pods.
void readReplica(const TreeNode& root, const std::string& replica, const std::string& file, Draft& draft) {
  const TreeNode* containers = nodeAt(root, replica + ".template.spec.containers");
  if (containers != nullptr && containers->kind == TreeNode::Kind::Sequence && !containers->items.empty())
    readContainer(&containers->items.front(), file, draft);
}

void readTrainJob(const TreeNode& root, const std::string& file, Draft& draft) {
  const Values values = valuesOf(root, file, "spec.trainer.");
  readInto(values, draft, "numNodes", "world.nodes");
  readInto(values, draft, "numProcPerNode", "world.ranks_per_node");
  readContainer(nodeAt(root, "spec.trainer"), file, draft);
}

void readPyTorchJob(const TreeNode& root, const std::string& file, Draft& draft) {
  const Values values = valuesOf(root, file, "spec.");
  readInto(values, draft, "nprocPerNode", "world.ranks_per_node");
  const auto workers = values.get("pytorchReplicaSpecs.Worker.replicas").value_or("0");
  if (const auto count = wholeNumber(workers, kDigitsOfCount))
    draft.read("world.nodes", std::to_string(*count + 1), values.from("pytorchReplicaSpecs"));
  readReplica(root, "spec.pytorchReplicaSpecs.Master", file, draft);
}

void readMpiJob(const TreeNode& root, const std::string& file, Draft& draft) {
  const Values values = valuesOf(root, file, "spec.");
  draft.read("world.ranks_per_node", values.get("slotsPerWorker").value_or("1"),
             values.get("slotsPerWorker") ? values.from("slotsPerWorker") : words::defaultOf("MPIJob"));
  readInto(values, draft, "mpiReplicaSpecs.Worker.replicas", "world.nodes");
  readReplica(root, "spec.mpiReplicaSpecs.Launcher", file, draft);
}

void readSkyPilot(const TreeNode& root, const std::string& file, Draft& draft) {
  readInto(valuesOf(root, file), draft, "num_nodes", "world.nodes");
  if (const auto run = scalarAt(root, "run")) readCommands(readScript(*run), file, draft);
}

/// DeepSpeed works out what is not said of: step = batch x accumulation x ranks.
void readDeepSpeed(const TreeNode& root, const std::string& file, Draft& draft) {
  const Values values = valuesOf(root, file);
  constexpr std::array kParts = {std::pair{"train_micro_batch_size_per_gpu", "loader.batch_size"},
                                 std::pair{"gradient_accumulation_steps", "loader.gradient_accumulation_steps"}};
  const auto isAuto = [&values](const char* name) { return values.get(name) == "auto"; };
  for (const auto& [name, field] : kParts) {
    if (!isAuto(name)) readInto(values, draft, name, field);
  }
  const auto step = values.get("train_batch_size");
  const bool says_step = step && *step != "auto";
  const bool says_parts = values.get(kParts[0].first) && step;
  if (!values.get(kParts[1].first) && !says_parts) draft.readDefault(kParts[1].second, "1", "DeepSpeed");
  if (says_step) draft.readStepBatch(*step, values.from("train_batch_size"));
  const bool follows = says_step && (draft.hasRead(kParts[0].second) || draft.hasRead(kParts[1].second));
  for (const auto& [name, field] : kParts) {
    if (!follows && isAuto(name)) draft.leave(field, words::notReadable("auto", values.from(name)));
  }
  readInto(values, draft, "dataloader_drop_last", "loader.drop_last");
}

/// Hydra writes "_target_" where Lightning writes "class_path"; our own overlay says what it is in its first line.
bool isHydra(const TreeNode& root, std::string_view text) {
  return nodeAt(root, "trainer._target_") != nullptr || nodeAt(root, "data._target_") != nullptr ||
         root.find("hydra") != nullptr || text.starts_with("# @package _global_");
}

/// What a root that has these keys is; the first that fits.
struct Kind {
  const char* title;
  std::array<std::string_view, 2> keys;
  std::string_view kind;  ///< what the key `kind` says, of Kubernetes
  Read read;
};

constexpr std::array<Kind, 13> kKinds = {{
    {"Python script", {kPythonScript, ""}, "", readPythonScript},
    {"Kubeflow TrainJob", {"kind", "spec"}, "TrainJob", readTrainJob},
    {"Kubeflow PyTorchJob", {"kind", "spec"}, "PyTorchJob", readPyTorchJob},
    {"Kubeflow MPIJob", {"kind", "spec"}, "MPIJob", readMpiJob},
    {"Accelerate", {"distributed_type", "num_processes"}, "", readAccelerate},
    {"llm-foundry", {"train_loader", "global_train_batch_size"}, "", readFoundry},
    {"Hugging Face Trainer", {"per_device_train_batch_size", ""}, "", readTrainingArguments},
    {"Axolotl", {"micro_batch_size", "base_model"}, "", readAxolotl},
    {"Hydra", {"trainer", ""}, "", readHydra},
    {"Lightning CLI", {"trainer", ""}, "", readLightning},
    {"DeepSpeed", {"train_micro_batch_size_per_gpu", ""}, "", readDeepSpeed},
    {"DeepSpeed", {"train_batch_size", ""}, "", readDeepSpeed},
    {"SkyPilot", {"run", "num_nodes"}, "", readSkyPilot},
}};

const Kind* kindOf(const TreeNode& root, std::string_view text) {
  if (root.kind != TreeNode::Kind::Map) return nullptr;
  for (const Kind& kind : kKinds) {
    const bool has_keys = (kind.keys[0].empty() || root.find(kind.keys[0]) != nullptr) &&
                          (kind.keys[1].empty() || root.find(kind.keys[1]) != nullptr);
    if (kind.read == readHydra && !isHydra(root, text)) continue;
    if (has_keys && (kind.kind.empty() || scalarAt(root, "kind") == std::string(kind.kind))) return &kind;
  }
  return nullptr;
}

constexpr int kMostReferences = 8;  ///< one value may name another, which names another

std::optional<std::string> resolved(const TreeNode& root, std::string_view path, int references) {
  const TreeNode* node = nodeAt(root, path);
  if (node == nullptr || node->kind != TreeNode::Kind::Scalar) return std::nullopt;
  const std::string& text = node->text;
  if (!text.starts_with("${") || !text.ends_with('}') || text.find('$', 1) != std::string::npos) return text;
  if (references == kMostReferences) return std::nullopt;
  const std::string_view name = std::string_view(text).substr(2, text.size() - 3);
  if (auto there = resolved(root, name, references + 1)) return there;
  return resolved(root, "variables." + std::string(name), references + 1);  // where llm-foundry keeps them
}

}  // namespace

std::string kindOfTree(const TreeNode& root, std::string_view text) {
  const Kind* kind = kindOf(root, text);
  return kind == nullptr ? std::string() : kind->title;
}

std::string readTree(const TreeNode& root, std::string_view text, const std::string& name, Draft& draft) {
  const Kind* kind = kindOf(root, text);
  if (kind == nullptr) return {};
  kind->read(root, name, draft);
  return kind->title;
}

const TreeNode* nodeAt(const TreeNode& root, std::string_view path) {
  const TreeNode* node = &root;
  while (node != nullptr && !path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    node = node->kind == TreeNode::Kind::Map ? node->find(path.substr(0, dot)) : nullptr;
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return node;
}

std::optional<std::string> scalarAt(const TreeNode& root, std::string_view path) {
  return resolved(root, path, 0);
}

Values valuesOf(const TreeNode& root, const std::string& file, const std::string& prefix) {
  return {[&root, prefix](const std::string& name) { return scalarAt(root, prefix + name); },
          [file, prefix](const std::string& name) { return file + ": " + prefix + name; }};
}

}  // namespace shardlens::yaml::imports
