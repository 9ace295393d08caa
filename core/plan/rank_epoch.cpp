// SPDX-License-Identifier: Apache-2.0
#include "core/plan/rank_epoch.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <bit>
#include <span>
#include <utility>

namespace shardlens {

static_assert(std::endian::native == std::endian::little, "fingerprints are defined over little-endian integers");

RankEpoch::RankEpoch(Rank rank, Epoch epoch, Slice slice, Batching batching, std::int64_t num_workers)
    : rank_(rank), epoch_(epoch), slice_(std::move(slice)), batching_(std::move(batching)), num_workers_(num_workers) {}

std::int64_t RankEpoch::handedOut() const {
  const std::int64_t count = batches();
  return count == 0 ? 0 : batch(Step{count - 1}).last;
}

std::vector<std::int64_t> RankEpoch::padding() const {
  std::vector<std::int64_t> items = slice_.addedAmong(handedOut());
  std::erase_if(items, [this](std::int64_t k) { return isFirst(k); });
  return items;
}

RankEpoch RankEpoch::withAtMost(std::int64_t batches) const {
  RankEpoch out = *this;
  out.batching_ = batching_.atMost(batches);
  out.first_readings_ = nullptr;
  return out;
}

RankEpoch RankEpoch::withFirst(std::shared_ptr<const std::vector<std::int64_t>> first_readings) const {
  RankEpoch out = *this;
  out.first_readings_ = std::move(first_readings);
  return out;
}

std::vector<SampleIndex> RankEpoch::batchSamples(Step step) const {
  const Range range = batch(step);
  std::vector<SampleIndex> ids;
  ids.reserve(static_cast<std::size_t>(range.size()));
  for (std::int64_t k = range.first; k < range.last; ++k) ids.push_back(sample(k));
  return ids;
}

std::uint64_t RankEpoch::batchFingerprint(Step step) const {
  return fingerprintOf(batchSamples(step));
}

std::uint64_t RankEpoch::fingerprint() const {
  std::vector<SampleIndex> fingerprints;
  fingerprints.reserve(static_cast<std::size_t>(batches()));
  for (Step step{0}; step.value < batches(); ++step) {
    fingerprints.push_back(static_cast<SampleIndex>(batchFingerprint(step)));
  }
  return fingerprintOf(fingerprints);
}

std::uint64_t fingerprintOf(const std::vector<SampleIndex>& ids) {
  return XXH3_64bits(ids.data(), ids.size() * sizeof(SampleIndex));
}

std::string fingerprintText(std::uint64_t fingerprint) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(16, '0');
  for (std::size_t i = 0; i < 16; ++i) text[15 - i] = kDigits[fingerprint >> (4 * i) & 15];
  return text;
}

namespace {

constexpr std::int64_t kHead = 64;  ///< items of a rank: what is repeated is mostly read first
constexpr std::int64_t kItemsBetweenStops = 1 << 18;
constexpr std::size_t kFewAdded = 1 << 16;

/// An item that the sampler adds, in a batch.
struct Added {
  SampleIndex sample = 0;
  Step step;
  Rank rank;
  std::int64_t item = 0;

  auto operator<=>(const Added&) const = default;
};

/// Samples of which no reading is known but those that are added.
class Wanted {
 public:
  Wanted(std::span<const Added> added, std::int64_t dataset_size)
      : bits_(static_cast<std::size_t>((dataset_size + 63) / 64)) {
    for (const Added& one : added) {
      left_ += has(one.sample) ? 0 : 1;
      bits_[static_cast<std::size_t>(one.sample / 64)] |= std::uint64_t{1} << (one.sample % 64);
    }
  }

  [[nodiscard]] bool has(SampleIndex sample) const {
    return (bits_[static_cast<std::size_t>(sample / 64)] >> (sample % 64) & 1) != 0;
  }
  [[nodiscard]] bool isEmpty() const { return left_ == 0; }
  void found(SampleIndex sample) {
    if (!has(sample)) return;
    bits_[static_cast<std::size_t>(sample / 64)] &= ~(std::uint64_t{1} << (sample % 64));
    --left_;
  }

