// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/work.h"
#include "core/sampling/batching.h"
#include "core/sampling/claims.h"
#include "core/sampling/slice.h"
#include "core/sampling/usual_fields.h"
#include "core/spec/pipeline_spec.h"
#include "core/spec/sampler_info.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace shardlens::sampling {

/// What a sampler is to a torch DataLoader, for frameworks that look into one: the torch class that it is or inherits
/// from.
enum class LoaderPart {
  None,          ///< no part of a torch DataLoader, or a class that is not described here
  Sequential,    ///< a SequentialSampler
  Random,        ///< a RandomSampler
  Distributed,   ///< a DistributedSampler
  Other,         ///< any other sampler of single samples
  BatchSampler,  ///< hands out whole batches, and has neither batch_size nor drop_last
};

/// Whose code makes the loaders of a job with this sampler, and runs or prepares its training loop.
enum class LoopOwner { Script, Accelerate, Lightning };

/// What the parameters of a sampler mean, for code that does not know them by name. Names are without
/// "sampler."; an empty one says that the sampler has no such parameter. tests/core/sampling/traits_test.cpp holds
/// every name against the rule's own parameters.
struct SamplerTraits {
  std::string_view shuffle = {};        ///< whether, how, or by which buffer the order is shuffled
  std::string_view seed = {};           ///< of the order, when it does not come from the process's own generators
  std::string_view set_epoch = {};      ///< whether the script gives the sampler its epoch
  std::string_view drop_last = {};      ///< whether the tail that does not divide evenly is cut
  std::string_view num_replicas = {};   ///< what the script passes as the number of slices
  std::string_view rank = {};           ///< what the script passes as the slice of a process
  std::string_view indices = {};        ///< the only samples that it draws from
  std::string_view replacement = {};    ///< whether a sample can be drawn again within an epoch
  std::string_view num_samples = {};    ///< how many it draws in an epoch
  std::string_view per_epoch = {};      ///< how many each rank draws from an endless stream in an epoch
  std::string_view generator = {};      ///< where its random numbers come from
  std::string_view consumed = {};       ///< what a saved state says was handed out before
  std::string_view global_batch = {};   ///< how many samples all ranks together take in a step
  std::string_view accumulation = {};   ///< how many batches of a rank an optimizer step takes
  std::string_view split_batches = {};  ///< whether loader.batch_size is that of all ranks together
  /// The seed that keeps the order common when ranks seed torch apart, and the flag that makes it matter.
  std::string_view common_seed = {};
  std::string_view common_seed_flag = {};
  bool draws_from_numpy = false;  ///< from NumPy's global stream, which no framework synchronizes between ranks
  bool deals_to_world = false;    ///< divides one order among the job's own ranks, without being told about them
  /// What it gives to ranks that divide one copy of the model (`world.groups`) is known: by what the script passes, by
  /// World::dataParallelRankOf(), or since it was recorded. Without it, a spec with such ranks is refused.
  bool knows_peers = false;
  LoaderPart loader_part = LoaderPart::None;  ///< the lens and exporters go by it
  LoopOwner loop = LoopOwner::Script;

  /// Whether it is torch's DistributedSampler, or a class that inherits from it.
  [[nodiscard]] bool isDistributed() const { return loader_part == LoaderPart::Distributed; }
};

/// Of a class that takes what torch's DistributedSampler takes, but for the ranks.
inline constexpr SamplerTraits kDistributedTraits = {.shuffle = "shuffle",
                                                     .seed = "seed",
                                                     .set_epoch = "set_epoch",
                                                     .drop_last = "drop_last",
                                                     .loader_part = LoaderPart::Distributed};

/// One name out of the traits: `&SamplerTraits::seed`.
using SamplerTrait = std::string_view SamplerTraits::*;

/// How many items a rank's sampler yields in an epoch, without computing them.
struct SliceShape {
  std::int64_t count = 0;
  std::int64_t padding = 0;
};

/// A place in a stream of torch's CPU generator: the seed, and how many of its outputs were consumed before.
struct TorchStream {
  std::uint64_t seed = 0;
  std::uint64_t skip = 0;
};

/// What tells orders apart. Ranks and epochs of a spec with equal keys have one order, also in memory, and so have
/// specs that differ only in `seeds`. Code that asks what a seed decides compares keys under two seeds, of the script
/// or of the sampler: they must differ where the orders do, and be equal where the seed plays no part. Parameters that
/// are no seeds need no place in a key: order() reads them from the spec.
struct OrderKey {
  std::string recipe;  ///< the algorithm, and seeds that `seed` does not hold: "torch.randperm"
  std::uint64_t seed = 0;
  std::uint64_t skip = 0;  ///< outputs of the generator consumed before
  auto operator<=>(const OrderKey&) const = default;
};

/// BatchSampler's batches, by loader.batch_size and loader.drop_last.
inline Batching loaderBatching(const PipelineSpec& spec) {
  return Batching::ofSize(spec.loader.batch_size, spec.loader.drop_last);
}

/// Where a sample is in an order, without the order.
struct OrderPlaces {
  std::int64_t order_size = 0;
  std::vector<std::int64_t> places;  ///< ascending
};

