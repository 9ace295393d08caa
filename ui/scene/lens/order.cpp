// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/lens/order.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace shardlens::ui {
namespace {

/// Less is more similar.
std::tuple<int, double, double> unlikeness(const LensLane& lane) {
  const JudgedColumn& judged = lane.judged;
  if (judged.verdict == LensVerdict::Same) return {0, 0, 0};
  if (!judged.samples) return {2, 0, 0};
  const ReadingShares& shares = judged.samples->shares;
  const auto all = static_cast<double>(std::max<std::int64_t>(shares.sum(), 1));
  return {1, static_cast<double>(shares.lost) / all, -static_cast<double>(shares.same) / all};
}

}  // namespace

void LensOrder::setPinned(const std::string& id, bool pinned) {
  if (pinned) {
    pinned_.insert(id);
  } else {
    pinned_.erase(id);
  }
}

void LensOrder::setByHand(std::vector<std::string> ids) {
  hand_ = std::move(ids);
  if (!hand_.empty()) by_ = By::Hand;
}

std::vector<std::size_t> LensOrder::arranged(const std::vector<LensLane>& lanes) const {
  std::vector<std::size_t> places(lanes.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  if (places.empty()) return places;
  const auto begin = places.begin() + 1;
  if (by_ == By::Similarity) {
    std::stable_sort(begin, places.end(),
                     [&](std::size_t a, std::size_t b) { return unlikeness(lanes[a]) < unlikeness(lanes[b]); });
  }
  if (by_ == By::Hand) {
    const auto rank = [&](std::size_t place) {
      return std::find(hand_.begin(), hand_.end(), lanes[place].id()) - hand_.begin();
    };
    std::stable_sort(begin, places.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  }
  std::stable_partition(begin, places.end(), [&](std::size_t place) { return isPinned(lanes[place].id()); });
  return places;
}

std::size_t LensOrder::standing(const std::vector<LensLane>& lanes) const {
  return static_cast<std::size_t>(std::count_if(lanes.begin(), lanes.end(), [&](const LensLane& lane) {
    return &lane == &lanes.front() || isPinned(lane.id());
  }));
}

bool LensOrder::move(const std::vector<LensLane>& lanes, const std::string& id, int by) {
  std::vector<std::size_t> places = arranged(lanes);
  const auto at =
      std::find_if(places.begin(), places.end(), [&](std::size_t place) { return lanes[place].id() == id; });
  if (at == places.end() || at == places.begin()) return false;
  const auto fixed = static_cast<std::ptrdiff_t>(standing(lanes));
  const std::ptrdiff_t from = at - places.begin();
  const std::ptrdiff_t first = from < fixed ? 1 : fixed;
  const std::ptrdiff_t last = from < fixed ? fixed - 1 : std::ssize(places) - 1;
  const std::ptrdiff_t to = std::clamp<std::ptrdiff_t>(from + by, first, last);
  if (to == from) return false;
  if (to > from) {
    std::rotate(places.begin() + from, places.begin() + from + 1, places.begin() + to + 1);
  } else {
    std::rotate(places.begin() + to, places.begin() + from, places.begin() + from + 1);
  }
  std::vector<std::string> ids;
  ids.reserve(places.size());
  for (const std::size_t place : places) ids.push_back(lanes[place].id());
  // Columns that are out of sight now keep their places behind those that were moved.
  for (const std::string& other : hand_) {
    if (std::find(ids.begin(), ids.end(), other) == ids.end()) ids.push_back(other);
  }
  setByHand(std::move(ids));
  return true;
}

}  // namespace shardlens::ui
