// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/random/numpy_legacy.h"
#include "core/sampling/numpy_global.h"
#include "core/sampling/rules.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace shardlens::sampling {
namespace fairseq_epoch_batch_iterator {
namespace {

using Batches = std::vector<std::int64_t>;

constexpr std::int64_t kMostSeed = std::int64_t{1} << 53;
constexpr std::int64_t kEmpty = -1;  ///< a batch without samples

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "fairseq.EpochBatchIterator",
      marked("samplers",
             "Shuffles fixed batches with seed + epoch, hands them to the ranks in turn, and fills up with empty "
             "batches."),
      {
          seedField("sampler.seed", 1, -kMostSeed, kMostSeed,
                    marked("fields", "Seed of the shuffle; the epoch, counted from 1, is added.")),
          boolField("sampler.shuffle", true, marked("fields", "Shuffle the batches in every epoch.")),
          boolField(
              "sampler.fix_batches_to_gpus", false,
              marked("fields", "Keep each rank's batches and shuffle only their order; needs supports_prefetch.")),
          boolField("sampler.supports_prefetch", false, marked("fields", "The value of dataset.supports_prefetch.")),
          boolField(
              "sampler.grouped_shuffling", false,
              marked("fields", "Shuffle groups of world-size batches, so that neighbouring batches stay in one step.")),
      },
      {marked("samplers", "Ranks with too few batches get empty ones at the end: the model must skip them."),
       marked("samplers", "The same samples share a batch in every epoch: only the order of the batches changes."),
       marked("samplers",
              "With fix_batches_to_gpus and supports_prefetch the rank is added to the seed: rank r + 1 with seed s "
              "shuffles as rank r does with seed s + 1."),
       marked("samplers", "fix_batches_to_gpus has no effect for a dataset without supports_prefetch."),
       marked("samplers", "grouped_shuffling drops the batches that do not fill a group.")},
  };
  return kInfo;
}

/// Whether each rank shuffles its own batches instead of all of them together.
bool shufflesPerRank(const PipelineSpec& spec) {
  return boolParameter(spec, info(), "shuffle") && boolParameter(spec, info(), "supports_prefetch") &&
         boolParameter(spec, info(), "fix_batches_to_gpus");
}

/// The batches, or groups of them, shuffled by np.random.seed(seed); what does not fill a group falls away.
Result<Batches> shuffled(const PipelineSpec& spec, Batches batches, std::int64_t seed) {
  if (auto good = checkNumpySeed(static_cast<std::uint64_t>(seed)); !good) {
    Error error = good.error();
    error.place.field = "sampler.seed";
    error.hint = "take a seed that stays below 2^32 with the epoch added";
    return error;
  }
  NumpyLegacy numpy(static_cast<std::uint32_t>(seed));
  if (!boolParameter(spec, info(), "grouped_shuffling")) {
    numpy.shuffle(std::span(batches));
    return batches;
  }
  const auto size = static_cast<std::size_t>(spec.worldSize());
  Batches grouped;
  for (const std::int64_t group : numpy.permutation(static_cast<std::int64_t>(batches.size() / size))) {
    const auto first = batches.begin() + group * spec.worldSize();
    grouped.insert(grouped.end(), first, first + spec.worldSize());
  }
  return grouped;
}

/// The batches of a rank, empty ones at its end.
Batches shareOf(const PipelineSpec& spec, const Batches& batches, Rank rank) {
  const auto world = static_cast<std::size_t>(spec.worldSize());
  Batches share((batches.size() + world - 1) / world, kEmpty);
  for (std::size_t i = 0, at = static_cast<std::size_t>(rank.value); at < batches.size(); ++i, at += world) {
    share[i] = batches[at];
  }
  return share;
}

/// Writes the batches of the ranks behind each other, with their ends.
class Dealer {
 public:
  explicit Dealer(const PipelineSpec& spec) : size_(spec.dataset.size), batch_size_(spec.loader.batch_size) {
    deal_.lists_batches = true;
  }

  void add(const Batches& share) {
    Deal::Share rank;
    rank.first = static_cast<std::int64_t>(ids_.size());
    rank.first_batch = deal_.batch_ends.size();
    rank.batches = static_cast<std::int64_t>(share.size());
    for (const std::int64_t batch : share) addBatch(batch);
    rank.count = static_cast<std::int64_t>(ids_.size()) - rank.first;
    deal_.shares.push_back(rank);
  }

  OrderPtr take() { return Order::dealt(Order::of(std::move(ids_)), std::move(deal_)); }

 private:
  void addBatch(std::int64_t batch) {
    const std::int64_t first = batch == kEmpty ? 0 : batch * batch_size_;
    const std::int64_t last = batch == kEmpty ? 0 : std::min(size_, first + batch_size_);
    for (std::int64_t id = first; id < last; ++id) ids_.push_back(static_cast<std::uint32_t>(id));
    deal_.batch_ends.push_back(static_cast<std::int64_t>(ids_.size()));
  }

  std::int64_t size_;
  std::int64_t batch_size_;
  std::vector<std::uint32_t> ids_;
  Deal deal_;
};

std::int64_t seedOf(const PipelineSpec& spec, Epoch epoch) {
  return intParameter(spec, info(), "seed") + epoch.value + 1;
}

Result<void> check(const PipelineSpec& spec) {
  if (!boolParameter(spec, info(), "shuffle")) return {};
  const auto drawn = shuffled(spec, {}, seedOf(spec, Epoch{0}));
  return drawn ? Result<void>() : drawn.error();
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  return {info().type, boolParameter(spec, info(), "shuffle") ? static_cast<std::uint64_t>(seedOf(spec, epoch)) : 0, 0};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const auto seed = static_cast<std::int64_t>(key.seed);
  const bool per_rank = shufflesPerRank(spec);
  Batches batches(static_cast<std::size_t>((spec.dataset.size + spec.loader.batch_size - 1) / spec.loader.batch_size));
  std::iota(batches.begin(), batches.end(), std::int64_t{0});
  if (boolParameter(spec, info(), "shuffle") && !per_rank) {
    auto drawn = shuffled(spec, std::move(batches), seed);
    if (!drawn) return drawn.error();
    batches = std::move(*drawn);
  }
  Dealer dealer(spec);
  for (Rank rank{0}; rank.value < spec.worldSize(); ++rank) {
    if (work.stopped()) return cancelled();
    work.progress(static_cast<double>(rank.value) / static_cast<double>(spec.worldSize()));
    Result<Batches> share = shareOf(spec, batches, rank);
    if (per_rank) share = shuffled(spec, std::move(*share), seed + rank.value);
    if (!share) return share.error();
    dealer.add(*share);
  }
  return dealer.take();
}

}  // namespace
}  // namespace fairseq_epoch_batch_iterator

SamplerRule fairseqEpochBatchIterator() {
  using namespace fairseq_epoch_batch_iterator;
  return {.info = info(),
          .traits = {.shuffle = "shuffle", .seed = "seed"},
          .claims = [](const PipelineSpec&) { return SamplerClaims{.divides = true, .has_empty_batches = true}; },
          .left_out = always<MissingCause::CutBySampler>,
          .check = check,
          .key = key,
          .order = order};
}

}  // namespace shardlens::sampling
