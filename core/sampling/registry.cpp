// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/registry.h"

#include "core/base/phrase.h"
#include "core/sampling/accelerate/samplers.h"
#include "core/sampling/community/samplers.h"
#include "core/sampling/datasets/dataset.h"
#include "core/sampling/datasets/iterable_dataset.h"
#include "core/sampling/detectron2/samplers.h"
#include "core/sampling/ffcv/traversal_order.h"
#include "core/sampling/grain/index_sampler.h"
#include "core/sampling/ignite/distributed_proxy_sampler.h"
#include "core/sampling/lightning/samplers.h"
#include "core/sampling/megatron/samplers.h"
#include "core/sampling/monai/samplers.h"
#include "core/sampling/olmo_core/fsl_data_loader.h"
#include "core/sampling/recorded_lists.h"
#include "core/sampling/rules.h"
#include "core/sampling/timm/samplers.h"
#include "core/sampling/torch/iterable_dataset.h"
#include "core/sampling/torch/samplers.h"
#include "core/sampling/transformers/samplers.h"
#include "core/sampling/trl/samplers.h"
#include "core/sampling/yolov5/samplers.h"

#include <limits>
#include <unordered_map>
#include <vector>

namespace shardlens::sampling {

namespace {

/// In the order in which lists show them.
constexpr SamplerRule (*kRules[])() = {
    // clang-format off: one a line
    accelerateBatchSamplerShard,
    accelerateDataLoaderDispatcher,
    accelerateDataLoaderShard,
    accelerateIterableDatasetShard,
    catalystBalanceClassSampler,
    catalystDistributedSamplerWrapper,
    composerGetSampler,
    datasetsDataset,
    datasetsIterableDataset,
    deepSpeedDataSampler,
    fairseqEpochBatchIterator,
    ffcvQuasiRandom,
    ffcvRandom,
    ffcvSequential,
    grainIndexSampler,
    igniteDistributedProxySampler,
    imbalancedDatasetSampler,
    lightningDistributedSamplerWrapper,
    lightningUnrepeatedDistributedSampler,
    lightningUnrepeatedDistributedSamplerWrapper,
    litdataStreamingDataset,
    llmcDataLoader,
    meanTeacherTwoStreamBatchSampler,
    megatronBridgePretrainingBatchSampler,
    megatronBridgePretrainingRandomSampler,
    megatronBridgePretrainingSampler,
    megatronFullValidationSampler,
    hybridCpMegatronPretrainingSampler,
    megatronPretrainingRandomSampler,
    megatronPretrainingSampler,
    mmdetAspectRatioBatchSampler,
    mmdetClassAwareSampler,
    mmdetGroupMultiSourceSampler,
    mmdetMultiSourceSampler,
    mmengineDefaultSampler,
    mmengineInfiniteSampler,
    monaiDistributedSampler,
    monaiDistributedWeightedRandomSampler,
    nanogptGetBatch,
    olmoFslDataLoader,
    paddleDistributedBatchSampler,
    paddleRandomSampler,
    paddleWeightedRandomSampler,
    pmlMPerClassSampler,
    pythonList,
    recordedBatches,
    shardLensDistributedTwoStreamBatchSampler,
    ssl4misTwoStreamBatchSampler,
    streamingDataset,
    timmOrderedDistributedSampler,
    timmRepeatAugSampler,
    timmScheduledBatchSampler,
    detectron2GroupedBatchSampler,
    detectron2InferenceSampler,
    detectron2RandomSubsetTrainingSampler,
    detectron2RepeatFactorTrainingSampler,
    detectron2TrainingSampler,
    torchDistributedSampler,
    torchIterableDataset,
    torchRandomSampler,
    torchSequentialSampler,
    torchSubsetRandomSampler,
    torchWeightedRandomSampler,
    trlRepeatRandomSampler,
    trlRepeatSampler,
    webDataset,
    webDatasetResampledShards,
    torchdataRandomSampler,
    torchdataStatefulDistributedSampler,
    transformersDistributedLengthGroupedSampler,
    transformersDistributedSamplerWithLoop,
    transformersLengthGroupedSampler,
    transformersSequentialDistributedSampler,
    transformersShardSampler,
    yolov5InfiniteDataLoader,
    yolov5SmartDistributedSampler,
    // clang-format on
};

}  // namespace

std::span<const SamplerRule> rules() {
  static const std::vector<SamplerRule> kAll = [] {
    std::vector<SamplerRule> all;
    for (const auto rule : kRules) all.push_back(rule());
    return all;
  }();
  return kAll;
}

SamplerCatalogue catalogue() {
  static const std::vector<SamplerInfo> kInfos = [] {
    std::vector<SamplerInfo> infos;
    for (const SamplerRule& rule : rules()) infos.push_back(rule.info);
    return infos;
  }();
  return kInfos;
}

const SamplerRule* findRule(const std::string& type) {
  static const std::unordered_map<std::string_view, const SamplerRule*> kByType = [] {
    std::unordered_map<std::string_view, const SamplerRule*> by_type;
    for (const SamplerRule& rule : rules()) by_type.emplace(rule.info.type, &rule);
    return by_type;
  }();
  const auto found = kByType.find(type);
  return found == kByType.end() ? nullptr : found->second;
}

std::string_view frameworkOf(std::string_view type) {
  return type.substr(0, type.find('.'));
}

const SamplerTraits& traitsOf(const PipelineSpec& spec) {
  static const SamplerTraits kNone;
  const SamplerRule* rule = findRule(spec.sampler.type);
  return rule == nullptr ? kNone : rule->traits;
}

namespace {

/// What the spec itself says of a parameter.
std::optional<std::int64_t> saidNumber(const PipelineSpec& spec, std::string_view name) {
  const auto* const value = spec.sampler.said<std::int64_t>(std::string(name));
  return value == nullptr ? std::nullopt : std::optional(*value);
}

}  // namespace

/// Elsewhere it is the framework that decides which ranks it deals to, or the script says so in no field of the spec.
Result<void> checkPeers(const PipelineSpec& spec) {
  if (traitsOf(spec).knows_peers || spec.world.groups.ranksOfModel() == 1) return {};
  return Error{
      ErrorCode::Unsupported,
      filled(worded("spec", "ShardLens does not know what ranks that divide one copy of the model get from %1."),
             samplerName(spec.sampler.type)),
      Place{{}, 0, 0, "world.groups"},
      worded("spec",
             "use a torch.DistributedSampler that gets data_parallel_size and data_parallel_rank, or one of Megatron's "
             "own samplers")};
}

std::optional<std::int64_t> batchesPerStep(const PipelineSpec& spec) {
  const SamplerTraits& traits = traitsOf(spec);
  if (saidNumber(spec, traits.global_batch)) return 1;
  if (!traits.accumulation.empty()) return saidNumber(spec, traits.accumulation);
  // Code that accumulates need not have said so: 1 is also what a spec has that says nothing.
  const std::int64_t batches = spec.loader.gradient_accumulation_steps;
  return batches > 1 ? std::optional(batches) : std::nullopt;
}

bool stepsAtEnd(const PipelineSpec& spec) {
  return traitsOf(spec).loop != LoopOwner::Script;
}

bool splitsBatches(const PipelineSpec& spec) {
  const bool* splits = spec.sampler.said<bool>(std::string(traitsOf(spec).split_batches));
  return splits != nullptr && *splits;
}

std::int64_t globalBatch(const PipelineSpec& spec) {
  const SamplerTraits& traits = traitsOf(spec);
  const std::int64_t replicas = spec.world.dataParallelSize();
  if (const auto said = saidNumber(spec, traits.global_batch)) {
    // HybridCPMegatronPretrainingSampler rounds it down to whole micro batches; OLMo's counts tokens.
    if (frameworkOf(spec.sampler.type) == "megatron") return *said - *said % (spec.loader.batch_size * replicas);
    return *said / saidNumber(spec, "sequence_length").value_or(1);
  }
  const std::int64_t batch = spec.loader.batch_size * (splitsBatches(spec) ? 1 : replicas);
  const std::int64_t per_step = batchesPerStep(spec).value_or(1);
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  return batch > kMost / per_step ? kMost : batch * per_step;
}

SamplerClaims claimsOf(const PipelineSpec& spec) {
  const SamplerRule* rule = findRule(spec.sampler.type);
  return rule == nullptr ? SamplerClaims{} : rule->claims(spec);
}

}  // namespace shardlens::sampling
