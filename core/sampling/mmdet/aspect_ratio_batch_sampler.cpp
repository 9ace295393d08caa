// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/mmdet/aspect_ratios.h"
#include "core/sampling/rules.h"
#include "core/sampling/torch/order.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::sampling {
namespace mmdet_aspect_ratio_batch_sampler {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "mmdet.AspectRatioBatchSampler",
      marked(
          "samplers",
          "Makes batches of images that are all tall or all wide, out of DefaultSampler or of the dataset in order."),
      {mmdetAspectRatiosField(),
       choiceField("sampler.inner", "distributed", {"distributed", "sequential"},
                   marked("fields", "The sampler inside: DefaultSampler, or the dataset in order on every rank.")),
       seedField("sampler.inner_seed", 0, INT64_MIN, INT64_MAX,
                 marked("fields", "Seed of the DefaultSampler inside; the epoch is added."))},
      {marked("samplers", "drop_last drops the last batch even when it is full."),
       marked("samplers", "Ranks can get different numbers of batches: a collective in each step then waits forever."),
       marked("samplers", "The last batches of an epoch mix tall and wide images.")}};
  return kInfo;
}

bool isDistributed(const PipelineSpec& spec) {
  return std::get<std::string>(parameter(spec, info(), "inner")) == "distributed";
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  if (!isDistributed(spec)) return {info().type + " in order", 0, 0};
  const auto seed = static_cast<std::uint64_t>(intParameter(spec, info(), "inner_seed"));
  return {info().type, seed + static_cast<std::uint64_t>(epoch.value), 0};
}

/// Two buckets, whose batches are handed out when they are full; at the end the tall images that are left stand before
/// the wide ones.
class Buckets {
 public:
  Buckets(std::int64_t batch_size, bool drop_last, Deal& deal, std::vector<std::int64_t>& ids)
      : batch_size_(batch_size), drop_last_(drop_last), deal_(deal), ids_(ids) {}

  struct Item {
    SampleIndex image = 0;
    bool added = false;
  };

  void add(Item item, bool wide) {
    std::vector<Item>& bucket = buckets_[wide ? 1 : 0];
    bucket.push_back(item);
    if (std::ssize(bucket) < batch_size_) return;
    write(bucket);
    deal_.batch_ends.push_back(std::ssize(ids_));
    bucket.clear();
  }

  void finish() {
    std::vector<Item> left = buckets_[0];
    left.insert(left.end(), buckets_[1].begin(), buckets_[1].end());
    const auto count = std::ssize(left);
    for (std::ptrdiff_t first = 0; first < count; first += batch_size_) {
      const bool last = first + batch_size_ >= count;
      const std::vector<Item> batch(left.begin() + first, last ? left.end() : left.begin() + first + batch_size_);
      if (last && drop_last_) {
        for (const Item& item : batch) deal_.left_over.push_back(item.image);
        return;
      }
      write(batch);
      deal_.batch_ends.push_back(std::ssize(ids_));
    }
  }

 private:
  void write(const std::vector<Item>& batch) {
    for (const Item& item : batch) {
      if (item.added) deal_.padded.push_back(std::ssize(ids_));
      ids_.push_back(item.image);
    }
  }

  std::int64_t batch_size_;
  bool drop_last_;
  Deal& deal_;
  std::vector<std::int64_t>& ids_;
  std::array<std::vector<Item>, 2> buckets_;
};

/// One share for each rank, or a single one where each reads the whole dataset.
Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const bool divided = isDistributed(spec);
  auto drawn = torchOrder(spec, {divided ? kRandperm : kSequential, key.seed, 0}, work.part(0, 0.5));
  if (!drawn) return drawn;
  const std::int64_t size = spec.dataset.size;
  const std::int64_t ranks = divided ? spec.worldSize() : 1;
  const std::int64_t count = distributedSamples(size, ranks, false);
  const NumberList ratios = mmdetAspectRatios(spec, info());
  std::vector<std::int64_t> ids;
  Deal deal;
  deal.lists_batches = true;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    if (work.stopped()) return cancelled();
    const Slice slice(*drawn, rank, ranks, count, size);
    const auto first = std::ssize(ids);
    const std::size_t first_batch = deal.batch_ends.size();
    Buckets buckets(spec.loader.batch_size, spec.loader.drop_last, deal, ids);
    for (std::int64_t k = 0; k < count; ++k)
      buckets.add({slice.sample(k), slice.isAdded(k)}, mmdetIsWide(ratios, slice.sample(k)));
    buckets.finish();
    deal.shares.push_back({first, std::ssize(ids) - first, 0, first_batch,
                           static_cast<std::int64_t>(deal.batch_ends.size() - first_batch)});
  }
  return Order::dealt(Order::of(std::move(ids)), std::move(deal));
}

}  // namespace
}  // namespace mmdet_aspect_ratio_batch_sampler

SamplerRule mmdetAspectRatioBatchSampler() {
  using namespace mmdet_aspect_ratio_batch_sampler;
  return {.info = info(),
          .claims = [](const PipelineSpec& spec) { return SamplerClaims{.divides = isDistributed(spec)}; },
          .unread = always<MissingCause::CutByLoader>,
          .left_out = always<MissingCause::CutByLoader>,
          .check = [](const PipelineSpec& spec) { return checkMmdetAspectRatios(spec, info()); },
          .key = key,
          .order = order};
}

}  // namespace shardlens::sampling