 private:
  std::vector<std::uint64_t> bits_;
  std::int64_t left_ = 0;
};

/// Calls `take` with the rank's own items from `first` to `last` - 1, those that are not among the `added`.
template <class Take>
void eachOwn(const RankEpoch& rank, const std::vector<std::int64_t>& added, std::int64_t first, std::int64_t last,
             Take take) {
  auto next = std::ranges::lower_bound(added, first);
  for (std::int64_t k = first; k < last; ++k) {
    if (next != added.end() && *next == k) {
      ++next;
    } else {
      take(rank.sample(k));
    }
  }
}

/// Of each sample the first: batches larger than the dataset add the same few over and over.
void keepFirst(std::vector<Added>& added) {
  std::ranges::sort(added);
  const auto is_same = [](const Added& one, const Added& other) { return one.sample == other.sample; };
  added.erase(std::unique(added.begin(), added.end(), is_same), added.end());
}

/// The first items of samples that are added, by sample; and the first items of each rank that are not.
struct Collected {
  std::vector<Added> added;
  std::vector<SampleIndex> heads;
};

Result<Collected> collect(std::int64_t ranks, const FirstReadings::Draw& draw, const Work& work) {
  Collected out;
  std::size_t most = kFewAdded;
  for (Rank rank{0}; rank.value < ranks; ++rank) {
    if (work.stopped()) return cancelled();
    const auto drawn = draw(rank);
    if (!drawn) return drawn.error();
    const std::int64_t handed = drawn->handedOut();
    const std::vector<std::int64_t> added = drawn->slice().addedAmong(handed);
    for (const std::int64_t k : added) {
      out.added.push_back({drawn->sample(k), drawn->stepOf(k).value_or(Step{0}), rank, k});
      if (out.added.size() < most) continue;
      if (work.stopped()) return cancelled();
      keepFirst(out.added);
      most = std::max(kFewAdded, 2 * out.added.size());
    }
    eachOwn(*drawn, added, 0, std::min(handed, kHead), [&out](SampleIndex sample) { out.heads.push_back(sample); });
  }
  keepFirst(out.added);
  return out;
}

Result<void> look(std::int64_t ranks, const FirstReadings::Draw& draw, Wanted& wanted, const Work& work) {
  for (Rank rank{0}; rank.value < ranks && !wanted.isEmpty(); ++rank) {
    const auto drawn = draw(rank);
    if (!drawn) return drawn.error();
    const std::int64_t handed = drawn->handedOut();
    const std::vector<std::int64_t> added = drawn->slice().addedAmong(handed);
    for (std::int64_t from = kHead; from < handed && !wanted.isEmpty(); from += kItemsBetweenStops) {
      if (work.stopped()) return cancelled();
      eachOwn(*drawn, added, from, std::min(handed, from + kItemsBetweenStops),
              [&wanted](SampleIndex sample) { wanted.found(sample); });
    }
  }
  return {};
}

}  // namespace

Result<FirstReadings> FirstReadings::of(std::int64_t ranks, std::int64_t dataset_size, const Draw& draw,
                                        const Work& work) {
  const auto collected = collect(ranks, draw, work);
  if (!collected) return collected.error();
  FirstReadings out;
  if (collected->added.empty()) return out;
  Wanted wanted(collected->added, dataset_size);
  for (const SampleIndex sample : collected->heads) wanted.found(sample);
  if (auto looked = look(ranks, draw, wanted, work); !looked) return looked.error();
  std::map<Rank, std::vector<std::int64_t>> by_rank;
  for (const Added& one : collected->added) {
    if (wanted.has(one.sample)) by_rank[one.rank].push_back(one.item);
  }
  for (auto& [rank, items] : by_rank) {
    std::ranges::sort(items);
    out.by_rank_[rank] = std::make_shared<const std::vector<std::int64_t>>(std::move(items));
  }
  return out;
}

std::shared_ptr<const std::vector<std::int64_t>> FirstReadings::of(Rank rank) const {
  static const auto kNone = std::make_shared<const std::vector<std::int64_t>>();
  const auto found = by_rank_.find(rank);
  return found == by_rank_.end() ? kNone : found->second;
}

}  // namespace shardlens
