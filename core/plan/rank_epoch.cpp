// SPDX-License-Identifier: Apache-2.0
#include "core/plan/rank_epoch.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <bit>
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

}  // namespace shardlens
