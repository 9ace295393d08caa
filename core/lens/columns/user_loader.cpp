// SPDX-License-Identifier: Apache-2.0
#include "core/lens/columns/user_loader.h"

#include "core/sampling/registry.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace shardlens::lenses {
namespace {

using sampling::UserBatchSampler;
using sampling::UserLoader;
using sampling::UserSampler;
using Kind = UserSampler::Kind;

struct Known {
  std::string_view type;
  Kind kind;
};

/// Samplers that a script hands to a DataLoader as `sampler`, by the torch class that they are or inherit from.
constexpr std::array kSamplers = {
    Known{"torch.SequentialSampler", Kind::Sequential},
    Known{"torch.RandomSampler", Kind::Random},
    Known{"torch.DistributedSampler", Kind::Distributed},
    Known{"torch.SubsetRandomSampler", Kind::Other},
    Known{"torch.WeightedRandomSampler", Kind::Other},
    Known{"python.list", Kind::Other},
    Known{"imbalanced.ImbalancedDatasetSampler", Kind::Other},
    Known{"lightning.DistributedSamplerWrapper", Kind::Distributed},
    Known{"lightning.UnrepeatedDistributedSampler", Kind::Distributed},
    Known{"lightning.UnrepeatedDistributedSamplerWrapper", Kind::Distributed},
};

/// Batch samplers that inherit from torch's Sampler alone and have neither batch_size nor drop_last.
constexpr std::array<std::string_view, 3> kBareBatchSamplers = {
    "meanteacher.TwoStreamBatchSampler",
    "ssl4mis.TwoStreamBatchSampler",
    "shardlens.DistributedTwoStreamBatchSampler",
};

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
  return std::ranges::find(kBareBatchSamplers, spec.sampler.type) != kBareBatchSamplers.end();
}

std::optional<UserLoader> userLoaderOf(const PipelineSpec& spec) {
  UserLoader loader;
  if (isBatchSampler(spec)) {
    loader = bareBatchSampler(spec);
  } else {
    const auto known = std::ranges::find(kSamplers, spec.sampler.type, &Known::type);
    if (known == kSamplers.end()) return std::nullopt;
    loader.sampler = {classOf(spec.sampler.type), known->kind, UserSampler::Length::Finite, lengthOf(spec)};
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
  settings.is_distributed = spec.worldSize() > 1;
  settings.overfit = api == sampling::LightningApi::Trainer && lightning.overfit_batches > 0;
  settings.seed = lightning.global_seed;
  settings.world_size = spec.worldSize();
  // The rank that goes without when samples are fewer than ranks.
  settings.rank = Rank{spec.worldSize() - 1};
  return settings;
}

}  // namespace shardlens::lenses
