// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/drawn_tally.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace shardlens {
namespace {

/// Loaders of the designed size in one rank. A search over many trainings forgets those that differ.
constexpr std::size_t kMostLoaders = 32;

}  // namespace

DrawnTally::Loader& DrawnTally::loaderOf(std::int64_t number) {
  const auto known =
      std::find_if(loaders_.begin(), loaders_.end(), [number](const Loader& one) { return one.number == number; });
  if (known != loaders_.end()) {
    loaders_.splice(loaders_.begin(), loaders_, known);
    return loaders_.front();
  }
  if (loaders_.size() >= kMostLoaders) {
    const auto differs =
        std::find_if(loaders_.rbegin(), loaders_.rend(), [](const Loader& one) { return one.counts.mismatched > 0; });
    loaders_.erase(differs == loaders_.rend() ? std::prev(loaders_.end()) : std::prev(differs.base()));
  }
  return loaders_.emplace_front(Loader{number, batches_ + 1});
}

void DrawnTally::add(const Batch& batch) {
  Loader& loader = loaderOf(batch.loader);
  loader.drew = ++batches_;
  Passes& passes = loader.epochs[batch.epoch];
  if (passes.latest.number != batch.pass) passes.latest = Pass{batch.pass};
  ++(batch.matches ? passes.latest.matched : passes.latest.mismatched);
  Counts& counts = loader.counts;
  if (passes.latest.number == passes.longest.number || passes.latest.batches() > passes.longest.batches()) {
    counts.matched += passes.latest.matched - passes.longest.matched;
    counts.mismatched += passes.latest.mismatched - passes.longest.mismatched;
    passes.longest = passes.latest;
  }
  const std::pair here{batch.epoch, batch.step};
  if (!batch.matches) counts.first_difference = std::min(here, counts.first_difference.value_or(here));
}

const DrawnTally::Loader& DrawnTally::chosen() const {
  const Loader* best = &loaders_.front();
  const auto rank = [](const Loader& one) {
    const Counts& counts = one.counts;
    const std::int64_t all = std::max<std::int64_t>(1, counts.matched + counts.mismatched);
    return std::tuple(counts.mismatched == 0, static_cast<double>(counts.matched) / static_cast<double>(all), all);
  };
  for (const Loader& one : loaders_) {
    if (rank(one) > rank(*best)) best = &one;
  }
  // A look at a few batches as planned, before the training, excuses no other loader.
  constexpr std::int64_t kMuchLonger = 8;
  const Loader& last = loaders_.front();
  const bool is_look = best->drew < last.began && best->counts.matched * kMuchLonger < last.counts.mismatched;
  return is_look ? last : *best;
}

DrawnTally::Counts DrawnTally::counts() const {
  if (loaders_.empty()) return {};
  Counts counts = chosen().counts;
  counts.loader = chosen().number;
  if (counts.mismatched == 0) counts.first_difference.reset();
  return counts;
}

}  // namespace shardlens
