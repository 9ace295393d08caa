// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/registry.h"

#include "core/sampling/accelerate_samplers.h"
#include "core/sampling/catalyst_balance_class_sampler.h"
#include "core/sampling/catalyst_distributed_sampler_wrapper.h"
#include "core/sampling/datasets_dataset.h"
#include "core/sampling/datasets_iterable_dataset.h"
#include "core/sampling/detectron2_samplers.h"
#include "core/sampling/fairseq_epoch_batch_iterator.h"
#include "core/sampling/grain_index_sampler.h"
#include "core/sampling/imbalanced_dataset_sampler.h"
#include "core/sampling/lightning_distributed_sampler_wrapper.h"
#include "core/sampling/lightning_unrepeated_distributed_sampler.h"
#include "core/sampling/megatron_samplers.h"
#include "core/sampling/mmengine_default_sampler.h"
#include "core/sampling/mmengine_infinite_sampler.h"
#include "core/sampling/pml_m_per_class_sampler.h"
#include "core/sampling/python_list.h"
#include "core/sampling/shardlens_distributed_two_stream_batch_sampler.h"
#include "core/sampling/streaming_dataset.h"
#include "core/sampling/timm_ordered_distributed_sampler.h"
#include "core/sampling/timm_repeat_aug_sampler.h"
#include "core/sampling/torch_distributed_sampler.h"
#include "core/sampling/torch_iterable_dataset.h"
#include "core/sampling/torch_random_sampler.h"
#include "core/sampling/torch_sequential_sampler.h"
#include "core/sampling/torch_subset_random_sampler.h"
#include "core/sampling/torch_weighted_random_sampler.h"
#include "core/sampling/torchdata_samplers.h"
#include "core/sampling/transformers_samplers.h"
#include "core/sampling/two_stream_batch_sampler.h"
#include "core/sampling/webdataset.h"

#include <vector>

namespace shardlens::sampling {

std::span<const SamplerRule> rules() {
  static const std::vector<SamplerRule> kRules = {
      accelerateBatchSamplerShard(),
      accelerateDataLoaderDispatcher(),
      accelerateDataLoaderShard(),
      accelerateIterableDatasetShard(),
      catalystBalanceClassSampler(),
      catalystDistributedSamplerWrapper(),
      datasetsDataset(),
      datasetsIterableDataset(),
      fairseqEpochBatchIterator(),
      grainIndexSampler(),
      imbalancedDatasetSampler(),
      lightningDistributedSamplerWrapper(),
      lightningUnrepeatedDistributedSampler(),
      lightningUnrepeatedDistributedSamplerWrapper(),
      meanTeacherTwoStreamBatchSampler(),
      megatronFullValidationSampler(),
      hybridCpMegatronPretrainingSampler(),
      megatronPretrainingRandomSampler(),
      megatronPretrainingSampler(),
      mmengineDefaultSampler(),
      mmengineInfiniteSampler(),
      pmlMPerClassSampler(),
      pythonList(),
      shardLensDistributedTwoStreamBatchSampler(),
      ssl4misTwoStreamBatchSampler(),
      streamingDataset(),
      timmOrderedDistributedSampler(),
      timmRepeatAugSampler(),
      detectron2GroupedBatchSampler(),
      detectron2InferenceSampler(),
      detectron2RandomSubsetTrainingSampler(),
      detectron2RepeatFactorTrainingSampler(),
      detectron2TrainingSampler(),
      torchDistributedSampler(),
      torchIterableDataset(),
      torchRandomSampler(),
      torchSequentialSampler(),
      torchSubsetRandomSampler(),
      torchWeightedRandomSampler(),
      webDataset(),
      webDatasetResampledShards(),
      torchdataRandomSampler(),
      torchdataStatefulDistributedSampler(),
      transformersDistributedLengthGroupedSampler(),
      transformersDistributedSamplerWithLoop(),
      transformersLengthGroupedSampler(),
      transformersSequentialDistributedSampler(),
      transformersShardSampler(),
  };
  return kRules;
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
  for (const SamplerRule& rule : rules()) {
    if (rule.info.type == type) return &rule;
  }
  return nullptr;
}

}  // namespace shardlens::sampling
