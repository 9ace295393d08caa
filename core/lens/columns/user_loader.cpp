// SPDX-License-Identifier: Apache-2.0
#include "core/lens/columns/user_loader.h"

#include "core/sampling/registry.h"

#include <string>

namespace shardlens::lenses {
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
