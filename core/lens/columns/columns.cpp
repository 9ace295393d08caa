// SPDX-License-Identifier: Apache-2.0
#include "core/lens/columns/columns.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/sampling/recorded_lists.h"
#include "core/sampling/registry.h"
#include "core/sampling/script_seed.h"
#include "core/spec/field.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <string>
#include <utility>

namespace shardlens::lenses {
namespace {

std::string pythonText(const Value& value) {
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "True" : "False";
  return valueText(value);
}

/// "42 + rank": a seed that the script makes for each rank.
std::string rankSeedText(const PipelineSpec& spec, const Value& seed) {
  return std::to_string(spec.seeds.base) + " + " + (seed == Value(std::string("base+rank")) ? "rank" : "local_rank");
}

/// Rank 0's copy yields the dataset from its beginning to its end.
bool isWholeOnRankZero(const PipelineSpec& spec) {
  const auto split = spec.sampler.parameters.find("world_split");
  const bool whole = split == spec.sampler.parameters.end() || split->second == Value(std::string("none"));
  return spec.sampler.type == "torch.IterableDataset" && whole && spec.loader.num_workers == 0;
}

}  // namespace

std::string samplerCode(const PipelineSpec& spec) {
  if (spec.sampler.type == sampling::kRecordedBatches) return spec.sampler.type;
  std::vector<std::string> arguments;
  for (const auto& [key, value] : spec.sampler.parameters) {
    const std::string text = sampling::isRankSeed(value) ? rankSeedText(spec, value) : pythonText(value);
    arguments.push_back(key + "=" + text);
  }
  const std::string& type = spec.sampler.type;
  return type.substr(type.rfind('.') + 1) + "(" + join(arguments, ", ") + ")";
}

PipelineSpec withSampler(PipelineSpec spec, std::string type, std::map<std::string, Value> parameters) {
  spec.sampler = {std::move(type), std::move(parameters)};
  return spec;
}

bool isShuffled(const PipelineSpec& spec) {
  const sampling::SamplerRule* rule = sampling::findRule(spec.sampler.type);
  if (rule == nullptr || rule->in_order) return false;
  if (rule->traits.shuffle.empty()) return true;
  const std::string path = "sampler." + std::string(rule->traits.shuffle);
  const auto field = std::ranges::find(rule->info.parameters, path, &Field::path);
  if (field == rule->info.parameters.end()) return true;
  const Value shuffle = getValue(spec, *field);
  return shuffle != Value(false) && shuffle != Value(std::int64_t{0}) && shuffle != Value(std::string("none"));
}

void tellEpoch(PipelineSpec& spec) {
  const auto told = spec.sampler.parameters.find(std::string(sampling::traitsOf(spec).set_epoch));
  if (told != spec.sampler.parameters.end()) told->second = true;
}

std::optional<LensColumn> writtenFor(const PipelineSpec& spec, const std::string& id, std::string title) {
  if (sampling::frameworkOf(spec.sampler.type) != id) return std::nullopt;
  LensColumn column;
  column.id = id;
  column.title = std::move(title);
  column.makes = worded("lens", "The design is written for this framework, and is read as it is.");
  column.sampler = samplerCode(spec);
  column.spec = spec;
  return column;
}

LensColumn ownSampler(const PipelineSpec& spec, std::string id, std::string title, std::string type,
                      std::map<std::string, Value> parameters) {
  LensColumn column;
  column.id = std::move(id);
  column.title = std::move(title);
  column.spec = withSampler(spec, std::move(type), std::move(parameters));
  column.sampler = samplerCode(*column.spec);
  const std::string& written = spec.sampler.type;
  const bool whole = written == "torch.DistributedSampler" || written == "torch.RandomSampler" ||
                     written == "torch.SequentialSampler" || written == column.spec->sampler.type;
  if (!whole) {
    column.notes.push_back(
        {Severity::Warning, worded("lens", "It takes the dataset and ignores the sampler of the design.")});
  }
  return column;
}

void leaveOpen(LensColumn& column, const PipelineSpec& spec, const std::string& because) {
  if (column.makes.empty()) column.makes = worded("lens", "ShardLens does not model this combination.");
  column.sampler = samplerCode(spec);
  column.error = Error{ErrorCode::Unsupported, filled(worded("lens", "not predictable: %1."), because), {}, {}};
}

std::vector<LensColumn> asWritten(const PipelineSpec& spec) {
  LensColumn column;
  column.id = "as-written";
  column.title = worded("lens", "As written");
  column.sampler = samplerCode(spec);
  column.makes = worded("lens", "The design itself, the reference for the other columns.");
  column.spec = spec;
  return {column};
}

bool isStream(const std::string& type) {
  return type == "torch.IterableDataset" || type == "datasets.IterableDataset" ||
         sampling::frameworkOf(type) == "webdataset" || sampling::frameworkOf(type) == "streaming";
}

void dealStream(LensColumn& column, const PipelineSpec& spec) {
  column.makes = worded("lens", "Only rank 0 reads the dataset, and sends every process its part of each batch.");
  if (!isWholeOnRankZero(spec)) {
    return leaveOpen(
        column, spec,
        worded("lens", "ShardLens does not model what workers, or a dataset that divides itself, give to rank 0"));
  }
  column.spec = withSampler(spec, "accelerate.DataLoaderDispatcher", {{"shuffle", false}});
  column.sampler = samplerCode(*column.spec);
}

namespace {

using sampling::UserBatchSampler;
using sampling::UserLoader;
using sampling::UserSampler;
using Kind = UserSampler::Kind;

/// The class of torch's that a sampler is, or inherits from; nothing for what is handed to no DataLoader as `sampler`.
std::optional<Kind> kindOf(const PipelineSpec& spec) {
  using Part = sampling::LoaderPart;
  switch (sampling::traitsOf(spec).loader_part) {
    case Part::Sequential:
      return Kind::Sequential;
    case Part::Random:
      return Kind::Random;
    case Part::Distributed:
      return Kind::Distributed;
    case Part::Other:
      return Kind::Other;
    default:
      return std::nullopt;
  }
}

std::string classOf(const std::string& type) {
  return type.substr(type.rfind('.') + 1);
}

std::int64_t lengthOf(const PipelineSpec& spec) {
  const sampling::SamplerRule* rule = sampling::findRule(spec.sampler.type);
  if (rule == nullptr || rule->shape == nullptr) return spec.dataset.size;
  return rule->shape(spec, Epoch{0}, Rank{0}).count;
}

UserLoader bareBatchSampler(const PipelineSpec& spec) {
  UserBatchSampler batch_sampler;
  batch_sampler.class_name = classOf(spec.sampler.type);
  batch_sampler.exact = batch_sampler.inherits = false;
  batch_sampler.has_batch_size = batch_sampler.has_drop_last = false;
  batch_sampler.sampler.reset();
  UserLoader loader;
  loader.gave_batch_sampler = true;
  loader.batch_sampler = batch_sampler;
  loader.sampler.size = spec.dataset.size;
  return loader;
}

}  // namespace

bool isBatchSampler(const PipelineSpec& spec) {
  return sampling::traitsOf(spec).loader_part == sampling::LoaderPart::BatchSampler;
}

std::int64_t batchesRead(const PipelineSpec& spec) {
  const auto& lightning = spec.framework.lightning;
  return lightning.stage == "train" || lightning.stage == "validate" ? lightning.overfit_batches : 0;
}

bool readsInOrder(const PipelineSpec& spec) {
  const auto& lightning = spec.framework.lightning;
  return lightning.stage == "train" && lightning.overfit_batches > 0 && !isBatchSampler(spec);
}

std::optional<UserLoader> userLoaderOf(const PipelineSpec& spec) {
  UserLoader loader;
  if (isBatchSampler(spec)) {
    loader = bareBatchSampler(spec);
  } else {
    const std::optional<Kind> kind = kindOf(spec);
    if (!kind) return std::nullopt;
    loader.sampler = {classOf(spec.sampler.type), *kind, UserSampler::Length::Finite, lengthOf(spec)};
    loader.batch_sampler->sampler = loader.sampler;
  }
  loader.in_hook = spec.framework.lightning.dataloader_hook;
  loader.batch_size = spec.loader.batch_size;
  loader.drop_last = spec.loader.drop_last;
  return loader;
}

sampling::LightningSettings lightningSettings(const PipelineSpec& spec, sampling::LightningApi api) {
  const auto& lightning = spec.framework.lightning;
  sampling::LightningSettings settings;
  settings.api = api;
  settings.training = api == sampling::LightningApi::Trainer && lightning.stage == "train";
  settings.predicting = api == sampling::LightningApi::Trainer && lightning.stage == "predict";
  settings.use_distributed_sampler = lightning.use_distributed_sampler;
  settings.is_distributed = spec.worldSize() > 1 || lightning.strategy == "ddp";  // asks the strategy's class alone
  settings.overfit = api == sampling::LightningApi::Trainer && lightning.overfit_batches > 0;
  settings.seed = lightning.global_seed;
  settings.world_size = spec.worldSize();
  // The rank that goes without when samples are fewer than ranks.
  settings.rank = Rank{spec.worldSize() - 1};
  return settings;
}

}  // namespace shardlens::lenses
