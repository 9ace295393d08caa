// SPDX-License-Identifier: Apache-2.0
#include "core/lens/sample_comparison.h"

#include "core/base/phrase.h"
#include "core/base/text.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace shardlens {
namespace {

/// Further readings are listed up to so many; beyond, every sample gets a count.
constexpr std::size_t kMostListed = std::size_t{1} << 20;

}  // namespace

template <class Take>
void SampleContent::eachAgain(Take take) const {
  for (std::size_t i = 0; i < again_.size();) {
    std::size_t end = i + 1;
    while (end < again_.size() && again_[end] == again_[i]) ++end;
    take(again_[i], static_cast<std::int64_t>(end - i));
    i = end;
  }
  for (std::size_t sample = 0; sample < times_again_.size(); ++sample) {
    const auto id = static_cast<std::int64_t>(sample);
    if (times_again_[sample] > 0) take(id, many_.of(id, times_again_[sample]));
  }
}

namespace {

struct Readings {
  std::int64_t both = 0;
  std::int64_t lost = 0;
  std::int64_t added = 0;
};

/// First times come from the bits, further ones sample by sample.
Readings readingsOf(const SampleContent& first, const SampleContent& second) {
  Readings out;
  out.lost = first.without(second);
  out.added = second.without(first);
  out.both = first.distinct() - out.lost;
  first.eachAgain([&](std::int64_t sample, std::int64_t times) {
    if (second.has(sample)) {
      out.both += std::min(times, second.timesAgain(sample));
    } else {
      out.lost += times;
    }
  });
  return out;
}

}  // namespace

Result<SampleContent> SampleContent::of(const EpochPlan& epoch, const Work& work) {
  SampleContent content;
  std::int64_t items = 0;
  for (const RankEpoch& rank : epoch.ranks) {
    content.padding_ += static_cast<std::int64_t>(rank.padding().size());
    const auto steps = static_cast<std::size_t>(rank.batches());
    content.steps_.resize(std::max(content.steps_.size(), steps));
    for (std::size_t step = 0; step < steps; ++step) {
      items += content.add(rank, step) + 1;
      if (items < kItemsBetweenLooks) continue;
      if (work.stopped()) return cancelled();
      items = 0;
    }
  }
  std::ranges::sort(content.again_);
  return content;
}

std::int64_t SampleContent::add(const RankEpoch& rank, std::size_t step) {
  const RankEpoch::Range range = rank.batch(Step{static_cast<std::int64_t>(step)});
  SampleSum batch;
  for (std::int64_t k = range.first; k < range.last; ++k) {
    const std::int64_t sample = rank.sample(k);
    const auto id = static_cast<std::uint64_t>(sample);
    batch.add(sample);
    const std::size_t word = id / 64;
    if (word >= seen_.size()) seen_.resize(std::max(word + 1, 2 * seen_.size()));
    const std::uint64_t bit = std::uint64_t{1} << (id % 64);
    if ((seen_[word] & bit) != 0) again(sample);
    seen_[word] |= bit;
  }
  steps_[step] += batch.sum;
  all_.items += batch.items;
  all_.sum += batch.sum;
  batches_ += mixed(batch.sum ^ mixed(static_cast<std::uint64_t>(rank.rank().value) << 40 ^ step));
  if (batch.items == 0) ++empty_batches_;
  return batch.items;
}

void SampleContent::again(std::int64_t sample) {
  if (!times_again_.empty()) return countAgain(sample);
  again_.push_back(sample);
  if (again_.size() < kMostListed) return;
  for (const std::int64_t listed : again_) countAgain(listed);
  again_ = {};
}

void SampleContent::countAgain(std::int64_t sample) {
  const auto place = static_cast<std::size_t>(sample);
  if (place >= times_again_.size()) times_again_.resize(std::max(place + 1, 64 * seen_.size()));
  many_.add(sample, times_again_[place]);
}

std::int64_t SampleContent::distinct() const {
  std::int64_t count = 0;
  for (const std::uint64_t word : seen_) count += std::popcount(word);
  return count;
}

bool SampleContent::has(std::int64_t sample) const {
  const auto word = static_cast<std::size_t>(sample) / 64;
  return word < seen_.size() && (seen_[word] >> (static_cast<std::size_t>(sample) % 64) & 1) != 0;
}

std::int64_t SampleContent::timesAgain(std::int64_t sample) const {
  const auto place = static_cast<std::size_t>(sample);
  if (!times_again_.empty()) return place < times_again_.size() ? many_.of(sample, times_again_[place]) : 0;
  const auto listed = std::equal_range(again_.begin(), again_.end(), sample);
  return listed.second - listed.first;
}

std::int64_t SampleContent::without(const SampleContent& other) const {
  std::int64_t count = 0;
  for (std::size_t word = 0; word < seen_.size(); ++word) {
    count += std::popcount(seen_[word] & ~(word < other.seen_.size() ? other.seen_[word] : 0));
  }
  return count;
}

SampleComparison compareSamples(const SampleContent& first, const SampleContent& second, std::int64_t same_items) {
  SampleComparison out;
  out.same_samples = first.all() == second.all();
  out.same_steps = out.same_samples && first.steps() == second.steps();
  out.same_batches = out.same_samples && first.batches() == second.batches();
  out.only_first = first.without(second);
  out.only_second = second.without(first);
  const Readings readings = readingsOf(first, second);
  ReadingShares& shares = out.shares;
  shares.same = same_items;
  shares.moved = readings.both - same_items;
  shares.lost = readings.lost;
  shares.added = readings.added;
  shares.fewer = first.items() - readings.both - readings.lost;
  shares.repeated = second.items() - readings.both - readings.added;
  return out;
}

std::string comparisonText(const SampleComparison& comparison, bool same_batches) {
  if (same_batches) return worded("lens", "the same order");
  if (comparison.same_batches) return worded("lens", "the same samples in each batch, in another order");
  if (comparison.same_steps && comparison.shares.moved == 0)
    return worded("lens", "the same samples on the same ranks, beside batches without any");
  if (comparison.same_steps) return worded("lens", "the same samples in each step, but on other ranks");
  if (comparison.same_samples) return worded("lens", "the same samples in another order");
  if (comparison.only_first == 0 && comparison.only_second == 0)
    return worded("lens", "the same samples, some more often or less often");
  std::vector<std::string> parts;
  if (comparison.only_first > 0) parts.push_back(filled(worded("lens", "%1 left out"), grouped(comparison.only_first)));
  if (comparison.only_second > 0)
    parts.push_back(filled(worded("lens", "%1 that the design leaves out"), grouped(comparison.only_second)));
  return filled(worded("lens", "other samples: %1"), join(parts, ", "));
}

}  // namespace shardlens