/// What every seed leaves as it is, of what a rank reads in an epoch: that of the script, and the sampler's own.
enum class SeedFree {
  Nothing,
  Counts,   ///< how many items its sampler yields, and how many batches they make
  Samples,  ///< also which samples these items are, but not in which order
};

/// One sampler: its description and its algorithm, as plain functions over the spec. A rule computes orders, each
/// shared by all ranks with the same key; a rank sees its order through a Slice (strided), or through the order's Deal
/// when it follows no stride.
struct SamplerRule {
  SamplerInfo info;
  SamplerTraits traits = {};  ///< what its parameters mean to those who do not know them by name
  /// Hands out the dataset, or a list, in its own order, without a parameter `shuffle` that says so: the lens then
  /// shows other frameworks without shuffling, too.
  bool in_order = false;

  /// What it does by design with these parameters. Required, as `key` and `order` are.
  SamplerClaims (*claims)(const PipelineSpec& spec) = nullptr;
  /// Why no rank reads a place of this epoch's order; null when the ranks read every place.
  UnreadCause (*unread)(const PipelineSpec& spec, Epoch epoch) = nullptr;
  /// Why a sample is in no order of this epoch; null when every sample is in one.
  LeftOutCause (*left_out)(const PipelineSpec& spec, Epoch epoch) = nullptr;

  /// The framework's own exception for this spec, word for word, or success. Runs before anything else.
  Result<void> (*check)(const PipelineSpec& spec) = [](const PipelineSpec&) { return Result<void>(); };
  /// Which order this rank draws from in this epoch.
  OrderKey (*key)(const PipelineSpec& spec, Epoch epoch, Rank rank) = nullptr;
  /// Computes that order, which may take long. Cancelled when `work` says so. What the framework raises only while it
  /// iterates comes from here.
  Result<OrderPtr> (*order)(const PipelineSpec& spec, const OrderKey& key, const Work& work) = nullptr;

  /// Whether every rank gets each sample of the dataset exactly once, in orders that differ if the keys do: what ranks
  /// share is then known without drawing.
  bool (*whole)(const PipelineSpec& spec) = [](const PipelineSpec&) { return false; };
  /// Whether every order is a permutation of the dataset that a rank reads whole or by strides: what ranks of one order
  /// get is then a matter of places, and grows by the same counts each time that the dataset grows by a batch of every
  /// replica.
  bool (*reads_evenly)(const PipelineSpec& spec) = [](const PipelineSpec&) { return false; };
  /// Where that order holds `sample`, for less than computing the order costs; nothing where only the order can say.
  /// Null when that is always so. Only for rules with a slice of their own.
  Result<std::optional<OrderPlaces>> (*places)(const PipelineSpec& spec, const OrderKey& key, SampleIndex sample,
                                               const Work& work) = nullptr;

  /// The rank's view of that order; by default its share of the deal.
  Slice (*slice)(const PipelineSpec& spec, Epoch epoch, Rank rank, OrderPtr order) =
      [](const PipelineSpec&, Epoch, Rank rank, OrderPtr dealt) { return Slice::ofDeal(std::move(dealt), rank); };
  /// How many items the rank gets: O(1), or at most O(shards). Null where only drawing can say; Plan then draws to
  /// count.
  SliceShape (*shape)(const PipelineSpec& spec, Epoch epoch, Rank rank) = nullptr;
  bool same_shapes = false;  ///< a rank gets the same number of items in every epoch
  /// Where the loader has workers, each makes batches of its own share of the items: the order then lists them, and
  /// shape() does not tell how many they are.
  bool workers_batch = false;
  /// What len() of an iterable dataset says, from which torch makes len(loader): by rank, or one number where all are
  /// equal. Null where its class has none.
  std::vector<std::int64_t> (*dataset_lengths)(const PipelineSpec& spec) = nullptr;
  /// Batches of a rank whose order lists none; a sampler that yields batches itself has a function of its own.
  Batching (*batching)(const PipelineSpec& spec) = loaderBatching;
  /// What this rank alone raises; null when ranks do not differ. Plan::make fails with the first rank that raises.
  Result<void> (*check_rank)(const PipelineSpec& spec, Rank rank) = nullptr;
  /// Outputs of the stream that the DataLoader draws base_seed from which the rank's sampler consumes in one epoch,
  /// after base_seed. Nothing for samplers with a generator of their own.
  std::uint64_t (*shared_outputs)(const PipelineSpec& spec, Rank rank) = [](const PipelineSpec&, Rank) {
    return std::uint64_t{0};
  };
  /// Where that stream is when the loader draws base_seed, for a framework that seeds it itself or keeps its workers;
  /// null where the script seeds it once and each epoch goes on.
  TorchStream (*loader_stream)(const PipelineSpec& spec, Epoch epoch, Rank rank) = nullptr;
  /// What no seed changes. Null where `whole` and `shape` say it: Samples, or Counts; otherwise set it, as where shares
  /// or batches depend on the order although there is a `shape`, or on no order although there is none.
  SeedFree (*seed_free)(const PipelineSpec& spec) = nullptr;
};

}  // namespace shardlens::sampling
