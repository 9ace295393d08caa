// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/yaml/imports/readers.h"

#include <array>
#include <utility>

namespace shardlens::yaml::imports {
namespace {

std::string scriptsOwnArgument(const std::string& from) {
  return filled(worded("import", "%1, an argument of the script, whose meaning is guessed from its name"), from);
}

std::string isNotRead(const std::string& from) {
  return filled(worded("import", "%1 is not read."), from);
}

struct Name {
  const char* name;
  const char* field;
};

/// What most scripts call it; only their authors know whether they mean that.
constexpr std::array kUsualNames = {
    Name{"batch_size", "loader.batch_size"},
    Name{"train_batch_size", "loader.batch_size"},
    Name{"per_gpu_batch_size", "loader.batch_size"},
    Name{"workers", "loader.num_workers"},
    Name{"num_workers", "loader.num_workers"},
    Name{"dataloader_num_workers", "loader.num_workers"},
    Name{"epochs", "epochs"},
    Name{"num_epochs", "epochs"},
    Name{"max_epochs", "epochs"},
    Name{"seed", "seeds.base"},
    Name{"random_seed", "seeds.base"},
    Name{"seed_everything", "seeds.base"},
    Name{"data.batch_size", "loader.batch_size"},
    Name{"data.init_args.batch_size", "loader.batch_size"},
    Name{"data.num_workers", "loader.num_workers"},
    Name{"data.init_args.num_workers", "loader.num_workers"},
    Name{"trainer.max_epochs", "epochs"},
    Name{"drop_last", "loader.drop_last"},
    Name{"gradient_accumulation_steps", "loader.gradient_accumulation_steps"},
    Name{"accumulate_grad_batches", "loader.gradient_accumulation_steps"},
    Name{"trainer.accumulate_grad_batches", "loader.gradient_accumulation_steps"},
};

/// "3.0" is a number of epochs that the Trainer takes.
std::string wholeEpochs(std::string text) {
  const std::size_t point = text.find('.');
  if (point != std::string::npos && text.find_first_not_of('0', point + 1) == std::string::npos) text.resize(point);
  return text;
}

void readOrDefault(const Values& values, Draft& draft, const std::string& name, const std::string& field,
                   const std::string& otherwise, const std::string& reader) {
  readInto(values, draft, name, field);
  if (!values.get(name)) draft.readDefault(field, otherwise, reader);
}

std::optional<std::int64_t> countIn(const std::optional<std::string>& text) {
  return text ? wholeNumber(*text, kDigitsOfCount) : std::nullopt;
}

/// RandomSampler, seeded by Accelerate with seed + epoch, and whole batches dealt to the ranks.
void readTrainersSampler(const Values& values, Draft& draft) {
  for (const char* name : {"streaming", "accelerator_config.dispatch_batches", "sample_packing", "packing"}) {
    if (isTrue(values.get(name)))
      return draft.leave(
          "sampler.type",
          filled(worded("import", "With %1, a loader other than the Trainer's usual one reads the data."),
                 values.from(name)));
  }
  const std::string reader = "the Trainer";
  draft.readDefault("sampler.type", "accelerate.BatchSamplerShard", reader);
  draft.readDefault("sampler.shuffle", "true", reader);
  readOrDefault(values, draft, "accelerator_config.use_seedable_sampler", "sampler.use_seedable_sampler", "true",
                reader);
  readInto(values, draft, "accelerator_config.split_batches", "sampler.split_batches");
  readInto(values, draft, "accelerator_config.even_batches", "sampler.even_batches");
  readInto(values, draft, "data_seed", "sampler.data_seed");
  if (values.get("accelerator_config"))
    draft.remark(ImportNote::Kind::Unknown, "sampler", isNotRead(values.from("accelerator_config")));
  for (const char* name : {"group_by_length", "train_sampling_strategy"}) {
    const auto text = values.get(name);
    const bool groups =
        text && (*text == "group_by_length" || (name == std::string("group_by_length") && isTrue(text)));
    if (groups)
      draft.remark(
          ImportNote::Kind::Unknown, "sampler",
          filled(
              worded("import",
                     "%1 groups samples by length, in an order that depends on random draws before training; the spec "
                     "has the Trainer's usual order instead."),
              values.from(name)));
    const bool is_other = text && !groups && *text != "random" && name == std::string("train_sampling_strategy");
    if (is_other) draft.remark(ImportNote::Kind::Unknown, "sampler", isNotRead(values.from(name)));
  }
}

/// max_steps ends the training whatever num_train_epochs says.
void readTrainersEpochs(const Values& values, Draft& draft) {
  const auto steps = countIn(values.get("max_steps"));
  if (steps && *steps > 0) return draft.leave("epochs", words::runsForSteps(values.from("max_steps")));
  const auto epochs = values.get("num_train_epochs");
  if (!epochs) return draft.readDefault("epochs", "3", "TrainingArguments");
  const std::string whole = wholeEpochs(*epochs);
  if (whole.find('.') != std::string::npos)
    return draft.leave("epochs", filled(worded("import", "%2 says %1; the spec has whole epochs."), *epochs,
                                        values.from("num_train_epochs")));
  draft.read("epochs", whole, values.from("num_train_epochs"));
}

/// How ranks divide the model, and what seeds them apart.
void readGroups(const Values& values, Draft& draft) {
  constexpr std::array kSizes = {Name{"tensor_model_parallel_size", "world.groups.tensor"},
                                 Name{"context_parallel_size", "world.groups.context"},
                                 Name{"pipeline_model_parallel_size", "world.groups.pipeline"},
                                 Name{"expert_model_parallel_size", "world.groups.expert"},
                                 Name{"expert_tensor_parallel_size", "world.groups.expert_tensor"}};
  for (const Name& size : kSizes) readInto(values, draft, size.name, size.field);
  if (values.get("use_tp_pp_dp_mapping")) {
    draft.read("world.groups.order", kPipelineThenData, values.from("use_tp_pp_dp_mapping"));
  } else if (draft.spec().world.groups.any()) {
    draft.readDefault("world.groups.order", kDataThenPipeline, "Megatron-LM");
  }
  const char* apart = values.get("data_parallel_random_init") ? "data_parallel_random_init"
                      : countIn(values.get("pipeline_model_parallel_size")).value_or(1) > 1
                          ? "pipeline_model_parallel_size"
                          : nullptr;
  if (apart != nullptr)
    return draft.leave(
        "seeds.rule",
        filled(worded("import", "Each rank's seed depends on its place in a group (%1)."), values.from(apart)),
        "unknown");
  draft.readDefault("seeds.rule", "same", "Megatron-LM");
}

}  // namespace

std::optional<std::int64_t> wholeNumber(const std::string& text, std::size_t most_digits) {
  const bool is_number =
      !text.empty() && text.size() <= most_digits && text.find_first_not_of("0123456789") == std::string::npos;
  return is_number ? std::optional<std::int64_t>(std::stoll(text)) : std::nullopt;
}

void readInto(const Values& values, Draft& draft, const std::string& name, const std::string& field) {
  if (const auto text = values.get(name)) draft.read(field, *text, values.from(name));
}

bool isTrue(const std::optional<std::string>& text) {
  return text && (*text == "true" || *text == "True" || text->empty());
}

void readTrainer(const Values& values, Draft& draft) {
  const std::string reader = "TrainingArguments";
  readOrDefault(values, draft, "per_device_train_batch_size", "loader.batch_size", "8", reader);
  readOrDefault(values, draft, "gradient_accumulation_steps", "loader.gradient_accumulation_steps", "1", reader);
  readOrDefault(values, draft, "dataloader_num_workers", "loader.num_workers", "0", reader);
  readOrDefault(values, draft, "dataloader_drop_last", "loader.drop_last", "false", reader);
  readInto(values, draft, "dataloader_prefetch_factor", "loader.prefetch_factor");
  readInto(values, draft, "dataloader_persistent_workers", "loader.persistent_workers");
  readOrDefault(values, draft, "seed", "seeds.base", "42", reader);
  draft.readDefault("seeds.rule", "same", "the Trainer");
  readTrainersEpochs(values, draft);
  readTrainersSampler(values, draft);
}

void readMegatron(const Values& values, Draft& draft) {
  const std::string reader = "Megatron-LM";
  readInto(values, draft, "micro_batch_size", "loader.batch_size");
  if (const auto batch = values.get("global_batch_size")) draft.readStepBatch(*batch, values.from("global_batch_size"));
  readOrDefault(values, draft, "num_workers", "loader.num_workers", "2", reader);
  readOrDefault(values, draft, "seed", "seeds.base", "1234", reader);
  readGroups(values, draft);
  const std::string type = values.get("dataloader_type").value_or("single");
  const std::string from = values.get("dataloader_type") ? values.from("dataloader_type") : words::defaultOf(reader);
  if (type == "cyclic") {
    draft.read("sampler.type", "megatron.MegatronPretrainingRandomSampler", from);
    const bool is_sharded = !values.get("no_data_sharding");
    draft.read("sampler.data_sharding", is_sharded ? "true" : "false",
               is_sharded ? words::defaultOf(reader) : values.from("no_data_sharding"));
  } else if (type == "single") {
    draft.read("sampler.type", "megatron.MegatronPretrainingSampler", from);
  } else {
    draft.leave("sampler.type", words::ownSampler(from));
  }
  draft.leave("epochs", words::runsForSteps(reader));
}

void readArguments(const std::map<std::string, ScriptArgument>& arguments, const std::string& name, Draft& draft) {
  const Values values = {[&](const std::string& key) {
                           const auto found = arguments.find(key);
                           return found == arguments.end() ? std::nullopt : std::optional(found->second.text);
                         },
                         [&](const std::string& key) { return name + ": " + arguments.at(key).typed; }};
  if (values.get("per_device_train_batch_size")) return readTrainer(values, draft);
  if (values.get("micro_batch_size") && values.get("global_batch_size")) return readMegatron(values, draft);
  for (const Name& one : kUsualNames) {
    const auto text = values.get(one.name);
    if (text && !text->empty())
      draft.assume(one.field, *text, scriptsOwnArgument(values.from(one.name)), values.from(one.name));
  }
  for (const char* seed : {"seed", "random_seed", "seed_everything"}) {
    if (countIn(values.get(seed))) draft.assume("seeds.rule", "same", scriptsOwnArgument(values.from(seed)));
  }
}

}  // namespace shardlens::yaml::imports
