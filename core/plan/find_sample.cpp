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

Sighting sightingOf(const RankEpoch& rank, std::int64_t item) {
  Sighting sighting{rank.rank(), rank.stepOf(item), item - rank.handedOut(), -1, rank.isPadding(item)};
  if (sighting.step) {
    sighting.item = item - rank.batch(*sighting.step).first;
    sighting.worker = rank.worker(*sighting.step);
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
    for (const std::int64_t place : places.positions) {
      const std::vector<std::int64_t> here = slice.itemsAt(place);
      items.insert(items.end(), here.begin(), here.end());
    }
    std::sort(items.begin(), items.end());
    for (const std::int64_t item : items) sightings.push_back(sightingOf(*rank_epoch, item));
  }
  return sightings;
}

}  // namespace shardlens
