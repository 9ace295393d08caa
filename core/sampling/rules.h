// SPDX-License-Identifier: Apache-2.0
// The rules of which only registry.cpp knows. Rules that others run, too, are declared in their framework's folder.
#pragma once

#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// catalyst.data.BalanceClassSampler: as many samples of each class, chosen and shuffled by NumPy's global stream.
/// Source: catalyst-team/catalyst @e99f906, catalyst/data/sampler.py.
SamplerRule catalystBalanceClassSampler();

/// catalyst.data.DistributedSamplerWrapper: DistributedSampler with seed 0 over the positions of another sampler's
/// pass. Source: catalyst-team/catalyst @e99f906, catalyst/data/sampler.py.
SamplerRule catalystDistributedSamplerWrapper();

/// dist.get_sampler of Composer (`composer/utils/dist.py` @6405188): torch's DistributedSampler with Composer's own
/// defaults.
SamplerRule composerGetSampler();

/// DeepSpeedDataSampler of DeepSpeed (`deepspeed/runtime/data_pipeline/data_sampling/data_sampler.py` @edaa722): draws
/// global batches from clusters of samples, to which a curriculum adds harder ones.
SamplerRule deepSpeedDataSampler();

/// fairseq.data.iterators.EpochBatchIterator over batches of loader.batch_size consecutive samples: the batches are
/// shuffled, each rank takes every world-size-th, and ranks that have one less get an empty batch. Its first epoch
/// is 1. Source: facebookresearch/fairseq @3d262bb, fairseq/data/iterators.py, ordered_batches.
SamplerRule fairseqEpochBatchIterator();

/// lightning.fabric.utilities.distributed.DistributedSamplerWrapper (@7f0c343): one pass of the inner sampler, its
/// places permuted, padded and dealt as DistributedSampler deals a dataset.
SamplerRule lightningDistributedSamplerWrapper();

/// lightning.pytorch.overrides.distributed.UnrepeatedDistributedSamplerWrapper (@7f0c343): the same without padding,
/// its permutation seeded by the epoch alone; what Trainer.predict puts into a loader on several devices.
SamplerRule lightningUnrepeatedDistributedSamplerWrapper();

/// StreamingDataset of litData (`streaming/shuffle.py`, `utilities/shuffle.py` @8805bae) under its DataLoader: chunks
/// are cut between the workers of all ranks, by NoShuffle, FullShuffle or WindowShuffle.
SamplerRule litdataStreamingDataset();

/// DataLoader of llm.c (`llmc/dataloader.h`, `llmc/rand.h` @f1e2ace), and DistributedDataLoader of its `train_gpt2.py`:
/// each rank reads its rows of every step out of shards. A sample of the plan is a row of T tokens; a shard of n tokens
/// has (n - 1) / T of them, rounded down.
SamplerRule llmcDataLoader();

/// ClassAwareSampler of MMDetection (`mmdet/datasets/samplers/class_aware_sampler.py` @cfd5d3a): goes round the
/// classes, and hands out the next images of each.
SamplerRule mmdetClassAwareSampler();

/// AspectRatioBatchSampler (`mmdet/datasets/samplers/batch_sampler.py`): batches of tall images and of wide ones.
SamplerRule mmdetAspectRatioBatchSampler();

/// MultiSourceSampler (`mmdet/datasets/samplers/multi_source_sampler.py`): each batch takes fixed numbers of samples
/// from several datasets.
SamplerRule mmdetMultiSourceSampler();

/// GroupMultiSourceSampler of the same file: the same, and each batch is all tall or all wide, which each rank decides
/// for itself by NumPy's global stream.
SamplerRule mmdetGroupMultiSourceSampler();

/// mmengine.dataset.DefaultSampler (`mmengine/dataset/sampler.py` @2543429): permute with seed + epoch, tile to a
/// multiple of the world size when round_up, stride by rank.
SamplerRule mmengineDefaultSampler();

/// mmengine.dataset.InfiniteSampler (`mmengine/dataset/sampler.py` @2543429): one endless stream that continues over
/// epochs; set_epoch does nothing.
SamplerRule mmengineInfiniteSampler();

/// get_batch of nanoGPT (`train.py` @3adf61e): each batch is made of random offsets into the token file, drawn from
/// torch's global generator; nothing divides the tokens. A sample of the plan is an offset.
SamplerRule nanogptGetBatch();

/// paddle.io.DistributedBatchSampler (`python/paddle/io/dataloader/batch_sampler.py` @01fbd77): pads the dataset, then
/// permutes it by an epoch number that it raises itself, and deals batches to the ranks in turn.
SamplerRule paddleDistributedBatchSampler();

/// paddle.io.RandomSampler and WeightedRandomSampler (`python/paddle/io/dataloader/sampler.py` @02a5e4e): draw from
/// NumPy's global stream on every rank.
SamplerRule paddleRandomSampler();
SamplerRule paddleWeightedRandomSampler();

/// The batches that a job read, whatever its sampler was: what comes after them is not known.
SamplerRule recordedBatches();

/// ShardLens' own: TwoStreamBatchSampler for several ranks. No published project has this class.
SamplerRule shardLensDistributedTwoStreamBatchSampler();

/// streaming.StreamingDataset over dataset.shards, and the DataLoader around it. Source: streaming/base/dataset.py,
/// stream.py, world.py and dataloader.py (mosaicml-streaming 0.13 @89e7bb9).
SamplerRule streamingDataset();

/// timm.data.distributed_sampler.OrderedDistributedSampler (pytorch-image-models @aa4b585): the dataset in its order,
/// padded once from its beginning, strided by rank.
SamplerRule timmOrderedDistributedSampler();

/// The samplers of StatefulDataLoader (torchdata 088e434, stateful_dataloader/sampler.py).
SamplerRule torchdataStatefulDistributedSampler();
SamplerRule torchdataRandomSampler();

/// webdataset.WebDataset over dataset.shards in a DataLoader: shards are split by rank and by worker, shuffled in each
/// worker, and their samples perhaps once more. Source: webdataset/webdataset @e0953f9, src/webdataset/compat.py.
SamplerRule webDataset();

/// webdataset.ResampledShards over dataset.shards: each worker draws shards with replacement.
SamplerRule webDatasetResampledShards();

}  // namespace shardlens::sampling
