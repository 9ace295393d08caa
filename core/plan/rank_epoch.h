// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/work.h"
#include "core/sampling/batching.h"
#include "core/sampling/slice.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace shardlens {

/// What one rank gets in one epoch, item by item and batch by batch. Cheap to copy.
class RankEpoch {
 public:
  RankEpoch() = default;
  RankEpoch(Rank rank, Epoch epoch, Slice slice, Batching batching, std::int64_t num_workers);

  [[nodiscard]] Rank rank() const { return rank_; }
  [[nodiscard]] Epoch epoch() const { return epoch_; }

  /// Items the sampler yields; with loader.drop_last the last ones may belong to no batch.
  [[nodiscard]] std::int64_t size() const { return slice_.size(); }
  /// The k-th item, and its place in the permuted order.
  [[nodiscard]] SampleIndex sample(std::int64_t k) const { return slice_.sample(k); }
  [[nodiscard]] std::int64_t position(std::int64_t k) const { return slice_.position(k); }
  /// Whether the item, one in a batch, only repeats a sample of this epoch so that slices or batches come out even.
  /// What ranks of other items read decides it: this holds for the ranks of Plan::epoch(), and after withFirst().
  [[nodiscard]] bool isPadding(std::int64_t k) const { return slice_.isAdded(k) && !isFirst(k); }
  /// All such items in batches; ascending.
  [[nodiscard]] std::vector<std::int64_t> padding() const;
  /// The same, limited to the first `batches` batches. It needs withFirst() again to know which items are first
  /// readings.
  [[nodiscard]] RankEpoch withAtMost(std::int64_t batches) const;
  /// The same, told which items are the first reading of their sample (FirstReadings::of()).
  [[nodiscard]] RankEpoch withFirst(std::shared_ptr<const std::vector<std::int64_t>> first_readings) const;

  using Range = Batching::Range;
  [[nodiscard]] std::int64_t batches() const { return batching_.count(size()); }
  [[nodiscard]] Range batch(Step step) const { return batching_.range(step, size()); }
  /// The step whose batch holds the k-th item; nothing when it is dropped.
  [[nodiscard]] std::optional<Step> stepOf(std::int64_t k) const { return batching_.stepOf(k, size()); }
  /// Items that are in batches: all of them, unless a tail is dropped.
  [[nodiscard]] std::int64_t handedOut() const;
  [[nodiscard]] std::vector<SampleIndex> batchSamples(Step step) const;
  /// The DataLoader worker that loads the batch; -1 is the rank's own process.
  [[nodiscard]] std::int64_t worker(Step step) const { return batching_.worker(step, num_workers_); }

  /// XXH3-64 of the batch's ids as little-endian signed 64-bit integers: what a running job reports for its batch.
  [[nodiscard]] std::uint64_t batchFingerprint(Step step) const;
  /// XXH3-64 over the fingerprints of all batches: equal exactly when every batch is equal.
  [[nodiscard]] std::uint64_t fingerprint() const;

  [[nodiscard]] const Slice& slice() const { return slice_; }

 private:
  [[nodiscard]] bool isFirst(std::int64_t k) const {
    return first_readings_ != nullptr && std::binary_search(first_readings_->begin(), first_readings_->end(), k);
  }

  Rank rank_;
  Epoch epoch_;
  Slice slice_;
  Batching batching_;
  std::int64_t num_workers_ = 0;
  std::shared_ptr<const std::vector<std::int64_t>> first_readings_;  ///< ascending; null: none
};

/// XXH3-64 of ids as little-endian signed 64-bit integers.
std::uint64_t fingerprintOf(const std::vector<SampleIndex>& ids);
/// "9f3c20be11d0a4c2": 16 hexadecimal digits, as every fingerprint is written.
std::string fingerprintText(std::uint64_t fingerprint);

/// A full-avalanche mixer (splitmix64's): sums of it tell two multisets of ids apart.
inline std::uint64_t mixed(std::uint64_t id) {
  id += 0x9e3779b97f4a7c15U;
  id = (id ^ (id >> 30)) * 0xbf58476d1ce4e5b9U;
  id = (id ^ (id >> 27)) * 0x94d049bb133111ebU;
  return id ^ (id >> 31);
}

/// Which samples there are, each as often as it comes, in whatever order: in two numbers, however many they are.
struct SampleSum {
  std::int64_t items = 0;
  std::uint64_t sum = 0;

  void add(SampleIndex sample) {
    ++items;
    sum += mixed(static_cast<std::uint64_t>(sample));
  }
  bool operator==(const SampleSum&) const = default;
};

/// Items that a sampler adds so that slices or batches come out even, and that are nevertheless the first reading of
/// their sample in the epoch: no batch holds the sample's own place, which is cut or belongs to no rank. Such an item
/// repeats nothing, so it is no padding. Of several added items with the sample, the one with the earliest step, and
/// then the lowest rank, is the first.
class FirstReadings {
 public:
  using Draw = std::function<Result<RankEpoch>(Rank rank)>;

  /// Counted from the batches of all ranks: `draw` gives each of them, once or twice. `dataset_size`: samples.
  static Result<FirstReadings> of(std::int64_t ranks, std::int64_t dataset_size, const Draw& draw,
                                  const Work& work = {});

  /// The rank's items, ascending; never null.
  [[nodiscard]] std::shared_ptr<const std::vector<std::int64_t>> of(Rank rank) const;
  /// Of all ranks that have any.
  [[nodiscard]] const std::map<Rank, std::shared_ptr<const std::vector<std::int64_t>>>& byRank() const {
    return by_rank_;
  }

 private:
  std::map<Rank, std::shared_ptr<const std::vector<std::int64_t>>> by_rank_;
};

}  // namespace shardlens
