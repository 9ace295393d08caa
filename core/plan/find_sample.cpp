// SPDX-License-Identifier: Apache-2.0
#include "core/plan/find_sample.h"

#include <algorithm>

namespace shardlens {
namespace {

constexpr std::int64_t kLookEvery = std::int64_t{1} << 22;

/// Where an order holds the sample; ranks that share the order share the answer.
struct Places {
  OrderPtr order;
  std::vector<std::int64_t> positions;
};

Result<Places> placesIn(const OrderPtr& order, SampleIndex sample, const Work& work) {
  Places places{order, {}};
  for (std::int64_t from = 0; from < order->size(); from += kLookEvery) {
    if (work.stopped()) return cancelled();
    const std::int64_t to = std::min(order->size(), from + kLookEvery);
    for (std::int64_t i = from; i < to; ++i) {
      if ((*order)[i] == sample) places.positions.push_back(i);
    }
  }
  return places;
}

/// The items of the slice that stand at this place of the order, on every lap around it.
void itemsAt(const Slice& slice, std::int64_t place, std::vector<std::int64_t>& items) {
  const std::int64_t size = slice.order()->size();
  for (std::int64_t at = place; slice.size() > 0 && at <= slice.position(slice.size() - 1); at += size) {
    const std::int64_t ahead = at - slice.first();
    if (ahead >= 0 && ahead % slice.stride() == 0) items.push_back(ahead / slice.stride());
  }
}

Sighting sightingOf(const RankEpoch& rank, std::int64_t item, std::int64_t batch_size) {
  Sighting sighting{rank.rank(), std::nullopt, item % batch_size, -1, rank.isPadding(item)};
  const Step step{item / batch_size};
  if (step.value < rank.batches()) {
    sighting.step = step;
    sighting.worker = rank.worker(step);
  }
  return sighting;
}

}  // namespace

Result<std::vector<Sighting>> findSample(const Plan& plan, Epoch epoch, SampleIndex sample, const Work& work) {
  std::vector<Sighting> sightings;
  Places places;
  const auto ranks = static_cast<double>(plan.worldSize());
  for (Rank rank{0}; rank.value < plan.worldSize(); ++rank) {
    const auto from = static_cast<double>(rank.value);
    const auto rank_epoch = plan.rankEpoch(epoch, rank, work.part(from / ranks, (from + 1) / ranks));
    if (!rank_epoch) return rank_epoch.error();
    const Slice& slice = rank_epoch->slice();
    if (slice.order() != places.order) {
      auto found = placesIn(slice.order(), sample, work);
      if (!found) return found.error();
      places = std::move(*found);
    }
    std::vector<std::int64_t> items;
    for (const std::int64_t place : places.positions) itemsAt(slice, place, items);
    std::sort(items.begin(), items.end());
    for (const std::int64_t item : items) {
      sightings.push_back(sightingOf(*rank_epoch, item, plan.spec().loader.batch_size));
    }
  }
  return sightings;
}

}  // namespace shardlens
