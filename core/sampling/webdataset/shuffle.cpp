// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/webdataset/shuffle.h"

#include <algorithm>
#include <array>

namespace shardlens::sampling {
namespace {

/// Takes an item out of the buffer; the last one fills its place.
std::int64_t pick(std::vector<std::int64_t>& buffer, PythonRandom& random) {
  std::int64_t& place = buffer[random.randbelow(buffer.size())];
  const std::int64_t item = place;
  place = buffer.back();
  buffer.pop_back();
  return item;
}

}  // namespace

std::vector<std::int64_t> WebDatasetShuffle::run(std::span<const std::int64_t> items, PythonRandom random) const {
  const std::int64_t least = std::min(initial, bufsize);
  std::vector<std::int64_t> buffer;
  std::vector<std::int64_t> shuffled;
  shuffled.reserve(items.size());
  const auto held = [&] { return static_cast<std::int64_t>(buffer.size()); };
  for (std::size_t next = 0; next < items.size();) {
    buffer.push_back(items[next++]);
    if (held() < bufsize && next < items.size()) buffer.push_back(items[next++]);
    if (held() >= least) shuffled.push_back(pick(buffer, random));
  }
  while (!buffer.empty()) shuffled.push_back(pick(buffer, random));
  return shuffled;
}

std::int64_t webDatasetSeed(std::span<const std::int64_t> numbers) {
  constexpr std::uint64_t kMask = 0x7FFFFFFF;
  std::uint64_t seed = 0;
  for (const std::int64_t number : numbers) seed = (seed * 31 + static_cast<std::uint64_t>(pythonHash(number))) & kMask;
  return static_cast<std::int64_t>(seed);
}

WebDatasetResampling::WebDatasetResampling(std::int64_t num_urls, std::int64_t worker_seed, std::int64_t epoch,
                                           std::int64_t seed)
    : num_urls_(static_cast<std::uint64_t>(num_urls)), random_(webDatasetSeed(std::array{worker_seed, epoch, seed})) {}

std::vector<std::int64_t> webDatasetResampled(std::int64_t num_urls, std::int64_t nshards, std::int64_t worker_seed,
                                              std::int64_t epoch, std::int64_t seed) {
  WebDatasetResampling drawn(num_urls, worker_seed, epoch, seed);
  std::vector<std::int64_t> shards;
  for (std::int64_t i = 0; i < nshards; ++i) shards.push_back(drawn.next());
  return shards;
}

std::vector<std::int64_t> webDatasetShare(std::int64_t num_shards, std::int64_t rank, std::int64_t world_size,
                                          std::int64_t worker, std::int64_t num_workers) {
  const std::int64_t workers = std::max<std::int64_t>(1, num_workers);
  std::vector<std::int64_t> share;
  for (std::int64_t shard = rank + worker * world_size; shard < num_shards; shard += world_size * workers) {
    share.push_back(shard);
  }
  return share;
}

}  // namespace shardlens::sampling
