// SPDX-License-Identifier: Apache-2.0
#include "core/audit/fixes/sampler_remedies.h"

#include "core/spec/field_table.h"

#include <algorithm>
#include <array>
#include <utility>

namespace shardlens::fixes {
namespace {

constexpr std::array kSamplers = {
    SamplerRemedies{.type = "accelerate.BatchSamplerShard", .fills = {"even_batches"}},
    SamplerRemedies{.type = "accelerate.DataLoaderShard", .fills = {"even_batches"}},
    SamplerRemedies{.type = "datasets.Dataset", .order_seed = "seed", .for_ranks = "torch.DistributedSampler"},
    SamplerRemedies{.type = "datasets.IterableDataset", .splits_ranks = {"split_by_node"}},
    SamplerRemedies{.type = "detectron2.InferenceSampler", .for_ranks = "torch.DistributedSampler"},
    SamplerRemedies{.type = "grain.IndexSampler", .cuts = {"drop_remainder"}},
    SamplerRemedies{.type = "lightning.UnrepeatedDistributedSampler", .for_ranks = "torch.DistributedSampler"},
    SamplerRemedies{.type = "lightning.UnrepeatedDistributedSamplerWrapper",
                    .for_ranks = "lightning.DistributedSamplerWrapper"},
    SamplerRemedies{.type = "meanteacher.TwoStreamBatchSampler",
                    .for_ranks = "shardlens.DistributedTwoStreamBatchSampler"},
    SamplerRemedies{.type = "mmengine.DefaultSampler", .fills = {"round_up"}},
    SamplerRemedies{.type = "ssl4mis.TwoStreamBatchSampler", .for_ranks = "shardlens.DistributedTwoStreamBatchSampler"},
    SamplerRemedies{.type = "torch.IterableDataset",
                    .splits_ranks = {"world_split", "stride"},
                    .splits_workers = {"worker_split", "stride"}},
    SamplerRemedies{.type = "torch.RandomSampler", .for_ranks = "torch.DistributedSampler"},
    SamplerRemedies{.type = "torch.SequentialSampler", .for_ranks = "torch.DistributedSampler"},
    SamplerRemedies{.type = "torchdata.RandomSampler", .for_ranks = "torchdata.StatefulDistributedSampler"},
    SamplerRemedies{.type = "transformers.LengthGroupedSampler",
                    .for_ranks = "transformers.DistributedLengthGroupedSampler"},
    SamplerRemedies{.type = "webdataset.ResampledShards", .for_ranks = "webdataset.WebDataset"},
    SamplerRemedies{.type = "webdataset.WebDataset",
                    .splits_ranks = {"nodesplitter", "split_by_node"},
                    .splits_workers = {"workersplitter", "split_by_worker"},
                    .renews = {"detshuffle"}},
};

}  // namespace

std::span<const SamplerRemedies> samplerRemedies() {
  return kSamplers;
}

const SamplerRemedies& remediesOf(const Facts& facts) {
  static constexpr SamplerRemedies kNone{};
  const auto row = std::ranges::find(kSamplers, facts.spec().sampler.type, &SamplerRemedies::type);
  return row == kSamplers.end() ? kNone : *row;
}

std::optional<Edit> made(const Facts& facts, const Setting& setting) {
  if (setting.key.empty()) return std::nullopt;
  Edit edit{"sampler." + std::string(setting.key), true};
  if (!setting.choice.empty()) edit.value = std::string(setting.choice);
  const Field* field = findField(facts.spec(), sampling::catalogue(), edit.path);
  if (field == nullptr || getValue(facts.spec(), *field) == edit.value) return std::nullopt;
  return edit;
}

Fix changeTo(const Facts& facts, const std::string& type, std::string label) {
  Fix fix{std::move(label), {{"sampler.type", type}}};
  const sampling::SamplerRule* rule = sampling::findRule(type);
  if (rule == nullptr) return fix;
  for (const Field& field : rule->info.parameters) {
    const auto present = facts.spec().sampler.parameters.find(std::string(field.key()));
    if (present == facts.spec().sampler.parameters.end() || !checkValue(field, present->second)) continue;
    fix.edits.push_back({field.path, field.fallback});
  }
  for (const auto& [key, value] : facts.spec().sampler.parameters) {
    const auto takes = [&key = key](const Field& field) { return field.key() == key; };
    if (std::ranges::none_of(rule->info.parameters, takes)) fix.removed.push_back("sampler." + key);
  }
  return fix;
}

}  // namespace shardlens::fixes
