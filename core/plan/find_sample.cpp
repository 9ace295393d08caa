// SPDX-License-Identifier: Apache-2.0
#include "core/plan/find_sample.h"

#include "core/base/parallel.h"
#include "core/sampling/sampler_rule.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace shardlens {
namespace {

constexpr std::int64_t kLookEvery = std::int64_t{1} << 22;

/// Where an order holds the sample; ranks that share the order share the answer.
struct Places {
  OrderPtr stand_in;  ///< as long as the order and dealt like it, but without its ids: it takes no memory
  std::vector<std::int64_t> positions;
};

Result<Places> placesIn(const OrderPtr& order, SampleIndex sample, const Work& work) {
  OrderPtr stand_in = Order::identity(order->size());
  if (order->deal() != nullptr) stand_in = Order::dealt(stand_in, *order->deal());
  Places places{std::move(stand_in), {}};
  for (std::int64_t from = 0; from < order->size(); from += kLookEvery) {
    if (work.stopped()) return cancelled();
    const std::int64_t to = std::min(order->size(), from + kLookEvery);
    for (std::int64_t i = from; i < to; ++i) {
      if ((*order)[i] == sample) places.positions.push_back(i);
    }
  }
  return places;
}

/// The short batch of a worker that holds the item and is dropped; null where no worker cuts its own.
const Deal::DroppedBatch* droppedBatch(const RankEpoch& rank, std::int64_t item) {
  const auto& deal = rank.slice().order()->deal();
  if (deal == nullptr) return nullptr;
  const auto dropped = deal->droppedOf(rank.rank());
  const auto after = std::ranges::upper_bound(dropped, rank.position(item), {}, &Deal::DroppedBatch::first);
  return after == dropped.begin() ? nullptr : &*std::prev(after);
}

Sighting sightingOf(const RankEpoch& rank, std::int64_t item) {
  Sighting sighting{rank.rank(), rank.stepOf(item), item - rank.handedOut(), -1, rank.slice().isAdded(item)};
  if (sighting.step) {
    sighting.item = item - rank.batch(*sighting.step).first;
    sighting.worker = rank.worker(*sighting.step);
  } else if (const auto* batch = droppedBatch(rank, item)) {
    sighting.item = rank.position(item) - batch->first;
    sighting.worker = batch->worker;
  }
  return sighting;
}

/// Where each batch that has the sample only adds it, the first of them repeats nothing (FirstReadings).
void freeFirst(std::vector<Sighting>& sightings) {
  Sighting* first = nullptr;
  for (Sighting& one : sightings) {
    if (!one.step) continue;
    if (!one.padding) return;
    if (first == nullptr || *one.step < *first->step) first = &one;  // they come by rank and item
  }
  if (first != nullptr) first->padding = false;
}

Result<Places> placesOf(const Plan& plan, Epoch epoch, Rank rank, SampleIndex sample, const Work& work) {
  const sampling::SamplerRule& rule = plan.rule();
  if (rule.places != nullptr) {
    auto known = rule.places(plan.spec(), rule.key(plan.spec(), epoch, rank), sample, work);
    if (!known) return known.error();
    if (known->has_value()) return Places{Order::identity((*known)->order_size), std::move((*known)->places)};
  }
  const auto items = plan.rankEpoch(epoch, rank, work);
  if (!items) return items.error();
  return placesIn(items->slice().order(), sample, work);
}

void addSightings(const RankEpoch& rank_epoch, const Places& places, std::vector<Sighting>& sightings) {
  std::vector<std::int64_t> items;
  for (const std::int64_t place : places.positions) {
    const std::vector<std::int64_t> here = rank_epoch.slice().itemsAt(place);
    items.insert(items.end(), here.begin(), here.end());
  }
  std::sort(items.begin(), items.end());
  for (const std::int64_t item : items) sightings.push_back(sightingOf(rank_epoch, item));
}

}  // namespace

Result<std::vector<Sighting>> findSample(const Plan& plan, Epoch epoch, SampleIndex sample, const Work& work) {
  const sampling::SamplerRule& rule = plan.rule();
  std::vector<Sighting> sightings;
  std::map<sampling::OrderKey, Places> by_order;
  const auto ranks = static_cast<double>(plan.worldSize());
  for (Rank rank{0}; rank.value < plan.worldSize(); ++rank) {
    auto key = rule.key(plan.spec(), epoch, rank);
    auto known = by_order.find(key);
    if (known == by_order.end()) {
      const auto from = static_cast<double>(rank.value);
      auto places = placesOf(plan, epoch, rank, sample, work.part(from / ranks, (from + 1) / ranks));
      if (!places) return places.error();
      known = by_order.emplace(std::move(key), *std::move(places)).first;
    }
    addSightings(plan.rankEpochOver(known->second.stand_in, epoch, rank), known->second, sightings);
  }
  freeFirst(sightings);
  return sightings;
}

Result<std::vector<std::vector<Sighting>>> findSample(const Plan& plan, Epoch first, std::int64_t count,
                                                      SampleIndex sample, const Work& work) {
  const bool follows = plan.rule().places != nullptr;
  std::vector<std::vector<Sighting>> epochs(static_cast<std::size_t>(count));
  const auto find = [&](std::size_t i, const Work& part) -> Result<void> {
    auto found = findSample(plan, Epoch{first.value + static_cast<std::int64_t>(i)}, sample, part);
    if (!found) return found.error();
    epochs[i] = *std::move(found);
    return {};
  };
  auto done = follows ? inParallel(epochs.size(), work, find) : inTurn(epochs.size(), work, find);
  if (!done) return done.error();
  return epochs;
}

}  // namespace shardlens
