// SPDX-License-Identifier: Apache-2.0
#include "core/audit/missing_causes.h"

#include "core/sampling/registry.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace shardlens {
namespace {

/// How near to a batch a sample came; of several causes the nearest counts.
std::uint8_t nearness(MissingCause cause) {
  if (cause == MissingCause::NotExplained) return 0;
  return cause == MissingCause::CutByLoader ? 2 : 1;
}

/// Places below the order's end, before padding, that the views could read and how many they do.
struct PlacesRead {
  std::int64_t places = 0;
  std::int64_t read = 0;
};

std::int64_t ownPlaces(const Slice& slice) {
  return std::min(slice.order()->size(), slice.addedFrom());
}

/// Exact for views that are apart and do not go round; else too few are said to be read.
PlacesRead countRead(std::span<const View> views) {
  PlacesRead reach{ownPlaces(views[0].items.slice()), 0};
  if (!areApart(views)) return reach;
  for (const View& view : views) reach.read += view.items.slice().countBelow(reach.places);
  return reach;
}

void markPlaces(const Slice& slice, std::vector<bool>& read) {
  const std::int64_t size = slice.order()->size();
  for (std::int64_t k = 0; k < slice.size(); ++k) read[static_cast<std::size_t>(slice.position(k) % size)] = true;
}

std::vector<bool> placesRead(std::span<const View> views) {
  std::vector<bool> read(static_cast<std::size_t>(views[0].items.slice().order()->size()));
  for (const View& view : views) markPlaces(view.items.slice(), read);
  return read;
}

}  // namespace

MissingCauses::MissingCauses(const Plan& plan, Epoch epoch, std::size_t orders)
    : plan_(plan),
      epoch_(epoch),
      universe_(plan.spec().dataset.size),
      shares_of_orders_(orders > 1 && sampling::claimsOf(plan.spec()).divides) {
  const sampling::SamplerRule& rule = plan.rule();
  const auto unknown = sampling::always(MissingCause::NotExplained);
  unread_ = rule.unread == nullptr ? unknown : rule.unread(plan.spec(), epoch);
  make_left_out_ = [&plan, &rule, unknown, epoch] {
    return rule.left_out == nullptr ? unknown : rule.left_out(plan.spec(), epoch);
  };
}

Result<void> MissingCauses::mark(SampleIndex sample, MissingCause cause) {
  if (!causes_) {
    auto made = LargeArray<std::uint8_t>::make(static_cast<std::size_t>(universe_), "causes of missing samples");
    if (!made) return made.error();
    causes_ = *std::move(made);
  }
  std::uint8_t& now = causes_->items()[static_cast<std::size_t>(sample)];
  const bool nearer = now == 0 || nearness(cause) > nearness(static_cast<MissingCause>(now - 1));
  if (nearer) now = static_cast<std::uint8_t>(static_cast<std::uint8_t>(cause) + 1);
  return {};
}

/// The places that the ranks would read if all of them drew this order.
std::vector<bool> MissingCauses::placesOfRanks(const OrderPtr& order) const {
  std::vector<bool> read(static_cast<std::size_t>(order->size()));
  for (Rank rank{0}; shares_of_orders_ && rank.value < plan_.worldSize(); ++rank) {
    markPlaces(plan_.rankEpochOver(order, epoch_, rank).slice(), read);
  }
  return read;
}

Result<void> MissingCauses::addUnread(std::span<const View> views, const Work& work) {
  constexpr std::int64_t kPlacesBetweenStops = 1 << 18;
  const Order& order = *views[0].items.slice().order();
  const PlacesRead reach = countRead(views);
  if (reach.read == reach.places) return {};
  const std::vector<bool> read = placesRead(views);
  const std::vector<bool> of_ranks = placesOfRanks(views[0].items.slice().order());
  for (std::int64_t place = 0; place < reach.places; ++place) {
    if (place % kPlacesBetweenStops == 0 && work.stopped()) return cancelled();
    if (read[static_cast<std::size_t>(place)]) continue;
    const bool of_other = of_ranks[static_cast<std::size_t>(place)];
    const MissingCause cause = of_other ? MissingCause::DifferentOrders : unread_(place);
    if (auto marked = mark(order[place], cause); !marked) return marked;
  }
  return {};
}

/// Of a dealt order: what it leaves over, and the shares of ranks that read another order.
Result<void> MissingCauses::addShares(std::span<const View> views, const Work& work) {
  const Order& order = *views[0].items.slice().order();
  const Deal& deal = *order.deal();
  for (std::size_t i = 0; i < deal.left_over.size(); ++i) {
    if (auto marked = mark(deal.left_over[i], unread_(static_cast<std::int64_t>(i))); !marked) return marked;
  }
  if (!shares_of_orders_ || deal.shares.size() == 1) return {};
  const std::vector<bool> read = placesRead(views);
  for (std::int64_t place = 0; place < order.size(); ++place) {
    if (work.stopped()) return cancelled();
    if (read[static_cast<std::size_t>(place)]) continue;
    if (auto marked = mark(order[place], MissingCause::DifferentOrders); !marked) return marked;
  }
  return {};
}

Result<void> MissingCauses::add(std::span<const View> views, const Work& work) {
  for (const View& view : views) {
    for (std::int64_t k = view.handed; k < view.items.size(); ++k) {
      if (auto marked = mark(view.items.sample(k), MissingCause::CutByLoader); !marked) return marked;
    }
  }
  const bool dealt = views[0].items.slice().order()->deal() != nullptr;
  return dealt ? addShares(views, work) : addUnread(views, work);
}

MissingCause MissingCauses::of(SampleIndex sample) {
  const std::uint8_t marked = causes_ ? causes_->items()[static_cast<std::size_t>(sample)] : 0;
  if (marked > 0) return static_cast<MissingCause>(marked - 1);
  if (!left_out_) left_out_ = make_left_out_();
  return left_out_(sample);
}

}  // namespace shardlens
