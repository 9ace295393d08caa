// SPDX-License-Identifier: Apache-2.0
#include "core/lens/sample_comparison.h"

#include "core/base/text.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace shardlens {
namespace {

/// A full-avalanche mixer (splitmix64's): sums of it tell two multisets of ids apart.
std::uint64_t mixed(std::uint64_t id) {
  id += 0x9e3779b97f4a7c15U;
  id = (id ^ (id >> 30)) * 0xbf58476d1ce4e5b9U;
  id = (id ^ (id >> 27)) * 0x94d049bb133111ebU;
  return id ^ (id >> 31);
}

}  // namespace

Result<SampleContent> SampleContent::of(const EpochPlan& epoch, const Work& work) {
  SampleContent content;
  std::int64_t items = 0;
  for (const RankEpoch& rank : epoch.ranks) {
    const auto steps = static_cast<std::size_t>(rank.batches());
    content.steps_.resize(std::max(content.steps_.size(), steps));
    for (std::size_t step = 0; step < steps; ++step) {
      items += content.add(rank, step) + 1;
      if (items < kItemsBetweenLooks) continue;
      if (work.stopped()) return cancelled();
      items = 0;
    }
  }
  return content;
}

std::int64_t SampleContent::add(const RankEpoch& rank, std::size_t step) {
  const RankEpoch::Range range = rank.batch(Step{static_cast<std::int64_t>(step)});
  std::uint64_t sum = 0;
  for (std::int64_t k = range.first; k < range.last; ++k) {
    const auto id = static_cast<std::uint64_t>(rank.sample(k));
    sum += mixed(id);
    const std::size_t word = id / 64;
    if (word >= seen_.size()) seen_.resize(std::max(word + 1, 2 * seen_.size()));
    seen_[word] |= std::uint64_t{1} << (id % 64);
  }
  steps_[step] += sum;
  sum_ += sum;
  items_ += range.size();
  return range.size();
}

std::int64_t SampleContent::without(const SampleContent& other) const {
  std::int64_t count = 0;
  for (std::size_t word = 0; word < seen_.size(); ++word) {
    count += std::popcount(seen_[word] & ~(word < other.seen_.size() ? other.seen_[word] : 0));
  }
  return count;
}

SampleComparison compareSamples(const SampleContent& first, const SampleContent& second) {
  SampleComparison out;
  out.same_samples = first.items() == second.items() && first.sum() == second.sum();
  out.same_steps = out.same_samples && first.steps() == second.steps();
  out.only_first = first.without(second);
  out.only_second = second.without(first);
  return out;
}

std::string comparisonText(const SampleComparison& comparison, bool same_batches) {
  if (same_batches) return "the same order";
  if (comparison.same_steps) return "the same samples in each step, but on other ranks";
  if (comparison.same_samples) return "the same samples in another order";
  if (comparison.only_first == 0 && comparison.only_second == 0)
    return "the same samples, some more often or less "
           "often";
  std::vector<std::string> parts;
  if (comparison.only_first > 0) parts.push_back(grouped(comparison.only_first) + " left out");
  if (comparison.only_second > 0) parts.push_back(grouped(comparison.only_second) + " that the design leaves out");
  return "other samples: " + join(parts, ", ");
}

}  // namespace shardlens
