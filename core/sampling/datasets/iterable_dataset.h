// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/random/numpy_generator.h"
#include "core/sampling/sampler_rule.h"
#include "core/spec/value.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace shardlens::sampling {

/// What a script hands to IterableDataset.shuffle, with its defaults.
struct DatasetsShuffle {
  std::int64_t seed = 0;
  std::int64_t buffer_size = 1000;  ///< below 0 the buffer is never full, and everything is held
  std::int64_t max_buffer_input_shards = 10;
};

/// One epoch of a Hugging Face IterableDataset that was split by node: which samples each worker of each rank reads, in
/// which order. Source: huggingface/datasets @b7cb10b (5.0), src/datasets/iterable_dataset.py, utils/sharding.py.
///
/// shuffle() orders the shards by default_rng(seed) and cuts them into sources that are read in turns, a sample each; a
/// buffer after them is shuffled by the same generator, made anew from its own first draw for each epoch and worker.
class DatasetsEpoch {
 public:
  /// `starts`: where the samples of each shard begin, and finally where the last one ends. ValueError for a seed or
  /// an epoch below 0.
  static Result<DatasetsEpoch> make(std::vector<std::int64_t> starts, std::optional<DatasetsShuffle> shuffle,
                                    std::int64_t epoch, std::int64_t world_size);

  [[nodiscard]] std::int64_t samples() const { return starts_.back(); }
  /// Whether each rank has shards of its own; otherwise every rank reads all of them, and keeps one of world_size
  /// samples.
  [[nodiscard]] bool dividesShards() const { return divides_; }
  /// Of this many workers, the first ones that read anything: not more than num_shards says. 1 without workers.
  [[nodiscard]] std::int64_t busyWorkers(std::int64_t num_workers) const;

  /// What this worker's copy reads; with num_workers 0 it is the rank itself. With no shards of its own a rank reads
  /// what rank 0 does, and kept() says what it keeps. Raises what the copy raises while it iterates.
  [[nodiscard]] Result<std::vector<std::int64_t>> read(std::int64_t rank, std::int64_t worker, std::int64_t num_workers,
                                                       const Work& work) const;
  /// The samples of a stream that this rank yields.
  [[nodiscard]] std::vector<std::int64_t> kept(const std::vector<std::int64_t>& stream, std::int64_t rank) const;

 private:
  /// Shards in the order in which they are read, in each of the sources that take turns.
  using Sources = std::vector<std::vector<std::int64_t>>;

  static Sources sourcesOf(std::int64_t shards, const std::optional<DatasetsShuffle>& shuffle, std::int64_t epoch);
  static std::int64_t numShards(const Sources& sources);
  static Sources part(const Sources& sources, std::int64_t parts, std::int64_t index);
  [[nodiscard]] Result<std::vector<std::int64_t>> takeTurns(const Sources& sources, const Work& work) const;
  [[nodiscard]] Result<std::vector<std::int64_t>> throughBuffer(std::vector<std::int64_t> stream,
                                                                NumpyGenerator generator, const Work& work) const;

  std::vector<std::int64_t> starts_;
  Sources sources_;
  std::int64_t world_size_ = 1;
  bool divides_ = true;
  std::optional<DatasetsShuffle> shuffle_;
  std::optional<NumpyGenerator> generator_;  ///< of the buffer, before workers shift it
};

/// A Hugging Face IterableDataset in a DataLoader: split by node, shuffled by its buffer, read by workers.
SamplerRule datasetsIterableDataset();

/// What this worker's copy of the dataset yields, or raises, whatever the others do; without workers it is the rank
/// itself. The spec must be valid.
Result<std::vector<std::int64_t>> datasetsWorkerStream(const PipelineSpec& spec, Epoch epoch, Rank rank,
                                                       std::int64_t worker);

}  // namespace shardlens::sampling
