// SPDX-License-Identifier: Apache-2.0
#include "core/plan/sample_comparison.h"

#include "core/base/text.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

namespace shardlens {
namespace {

constexpr std::int64_t kItemsBetweenLooks = 1 << 18;  // some milliseconds

/// A full-avalanche mixer (splitmix64's): sums of it tell two multisets of ids apart.
std::uint64_t mixed(std::uint64_t id) {
  id += 0x9e3779b97f4a7c15U;
  id = (id ^ (id >> 30)) * 0xbf58476d1ce4e5b9U;
  id = (id ^ (id >> 27)) * 0x94d049bb133111ebU;
  return id ^ (id >> 31);
}

/// What an epoch hands out, without order: a sum a step, and a bit a sample.
class Content {
 public:
  /// False when stopped.
  bool read(const EpochPlan& epoch, const Work& work) {
    std::int64_t items = 0;
    for (const RankEpoch& rank : epoch.ranks) {
      const auto steps = static_cast<std::size_t>(rank.batches());
      steps_.resize(std::max(steps_.size(), steps));
      for (std::size_t step = 0; step < steps; ++step) {
        const std::int64_t taken = add(rank, step);
        items += taken + 1;
        if (items < kItemsBetweenLooks) continue;
        if (work.stopped()) return false;
        items = 0;
      }
    }
    return true;
  }

  [[nodiscard]] const std::vector<std::uint64_t>& steps() const { return steps_; }
  [[nodiscard]] std::uint64_t sum() const { return sum_; }
  [[nodiscard]] std::int64_t items() const { return items_; }

  /// Samples that this epoch has and `other` has not.
  [[nodiscard]] std::int64_t without(const Content& other) const {
    std::int64_t count = 0;
    for (std::size_t word = 0; word < seen_.size(); ++word) {
      count += std::popcount(seen_[word] & ~(word < other.seen_.size() ? other.seen_[word] : 0));
    }
    return count;
  }

 private:
  std::int64_t add(const RankEpoch& rank, std::size_t step) {
    const RankEpoch::Range range = rank.batch(Step{static_cast<std::int64_t>(step)});
    for (std::int64_t k = range.first; k < range.first + range.size(); ++k) {
      const auto id = static_cast<std::uint64_t>(rank.sample(k));
      const std::uint64_t hash = mixed(id);
      steps_[step] += hash;
      sum_ += hash;
      const std::size_t word = id / 64;
      if (word >= seen_.size()) seen_.resize(std::max(word + 1, 2 * seen_.size()));
      seen_[word] |= std::uint64_t{1} << (id % 64);
    }
    items_ += range.size();
    return range.size();
  }

  std::vector<std::uint64_t> steps_;
  std::vector<std::uint64_t> seen_;
  std::uint64_t sum_ = 0;
  std::int64_t items_ = 0;
};

}  // namespace

Result<SampleComparison> compareSamples(const EpochPlan& first, const EpochPlan& second, const Work& work) {
  Content a;
  Content b;
  if (!a.read(first, work)) return cancelled();
  work.progress(0.5);
  if (!b.read(second, work)) return cancelled();
  SampleComparison out;
  out.same_samples = a.items() == b.items() && a.sum() == b.sum();
  out.same_steps = out.same_samples && a.steps() == b.steps();
  out.only_first = a.without(b);
  out.only_second = b.without(a);
  return out;
}

std::string comparisonText(const SampleComparison& comparison, bool same_batches) {
  if (same_batches) return "the same order";
  if (comparison.same_steps) return "the same samples in each step, dealt otherwise to the ranks";
  if (comparison.same_samples) return "the same samples in another order";
  if (comparison.only_first == 0 && comparison.only_second == 0) return "the same samples, some more or less often";
  std::vector<std::string> parts;
  if (comparison.only_first > 0) parts.push_back(grouped(comparison.only_first) + " left out");
  if (comparison.only_second > 0) parts.push_back(grouped(comparison.only_second) + " that are left out as written");
  return "other samples: " + join(parts, ", ");
}

}  // namespace shardlens
